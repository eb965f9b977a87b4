"""Predictable play: what equilibrium guarantees, what a predictor takes, and the predictor against its reference."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamebalance.games import matrix_games
from gamebalance.multiplayer.normal_form import chain_guarantee, chain_moves, guarantee, predictor_replies, zero_sum
from tests.multiplayer.random_games import SEEDS
from tests.refusals import refuses

SKEWED = [[2, -1], [-1, 1]]
ROCK = matrix_games.rock_paper_scissors().payoffs[0]
CHAIN = np.array([[0.1, 0.9, 0], [0, 0.5, 0.5], [1, 0, 0]])


def plain_reply(matrix, past, order):
    """The first best reply to what followed the last few moves before, each count begun at 1."""
    counts = np.ones(len(matrix))
    for t in range(order, len(past)):
        if past[t - order : t] == past[len(past) - order :]:
            counts[past[t]] += 1
    return int(np.argmin(counts @ matrix))


@settings(max_examples=30)
@given(SEEDS, st.integers(0, 3))
def test_compiled_predictor_equals_the_plain_rule(seed, order):
    rng = np.random.default_rng(seed)
    matrix = rng.integers(-2, 3, size=rng.integers(1, 4, size=2))
    moves = rng.integers(len(matrix), size=(3, 40))
    for row, answers in zip(moves.tolist(), predictor_replies(matrix, moves, order), strict=True):
        assert answers.tolist() == [plain_reply(matrix, row[:t], order) for t in range(len(row))]


def test_a_predictor_by_hand():
    """Matching pennies, order 1: heads, tails, heads, tails … is learned after one time round."""
    moves = np.array([[0, 1, 0, 1, 0, 1]])
    matrix = matrix_games.matching_pennies().payoffs[0]
    # Ties go to the first reply, heads, which loses to player 0's heads. After heads came tails once: heads again from
    # then on is answered by what differs from tails.
    assert predictor_replies(matrix, moves, 1).tolist() == [[0, 0, 0, 0, 1, 0]]
    assert predictor_replies(matrix, moves, 0).tolist() == [[0, 1, 0, 1, 0, 1]]


def test_patterns_lose_everything_to_a_predictor_that_remembers_enough():
    pattern = [0, 0, 1, 2, 2, 1]  # after one move the next is open, after two it is not
    moves = np.tile(pattern, (1, 100))
    got = {order: ROCK[moves, predictor_replies(ROCK, moves, order)][0, 300:].mean() for order in range(4)}
    assert got[2] == got[3] == -1 < got[1] <= 0 and got[0] > -1


@settings(max_examples=20)
@given(SEEDS)
def test_the_equilibrium_mix_keeps_the_value_against_anything(seed):
    """Exactly, column by column; so the mean of play differs from the value by noise only, whoever replies."""
    rng = np.random.default_rng(seed)
    matrix = rng.integers(-3, 4, size=rng.integers(2, 4, size=2))
    solution = zero_sum(matrix)
    assert guarantee(matrix, solution.row) == pytest.approx(solution.value, abs=1e-9)
    runs, rounds = 40, 400
    moves = chain_moves([solution.row] * len(matrix), rounds, runs, seed=seed)
    replies = predictor_replies(matrix, moves, 1)
    got = matrix[moves, replies].mean()
    # Hoeffding and Azuma: more than this below the value happens once in a million.
    assert got >= solution.value - np.ptp(matrix) * np.sqrt(np.log(1e6) / (2 * runs * rounds))


def test_what_is_left_of_a_chain():
    # After heads, tails 7 times of 10: the column player shows heads, worth 2 * 0.3 - 0.7; after tails, tails.
    often = [[0.3, 0.7], [0.7, 0.3]]
    assert chain_guarantee(SKEWED, often, 1) == chain_guarantee(SKEWED, often, 2) == pytest.approx((-0.1 - 0.4) / 2)
    assert chain_guarantee(SKEWED, often, 0) == pytest.approx(0)
    assert chain_guarantee(SKEWED, [[0, 1], [1, 0]]) == pytest.approx(-1)
    # Tails four times as often: 0.2 * 2 - 0.8 against heads, 0.6 against tails.
    drawn_out = [[0.2, 0.8], [0.2, 0.8]]
    assert [chain_guarantee(SKEWED, drawn_out, order) for order in (0, 3)] == pytest.approx([-0.4, -0.4])
    moves = chain_moves(CHAIN, 3000, 60, seed=5)
    for order in (0, 1, 2):
        got = ROCK[moves, predictor_replies(ROCK, moves, order)][:, 1500:].mean(axis=1)
        assert abs(got.mean() - chain_guarantee(ROCK, CHAIN, order)) < 4 * got.std(ddof=1) / np.sqrt(60) + 0.005


def test_rows_that_do_not_recur_have_no_weight():
    """A first row that is left for ever: rounding must not make its share negative."""
    for share in np.linspace(0.05, 0.95, 19):
        table = [[0, share, 1 - share], [0, share, 1 - share], [0, 1 - share, share]]
        often = np.linalg.matrix_power(np.array(table), 3000)[0]
        assert chain_guarantee(ROCK, table, 0) == pytest.approx(guarantee(ROCK, often / often.sum()), abs=1e-9)


def test_moves_have_the_frequencies_asked_for():
    moves = chain_moves(CHAIN, 1000, 60, seed=5)
    assert moves.shape == (60, 1000)
    pairs = np.zeros((3, 3))
    np.add.at(pairs, (moves[:, :-1].ravel(), moves[:, 1:].ravel()), 1)
    np.testing.assert_allclose(pairs / pairs.sum(axis=1, keepdims=True), CHAIN, atol=0.02)
    assert (pairs[CHAIN == 0] == 0).all()
    np.testing.assert_array_equal(moves, chain_moves(CHAIN, 1000, 60, seed=5))
    assert (moves != chain_moves(CHAIN, 1000, 60, seed=6)).any()


test_what_is_refused = refuses(
    (lambda: predictor_replies(SKEWED, np.array([[0, 2]])), "moves = .*row numbers"),
    (lambda: chain_moves([[1, 0], [0.5, 0.4]], 1, 1, 1), r"transitions\[1\] = .*sum to 0.9"),
    (lambda: chain_guarantee(SKEWED, np.eye(2)), "transitions = .*one set of recurring rows"),
    (lambda: chain_guarantee(SKEWED, np.eye(2), 9), "order = 9: a whole number from 0 to 8"),
    (lambda: chain_moves(np.eye(2), 10**6, 10**6, 1), "rounds = 1000000, runs = 1000000: .*GiB"),
)
