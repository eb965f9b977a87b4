"""What each player can expect when everybody moves at random."""

from dataclasses import dataclass
from numbers import Real

import numpy as np

from gamebalance._checks import in_memory, shown
from gamebalance.countn import rules
from gamebalance.countn.solve import number

from ._kernels import random_chances
from .rules import PLAYERS, State

#: Chances are computed until they sum to 1 within this, in every position.
TOLERANCE = 1e-9
#: Rounding alone may leave sums that miss 1 by nearly as much.
LEAST_TOLERANCE = 1e-13
MOST_SWEEPS = 100_000


@dataclass(frozen=True)
class RandomPlay:
    """Chances of being first out under random play.

    Attributes
    ----------
    table : ndarray of float64, shape (pairs, pairs, pairs, 3)
        [mover's pair, next player's, previous player's; mover, next or previous player].
    error : float
        Every chance lies between the one in the table and `error` more.
    """

    table: np.ndarray
    error: float

    def chances(self, state: State) -> tuple[float, ...]:
        """The chances of players 0, 1 and 2 in a state."""
        seen = self.table[tuple(map(number, state.position))].tolist()
        return tuple(seen[(player - state.mover) % PLAYERS] for player in range(PLAYERS))


def random_play(n: int, overflow: str = "one", tolerance: float = TOLERANCE) -> RandomPlay:
    """Chances of every position when each move is drawn at random among the different results.

    Parameters
    ----------
    n, overflow
        As for `ThreePlayerGame`.
    tolerance : float
        How far the three chances of a position may miss 1 in sum; from `LEAST_TOLERANCE` to 1.

    Raises
    ------
    ValueError
        If an argument is not what is allowed, the table would need more than 2 GiB, or the sums do not come that near.
    """
    if isinstance(tolerance, bool) or not isinstance(tolerance, Real) or not LEAST_TOLERANCE <= tolerance <= 1:
        raise ValueError(f"tolerance = {shown(tolerance)}: a number from {LEAST_TOLERANCE:g} to 1 is needed")
    game = rules.Game(n, overflow)
    in_memory(f"n = {game.n}", 8 * PLAYERS * len(game.pairs) ** 3)
    table, missing = random_chances(game.n, overflow == "rollover", tolerance, MOST_SWEEPS)
    if missing > tolerance:
        raise ValueError(f"tolerance = {tolerance}: after {MOST_SWEEPS} sweeps the chances still miss {missing:.2g}")
    return RandomPlay(table, missing)
