"""Chapter 4.3: counts over all states by their definitions, and the contest of searches."""

from functools import cache
from itertools import product

import numpy as np
import pandas as pd
import pytest

from chapters import three_at_the_table as chapter
from chapters.search_among_three import play_game
from gamebalance.countn import three
from gamebalance.multiplayer import search

EVERYBODY = (0, 1, 2)
SMALL = {"n": 6, "nodes": 60, "plies": 6, "seed": 3}
SEARCHES = {"MaxN": search.maxn, "Paranoid": search.paranoid, "BRS": search.best_reply}
solved = cache(three.solve)


@pytest.fixture(scope="module")
def rows():
    return pd.DataFrame([chapter.contest_row(opening, **SMALL) for opening in (1, 2, 3)])


@pytest.fixture(scope="module")
def exact():
    return solved(6)


@cache
def game(n=6):
    """With the leaves that the contest has."""
    return three.ThreePlayerGame(n, leaves=three.random_play(n).chances)


def running(exact):
    """All reachable states that are not ends."""
    return chapter.states_where(exact, np.ones_like(exact.prospects, bool), 10**6)


# ---- What can be forced


def test_sums_grow_no_faster_than_each_line_of_play_allows():
    """All lines of play from the start to eight plies, without an N that would stop a sum."""
    states, greatest = {((1, 1), (1, 1), (1, 1))}, [1]
    for _ in range(8):
        states = {
            (second, third, tuple(sorted((mover[place] + added, mover[1 - place]))))
            for mover, second, third in states
            for place, added in product(range(2), {*second, *third})
        }
        greatest.append(max(hand for state in states for hands in state for hand in hands))
    assert [chapter.largest_sum(ply) for ply in range(9)] == greatest


def test_kingmakers_by_their_definition():
    exact = solved(4)
    kinds, states, counts = chapter.kingmakers(exact), running(exact), dict.fromkeys(("plan", "move", "must"), 0)
    assert len(set(states)) == np.count_nonzero(exact.running) == len(states)
    assert all(exact.running[(state.mover, *state.numbers)] for state in states)
    for state in states:
        me, following, previous = (state.mover, (state.mover + 1) % 3, (state.mover + 2) % 3)
        children = [exact.game.play(state, move) for move in exact.game.moves(state)]
        sure = [[one for one in EVERYBODY if exact.can_force([one], [one], child)] for child in children]
        wins = exact.can_force([me], [me], state)
        move = not wins and [following] in sure and [previous] in sure
        plan = not wins and all(exact.can_force([me, one], [one], state) for one in (following, previous))
        for kind, holds in (("plan", plan), ("move", move), ("must", move and [] not in sure)):
            assert kinds[kind][state.numbers] == holds
            counts[kind] += holds
    assert counts["plan"] > counts["move"] > counts["must"] > 0
    row = chapter.survey(4)
    assert {kind: row[kind] for kind in counts} == counts and row["states"] == len(states)
    assert row["drawn"] == 0 and row["alone"] == "" and row["enders"] == "0,1,2" and row["2 of 1,2"] == 6


def test_alpha_games_over_all_states():
    exact = solved(3)
    positions = {state.position for state in running(exact)}
    occurring = {
        tuple(exact.alpha_game(three.State(position)).worth(c) for c in chapter.COALITIONS) for position in positions
    }
    assert {tuple(alpha[c] for c in chapter.COALITIONS) for alpha in chapter.alpha_games(exact)} == occurring
    assert not chapter.drawn_with_the_rest(exact)[exact.running[0]].any()


# ---- The contest


def test_winners_are_those_of_the_general_tournament(rows, exact):
    """Another loop, another memory and no stop at repetitions: the games end, so both must agree."""

    def policy(method):
        return lambda game, state: chapter.decide(game, state, method, SMALL["nodes"], SMALL["seed"])[0]

    state = chapter.opening_state(exact, 2, SMALL["plies"], SMALL["seed"])
    assert str(state) == rows["hands"][1] and "-" not in rows["winners"][1]
    seatings = list(product(map(cache, map(policy, chapter.METHODS)), repeat=3))
    results = np.array([play_game(game(), state, seating) for seating in seatings])
    assert "".join("ABC"[seat] for seat in results.argmax(axis=1)) == rows["winners"][1]


def test_budgets_are_kept_by_the_last_ply_predicted():
    eight, state = game(8), chapter.opening_state(solved(8), 1, 6, 3)
    for name, method in SEARCHES.items():
        move, nodes, depth = chapter.decide(eight, state, name, 800)
        sizes = np.array([1] + [method(eight, state, ply).nodes for ply in range(1, depth + 1)])
        assert nodes == sizes[1:].sum() and move == method(eight, state, depth).move
        predicted = sizes[1:].cumsum() + sizes[1:] ** 2 / sizes[:-1]
        assert (predicted[:-1] <= 800).all() and predicted[-1] > 800
        # With 1.01 times what it then needs, a search goes on; with 0.99 times, not.
        further = [chapter.decide(eight, state, name, int(share * predicted[-1]))[2] > depth for share in (1.01, 0.99)]
        assert further == [True, False]
    # Player 1 is out on the second ply of this game; a third would find no new node.
    short = three.State(hands=((1, 1), (1, None), (1, None)))
    assert chapter.decide(three.ThreePlayerGame(2), short, "MaxN", 10**6)[1:] == (2 + 3 + 3, 3)


def test_counts_judge_moves_by_the_exact_solution(exact):
    """Won and kept, won and thrown away, kept open, given away, and lost whatever is played."""
    table, seen = chapter.Table(exact, exact.game, 60, 1), set()
    for state in chapter.states_where(exact, exact.prospects > 0, 3000):
        mine, others = [state.mover], [player for player in EVERYBODY if player != state.mover]
        for move in exact.game.moves(state)[:2]:
            child = exact.game.play(state, move)
            given = any(exact.can_force([player], [player], child) for player in others)
            won, kept, open_, gave = table.judged(state, child)
            assert won == exact.can_force(mine, mine, state) and kept == (won and exact.can_force(mine, mine, child))
            assert gave == (open_ and given) and not (won and open_)
            seen.add((won, kept, open_, gave))
    assert len(seen) == 5


# ---- Scores
