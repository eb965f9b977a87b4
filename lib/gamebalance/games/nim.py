"""Nim, with one heap or several, for any number of players.

Players in turn take as many stones as they like, at least one and at most `most`, from one heap. Whoever takes the last
stone of all gets one point, the others nothing. In misère play whoever takes the last stone has lost, and the others
share the point.

With two players the one to move loses where the binary sum without carry of the heaps is 0: C. L. Bouton, "Nim, a game
with a complete mathematical theory", Annals of Mathematics 3 (1901); with a limit, of the heaps modulo `most` + 1. With
three mostly nobody can win against the two others, and it matters whom a player wants to win who cannot do so: S.-Y. R.
Li, "N-person Nim and N-person Moore's games", International Journal of Game Theory 7 (1978); J. Propp, "Three-player
impartial games", Theoretical Computer Science 233 (2000).
"""

from collections.abc import Iterable
from typing import NamedTuple

from gamebalance.base.checks import flag, listed, shown, whole_number
from gamebalance.multiplayer.protocols import MOST_AT_ONCE, OVER


class NimMove(NamedTuple):
    """So many stones from a heap of this size."""

    heap: int
    stones: int


class NimState(NamedTuple):
    """The heaps that are left, in ascending order, and who is to move."""

    heaps: tuple[int, ...]
    mover: int = 0


class Nim:
    """Nim for 2 players and more.

    Of three players with heaps of 1 and 2 stones the first cannot win, but says who does; if by chance, this happens:

    >>> from gamebalance.multiplayer import search
    >>> game = Nim((1, 2))
    >>> [str(share) for share in search.maxn(game, game.start(), ties="even").value]
    ['0', '2/3', '1/3']
    """

    def __init__(
        self, heaps: Iterable[int] = (3, 4, 5), players: int = 3, most: int | None = None, misere: bool = False
    ):
        self.players = whole_number("players", players, 2)
        self.heaps = tuple(sorted(whole_number("heaps", size, 1) for size in listed("heaps", heaps)))
        if not self.heaps:
            raise ValueError(f"heaps = {shown(heaps)}: at least one heap is needed")
        self.most = self.heaps[-1] if most is None else whole_number("most", most, 1)
        if (count := sum(min(size, self.most) for size in set(self.heaps))) > MOST_AT_ONCE:
            raise ValueError(f"heaps = {shown(self.heaps)}: it has {count:,} moves; {MOST_AT_ONCE:,} are allowed")
        self.misere = flag("misere", misere)

    def __repr__(self) -> str:
        return f"Nim({self.heaps}, players={self.players}, most={self.most}, misere={self.misere})"

    def start(self) -> NimState:
        return NimState(self.heaps)

    def mover(self, state: NimState) -> int:
        return state.mover if state.heaps else OVER

    def moves(self, state: NimState) -> list[NimMove]:
        """All that can be taken, from small heaps first; heaps of the same size are the same."""
        sizes = dict.fromkeys(state.heaps)
        return [NimMove(size, stones) for size in sizes for stones in range(1, min(size, self.most) + 1)]

    def play(self, state: NimState, move: NimMove) -> NimState:
        heaps = list(state.heaps)
        heaps.remove(move.heap)
        left = [move.heap - move.stones] if move.stones < move.heap else []
        return NimState(tuple(sorted(heaps + left)), (state.mover + 1) % self.players)

    def payoffs(self, state: NimState) -> tuple[float, ...]:
        """The point for who took the last stone, or in misère play its parts for the others; nothing before the end."""
        last = (state.mover - 1) % self.players
        if state.heaps:
            return (0.0,) * self.players
        if self.misere:
            return tuple((player != last) / (self.players - 1) for player in range(self.players))
        return tuple(float(player == last) for player in range(self.players))
