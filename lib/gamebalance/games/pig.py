"""Pig: throw the die as often as you dare, and hold before it shows a 1.

In a turn the player throws a die, again and again. A 1 ends the turn with nothing. Any other number is added to the
turn total, and the player rolls once more or holds: then the total is banked, and the next player throws. Who first has
`goal` points has won; so whoever has them together with the turn total need not hold first. With a coin instead of a
die (`sides` = 2) it is Piglet: heads count 1, tails end the turn.

T. W. Neller and C. G. M. Presser, "Optimal play of the dice game Pig", UMAP Journal 25 (2004): with two players, 100
points and best play the one who begins wins 53.06% of the games.
"""

from typing import NamedTuple

from gamebalance.base.checks import whole_number
from gamebalance.multiplayer.protocols import CHANCE, OVER

ROLL, HOLD = "roll", "hold"
LOST = 0  #: What chance moves for a 1, or for tails.


class PigState(NamedTuple):
    """Points that are banked, who is to move, the turn total, and whether the die is in the air."""

    scores: tuple[int, ...]
    mover: int = 0
    total: int = 0
    thrown: bool = True


class Pig:
    """Pig for 2 players and more. Players' moves are "roll" and "hold"; those of chance the points thrown, 0 for a 1.

    Two throw a coin for one point: who begins wins two times of three.

    >>> from gamebalance.fairness.reports.exact import endings
    >>> endings(Pig(goal=1, sides=2)).tally("seat").means.round(3).tolist()
    [0.667, 0.333]
    """

    def __init__(self, players: int = 2, goal: int = 100, sides: int = 6):
        self.players, self.goal = whole_number("players", players, 2, 10), whole_number("goal", goal, 1)
        self.sides = whole_number("sides", sides, 2)

    def __repr__(self) -> str:
        return f"Pig(players={self.players}, goal={self.goal}, sides={self.sides})"

    def start(self) -> PigState:
        return PigState((0,) * self.players)

    def mover(self, state: PigState) -> int:
        if max(state.scores) == self.goal:
            return OVER
        return CHANCE if state.thrown else state.mover

    def moves(self, state: PigState) -> tuple | dict:
        if not state.thrown:
            return ROLL, HOLD
        points = range(2, self.sides + 1) if self.sides > 2 else (1,)
        return dict.fromkeys((LOST, *points), 1 / self.sides)

    def play(self, state: PigState, move) -> PigState:
        if move == ROLL:
            return state._replace(thrown=True)
        if move == HOLD:
            return self._banked(state, state.total)
        if move == LOST:
            return self._banked(state, 0)
        total, needed = state.total + move, self.goal - state.scores[state.mover]
        return self._banked(state, needed) if total >= needed else state._replace(total=total, thrown=False)

    def payoffs(self, state: PigState) -> tuple[float, ...]:
        """1 for the winner and 0 for the others; before the end, what part of the goal each has banked."""
        over = self.mover(state) == OVER
        return tuple(float(score == self.goal) if over else score / self.goal for score in state.scores)

    def _banked(self, state: PigState, points: int) -> PigState:
        scores = list(state.scores)
        scores[state.mover] += points
        return PigState(tuple(scores), (state.mover + 1) % self.players)
