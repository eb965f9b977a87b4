"""CFR and CFR+ against the plain recursion, known values and, in test_cfr_peer, OpenSpiel."""

import numpy as np
import pytest

from gamebalance.games.kuhn import Kuhn
from gamebalance.games.kuhn_equilibria import szafron_profile
from gamebalance.games.leduc import Leduc
from gamebalance.multiplayer import cfr
from tests.multiplayer.written_trees import SMALL, Written, kuhn_profile, random_game
from tests.oracles.plain_cfr import PlainCFR
from tests.refusals import refuses


def gap(ours, theirs):
    assert ours.keys() == theirs.keys()
    return max(abs(ours[each][move] - theirs[each][move]) for each in ours for move in ours[each])


@pytest.mark.parametrize("variant", ["cfr", "cfr+"])
@pytest.mark.parametrize("game", [SMALL, Kuhn(2), Kuhn(3), random_game(7), random_game(4, players=4, depth=5)])
def test_kernel_equals_the_plain_recursion(game, variant):
    plain = PlainCFR(game, plus=variant == "cfr+")
    for _ in range(20):
        plain.iterate()
    result = cfr.solve(game, 20, variant)
    assert gap(result.average_strategy, plain.average_strategy()) <= 1e-12
    assert gap(result.last_strategy, plain.strategy) <= 1e-12
    assert result.iterations == 20


def test_two_player_kuhn_reaches_the_known_value_and_family():
    result = cfr.solve(Kuhn(2), 10_000, "cfr+")
    assert result.nash_conv < 1e-4
    # In a two-player zero-sum game the value is within NashConv of the game's.
    assert abs(result.value[0] + 1 / 18) <= result.nash_conv
    bluff = result.average_strategy["0"]["b"]
    assert gap(result.average_strategy, kuhn_profile(min(bluff, 1 / 3))) < 0.01


def test_leduc_reaches_the_known_value():
    result = cfr.solve(Leduc(2), 400, "cfr+")
    # -0.0856064 is the value of two-player Leduc poker as computed by linear programming in the literature.
    assert abs(result.value[0] + 0.0856064) <= result.nash_conv < 0.005


@pytest.mark.parametrize(("variant", "iterations"), [("cfr+", 10_000), ("dcfr", 4_000), ("pcfr+", 5_000)])
def test_three_player_kuhn_reaches_an_equilibrium_of_the_family(variant, iterations):
    result = cfr.solve(Kuhn(3), iterations, variant, trace=[10, iterations])
    assert result.nash_conv <= 1e-6 and sum(result.gains) == pytest.approx(result.nash_conv, abs=1e-12)
    beta = 24 * result.value[2] - 1
    assert -1e-4 <= beta <= 1 / 4
    assert result.value == pytest.approx((-(1 / 2 + beta) / 24, -1 / 48, (1 + beta) / 24), abs=1e-6)
    first, last = result.trace
    assert (first.iteration, last.iteration) == (10, iterations)
    assert last.nash_conv == result.nash_conv and first.nash_conv > 0.01
    assert result.nash_conv == pytest.approx(cfr.nash_conv(Kuhn(3), result.average_strategy).total, abs=1e-12)


def one_set(payoffs):
    return Written(1, (0, "?", {move: (payoff,) for move, payoff in enumerate(payoffs)}))


#: The first player wins 3 when both show heads, 1 when both show tails; else loses 1.
PENNIES = np.array([[3.0, -1.0], [-1.0, 1.0]])


def test_discounted_and_predictive_cfr_by_hand():
    shown = {i: (1, "b", {j: (PENNIES[i, j], -PENNIES[i, j]) for j in (0, 1)}) for i in (0, 1)}
    for variant, steps in (("dcfr", _dcfr_of_pennies(6)), ("pcfr+", _pcfr_of_pennies(8))):
        for iterations, expected in enumerate(steps, start=1):
            result = cfr.solve(Written(2, (0, "a", shown)), iterations, variant).last_strategy
            assert (result["a"][0], result["b"][0]) == pytest.approx(expected, abs=1e-12)


def _regrets(x, y):
    first, second = PENNIES @ y, -(x @ PENNIES)
    return first - x @ first, second - y @ second


def _matched(regrets):
    positive = np.maximum(regrets, 0)
    return positive / positive.sum() if positive.sum() > 0 else np.array([0.5, 0.5])


