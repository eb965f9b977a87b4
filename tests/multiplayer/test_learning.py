"""Fictitious play and regret matching: known limits, proved bounds, and plain references of the compiled kernels."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamebalance.multiplayer.games import matrix_games
from gamebalance.multiplayer.normal_form import (
    NormalFormGame,
    _kernels,
    cce_gap,
    fictitious_play,
    learning,
    regret_bound,
    regret_matching,
    zero_sum,
)

from .random_games import SEEDS, random_game, random_profile

QUICK = settings(deadline=None, derandomize=True, max_examples=40)


def plain_fictitious_play(game, iterations, start, in_turn):
    """The rule as it reads, on whole counts of what each has played."""
    played, outcomes = [np.zeros(count) for count in game.counts], np.zeros(game.counts)
    for t in range(iterations):
        chosen = list(start)
        for i in range(game.players):
            if t:
                frequencies = [own / max(own.sum(), 1) for own in played]
                values = game.strategy_payoffs(frequencies, i)
                chosen[i] = int(np.flatnonzero(values >= values.max() - 1e-12)[0])
                if in_turn:
                    played[i][chosen[i]] += 1
        for i in range(game.players):
            if not (t and in_turn):
                played[i][chosen[i]] += 1
        outcomes[tuple(chosen)] += 1
    return [own / iterations for own in played], outcomes / iterations


@QUICK
@given(SEEDS, st.booleans())
def test_fictitious_play_equals_its_plain_reference(seed, in_turn):
    game, rng = random_game(seed)
    start = tuple(int(rng.integers(count)) for count in game.counts)
    update = "alternating" if in_turn else "simultaneous"
    found = fictitious_play(game, 25, start, update, trace=[3, 7, 25])
    profile, outcomes = plain_fictitious_play(game, 25, start, in_turn)
    for own, expected in zip(found.profile, profile, strict=True):
        np.testing.assert_allclose(own, expected, atol=1e-12)
    np.testing.assert_allclose(found.joint, outcomes, atol=1e-12)
    assert found.trace["iteration"].tolist() == [3, 7, 25]
    early, _ = plain_fictitious_play(game, 7, start, in_turn)
    assert found.trace["nash_conv"].tolist()[1:] == pytest.approx([game.nash_conv(early), game.nash_conv(profile)])


def plain_regret_matching(game, iterations, start, draws=None):
    """Regrets, averages and outcomes by the definition; strategies from the uniform draws, if there are any."""
    regrets = [np.zeros(count) for count in game.counts]
    total, joint = [np.zeros(count) for count in game.counts], np.zeros(game.counts)
    for t in range(iterations):
        profile = []
        for i, own in enumerate(regrets):
            good = np.maximum(own, 0)
            mix = good / good.sum() if good.sum() > 0 else np.full(len(own), 1 / len(own))
            mix = np.array(start[i], float) if t == 0 else mix
            if draws is not None:
                mix = np.eye(len(own))[np.searchsorted(mix.cumsum(), draws[t, i], side="right")]
            profile.append(mix)
        product = np.ones(())
        for i, mix in enumerate(profile):
            values = game.strategy_payoffs(profile, i)
            regrets[i] += values - mix @ values
            total[i] += mix
            product = np.multiply.outer(product, mix)
        joint += product
    return [own / iterations for own in total], joint / iterations, regrets


@QUICK
@given(SEEDS, st.booleans())
def test_regret_matching_equals_its_plain_reference_and_keeps_its_bound(seed, sampled):
    game, rng = random_game(seed)
    start = random_profile(game, rng)
    if sampled:
        found = regret_matching(game, 30, play="sampled", seed=seed, start=start)
        draws = np.random.default_rng(seed).random((30, game.players))
        profile, joint, regrets = plain_regret_matching(game, 30, start, draws)
    else:
        found = regret_matching(game, 30, start=start)
        profile, joint, regrets = plain_regret_matching(game, 30, start)
        assert (found.trace["cce_gap"] <= [regret_bound(game, t) + 1e-12 for t in found.trace["iteration"]]).all()
    for own, expected in zip(found.profile, profile, strict=True):
        np.testing.assert_allclose(own, expected, atol=1e-9)
    np.testing.assert_allclose(found.joint, joint, atol=1e-9)
    worst = max(own.max() for own in regrets) / 30
    assert found.cce_gap == pytest.approx(max(0, worst), abs=1e-9), "the gap is the largest regret per iteration"


def test_the_trace_does_not_change_the_run():
    game = matrix_games.shapley()
    for run in (
        lambda trace: regret_matching(game, 1000, play="sampled", seed=3, trace=trace),
        lambda trace: regret_matching(game, 1000, start=[[1, 0, 0], [0, 1, 0]], trace=trace),
        lambda trace: fictitious_play(game, 1000, trace=trace),
    ):
        one, two = run(None), run([7, 500])
        np.testing.assert_array_equal(one.joint, two.joint)
        assert two.trace["iteration"].tolist() == [7, 500, 1000] and one.trace["iteration"].iloc[-2] == 512
        assert one.nash_conv == two.nash_conv and one.iterations == 1000
    assert fictitious_play(game, 8).trace["iteration"].tolist() == [1, 2, 4, 8]


def test_fictitious_play_starts_with_the_first_strategies():
    assert fictitious_play(matrix_games.battle_of_the_sexes(), 1).joint.tolist() == [[1, 0], [0, 0]]


@QUICK
@given(SEEDS)
def test_learners_close_in_on_the_value(seed):
    """Zero-sum games: what the empirical mixes guarantee lies on either side of the value, and NashConv is how far.

    Regret matching: the distance is the sum of both regrets, so it is within twice the bound. Fictitious play: within
    Shapiro's (1958) bound, 2^(m + n) times the largest payoff times t^(-1 / (m + n - 2)).
    """
    rng = np.random.default_rng(seed)
    matrix = rng.uniform(-1, 1, size=rng.integers(2, 4, size=2))
    game, solution = NormalFormGame.from_bimatrix(matrix), zero_sum(matrix)
    t = 5000
    played, matched = fictitious_play(game, t), regret_matching(game, t)
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
    assert fictitious_play(matrix_games.shapley(), 2000, trace=range(1000, 2001)).trace["nash_conv"].min() > 0.25
    assert fictitious_play(matrix_games.jordan(), 2000, trace=range(1000, 2001)).trace["nash_conv"].min() > 0.5


def test_runs_grow_in_shapleys_game():
    """Each player keeps to a strategy more than twice as long as to the one before."""
    ends = [fictitious_play(matrix_games.shapley(), t, trace=[t]).profile[0] * t for t in range(1, 500)]
    moves = np.diff(ends, axis=0).argmax(axis=1)
    lengths = np.diff(np.flatnonzero(np.diff(moves)))
    assert len(lengths) >= 4 and (lengths[1:] > 2 * lengths[:-1]).all()


def test_coarse_correlated_equilibria_by_hand():
    traffic_light = np.array([[0.5, 0], [0, 0.5]])
    assert cce_gap(matrix_games.battle_of_the_sexes(), traffic_light) == 0
    assert cce_gap(matrix_games.matching_pennies(), traffic_light) == pytest.approx(1), "player 1 always loses"
    # Defecting gains 2 against a cooperator, 1 against a defector: 1.5 on average of the even diagonal.
    assert cce_gap(matrix_games.prisoners_dilemma(), traffic_light) == pytest.approx(1)
    assert cce_gap(matrix_games.jordan(), np.full((2, 2, 2), 1 / 8)) == 0
    game = matrix_games.jordan()
    assert cce_gap(game, np.eye(8)[0].reshape(2, 2, 2)) == max(game.regrets(game.pure((0, 0, 0)))) == 2


@QUICK
@given(SEEDS)
def test_for_products_the_gap_is_the_largest_regret(seed):
    game, rng = random_game(seed)
    profile = random_profile(game, rng)
    joint = np.ones(())
    for mix in profile:
        joint = np.multiply.outer(joint, mix)
    assert cce_gap(game, joint) == pytest.approx(game.regrets(profile).max(), abs=1e-9)


def test_sampled_play_reaches_coarse_correlated_equilibria():
    for game in (matrix_games.shapley(), matrix_games.jordan(), matrix_games.rock_paper_scissors()):
        found = regret_matching(game, 50_000, play="sampled", seed=8)
        assert found.cce_gap <= regret_bound(game, 50_000)
        assert regret_bound(game, 200) == pytest.approx(10 * regret_bound(game, 20_000))
    # A player can change her payoff by 2; two strategies; 8 iterations: 2 * sqrt(2 / 8).
    assert regret_bound(matrix_games.jordan(), 8) == pytest.approx(1)
    assert regret_bound(matrix_games.shapley(), 12) == pytest.approx(0.5)
    # What counts is the largest change of the player who can change most: here 4, if the other plays second.
    assert regret_bound(NormalFormGame.from_bimatrix([[0, 0], [0, 4]], [[0, 0], [1, 1]]), 8) == pytest.approx(2)


def test_regret_matching_stays_where_uniform_play_is_an_equilibrium():
    assert regret_matching(matrix_games.rock_paper_scissors(), 100).nash_conv == pytest.approx(0)
    assert regret_matching(matrix_games.rock_paper_scissors(), 1, start=[[1, 0, 0]] * 2).nash_conv == 2


def test_peer_agrees_on_nash_conv():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")
        exploitability = pytest.importorskip("open_spiel.python.algorithms.exploitability")
        policies = pytest.importorskip("open_spiel.python.policy")
    rng = np.random.default_rng(6)
    for ours in (matrix_games.shapley(), NormalFormGame(rng.normal(size=(2, 3, 4)))):
        theirs = pyspiel.convert_to_turn_based(pyspiel.create_matrix_game(*ours.payoffs))
        policy = policies.TabularPolicy(theirs)
        profile = random_profile(ours, rng)
        for state, row in zip(policy.states, policy.action_probability_array, strict=True):
            mix = profile[state.current_player()]
            row[: len(mix)] = mix
        assert exploitability.nash_conv(theirs, policy) == pytest.approx(ours.nash_conv(profile), abs=1e-9)


def test_a_draw_beyond_a_sum_that_is_rounded_down_is_the_last_strategy_played():
    for mix, chosen in (([0.5, 0.4999, 0.0], 1), ([0.9999, 0.0, 0.0], 0), ([0.0, 0.4, 0.5999], 2)):
        drawn = np.array(mix)
        _kernels._draw(drawn, 3, 0.99995)
        assert drawn.tolist() == np.eye(3)[chosen].tolist()


def test_long_runs_are_cut_into_pieces_that_change_nothing(monkeypatch):
    game = matrix_games.jordan()
    runs = (lambda: fictitious_play(game, 500), lambda: regret_matching(game, 500, play="sampled", seed=1))
    whole = [run().joint for run in runs]
    monkeypatch.setattr(learning, "_CHUNK", 7)
    for run, expected in zip(runs, whole, strict=True):
        np.testing.assert_array_equal(run().joint, expected)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda game: fictitious_play(game, 0), "iterations = 0: a whole number from 1 to"),
        (lambda game: fictitious_play(game, 5, start=(0, 3)), "start = 3: a whole number from 0 to 2"),
        (lambda game: fictitious_play(game, 5, update="both"), "update = 'both'"),
        (lambda game: fictitious_play(game, 5, trace=[3, 2]), r"trace = \[3, 2\]: iterations in increasing order"),
        (lambda game: fictitious_play(game, 5, trace=[6]), "trace = 6: a whole number from 1 to 5"),
        (lambda game: regret_matching(game, 5, play="both"), "play = 'both'"),
        (lambda game: regret_matching(game, 5, play="sampled"), "seed = None: one is needed if play is 'sampled'"),
        (lambda game: regret_matching(game, 5, seed=1), "seed = 1: one is needed if"),
        (lambda game: regret_matching(game, 5, start=[[1, 0, 0]]), "start = .*a distribution for each of 2"),
        (lambda game: fictitious_play(game, 10**12), "iterations = 1000000000000: a whole number from 1 to 1000000000"),
        (lambda game: fictitious_play(game, 5, trace=3), "trace = 3: a list is needed"),
        (lambda game: fictitious_play(game, 5, trace=[3, 3]), r"trace = \[3, 3\]: iterations in increasing order"),
        (lambda game: regret_bound(game, 0), "iterations = 0"),
        (lambda game: cce_gap(game, None), r"joint = .*probabilities of shape \(3, 3\)"),
        (lambda game: cce_gap(game, [["a"] * 3] * 3), r"joint = .*probabilities of shape \(3, 3\)"),
        (lambda game: cce_gap(game, np.full((3, 3), np.nan)), r"joint = .*probabilities of shape \(3, 3\)"),
        (lambda game: cce_gap(game, np.full((3, 3), 0.1)), r"joint = .*probabilities of shape \(3, 3\)"),
        (lambda game: cce_gap(game, np.ones((1, 1))), r"joint = .*probabilities of shape \(3, 3\)"),
    ],
)
def test_what_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call(matrix_games.shapley())
