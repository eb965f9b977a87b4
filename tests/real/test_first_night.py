"""Sport Mafia up to the first dawn: against positions valued in fractions, by hand, and the records."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from chapters.real import first_night, two_sets, victims
from chapters.real.counts import Measured
from chapters.real.sport_rules import USUAL, VARIANTS
from gamebalance.mafia import Rules, Setup, phases, solve
from gamebalance.mafia.exact import Position, position_values
from gamebalance.mafia.people import Town
from tests.real import recorded
from tests.refusals import refuses

SMALL = Setup(1, 3, dons=1, sheriffs=1)
RULES = [
    variant.rules(agreement, odds=Fraction(3, 2))
    for variant in VARIANTS
    if variant.first_day == "vote"
    for agreement in (Fraction(4, 5), 1)
]


@pytest.mark.parametrize("phase", ["morning", "evening"])
@pytest.mark.parametrize("rules", RULES, ids=map(str, range(len(RULES))))
def test_positions_after_the_first_night_have_their_exact_values(rules, phase):
    """The same from `mafia.exact`, which shares no code with the compiled solver."""
    known, town, sums = position_values(SMALL, rules, phase), Town.of(SMALL, rules), {}
    for evening, chance in (phases.day(town, rules) if phase == "morning" else {town: 1}).items():
        if phases.winner(evening, "evening", rules):
            continue
        for dawn, share in phases.night(evening, rules).items():
            gone = [role for role in ("sheriff", "innocent") if dawn.count(role) < evening.count(role)]
            name = {"innocent": "citizen", "sheriff": "sheriff", None: "nobody"}[gone[0] if gone else None]
            weight, won = sums.get(name, (0, 0))
            sums[name] = weight + chance * share, won + chance * share * known[Position(dawn, "morning", 1)]
    found = first_night.by_first_victim(rules, phase, SMALL)
    assert set(found.index) == set(sums)
    for name, (weight, won) in sums.items():
        assert tuple(found.loc[name]) == pytest.approx((float(weight), float(won / weight)), abs=1e-9)


def test_everybody_of_the_town_is_the_first_victim_equally_often():
    found = first_night.by_first_victim(USUAL.rules(0.8, odds=1.5))
    shot = found.loc[["sheriff", "citizen"], "chance"]
    assert shot["sheriff"] / shot.sum() == pytest.approx(1 / 7)
    assert found.at["nobody", "chance"] == pytest.approx(0.2, abs=1e-3)  # few games end before the first night


def test_games_that_end_before_the_first_night_make_up_the_rest():
    rules = USUAL.rules(0.8, odds=1.5, ties="again, then all")
    found, over, share = first_night.by_first_victim(rules, setup=SMALL), 0, solve(SMALL, rules, "morning")
    for evening, chance in phases.day(Town.of(SMALL, rules), rules).items():
        over += float(chance) * (phases.winner(evening, "evening", rules) is not None)
        share -= float(chance) * (phases.winner(evening, "evening", rules) == "innocents")
    assert over > 0.001 and found["chance"].sum() == pytest.approx(1 - over)
    assert (found["chance"] * found["win"]).sum() == pytest.approx(share)


def test_a_silent_sheriff_is_shot_like_a_citizen():
    found = first_night.by_first_victim(Rules("always", odds=2), "evening")["win"]
    assert found["sheriff"] == found["citizen"] == pytest.approx(solve(Setup(3, 6), Rules("always", odds=2), "morning"))


def test_the_odds_are_set_by_the_share_and_the_fit_is_pearsons():
    first = victims.town_by_victim(recorded.first_killed(), recorded.seasons())
    rules = USUAL.rules(0.86)
    odds, predicted, fit = first_night.explained(0.45, first, rules)
    assert solve(first_night.TABLE, USUAL.rules(0.86, odds=odds), "morning") == pytest.approx(0.45)
    won, games = (first.loc[predicted.index, name].to_numpy() for name in ("won", "games"))
    expected = games * predicted["win"].to_numpy()
    theirs = stats.chisquare(np.r_[won, games - won], np.r_[expected, games - expected], ddof=3, sum_check=False)
    assert fit == pytest.approx((theirs.statistic, 2, theirs.pvalue), abs=1e-6)


@pytest.mark.parametrize("odds", [0.5, 1.0, 1.24, 3.0])
def test_a_sheriff_names_what_he_knows(odds):
    """All checks, and all sets of three that can be named after them, weighted by the odds."""
    total = 0.0
    for checked in range(9):  # 0, 1, 2 are mafiosi
        known = {checked} if checked < 3 else set()
        others = [person for person in range(9) if person != checked]
        sets = [{*known, *more} for more in combinations(others, 3 - len(known))]
        weights = np.array([odds ** len(names & {0, 1, 2} - known) for names in sets])
        hits = np.array([len(names & {0, 1, 2}) for names in sets])
        total += (weights * hits).sum() / weights.sum() / 9
    found = first_night.named_after_a_check(Measured(odds, 0.1, odds, odds))
    assert found.estimate == pytest.approx(total, abs=1e-5) and found.low == found.high == found.estimate


def test_agreement_is_the_share_of_tables_with_a_first_victim():
    records = two_sets.Records(recorded.seasons(), recorded.seats(), recorded.first_killed(), recorded.named(), None)
    assert records.tables == 2525 and records.agreement == pytest.approx(1 - 346 / 2525)


test_refused = refuses(
    (lambda: first_night.by_first_victim(Rules(kills=2)), r"kills = \(2,\): one shot a night, and no other roles"),
    (lambda: first_night.by_first_victim(Rules(), setup=Setup(2, 5, doctors=1)), "1 doctor, kills = .1,.: one shot"),
    (lambda: first_night.by_first_victim(Rules(votes="odd days")), "rules.votes = 'odd days'"),
    (lambda: first_night.by_first_victim(Rules(), "noon"), "phase = 'noon'"),
)
