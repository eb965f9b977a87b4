"""Searches side by side, as tables: by hand, and from searches of single trees."""

import itertools
import math

import numpy as np
import pytest

from chapters.multiplayer import search_contest
from gamebalance import games
from gamebalance.games import RandomTree
from gamebalance.multiplayer import search
from gamebalance.multiplayer.protocols import OVER
from tests.refusals import refuses

TICTACTOE = games.tictactoe()
BEGUN = TICTACTOE.position("XO# XO. ...", 2)
SEATINGS = tuple(itertools.product((0, 1), repeat=3))


def rounds(*factors):
    """Tournaments of two methods, the same payoffs each time but for a factor."""
    return [search.RoundRobin(("a", "b"), SEATINGS, factor * np.arange(24).reshape(8, 3), 1) for factor in factors]


def test_views():
    table = search_contest.views(TICTACTOE, BEGUN, search_contest.methods(playouts=50, seed=0))
    assert table["expects"].tolist()[:4] == [1, 1, 0, 0] and table["move"].tolist()[:4] == [6, 6, 5, 5]
    assert table["error"].notna().tolist() == [False] * 4 + [True]


def test_pruning_table_by_hand():
    results = {"right": [((1, 0), 4), ((2, 0), 8)], "wrong": [((1, 0), 2), ((0, 0), 2)]}
    table = search_contest.pruning_table(results, "right").set_index("method")
    # No error in two trees: up to 84% of trees might show one, the share at which two right ones have 2.5%.
    assert table.loc["right"].tolist() == [6, 2, 0, 0, pytest.approx(100 * (1 - math.sqrt(0.025)))]
    low = 1 - math.sqrt(0.975)  # at which one wrong tree of two, or both, have 2.5%
    assert table.loc["wrong"].tolist() == [2, 0, 50, pytest.approx(100 * low), pytest.approx(100 * (1 - low))]


def test_leaf_counts():
    trees = [RandomTree(3, 2, 4, seed) for seed in range(3)]
    rows = {row["method"]: row for row in search_contest.leaf_counts(trees, 2, 4)}
    counts = [search.paranoid(tree, tree.start()).leaves for tree in trees]
    assert rows["Paranoid"]["mean"] == np.mean(counts) and rows["Paranoid"]["unpruned"] == 16
    assert rows["Paranoid"]["error"] == pytest.approx(np.std(counts, ddof=1) / math.sqrt(3))
    assert math.isnan(rows["Best-Reply Search"]["mean"]) and math.isnan(rows["Best-Reply Search"]["best"])
    assert rows["Paranoid"]["best"] == search.best_case.paranoid_leaves(2, 4, 3)
    assert rows["shallow pruning"]["best"] == search.best_case.shallow_leaves(2, 4)
    # Six plies are two rounds, and so four plies of Best-Reply Search.
    tree = RandomTree(3, 2, 6, 0)
    six = {row["method"]: row for row in search_contest.leaf_counts([tree] * 2, 2, 6)}
    assert six["Best-Reply Search"]["best"] == search.best_case.best_reply_leaves(2, 4, 3)
    assert six["Paranoid"]["best"] == 4**2 + 2**2 - 1  # two of the six plies are ours
    assert six["Best-Reply Search"]["mean"] == search.best_reply(tree, tree.start(), 4).leaves


def test_by_ply():
    # Two in a row on 1 x 3 cells: X wins by the middle cell, and loses nothing by the corners but the win.
    game = games.InARow(1, 3, 2, 2)
    table = search_contest.by_ply(game, game.start(), "XO")
    assert table["plies"].tolist() == [0, 1, 2, 3] and table["positions"].tolist() == [1, 3, 6, 3]
    assert table["X wins"].tolist() == [1, 1, 4, 2] and table["drawn"].tolist() == [0, 2, 2, 1]
    assert table["ended"].tolist() == [0, 0, 0, 3] and (table["several values"] == 0).all()
    wide = games.InARow(3, 4, 3, 3)
    table = search_contest.by_ply(wide, wide.position("OXX. .O#. O.X#", 2), "XO#")
    assert table.loc[0, "several values"] == 1
    table = search_contest.by_ply(TICTACTOE, BEGUN, "XO#")
    assert table["trusting"].tolist() == [1, 0, 0, 0, 0]


def test_several_values():
    wide = games.InARow(3, 4, 3, 3)
    cases = [(wide, wide.position("OXX. .O#. O.X#", 2)), (wide, wide.position("##X. X..O X.OO", 2))]
    cases += [(TICTACTOE, BEGUN)] * 2
    found = search_contest.several_values(cases)
    assert (found["% several"], found["% three or more"]) == (50, 25)
    assert found["from"] == pytest.approx(100 - found["to"]) and 0 < found["from"] < 50
    assert found["from "] == pytest.approx(100 * (1 - 0.975**0.25)) and 25 < found["to "] < 100


def test_random_position():
    rng = np.random.default_rng(0)
    for plies in (0, 7, 8):
        state = search_contest.random_position(TICTACTOE, TICTACTOE.start(), plies, rng)
        assert sum(state.marks).bit_count() == plies and TICTACTOE.mover(state) != OVER


def test_contest_by_hand():
    # Between two a's, b gets 8 in the first round and 24 in the second.
    table = search_contest.contest(rounds(1, 3))
    assert table.loc["b", ("others: a", "points")] == 16 and table.loc["b", ("others: a", "error")] == 8


def test_leads_by_hand():
    # Between two a's: a gets 1 and b 8, three times as much in the second game. Between two b's: 15 and 22.
    leads = search_contest.leads(rounds(1, 3))
    for name in "ab":
        assert leads.loc[name].tolist() == ["b", "a", 14, pytest.approx(7)]


test_bad_input_is_refused = refuses(
    (
        lambda: search_contest.random_position(TICTACTOE, BEGUN, 9, np.random.default_rng(0)),
        r"^plies = 9: play from Board.* had ended by then in all of 10000 tries$",
    ),
    (lambda: search_contest.several_values([]), r"^number of cases = 0: "),
    (lambda: search_contest.contest(rounds(1)), r"^number of cases = 1: a whole number, 2 or more"),
)
