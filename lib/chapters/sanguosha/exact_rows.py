"""How games of five and six players end, exactly: one row for each seating, and the outcomes that rows hold."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from gamebalance.base.checks import shown
from gamebalance.base.rounding import bound
from gamebalance.sanguosha.exact import solve
from gamebalance.sanguosha.lineup import LINEUPS, Lineup, Role, Seating
from gamebalance.sanguosha.outcomes import Outcomes, mean_outcomes
from gamebalance.sanguosha.scoring import Alive

#: The report's line-ups of five and six players.
LARGE_LINEUPS = LINEUPS[1:4]

#: The ways in which their games can end, and the column of each: numbers of lords, loyalists, rebels, renegades alive.
ENDINGS: tuple[Alive, ...] = (
    (1, 1, 0, 0),
    (1, 0, 0, 0),
    (0, 0, 0, 1),
    *((0, 0, rebels, renegades) for renegades in range(3) for rebels in range(1, 4)),
    (0, 0, 0, 2),
)
PREFIX = "alive_"


def columns_for(endings: Iterable[Alive]) -> dict[Alive, str]:
    """The name of the column of each ending."""
    return {ending: PREFIX + "".join(map(str, ending)) for ending in endings}


COLUMNS = columns_for(ENDINGS)


def row(seating: str) -> dict[str, Any]:
    """The exact outcomes of a seating of the report's line-ups of five or six players.

    `seating`: role digits by seat; `error_bound`: on the error of all probabilities together; `turns`: mean length of a
    game; then the probability of each ending, named by the numbers of lords, loyalists, rebels and renegades alive.
    """
    if Seating(seating).lineup not in LARGE_LINEUPS:
        raise ValueError(f"seating = {shown(seating)}: one of {', '.join(map(str, LARGE_LINEUPS))} is needed")
    return columns_of(solve(seating))


def columns_of(found: Outcomes, columns: Mapping[Alive, str] = COLUMNS) -> dict[str, Any]:
    """What a row holds of the outcomes of a seating; AssertionError if games end in a way that has no column."""
    if not set(found.probability) <= set(columns):
        raise AssertionError(f"endings without a column: {sorted(set(found.probability) - set(columns))}")
    shares = {column: found.probability.get(ending, 0.0) for ending, column in columns.items()}
    return {"seating": str(found.seating), "error_bound": bound(found.error_bound), "turns": found.turns, **shares}


def outcomes(found: Mapping[str, Any]) -> Outcomes:
    """What a row says, as `sanguosha.solve` returns it; probabilities to the nine digits that the row holds."""
    seating = Seating(found["seating"])
    columns = {column.removeprefix(PREFIX): float(found[column]) for column in found if column.startswith(PREFIX)}
    shares = {tuple(map(int, digits)): share for digits, share in columns.items() if share}
    total = sum(shares.values())
    return Outcomes(
        seating.lineup,
        {ending: share / total for ending, share in sorted(shares.items())},
        seating=seating,
        error_bound=float(found["error_bound"]),
        turns=float(found["turns"]),
    )


def mean_of(rows: list[Outcomes], lineup: Lineup) -> Outcomes:
    """The mean over all seatings of a line-up; ValueError unless each of them is there once."""
    here = [found for found in rows if found.lineup == lineup]
    if sorted(found.seating for found in here) != list(lineup.seatings()):
        raise ValueError(f"rows: {len(here)} of {lineup.seating_count} seatings of {lineup}; all are needed, once each")
    return mean_outcomes(lineup, here)


def six_players(solved: list[Outcomes], simulated: Mapping[str, Outcomes]) -> pd.DataFrame:
    """Survival over all seatings of six players, in percent: exact, and of the line-ups as they were simulated."""
    rows = []
    for lineup in LARGE_LINEUPS[1:]:
        exact, other = mean_of(solved, lineup), simulated[str(lineup)]
        by_seating = np.array([found.survival for found in solved if found.lineup == lineup])
        for role in Role:
            rows.append(
                {
                    "line-up": str(lineup),
                    "role": str(role),
                    "least": 100 * by_seating[:, role].min(),
                    "most": 100 * by_seating[:, role].max(),
                    "exact": 100 * exact.survival[role],
                    "simulated": 100 * other.survival[role],
                    "s.e.": 100 * other.survival_error[role],
                    "difference in s.e.": (other.survival[role] - exact.survival[role]) / other.survival_error[role],
                }
            )
    return pd.DataFrame(rows)
