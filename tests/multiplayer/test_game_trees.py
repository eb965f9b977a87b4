"""Drawings of game trees: where nodes lie, and what is written and cut."""

import matplotlib.pyplot as plt

from gamebalance import games
from gamebalance.publish import style
from gamebalance.studies.multiplayer import tree_drawing


def test_places():
    where = tree_drawing.places(games.Tree((0, {"a": (1, 2), "b": (1, {"c": (3, 4), "d": (5, 6), "e": (7, 8)})})))
    assert where[("a",)] == (0, -1) and where[("b", "c")] == (1, -2) and where[("b", "e")] == (3, -2)
    assert where[("b",)] == (2, -1) and where[()] == (1, 0)


def test_what_is_drawn():
    tree = games.deep_pruning_example()
    figure, axes = style.new_figure()
    tree_drawing.draw_tree(axes, tree, {(): (7, 3, 0)}, line=("b", "d"), cut={("b", "c", "f")})
    texts = [text.get_text() for text in axes.texts]
    assert sorted(t for t in texts if len(t) == 1) == sorted("abcdef012")
    assert sorted(t for t in texts if len(t) > 1) == sorted(
        ["(7, 3, 0)", "(5, 3, 2)", "(0, 4, 6)", "(2, 1, 7)", "(7, 3, 0)"]
    )
    branches = {line.get_linestyle(): 0 for line in axes.lines}
    thick = [line for line in axes.lines if line.get_linewidth() == 3 and len(line.get_xdata()) == 2]
    assert len(thick) == 2 and "--" in branches
    plt.close(figure)
