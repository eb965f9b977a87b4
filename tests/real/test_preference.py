"""Odds of picking a mafioso: closed forms, brute force, and coverage, exact where small and simulated elsewhere."""

from math import comb

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from chapters.real import preference, votes
from tests.refusals import refuses


def picks(rows) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["alive", "mafiosi", "named", "hits", "times"])


@pytest.mark.parametrize(("alive", "mafiosi", "hit", "missed"), [(13, 3, 54, 112), (3, 1, 6, 4), (9, 4, 1, 30)])
def test_one_kind_of_vote_has_odds_in_closed_form(alive, mafiosi, hit, missed):
    found = preference.odds(picks([(alive, mafiosi, 1, 1, hit), (alive, mafiosi, 1, 0, missed)]), 0.9)
    assert found.estimate == pytest.approx(hit / missed * (alive - mafiosi) / mafiosi)
    assert found.error == pytest.approx(found.estimate * np.sqrt(1 / hit + 1 / missed))
    total, best = hit + missed, stats.binom.logpmf(hit, hit + missed, hit / (hit + missed))
    for end in (found.low, found.high):
        chance = end * mafiosi / (end * mafiosi + alive - mafiosi)
        assert 2 * (best - stats.binom.logpmf(hit, total, chance)) == pytest.approx(stats.chi2.ppf(0.9, 1))
    blind = 2 * (best - stats.binom.logpmf(hit, total, mafiosi / alive))
    assert found.p_value == pytest.approx(stats.chi2.sf(blind, 1))


def test_three_suspects_against_all_sets_counted():
    """Nine others, three of them mafiosi: the mean of C(3, x) C(6, 3 - x) w^x, found on a grid of odds."""
    rows = picks([(9, 3, 3, hits, times) for hits, times in enumerate((361, 907, 471, 39))])
    found = preference.odds(rows)

    def height(odds: float) -> float:
        weights = np.array([comb(3, x) * comb(6, 3 - x) * odds**x for x in range(4)])
        return float((rows["times"] * np.log(weights / weights.sum())).sum())

    grid = np.linspace(1.1, 1.4, 3001)
    assert found.estimate == pytest.approx(grid[np.argmax([height(odds) for odds in grid])], abs=1e-4)
    assert (
        height(found.low)
        == pytest.approx(height(found.high))
        == pytest.approx(height(found.estimate) - stats.chi2.ppf(0.95, 1) / 2)
    )
    assert preference.expected(rows, found.estimate) == pytest.approx(907 + 2 * 471 + 3 * 39)
    assert preference.expected(rows) == pytest.approx(1778)


def test_the_interval_covers_as_often_as_it_says_exactly():
    """Forty votes among nine, three of them mafiosi: over all numbers of hits, 92 to 98% for odds from 1 to 4."""
    ends = [preference.odds(picks([(9, 3, 1, 1, hit), (9, 3, 1, 0, 40 - hit)]))[2:4] for hit in range(1, 40)]
    low, high = np.array(ends).T
    for odds in np.linspace(1, 4, 31):
        covered = stats.binom.pmf(np.arange(1, 40), 40, odds / (odds + 2))[(low <= odds) & (odds <= high)].sum()
        assert 0.92 < covered < 0.98


def simulated(seed: int, odds: float) -> pd.DataFrame:
    """Votes of eight days of ever fewer people, as they are counted."""
    random, rows = np.random.default_rng(seed), []
    for day, (alive, mafiosi, count) in enumerate([(13, 3, 60), (11, 2, 40), (9, 2, 40), (7, 1, 30), (5, 1, 30)], 1):
        hit = random.binomial(count, odds * mafiosi / (odds * mafiosi + alive - mafiosi))
        rows += [(day, alive, mafiosi, "mafioso", hit), (day, alive, mafiosi, "townsman", count - hit)]
    return pd.DataFrame(rows, columns=["day", "alive", "mafiosi_alive", "voted_out", "votes"])


def test_simulated_votes_give_their_odds_back():
    """Of 100 intervals at 95%, 87 or more hold the odds: fewer have a chance of .0004."""
    found = [votes.hits(simulated(seed, 2.5)).iloc[0] for seed in range(100)]
    assert sum(row["low"] <= 2.5 <= row["high"] for row in found) >= 87
    logs = np.log([row["odds"] for row in found])
    assert abs(logs.mean() - np.log(2.5)) < 4 * logs.std() / 10
    errors = [row["error"] / row["odds"] for row in found]
    assert logs.std() == pytest.approx(np.mean(errors), rel=0.3)


def test_homogeneity_of_like_tables_is_the_likelihood_ratio_of_a_table():
    rows = pd.DataFrame(
        [(day, 9, 2, 1, hit, times) for day, hit, times in [(1, 1, 30), (1, 0, 50), (2, 1, 20), (2, 0, 70), (3, 0, 9)]],
        columns=["day", "alive", "mafiosi", "named", "hits", "times"],
    )
    found = preference.same_odds(rows, "day")
    theirs = stats.chi2_contingency([[30, 20, 0], [50, 70, 9]], lambda_="log-likelihood", correction=False)
    assert found.freedom == 2 and found.statistic == pytest.approx(theirs.statistic, abs=1e-5)
    assert found.p_value == pytest.approx(theirs.pvalue, abs=1e-6)


def test_homogeneity_is_refuted_as_often_as_it_says_if_the_odds_are_one():
    """Of 60 tests at 10%, 1 to 14 with a chance above .99; and where later days have six times the odds."""
    same = [votes.same_odds(simulated(seed, 2.0), "day").p_value for seed in range(60)]
    assert 1 <= sum(p < 0.1 for p in same) <= 14
    for seed in range(3):
        rows = pd.concat([simulated(seed, 1.0).query("day <= 2"), simulated(seed, 6.0).query("day > 2")])
        assert votes.same_odds(rows, "day").p_value < 0.001 and votes.fits_cells(rows).p_value < 0.001


ALL_HIT = picks([(9, 3, 1, 1, 5)])

test_refused = refuses(
    (lambda: preference.odds(ALL_HIT), "picks: 5 hits, where some, and fewer than could be, are needed"),
    (lambda: preference.odds(picks([(9, 3, 3, 4, 1)])), "picks: row 0 has more mafiosi, named or hits than there can"),
    (lambda: preference.odds(picks([(4, 3, 3, 1, 1)])), "picks: row 0 has more mafiosi, named or hits than there can"),
    (lambda: preference.odds(picks([(4, 3, 3, 2, -1)])), r"picks.times = \[-1\]: whole numbers from 0 are needed"),
    (
        lambda: preference.odds(ALL_HIT.drop(columns="named")),
        "picks = DataFrame: a table with a column named is needed",
    ),
    (lambda: preference.expected(ALL_HIT, 0), "value = 0: a finite number above 0 is needed"),
)
