"""What the checks of the protocols let through."""

import math
from fractions import Fraction

import numpy as np
import pytest

from gamebalance import games
from gamebalance.multiplayer.protocols import check_game, check_payoffs, check_probabilities
from tests.refusals import refuses


@pytest.mark.parametrize("values", [[1], (0.5, 0.5), [Fraction(1, 3)] * 3, np.full(10, 0.1), [0.5, 0.5 + 9e-10]])
def test_probabilities(values):
    assert check_probabilities("p", values) == check_probabilities("p", iter(values)) == tuple(values)


def test_payoffs_of_numpy():
    assert check_payoffs(GAME, np.array([1, 2]), "s") == (1, 2)


def game_of(players):
    game = games.RandomTree(2, 2, 2, 0)
    game.players = players
    return game


GAME = game_of(2)
ONE_FOR_EACH = r"^payoffs = array.* of state 's': a number for each of 2 players is needed$"
PLAYERS = r"^game.players = .*: a whole number, 1 or more, is needed$"

test_what_is_refused = refuses(
    (lambda: check_probabilities("p", 0.5), r"^p = 0.5: probabilities, 0 or more, are needed$"),
    (lambda: check_probabilities("p", [1.5, -0.5]), r"^p = \(1.5, -0.5\): probabilities, 0 or more"),
    (lambda: check_probabilities("p", [math.nan, 1]), r"^p = \(nan, 1\): probabilities"),
    (lambda: check_probabilities("p", [0.5, 0.25]), r"^p = \(0.5, 0.25\): the probabilities sum to 0.75, not to 1$"),
    (lambda: check_probabilities("p", [0.5, 0.5 + 2e-9]), r"^p = .*: the probabilities sum to 1.000000002, not to 1$"),
    (lambda: check_payoffs(GAME, np.array([[1, 2], [3, 4]]), "s"), ONE_FOR_EACH),
    (lambda: check_game(game_of(0)), PLAYERS),
    (lambda: check_game(game_of(None)), PLAYERS),
)
