"""Results of games: means, errors and spreads of what endings give, against the games one by one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamebalance import mafia
from gamebalance.fairness.results import Results

COUNTS = st.lists(st.integers(0, 50), min_size=2, max_size=6).filter(any)


@given(COUNTS, st.data())
def test_counted_games_one_by_one(counts, data):
    cells = st.lists(st.integers(-20, 20), min_size=3, max_size=3)
    table = data.draw(st.lists(cells, min_size=len(counts), max_size=len(counts)))
    results = Results.of_counts(dict(enumerate(counts)))
    games = np.repeat(np.array(table, float), counts, axis=0)
    assert results.games == len(games) and sum(results.probability.values()) == pytest.approx(1)
    np.testing.assert_allclose(results.mean(table), games.mean(axis=0), atol=1e-12)
    np.testing.assert_allclose(results.standard_error(table), games.std(axis=0) / np.sqrt(len(games)), atol=1e-7)
    told = [(estimate.value, estimate.error) for estimate in results.estimates(table)]
    assert told == list(zip(results.mean(table), results.standard_error(table), strict=True))


@pytest.mark.parametrize("won", [1, 30, 50, 90])
def test_a_spread_by_hand(won):
    """Two sides that win p and 1 - p of the games: (2p - 1)^2 / 2, whose slope in p is 2 (2p - 1)."""
    p, sides = won / 100, [[1, 0], [0, 1]]
    spread = Results.of_counts({"one": won, "other": 100 - won}).spread(sides)
    assert spread.value == pytest.approx((2 * p - 1) ** 2 / 2)
    assert spread.error == pytest.approx(abs(2 * (2 * p - 1)) * np.sqrt(p * (1 - p) / 100))


def test_exact_results_have_no_error():
    exact = Results({"one": 0.25, "other": 0.75})
    assert exact.mean([[4], [8]]) == 7 and exact.estimates([[4], [8]])[0].error == 0
    assert exact.spread([[1, 0], [0, 1]]) == (0.125, 0)


def test_mafia_by_side_and_by_night():
    sample = mafia.simulate(mafia.Setup(2, 7, 1), 500, seed=4)
    endings = list(sample.results.probability)
    wins, nights = sample.results.mean([[side == "innocents", night] for night, side in endings])
    assert wins == pytest.approx(sample.win_probability)
    assert nights == pytest.approx((sample.lengths.sum(axis=1) * sample.lengths.index).sum() / 500)
