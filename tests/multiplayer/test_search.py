"""MaxN, Paranoid and Best-Reply Search: against backward induction, hand counts, and best cases."""

import math
import random
from fractions import Fraction
from functools import partial
from itertools import product
from operator import itemgetter

import numpy as np
import pytest

from chapters import search_among_three as search_contest
from gamebalance import games
from gamebalance.games import RandomTree, Tree
from gamebalance.multiplayer import search
from gamebalance.multiplayer.protocols import CHANCE, OVER
from tests.multiplayer.written_trees import Places, random_game
from tests.refusals import refuses

KINDS = ["independent", "constant", "winner", "negative"]

# A node is a tuple of payoffs or (mover, list of nodes), as `Tree` reads it.


def is_leaf(node):
    return not isinstance(node[1], list) if len(node) == 2 else True


def grown(rng, players, depth, draw, most_moves=3, stop=0.15):
    """A random tree of uneven depth and branching; any player may move anywhere."""
    if depth == 0 or rng.random() < stop:
        return draw()
    children = [grown(rng, players, depth - 1, draw, most_moves, stop) for _ in range(rng.randint(1, most_moves))]
    return rng.randrange(players), children


def divided(rng, players, total):
    """`total` points among the players."""
    cuts = sorted(rng.randint(0, total) for _ in range(players - 1))
    return tuple(b - a for a, b in zip([0, *cuts], [*cuts, total], strict=True))


def random_trees(count, seed=0, players=3, kind="independent", depth=4):
    rng = random.Random(seed)

    def winner():
        alone = rng.randrange(players)
        return tuple(3 * (i == alone) for i in range(players))

    draw = {
        "independent": lambda: tuple(rng.randrange(4) for _ in range(players)),
        "constant": lambda: divided(rng, players, 6),
        "winner": winner,
        "negative": lambda: tuple(rng.randint(-3, 2) for _ in range(players)),
    }[kind]
    for _ in range(count):
        yield rng.randrange(players), [grown(rng, players, depth, draw) for _ in range(rng.randint(1, 3))]


def backward(node, pick):
    """The value and path of moves when each mover picks, of the list of (value, path), one by `pick(mover, list)`."""
    if is_leaf(node):
        return node, ()
    mover, children = node
    options = [(value, (i, *path)) for i, child in enumerate(children) for value, path in [backward(child, pick)]]
    return pick(mover, options)


def picks(among):
    """The mover picks, of the best for itself, one by `among(list)`."""

    def pick(mover, options):
        top = max(value[mover] for value, _ in options)
        return among([option for option in options if option[0][mover] == top])

    return pick


def picks_as_foes(us):
    """Paranoid: the others take what is worst for `us`."""

    def pick(mover, options):
        wanted = (max if mover == us else min)(value[us] for value, _ in options)
        return next(option for option in options if option[0][us] == wanted)

    return pick


def every_value(node):
    """All values by trying every rule: one choice for every node and every combination of the choices below."""
    if is_leaf(node):
        return {node}
    mover, children = node
    found = set()
    for values in product(*map(every_value, children)):
        top = max(value[mover] for value in values)
        found |= {value for value in values if value[mover] == top}
    return found


def size(node):
    """All nodes and the leaves among them."""
    if is_leaf(node):
        return 1, 1
    sizes = [size(child) for child in node[1]]
    return 1 + sum(n for n, _ in sizes), sum(m for _, m in sizes)


def cut_off(node, depth, estimates):
    """The tree above a depth, with `estimates[path]` at its inner nodes there."""

    def walk(node, path):
        if is_leaf(node):
            return node
        if len(path) == depth:
            return estimates[path]
        return node[0], [walk(child, (*path, i)) for i, child in enumerate(node[1])]

    return walk(node, ())


def full(result):
    return result.value, result.move, result.principal_variation


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_maxn_is_backward_induction(players, kind):
    for node in random_trees(80, players, players, kind):
        tree, rules = Tree(node), {"first": picks(itemgetter(0)), "last": picks(itemgetter(-1))}
        for name, extreme in (("paranoid", min), ("optimistic", max)):  # for the player at the root
            rules[name] = picks(partial(extreme, key=lambda option, root=node[0]: option[0][root]))
        for ties, pick in rules.items():
            found, (value, path) = search.maxn(tree, (), ties=ties), backward(node, pick)
            assert full(found) == (value, path[0], path) and (found.nodes, found.leaves) == size(node)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_pruning_changes_nothing(players, kind):
    saved = 0
    for node in random_trees(200, 10 + players, players, kind):
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
    for node in random_trees(200, 3, 3, kind, depth=3):
        tree, values = Tree(node), every_value(node)
        found = search.maxn_values(tree, ())
        assert found == tuple(sorted(values))
        for ties in ("first", "last", "paranoid", "optimistic"):
            assert search.maxn(tree, (), ties=ties).value in values
        several += len(values) > 1
    assert several > 5


def test_even_ties_are_exact_means():
    tree = Tree((0, [(1, [(0, 1, 5), (3, 1, 0), (6, 0, 0)]), (1.5, 9, 9), (1, 0, 0)]))
    found = search.maxn(tree, (), ties="even")
    assert found.value == (Fraction(3, 2), Fraction(5), Fraction(23, 4)) and found.principal_variation == (0, 0)
    # A third and two thirds add up exactly, so this is a tie.
    thirds = Tree((0, [(1, [(0, 0), (0, 0), (1, 0)]), (Fraction(1, 3), 6)]))
    assert search.maxn(thirds, (), ties="even").value == (Fraction(1, 3), 3)


