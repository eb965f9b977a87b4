"""What the checks of the protocols let through."""

import math
from fractions import Fraction

import numpy as np
import pytest

from gamebalance import games
from gamebalance.multiplayer.protocols import check_game, check_payoffs, check_probabilities


@pytest.mark.parametrize("values", [[1], (0.5, 0.5), [Fraction(1, 3)] * 3, np.full(10, 0.1), [0.5, 0.5 + 9e-10]])
def test_probabilities(values):
    assert check_probabilities("p", values) == check_probabilities("p", iter(values)) == tuple(values)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (0.5, r"^p = 0.5: probabilities, 0 or more, are needed$"),
        ([1.5, -0.5], r"^p = \(1.5, -0.5\): probabilities, 0 or more"),
        ([math.nan, 1], r"^p = \(nan, 1\): probabilities"),
        ([0.5, 0.25], r"^p = \(0.5, 0.25\): the probabilities sum to 0.75, not to 1$"),
        ([0.5, 0.5 + 2e-9], r"^p = .*: the probabilities sum to 1.000000002, not to 1$"),
    ],
)
def test_no_probabilities(values, message):
    with pytest.raises(ValueError, match=message):
        check_probabilities("p", values)


def test_payoffs_of_numpy():
    game = games.RandomTree(2, 2, 2, 0)
    assert check_payoffs(game, np.array([1, 2]), "s") == (1, 2)
    with pytest.raises(ValueError, match=r"^payoffs = array.* of state 's': a number for each of 2 players is needed$"):
        check_payoffs(game, np.array([[1, 2], [3, 4]]), "s")


@pytest.mark.parametrize("players", [0, None])
def test_players_of_a_game(players):
    game = games.RandomTree(2, 2, 2, 0)
    game.players = players
    with pytest.raises(ValueError, match=r"^game.players = .*: a whole number, 1 or more, is needed$"):
        check_game(game)
