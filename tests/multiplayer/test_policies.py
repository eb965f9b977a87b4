"""Ways to play: against enumeration of plays, MaxN with even ties, solved games, and equilibria."""

from collections import defaultdict
from itertools import product

import numpy as np
import pytest

from gamebalance import countn
from gamebalance.games import Kuhn, RandomTree, tictactoe
from gamebalance.multiplayer import cfr, search
from gamebalance.multiplayer.graph import GameGraph, course, policies
from gamebalance.multiplayer.graph.blocks import block_starts
from gamebalance.multiplayer.protocols import CHANCE, OVER
from tests.multiplayer.written_trees import (
    SMALL,
    Written,
    in_circles,
    plain_best,
    plain_value,
    profile_of,
    random_game,
)
from tests.refusals import refuses


class Shown(Written):
    """A written game whose payoffs before the end are told, too: digits made from the moves so far."""

    def payoffs(self, state):
        node = self._node(state)
        return (
            tuple((hash(state) >> 4 * player) % 5 for player in range(self.players))
            if node[0:1] and isinstance(node[-1], dict)
            else node
        )


class Open(Written):
    """A written game in which all is seen."""

    information = property()


def seen(seed, **options):
    """A random tree game in which all is seen."""
    game = Open(3, random_game(seed, **options).root)
    assert not hasattr(game, "information")
    return game


def reached(game, profile):
    """(chance, state) of all states that are not over, by every way to play from the start."""
    found, waiting = [], [(1.0, game.start())]
    while waiting:
        chance, state = waiting.pop()
        mover = game.mover(state)
        if mover == OVER:
            continue
        found.append((chance, state))
        moves = game.moves(state) if mover == CHANCE else profile[game.information(state)]
        waiting += [(chance * own, game.play(state, move)) for move, own in moves.items()]
    return found


def of_the_most(game, profile, worth):
    """The moves with the largest mean of `worth(state after)` for the mover, states weighed as they are reached."""
    totals = {}
    for chance, state in reached(game, profile):
        if (mover := game.mover(state)) != CHANCE:
            each = totals.setdefault(game.information(state), dict.fromkeys(game.moves(state), 0.0))
            for move in each:
                each[move] += chance * worth(game.play(state, move))[mover]
    found = {}
    for known, each in totals.items():
        best = [move for move in each if each[move] > max(each.values()) - 1e-9]
        found[known] = {move: (move in best) / len(best) for move in each}
    return found


def uniform(game):
    graph = GameGraph(game)
    return profile_of(graph, policies.at_random(graph))


@pytest.mark.parametrize("seed", range(12))
def test_one_move_and_a_search_ahead(seed):
    game = Shown(3, random_game(seed, depth=5).root)
    graph, profile = GameGraph(game), uniform(game)
    found, blocks = profile_of(graph, policies.greedy(graph)), block_starts(graph)

    def looked_at(state):
        """The payoffs when all have chosen who choose at this point, the rest of them at random."""
        number = graph.states.index(state)
        if blocks[number] == number:
            return np.array(game.payoffs(state))
        return np.mean([looked_at(game.play(state, move)) for move in game.moves(state)], axis=0)

    assert found == of_the_most(game, profile, looked_at)
    found = profile_of(graph, policies.looking_ahead(graph))
    assert found == of_the_most(game, profile, lambda state: plain_value(game, profile, state))
    own = np.repeat([1.0], len(policies.at_random(graph)))
    own = own * np.arange(1, len(own) + 1)
    own /= np.repeat(np.add.reduceat(own, graph.set_first[:-1]), np.diff(graph.set_first))
    profile = profile_of(graph, own)
    found = profile_of(graph, policies.looking_ahead(graph, own))
    assert found == of_the_most(game, profile, lambda state: plain_value(game, profile, state))


