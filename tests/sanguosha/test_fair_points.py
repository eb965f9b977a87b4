"""Fair points: every optimum against enumeration, another solver or a proof, and every rule against the endings."""

from functools import cache
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import OptimizeResult, linprog, nnls

from chapters.five_to_ten_players import lineup_outcomes
from gamebalance.sanguosha import LINEUPS, REPORT_SCORING, Lineup, Outcomes, Scoring, nearest
from gamebalance.sanguosha.design import (
    DEMANDS,
    KEPT,
    POINTS,
    SLACK,
    expected_points,
    fair_points,
    rows_of,
    trade_off,
)
from gamebalance.sanguosha.nearest import shortest
from gamebalance.sanguosha.scoring import winner
from tests.refusals import refused, refuses

OLD = np.array([getattr(REPORT_SCORING, name) for name in POINTS], float)
RESULTS = Path(__file__).resolve().parents[2] / "data" / "results"
ROWS = pd.read_csv(RESULTS / "sanguosha-line-ups.csv", comment="#").to_dict("records")
STORED = {row["lineup"]: lineup_outcomes(row) for row in ROWS}
FOUR, FIVE = STORED["1-1-1-1"], STORED["1-1-2-1"]
#: A lord against two rebels: three of the points count, two of them alike.
REBELS = Outcomes(Lineup(0, 2, 0), {(1, 0, 0, 0): 0.25, (0, 0, 1, 0): 0.75})
#: A lord, a rebel and a renegade: six of the points count.
THREE = Outcomes(Lineup(0, 1, 1), {(0, 0, 0, 1): 0.3, (0, 0, 1, 0): 0.2, (0, 0, 1, 1): 0.25, (1, 0, 0, 0): 0.25})


def rule(values, shared=False):
    return Scoring(share_consolation=shared, **dict(zip(POINTS, map(float, values), strict=True)))


def held(outcomes):
    return np.flatnonzero(outcomes.lineup.counts)


def mean(outcomes, scoring=REPORT_SCORING):
    counts = np.array(outcomes.lineup.counts)
    return (outcomes.expected_scores(scoring)[held(outcomes)] * counts[held(outcomes)]).sum() / counts.sum()


def demanded(outcomes, level, kept=KEPT):
    """Equations E d = f for equal expectations of this level, and inequalities G d >= g, for the changes d."""
    matrix, constant = expected_points(outcomes)
    rows = np.concatenate([np.empty((0, 11)), *(rows_of(name, [outcomes.lineup], REPORT_SCORING) for name in kept)])
    if level is None:
        equations, wanted = matrix[1:] - matrix[0], constant[0] - constant[1:]
    else:
        equations, wanted = matrix, level - constant
    return equations, wanted - equations @ OLD, rows[:, :-1], -rows @ np.append(OLD, 1)


numbers = st.floats(-50, 50, allow_nan=False).map(lambda value: round(value, 3))


@st.composite
def any_outcomes(draw):
    lineup = Lineup(draw(st.integers(0, 2)), draw(st.integers(0, 3)), draw(st.integers(1, 2)))
    endings = [alive for alive in product(*(range(count + 1) for count in lineup.counts)) if winner(alive)]
    weights = np.array(draw(st.lists(st.integers(0, 9), min_size=len(endings), max_size=len(endings)))) + 1.0
    return Outcomes(lineup, dict(zip(endings, (weights / weights.sum()).tolist(), strict=True)))


@given(any_outcomes(), st.lists(numbers, min_size=10, max_size=10), st.booleans())
def test_expectations_are_affine_in_the_points(outcomes, values, shared):
    scoring = rule(values, shared)
    matrix, constant = expected_points(outcomes, scoring)
    assert matrix.shape == (len(held(outcomes)), 10) and constant.shape == (len(held(outcomes)),)
    assert matrix @ values + constant == pytest.approx(outcomes.expected_scores(scoring)[held(outcomes)], abs=1e-9)


def holds(name, values, lineup):
    """Each demand in words of its own, on the points that each member gets in every ending."""
    if name == "order":
        return all(values[i] >= values[j] for i in range(10) for j in range(10) if OLD[i] > OLD[j])
    paid = []
    for alive in product(*(range(count + 1) for count in lineup.counts)):
        if side := winner(alive):
            points = rule(values).of_members(lineup, alive)
            for role, living in product(range(4), (0, 1)):
                if alive[role] if living else alive[role] < lineup.counts[role]:
                    won = role in {"lord": (0, 1), "rebels": (2,), "renegade": (3,)}[side]
                    paid.append((role, side, living, won, points[living, role]))
    if name == "signs":
        return min(values) >= 0 and min(one[-1] for one in paid) >= 0
    for one, other in product(paid, repeat=2):
        same = one[0] == other[0] and one[1] == other[1]
        if name == "alive above dead" and same and one[3] and one[2] and not other[2] and one[-1] < other[-1]:
            return False
        last, dead = one[0] != 3 or one[2], other[0] == 3 and not other[2]
        lost = not other[3] or dead
        if name == "winner above loser" and one[0] == other[0] and one[3] and last and lost and one[-1] < other[-1]:
            return False
    return True


