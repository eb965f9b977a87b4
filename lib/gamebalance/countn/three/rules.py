"""The rules of Count-N for three players, as a game that the searches of `multiplayer` can play.

Three players sit in a circle, each with two hands, and all six hands show 1. They move in turn. The mover picks one of
the two own hands and one hand of *either* opponent and adds the opponent's number to the own one. What the hand then
shows, and when it is withdrawn, is as in the game for two (`countn.rules`). Nobody may pass or add an own number.
Whoever first withdraws both hands wins and ends the game, for the other two alike. If it never ends, nobody wins.
"""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from gamebalance.base.checks import function, shown, whole_number
from gamebalance.countn.notation import hands_text
from gamebalance.countn.rules import WITHDRAWN, Game, Hands, Move
from gamebalance.multiplayer.protocols import OVER

#: How many sit at the table.
PLAYERS = 3


class State(NamedTuple):
    """The hands of players 0, 1 and 2, and who is to move; as text, with the mover first: ``1,1 v 1,2 v 2,-``."""

    hands: tuple[Hands, Hands, Hands] = ((1, 1),) * PLAYERS
    mover: int = 0

    @property
    def position(self) -> tuple[Hands, Hands, Hands]:
        """The hands of the mover, of the next player and of the previous one."""
        return self.hands[self.mover :] + self.hands[: self.mover]

    def __str__(self) -> str:
        return " v ".join(map(hands_text, self.position))


#: Where play begins.
START_STATE = State()


class ThreePlayerGame:
    """Count-N for three players; a `PassingGame` of `multiplayer.protocols`.

    The winner gets 1, the others 0; a draw is no better than a loss. `leaves` says what `payoffs` answers while the
    game is not over, for a search at its depth limit: by default 0 for everybody, as for an endless game. With the
    chances of `random_play`, which Monte Carlo search estimates by playouts, no method gets a better leaf than another.
    """

    players = PLAYERS

    def __init__(self, n: int, overflow: str = "one", leaves: Callable[[State], tuple[float, ...]] | None = None):
        self.rules = Game(n, overflow)
        self.n, self.overflow = self.rules.n, overflow
        self._leaves, self._moves = leaves and cache(function("leaves", leaves, "state")), {}

    def __repr__(self) -> str:
        return f"ThreePlayerGame({self.n}, overflow={self.overflow!r})"

    def start(self) -> State:
        return START_STATE

    def mover(self, state: State) -> int:
        return OVER if WITHDRAWN in state.hands else state.mover

    def moves(self, state: State) -> tuple[Move, ...]:
        """The legal moves, one for each result, first those that add a hand of the next player; none at the end."""
        own, after, before = position = state.position
        if position not in self._moves:
            found: dict[Hands, Move] = {}
            for move in self.rules.moves(own, after) + self.rules.moves(own, before):
                found.setdefault(move.hands, move)
            self._moves[position] = () if WITHDRAWN in state.hands else tuple(found.values())
        return self._moves[position]

    def play(self, state: State, move: Move) -> State:
        hands, mover = state
        return State((*hands[:mover], move.hands, *hands[mover + 1 :]), (mover + 1) % PLAYERS)

    def hand_to(self, state: State, player: int) -> State:
        return State(state.hands, whole_number("player", player, 0, PLAYERS - 1))

    def winner(self, state: State) -> int | None:
        """The player who is out, None if the game is not over."""
        return state.hands.index(WITHDRAWN) if WITHDRAWN in state.hands else None

    def payoffs(self, state: State) -> tuple[float, ...]:
        """1 for the winner and 0 for the others; before the end, as `leaves` says."""
        if self._leaves and WITHDRAWN not in state.hands:
            return self._leaves(state)
        return tuple(float(hands == WITHDRAWN) for hands in state.hands)

    def check_state(self, state) -> State:
        """`state` as a `State` with hands in order, if it can stand on the table: who is out has moved last."""
        pairs = state[0] if isinstance(state, tuple) and len(state) == 2 and isinstance(state[0], tuple | list) else ()
        if len(pairs) != PLAYERS:
            needed = f"three pairs of hands, the hands of {PLAYERS} players, and who is to move"
            raise ValueError(f"state = {shown(state)}: a State, {needed}, is needed")
        hands = tuple(self.rules.check_hands("hands", pair) for pair in pairs)
        checked = State(hands, whole_number("mover", state[1], 0, PLAYERS - 1))
        if WITHDRAWN in checked.position[:2]:
            raise ValueError(f"state = {shown(state)}: only who moved last can be out, else the game was over before")
        return checked
