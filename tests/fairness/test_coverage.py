"""How often verdicts are wrong: intervals that cover, and unfair games that are called fair no more often than said."""

from functools import cache, partial

import numpy as np
import pytest
from scipy import sparse, stats

from gamebalance.fairness import Games, judge, looks, verdicts
from gamebalance.fairness.games import Contest
from gamebalance.fairness.planning import most_rejected
from tests.oracles.equal_chances import compositions, tables

#: A chance of 1 in 100,000 that a share differs by more standard errors from its mean.
FAR = 4.4


def wins_of(row, draws: bool) -> tuple[tuple[int, ...], int]:
    """Wins and draws of a table whose last number may be that of the draws."""
    return (row[:-1], row[-1]) if draws else (row, 0)


@pytest.mark.parametrize(
    ("groups", "draws", "games"), [(2, False, 15), (2, True, 14), (3, False, 10), (3, True, 7), (4, False, 7)]
)
def test_all_intervals_cover_together(groups, draws, games):
    """The chance of all tables in which each interval covers its chance, at several chances, is the level or more."""
    rows = list(compositions(games, groups + draws))
    found = []
    for row in rows:
        wins, drawn = wins_of(row, draws)
        verdict = judge(
            Games.from_counts({place: (won, games) for place, won in enumerate(wins)}, drawn), None, 0.05, 0.9, 1
        )
        found.append((verdict.low.to_numpy(), verdict.high.to_numpy()))
    low, high = (np.array(part) for part in zip(*found, strict=True))
    random = np.random.default_rng(groups)
    for chances in [np.full(groups + draws, 1 / (groups + draws)), *random.dirichlet(np.full(groups + draws, 0.7), 12)]:
        inside = ((low <= chances[:groups]) & (chances[:groups] <= high)).all(axis=1)
        assert np.array(tables(games, chances)[1])[inside].sum() >= 0.9


