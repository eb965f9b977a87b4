"""Games in normal form, for the tests: random ones, and some that everybody knows."""

import numpy as np
from hypothesis import strategies as st

from gamebalance.multiplayer.normal_form import NormalFormGame

SEEDS = st.integers(0, 2**32 - 1)

#: To defect is dominant, and worse for both.
PRISONERS = NormalFormGame.from_bimatrix([[3, 0], [5, 1]], [[3, 5], [0, 1]])
#: The stag is better for both, the hare safer.
STAG_HUNT = NormalFormGame.from_bimatrix([[4, 0], [3, 3]], [[4, 3], [0, 3]])
#: Two pure equilibria and a mixed one, (2/3, 1/3) and (1/3, 2/3).
SEXES = NormalFormGame.from_bimatrix([[2, 0], [0, 1]], [[1, 0], [0, 2]])


def random_game(seed, most=4):
    """A game of one to four players with small whole payoffs, so that ties occur, and the generator."""
    rng = np.random.default_rng(seed)
    counts = rng.integers(1, most, size=rng.integers(1, 5))
    return NormalFormGame(rng.integers(-3, 4, size=(len(counts), *counts))), rng


def random_profile(game, rng):
    """A mixed profile in which all strategies are played."""
    return [rng.dirichlet(np.ones(count)) for count in game.counts]
