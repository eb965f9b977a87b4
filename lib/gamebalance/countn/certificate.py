"""Drawing certificates: a strategy that never loses from the start, whichever player follows it.

That nobody wins follows from one list: for each position in which the follower of the strategy can be to move, the move
to make. If no play against it reaches a loss, from (1, 1) against (1, 1) as the first player and as the second, then
neither player can force a win. `checker`, which shares no code with this library, verifies such a list.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from gamebalance.base.checks import in_memory
from gamebalance.countn.rules import Hands, in_order
from gamebalance.countn.solution import Solution
from gamebalance.countn.states import hands_text, position_text
from gamebalance.countn.tables import moves_table, pair_hands

#: How much less a position counts with each move of the strategy before it, and how often the costs are revised. Found
#: by trying: the lists come out about half as long as those of a strategy that looks one move ahead.
DISCOUNT, ROUNDS = 0.7, 32

_BYTES_A_POSITION = 13


@dataclass(frozen=True)
class Certificate:
    """A strategy that never loses: `moves` maps (mover's hands, opponent's) to the mover's hands after its move."""

    n: int
    overflow: str
    moves: dict[tuple[Hands, Hands], Hands]

    def lines(self) -> Iterator[str]:
        """The certificate as text: ``count-n 8 one``, then a line ``1,7 v 2,6 > 1,1`` for each position."""
        yield f"count-n {self.n} {self.overflow}"
        for (mover, opponent), after in self.moves.items():
            yield f"{position_text(mover, opponent)} > {hands_text(after)}"


def drawing_certificate(solution: Solution) -> Certificate:
    """A certificate that the start is a draw: short, though not the shortest.

    The strategy keeps a draw or better, and chooses among such moves the one that lets the fewest positions follow,
    those farther away counted less. Refused if one player can force a win from the start, and above 2 GiB of memory (n
    above 159).
    """
    game = solution.game
    if solution.start_value != "draw":
        raise ValueError(f"n = {game.n}: the {solution.start_value} player wins, there is no drawing certificate")
    from gamebalance.countn.kernels.two import strategy

    in_memory(f"a drawing certificate for n = {game.n}", _BYTES_A_POSITION * len(game.pairs) ** 2)
    table, hands = moves_table(game.n, game.overflow == "rollover"), pair_hands(game.n)
    chosen = strategy(hands, table, solution.values, DISCOUNT, ROUNDS)
    names = [in_order(int(low) or None, int(high) or None) for high, low in hands]
    entries = zip(*np.nonzero(chosen >= 0), strict=True)
    moves = {(names[mover], names[opponent]): names[chosen[opponent, mover]] for opponent, mover in entries}
    return Certificate(game.n, game.overflow, dict(sorted(moves.items(), key=_order)))


def _order(entry) -> tuple:
    """Positions in the order of their numbers, withdrawn hands last."""
    return tuple(number or np.inf for hands in entry[0] for number in hands)