@pytest.mark.parametrize("name", DEMANDS)
@pytest.mark.parametrize("lineup", [Lineup(1, 1, 1), Lineup(2, 2, 2), Lineup(0, 2, 0)], ids=str)
def test_a_demand_is_what_it_says(name, lineup):
    rng = np.random.default_rng(1)
    rows, seen = rows_of(name, [lineup], REPORT_SCORING), set()
    tried = [OLD, *(OLD + rng.integers(-12, 7, 10) * (rng.random(10) < 0.4) for _ in range(150))]
    for values in tried:
        seen.add(kept := bool((rows @ np.append(values, 1) >= 0).all()))
        assert kept == holds(name, values, lineup)
    assert seen == {True, False} and holds(name, OLD, lineup)


CASES = [
    (outcomes, kept, level)
    for outcomes in (FOUR, FIVE, THREE, REBELS, STORED["1-3-4-2"])
    for kept, level in (((), None), ((), "mean"), (KEPT, "mean"), (("signs",), 4.0), (KEPT, None))
]
EVERY_CASE = pytest.mark.parametrize("case", range(len(CASES)))


def level_of(outcomes, level):
    return mean(outcomes) if level == "mean" else level


@cache
def solution(case, norm):
    """The fair points of one of the cases, for all tests."""
    outcomes, kept, level = CASES[case]
    return fair_points(outcomes, norm, kept=kept, level=level)


@EVERY_CASE
def test_no_smaller_sum_exists(case):
    """The dual program, built otherwise, has the same value; and any other fair rule costs at least as much."""
    (outcomes, kept, level), found = CASES[case], solution(case, "l1")
    equations, wanted, rows, least = demanded(outcomes, level_of(outcomes, level), kept)
    prices = np.concatenate([equations, rows]).T
    dual = linprog(
        -np.concatenate([wanted, least]),
        np.concatenate([prices, -prices]),
        np.ones(20),
        bounds=[(None, None)] * len(wanted) + [(0, None)] * len(least),
    )
    assert found.change == pytest.approx(-dual.fun, abs=1e-7) and found.gap == 0
    assert found.change == pytest.approx(sum(map(abs, found.changes.values())))


@pytest.mark.parametrize("norm", ["l1", "l2"])
@EVERY_CASE
def test_the_rule_is_fair_and_keeps_what_is_asked_for(case, norm):
    (outcomes, kept, level), found = CASES[case], solution(case, norm)
    scores = outcomes.expected_scores(found.scoring)
    assert np.ptp(scores[held(outcomes)]) <= 1e-9 and found.spread <= 1e-9
    assert np.array_equal(scores, found.expected, equal_nan=True)
    assert found.level == pytest.approx(mean(outcomes, found.scoring), abs=1e-9)
    assert level is None or found.level == pytest.approx(level_of(outcomes, level), abs=1e-9)
    values = np.array([getattr(found.scoring, name) for name in POINTS])
    assert found.points == dict(zip(POINTS, values, strict=True)) and found.kept == tuple(kept)
    assert OLD + list(found.changes.values()) == pytest.approx(values, abs=1e-9)
    for name in kept:
        assert (rows_of(name, [outcomes.lineup], REPORT_SCORING) @ np.append(values, 1) >= -1e-9).all()


def test_several_rules_may_be_as_good():
    """The rebels' two points count alike, 0.375 each: of 1.875 less, either may bear 5 points, or both together."""
    assert REBELS.expected_scores()[[0, 2]] == pytest.approx([2.5, 7.875])
    found = fair_points(REBELS, level=6.0)
    assert not found.unique and found.change == pytest.approx(14 + 5)
    assert found.points["lord_win"] == pytest.approx(24) and found.points["rebel_dead"] == pytest.approx(4)
    assert found.points["rebel_alive"] == 12  # the first in the order of the points changes least
    others = {"lord_win": (24, 24), "rebel_alive": (8, 12), "rebel_dead": (4, 8)}  # a living rebel gets more
    assert found.ranges == {name: others.get(name, (value, value)) for name, value in found.points.items()}
    squares = fair_points(REBELS, "l2", level=6.0)
    assert squares.unique and squares.ranges["rebel_dead"] == (squares.points["rebel_dead"],) * 2
    assert squares.changes["rebel_alive"] == squares.changes["rebel_dead"] == pytest.approx(-2.5)


