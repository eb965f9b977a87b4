"""All-in or fold: rules, deals, values, best responses and equilibria."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamebalance.games import holdem
from gamebalance.games.holdem import cards, equilibrium, equity, triples
from gamebalance.multiplayer import cfr
from gamebalance.multiplayer.protocols import ExtensiveGame, check_game
from gamebalance.publish import published
from tests.oracles import holdem as oracle
from tests.oracles.holdem import ByHistory, History
from tests.refusals import refuses


def toy(players: int, ranks=(0, 1, 2, 2, 3), **bets) -> holdem.PushFold:
    return holdem.PushFold(holdem.one_card(ranks, players), **{"stack": 4} | bets)


@st.composite
def games_and_strategies(draw):
    players = draw(st.integers(2, 4))
    ranks = draw(st.lists(st.integers(0, 3), min_size=players, max_size=5))
    game = toy(players, ranks, stack=draw(st.sampled_from([1, 2.5, 7])))
    rng = np.random.default_rng(draw(st.integers(0, 9)))
    push = rng.random((game.nodes, len(game.deals.names)))
    return game, np.where(rng.random(push.shape) < 0.3, push.round(), push)


def test_three_divide_a_pot():
    game = holdem.PushFold(holdem.one_card([1, 1, 1, 0], 4), stack=3, small_blind=0.5, big_blind=1)
    deal = next(d for d, hands in enumerate(game.deals.hands) if game.deals.names[hands[0]] == "0")
    assert ByHistory(game).payoffs(History(deal, "pppp")) == (-3.0, 1.0, 1.0, 1.0)


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


def test_no_pure_strategy_beats_the_best_response():
    game = toy(2, (0, 1, 2))
    push = np.array([[0.2, 0.5, 0.9], [0.5, 0.5, 0.5], [0.1, 0.6, 1.0]])
    for player, own in ((0, [0]), (1, [2])):
        best = -np.inf
        for choice in product((0.0, 1.0), repeat=3):
            tried = push.copy()
            tried[own] = choice
            best = max(best, holdem.evaluate(game, tried).values[player])
        found = holdem.evaluate(game, push)
        assert abs(best - found.values[player] - found.gains[player]) < 1e-12


def test_decisions_are_numbered():
    game = toy(4)
    assert [game.node(game.actions(node)) for node in range(game.nodes)] == list(range(game.nodes))


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


@pytest.mark.parametrize("stack", [2.65, 5.55, 9.05, 12.65, 17.05, 19.95])
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


def test_sampled_deals_are_those_of_one_deck():
    sample = holdem.sampled(3, 30_000, seed=4)
    ways = cards.disjoint_deals()
    aces = np.array(["A" in name for name in holdem.HANDS])
    # Two players hold an ace each less often than two decks would let them.
    both = (ways * np.outer(aces, aces)).sum() / ways.sum()
    for one, other in ((0, 1), (0, 2), (1, 2)):
        seen = (aces[sample.hands[:, one]] & aces[sample.hands[:, other]]).mean()
        assert abs(seen - both) < 4 * np.sqrt(both / 30_000)
        assert abs(seen - aces[cards.all_pairs()[1]].mean() ** 2) > abs(seen - both)


def test_sampled_showdowns_agree_with_exact_equities(share):
    sample = holdem.sampled(4, 20_000, seed=5, boards=2)
    assert np.allclose(sample.shares.sum(axis=1), 1, atol=1e-6)
    for one, other in ((0, 1), (1, 3), (2, 3)):
        exact = share[sample.hands[:, one], sample.hands[:, other]]
        off = sample.shares[:, one, 1 << one | 1 << other] - exact
        assert abs(off.mean()) < 4 * off.std() / np.sqrt(len(off))
        assert np.cov(off, exact)[0, 1] < 4 * off.std() * exact.std() / np.sqrt(len(off))
    assert (sample.shares[:, 0, 0b0110] == 0).all() and (sample.shares[:, 3, 0] == 1).all()


def test_no_card_is_dealt_twice_and_all_come_alike():
    rng = np.random.default_rng(6)
    held = equity.shuffled(20_000, 52, 8, rng)
    board = holdem.game._board(held, rng)
    cards_out = np.sort(np.concatenate([held, board], axis=1), axis=1)
    assert (np.diff(cards_out, axis=1) > 0).all() and cards_out.min() == 0 and cards_out.max() == 51
    seen = np.bincount(board.ravel(), minlength=52)
    assert ((seen - seen.mean()) ** 2 / seen.mean()).sum() < 100  # 51 degrees of freedom: beyond the 99.99% point


test_bad_input_is_refused_by_name = refuses(
    (changed(hands=[[0, 2], [1, 0]]), "hands, weights, shares: "),
    (changed(hands=[[0.0, 1], [1, 0]]), "hands, weights, shares: "),
    (changed(weights=[0.5, 0.6]), "hands, weights, shares: "),
    (changed(weights=[1.5, -0.5]), "hands, weights, shares: "),
    (changed(shares=np.zeros((2, 2, 3))), "hands, weights, shares: "),
    (lambda: toy(2, stack=-1), "stack = -1"),
    (lambda: toy(2, stack=1, ante=0.5), "stack = 1: it must cover"),
    (lambda: toy(2, ante=True), "ante = True"),
    (lambda: holdem.PushFold(3), "deals = 3"),
    (lambda: toy(2).node("pp"), "actions = 'pp': fewer than 2"),
    (lambda: toy(2).actions(3), "node = 3"),
    (lambda: holdem.one_card([0], 2), r"cards = \[0\]: two"),
    (lambda: holdem.one_card(range(300), 4), "cards: 300 of them: .* GiB"),
    (lambda: holdem.sampled(5, 10, 1), "players = 5"),
    (lambda: holdem.sampled(4, 10**9, 1), "GiB of memory are needed"),
    (lambda: holdem.evaluate(toy(2), np.zeros((2, 4))), r"push has shape \(2, 4\)"),
    (lambda: holdem.evaluate(toy(2), np.full((3, 4), 1.5)), "numbers from 0 to 1 are needed"),
    (lambda: holdem.evaluate(toy(2), "all in"), "push = 'all in': an array of probabilities"),
    (lambda: holdem.best_response(toy(2), np.zeros((3, 4)), 2), "player = 2"),
    (lambda: triples.sampled_triples(0, 1), "boards = 0"),
)
