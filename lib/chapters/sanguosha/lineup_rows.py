"""How games of a line-up end, seatings drawn at random: one row for each line-up, and the outcomes that rows hold.

Exact for four and five players. From six players on games are simulated, with exact endgames; so the row holds, beside
the share of each ending, the mean products of the shares that a game gives to two endings, from which all standard
errors follow. Line-ups of which all seatings have been solved one by one are exact as well, see `known`.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from chapters.sanguosha import exact_rows
from chapters.sanguosha.claims.measures import all_lineups
from gamebalance.base.checks import shown
from gamebalance.base.rounding import bound
from gamebalance.sanguosha.exact import solve_lineup
from gamebalance.sanguosha.lineup import LINEUPS, Lineup
from gamebalance.sanguosha.outcomes import Outcomes
from gamebalance.sanguosha.simulation import simulate

#: Players up to whom a line-up is solved exactly here.
EXACT_PLAYERS = 5

#: Games of each of the report's line-ups, and of every other one.
GAMES_OF_REPORT, GAMES = 1_000_000_000, 100_000_000


def row(lineup: str) -> dict[str, Any]:
    """The outcomes of a line-up of four to ten players with at least one member of each role.

    `games`: how many were simulated, 0 if the row is exact; `seed`: theirs, the number of the line-up among all;
    `error_bound`: on the error of all shares together, standard errors apart; `turns`, `turns_error`: mean length of a
    game and its standard error. Then texts: `endings`, the numbers of lords, loyalists, rebels and renegades alive;
    `shares`, how often games end so; `moments`, the mean products of two shares, below the diagonal row by row.
    """
    everything = all_lineups()
    line = Lineup.parse(lineup)
    if line not in everything:
        raise ValueError(f"lineup = {shown(lineup)}: four to ten players, at least one of each role, are needed")
    seed = everything.index(line)
    if line.players <= EXACT_PLAYERS:
        games, found = 0, solve_lineup(line)
    else:
        games = GAMES_OF_REPORT if line in LINEUPS else GAMES
        found = simulate(line, games, seed, endgame=True)
    moments = np.zeros((0, 0)) if found.moments is None else found.moments
    return {
        "lineup": str(line),
        "games": games,
        "seed": seed,
        "error_bound": bound(found.error_bound),
        "turns": found.turns,
        "turns_error": found.turns_error,
        "endings": " ".join("".join(map(str, ending)) for ending in found.probability),
        "shares": _written(found.probability.values()),
        "moments": _written(moments[np.tril_indices(len(moments))]),
    }


def played(games: int, games_every: int, seed: int, workers: int) -> dict[str, Outcomes]:
    """All line-ups by name, from `games` of each of the report's and `games_every` of each other, a seed each."""
    counts = {line: games if line in LINEUPS else games_every for line in all_lineups()}
    return {
        str(line): simulate(line, count, seed + place, workers=workers)
        for place, (line, count) in enumerate(counts.items())
    }


def _written(numbers) -> str:
    return " ".join(f"{number:.12g}" for number in numbers)


def outcomes(found: Mapping[str, Any]) -> Outcomes:
    """What a row says, as `sanguosha.simulate` or `sanguosha.solve_lineup` returns it."""
    endings = [tuple(map(int, digits)) for digits in found["endings"].split()]
    shares, moments = (np.array(str(found[name]).split(), float) for name in ("shares", "moments"))
    games, table = int(found["games"]), None
    if games:
        table = np.zeros((len(endings), len(endings)))
        table[np.tril_indices(len(endings))] = moments
        table = table + np.tril(table, -1).T
    return Outcomes(
        Lineup.parse(found["lineup"]),
        dict(zip(endings, (shares / shares.sum()).tolist(), strict=True)),
        games=games or None,
        error_bound=float(found["error_bound"]),
        turns=float(found["turns"]),
        turns_error=float(found["turns_error"]),
        moments=table,
    )


def known(rows: pd.DataFrame, seatings: pd.DataFrame | None = None) -> dict[str, Outcomes]:
    """The outcomes of line-ups by name, as rows of this table say; of those with `seatings`, the exact mean over them.

    The seatings are rows of `exact_rows`; ValueError if a line-up has some of its own and not all.
    """
    found = {row["lineup"]: outcomes(row) for row in rows.to_dict("records")}
    solved = [] if seatings is None else [exact_rows.outcomes(row) for row in seatings.to_dict("records")]
    return found | {str(lineup): exact_rows.mean_of(solved, lineup) for lineup in {each.lineup for each in solved}}
