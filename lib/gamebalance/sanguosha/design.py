"""Points that make Sanguosha fair: the smallest change of the scoring rule after which all roles expect the same.

What a role expects is affine in the points; what a designer wants kept is linear in them, and holds in every way in
which a game of the line-up can end, whether or not the players ever let it end so. `nearest` finds the smallest change.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from itertools import combinations, product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.optimize import Bounds

from gamebalance.base.checks import instance, listed, number, one_of, shown, whole_number
from gamebalance.base.rounding import meant
from gamebalance.base.sums import dot
from gamebalance.base.tabled import Tabled
from gamebalance.sanguosha.exact import solve_lineup
from gamebalance.sanguosha.lineup import Lineup, Role
from gamebalance.sanguosha.nearest import CHANGE, MOST_CHANGE, SAME, SPREAD, Problem
from gamebalance.sanguosha.outcomes import Outcomes
from gamebalance.sanguosha.scoring import REPORT_SCORING, WINNERS, Scoring, winner

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["DEMANDS", "NORMS", "POINTS", "FairPoints", "envy", "expected_points", "fair_points", "trade_off"]

#: The ten points of a scoring rule, in its order.
POINTS = tuple(field.name for field in fields(Scoring) if field.type is float)

#: How far values may lie from those of an affine function, as a part of the largest.
ROUNDING = 1e-9

#: What can be kept, and what that says.
DEMANDS = {
    "signs": "no number of the rule is negative, and no ending gives anybody negative points",
    "alive above dead": "when a side wins, a living member of it gets at least what a dead one of the same role gets",
    "winner above loser": "a player whose side wins gets at least what this role ever gets otherwise",
    "order": "of two numbers of the rule, the one that was larger is not the smaller one now",
}

#: How a change is measured: the sum of the changes of the points, the root of the sum of their squares, or again the
#: sum, when all new points are whole numbers.
NORMS = ("l1", "l2", "integer")

#: What is kept where nothing else is said.
KEPT = ("signs", "alive above dead", "winner above loser")

#: Line-ups of more players are not solved here.
MOST_SOLVED = 5

#: How far apart two roles' expectations may be with whole points, where nothing else is said.
WHOLE_WITHIN = 0.5

#: Of several outcomes, by how much the spread may exceed the least there is, so that the change can be smaller.
SLACK = 0.01

#: Digits of the new points that are kept, and the change that is none.
DIGITS, NOTHING = 12, 1e-9


def values_of(scoring: Scoring) -> np.ndarray:
    """The ten points, shape (10,)."""
    return np.array([getattr(scoring, name) for name in POINTS], float)


def with_points(scoring: Scoring, values: np.ndarray) -> Scoring:
    """The same rule with these ten points."""
    return replace(scoring, **dict(zip(POINTS, map(float, values), strict=True)))


def affine(table: Callable[[Scoring], np.ndarray], scoring: Scoring) -> tuple[np.ndarray, np.ndarray]:
    """A matrix, shape (…, 10), and a constant, shape (…,), that give `table` for all points; ValueError if none do."""
    constant = table(with_points(scoring, np.zeros(len(POINTS))))
    units = [table(with_points(scoring, unit)) - constant for unit in np.eye(len(POINTS))]
    matrix = np.stack(units, axis=-1)
    for values in (values_of(scoring), -2 * values_of(scoring)):
        wanted = table(with_points(scoring, values))
        if not np.allclose(dot(matrix, values) + constant, wanted, rtol=ROUNDING, atol=ROUNDING):
            raise ValueError(f"scoring = {shown(scoring)}: a rule whose scores are affine in its points is needed")
    return matrix, constant


def expected_points(outcomes: Outcomes, scoring: Scoring = REPORT_SCORING) -> tuple[np.ndarray, np.ndarray]:
    """What a member of each role expects: a matrix, shape (roles, 10), times the points, and a constant, in points.

    Rows are the roles that somebody holds; the constant is what a living renegade loses to the living rebels.
    ValueError if the scores are not affine in the points.
    """
    held = np.flatnonzero(instance("outcomes", outcomes, Outcomes).lineup.counts)
    return affine(lambda rule: outcomes.expected_scores(rule)[held], instance("scoring", scoring, Scoring))


def envy(outcomes: Outcomes | Mapping, scoring: Scoring = REPORT_SCORING) -> np.ndarray | dict:
    """How many points each role expects less than each other one, shape (4, 4); by key of a mapping.

    Entry ``[r, s]``: the expected score of role s less that of role r, 0 where it is not more; nan for roles that
    nobody holds.
    """
    instance("scoring", scoring, Scoring)
    if isinstance(outcomes, Mapping):
        return {key: envy(found, scoring) for key, found in outcomes.items()}
    scores = instance("outcomes", outcomes, Outcomes).expected_scores(scoring)
    return np.maximum(scores - scores[:, None], 0)


class Payment(NamedTuple):
    """What a living or a dead member of a role gets when a side wins: `row` times the ten points and 1."""

    role: Role
    living: bool
    side: str
    row: tuple[float, ...]

    @property
    def won(self) -> bool:
        """Whether this member has won; of the renegades the last one living has, not those dead before."""
        return bool(WINNERS[self.side][self.role]) and (self.living or self.role != Role.RENEGADE)


def rows_of(demand: str, lineups: Iterable[Lineup], scoring: Scoring) -> np.ndarray:
    """What keeps a demand, shape (rows, 11): each row times the ten points and 1 must be 0 or more."""
    if demand == "order":
        values, unit = values_of(scoring), np.eye(len(POINTS) + 1)
        pairs = product(range(len(POINTS)), repeat=2)
        return np.array([unit[one] - unit[other] for one, other in pairs if values[one] > values[other]])
    payments = {payment for lineup in lineups for payment in _payments(lineup, scoring)}
    if demand == "signs":
        numbers = np.eye(len(POINTS), len(POINTS) + 1)
        return _different([*numbers, *(payment.row for payment in payments)])
    better = _outlives if demand == "alive above dead" else _beats
    return _different(
        [np.subtract(one.row, other.row) for one, other in product(payments, repeat=2) if better(one, other)]
    )


def _outlives(one: Payment, other: Payment) -> bool:
    same = one.role == other.role and one.side == other.side
    return same and bool(WINNERS[one.side][one.role]) and one.living and not other.living


def _beats(one: Payment, other: Payment) -> bool:
    return one.role == other.role and one.won and not other.won


def _different(rows: list) -> np.ndarray:
    """The rows in a fixed order, each once, without those that say nothing of the points."""
    found = np.unique(np.array(rows, float).reshape(-1, len(POINTS) + 1), axis=0)
    return found[found[:, :-1].any(axis=1)]


def _payments(lineup: Lineup, scoring: Scoring) -> Iterable[Payment]:
    """What each role's members get, dead and alive, in every way in which a game of the line-up can end."""
    numbers = product(*(range(count + 1) for count in lineup.counts))
    endings = [alive for alive in numbers if winner(alive)]
    matrix, constant = affine(lambda rule: np.array([rule.of_members(lineup, alive) for alive in endings]), scoring)
    rows = np.concatenate([matrix, constant[..., None]], axis=-1)
    for place, alive in enumerate(endings):
        for role in Role:
            for living, members in enumerate((lineup.counts[role] - alive[role], alive[role])):
                if members:
                    yield Payment(role, bool(living), winner(alive), tuple(rows[place, living, role]))