def _dcfr_of_pennies(steps):
    mixes, regrets = np.full((2, 2), 0.5), np.zeros((2, 2))
    for t in range(1, steps + 1):
        kept = t**1.5 / (t**1.5 + 1)
        for player in (0, 1):
            own = regrets[player] + _regrets(*mixes)[player]
            regrets[player] = np.where(own > 0, own * kept, own / 2)
            mixes[player] = _matched(regrets[player])
        yield mixes[:, 0].copy()


def _pcfr_of_pennies(steps):
    mixes, regrets = np.full((2, 2), 0.5), np.zeros((2, 2))
    for _ in range(steps):
        for player in (0, 1):
            news = _regrets(*mixes)[player]
            regrets[player] = np.maximum(regrets[player] + news, 0)
            mixes[player] = _matched(regrets[player] + news)
        yield mixes[:, 0].copy()


def test_weights_of_the_averages_by_hand():
    # Payoffs 1 and 0: uniform in iteration 1, then always the better move.
    for variant, weights in (("cfr", (1, 1, 1)), ("cfr+", (1, 2, 3)), ("dcfr", (1, 4, 9)), ("pcfr+", (1, 4, 9))):
        average = cfr.solve(one_set((1, 0)), 3, variant).average_strategy["?"]
        assert average[0] == pytest.approx((0.5 * weights[0] + weights[1] + weights[2]) / sum(weights))


def test_a_start_is_the_first_strategy():
    start = szafron_profile(0.1, 0.2)
    first = cfr.solve(Kuhn(3), 1, "cfr", start=start)
    assert first.average_strategy["0"] == start["0"] and first.average_strategy["3"] == start["3"]


def test_tied_players_play_alike():
    """Hawks and doves, V = 1 and C = 4: a quarter of hawks; players who are not tied find one hawk and one dove."""
    pays = {("h", "h"): -1.5, ("h", "d"): 1, ("d", "h"): 0, ("d", "d"): 0.5}
    shown = {one: (1, "b", {other: (pays[one, other], pays[other, one]) for other in "hd"}) for one in "hd"}
    game = Written(2, (0, "a", shown))
    tied, apart = (cfr.solve(game, 4_000, "cfr+", tied=numbers) for numbers in ((0, 1, 0, 1), None))
    assert tied.average_strategy["a"] == tied.average_strategy["b"]
    assert tied.average_strategy["a"]["h"] == pytest.approx(0.25, abs=1e-3) and tied.nash_conv < 1e-3
    assert abs(apart.average_strategy["a"]["h"] - apart.average_strategy["b"]["h"]) > 0.99
    together = cfr.solve(game, 1, "cfr", tied=range(4)).last_strategy  # to halves of both, d is the better answer
    assert together == {"a": {"h": 0, "d": 1}, "b": {"h": 0, "d": 1}}


def test_a_long_run_is_the_same_in_one_piece_and_in_many():
    whole = cfr.solve(Kuhn(2), 500, "cfr+")
    pieces = cfr.solve(Kuhn(2), 500, "cfr+", trace=range(1, 501, 7))
    assert whole.average_strategy == pieces.average_strategy and len(pieces.trace) == 72


def test_never_reached_sets_are_uniform_in_the_average():
    game = Written(1, (0, "a", {"x": (1,), "y": (0, "b", {"u": (0,), "v": (-1,)})}))
    start = {"a": {"x": 1}, "b": {"u": 0.25, "v": 0.75}}
    assert cfr.solve(game, 1, start=start).average_strategy["b"] == {"u": 0.5, "v": 0.5}


test_bad_arguments_are_refused = refuses(
    (lambda: cfr.solve(Kuhn(2), 0), "iterations = 0"),
    (lambda: cfr.solve(Kuhn(2), 10, "mccfr"), r"variant = 'mccfr': one of 'cfr', 'cfr\+', 'dcfr', 'pcfr\+' is needed"),
    (lambda: cfr.solve(Kuhn(2), 10, "cfr", [11]), "trace = 11: a whole number from 1 to 10"),
    (lambda: cfr.solve(Kuhn(2), 1, tied=range(3)), r"tied: shape \(3,\), but the tree has 24 sequences"),
    (lambda: cfr.solve(Kuhn(2), 1, tied=range(1, 25)), r"tied = range\(1, 25\): whole numbers from 0 to 23 are"),
    (lambda: cfr.solve(Kuhn(2), 1, tied=[0.5] * 24), "tied = .*: whole numbers from 0 to 23 are needed"),
    (lambda: cfr.solve(Kuhn(2), 1, order=(1, 0), tied=range(24)), r"order = \(1, 0\): those who are tied update"),
    (lambda: cfr.solve(Kuhn(3), 1, start={}), "48 information sets are missing"),
)
