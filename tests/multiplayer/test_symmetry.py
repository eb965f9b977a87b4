"""Which players are alike: found where they are, and nowhere else."""

from random import Random

import pytest

from gamebalance.games import FirstPriceAuction, Kuhn, SilentWerewolf, Tree, tictactoe
from gamebalance.multiplayer import CHANCE, in_turn, with_memory
from gamebalance.multiplayer.graph import GameGraph
from gamebalance.multiplayer.graph.symmetry import alike
from tests.multiplayer.alike_games import AtOnce, Hidden
from tests.multiplayer.written_trees import Written


def groups(game, sides=None):
    return alike(GameGraph(in_turn(game)), sides).groups


def at_once(payoffs, *counts, chosen=()):
    """All choose at once, asked one after another; `payoffs` of what they choose."""
    player = len(chosen)
    after = {k: (*chosen, k) for k in range(counts[player])}
    last = player == len(counts) - 1
    nodes = {k: payoffs(*all_) if last else at_once(payoffs, *counts, chosen=all_).root for k, all_ in after.items()}
    return Written(len(counts), (player, player, nodes))


PENNIES = [[(1, -1), (-1, 1)], [(-1, 1), (1, -1)]]
SEXES = [[(2, 1), (0, 0)], [(0, 0), (1, 2)]]


@pytest.mark.parametrize(
    ("table", "same"),
    [
        (PENNIES, True),  # the one who wants to match is the other with the pennies turned over
        (SEXES, True),  # with the names of the places exchanged
        ([[(2, 1), (0, 0)], [(0, 0), (1, 2.5)]], False),
        ([[(0, 0), (3, 1)], [(1, 2), (0, 0)]], False),
    ],
)
def test_two_who_choose_at_once(table, same):
    assert bool(groups(at_once(lambda one, other: table[one][other], 2, 2))) == same


@pytest.mark.parametrize("seed", range(6))
def test_seats_that_are_alike_by_making(seed):
    for shape in (
        {"rounds": 2},
        {"drawn": True},
        {"players": 4},
        {"moves": 3},
        {"players": 2, "rounds": 2, "drawn": True},
    ):
        for game in (Hidden(seed, **shape), AtOnce(seed, **shape), with_memory(Hidden(seed, **shape))):
            assert groups(game) == (tuple(range(game.players)),)


class Better(Hidden):
    """The same, but at one end one player gets a little more."""

    def payoffs(self, state):
        found = super().payoffs(state)
        if state == self.where:
            found[self.who] += 0.01
        return found


@pytest.mark.parametrize("seed", range(6))
def test_one_payoff_more_at_one_end_tells_a_player_apart(seed):
    random = Random(seed)
    game = Better(seed, rounds=2, drawn=bool(seed % 2))
    ends = GameGraph(Hidden(seed, rounds=2, drawn=bool(seed % 2)))
    game.where, game.who = random.choice([ends.states[each] for each in ends.over.nonzero()[0]]), random.randrange(3)
    assert not any(game.who in group for group in groups(game))


def test_a_circle_of_players_can_turn_and_not_turn_over():
    """Each gets a point for the hand that the next one shows. No two can change places."""
    found = alike(GameGraph(at_once(lambda a, b, c: (2 * a + b, 2 * b + c, 2 * c + a), 2, 2, 2)))
    assert found.groups == ((0, 1, 2),) and set(found.renamings) == {(0, 1, 2), (1, 2, 0), (2, 0, 1)}


def lot(chance, steps, *tossed):
    """Chance says who begins, in one step or more; whoever begins wins more often."""
    if len(tossed) < steps:
        nodes = (lot(chance, steps, *tossed, side) for side in (0, 1))
        return CHANCE, dict(enumerate(zip((chance, 1 - chance), nodes, strict=True)))
    first = sum(tossed) % 2
    return first, tossed, {"l": (1 - first, first), "r": (first, 1 - first)}


def test_who_begins_by_lot():
    found = [groups(Written(2, lot(chance, steps))) for chance in (0.5, 0.4) for steps in (1, 3)]
    assert found == [((0, 1),), ((0, 1),), (), ()]


def test_games_of_the_collection():
    assert groups(FirstPriceAuction()) == ((0, 1, 2),)
    assert groups(SilentWerewolf(4, ties="lot", phase="evening")) == ((1, 2, 3),)
    assert [groups(game) for game in (Kuhn(2), Kuhn(3), tictactoe(2), Tree((0, [(1, 0), (0, 1)])))] == [()] * 4


def test_those_of_a_side_stay_together():
    game = Hidden(3, players=4)
    assert groups(game, "aabb") == ((0, 1, 2, 3),) and groups(game, "aaab") == ((0, 1, 2),)
