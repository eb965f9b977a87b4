"""Chapter 4.2: state graphs, their cycles and what can be decided in them; where nodes and edges are drawn."""

import random
from functools import cache
from itertools import combinations, pairwise

import networkx as nx
import pytest

from chapters import who_wins_small as chapter
from chapters import who_wins_small_drawing as drawing
from gamebalance.countn import Game, solve

STATES = cache(lambda n: chapter.state_graph(Game(n)))
LAYOUT = cache(lambda: drawing.layered_layout(STATES(3), gap=0.92))


def later(node, ways, plies):
    """Who wins within so many plies: 1 or -1 for the side to move, 0 if neither. Minimax, by brute force."""
    if not ways[node]:
        return -1
    if plies == 0:
        return 0
    return max(-later(child, ways, plies - 1) for child in ways[node])


def test_values_are_those_of_minimax():
    """Random graphs, cycles and all: whoever can win can do it within far fewer plies than are looked ahead here."""
    drawn = 0
    for seed in range(60):
        edges = random.Random(seed).sample([(a, b) for a in range(6) for b in range(6)], 9)
        states = nx.DiGraph(edges)
        worth, ways = chapter.values(states), {node: list(states.successors(node)) for node in states}
        assert worth == {node: later(node, ways, 9) for node in states}, seed
        drawn += 0 in worth.values()
    assert 10 < drawn < 50


@pytest.mark.parametrize("n", [2, 4, 6, 9])
def test_values_know_the_winner_of_every_state(n):
    """A program that knows the graph only, and no rules, distances or sizes."""
    values = chapter.state_values(solve(n))
    assert chapter.values(STATES(n)) == {state: (value > 0) - (value < 0) for state, value in values.items()}


def test_shortest_cycles():
    states = STATES(4)
    cycles = chapter.shortest_cycles(states)
    assert {len(cycle) for cycle in cycles} == {4} and len({frozenset(cycle) for cycle in cycles}) == len(cycles)
    assert all(states.has_edge(*step) for cycle in cycles for step in pairwise([*cycle, cycle[0]]))
    # Sides alternate, so a shorter cycle would have two plies: no edge of the graph leads straight back.
    assert not any(states.has_edge(head, tail) for tail, head in states.edges)
    # Every cycle of four plies, counted by closed walks: four from each, and none shorter to be counted twice.
    adjacency = nx.to_numpy_array(states, dtype=int)
    assert (adjacency @ adjacency @ adjacency @ adjacency).trace() == 4 * len(cycles)
    assert chapter.shortest_cycles(STATES(3)) == []


def distance(point, start, end):
    """Of a point from a piece of a line."""
    along = [end[k] - start[k] for k in (0, 1)]
    length = sum(part**2 for part in along)
    share = min(1, max(0, sum((point[k] - start[k]) * along[k] for k in (0, 1)) / length))
    return sum((point[k] - start[k] - share * along[k]) ** 2 for k in (0, 1)) ** 0.5


def test_places_and_routes():
    """Edges lead down, from node to node and through no other; a row has one side; no two nodes overlap."""
    (places, routes), states, sides = LAYOUT(), STATES(3), {}
    assert set(places) == set(states) and set(routes) == set(states.edges)
    assert all(places[head][1] <= places[tail][1] - 1 for tail, head in states.edges)
    assert all(sides.setdefault(down, node[2]) == node[2] for node, (_, down) in places.items())
    for one, other in combinations(places.values(), 2):
        assert one[1] != other[1] or abs(one[0] - other[0]) >= 0.92 - 1e-9
    for (tail, head), route in routes.items():
        assert (route[0], route[-1]) == (places[tail], places[head])
        others = [place for node, place in places.items() if node not in (tail, head)]
        for start, end in pairwise(route):
            assert min(distance(place, start, end) for place in others) > drawing.RADIUS
