"""Paranoid and Best-Reply Search: against plain minimax, hand counts and the best case of alpha-beta."""

import math

import pytest

from gamebalance import games
from gamebalance.games import RandomTree, Tree
from gamebalance.multiplayer import search
from gamebalance.multiplayer.protocols import OVER
from gamebalance.multiplayer.search import best_case
from tests.multiplayer import search_reference as reference
from tests.refusals import refuses


@pytest.mark.parametrize("kind", ["independent", "constant", "winner", "negative"])
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_paranoid_is_minimax_of_two_sides(players, kind):
    saved = 0
    for node in reference.random_trees(150, 20 + players, players, kind):
        tree = Tree(node)
        for player in range(players):
            value, path = reference.backward(node, reference.picks_as_foes(player))
            plain = search.paranoid(tree, (), pruning=False, player=player)
            pruned = search.paranoid(tree, (), player=player)
            for found in (plain, pruned):
                assert (found.value, found.principal_variation) == (value[player], path)
            assert (plain.nodes, plain.leaves) == reference.size(node) and pruned.nodes <= plain.nodes
            saved += plain.nodes - pruned.nodes
        assert search.paranoid(tree, ()).value == search.paranoid(tree, (), player=node[0]).value
    assert saved > 0 or players == 1


@pytest.mark.parametrize("players", [2, 3, 4])
def test_paranoid_is_at_most_maxn(players):
    less = 0
    for node in reference.random_trees(150, 30 + players, players):
        tree = Tree(node)
        secured = [search.paranoid(tree, (), player=player).value for player in range(players)]
        for value in search.maxn_values(tree, ()).values:
            assert all(own <= share for own, share in zip(secured, value, strict=True))
            less += secured[0] < value[0]
    assert less > 0


def minimax_of_replies(game, state, us, depth):
    """Best-Reply Search without a library: value for `us` and the number of states seen."""
    if depth == 0 or game.mover(state) == OVER:
        return game.payoffs(state)[us], 1
    if game.mover(state) == us:
        below = [minimax_of_replies(game, game.play(state, move), us, depth - 1) for move in game.moves(state)]
        return max(value for value, _ in below), 1 + sum(nodes for _, nodes in below)
    below = []
    for passed in (game.hand_to(state, other) for other in range(game.players) if other != us):
        for after in (game.play(passed, move) for move in game.moves(passed)):
            after = after if game.mover(after) == OVER else game.hand_to(after, us)
            below.append(minimax_of_replies(game, after, us, depth - 1))
    return min(value for value, _ in below), 1 + sum(nodes for _, nodes in below)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_best_reply_in_random_trees(players):
    for seed in range(60):
        game = RandomTree(players, 2, 5, seed, most=4)
        for depth in (0, 1, 2, 4):
            value, nodes = minimax_of_replies(game, game.start(), 0, depth)
            plain = search.best_reply(game, game.start(), depth, pruning=False)
            pruned = search.best_reply(game, game.start(), depth)
            assert plain.value == pruned.value == value and plain.nodes == nodes >= pruned.nodes
            assert plain.principal_variation == pruned.principal_variation and plain.movers == pruned.movers


def test_best_reply_in_tic_tac_toe():
    game = games.tictactoe()
    for text, mover in [("XO#/.../...", 0), ("XO#/XO./...", 2), ("XO#/X../..O", 2), ("XO#/OX#/...", 0)]:
        state = game.position(text, mover)
        for depth in (2, 3, None):
            value, nodes = minimax_of_replies(game, state, mover, depth or 99)
            found = search.best_reply(game, state, depth)
            assert found.value == value and found.nodes <= nodes
            assert search.best_reply(game, state, depth, pruning=False).nodes == nodes
            assert set(found.movers[::2]) == {mover} and mover not in found.movers[1::2]


def test_best_reply_counted_by_hand():
    # Three cells are free and nobody can make a row. Our 3 moves; 2 opponents with 2 cells each; our last cell.
    game = games.tictactoe()
    state = game.position("XO#/#XO/...", 0)
    assert game.moves(state) == [6, 7, 8]
    # Here X wins at 8 (0, 4, 8): that line ends after one ply, and no other does.
    found = search.best_reply(game, state, pruning=False)
    assert found.value == 3 and found.move == 8
    assert found.nodes == 1 + 3 + 2 * 4 + 2 * 4 and found.leaves == 1 + 2 * 4
    assert search.maxn(game, state).nodes == 1 + 3 + 2 * 2 + 2 * 2


