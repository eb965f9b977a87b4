"""What the checks of the protocols let through, and what they refuse."""

import math
from fractions import Fraction

import numpy as np
import pytest

from gamebalance import games
from gamebalance.multiplayer.protocols import check_game, check_payoffs, check_probabilities
from tests.refusals import refuses

GAME, EMPTY = games.RandomTree(2, 2, 2, 0), games.RandomTree(2, 2, 2, 0)
EMPTY.players = 0


@pytest.mark.parametrize("values", [[1], (0.5, 0.5), [Fraction(1, 3)] * 3, np.full(10, 0.1), [0.5, 0.5 + 9e-10]])
def test_numbers_of_any_kind(values):
    assert check_probabilities("p", values) == check_probabilities("p", iter(values)) == tuple(values)
    assert check_payoffs(GAME, np.array([1, 2]), "s") == (1, 2)


test_what_is_refused = refuses(
    (lambda: check_probabilities("p", 0.5), r"^p = 0.5: probabilities, 0 or more, are needed$"),
    (lambda: check_probabilities("p", [math.nan, 1]), r"^p = \(nan, 1\): probabilities"),
    (lambda: check_probabilities("p", [0.5, 0.5 + 2e-9]), r"^p = .*: the probabilities sum to 1.000000002, not to 1$"),
    (
        lambda: check_payoffs(GAME, np.array([[1, 2], [3, 4]]), "s"),
        r"^payoffs = array.*: a number for each of 2 players",
    ),
    (lambda: check_game(EMPTY), r"^game.players = 0: a whole number, 1 or more, is needed$"),
)
