"""Liar's dice, or Dudo, for one round: each rolls dice under a cup, all bid on what lies under all cups, one doubts.

In turn each player raises the bid or doubts it. A bid says that at least so many dice of all players show a face; it is
higher than another if it names more dice, or as many of a higher face. A die with the highest face is wild: it counts
for every face. The first player has to bid, and after the highest bid of all only doubting is left. When somebody
doubts, all cups are lifted: if the bid holds, its bidder wins 1 and the doubter loses 1, else the other way round.
Anybody else gets nothing.

With two players these are the rules of OpenSpiel's game of that name. With one die of six sides each, who begins gets
-7/258 on average: OpenSpiel's tests, after T. W. Neller and M. Lanctot, "An introduction to counterfactual regret
minimization" (2013). Without wild dice: P. Burcsi and G. Nagy, "Endgame strategies and simulation results for the
Liar's dice game", Studia Universitatis Babes-Bolyai Informatica 59 (2014).
"""

from typing import NamedTuple

from gamebalance.base.checks import flag, whole_number
from gamebalance.multiplayer.protocols import CHANCE, OVER

MOST_PLAYERS, MOST_DICE, MOST_SIDES = 6, 5, 6
DOUBT = "doubt"


class Bid(NamedTuple):
    """At least `count` of all dice show `face`; the higher of two bids is the one that comes later as a tuple."""

    count: int  # type: ignore[assignment]  # which tuples have as a method
    face: int


class DiceState(NamedTuple):
    """Faces rolled so far, one player's dice after another's, and the bids so far; whether the last one is doubted."""

    rolled: tuple[int, ...] = ()
    bids: tuple[Bid, ...] = ()
    doubted: bool = False


class LiarsDice:
    """Liar's dice for 2 to 6 players, each with as many `dice` of as many `sides`; without `wild`, no face is special.

    Moves of a player are bids, ``Bid(count, face)``, and "doubt"; those of chance are faces, from 1. Information is the
    own dice, sorted, and all bids so far. The tree doubles with every bid that there is: four sides are a small game.

    >>> game = LiarsDice(sides=2)
    >>> game.moves(DiceState((1, 2), (Bid(1, 2),)))
    (Bid(count=2, face=1), Bid(count=2, face=2), 'doubt')
    """

    def __init__(self, players: int = 2, dice: int = 1, sides: int = 4, wild: bool = True):
        self.players = whole_number("players", players, 2, MOST_PLAYERS)
        self.dice = whole_number("dice", dice, 1, MOST_DICE)
        self.sides = whole_number("sides", sides, 2, MOST_SIDES)
        self.wild = flag("wild", wild)
        counts, faces = range(1, self.players * self.dice + 1), range(1, self.sides + 1)
        self._bids = tuple(Bid(count, face) for count in counts for face in faces)

    def __repr__(self) -> str:
        return f"LiarsDice(players={self.players}, dice={self.dice}, sides={self.sides}, wild={self.wild})"

    def start(self) -> DiceState:
        return DiceState()

    def mover(self, state: DiceState) -> int:
        if self._rolling(state):
            return CHANCE
        return OVER if state.doubted else len(state.bids) % self.players

    def moves(self, state: DiceState) -> tuple | dict:
        if self._rolling(state):
            return dict.fromkeys(range(1, self.sides + 1), 1 / self.sides)
        if not state.bids:
            return self._bids
        return (*self._bids[self._bids.index(state.bids[-1]) + 1 :], DOUBT)

    def play(self, state: DiceState, move) -> DiceState:
        if self._rolling(state):
            return state._replace(rolled=(*state.rolled, move))
        return state._replace(doubted=True) if move == DOUBT else state._replace(bids=(*state.bids, move))

    def payoffs(self, state: DiceState) -> tuple[int, ...]:
        """1 and -1 for bidder and doubter, or for doubter and bidder; zeros before anybody doubts."""
        if not state.doubted:
            return (0,) * self.players
        doubter = len(state.bids) % self.players
        stakes = {(doubter - 1) % self.players: 1, doubter: -1}
        sign = 1 if self.holds(state.rolled, state.bids[-1]) else -1
        return tuple(sign * stakes.get(player, 0) for player in range(self.players))

    def information(self, state: DiceState) -> tuple:
        first = self.mover(state) * self.dice
        return tuple(sorted(state.rolled[first : first + self.dice])), state.bids

    def holds(self, rolled: tuple[int, ...], bid: Bid) -> bool:
        """Whether a bid is true of all the dice."""
        count, face = bid
        return rolled.count(face) + (self.wild and face < self.sides) * rolled.count(self.sides) >= count

    def _rolling(self, state: DiceState) -> bool:
        return len(state.rolled) < self.players * self.dice
