"""The study's two tables, cell by cell, and our tables beside them."""

from collections import Counter
from functools import cache

import pandas as pd
import pytest

from chapters.countn import graph, line_tables, printed_tables
from gamebalance.countn import START, START_STATE, WITHDRAWN, Game, published_labels, solve
from gamebalance.publish import published

SOLVED = cache(solve)


@cache
def labels():
    return printed_tables.label_table(published("count_n_state_counts"))


def numbers(n, kind):
    (row,) = labels().query("N == @n and labels == @kind").values.tolist()
    return row[2:]


def test_the_whole_list_of_ends():
    """46 lines of text, read here without our reader."""
    rows = published("count_8_terminal_states").astype(object).where(lambda frame: frame.notna(), None)
    listed = [((a, b), (c, d), turn) for a, b, c, d, turn in rows.itertuples(index=False)]
    found = [state for state in solve(8).reachable_states() if WITHDRAWN in state[:2]]
    assert len(listed) == len(set(listed)) == len(found) == 46
    assert set(listed) == set(found) == printed_tables.printed_ends(published("count_8_terminal_states"))
    assert printed_tables.ends(Game(8)) == set(found)
    # The loser is to move, and with each end comes the one with the players exchanged.
    assert all((second if turn else first) != WITHDRAWN for first, second, turn in found)
    assert {(second, first, not turn) for first, second, turn in found} == set(found)


def test_the_table_of_ends():
    game, ours = Game(8), printed_tables.ends(Game(8))
    table = printed_tables.end_table(game, ours, ours).set_index("loser's hands")
    marks = Counter(table.to_numpy().ravel())
    assert marks == {"●": 23, "·": 12, "": 21}
    assert table.loc[2, "5"] == "●" and table.loc[2, "6"] == "·" and table.loc[6, "-"] == "·"
    # A difference is told, whichever side has the end.
    less = ours - {((1, 1), WITHDRAWN, False)}
    assert printed_tables.end_table(game, ours, less).loc[0, "1"] == "2 here, 1 printed"
    assert printed_tables.end_table(game, less, ours).loc[0, "1"] == "1 here, 2 printed"


def test_all_printed_counts_but_those_of_two():
    equal = printed_tables.equal_cells(labels(), "procedure")
    assert equal.shape == (8, 5) and equal.loc[3:].all(axis=None)
    assert equal.loc[2].to_dict() == {"−2": True, "−1": False, "+1": False, "+2": True, "none": True}
    assert numbers(2, "printed") == [0, 0, 4, 0, 0, 4] and numbers(2, "procedure") == [0, 2, 2, 0, 0, 4]


def test_best_play_is_not_what_is_printed_from_seven_on():
    equal = printed_tables.equal_cells(labels(), "best play")
    assert equal.index[equal.all(axis=1)].tolist() == [3, 4, 5, 6]
    assert equal.to_numpy().sum() == 28
    assert numbers(8, "best play") == [132, 390, 674, 270, 468, 1934]
    # Losses of any size, wins of any size and states without a winner are those printed.
    for n in range(3, 10):
        big_loss, loss, win, big_win, *rest = numbers(n, "best play")
        printed = numbers(n, "printed")
        assert [big_loss + loss, win + big_win, *rest] == [
            printed[0] + printed[1],
            printed[2] + printed[3],
            *printed[4:],
        ]


def test_a_changed_number_is_seen():
    printed = published("count_n_state_counts").copy()
    printed.loc[(printed["n"] == 5) & (printed["label"] == 2), "count"] += 1
    equal = printed_tables.equal_cells(printed_tables.label_table(printed), "procedure")
    assert not equal.loc[5, "+2"] and equal.loc[3:].to_numpy().sum() == 34


def test_labels_written_as_text_are_read_too():
    printed = published("count_n_state_counts").query("n == 8")
    text = printed.assign(label=["None" if pd.isna(label) else str(int(label)) for label in printed["label"]])
    assert printed_tables.label_table(text).equals(printed_tables.label_table(printed))


def test_who_wins():
    table = printed_tables.result_table(range(2, 10)).set_index("N")
    assert table["winner"].tolist() == ["first", "second", "first", "second", "second", "first", "draw", "second"]
    assert table["plies"].dropna().astype(int).to_dict() == {2: 3, 3: 6, 4: 7, 5: 14, 6: 18, 7: 23, 9: 48}
    assert table["longest"].tolist() == [3, 6, 10, 14, 20, 34, 23, 48]
    assert table["win"].fillna("none").tolist() == ["small"] * 6 + ["none", "small"]
    assert table["drawn"].tolist() == [0] * 6 + [468, 574]
    assert table.loc[8, "% drawn"] == 100 * 468 / 1934 and table.loc[9, "% drawn"] == 100 * 574 / 3024


def test_shares_add_up():
    shares = printed_tables.value_shares([3, 8])
    assert shares.sum(axis=1).tolist() == pytest.approx([1, 1], abs=1e-12)
    assert shares.loc[8].tolist() == [count / 1934 for count in (132, 390, 468, 674, 270)]


