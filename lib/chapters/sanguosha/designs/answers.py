"""What a changed game of Sanguosha does beside the report's: in numbers, in words, and as a line of Python."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from chapters.sanguosha.designs.rows import WAYS, won_by_member
from gamebalance.base.estimates import Estimate
from gamebalance.base.rounding import meant
from gamebalance.sanguosha.lineup import Lineup, Role
from gamebalance.sanguosha.outcomes import Outcomes
from gamebalance.sanguosha.policies import ThreatPolicy

if TYPE_CHECKING:
    import pandas

#: What is asked of the outcomes, by the heading of its columns; shares in percent.
MEASURES = ("survives, %", "wins, %", "points")

#: The columns of each: of the changed game, its standard error, the same of the report's game.
COLUMNS = ("now", "s.e.", "report", "its s.e.")

#: The last row: the spread over the roles, Bal under survival, Rat under points.
SPREAD = "Bal, Rat"


def estimates(outcomes: Outcomes) -> dict[str, list[Estimate | None]]:
    """By measure: the number of each role, then of all together, Bal in percent or Rat; None where there is none."""
    wins = won_by_member(outcomes)
    won, error = outcomes.results.mean(wins), outcomes.results.standard_error(wins)
    bal, rat = (outcomes.balance, outcomes.balance_error), (outcomes.rationality(), outcomes.rationality_error())
    columns = (
        (*zip(100 * outcomes.survival, 100 * outcomes.survival_error, strict=True), np.multiply(100, bal)),
        (*zip(100 * won, 100 * error, strict=True), None),
        (*zip(outcomes.expected_scores(), outcomes.score_error, strict=True), rat),
    )
    return {
        measure: [pair if pair is None else Estimate(*map(float, pair)) for pair in column]
        for measure, column in zip(MEASURES, columns, strict=True)
    }


def numbers_of(found: Outcomes, before: Outcomes) -> "pandas.DataFrame":
    """A row for each role and one for all: each measure with its standard error, and beside it the report's.

    The columns have two levels: `MEASURES` and `COLUMNS`, behind the one of the roles.
    """
    import pandas

    now, then = estimates(found), estimates(before)
    none = Estimate(float("nan"), float("nan"))
    columns: dict[tuple[str, str], Sequence] = {("", "role"): [*map(str, Role), SPREAD]}
    for measure in MEASURES:
        for (value, error), column in zip((COLUMNS[:2], COLUMNS[2:]), (now[measure], then[measure]), strict=True):
            columns[measure, value] = [(each or none).value for each in column]
            columns[measure, error] = [(each or none).error for each in column]
    return meant(pandas.DataFrame(columns))


def table_of(found: Outcomes, before: Outcomes) -> "pandas.DataFrame":
    """`numbers_of` as a reader sees them: each number with its error behind it."""
    import pandas

    columns: dict[tuple[str, str], Sequence] = {("", "role"): [*map(str, Role), SPREAD]}
    for name, each in ((COLUMNS[0], estimates(found)), (COLUMNS[2], estimates(before))):
        for measure in MEASURES:
            columns[measure, name] = ["–" if number is None else str(number) for number in each[measure]]
    return pandas.DataFrame(columns)[[("", "role"), *((measure, COLUMNS[i]) for measure in MEASURES for i in (0, 2))]]


def said_of(found: Outcomes, before: Outcomes, different: bool) -> str:
    """The answer in words; `different` if anything was changed at all."""
    now, then = estimates(found), estimates(before)
    survival, _, points = MEASURES
    bal, rat = "Bal, the spread of survival,", "Rat, the spread of expected points,"
    source = "exact" if found.games is None else f"from {found.games:,} games, ± one standard error"
    if not different:
        return f"The Sanguosha report's game: {bal} is {now[survival][-1]}%; {rat} is {now[points][-1]} ({source})."
    spreads = (
        f"{bal} is {now[survival][-1]}% instead of {then[survival][-1]}%",
        f"{rat} is {now[points][-1]} instead of {then[points][-1]}",
    )
    return f"{'; '.join([*spreads, _most_moved(now, then)])} ({source})."


def _most_moved(now: Mapping[str, Sequence], then: Mapping[str, Sequence]) -> str:
    """For which role most has changed: its survival, or its points if nobody's survival has."""
    survival, _, points = MEASURES
    for measure, words in (
        (survival, "survives in {}% of games instead of {}%"),
        (points, "expects {} points instead of {}"),
    ):
        moves = {role: abs(meant(now[measure][role].value - then[measure][role].value)) for role in Role}
        role = max(Role, key=moves.__getitem__)
        if str(now[measure][role]) != str(then[measure][role]):
            return f"the {role.key} {words.format(now[measure][role], then[measure][role])}"
    return "no role survives more or less often, or expects other points"


def code_of(
    lineup: Lineup, changes: Mapping[str, Any], plays: Sequence[str], games: int | None = None, seed: int = 0
) -> str:
    """The line of Python that gives the same, after ``from gamebalance import sanguosha``."""
    parts = [f'"{lineup}"', *(f"{name}={value!r}" for name, value in changes.items())]
    named = [
        f"sanguosha.Role.{role.name}: sanguosha.policies.ThreatPolicy({WAYS[play].knows!r})"
        for role, play in zip(Role, plays, strict=True)
        if isinstance(WAYS[play], ThreatPolicy)
    ]
    if named:
        parts.append(f"policies={{{', '.join(named)}}}")
    if games is not None:
        parts += [f"games={games}", f"seed={seed}"]
    return f"sanguosha.what_if({', '.join(parts)})"
