"""All-in or fold: rules, deals, values, best responses and equilibria."""

from fractions import Fraction
from functools import lru_cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamebalance.collection import heavy, published
from gamebalance.multiplayer.games import holdem
from gamebalance.multiplayer.games.holdem import cards, deals, equity, triples
from gamebalance.multiplayer.games.holdem.game import PushFoldState
from gamebalance.multiplayer.protocols import ExtensiveGame, check_game

from importlib import import_module  # isort: skip

solver = import_module("gamebalance.multiplayer.games.holdem.solve")  # the package's `solve` is the function


@lru_cache
def heads_up():
    return deals.heads_up(*equity.counts(heavy.results("holdem-pairs")))


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


def test_chips_change_hands_and_are_not_lost():
    game = toy(3, ante=0.5, small_blind=0.5, big_blind=1)
    assert game.seats == ("button", "small blind", "big blind") and game.posted.tolist() == [0.5, 1, 1.5]
    state = PushFoldState(0, "pfp")
    high = game.deals.hands[0]
    assert high[0] < high[2]
    assert game.payoffs(state) == (-4.0, -1.0, 5.0)
    assert game.payoffs(PushFoldState(0, "ff")) == (-0.5, -1.0, 1.5)
    assert game.payoffs(PushFoldState(0, "pff")) == (2.5, -1.0, -1.5)


def test_three_divide_a_pot():
    game = holdem.PushFold(holdem.one_card([1, 1, 1, 0], 4), stack=3, small_blind=0.5, big_blind=1)
    deal = next(d for d, hands in enumerate(game.deals.hands) if game.deals.names[hands[0]] == "0")
    assert game.payoffs(PushFoldState(deal, "pppp")) == (-3.0, 1.0, 1.0, 1.0)


@settings(max_examples=25)
@given(games_and_strategies())
def test_the_kernel_values_actions_as_the_rules_do(given_game):
    game, push = given_game
    for player in range(game.players):
        fast = solver.action_values(game, push, player)
        assert np.allclose(fast, solver.action_values_plainly(game, push, player), rtol=0, atol=1e-12)


@settings(max_examples=25)
@given(games_and_strategies())
def test_values_sum_to_zero_and_best_responses_gain_what_is_said(given_game):
    game, push = given_game
    found = holdem.evaluate(game, push)
    by_deal = solver.deal_values(game, push)
    assert np.allclose(by_deal.sum(axis=1), 0, atol=1e-12)
    assert np.allclose(game.deals.weights @ by_deal, found.values, rtol=0, atol=1e-12)
    for player in range(game.players):
        reply = holdem.best_response(game, push, player)
        others = np.ones(game.nodes, bool)
        others[solver.seat_nodes(player)] = False
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


def test_it_is_an_extensive_game():
    game = check_game(toy(4), ExtensiveGame)
    assert game.mover(game.start()) == -1 and abs(sum(game.chances(game.start())) - 1) < 1e-12
    assert not game.is_over(PushFoldState(0, "pff")) and game.is_over(PushFoldState(0, "fff"))
    for node in range(game.nodes):
        assert game.node(game.actions(node)) == node


@pytest.mark.parametrize("players", [2, 3, 4])
def test_regrets_are_those_of_the_general_solver(players):
    cfr = pytest.importorskip("gamebalance.multiplayer.cfr", reason="the general solver is a part of its own")
    game = toy(players, (0, 1, 1, 2, 3), ante=0.1)
    general, found = cfr.solve(game, 120, variant="cfr+"), holdem.solve(game, 120)
    assert np.allclose(general.value, found.evaluation.values, rtol=0, atol=1e-10)
    assert abs(general.nash_conv - found.evaluation.nash_conv) < 1e-10
    for (name, actions), chances in general.average_strategy.items():
        assert abs(chances["p"] - found.push[game.node(actions), game.deals.names.index(name)]) < 1e-9


@pytest.mark.parametrize("stack", [3, 10])
def test_two_solvers_that_share_nothing_agree_heads_up(stack):
    """CFR+ and linear programming; the value of a zero-sum game is within NashConv of what any strategy yields."""
    game = holdem.PushFold(heads_up(), stack)
    found, exact = holdem.solve(game, 200), holdem.minimax(game)
    assert abs(exact.evaluation.nash_conv) < 1e-9
    assert 0 <= found.evaluation.nash_conv < 2e-4
    assert abs(found.evaluation.values[0] - exact.evaluation.values[0]) < found.evaluation.nash_conv


