"""The games that searches are tried on: explicit trees, random trees, k in a row."""

import itertools
import random
from functools import reduce

import numpy as np
import pytest

from gamebalance import games
from gamebalance.games import InARow, RandomTree, Tree
from gamebalance.multiplayer.protocols import OVER, check_game
from tests.refusals import refuses


def leaves(game):
    states = [game.start()]
    for _ in range(game.depth):
        states = [game.play(state, move) for state in states for move in game.moves(state)]
    return states


@pytest.mark.parametrize("kind", ["independent", "constant-sum", "winner"])
def test_payoffs_of_random_trees_have_the_distribution(kind):
    game = RandomTree(3, 4, 6, 5, kind, most=4)
    drawn = np.array([game.payoffs(state) for state in leaves(game)])
    assert len({state.key for seed in (5, 6) for state in leaves(RandomTree(3, 4, 6, seed))}) == 2 * 4096
    if kind == "independent":
        possible = list(itertools.product(range(5), repeat=3))
    elif kind == "winner":
        possible = [(4, 0, 0), (0, 4, 0), (0, 0, 4)]
    else:
        possible = [p for p in itertools.product(range(5), repeat=3) if sum(p) == 4]
    counts = np.array([(drawn == p).all(axis=1).sum() for p in possible])
    assert counts.sum() == 4096
    # Chi-square, with a bound that a fixed seed meets and any wrong weight of a quarter misses.
    expected = 4096 / len(possible)
    assert ((counts - expected) ** 2 / expected).sum() < len(possible) + 4 * (2 * len(possible)) ** 0.5
    assert drawn.sum(axis=1).max() <= game.most_sum and drawn.min() >= game.least


def rows_by_hand(rows, columns, length):
    """Winning lines as sets of cells, found by looking at every set of `length` cells in a straight even line."""
    found = set()
    for cell in itertools.product(range(rows), range(columns)):
        for step in ((0, 1), (1, 0), (1, 1), (1, -1)):
            line = [(cell[0] + i * step[0], cell[1] + i * step[1]) for i in range(length)]
            if all(0 <= r < rows and 0 <= c < columns for r, c in line):
                found.add(frozenset(r * columns + c for r, c in line))
    return found


@pytest.mark.parametrize("size", [(3, 3, 3), (2, 5, 3), (4, 3, 4), (1, 4, 2), (3, 3, 1)])
def test_lines_in_a_row(size):
    game = InARow(*size, 2)
    assert {frozenset(i for i in range(game.cells) if line >> i & 1) for line in game.lines} == rows_by_hand(*size)


def test_random_play_against_plain_boards():
    rng = random.Random(0)
    lines = rows_by_hand(3, 4, 3)
    game, ends = InARow(3, 4, 3, 3), set()
    for _ in range(200):
        state, cells = game.start(), {}
        while game.mover(state) != OVER:
            assert sorted(game.moves(state)) == [c for c in range(12) if c not in cells]
            assert game.mover(state) == len(cells) % 3 and game.payoffs(state) == (1, 1, 1)
            move = rng.choice(game.moves(state))
            cells[move] = len(cells) % 3
            state = game.play(state, move)
            assert game.position(game.drawing(state), state.mover) == state
        won = [p for p in range(3) if any(all(cells.get(c) == p for c in line) for line in lines)]
        assert won or len(cells) == 12
        assert game.payoffs(state) == (tuple(3 * (p == won[0]) for p in range(3)) if won else (1, 1, 1))
        ends.add(tuple(won))
    assert ends == {(), (0,), (1,), (2,)}


EMPTY = RandomTree(2, 2, 2, 0)
EMPTY.players = 0
DEEP = reduce(lambda below, _: (0, [below]), range(3000), (1,))

test_refusals = refuses(
    (lambda: Tree((0, [])), r"^root: at \(\) player 0 is to move and has no moves$"),
    (lambda: Tree((0, [(1, 2), (1, 2, 3)])), r"^root: at \(1,\) there are 3 payoffs, elsewhere 2$"),
    (lambda: Tree((0, ["ab"])), r"^root: at \(0,\), 'ab' is neither"),
    (lambda: Tree(DEEP), r"^root: the tree is too deep to be read, or contains itself$"),
    (lambda: Tree((0, [(1, 2)])).payoffs(()), r"^state = \(\): the tree gives this node no payoffs"),
    (lambda: RandomTree(2, 2, 2, 0, "normal"), r"^payoffs = 'normal': one of"),
    (lambda: InARow(9, 9, 3, 2), r"^rows = 9, columns = 9: at most 64 cells are allowed"),
    (lambda: games.tictactoe().hand_to(games.tictactoe().start(), 3), r"^player = 3: "),
    (lambda: games.tictactoe().position("XO", 0), r"^text = 'XO': 9 signs out of '.XO#' are needed"),
    (lambda: check_game(EMPTY), r"^game.players = 0: a whole number, 1 or more, is needed$"),
)
