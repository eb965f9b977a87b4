"""Tests of equal chances against all tables, all deals, scipy and statsmodels."""

from collections import Counter
from fractions import Fraction
from math import comb, prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse, stats

from gamebalance.fairness import equality
from gamebalance.fairness.equality import contest_p_value, counted_apart_p_value, single_winner_p_value
from gamebalance.fairness.games import Contest
from tests.oracles.equal_chances import Deals, compositions, tables
from tests.refusals import refused

SHARES = [
    (Fraction(1, 2), Fraction(1, 2)),
    (Fraction(9, 10), Fraction(1, 10)),
    (Fraction(1), Fraction(0)),
    (Fraction(1, 3),) * 3,
    (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)),
    (Fraction(0), Fraction(1, 4), Fraction(3, 4)),
    (Fraction(1, 4),) * 4,
    (Fraction(4, 10), Fraction(3, 10), Fraction(2, 10), Fraction(1, 10)),
    (Fraction(97, 100), Fraction(1, 100), Fraction(1, 100), Fraction(1, 100)),
]


def excess(wins) -> int:
    """The sum of squares about the whole part of the mean, in words of its own."""
    return (
        sum(count * count for count in wins)
        - 2 * (sum(wins) // len(wins)) * sum(wins)
        + len(wins) * (sum(wins) // len(wins)) ** 2
    )


@pytest.mark.parametrize("shares", [shares for shares in SHARES if len(shares) > 2])
def test_chances_are_those_of_all_tables(shares):
    for games in range(1, 13):
        rows, found = tables(games, shares)
        each: Counter = Counter()
        for row, chance in zip(rows, found, strict=True):
            each[excess(row)] += chance
        top = max(each)
        expected = np.array([float(each[square]) for square in range(top + 3)])
        for most in range(top + 3):
            computed = equality.chances(games, [float(share) for share in shares], most)
            assert computed == pytest.approx(expected[: most + 1], abs=1e-13)
        assert sum(expected) == pytest.approx(1)


@pytest.mark.parametrize(("groups", "most"), [(3, 24), (4, 13), (5, 8), (6, 6)])
def test_the_tail_is_that_of_all_tables_however_small_it_is(groups, most):
    for games in range(1, most + 1):
        rows, chances = tables(games, [Fraction(1, groups)] * groups)
        for least in {excess(row) for row in rows} | {0, excess((games,) + (0,) * (groups - 1)) + 1}:
            expected = float(sum(c for row, c in zip(rows, chances, strict=True) if excess(row) >= least))
            assert equality.tail(games, groups, least) == pytest.approx(expected, rel=1e-12, abs=0), (games, least)


def test_what_does_not_fit_the_memory_is_refused():
    with refused("the exact spread of 10,000,000 wins among 3", "of memory are needed"):
        equality.chances(10**7, [0.3, 0.3, 0.4], 10**8)
    with refused("the exact spread of 1,000,000 wins among 10", "are needed"):
        equality.chances(10**6, [0.1] * 10, 10**6)


HALF, ONE, NONE = Fraction(1, 2), Fraction(1), Fraction(0)


def contest(games, labels) -> Contest:
    """A contest from lists of contestants."""
    members = [[one.get(label, 0) for label in labels] for game in games for one, _ in game]
    result = np.array([won for game in games for _, won in game], float)
    number = np.repeat(np.arange(len(games)), [len(game) for game in games])
    return Contest(labels, sparse.csr_array(np.array(members, float)), result, number)


#: Contests small enough to list all deals of.
CONTESTS = {
    "of three and of two": [
        [({"a": 1}, ONE), ({"b": 1}, NONE), ({"c": 1}, NONE)],
        [({"a": 1}, ONE), ({"c": 1}, NONE)],
        [({"b": 1}, ONE), ({"c": 1}, NONE)],
        [({"a": 1}, ONE), ({"b": 1}, NONE)],
    ],
    "sides with more or fewer players": [
        [({"wolf": 2}, ONE), ({"sheep": 4, "dog": 1}, NONE)],
        [({"wolf": 3}, ONE), ({"sheep": 5}, NONE), ({"cat": 1}, NONE)],
        [({"wolf": 2}, NONE), ({"sheep": 4, "dog": 1}, ONE)],
        [({"wolf": 2}, ONE), ({"sheep": 4}, NONE), ({"cat": 1}, NONE)],
    ],
    "several winners": [
        [({"a": 1}, ONE), ({"b": 1}, ONE), ({"c": 1}, NONE), ({"d": 1}, NONE)],
        [({"a": 1}, ONE), ({"b": 1}, NONE), ({"c": 1}, ONE), ({"d": 1}, NONE)],
        [({"a": 1}, ONE), ({"d": 1}, ONE), ({"b": 1}, ONE), ({"c": 1}, NONE)],
    ],
    "shares and draws": [
        [({"a": 1}, HALF), ({"b": 1}, HALF), ({"c": 1}, NONE)],
        [({"a": 1}, NONE), ({"b": 1}, NONE), ({"c": 1}, NONE)],
        [({"a": 1}, Fraction(3, 4)), ({"b": 1}, Fraction(1, 4))],
        [({"a": 1}, ONE), ({"c": 1}, NONE)],
        [({"a": 1}, HALF), ({"b": 1}, HALF)],
    ],
    "a role on both sides": [
        [({"captain": 1, "a": 2}, ONE), ({"captain": 1, "a": 1, "b": 1}, NONE)],
        [({"captain": 1, "a": 2}, ONE), ({"captain": 1, "b": 2}, NONE)],
        [({"captain": 1, "a": 1}, ONE), ({"captain": 1, "b": 1}, NONE)],
    ],
    "a role of several who win alone": [
        [({"a": 1}, ONE), ({"a": 1}, NONE), ({"b": 1}, NONE), ({"b": 1}, NONE), ({"b": 1}, NONE)],
        [({"a": 1}, ONE), ({"a": 1}, NONE), ({"a": 1}, NONE), ({"b": 1}, NONE)],
        [({"a": 1}, NONE), ({"b": 1}, ONE), ({"b": 1}, NONE)],
    ],
}


def labels_of(games) -> list[str]:
    return sorted({label for game in games for one, _ in game for label in one})


# Exact tests ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("groups", "most"), [(2, 40), (3, 18), (4, 11), (5, 7)])
def test_the_p_values_of_single_winners_are_exact(groups, most):
    """In fair games a p-value of at most x is as frequent as x says, for each x that occurs: no level is exceeded."""
    for games in range(1, most + 1):
        rows, chances = tables(games, [1 / groups] * groups)
        found = np.array([single_winner_p_value(row)[0] for row in rows])
        order = np.argsort(found, kind="stable")
        total = np.cumsum(np.array(chances)[order])
        last = np.append(np.diff(found[order]) > 1e-9, True)
        assert total[last] == pytest.approx(found[order][last], abs=1e-9)


@pytest.mark.parametrize(("groups", "games"), [(3, 2212), (4, 1480), (6, 993), (10, 650)])
def test_the_chi_square_test_is_used_only_where_its_level_is_right(groups, games):
    """Where the exact test becomes too long, Pearson's test of 5% is one of 4.95 to 5.05%."""
    critical = stats.chi2.isf(0.05, groups - 1)
    steps = equality.steps(games, groups, int(critical * games / groups))
    assert equality.MOST_STEPS < steps < 1.1 * equality.MOST_STEPS
    chances = equality.chances(games, np.full(groups, 1 / groups), int(critical * games / groups) + 2 * groups)
    base = games // groups
    statistic = groups * (np.arange(len(chances)) + base * (2 * games - groups * base)) / games - games
    assert 1 - chances[statistic < critical].sum() == pytest.approx(0.05, abs=5e-4)


def test_p_values_far_in_the_tail_are_what_they_are():
    """Of 300 games by three the number is counted table by table; six are so far apart only if one wins 60 or more."""
    for wins, expected in (
        ([900, 100], 1.34034355800e-161),
        ([200, 50, 50], 1.62132207398e-31),
        ([0, 600, 0], 3.0**-599),
        ([60, 1, 1, 1, 1, 1], 6 * float(stats.binom.sf(59, 65, 1 / 6))),
    ):
        assert single_winner_p_value(wins)[0] == pytest.approx(expected, rel=1e-9, abs=0), wins
        assert single_winner_p_value(wins)[1].startswith("exact ")


# Tables of wins and losses -------------------------------------------------------------------------------------------


def listed_apart(won, played) -> float:
    """The same by all tables in fractions: those with the same sums whose statistic is as large."""
    total, games = sum(won), sum(played)

    def distance(wins) -> Fraction:
        return sum(Fraction((w * games - n * total) ** 2, n) for w, n in zip(wins, played, strict=True))

    chances = {
        wins: prod(map(comb, played, wins))
        for wins in compositions(total, len(played))
        if all(w <= n for w, n in zip(wins, played, strict=True))
    }
    extreme = sum(chance for wins, chance in chances.items() if distance(wins) >= distance(won))
    return float(Fraction(extreme, sum(chances.values())))


PAIRS = st.lists(st.tuples(st.integers(1, 9), st.integers(0, 9)).map(lambda p: (min(p), p[0])), min_size=2, max_size=4)


@given(PAIRS)
def test_tables_as_all_tables_in_fractions(pairs):
    won, played = zip(*pairs, strict=True)
    found, name = counted_apart_p_value(won, played)
    assert found == pytest.approx(listed_apart(won, played), rel=1e-9)
    assert name == ("exact test of a table" if 0 < sum(won) < sum(played) else "no test: nothing could differ")


def test_large_tables_are_pearsons():
    won, played = [480, 430, 520], [1000, 900, 1000]
    found, name = counted_apart_p_value(won, played)
    statistic = stats.chi2_contingency([won, np.subtract(played, won)], correction=False).statistic
    assert name == "chi-square test of a table" and found == pytest.approx(stats.chi2.sf(statistic * 2899 / 2900, 2))


@pytest.mark.parametrize("pair", [([0, 0], [5, 9]), ([5, 9], [5, 9])])
def test_all_lost_or_all_won_shows_nothing(pair):
    assert counted_apart_p_value(*pair)[0] == 1


# Results dealt within games ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", CONTESTS)
def test_mean_covariance_and_statistic_are_those_over_all_deals(kind):
    games, labels = CONTESTS[kind], labels_of(CONTESTS[kind])
    found, plain = contest(games, labels), Deals(games, labels)
    observed, _, _, mean, covariance = plain.statistics()
    assert found.even * found.tally.plays == pytest.approx(mean)
    assert found.fair_covariance == pytest.approx(covariance, abs=1e-12)
    value, freedom, _ = equality.statistic(found)
    assert value == pytest.approx(observed) and freedom == np.linalg.matrix_rank(covariance, tol=1e-9)


@pytest.mark.parametrize("kind", CONTESTS)
def test_the_variance_is_that_over_all_deals(kind):
    games, labels = CONTESTS[kind], labels_of(CONTESTS[kind])
    found, (_, each, weight, *_) = contest(games, labels), Deals(games, labels).statistics()
    _, freedom, along = equality.statistic(found)
    mean = (weight * each).sum()
    assert mean == pytest.approx(freedom)
    assert equality.dealt_variance(found, along) == pytest.approx((weight * (each - mean) ** 2).sum(), rel=1e-9)


@pytest.mark.parametrize("kind", CONTESTS)
def test_the_p_value_of_drawn_deals_is_that_of_all(kind):
    games, labels = CONTESTS[kind], labels_of(CONTESTS[kind])
    expected = Deals(games, labels).p_value()
    found, name = contest_p_value(contest(games, labels))
    assert name == "randomization test within games, 9,999 deals"
    assert abs(found - expected) < 4.5 * np.sqrt(expected * (1 - expected) / equality.DEALS) + 1e-4 + 1e-12


def test_nothing_that_could_differ_is_no_test():
    games = [[({"captain": 1}, ONE), ({"captain": 1}, NONE)]] * 5
    assert contest_p_value(contest(games, ["captain"])) == (1.0, "no test: nothing could differ")


@settings(max_examples=25)
@given(st.sampled_from(sorted(CONTESTS)), st.randoms(use_true_random=False))
def test_order_of_labels_games_and_contestants_changes_nothing(kind, random):
    games, labels = CONTESTS[kind], labels_of(CONTESTS[kind])
    base = equality.statistic(contest(games, labels))
    mixed = [random.sample(game, len(game)) for game in random.sample(games, len(games))]
    other = contest(mixed, random.sample(labels, len(labels)))
    found = equality.statistic(other)
    assert found[:2] == (pytest.approx(base[0]), base[1])
    variances = [equality.dealt_variance(*pair) for pair in ((other, found[2]), (contest(games, labels), base[2]))]
    assert variances[0] == pytest.approx(variances[1])
    doubled = equality.statistic(contest(games + games, labels))
    assert doubled[:2] == (pytest.approx(2 * base[0]), base[1])
