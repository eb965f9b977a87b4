"""Votes and nights of the forum beside chance; games round by round beside the solvers, and rounds of their own."""

from fractions import Fraction

import pytest

from chapters import fifteen_in_the_forum as forum
from chapters.fifteen_in_the_forum import Round, course
from chapters.ten_at_the_table_counts import Measured
from gamebalance.mafia import Rules, Setup, solve

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
