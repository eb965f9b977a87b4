"""Count-N: graphs and what can be decided in them, closed rules against play and the solver, the study of Count-8."""

import itertools
import random
from functools import cache
from itertools import pairwise, product

import networkx as nx
import numpy as np
import pandas as pd
import pytest

from chapters import folklore_of_eight as folklore
from chapters import who_wins_for_every_n as closed
from chapters import who_wins_small as small
from gamebalance import countn
from gamebalance.base.rounding import meant
from gamebalance.countn import Game, certificate, solve
from gamebalance.countn.states import read_position
from gamebalance.publish import heavy

STATES = cache(lambda n: small.state_graph(Game(n)))


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
        worth, ways = small.values(states), {node: list(states.successors(node)) for node in states}
        assert worth == {node: later(node, ways, 9) for node in states}, seed
        drawn += 0 in worth.values()
    assert 10 < drawn < 50


@pytest.mark.parametrize("n", [2, 4, 6, 9])
def test_values_know_the_winner_of_every_state(n):
    """A program that knows the graph only, and no rules, distances or sizes."""
    values = small.state_values(solve(n))
    assert small.values(STATES(n)) == {state: (value > 0) - (value < 0) for state, value in values.items()}


def test_shortest_cycles():
    states = STATES(4)
    cycles = small.shortest_cycles(states)
    assert {len(cycle) for cycle in cycles} == {4} and len({frozenset(cycle) for cycle in cycles}) == len(cycles)
    assert all(states.has_edge(*step) for cycle in cycles for step in pairwise([*cycle, cycle[0]]))
    # Sides alternate, so a shorter cycle would have two plies: no edge of the graph leads straight back.
    assert not any(states.has_edge(head, tail) for tail, head in states.edges)
    # Every cycle of four plies, counted by closed walks: four from each, and none shorter to be counted twice.
    adjacency = nx.to_numpy_array(states, dtype=int)
    assert (adjacency @ adjacency @ adjacency @ adjacency).trace() == 4 * len(cycles)
    assert small.shortest_cycles(STATES(3)) == []


# ---- For every N


def played(n, mover, opponent):
    """Forced play with one hand each by the rules alone: winner and plies."""
    game, plies = countn.Game(n), 0
    while True:
        total = game.total(mover, opponent)
        plies += 1
        if total is None:
            return (1 if plies % 2 else -1), plies
        mover, opponent = opponent, total


@pytest.mark.parametrize("n", [*range(2, 30), 55, 89, 90, 233])
def test_theorem_is_forced_play(n):
    for hands in itertools.product(range(1, n), repeat=2):
        assert closed.one_hand(n, *hands) == played(n, *hands)


def test_one_one_by_the_closed_rule():
    for n in range(2, 257):
        rule = closed.one_one(n)
        assert (1 if rule["mover_wins"] else -1, rule["plies"]) == played(n, 1, 1) and rule["below"] < n <= rule[
            "above"
        ]


def test_free_fibonacci_counts_the_endless_endings():
    for n in range(2, 16):
        solution, hands = countn.solve(n, "rollover"), [(number, None) for number in range(1, n)]
        assert closed.free_fibonacci(n) == sum(solution.value(*pair) == 0 for pair in itertools.product(hands, hands))
    # OEIS A064414, from 2 to 128.
    listed = "2 3 4 6 7 9 14 23 27 43 49 67 81 83 86 98 103 127"
    assert [n for n in range(2, 129) if closed.free_fibonacci(n) == 0] == list(map(int, listed.split()))


def test_shortest_certificate():
    solution = countn.solve(5, "rollover")
    assert closed.shortest_certificate(solution, 60) == (41, 41)
    assert len(certificate.drawing_certificate(solution).moves) >= 41