def test_mislabelled_states():
    """Small labels of big results, and a big win that is really there: played out against every defence."""
    wrong = {}
    for n in range(2, 10):
        solution = SOLVED(n)
        wrong[n] = printed_tables.differing(
            printed_tables.state_values(solution), published_labels.labels(solution.game)
        )
    assert [len(states) for states in wrong.values()] == [0] * 5 + [5, 8, 27]
    assert all(pair in {(1, 2), (-1, -2)} for states in wrong.values() for pair in states.values())
    assert wrong[7][(2, 3), (1, 4), False] == (1, 2)
    assert forced_big(SOLVED(7), (2, 3), (1, 4), 11)


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


def test_orders_are_orders():
    game = Game(5)
    found = printed_tables.orders(game, shuffles=3, seed=1)
    states = published_labels.states(game)
    assert len(found) == 7 and found["the study's"] == states
    assert all(set(order) == set(states) and len(order) == len(states) for order in found.values())
    assert len({tuple(order) for order in found.values()}) == 7
    assert found == printed_tables.orders(game, shuffles=3, seed=1) != printed_tables.orders(game, shuffles=3, seed=2)
    turns = [state[2] for state in found["first to move before second"]]
    assert turns == sorted(turns)
    for shuffles, seed, named in ((1.5, 1, "shuffles"), (1, -2, "seed")):
        with pytest.raises(ValueError, match=f"^{named} = "):
            printed_tables.orders(Game(3), shuffles, seed)


def test_what_the_order_changes():
    effects = printed_tables.order_effects([3, 5, 8], shuffles=2, seed=4)
    assert len(effects) == 18 and (effects["sign"] == 0).all()
    study = effects[effects["order"] == "the study's"].set_index("N")
    assert study["size"].to_dict() == {3: 0, 5: 0, 8: 8}
    assert study.loc[8, ["−2", "−1", "+1", "+2", "none"]].tolist() == [130, 392, 680, 264, 468]
    summary = printed_tables.order_summary(effects).set_index("order of the loop")
    chance = effects[effects["order"].str.startswith("random") & (effects["N"] == 8)]["size"]
    assert summary.loc["the study's", 8] == 8
    assert summary.loc["random, fewest", 8] == chance.min() and summary.loc["random, most", 8] == chance.max()


def test_a_wrong_winner_would_be_counted():
    """No order gives one, so the count is tested on labels that are wrong on purpose."""
    values = printed_tables.state_values(SOLVED(4))
    labels = published_labels.labels(Game(4))
    state = next(state for state, value in values.items() if value == 1)
    other = next(state for state, value in values.items() if value == -2)
    assert printed_tables.differing(values, labels | {state: -1}) == {state: (-1, 1)}
    assert printed_tables.differing(values, {key: label for key, label in labels.items() if key != other}) == {
        other: (0, -2)
    }


def test_a_line_of_play():
    table = line_tables.line_table(SOLVED(3), START_STATE)
    assert table["position"].tolist() == [
        *("1,1 v 1,1", "1,1 v 1,2", "1,2 v 1,2", "1,2 v 2,-", "2,- v 2,-", "2,- v 1,-", "1,- v -,-")
    ]
    assert table["plies"].tolist() == [6, 5, 4, 3, 2, 1, 0] and table["value"].tolist() == [-1, 1, -1, 1, -1, 1, -1]
    assert table["to move"].tolist() == ["first", "second"] * 3 + ["first"]
    assert table["move"].tolist() == ["1+1 → 2", "1+1 → 2", "1+2 → -", "1+2 → -", "2+2 → 1", "2+1 → -", ""]
    draw = line_tables.line_table(SOLVED(8), START_STATE, Game(8).moves(*START))
    assert draw["position"].tolist() == ["1,1 v 1,1", "1,1 v 1,2"] and draw["plies"].isna().all()


def test_signs():
    """As in the tables of labels, with a minus and not a hyphen."""
    assert [line_tables.signed(value) for value in (-2, -1, 0, 1, 2)] == ["−2", "−1", "0", "+1", "+2"]
    assert [line_tables.signed(value) for value in (-2, -1, 1, 2)] == list(printed_tables.LABEL_TEXT.values())[:4]


def test_round_a_cycle():
    cycle = graph.shortest_cycles(graph.state_graph(Game(4)))[0]
    table = line_tables.cycle_table(SOLVED(4), cycle)
    assert (table["best"] == table["value"]).all() and (table["on the cycle"] <= table["best"]).all()
    # What a move along the cycle is worth is the next value with the sign turned round.
    assert table["on the cycle"].tolist() == [-value for value in [*table["value"][1:], table["value"][0]]]
    with pytest.raises(ValueError, match=r"^cycle = .*legal move"):
        line_tables.cycle_table(SOLVED(4), cycle[::-1])


@pytest.mark.parametrize("n", [3, 8, 9])
def test_what_is_left_has_a_move_that_stays(n):
    drawn = SOLVED(n).label_counts()[None]
    assert printed_tables.still_undecided(SOLVED(n)) == {"draws": drawn, "can stay": drawn, "can win": 0}
