"""How often verdicts are wrong: intervals that cover, and unfair games that are called fair no more often than said."""

import numpy as np
import pytest
from scipy import sparse, stats

from gamebalance.fairness import Games, judge, verdicts
from gamebalance.fairness.tallies import Contest
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
        verdict = judge(Games.from_counts({place: (won, games) for place, won in enumerate(wins)}, drawn), level=0.9)
        found.append((verdict.low.to_numpy(), verdict.high.to_numpy()))
    low, high = (np.array(part) for part in zip(*found, strict=True))
    random = np.random.default_rng(groups)
    for chances in [np.full(groups + draws, 1 / (groups + draws)), *random.dirichlet(np.full(groups + draws, 0.7), 12)]:
        inside = ((low <= chances[:groups]) & (chances[:groups] <= high)).all(axis=1)
        assert np.array(tables(games, chances)[1])[inside].sum() >= 0.9


def test_with_draws_two_sides_are_two_intervals():
    """Of 60 games most are drawn: the wins of the sides are nearly independent, and both intervals cover at 90%."""
    games, level = 60, 0.9
    ends = {}
    for won in range(games):
        verdict = judge(Games.from_counts({"a": (won, games), "b": (0, games)}, games - won), level=level)
        ends[won] = verdict.low["a"], verdict.high["a"]
    for one, other in ((0.1, 0.1), (0.2, 0.1), (0.17, 0.17), (0.25, 0.2), (0.08, 0.3)):
        inside = [[ends[won][0] <= chance <= ends[won][1] for won in range(games)] for chance in (one, other)]
        won = [(a, b) for a in range(games) if inside[0][a] for b in range(games - a) if inside[1][b]]
        rows = np.array([(a, b, games - a - b) for a, b in won])
        assert stats.multinomial.pmf(rows, games, [one, other, 1 - one - other]).sum() >= level


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
    return judge(Games.from_counts({"a": (won, games), "b": (games - won, games)}), margin=margin)


@pytest.mark.parametrize(
    ("games", "shares"),
    [(11, (0.55, 0.15, 0.15, 0.15)), (13, (1.9 / 3, 0.55 / 3, 0.55 / 3)), (13, (0.1 / 3, 0.5, 1.4 / 3))],
)
def test_several_at_the_margin_are_called_fair_no_more_often_than_the_level_says(games, shares):
    """All tables, at a margin of 30 points and 90%."""
    rows, chances = tables(games, shares)
    found = {}  # by the table in order: it makes no difference whose the wins are
    for row in {tuple(sorted(row)) for row in rows}:
        counts = {place: (won, games) for place, won in enumerate(row)}
        found[row] = judge(Games.from_counts(counts), margin=0.3, level=0.9).verdict == "fair"
    size = sum(chance for row, chance in zip(rows, chances, strict=True) if found[tuple(sorted(row))])
    assert 0 < size <= 0.1


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
                verdicts._Near(*(np.array([part]) for part in (one, even, wrong, float(games)))).p_value(margin) <= risk
                for one, wrong in zip(share, error, strict=True)
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


def repeated_roles(random, games: int) -> tuple[list, list, list]:
    """Five players of two roles, one of whom wins; those of the first role have 4 points more than even."""
    members, number, chances = [], [], []
    for game in range(games):
        size = random.integers(1, 5)
        members += np.eye(2)[[0] * size + [1] * (5 - size)].tolist()
        number += [game] * 5
        chances += [0.24] * size + [0.2 - 0.04 * size / (5 - size)] * (5 - size)
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


def sides(random, games: int) -> tuple[list, list, list]:
    """Wolves, a village with or without a seer, sometimes a third side; the wolves have 10 points more than even."""
    members, number, chances = [], [], []
    for game in range(games):
        seer, third = random.random(2) < 0.5
        rows = [[2, 0, 0, 0], [0, random.integers(3, 6), int(seer), 0], [0, 0, 0, 1]][: 2 + third]
        members += rows
        number += [game] * len(rows)
        chances += [1 / len(rows) + 0.1, *[1 / len(rows) - 0.1 / (len(rows) - 1)] * (len(rows) - 1)]
    return members, number, chances


SETTINGS = [
    (free_for_all, 30),
    (free_for_all, 200),
    (repeated_roles, 40),
    (both_sides, 25),
    (both_sides, 150),
    (sides, 40),
]


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


@pytest.mark.parametrize(("setting", "games"), SETTINGS)
def test_intervals_of_clustered_games_cover(setting, games):
    """250 sets of games each: at least 95%, but for 4.4 standard errors."""
    times, covered = 250, 0
    for contest, true in simulated(setting, games, times):
        low, high = verdicts._cluster_intervals(contest.tally, 0.05 / len(true))
        covered += bool(np.all((low <= true + 1e-12) & (true - 1e-12 <= high)))
    assert covered / times >= 0.95 - FAR * np.sqrt(0.05 * 0.95 / times)


@pytest.mark.parametrize(("setting", "games"), SETTINGS)
def test_clustered_games_at_the_margin_are_called_fair_no_more_often_than_the_level_says(setting, games, monkeypatch):
    monkeypatch.setattr(verdicts, "contest_p_value", lambda contest, far: (0.5, "none"))
    times, fair, wide = 80, 0, []
    for contest, true in simulated(setting, games, times):
        margin = np.abs(true - contest.even).max()
        fair += verdicts._by_game(contest, margin, 0.05).equivalence <= 0.05
        if len(wide) < 10:
            wide.append(verdicts._by_game(contest, margin + 0.4, 0.05).equivalence <= 0.05)
    assert fair / times <= 0.05 + FAR * np.sqrt(0.05 * 0.95 / times)
    assert np.mean(wide) >= 0.5  # and what is far within the margin is called fair
