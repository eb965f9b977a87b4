"""Monte Carlo for every line-up of up to ten players."""

import warnings
from collections.abc import Callable
from concurrent.futures import Executor
from operator import add

import numpy as np

from gamebalance.base.checks import MOST_GAMES, check_progress, check_seed, check_workers, flag, whole_number
from gamebalance.base.splitmix import mix
from gamebalance.base.workers import in_turn
from gamebalance.sanguosha import endgame as endgames
from gamebalance.sanguosha.endgame import CERTAIN, TURN
from gamebalance.sanguosha.kernels import fit, layout, lockstep, plain
from gamebalance.sanguosha.kernels.rule_tables import ENDINGS, endings_alive
from gamebalance.sanguosha.lineup import Lineup, Seating
from gamebalance.sanguosha.outcomes import Outcomes
from gamebalance.sanguosha.rules import AS_CODED, Rules, check_rules
from gamebalance.sanguosha.scoring import Alive
from gamebalance.sanguosha.turn import MOST_TURNS, EndlessGame

#: Games that one worker plays between two reports of progress.
CHUNK = 1 << 17


#: Certainty after rounding for products, and turns that are squared, in the whole numbers of `layout.weigh`.
_ROUNDED, _SQUARED_TURN = CERTAIN >> layout.SHARE_SHIFT, (TURN >> layout.TURN_SHIFT) ** 2

