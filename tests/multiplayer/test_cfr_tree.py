"""A game as arrays: what they hold, and which games are refused, by name."""

import numpy as np
import pytest

from gamebalance.games.kuhn import Kuhn
from gamebalance.multiplayer.cfr import GameTree
from gamebalance.multiplayer.cfr.tree import OVER
from gamebalance.multiplayer.protocols import CHANCE
from tests.multiplayer.written_trees import SMALL, Written, random_game
from tests.refusals import refuses


def test_arrays_of_a_small_game():
    tree = GameTree(SMALL)
    assert tree.nodes == 11 and tree.sequences == 6 and GameTree.of(tree) is tree
    assert tree.mover.tolist() == [CHANCE, 0, OVER, 1, OVER, OVER, 0, OVER, 1, OVER, OVER]
    assert tree.parent.tolist() == [-1, 0, 1, 1, 3, 3, 0, 6, 6, 8, 8]
    assert tree.end.tolist() == [11, 6, 3, 6, 5, 6, 11, 8, 11, 10, 11]
    assert [each.information for each in tree.information_sets] == ["?", "x", "y"]
    assert tree.sequence.tolist() == [-1, -1, 0, 1, 2, 3, -1, 0, 1, 4, 5]
    assert tree.chance.tolist() == [1, 0.75, 1, 1, 1, 1, 0.25, 1, 1, 1, 1]
    assert tree.chance_reach.tolist() == [0.75] * 3 + [0.25] * 3
    assert tree.last_sequence.tolist() == [[0, -1], [1, 2], [1, 3], [0, -1], [1, 4], [1, 5]]
    assert tree.payoffs[:, 0].tolist() == [1, 2, 0, 3, 4, 5]
    assert tree.set_player.tolist() == [0, 1, 1] and tree.set_parent.tolist() == [-1, -1, -1]


@pytest.mark.parametrize("seed", range(20))
def test_children_stand_where_the_ends_say(seed):
    tree = GameTree(random_game(seed))
    for node in range(tree.nodes):
        children, child = [], node + 1
        while child < tree.end[node]:
            children.append(child)
            child = tree.end[child]
        assert children == np.flatnonzero(tree.parent == node).tolist()
        assert (not children) == (tree.mover[node] == OVER)


def test_a_tree_may_be_as_large_as_is_allowed():
    assert GameTree(Kuhn(2), most_nodes=58).nodes == 58


def written(*root):
    return lambda: GameTree(Written(2, root))


def changed(**methods):
    """Kuhn poker with other methods."""
    return lambda: GameTree(type("Changed", (Kuhn,), methods)(2), most_nodes=500)


test_broken_games_are_refused = refuses(
    (written(0, "a", {}), "player 0 has no moves"),
    (written(CHANCE, {"x": (0.5, (0, 0)), "y": (0.4, (0, 0))}), "sum to 0.9, not to 1"),
    (
        written(0, "a", {"l": (0, 0), "r": (1, "a", {"l": (0, 0), "r": (0, 0)})}),
        r"player 0 has the moves \('l', 'r'\) with it elsewhere, and here player 1",
    ),
    (
        written(CHANCE, {move: (0.5, (0, "a", {move: (0, 0)})) for move in "lr"}),
        r"player 0 has the moves \('l',\) with it elsewhere, and here player 0 has \('r',\)",
    ),
    (written(0, "a", {"l": (0, "b", {"u": (0, 0)}), "r": (0, "b", {"u": (1, 1)})}), "'b': player 0 has forgotten"),
    (written(0, "a", {"l": (0, 0, 0)}), "a number for each of 2 players"),
    (written(0, "a", {"l": (0, float("inf"))}), "a finite number for each player"),
    (written(2, "a", {"l": (0, 0)}), "player 2 is to move, of 2"),
    (changed(information=lambda game, state: ["0"]), r"information = \['0'\] of state .*: a hashable value is needed"),
    (
        changed(moves=lambda game, state: {0: 0.5, 1: 0.5} if len(state.cards) < 2 else (0, 1, 0)),
        "hashable moves, each once",
    ),
    (changed(moves=lambda game, state: (0, 1, 2)), "a mapping of moves to their probabilities"),
    (changed(mover=lambda game, state: len(state.moves) % 2 if len(state.cards) == 2 else -1), "most_nodes = 500"),
    (lambda: GameTree(Kuhn(2), most_nodes=57), "most_nodes = 57"),
    (lambda: GameTree(Kuhn(2), most_nodes=10**9), r"GiB of memory are needed, 2 GiB are allowed"),
    (lambda: GameTree(object()), r"it lacks .*information"),
)