@EVERY_CASE
def test_no_smaller_sum_of_squares_exists(case):
    """The change is a sum of multiples of what binds, those of inequalities not negative: that proves it least."""
    (outcomes, kept, level), found = CASES[case], solution(case, "l2")
    changes = np.array(list(found.changes.values()))
    equations, _, rows, least = demanded(outcomes, level_of(outcomes, level), kept)
    binding = rows[rows @ changes - least < 1e-8]
    _, left = nnls(np.concatenate([equations, -equations, binding]).T, changes)
    assert left < 1e-7 * max(1, found.change) and found.change == pytest.approx(np.sqrt(np.square(changes).sum()))


@given(
    st.lists(st.lists(st.integers(-5, 5), min_size=4, max_size=4), min_size=1, max_size=7),
    st.lists(st.integers(-5, 5), min_size=4, max_size=4),
    st.lists(st.integers(0, 3), min_size=7, max_size=7),
)
def test_the_shortest_vector(rows, inside, room):
    matrix = np.array(rows, float)
    least = matrix @ inside - room[: len(rows)]
    found = shortest(matrix, least)
    left = matrix @ found - least
    assert (left >= -1e-9).all()
    binding = matrix[left < 1e-9]
    assert not found.any() or nnls(binding.T, found)[1] < 1e-9


@cache
def enumerated(case):
    """All whole-number changes of the free points, up to `reach` in all, that are allowed: sums, spreads, changes."""
    outcomes, free, reach, kept, level, within = SMALL[case]
    steps = np.indices((2 * reach + 1,) * len(free)).reshape(len(free), -1).T - float(reach)
    steps = steps[np.abs(steps).sum(axis=1) <= reach]
    changes = np.zeros((len(steps), 10))
    changes[:, [POINTS.index(name) for name in free]] = steps
    matrix, constant = expected_points(outcomes)
    scores = (OLD + changes) @ matrix.T + constant
    counts = np.array(outcomes.lineup.counts)[held(outcomes)]
    fits = np.ones(len(changes), bool)
    if level is not None:
        fits &= np.abs(scores @ counts / counts.sum() - level_of(outcomes, level)) <= within + 1e-9
    for name in kept:
        rows = rows_of(name, [outcomes.lineup], REPORT_SCORING)
        fits &= ((OLD + changes) @ rows[:, :-1].T + rows[:, -1] >= 0).all(axis=1)
    return np.abs(changes).sum(axis=1)[fits], np.ptp(scores, axis=1)[fits], changes[fits]


SMALL = [
    (REBELS, ("lord_win", "rebel_alive", "rebel_dead"), 20, KEPT, "mean", 0.4),
    (REBELS, ("lord_win", "rebel_alive", "rebel_dead"), 20, (), None, 0.05),
    (REBELS, ("lord_win", "rebel_alive", "rebel_dead"), 20, KEPT, 5.0, 1.0),
    (THREE, POINTS[:1] + POINTS[4:6] + POINTS[7:], 4, ("signs",), None, 11.0),
    (THREE, POINTS[:1] + POINTS[4:6] + POINTS[7:], 4, KEPT, "mean", 11.2),
]


@pytest.mark.parametrize("case", range(len(SMALL)))
def test_whole_points_against_all_of_them(case):
    (outcomes, _, reach, kept, level, within), (sums, spreads, changes) = SMALL[case], enumerated(case)
    found = fair_points(outcomes, "integer", kept=kept, level=level, within=within)
    fair = spreads <= within + 1e-9
    assert found.change == sums[fair].min() <= reach and found.gap < 1e-9
    best = fair & (sums == found.change)
    assert found.spread == pytest.approx(spreads[best].min(), abs=1e-9)
    best &= spreads <= found.spread + 1e-7
    ours = list(found.changes.values())
    assert ours in changes[best].tolist() and min(changes[best].tolist(), key=lambda each: list(map(abs, each))) == ours
    assert found.unique == (best.sum() == 1)
    ranges = np.array(list(found.ranges.values()))
    assert np.array_equal(ranges.T, [(OLD + changes[best]).min(axis=0), (OLD + changes[best]).max(axis=0)])


@pytest.mark.parametrize("case", range(len(SMALL)))
def test_the_trade_off_against_all_whole_points(case):
    (outcomes, _, reach, kept, level, within), (sums, spreads, _) = SMALL[case], enumerated(case)
    front = trade_off(outcomes, min(reach, 9), kept=kept, level=level, within=within)
    wanted = []
    for change in range(min(reach, 9) + 1):
        best = spreads[sums <= change].min(initial=np.inf)
        if best < (wanted[-1][1] if wanted else np.inf) - 1e-6:
            wanted.append((change, best))
    assert [found.change for found in front] == [change for change, _ in wanted] and len(front) > 1
    assert [found.spread for found in front] == pytest.approx([spread for _, spread in wanted], abs=1e-9)
    assert all(found.gap < 1e-9 and found.norm == "integer" for found in front)


