"""When a monitor stops: simulated against exact chances, monitors of the same games, and another package."""

from collections import defaultdict
from fractions import Fraction as F
from math import isnan

import numpy as np
import pytest

from chapters import how_many_games as monitor_tables
from gamebalance.fairness import Monitor, StoppingTimes, bets, stopping_times
from gamebalance.fairness.stopping import VERDICTS, fewest_wins
from tests.oracles import plain_monitor as plain
from tests.oracles.equal_chances import tables
from tests.refusals import refuses

#: True chances; the arguments of the monitor; after how many games a run is given up.
WATCHED = [
    ((0.5, 0.5), {}, 2000),
    ((0.5, 0.25, 0.25), {"margin": 0.35}, 300),
    ((0.125,) * 8, {"margin": 0.1}, 600),
    ((0.5, 0.5), {"alternative": (0.55, 0.45)}, 400),
    ((0.3125, 0.25, 0.25, 0.1875), {"alternative": (0.315, 0.242, 0.241, 0.202), "level": 0.1}, 300),
]


def ended(times):
    """How often each verdict came after each number of games."""
    return {(VERDICTS[row], game): count for (row, game), count in np.ndenumerate(times.ended) if count}


@pytest.mark.parametrize(("shares", "arguments", "most"), WATCHED)
def test_the_simulation_stops_where_a_monitor_of_the_same_games_does(shares, arguments, most):
    runs, seed = 12, 7
    watched = {}
    for run in range(runs):
        monitor = Monitor(len(shares), **arguments)
        for winner in plain.winners(list(map(F, shares)), seed, run, most):
            monitor.add(winner + 1)
            if monitor.verdict != "undecided":
                break
        assert monitor.stopped_at in (None, monitor.games)
        watched[monitor.verdict, monitor.games] = watched.get((monitor.verdict, monitor.games), 0) + 1
    assert ended(stopping_times(shares, **arguments, runs=runs, seed=seed, most=most)) == watched


@pytest.mark.parametrize(
    ("groups", "most", "level", "margin"),
    [(2, 14, F(1, 20), F(2, 5)), (2, 14, F(1, 5), F(1, 4)), (3, 8, F(1, 5), F(1, 2)), (3, 12, F(2, 5), F(12, 25))],
)
def test_simulated_shares_are_the_exact_chances(groups, most, level, margin):
    """Each within five standard errors: one of the numbers here would be off in less than 1 of 10,000 cases.

    In the last case both verdicts come at once with no win and six each, which counts as fair.
    """
    exact = plain.stops([F(1, groups)] * groups, most, lambda wins: plain.verdict(wins, level, margin))
    _agree(exact, stopping_times([1 / groups] * groups, None, float(level), 0.8, float(margin), 300_000, 11, most))


def _agree(exact, times):
    assert set(ended(times)) <= {key for key, chance in exact.items() if chance}
    for (verdict, game), chance in exact.items():
        error = (float(chance * (1 - chance)) / times.runs) ** 0.5
        assert abs(times.ended[VERDICTS.index(verdict), game] / times.runs - float(chance)) <= 5 * error
    for verdict in VERDICTS:
        chance = float(sum(chance for (said, _), chance in exact.items() if said == verdict))
        assert abs(times.share(verdict).value - chance) <= 5 * times.share(verdict).error


@pytest.mark.parametrize(("groups", "margin", "level"), [(2, 0.2, 0.05), (3, 0.3, 0.25), (5, 0.1, 0.5), (4, 0.3, 0.05)])
def test_the_fewest_wins_that_refute_a_chance(groups, margin, level):
    """By trying every number of wins; beyond the fewest all are enough."""
    most, bound = 40, (groups if groups > 2 else 1) / level
    near = F(1, groups) - F(margin)
    found = fewest_wins(most, 1 / groups, bets.checked_rule(groups, None, level, 0.8, margin))
    if near <= 0:
        assert not found.any()
        return
    for games in range(1, most + 1):
        enough = [
            wins > near * games and plain.against(wins, games, groups, near, F(margin)) >= bound
            for wins in range(games + 1)
        ]
        assert enough == [wins >= found[games] for wins in range(games + 1)]
    assert found[most] <= most and found[1] == 2


