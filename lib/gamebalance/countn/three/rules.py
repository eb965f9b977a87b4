"""The rules of Count-N for three players, as a game that the searches of `multiplayer` can play.

Three players sit in a circle, each with two hands, and all six hands show 1. They move in turn. The mover picks one of
the two own hands and one hand of *either* opponent and adds the opponent's number to the own one. What the hand then
shows, and when it is withdrawn, is as in the game for two (`countn.rules`). Nobody may pass or add an own number.

Whoever first withdraws both hands is first out: that player wins and the game ends, for the other two alike. There is
no second place. A game that never ends is a draw, in which nobody wins.
"""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from gamebalance.base.checks import shown, whole_number
from gamebalance.countn import rules
from gamebalance.countn.notation import hands_text
from gamebalance.countn.rules import WITHDRAWN, Hands, Move

PLAYERS = 3
#: Whether a winner, and which.
_WON = tuple(tuple(float(player == winner) for player in range(PLAYERS)) for winner in range(PLAYERS))
_NOBODY = (0.0,) * PLAYERS


class State(NamedTuple):
    """The hands of players 0, 1 and 2, and who is to move."""

    hands: tuple[Hands, Hands, Hands] = ((1, 1),) * PLAYERS
    mover: int = 0

    @property
    def position(self) -> tuple[Hands, Hands, Hands]:
        """The hands of the mover, of the next player and of the previous one."""
        return self.hands[self.mover :] + self.hands[: self.mover]

    def __str__(self) -> str:
        """The position with the mover first: ``1,1 v 1,2 v 2,-``."""
        return " v ".join(map(hands_text, self.position))


#: All hands show 1, and player 0 begins.
START_STATE = State()


class ThreePlayerGame:
    """Count-N for three players; a `PassingGame` of `multiplayer.protocols`.

    The winner gets 1, the others 0. A draw pays nobody anything, so it is no better than a loss. `leaves` says what
    `payoffs` answers for a state while the game is not over: what a search puts at its depth limit. By default 0 for
    everybody, as for an endless game; then searches see only what they reach. The chances of `random_play` know nothing
    about plans, treat all seats alike, sum to 1, and are what Monte Carlo search estimates by playouts, so that with
    them no method gets a better leaf than another.
    """

    players = PLAYERS

    def __init__(self, n: int, overflow: str = "one", leaves: Callable[[State], tuple[float, ...]] | None = None):
        self.rules = rules.Game(n, overflow)
        self.n, self.overflow = self.rules.n, overflow
        self._leaves = cache(leaves) if leaves else None
        self._moves: dict = {}

    def __repr__(self) -> str:
        return f"ThreePlayerGame({self.n}, overflow={self.overflow!r})"

    def start(self) -> State:
        return START_STATE

    def is_over(self, state: State) -> bool:
        return WITHDRAWN in state.hands

    def mover(self, state: State) -> int:
        return state.mover

    def moves(self, state: State) -> tuple[Move, ...]:
        """The legal moves, one for each result, first those that add a hand of the next player; none at the end."""
        position = state.position
        if position not in self._moves:
            mover, *opponents = position
            found: dict[Hands, Move] = {}
            for opponent in opponents:
                for move in self.rules.moves(mover, opponent):
                    found.setdefault(move.hands, move)
            self._moves[position] = () if self.is_over(state) else tuple(found.values())
        return self._moves[position]

    def play(self, state: State, move: Move) -> State:
        hands, mover = state
        return State((*hands[:mover], move.hands, *hands[mover + 1 :]), (mover + 1) % PLAYERS)

    def hand_to(self, state: State, player: int) -> State:
        """The same hands with another player to move."""
        return State(state.hands, whole_number("player", player, 0, PLAYERS - 1))

    def winner(self, state: State) -> int | None:
        """The player who is out, None if the game is not over."""
        return state.hands.index(WITHDRAWN) if self.is_over(state) else None

    def payoffs(self, state: State) -> tuple[float, ...]:
        """1 for the winner and 0 for the others; before the end, as `leaves` says."""
        if self.is_over(state):
            return _WON[self.winner(state)]
        return self._leaves(state) if self._leaves else _NOBODY

    def check_state(self, state) -> State:
        """`state` as a `State` with hands in order, if it can stand on the table: who is out has moved last."""
        if not isinstance(state, tuple) or len(state) != 2 or not isinstance(state[0], tuple | list):
            raise ValueError(f"state = {shown(state)}: a State, three pairs of hands and the mover, is needed")
        if len(state[0]) != PLAYERS:
            raise ValueError(f"state = {shown(state)}: the hands of {PLAYERS} players are needed")
        hands = tuple(self.rules.check_hands("hands", pair) for pair in state[0])
        checked = State(hands, whole_number("mover", state[1], 0, PLAYERS - 1))
        if WITHDRAWN in checked.position[:2]:
            raise ValueError(f"state = {shown(state)}: only who moved last can be out, else the game was over before")
        return checked
