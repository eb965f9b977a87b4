"""MaxN, Paranoid and Best-Reply Search: against backward induction, hand counts, and best cases."""

import math
import random
from fractions import Fraction
from itertools import product

import pytest

from chapters import search_among_three as search_contest
from gamebalance import games
from gamebalance.games import RandomTree, Tree
from gamebalance.multiplayer import search
from gamebalance.multiplayer.protocols import CHANCE, OVER
from tests.multiplayer import search_reference as reference
from tests.multiplayer.written_trees import random_game
from tests.refusals import refuses

KINDS = ["independent", "constant", "winner", "negative"]


def full(result):
    return result.value, result.move, result.principal_variation


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_maxn_is_backward_induction(players, kind):
    for node in reference.random_trees(80, players, players, kind):
        tree, rules = Tree(node), {"first": reference.picks_first, "last": reference.picks_last}
        rules |= {"paranoid": reference.picks_for_root(node[0], -1), "optimistic": reference.picks_for_root(node[0], 1)}
        for ties, pick in rules.items():
            found, (value, path) = search.maxn(tree, (), ties=ties), reference.backward(node, pick)
            assert full(found) == (value, path[0], path) and (found.nodes, found.leaves) == reference.size(node)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_pruning_changes_nothing(players, kind):
    saved = 0
    for node in reference.random_trees(200, 10 + players, players, kind):
        tree = Tree(node)
        plain, pruned = search.maxn(tree, ()), search.maxn_shallow(tree, ())
        assert full(pruned) == full(plain) and pruned.movers == plain.movers
        assert pruned.nodes <= plain.nodes
        saved += plain.nodes - pruned.nodes
    assert saved > 0 or (players == 4 and kind in ("independent", "negative"))


def test_the_tree_that_deep_pruning_gets_wrong():
    tree = games.deep_pruning_example()
    assert search.maxn(tree, ()).value == search.maxn_shallow(tree, ()).value == (7, 3, 0)
    assert search.maxn(tree, ()).principal_variation == ("b", "d")
    assert tree.most_sum == 10 and all(sum(tree.payoffs(s)) == 10 for s in tree.states() if tree.mover(s) == OVER)


@pytest.mark.parametrize("kind", KINDS)
def test_set_of_values(kind):
    several = 0
    for node in reference.random_trees(200, 3, 3, kind, depth=3):
        tree, values = Tree(node), reference.every_value(node)
        found = search.maxn_values(tree, ())
        assert found == tuple(sorted(values))
        for ties in ("first", "last", "paranoid", "optimistic"):
            assert search.maxn(tree, (), ties=ties).value in values
        several += len(values) > 1
    assert several > 5


def test_even_ties_are_exact_means():
    tree = Tree((0, [(1, [(0, 1, 5), (3, 1, 0), (6, 0, 0)]), (1.5, 9, 9), (1, 0, 0)]))
    found = search.maxn(tree, (), ties="even")
    assert found.value == (Fraction(3, 2), Fraction(5), Fraction(23, 4)) and found.move == 0
    assert found.principal_variation == (0, 0)
    # A third and two thirds add up exactly, so this is a tie.
    thirds = Tree((0, [(1, [(0, 0), (0, 0), (1, 0)]), (Fraction(1, 3), 6)]))
    assert search.maxn(thirds, (), ties="even").value == (Fraction(1, 3), 3)
    for tree in map(Tree, reference.random_trees(100, 8, 3, "independent")):
        values = search.maxn_values(tree, ())
        assert len(values) > 1 or search.maxn(tree, (), ties="even").value == values[0]


@pytest.mark.parametrize("depth", [0, 1, 2, 3])
def test_depth_limit(depth):
    rng = random.Random(depth)

    def with_estimates(node, path, estimates):
        if reference.is_leaf(node):
            return node
        estimates[path] = tuple(rng.randrange(5) for _ in range(3))
        children = [with_estimates(child, (*path, i), estimates) for i, child in enumerate(node[1])]
        return node[0], children, estimates[path]

    for _ in range(100):
        node, estimates = next(reference.random_trees(1, rng.random(), depth=4)), {}
        tree = Tree(with_estimates(node, (), estimates))
        cut = reference.cut_off(node, depth, estimates)
        plain, pruned = search.maxn(tree, (), depth), search.maxn_shallow(tree, (), depth)
        expected = reference.backward(cut, reference.picks_first)
        assert (plain.value, plain.principal_variation) == (pruned.value, pruned.principal_variation) == expected
        assert plain.nodes == reference.size(cut)[0] and plain.value in search.maxn_values(tree, (), depth)


