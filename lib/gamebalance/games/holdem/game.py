"""The game: each seat in turn goes all-in or folds."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gamebalance.base.checks import shown, whole_number
from gamebalance.base.kinds import Real
from gamebalance.games.holdem.deals import Deals

FOLD, PUSH = "f", "p"

#: The greatest bet or stack.
MOST_CHIPS = 1e9

_SEATS = ("cutoff", "button", "small blind", "big blind")


def _chips(name: str, value) -> float:
    """`value` as a float, if it is a number from 0 to `MOST_CHIPS`."""
    if isinstance(value, bool) or not isinstance(value, Real) or not 0 <= value <= MOST_CHIPS:
        raise ValueError(f"{name} = {shown(value)}: a number from 0 to {MOST_CHIPS:g} is needed")
    return float(value)


@dataclass(frozen=True, eq=False)
class PushFold:
    """All-in or fold before the first board card.

    The seats act once each, the big blind last. Whoever is all-in when all have acted shows down; nobody else can win.
    When all others fold, the big blind wins without acting. With two players the button is the small blind. The stack
    is that of every player before the blinds, in the unit of the forced bets; the ante is paid by everyone.

    >>> from gamebalance.games import holdem
    >>> game = holdem.PushFold(holdem.one_card([0, 1, 2], players=2), stack=1.5)
    >>> holdem.minimax(game).frequency()  # of three cards the higher two are pushed, and the lowest once in five times
    0.7333333333333334
    """

    deals: Deals
    stack: float = 10.0
    small_blind: float = 0.5
    big_blind: float = 1.0
    ante: float = 0.0

    def __post_init__(self) -> None:
        if not isinstance(self.deals, Deals):
            raise ValueError(f"deals = {shown(self.deals)}: Deals are needed")
        for name in ("stack", "small_blind", "big_blind", "ante"):
            object.__setattr__(self, name, _chips(name, getattr(self, name)))
        if self.stack < max(self.small_blind, self.big_blind) + self.ante or self.stack == 0:
            raise ValueError(f"stack = {self.stack:g}: it must cover blind and ante, and be more than 0")

    @property
    def players(self) -> int:
        return self.deals.players

    @property
    def seats(self) -> tuple[str, ...]:
        """Names of the seats in the order of acting."""
        return _SEATS[-self.players :]

    @property
    def nodes(self) -> int:
        """Number of decisions: `node` counts them; the last seat's, when all have folded, is void."""
        return 2**self.players - 1

    def node(self, actions: str) -> int:
        """The number of the decision after these actions, seat by seat, "p" all-in and "f" fold."""
        if not isinstance(actions, str) or len(actions) >= self.players or set(actions) - {FOLD, PUSH}:
            raise ValueError(f"actions = {shown(actions)}: fewer than {self.players} of 'f' and 'p' are needed")
        return 2 ** len(actions) - 1 + self.pushed(actions)

    def actions(self, node: int) -> str:
        """What led to a decision: the inverse of `node`."""
        node = whole_number("node", node, 0, self.nodes - 1)
        seat = (node + 1).bit_length() - 1
        return "".join(PUSH if (node + 1) >> earlier & 1 else FOLD for earlier in range(seat))

    @staticmethod
    def pushed(actions: str) -> int:
        """The set of seats that went all-in, bit by bit."""
        return sum(1 << seat for seat, action in enumerate(actions) if action == PUSH)

    @cached_property
    def posted(self) -> np.ndarray:
        """What each seat pays before the cards, shape (players,)."""
        blinds = np.zeros(self.players)
        blinds[-2:] = self.small_blind, self.big_blind
        return blinds + self.ante

    @cached_property
    def paid(self) -> np.ndarray:
        """What each seat has paid in the end, by the set of seats all-in, shape (players, 2^players)."""
        sets = np.arange(2**self.players)
        all_in = sets >> np.arange(self.players)[:, None] & 1
        return np.where(all_in, self.stack, self.posted[:, None])

    @cached_property
    def pots(self) -> np.ndarray:
        """Chips in the pot by the set of seats all-in, shape (2^players,)."""
        return self.paid.sum(axis=0)
