"""Tests of equal chances: their levels by listing all that can happen, their numbers beside other people's."""

from fractions import Fraction
from math import comb, prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse, stats
from statsmodels.stats.contingency_tables import StratifiedTable

from gamebalance.fairness import equality, multinomial
from gamebalance.fairness.equality import contest_p_value, counted_apart_p_value, single_winner_p_value
from gamebalance.fairness.tallies import Contest
from tests.oracles.equal_chances import Deals, compositions, tables

HALF, ONE, NONE = Fraction(1, 2), Fraction(1), Fraction(0)


def contest(games, labels) -> Contest:
    """A contest from lists of contestants."""
    members = [[one.get(label, 0) for label in labels] for game in games for one, _ in game]
    result = np.array([won for game in games for _, won in game], float)
    number = np.repeat(np.arange(len(games)), [len(game) for game in games])
    return Contest(labels, sparse.csr_array(np.array(members, float)), result, number)


#: Contests small enough to list all deals of.
CONTESTS = {
    "three free-for-alls": [[({"a": 1}, ONE), ({"b": 1}, NONE), ({"c": 1}, NONE)]] * 3,
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


@pytest.mark.parametrize("level", [0.001, 0.01, 0.05, 0.1, 0.2, 0.5])
def test_no_exact_test_exceeds_its_level(level):
    sizes = []
    for groups, games in ((2, 9), (2, 30), (3, 5), (3, 14), (4, 4), (4, 9)):
        rows, chances = tables(games, [Fraction(1, groups)] * groups)
        sizes.append(sum(c for row, c in zip(rows, chances, strict=True) if single_winner_p_value(row)[0] <= level))
    assert max(sizes) <= level
    assert level < 0.05 or max(sizes) > level / 3  # and they do reject


@given(st.lists(st.integers(0, 30), min_size=2, max_size=2).filter(any))
def test_of_two_as_scipy(wins):
    assert single_winner_p_value(wins)[0] == pytest.approx(stats.binomtest(wins[0], sum(wins)).pvalue, rel=1e-9)


def test_of_several_the_chi_square_distribution_is_near():
    for wins in ((120, 90, 110, 80), (60, 50, 40), (35, 30, 20, 25, 40)):
        found, name = single_winner_p_value(wins)
        assert name == "exact multinomial test" and found == pytest.approx(stats.chisquare(wins).pvalue, rel=0.03)
        assert equality.pearson(wins) == pytest.approx(stats.chisquare(wins).statistic)


def test_of_very_many_games_it_is_pearsons():
    wins = [40_500, 40_000, 39_500]
    found, name = single_winner_p_value(wins)
    assert name == "chi-square test" and found == pytest.approx(stats.chisquare(wins).pvalue, rel=1e-12)


@pytest.mark.parametrize(("groups", "games"), [(3, 2212), (4, 1480), (6, 993), (10, 650)])
def test_the_chi_square_test_is_used_only_where_its_level_is_right(groups, games):
    """Where the exact test becomes too long, Pearson's test of 5% is one of 4.95 to 5.05%."""
    critical = stats.chi2.isf(0.05, groups - 1)
    steps = multinomial.steps(games, groups, int(critical * games / groups))
    assert equality.MOST_STEPS < steps < 1.1 * equality.MOST_STEPS
    chances = multinomial.chances(games, np.full(groups, 1 / groups), int(critical * games / groups) + 2 * groups)
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


def test_both_ways_to_the_exact_p_value_agree(monkeypatch):
    """Where p is near `FAR`, from the chances below and from those above."""
    for wins in ([140, 100, 90], [70, 50, 40, 35], [45, 20, 25, 22, 20]):
        monkeypatch.setattr(equality, "FAR", 0)
        below = single_winner_p_value(wins)
        monkeypatch.setattr(equality, "FAR", 1)
        assert single_winner_p_value(wins) == (pytest.approx(below[0], rel=1e-8), below[1])


def test_no_game_decided_is_no_test():
    assert single_winner_p_value([0, 0, 0]) == (1.0, "no test: no game was decided")


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


@given(st.integers(1, 40), st.data())
def test_two_equal_rows_as_fishers_test(games, data):
    """With as many games each, the order by chance and that by the statistic are the same."""
    one, other = data.draw(st.integers(0, games)), data.draw(st.integers(0, games))
    expected = stats.fisher_exact([[one, games - one], [other, games - other]]).pvalue
    assert counted_apart_p_value([one, other], [games, games])[0] == pytest.approx(expected, rel=1e-7)


def test_a_table_with_few_wins_among_many_games_is_listed_and_one_with_few_losses_too():
    for turned in (False, True):
        won, played = np.array([2, 1]), np.array([300_000, 310_000])
        found, name = counted_apart_p_value(played - won if turned else won, played)
        assert name == "exact test of a table" and found == pytest.approx(listed_apart((2, 1), (300_000, 310_000)))


def test_large_tables_are_pearsons():
    won, played = [480, 430, 520], [1000, 900, 1000]
    found, name = counted_apart_p_value(won, played)
    statistic = stats.chi2_contingency([won, np.subtract(played, won)], correction=False).statistic
    assert name == "chi-square test of a table" and found == pytest.approx(stats.chi2.sf(statistic * 2899 / 2900, 2))


def drawn_p_value(won, played, draws=40_000):
    """How often tables drawn with the same sums are at least so uneven, and the standard error."""
    drawn = np.random.default_rng(3).multivariate_hypergeometric(played, sum(won), draws, "marginals").astype(float)
    played = np.array(played, float)
    mean = sum(won) / played.sum()

    def uneven(wins):
        return (np.square(wins - played * mean) / played).sum(axis=-1)

    share = (uneven(drawn) >= uneven(np.array(won, float)) * (1 - 1e-9)).mean()
    return share, np.sqrt((share + 1 / draws) / draws)


@pytest.mark.parametrize(
    ("won", "played"),
    [
        ((40, 38, 2), (10_000, 10_000, 20)),
        ((490, 460, 3, 4), (5000, 5100, 12, 10)),
        ((9, 1, 2, 3, 1, 0, 5, 2, 1, 1), (100,) * 10),
        ((5, 5, 5, 5, 5, 5, 11), (30,) * 7),
    ],
)
def test_labels_with_few_games_are_listed(won, played):
    """Where a label has played seldom, Pearson's chi-square is wrong by far; p-values are those of drawn tables."""
    found, (share, error) = counted_apart_p_value(won, played)[0], drawn_p_value(won, played)
    assert abs(found - share) < 5 * error + 0.06 * share
    if won[2] == 2 and len(won) == 3:
        assert found > 100 * stats.chi2_contingency([won, np.subtract(played, won)], correction=False).pvalue


def test_shared_wins_are_compared_by_pearsons():
    found, name = counted_apart_p_value([10.5, 12.25], [40, 30])
    statistic = stats.chi2_contingency([[10.5, 12.25], [29.5, 17.75]], correction=False).statistic
    assert name == "chi-square test of a table" and found == pytest.approx(stats.chi2.sf(statistic * 69 / 70, 1))


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


def test_all_deals_of_all_results_keep_the_level():
    """Each deal of a contest judged by its own p-value: none is more frequent than it says, but for the drawing."""
    games = CONTESTS["of three and of two"]
    labels = labels_of(games)
    plain = Deals(games, labels)
    _, each, weight, *_ = plain.statistics()
    known = contest(games, labels)
    *_, along = equality.statistic(known)
    dealt = np.sort(equality.dealt_statistics(known, along))
    found = (1 + len(dealt) - np.searchsorted(dealt, each - 1e-9)) / (len(dealt) + 1)
    for level in np.unique(found):
        size = weight[found <= level].sum()
        assert size <= level + 4.5 * np.sqrt(level * (1 - level) / equality.DEALS)


def test_two_labels_as_cochran_mantel_and_haenszel():
    random = np.random.default_rng(5)
    games, tables_ = [], []
    for _ in range(400):
        size, mine = random.integers(3, 7), random.integers(1, 3)
        winner = random.integers(size) if random.random() < 0.8 else 0
        labels = ["a"] * mine + ["b"] * (size - mine)
        games.append([({label: 1}, ONE if place == winner else NONE) for place, label in enumerate(labels)])
        a = int(winner < mine)
        tables_.append([[a, mine - a], [1 - a, size - mine - 1 + a]])
    theirs = StratifiedTable([np.array(table, float) for table in tables_]).test_null_odds(correction=False)
    found, freedom, _ = equality.statistic(contest(games, ["a", "b"]))
    assert freedom == 1 and found == pytest.approx(float(theirs.statistic))


def test_several_labels_as_the_generalized_mantel_haenszel_test():
    """Landis, Heyman and Koch (1978), written out: sums of hypergeometric means and covariances, one label left out."""
    random = np.random.default_rng(6)
    games = []
    for _ in range(60):
        order = random.permutation(["a", "a", "b", "b", "c", "d"])[: random.integers(3, 7)]
        winners = random.permutation(len(order))[: random.integers(1, 3)]
        games.append([({str(label): 1}, ONE if place in winners else NONE) for place, label in enumerate(order)])
    sums, covariance = np.zeros(3), np.zeros((3, 3))
    for game in games:
        counts = np.array([sum(label in one for one, _ in game) for label in "abc"], float)
        wins = np.array([sum(int(won) for one, won in game if label in one) for label in "abc"], float)
        size, won = len(game), sum(int(won) for _, won in game)
        sums += wins - won * counts / size
        spread = won * (size - won) / (size**2 * (size - 1))
        covariance += spread * (size * np.diag(counts) - np.outer(counts, counts))
    expected = sums @ np.linalg.solve(covariance, sums)
    found, freedom, _ = equality.statistic(contest(games, list("abcd")))
    assert freedom == 3 and found == pytest.approx(expected)


def test_one_winner_among_the_same_is_pearsons_statistic():
    games = [[({k: 1}, ONE if k == winner else NONE) for k in range(4)] for winner in (0,) * 7 + (1,) * 2 + (2,) * 5]
    found, freedom, _ = equality.statistic(contest(games, list(range(4))))
    assert freedom == 3 and found == pytest.approx(stats.chisquare([7, 2, 5, 0]).statistic)


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


# Many contestants ----------------------------------------------------------------------------------------------------


def club(random: np.random.Generator, games: int, people: int, seats: int, favour: float) -> Contest:
    """Free-for-alls of people of whom some play far more often than others."""
    weight = np.arange(1, people + 1) ** -favour
    who = np.concatenate([random.choice(people, seats, False, weight / weight.sum()) for _ in range(games)])
    labels, codes = np.unique(who, return_inverse=True)
    members = sparse.csr_array((np.ones(len(codes)), (np.arange(len(codes)), codes)))
    result = (np.arange(seats) == random.integers(seats, size=games)[:, None]).ravel().astype(float)
    return Contest(labels.tolist(), members, result, np.repeat(np.arange(games), seats))


def fair_statistics(found: Contest, seats: int, times: int, random: np.random.Generator) -> np.ndarray:
    """The statistic of so many fair sets of games, by counting winners anew."""
    labels = found.members.indices.reshape(-1, seats)
    games, size = labels.shape[0], found.members.shape[1]
    inverse = np.linalg.pinv(found.fair_covariance, rcond=1e-9, hermitian=True)
    values = []
    for _ in range(times):
        winners = labels[np.arange(games), random.integers(seats, size=games)]
        apart = np.bincount(winners, minlength=size) - np.bincount(labels.ravel(), minlength=size) / seats
        values.append(apart @ inverse @ apart)
    return np.array(values)


@pytest.mark.parametrize(
    ("people", "games", "seats", "favour", "plain"),
    [(200, 101, 20, 1.0, (0.08, 0.5)), (250, 1001, 2, 1.2, (0, 0.02)), (30, 501, 4, 0.0, (0.03, 0.07))],
)
def test_many_contestants_keep_the_level_where_some_play_seldom(people, games, seats, favour, plain):
    """1,500 fair sets each: a size of 5% is between 2.5 and 7.5% with an error below 1 in 100,000."""
    random = np.random.default_rng(8)
    found = club(random, games, people, seats, favour)
    assert len(found.result) > equality.MOST_DEALT
    value, freedom, along = equality.statistic(found)
    scale = equality.dealt_variance(found, along) / (2 * freedom)
    assert contest_p_value(found) == (
        pytest.approx(stats.chi2.sf(value / scale, freedom / scale)),
        "Mantel-Haenszel test, game by game",
    )
    fair = fair_statistics(found, seats, 1500, random)
    assert fair.mean() == pytest.approx(freedom, rel=0.1) and fair.var() == pytest.approx(2 * freedom * scale, rel=0.3)
    assert 0.025 < (stats.chi2.sf(fair / scale, freedom / scale) <= 0.05).mean() < 0.075
    assert plain[0] <= (stats.chi2.sf(fair, freedom) <= 0.05).mean() <= plain[1]  # what it would be without the scale


@pytest.mark.parametrize("kind", ["seats", "club"])
def test_the_level_of_dealt_results_by_simulation(kind):
    """20,000 fair sets: within 4.5 standard errors of 5% and 1%, of the sets and of the deals together."""
    random = np.random.default_rng(9)
    found = club(random, 40, *((4, 4, 0.0) if kind == "seats" else (12, 4, 0.5)))
    *_, along = equality.statistic(found)
    dealt = np.sort(equality.dealt_statistics(found, along))
    fair = fair_statistics(found, 4, 20_000, random)
    p_values = (1 + len(dealt) - np.searchsorted(dealt, fair * (1 - 1e-9) - 1e-9)) / (len(dealt) + 1)
    for level in (0.05, 0.01):
        error = np.sqrt(level * (1 - level) * (1 / 20_000 + 1 / len(dealt)))
        assert level / 3 < (p_values <= level).mean() < level + 4.5 * error
