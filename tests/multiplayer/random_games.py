"""Random games in normal form, for the tests."""

import numpy as np
from hypothesis import strategies as st

from gamebalance.multiplayer.normal_form import NormalFormGame

SEEDS = st.integers(0, 2**32 - 1)


def random_game(seed, most=4):
    """A game of one to four players with small whole payoffs, so that ties occur, and the generator."""
    rng = np.random.default_rng(seed)
    counts = rng.integers(1, most, size=rng.integers(1, 5))
    return NormalFormGame(rng.integers(-3, 4, size=(len(counts), *counts))), rng


def random_profile(game, rng):
    """A mixed profile in which all strategies are played."""
    return [rng.dirichlet(np.ones(count)) for count in game.counts]
