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
