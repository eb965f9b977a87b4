"""Skull, for one round: lay discs face down, bid how many you can turn over, and bluff that yours are flowers.

Each player has one skull, and flowers. First everybody lays one of these discs face down, unseen. Then each in turn
lays another on top of the own stack, or makes the first bid: a number, at most that of the discs on the table. Who has
no disc left must bid. From then on each in turn bids higher or passes; who has passed is out of the bidding. It ends
when all but the highest bidder have passed, or at once when somebody bids all the discs.

The highest bidder turns over as many discs as were bid: first the own ones, from the top, then top ones of any other
stacks, one at a time. Only flowers win the round for the bidder; at the first skull it ends, and the others share the
win. H. Marly, "Skull & Roses" (2011), where two rounds won are the game, and a failure costs a disc.
"""

from typing import NamedTuple

from gamebalance.base.checks import whole_number
from gamebalance.multiplayer.protocols import OVER

MOST_PLAYERS, MOST_DISCS = 6, 4
FLOWER, SKULL, DISC, PASS = "flower", "skull", "disc", "pass"


class SkullState(NamedTuple):
    """Everybody's discs, lowest first; what all have heard; who is still to move, in turn; whose discs were turned."""

    stacks: tuple[tuple[str, ...], ...]
    heard: tuple[int | str, ...]  # after the first discs: a bid, "pass", or "disc" for one laid unseen
    waiting: tuple[int, ...]
    turned: tuple[int, ...] = ()  # the players whose discs the bidder has turned over after the own


class Skull:
    """One round of Skull for 2 to 6 players with 2 to 4 discs each.

    Moves are "flower", "skull", bids, "pass", and, to turn a disc over, the number of the player who laid it. Payoffs
    are shares of one win. Information is the player's number and stack, what was heard, and whose discs were turned.
    """

    def __init__(self, players: int = 3, discs: int = 2):
        self.players = whole_number("players", players, 2, MOST_PLAYERS)
        self.discs = whole_number("discs", discs, 2, MOST_DISCS)

    def __repr__(self) -> str:
        return f"Skull(players={self.players}, discs={self.discs})"

    def start(self) -> SkullState:
        return SkullState(((),) * self.players, (), tuple(range(self.players)))

    def mover(self, state: SkullState) -> int:
        if len(state.waiting) == 1:
            seen = _seen(state)
            if SKULL in seen or len(seen) == _bid(state):
                return OVER
        return state.waiting[0]

    def moves(self, state: SkullState) -> tuple:
        mover, bid = state.waiting[0], _bid(state)
        if len(state.waiting) == 1:
            left = [len(stack) - state.turned.count(player) for player, stack in enumerate(state.stacks)]
            return tuple(player for player in range(self.players) if player != mover and left[player])
        bids = tuple(range(bid + 1, sum(map(len, state.stacks)) + 1))
        if bid:
            return PASS, *bids
        own = state.stacks[mover]
        hand = (FLOWER,) * (own.count(FLOWER) < self.discs - 1) + (SKULL,) * (SKULL not in own)
        return (*hand, *bids) if own else hand

    def play(self, state: SkullState, move) -> SkullState:
        mover, others = state.waiting[0], state.waiting[1:]
        if not others:
            return state._replace(turned=(*state.turned, move))
        if move == PASS:
            return state._replace(heard=(*state.heard, PASS), waiting=others)
        if move in (FLOWER, SKULL):
            own = state.stacks[mover]
            stacks = (*state.stacks[:mover], (*own, move), *state.stacks[mover + 1 :])
            return SkullState(stacks, (*state.heard, DISC) if own else (), (*others, mover))
        last = move == sum(map(len, state.stacks))
        return state._replace(heard=(*state.heard, move), waiting=(mover,) if last else (*others, mover))

    def payoffs(self, state: SkullState) -> tuple[float, ...]:
        """1 to a bidder who turned only flowers, else parts of 1 to all others; before the end the same to all."""
        if self.mover(state) != OVER:
            return (1 / self.players,) * self.players
        won, lost = (0.0, 1 / (self.players - 1)) if SKULL in _seen(state) else (1.0, 0.0)
        return tuple(won if player == state.waiting[0] else lost for player in range(self.players))

    def information(self, state: SkullState) -> tuple:
        mover = state.waiting[0]
        return mover, state.stacks[mover], state.heard, state.turned


def _bid(state: SkullState) -> int:
    return max((word for word in state.heard if isinstance(word, int)), default=0)


def _seen(state: SkullState) -> list[str]:
    """The discs turned over so far: the bidder's own from the top, as many as are needed, then the others'."""
    own = state.stacks[state.waiting[0]][::-1][: _bid(state)]
    return [*own, *(state.stacks[owner][-1 - state.turned[:n].count(owner)] for n, owner in enumerate(state.turned))]
