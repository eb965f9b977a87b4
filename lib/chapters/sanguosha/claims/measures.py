"""What the claims are about: survival, scores, chances to win, Bal and Rat of a line-up or a seating."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations, product
from math import inf

import pandas as pd

from gamebalance.base.estimates import Estimate, less
from gamebalance.sanguosha.lineup import LINEUPS, MAX_PLAYERS, Lineup, Role
from gamebalance.sanguosha.outcomes import Outcomes
from gamebalance.sanguosha.scoring import REPORT_SCORING, Scoring


@dataclass(frozen=True)
class Measures:
    """What the claims are about, for one line-up or seating; tuples are by role.

    `survival` (in percent) and `scores` (in points) are those of a member of each role, `winning` (in percent) that of
    the role: the renegades have won when one of them has. `bal` is equation 5.1 in percent, as the report prints it,
    `rat` equation 5.2 in points squared. `win_spread` and `win_spread_each` are equation 5.1 with chances to win in
    place of chances to survive, of the roles and of their members; they differ where several renegades can hope for the
    one place of the last survivor.
    """

    lineup: Lineup
    survival: tuple[Estimate, ...]
    scores: tuple[Estimate, ...]
    winning: tuple[Estimate, ...]
    bal: Estimate
    rat: Estimate
    win_spread: Estimate
    win_spread_each: Estimate

    @property
    def players(self) -> int:
        """How many there are, the lord included."""
        return self.lineup.players


#: A number to compare line-ups by.
Quantity = Callable[[Measures], Estimate]


def measure(outcomes: Outcomes, scoring: Scoring = REPORT_SCORING) -> Measures:
    """The measures of one line-up or seating, exact or simulated; ValueError if nobody holds one of the roles."""
    lineup = outcomes.lineup
    if 0 in lineup.counts:
        raise ValueError(f"line-up {lineup}: a lord and at least one of each other role are needed")
    results, won = outcomes.results, outcomes.win_table
    return Measures(
        lineup,
        _estimates(100 * outcomes.survival, 100 * outcomes.survival_error),
        _estimates(outcomes.expected_scores(scoring), outcomes.expected_score_errors(scoring)),
        results.estimates(100 * won),
        Estimate(100 * outcomes.balance, 100 * outcomes.balance_error),
        Estimate(outcomes.rationality(scoring), outcomes.rationality_error(scoring)),
        _percent(results.spread(won)),
        _percent(results.spread(won / [1, 1, 1, lineup.renegades])),
    )


def _estimates(values, errors) -> tuple[Estimate, ...]:
    return tuple(Estimate(float(value), float(error)) for value, error in zip(values, errors, strict=True))


def _percent(spread: Estimate) -> Estimate:
    return Estimate(100 * spread.value, 100 * spread.error)


def bal(measures: Measures) -> Estimate:
    """Bal in percent."""
    return measures.bal


def rat(measures: Measures) -> Estimate:
    """Rat in points squared."""
    return measures.rat


def survival(role: Role) -> Quantity:
    """The quantity "survival of `role` in percent"."""
    return lambda measures: measures.survival[role]


def gap(measures: Measures) -> Estimate:
    """Distance between rebels' and loyalists' survival in percentage points; the error is a bound, as in `less`."""
    one, other = measures.survival[Role.REBEL], measures.survival[Role.LOYALIST]
    return Estimate(abs(one.value - other.value), one.error + other.error)


def ratio(measures: Measures, what: str = "scores") -> Estimate:
    """Largest over smallest of the four roles' scores (or survival); the error is a bound, as in `less`.

    Infinite, and never decided, when the smallest is 0.
    """
    low, high = (pick(getattr(measures, what), key=lambda estimate: estimate.value) for pick in (min, max))
    if not low.value:
        return Estimate(inf, inf)
    value = high.value / low.value
    return Estimate(value, value * (high.error / high.value + low.error / low.value))


def all_lineups() -> tuple[Lineup, ...]:
    """Every line-up of four to ten players with at least one member of each role, fewest players first."""
    counts = product(range(1, MAX_PLAYERS - 2), repeat=3)
    found = (Lineup(*others) for others in counts if 1 + sum(others) <= MAX_PLAYERS)
    return tuple(sorted(found, key=lambda lineup: (lineup.players, lineup.counts)))


def undecided(every: Mapping[str, Measures], quantity: Quantity) -> list[tuple[str, str]]:
    """The pairs of line-ups whose order by a quantity the errors leave open, the smaller value first."""
    values = sorted(((quantity(its), name) for name, its in every.items()), key=lambda pair: pair[0].value)
    return [(one, other) for (low, one), (high, other) in combinations(values, 2) if less(low, high) is None]


def ranking(every: Mapping[str, Measures]) -> pd.DataFrame:
    """Line-ups from the smallest Bal to the largest.

    "At best" and "at worst" are the ranks that the errors leave possible: only line-ups more than `DECIDED` standard
    errors better or worse count as such. The mean survival is that over the four roles, with a bound on its s.e.
    """
    ordered = sorted(every.items(), key=lambda item: item[1].bal.value)
    rows = []
    for place, (name, its) in enumerate(ordered, 1):
        better = sum(less(other.bal, its.bal) is True for _, other in ordered[: place - 1])
        worse = sum(less(its.bal, other.bal) is True for _, other in ordered[place:])
        rows.append(
            {
                "rank": place,
                "at best": better + 1,
                "at worst": len(ordered) - worse,
                "line-up": name,
                "players": its.players,
                "in the report": "yes" if its.lineup in LINEUPS else "no",
                "Bal in %": its.bal.value,
                "s.e. of Bal": its.bal.error,
                "mean survival in %": sum(role.value for role in its.survival) / 4,
                "s.e. of survival": sum(role.error for role in its.survival) / 4,
                "Rat": its.rat.value,
                "s.e. of Rat": its.rat.error,
            }
        )
    return pd.DataFrame(rows)
