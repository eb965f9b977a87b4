"""All-in or fold: rules, deals, values, best responses and equilibria."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamebalance.games import holdem
from gamebalance.games.holdem import equilibrium, equity
from gamebalance.multiplayer import cfr
from gamebalance.multiplayer.protocols import ExtensiveGame, check_game
from gamebalance.publish import heavy, published
from tests.oracles import holdem as oracle
from tests.oracles.holdem import ByHistory
from tests.refusals import refuses


def toy(players: int, ranks=(0, 1, 2, 2, 3), **bets) -> holdem.PushFold:
    return holdem.PushFold(holdem.one_card(ranks, players), **{"stack": 4} | bets)


@pytest.fixture(scope="module")
def heads_up():
    return holdem.heads_up(*equity.counts(heavy.results("holdem-pairs")))


@st.composite
def games_and_strategies(draw):
    players = draw(st.integers(2, 4))
    ranks = draw(st.lists(st.integers(0, 3), min_size=players, max_size=5))
    game = toy(players, ranks, stack=draw(st.sampled_from([1, 2.5, 7])))
    rng = np.random.default_rng(draw(st.integers(0, 9)))
    push = rng.random((game.nodes, len(game.deals.names)))
    return game, np.where(rng.random(push.shape) < 0.3, push.round(), push)


@settings(max_examples=25)
@given(games_and_strategies())
def test_the_kernel_values_actions_as_the_rules_do(given_game):
    game, push = given_game
    for player in range(game.players):
        fast = equilibrium.action_values(game, push, player)
        assert np.allclose(fast, oracle.action_values(game, push, player), rtol=0, atol=1e-12)


@settings(max_examples=25)
@given(games_and_strategies())
def test_values_sum_to_zero_and_best_responses_gain_what_is_said(given_game):
    game, push = given_game
    found = holdem.evaluate(game, push)
    by_deal = equilibrium.deal_values(game, push)
    assert np.allclose(by_deal.sum(axis=1), 0, atol=1e-12)
    assert np.allclose(game.deals.weights @ by_deal, found.values, rtol=0, atol=1e-12)
    for player in range(game.players):
        reply = holdem.best_response(game, push, player)
        others = np.ones(game.nodes, bool)
        others[equilibrium.seat_nodes(player)] = False
        assert (reply[others] == push[others]).all()
        assert abs(holdem.evaluate(game, reply).values[player] - found.values[player] - found.gains[player]) < 1e-12


@pytest.mark.parametrize("players", [2, 3, 4])
def test_regrets_are_those_of_the_general_solver(players):
    game = toy(players, (0, 1, 1, 2, 3), ante=0.1)
    plain = check_game(ByHistory(game), ExtensiveGame)
    general, found = cfr.solve(plain, 120, variant="cfr+"), holdem.solve(game, 120)
    assert np.allclose(general.value, found.evaluation.values, rtol=0, atol=1e-10)
    assert abs(general.nash_conv - found.evaluation.nash_conv) < 1e-10
    for (name, actions), chances in general.average_strategy.items():
        assert abs(chances["p"] - found.push[game.node(actions), game.deals.names.index(name)]) < 1e-9


@pytest.mark.parametrize("stack", [3, 10])
def test_two_solvers_that_share_nothing_agree_heads_up(heads_up, stack):
    """CFR+ and linear programming; the value of a zero-sum game is within NashConv of what any strategy yields."""
    game = holdem.PushFold(heads_up, stack)
    found, exact = holdem.solve(game, 200), holdem.minimax(game)
    assert abs(exact.evaluation.nash_conv) < 1e-9
    assert 0 <= found.evaluation.nash_conv < 2e-4
    assert abs(found.evaluation.values[0] - exact.evaluation.values[0]) < found.evaluation.nash_conv


@settings(max_examples=25)
@given(st.lists(st.integers(0, 3), min_size=2, max_size=5), st.sampled_from([1, 2.5, 7]), st.integers(0, 9))
def test_linear_programs_solve_toys(ranks, stack, seed):
    weights = np.random.default_rng(seed).dirichlet(np.ones(len(ranks) * (len(ranks) - 1)))
    deck = replace(holdem.one_card(ranks, 2), weights=weights)
    game = holdem.PushFold(deck, stack, ante=0.25 if stack > 1 else 0)
    assert holdem.minimax(game).evaluation.nash_conv < 1e-9


def test_a_toy_by_hand():
    found = holdem.minimax(toy(2, (0, 1, 2), stack=1.5))
    assert np.allclose(found.push, [[0.2, 1, 1], [0, 0, 0], [0, 0.2, 1]])
    assert abs(holdem.solve(toy(2, (0, 1, 2), stack=1.5), 3000).evaluation.values[0] - 0.1) < 1e-5


@pytest.mark.parametrize("stack", [2.65, 9.05, 17.05])
def test_the_published_chart_of_limits(heads_up, stack):
    """Between the printed tenths nothing is played above its limit; below, up to two hands have gaps."""
    found = holdem.minimax(holdem.PushFold(heads_up, stack))
    printed = published("holdem_limits")
    printed = printed[~printed["limit"].str.contains("*", regex=False)]
    limit = printed["limit"].str.rstrip("+").astype(float).to_numpy()
    charts = {"push": found.chart(), "call": found.chart("p")}
    chance = [charts[line.action][holdem.hand_number(line.hand)] for line in printed.itertuples()]
    played = np.array(chance) >= 0.5
    assert len(limit) == 261 and not (played & (limit < stack)).any()
    assert np.sum(~played & (limit > stack)) <= 2


def changed(**arrays):
    return lambda: replace(holdem.one_card([0, 1], 2), **{name: np.array(array) for name, array in arrays.items()})


test_bad_input_is_refused = refuses(
    (changed(hands=[[0, 2], [1, 0]]), "hands, weights, shares: "),
    (changed(weights=[0.5, 0.6]), "hands, weights, shares: "),
    (changed(shares=np.zeros((2, 2, 3))), "hands, weights, shares: "),
    (lambda: toy(2, stack=-1), "stack = -1"),
    (lambda: toy(2, stack=1, ante=0.5), "stack = 1: it must cover"),
    (lambda: toy(2).node("pp"), "actions = 'pp': fewer than 2"),
    (lambda: holdem.evaluate(toy(2), np.zeros((2, 4))), r"push has shape \(2, 4\)"),
    (lambda: holdem.evaluate(toy(2), np.full((3, 4), 1.5)), "numbers from 0 to 1 are needed"),
    (lambda: holdem.minimax(toy(3)), "game.players = 3"),
)
