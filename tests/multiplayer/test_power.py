"""Shapley and Banzhaf values against their definitions and axioms; sampled values against exact ones."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chapters.multiplayer import essay_coalitions
from gamebalance.games import coalitions as known
from gamebalance.multiplayer.cooperative import TUGame, values
from tests.multiplayer.tu_games import convex_games, games, masks_game, shapley_by_orders, subsets
from tests.refusals import refuses

quick = settings(max_examples=40)


@given(games(1, 5))
@quick
def test_shapley_is_the_mean_over_orders(game):
    shapley = game.shapley()
    assert shapley == shapley_by_orders(game)
    assert all(isinstance(share, Fraction) for share in shapley.values())
    assert sum(shapley.values()) == game.worth(game.players)


@given(games(1, 4))
@quick
def test_banzhaf_is_the_mean_over_coalitions(game):
    for player, value in game.banzhaf().items():
        others = [frozenset(), *subsets([other for other in game.players if other != player])]
        assert value == Fraction(sum(game.worth(s | {player}) - game.worth(s) for s in others), len(others))


@given(games(3, 3), games(3, 3), st.integers(-3, 3))
@quick
def test_additivity(one, other, factor):
    both = TUGame(one.players, lambda coalition: one.worth(coalition) + factor * other.worth(coalition))
    assert both.shapley() == {p: share + factor * other.shapley()[p] for p, share in one.shapley().items()}
    assert both.banzhaf() == {p: value + factor * other.banzhaf()[p] for p, value in one.banzhaf().items()}


@given(games(2, 4), st.integers(-5, 5))
@quick
def test_dummies_and_equals(game, own):
    # "dummy" always adds the same; "twin" does whatever player 0 does, and only one of the two counts.
    def worth(coalition):
        old = coalition & set(game.players) | ({0} if "twin" in coalition else set())
        return (game.worth(old) if old else 0) + own * ("dummy" in coalition)

    bigger = TUGame([*game.players, "dummy", "twin"], worth)
    for found in (bigger.shapley(), bigger.banzhaf()):
        assert found["dummy"] == own and found["twin"] == found[0]


@given(convex_games())
@quick
def test_shapley_of_a_convex_game_is_in_the_core(game):
    assert max(game.excess(game.shapley()).values()) == 0


def test_large_and_long_worths():
    # 16 players, all equal but one who adds nothing: exact shares.
    game = TUGame(range(16), lambda coalition: len(coalition - {15}) ** 2)
    assert game.shapley() == {**dict.fromkeys(range(15), Fraction(15)), 15: 0}
    small = masks_game([0, 3, -7, 5, 2, 2, 9, 4])
    huge = masks_game([value * 2**58 for value in (0, 3, -7, 5, 2, 2, 9, 4)])
    assert huge.shapley() == {player: share * 2**58 for player, share in small.shapley().items()}
    assert huge.banzhaf() == {player: value * 2**58 for player, value in small.banzhaf().items()}
    # Sums of differences would leave 64 bits although the worths fit.
    flat = TUGame(range(12), lambda coalition: 2**59 * (0 in coalition))
    assert flat.shapley()[0] == flat.banzhaf()[0] == 2**59


def test_floats_in_floats_out():
    game = masks_game([0, 0.1, 0.2, 0.7])
    assert game.shapley() == {0: 0.3, 1: 0.4} and isinstance(game.banzhaf()[0], float)


@pytest.mark.parametrize("antithetic", [True, False])
def test_sampled_shapley_finds_the_exact_value(antithetic):
    game = known.weighted_voting(51, [40, 30, 20, 10, 1])
    exact = np.array([float(share) for share in game.shapley().values()])
    deviations = []
    for seed in range(60):
        estimate = game.shapley_sampled(400, seed, antithetic)
        assert sum(estimate.value.values()) == pytest.approx(1, abs=1e-12) and estimate.permutations == 400
        found, error = (np.array(list(part.values())) for part in (estimate.value, estimate.error))
        deviations.append((found - exact)[error > 0] / error[error > 0])
    deviations = np.concatenate(deviations)
    # Standardised deviations have variance 1 if the errors are honest; 300 of them know it to about 0.1.
    assert 0.75 < np.mean(deviations**2) < 1.3 and abs(np.mean(deviations)) < 0.2


def test_the_error_is_that_of_the_mean_whatever_the_batches(monkeypatch):
    worths = np.random.default_rng(1).normal(size=32)
    worths[0] = 0
    whole = values.shapley_moments(worths, 5, 100, 5, False)
    orders = np.random.default_rng(5).permuted(np.tile(np.arange(5), (100, 1)), axis=1)
    drawn = values.marginals(worths, orders)
    assert np.allclose(whole, [drawn.mean(axis=0), drawn.std(axis=0, ddof=1) / 10], atol=1e-12)
    pairs = (values.marginals(worths, orders[:50]) + values.marginals(worths, orders[:50, ::-1])) / 2
    expected = [pairs.mean(axis=0), pairs.std(axis=0, ddof=1) / 50**0.5]
    assert np.allclose(values.shapley_moments(worths, 5, 100, 5, True), expected, atol=1e-12)
    monkeypatch.setattr(values, "BATCH", 7)
    assert np.allclose(values.shapley_moments(worths, 5, 100, 5, False), whole, atol=1e-12)


def test_reversed_orders_help_on_a_runway_and_not_in_a_vote():
    def errors(game):
        return [sum(game.shapley_sampled(2000, 1, paired).error.values()) for paired in (False, True)]

    plain, paired = errors(known.airport([1, 2, 3, 4, 5, 6]))
    assert paired < 0.9 * plain
    # In a majority vote the same player tips the scales both ways: a pair knows no more than one order.
    plain, paired = errors(known.majority(5))
    assert 1.3 * plain < paired < 1.5 * plain


def test_marginals_of_one_order():
    worths = np.array([0.0, 1, 2, 4, 8, 16, 32, 64])
    assert values.marginals(worths, np.array([[2, 0, 1], [1, 0, 2]])).tolist() == [[8, 48, 8], [2, 2, 60]]


test_bad_samples_are_refused = refuses(
    (lambda: known.majority().shapley_sampled(3, 1), "permutations = 3"),
    (lambda: known.majority().shapley_sampled(5, 1, True), "even number"),
    (lambda: known.majority().shapley_sampled(10, 1, 1), "antithetic = 1"),
)


def test_an_odd_number_of_orders_is_fine_where_none_is_reversed():
    assert known.majority().shapley_sampled(5, 1).permutations == 5


def test_known_power():
    assert known.glove_market(1, 2).shapley() == {"L1": Fraction(2, 3), "R1": Fraction(1, 6), "R2": Fraction(1, 6)}
    apex = known.apex(5)
    assert apex.shapley() == {1: Fraction(3, 5), **dict.fromkeys(range(2, 6), Fraction(1, 10))}
    # The council of the European Economic Community of 1958: Luxembourg (weight 1) has no power.
    council = known.weighted_voting(12, [4, 4, 4, 2, 2, 1])
    large, middle = Fraction(14, 60), Fraction(9, 60)
    assert list(council.shapley().values()) == [large] * 3 + [middle] * 2 + [0]
    swings = council.banzhaf()
    assert [Fraction(swing, sum(swings.values())) for swing in swings.values()] == (
        [Fraction(5, 21)] * 3 + [Fraction(1, 7)] * 2 + [0]
    )
    assert list(known.deposits().shapley().values()) == [51750, 25875, 12375]
    assert list(essay_coalitions.essay_three().shapley().values()) == [
        Fraction(125, 6),
        Fraction(125, 6),
        Fraction(55, 3),
    ]
