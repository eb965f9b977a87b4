"""State graphs: states and moves, cycles, what can be decided, and where nodes and edges are drawn."""

import random
from functools import cache
from itertools import combinations, pairwise

import networkx as nx
import pytest
from matplotlib import pyplot

from chapters.countn import drawing, graph, layers, line_tables
from gamebalance.countn import START, START_STATE, Game, solve
from gamebalance.countn.rules import WITHDRAWN
from gamebalance.countn.states import mover_first

STATES = cache(lambda n, overflow="one": graph.state_graph(Game(n, overflow)))


def later(node, ways, plies):
    """Who wins within so many plies: 1 or -1 for the side to move, 0 if neither. Minimax, by brute force."""
    if not ways[node]:
        return -1
    if plies == 0:
        return 0
    return max(-later(child, ways, plies - 1) for child in ways[node])


def small_graph(seed, nodes=6, edges=9):
    """A random graph, cycles and all, from nodes that need not alternate."""
    draw = random.Random(seed)
    return nx.DiGraph(draw.sample([(a, b) for a in range(nodes) for b in range(nodes)], edges))


def is_way(states, route):
    return all(states.has_edge(*step) for step in pairwise(route))


@pytest.mark.parametrize("n", range(2, 9))
def test_nodes_and_edges_are_states_and_moves(n):
    states, solution = STATES(n), solve(n)
    assert set(states) == set(solution.reachable_states())
    kinds = [kind for _, kind in states.nodes(data="kind")]
    assert (kinds.count("start"), kinds.count("end")) == (1, solution.terminal_count)
    assert states.nodes[START_STATE]["kind"] == "start"
    assert all((data["kind"] == "end") == (WITHDRAWN in state[:2]) for state, data in states.nodes(data=True))
    for (first, second, turn), after in states.adjacency():
        mover, opponent = (second, first) if turn else (first, second)
        assert {child[turn] for child in after} == {move.hands for move in solution.game.moves(mover, opponent)}
        assert all(child[2] != turn and child[1 - turn] == opponent for child in after)
        assert states.nodes[first, second, turn]["second"] == turn


def test_values_are_those_of_minimax():
    """Six nodes: whoever can win can do it within a few plies, far fewer than are looked ahead here."""
    drawn = 0
    for seed in range(60):
        states = small_graph(seed)
        ways = {node: list(states.successors(node)) for node in states}
        found = graph.values(states)
        assert found == {node: later(node, ways, 9) for node in states}, seed
        drawn += 0 in found.values()
    assert 10 < drawn < 50


@pytest.mark.parametrize("n", range(2, 10))
def test_values_know_the_winner_of_every_state(n):
    """A program that knows the graph only, and no rules, distances or sizes."""
    solution, found = solve(n), graph.values(STATES(n))
    for state, value in found.items():
        exact = solution.value(*mover_first(state))
        assert value == (exact > 0) - (exact < 0)


@pytest.mark.parametrize("n", range(2, 8))
def test_states_on_cycles_are_those_to_which_a_way_leads_back(n):
    states = STATES(n)
    back = {node for node in states if any(nx.has_path(states, child, node) for child in states.successors(node))}
    assert graph.on_cycles(states) == back


def test_which_games_have_a_cycle():
    table = graph.cycle_counts(range(2, 10)).set_index("N")
    assert table.index[table["on a cycle"] == 0].tolist() == [2, 3]
    assert table["longest game"].dropna().to_dict() == {2: 3, 3: 9}
    assert ((table["on a cycle"] == 0) == (table["components"] == 0)).all()
    # The start never comes back, nor does an end.
    assert (table["on a cycle"] < table["states"]).all()


def test_shortest_cycles():
    states = STATES(4)
    cycles = graph.shortest_cycles(states)
    assert {len(cycle) for cycle in cycles} == {4} and len({frozenset(cycle) for cycle in cycles}) == len(cycles)
    assert all(is_way(states, [*cycle, cycle[0]]) for cycle in cycles)
    # Sides alternate, so a shorter cycle would have two plies: no edge of the graph leads straight back.
    assert not any(states.has_edge(head, tail) for tail, head in states.edges)
    # Every cycle of four plies, counted by closed walks: four from each, and none shorter to be counted twice.
    adjacency = nx.to_numpy_array(states, dtype=int)
    assert (adjacency @ adjacency @ adjacency @ adjacency).trace() == 4 * len(cycles)
    assert graph.shortest_cycles(STATES(3)) == []


