"""Fictitious play and regret matching: known limits, proved bounds, and plain references of the compiled kernels."""

import warnings
from functools import partial, reduce

import numpy as np
import pytest
from hypothesis import given, settings

from gamebalance.games import matrix_games
from gamebalance.multiplayer.normal_form import (
    NormalFormGame,
    cce_gap,
    fictitious_play,
    learning,
    regret_bound,
    regret_matching,
    zero_sum,
)
from tests.multiplayer.random_games import PRISONERS, SEEDS, SEXES, random_game, random_profile
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


def test_the_trace_does_not_change_the_run():
    for run in (partial(regret_matching, seed=3), fictitious_play):
        one, two = (run(SHAPLEY, 1000, trace=trace) for trace in (None, [7, 500]))
        np.testing.assert_array_equal(one.joint, two.joint)
        assert two.trace["iteration"].tolist() == [7, 500, 1000] and one.trace["iteration"].iloc[-2] == 512
        assert one.nash_conv == two.nash_conv
    assert fictitious_play(SHAPLEY, 8).trace["iteration"].tolist() == [1, 2, 4, 8]


@QUICK
@given(SEEDS)
def test_learners_close_in_on_the_value(seed):
    """Zero-sum games: what the empirical mixes guarantee lies on either side of the value, and NashConv is how far.

    Regret matching: the distance is the sum of both regrets, so on average it is within twice the bound. Fictitious
    play: within Shapiro's (1958) bound, 2^(m + n) times the largest payoff times t^(-1 / (m + n - 2)).
    """
    rng = np.random.default_rng(seed)
    matrix = rng.uniform(-1, 1, size=rng.integers(2, 4, size=2))
    game, solution = NormalFormGame.from_bimatrix(matrix), zero_sum(matrix)
    t = 5000
    played, matched = fictitious_play(game, t), regret_matching(game, t, seed)
    for found in (played, matched):
        x, y = found.profile
        low, high = (x @ matrix).min(), (matrix @ y).max()
        assert low - 1e-9 <= solution.value <= high + 1e-9
        assert found.nash_conv == pytest.approx(high - low)
    assert matched.nash_conv <= 2 * regret_bound(game, t) + 1e-9
    size = sum(matrix.shape)
    assert played.nash_conv <= 2**size * np.abs(matrix).max() * t ** (-1 / (size - 2))
    assert played.nash_conv < fictitious_play(game, 5).nash_conv + 1e-9 and played.nash_conv < 0.1


def test_where_fictitious_play_goes():
    for game in (matrix_games.rock_paper_scissors(), matrix_games.matching_pennies()):
        assert fictitious_play(game, 100_000).nash_conv < 0.01
    rng = np.random.default_rng(2)
    for _ in range(5):
        congestion = matrix_games.congestion(rng.integers(0, 9, size=(3, 3)))
        assert fictitious_play(congestion, 20_000).nash_conv < 1e-3
    # Shapley (1964), Jordan (1993): round and round, ever more slowly, at a distance.
    for game, distance in ((SHAPLEY, 0.25), (JORDAN, 0.5)):
        assert fictitious_play(game, 2000, trace=range(1000, 2001)).trace["nash_conv"].min() > distance


def test_coarse_correlated_equilibria_by_hand():
    traffic_light = np.array([[0.5, 0], [0, 0.5]])
    assert cce_gap(SEXES, traffic_light) == 0
    assert cce_gap(matrix_games.matching_pennies(), traffic_light) == pytest.approx(1), "player 1 always loses"
    # Defecting gains 2 against a cooperator, 1 against a defector: 1.5 on average of the even diagonal.
    assert cce_gap(PRISONERS, traffic_light) == pytest.approx(1)
    assert cce_gap(JORDAN, np.full((2, 2, 2), 1 / 8)) == 0
    assert cce_gap(JORDAN, np.eye(8)[0].reshape(2, 2, 2)) == max(JORDAN.regrets(JORDAN.pure((0, 0, 0)))) == 2


