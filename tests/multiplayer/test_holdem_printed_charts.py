"""Hold'em: limits read from charts."""

import numpy as np

from chapters.multiplayer.holdem import printed_charts
from gamebalance.games import holdem
from gamebalance.publish import published
from tests.refusals import refuses


def test_limits_and_gaps():
    charts = np.array([[1, 0, 0.9, 0], [1, 0, 0.2, 0.4], [0.5, 0, 0.6, 0.1]])
    found = printed_charts.limits([2, 4, 6], charts)
    assert found.stacks.tolist() == [6, 0, 6, 0]
    assert found.gaps.tolist() == [False, False, True, False]


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


THREE_PLAYERS = holdem.PushFold(holdem.one_card([0, 1, 2], 3))

test_bad_input_is_refused = refuses(
    *[
        (lambda stacks=stacks: printed_charts.limits(stacks, np.zeros((3, 4))), "stacks: 3 ascending")
        for stacks in ([2, 6, 4], [2, 4], [0, 1, 2])
    ],
    (lambda: holdem.minimax(THREE_PLAYERS), r"game\.players = 3"),
)