RING = nx.DiGraph([("start", "A"), ("A", "B"), ("B", "C"), ("C", "D"), ("D", "A"), ("B", "end")])


def test_a_cycle_without_a_draw():
    """The point of the Count-8 study as a small graph: the first player can leave the ring, and wins."""
    ring = RING.copy()
    assert graph.on_cycles(ring) == set("ABCD")
    assert graph.values(ring) == {"start": 1, "A": -1, "B": 1, "C": -1, "D": 1, "end": -1}
    # Without the way out it would be one.
    ring.remove_edge("B", "end")
    assert {graph.values(ring)[node] for node in ("start", *"ABCD")} == {0}


@cache
def layout():
    return layers.layered_layout(STATES(3), gap=0.92)


def test_every_edge_leads_down_and_each_row_has_one_side():
    states, places = STATES(3), layout().places
    assert set(places) == set(states)
    assert all(places[head][1] <= places[tail][1] - 1 for tail, head in states.edges)
    sides = {}
    for node, (_, down) in places.items():
        assert sides.setdefault(down, node[2]) == node[2]
    assert sorted(sides) == [-float(row) for row in range(9, -1, -1)]


def test_no_two_nodes_overlap():
    for one, other in combinations(layout().places.values(), 2):
        assert one[1] != other[1] or abs(one[0] - other[0]) >= 0.92 - 1e-9
        assert ((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2) ** 0.5 > 2 * drawing.STAR


def distance(point, start, end):
    """Of a point from a piece of a line."""
    along = [end[k] - start[k] for k in (0, 1)]
    length = sum(part**2 for part in along)
    share = min(1, max(0, sum((point[k] - start[k]) * along[k] for k in (0, 1)) / length))
    return sum((point[k] - start[k] - share * along[k]) ** 2 for k in (0, 1)) ** 0.5


def test_edges_go_from_node_to_node_and_through_no_other():
    states, places = STATES(3), layout().places
    assert set(layout().routes) == set(states.edges)
    for (tail, head), route in layout().routes.items():
        assert (route[0], route[-1]) == (places[tail], places[head])
        for start, end in pairwise(route):
            others = [place for node, place in places.items() if node not in (tail, head)]
            assert min(distance(place, start, end) for place in others) > drawing.RADIUS


def test_few_edges_cross():
    """The order in which the nodes come has fourteen crossings; the sweeps find one with six."""

    def crossings(routes):
        pieces = [piece for route in routes.values() for piece in pairwise(route)]
        return sum(
            a[0][1] == b[0][1] and (a[0][0] - b[0][0]) * (a[1][0] - b[1][0]) < -1e-9 for a, b in combinations(pieces, 2)
        )

    assert crossings(layout().routes) <= 6


def test_a_cycle_has_no_rows():
    with pytest.raises(ValueError, match=r"^graph = .*cycle"):
        layers.layered_layout(RING)
    assert graph.longest_way(RING) is None


def test_a_line_of_play_is_a_way_through_the_graph():
    solution = solve(5)
    states = line_tables.played(START_STATE, solution.main_line(*START))
    assert len(states) == solution.start_distance + 1 and is_way(STATES(5), states)
    assert STATES(5).nodes[states[-1]]["kind"] == "end"


def test_the_table_of_states_tells_the_whole_graph():
    states = STATES(3)
    table = graph.state_frame(states, graph.values(states))
    assert (table["leads to"].str.count(";") + (table["leads to"] != "")).sum() == states.number_of_edges() == 41
    assert table["kind"].value_counts().to_dict() == {"middle": 28, "end": 9, "start": 1}
    row = table.query("first == '1,-' and second == '-,-'").iloc[0]
    assert row[["to move", "kind", "value", "leads to"]].tolist() == ["first", "end", -1, ""]


def test_a_drawing_has_a_patch_for_every_node_and_edge_and_its_sign():
    states = STATES(3)
    figure, axes = pyplot.subplots()
    drawing.draw_graph(axes, states, layout(), graph.state_label, graph.values(states))
    assert len(axes.patches) == len(states) + states.number_of_edges()
    texts = [text.get_text() for text in axes.texts]
    assert texts.count("−1") + texts.count("+1") == len(states) and texts.count("−1") == 19
    assert {graph.state_label(state) for state in states} <= set(texts)
    pyplot.close(figure)