class TestTicTacToe:
    game = games.tictactoe()

    def test_outlooks_of_all_positions(self):
        found = search_contest.layers(self.game, self.game.start())
        known = search_contest.outlooks(self.game, found)
        assert [len(layer) for layer in found] == [1, 9, 72, 504, 1512, 3780, 7560, 7560, 4560, 1372]
        assert known[self.game.start()] == search_contest.Outlook(frozenset({(1, 1, 1)}), (1, 1, 1))


class Stub:
    """Counts up for ever, two moves everywhere, unless told otherwise."""

    players = 3

    def __init__(self, moves=(1, 2), mover=0, payoffs=(1, 1, 1), end=math.inf):
        self.start, self.play = lambda: 0, lambda state, move: state + move
        self.mover = lambda state: OVER if state >= end else mover
        self.moves, self.payoffs = lambda state: moves, lambda state: payoffs


def bounded(**bounds):
    return lambda: search.maxn_shallow(Stub(moves=(1,), end=2), 0, **bounds)


def test_outlooks_under_ties():
    for kind, seed in product(("independent", "winner"), range(20)):
        game = RandomTree(3, 2, 4, seed, kind, most=2)
        known = search_contest.outlooks(game, search_contest.layers(game, game.start()))
        assert len(known) == 31
        for state in list(known)[-15:]:
            assert known[state].values == set(search.maxn_values(game, state))
            assert known[state].secured == tuple(search.paranoid(game, state, player=i).value for i in range(3))


def expected(game, state, even=False):
    """Expectimax: the first best move or the mean of all best ones, or the mean over the moves of chance."""
    mover = game.mover(state)
    if mover == OVER:
        return game.payoffs(state)
    after = {move: expected(game, game.play(state, move), even) for move in game.moves(state)}
    if mover == CHANCE:
        terms = [[chance * value for value in after[move]] for move, chance in game.moves(state).items()]
        return tuple(map(sum, zip(*terms, strict=True)))
    most = max(value[mover] for value in after.values())
    best = [value for value in after.values() if value[mover] >= most - 1e-9]
    return tuple(sum(column) / len(best) for column in zip(*best, strict=True)) if even else best[0]


@pytest.mark.parametrize("seed", range(20))
def test_chance_is_averaged(seed):
    game = random_game(seed, depth=5)
    found = search.maxn(game, (), table=True)
    assert found.value == pytest.approx(expected(game, ()))
    assert found.value == pytest.approx(search.maxn(game, ()).value)
    assert list(map(float, search.maxn(game, (), ties="even").value)) == pytest.approx(expected(game, (), even=True))


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


class NoPass(RandomTree):
    def hand_to(self, state, player):
        raise ValueError("nobody may pass")


def replied(game, *depth):
    return search.best_reply(game, game.start(), *depth)


LACKING = r"^game = .*: it lacks hand_to of the protocol PassingGame$"


test_what_is_refused = refuses(
    (bounded(), r"^most_sum = None: a finite number is needed$"),
    (bounded(most_sum=2), r"^most_sum = 2, least = \[0, 0, 0\]: state 2 has the payoffs \(1, 1, 1\)$"),
    (bounded(most_sum=3, least=(0, 0)), r"^least = \(0, 0\): one finite number, or one for each of 3 players"),
    (lambda: search.maxn(Stub(end=2), 0, ties="random"), r"^ties = 'random': one of 'first'"),
    (
        lambda: search.maxn(Stub(payoffs=(1, 1, math.inf), end=2), 0, ties="even"),
        r"^payoffs = \(1, 1, inf\): ties = 'even' needs finite numbers",
    ),
    (lambda: replied(Tree((0, [(1, 2, 3)]))), LACKING),
    (
        lambda: replied(NoPass(3, 2, 4, 0), 3),
        r"^state = Place.*: the turn cannot go to player 0, .* \(nobody may pass\)$",
    ),
)
