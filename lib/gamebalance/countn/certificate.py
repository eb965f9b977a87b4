"""Drawing certificates: a strategy that never loses from the start, whichever player follows it.

That nobody wins follows from one list: for each position in which the follower of the strategy can be to move, the move
to make. If no play against it reaches a loss, from (1, 1) against (1, 1) as the first player and as the second, then
neither player can force a win. `checker`, which shares no code with this library, verifies such a list.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from gamebalance._checks import in_memory
from gamebalance._jit import njit

from ._retrograde import moves_table, pair_hands, pair_number
from .notation import hands_text, position_text
from .rules import Game, Hands, in_order
from .solve import Solution

#: How much less a position counts with each move of the strategy before it, and how often the costs are revised. Found
#: by trying: the lists come out about half as long as those of a strategy that looks one move ahead.
DISCOUNT, ROUNDS = 0.7, 32

_BYTES_A_POSITION = 13


@dataclass(frozen=True)
class Certificate:
    """A strategy that never loses from the start.

    Attributes
    ----------
    n, overflow
        The rules.
    moves : dict
        (mover's hands, opponent's hands) -> the mover's hands after the move of the strategy.
    """

    n: int
    overflow: str
    moves: dict[tuple[Hands, Hands], Hands]

    def lines(self) -> Iterator[str]:
        """The certificate as text: ``count-n 8 one``, then a line ``1,7 v 2,6 > 1,1`` for each position."""
        yield f"count-n {self.n} {self.overflow}"
        for (mover, opponent), after in self.moves.items():
            yield f"{position_text(mover, opponent)} > {hands_text(after)}"


def check_memory(game: Game) -> None:
    """Refuse a game whose certificate would need more than 2 GiB of memory, n above 159: a ValueError in one line."""
    pairs = game.n * (game.n + 1) // 2
    in_memory(f"a drawing certificate for n = {game.n}", _BYTES_A_POSITION * pairs**2)


def drawing_certificate(solution: Solution) -> Certificate:
    """A certificate that the start is a draw: short, though not the shortest.

    The strategy keeps a draw or better, and chooses among such moves the one that lets the fewest positions follow,
    those farther away counted less.

    Parameters
    ----------
    solution : Solution
        Of a game whose start is a draw.

    Raises
    ------
    ValueError
        If one player can force a win from the start, or more than 2 GiB of memory would be needed.
    """
    game = solution.game
    if solution.start_value != "draw":
        raise ValueError(f"n = {game.n}: the {solution.start_value} player wins, there is no drawing certificate")
    check_memory(game)
    table = moves_table(game.n, game.overflow == "rollover")
    hands = pair_hands(game.n)
    chosen = _strategy(hands, table, solution.values, DISCOUNT, ROUNDS)
    names = [in_order(int(low) or None, int(high) or None) for high, low in hands]
    entries = zip(*np.nonzero(chosen >= 0), strict=True)
    moves = {(names[mover], names[opponent]): names[chosen[opponent, mover]] for opponent, mover in entries}
    return Certificate(game.n, game.overflow, dict(sorted(moves.items(), key=_order)))


def _order(entry) -> tuple:
    """Positions in the order of their numbers, withdrawn hands last."""
    return tuple(number or np.inf for hands in entry[0] for number in hands)


@njit
def _strategy(hands, table, values, discount, rounds):
    """[opponent's pair, mover's pair]: the pair after the strategy's move, -1 where the strategy never is to move."""
    waiting = _costs(hands, table, values, discount, rounds)
    pairs = len(hands)
    chosen = np.full((pairs, pairs), -1, np.int32)
    seen = np.zeros((pairs, pairs), np.bool_)
    pending = [np.int64(0)]
    pending.pop()
    start = pair_number(1, 1)
    _choose(hands, table, values, waiting, start, start, chosen)
    for opponent, saver in ((start, start), (start, np.int64(chosen[start, start]))):
        seen[saver, opponent] = True
        pending.append(saver * pairs + opponent)
    while pending:
        saver, mover = divmod(pending.pop(), pairs)
        for added in hands[saver]:
            for k in range(2):
                reply = np.int64(table[added, mover, k])
                if reply >= 0 and chosen[reply, saver] < 0:
                    after = _choose(hands, table, values, waiting, reply, saver, chosen)
                    if after and not seen[after, reply]:
                        seen[after, reply] = True
                        pending.append(after * pairs + reply)
    return chosen


@njit
def _choose(hands, table, values, waiting, opponent, saver, chosen):
    """Enter the cheapest move that does not lose; return the pair after it."""
    best = np.int64(-1)
    for added in hands[opponent]:
        for k in range(2):
            after = np.int64(table[added, saver, k])
            if after >= 0 and values[after, opponent] <= 0:
                if best < 0 or waiting[opponent, after] < waiting[opponent, best]:
                    best = after
    chosen[opponent, saver] = best
    return best


@njit
def _costs(hands, table, values, discount, rounds):
    """[mover's pair, saver's pair]: discounted number of positions that may follow when the saver has to wait.

    Infinite where the mover can force a win. The two tables are laid out so that what is read lies in one row.
    """
    pairs = len(hands)
    waiting = np.zeros((pairs, pairs), np.float32)
    moving = np.full((pairs, pairs), np.float32(np.inf))
    for saver in range(pairs):
        for mover in range(pairs):
            if values[saver, mover] > 0:
                waiting[mover, saver] = np.inf
    for _ in range(rounds):
        for opponent in range(1, pairs):
            for saver in range(1, pairs):
                moving[saver, opponent] = 1 + discount * _cheapest(hands, table, waiting[opponent], opponent, saver)
        for saver in range(1, pairs):
            for mover in range(1, pairs):
                waiting[mover, saver] = _all_replies(hands, table, moving[saver], saver, mover)
    return waiting


@njit(inline="always")
def _cheapest(hands, table, waiting, opponent, saver):
    best = np.float32(np.inf)
    for j in range(2):
        for k in range(2):
            after = table[hands[opponent, j], saver, k]
            if after >= 0:
                best = min(best, waiting[after])
    return best


@njit(inline="always")
def _all_replies(hands, table, moving, saver, mover):
    cost = np.float32(0)
    for j in range(1 if hands[saver, 0] == hands[saver, 1] else 2):
        for k in range(1 if hands[mover, 0] == hands[mover, 1] else 2):
            reply = table[hands[saver, j], mover, k]
            if reply >= 0:
                cost += moving[reply]
    return cost
