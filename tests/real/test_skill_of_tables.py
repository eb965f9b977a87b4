"""Odds of shares and shares of odds: closed forms of small towns, there and back, and the coverage of intervals."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from scipy import stats

from chapters.real import skill
from chapters.real.counts import Measured, share
from gamebalance.mafia import Rules, Setup, solve
from tests.refusals import refuses

ONE_VOTE = (Setup(1, 2), Rules(), "morning")  # the only vote hits the mafioso with chance w / (w + 2)


@pytest.mark.parametrize("odds", [0.05, 0.5, 1.0, 2.0, 7.5, 90.0])
def test_one_vote_has_odds_in_closed_form(odds):
    chance = odds / (odds + 2)
    found = skill.odds_of_share(Measured(chance, 0.01, 0.5 * chance, (1 + chance) / 2), *ONE_VOTE)
    assert found.estimate == pytest.approx(odds, rel=1e-5) and skill.odds_at(chance, *ONE_VOTE) == pytest.approx(odds)
    assert found.error == pytest.approx(0.01 * (odds + 2) ** 2 / 2, rel=1e-4)
    low, high = (2 * end / (1 - end) for end in (0.5 * chance, (1 + chance) / 2))
    assert found.low == pytest.approx(low if low > skill.LEAST_ODDS else 0, rel=1e-5)
    assert found.high == (pytest.approx(high, rel=1e-5) if high < skill.MOST_ODDS else np.inf)


def test_ends_that_no_odds_reach():
    found = skill.odds_of_share(share(1, 2), *ONE_VOTE)  # one of two: 0.0126 to 0.9874
    assert found.low == pytest.approx(2 * 0.012579 / 0.987421, abs=1e-5) and found.high == np.inf
    sure = skill.odds_of_share(Measured(0.5, 0.1, 0.0, 1.0), *ONE_VOTE)
    assert (sure.low, sure.high) == (0.0, np.inf)


RULES = [
    (Rules("always", ties=ties, tells=tells, dead_roles=roles, agreement=agreement), phase)
    for ties, (tells, roles), agreement, phase in product(
        ("lot", "again, then nobody", "again, then all"),
        (("never", "shown"), ("at a find", "hidden"), ("every morning", "shown")),
        (0.5, 1),
        ("evening", "morning"),
    )
]


@pytest.mark.parametrize(("rules", "phase"), RULES, ids=map(str, range(len(RULES))))
def test_better_votes_win_more_often(rules, phase):
    """Without this an observed share would not belong to one value of the odds."""
    odds, grown = [0.01, 0.1, 0.5, 0.9, 1, 1.1, 2, 5, 20, 100], 0
    for mafiosi, dons, citizens in product((1, 2), (0, 1), (2, 3, 4)):
        setup = Setup(mafiosi, citizens, dons=dons, sheriffs=1)
        steps = np.diff([solve(setup, replace(rules, odds=value), phase) for value in odds])
        assert (steps > 0).all() or not steps.any()  # nothing depends on votes where the first shot ends the game
        grown += bool(steps.any())
    assert grown >= 8


TABLE = Setup.read("10: don, 2 mafiosi, sheriff, 6 citizens")


@pytest.mark.parametrize(("rules", "phase"), RULES[::5], ids=map(str, range(len(RULES[::5]))))
def test_there_and_back(rules, phase):
    """The odds of a share give that share again, and so do the ends of the interval; the error is carried there."""
    seen = share(114, 252)
    odds = skill.odds_of_share(seen, TABLE, rules, phase)
    again = skill.share_of_odds(odds, TABLE, rules, phase)
    assert again[:4] == pytest.approx(seen[:4], rel=2e-5)
    assert odds.low < odds.estimate < odds.high


def test_the_odds_of_the_rules_are_not_used():
    given = share(40, 100), TABLE
    assert (
        skill.odds_of_share(*given, Rules(odds=5), "morning")[:4] == skill.odds_of_share(*given, Rules(), "morning")[:4]
    )


@pytest.mark.parametrize("odds", [0.4, 1.0, 3.0])
def test_intervals_cover_the_true_odds(odds):
    """All results of forty games: Clopper and Pearson's interval, carried, covers at least as often as it says."""
    chance, won = solve(ONE_VOTE[0], Rules(odds=odds), "morning"), np.arange(1, 40)
    found = [skill.odds_of_share(share(count, 40), *ONE_VOTE) for count in won]
    covered = [each.low <= odds <= each.high for each in found]
    assert stats.binom.pmf(won[covered], 40, chance).sum() >= 0.95


def test_a_falling_function_is_carried_too():
    found = skill.carried(lambda odds: 2 / (odds + 2), Measured(2.0, 0.4, 1.0, 4.0))
    assert found[:4] == pytest.approx((0.5, 0.05, 1 / 3, 2 / 3), abs=1e-6)


test_refused = refuses(
    (lambda: skill.odds_of_share(share(0, 10), *ONE_VOTE), r"^share = 0: between 0.00497512 and 0.980392 is what odds"),
    (lambda: skill.odds_at(0.99, *ONE_VOTE), "^share = 0.99: between 0.00497512 and 0.980392 is what odds can give"),
    (lambda: skill.odds_at(0.5, "a table"), "^setup = 'a table'"),
)
