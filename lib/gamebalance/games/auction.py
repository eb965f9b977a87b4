"""The sealed-bid auction at the first price: the highest bid wins and is paid.

One thing is for sale. What it is worth to each bidder is drawn, independently, from a list of equally likely values,
and told to that bidder alone. Then all bid at once, each one of the bids allowed. Who bids most gets the thing and pays
that bid, so gains the value less the bid; the others neither pay nor get anything. If several bid most, a fair draw
decides among them, and payoffs are what they get on average.

With values drawn evenly from 0 to 1 and any bids allowed, n bidders are in equilibrium when each bids (n - 1)/n of the
value; the seller then gets (n - 1)/(n + 1) on average, and each bidder 1/(n (n + 1)). W. Vickrey, "Counterspeculation,
auctions, and competitive sealed tenders", Journal of Finance 16 (1961).
"""

from collections.abc import Iterable
from typing import NamedTuple

from gamebalance.base.checks import all_different, listed, number, shown, whole_number
from gamebalance.multiplayer.protocols import CHANCE, OVER

MOST_PLAYERS = 5


class AuctionState(NamedTuple):
    """Values drawn so far and bids made so far, one for each player in turn."""

    values: tuple[float, ...] = ()
    bids: tuple[float, ...] = ()


class FirstPriceAuction:
    """The auction for 2 to 5 bidders; `values` and `bids` are what can be drawn and bid, in any order, none twice.

    They bid one after the other without seeing each other's bids, which is the same as at once. Moves are bids, those
    of chance values. Information is the player's number and value.

    >>> FirstPriceAuction(players=3).payoffs(AuctionState((3, 2, 1), (1, 1, 0)))
    (1.0, 0.5, 0.0)
    """

    def __init__(self, players: int = 3, values: Iterable[float] = (0, 1, 2, 3), bids: Iterable[float] = (0, 1, 2)):
        self.players = whole_number("players", players, 2, MOST_PLAYERS)
        self.values, self.bids = _amounts("values", values), _amounts("bids", bids)

    def __repr__(self) -> str:
        return f"FirstPriceAuction(players={self.players}, values={self.values}, bids={self.bids})"

    def start(self) -> AuctionState:
        return AuctionState()

    def mover(self, state: AuctionState) -> int:
        if len(state.values) < self.players:
            return CHANCE
        return OVER if len(state.bids) == self.players else len(state.bids)

    def moves(self, state: AuctionState) -> tuple | dict:
        if len(state.values) < self.players:
            return dict.fromkeys(self.values, 1 / len(self.values))
        return self.bids

    def play(self, state: AuctionState, move: float) -> AuctionState:
        if len(state.values) < self.players:
            return state._replace(values=(*state.values, move))
        return state._replace(bids=(*state.bids, move))

    def payoffs(self, state: AuctionState) -> tuple[float, ...]:
        """Value less bid to the highest bidder, shared out among several of them; zeros until all have bid."""
        if len(state.bids) < self.players:
            return (0.0,) * self.players
        price = max(state.bids)
        share = 1 / state.bids.count(price)
        pairs = zip(state.values, state.bids, strict=True)
        return tuple((value - price) * share if bid == price else 0.0 for value, bid in pairs)

    def information(self, state: AuctionState) -> tuple[int, float]:
        player = self.mover(state)
        return player, state.values[player]


def _amounts(name: str, amounts: Iterable[float]) -> tuple[float, ...]:
    """The amounts as a tuple, if there are any, none negative and none twice."""
    found = tuple(number(f"{name}[{place}]", amount, 0) for place, amount in enumerate(listed(name, amounts)))
    if not found or not all_different(found):
        raise ValueError(f"{name} = {shown(amounts)}: one or more amounts, each once, are needed")
    return found
