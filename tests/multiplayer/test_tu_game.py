"""Reading games and refusing bad ones; excesses, subgames, properties and values against their definitions."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings

from gamebalance.games import coalitions as known
from gamebalance.multiplayer.cooperative import TUGame, values
from tests.multiplayer.tu_games import convex_games, games, masks_game, partitions, subsets
from tests.refusals import refuses

quick = settings(max_examples=60)
FULL = {"A": 1, "B": 2, "AB": 4}


def of(values: dict, players="AB") -> TUGame:
    return TUGame(players, {tuple(key): value for key, value in values.items()})


def test_coalitions_are_read_in_any_form():
    game = TUGame(["A", "BC"], {"A": 1, frozenset(["BC"]): Fraction(1, 2), ("BC", "A"): 4, (): 0})
    assert game.worth("BC") == Fraction(1, 2) and game.worth({"A", "BC"}) == game.worth(["BC", "A"]) == 4
    assert game.worth([]) == 0 and game.exact and isinstance(game.worth("A"), Fraction)
    assert game.coalitions() == [frozenset(["A"]), frozenset(["BC"]), frozenset(["A", "BC"])]
    assert [len(part) for part in TUGame(range(3), len).coalitions()] == [1, 1, 1, 2, 2, 2, 3]
    assert TUGame([0, 1], len).worth([0, 1]) == 2
    assert TUGame([0, 1], lambda coalition: np.int64(len(coalition))).exact
    assert not of({**FULL, "A": 1.0}).exact


test_bad_games_are_refused = refuses(
    (
        lambda: of(dict.fromkeys(["A", "B", "C", "D", "AB", "CD", "ABC", "ABD", "ABCD"], 1), "ABCD"),
        r"6 of 15 coalitions are missing: {A, C}, {A, D}, {B, C}, {B, D}, {A, C, D}, {B, C, D}$",
    ),
    (lambda: TUGame(range(5), {}), r"31 of 31 coalitions are missing: \{0\}.* and 23 more$"),
    (lambda: TUGame([], {}), "players"),
    (lambda: TUGame(range(17), len), "players = .*: 1 to 16 different"),
    (lambda: TUGame([], len), "players = .*: 1 to 16 different"),
    (lambda: of(FULL, [["A"]]), "different hashable"),
    (lambda: of(FULL, 3), "players = 3"),
    (lambda: TUGame("AB", 7), "values = 7"),
    (lambda: of({**FULL, "": 1}), "empty coalition is worth 0"),
    (lambda: of({**FULL, "C": 1}), "'C' is none of the players"),
    (lambda: of({**FULL, "BA": 4}), r"\{A, B\} is given twice"),
    (lambda: of({**FULL, "AB": True}), r"worth of \{A, B\} = True"),
    (lambda: of({**FULL, "AB": float("nan")}), r"worth of \{A, B\} = nan"),
    (lambda: of({"A": 10**400, "B": 0.5, "AB": 4}), r"worth of \{A\} is too large beside .* floats: at most 6e\+306"),
    (lambda: TUGame("AB", lambda coalition: None), r"worth of \{A\} = None"),
)
test_bad_questions_are_refused = refuses(
    (lambda: of(FULL).worth("AA"), "twice"),
    (lambda: of(FULL).worth(7), "coalition = 7"),
    (lambda: of(FULL).subgame([]), "at least one player"),
    (lambda: of(FULL).excess([1]), "each of 2 players"),
    (lambda: of(FULL).excess({"A": 1, "C": 2}), "each of"),
    (lambda: of(FULL).greedy_structure(stable=1), "stable = 1"),
    (lambda: TUGame(range(5), len).core_corners(), "at most 4"),
    (lambda: TUGame("A", {"A": 1}).least_core(), "at least two"),
    (
        lambda: TUGame("AB", lambda coalition: 10**400).shapley_sampled(10, 1),
        r"^values: worths that floats can hold are needed here",
    ),
)


def test_floats_far_apart():
    # As whole numbers of the smallest unit these worths have 600 digits, too many for floats.
    game = TUGame("AB", {"A": 1e-300, "B": 1e300, ("A", "B"): 1.5e300})
    assert game.best_structure().coalitions == [{"A", "B"}] and game.is_superadditive() and game.is_convex()
    assert game.shapley() == {"A": 2.5e299, "B": 1.25e300}
    split = TUGame("AB", {"A": 1e-300, "B": 1e300, ("A", "B"): 0.5e300})
    assert len(split.best_structure().coalitions) == 2 and not split.is_superadditive()


def test_floats_are_read_as_typed():
    game = TUGame(range(3), lambda coalition: [0, 0.1, 0.2, 0.3][len(coalition)])
    assert game.is_superadditive() and game.is_convex() and not game.core_is_empty()
    # The same sums with binary rounding: 0.1 + 0.1 + 0.1 is a hair more than 0.3, and still no violation.
    rounded = masks_game([0, 0.1, 0.1, 0.2, 0.1, 0.2, 0.1 + 0.1, 0.3 - 5e-17])
    assert rounded.is_superadditive() and not rounded.core_is_empty()
    assert rounded.nucleolus() == pytest.approx(dict.fromkeys(range(3), 0.1), abs=1e-15)


@given(games())
@quick
def test_excess_and_subgame(game):
    shares = {player: Fraction(player, 3) for player in game.players}
    excess = game.excess(shares)
    for coalition in subsets(game.players):
        assert excess[coalition] == game.worth(coalition) - sum(shares[player] for player in coalition)
    assert game.excess(list(shares.values())) == excess
    part = game.subgame(game.players[1:])
    assert part.players == game.players[1:]
    assert all(part.worth(coalition) == game.worth(coalition) for coalition in subsets(part.players))


@given(games(2, 4, 0, 9))
@quick
def test_superadditive_and_convex_by_all_pairs(game):
    pairs = [(a, b) for a in subsets(game.players) for b in subsets(game.players)]
    worth = {coalition: game.worth(coalition) for coalition in subsets(game.players)} | {frozenset(): 0}
    loss = {(a, b): worth[a] + worth[b] - worth[a | b] - worth[a & b] for a, b in pairs}
    disjoint = max(loss[pair] for pair in pairs if not pair[0] & pair[1])
    assert game.is_superadditive() == (disjoint <= 0)
    assert game.is_convex() == (max(loss.values()) <= 0)


@given(convex_games())
@quick
def test_convex_games_are_found_convex(game):
    assert game.is_convex() and game.is_superadditive()


@given(games(1, 5, -5, 9))
@quick
def test_best_structure_by_all_partitions(game):
    best = game.best_structure()
    assert best.worth == max(sum(map(game.worth, parts)) for parts in partitions(list(game.players)))
    assert best.worth == sum(map(game.worth, best.coalitions)) and best.merges == []
    assert sorted(player for part in best.coalitions for player in part) == list(game.players)
    for stable in (True, False):
        merged = game.greedy_structure(stable)
        assert merged.worth <= best.worth and merged.worth == sum(map(game.worth, merged.coalitions))
        assert sorted(player for part in merged.coalitions for player in part) == list(game.players)
        assert len(merged.merges) == len(game.players) - len(merged.coalitions)
        assert all(game.worth(a | b) > game.worth(a) + game.worth(b) for a, b in merged.merges)
        assert not stable or not any(game.subgame(a | b).core_is_empty() for a, b in merged.merges)


def test_kernels_agree_with_plain_python_and_other_numbers():
    generator = np.random.default_rng(3)
    for players in (2, 4, 6):
        worths = generator.integers(-50, 50, 2**players)
        worths[0], worths[-1] = 0, -200
        for kernel in (values._worst_split, values._best_parts):
            plain = kernel.py_func(worths.astype(object))
            assert np.array_equal(kernel(worths), plain) and np.array_equal(kernel(worths.astype(float)), plain)
        huge = masks_game([int(worth) * 10**30 for worth in worths])
        small = masks_game(worths.tolist())
        assert huge.best_structure().worth == 10**30 * small.best_structure().worth
        assert huge.best_structure().coalitions == small.best_structure().coalitions
        assert huge.is_superadditive() == small.is_superadditive()


def test_merging_can_stop_short():
    # Estate 100: any two creditors together still get nothing, so merging never begins.
    small_estate = known.bankruptcy(100, known.TALMUD_CLAIMS)
    assert (small_estate.greedy_structure().worth, small_estate.best_structure().worth) == (0, 100)
    # AD gains most and merges first; the best is AB and CD.
    game = TUGame("ABCD", lambda part: {"AD": 5, "AB": 4, "CD": 4}.get("".join(sorted(part)), 0))
    assert (game.greedy_structure().worth, game.best_structure().worth) == (5, 8)


def test_the_fairness_test_can_fail():
    # Two of three get 1; the third adds 1/5, too little for a core.
    game = TUGame(range(3), lambda coalition: [0, 0, 1, Fraction(6, 5)][len(coalition)])
    assert game.greedy_structure().coalitions == [{0, 1}, {2}]
    free = game.greedy_structure(stable=False)
    assert free.coalitions == [{0, 1, 2}] and free.merges == [({0}, {1}), ({0, 1}, {2})]