#: Sums over games: the histogram of endings, turns, their squares, and by circle the weights of those that stopped.
Sums = list


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
    executor, progress
        Where to play, by default the cluster of ``GAMEBALANCE_SCHEDULER``, and without one threads of its own; and what
        is called with the number of games after each chunk.
    endgame : bool
        Stop each game as soon as no more than four players live, and count what would have followed with its exact
        probabilities (`endgame.tables`): smaller standard errors in less time. The tables of a line-up of ten take a
        minute or two and 0.6 GB when first asked for; they are kept for later.

    Returns
    -------
    Outcomes
        With `endgame`, of probabilities instead of counts; standard errors are those of weighted games. ValueError also
        if a game does not end, or `endgame` meets rules that the fast simulator cannot follow; without `endgame` the
        plain simulator then plays the same games, with a warning (SlowSimulation). MemoryError if endgame tables need
        more memory than is free.

    Notes
    -----
    Before anything is played the fast simulator's tables are compared with the readable rules: every turn, and the
    choice of a target in every state of up to four players, in thousands of states of more (`kernels.fit`). The plain
    simulator asks `targets.candidates` itself about every state that it can tell apart from those that it has met.

    Cards and targets are drawn from 32-bit words. Rounding moves the distribution of one turn by less than 1e-8 in
    total variation, so that of a whole game by less than 1e-8 times its length: far below the standard errors.

    Examples
    --------
    >>> simulate("1-1-2-1", games=1000, seed=7).probability[1, 0, 0, 0]  # only the lord is left
    0.165
    """
    line = Lineup.parse(lineup)
    games, workers = whole_number("games", games, 1, MOST_GAMES), check_workers(workers)
    seed, seating = check_seed(seed), None if seating is None else line.seating(seating)
    check_progress(progress)
    endgame = flag("endgame", endgame)
    wrong = fit.misfit(line, check_rules(rules))
    if any(wrong):
        _refuse_or_warn(wrong, endgame)
    tables = endgames.tables(endgames.circles(line), rules, workers) if endgame else ()
    total: Sums = [np.zeros(ENDINGS, np.int64), 0, 0, [(0, 0, 0)] * len(tables)]
    chunks = ((first, min(first + CHUNK, games)) for first in range(0, games, CHUNK))
    arguments = (seed, line, seating, rules, wrong, endgame)
    for (first, last), sums in in_turn(chunks, _play_chunk, workers, executor, arguments):
        if sums[1] == plain.ENDLESS:
            raise EndlessGame(f"rules: a game has not ended after {MOST_TURNS} turns")
        weights = [tuple(map(add, one, more)) for one, more in zip(total[3], sums[3], strict=True)]
        total = [*map(add, total[:3], sums[:3]), weights]
        if progress:
            progress(last - first)
    probability, turns, turns_error, moments = _means(total, endings_alive(total[0], line.counts), games, tables)
    bound = max((table.error_bound for table in tables), default=0.0)
    return Outcomes(line, probability, seating, games, bound, turns, turns_error, moments if tables else None)


def _play_chunk(
    chunk: tuple[int, int],
    seed: int,
    lineup: Lineup,
    seating: Seating | None,
    rules: Rules,
    wrong: fit.Misfit,
    endgame: bool,
) -> Sums:
    seatings = lineup.seatings() if seating is None else (seating,)
    if any(wrong):
        return [*plain.play_games(*chunk, seed, seatings, rules), []]
    ends = endgames.tables(endgames.circles(lineup), rules) if endgame else ()
    alive = min(endgames.MOST_ALIVE, lineup.players) if ends else 0
    stopped, room = np.zeros((chunk[1] - chunk[0] if ends else 0, 2), np.int64), layout.room()
    lockstep.play_games(*chunk, np.uint64(mix(seed)), room, layout.tables(seatings, rules), alive, stopped)
    turns, squares, stops, endless = room.sums.tolist()
    if endless:
        return [room.counts, plain.ENDLESS, 0, []]
    return [room.counts, turns, squares, _weights(stopped[:stops], ends) if ends else []]


def _weights(stopped: np.ndarray, tables: tuple[endgames.Endgame, ...]) -> list[tuple]:
    """What the table of each circle says of the games that stopped there; see `layout.weigh`."""
    layout.number_states(stopped, layout.stop(tables))
    if (stopped[:, 0] < 0).any():
        raise AssertionError("a game stopped in a state that no endgame table has")
    circle, weights = stopped[:, 0] >> layout.STATE_BITS, []
    for number, table in enumerate(tables):
        states, taken = stopped[circle == number].T
        count = len(table.endings)
        sums, products = np.zeros(count + 1, np.int64), np.zeros((count, count), np.int64)
        states = states & ((1 << layout.STATE_BITS) - 1)
        squares = layout.weigh(table.table, states, np.ascontiguousarray(taken), sums, products)
        weights.append((sums.astype(object), products.astype(object), int(squares)))
    return weights


def _means(total: Sums, counts: dict[Alive, int], games: int, tables: tuple[endgames.Endgame, ...]) -> tuple:
    """The probability of each ending, the mean turns of a game and their error, and `Outcomes.moments`."""
    products: dict = {}
    sums = {ending: count * CERTAIN for ending, count in counts.items()}
    turns, squares = total[1] * TURN, total[2] * _SQUARED_TURN
    for table, (shares, pairs, squared) in zip(tables, total[3], strict=True):
        for place, ending in enumerate(table.endings):
            sums[ending] = sums.get(ending, 0) + shares[place]
            for other, product in zip(table.endings[: place + 1], pairs[place], strict=False):
                products[ending, other] = products.get((ending, other), 0) + product
        turns, squares = turns + shares[-1], squares + squared
    mean = turns / (games * TURN)
    spread = max(squares / (games * _SQUARED_TURN) - mean**2, 0.0)
    probability = {ending: sums[ending] / (games * CERTAIN) for ending in sorted(sums) if sums[ending]}
    return probability, mean, (spread / games) ** 0.5, _moments(list(probability), counts, products, games)


def _moments(endings: list[Alive], counts: dict, products: dict, games: int) -> np.ndarray:
    """Mean product of the shares that a game gives to each two endings."""
    place = {ending: number for number, ending in enumerate(endings)}
    moments = np.diag([counts.get(ending, 0) / games for ending in endings])
    for (ending, other), product in products.items():
        if ending in place and other in place:
            share = product / (games * _ROUNDED**2)
            moments[place[ending], place[other]] += share
            if ending != other:
                moments[place[other], place[ending]] += share
    return moments


def _refuse_or_warn(wrong: fit.Misfit, endgame: bool) -> None:
    """Say that the rules need the plain simulator, and why."""
    parts = [f"turn.take_turn ({wrong.turn})"] * bool(wrong.turn)
    reason = " and ".join(parts + [f"targets.candidates ({wrong.target})"] * bool(wrong.target))
    if endgame:
        raise ValueError(f"endgame = True: the fast simulator cannot follow these rules ({reason}); False plays on")
    warnings.warn(
        f"rules: {reason} does not fit the fast simulator, so the plain one plays the same games: about a hundredth "
        "of the speed with up to five players, a five-hundredth with seven, a two-thousandth with ten",
        SlowSimulation,
        stacklevel=3,
    )
