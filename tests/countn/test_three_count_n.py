"""Count-N for three: rules, forcing sets by two engines and by their definition, what can be reached, random play."""

from functools import cache
from itertools import chain, combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.sparse.linalg import spsolve

from gamebalance.countn import rules, three
from gamebalance.multiplayer.protocols import OVER
from tests.refusals import refuses

OUT = (None, None)
EVERYBODY = (0, 1, 2)
COALITIONS = tuple(chain.from_iterable(combinations(EVERYBODY, size) for size in (1, 2, 3)))
#: One pair of a coalition and its targets for each way they can sit, turned round the table.
KINDS = [(s, t) for s in ((), (0,), (0, 1), EVERYBODY) for t in COALITIONS]
solved = cache(three.solve)


@cache
def states_of(n):
    return three.all_states(three.ThreePlayerGame(n))


def running(n):
    return [state for state in states_of(n) if OUT not in state.hands]


@cache
def reached(n):
    """All states that play can reach from the start, by the rules alone."""
    game, seen, pending = three.ThreePlayerGame(n), {three.START_STATE}, [three.START_STATE]
    while pending:
        state = pending.pop()
        after = {game.play(state, move) for move in game.moves(state)} - seen
        seen |= after
        pending += after
    return seen


test_what_is_refused = refuses(
    (lambda: solved(4).can_force([0], [0], (((1, 1), (1, 1)), 0)), "the hands of three players"),
    (lambda: solved(4).can_force([0], [0], "1,1"), "state = '1,1'"),
    (lambda: solved(4).can_force([0], [0], three.State(((1, 1), (1, 9), (1, 1)))), "hands = "),
    (lambda: solved(4).can_force([0], [0], three.State(((1, 1), (1, 1), (1, 1)), 3)), "mover = 3"),
    (lambda: solved(4).can_force([0], [0], three.State((OUT, (1, 1), OUT), 1)), "only who moved last"),
    (lambda: three.solve(8, engine="fast"), "engine = 'fast'"),
    (lambda: three.solve(29), "n = 29.* GiB"),
    (lambda: three.solve(12, engine="plain"), "n = 12.*plain.* GiB"),
    (lambda: three.random_play(30), "n = 30.* GiB"),
    (lambda: solved(4).can_force([3], [0]), r"coalition = \[3\]: some of the players 0, 1, 2"),
    (lambda: solved(4).can_force([0], 1), "targets = 1"),
    (lambda: solved(4).can_prevent([True], [0]), "coalition = "),
)


@pytest.mark.parametrize(
    ("n", "overflow", "kinds"),
    [
        (2, "one", KINDS),
        (3, "rollover", KINDS[::2]),
        pytest.param(4, "one", KINDS[::3], marks=pytest.mark.thorough),
        pytest.param(4, "rollover", KINDS[7::6], marks=pytest.mark.thorough),
    ],
)
def test_kernel_and_plain_python_agree(n, overflow, kinds):
    compiled, slow = solved(n, overflow), three.solve(n, overflow, "plain")
    for coalition, targets in kinds:
        for turn in range(3):
            turned = [[(player + turn) % 3 for player in players] for players in (coalition, targets)]
            assert np.array_equal(compiled.table(*turned), slow.table(*turned)), (coalition, targets, turn)


@settings(deadline=None, derandomize=True, max_examples=150)
@given(data=st.data())
def test_plies_follow_from_the_moves(data):
    n, overflow = data.draw(st.sampled_from([(6, "one"), (7, "one"), (6, "rollover")]))
    coalition, targets = data.draw(st.sampled_from(COALITIONS)), data.draw(st.sampled_from(COALITIONS))
    pair = st.sampled_from([pair for pair in rules.Game(n).pairs if pair != OUT])
    state = three.State(tuple(data.draw(pair) for _ in EVERYBODY), data.draw(st.sampled_from(EVERYBODY)))
    exact = solved(n, overflow)
    children = [exact.game.play(state, move) for move in exact.game.moves(state)]
    after = [exact.plies(coalition, targets, child) for child in children]
    forced = [plies for plies in after if plies is not None]
    if state.mover in coalition:
        expected = 1 + min(forced) if forced else None
    else:
        expected = 1 + max(forced) if len(forced) == len(after) else None
    assert exact.plies(coalition, targets, state) == expected


@pytest.mark.parametrize("n", [2, 4])
def test_reachable_states(n):
    exact, slow = solved(n), reached(n)
    assert np.count_nonzero(exact.reached) == len(slow)
    assert all(exact.reached[(state.mover, *state.numbers)] for state in slow)
    over = sum(OUT in state.hands for state in slow)
    assert np.count_nonzero(exact.running) == len(slow) - over and over > 0


def test_random_play_by_a_linear_system():
    n = 4
    game, chances = three.ThreePlayerGame(n), three.random_play(n)
    unfinished = [state for state in running(n) if state.mover == 0]
    place = {state.position: i for i, state in enumerate(unfinished)}
    size = len(unfinished)
    # Unknowns: the chance of each seat, of each position; a move shifts the seats by one.
    matrix, right = sparse.lil_matrix((3 * size, 3 * size)), np.zeros(3 * size)
    for i, state in enumerate(unfinished):
        moves = game.moves(state)
        for seat in EVERYBODY:
            matrix[3 * i + seat, 3 * i + seat] += 1
            for move in moves:
                child = game.play(state, move)
                if game.mover(child) == OVER:
                    right[3 * i + seat] += (seat == 0) / len(moves)
                else:
                    matrix[3 * i + seat, 3 * place[child.position] + (seat + 2) % 3] -= 1 / len(moves)
    exact = spsolve(matrix.tocsr(), right).reshape(size, 3)
    assert 0 <= chances.error <= 1e-9 and np.allclose(exact.sum(axis=1), 1)
    assert np.allclose([chances.chances(state) for state in unfinished], exact, atol=1e-8, rtol=0)
