"""What makes a game slow is named, the search for states ends in time, and the time that is announced is near."""

import re
from cProfile import Profile
from functools import partial
from time import process_time, sleep

import numpy as np
import pytest

from gamebalance import fairness
from gamebalance.base import announce
from gamebalance.fairness.reports import outlook as outlooks
from gamebalance.fairness.reports import slow
from gamebalance.games import Kuhn, Nim, Pig
from gamebalance.multiplayer import CHANCE, OVER, cfr, with_memory
from gamebalance.multiplayer.graph import GameGraph, policies
from tests.fairness.made_up import Coin
from tests.refusals import refused


def dawdle():
    """Count for about two milliseconds, a hundred times what a game takes besides."""
    count = 0
    while count < 50_000:
        count += 1
    return count


class Dealt(Coin):
    """A coin that is thrown for a hand that takes long to deal, in a method of its own."""

    def deals(self):
        return dawdle() and dict.fromkeys(range(self.players), 1 / self.players)

    def moves(self, state):
        return self.options(state)

    def options(self, state):
        return self.deals() if self.mover(state) == CHANCE else "ab"


class Evenly(Coin):
    """Half of its time goes into one method, half into another."""

    def moves(self, state):
        count = 0 if self.mover(state) == CHANCE else 20_000
        while count < 20_000:
            count += 1
        return super().moves(state)

    def payoffs(self, state):
        count = 0 if self.mover(state) == OVER else 20_000
        while count < 20_000:
            count += 1
        return super().payoffs(state)


def itself(rng, players):
    """A game as a function that does all itself."""
    count = 0
    while count < 50_000:
        count += 1
    return [1.0, 0.0, 0.0]


class Long(Coin):
    """A random walk without an end in sight: each step is a state of its own, and is made slowly."""

    def mover(self, state):
        sleep(0.002)
        return 0 if len(state) < 200 else OVER


class Over(Coin):
    """Nothing is ever played."""

    def mover(self, state):
        return OVER


class AtOnce:
    """Two choose 0 or 1 at once; who plays first gets a point if both are the same, else the other."""

    players = 2

    def start(self):
        return ()

    def movers(self, state):
        return OVER if state else (0, 1)

    def moves(self, state):
        return {0: (0, 1), 1: (0, 1)}

    def play(self, state, move):
        return move

    def payoffs(self, state):
        return (0, 0) if not state else (1, 0) if state[0] == state[1] else (0, 1)


def drawn(rng, players):
    """A game as a function, most of whose time is spent in another one."""
    dawdle()
    return [float(rng.random() > 0.5), *(player(None, (0, 1)) for player in players[1:])]


@pytest.fixture
def said():
    """What is announced."""
    found = []
    announce.listen(found.append)
    yield found
    announce.listen(None)


@pytest.fixture(autouse=True)
def _time_of_this_process_alone(monkeypatch):
    """Profiles do not count what a busy machine does besides."""
    monkeypatch.setattr(slow, "Profile", partial(Profile, process_time))


def playing(game, games=3):
    run, table = outlooks._run(game), [outlooks.AtRandom()] * 3
    return lambda: [run(game, table, np.random.default_rng(number)) for number in range(games)]


@pytest.mark.parametrize("game", [Dealt(3), with_memory(Dealt(3)), drawn])
def test_the_function_that_takes_the_time(game):
    found = slow.slow_function(game, playing(game))
    assert found.name == "dawdle" and 2 / 3 < found.part <= 1


@pytest.mark.parametrize("game", [Evenly(3), with_memory(Evenly(3)), itself])
def test_nothing_takes_most_of_the_time(game):
    assert slow.slow_function(game, playing(game, 20)) is None


def test_while_somebody_else_profiles_nothing_is_named(monkeypatch):
    class Taken(Profile):
        def enable(self):
            raise ValueError("Another profiling tool is already active")  # from Python 3.12 on

    monkeypatch.setattr(slow, "Profile", Taken)
    assert slow.slow_function(Dealt(3), playing(Dealt(3))) is None


