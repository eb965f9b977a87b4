"""Votes and nights of the forum beside chance; games round by round beside the solvers, and rounds of their own."""

from fractions import Fraction

import pandas as pd
import pytest
from scipy import stats

from chapters import fifteen_in_the_forum as forum
from chapters import ten_at_the_table_counts as counts
from chapters.fifteen_in_the_forum import Round, course
from chapters.ten_at_the_table_counts import Measured
from gamebalance.mafia import Rules, Setup, solve

#: Two days; on the second, a record that does not replay.
VOTES = pd.DataFrame(
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
NIGHTS = pd.DataFrame(
    [
        (1, 15, 3, 2, 2, 1, 0, "nobody", 6),
        (1, 15, 3, 2, 2, 1, 1, "nobody", 3),
        (1, 15, 3, 2, 1, 1, 0, "nobody", 5),  # both shots at one person
        (2, 12, 2, 1, 1, 1, 1, "mafioso", 2),
        (2, 11, 3, 2, 2, 0, 0, "townsman", 1),
        (2, 11, 3, 2, 2, 1, 0, "nobody", 9),
        (3, 8, 2, 1, 1, 1, 0, "unable", 7),
    ],
    columns="night alive mafiosi_alive shots targets medic_alive saved vigilante games".split(),
)
CHECKS = pd.DataFrame(
    [(1, 15, 3, 0, 10), (1, 15, 3, 1, 4), (2, 11, 2, 1, 3), (3, 6, 1, 0, 5)],
    columns=["night", "alive", "mafiosi_alive", "mafioso_found", "checks"],
)
VICTIMS = pd.DataFrame(
    [("cop", 0, 3), ("medic", 0, 2), ("no role", 0, 10), ("no role", 1, 5)], columns=["role", "saved", "victims"]
)


def test_hits_are_of_votes_that_put_somebody_out_while_a_mafioso_lived():
    row, days = forum.hits(VOTES).loc["all"], forum.hits(VOTES, "day")
    assert (row["votes"], row["hits"]) == (86, 30) and row["share"] == pytest.approx(30 / 86)
    assert row["chance"] == pytest.approx((60 * 3 / 13 + 8 * 2 / 12 + 18 * 2 / 9) / 86)
    assert days["votes"].tolist() == [68, 18] and days.index.tolist() == [1, 2]
    assert days.at[2, "odds"] == pytest.approx(10 / 8 * 7 / 2)


def test_a_group_without_a_hit_has_no_odds_but_counts_in_their_comparison():
    groups = forum.hits(VOTES, "alive")
    assert pd.isna(groups.at[12, "odds"]) and groups.at[12, "share"] == 0
    deviance, whole = 0.0, forum.hits(VOTES).at["all", "odds"]
    for mafiosi, alive, hit, count in [(3, 13, 20, 60), (2, 12, 0, 8), (2, 9, 10, 18)]:
        chance = whole * mafiosi / (whole * mafiosi + alive - mafiosi)
        deviance += 2 * (stats.binom.logpmf(hit, count, hit / count) - stats.binom.logpmf(hit, count, chance))
    assert counts.same_odds(forum.picks(VOTES), "alive")[:2] == pytest.approx((deviance, 2), abs=1e-6)


def test_nobody_out_and_even_against_odd():
    groups = forum.nobody_out(VOTES)
    assert groups["votes"].tolist() == [18, 15, 75] and groups["nobody"].tolist() == [0, 7, 15]
    assert groups.at[9, "high"] == pytest.approx(1 - 0.025 ** (1 / 18))
    parity = forum.even_against_odd(VOTES)
    assert (parity["even"], parity["odd"]) == pytest.approx((7 / 15, 15 / 93))
    assert parity["estimate"] == pytest.approx(7 / 15 - 15 / 93)


def test_nights_beside_chance():
    nights = forum.against_chance(NIGHTS, CHECKS, VICTIMS)
    assert nights["seen"].tolist() == [4, 3, 2, 3, 5] and nights["of"].tolist() == [14, 8, 3, 9, 20]
    chances = [3 / 14, (3 * 2 / 10 + 5 / 5) / 8, (2 * 2 / 11 + 3 / 10) / 3, 2 / 15, 3 / 12]
    assert nights["chance"].tolist() == pytest.approx(chances)
    assert nights.iloc[0]["p_value"] == pytest.approx(stats.binomtest(4, 14, 3 / 14).pvalue)


FORUM = {"kills": (1, 1, 2)}
CASES = [
    (Setup(2, 6), {"odds": 3}),
    (Setup(3, 6, doctors=1, vigilantes=1), FORUM | {"odds": Fraction(5, 2), "shot": Fraction(1, 4)}),
    (Setup(2, 5, sheriffs=1), FORUM | {"tells": "at a find", "ties": "nobody"}),
    (Setup(2, 4, witches=1, hunters=1, detectives=1), {"potion": 1}),
    (Setup(1, 4, dons=1, sheriffs=1), {"tells": "at death", "ties": "again, then all", "odds": 2}),
]


@pytest.mark.parametrize("half_rule", ["always", "never"])
@pytest.mark.parametrize(("setup", "changes"), CASES, ids=lambda case: str(case)[:30])
def test_the_same_rules_in_all_rounds_are_those_of_the_solver(setup, changes, half_rule):
    rules = Rules(half_rule, **changes)
    days = course(setup, [Round(rules, rules)])
    assert days["town"].sum() == pytest.approx(solve(setup, rules), abs=1e-8)
    assert days["town"].sum() + days["mafia"].sum() == pytest.approx(1, abs=1e-8)
    assert (days["hit"] <= days["out"] + 1e-9).all() and (days["out"] <= days["reached"] + 1e-9).all()


def test_rounds_have_rules_of_their_own():
    """One mafioso: a vote among four hits him with 1/2 at odds 3, a second one among three with 2/3 at odds 4."""
    blind, sharp, sharper = (Rules("always", odds=odds) for odds in (1, 3, 4))
    days = course(Setup(1, 4), [Round(blind, sharp), Round(blind, sharper)])
    assert days["hit"].tolist() == [0.5, 0] and days["blind"].tolist() == [0.25, 0]  # then one against one
    days = course(Setup(1, 5), [Round(blind, sharp), Round(blind, sharper)])
    assert days["hit"].tolist() == pytest.approx([3 / 7, 4 / 7 * 4 / 6])
    assert days["reached"].tolist() == pytest.approx([1, 4 / 7])
    assert days["mafia"].sum() == pytest.approx(4 / 7 * 2 / 6)


def test_nobody_is_voted_out_as_often_as_is_given():
    """One mafioso among four in the morning: who skips that vote has another night, and a vote among three."""
    rounds = [Round(Rules("always"), Rules("always"))]
    chances = [course(Setup(1, 4), rounds, {4: share})["town"].sum() for share in (0, 0.5, 1)]
    assert chances == pytest.approx([1 / 4, (1 / 4 + 1 / 3) / 2, 1 / 3])
    assert course(Setup(1, 4), rounds, {4: 0.25})["out"].tolist() == pytest.approx([0.75, 0.25])


SURE = Measured(3.0, 0.0, 3.0, 3.0)
FIRST, LATER = Measured(1.0, 0.2, 0.6, 1.5), Measured(3.0, 0.3, 2.5, 3.7)


def test_one_vote_depends_on_the_odds_of_the_first_day_alone():
    """Four in the morning, and one against one after a miss."""
    wins = forum.predicted(Setup(1, 4), FIRST, LATER)
    assert wins.estimate == pytest.approx(1 / 4) and wins.error == pytest.approx(0.2 * 3 / 16, rel=1e-4)
    assert (wins.low, wins.high) == pytest.approx((0.6 / 3.6, 1.5 / 4.5), abs=1e-6)


def test_errors_of_both_odds_are_added_in_squares():
    both = forum.predicted(Setup(1, 5), FIRST, LATER)
    exact = Measured(1.0, 0.0, 1.0, 1.0)
    parts = forum.predicted(Setup(1, 5), FIRST, SURE), forum.predicted(Setup(1, 5), exact, LATER)
    assert both.estimate == parts[0].estimate == parts[1].estimate == pytest.approx(1 / 5 + 4 / 5 * 3 / 5)
    assert both.error**2 == pytest.approx(parts[0].error ** 2 + parts[1].error ** 2, rel=1e-4)
    for end in ("low", "high"):
        squares = sum((getattr(part, end) - part.estimate) ** 2 for part in parts)
        assert (getattr(both, end) - both.estimate) ** 2 == pytest.approx(squares, rel=1e-4)


def test_the_forum_at_one_number_is_the_solver():
    small = Setup(3, 5, doctors=1, vigilantes=1)
    wins = forum.predicted(small, SURE, SURE, shoots=(0.5,), aims=3.0)
    assert wins.estimate == pytest.approx(solve(small, Rules("always", odds=3, **FORUM)), abs=1e-6) and wins.error == 0


def test_what_is_given_for_nights_holds_on():
    rounds = forum.rounds(1, 3, shoots=(0, 0.25, 0.75), aims=1.5, victims=((1, 1, 2), (1, 1, 2), (1,)))
    assert [float(each.night.shot) for each in rounds] == [0, 0.25, 0.75]
    assert [each.night.kills for each in rounds] == [(1, 1, 2), (1, 1, 2), (1,)]
    assert [float(each.day.odds) for each in rounds] == [1, 3, 3]
