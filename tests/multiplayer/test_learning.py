"""Learning, bounded reasoning and predictors: known limits, proved bounds, by hand, and plain references."""

from fractions import Fraction
from functools import reduce
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamebalance.games import matrix_games
from gamebalance.games.matrix_games import BeautyContest
from gamebalance.multiplayer.normal_form import (
    NormalFormGame,
    cce_gap,
    chain_guarantee,
    chain_moves,
    cognitive_hierarchy,
    fictitious_play,
    level_k,
    predictor_replies,
    regret_bound,
    regret_matching,
    zero_sum,
)
from tests.multiplayer.random_games import PRISONERS, SEEDS, SEXES, random_game
from tests.refusals import refuses

QUICK = settings(max_examples=40)
SHAPLEY, JORDAN = matrix_games.shapley(), matrix_games.jordan()


def plain_fictitious_play(game, iterations):
    """The rule as it reads, on whole counts of what each has played."""
    played, outcomes = [np.zeros(count) for count in game.counts], np.zeros(game.counts)
    for t in range(iterations):
        chosen = [0] * game.players
        if t:
            replies = [game.strategy_payoffs([own / own.sum() for own in played], i) for i in range(game.players)]
            chosen = [int(np.flatnonzero(values >= values.max() - 1e-12)[0]) for values in replies]
        for own, k in zip(played, chosen, strict=True):
            own[k] += 1
        outcomes[tuple(chosen)] += 1
    return [own / iterations for own in played], outcomes / iterations


@QUICK
@given(SEEDS)
def test_fictitious_play_equals_its_plain_reference(seed):
    game, _ = random_game(seed)
    found = fictitious_play(game, 25, trace=[3, 7, 25])
    profile, outcomes = plain_fictitious_play(game, 25)
    for own, expected in zip(found.profile, profile, strict=True):
        np.testing.assert_allclose(own, expected, atol=1e-12)
    np.testing.assert_allclose(found.joint, outcomes, atol=1e-12)
    assert found.trace["iteration"].tolist() == [3, 7, 25]
    early, _ = plain_fictitious_play(game, 7)
    assert found.trace["nash_conv"].tolist()[1:] == pytest.approx([game.nash_conv(early), game.nash_conv(profile)])


def plain_regret_matching(game, iterations, draws):
    """Averages, outcomes and regrets by the definition; strategies from the uniform draws."""
    regrets = [np.zeros(count) for count in game.counts]
    total, joint = [np.zeros(count) for count in game.counts], np.zeros(game.counts)
    for t in range(iterations):
        profile = []
        for i, own in enumerate(regrets):
            good = np.maximum(own, 0)
            mix = good / good.sum() if good.sum() > 0 else np.full(len(own), 1 / len(own))
            profile.append(np.eye(len(own))[np.searchsorted(mix.cumsum(), draws[t, i], side="right")])
        for i, mix in enumerate(profile):
            values = game.strategy_payoffs(profile, i)
            regrets[i] += values - mix @ values
            total[i] += mix
        joint += reduce(np.multiply.outer, profile)
    return [own / iterations for own in total], joint / iterations, regrets


@QUICK
@given(SEEDS)
def test_regret_matching_equals_its_plain_reference(seed):
    game, _ = random_game(seed)
    found = regret_matching(game, 30, seed)
    draws = np.random.default_rng(seed).random((30, game.players))
    profile, joint, regrets = plain_regret_matching(game, 30, draws)
    for own, expected in zip(found.profile, profile, strict=True):
        np.testing.assert_allclose(own, expected, atol=1e-9)
    np.testing.assert_allclose(found.joint, joint, atol=1e-9)
    worst = max(own.max() for own in regrets) / 30
    assert found.cce_gap == pytest.approx(max(0, worst), abs=1e-9), "the gap is the largest regret per iteration"


@QUICK
@given(SEEDS)
def test_regret_is_within_its_bound_and_the_value_between_what_the_mixes_guarantee(seed):
    """Zero-sum games: NashConv is the sum of both regrets, so on average it is within twice the bound."""
    rng = np.random.default_rng(seed)
    matrix = rng.uniform(-1, 1, size=rng.integers(2, 4, size=2))
    game = NormalFormGame.from_bimatrix(matrix)
    found = regret_matching(game, 2000, seed)
    low, high = (found.profile[0] @ matrix).min(), (matrix @ found.profile[1]).max()
    assert low - 1e-9 <= zero_sum(matrix).value <= high + 1e-9
    assert found.nash_conv == pytest.approx(high - low) and high - low <= 2 * regret_bound(game, 2000) + 1e-9