@dataclass(frozen=True, eq=False)
class FairPoints(Tabled):
    """Points that are fair, or as nearly fair as wanted, and how they were found.

    `points` are the ten new ones and `changes` by how much each is more than before, `change` the size of the change by
    the `norm`; `expected` what a member of each role expects under the new rule, shape (4,), or (outcomes, 4) of
    several, nan for a role that nobody holds; `spread` the largest difference between two roles of one line-up, `level`
    the mean of the players; `gap` by what part a better solution could be better: 0 is proved best, to the solver's
    tolerance of a millionth. `ranges` needs `problem`, and in `bounds` how large spread and change may be.
    """

    scoring: Scoring
    norm: str
    points: dict[str, float]
    changes: dict[str, float]
    change: float
    expected: np.ndarray
    spread: float
    level: float
    kept: tuple[str, ...]
    gap: float
    problem: Problem = field(repr=False)
    bounds: Bounds = field(repr=False)

    @cached_property
    def ranges(self) -> dict[str, tuple[float, float]]:
        """Least and largest value of each point over all solutions that are as good, found when first asked for.

        As good: the change, and with whole points the spread too, is not larger. By squares there is only one solution.
        """
        if self.norm == "l2":
            return {name: (value, value) for name, value in self.points.items()}
        ends = [
            [float(self.problem.extreme(place, self.bounds, sign)[place]) for sign in (1, -1)]
            for place in range(len(POINTS))
        ]
        return {name: tuple(meant(both, residue=SAME)) for name, both in zip(POINTS, ends, strict=True)}

    @property
    def unique(self) -> bool:
        """Whether no other rule is as good: no point's range is wider than a millionth."""
        return all(high - low <= SAME for low, high in self.ranges.values())

    def to_frame(self) -> "pd.DataFrame":
        """A row for each of the ten points of the rule: `points`, and `change`, by how much it is more than before.

        Examples
        --------
        >>> fair_points("1-1-1-0").to_frame().columns.tolist()
        ['points', 'change']
        """
        import pandas as pd

        return pd.DataFrame({"points": self.points, "change": self.changes}).rename_axis("point")

    def _about(self) -> str:
        proven = f"; a better rule could be better by {self.gap:.2g} of it" if self.gap else ""
        apart = "the same" if self.spread <= SAME else f"the same within {self.spread:.3g} points"
        return f"Fair points: a change of {self.change:.6g} (norm {self.norm}); all roles expect {apart}{proven}"


