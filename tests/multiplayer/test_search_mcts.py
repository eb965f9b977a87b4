"""MCTS-MaxN and the tournament: reproducible, within the bound of UCB1, and equal to play by hand."""

import itertools
import math

import numpy as np
import pytest

from gamebalance import games
from gamebalance.games import RandomTree, Tree
from gamebalance.multiplayer import search
from gamebalance.multiplayer.protocols import CHANCE, OVER
from tests.multiplayer.written_trees import Places
from tests.refusals import refuses


def test_reproducible():
    game = RandomTree(3, 3, 5, 1)
    a, b, c = (search.mcts(game, game.start(), 200, seed) for seed in (4, 4, 5))
    assert a == b and a.value != c.value


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


@pytest.mark.parametrize("exploration", [math.sqrt(2), 0.3])
def test_one_choice_is_ucb1_move_by_move(exploration):
    payoffs = (0.5, 0, 1, 0.9)
    visits = [1] * 4
    for count in range(4, 400):
        bounds = np.array(payoffs) + exploration * np.sqrt(math.log(count) / np.array(visits))
        visits[bounds.argmax()] += 1
    tree = Tree((0, [(value, 0.5) for value in payoffs]))
    assert list(search.mcts(tree, (), 400, 0, exploration=exploration).visits.values()) == visits


def test_of_equally_good_moves_the_first_is_tried_first():
    """0.1 + 0.2 is no better than 0.3: what differs only in its last bits is tried in turn, in the game's order."""
    tied = Tree((0, [(0.3, 0), (0.1 + 0.2, 0), (np.nextafter(0.3, 0), 0)]))
    assert list(search.mcts(tied, (), 10, 1, exploration=0.01).visits.values()) == [4, 3, 3]


def test_every_player_maximises_its_own():
    # Player 1 prefers what is worst for player 0, player 2 what is best: only with vectors the right move is found.
    tree = Tree((0, [(1, [(9, 1, 0), (1, 2, 0)]), (2, [(0, 0, 1), (5, 0, 2)])]))
    found = search.mcts(tree, (), 3000, 0)
    assert found.principal_variation == (1, 1) and found.movers == (0, 2) and found.move == 1


def decided(game, state):
    """The MaxN value if every mover everywhere has one best move, else None."""
    if game.mover(state) == OVER:
        return game.payoffs(state)
    values = [decided(game, game.play(state, move)) for move in game.moves(state)]
    if None in values:
        return None
    first, second = sorted(values, key=lambda value: -value[game.mover(state)])
    return first if first[game.mover(state)] > second[game.mover(state)] else None


def test_converges_to_maxn():
    # Payoffs 0 to 3 and two moves, one of them better by a third of the range at least. UCB1's bound on visits to the
    # worse one is logarithmic, so the means come nearer about as log(n) / n: by a factor of 10 from 200 to 3000,
    # if the bound were exact; by 3 at least here.
    trees = [(RandomTree(3, 2, 3, seed, most=3)) for seed in range(110)]
    values = {game: decided(game, game.start()) for game in trees}
    trees = [game for game in trees if values[game]]
    assert len(trees) == 16
    for game in trees:
        short, long = (search.mcts(game, game.start(), playouts, 0) for playouts in (200, 3000))
        gaps = [max(abs(a - b) for a, b in zip(f.value, values[game], strict=True)) for f in (short, long)]
        assert long.principal_variation == search.maxn(game, game.start()).principal_variation
        assert gaps[1] < 0.25 and gaps[1] < gaps[0] / 3


def test_units_of_payoffs_do_not_matter():
    node = [(0, 1, 5), (1, [(3, 1, 0), (2, 4, 1)]), (2, [(5, 0, 1), (1, 2, 3)])]
    large = [(0, 64, 320), (1, [(192, 64, 0), (128, 256, 64)]), (2, [(320, 0, 64), (64, 128, 192)])]
    one, other = (search.mcts(Tree((0, children)), (), 500, 3) for children in (node, large))
    assert one.visits == other.visits and other.value == tuple(64 * value for value in one.value)


def test_depth_limit_is_the_shorter_game():
    for seed in range(10):
        long, short = (RandomTree(3, 2, depth, seed) for depth in (6, 3))
        assert search.mcts(long, long.start(), 60, 1, depth=3) == search.mcts(short, short.start(), 60, 1)


def test_exploration_none_stays_with_the_best_so_far():
    tree = Tree((0, [(2, 0), (1, 0), (0, 0)]))
    assert search.mcts(tree, (), 50, 0, exploration=0).visits == {0: 48, 1: 1, 2: 1}


def test_the_move_is_the_one_tried_most():
    # After one playout of each the first is chosen, though the second brought more; after many the second is.
    tree = Tree((0, [(0, 0), (1, 0)]))
    assert (search.mcts(tree, (), 2, 0).move, search.mcts(tree, (), 50, 0).move) == (0, 1)


def test_counts_and_depth():
    tree = Tree((0, [(1, [(3, 1), (2, 2)], (9, 9)), (1, [(3, 1), (2, 2)], (0, 0))]))
    found = search.mcts(tree, (), 50, 0, depth=1)
    assert (found.nodes, found.leaves) == (3, 2) and found.principal_variation == (0,)
    # One playout: the root, the new state and one random move below it.
    one = search.mcts(tree, (), 1, 0)
    assert (one.nodes, one.leaves) == (3, 1) and math.isnan(one.standard_error[0])
    over = search.mcts(Tree((1, 2, 3)), (), 5, 0)
    assert (over.value, over.move, over.nodes) == ((1, 2, 3), None, 1)


