"""What a town wins at random: every chance at random that a chapter shows of its table is within one span."""

from dataclasses import replace

import pytest

from chapters.mafia import played
from chapters.real import all_tables, at_random, forecast, sport_rules
from chapters.real.first_night import TABLE
from gamebalance import publish
from gamebalance.mafia import Rules, Setup, simulate, solve


@pytest.fixture(scope="module")
def agreement():
    names = ("sport_mafia_first_killed", "sport_mafia_seasons")
    return all_tables.agreement({name: publish.observed(name) for name in names})


def test_the_club(agreement):
    ways = at_random.club(agreement)
    assert len(ways) == 2 * len(sport_rules.VARIANTS) == len({way.said for way in ways})
    span = at_random.span(ways)
    shown = [solve(TABLE, variant.rules(agreement), variant.phase) for variant in sport_rules.VARIANTS]
    shown += [solve(*played.TABLES["sport"])]  # chapters 3.5 and 7.3: one leaves by lot after a tie
    assert all(span.low < chance <= span.high + 1e-9 for chance in shown)
    least = sport_rules.Variant("never", "hidden", "vote", "nobody").rules(1)
    most = sport_rules.Variant("at a find", "shown", "no vote", "all").rules(agreement)
    for rules, phase, said, chance in (
        (least, "morning", span.low_if, span.low),
        (most, "evening", span.high_if, span.high),
    ):
        sample = simulate(TABLE, 200_000, 7, rules, phase)
        assert abs(sample.win_probability - chance) < 4 * sample.win_error
        assert ("tells nobody" in said) == (rules.tells == "never") and ("all who are tied" in said) == (rules == most)
        assert ("never misses" in said) == (rules.agreement == 1) and ("no vote" in said) == (phase == "evening")


def test_the_forum():
    span = at_random.span(at_random.forum())
    citizen = replace(forecast.FORUM_RULES, ties="nobody")
    assert span.low == pytest.approx(solve(forecast.FORUM, citizen))  # a cop whom nobody hears is a citizen
    assert span.high == pytest.approx(solve(*played.TABLES["forum"]))
    assert span.low < solve(forecast.FORUM, forecast.FORUM_RULES) < span.high
    assert span.low_if == "the cop tells nobody and nobody leaves after a tie"
    assert span.high_if == "the cop tells as soon as he has found a mafioso and one leaves by lot after a tie"


def test_a_span_by_hand():
    """One mafioso and two others, day first: a vote by lot hits in one of three; a tie that frees all, less often."""
    ways = [at_random.Way(ties, Setup(1, 2), Rules(ties=ties), "morning") for ties in ("nobody", "lot")]
    span = at_random.span(ways)
    assert (span.low, span.high) == pytest.approx((1 / 4, 1 / 3))  # three of four ballots are decided
    assert span.said == "25.0% (if nobody) to 33.3% (if lot)"
    assert [span.beyond(share) for share in (0.2, 0.3, 1 / 2)] == pytest.approx([-0.05, 0, 1 / 6])