def test_what_is_slow_is_said_before_games_are_cut(said):
    found = fairness.outlook(Dealt(3), states=0, seconds=1)
    assert found.games < outlooks.MOST and len(said) == 1
    assert re.match(r"`dawdle\(\)` takes [\d.e+]+ ms of the [\d.e+]+ ms of a game: ", said[0])
    assert f"{found.games:,} games are played instead of 100,000" in said[0]
    fairness.outlook(drawn, 3, games=10, contests=10)
    assert len(said) == 1  # nothing is cut


def test_a_search_for_states_ends_in_time(monkeypatch):
    monkeypatch.setattr(outlooks, "SHORT", 0.1)
    game = Long(3)
    allowed, search = outlooks._searched(game, None, 1.0)
    assert not search.finished  # all of it is 2^201 states
    assert 0 < allowed < len(search.states) < 2_000
    assert not outlooks._searched(game, allowed, 1.0)[1].finished
    few = fairness.outlook(Coin(3), states=30, games=2, contests=2, playouts=0, looks=0)
    assert few.found_states > 30 and "since the game has more than 30 states" in few.sentence
    assert fairness.outlook(Coin(3)).found_states == 39
    assert fairness.outlook(lambda rng, players: (1, 0), 2, games=9, contests=9).found_states == 0


def test_too_many_moves_are_no_claim_on_states(monkeypatch):
    monkeypatch.setattr("gamebalance.multiplayer.graph.states.MOST_MOVES", 20)
    found = fairness.outlook(Coin(3), states=1000, games=2, contests=2, playouts=0, looks=0)
    most = int(re.search(r"has more than (\d+) states", found.sentence)[1])
    assert found.states == 1000 and most == found.found_states - 1 < 39


@pytest.mark.parametrize("game", [Kuhn(2), Kuhn(3), Nim((3, 2), players=2)])
def test_how_large_the_tree_of_a_game_is(game):
    def nodes(state):
        return 1 + sum(nodes(game.play(state, move)) for move in moves_of(game, state))

    assert policies.nodes_of(GameGraph(game)) == nodes(game.start())
    assert not hasattr(game, "information") or policies.nodes_of(GameGraph(game)) == cfr.GameTree(game).nodes


def moves_of(game, state):
    return () if game.mover(state) == OVER else tuple(game.moves(state))


def test_play_in_circles_has_no_tree():
    assert policies.nodes_of(GameGraph(Pig(2, goal=3))) == float("inf")


def test_the_time_of_the_solver_is_announced(monkeypatch):
    """5,000 iterations from each start, with a visit of all 617 nodes for each of three players; none of too many."""
    monkeypatch.setattr(outlooks, "A_VISIT", 1.0)
    solving = 5_000 * 617 * 3 * (1 + 5 + 10)
    assert fairness.outlook(Kuhn(3)).seconds == pytest.approx(solving, rel=1e-3)
    assert "more than the 60 seconds allowed" in fairness.outlook(Kuhn(3)).announcement
    assert fairness.outlook(Kuhn(3), ways=("random", "searching")).seconds < solving / 1000
    monkeypatch.setattr(outlooks, "MOST_NODES", 616)
    assert fairness.outlook(Kuhn(3)).seconds < solving / 1000


def test_players_who_move_at_once():
    found = fairness.outlook(AtOnce())
    assert found.graph.hides and len(found.graph.states) == 1 + 2 + 4
    assert "all 5 states of the game are followed, 7 with what players remember or have chosen" in found.sentence
    simulated = fairness.outlook(AtOnce(), states=0, games=10, contests=10, playouts=0, looks=0)
    play = outlooks.play_of(simulated, AtOnce(), 1, {})
    assert {game.payoffs for game in play.played("random")} == {(1, 0), (0, 1)}


@pytest.mark.parametrize("states", [None, 0])
def test_a_game_that_is_over_before_it_begins(states):
    with refused("game = <", "Over", "the game is over before it begins"):
        fairness.report(Over(2), states=states)
