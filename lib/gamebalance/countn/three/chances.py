"""What each player can expect when everybody moves at random."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gamebalance.base.checks import in_memory
from gamebalance.base.tabled import Tabled
from gamebalance.countn import rules
from gamebalance.countn.solution import number
from gamebalance.countn.three.kernels import random_chances
from gamebalance.countn.three.rules import PLAYERS, START_STATE, State
from gamebalance.fairness.endings import Endings

if TYPE_CHECKING:
    import pandas

#: Chances are computed until they sum to 1 within this, in every position.
TOLERANCE = 1e-9
MOST_SWEEPS = 100_000


@dataclass(frozen=True)
class RandomPlay(Tabled):
    """Chances of being first out under random play: each lies between the one in `table` and `error` more.

    `table` has the shape (pairs, pairs, pairs, 3): [mover's pair, next player's, previous player's; mover, next or
    previous player].
    """

    table: np.ndarray
    error: float

    def chances(self, state: State) -> tuple[float, ...]:
        """The chances of players 0, 1 and 2 in a state."""
        seen = self.table[tuple(map(number, state.position))].tolist()
        return tuple(seen[(player - state.mover) % PLAYERS] for player in range(PLAYERS))

    @property
    def endings(self) -> Endings:
        """Who is first out when all move at random from the start; within `error`."""
        chances = np.array(self.chances(START_STATE))
        won = np.eye(PLAYERS, dtype=int)
        return Endings({"seat": [1, 2, 3]}, [1] * PLAYERS, chances / chances.sum(), {"won": won}, step="plies")

    def to_frame(self) -> "pandas.DataFrame":
        """A row for each seat: the chance to be first out from the start, at least, and at most.

        Examples
        --------
        >>> random_play(3).to_frame().columns.tolist()
        ['least', 'most']
        """
        import pandas

        least = np.array(self.chances(START_STATE))
        return pandas.DataFrame({"least": least, "most": least + self.error}, pandas.Index([1, 2, 3], name="seat"))

    def _headings(self) -> dict[str, str]:
        return {"least": "chance to be first out, at least", "most": "at most"}

    def _about(self) -> str:
        return f"Count-N for three who move at random: exact within {self.error:.0e}"


def random_play(n: int, overflow: str = "one") -> RandomPlay:
    """Chances of every position when each move is drawn at random among the different results.

    Refused if the table would need more than 2 GiB (n above 29).
    """
    game = rules.Game(n, overflow)
    in_memory(f"n = {game.n}", 8 * PLAYERS * len(game.pairs) ** 3)
    table, missing = random_chances(game.n, overflow == "rollover", TOLERANCE, MOST_SWEEPS)
    if missing > TOLERANCE:
        raise ValueError(f"n = {n}: after {MOST_SWEEPS} sweeps the chances still miss {missing:.2g}")
    return RandomPlay(table, missing)
