"""A game as arrays: what they hold, and which games are refused, by name."""

import numpy as np
import pytest
from tests.multiplayer.written_trees import SMALL, Written, random_game

from gamebalance.games.kuhn import Kuhn
from gamebalance.multiplayer.cfr import GameTree
from gamebalance.multiplayer.cfr.tree import OVER
from gamebalance.multiplayer.protocols import CHANCE


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


@pytest.mark.parametrize(
    ("root", "message"),
    [
        ((0, "a", {}), "player 0 has no moves"),
        ((CHANCE, {"x": (0.5, (0, 0)), "y": (0.4, (0, 0))}), "sum to 0.9, not to 1"),
        ((0, "a", {"l": (0, 0), "r": (1, "a", {"l": (0, 0), "r": (0, 0)})}), "'a': both player 0 and player 1"),
        ((CHANCE, {"x": (0.5, (0, "a", {"l": (0, 0)})), "y": (0.5, (0, "a", {"r": (0, 0)}))}), "one set of moves"),
        ((0, "a", {"l": (0, "b", {"u": (0, 0)}), "r": (0, "b", {"u": (1, 1)})}), "'b': player 0 has forgotten"),
        ((0, "a", {"l": (0, 0, 0)}), "a number for each of 2 players"),
        ((0, "a", {"l": (0, float("inf"))}), "a finite number for each player"),
        ((2, "a", {"l": (0, 0)}), "a whole number from 0 to 1"),
    ],
)  # fmt: skip
def test_broken_games_are_refused(root, message):
    with pytest.raises(ValueError, match=message) as error:
        GameTree(Written(2, root))
    assert "\n" not in str(error.value)


def test_a_move_listed_twice_and_a_chance_too_few_are_refused():
    class Twice(Kuhn):
        def moves(self, state):
            return (*super().moves(state), super().moves(state)[0])

    class Short(Kuhn):
        def chances(self, state):
            return (1.0,)

    class Lists(Kuhn):
        def information(self, state):
            return [*super().information(state)]

    with pytest.raises(ValueError, match=r"information = \['0'\] of state .*: a hashable value is needed"):
        GameTree(Lists(2))
    with pytest.raises(ValueError, match="hashable moves, each once"):
        GameTree(Twice(2))
    with pytest.raises(ValueError, match="3 are needed, one a move, not 1"):
        GameTree(Short(2))


def test_large_and_endless_trees_are_refused():
    class Endless(Kuhn):
        def is_over(self, state):
            return False

    with pytest.raises(ValueError, match="most_nodes = 500"):
        GameTree(Endless(2), most_nodes=500)
    with pytest.raises(ValueError, match="most_nodes = 57"):
        GameTree(Kuhn(2), most_nodes=57)
    assert GameTree(Kuhn(2), most_nodes=58).nodes == 58
    with pytest.raises(ValueError, match=r"GiB of memory are needed, 2 GiB are allowed"):
        GameTree(Kuhn(2), most_nodes=10**9)


def test_what_is_no_game_is_refused():
    with pytest.raises(ValueError, match=r"it lacks .*information"):
        GameTree(object())