def fair_points(
    outcomes: Outcomes | Lineup | str | Sequence,
    norm: str = "l1",
    scoring: Scoring = REPORT_SCORING,
    kept: Iterable[str] = KEPT,
    level: str | float | None = "mean",
    within: float | None = None,
) -> FairPoints:
    """The smallest change of the points of a scoring rule after which all roles expect the same.

    Parameters
    ----------
    outcomes : Outcomes, Lineup or str, or list of them
        How games end. A line-up of at most five players is solved exactly. Of several, one rule serves all: the largest
        difference between what two roles of one line-up expect is made as small as it can be.
    norm : {"l1", "l2", "integer"}
        What is smallest: the sum of the changes of the ten points, the root of the sum of their squares, or the first
        with all points whole, which they must be before, too. Of several rules with as small a change it is one of
        those with the smallest spread, if points are whole; of these the one that changes the first of `POINTS` least,
        and so on.
    scoring : Scoring
        The rule to change.
    kept : iterable of {"signs", "alive above dead", "winner above loser", "order"}
        What the new rule must satisfy: `DEMANDS` says what each means.
    level : {"mean"}, float or None
        What the players are to expect in the mean: as much as before, so many points, or whatever comes out. With whole
        points, it is kept to `within` points.
    within : float, optional
        How far apart two roles' expectations may be, in points. By default as little as can be: 0 of a single outcomes,
        `SLACK` more than the least of several; with whole points, 0.5.

    Notes
    -----
    ValueError if not everything asked for can be kept; the message says what cannot. No point changes by more than
    1000. ArithmeticError if rounding defeats the solver, as it may when endings have probabilities below a millionth.
    Expectations are equal, and `within` is kept, to 1e-9, or to the solver's tolerance of 1e-7 if probabilities are
    below 1e-4. Of simulated outcomes only the estimates are made equal.

    Examples
    --------
    >>> from gamebalance.sanguosha import Outcomes
    >>> duel = Outcomes(Lineup(0, 1, 0), {(1, 0, 0, 0): 0.4, (0, 0, 1, 0): 0.6})  # a lord and a rebel
    >>> found = fair_points(duel)
    >>> found.changes["lord_win"], found.changes["rebel_alive"], found.expected[[0, 2]].round(9)
    (4.0, -2.66666666667, array([5.6, 5.6]))
    """
    whole = one_of("norm", norm, NORMS) == "integer"
    within = WHOLE_WITHIN if whole and within is None else within
    if within is not None:
        number("within", within, 0)
    games = _outcomes(outcomes)
    problem = _problem(games, scoring, kept, level, within if whole else None)
    spread = _allowed(problem, within, exact=len(games) == 1)
    bounds, gap = problem.bounds(spread), 0.0
    if norm == "l2":
        return _found(games, scoring, norm, problem, bounds, problem.least_squares(spread), gap)
    for place in (CHANGE, SPREAD) if whole else (CHANGE,):
        best = problem.least(place, bounds)
        if best.x is None:
            raise ValueError(f"within = {within}: no whole points, each changed by at most {MOST_CHANGE}, are so fair")
        problem.hold(bounds, place, best)
        gap = max(gap, best.mip_gap or 0.0)
    return _found(games, scoring, norm, problem, bounds, problem.settled(bounds), gap)


def trade_off(
    outcomes: Outcomes | Lineup | str | Sequence,
    most: int,
    scoring: Scoring = REPORT_SCORING,
    kept: Iterable[str] = KEPT,
    level: str | float | None = "mean",
    within: float = WHOLE_WITHIN,
) -> list[FairPoints]:
    """The fairest whole points for each size of the change: how much must change for how much fairness.

    Of 0, 1, 2, … to `most` changes in all, the points of the smallest spread; only where it is smaller than with fewer.
    `within` says how far what the players expect in the mean may be from the level, in points; the others are those of
    `fair_points`, and so are the errors.
    """
    whole_number("most", most)
    games = _outcomes(outcomes)
    problem = _problem(games, scoring, kept, level, number("within", within, 0))
    _allowed(problem, np.inf, exact=False)
    found: list[FairPoints] = []
    for change in range(most + 1):
        bounds = problem.bounds(change=change)
        best = problem.least(SPREAD, bounds)
        if best.x is None or (found and best.x[SPREAD] > found[-1].spread - SAME):
            continue
        problem.hold(bounds, SPREAD, best)
        found.append(_found(games, scoring, "integer", problem, bounds, problem.settled(bounds), best.mip_gap))
    return found


