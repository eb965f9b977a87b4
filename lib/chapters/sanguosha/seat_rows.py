"""What each seating does to everybody: one row a seating, exact or simulated."""

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from gamebalance.base.checks import whole_number
from gamebalance.base.rounding import meant
from gamebalance.sanguosha.lineup import LINEUPS, ROLE_KEYS, Lineup, Role, Seating
from gamebalance.sanguosha.outcomes import Outcomes
from gamebalance.sanguosha.scoring import WINNERS
from gamebalance.sanguosha.simulation import simulate

if TYPE_CHECKING:
    import pandas

#: The line-ups whose seatings are simulated, six to ten players.
SIMULATED = LINEUPS[2:]

#: A line-up with more seatings than this is one of many seatings.
MANY = 1000

#: The seed of the first seating of the listing; each has one of its own.
FIRST_SEED = 10_000

#: The role whose chance to win stands for a side's, by the names of the sides.
SIDE_ROLES = dict(zip(WINNERS, (Role.LORD, Role.REBEL, Role.RENEGADE), strict=True))


@cache
def listing() -> tuple[Seating, ...]:
    """All seatings that are simulated: line-up by line-up, in the order of `LINEUPS`."""
    return tuple(seating for lineup in SIMULATED for seating in lineup.seatings())


def row(number: int, games: int, games_of_many: int) -> dict[str, Any]:
    """Simulated results of one seating of the listing, by its number.

    `games` are played, or `games_of_many` in a line-up with more than `MANY` seatings. Columns as of `columns`.
    """
    seating = listing()[whole_number("number", number, 0, len(listing()) - 1)]
    many = seating.lineup.seating_count > MANY
    return {"number": number} | simulated(seating, games_of_many if many else games, FIRST_SEED + number, endgame=True)


def simulated(seating: str, games: int, seed: int, **options: Any) -> dict[str, Any]:
    """The row of one seating after so many games; `options` as for `simulate`."""
    return columns(simulate(Seating(seating).lineup, games, seed, seating=seating, **options))


def columns(outcomes: Outcomes) -> dict[str, Any]:
    """The row of a seating.

    `games`: 0 when exact; `turns`: mean length of a game; `win_…`: chance of each side to win, `survival_…` and
    `score_…`: of a member of each role, each with a standard error in `…_error`; `bal`, `bal_error`; `bal_noise`: how
    much the errors of the chances to survive add to Bal on average.
    """
    chances = {f"win_{side}": share for side, share in outcomes.winning.items()}
    errors = outcomes.results.standard_error(outcomes.win_table[:, list(SIDE_ROLES.values())])
    chances |= {f"win_{side}_error": error for side, error in zip(SIDE_ROLES, errors, strict=True)}
    for name, values, errors in (
        ("survival", outcomes.survival, outcomes.survival_error),
        ("score", outcomes.expected_scores(), outcomes.score_error),
    ):
        chances |= {f"{name}_{role}": value for role, value in zip(ROLE_KEYS, values, strict=True)}
        chances |= {f"{name}_{role}_error": error for role, error in zip(ROLE_KEYS, errors, strict=True)}
    alive = np.array(list(outcomes.probability)) / outcomes.lineup.counts
    noise = outcomes.results.standard_error(alive - alive.mean(axis=1, keepdims=True))
    chances |= {"bal": outcomes.balance, "bal_error": outcomes.balance_error, "bal_noise": np.square(noise).sum()}
    about = {"seating": str(outcomes.seating), "games": outcomes.games or 0, "turns": outcomes.turns}
    return about | {name: float(value) for name, value in chances.items()}


def few_games(games: int, seed: int) -> "pandas.DataFrame":
    """The rows of the whole listing after a few games each, for a look that need not be precise."""
    import pandas

    rows = (simulated(seating, games, seed + number) for number, seating in enumerate(listing()))
    return pandas.DataFrame({name: meant(value) for name, value in row.items()} for row in rows)


def all_seatings(exact: Iterable[Outcomes], played: "pandas.DataFrame") -> "pandas.DataFrame":
    """A row for each seating of the report's nine line-ups, in their order: the exact one wherever there is one.

    Parameters
    ----------
    exact : iterable of Outcomes
        All seatings of four and five players, and as many of six as are solved.
    played : DataFrame
        Rows of `row` or of `few_games`, for the seatings of six to ten players.

    Raises
    ------
    ValueError
        If a seating is missing.
    """
    import pandas

    solved = pandas.DataFrame(columns(outcomes) for outcomes in exact)
    both = pandas.concat([solved, played.drop(columns="number", errors="ignore")], ignore_index=True)
    rows = both.drop_duplicates("seating").set_index("seating")
    wanted = {seating: lineup for lineup in LINEUPS for seating in lineup.seatings()}
    if missing := [seating for seating in wanted if seating not in rows.index]:
        raise ValueError(f"rows: {len(missing)} of {len(wanted)} seatings are missing, the first of them {missing[0]}")
    found = rows.loc[list(wanted)].reset_index()
    found.insert(0, "lineup", [str(lineup) for lineup in wanted.values()])
    return found


def of_lineup(rows: "pandas.DataFrame", lineup: Lineup) -> "pandas.DataFrame":
    """The rows of one line-up, numbered from 0."""
    return rows[rows["lineup"] == str(lineup)].reset_index(drop=True)
