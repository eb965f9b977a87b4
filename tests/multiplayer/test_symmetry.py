"""Which players are alike: found where they are, and nowhere else."""

from random import Random

import pytest

from gamebalance.games import FirstPriceAuction, Kuhn, SilentWerewolf, Tree, tictactoe
from gamebalance.multiplayer import CHANCE, OVER, in_turn, with_memory
from gamebalance.multiplayer.graph import GameGraph
from gamebalance.multiplayer.graph.states import StateSearch
from gamebalance.multiplayer.graph.symmetry import alike, declared, generated
from tests.multiplayer.alike_games import AtOnce, DealtLate, Hidden, Renamed


class Matrix:
    """Two choose at once, the second asked later; `table` has the payoffs of both."""

    players = 2

    def __init__(self, table):
        self.table = table

    def start(self):
        return ()

    def mover(self, state):
        return OVER if len(state) == 2 else len(state)

    def moves(self, state):
        return range(len(self.table) if not state else len(self.table[0]))

    def play(self, state, move):
        return (*state, move)

    def payoffs(self, state):
        return self.table[state[0]][state[1]]

    def information(self, state):
        return len(state)


def groups(game, sides=None):
    return alike(GameGraph(in_turn(game)), sides).groups


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
    assert bool(groups(Matrix(table))) == same


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
        game = Hidden(seed, **shape)
        places = Random(seed).sample(range(game.players), game.players)
        assert groups(Renamed(game, places)) == (tuple(range(game.players)),)
        assert groups(DealtLate(seed, **shape)) == (tuple(range(game.players)),)


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


class Cycle:
    """Three at once show a hand; each gets a point for the hand that the next one shows. No two can change places."""

    players = 3

    def start(self):
        return None

    def movers(self, state):
        return OVER if state else (0, 1, 2)

    def moves(self, state):
        return dict.fromkeys(range(3), (0, 1))

    def play(self, state, moves):
        return moves

    def payoffs(self, state):
        return [2 * state[player] + state[(player + 1) % 3] for player in range(3)]


def test_a_circle_of_players_can_turn_and_not_turn_over():
    found = alike(GameGraph(in_turn(Cycle())))
    assert found.groups == ((0, 1, 2),) and set(found.renamings) == {(0, 1, 2), (1, 2, 0), (2, 0, 1)}


class Lot:
    """Chance says who begins; whoever begins wins more often. A shuffle before, in one step or two, changes nothing."""

    players = 2

    def __init__(self, fair=True, steps=1):
        self.fair, self.steps = fair, steps

    def start(self):
        return ()

    def mover(self, state):
        if len(state) < self.steps:
            return CHANCE
        return sum(state[: self.steps]) % 2 if len(state) == self.steps else OVER

    def moves(self, state):
        if len(state) < self.steps:
            return {0: 0.5, 1: 0.5} if self.fair else {0: 0.4, 1: 0.6}
        return "lr"

    def play(self, state, move):
        return (*state, move)

    def payoffs(self, state):
        first = sum(state[: self.steps]) % 2
        return [float((player == first) == (state[-1] == "l")) for player in range(2)]


def test_who_begins_by_lot():
    assert [groups(Lot(fair, steps)) for fair in (True, False) for steps in (1, 3)] == [((0, 1),), ((0, 1),), (), ()]


def test_games_of_the_collection():
    assert groups(FirstPriceAuction()) == ((0, 1, 2),)
    assert groups(SilentWerewolf(4, ties="lot", phase="evening")) == ((1, 2, 3),)
    assert [groups(game) for game in (Kuhn(2), Kuhn(3), tictactoe(2), Tree((0, [(1, 0), (0, 1)])))] == [()] * 4


def test_those_of_a_side_stay_together():
    game = Hidden(3, players=4)
    assert groups(game, "aabb") == ((0, 1, 2, 3),) and groups(game, "aaab") == ((0, 1, 2),)


def test_renamings_that_follow_from_others():
    assert generated(3, [(1, 0, 2)]).groups == ((0, 1),) and generated(3, []).renamings == ((0, 1, 2),)
    assert len(generated(4, [(1, 2, 3, 0), (1, 0, 2, 3)]).renamings) == 24
    assert declared(5, [(0, 2), (1, 3, 4)]).groups == ((0, 2), (1, 3, 4))


def test_the_beginning_of_a_game_is_cut_at_a_depth():
    search = StateSearch(Hidden(1, rounds=3, moves=3))
    assert not search.go_on(200)
    graph = GameGraph.beginning(search)
    lengths = [sum(map(len, state[1])) + len(state[2]) for state in graph.states]
    assert 100 < len(graph.states) <= len(search.states) and set(lengths[graph.inner :]) == {max(lengths)}
    assert max(lengths[: graph.inner]) < max(lengths) and graph.over.sum() == len(graph.states) - graph.inner
    found = [alike(GameGraph.beginning(search, less)).groups for less in range(3)]
    assert ((0, 1, 2),) in found  # at the depth at which all three have chosen
