"""MaxN, its values under ties, and pruning: against backward induction, hand counts and Korf's formula."""

import math
import random
from fractions import Fraction
from itertools import product
from time import process_time

import pytest

from chapters.multiplayer import search_contest
from gamebalance import games
from gamebalance.games import RandomTree, Tree
from gamebalance.multiplayer import search
from gamebalance.multiplayer.protocols import CHANCE, OVER
from tests.multiplayer import search_reference as reference
from tests.multiplayer.written_trees import Places, random_game
from tests.refusals import refused, refuses

KINDS = ["independent", "constant", "winner", "negative"]
HAND = (0, [(1, [(3, 5, 1), (2, 6, 4)]), (2, [(4, 0, 2), (1, 1, 7)])])


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


def test_equal_sums_cut():
    # Player 0 holds 2 of 4. Player 1 finds 2 for itself: player 0 can have 2 at most behind "b", and stays with "a".
    found = search.maxn_shallow(Tree((0, {"a": (2, 0, 2), "b": (1, [(0, 2, 2), (2, 2, 0)])})), ())
    assert (full(found), found.nodes) == (((2, 0, 2), "a", ("a",)), 4)


def test_immediate_pruning():
    tree = Tree((0, [(1, [(0, 4, 0), (2, 2, 0)]), (4, 0, 0), (3, 1, 0)]))
    assert search.maxn_shallow(tree, ()).nodes == 4  # the root, player 1's node and its first leaf, and the second move
    assert search.maxn_shallow(tree, (), most_sum=5).nodes == 6  # for all that is known, there may be more


def test_least_payoffs_tighten_the_cut():
    # With at least 1 for player 2, player 1's 4 leaves player 0 at most 5, which it holds.
    tree = Tree((0, [(5, 0, 3), (1, [(2, 4, 3), (4, 3, 2)])]))
    for least, nodes in ((0, 5), ((0, 0, 1), 4), ((1, 0, 0), 5)):
        found = search.maxn_shallow(tree, (), most_sum=10, least=least)
        assert (found.nodes, found.value) == (nodes, (5, 0, 3))


def test_the_tree_that_deep_pruning_gets_wrong():
    tree = games.deep_pruning_example()
    assert search.maxn(tree, ()).value == search.maxn_shallow(tree, ()).value == (7, 3, 0)
    assert search.maxn(tree, ()).principal_variation == ("b", "d")
    assert tree.most_sum == 10 and all(sum(tree.payoffs(s)) == 10 for s in tree.states() if tree.mover(s) == OVER)


def best_case(depth, mover, value, players, total):
    """A tree in which Korf's cuts come as early as they can, with `value` to the root."""
    if depth == 0:
        return value
    children = [best_case(depth - 1, (mover + 1) % players, value, players, total)]
    reply = [0] * players
    reply[(mover + 1) % players], reply[mover] = total - value[mover], value[mover]
    worse = tuple(total * (i == (mover + 2) % players) for i in range(players))
    for _ in range(2):
        if depth == 1:
            children.append(worse)
            continue
        inner = [best_case(depth - 2, (mover + 2) % players, tuple(reply), players, total)] + [worse] * 2
        children.append(((mover + 1) % players, inner))
    return mover, children


def test_best_case_leaves_of_korf():
    # F(d) = F(d-1) + (b-1) F(d-2), F(0) = 1, F(1) = b: its growth rate is the root of x^2 = x + b - 1.
    leaves = [search.best_case.shallow_leaves(3, depth) for depth in range(10)]
    assert leaves[:2] == [1, 3] and all(leaves[d] == leaves[d - 1] + 2 * leaves[d - 2] for d in range(2, 10))
    assert leaves[9] / leaves[8] == pytest.approx((1 + math.sqrt(4 * 3 - 3)) / 2, rel=0.01)
    for depth in range(1, 9):
        found = search.maxn_shallow(Tree(best_case(depth, 0, (1, 1, 1), 3, 3)), ())
        assert found.value == (1, 1, 1)
        # From the seventh ply on, players who hold all there is stop even sooner: immediate pruning.
        assert found.leaves == leaves[depth] if depth < 7 else found.leaves < leaves[depth]


