"""Games in normal form: construction, payoffs, replies, regrets; and what is refused."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings

from gamebalance.games import matrix_games
from gamebalance.multiplayer.normal_form import NormalFormGame
from tests.multiplayer.random_games import MINORITY, PRISONERS, SEEDS, SEXES, STAG_HUNT, random_game, random_profile
from tests.refusals import refuses

JORDAN = matrix_games.jordan()


def plain_payoffs(game, profile):
    """Expected payoffs by summing over all outcomes."""
    total = np.zeros(game.players)
    for outcome in product(*map(range, game.counts)):
        chance = np.prod([mix[k] for mix, k in zip(profile, outcome, strict=True)])
        total += chance * game.payoffs[(slice(None), *outcome)]
    return total


@settings(max_examples=60)
@given(SEEDS)
def test_payoffs_replies_and_regrets_by_definition(seed):
    game, rng = random_game(seed)
    profile = random_profile(game, rng)
    gains = []
    for player in range(game.players):
        alone = [[*profile[:player], row, *profile[player + 1 :]] for row in np.eye(game.counts[player])]
        values = np.array([plain_payoffs(game, changed)[player] for changed in alone])
        np.testing.assert_allclose(game.strategy_payoffs(profile, player), values, atol=1e-12)
        gains.append(values.max() - plain_payoffs(game, profile)[player])
    np.testing.assert_allclose(game.regrets(profile), gains, atol=1e-12)
    assert game.nash_conv(profile) == pytest.approx(sum(gains), abs=1e-12)


@pytest.mark.parametrize(
    ("game", "profile", "worth"),
    [
        (matrix_games.matching_pennies(), [[0.5, 0.5]] * 2, 0),
        (matrix_games.rock_paper_scissors(), [[1 / 3] * 3] * 2, 0),
        (matrix_games.shapley(), [[1 / 3] * 3] * 2, 1 / 3),
        (PRISONERS, [[0, 1]] * 2, 1),
        (STAG_HUNT, [[3 / 4, 1 / 4]] * 2, 3),
        (SEXES, [[2 / 3, 1 / 3], [1 / 3, 2 / 3]], 2 / 3),
        (JORDAN, [[0.5, 0.5]] * 3, 0),
        (MINORITY, [[0.5, 0.5]] * 3, 1 / 4),
        (MINORITY, [[1, 0], [0, 1], [0.2, 0.8]], 0.8),
    ],
)
def test_known_equilibria(game, profile, worth):
    assert game.strategy_payoffs(profile, 0) @ profile[0] == pytest.approx(worth, abs=1e-12)
    assert game.nash_conv(profile) == pytest.approx(0, abs=1e-12) and (game.regrets(profile) >= 0).all()


@pytest.mark.parametrize(
    ("game", "start", "nash_conv"),
    [
        (matrix_games.matching_pennies(), (0, 0), 2),
        (matrix_games.rock_paper_scissors(), (0, 0), 2),
        (matrix_games.rock_paper_scissors(), (0, 1), 2),
        (matrix_games.shapley(), (0, 2), 2),
        (PRISONERS, (0, 0), 4),
        (STAG_HUNT, (0, 1), 4),
        (SEXES, (1, 0), 4),
        (SEXES, (0, 1), 2),
        (JORDAN, (0, 0, 0), 2),
        (MINORITY, (0, 0, 0), 3),
    ],
)
def test_nash_conv_elsewhere_by_hand(game, start, nash_conv):
    assert game.nash_conv(game.pure(start)) == nash_conv


def test_three_ways_to_give_a_game():
    names = [["a", "b"], ["c", "d", "e"]]
    table = {(x, y): (len(x + y) + (x == "b"), "cde".index(y)) for x, y in product(*names)}
    array = [[[2, 2, 2], [3, 3, 3]], [[0, 1, 2], [0, 1, 2]]]
    for game in (
        NormalFormGame(array, names),
        NormalFormGame.from_function(names, lambda x, y: table[x, y]),
        NormalFormGame.from_bimatrix(*array, names=names),
    ):
        np.testing.assert_array_equal(game.payoffs, array)
        assert game.names == (("a", "b"), ("c", "d", "e")) and game.counts == (2, 3) and game.players == 2
    zero = NormalFormGame.from_bimatrix([[1, -2]])
    np.testing.assert_array_equal(zero.payoffs, [[[1, -2]], [[-1, 2]]])
    assert zero.names == ((0,), (0, 1))


def test_the_payoffs_of_a_game_are_its_own():
    array = np.zeros((1, 2))
    game = NormalFormGame(array)
    array[0, 1] = 5
    assert game.payoffs[0, 1] == 0
    with pytest.raises(ValueError, match="read-only"):
        game.payoffs[0, 0] = 1


test_what_is_refused = refuses(
    (lambda: NormalFormGame(np.zeros((3, 2, 2))), r"payoffs of shape \(3, 2, 2\)"),
    (lambda: NormalFormGame([[1, float("nan")]]), "payoffs = .*finite numbers are needed"),
    (lambda: NormalFormGame([[1, 2], [3]]), "payoffs = .*full array of numbers"),
    (lambda: NormalFormGame([[1, 2]], [["x"]]), "names = "),
    (lambda: NormalFormGame([[1, 2]], [["x", "x"]]), "names = "),
    (lambda: NormalFormGame([[10**400, 1]]), "payoffs = .*full array of numbers"),
    (lambda: NormalFormGame([[1, 2]], [[[1], [2]]]), "names = .*different names"),
    (lambda: NormalFormGame.from_function([[0]], lambda a: (1, 2)), r"payoff = \[1, 2\]: a number for each of 1"),
    (lambda: NormalFormGame.from_function([range(100)] * 6, None), "names of .*GiB of memory are needed"),
    (lambda: matrix_games.congestion([[1, float("inf")]]), "costs = .*finite numbers"),
    (lambda: JORDAN.pure((0, 1)), r"strategies = \(0, 1\): a number for each of 3 players"),
    (lambda: JORDAN.nash_conv([[1, 0]] * 2), "profile = .*a distribution for each of 3 players"),
    (lambda: JORDAN.nash_conv([[1, 0], [0.5, 0.4], [1, 0]]), r"profile\[1\] = .*sum to 0.9"),
    (lambda: JORDAN.strategy_payoffs([[1, 0]] * 3, 3), "player = 3: a whole number from 0 to 2"),
)