def test_opponents_answer_in_turn_order():
    game = Even(3, 2, 3, 0)
    assert search.best_reply(game, game.start()._replace(mover=1), 2).movers == (1, 2)
    assert search.best_reply(game, game.start(), 2).movers == (0, 1)


def turns(node, mover):
    return node if reference.is_leaf(node) else (mover, [turns(child, 1 - mover) for child in node[1]])


def test_two_players_need_no_passing():
    for node in reference.random_trees(200, 40, 2, "constant"):
        alternating = turns(node, 0)
        tree = Tree(alternating)
        value, path = reference.backward(alternating, reference.picks_as_foes(0))
        found = search.best_reply(tree, ())
        assert (found.value, found.principal_variation) == (value[0], path) and search.maxn(tree, ()).value == value


class Even(RandomTree):
    """All ends are alike, so that the first move is the best everywhere."""

    def payoffs(self, state):
        return (1,) * self.players


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("depth", [1, 2, 3, 4, 6, 7])
def test_best_case_of_paranoid(players, depth):
    found = search.paranoid(Even(players, 3, depth, 0), Even(players, 3, depth, 0).start())
    assert found.leaves == best_case.paranoid_leaves(3, depth, players)
    if depth % players == 0:
        # Sturtevant and Korf: b^(d (n-1) / n) is the order; the other side's bound adds a term of smaller order.
        assert 3 ** (depth * (players - 1) // players) <= found.leaves <= 2 * 3 ** (depth * (players - 1) // players)


@pytest.mark.parametrize("depth", [1, 2, 3, 4, 5])
def test_best_case_of_best_reply(depth):
    game = Even(3, 2, 20, 0)
    found = search.best_reply(game, game.start(), depth)
    ours, theirs = 2 ** math.ceil(depth / 2), 4 ** (depth // 2)
    # Knuth and Moore's minimal tree with 2 moves for us and 2 * 2 for the opponents together.
    assert found.leaves == ours + theirs - 1 == best_case.best_reply_leaves(2, depth, 3)
    assert search.best_reply(game, game.start(), depth, pruning=False).leaves == ours * theirs


def test_cuts_counted_by_hand():
    # We hold 5; the second move shows 3, the third 4: each is left after its first leaf. And the other way round.
    ours = Tree((0, [(5, 0), (1, [(3, 0), (9, 0)]), (1, [(4, 0), (9, 0)])]))
    theirs = Tree((1, [(5, 0), (0, [(7, 0), (1, 0)]), (0, [(6, 0), (1, 0)])]))
    for tree in (ours, theirs):
        found = search.paranoid(tree, (), player=0)
        assert (found.value, found.move, found.nodes, found.leaves) == (5, 0, 6, 3)


def test_infinite_payoffs():
    tree = Tree((0, [(1, [(-math.inf, 0), (-math.inf, 1)]), (1, [(-math.inf, 0)])]))
    assert (search.paranoid(tree, ()).value, search.paranoid(tree, ()).move) == (-math.inf, 0)


class NoPass(RandomTree):
    def hand_to(self, state, player):
        raise ValueError("nobody may pass")


class Stuck(RandomTree):
    def moves(self, state):
        return [] if state.mover == 2 else range(2)


def replied(game, *depth):
    return search.best_reply(game, game.start(), *depth)


def test_one_ply_needs_no_passing():
    assert replied(NoPass(3, 2, 4, 0), 1).leaves == 2


LACKING = r"^game = .*: it lacks hand_to of the protocol PassingGame$"

test_passing_is_needed = refuses(
    (lambda: replied(Tree((0, [(1, 2, 3)]))), LACKING),
    # Two players, but one of them moves twice in a row.
    (lambda: replied(Tree((0, [(1, [(1, [(1, 2), (0, 3)])])]))), LACKING),
    (
        lambda: replied(NoPass(3, 2, 4, 0), 3),
        r"^state = Place.*: the turn cannot go to player 0, .* \(nobody may pass\)$",
    ),
    (lambda: replied(Stuck(3, 2, 4, 0)), "player 2 has no moves"),
)
