"""The states of a game and what becomes of it: against plain search, and masses passed on step by step."""

import math
import re
from contextlib import suppress
from zlib import crc32

import numpy as np
import pytest

from gamebalance.games import Kuhn, Nim
from gamebalance.multiplayer.graph import GameGraph, StateSearch, course, policies
from gamebalance.multiplayer.graph import course as course_of
from gamebalance.multiplayer.protocols import CHANCE, OVER
from tests.multiplayer.written_trees import (
    Followed,
    Places,
    Written,
    known,
    profile_of,
    random_game,
    random_places,
    ruin,
    waiting,
    without_end,
)
from tests.refusals import refused


class Stub(Places):
    """One move from "s" to "t", and then the end, but for what is wrong."""

    def __init__(self, **wrong):
        super().__init__(2, {"s": (0, {"m": "t"}), "t": (1, {"m": "end"})}, {"end": (1, 0)})
        self.wrong = wrong

    def mover(self, state):
        return self.wrong.get("mover", super().mover(state)) if state == "t" else super().mover(state)

    def moves(self, state):
        return self.wrong.get("moves", super().moves(state)) if state == "t" else super().moves(state)

    def play(self, state, move):
        return self.wrong.get("after", "end") if state == "t" else super().play(state, move)

    def payoffs(self, state):
        return self.wrong.get("payoffs", super().payoffs(state)) if state == "end" else None


EACH = "of state 'end': a number for each of 2 players is needed"
MAPPING = "of state 't': chance moves there, so a mapping of moves to their probabilities is needed"
WHOSE = "is to move, of 2 numbered from 0 (CHANCE is -1, OVER -2)"


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (
            {"mover": CHANCE, "moves": {"a": 0.5, "b": 0.4}},
            "moves of state 't' = (0.5, 0.4): the probabilities sum to 0.9, not to 1",
        ),
        (
            {"mover": CHANCE, "moves": ["a", "b"]},
            f"moves = ['a', 'b'] {MAPPING}",
        ),
        ({"moves": ()}, "state = 't': player 1 has no moves, and the game is not over"),
        ({"moves": ("a", "b", "a")}, "moves = ('a', 'b', 'a') of state 't': hashable moves, each once, are needed"),
        ({"moves": {"a": 1.0}}, "player 1 moves there, so a sequence is needed; probabilities are for chance"),
        ({"mover": 2}, f"state = 't': mover says that player 2 {WHOSE}"),
        ({"after": ["end"]}, "state = ['end']: a hashable value is needed, such as a tuple"),
        ({"after": "s"}, "from state 's' on it cannot end any more"),
        ({"payoffs": {0: 3, 1: 5}}, f"payoffs = {{0: 3, 1: 5}} {EACH}"),
        ({"payoffs": (1, math.nan)}, f"payoffs = (1, nan) {EACH}"),
    ],
)
def test_a_wrong_game_is_told_where(wrong, message):
    with refused(match=re.escape(message) + "$"):
        GameGraph(Stub(**wrong))


def test_one_information_of_two_players():
    nodes = {"x": (0.5, (0, "i", {"a": (0, 0)})), "y": (0.5, (1, "i", {"a": (0, 0)}))}
    with refused("information = 'i' of state ('y',): player 0 has the moves ('a',)", "and here player 1 has ('a',)"):
        GameGraph(Written(2, (CHANCE, nodes)))


@pytest.mark.parametrize("game", [Nim((3, 2), players=2), Kuhn(2)])
def test_a_search_goes_on_where_it_stopped(game):
    search, whole = StateSearch(game), GameGraph(game)
    assert not search.go_on(3) and len(search.states) > 3 and search.limit == "3 states"
    found = list(search.states)
    assert not search.go_on(seconds=0) and search.states[: len(found)] == found
    assert not search.go_on(len(whole.states) - 1) and search.go_on(len(whole.states)) and search.go_on()
    graph = GameGraph.of(search)
    assert (graph.states, graph.sets, repr(graph)) == (whole.states, whole.sets, repr(whole))
    for name in ("mover", "first", "after", "chance", "slot", "set_first", "set_mover", "order", "payoffs"):
        np.testing.assert_array_equal(getattr(graph, name), getattr(whole, name))


course_module = __import__("sys").modules[course_of.__module__]


def random_policy(graph, seed, zeros=0.0):
    """Chances of the moves, and some moves that are never played."""
    rng, found = np.random.default_rng(seed), []
    for count in np.diff(graph.set_first):
        chances = rng.dirichlet(np.full(count, 5.0)) * (rng.random(count) >= zeros)
        chances[rng.integers(count)] += 0.1
        found += (chances / chances.sum()).tolist()
    return np.array(found)


def leader_of(state):
    """Somebody, or nobody, as the name of the state has it."""
    return crc32(repr(state).encode()) % 4 - 1


def ending(games):
    """Those that can end from everywhere."""
    for game in games:
        with suppress(ValueError):
            GameGraph(game)
            yield game


GAMES = [random_game(seed, depth=5) for seed in range(8)]
GAMES += [*ending(random_places(seed) for seed in range(5)), *ending(random_places(n, 3, 11, 2) for n in range(3))]


