"""Extensive games: trees, best responses, CFR and restricted responses, against enumeration and plain recursion."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from gamebalance.games import Kuhn
from gamebalance.games.leduc import Leduc
from gamebalance.multiplayer import cfr
from gamebalance.multiplayer.cfr import GameTree
from gamebalance.multiplayer.cfr.evaluate import worst_case
from gamebalance.multiplayer.cfr.tree import to_strategy
from tests.multiplayer.kuhn_tables import PURE, chances, payoffs, value
from tests.multiplayer.written_trees import (
    SMALL,
    Written,
    plain_best,
    plain_value,
    pure_strategies,
    random_game,
    uniform_profile,
)
from tests.oracles.plain_cfr import PlainCFR
from tests.refusals import refuses


def written(*root):
    return lambda: GameTree(Written(2, root))


KUHN = Kuhn(2)
UNIFORM = uniform_profile(cfr.GameTree(KUHN))
UNIFORM_BUT_ONE = {each: chances for each, chances in UNIFORM.items() if each != "1pb"}


@settings(max_examples=40)
@given(seed=st.integers(0, 10**6))
def test_best_responses_equal_enumeration_of_pure_strategies(seed):
    game = random_game(seed)
    assume(max(pure_strategies(game, player) for player in range(3)) <= 100)
    tree = cfr.GameTree(game)
    profile = cfr.random_profile(tree, seed)
    values = plain_value(game, profile)
    assert cfr.nash_conv(tree, profile).values == pytest.approx(values, abs=1e-12)
    total = 0.0
    for player in range(3):
        best = plain_best(game, profile, player)
        found = cfr.best_response(tree, profile, player)
        assert found.value == pytest.approx(best, abs=1e-12)
        assert plain_value(game, {**profile, **found.strategy})[player] == pytest.approx(best, abs=1e-12)
        total += best - values[player]
    distance = cfr.nash_conv(game, profile)
    assert distance.total == pytest.approx(total, abs=1e-11) and sum(distance.gains) == pytest.approx(total, abs=1e-11)
    assert distance.values == pytest.approx(values, abs=1e-12)


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
    assert result.iterations == 20


def test_leduc_reaches_the_known_value():
    result = cfr.solve(Leduc(2), 400, "cfr+")
    # -0.0856064 is the value of two-player Leduc poker as computed by linear programming in the literature.
    assert abs(result.value[0] + 0.0856064) <= result.nash_conv < 0.005


def test_three_player_kuhn_reaches_an_equilibrium_of_the_family():
    result = cfr.solve(Kuhn(3), 10_000, "cfr+", trace=[10, 10_000])
    beta = 24 * result.value[2] - 1
    assert -1e-4 <= beta <= 1 / 4 and result.nash_conv <= 1e-6
    assert result.value == pytest.approx((-(1 / 2 + beta) / 24, -1 / 48, (1 + beta) / 24), abs=1e-6)
    assert [each.iteration for each in result.trace] == [10, 10_000] and result.trace[0].nash_conv > 0.01
    assert result.nash_conv == pytest.approx(cfr.nash_conv(Kuhn(3), result.average_strategy).total, abs=1e-12)


def test_tied_players_play_alike():
    """Hawks and doves, V = 1 and C = 4: a quarter of hawks; players who are not tied find one hawk and one dove."""
    pays = {("h", "h"): -1.5, ("h", "d"): 1, ("d", "h"): 0, ("d", "d"): 0.5}
    shown = {one: (1, "b", {other: (pays[one, other], pays[other, one]) for other in "hd"}) for one in "hd"}
    game = Written(2, (0, "a", shown))
    tied, apart = (cfr.solve(game, 4_000, "cfr+", tied=numbers) for numbers in ((0, 1, 0, 1), None))
    assert tied.average_strategy["a"] == tied.average_strategy["b"]
    assert tied.average_strategy["a"]["h"] == pytest.approx(0.25, abs=1e-3) and tied.nash_conv < 1e-3
    assert abs(apart.average_strategy["a"]["h"] - apart.average_strategy["b"]["h"]) > 0.99
    together = cfr.solve(game, 2, "cfr", tied=range(4)).average_strategy  # to halves of both, d is the better answer
    assert together == {"a": {"h": 0.25, "d": 0.75}, "b": {"h": 0.25, "d": 0.75}}


def by_enumeration(player, model, weight):
    """The best of all mixtures of the 64 pure strategies, of what is wanted with this weight."""
    table = np.array([[value(player, own, other) for other in PURE] for own in PURE])
    gain = np.append(weight * payoffs(player, model), 1 - weight)
    least = np.hstack([-table.T, np.ones((len(PURE), 1))])
    bounds = [(0, 1)] * len(PURE) + [(None, None)]
    one = [[1] * len(PURE) + [0]]
    return -linprog(-gain, least, np.zeros(len(PURE)), one, [1], bounds).fun


@pytest.mark.parametrize("player", (0, 1))
@pytest.mark.parametrize("seed", range(3))
def test_it_is_the_best_mixture_of_all_pure_strategies(player, seed):
    model = cfr.random_profile(Kuhn(2), seed)
    for weight in (0.2, 0.55, 0.8):
        found = cfr.restricted_response(Kuhn(2), model, player, weight)
        reached = weight * found.against_model + (1 - weight) * found.at_least
        assert reached == pytest.approx(by_enumeration(player, model, weight), abs=1e-7)
        own, other = chances(player, found.strategy), chances(1 - player, model)
        assert value(player, own, other) == pytest.approx(found.against_model)
        assert min(value(player, own, pure) for pure in PURE) == pytest.approx(found.at_least)


@pytest.mark.parametrize("player", (0, 1))
def test_at_the_ends_it_is_safe_and_a_best_reply(player):
    """Safe: Leduc poker is worth -0.085606 to the first player."""
    tree = cfr.GameTree(Leduc(2))
    model = cfr.random_profile(tree, 7)
    safe, reply = (cfr.restricted_response(tree, model, player, weight) for weight in (0, 1))
    assert safe.at_least == pytest.approx((1 - 2 * player) * -0.0856064240, abs=1e-7)
    assert reply.against_model == pytest.approx(cfr.best_response(tree, model, player).value, abs=1e-7)
    assert reply.at_least < safe.at_least and safe.against_model < reply.against_model


def test_with_three_players_nothing_else_does_better():
    tree = cfr.GameTree(Kuhn(3))
    model = cfr.random_profile(tree, 1)
    found = cfr.restricted_response(tree, model, 1, 0.6, adversary=2)
    reached = 0.6 * found.against_model + 0.4 * found.at_least
    others = {known: ways for known, ways in model.items() if known not in found.strategy}
    for seed in range(30):
        other = cfr.random_profile(tree, 100 + seed)
        mine = {known: other[known] for known in found.strategy}
        right = cfr.nash_conv(tree, others | mine).values[1]
        worst = worst_case(tree, to_strategy(tree, others | mine), 1, 2)
        assert 0.6 * right + 0.4 * worst < reached
        # No way of the adversary takes more from the strategy found than is said.
        theirs = {known: other[known] for known in other if len(known) % 3 == 0}
        assert cfr.nash_conv(tree, others | theirs | found.strategy).values[1] > found.at_least - 1e-9


#: One player picks one of two sums that differ by rounding alone.
SUMS = Written(1, (0, "here", {"plain": (0.3,), "sum": (0.1 + 0.2,)}))


def test_what_rounding_leaves_breaks_no_tie():
    assert SUMS.payoffs(("sum",)) > SUMS.payoffs(("plain",))
    assert cfr.best_response(SUMS, {}, 0).strategy["here"]["plain"] == 1


RANDOM = cfr.random_profile(Kuhn(2), 0)


test_what_is_refused = refuses(
    (written(0, "a", {}), "player 0 has no moves"),
    (written(0, "a", {"l": (0, "b", {"u": (0, 0)}), "r": (0, "b", {"u": (1, 1)})}), "'b': player 0 has forgotten"),
    (written(0, "a", {"l": (0, float("inf"))}), "a finite number for each player"),
    (lambda: GameTree(Kuhn(2), most_nodes=57), "most_nodes = 57"),
    (lambda: cfr.nash_conv(KUHN, UNIFORM_BUT_ONE), "1 information sets are missing: '1pb'"),
    (lambda: cfr.nash_conv(KUHN, {**UNIFORM, "1": {"p": 0.5, "raise": 0.5}}), "'raise' is no move there"),
    (lambda: cfr.solve(Kuhn(2), 10, "mccfr"), r"variant = 'mccfr': one of 'cfr', 'cfr\+' is needed"),
    (lambda: cfr.solve(Kuhn(2), 1, tied=range(3)), r"tied = range\(0, 3\): 24 whole numbers, 0 to 23, are needed"),
    (
        lambda: cfr.solve(Kuhn(2), 1, order=(1, 0), tied=range(24)),
        r"order = \(1, 0\): each of the players 0 to 1 once is needed, and none is tied",
    ),
    (lambda: cfr.restricted_response(Kuhn(2), RANDOM, 0, 0.5, adversary=0), "adversary = 0"),
    (lambda: cfr.restricted_response(Kuhn(3), cfr.random_profile(Kuhn(3), 0), 0, 0.5), "adversary = None"),
)
