"""What the Sanguosha report's claims are about: survival, scores, Bal and Rat, by our numbers and by the printed ones.

Every claim of §6.3, §8.2, §9 and §10 stands in ``claims.yaml`` with its *readings*, which `claims_verdicts` decides.
Two numbers differ when they are more than four standard errors apart (`DECIDED`).
"""

from itertools import combinations, product
from math import hypot, inf
from operator import attrgetter
from typing import NamedTuple

import pandas as pd

from chapters.four_players_exactly import as_simulated, printed_outcomes, rows_of
from gamebalance.base.estimates import DECIDED as DECIDED
from gamebalance.base.estimates import Estimate, less
from gamebalance.sanguosha.lineup import LINEUPS, MAX_PLAYERS, ROLE_KEYS, Lineup, Role
from gamebalance.sanguosha.outcomes import Outcomes
from gamebalance.sanguosha.scoring import REPORT_SCORING

LORD, LOYALIST, REBEL, RENEGADE = Role

#: Last digit of the report's percentages and scores.
PRINTED_UNIT = 0.01

NINE = tuple(map(str, LINEUPS))
RANKING = ["rank", "at best", "at worst", "line-up", "players", "in the report", "Bal in %", "s.e. of Bal"]
RANKING += ["mean survival in %", "s.e. of survival", "Rat", "s.e. of Rat"]


# ---- What the claims are about.


class Measures(NamedTuple):
    """Estimates for one line-up or seating, in percent and points; tuples are by role, scores of a member of it.

    The spreads are Bal with chances to win in place of chances to survive, of the roles and of their members.
    """

    players: int
    survival: tuple
    scores: tuple
    winning: tuple
    bal: Estimate
    rat: Estimate
    win_spread: Estimate
    win_spread_each: Estimate


def measure(outcomes, scoring=REPORT_SCORING):
    """The measures of one line-up or seating, exact or simulated."""
    results, won, members = outcomes.results, outcomes.win_table, [1, 1, 1, outcomes.lineup.renegades]
    spreads = results.spread(won), results.spread(won / members)
    scores, errors = outcomes.expected_scores(scoring), outcomes.expected_score_errors(scoring)
    return Measures(
        outcomes.lineup.players,
        tuple(map(Estimate, (100 * outcomes.survival).tolist(), (100 * outcomes.survival_error).tolist())),
        tuple(map(Estimate, scores.tolist(), errors.tolist())),
        results.estimates(100 * won),
        Estimate(100 * outcomes.balance, 100 * outcomes.balance_error),
        Estimate(outcomes.rationality(scoring), outcomes.rationality_error(scoring)),
        *(Estimate(100 * spread.value, 100 * spread.error) for spread in spreads),
    )


bal, rat = attrgetter("bal"), attrgetter("rat")


def survival(role):
    """The quantity "survival of `role` in percent"."""
    return lambda measures: measures.survival[role]


def gap(measures):
    """Distance between rebels' and loyalists' survival in percentage points; the error is a bound, as in `less`."""
    one, other = measures.survival[REBEL], measures.survival[LOYALIST]
    return Estimate(abs(one.value - other.value), one.error + other.error)


def ratio(measures, what="scores"):
    """Largest over smallest of the four roles' scores (or survival), with a bound of the error; infinite over 0."""
    low, high = (pick(getattr(measures, what), key=attrgetter("value")) for pick in (min, max))
    if not low.value:
        return Estimate(inf, inf)
    value = high.value / low.value
    return Estimate(value, value * (high.error / high.value + low.error / low.value))


def all_lineups():
    """Every line-up of four to ten players with at least one member of each role, fewest players first."""
    counts = product(range(1, MAX_PLAYERS - 2), repeat=3)
    lineups = [Lineup(*others) for others in counts if 1 + sum(others) <= MAX_PLAYERS]
    return tuple(sorted(lineups, key=lambda lineup: (lineup.players, lineup.counts)))


def undecided(every, quantity):
    """The pairs of line-ups whose order by a quantity the errors leave open, the smaller value first."""
    values = sorted(((quantity(its), name) for name, its in every.items()), key=lambda pair: pair[0].value)
    return [(one, other) for (low, one), (high, other) in combinations(values, 2) if less(low, high) is None]


def ranking(every):
    """Line-ups from the smallest Bal to the largest, with the best and the worst rank that the errors allow."""
    ordered = sorted(every.items(), key=lambda item: item[1].bal.value)
    rows = []
    for place, (name, its) in enumerate(ordered, 1):
        better = sum(less(other.bal, its.bal) is True for _, other in ordered[: place - 1])
        worse = sum(less(its.bal, other.bal) is True for _, other in ordered[place:])
        rank = place, better + 1, len(ordered) - worse, name, its.players, "yes" if name in NINE else "no"
        alive = (sum(getattr(role, part) for role in its.survival) / 4 for part in ("value", "error"))
        rows.append((*rank, *its.bal, *alive, *its.rat))
    return pd.DataFrame(rows, columns=RANKING)


# ---- The same as the report prints them.


def printed_lineups(counts, summaries, table_4):
    """The nine line-ups as printed in Tables 6, 8, … (counts), 7, 9, … (summaries) and 4, with sampling errors."""
    measured = {}
    for lineup in LINEUPS:
        endings, roles, totals = (rows_of(frame, lineup) for frame in (counts, summaries, table_4))
        measured[str(lineup)] = _as_printed(measure(printed_outcomes(lineup, endings)), roles, totals)
    return measured


def printed_seatings(table_1, table_3):
    """The six seatings of four players as printed in Tables 1 (endings) and 3 (scores), without errors."""
    measured = {}
    for seating, endings in table_1[table_1["seating"] != "mean"].groupby("seating"):
        alive = [tuple(map(int, pattern)) for pattern in endings["alive_pattern"]]
        shares = endings["probability_percent"] / endings["probability_percent"].sum()
        solved = measure(Outcomes(LINEUPS[0], dict(zip(alive, shares, strict=True)), seating))
        scores = table_3[table_3["seating"] == seating].set_index("role")["expected_score"]
        measured[seating] = solved._replace(scores=tuple(Estimate(scores[key]) for key in ROLE_KEYS))
    return measured


def printed_methods(table_5, exact):
    """Table 5's two methods with the errors of rounding and of a million games, and the exact solution of 1-1-1-1."""
    rows = dict(list(table_5.groupby("algorithm")))
    transfer, played, true = rows["probability_transfer"], rows["monte_carlo"], measure(exact)
    million = _as_printed(measure(as_simulated(exact)), played, played)
    return {"transfer": _as_printed(true, transfer, transfer), "monte carlo": million, "exact": true}


def _as_printed(base, roles, totals):
    """`base` with the printed values in place of its own; rounding, spread over the last digit, adds to the errors."""

    def rounded(value, own):
        return Estimate(float(value), hypot(own.error, PRINTED_UNIT / 12**0.5))

    roles = roles.set_index("role").loc[list(ROLE_KEYS)]
    return base._replace(
        survival=tuple(map(rounded, roles["survival_percent"], base.survival)),
        scores=tuple(map(rounded, roles["expected_score"], base.scores)),
        bal=rounded(totals["bal_percent"].iloc[0], base.bal),
        rat=rounded(totals["rat"].iloc[0], base.rat),
    )