@pytest.mark.parametrize("kind", KINDS)
def test_set_of_values(kind):
    several = 0
    for node in reference.random_trees(200, 3, 3, kind, depth=3):
        tree, values = Tree(node), reference.every_value(node)
        found = search.maxn_values(tree, ())
        assert found.values == tuple(sorted(values)) and found.nodes == reference.size(node)[0]
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
        values = search.maxn_values(tree, ()).values
        assert len(values) > 1 or search.maxn(tree, (), ties="even").value == values[0]


def test_ties_can_change_every_payoff():
    tree = Tree((0, [(1, [(4, 2, 0), (0, 2, 4)]), (1, 5, 5)]))
    by_hand = {"first": (4, 2, 0), "last": (1, 5, 5), "paranoid": (1, 5, 5), "optimistic": (4, 2, 0), "even": (2, 2, 2)}
    assert {ties: search.maxn(tree, (), ties=ties).value for ties in search.TIES} == by_hand
    assert search.maxn_values(tree, ()).values == ((1, 5, 5), (4, 2, 0))


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
        assert plain.nodes == reference.size(cut)[0] and plain.value in search.maxn_values(tree, (), depth).values


def test_counted_by_hand():
    found = search.maxn(Tree(HAND), ())
    assert (found.value, found.move, found.principal_variation, found.movers) == ((2, 6, 4), 0, (0, 1), (0, 1))
    assert (found.nodes, found.leaves, found.hits) == (7, 4, 0)
    # Sums go up to 12: player 0 holds 2, player 2's node stops at 7 only if 2 + 7 + 0 >= 12, which is not so.
    assert search.maxn_shallow(Tree(HAND), ()).nodes == 7
    # Sums of 9 at most, and (2, 6, 1) instead: 2 + 7 = 9 comes with the last leaf, too late to save it.
    late = (0, [(1, [(3, 5, 1), (2, 6, 1)]), (2, [(1, 1, 7), (4, 0, 2)])])
    assert search.maxn_shallow(Tree(late), ()).nodes == 6


def test_two_players_zero_sum_is_minimax():
    for seed in range(80):
        game = RandomTree(2, 3, 4, seed, "constant-sum", most=5)
        values = {search.maxn(game, game.start(), ties=ties).value for ties in search.TIES}
        assert len(values) == 1 and search.maxn_values(game, game.start()).values == tuple(values)
        assert search.paranoid(game, game.start()).value == values.pop()[0]


class TestTicTacToe:
    game = games.tictactoe()

    def test_within_five_seconds(self):
        before = process_time()
        found = search.maxn(self.game, self.game.start(), table=True)
        assert process_time() - before < 5
        assert found.value == (1, 1, 1) and found.nodes == 26930 and len(found.principal_variation) == 9

    def test_table_changes_nothing(self):
        positions = [("XO#/.../...", 0), ("XO#/X../..O", 2), ("XO./#../...", 0)]
        for position, depth, ties in product(positions, (3, 4, None), search.TIES):
            state = self.game.position(*position)
            plain = search.maxn(self.game, state, depth, ties=ties)
            tabled = search.maxn(self.game, state, depth, ties=ties, table=True)
            assert full(plain) == full(tabled) and plain.hits == 0
            assert tabled.nodes <= plain.nodes and (tabled.nodes < plain.nodes) == (tabled.hits > 0)

    def test_table_tells_depths_apart(self):
        # Two ways to one node, one of them a ply longer: the shorter sees further beyond it.
        class Detour:
            players = 1
            steps = {"a": ("b", "c"), "b": ("c",), "c": ("d",), "d": ("e",), "e": ("f",)}  # noqa: RUF012

            start = staticmethod(lambda: "a")
            mover = staticmethod(lambda state: OVER if state == "f" else 0)
            moves = steps.__getitem__
            play = staticmethod(lambda state, move: move)
            payoffs = staticmethod(lambda state: ("abcdef".index(state) % 5,))

        for depth in range(1, 6):
            plain, tabled = (search.maxn(Detour(), "a", depth, table=t) for t in (False, True))
            assert full(plain) == full(tabled)
            assert search.maxn_values(Detour(), "a", depth).values == (plain.value,)

    def test_outlooks_of_all_positions(self):
        found = search_contest.layers(self.game, self.game.start())
        known = search_contest.outlooks(self.game, found)
        assert [len(layer) for layer in found] == [1, 9, 72, 504, 1512, 3780, 7560, 7560, 4560, 1372]
        assert known[self.game.start()] == search_contest.Outlook(frozenset({(1, 1, 1)}), (1, 1, 1))


