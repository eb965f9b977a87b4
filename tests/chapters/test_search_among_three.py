"""Searches side by side, as tables: by hand, and from searches of single trees; and a tree as drawn."""

import math

import matplotlib.pyplot as plt
import pytest

from chapters import search_among_three as chapter
from gamebalance import games
from gamebalance.multiplayer import search
from gamebalance.publish import style

TICTACTOE = games.tictactoe()
BEGUN = TICTACTOE.position("XO# XO. ...", 2)
WIDE = games.InARow(3, 4, 3, 3)


def test_pruning_table_by_hand():
    """No error in two trees: up to 84% of trees might show one, the share at which two right ones have 2.5%."""
    results = {"right": [((1, 0), 4), ((2, 0), 8)], "wrong": [((1, 0), 2), ((0, 0), 2)]}
    table = chapter.pruning_table(results, "right").set_index("method")
    assert table.loc["right"].tolist() == [6, 2, 0, 0, pytest.approx(100 * (1 - math.sqrt(0.025)))]
    low = 1 - math.sqrt(0.975)  # at which one wrong tree of two, or both, have 2.5%
    assert table.loc["wrong"].tolist() == [2, 0, 50, pytest.approx(100 * low), pytest.approx(100 * (1 - low))]


def test_leaves_and_best_cases():
    """Six plies are two rounds, and so four plies of Best-Reply Search; four plies are no whole number of rounds."""
    tree = games.RandomTree(3, 2, 6, 0)
    counts = {name: (leaves(tree, 6), best(2, 6)) for name, (leaves, best) in chapter.LEAVES.items()}
    assert counts["Paranoid"] == (search.paranoid(tree, tree.start()).leaves, 4**2 + 2**2 - 1)
    replies = search.best_reply(tree, tree.start(), 4).leaves
    assert counts["Best-Reply Search"] == (replies, search.best_case.best_reply_leaves(2, 4, 3))
    assert math.isnan(chapter.LEAVES["Best-Reply Search"][1](2, 4))


def test_by_ply():
    """Two in a row on 1 x 3 cells: X wins by the middle cell, and loses nothing by the corners but the win."""
    game = games.InARow(1, 3, 2, 2)
    table = chapter.by_ply(game, game.start(), "XO")
    assert table["plies"].tolist() == [0, 1, 2, 3] and table["positions"].tolist() == [1, 3, 6, 3]
    assert table["X wins"].tolist() == [1, 1, 4, 2] and table["drawn"].tolist() == [0, 2, 2, 1]
    assert table["ended"].tolist() == [0, 0, 0, 3] and (table["several values"] == 0).all()
    assert chapter.by_ply(WIDE, WIDE.position("OXX. .O#. O.X#", 2), "XO#").loc[0, "several values"] == 1
    assert chapter.by_ply(TICTACTOE, BEGUN, "XO#")["trusting"].tolist() == [1, 0, 0, 0, 0]


def test_several_values():
    cases = [(WIDE, WIDE.position("OXX. .O#. O.X#", 2)), (WIDE, WIDE.position("##X. X..O X.OO", 2))]
    shares = chapter.several_values(cases + [(TICTACTOE, BEGUN)] * 2)
    assert (shares["% several"], shares["% three or more"]) == (50, 25)
    assert shares["from"] == pytest.approx(100 - shares["to"])
    assert shares["from "] == pytest.approx(100 * (1 - 0.975**0.25))


def test_places_of_nodes():
    where = chapter.places(games.Tree((0, {"a": (1, 2), "b": (1, {"c": (3, 4), "d": (5, 6), "e": (7, 8)})})))
    assert where == {
        ("a",): (0, -1), ("b", "c"): (1, -2), ("b", "d"): (2, -2), ("b", "e"): (3, -2), ("b",): (2, -1), (): (1, 0),
    }  # fmt: skip


def test_a_tree_as_drawn():
    figure, axes = style.new_figure()
    chapter.draw_tree(axes, games.deep_pruning_example(), {(): (7, 3, 0)}, line=("b", "d"), cut={("b", "c", "f")})
    texts = [text.get_text() for text in axes.texts]
    assert sorted(text for text in texts if len(text) == 1) == sorted("abcdef012")
    payoffs = ["(0, 4, 6)", "(2, 1, 7)", "(5, 3, 2)", "(7, 3, 0)", "(7, 3, 0)"]
    assert sorted(text for text in texts if len(text) > 1) == payoffs
    thick = [line for line in axes.lines if line.get_linewidth() == 3 and len(line.get_xdata()) == 2]
    assert len(thick) == 2 and "--" in {line.get_linestyle() for line in axes.lines}
    plt.close(figure)