@settings(max_examples=25)
@given(st.lists(st.integers(0, 3), min_size=2, max_size=5), st.sampled_from([1, 2.5, 7]), st.integers(0, 9))
def test_linear_programs_solve_toys(ranks, stack, seed):
    weights = np.random.default_rng(seed).dirichlet(np.ones(len(ranks) * (len(ranks) - 1)))
    game = holdem.PushFold(holdem.one_card(ranks, 2, weights), stack, ante=0.25 if stack > 1 else 0)
    assert holdem.minimax(game).evaluation.nash_conv < 1e-9


def test_a_toy_by_hand():
    found = holdem.minimax(toy(2, (0, 1, 2), stack=1.5))
    assert np.allclose(found.push, [[0.2, 1, 1], [0, 0, 0], [0, 0.2, 1]])
    assert abs(holdem.solve(toy(2, (0, 1, 2), stack=1.5), 3000).evaluation.values[0] - 0.1) < 1e-5


@pytest.mark.parametrize(("table", "actions"), [("push", ""), ("call", "p")])
def test_published_heads_up_ranges(table, actions):
    """At most three hands of a list are on the other side of one half."""
    for line in published(f"holdem_{table}_ranges").itertuples():
        printed = holdem.hand_range(line.range)
        assert round(100 * printed.mean()) == line.percent
        chart = holdem.minimax(holdem.PushFold(heads_up(), line.stack)).chart(actions)
        assert np.sum((chart >= 0.5) != printed) <= 3 and np.sum((chart > 1e-9) & (chart < 1 - 1e-9)) <= 1


@pytest.mark.parametrize("stack", [2.65, 5.55, 9.05, 12.65, 17.05, 19.95])
def test_the_published_chart_of_limits(stack):
    """Between the printed tenths nothing is played above its limit; below, up to two hands have gaps."""
    found = holdem.minimax(holdem.PushFold(heads_up(), stack))
    printed = published("holdem_limits")
    printed = printed[~printed["limit"].str.contains("*", regex=False)]
    limit = printed["limit"].str.rstrip("+").astype(float).to_numpy()
    charts = {"push": found.chart(), "call": found.chart("p")}
    chance = [charts[line.action][holdem.hand_number(line.hand)] for line in printed.itertuples()]
    played = np.array(chance) >= 0.5
    assert len(limit) == 261 and not (played & (limit < stack)).any()
    assert np.sum(~played & (limit > stack)) <= 2


def test_stacks_named_in_texts():
    """The hand is played at the stack named, and not a tenth beyond."""
    for line in published("holdem_single_stacks").itertuples():
        beyond = line.stack + (0.1 if line.side == "below" else -0.1)
        actions, hand = {"push": "", "call": "p"}[line.action], holdem.hand_number(line.hand)
        at, past = (holdem.minimax(holdem.PushFold(heads_up(), stack)).chart(actions) for stack in (line.stack, beyond))
        assert at[hand] > 0.5 > past[hand], line


def test_numbers_of_any_kind_are_the_same_game():
    one, other = toy(2, stack=np.float32(2.5)), toy(2, stack=Fraction(5, 2))
    assert holdem.solve(one, 5).evaluation.values[0] == holdem.solve(other, 5).evaluation.values[0]


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"hands": np.array([[0, 2], [1, 0]])}, "hands: numbers from 0 to 1"),
        ({"hands": np.array([[0, -1], [1, 0]])}, "hands: numbers from 0 to 1"),
        ({"hands": np.array([[0.0, 1], [1, 0]])}, "hands has shape"),
        ({"hands": np.array([[0], [1]])}, "hands has shape"),
        ({"hands": np.zeros((0, 2), int)}, "hands has shape"),
        ({"weights": np.array([0.5, 0.6])}, "sum to 1.1"),
        ({"weights": np.array([1.5, -0.5])}, "weights has shape"),
        ({"weights": np.array([np.nan, 1])}, "weights has shape"),
        ({"shares": np.zeros((2, 2, 3))}, "shares has shape"),
        ({"shares": np.full((2, 2, 4), np.inf)}, "shares has shape"),
    ],
)
def test_deals_that_do_not_fit_are_refused(changed, named):
    deck = holdem.one_card([0, 1], 2)
    fields = {"hands": deck.hands, "weights": deck.weights, "shares": deck.shares, "names": deck.names}
    with pytest.raises(ValueError, match=named):
        holdem.Deals(**fields | changed)


def test_the_start_is_played_first():
    game = toy(2, (0, 1, 2))
    start = np.array([[0.0, 1.0, 1.0], [0.5, 0.5, 0.5], [0.0, 0.0, 1.0]])
    assert (holdem.solve(game, 1, start=start).push[0] == start[0]).all()


