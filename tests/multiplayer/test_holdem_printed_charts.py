"""Hold'em: limits read from charts, and the cost of a printed range."""

from dataclasses import replace

import numpy as np

from gamebalance.games import holdem
from gamebalance.publish import published
from gamebalance.studies.multiplayer.holdem import habits, printed_charts
from tests.refusals import refuses


def test_limits_and_gaps():
    charts = np.array([[1, 0, 0.9, 0], [1, 0, 0.2, 0.4], [0.5, 0, 0.6, 0.1]])
    found = printed_charts.limits([2, 4, 6], charts)
    assert found.stacks.tolist() == [6, 0, 6, 0]
    assert found.gaps.tolist() == [False, False, True, False]


def test_the_cost_of_a_chart_is_what_the_best_reply_takes():
    """Three cards, stack 3/2: by hand the small blind is worth 1/10, and pushing nothing but the king 0."""
    game = holdem.PushFold(holdem.one_card([0, 1, 2], 2), stack=1.5)
    push = np.array([[0.2, 1, 1], [0.5, 0.5, 0.5], [0, 0.2, 1]])
    assert np.allclose(holdem.evaluate(game, push).values, [0.1, -0.1])
    assert abs(holdem.evaluate(game, push).nash_conv) < 1e-12
    assert abs(printed_charts.cost(game, push, "", push[0])) < 1e-12
    # The king wins the blind, since nobody calls: 1/3 × 1 - 2/3 × 1/2 = 0.
    assert abs(printed_charts.cost(game, push, "", np.array([0.0, 0, 1])) - 0.1) < 1e-12
    # A big blind who never calls loses 1 or gains 1/2; the small blind then pushes everything.
    assert abs(printed_charts.cost(game, push, "p", np.zeros(3)) - 0.9) < 1e-12


def test_printed_limits_below_two_big_blinds_are_those_of_the_equilibrium(heads_up):
    """The 13 limits that stacks of 2 big blinds and more say nothing about, on both sides, to a tenth."""
    chart = published("holdem_limits")
    chart = chart[~chart["limit"].str.contains("*", regex=False)]
    limit = chart["limit"].str.rstrip("+").astype(float)
    assert (len(chart), chart["limit"].str.endswith("+").sum(), (limit < 2).sum()) == (261, 116, 13)
    short = chart.assign(limit=limit)[limit < 2]
    stacks = np.round(np.arange(1.3, 2.05, 0.1), 1)
    charts = [holdem.minimax(holdem.PushFold(heads_up, stack)).chart() for stack in stacks]
    found = printed_charts.limits(stacks, charts)
    assert set(short["action"]) == {"push"}
    assert found.stacks[[holdem.hand_number(hand) for hand in short["hand"]]].tolist() == short["limit"].tolist()


def test_cuts_of_one_order_are_those_of_sage(heads_up):
    """The weakest hands that Kittock and Jones print are those of the best cuts by equity against a random hand."""
    order = habits.by_strength(heads_up)
    for line in published("holdem_sage").set_index("ratio").loc[[1, 5]].itertuples():
        found = printed_charts.cuts(holdem.PushFold(heads_up, line.Index + 1), order)
        assert found.weakest == (line.jam_cutoff, line.call_cutoff)
        assert abs(found.value - line.small_blind_gain) < 0.008


def test_cuts_are_strategies_of_a_matrix_game():
    """Three cards: every pair of cuts played out; the equilibrium of all strategies is worth 1/10."""
    game = holdem.PushFold(holdem.one_card([0, 1, 2], 2), stack=1.5)
    found = printed_charts.cuts(game, np.array([2, 1, 0]))
    table = np.zeros((4, 4))
    for own, other in np.ndindex(4, 4):
        push = np.zeros((3, 3))
        push[0, 3 - own :], push[2, 3 - other :] = 1, 1
        table[own, other] = holdem.evaluate(game, push).values[0]
    # The value of a matrix game lies between the best assured row and the best assured column.
    assert table.min(axis=1).max() - 1e-9 <= found.value <= table.max(axis=0).min() + 1e-9
    # By hand: the best cards are played here, and the mixed cuts play the jack, and call with the queen, one fifth.
    assert abs(found.value - 0.1) < 1e-9 and np.allclose(found.fractions, [2.2 / 3, 1.2 / 3])
    assert found.weakest == ("1", "2")


def test_a_cut_may_be_empty():
    """The first always holds the higher card, so the second plays nothing."""
    deck = holdem.one_card([0, 1], 2)
    game = holdem.PushFold(replace(deck, weights=np.array([0.0, 1])), stack=2)
    found = printed_charts.cuts(game, np.array([0, 1]))
    assert found.weakest == ("1", "") and np.allclose(found.fractions, [1, 0]) and abs(found.value - 1) < 1e-9
    # The first holds the higher card nine times in ten and, deep, plays just that.
    often = holdem.PushFold(replace(deck, weights=np.array([0.1, 0.9])), stack=50)
    assert abs(printed_charts.cuts(often, np.array([1, 0])).fractions[0] - 0.9) < 1e-9


THREE_PLAYERS = holdem.PushFold(holdem.one_card([0, 1, 2], 3))
TWO_CARDS = holdem.PushFold(holdem.one_card([0, 1], 2))

test_bad_input_is_refused = refuses(
    *[
        (lambda stacks=stacks: printed_charts.limits(stacks, np.zeros((3, 4))), "stacks: 3 ascending")
        for stacks in ([2, 6, 4], [2, 4], [0, 1, 2])
    ],
    (lambda: printed_charts.cost(THREE_PLAYERS, np.zeros((3, 3)), "", np.zeros(3)), r"game\.players = 3"),
    (lambda: printed_charts.cuts(THREE_PLAYERS, np.arange(3)), r"game\.players = 3"),
    (lambda: holdem.minimax(THREE_PLAYERS), r"game\.players = 3"),
    *[
        (lambda order=order: printed_charts.cuts(TWO_CARDS, order), "order")
        for order in ([0], [0, 0], [1, 2], [[0, 1]])
    ],
)
