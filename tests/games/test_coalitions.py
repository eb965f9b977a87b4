"""The textbook games are what their authors describe, and refuse what is no such game."""

from fractions import Fraction
from itertools import combinations

from gamebalance.games import coalitions as known


def test_worths():
    gloves = known.glove_market(2, 3)
    assert [gloves.worth(part) for part in (["L1", "R1", "R3"], gloves.players, ["R1", "R2"])] == [1, 2, 0]
    assert known.majority(4).worth([1, 2]) == 0 and known.majority(4).worth([1, 2, 3]) == 1
    apex = known.apex(4)
    assert [apex.worth(part) for part in ([1], [1, 4], [2, 3], [2, 3, 4])] == [0, 1, 0, 1]
    assert known.weighted_voting(3, [2, 1, 1]).worth([2, 3]) == 0
    assert known.airport([5, 1, 3]).worth([2, 3]) == -3
    estate = known.bankruptcy(200, known.TALMUD_CLAIMS)
    assert [estate.worth(part) for part in ([1], [3], [2, 3], [1, 2, 3])] == [0, 0, 100, 200]
    interest = known.deposits()
    assert [interest.worth(part) for part in ([1], [2], [3], [1, 2], [1, 3], [2, 3], [1, 2, 3])] == [
        46125, Fraction(34875, 2), Fraction(11625, 2), Fraction(138375, 2), Fraction(107625, 2), 30750, 90000
    ]  # fmt: skip


def test_random_games():
    for kind in known.RANDOM_KINDS:
        one, same, other = (known.random_game(4, kind, seed) for seed in (1, 1, 2))
        worths = [[game.worth(part) for part in game.coalitions()] for game in (one, same, other)]
        assert worths[0] == worths[1] != worths[2]
    # Both ends of the range are drawn: seeds found by search.
    assert known.random_game(2, "independent", 757).worth(1) == 1000
    assert known.random_game(2, "independent", 1004).worth(2) == 0
    pairs = known.random_game(5, "pairs", 3)
    for part in pairs.coalitions():  # pairs alone create something
        assert pairs.worth(part) == sum(pairs.worth(pair) for pair in combinations(sorted(part), 2))
    worths = [known.random_game(6, "independent", seed).worth(range(1, 7)) for seed in range(200)]
    # Uniform from 0 to 6000: mean 3000, standard error 1732 / sqrt(200) = 122.
    assert abs(sum(worths) / 200 - 3000) < 4 * 122 and 0 <= min(worths) < 300 and 5700 < max(worths) <= 6000
