"""How games of five and six players end, exactly: one row for each seating."""

import numpy as np
import pandas as pd

from chapters.five_to_ten_players import mean_of
from gamebalance.base.rounding import bound
from gamebalance.sanguosha.exact import solve
from gamebalance.sanguosha.lineup import LINEUPS, Role

#: The ways in which games of the report's line-ups of five and six players end, by its rule of choice.
ENDINGS = (
    (1, 1, 0, 0),
    (1, 0, 0, 0),
    (0, 0, 0, 1),
    *((0, 0, rebels, renegades) for renegades in range(3) for rebels in range(1, 4)),
    (0, 0, 0, 2),
)


def columns_for(endings):
    """The column of each ending, named by the numbers of lords, loyalists, rebels and renegades alive."""
    return {ending: "alive_" + "".join(map(str, ending)) for ending in endings}


COLUMNS = columns_for(ENDINGS)


def row(seating):
    """The exact outcomes of a seating of the report's line-ups of five or six players."""
    return columns_of(solve(seating))


def columns_of(found, columns=COLUMNS):
    """What a row holds of the outcomes of a seating; every ending needs a column."""
    assert set(found.probability) <= set(columns), "an ending without a column"
    shares = {column: found.probability.get(ending, 0.0) for ending, column in columns.items()}
    return {"seating": str(found.seating), "error_bound": bound(found.error_bound), "turns": found.turns, **shares}


def six_players(solved, simulated):
    """Survival over all seatings of six players, in percent: exact, and of the line-ups as they were simulated."""
    rows = []
    for lineup in LINEUPS[2:4]:
        exact, other = mean_of(solved, lineup), simulated[str(lineup)]
        by_seating = np.array([found.survival for found in solved if found.lineup == lineup])
        for role in Role:
            ours, theirs, error = exact.survival[role], other.survival[role], other.survival_error[role]
            ends = 100 * by_seating[:, role].min(), 100 * by_seating[:, role].max()
            numbers = *ends, 100 * ours, 100 * theirs, 100 * error, (theirs - ours) / error
            rows.append((str(lineup), str(role), *numbers))
    names = ["line-up", "role", "least", "most", "exact", "simulated", "s.e.", "difference in s.e."]
    return pd.DataFrame(rows, columns=names)
