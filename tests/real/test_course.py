"""Games round by round: the same chances as the solvers, and rounds of their own."""

from fractions import Fraction

import pytest

from chapters.real.course import Round, course
from gamebalance.mafia import Rules, Setup, solve
from tests.refusals import refuses

FORUM = {"kills": (1, 1, 2)}
CASES = [
    (Setup(1, 6), {}),
    (Setup(2, 6), {"odds": 3}),
    (Setup(3, 6, doctors=1, vigilantes=1), FORUM | {"odds": Fraction(5, 2), "shot": Fraction(1, 4)}),
    (Setup(2, 5, sheriffs=1), FORUM | {"tells": "at a find", "ties": "nobody"}),
    (Setup(2, 4, witches=1, hunters=1, detectives=1), {"potion": 1}),
    (Setup(1, 5, dons=1, sheriffs=1), {"tells": "at death", "ties": "again, then all", "odds": 2}),
]


@pytest.mark.parametrize("half_rule", ["always", "morning", "never"])
@pytest.mark.parametrize(("setup", "changes"), CASES, ids=lambda case: str(case)[:30])
def test_the_same_rules_in_all_rounds_are_those_of_the_solver(setup, changes, half_rule):
    rules = Rules(half_rule, **changes)
    found = course(setup, [Round(rules, rules)])
    assert found["town"].sum() == pytest.approx(solve(setup, rules), abs=1e-8)
    assert found["town"].sum() + found["mafia"].sum() == pytest.approx(1, abs=1e-8)
    assert (found["hit"] <= found["out"] + 1e-9).all() and (found["out"] <= found["reached"] + 1e-9).all()


def test_rounds_have_rules_of_their_own():
    """One mafioso: a vote among four hits him with 1/2 at odds 3, a second one among three with 2/3 at odds 4."""
    blind, sharp, sharper = (Rules("always", odds=odds) for odds in (1, 3, 4))
    found = course(Setup(1, 4), [Round(blind, sharp), Round(blind, sharper)])
    assert found["hit"].tolist() == [0.5, 0] and found["blind"].tolist() == [0.25, 0]  # then one against one
    found = course(Setup(1, 5), [Round(blind, sharp), Round(blind, sharper)])
    assert found["hit"].tolist() == pytest.approx([3 / 7, 4 / 7 * 4 / 6])
    assert found["reached"].tolist() == pytest.approx([1, 4 / 7])
    assert found["mafia"].sum() == pytest.approx(4 / 7 * 2 / 6)


def test_no_shot_in_the_first_night_of_a_vigilante_who_shoots_later():
    waits, shoots = Rules("always", shot=0), Rules("always", shot=1, odds=10**6)
    never = course(Setup(1, 4, vigilantes=1), [Round(waits, waits)])["town"].sum()
    assert never == pytest.approx(solve(Setup(1, 5), Rules("always")))
    later = course(Setup(1, 4, vigilantes=1), [Round(waits, waits), Round(shoots, waits)])
    # After a first vote among five, four are left, or he is dead with 1/5, 1/5 and 1/5 (night, vote, the mafioso is).
    assert later.loc[1].tolist() == pytest.approx(course(Setup(1, 5), [Round(waits, waits)]).loc[1].tolist())
    lives = 4 / 5 * 3 / 5  # not the victim of the night, and neither he nor the mafioso voted out
    assert later.at[2, "town"] >= lives * (1 - 1e-5) and later["town"].sum() > never


def test_nobody_is_voted_out_as_often_as_is_said():
    """One mafioso among four in the morning: who skips that vote has another night, and a vote among three."""
    rules = Rules("always")
    chances = [course(Setup(1, 4), [Round(rules, rules)], {4: share})["town"].sum() for share in (0, 0.5, 1)]
    assert chances == pytest.approx([1 / 4, (1 / 4 + 1 / 3) / 2, 1 / 3])
    found = course(Setup(1, 4), [Round(rules, rules)], {4: 0.25})
    assert found["reached"].tolist() == pytest.approx([1, 0.25])
    assert found["out"].tolist() == pytest.approx([0.75, 0.25])


ROUND = Round(Rules(), Rules())
test_refused = refuses(
    (lambda: course(Setup(1, 4), []), r"rounds = \[\]: one Round or more is needed"),
    (lambda: course((1, 4), [ROUND]), "setup = .*: a Setup is needed"),
    (lambda: course(Setup(1, 4), [Round(Rules(), None)]), "rules = None: a Rules object is needed"),
    (lambda: course(Setup(1, 4), [ROUND], {4: 1.5}), r"nobody\[4\] = 1.5"),
)
