"""Chapter A.4: closed rules against play and the solver, the shortest certificate, peace, and the long run's table."""

import itertools

import pandas as pd
import pytest

from chapters import who_wins_for_every_n as chapter
from gamebalance import countn
from gamebalance.base.rounding import meant
from gamebalance.countn import certificate
from gamebalance.publish import heavy


def played(n, mover, opponent):
    """Forced play with one hand each by the rules alone: winner and plies."""
    game, plies = countn.Game(n), 0
    while True:
        total = game.total(mover, opponent)
        plies += 1
        if total is None:
            return (1 if plies % 2 else -1), plies
        mover, opponent = opponent, total


@pytest.mark.parametrize("n", [*range(2, 30), 55, 89, 90, 233])
def test_theorem_is_forced_play(n):
    for hands in itertools.product(range(1, n), repeat=2):
        assert chapter.one_hand(n, *hands) == played(n, *hands)


def test_one_one_by_the_closed_rule():
    for n in range(2, 257):
        rule = chapter.one_one(n)
        assert (1 if rule["mover_wins"] else -1, rule["plies"]) == played(n, 1, 1) and rule["below"] < n <= rule[
            "above"
        ]


def test_free_fibonacci_counts_the_endless_endings():
    for n in range(2, 16):
        solution, hands = countn.solve(n, "rollover"), [(number, None) for number in range(1, n)]
        assert chapter.free_fibonacci(n) == sum(solution.value(*pair) == 0 for pair in itertools.product(hands, hands))
    # OEIS A064414, from 2 to 128.
    listed = "2 3 4 6 7 9 14 23 27 43 49 67 81 83 86 98 103 127"
    assert [n for n in range(2, 129) if chapter.free_fibonacci(n) == 0] == list(map(int, listed.split()))


def test_shortest_certificate():
    solution = countn.solve(5, "rollover")
    assert chapter.shortest_certificate(solution, 60) == (41, 41)
    assert len(certificate.drawing_certificate(solution).moves) >= 41


def peaceful(n, overflow):
    """The greatest fixed point in plain Python: (keeper's hands, other's hands) with the keeper to move, and not."""
    game = countn.Game(n, overflow)
    four = {pair for pair in itertools.product(game.pairs, repeat=2) if None not in pair[0] + pair[1]}
    moving, waiting = set(four), set(four)
    while True:
        still = {(k, o) for k, o in waiting if all((k, move.hands) in moving for move in game.moves(o, k))}
        hold = {(k, o) for k, o in moving if any((move.hands, o) in still for move in game.moves(k, o))}
        if (hold, still) == (moving, waiting):
            return hold, still
        moving, waiting = hold, still


@pytest.mark.parametrize(("n", "overflow"), [(2, "one"), (5, "one"), (9, "one"), (12, "rollover"), (13, "rollover")])
def test_peace_is_the_greatest_fixed_point(n, overflow):
    moving, waiting = peaceful(n, overflow)
    start = countn.START in moving and countn.START in waiting
    assert chapter.keep_peace(n, overflow) == {"moving": len(moving), "waiting": len(waiting), "start": start}
    assert start == (n == 13)


def test_row_is_what_the_solution_says():
    row, solution = chapter.row(8), countn.solve(8)
    assert row["certificate"] == 291 and chapter.row(8, "one", 7)["certificate"] is None
    pairs = solution.game.pairs[:-1]
    three = [(m, o) for m in pairs for o in pairs if (m + o).count(None) == 1]
    fewer = [solution.value(m, o) * (1 if None in m else -1) for m, o in three]
    assert row["fewer_hands_wins"] == pytest.approx(sum(v > 0 for v in fewer) / len(three), abs=1e-15)
    assert row["more_hands_wins"] == pytest.approx(sum(v < 0 for v in fewer) / len(three), abs=1e-15)
    four = [solution.value(m, o) for m in pairs for o in pairs if None not in m + o]
    assert row["four_hands_drawn"] == pytest.approx(four.count(0) / len(four), abs=1e-15)
    assert chapter.row(5, "rollover")["one_hand_drawn"] == chapter.free_fibonacci(5) / 16


@pytest.mark.parametrize("n", [2, 9, 17, 63])
def test_the_long_run_is_what_this_code_computes(n):
    stored = heavy.results("countn-survey").set_index("n").loc[n]
    for name, value in chapter.row(n, "one", 20).items():
        if name not in ("n", "overflow") and (name, n) != ("certificate", 63):
            assert pd.isna(stored[name]) if value is None else stored[name] == meant(value)
