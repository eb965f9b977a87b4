"""Who sits where in Count-N for two, positions as text, and the game as the searches of `multiplayer` play it.

A position says who is to move only by its order, the mover's hands first. A state says where the two players sit.
"""

import re

from gamebalance.base.checks import shown
from gamebalance.countn.rules import START, WITHDRAWN, Game, Hands, Move, end_value
from gamebalance.multiplayer.protocols import OVER

#: The hands of the first and of the second player, and whether the second is to move.
State = tuple[Hands, Hands, bool]

#: Where play begins.
START_STATE: State = (*START, False)


def mover_first(state: State) -> tuple[Hands, Hands]:
    """The hands of who is to move, then the other's."""
    first, second, turn = state
    return (second, first) if turn else (first, second)


def after(state: State, move: Move) -> State:
    """The state that a move of this state leads to."""
    first, second, turn = state
    return (first, move.hands, False) if turn else (move.hands, second, True)


def successors(game: Game, state: State) -> list[State]:
    """The states after one move."""
    return [after(state, move) for move in game.moves(*mover_first(state))]


def hands_text(hands: Hands) -> str:
    """A pair of hands: ``1,7``, ``3,-`` or ``-,-``."""
    return ",".join("-" if number is None else str(number) for number in hands)


def position_text(mover: Hands, opponent: Hands) -> str:
    """A position: ``1,7 v 2,6``."""
    return f"{hands_text(mover)} v {hands_text(opponent)}"


def read_position(text: str, game: Game) -> tuple[Hands, Hands]:
    """The position of this game that a text such as ``1,7 v 2,6`` names, both players' hands in order; else ValueError.

    >>> read_position("7,1 v 3,-", Game(8))
    ((1, 7), (3, None))
    """
    hand = r"\s*([0-9]{1,3}|-)\s*"
    match = re.fullmatch(f"{hand},{hand}v{hand},{hand}", text) if isinstance(text, str) else None
    if not match:
        raise ValueError(f"position = {shown(text)}: such as '1,7 v 2,6' is needed, '-' for a withdrawn hand")
    numbers = [None if number == "-" else int(number) for number in match.groups()]
    return game.check_position(tuple(numbers[:2]), tuple(numbers[2:]))


class TwoPlayerGame:
    """Count-N for two; a `Game` of `multiplayer.protocols`. The winner gets 2 or 1, the loser as much less than 0."""

    players = 2

    def __init__(self, n: int, overflow: str = "one"):
        self.rules = Game(n, overflow)

    def start(self) -> State:
        return START_STATE

    def mover(self, state: State) -> int:
        return OVER if WITHDRAWN in state[:2] else int(state[2])

    def moves(self, state: State) -> list[Move]:
        return self.rules.moves(*mover_first(state))

    def play(self, state: State, move: Move) -> State:
        return after(state, move)

    def payoffs(self, state: State) -> tuple[int, int]:
        """What the end is worth to each player, 2 and -2 or 1 and -1; before it nothing."""
        value = end_value(mover_first(state)[0]) if WITHDRAWN in state[:2] else 0
        return (-value, value) if state[2] else (value, -value)
