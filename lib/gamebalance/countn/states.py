"""States of Count-N for two, and the game as the searches of `multiplayer` play it.

A position says who is to move only by its order, the mover's hands first. A state says where the two players sit.
"""

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
