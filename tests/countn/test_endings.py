"""One hand against one: the theorem against play by the rules, against the solver, and its corollaries."""

import pytest

from chapters.countn import regularities
from gamebalance import countn
from gamebalance.countn import endings


def played(n, mover, opponent):
    """Forced play by the rules alone: winner and plies."""
    game, plies = countn.Game(n), 0
    while True:
        total = game.total(mover, opponent)
        plies += 1
        if total is None:
            return (1 if plies % 2 else -1), plies
        mover, opponent = opponent, total


@pytest.mark.parametrize("n", [*range(2, 40), 55, 89, 90, 144, 233, 256])
def test_theorem_is_forced_play(n):
    for mover in range(1, n):
        for opponent in range(1, n):
            assert endings.one_hand(n, mover, opponent) == played(n, mover, opponent)


@pytest.mark.parametrize("n", range(2, 31))
def test_theorem_is_what_the_solver_finds(n):
    solution = countn.solve(n)
    for mover in range(1, n):
        for opponent in range(1, n):
            hands = (mover, None), (opponent, None)
            assert endings.one_hand(n, mover, opponent) == (solution.value(*hands), solution.distance(*hands))


def test_an_ending_is_short():
    # x > N / 2 leaves q < N / 2, hence at most 3 N / 4 plies after two Fibonacci runs.
    for n in (50, 100, 200, 256):
        longest = max(endings.one_hand(n, a, b)[1] for a in range(1, n) for b in range(1, n))
        assert 3 * n / 4 - 2 <= longest <= 3 * n / 4 + 4


@pytest.mark.parametrize("n", range(2, 257))
def test_one_one_by_the_closed_rule(n):
    found = regularities.one_one(n)
    assert (1 if found.mover_wins else -1, found.plies) == played(n, 1, 1)
    assert found.below < n


def test_one_one_changes_its_residues_at_fibonacci_numbers_only():
    wins = {n: regularities.one_one(n).mover_wins for n in range(22, 257)}
    changes = [n for n in range(22, 252) if wins[n] != wins[n + 4]]
    # n and n + 4 lie on two sides of a Fibonacci number, or one of them is it.
    assert changes and all(any(n <= f <= n + 4 for f in (34, 55, 89, 144, 233)) for n in changes)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((8, 0, 1), "mover = 0: a whole number from 1 to 7 is needed"),
        ((8, 1, 8), "opponent = 8: a whole number from 1 to 7 is needed"),
        ((1, 1, 1), "n = 1: a whole number from 2 to 256 is needed"),
    ],
)
def test_bad_hands_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        endings.one_hand(*arguments)


def free_by_playing(n):
    """Pairs of hands whose sequence modulo n meets no 0 in as many steps as there are pairs."""
    free = 0
    for a in range(1, n):
        for b in range(1, n):
            x, y = a, b
            for _ in range(n * n):
                x, y = y, (x + y) % n
                if y == 0:
                    break
            else:
                free += 1
    return free


@pytest.mark.parametrize("n", range(2, 21))
def test_free_fibonacci_counts_the_endless_endings(n):
    solution = countn.solve(n, "rollover")
    hands = [(number, None) for number in range(1, n)]
    drawn = sum(solution.value(mover, opponent) == 0 for mover in hands for opponent in hands)
    assert endings.free_fibonacci(n) == free_by_playing(n) == drawn


def test_free_fibonacci_is_zero_on_the_listed_numbers():
    # OEIS A064414, from 2 to 256.
    listed = "2 3 4 6 7 9 14 23 27 43 49 67 81 83 86 98 103 127 134 163 167 206 223 227 243 254"
    assert [n for n in range(2, 257) if endings.free_fibonacci(n) == 0] == list(map(int, listed.split()))
