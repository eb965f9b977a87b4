"""Values where players wait for each other: the linear equation, the raised iteration, and resistance from above."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamebalance.sanguosha import AS_CODED, REPORT_SCORING, Role, Seating, solve
from gamebalance.sanguosha.policies import StatePolicy
from gamebalance.sanguosha.replies import alliance_worth, resisted_bounds, values
from gamebalance.sanguosha.replies.best import choose, iterate_best_replies, payoff, total_points
from gamebalance.sanguosha.replies.values import Values, least_solution
from gamebalance.sanguosha.turn import CODES

LORD, LOYALIST, REBEL, RENEGADE = Role


def limit(matrix, scored):
    """scored + matrix scored + matrix² scored + …, by doubling."""
    total, power = scored, matrix
    for _ in range(60):
        total, power = total + power @ total, power @ power
    return total


@given(st.integers(0, 2**32 - 1), st.integers(1, 12), st.integers(0, 4))
def test_the_least_solution_is_the_limit_of_steps_from_nothing(seed, states, endless):
    """Some states never leave each other and never score: every number would solve the equation there."""
    draw = np.random.default_rng(seed)
    size = states + endless
    matrix = draw.random((size, size)) * (draw.random((size, size)) < 0.4)
    matrix[states:, :states] = 0
    matrix[states:, states:] += np.eye(endless)
    leak = np.where(np.arange(size) < states, draw.uniform(1e-3, 0.5, size), 0)
    matrix *= (1 - leak)[:, None] / np.maximum(matrix.sum(axis=1), 1e-300)[:, None]
    scored = leak * draw.random(size)
    found = least_solution(lambda x: matrix @ x + scored, size)
    np.testing.assert_allclose(found, limit(matrix, scored), atol=1e-6)
    assert (found[states:] == 0).all()


def test_no_solution_is_made_up():
    """Where each step scores for ever there is none."""
    assert least_solution(lambda x: x + 1, 3) is None


def test_a_solution_is_accepted_by_its_own_residual(monkeypatch):
    """Not by what the method says of itself: here it reports success with numbers that solve nothing."""
    monkeypatch.setattr(values, "_bicgstab", lambda _, scored: 2 * scored)
    assert least_solution(lambda x: x / 2 + 1, 3) is not None  # x = 2 is the solution
    assert least_solution(lambda x: x / 3 + 1, 3) is None


@cache
def after_a_round(seating):
    return iterate_best_replies(seating, 1).policies


@pytest.mark.thorough
@pytest.mark.parametrize(("seating", "role"), [("023", LORD), ("032", REBEL)])
def test_raised_values_are_those_of_plain_iteration(monkeypatch, seating, role):
    """All states of all living sets; and from below also within the error that the plain iteration leaves."""
    replying = Seating(seating), frozenset({role}), AS_CODED, REPORT_SCORING, after_a_round(seating)
    raised = choose(*replying, change=1e-8)[0]
    monkeypatch.setattr(values, "SWEEPS", 10**9)
    plain = choose(*replying, change=1e-9)[0]
    assert not plain.certified and raised.sweeps < plain.sweeps
    for key, found in plain.by_state.items():
        np.testing.assert_allclose(raised.by_state[key], found, atol=1e-5)


@pytest.mark.parametrize("role", [LORD, REBEL, RENEGADE])
def test_what_is_chosen_from_below_is_worth_what_it_seems(role):
    """Choices that are as good as any by the values could still wait for ever; played forward, these do not."""
    policies = after_a_round("023")
    found, chosen = choose(Seating("023"), frozenset({role}), AS_CODED, REPORT_SCORING, policies, change=1e-8)
    played = solve("023", policies={**policies, **chosen})
    assert total_points(played, {role}) == pytest.approx(found.start(), abs=1e-6)


def test_no_value_is_above_the_best_ending():
    """A rebel waits some ten thousand turns for a lord who rarely attacks: the linear equation is hard to solve."""
    generator = np.random.default_rng(6)
    share = 10 ** generator.uniform(-3, 0)  # 0.04
    attacks = generator.random((21, CODES, CODES)) < share
    idle = StatePolicy("02", {((0, 1), 0): np.where(attacks, 1, -1).astype(np.int8)})
    found = Values("02", payoff("02", {REBEL}), frozenset({REBEL}), policies={LORD: idle})
    assert 11.99 < found.start() and all(worth.max() < 12 + 1e-9 for worth in found.by_state.values())


@pytest.mark.parametrize(("seating", "roles"), [("03", {LORD}), ("023", {LORD, REBEL}), ("032", {RENEGADE})])
def test_what_resistance_leaves_is_bounded_from_above(seating, roles):
    """The best reply to those who resist, each in every state by its values, gets no more than the values say."""
    lower, upper = resisted_bounds(seating, iter(roles))
    assert lower == alliance_worth(seating, roles, "resist")
    assert -1e-6 < upper - lower < 1e-5