def test_ended_root():
    for found in (search.maxn(Tree((1, 2, 3)), ()), search.maxn_shallow(Tree((1, 2, 3)), ())):
        assert (found.value, found.move, found.nodes, found.leaves) == ((1, 2, 3), None, 1, 1)
        assert found.principal_variation == ()
    assert search.maxn_values(Tree((1, 2, 3)), ()).values == ((1, 2, 3),)


class Stub:
    """Counts up for ever, two moves everywhere, unless told otherwise."""

    players = 3

    def __init__(self, moves=(1, 2), mover=0, payoffs=(1, 1, 1), end=math.inf):
        self.start, self.play = lambda: 0, lambda state, move: state + move
        self.mover = lambda state: OVER if state >= end else mover
        self.moves, self.payoffs = lambda state: moves, lambda state: payoffs


FOR_EACH = r"of state \d: a number for each of 3 players is needed$"


@pytest.mark.parametrize("method", [search.maxn, search.maxn_shallow, search.maxn_values, search.paranoid])
@pytest.mark.parametrize(
    ("game", "depth", "message"),
    [
        (Stub(end=3), -1, r"^depth = -1: a whole number, 0 or more, is needed$"),
        (Stub(moves=()), None, r"^state = 0: player 0 has no moves, and the game is not over$"),
        (
            Stub(mover=3),
            None,
            r"^state = 0: mover says that player 3 is to move, of 3 numbered from 0 \(CHANCE is -1, OVER -2\)$",
        ),
        (
            Stub(mover=None),
            None,
            r"^state = 0: mover says that player None is to move, of 3 numbered from 0 \(CHANCE",
        ),
        (Stub(payoffs=(1, 1), end=2), None, rf"^payoffs = \(1, 1\) {FOR_EACH}"),
        (Stub(payoffs=(1, 1, math.nan), end=2), None, rf"^payoffs = .*nan\) {FOR_EACH}"),
        (Stub(payoffs=None, end=2), None, f"^payoffs = None {FOR_EACH}"),
        (Stub(moves=None), None, r"^moves = None of state 0: a sequence is needed$"),
        (Stub(moves=(1,)), None, r"^depth = None: play goes on too long"),
        (object(), None, r"^game = .*: it lacks .*mover"),
    ],
)
def test_refusals_of_every_search(method, game, depth, message):
    with refused(match=message):
        method(game, 0, depth, **({"most_sum": 3} if method is search.maxn_shallow else {}))


def bounded(**bounds):
    return lambda: search.maxn_shallow(Stub(moves=(1,), end=2), 0, **bounds)


test_other_refusals = refuses(
    (bounded(), r"^most_sum = None: a finite number is needed$"),
    (bounded(most_sum=2), r"^most_sum = 2, least = \[0, 0, 0\]: state 2 has the payoffs \(1, 1, 1\)$"),
    (bounded(most_sum=3, least=(0, 0, 2)), r"^most_sum = 3, least = \[0, 0, 2\]: state 2 has the payoffs \(1, 1, 1\)$"),
    (bounded(most_sum=3, least=(0, 0)), r"^least = \(0, 0\): one finite number, or one for each of 3 players"),
    (bounded(most_sum=3, least=2), r"^most_sum = 3: at least the sum of least"),
    (lambda: search.maxn(Stub(end=2), 0, ties="random"), r"^ties = 'random': one of 'first'"),
    (lambda: search.paranoid(Stub(end=2), 0, player=3), r"^player = 3: a whole number from 0 to 2 is needed"),
    (
        lambda: search.maxn(Stub(payoffs=(1, 1, math.inf), end=2), 0, ties="even"),
        r"^payoffs = \(1, 1, inf\): ties = 'even' needs finite numbers",
    ),
    (lambda: search_contest.layers(Stub(end=9), 0), r"^state = 2: it is reached after different numbers of plies$"),
)


