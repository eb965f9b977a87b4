"""Monte Carlo for every line-up of up to ten players."""

import warnings
from collections.abc import Callable
from concurrent.futures import Executor

import numpy as np

from gamebalance.base.checks import MOST_GAMES, check_progress, check_seed, check_workers, flag, whole_number
from gamebalance.base.splitmix import mix
from gamebalance.base.workers import in_turn
from gamebalance.sanguosha import endgame as endgames
from gamebalance.sanguosha.kernels import fit, lockstep, one_by_one, rule_tables, stopping
from gamebalance.sanguosha.kernels.fit import Misfit
from gamebalance.sanguosha.lineup import Lineup, Seating
from gamebalance.sanguosha.outcomes import Outcomes
from gamebalance.sanguosha.rules import AS_CODED, Rules, check_rules
from gamebalance.sanguosha.stream import alias_table, opening_limits
from gamebalance.sanguosha.tally import Tally, weights_of
from gamebalance.sanguosha.turn import MOST_TURNS, EndlessGame

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
    endgame: bool = False,
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
    endgame : bool
        Stop each game as soon as no more than four players live, and count what would have followed with its exact
        probabilities (`endgame.tables`): smaller standard errors in less time. The tables of a line-up of ten take a
        minute or two and 0.6 GB when first asked for; they are kept for later.

    Returns
    -------
    Outcomes
        With `endgame`, of probabilities instead of counts; standard errors are those of weighted games.

    Raises
    ------
    ValueError
        If something asked for is not allowed, a game does not end, or `endgame` meets rules that the fast simulator
        cannot follow.
    MemoryError
        If endgame tables need more memory than is free.

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
    check_progress(progress)
    wrong = fit.misfit(lineup, check_rules(rules))
    if flag("endgame", endgame) and any(wrong):
        raise ValueError(
            f"endgame = True: the fast simulator cannot follow these rules ({_said(wrong)}); False plays on"
        )
    if any(wrong):
        _warn(wrong)
    tables = endgames.tables(lineup, rules, workers) if endgame else ()
    chunks = ((first, min(first + CHUNK, games)) for first in range(0, games, CHUNK))
    total = Tally()
    arguments = (seed, lineup, seating, rules, wrong, bool(endgame))
    for (first, last), tally in in_turn(chunks, _play_chunk, workers, executor, arguments):
        if tally.turns == lockstep.ENDLESS:
            raise EndlessGame(f"rules: a game has not ended after {MOST_TURNS} turns")
        total.add(tally)
        if progress:
            progress(last - first)
    return total.outcomes(lineup, seating, games, tables)


def _play_chunk(
    chunk: tuple[int, int],
    seed: int,
    lineup: Lineup,
    seating: Seating | None,
    rules: Rules,
    wrong: Misfit,
    endgame: bool,
) -> Tally:
    seatings = lineup.seatings() if seating is None else (seating,)
    key, players, alias = np.uint64(mix(seed)), seatings[0].players, alias_table(rules.hand_probability)
    limits = np.array(opening_limits(rules) or np.zeros((0, 0)), np.uint64), rules.first_seat(players)
    if any(wrong):
        tables = *limits, alias, rule_tables.reach_table(rules.reach), rule_tables.permission_words(rules)
        common = key, players, rule_tables.seat_masks(seatings), *tables
        return Tally(*one_by_one.play_games(*chunk, common, rules, seatings, asked=bool(wrong.target)))
    tables = rule_tables.reach_both_ways(rules.reach), rule_tables.answer_lists(rules), rule_tables.turn_table(rules)
    ends = endgames.tables(lineup, rules) if endgame else ()
    stop = stopping.stop(lineup, ends, endgames.MOST_ALIVE) if endgame else stopping.NEVER
    roles = rule_tables.seat_roles(seatings)
    *sums, stopped = lockstep.play_games(*chunk, key, players, roles, *limits, alias, *tables, stop)
    return Tally(*sums, weights_of(stopped, ends))


def _said(wrong: Misfit) -> str:
    """Which of the rules does not fit, and why."""
    parts = [f"turn.take_turn ({wrong.turn})"] * bool(wrong.turn)
    return " and ".join(parts + [f"targets.candidates ({wrong.target})"] * bool(wrong.target))


def _warn(wrong: Misfit) -> None:
    """Say that the rules need the slower simulator, and why."""
    warnings.warn(
        f"rules: {_said(wrong)} does not fit the fast simulator, so the plain one plays the same games: about a "
        "tenth of the speed, and less with more than five players where it is the choice of a target",
        SlowSimulation,
        stacklevel=3,
    )