def test_indifferent_hands_fold():
    """All chips are posted and everybody calls: the lowest card loses one chip either way."""
    game = toy(2, (0, 1, 2), stack=1, small_blind=1)
    assert holdem.best_response(game, np.ones((3, 3)), 0)[0].tolist() == [0, 1, 1]


def test_frequencies_are_those_of_the_seat():
    game = holdem.PushFold(holdem.one_card([0, 1], 2, [0.1, 0.9]), stack=50)
    found = holdem.minimax(game)
    assert abs(found.frequency() - 0.9) < 1e-9 and abs(found.frequency("p") - found.chart("p") @ [0.9, 0.1]) < 1e-12


def test_frequency_and_trace():
    found = holdem.solve(toy(2, (0, 1, 2)), 40, trace=(10, 40))
    assert [stop for stop, _ in found.trace] == [10, 40]
    assert found.trace[1][1] == found.evaluation.nash_conv < found.trace[0][1]
    assert abs(found.frequency("p") - found.chart("p").mean()) < 1e-12


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


def test_sampled_showdowns_agree_with_exact_equities():
    sample, share = (
        holdem.sampled(4, 20_000, seed=5, boards=2),
        equity.equities(*equity.counts(heavy.results("holdem-pairs"))),
    )
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
    board = deals._board(held, rng)
    cards_out = np.sort(np.concatenate([held, board], axis=1), axis=1)
    assert (np.diff(cards_out, axis=1) > 0).all() and cards_out.min() == 0 and cards_out.max() == 51
    seen = np.bincount(board.ravel(), minlength=52)
    assert ((seen - seen.mean()) ** 2 / seen.mean()).sum() < 100  # 51 degrees of freedom: beyond the 99.99 % point


def test_samples_repeat_and_differ_by_seed():
    one, again, other = (holdem.sampled(2, 50, seed) for seed in (1, 1, 2))
    assert (one.hands == again.hands).all() and (one.shares == again.shares).all() and (one.hands != other.hands).any()


@pytest.mark.parametrize(
    ("make", "named"),
    [
        (lambda: toy(2, stack=-1), "stack = -1"),
        (lambda: toy(2, stack=float("nan")), "stack = nan"),
        (lambda: toy(2, stack=1, ante=0.5), "stack = 1: it must cover"),
        (lambda: toy(2, ante=True), "ante = True"),
        (lambda: toy(2, stack="5"), "stack = '5'"),
        (lambda: toy(2, stack=10**400), "stack = 1000"),
        (lambda: holdem.PushFold(3), "deals = 3"),
        (lambda: toy(2).node("pp"), "actions = 'pp': fewer than 2"),
        (lambda: toy(2).node("x"), "actions = 'x'"),
        (lambda: toy(2).actions(3), "node = 3"),
        (lambda: holdem.one_card([0], 2), r"cards = \[0\]: two"),
        (lambda: holdem.one_card(range(300), 4), "cards: 300 of them: .* GiB"),
        (lambda: holdem.one_card([0, 1], 2, [1.0]), r"weights has shape \(1,\)"),
        (lambda: holdem.evaluate(toy(2), "ab"), "push = 'ab'|push = array"),
        (lambda: triples.sampled_triples(10**8, 1), "boards = 100000000"),
        (lambda: holdem.one_card([0, 1], 3), "players = 3"),
        (lambda: holdem.one_card([0, 1], 2, [0.5, 0.6]), "weights"),
        (lambda: holdem.sampled(5, 10, 1), "players = 5"),
        (lambda: holdem.sampled(2, 10, 1, boards=9), "boards = 9"),
        (lambda: holdem.sampled(4, 10**9, 1), "GiB of memory are needed"),
        (lambda: holdem.solve(toy(2), 0), "iterations = 0"),
        (lambda: holdem.solve(toy(2), 5, trace=[6]), "trace = 6"),
        (lambda: holdem.evaluate(toy(2), np.zeros((2, 4))), r"push has shape \(2, 4\)"),
        (lambda: holdem.evaluate(toy(2), np.full((3, 4), 1.5)), "from 0 to 1 are needed"),
        (lambda: holdem.best_response(toy(2), np.zeros((3, 4)), 2), "player = 2"),
        (lambda: triples.triples(np.zeros((3, 6))), "tallies has shape"),
        (lambda: triples.sampled_triples(0, 1), "boards = 0"),
    ],
)
def test_bad_input_is_refused_by_name(make, named):
    with pytest.raises(ValueError, match=named):
        make()
