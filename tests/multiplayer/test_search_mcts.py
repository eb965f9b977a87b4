"""MCTS-MaxN: reproducible, within the bound of UCB1, and equal to play by hand."""

import math

import numpy as np
import pytest

from gamebalance.games import RandomTree, Tree
from gamebalance.multiplayer import search
from gamebalance.multiplayer.protocols import CHANCE, OVER
from tests.multiplayer.written_trees import Places
from tests.refusals import refuses


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


test_refusals = refuses(
    (
        lambda: search.mcts(ENDLESS, ENDLESS.start(), 5, 0),
        r"^depth: a playout had not ended after 100000 plies; fewer plies",
    ),
    (lambda: search.mcts(Tree((0, [(math.inf, 2)])), (), 5, 0), r"^payoffs = \(inf, 2\): mcts needs finite numbers"),
)