def peaceful(n, overflow):
    """The greatest fixed point in plain Python: (keeper's hands, other's hands) with the keeper to move, and not."""
    game = countn.Game(n, overflow)
    four = {pair for pair in itertools.product(game.pairs, repeat=2) if None not in pair[0] + pair[1]}
    moving, waiting = set(four), set(four)
    while True:
        still = {(k, o) for k, o in waiting if all((k, move.hands) in moving for move in game.moves(o, k))}
        hold = {(k, o) for k, o in moving if any((move.hands, o) in still for move in game.moves(k, o))}
        if (hold, still) == (moving, waiting):
            return hold, still
        moving, waiting = hold, still


@pytest.mark.parametrize(("n", "overflow"), [(2, "one"), (5, "one"), (9, "one"), (12, "rollover"), (13, "rollover")])
def test_peace_is_the_greatest_fixed_point(n, overflow):
    moving, waiting = peaceful(n, overflow)
    start = countn.START in moving and countn.START in waiting
    assert closed.keep_peace(n, overflow) == {"moving": len(moving), "waiting": len(waiting), "start": start}
    assert start == (n == 13)


def test_row_is_what_the_solution_says():
    row, solution = closed.row(8), countn.solve(8)
    assert row["certificate"] == 291 and closed.row(8, "one", 7)["certificate"] is None
    pairs = solution.game.pairs[:-1]
    three = [(m, o) for m in pairs for o in pairs if (m + o).count(None) == 1]
    fewer = [solution.value(m, o) * (1 if None in m else -1) for m, o in three]
    assert row["fewer_hands_wins"] == pytest.approx(sum(v > 0 for v in fewer) / len(three), abs=1e-15)
    assert row["more_hands_wins"] == pytest.approx(sum(v < 0 for v in fewer) / len(three), abs=1e-15)
    four = [solution.value(m, o) for m in pairs for o in pairs if None not in m + o]
    assert row["four_hands_drawn"] == pytest.approx(four.count(0) / len(four), abs=1e-15)
    assert closed.row(5, "rollover")["one_hand_drawn"] == closed.free_fibonacci(5) / 16


@pytest.mark.parametrize("n", [2, 9, 17, 63])
def test_the_long_run_is_what_this_code_computes(n):
    stored = heavy.results("countn-survey").set_index("n").loc[n]
    for name, value in closed.row(n, "one", 20).items():
        if name not in ("n", "overflow") and (name, n) != ("certificate", 63):
            assert pd.isna(stored[name]) if value is None else stored[name] == meant(value)


# ---- The study of Count-8


@pytest.fixture(scope="module")
def eight():
    return countn.solve(8)


def test_the_start_recurs_under_no_rule():
    """A hand that shows 1 after adding a 1 would have shown N or more, or 0, before."""
    for n, overflow in product(range(2, 14), countn.OVERFLOWS):
        game = countn.Game(n, overflow)
        assert not any(countn.START in game.successors(mover, (1, 1)) for mover in game.pairs[:-1])


def test_trap_chance_by_hand(eight):
    """One move: the losing one of four. Two: three ways on, and the careful player's best answer to each."""
    trap = folklore.trap_chance(eight)
    assert trap((1, 2), (1, 3), 0) == 0 and trap((1, 2), (1, 3), 1) == 1 / 4
    two = 1 / 4
    for hands in ((2, 2), (2, 4), (1, 3)):
        answers = [option.move.hands for option in eight.options((1, 3), hands) if option.value == 0]
        slips = [np.mean([option.value < 0 for option in eight.options(hands, answer)]) for answer in answers]
        two += max(slips) / 4
    assert trap((1, 2), (1, 3), 2) == pytest.approx(two) == 0.625


def test_endless_lines_back_are_told_apart(eight):
    """The start can follow nothing; a reachable position of the middle lies on a cycle."""
    backward = folklore.backward_graph(eight.game)
    assert folklore.longest_line_back(backward, countn.START) == 0
    assert folklore.longest_line_back(backward, ((1, 1), (1, 2))) == 1
    assert folklore.longest_line_back(backward, read_position("1,7 v 2,6", eight.game)) is None