def _outcomes(given) -> list[Outcomes]:
    """One or several outcomes, those of line-ups solved."""
    several = given if isinstance(given, list | tuple) else [given]
    if not several:
        raise ValueError(f"outcomes = {given!r}: at least one is needed")
    return [each if isinstance(each, Outcomes) else _solved(Lineup.parse(each)) for each in several]


def _solved(lineup: Lineup) -> Outcomes:
    if lineup.players > MOST_SOLVED:
        raise ValueError(f"outcomes = {lineup}: at most {MOST_SOLVED} players are solved here; give Outcomes of more")
    return solve_lineup(lineup)


def _problem(games: list[Outcomes], scoring: Scoring, kept, level, loose: float | None) -> Problem:
    """What is asked for; `loose` with whole points: how far the mean may be from the level."""
    old = values_of(instance("scoring", scoring, Scoring))
    if loose is not None and (old % 1).any():
        raise ValueError(f"scoring = {shown(scoring)}: whole points can be found for a rule with whole points only")
    tables = [np.column_stack(expected_points(found, scoring)) for found in games]
    gaps = [one - other for table in tables for one, other in combinations(table, 2)]
    mean = np.mean([dot(_weights(found), table) for found, table in zip(games, tables, strict=True)], axis=0)
    if isinstance(level, str):
        one_of("level", level, ("mean",))
        level = float(dot(mean, np.append(old, 1)))
    elif level is not None:
        number("level", level)
    names = dict.fromkeys(one_of("kept", name, DEMANDS) for name in listed("kept", kept))
    demands = {name: rows_of(name, [found.lineup for found in games], scoring) for name in names}
    return Problem(old, np.array(gaps), mean, level, demands, loose or 0.0, whole=loose is not None)


def _weights(found: Outcomes) -> np.ndarray:
    """The share of the players who hold each role that somebody holds."""
    counts = np.array(found.lineup.counts)
    return counts[counts > 0] / found.lineup.players


def _allowed(problem: Problem, within: float | None, exact: bool) -> float:
    """How large the spread may be; ValueError if nothing is so fair, its numbers whole or not."""
    relaxed = replace(problem, whole=False)
    nearest = relaxed.least(SPREAD, relaxed.bounds()).x
    if within is None:
        within = 0.0 if exact else np.inf if nearest is None else nearest[SPREAD] + SLACK
    if not _fits(relaxed, within):
        raise ValueError(f"{_conflict(relaxed, within)}: this cannot be had {_apart(nearest, within)}")
    return float(within)


def _fits(problem: Problem, spread: float) -> bool:
    return problem.least(CHANGE, problem.bounds(spread)).x is not None


def _conflict(problem: Problem, spread: float) -> str:
    """Some of what is asked for that cannot be had together, though any part of it can."""
    for name in problem.kept:
        without = replace(problem, kept={other: rows for other, rows in problem.kept.items() if other != name})
        problem = problem if _fits(without, spread) else without
    without = replace(problem, level=None)
    problem = problem if _fits(without, spread) else without
    level = [] if problem.level is None else [f"level = {problem.level:.6g}"]
    return ", ".join([*level, f"kept = {tuple(problem.kept)}"] if problem.kept else level) or "outcomes"


def _apart(nearest: np.ndarray | None, within: float) -> str:
    if nearest is None:
        return f"with changes of at most {MOST_CHANGE} points"
    wanted = f"expectations at most {within:.6g} points apart" if within else "equal expectations"
    return f"with {wanted}; with all that is asked for, {nearest[SPREAD]:.6g} points are the least"


def _found(games: list[Outcomes], scoring: Scoring, norm: str, problem: Problem, bounds, values, gap) -> FairPoints:
    """The answer, its expectations those of the endings under the new rule."""
    values = np.rint(values) if problem.whole else values
    changes = meant(values - problem.old, DIGITS, NOTHING)
    points = meant(problem.old + changes, DIGITS)
    rule = with_points(scoring, points)
    expected = np.array([found.expected_scores(rule) for found in games])
    spreads = np.nanmax(expected, axis=1) - np.nanmin(expected, axis=1)
    return FairPoints(
        scoring=rule,
        norm=norm,
        points=dict(zip(POINTS, points.tolist(), strict=True)),
        changes=dict(zip(POINTS, changes.tolist(), strict=True)),
        change=float(np.sqrt(np.square(changes).sum()) if norm == "l2" else np.abs(changes).sum()),
        expected=expected[0] if len(games) == 1 else expected,
        spread=float(spreads.max()),
        level=float(dot(problem.mean, np.append(points, 1))),
        kept=tuple(problem.kept),
        gap=float(gap),
        problem=problem,
        bounds=bounds,
    )
