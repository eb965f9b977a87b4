"""Counts, odds of picks, seats, first victims, strengths: against scipy, brute force and simulated tables."""

import math
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from math import comb

import numpy as np
import pandas as pd
import pytest
from scipy import integrate, stats
from statsmodels.stats.proportion import proportions_ztest

from chapters import ten_at_the_table as chapter
from chapters import ten_at_the_table_counts as counts
from chapters import ten_at_the_table_persons as persons
from chapters import ten_at_the_table_rules as ways
from chapters.ten_at_the_table import ROLES, Records
from chapters.ten_at_the_table_counts import SIDES, Measured
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


# ---- Strengths of persons


#: How often people play: a few most of the time, many now and then.
OFTEN = np.round(700 * np.arange(1, 71) ** -0.9)


def league(seed: int, spread: float = 0.05, tables: int = 900) -> pd.DataFrame:
    """Games and wins by side of people with random strengths, ten at each table, who sit by how often they play."""
    random, people = np.random.default_rng(seed), len(OFTEN)
    strength = spread * random.normal(size=people)
    chairs = np.log(OFTEN) + random.gumbel(size=(tables, people))  # the ten largest: drawn by weight, without return
    seated = random.permuted(np.argpartition(chairs, -10)[:, -10:], axis=1)
    town, mafia = seated[:, :7], seated[:, 7:]
    is_won = random.random(tables) < 0.45 + strength[town].sum(axis=1) - strength[mafia].sum(axis=1)
    counts = {"games_town": town, "won_town": town[is_won], "games_mafia": mafia, "won_mafia": mafia[~is_won]}
    return pd.DataFrame({name: np.bincount(each.ravel(), minlength=people) for name, each in counts.items()})


@pytest.fixture(scope="module")
def played():
    return league(5)


def test_the_likelihood_is_the_integral_over_strengths(played):
    record, chances, spread = persons.records_of(played.iloc[[0, 20, 60]], SIDES), np.array([0.44, 0.55]), 0.07
    height, by_chance, by_spread = persons.likelihood(record, chances, spread)

    def of_one(won, games) -> float:
        def integrand(z: float) -> float:
            chance = chances + spread * z
            return np.prod(chance**won * (1 - chance) ** (games - won)) * stats.norm.pdf(z) * 2.0 ** games.sum()

        integral = integrate.quad(integrand, -5, 5, epsabs=1e-14, epsrel=1e-11, limit=200)[0]
        return np.log(integral) - games.sum() * np.log(2)

    assert height == pytest.approx(sum(of_one(*row) for row in zip(*record, strict=True)), abs=2e-5)
    step = 1e-5
    for side, gradient in enumerate(by_chance):
        ends = [persons.likelihood(record, chances + sign * step * np.eye(2)[side], spread)[0] for sign in (1, -1)]
        assert gradient == pytest.approx((ends[0] - ends[1]) / (2 * step), rel=1e-5)
    ends = [persons.likelihood(record, chances, spread + sign * step)[0] for sign in (1, -1)]
    assert by_spread == pytest.approx((ends[0] - ends[1]) / (2 * step), rel=1e-5)


@pytest.mark.thorough
def test_simulated_leagues_give_their_spread_back():
    """Of 30 intervals at 95%, 24 or more hold the spread; of 30 even leagues 6 or fewer differ (else: chance .0007)."""
    spreads = [persons.strengths(league(seed))[1] for seed in range(30)]
    assert sum(each.low <= 0.05 <= each.high for each in spreads) >= 24
    estimates = np.array([each.estimate for each in spreads])
    assert abs(estimates.mean() - 0.05) < 4 * estimates.std() / np.sqrt(30) + 0.004
    assert sum(persons.strengths(league(seed, 0.0))[1].p_value < 0.05 for seed in range(30)) <= 6


@pytest.mark.parametrize(("chance", "spread", "people"), [(0.45, 0.04, 1), (0.45, 0.04, 4), (0.6, 0.05, 2)])
def test_bits_are_the_fall_of_uncertainty(chance, spread, people):
    def entropy(p: float) -> float:
        return -p * math.log2(p) - (1 - p) * math.log2(1 - p)

    wide = spread * np.sqrt(people)
    left = integrate.quad(lambda z: entropy(chance + wide * z) * stats.norm.pdf(z), -4.5, 4.5, epsabs=1e-12)[0]
    assert persons.bits(chance, spread, people) == pytest.approx(entropy(chance) - left, rel=2e-3, abs=1e-5)
    assert persons.bits(chance, 0.0) == 0


def test_games_to_tell_the_better_of_two():
    """Of 40,000 simulated pairs the better has won more, draws counted half, as often as asked: 4 standard errors."""
    random, spread, pairs = np.random.default_rng(11), 0.06, 40_000
    games = persons.games_to_tell(0.48, spread)
    strength = random.normal(0.48, spread, (2, pairs))
    won = random.binomial(games, np.clip(strength, 0, 1))
    right = np.sign(won[0] - won[1]) * np.sign(strength[0] - strength[1])
    assert abs(((1 + right) / 2).mean() - 0.8) < 4 * np.sqrt(0.16 / pairs) + 0.002
    assert persons.games_to_tell(0.48, spread, 0.5) == 1