def test_known_cycles_and_gaps():
    # Shapley (1964), Jordan (1993): round and round, ever more slowly, at a distance.
    for game, distance in ((SHAPLEY, 0.25), (JORDAN, 0.5)):
        assert fictitious_play(game, 2000, trace=range(1000, 2001)).trace["nash_conv"].min() > distance
    # Defecting gains 2 against a cooperator, 1 against a defector: 1.5 on average of the even diagonal.
    traffic_light = np.array([[0.5, 0], [0, 0.5]])
    assert [cce_gap(game, traffic_light) for game in (SEXES, PRISONERS)] == pytest.approx([0, 1])
    # A player can change her payoff by 2; two strategies; 8 iterations: 2 * sqrt(2 / 8).
    assert regret_bound(JORDAN, 8) == pytest.approx(1)


def prizes(guesses, factor):
    target = factor * sum(guesses) / len(guesses)
    distances = [abs(guess - target) for guess in guesses]
    nearest = distances.count(min(distances))
    return [Fraction(int(d == min(distances)), nearest) for d in distances]


@pytest.mark.parametrize(("players", "factor", "highest"), [(2, "2/3", 7), (3, "2/3", 6), (3, "1/2", 5), (4, "4/5", 4)])
def test_beauty_contest_against_its_full_table(players, factor, highest):
    contest = BeautyContest(players, factor, highest)
    table = {g: prizes(g, Fraction(factor)) for g in product(range(highest + 1), repeat=players)}
    game = NormalFormGame.from_function([range(highest + 1)] * players, lambda *guesses: table[guesses])
    rng = np.random.default_rng(1)
    for weights in (*rng.dirichlet(np.ones(highest + 1), 3), np.eye(highest + 1)[2]):
        expected = game.strategy_payoffs([weights] * players, 0)
        np.testing.assert_allclose(contest.payoffs_against(weights), expected, atol=1e-12)


@pytest.mark.parametrize("tau", [0.5, 1.5])
def test_levels_by_definition(tau):
    """Level 1 of both replies to level 0; level 2 to level 1, or to Poisson's shares of both."""
    contest = BeautyContest(3, "2/3", 30)

    def best(weights):
        values = contest.payoffs_against(weights)
        replies = values >= values.max() - 1e-9
        return replies / replies.sum()

    uniform = np.full(31, 1 / 31)
    one = best(uniform)
    for found, two in (
        (level_k(contest, 2), best(one)),
        (cognitive_hierarchy(contest, tau, 2), best((uniform + tau * one) / (1 + tau))),
    ):
        for own, wanted in zip(found, (uniform, one, two), strict=True):
            np.testing.assert_allclose(own, wanted, atol=1e-12)
    assert level_k(contest, 1, np.eye(31)[30])[1].argmax() == best(np.eye(31)[30]).argmax()


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
def test_predictor_equals_the_plain_rule(seed, order):
    rng = np.random.default_rng(seed)
    matrix = rng.integers(-2, 3, size=rng.integers(1, 4, size=2))
    moves = rng.integers(len(matrix), size=(3, 40))
    for row, answers in zip(moves.tolist(), predictor_replies(matrix, moves, order), strict=True):
        assert answers.tolist() == [plain_reply(matrix, row[:t], order) for t in range(len(row))]


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


test_what_is_refused = refuses(
    (lambda: fictitious_play(SHAPLEY, 0), "iterations = 0: a whole number from 1 to"),
    (lambda: fictitious_play(SHAPLEY, 5, trace=[3, 2]), r"trace = \[3, 2\]: iterations in increasing order"),
    (lambda: cce_gap(SHAPLEY, np.full((3, 3), 0.1)), r"joint = .*probabilities of shape \(3, 3\)"),
    (lambda: BeautyContest(1), "players = 1: a whole number from 2 to 100"),
    (lambda: BeautyContest(3, 2 / 3), "factor = 0.666.*a fraction from 0 to 1, such as '2/3'"),
    (lambda: cognitive_hierarchy(BeautyContest(3), 0, 1), "tau = 0: a finite number above 0"),
    (lambda: predictor_replies(SKEWED, np.array([[0, 2]])), "moves = .*row numbers"),
    (lambda: chain_guarantee(SKEWED, np.eye(2)), "transitions = .*one set of recurring rows"),
    (lambda: chain_guarantee(SKEWED, np.eye(2), 9), "order = 9: a whole number from 0 to 8"),
)
