"""Monte Carlo for every line-up of up to ten players."""

from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor, as_completed
from contextlib import nullcontext

import numpy as np

from gamebalance._checks import check_seed, whole_number
from gamebalance._splitmix import mix
from gamebalance.sanguosha import _lockstep
from gamebalance.sanguosha.lineup import Lineup, check_seating
from gamebalance.sanguosha.outcomes import Outcomes
from gamebalance.sanguosha.rules import AS_CODED, Rules, check_rules
from gamebalance.sanguosha.stream import alias_table, opening_limits

#: Games that one worker plays between two reports of progress.
CHUNK = 1 << 17


def simulate(
    lineup: Lineup | str,
    games: int,
    seed: int,
    rules: Rules = AS_CODED,
    workers: int = 1,
    seating: str | None = None,
    executor: Executor | None = None,
    progress: Callable[[int], None] | None = None,
) -> Outcomes:
    """Play many games of a line-up and count how they end.

    Parameters
    ----------
    lineup : Lineup or str
        Such as ``"1-1-2-1"``; up to ten players.
    games : int
        Number of games, 1 or more.
    seed : int
        0 to 2^63 - 1. The result depends on `lineup`, `games`, `seed`, `rules` and `seating` only: game i of a seed is
        the same game however the work is divided, and `game.play` replays it.
    rules : Rules
    workers : int
        Threads side by side; ignored when `executor` is given.
    seating : str, optional
        Play this seating only, instead of a random one in each game.
    executor : concurrent.futures.Executor, optional
        Where to play; the engine's own pool of threads by default.
    progress : callable, optional
        Called with the number of games after each chunk.

    Returns
    -------
    Outcomes

    Raises
    ------
    ValueError
        If an argument is not as described.

    Notes
    -----
    Cards and targets are drawn from 32-bit words. Rounding moves the distribution of one turn by less than 1e-8 in
    total variation, so that of a whole game by less than 1e-8 times its length: far below the standard errors.
    """
    lineup = Lineup.parse(lineup)
    games, workers = whole_number("games", games, 1), whole_number("workers", workers, 1)
    seed, seatings = check_seed(seed), _allowed_seatings(lineup, seating)
    check_rules(rules)
    tasks = [(first, min(first + CHUNK, games), seed, lineup, seatings, rules) for first in range(0, games, CHUNK)]
    with ThreadPoolExecutor(workers) if executor is None else nullcontext(executor) as pool:
        counts, turns, squares = _gather(pool, tasks, progress)
    probability = {alive: count / games for alive, count in _lockstep.endings_alive(counts, lineup).items()}
    mean = turns / games
    spread = max(squares / games - mean**2, 0.0)
    return Outcomes(lineup, probability, seating, games, turns=mean, turns_error=(spread / games) ** 0.5)


def _allowed_seatings(lineup: Lineup, seating: str | None) -> tuple[str, ...]:
    if seating is None:
        return lineup.seatings()
    if Lineup.of_seating(check_seating(seating)) != lineup:
        raise ValueError(f"seating = {seating!r} is not a seating of line-up {lineup}")
    return (seating,)


def _gather(executor: Executor, tasks: list[tuple], progress) -> tuple[np.ndarray, int, int]:
    """Sum over all chunks; sums of whole numbers do not depend on the order in which chunks finish."""
    total, turns, squares = np.zeros(_lockstep.ENDINGS, np.int64), 0, 0
    for future in as_completed([executor.submit(_play_chunk, *task) for task in tasks]):
        counts, played, squared = future.result()
        total += counts
        turns += played
        squares += squared
        if progress:
            progress(int(counts.sum()))
    return total, turns, squares


def _play_chunk(first: int, last: int, seed: int, lineup: Lineup, seatings: tuple[str, ...], rules: Rules):
    return _lockstep.play_games(
        first,
        last,
        np.uint64(mix(seed)),
        lineup.players,
        _lockstep.seat_masks(seatings),
        np.array(opening_limits(rules) or (), np.uint64),
        np.uint32(0xFFFFFFFF if rules.rebels_attack_renegades else 0),
        alias_table(rules.pair_probability),
        _lockstep.reach_table(),
        _lockstep.turn_table(rules),
    )
