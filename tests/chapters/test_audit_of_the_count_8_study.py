"""Chapter A.7: the study's two tables, cell by cell, and the orders of its loop."""

import pytest

from chapters import audit_of_the_count_8_study as chapter
from chapters.who_wins_small import state_values
from gamebalance.countn import WITHDRAWN, Game, plain, solve
from gamebalance.publish import published


@pytest.fixture(scope="module")
def counts():
    return published("count_n_state_counts")


def test_the_table_of_ends():
    ends = {state for state in solve(8).reachable_states() if WITHDRAWN in state[:2]}
    assert len(ends) == len(published("count_8_terminal_states")) == 46
    table = chapter.end_table(Game(8), ends, ends).set_index("loser's hands")
    marks = table.to_numpy().ravel().tolist()
    assert [marks.count(mark) for mark in ("●", "·", "")] == [23, 12, 21]
    assert table.loc[2, "5"] == "●" and table.loc[2, "6"] == "·" and table.loc[6, "-"] == "·"
    # A difference is told, whichever side has the end.
    less = ends - {((1, 1), WITHDRAWN, False)}
    assert chapter.end_table(Game(8), ends, less).loc[0, "1"] == "2 here, 1 printed"
    assert chapter.end_table(Game(8), less, ends).loc[0, "1"] == "1 here, 2 printed"


def test_all_printed_counts_but_those_of_two(counts):
    kinds = chapter.label_table(counts).set_index(["labels", "N"])
    equal = kinds.loc["procedure"] == kinds.loc["printed"]
    assert equal.loc[3:].all(axis=None) and equal.columns[~equal.loc[2]].tolist() == ["−1", "+1"]
    # Losses of any size, wins of any size and states without a winner are those printed, from N = 3 on.
    for sides in (["−2", "−1"], ["+1", "+2"], ["none"], ["states"]):
        best, printed = (kinds.loc[kind, sides].sum(axis=1).loc[3:] for kind in ("best play", "printed"))
        assert best.equals(printed)


def forced_big(solution, mover, opponent, plies):
    """Whether the mover, taking the best moves, withdraws both hands in so many plies while the other keeps both."""
    if opponent == WITHDRAWN:
        return False
    for move in solution.best_moves(mover, opponent)[:1]:
        if move.hands == WITHDRAWN:
            return None not in opponent
        replies = solution.game.moves(opponent, move.hands)
        return plies > 2 and all(forced_big(solution, move.hands, reply.hands, plies - 2) for reply in replies)
    return False


def test_mislabelled_states():
    """Small labels of big results, and a big win that is really there: played out against every defence."""
    solution = solve(7)
    wrong = chapter.differing(state_values(solution), plain.published_labels(solution.game))
    assert all(pair in {(1, 2), (-1, -2)} for pair in wrong.values()) and len(wrong) == 5
    assert wrong[(2, 3), (1, 4), False] == (1, 2) and forced_big(solution, (2, 3), (1, 4), 11)


def test_orders_are_orders():
    orders, states = chapter.orders(Game(5), shuffles=3, seed=1), plain.reachable(Game(5))
    assert len(orders) == 7 and orders["the study's"] == states
    assert all(set(order) == set(states) and len(order) == len(states) for order in orders.values())
    assert len({tuple(order) for order in orders.values()}) == 7
    assert orders == chapter.orders(Game(5), shuffles=3, seed=1) != chapter.orders(Game(5), shuffles=3, seed=2)


def test_what_the_order_changes():
    effects = chapter.order_effects([3, 5, 8], shuffles=2, seed=4)
    assert len(effects) == 18 and (effects["sign"] == 0).all()
    study = effects[effects["order"] == "the study's"].set_index("N")
    assert study["size"].to_dict() == {3: 0, 5: 0, 8: 8}
    assert study.loc[8, ["−2", "−1", "+1", "+2", "none"]].tolist() == [130, 392, 680, 264, 468]


def test_a_wrong_winner_would_be_counted():
    """No order gives one, so the count is tested on labels that are wrong on purpose."""
    values, labels = state_values(solve(4)), plain.published_labels(Game(4))
    state = next(state for state, value in values.items() if value == 1)
    other = next(state for state, value in values.items() if value == -2)
    assert chapter.differing(values, labels | {state: -1}) == {state: (-1, 1)}
    labels.pop(other)
    assert chapter.differing(values, labels) == {other: (0, -2)}
