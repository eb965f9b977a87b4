"""Chapter 4.2: state graphs, their cycles and what can be decided in them; where nodes and edges are drawn."""

import random
from functools import cache
from itertools import combinations, pairwise

import networkx as nx
import pytest
from matplotlib import pyplot

from chapters import who_wins_small as chapter
from chapters import who_wins_small_drawing as drawing
from gamebalance.countn import START_STATE, WITHDRAWN, Game, solve

STATES = cache(lambda n: chapter.state_graph(Game(n)))
LAYOUT = cache(lambda: drawing.layered_layout(STATES(3), gap=0.92))


def later(node, ways, plies):
    """Who wins within so many plies: 1 or -1 for the side to move, 0 if neither. Minimax, by brute force."""
    if not ways[node]:
        return -1
    if plies == 0:
        return 0
    return max(-later(child, ways, plies - 1) for child in ways[node])


@pytest.mark.parametrize("n", [2, 5, 8])
def test_nodes_and_edges_are_states_and_moves(n):
    states, solution = STATES(n), solve(n)
    assert set(states) == set(solution.reachable_states())
    kinds = [kind for _, kind in states.nodes(data="kind")]
    assert (kinds.count("start"), kinds.count("end")) == (1, solution.terminal_count)
    assert states.nodes[START_STATE]["kind"] == "start"
    for (first, second, turn), after in states.adjacency():
        mover, opponent = (second, first) if turn else (first, second)
        assert {child[turn] for child in after} == {move.hands for move in solution.game.moves(mover, opponent)}
        assert all(child[2] != turn and child[1 - turn] == opponent for child in after)
        assert (states.nodes[first, second, turn]["kind"] == "end") == (WITHDRAWN in (first, second))


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


@pytest.mark.parametrize("n", [3, 4, 6])
def test_states_on_cycles_are_those_to_which_a_way_leads_back(n):
    states = STATES(n)
    back = {node for node in states if any(nx.has_path(states, child, node) for child in states.successors(node))}
    assert chapter.on_cycles(states) == back and (chapter.longest_way(states) is None) == bool(back)


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


def test_round_a_cycle():
    table = chapter.cycle_table(solve(4), chapter.shortest_cycles(STATES(4))[0])
    assert (table["best"] == table["value"]).all() and (table["on the cycle"] <= table["best"]).all()
    # What a move along the cycle is worth is the next value with the sign turned round.
    assert table["on the cycle"].tolist() == [-value for value in [*table["value"][1:], table["value"][0]]]


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


def test_few_edges_cross():
    """The order in which the nodes come has fourteen crossings; the sweeps find one with six."""
    pieces = [piece for route in LAYOUT()[1].values() for piece in pairwise(route)]
    crossing = [
        a[0][1] == b[0][1] and (a[0][0] - b[0][0]) * (a[1][0] - b[1][0]) < -1e-9 for a, b in combinations(pieces, 2)
    ]
    assert sum(crossing) <= 6


def test_a_drawing_has_a_patch_for_every_node_and_edge_and_its_sign():
    states = STATES(3)
    figure, axes = pyplot.subplots()
    drawing.draw_graph(axes, states, LAYOUT(), chapter.state_label, chapter.values(states))
    assert len(axes.patches) == len(states) + states.number_of_edges()
    texts = [text.get_text() for text in axes.texts]
    assert texts.count("−1") + texts.count("+1") == len(states) and texts.count("−1") == 19
    assert {chapter.state_label(state) for state in states} <= set(texts)
    pyplot.close(figure)
