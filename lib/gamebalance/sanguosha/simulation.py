"""Monte Carlo for every line-up of up to ten players."""

import warnings
from collections.abc import Callable
from concurrent.futures import Executor

import numpy as np

from gamebalance.base.checks import MOST_GAMES, check_seed, check_workers, whole_number
from gamebalance.base.splitmix import mix
from gamebalance.base.workers import in_turn
from gamebalance.sanguosha.kernels import fit, lockstep, one_by_one, rule_tables
from gamebalance.sanguosha.kernels.fit import Misfit
from gamebalance.sanguosha.lineup import Lineup, Seating
from gamebalance.sanguosha.outcomes import Outcomes
from gamebalance.sanguosha.rules import AS_CODED, Rules, check_rules
from gamebalance.sanguosha.stream import alias_table, opening_limits
from gamebalance.sanguosha.turn import MOST_TURNS

#: Games that one worker plays between two reports of progress.
CHUNK = 1 << 17


class SlowSimulation(UserWarning):
    """Rules that the fast simulator cannot follow are played by the plain one."""


def simulate(
    lineup: Lineup | str,
    games: int,
    seed: int,
    rules: Rules = AS_CODED,
    workers: int = 1,
    seating: Seating | str | None = None,
    executor: Executor | None = None,
    progress: Callable[[int], None] | None = None,
) -> Outcomes:
    """Play many games of a line-up and count how they end.

    Parameters
    ----------
    lineup : Lineup or str
        Such as ``"1-1-2-1"``; up to ten players.
    games : int
        Number of games, 1 to 2^63 - 1: so many are different games.
    seed : int
        0 to 2^63 - 1. The result depends on `lineup`, `games`, `seed`, `rules` and `seating` only: game i of a seed is
        the same game however the work is divided, and `play` replays it.
    rules : Rules
        Targets are chosen by the report's rule; for other policies see `play` and `solve`.
    workers : int
        Threads side by side, up to 1024; ignored when there is an `executor` or a cluster.
    seating : Seating or str, optional
        Play this seating only, instead of a random one in each game.
    executor : concurrent.futures.Executor, optional
        Where to play; by default the cluster of ``GAMEBALANCE_SCHEDULER``, and without one threads of its own. Rules
        travel to other processes by their fields: functions that were replaced here stay here (`base.workers`).
    progress : callable, optional
        Called with the number of games after each chunk.

    Returns
    -------
    Outcomes

    Warns
    -----
    SlowSimulation
        If the rules do not fit the form of the fast simulator. The same games are then played one by one.

    Notes
    -----
    Before anything is played the fast simulator's tables are compared with the readable rules: every turn, and the
    choice of a target in every state of up to four players, in thousands of states of more (`kernels.fit`). The plain
    simulator asks `targets.candidates` itself about every state that it meets.

    Cards and targets are drawn from 32-bit words. Rounding moves the distribution of one turn by less than 1e-8 in
    total variation, so that of a whole game by less than 1e-8 times its length: far below the standard errors.

    Examples
    --------
    >>> simulate("1-1-2-1", games=1000, seed=7).probability[1, 0, 0, 0]  # only the lord is left
    0.165
    """
    lineup = Lineup.parse(lineup)
    games, workers = whole_number("games", games, 1, MOST_GAMES), check_workers(workers)
    seed, seating = check_seed(seed), None if seating is None else lineup.seating(seating)
    wrong = fit.misfit(lineup, check_rules(rules))
    if any(wrong):
        _warn(wrong)
    chunks = ((first, min(first + CHUNK, games)) for first in range(0, games, CHUNK))
    played = in_turn(chunks, _play_chunk, workers, executor, (seed, lineup, seating, rules, wrong))
    counts, turns, squares = _gather((result for _, result in played), progress)
    probability = {alive: count / games for alive, count in rule_tables.endings_alive(counts, lineup).items()}
    mean = turns / games
    spread = max(squares / games - mean**2, 0.0)
    return Outcomes(lineup, probability, seating, games, turns=mean, turns_error=(spread / games) ** 0.5)


def _gather(chunks, progress) -> tuple[np.ndarray, int, int]:
    """Sum over all chunks; sums of whole numbers do not depend on the order in which chunks finish."""
    total, turns, squares = np.zeros(rule_tables.ENDINGS, np.int64), 0, 0
    for counts, played, squared in chunks:
        if played == lockstep.ENDLESS:
            raise ValueError(f"rules: a game has not ended after {MOST_TURNS} turns")
        total += counts
        turns += played
        squares += squared
        if progress:
            progress(int(counts.sum()))
    return total, turns, squares


def _play_chunk(
    chunk: tuple[int, int], seed: int, lineup: Lineup, seating: Seating | None, rules: Rules, wrong: Misfit
) -> tuple[np.ndarray, int, int]:
    seatings = lineup.seatings() if seating is None else (seating,)
    key, limits = np.uint64(mix(seed)), np.array(opening_limits(rules) or (), np.uint64)
    players, alias = seatings[0].players, alias_table(rules.pair_probability)
    if any(wrong):
        tables = limits, alias, rule_tables.reach_table(), rule_tables.permission_words(rules)
        common = key, players, rule_tables.seat_masks(seatings), *tables
        return one_by_one.play_games(*chunk, common, rules, seatings, asked=bool(wrong.target))
    tables = rule_tables.reach_both_ways(), rule_tables.answer_lists(rules), rule_tables.turn_table(rules)
    return lockstep.play_games(*chunk, key, players, rule_tables.seat_roles(seatings), limits, alias, *tables)


def _warn(wrong: Misfit) -> None:
    """Say that the rules need the slower simulator, and why."""
    parts = [f"turn.take_turn ({wrong.turn})"] * bool(wrong.turn)
    parts += [f"targets.candidates ({wrong.target})"] * bool(wrong.target)
    warnings.warn(
        f"rules: {' and '.join(parts)} does not fit the fast simulator, so the plain one plays the same games: about a "
        "tenth of the speed, and less with more than five players where it is the choice of a target",
        SlowSimulation,
        stacklevel=3,
    )
