"""Can't Stop in small: four dice, columns to climb, and the question whether to throw once more.

There is a column for each sum of two dice. The lowest and the highest have `shortest` steps, each column further in has
two more; with six sides and `shortest` 3 it is the game of Sid Sackson (1980). In a turn the player throws four dice
and parts them into two pairs. For each sum a runner climbs one step in its column, from where the player's marker is.
There are three runners: a sum that needs a fourth is left out, and so is one whose column is won or climbed to the top;
where only one of two sums can have the last runner, the player says which. Who can use no sum loses what was climbed in
this turn. Else the player throws again or stops: the markers go where the runners are. A marker on top has won the
column, and those of the others vanish from it. Who first has three columns has won the game; where all columns might be
won before anybody has three, two are enough, or one. A single player counts the turns.

Best play: J. Glenn, H. Fang, C. Kruskal, "A retrograde approximation algorithm for one-player Can't Stop" (CG 2006).
"""

from collections import Counter
from itertools import permutations, product
from typing import NamedTuple

from gamebalance.base.checks import whole_number
from gamebalance.multiplayer.protocols import CHANCE, OVER

RUNNERS = 3
ROLL, STOP = "roll", "stop"
Steps = tuple[int, ...]  #: How far up in each column.


class CantStopState(NamedTuple):
    """The markers of all players; whose turn it is; that player's runners, and markers where no runner is; the dice.

    The dice are () before they are thrown, and None once they are used: then the player stops, or throws again.
    """

    markers: tuple[Steps, ...]
    mover: int
    runners: Steps
    dice: tuple[int, ...] | None = ()


class CantStop:
    """Can't Stop for 1 to 4 players. Moves are the sums that are used, or "roll" and "stop"; of chance, the dice."""

    def __init__(self, players: int = 2, sides: int = 2, shortest: int = 1):
        self.players, self.sides = whole_number("players", players, 1, 4), whole_number("sides", sides, 2, 6)
        self.shortest, last = whole_number("shortest", shortest, 1), 2 * self.sides - 2
        self.lengths = tuple(self.shortest + 2 * min(column, last - column) for column in range(last + 1))
        self.goal = min(3, last // self.players + 1)
        throws = Counter(tuple(sorted(dice)) for dice in product(range(1, self.sides + 1), repeat=4))
        self.throws = {dice: count / self.sides**4 for dice, count in throws.items()}

    def __repr__(self) -> str:
        return f"CantStop(players={self.players}, sides={self.sides}, shortest={self.shortest})"

    def start(self) -> CantStopState:
        return self._turn(((0,) * len(self.lengths),) * self.players, 0)

    def mover(self, state: CantStopState) -> int:
        return OVER if max(self.payoffs(state)) == 1 else CHANCE if state.dice == () else state.mover

    def moves(self, state: CantStopState) -> tuple | dict:
        if state.dice is None:
            return ROLL, STOP
        return self._uses(state) if state.dice else self.throws

    def play(self, state: CantStopState, move) -> CantStopState:
        if move == ROLL:
            return state._replace(dice=())
        if move == STOP:
            return self._turn(self._stopped(state), state.mover + 1)
        if state.dice:
            return state._replace(runners=self._climb(state, move)[1], dice=None)
        thrown = state._replace(dice=move)
        return thrown if self._uses(thrown) else self._turn(state.markers, state.mover + 1)

    def payoffs(self, state: CantStopState) -> tuple[float, ...]:
        """1 for the winner and 0 for the others; before the end, what part of the columns needed each has won."""
        won = [sum(map(int.__eq__, steps, self.lengths)) / self.goal for steps in state.markers]
        return tuple(float(part >= 1) if max(won) >= 1 else part for part in won)

    def _turn(self, markers: tuple[Steps, ...], player: int) -> CantStopState:
        return CantStopState(markers, player % self.players, markers[player % self.players])

    def _stopped(self, state: CantStopState) -> tuple[Steps, ...]:
        kept = [mine < length for mine, length in zip(state.runners, self.lengths, strict=True)]
        others = [tuple(map(int.__mul__, steps, kept)) for steps in state.markers]
        return (*others[: state.mover], state.runners, *others[state.mover + 1 :])

    def _uses(self, state: CantStopState) -> tuple[Steps, ...]:
        """The ways to use the dice, each as the sums for which runners climb."""
        dice = state.dice or ()
        pairs = {(a + b, sum(dice) - a - b) for a, b in permutations(dice, 2)}
        return tuple(sorted({self._climb(state, sums)[0] for sums in pairs} - {()}))

    def _climb(self, state: CantStopState, sums: Steps) -> tuple[Steps, Steps]:
        """Which of the sums can be used, one after the other, and where the runners are then."""
        used, runners, own = [], list(state.runners), state.markers[state.mover]
        for column in (total - 2 for total in sums):
            closed = any(steps[column] == self.lengths[column] for steps in (runners, *state.markers))
            if not closed and (runners[column] > own[column] or sum(map(int.__gt__, runners, own)) < RUNNERS):
                runners[column] += 1
                used.append(column + 2)
        return tuple(sorted(used)), tuple(runners)
