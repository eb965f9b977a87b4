"""What becomes of a game: against masses passed on step by step, closed forms, and play that never ends."""

from contextlib import suppress
from zlib import crc32

import numpy as np
import pytest

from gamebalance.games import Tree
from gamebalance.multiplayer.graph import GameGraph, course, policies
from gamebalance.multiplayer.graph import course as course_of
from gamebalance.multiplayer.protocols import CHANCE, OVER
from tests.multiplayer.written_trees import Followed, Places, known, random_game, random_places, without_end
from tests.refusals import refused

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


def test_some_of_them_never_end():
    endless = [course(graph, random_policy(graph, 1, 0.8)).endless for graph in map(GameGraph, GAMES)]
    assert sum(value > 0.01 for value in endless) >= 3 and min(endless) == 0


@pytest.mark.parametrize("game", GAMES[6:10])
def test_everybody_in_an_own_way(game):
    graph = GameGraph(game)
    own = [random_policy(graph, seed) for seed in range(3)]
    mixed = np.choose(np.repeat(graph.set_mover, np.diff(graph.set_first)), own)
    assert course(graph, own).visits.tolist() == course(graph, mixed).visits.tolist()
    assert course(graph, own).visits.tolist() != course(graph, own[::-1]).visits.tolist()


def ruin(rich, poor):
    """A fair coin moves one piece of money until somebody has all; player 0 begins with so many."""
    whole = rich + poor
    order = [rich, *(money for money in range(1, whole) if money != rich)]
    return Places(
        2,
        {("ask", m): (0, {"toss": m}) for m in order}
        | {m: (CHANCE, {step: (0.5, ("ask", m + step)) for step in (-1, 1)}) for m in order},
        {("ask", 0): (0, 1), ("ask", whole): (1, 0)},
    )


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


def waiting(chance):
    """A lottery that is drawn again until somebody wins."""
    return Places(
        2, {"buy": (0, {"a ticket": "draw"}), "draw": (CHANCE, {0: (1 - chance, "buy"), 1: (chance, (5, 1e9))})}
    )


@pytest.mark.parametrize("chance", [0.5, 1e-3, 1e-8])
def test_a_game_that_takes_long(chance):
    graph = GameGraph(waiting(chance))
    play = course(graph, policies.at_random(graph))
    assert play.moves == pytest.approx(1 / chance, rel=1e-6) and play.chances == pytest.approx([1], rel=1e-6)
    assert play.moves_spread == pytest.approx((1 - chance) ** 0.5 / chance, rel=1e-6) and play.endless == 0
    assert play.values(graph.payoffs)[0] == pytest.approx([5, 1e9], rel=1e-6)


def test_a_game_that_takes_too_long_is_refused(monkeypatch):
    monkeypatch.setattr(course_module, "FEW_STATES", 1)
    monkeypatch.setattr(course_module, "MOST_STEPS", 200)
    graph = GameGraph(waiting(1e-3))
    with refused("game = <", "it goes on too long to be followed to its end"):
        course(graph, policies.at_random(graph))


def test_large_values_settle(monkeypatch):
    """Rounding alone changes values of a million by more than what is left of the game."""
    monkeypatch.setattr(course_module, "FEW_STATES", 1)
    monkeypatch.setattr(course_module, "MOST_STEPS", 1_000_000)
    game = random_places(2)
    game.ends = {end: tuple(1e6 * value + 0.1 for value in payoffs) for end, payoffs in game.ends.items()}
    graph, small = GameGraph(game), GameGraph(random_places(2))
    large, values = (course(each, policies.at_random(each)).values(each.payoffs) for each in (graph, small))
    assert large == pytest.approx(1e6 * values + 0.1, rel=1e-9, abs=1e-6)


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


def test_the_lead_is_kept_while_nobody_leads():
    graph = GameGraph(Tree((0, [(0, [(0, [(0, [(1, 0)])])])])))
    play = course(graph, policies.at_random(graph))
    for leaders, changes in {
        (0, -1, 1, -1, 0): 2,
        (-1, 0, -1, 0, -1): 0,
        (1, 1, -1, -1, 0): 1,
        (-1, -1, 0, 1, 0): 2,
    }.items():
        assert play.lead_changes(np.array(leaders)) == changes


def test_refusals():
    graph = GameGraph(random_places(1))
    with refused("policies: 2 of them, one for each of 3 players is needed"):
        course(graph, [policies.at_random(graph)] * 2)
