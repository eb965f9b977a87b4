"""The rules of Count-N, a hand game for two, in plain Python.

Each player has two hands, and each hand shows a number from 1 to N - 1 or is *withdrawn*. At the start all four show 1.
The players move in turn. The mover picks one of the two own hands and one of the opponent's and adds the opponent's
number to the own one; the opponent's hands stay as they are, and nobody may pass or add an own number. If the sum is N,
the hand is withdrawn for good. If it is greater, the hand *overflows*: under ``"one"``, the rule of the study
(*Count-8*, 凑 8), it shows 1 again; under ``"rollover"`` it shows the sum less N. Who has withdrawn both hands has won.
A win is *big* while the loser has both hands, else *small*. A game that never ends is a draw.
"""

from dataclasses import dataclass
from functools import cached_property

from gamebalance.base.checks import one_of, shown, whole_number

#: What a hand shows after a sum greater than N: 1, or the sum less N.
OVERFLOWS = ("one", "rollover")

#: More than this is refused. For 256 the values and distances of every position need 3 GiB, more than other tables of
#: this library may; they are what the long run is for.
LARGEST_N = 256

#: The two hands of one player, the smaller number first and None, for a withdrawn hand, last.
Hands = tuple[int | None, int | None]

#: The hands of a player who has withdrawn both.
WITHDRAWN: Hands = (None, None)

#: The hands of the mover and of the opponent at the start.
START: tuple[Hands, Hands] = ((1, 1), (1, 1))


@dataclass(frozen=True)
class Move:
    """A legal move: `own` and the opponent's number `added` are summed, `hands` is the result."""

    own: int
    added: int
    hands: Hands


@dataclass(frozen=True)
class Game:
    """Count-N, `n` from 2 to 256, with one of the rules for `overflow` in `OVERFLOWS`.

    >>> Game(8).moves((1, 7), (2, 6))[0]
    Move(own=1, added=2, hands=(3, 7))
    """

    n: int
    overflow: str = "one"

    def __post_init__(self) -> None:
        object.__setattr__(self, "n", whole_number("n", self.n, 2, LARGEST_N))
        one_of("overflow", self.overflow, OVERFLOWS)

    @cached_property
    def pairs(self) -> tuple[Hands, ...]:
        """All pairs of hands: those without a withdrawn hand by the larger number, then those with one, then both."""
        both = [(low, high) for high in range(1, self.n) for low in range(1, high + 1)]
        return (*both, *((number, None) for number in range(1, self.n)), WITHDRAWN)

    def total(self, own: int, added: int) -> int | None:
        """What a hand of `own` shows after `added`: 1 to n - 1, or None if it is withdrawn."""
        total = own + added
        if total == self.n:
            return None
        if total < self.n:
            return total
        return 1 if self.overflow == "one" else total - self.n

    def moves(self, mover: Hands, opponent: Hands) -> list[Move]:
        """The legal moves, one for each result; none if the game is over."""
        found: dict = {}
        for hand in (0, 1):
            own, kept = mover[hand], mover[1 - hand]
            for added in opponent:
                if own is not None and added is not None:
                    hands = in_order(self.total(own, added), kept)
                    found.setdefault(hands, Move(own, added, hands))
        return list(found.values())

    def successors(self, mover: Hands, opponent: Hands) -> list[tuple[Hands, Hands]]:
        """The positions after one move, as hands of the next mover and of his opponent."""
        return [(opponent, move.hands) for move in self.moves(mover, opponent)]

    def check_hands(self, name: str, hands) -> Hands:
        """`hands` in order, if they are two hands of this game; else a ValueError that names the argument."""
        numbers = hands if isinstance(hands, tuple | list) else ()
        if len(numbers) != 2 or not all(self._is_hand(number) for number in numbers):
            allowed = f"two hands are needed, each a whole number from 1 to {self.n - 1} or None (withdrawn)"
            raise ValueError(f"{name} = {shown(hands)}: {allowed}")
        return in_order(*(None if number is None else int(number) for number in numbers))

    def check_position(self, mover, opponent) -> tuple[Hands, Hands]:
        """Both players' hands in order, if they are a position of this game; a mover without hands is in none."""
        position = self.check_hands("mover", mover), self.check_hands("opponent", opponent)
        if position[0] == WITHDRAWN:
            raise ValueError(f"mover = {shown(mover)}: a side to move shows at least one hand, or the game was over")
        return position

    def _is_hand(self, number) -> bool:
        if number is None:
            return True
        try:
            return 1 <= whole_number("hand", number, 1, self.n - 1)
        except ValueError:
            return False


def in_order(first: int | None, second: int | None) -> Hands:
    """A pair of hands with the smaller number first and a withdrawn hand last."""
    if first is None or (second is not None and second < first):
        return second, first
    return first, second


def end_value(mover: Hands) -> int:
    """What the end of a game is worth to the mover, whose opponent has withdrawn both hands: -2 (big) or -1 (small)."""
    return -2 if None not in mover else -1