def test_infinite_payoffs_are_fine_where_nothing_is_added():
    assert search.maxn(Stub(payoffs=(1, 1, -math.inf), end=2), 0).value == (1, 1, -math.inf)


def test_outlooks_under_ties():
    for kind, seed in product(("independent", "winner"), range(20)):
        game = RandomTree(3, 2, 4, seed, kind, most=2)
        known = search_contest.outlooks(game, search_contest.layers(game, game.start()))
        assert len(known) == 31
        for state in list(known)[-15:]:
            assert known[state].values == set(search.maxn_values(game, state).values)
            assert known[state].secured == tuple(search.paranoid(game, state, player=i).value for i in range(3))


def test_layers_of_a_game_too_large_are_refused(monkeypatch):
    monkeypatch.setattr(search_contest, "MOST_STATES", 100)
    with refused(match="more than 100 states, which are allowed$"):
        search_contest.layers(games.tictactoe(), games.tictactoe().start())


@pytest.mark.parametrize(
    ("function", "arguments", "leaves"),
    [
        ("shallow_leaves", (5, 0), 1),
        ("shallow_leaves", (5, 1), 5),
        ("shallow_leaves", (2, 3), 5),
        ("paranoid_leaves", (4, 0, 3), 1),
        ("paranoid_leaves", (4, 3, 3), 4 + 16 - 1),
        ("paranoid_leaves", (4, 4, 2), 2 * 16 - 1),  # Knuth and Moore
        ("best_reply_leaves", (4, 2, 3), 4 + 8 - 1),
        ("best_reply_leaves", (4, 4, 2), 2 * 16 - 1),
    ],
)
def test_best_cases_by_hand(function, arguments, leaves):
    assert getattr(search.best_case, function)(*arguments) == leaves


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


def die(sides, one):
    """A sure 1 for the first, or a die that gives it 1, too; the second gets 6 on the die's first side."""
    faces = {face: (one / sides, (1, 6 * (face == 0))) for face in range(sides)}
    return Places(2, {"choose": (0, {"sure": (1, 0), "die": "roll"}), "roll": (CHANCE, faces)})


@pytest.mark.parametrize("one", [1, 1.0, Fraction(1)])
def test_a_die_ties_with_what_is_certain(one):
    """Six times the float 1/6 is not 1."""
    for sides in (3, 6, 7, 10, 49):
        found = search.maxn(die(sides, one), "choose", ties="even")
        assert found.value[0] == 1 and found.value[1] == pytest.approx(3 / sides)


def test_the_line_ends_where_chance_moves():
    found = search.maxn(die(6, 1), "roll")
    assert (found.move, found.principal_variation) == (None, ()) and found.value == pytest.approx((1, 1))
    assert search.maxn(die(6, 1), "choose", 2).nodes == 9


@pytest.mark.parametrize("method", [search.maxn_shallow, search.maxn_values, search.paranoid, search.best_reply])
def test_methods_that_cannot_take_chance(method):
    bounds = {"most_sum": 7} if method is search.maxn_shallow else {}
    for state in ("roll", "choose"):
        with refused(match="^state = 'roll': chance moves there, and this method is for games without chance$"):
            method(die(6, 1), state, **bounds)


def test_wrong_chances():
    wrong = Places(2, {"roll": (CHANCE, {0: (0.5, (1, 2)), 1: (0.4, (3, 4))})})
    for find in (search.maxn, lambda game, state: search.mcts(game, state, 5, 0)):
        with refused(match=r"^moves of state 'roll' = \(0.5, 0.4\): the probabilities sum to 0.9, not to 1$"):
            find(wrong, "roll")
