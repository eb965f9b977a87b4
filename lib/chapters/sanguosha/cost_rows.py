"""What a digit costs: errors and processor time of games played to their end, of exact endgames, of exact solutions."""

from collections.abc import Mapping
from functools import cache
from statistics import median
from time import process_time
from typing import TYPE_CHECKING, Any

import numpy as np

from gamebalance.base.processor import vectors
from gamebalance.base.rounding import meant
from gamebalance.sanguosha.exact import LARGE_TABLE, MAX_EXACT_PLAYERS, solve, solve_lineup
from gamebalance.sanguosha.lineup import ROLE_KEYS, Lineup, Role, Seating
from gamebalance.sanguosha.outcomes import Outcomes
from gamebalance.sanguosha.simulation import simulate
from gamebalance.sanguosha.table import play

if TYPE_CHECKING:
    import pandas

#: Games from which variances are estimated, games of a round of the clock, rounds, games of the readable engine.
GAMES, TIMED_GAMES, ROUNDS, READABLE_GAMES = 10_000_000, 1_000_000, 5, 4_000

#: Players whose exact solution a control variate is taken from.
SMALLER = 4


def row(lineup: str) -> dict[str, Any]:
    """Variances and costs of one line-up.

    `vectors`: the vector instructions of the processor; `endgame_cost`: processor time of a game with exact endgame,
    in games played to their end; `exact_cost`: that of the exact solution of all seatings, 0 where there is none; for
    each role `plain_…` and `endgame_…`, the variance that a game of either kind leaves to its survival; `control`: the
    part of the variance of the lord's survival that a control variate would explain (`explained`).
    """
    line = Lineup.parse(lineup)
    plain, ended = (simulate(line, GAMES, 7, endgame=endgame) for endgame in (False, True))
    variances = {
        f"{name}_{role}": float(error**2 * GAMES)
        for name, found in (("plain", plain), ("endgame", ended))
        for role, error in zip(ROLE_KEYS, found.survival_error, strict=True)
    }
    seconds = [
        [_seconds(lambda e=endgame: simulate(line, TIMED_GAMES, 8, endgame=e)) for endgame in (False, True)]
        for _ in range(ROUNDS)
    ]
    game = median(plain for plain, _ in seconds) / TIMED_GAMES
    return {
        "lineup": str(line),
        "vectors": vectors(),
        "endgame_cost": meant(median(ended / plain for plain, ended in seconds), 3),
        "exact_cost": meant(_exact_seconds(line) / game, 3),
        "control": explained(line),
        **variances,
    }


def _seconds(call) -> float:
    """Processor time of a call."""
    before = process_time()
    call()
    return process_time() - before


def _exact_seconds(line: Lineup) -> float:
    """Processor time of the exact solution; of a large one by its first seating."""
    if line.players > MAX_EXACT_PLAYERS:
        return 0.0
    if line.players < LARGE_TABLE:
        return _seconds(lambda: solve_lineup(line))
    return line.seating_count * _seconds(lambda: solve(line.seatings()[0]))


def explained(line: Lineup, games: int = READABLE_GAMES) -> float:
    """The part of the variance of the lord's survival that a control variate from exact smaller games explains.

    The variate is the lord's chance in a fresh game of those who live when four are left, solved exactly. Its mean is
    not known for larger line-ups; if it were, it would lower the variance by this part.
    """
    survived, chances = np.zeros(games), np.zeros(games)
    for number in range(games):
        game = play(line, 9, number)
        survived[number] = game.table.alive[Role.LORD]
        chances[number] = _chance_when_four_live(game)
    if not chances.std():
        return 0.0
    return float(np.corrcoef(survived, chances)[0, 1] ** 2)


def _chance_when_four_live(game) -> float:
    """The lord's chance in a fresh game of the living, at the first table with so few; 0 or 1 if it is over by then."""
    for table in (game.opening, *(move.table for move in game.moves)):
        living = [seat for seat, player in enumerate(table.players) if player.alive]
        if table.winner or len(living) <= SMALLER:
            break
    if table.winner:
        return float(table.alive[Role.LORD])
    circle = Seating.of(table.roles[seat] for seat in living)
    return float(_fresh(circle).survival[Role.LORD])


@cache
def _fresh(circle: Seating) -> Outcomes:
    """The exact solution of a small seating."""
    return solve(circle)


def seat_variance(survival: Mapping[str, float]) -> tuple[float, float]:
    """What drawing the seating adds to the variance of a role's survival, and its covariance with the mirror image.

    `survival` is the role's, by seating, all seatings of a line-up; the mirror image has the players behind the lord in
    the opposite order. Drawing each seating equally often takes the variance away; playing each drawn seating once more
    mirrored adds the covariance, which helps if it is negative.
    """
    mean = sum(survival.values()) / len(survival)
    apart = {seating: value - mean for seating, value in survival.items()}
    mirrored = sum(apart[seating] * apart[seating[0] + seating[:0:-1]] for seating in apart)
    return sum(value**2 for value in apart.values()) / len(apart), mirrored / len(apart)


def gains(rows: "pandas.DataFrame", seats: Mapping[str, tuple[float, float]]) -> "pandas.DataFrame":
    """By what factor each way lowers the cost of the same error of the lord's survival; a row for each line-up.

    `rows`: of `row`; `seats`: by line-up what `seat_variance` says. "seatings": each seating equally often instead of
    drawn; "mirrored": each drawn seating a second time mirrored; "control": `explained`, a bound; "endgames": exact
    endgames; "both": these with each seating equally often.
    """
    import pandas

    found = []
    for row in rows.to_dict("records"):
        whole, ended = row["plain_lord"], row["endgame_lord"]
        between, mirrored = seats[row["lineup"]]
        found.append(
            {
                "line-up": row["lineup"],
                "seatings": whole / (whole - between),
                "mirrored": whole / (whole + mirrored),
                "control": 1 / (1 - row["control"]),
                "cost of a game": row["endgame_cost"],
                "endgames": whole / ended / row["endgame_cost"],
                "both": whole / (ended - between) / row["endgame_cost"],
            }
        )
    return pandas.DataFrame(found)


def error_curves(row: Mapping[str, Any], between: float, games: np.ndarray) -> "pandas.DataFrame":
    """Standard errors of the lord's survival, in percentage points, by cost in games played to their end.

    "plain": such games, seatings drawn; "endgames" and "both" as in `gains`.
    """
    import pandas

    ways = {
        "plain": row["plain_lord"],
        "endgames": row["endgame_lord"] * row["endgame_cost"],
        "both": (row["endgame_lord"] - between) * row["endgame_cost"],
    }
    errors = {way: 100 * np.sqrt(variance / games) for way, variance in ways.items()}
    return pandas.DataFrame({"line-up": row["lineup"], "cost in games": games, **errors})
