"""What one set of tables shows, asked of another: made-up sets in which it is known, and the variants of the rules."""

from functools import cache

import numpy as np
import pytest
from scipy import stats

from chapters.real import first_night, leagues, sport_rules, two_sets
from chapters.real.two_sets import Records
from gamebalance.mafia import solve
from tests.real import recorded

PERSONS = leagues.league(np.geomspace(1, 100, 60), 2000, (0.06, 0.06), seed=5)
ONE = Records(recorded.seasons(), recorded.seats(), recorded.first_killed(), recorded.named(), PERSONS)


@cache
def with_itself():
    return two_sets.replicated(ONE, ONE)


def turned(frame):
    """The same tables with the other winner."""
    return frame.assign(winner=frame["winner"].map({"town": "mafia", "mafia": "town"}))


def test_a_set_agrees_with_itself():
    found = with_itself()
    assert list(found.index) == list(two_sets.MEASURES) and found["", "p_apart"].tolist() == [1.0] * len(found)
    assert found["first"].equals(found["later"])
    shown = found["first", "p_value"] <= 0.05
    again = found["later", "p_value"] <= 0.05 / shown.sum()
    assert found["", "again"].tolist() == np.where(shown, np.where(again, "yes", "no"), "not shown").tolist()
    assert set(found["", "again"]) == {"yes", "no", "not shown"}


def test_what_is_turned_round_is_not_seen_again():
    """Where the other side wins, what the first set shows of wins is contradicted, though as surely as before."""
    other = ONE._replace(seasons=turned(ONE.seasons), first_killed=turned(ONE.first_killed))
    found = two_sets.replicated(ONE, other)
    for name in ("the town's share of wins", "sheriff shot first, against a citizen"):
        assert found.loc[name, ("", "again")] == "no" and found.loc[name, ("later", "p_value")] < 1e-5
        assert found.loc[name, ("", "p_apart")] < 1e-5
    assert found.loc["odds at which a citizen names a mafioso", ("", "again")] == "yes"


def test_numbers_are_in_their_units():
    found = with_itself()["first"]
    assert found.at["the town's share of wins", "estimate"] == pytest.approx(100 * 1145 / 2525)
    assert found.at["odds at which a sheriff names one", "estimate"] == pytest.approx(2.104, abs=1e-3)
    nobody = found.loc["nobody shot first, against a citizen"]
    assert nobody["estimate"] == pytest.approx(100 * (191 / 346 - 863 / 1830))
    cells = [[191, 346 - 191], [863, 1830 - 863]]
    assert nobody["p_value"] == pytest.approx(stats.chi2_contingency(cells, correction=False).pvalue)


def test_two_sets_of_other_truths_are_apart():
    games = ONE.seasons["games"] * np.where(ONE.seasons["winner"] == "mafia", 2, 1)
    found = two_sets.replicated(ONE, ONE._replace(seasons=ONE.seasons.assign(games=games)))
    town = found.loc["the town's share of wins"]
    assert town["", "p_apart"] < 1e-9 and town["", "again"] == "yes"  # lower still, and so seen again
    one, other = 1145 / 2525, 1145 / (1145 + 2 * 1380)
    error = np.sqrt(one * (1 - one) / 2525 + other * (1 - other) / 3905)
    assert town["", "p_apart"] == pytest.approx(2 * stats.norm.sf((one - other) / error), rel=1e-6)


def test_variants_are_all_different_and_each_can_explain_the_share():
    assert len(set(sport_rules.VARIANTS)) == 24 and sport_rules.USUAL in sport_rules.VARIANTS
    for variant in sport_rules.VARIANTS[::7]:
        row = sport_rules.tested(variant, ONE, ONE)
        rules = variant.rules(ONE.agreement, odds=row["first", "odds"])
        assert solve(first_night.TABLE, rules, variant.phase) == pytest.approx(1145 / 2525)
        assert row["first", "citizen"] == first_night.by_first_victim(rules, variant.phase).at["citizen", "win"]
        assert row["later", "p_value"] == row["first", "p_value"]


def test_one_assumption_changed_at_a_time():
    found = sport_rules.sensitivity(ONE)
    usual = sport_rules.USUAL
    assert found.at["as assumed", "random"] == pytest.approx(
        solve(first_night.TABLE, usual.rules(ONE.agreement), "morning")
    )
    assert found.at["the mafia misses in no night", "random"] == pytest.approx(
        solve(first_night.TABLE, usual.rules(1), "morning")
    )
    evening = solve(first_night.TABLE, usual.rules(ONE.agreement), "evening")
    assert found.at["no vote on the first day", "random"] == pytest.approx(evening)
    assert found["random"].nunique() == len(sport_rules.CHANGES)  # no change is without effect
    order = found.sort_values("random")
    assert (found["low"] < found["odds"]).all() and (found["odds"] < found["high"]).all()
    assert order["odds"].iloc[0] > order["odds"].iloc[-1]