def test_random_playouts_are_uniform():
    # Player 1's node is not expanded by the first playout; its three moves are equally likely there.
    tree = Tree((0, [(1, [(0, 0), (1, 0), (2, 0)])]))
    values = [search.mcts(tree, (), 1, seed).value[0] for seed in range(600)]
    counts = np.bincount(np.array(values, dtype=int), minlength=3)
    assert np.abs(counts - 200).max() < 5 * math.sqrt(600 * 2 / 9)


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


def test_what_is_better_on_the_average_is_found():
    """7 on the average, or 4 for certain."""
    prizes = {0: (0.7, (0, 1)), 10: (0.2, (10, 0)), 50: (0.1, (50, 0))}
    game = Places(2, {"choose": (0, {"sure": (4, 0), "lottery": "roll"}), "roll": (CHANCE, prizes)})
    assert search.mcts(game, "choose", 3000, 0).move == search.maxn(game, "choose").move == "lottery"


class Endless(RandomTree):
    def mover(self, state):
        return state.mover


ENDLESS = Endless(2, 2, 1, 0)


def test_endless_play_is_cut_off_by_a_depth():
    assert search.mcts(ENDLESS, ENDLESS.start(), 5, 0, depth=3).leaves == 5


def first_move(game, state):
    return game.moves(state)[0]


def last_move(game, state):
    return game.moves(state)[-1]


class TestRoundRobin:
    game = games.tictactoe()

    def test_every_seating_from_every_opening(self):
        openings = [self.game.start(), self.game.play(self.game.start(), 4)]
        policies = {"first": first_move, "last": last_move}
        played = search.round_robin(self.game, openings, policies)
        assert played.names == ("first", "last") and played.openings == 2
        assert played.seatings == tuple(itertools.product((0, 1), repeat=3))
        for seating, payoffs in zip(played.seatings, played.payoffs, strict=True):
            seats = [policies[played.names[i]] for i in seating]
            each = [search.play_game(self.game, state, seats) for state in openings]
            assert payoffs.tolist() == np.mean(each, axis=0).tolist()

    def test_means_by_hand(self):
        seatings, payoffs = ((0, 0), (0, 1), (1, 0), (1, 1)), np.array([[9, 9], [1, 3], [5, 2], [7, 7]])
        assert search.RoundRobin(("a", "b"), seatings, payoffs, 1).means().tolist() == [1.5, 4.0]

    def test_alone_by_hand(self):
        names, seatings = ("a", "b"), tuple(itertools.product((0, 1), repeat=3))
        payoffs = np.arange(24).reshape(8, 3)
        alone = search.RoundRobin(names, seatings, payoffs, 1).alone()
        # One b among a's: seatings 001, 010 and 100, with 5, 7 and 12 for b. One a among b's: 011, 101, 110.
        assert alone.tolist() == [[1.0, (9 + 16 + 20) / 3], [(5 + 7 + 12) / 3, 22.0]]

    def test_play_game(self):
        # X takes 0, O 1, # 2, X 3, O 4, # 5, X 6: the first column.
        assert search.play_game(self.game, self.game.start(), [first_move] * 3) == (3, 0, 0)
        # X 0, O 8, # 1, X 2, O 7, # 3, X 4, O 6: the last row.
        assert search.play_game(self.game, self.game.start(), [first_move, last_move, first_move]) == (0, 3, 0)


ONE = Tree((0, [(1, 2)]))


def played(*policies, **options):
    return lambda: search.play_game(games.tictactoe(), games.tictactoe().start(), policies, **options)


def tournament(openings, *policies):
    game = games.tictactoe()
    return lambda: search.round_robin(game, [game.start()] * openings, dict(enumerate(policies)))


test_refusals = refuses(
    (lambda: search.mcts(ONE, (), 0, 0), r"^playouts = 0: a whole number from 1 to 1000000 is needed"),
    (lambda: search.mcts(ONE, (), 5, 0, exploration=-1), r"^exploration = -1: a finite number, 0 or more, is needed"),
    (
        lambda: search.mcts(ENDLESS, ENDLESS.start(), 5, 0),
        r"^depth: a playout had not ended after 100000 plies; fewer plies",
    ),
    (lambda: search.mcts(Tree((0, [(math.inf, 2)])), (), 5, 0), r"^payoffs = \(inf, 2\): mcts needs finite numbers"),
    (played(*[lambda game, state: 0] * 3), r"^policies\[1\]: it moves 0 in .* which is not legal there$"),
    (played(first_move), r"^policies: 1 of them, one for each of 3 players is needed$"),
    (played(*[first_move] * 3, most_plies=3), r"^most_plies = 3: the game had not ended by then$"),
    (tournament(0, first_move), r"^openings, policies: they make 0 games"),
    (tournament(1), r"^openings, policies: they make 0 games"),
    (tournament(200_000, first_move, first_move), r"^openings, policies: they make 1600000 games"),
)
