"""Votes of forum Mafia: what counts as one, and how often nobody is voted out."""

import pandas as pd
import pytest
from scipy import stats

from chapters.real import votes
from tests.refusals import refuses

#: Two days; on the second, a record that does not replay.
ROWS = pd.DataFrame(
    [
        (1, 13, 3, "mafioso", 20),
        (1, 13, 3, "townsman", 40),
        (1, 13, 3, "nobody", 15),
        (1, 12, 2, "townsman", 8),
        (1, 12, 2, "nobody", 7),
        (2, 9, 2, "mafioso", 10),
        (2, 9, 2, "townsman", 8),
        (2, 9, 0, "townsman", 30),
    ],
    columns=["day", "alive", "mafiosi_alive", "voted_out", "votes"],
)


def test_hits_are_of_votes_that_put_somebody_out_while_a_mafioso_lived():
    row = votes.hits(ROWS).loc["all"]
    assert (row["votes"], row["hits"]) == (86, 30) and row["share"] == pytest.approx(30 / 86)
    assert row["chance"] == pytest.approx((60 * 3 / 13 + 8 * 2 / 12 + 18 * 2 / 9) / 86)
    days = votes.hits(ROWS, "day")
    assert days["votes"].tolist() == [68, 18] and days.index.tolist() == [1, 2]
    assert days.at[2, "odds"] == pytest.approx(10 / 8 * 7 / 2)


def test_a_group_without_a_hit_has_no_odds_but_counts_in_their_comparison():
    found = votes.hits(ROWS, "alive")
    assert pd.isna(found.at[12, "odds"]) and found.at[12, "share"] == 0
    assert votes.same_odds(ROWS, "alive").freedom == 2
    deviance = 0.0
    whole = votes.hits(ROWS).at["all", "odds"]
    for alive, mafiosi, hit, count in [(13, 3, 20, 60), (12, 2, 0, 8), (9, 2, 10, 18)]:
        chance = whole * mafiosi / (whole * mafiosi + alive - mafiosi)
        deviance += 2 * (stats.binom.logpmf(hit, count, hit / count) - stats.binom.logpmf(hit, count, chance))
    assert votes.fits_cells(ROWS).statistic == pytest.approx(deviance, abs=1e-6)
    assert votes.same_odds(ROWS, "alive") == votes.fits_cells(ROWS)


def test_nobody_out():
    found = votes.nobody_out(ROWS)
    assert found["votes"].tolist() == [18, 15, 75] and found["nobody"].tolist() == [0, 7, 15]
    assert found.at[12, "estimate"] == pytest.approx(7 / 15)
    assert found.at[9, "high"] == pytest.approx(1 - 0.025 ** (1 / 18))


def test_even_against_odd():
    whole, days = votes.even_against_odd(ROWS), votes.even_against_odd(ROWS, "day")
    assert days.index.tolist() == [1]  # on the second day only odd numbers were alive
    assert whole.loc["all", ["votes_even", "votes_odd"]].tolist() == [15, 93]
    assert whole.at["all", "estimate"] == pytest.approx(7 / 15 - 15 / 93)
    theirs = stats.chi2_contingency([[7, 8], [15, 60]], correction=False)
    assert days.at[1, "p_value"] == pytest.approx(theirs.pvalue) and days.at[1, "odd"] == pytest.approx(15 / 75)


test_refused = refuses(
    (lambda: votes.hits(ROWS.drop(columns="day")), "votes = DataFrame: a table with a column day is needed"),
    (
        lambda: votes.nobody_out(ROWS.assign(voted_out="me")),
        r"votes.voted_out = 'me': one of \['mafioso', 'townsman', ",
    ),
)
