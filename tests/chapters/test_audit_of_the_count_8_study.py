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
    assert ends == chapter.printed_ends(published("count_8_terminal_states")) and len(ends) == 46
    table = chapter.end_table(Game(8), ends, ends).set_index("loser's hands")
    marks = table.to_numpy().ravel().tolist()
    assert [marks.count(mark) for mark in ("●", "·", "")] == [23, 12, 21]
    assert table.loc[2, "5"] == "●" and table.loc[2, "6"] == "·" and table.loc[6, "-"] == "·"
    # A difference is told, whichever side has the end.
    less = ends - {((1, 1), WITHDRAWN, False)}
    assert chapter.end_table(Game(8), ends, less).loc[0, "1"] == "2 here, 1 printed"
    assert chapter.end_table(Game(8), less, ends).loc[0, "1"] == "1 here, 2 printed"


def test_all_printed_counts_but_those_of_two(counts):
    table = chapter.label_table(counts)
    equal = chapter.equal_cells(table, "procedure")
    assert equal.shape == (8, 5) and equal.loc[3:].all(axis=None)
    assert equal.loc[2].to_dict() == {"−2": True, "−1": False, "+1": False, "+2": True, "none": True}
    best = chapter.equal_cells(table, "best play")
    assert best.index[best.all(axis=1)].tolist() == [3, 4, 5, 6] and best.to_numpy().sum() == 28
    # Losses of any size, wins of any size and states without a winner are those printed.
    kinds = table.query("N > 2").set_index(["labels", "N"])
    for sides in (["−2", "−1"], ["+1", "+2"], ["none"], ["states"]):
        assert kinds.loc["best play", sides].sum(axis=1).equals(kinds.loc["printed", sides].sum(axis=1))
    changed = counts.copy()
    changed.loc[(changed["n"] == 5) & (changed["label"] == 2), "count"] += 1
    equal = chapter.equal_cells(chapter.label_table(changed), "procedure")
    assert not equal.loc[5, "+2"] and equal.loc[3:].to_numpy().sum() == 34


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
    summary = chapter.order_summary(effects).set_index("order of the loop")
    chance = effects[effects["order"].str.startswith("random") & (effects["N"] == 8)]["size"]
    assert summary.loc["the study's"].tolist() == [0, 0, 8] and len(summary) == 6
    assert (summary.loc["random, fewest", 8], summary.loc["random, most", 8]) == (chance.min(), chance.max())


def test_a_wrong_winner_would_be_counted():
    """No order gives one, so the count is tested on labels that are wrong on purpose."""
    values, labels = state_values(solve(4)), plain.published_labels(Game(4))
    state = next(state for state, value in values.items() if value == 1)
    other = next(state for state, value in values.items() if value == -2)
    assert chapter.differing(values, labels | {state: -1}) == {state: (-1, 1)}
    labels.pop(other)
    assert chapter.differing(values, labels) == {other: (0, -2)}