def test_what_the_solver_cannot_answer_is_an_error(monkeypatch):
    """Seen of HiGHS now and then when it simplifies a program; without that it finds the answer."""
    tried, real = [], nearest.milp

    def fails(*arguments, options, **others):
        tried.append(options["presolve"])
        return OptimizeResult(status=4, message="Solve error", x=None)

    monkeypatch.setattr(nearest, "milp", fails)
    with pytest.raises(ArithmeticError, match="HiGHS: Solve error"):
        fair_points(THREE)
    assert tried == [True, False]
    monkeypatch.setattr(
        nearest, "milp", lambda *a, options, **o: (real if not options["presolve"] else fails)(*a, options=options, **o)
    )
    assert fair_points(THREE).spread <= 1e-9


NINE = [STORED[str(lineup)] for lineup in LINEUPS]


def test_one_rule_for_all_line_ups():
    """The least worst spread by a program of its own; then the change is smaller the more spread is allowed."""
    rows, wanted, middle = [], [], np.zeros(11)
    for outcomes in NINE:
        matrix, constant = expected_points(outcomes)
        for one, other in combinations(range(len(matrix)), 2):
            for sign in (1, -1):
                rows.append([*(sign * (matrix[one] - matrix[other])), -1])
                wanted.append(-sign * (constant[one] - constant[other]))
        weights = np.array(outcomes.lineup.counts)[held(outcomes)] / outcomes.lineup.players
        middle += np.append(weights @ matrix, weights @ (matrix @ OLD)) / len(NINE)
    for name in KEPT:
        kept = rows_of(name, LINEUPS, REPORT_SCORING)
        rows += [[*-row[:-1], 0] for row in kept]
        wanted += kept[:, -1].tolist()
    equation = np.append(middle[:-1], 0)[None]
    least = linprog(np.eye(11)[10], rows, wanted, equation, middle[-1:], bounds=(None, None)).fun
    found = {norm: fair_points(NINE, norm) for norm in ("l1", "l2")}
    for each in found.values():
        assert each.spread == pytest.approx(least + SLACK, abs=1e-7) and each.expected.shape == (9, 4)
        scores = [outcomes.expected_scores(each.scoring) for outcomes in NINE]
        assert each.spread == pytest.approx(max(np.ptp(row) for row in scores), abs=1e-9)
        assert each.level == pytest.approx(np.mean([mean(outcomes) for outcomes in NINE]), abs=1e-9)
    sums, squares = (np.array(list(each.changes.values())) for each in found.values())
    assert np.abs(sums).sum() < np.abs(squares).sum() and np.square(squares).sum() < np.square(sums).sum()
    changes = [fair_points(NINE, norm, within=6.0).change for norm in ("l1", "l2", "integer")]
    assert changes[1] < changes[0] < found["l1"].change and changes[2] == 33
    with refused("level = 5.4806", "at most 5 points apart", f"{least:.6g} points are the least"):
        fair_points(NINE, within=5)


test_refusals = refuses(
    (lambda: fair_points(FOUR, "l3"), "norm = 'l3': one of 'l1', 'l2', 'integer'"),
    (lambda: fair_points("1-2-3-1"), "outcomes = 1-2-3-1: at most 5 players are solved here"),
    (lambda: fair_points([]), r"outcomes = \[\]: at least one"),
    (lambda: fair_points(FOUR, scoring=3), "scoring = 3: a Scoring is needed"),
    (lambda: fair_points(FOUR, kept=("fairness",)), "kept = 'fairness': one of 'signs', 'alive above dead'"),
    (lambda: fair_points(FOUR, level=True), "level = True: a finite number"),
    (lambda: fair_points(FOUR, within=-1), "within = -1: a finite number, 0 or more"),
    (lambda: trade_off(FOUR, 1.5), "most = 1.5: a whole number"),
    (lambda: fair_points(FOUR, "integer", Scoring(lord_win=0.5)), "scoring = .*whole points only"),
    (lambda: fair_points(THREE, "integer", within=0), "within = 0: no whole points, each changed by at most 1000"),
    (
        lambda: fair_points(FOUR, kept=DEMANDS),
        r"level = 7.98299, kept = \('order',\): .* equal expectations; .* 10.7591",
    ),
    (
        lambda: fair_points(FOUR, kept=["signs"], level=-1),
        r"level = -1, kept = \('signs',\): this cannot be had with changes of at most 1000",
    ),
    (lambda: fair_points(NINE, kept=(), level=None, within=0.01), "^outcomes: this cannot be had .* 0.0397"),
)