@pytest.mark.parametrize("shares", [(0.6, 0.4), (0.5, 0.25, 0.25), (0.5, 0.3, 0.2)])
@pytest.mark.parametrize(("goal", "level"), [(0.8, 0.05), (0.6, 0.2)])
def test_a_fixed_sample_that_names_chances_is_the_smallest(shares, goal, level):
    """Tables of wins are called unfair from the largest likelihood ratio on, as many as the level allows."""

    def enough(games):
        rows, true = tables(games, shares)
        chances = defaultdict(lambda: np.zeros(2))
        for _, unfair, fair in zip(rows, true, tables(games, [1 / len(shares)] * len(shares))[1], strict=True):
            chances[round(unfair / fair, 9)] += fair, unfair
        wrong, found = np.cumsum([chances[ratio] for ratio in sorted(chances, reverse=True)], axis=0).T
        return found[wrong <= level + 1e-12].max(initial=0) >= goal

    games = next(count for count in range(1, 300) if enough(count))
    assert monitor_tables.games_needed_named(shares, goal, level) == games


def test_sums_over_runs_are_those_of_the_listed_runs():
    table = np.zeros((3, 31), np.int64)
    table[1, [3, 5, 5, 9]] = [2, 1, 1, 4]
    table[2, 12], table[0, 30] = 1, 3
    times = StoppingTimes(table)
    unfair, every = [3, 3, 5, 9, 9, 9, 9], [3, 3, 5, 9, 9, 9, 9, 12, 30, 30, 30]
    assert times.runs == 11 and times.most == 30 and times.count("unfair") == 7 and times.count() == 11
    assert times.share("unfair").value == pytest.approx(7 / 11)
    assert times.share("unfair").error == pytest.approx((8 / 13 * 5 / 13 / 11) ** 0.5)
    assert times.mean("unfair") == pytest.approx((np.mean(unfair), np.std(unfair, ddof=1) / 7**0.5))
    assert times.mean() == pytest.approx((np.mean(every), np.std(every, ddof=1) / 11**0.5))
    assert times.median().value == 9 and times.median("unfair").value == 9
    assert times.median().error == (12 - 9) / 2  # the runs at 11 / 2 - 1.66 and 11 / 2 + 1.66 of eleven
    assert times.mean("fair").value == 12 and isnan(times.mean("fair").error)
    assert times.to_frame()["runs"].tolist() == [7, 1, 3, 11]


def test_the_runs_of_a_seed_are_the_same_however_they_are_divided(monkeypatch):
    whole = stopping_times((0.6, 0.4), runs=1000, most=400).ended
    monkeypatch.setattr("gamebalance.fairness.stopping.CHUNK", 77)
    assert np.array_equal(whole, stopping_times((0.6, 0.4), runs=1000, most=400, workers=3).ended)
    assert not np.array_equal(whole, stopping_times((0.6, 0.4), runs=1000, most=400, seed=1).ended)


test_is_refused = refuses(
    (lambda: stopping_times([0.5, 0.6]), r"^shares = \[0.5, 0.6\]: they add up to 1.1"),
    (lambda: stopping_times([0.5, 0.5], [0.5, 0.5]), r"^alternative = "),
    (
        lambda: stopping_times([0.5, 0.5], runs=10**9, most=10**6),
        r"^runs = 1,000,000,000 of up to 1,000,000 games: about",
    ),
    (lambda: stopping_times([0.5, 0.5], most=10**6 + 1), r"^most = 1000001: "),
    (lambda: stopping_times([0.5, 0.5], workers=0), r"^workers = 0: "),
    (lambda: stopping_times([0.5, 0.5], runs=1, most=1).share("won"), r"^verdict = 'won': one of 'undecided'"),
)
