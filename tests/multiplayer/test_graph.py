"""The states of a game and what becomes of it: against plain search, and masses passed on step by step."""

import math
import re
from contextlib import suppress
from zlib import crc32

import numpy as np
import pytest

from gamebalance.games import Kuhn, Nim, Pig, tictactoe
from gamebalance.multiplayer.graph import GameGraph, StateSearch, course, policies
from gamebalance.multiplayer.graph import course as course_of
from gamebalance.multiplayer.protocols import CHANCE, OVER
from tests.multiplayer.written_trees import (
    SMALL,
    Followed,
    Places,
    Written,
    known,
    random_game,
    random_places,
    ruin,
    waiting,
    without_end,
)
from tests.refusals import refused

RANDOM = [random_game(seed, depth=4) for seed in range(6)] + [random_places(seed) for seed in (0, 1, 2, 4, 5)]


def found(game):
    """All states, breadth first, without the library."""
    states = [game.start()]
    for state in states:
        if game.mover(state) != OVER:
            after = [game.play(state, move) for move in game.moves(state)]
            states += [each for each in dict.fromkeys(after) if each not in states]
    return states


@pytest.mark.parametrize("game", RANDOM)
def test_every_array(game):
    graph = GameGraph(game)
    assert graph.states == found(game) and graph.players == 3
    slots = {}
    for number, state in enumerate(graph.states):
        edges = range(graph.first[number], graph.first[number + 1])
        assert graph.mover[number] == game.mover(state) and graph.over[number] == (game.mover(state) == OVER)
        assert all(graph.source[edge] == number for edge in edges)
        if graph.over[number]:
            assert not edges and graph.payoffs[number].tolist() == list(game.payoffs(state))
            continue
        assert np.isnan(graph.payoffs[number]).all()
        moves = game.moves(state)
        assert [graph.states[graph.after[edge]] for edge in edges] == [game.play(state, move) for move in moves]
        if graph.mover[number] == CHANCE:
            assert graph.chance[edges].tolist() == list(moves.values()) and set(graph.slot[edges]) == {-1}
            continue
        assert set(graph.chance[edges]) == {0.0}
        place = graph.sets.index(known(game, state))
        assert graph.moves[place] == tuple(moves) and graph.set_mover[place] == game.mover(state)
        assert graph.slot[edges].tolist() == list(range(graph.set_first[place], graph.set_first[place + 1]))
        slots |= dict.fromkeys(graph.slot[edges].tolist())
    assert sorted(slots) == list(range(graph.set_first[-1])) and len(set(graph.sets)) == len(graph.sets)


@pytest.mark.parametrize("game", [*RANDOM, tictactoe(2)])
def test_the_order(game):
    graph = GameGraph(game)
    place = np.argsort(graph.order)
    forward = place[graph.source] < place[graph.after]
    assert sorted(graph.order) == list(range(len(graph.states))) and (graph.circles or forward.all())
    assert graph.circles == (_has_circle(graph))


def _has_circle(graph):
    """Whether something is left when states that lead nowhere are taken away again and again."""
    after = {n: set(graph.after[graph.first[n] : graph.first[n + 1]].tolist()) for n in range(len(graph.states))}
    while ends := {state for state, following in after.items() if not following}:
        after = {state: following - ends for state, following in after.items() if state not in ends}
    return bool(after)


def test_known_numbers():
    """5,478 positions of tic-tac-toe, of which 4,520 are not over; 12 information sets of Kuhn poker."""
    board, poker = GameGraph(tictactoe(2)), GameGraph(Kuhn(2))
    assert len(board.states) == 5478 and (~board.over).sum() == len(board.sets) == 4520 and not board.hides
    assert len(poker.sets) == 12 and poker.hides and poker.over.sum() == 30
    assert repr(board) == "GameGraph(5,478 states, 16,167 moves)"
    assert GameGraph(Pig(goal=5)).circles and not poker.circles


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


def dealt(moves):
    return {"mover": CHANCE, "moves": moves}


