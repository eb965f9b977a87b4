"""Counts, odds of picks, seats, first victims: against scipy, brute force and simulated tables."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from math import comb

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportions_ztest

from chapters import ten_at_the_table as chapter
from chapters import ten_at_the_table_counts as counts
from chapters import ten_at_the_table_rules as ways
from chapters.ten_at_the_table import ROLES, Records
from chapters.ten_at_the_table_counts import Measured
from chapters.ten_at_the_table_rules import VARIANTS
from gamebalance import publish
from gamebalance.mafia import Rules, Setup, phases, solve
from gamebalance.mafia.exact import Position, position_values
from gamebalance.mafia.people import Town

RECORDS = Records(*(publish.observed(f"sport_mafia_{name}") for name in Records._fields))


def test_a_difference_has_the_p_value_of_two_pooled_shares():
    apart = counts.difference((30, 80), (50, 90))
    assert apart.estimate == pytest.approx(30 / 80 - 50 / 90)
    assert apart.p_value == pytest.approx(proportions_ztest([30, 50], [80, 90])[1])
    assert apart.high - apart.low == pytest.approx(2 * stats.norm.ppf(0.975) * apart.error)
    assert apart.error == pytest.approx(np.sqrt(0.375 * 0.625 / 80 + 5 / 9 * 4 / 9 / 90))
    assert counts.difference((0, 5), (0, 7)).p_value == 1


def test_a_trend_is_the_slope_over_single_games_and_its_test_their_correlation():
    places, won, played = np.array([2, 3, 5, 9]), np.array([12, 20, 9, 31]), np.array([30, 41, 22, 50])
    x = np.repeat(places, played)
    y = np.concatenate([np.repeat([1.0, 0.0], (w, n - w)) for w, n in zip(won, played, strict=True)])
    slope, theirs = counts.trend(pd.Series(won, places), pd.Series(played, places)), stats.linregress(x, y)
    assert slope.estimate == pytest.approx(theirs.slope)
    assert slope.p_value == pytest.approx(2 * stats.norm.sf(abs(theirs.rvalue) * np.sqrt(len(x))))


def picks(rows) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["alive", "mafiosi", "named", "hits", "times"])


@pytest.mark.parametrize(("alive", "mafiosi", "hit", "missed"), [(13, 3, 54, 112), (3, 1, 6, 4), (9, 4, 1, 30)])
def test_one_kind_of_vote_has_odds_in_closed_form(alive, mafiosi, hit, missed):
    odds = counts.odds(picks([(alive, mafiosi, 1, 1, hit), (alive, mafiosi, 1, 0, missed)]))
    assert odds.estimate == pytest.approx(hit / missed * (alive - mafiosi) / mafiosi)
    assert odds.error == pytest.approx(odds.estimate * np.sqrt(1 / hit + 1 / missed))
    total, best = hit + missed, stats.binom.logpmf(hit, hit + missed, hit / (hit + missed))
    for end in (odds.low, odds.high):
        chance = end * mafiosi / (end * mafiosi + alive - mafiosi)
        assert 2 * (best - stats.binom.logpmf(hit, total, chance)) == pytest.approx(stats.chi2.ppf(0.95, 1))
    blind = 2 * (best - stats.binom.logpmf(hit, total, mafiosi / alive))
    assert odds.p_value == pytest.approx(stats.chi2.sf(blind, 1))


def test_three_suspects_against_all_sets_counted():
    """Nine others, three of them mafiosi: the mean of C(3, x) C(6, 3 - x) w^x, found on a grid of odds."""
    rows = picks([(9, 3, 3, hits, times) for hits, times in enumerate((361, 907, 471, 39))])
    odds = counts.odds(rows)

    def height(value: float) -> float:
        weights = np.array([comb(3, x) * comb(6, 3 - x) * value**x for x in range(4)])
        return float((rows["times"] * np.log(weights / weights.sum())).sum())

    grid = np.linspace(1.1, 1.4, 3001)
    assert odds.estimate == pytest.approx(grid[np.argmax([height(value) for value in grid])], abs=1e-4)
    least = height(odds.estimate) - stats.chi2.ppf(0.95, 1) / 2
    assert height(odds.low) == pytest.approx(least) == pytest.approx(height(odds.high))
    assert counts.expected_hits(rows, odds.estimate) == pytest.approx(907 + 2 * 471 + 3 * 39)
    assert counts.expected_hits(rows) == pytest.approx(1778)
    frame = chapter.distribution(rows)
    np.testing.assert_allclose(frame["by chance"] / 1778, np.array([20, 45, 18, 1]) / 84)
    weights = np.array([20, 45, 18, 1]) * odds.estimate ** np.arange(4)
    np.testing.assert_allclose(frame["by the odds"], 1778 * weights / weights.sum(), rtol=1e-6)


def test_homogeneity_of_like_tables_is_the_likelihood_ratio_of_a_table():
    cells = [(1, 1, 30), (1, 0, 50), (2, 1, 20), (2, 0, 70), (3, 0, 9)]
    rows = picks([(9, 2, 1, hit, times) for _, hit, times in cells]).assign(day=[day for day, _, _ in cells])
    test = counts.same_odds(rows, "day")
    theirs = stats.chi2_contingency([[30, 20, 0], [50, 70, 9]], lambda_="log-likelihood", correction=False)
    assert test == pytest.approx((theirs.statistic, 2, theirs.pvalue), abs=1e-5)


ONE_VOTE = (Setup(1, 2), Rules(), "morning")  # the only vote hits the mafioso with chance w / (w + 2)


@pytest.mark.parametrize("odds", [0.05, 0.5, 1.0, 7.5, 90.0])
def test_one_vote_has_the_odds_of_a_share_in_closed_form(odds):
    chance = odds / (odds + 2)
    found = ways.odds_of_share(Measured(chance, 0.01, 0.5 * chance, (1 + chance) / 2), *ONE_VOTE)
    assert found.estimate == pytest.approx(odds, rel=1e-5) and ways.odds_at(chance, *ONE_VOTE) == pytest.approx(odds)
    assert found.error == pytest.approx(0.01 * (odds + 2) ** 2 / 2, rel=1e-4)
    low, high = (2 * end / (1 - end) for end in (0.5 * chance, (1 + chance) / 2))
    assert found.low == pytest.approx(low if low > ways.LEAST_ODDS else 0, rel=1e-5)
    assert found.high == (pytest.approx(high, rel=1e-5) if high < ways.MOST_ODDS else np.inf)


@pytest.mark.parametrize("ties", ["lot", "again, then nobody", "again, then all"])
@pytest.mark.parametrize("tells", ["never", "at a find", "every morning"])
def test_better_votes_win_more_often(ties, tells):
    """Without this an observed share would not belong to one value of the odds."""
    rules = Rules("always", ties=ties, tells=tells, agreement=0.5)
    odds, grown = [0.01, 0.5, 0.9, 1.1, 5, 100], 0
    for mafiosi, dons, citizens, phase in product((1, 2), (0, 1), (2, 4), ("evening", "morning")):
        setup = Setup(mafiosi, citizens, dons=dons, sheriffs=1)
        steps = np.diff([solve(setup, replace(rules, odds=value), phase) for value in odds])
        assert (steps > 0).all() or not steps.any()  # nothing depends on votes where the first shot ends the game
        grown += bool(steps.any())
    assert grown >= 10


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
        for dawn, part in phases.night(evening, rules).items():
            gone = [role for role in ("sheriff", "innocent") if dawn.count(role) < evening.count(role)]
            name = {"innocent": "citizen", "sheriff": "sheriff", None: "nobody"}[gone[0] if gone else None]
            weight, won = sums.get(name, (0, 0))
            sums[name] = weight + chance * part, won + chance * part * known[Position(dawn, "morning", 1)]
    frame = ways.by_first_victim(rules, phase, SMALL)
    assert set(frame.index) == set(sums)
    for name, (weight, won) in sums.items():
        assert tuple(frame.loc[name]) == pytest.approx((float(weight), float(won / weight)), abs=1e-9)


@pytest.mark.parametrize("odds", [0.5, 1.0, 3.0])
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
    assert chapter.named_after_a_check(Measured(odds, 0.1, odds, odds)).estimate == pytest.approx(total, abs=1e-5)


def dealt(seed: int, tables: dict[str, int]) -> pd.DataFrame:
    """Counts of so many tables by winner, with all orders of the roles alike."""
    random, cards = np.random.default_rng(seed), np.repeat(list(ROLES), list(ROLES.values()))
    frames = []
    for side, count in tables.items():
        roles = random.permuted(np.tile(cards, (count, 1)), axis=1)
        frames.append(pd.DataFrame({"seat": np.tile(np.arange(1, 11), count), "role": roles.ravel(), "winner": side}))
    return pd.concat(frames).value_counts().rename("games").reset_index()


def test_over_random_deals_the_statistics_have_the_mean_of_chi_square():
    """At four standard errors of 60 simulated sets; so the usual chi-square of the town's wins is a third of it."""
    sets = [dealt(seed, {"town": 45, "mafia": 55}) for seed in range(60)]
    for test in (chapter.dealt_evenly, chapter.equal_by_seat):
        statistics = pd.concat([test(each)["statistic"] for each in sets], axis=1)
        error = statistics.std(axis=1) / np.sqrt(len(sets))
        assert (abs(statistics.mean(axis=1) - [9, 9, 9, 27]) < 4 * error).all()
        assert (error < [0.8, 0.8, 0.8, 1.3]).all()
    usual = [chapter.as_if_independent(each).statistic for each in sets]
    assert abs(np.mean(usual) - 3) < 4 * np.std(usual) / np.sqrt(len(sets)) + 0.03