@pytest.mark.parametrize("zeros", [0.0, 0.8])
@pytest.mark.parametrize("game", GAMES)
def test_the_course_of_play(game, zeros):
    graph = GameGraph(game)
    policy = random_policy(graph, 1, zeros)
    play, profile = course(graph, policy), profile_of(graph, policy)
    marked = np.array([leader_of((state, "marked")) == 0 for state in graph.states])
    names = {state for state, mark in zip(graph.states, marked, strict=True) if mark}
    plain = Followed(game, profile, leader=leader_of, marked=names)
    assert play.visits == pytest.approx([plain.visits.get(state, 0.0) for state in graph.states], abs=1e-10)
    assert play.endless == pytest.approx(plain.endless, abs=1e-12) and play.chances.sum() + play.endless == approx(1)
    ended = {graph.states[end]: chance for end, chance in zip(play.ends, play.chances, strict=True)}
    assert ended == approx({state: mass for state, mass in plain.ends.items() if game.mover(state) == OVER})
    assert (play.moves, play.moves_spread) == approx((plain.moves, plain.spread))
    leaders = np.array([leader_of(state) for state in graph.states])
    assert play.lead_changes(leaders) == approx(plain.changes)
    assert play.met(marked) == approx(plain.met)
    assert play.moves_median == median_of(game, profile)
    ever = [play.met(np.arange(len(graph.states)) == state) for state in range(len(graph.states))]
    assert play.returns(marked) == approx((play.visits - ever)[marked].sum())
    values = play.values(graph.payoffs)
    for number in range(0, len(graph.states), 1 + len(graph.states) // 5):
        ends = Followed(game, profile, graph.states[number]).ends
        gains = [mass * np.array(game.payoffs(end)) for end, mass in ends.items() if game.mover(end) == OVER]
        assert values[number] == approx(sum(gains, np.zeros(3)))


class Waiting:
    """Two players, in turn: who does not wait ends the game and wins."""

    players = 2

    def start(self):
        return 0

    def mover(self, state):
        return state if state < 2 else OVER

    def moves(self, state):
        return ["wait", "end"]

    def play(self, state, move):
        return 1 - state if move == "wait" else 2 + state

    def payoffs(self, state):
        return (1.0, 0.0) if state == 2 else (0.0, 1.0)


@pytest.mark.parametrize("waits, returns", [(1.0, 0.0), (0.5, 0.5), (0.0, 0.0)])
def test_who_waits_for_ever_returns_nowhere(waits, returns):
    """A game without end has none; with even chances one state has 4/3 - 1, the other 2/3 - 1/2."""
    graph = GameGraph(Waiting())
    play = course(graph, np.array([waits, 1 - waits] * 2))
    assert play.endless == waits // 1
    assert play.returns(np.ones(len(graph.states), bool)) == approx(returns)


def approx(value):
    return pytest.approx(value, rel=1e-9, abs=1e-10)


def median_of(game, profile):
    """Within how many moves half of the games end, masses being passed on; None if half of them never do."""
    endless, ended = without_end(game, profile), {}
    here = {(game.start(), 0): 1.0}
    while sum(here.values()) > 1e-14:
        after = {}
        for (state, moves), mass in here.items():
            if game.mover(state) == OVER:
                ended[moves] = ended.get(moves, 0.0) + mass
            elif state not in endless:
                chances = game.moves(state) if game.mover(state) == CHANCE else profile[known(game, state)]
                for move, chance in chances.items():
                    key = game.play(state, move), moves + (game.mover(state) != CHANCE)
                    after[key] = after.get(key, 0.0) + mass * chance
        here = after
    within = [(moves, sum(mass for other, mass in ended.items() if other <= moves)) for moves in sorted(ended)]
    return next((moves for moves, mass in within if mass >= 0.5 - 1e-10), None)


@pytest.mark.parametrize("sweeps", [False, True])
def test_the_ruin_of_a_gambler(sweeps, monkeypatch):
    """From a and b pieces it takes a b tosses, variance a b (a^2 + b^2 - 2) / 3, and a / (a + b) is won (de Moivre)."""
    if sweeps:  # as in games with more states than equations are solved for
        monkeypatch.setattr(course_module, "FEW_STATES", 1)
    rich, poor = (10, 25) if sweeps else (70, 130)
    graph = GameGraph(ruin(rich, poor))
    play = course(graph, policies.at_random(graph))
    assert play.moves == pytest.approx(rich * poor, rel=1e-8)
    assert play.moves_spread**2 == pytest.approx(rich * poor * (rich**2 + poor**2 - 2) / 3, rel=1e-8)
    assert play.values(graph.payoffs)[0] == pytest.approx([rich / (rich + poor), poor / (rich + poor)], rel=1e-9)
    halfway = np.array([state == ("ask", (rich + poor) // 2) for state in graph.states])
    assert play.met(halfway) == pytest.approx(rich / ((rich + poor) // 2), rel=1e-9)
    # Whoever has more is ahead; behind the middle the other leads half the time, so each return there is a coin.
    ahead = np.array([-1 if 2 * m == rich + poor else int(2 * m < rich + poor) for m in map(money, graph.states)])
    middle = (rich + poor) / 2
    if middle == (rich + poor) // 2:
        returns = play.visits[[state == ("ask", middle) for state in graph.states]].sum()
        assert play.lead_changes(ahead) == pytest.approx(returns / 2, rel=1e-9)


def money(state):
    return state[1] if isinstance(state, tuple) else state


@pytest.mark.parametrize("chance", [0.5, 1e-3, 1e-8])
def test_a_game_that_takes_long(chance):
    graph = GameGraph(waiting(chance))
    play = course(graph, policies.at_random(graph))
    assert play.moves == pytest.approx(1 / chance, rel=1e-6) and play.chances == pytest.approx([1], rel=1e-6)
    assert play.moves_spread == pytest.approx((1 - chance) ** 0.5 / chance, rel=1e-6) and play.endless == 0
    assert play.values(graph.payoffs)[0] == pytest.approx([5, 1e9], rel=1e-6)