@pytest.mark.parametrize("margin", [0.1, 0.2, 0.35])
def test_two_at_the_margin_are_called_fair_no_more_often_than_the_level_says(margin):
    """By all tables; and at some number of games nearly as often as that."""
    sizes = []
    for games in (6, 11, 33, 80, 120):
        few = range(round((0.5 - margin) * games), games // 2 + 1)
        fair = [won for won in few if judged(won, games, margin).verdict == "fair"]
        fair = np.unique([*fair, *(games - won for won in fair)]).astype(int)
        sizes += [stats.binom.pmf(fair, games, 0.5 + sign * margin).sum() for sign in (-1, 1)]
        assert judged(0, games, margin).verdict == judged(games, games, margin).verdict != "fair"
    assert 0.02 < max(sizes) <= 0.05


def judged(won: int, games: int, margin: float) -> verdicts.Verdict:
    return judge(Games.from_counts({"a": (won, games), "b": (games - won, games)}), margin=margin, looks=1)


@pytest.mark.parametrize("even", [0.05, 0.1, 0.25, 0.5, 0.9])
@pytest.mark.parametrize("risk", [0.01, 0.05])
def test_a_label_at_the_margin_is_called_near_no_more_often_than_the_risk(even, risk):
    """Any number of games, any margin: by all numbers of wins of one label in games of different kinds."""
    shown = 0
    for games in (2, 5, 12, 30, 100, 200):
        share = np.arange(games + 1) / games
        error = np.sqrt(share * (1 - share) / games)
        for margin in (0.04, 0.05, 0.1, 0.2, 0.4):
            near = [
                verdicts.near_p_value(*map(np.atleast_1d, (one, even, wrong, float(games))), margin) <= risk
                for one, wrong in zip(share, np.maximum(error, 0.5 / games), strict=True)
            ]
            for edge in (even - margin, even + margin):
                if 0 < edge < 1:
                    size = stats.binom.pmf(np.flatnonzero(near), games, edge).sum()
                    assert size <= risk, (games, margin, edge)
                    shown += size > risk / 3
    assert shown


# Games of any kind ---------------------------------------------------------------------------------------------------


def free_for_all(random, games: int) -> tuple[list, list, list]:
    """Three to five players, of whom the first has 5 points more than even."""
    members, number, chances = [], [], []
    for game in range(games):
        size = random.integers(3, 6)
        members += np.eye(5)[:size].tolist()
        number += [game] * size
        chances += [1 / size + 0.05, *[1 / size - 0.05 / (size - 1)] * (size - 1)]
    return members, number, chances


def both_sides(random, games: int) -> tuple[list, list, list]:
    """Two sides with a captain each and more or fewer runners; the first has 10 points more than even."""
    members, number, chances = [], [], []
    for game in range(games):
        runners = random.integers(1, 3)
        members += [[1, runners, 0], [1, 3 - runners, 1]]
        number += [game] * 2
        chances += [0.6, 0.4]
    return members, number, chances


def simulated(setting, games: int, times: int):
    """Contests with these chances, and the mean result of each label that is true."""
    random = np.random.default_rng(games)
    members, number, chances = setting(random, games)
    members, number, chances = sparse.csr_array(np.array(members, float)), np.array(number), np.array(chances)
    labels = list(range(members.shape[1]))
    true = members.T.dot(chances) / members.sum(axis=0)
    starts = np.searchsorted(number, np.arange(games))
    before = np.concatenate([[0], np.cumsum(chances)[:-1]])
    for _ in range(times):
        drawn = np.searchsorted(np.cumsum(chances), before[starts] + random.random(games))
        result = np.zeros(len(number))
        result[np.clip(drawn, starts, np.append(starts[1:], len(number)) - 1)] = 1
        yield Contest(labels, members, result, number), true


@pytest.mark.thorough
@pytest.mark.parametrize(("setting", "games"), [(free_for_all, 30), (both_sides, 150)])
def test_intervals_of_clustered_games_cover(setting, games):
    """250 sets of games each: at least 95%, but for 4.4 standard errors."""
    times, covered = 250, 0
    for contest, true in simulated(setting, games, times):
        low, high = verdicts._cluster_intervals(contest.tally, 0.05 / len(true))
        covered += bool(np.all((low <= true + 1e-12) & (true - 1e-12 <= high)))
    assert covered / times >= 0.95 - FAR * np.sqrt(0.05 * 0.95 / times)


# Looks again, with as many games more as the look before asked for ----------------------------------------------------


@cache
def advised(few: int, games: int, before: tuple[int, ...]) -> int:
    return judge(Games.from_counts({"a": (few, games), "b": (games - few, games)}), looked_after=before).games_needed


@cache
def told(games: int, before: tuple[int, ...]) -> np.ndarray:
    """Which numbers of wins are called unfair, and which are shown to be within 5 points, shape (2, games + 1)."""
    won = np.arange(games + 1)
    sizes = looks.unfair_size, partial(looks.fair_size, even=0.5, margin=0.05)
    unfair, fair = (looks.limit(0.05, None, before, size) * (1 + 1e-9) for size in sizes)
    p_value = 2 * stats.binom.cdf(np.minimum(won, games - won), games, 0.5)
    equivalence = np.maximum(stats.binom.cdf(won, games, 0.55), stats.binom.sf(won - 1, games, 0.45))
    return np.array([p_value <= unfair, equivalence <= fair])


def ever_told(chance: float, first: int, more_looks: int) -> np.ndarray:
    """How often two sides are called unfair, and fair, at some look: by all tables, the rarest counted as both."""
    found, states = np.zeros(2), {((), first): stats.binom.pmf(np.arange(first + 1), first, chance)}
    for look in range(more_looks + 1):
        then = {}
        for (before, games), chances in states.items():
            found += told(games, before) @ chances
            left = np.flatnonzero(~told(games, before).any(axis=0))
            rare = left[chances[left] < 1e-7]
            found += chances[rare].sum()
            for won in np.setdiff1d(left, rare) if look < more_looks else ():
                more = advised(min(won, games - won), games, before)
                key = (*before, games), games + more
                chance_of = chances[won] * stats.binom.pmf(np.arange(more + 1), more, chance)
                then.setdefault(key, np.zeros(games + more + 1))[won : won + more + 1] += chance_of
        states = then
    return found


@pytest.mark.parametrize("first", [55, *(pytest.param(games, marks=pytest.mark.thorough) for games in (30, 100))])
def test_who_follows_the_advice_twice_is_wrong_no_more_often_than_the_level_says(first):
    for chance, wrong in ((0.5, 0), (0.55, 1), (0.45, 1)):
        once, found = (ever_told(chance, first, looks)[wrong] for looks in (1, 2))
        assert 0.01 < once <= found <= 0.05
    assert ever_told(0.5, first, 2)[1] > 0.9 and ever_told(0.55, first, 2)[0] > 0.8


def test_what_the_tables_above_say_is_what_judge_says():
    for games, before in ((55, ()), (955, (55,)), (600, (300,)), (2000, (55, 955))):
        unfair, fair = told(games, before)
        for won in (*np.flatnonzero(np.diff(unfair)), *np.flatnonzero(np.diff(fair))):
            for each in (won, won + 1):
                found = judge(Games.from_counts({"a": (each, games), "b": (games - each, games)}), looked_after=before)
                assert found.verdict == ("fair" if fair[each] else "unfair" if unfair[each] else "undecided")


@pytest.mark.parametrize("risk", [0.05, 0.01])
@pytest.mark.parametrize("first", [8, 11, 55, 156, 255])
def test_a_second_look_may_have_any_number_of_games(first, risk):
    """The number that makes it likeliest to be wrong is chosen for each result of the first look."""
    cut = int(most_rejected(first, looks.limit(risk, None, ())))
    won, second = np.arange(cut + 1, first - cut), looks.limit(risk, None, (first,), looks.unfair_size)
    worst = np.zeros(len(won))
    for more in np.unique(np.geomspace(1, 40 * first, 400).astype(int)):
        games = first + more
        cut = most_rejected(games, second)
        now = stats.binom.cdf(cut - won, more, 0.5) + stats.binom.sf(games - cut - won - 1, more, 0.5)
        worst = np.maximum(worst, now)
    total = looks.unfair_size(first, looks.limit(risk, None, ())) + stats.binom.pmf(won, first, 0.5) @ worst
    assert 0.6 * risk < total <= risk
