"""How games of five and six players end, exactly: one row for each seating."""

from gamebalance.base.rounding import bound
from gamebalance.sanguosha.exact import solve

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
