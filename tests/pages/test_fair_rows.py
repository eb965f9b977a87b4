"""The page in a browser, given results row by row: all numbers are those of the library, deals of results included."""

from collections import Counter

import numpy as np
import pandas as pd
import pytest

from gamebalance.fairness import judge, read_games
from tests.pages.fair_rows import given, random_games
from tests.pages.fair_tables import sentence

pytestmark = pytest.mark.browser
PAGE = "fair"
JUDGE = "all => all.map((given) => fairness.judge(given))"
WHAT = {
    "randomization test within games, 9,999 deals": 20,
    "exact binomial test": 8,
    "exact multinomial test": 2,
    **dict.fromkeys(("side", "role", "seat", "player"), 3),
    **dict.fromkeys(("fair", "unfair"), 2),
}


@pytest.fixture(scope="module")
def page(asked):
    return asked


def compare(ours: dict, expected) -> None:
    assert [ours[name] for name in ("verdict", "method", "gamesNeeded", "games", "labels")] == [
        expected.verdict, expected.method, expected.games_needed, expected.games, [*expected.shares.index],
    ]  # fmt: skip
    assert ours["sentence"] == sentence(expected)
    assert ours["pValue"] == pytest.approx(expected.p_value, rel=2e-9, abs=1e-300)
    assert ours["equivalencePValue"] == pytest.approx(expected.equivalence_p_value, abs=1.1e-9)
    assert ours["limits"] == pytest.approx([expected.limit, expected.equivalence_limit], rel=2e-9)
    for name in ("shares", "low", "high", "even", "plays", "taken", "wins"):
        assert ours[name] == pytest.approx(getattr(expected, name).tolist(), abs=1.1e-9), name


@pytest.mark.thorough
def test_results_row_by_row_are_judged_alike(page):
    cases = random_games(48)
    found = page.evaluate(JUDGE, [given(games, **settings) for games, settings, _ in cases])
    counted = Counter()
    for (_, _, expected), ours in zip(cases, found, strict=True):
        compare(ours, expected)
        counted.update([expected.method, expected.verdict, expected.by])
        deals = "randomization" in expected.method
        assert ours["error"] == pytest.approx(
            np.sqrt(expected.p_value * (1 - expected.p_value) / 9_999) * deals, rel=1e-6
        )
    assert all(counted[name] >= least for name, least in WHAT.items()), counted


@pytest.mark.thorough
def test_twenty_thousand_rows_are_judged_alike_and_at_once(page):
    """Seats of which the last is sometimes empty, and three hundred people in them."""
    random, size = np.random.default_rng(7), 4
    winner = random.integers(1, size + 1, 5_200)
    rows = pd.DataFrame(
        {
            "game": np.repeat(np.arange(5_200), size),
            "seat": np.tile(np.arange(1, size + 1), 5_200),
            "player": [f"p{one}" for _ in range(5_200) for one in random.permutation(300)[:size]],
        }
    )
    rows["won"] = (rows["seat"] == np.repeat(winner, size)).astype(float)
    rows = rows[(rows["seat"] < size) | (rows["won"] == 1) | (random.random(len(rows)) < 0.5)]
    games = read_games(rows)
    script = """given => {
        const rows = {...given.rows, game: Int32Array.from(given.rows.game), won: Float64Array.from(given.rows.won)};
        const begin = performance.now();
        return {...fairness.judge({...given, rows}), took: performance.now() - begin};
    }"""
    for by in ("seat", "player"):
        ours, expected = page.evaluate(script, given(games, by)), judge(games, by)
        compare(ours, expected)
        assert expected.method == "Mantel-Haenszel test, game by game" and ours["took"] < 3_000


def test_deals_are_numpys(page):
    expected = np.random.default_rng(20261122).random(1_000)
    script = "count => { const random = contests.generator(); return Array.from({length: count}, random); }"
    assert page.evaluate(script, 1_000) == (expected * 2**53).tolist()


@pytest.mark.parametrize("freedom", [0.3, 1, 2.7, 40, 900.5])
def test_chi_square_tails_of_any_freedom_are_scipys(page, freedom):
    from scipy import stats

    x = stats.chi2.isf([0.999, 0.5, 0.03, 1e-9, 1e-100], freedom)
    found = page.evaluate(
        "([all, freedom]) => all.map((x) => distributions.chiSquareTail(x, freedom))", [x.tolist(), freedom]
    )
    assert found == pytest.approx(stats.chi2.sf(x, freedom), rel=1e-11)