EACH = "of state 'end': a number for each of 2 players is needed"
MAPPING = "of state 't': chance moves there, so a mapping of moves to their probabilities is needed"
ONCE = "of state 't': hashable moves, each once, are needed"
WHOSE = "is to move, of 2 numbered from 0 (CHANCE is -1, OVER -2)"


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (dealt({"a": 0.5, "b": 0.4}), "moves of state 't' = (0.5, 0.4): the probabilities sum to 0.9, not to 1"),
        (dealt({"a": 1.5, "b": -0.5}), "moves of state 't' = (1.5, -0.5): probabilities, 0 or more, are needed"),
        (dealt(["a", "b"]), f"moves = ['a', 'b'] {MAPPING}"),
        ({"moves": ()}, "state = 't': player 1 has no moves, and the game is not over"),
        ({"moves": None}, "moves = None of state 't': a sequence is needed"),
        ({"moves": ("a", "b", "a")}, f"moves = ('a', 'b', 'a') {ONCE}"),
        ({"moves": {"a": 1.0}}, "player 1 moves there, so a sequence is needed; probabilities are for chance"),
        ({"mover": 2}, f"state = 't': mover says that player 2 {WHOSE}"),
        ({"mover": True}, f"state = 't': mover says that player True {WHOSE}"),
        ({"after": ["end"]}, "state = ['end']: a hashable value is needed, such as a tuple"),
        ({"after": "s"}, "from state 's' on it cannot end any more"),
        ({"payoffs": (1,)}, f"payoffs = (1,) {EACH}"),
        ({"payoffs": {0: 3, 1: 5}}, f"payoffs = {{0: 3, 1: 5}} {EACH}"),
        ({"payoffs": (1, math.nan)}, f"payoffs = (1, nan) {EACH}"),
        ({"payoffs": (1, -math.inf)}, "payoffs = (1, -inf) of state 'end': finite numbers are needed"),
    ],
)
def test_a_wrong_game_is_told_where(wrong, message):
    with refused(match=re.escape(message) + "$"):
        GameGraph(Stub(**wrong))


def hidden(first, second):
    """Chance comes first; then who moves with which knowledge has which moves."""
    nodes = [(mover, what, dict.fromkeys(moves, (0, 0))) for mover, what, moves in (first, second)]
    return Written(2, (CHANCE, {"x": (0.5, nodes[0]), "y": (0.5, nodes[1])}))


def test_wrong_information():
    with refused("information = 'i' of state ('y',): player 0 has the moves ('a',) with it elsewhere", "('a', 'b')"):
        GameGraph(hidden((0, "i", "a"), (0, "i", "ab")))
    with refused("information = 'i' of state ('y',): player 0 has the moves ('a',)", "and here player 1 has ('a',)"):
        GameGraph(hidden((0, "i", "a"), (1, "i", "a")))
    with refused("information = [1] of state ('x',): a hashable value is needed"):
        GameGraph(hidden((0, [1], "a"), (0, [1], "a")))
    assert len(GameGraph(SMALL).sets) == 3


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


def profile_of(graph, policy):
    entries = [graph.set_first[number : number + 2] for number in range(len(graph.sets))]
    return {
        known: dict(zip(graph.moves[number], policy[slice(*entries[number])].tolist(), strict=True))
        for number, known in enumerate(graph.sets)
    }


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


def test_play_that_goes_on_for_ever():
    """Chance lets one in two into a room that this play never leaves, and which counts as met and led once."""
    room = {"in": (0, {"stay": "back", "leave": (4, 0)}), "back": (1, {"on": "in"})}
    game = Places(2, {"start": (CHANCE, {0: (0.5, "in"), 1: (0.5, (2, 6))})} | room)
    graph = GameGraph(game)
    play = course(graph, policies.of_policy(graph, lambda state, moves: moves[0]))
    assert play.endless == 0.5 and play.chances.tolist() == [0.5] and play.moves == play.moves_spread == 0
    assert play.values(graph.payoffs)[0].tolist() == [1, 3]
    assert play.met(np.array([state == "in" for state in graph.states])) == 0.5
    leader = np.array([{"start": 0, "in": 1, "back": 0}.get(state, 0) for state in graph.states])
    assert play.lead_changes(leader) == 0.5
    assert play.lead_changes(np.full(len(leader), -1)) == 0