@pytest.mark.parametrize("game", [*(seen(seed, depth=5) for seed in range(12)), tictactoe(2)])
def test_best_is_maxn_with_even_ties(game):
    graph = GameGraph(game)
    found = policies.find_best(graph)
    values = course(graph, found.policy).values(graph.payoffs)
    assert found.off == 0 and found.method == "backward induction"
    for number in range(0, len(graph.states), 1 + len(graph.states) // 50):
        by_search = search.maxn(game, graph.states[number], ties="even", table=True).value
        assert values[number] == pytest.approx(list(map(float, by_search)), abs=1e-9)


@pytest.mark.parametrize("n", range(2, 10))
def test_best_play_of_count_n(n):
    """Wins are won and draws last for ever, as retrograde analysis has it, from every position of the game."""
    game, solved = countn.TwoPlayerGame(n), countn.solve(n)
    graph = GameGraph(game)
    play = course(graph, policies.find_best(graph).policy)
    values = play.values(graph.payoffs)[:, 0]
    assert {"first": values[0] > 0, "second": values[0] < 0, "draw": play.endless == 1}[solved.start_value]
    for state, value in zip(graph.states, values, strict=True):
        if game.mover(state) != OVER:
            own, other = state[state[2]], state[1 - state[2]]
            assert value * (-1 if state[2] else 1) == pytest.approx(solved.value(own, other))


def pure(graph, player):
    """All ways of a player to choose one move at each place, as policies that say nothing about the others."""
    own = [number for number in range(len(graph.sets)) if graph.set_mover[number] == player]
    for choice in product(*(range(len(graph.moves[number])) for number in own)):
        policy = np.zeros(graph.set_first[-1])
        policy[[graph.set_first[number] + move for number, move in zip(own, choice, strict=True)]] = 1.0
        yield policy


def test_best_play_in_circles_of_two_opposed():
    """Both have best ways to play that choose one move at each place (Liggett and Lippman, 1969): all are tried."""
    found = 0
    for graph in in_circles(12, players=2, inner=5, ends=3, opposed=True):
        best = policies.find_best(graph)
        if best is not None:
            found += 1
            second = list(pure(graph, 1))
            ends = np.array([[_first_of(graph, [one, two]) for two in second] for one in pure(graph, 0)])
            value = _first_of(graph, best.policy)
            assert ends.min(axis=1).max(axis=0) == pytest.approx(value, abs=1e-7)
            assert ends.max(axis=0).min(axis=0) == pytest.approx(value, abs=1e-7)
    assert found >= 11


def _first_of(graph, policy):
    """What the first player gets from the start."""
    return course(graph, policy).values(graph.payoffs)[0, 0]


@pytest.mark.parametrize("game", [Kuhn(2), SMALL, random_game(2, players=2, depth=4), random_game(7, depth=3)])
def test_best_play_where_something_is_hidden(game):
    graph = GameGraph(game)
    best = policies.find_best(graph)
    profile = profile_of(graph, best.policy)
    values = plain_value(game, profile)
    gains = [plain_best(game, profile, player) - values[player] for player in range(game.players)]
    assert best.off == pytest.approx(sum(gains), abs=1e-9) and best.method == "counterfactual regret minimisation"
    assert course(graph, best.policy).values(graph.payoffs)[0] == pytest.approx(values)
    if game is not SMALL and isinstance(game, Kuhn):
        assert values[0] == pytest.approx(-1 / 18, abs=1e-4) and best.off < 1e-3


def of_policy(policy):
    return lambda: policies.of_policy(GameGraph(SMALL), policy)


test_what_is_refused = refuses(
    (of_policy(lambda known, moves: "up"), r"policy at '\?': 'up' is none of its moves \('l', 'r'\)"),
    (of_policy(lambda known, moves: {"l": 0.5}), r"policy at '\?' = \(0.5,\): the probabilities sum to 0.5, not to 1"),
    (of_policy({"?": {"l": 1}}), "policy at 'x': it says nothing about it"),
    (lambda: cfr.solve(Kuhn(3), 1, order=(0, 0, 1)), r"order = \(0, 0, 1\): each of the players 0 to 2 once"),
)


@pytest.mark.parametrize("seed", range(12))
def test_ties_are_broken_both_ways(seed):
    """What each equilibrium gives is one of the values that backward induction can have by its ties."""
    game = RandomTree(3, 2, 4, seed, "winner", 1)
    graph = GameGraph(game)
    possible = np.array(search.maxn_values(game, game.start()))
    found = policies.find_equilibria(graph)
    values = np.array([course(graph, each.policy).values(graph.payoffs)[0] for each in found.found])
    assert len(values) == found.tried == 9 and not found.unique
    assert all((possible == value).all(axis=1).any() for value in values[1:3])  # the first move, the last move
    assert (values >= possible.min(axis=0) - 1e-9).all() and (values <= possible.max(axis=0) + 1e-9).all()
    for player in range(3):  # ties for the player, and against
        assert values[3 + 2 * player, player] >= values[4 + 2 * player, player] - 1e-9


def test_equilibria_of_a_hidden_game_from_all_orders_and_ten_starts():
    """In Kuhn's poker for three the values of all equilibria are known (D. Szafron and others, 2013)."""
    graph = GameGraph(Kuhn(3))
    found = policies.find_equilibria(graph)
    assert found.tried == 6 + 10 == len(found.found) and not found.unique
    values = np.array([course(graph, each.policy).values(graph.payoffs)[0] for each in found.found])
    assert max(each.off for each in found.found) < 1e-4 and np.ptp(values[:, 0]) > 1e-3
    assert (values[:, 1] == pytest.approx(-1 / 48, abs=1e-4)) and values.sum(axis=1) == pytest.approx(0, abs=1e-9)
    assert (values[:, 0] >= -1 / 32 - 1e-4).all() and (values[:, 0] <= -1 / 48 + 1e-4).all()


@pytest.mark.parametrize("seed", range(6))
def test_the_table_of_best_play_says_what_a_plain_recursion_finds(seed):
    """How often, and what everybody gets, summed over the histories of each information set."""
    game = random_game(seed)
    graph, profile = GameGraph(game), cfr.random_profile(game, seed)
    often, gets = defaultdict(float), defaultdict(float)
    for chance, state in reached(game, profile):
        if game.mover(state) != CHANCE:
            position = str(game.information(state))
            often[position] += chance
            for move in game.moves(state):
                gets[position, str(move)] += chance * plain_value(game, profile, game.play(state, move))
    table = policies.Best(policies.of_policy(graph, profile), "", 0.0, graph).table(least=0)
    assert {*zip(table["position"], table["move"], strict=True)} == set(gets)
    assert table["comes up"].is_monotonic_decreasing
    for position, comes_up, _, move, _, *got in table.itertuples(index=False):
        assert comes_up == pytest.approx(often[position], rel=1e-3)
        assert got == pytest.approx(gets[position, move] / often[position], rel=1e-3)
