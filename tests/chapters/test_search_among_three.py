"""Searches side by side, as tables: by hand, and from searches of single trees; and a tree as drawn."""

import math

import pytest

from chapters import search_among_three as chapter
from gamebalance import games
from gamebalance.multiplayer import search

TICTACTOE = games.tictactoe()
BEGUN = TICTACTOE.position("XO# XO. ...", 2)
WIDE = games.InARow(3, 4, 3, 3)


def early_cuts(depth, mover, value, players, total):
    """A tree in which Korf's cuts come as early as they can, with `value` to the root."""
    if depth == 0:
        return value
    children = [early_cuts(depth - 1, (mover + 1) % players, value, players, total)]
    reply = [0] * players
    reply[(mover + 1) % players], reply[mover] = total - value[mover], value[mover]
    worse = tuple(total * (i == (mover + 2) % players) for i in range(players))
    for _ in range(2):
        if depth == 1:
            children.append(worse)
            continue
        inner = [early_cuts(depth - 2, (mover + 2) % players, tuple(reply), players, total)] + [worse] * 2
        children.append(((mover + 1) % players, inner))
    return mover, children


def test_best_case_leaves_of_korf():
    # F(d) = F(d-1) + (b-1) F(d-2), F(0) = 1, F(1) = b: its growth rate is the root of x^2 = x + b - 1.
    leaves = [chapter.shallow_leaves(3, depth) for depth in range(10)]
    assert leaves[:2] == [1, 3] and all(leaves[d] == leaves[d - 1] + 2 * leaves[d - 2] for d in range(2, 10))
    assert leaves[9] / leaves[8] == pytest.approx((1 + math.sqrt(4 * 3 - 3)) / 2, rel=0.01)
    for depth in range(1, 9):
        found = search.maxn_shallow(games.Tree(early_cuts(depth, 0, (1, 1, 1), 3, 3)), ())
        assert found.value == (1, 1, 1)
        # From the seventh ply on, players who hold all there is stop even sooner: immediate pruning.
        assert found.leaves == leaves[depth] if depth < 7 else found.leaves < leaves[depth]


class Even(games.RandomTree):
    """All ends are alike, so that the first move is the best everywhere."""

    def payoffs(self, state):
        return (1,) * self.players


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("depth", [1, 2, 3, 4, 6, 7])
def test_best_case_of_paranoid(players, depth):
    found = search.paranoid(Even(players, 3, depth, 0), Even(players, 3, depth, 0).start())
    assert found.leaves == chapter.paranoid_leaves(3, depth, players)
    if depth % players == 0:
        # Sturtevant and Korf: b^(d (n-1) / n) is the order; the other side's bound adds a term of smaller order.
        assert 3 ** (depth * (players - 1) // players) <= found.leaves <= 2 * 3 ** (depth * (players - 1) // players)


@pytest.mark.parametrize("depth", [1, 2, 3, 4, 5])
def test_best_case_of_best_reply(depth):
    game = Even(3, 2, 20, 0)
    found = search.best_reply(game, game.start(), depth)
    ours, theirs = 2 ** math.ceil(depth / 2), 4 ** (depth // 2)
    # Knuth and Moore's minimal tree with 2 moves for us and 2 * 2 for the opponents together.
    assert found.leaves == ours + theirs - 1 == chapter.best_reply_leaves(2, depth, 3)
    assert search.best_reply(game, game.start(), depth, pruning=False).leaves == ours * theirs


def test_by_ply():
    """Two in a row on 1 x 3 cells: X wins by the middle cell, and loses nothing by the corners but the win."""
    game = games.InARow(1, 3, 2, 2)
    table = chapter.by_ply(game, game.start(), "XO")
    assert table["plies"].tolist() == [0, 1, 2, 3] and table["positions"].tolist() == [1, 3, 6, 3]
    assert table["X wins"].tolist() == [1, 1, 4, 2] and table["drawn"].tolist() == [0, 2, 2, 1]
    assert table["ended"].tolist() == [0, 0, 0, 3] and (table["several values"] == 0).all()
    assert chapter.by_ply(WIDE, WIDE.position("OXX. .O#. O.X#", 2), "XO#").loc[0, "several values"] == 1
    assert chapter.by_ply(TICTACTOE, BEGUN, "XO#")["trusting"].tolist() == [1, 0, 0, 0, 0]