@pytest.mark.parametrize("depth", [0, 1, 2, 3])
def test_depth_limit(depth):
    rng = random.Random(depth)

    def with_estimates(node, path, estimates):
        if is_leaf(node):
            return node
        estimates[path] = tuple(rng.randrange(5) for _ in range(3))
        children = [with_estimates(child, (*path, i), estimates) for i, child in enumerate(node[1])]
        return node[0], children, estimates[path]

    for _ in range(100):
        node, estimates = next(random_trees(1, rng.random(), depth=4)), {}
        tree = Tree(with_estimates(node, (), estimates))
        cut = cut_off(node, depth, estimates)
        plain, pruned = search.maxn(tree, (), depth), search.maxn_shallow(tree, (), depth)
        expected = backward(cut, picks(itemgetter(0)))
        assert (plain.value, plain.principal_variation) == (pruned.value, pruned.principal_variation) == expected
        assert plain.nodes == size(cut)[0] and plain.value in search.maxn_values(tree, (), depth)


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


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_paranoid_is_minimax_of_two_sides(players, kind):
    saved = 0
    for node in random_trees(150, 20 + players, players, kind):
        tree = Tree(node)
        for player in range(players):
            value, path = backward(node, picks_as_foes(player))
            plain = search.paranoid(tree, (), pruning=False, player=player)
            pruned = search.paranoid(tree, (), player=player)
            for found in (plain, pruned):
                assert (found.value, found.principal_variation) == (value[player], path)
            assert (plain.nodes, plain.leaves) == size(node) and pruned.nodes <= plain.nodes
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


@pytest.mark.parametrize("payoffs", [(0, 1), (0.5, 0, 1, 0.9), (0.3, 0.2, 1, 0, 0.6, 0.8)])
@pytest.mark.parametrize("playouts", [10, 100, 2000])
def test_one_choice_is_within_the_bound_of_ucb1(payoffs, playouts):
    # Auer, Cesa-Bianchi and Fischer (2002), Theorem 1, for payoffs in [0, 1] with both ends among them.
    tree = Tree((1, [(0, value, 7) for value in payoffs]))
    flat = Tree((0, [(value, 0) for value in payoffs]))
    gaps = [max(payoffs) - value for value in payoffs if value < max(payoffs)]
    bound = sum(8 * math.log(playouts) / gap for gap in gaps) + (1 + math.pi**2 / 3) * sum(gaps)
    found = search.mcts(flat, (), playouts, 0)
    assert 0 <= playouts * (max(payoffs) - found.value[0]) <= bound
    assert found.move == payoffs.index(max(payoffs)) or playouts == 10
    assert sum(found.visits.values()) == playouts and set(found.visits) == set(range(len(payoffs)))
    # The mean is that of the visits, and so is the standard error.
    drawn = np.repeat(payoffs, [found.visits[move] for move in range(len(payoffs))])
    assert found.value[0] == pytest.approx(drawn.mean())
    assert found.standard_error[0] == pytest.approx(drawn.std(ddof=1) / math.sqrt(playouts))
    assert search.mcts(tree, (), playouts, 0).value[2] == pytest.approx(7)


def test_converges_to_maxn():
    """UCB1's bound on visits to the worse move is logarithmic, so that means come nearer about as log(n) / n.

    By a factor of 10 from 200 to 3000, if the bound were exact; by 3 at least here, where ties decide nothing.
    """
    trees = [RandomTree(3, 2, 3, seed, most=3) for seed in range(50)]
    values = {game: search.maxn_values(game, game.start()) for game in trees}
    trees = [game for game in trees if len(values[game]) == 1]
    assert len(trees) > 10
    for game in trees:
        short, long = (search.mcts(game, game.start(), playouts, 0) for playouts in (200, 3000))
        gaps = [max(abs(a - b) for a, b in zip(f.value, *values[game], strict=True)) for f in (short, long)]
        assert gaps[1] < 0.25 and gaps[1] < gaps[0] / 3


def test_the_error_of_large_payoffs_that_differ_little():
    def found(shift):
        node = (0, [(1, [(shift, shift), (shift + 1, shift)]), (shift, shift + 2)])
        return search.mcts(Tree(node), (), 200, 1)

    small, large = found(0), found(2**40)
    assert large.visits == small.visits and large.value[0] - 2**40 == pytest.approx(small.value[0], abs=1e-3)
    assert large.standard_error == pytest.approx(small.standard_error, rel=0.01) and small.standard_error[0] > 0.01


@pytest.mark.parametrize("first", ["choose", "roll"])
def test_chance_is_drawn_as_it_is(first):
    """Of a lottery's prizes each comes as often as it should, within five standard errors."""
    prizes = {0: (0.7, (0, 1)), 10: (0.2, (10, 0)), 50: (0.1, (50, 0))}
    game = Places(2, {"choose": (0, {"lottery": "roll"}), "roll": (CHANCE, prizes)})
    found = search.mcts(game, first, 4000, 1)
    assert abs(found.value[0] - 7) < 5 * found.standard_error[0] < 1.5
    assert found.principal_variation == (("lottery",) if first == "choose" else ())
    assert found.movers == ((0,) if first == "choose" else ())
    if first == "roll":
        assert found.move is None and sum(found.visits.values()) == 4000
        for prize, (chance, _) in prizes.items():
            assert abs(found.visits[prize] - 4000 * chance) < 5 * math.sqrt(4000 * chance * (1 - chance))


class Endless(RandomTree):
    def mover(self, state):
        return state.mover


ENDLESS = Endless(2, 2, 1, 0)


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
    (
        lambda: search.mcts(ENDLESS, ENDLESS.start(), 5, 0),
        r"^depth: a playout had not ended after 100000 plies; fewer plies",
    ),
    (lambda: search.mcts(Tree((0, [(math.inf, 2)])), (), 5, 0), r"^payoffs = \(inf, 2\): mcts needs finite numbers"),
)
