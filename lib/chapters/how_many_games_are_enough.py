"""What a digit costs: errors and processor time of games played to their end, of exact endgames, of exact solutions."""

from functools import cache
from statistics import median
from time import process_time

import numpy as np

from gamebalance.base.processor import vectors
from gamebalance.base.rounding import meant
from gamebalance.sanguosha.exact import LARGE_TABLE, MAX_EXACT_PLAYERS, solve, solve_lineup
from gamebalance.sanguosha.lineup import ROLE_KEYS, Lineup, Role, Seating
from gamebalance.sanguosha.simulation import simulate
from gamebalance.sanguosha.table import play

#: Games from which variances are estimated, games of a round of the clock, rounds, games of the readable engine.
GAMES, TIMED_GAMES, ROUNDS, READABLE_GAMES = 10_000_000, 1_000_000, 5, 4_000
#: Players whose exact solution a control variate is taken from.
SMALLER = 4


def row(lineup):
    """Variances that a game leaves to survival, and costs in games played to their end, of one line-up."""
    line, costs, games = Lineup.parse(lineup), {}, {"plain": False, "endgame": True}
    for name, endgame in games.items():
        errors = simulate(line, GAMES, 7, endgame=endgame).survival_error
        costs |= {f"{name}_{role}": float(error**2 * GAMES) for role, error in zip(ROLE_KEYS, errors, strict=True)}
    rounds = [
        [_seconds(simulate, line, TIMED_GAMES, 8, endgame=endgame) for endgame in games.values()] for _ in range(ROUNDS)
    ]
    game = median(plain for plain, _ in rounds) / TIMED_GAMES
    return {
        "lineup": str(line),
        "vectors": vectors(),
        "endgame_cost": meant(median(ended / plain for plain, ended in rounds), 3),
        "exact_cost": meant(_exact_seconds(line) / game, 3),
        "control": explained(line),
        **costs,
    }


def _seconds(function, *arguments, **options):
    """Processor time of a call."""
    before = process_time()
    function(*arguments, **options)
    return process_time() - before


def _exact_seconds(line):
    """Processor time of the exact solution; of a large one by its first seating."""
    if line.players > MAX_EXACT_PLAYERS:
        return 0.0
    if line.players < LARGE_TABLE:
        return _seconds(solve_lineup, line)
    return line.seating_count * _seconds(solve, line.seatings()[0])


def explained(line, games=READABLE_GAMES):
    """The part of the variance of the lord's survival that a control variate from exact smaller games explains.

    The variate is the lord's chance in a fresh game of those who live when four are left, solved exactly. Its mean is
    not known for larger line-ups; if it were, it would lower the variance by this part.
    """
    played = [play(line, 9, number) for number in range(games)]
    survived, chances = [game.table.alive[Role.LORD] for game in played], list(map(_chance_when_four_live, played))
    return float(np.corrcoef(survived, chances)[0, 1] ** 2) if np.std(chances) else 0.0


def _chance_when_four_live(game):
    """The lord's chance in a fresh game of the living, at the first table with so few; 0 or 1 if it is over by then."""
    for table in (game.opening, *(move.table for move in game.moves)):
        living = [seat for seat, player in enumerate(table.players) if player.alive]
        if table.winner or len(living) <= SMALLER:
            break
    if table.winner:
        return float(table.alive[Role.LORD])
    return _fresh_chance(Seating.of(table.roles[seat] for seat in living))


@cache
def _fresh_chance(circle):
    return float(solve(circle).survival[Role.LORD])


def seat_variance(survival):
    """What drawing the seating adds to the variance of a role's survival, and its covariance with the mirror image.

    By seating; in the mirror image the players behind the lord sit the other way round.
    """
    mean = sum(survival.values()) / len(survival)
    apart = {seating: value - mean for seating, value in survival.items()}
    mirrored = sum(apart[seating] * apart[seating[0] + seating[:0:-1]] for seating in apart)
    return sum(value**2 for value in apart.values()) / len(apart), mirrored / len(apart)