@QUICK
@given(SEEDS)
def test_for_products_the_gap_is_the_largest_regret(seed):
    game, rng = random_game(seed)
    profile = random_profile(game, rng)
    joint = reduce(np.multiply.outer, profile)
    assert cce_gap(game, joint) == pytest.approx(game.regrets(profile).max(), abs=1e-9)


def test_sampled_play_reaches_coarse_correlated_equilibria():
    for game in (SHAPLEY, JORDAN, matrix_games.rock_paper_scissors()):
        found = regret_matching(game, 50_000, seed=8)
        assert found.cce_gap <= regret_bound(game, 50_000)
        assert regret_bound(game, 200) == pytest.approx(10 * regret_bound(game, 20_000))
    # A player can change her payoff by 2; two strategies; 8 iterations: 2 * sqrt(2 / 8).
    assert regret_bound(JORDAN, 8) == pytest.approx(1)
    assert regret_bound(SHAPLEY, 12) == pytest.approx(0.5)
    # What counts is the largest change of the player who can change most: here 4, if the other plays second.
    assert regret_bound(NormalFormGame.from_bimatrix([[0, 0], [0, 4]], [[0, 0], [1, 1]]), 8) == pytest.approx(2)


@pytest.mark.parametrize("name", ["shapley", "jordan", "matching_pennies"])
def test_the_mean_gain_over_runs_keeps_the_bound(name):
    game, rounds = getattr(matrix_games, name)(), 60
    gaps = [regret_matching(game, rounds, seed).cce_gap for seed in range(100)]
    assert regret_bound(game, rounds) / 5 < np.mean(gaps) <= regret_bound(game, rounds)


def test_peer_agrees_on_nash_conv():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")
        exploitability = pytest.importorskip("open_spiel.python.algorithms.exploitability")
        policies = pytest.importorskip("open_spiel.python.policy")
    rng = np.random.default_rng(6)
    for ours in (SHAPLEY, NormalFormGame(rng.normal(size=(2, 3, 4)))):
        theirs = pyspiel.convert_to_turn_based(pyspiel.create_matrix_game(*ours.payoffs))
        policy = policies.TabularPolicy(theirs)
        profile = random_profile(ours, rng)
        for state, row in zip(policy.states, policy.action_probability_array, strict=True):
            mix = profile[state.current_player()]
            row[: len(mix)] = mix
        assert exploitability.nash_conv(theirs, policy) == pytest.approx(ours.nash_conv(profile), abs=1e-9)


def test_a_draw_beyond_a_sum_that_is_rounded_down_is_the_last_strategy_played():
    for mix, chosen in (([0.5, 0.4999, 0.0], 1), ([0.9999, 0.0, 0.0], 0), ([0.0, 0.4, 0.5999], 2)):
        assert learning._drawn(np.array(mix), 3, 0.99995) == chosen


def test_long_runs_are_cut_into_pieces_that_change_nothing(monkeypatch):
    runs = (lambda: fictitious_play(JORDAN, 500), lambda: regret_matching(JORDAN, 500, seed=1))
    whole = [run().joint for run in runs]
    monkeypatch.setattr(learning, "_CHUNK", 7)
    for run, expected in zip(runs, whole, strict=True):
        np.testing.assert_array_equal(run().joint, expected)


test_what_is_refused = refuses(
    (lambda: fictitious_play(SHAPLEY, 0), "iterations = 0: a whole number from 1 to"),
    (lambda: fictitious_play(SHAPLEY, 5, trace=[3, 2]), r"trace = \[3, 2\]: iterations in increasing order"),
    (lambda: fictitious_play(SHAPLEY, 5, trace=[6]), "trace = 6: a whole number from 1 to 5"),
    (lambda: regret_bound(SHAPLEY, 0), "iterations = 0"),
    (lambda: cce_gap(SHAPLEY, None), r"joint = .*probabilities of shape \(3, 3\)"),
    (lambda: cce_gap(SHAPLEY, np.full((3, 3), 0.1)), r"joint = .*probabilities of shape \(3, 3\)"),
)
