"""The first victim of sport Mafia: printed numbers, met or corrected, and tests against scipy and statsmodels."""

import numpy as np
import pytest
from scipy import stats

from chapters.real import victims
from tests.real import recorded
from tests.refusals import refuses


@pytest.fixture(scope="module")
def named():
    return recorded.named()


def test_the_sheriff_is_not_shown_to_be_shot_first_more_often():
    found = victims.sheriff_first(recorded.first_killed())
    assert round(100 * found.estimate, 1) == 15.4 and found.estimate == pytest.approx(333 / 2163)
    assert found.p_value == pytest.approx(stats.binomtest(333, 2163, 1 / 7).pvalue) and found.low < 1 / 7 < found.high


def test_the_town_wins_less_often_where_the_sheriff_is_shot_first():
    """Said to be 21.7 points; these counts give 21.6."""
    found = victims.cost_of_sheriff(recorded.first_killed())
    assert (round(100 * found.estimate, 1), round(100 * found.error, 1)) == (-21.6, 2.7) and found.p_value < 1e-12


def test_tables_without_a_first_victim_are_what_is_left():
    found = victims.town_by_victim(recorded.first_killed(), recorded.seasons())
    assert found["games"].to_dict() == {"citizen": 1830, "sheriff": 333, "mafioso": 8, "don": 8, "nobody": 346}
    assert found["won"].sum() == 1145 and found.at["nobody", "won"] == 191
    assert found.at["sheriff", "estimate"] == pytest.approx(85 / 333)


def test_mafiosi_named(named):
    """1.141 is the mean of all first victims; of citizens it is 1.106."""
    means = {by: victims.mafiosi_named(named, by) for by in (None, "citizen", "sheriff")}
    assert [round(found.estimate, 3) for found in means.values()] == [1.141, 1.106, 1.384]
    seen = np.repeat([0, 1, 2, 3], [361, 907, 471, 39])
    assert means["citizen"].error == pytest.approx(seen.std() / np.sqrt(len(seen)))
    z = (seen.mean() - 1) / np.sqrt(stats.hypergeom.var(9, 3, 3) / len(seen))
    assert means["citizen"].p_value == pytest.approx(2 * stats.norm.sf(z))
    own = (27 + 307 * 0 + 1966 + 425 + 2 - 27 - 1778 - 307 - 12 * 2 / 3) / 2097  # mafiosi name among two others
    spread = np.sqrt(2085 * stats.hypergeom.var(9, 3, 3) + 12 * stats.hypergeom.var(9, 2, 3)) / 2097
    assert means[None].p_value == pytest.approx(2 * stats.norm.sf(own / spread))


def test_the_distribution_by_chance_and_by_the_odds(named):
    for by, count in (("citizen", 1778), ("sheriff", 307)):
        found, odds = victims.distribution(named, by), victims.odds_of_naming(named, by)
        assert found.sum().tolist() == pytest.approx([count] * 3)
        np.testing.assert_allclose(found["by chance"] / count, np.array([20, 45, 18, 1]) / 84)
        means = (found.mul(found.index, axis=0)).sum() / count
        assert means["by the odds"] == pytest.approx(means["seen"], abs=1e-6) and means["by chance"] == pytest.approx(1)
        weights = np.array([20, 45, 18, 1]) * odds.estimate ** np.arange(4)
        np.testing.assert_allclose(found["by the odds"], count * weights / weights.sum(), rtol=1e-6)
        theirs = stats.chisquare(found["seen"], found["by the odds"], ddof=1)
        assert victims.fits_odds(named, by) == pytest.approx((theirs.statistic, 2, theirs.pvalue), abs=1e-6)
        assert theirs.pvalue > 0.1
    assert victims.odds_of_naming(named, "citizen").estimate == pytest.approx(1.232, abs=0.001)
    assert victims.odds_of_naming(named, "sheriff").estimate == pytest.approx(2.104, abs=0.001)


def test_the_town_wins_more_often_where_more_mafiosi_are_named(named):
    citizen, sheriff = (victims.result_by_named(named, by) for by in ("citizen", "sheriff"))
    assert (round(100 * citizen.estimate, 1), round(100 * citizen.error, 1)) == (4.0, 1.6)
    assert (round(100 * sheriff.estimate, 1), round(100 * sheriff.error, 1)) == (7.2, 3.4)
    assert victims.distribution(named, "don")["seen"].tolist() == [5, 1, 0, 0]


FIRST = recorded.first_killed()
NAMED = recorded.named()

test_refused = refuses(
    (lambda: victims.sheriff_first(FIRST.assign(role="doctor")), "first_killed.role = 'doctor': one of .'citizen', "),
    (
        lambda: victims.town_by_victim(FIRST, recorded.seasons().head(4)),
        "tables: all tables of first_killed are needed",
    ),
    (lambda: victims.odds_of_naming(NAMED, "medic"), "by = 'medic': no such first victim named suspects"),
    (
        lambda: victims.mafiosi_named(NAMED.assign(mafiosi_named=4)),
        r"named.mafiosi_named = 4: one of \[0, 1, 2, 3\] is",
    ),
)
