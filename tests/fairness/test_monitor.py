"""A verdict after every game: exact chances, evidence in fractions, and intervals that hold at all times."""

from collections import Counter
from copy import deepcopy
from fractions import Fraction as F
from itertools import product
from math import exp, inf, isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special, stats

from gamebalance.fairness import Monitor, wording
from tests.oracles import plain_monitor as plain
from tests.refusals import refused, refuses

#: What each test here is about: labels, their named chances, level, power, margin.
NAMED = {
    "two": ((F(3, 5), F(2, 5)), F(1, 5), F(7, 10)),
    "with a zero": ((F(2, 3), F(1, 3), F(0)), F(1, 5), F(1, 2)),
    "four": ((F(1, 2), F(1, 4), F(1, 8), F(1, 8)), F(1, 10), F(3, 5)),
}
OPEN = {
    "two": (2, 14, F(1, 20), F(2, 5)),
    "two, soon": (2, 12, F(1, 4), F(2, 5)),
    "three": (3, 8, F(2, 5), F(1, 2)),
    "four": (4, 6, F(1, 2), F(13, 20)),
}


def mixed(wins):
    """A sequence with so many wins of each label, well mixed."""
    return [
        label for _, label in sorted(((game + 0.5) / n, label) for label, n in enumerate(wins, 1) for game in range(n))
    ]


def monitored(wins, *arguments, **named):
    """A monitor after so many wins of each label, well mixed."""
    monitor = Monitor(len(wins), *arguments, **named)
    monitor.extend(mixed(wins))
    return monitor


def enumerated(monitor, shares, most):
    """Chances of each verdict and when it comes, by playing all sequences of games."""
    found = Counter()

    def go_on(before, chance, games):
        if before.verdict != "undecided" or games == most:
            found[before.verdict, before.games] += chance
            return
        for label, share in zip(before.labels, shares, strict=True):
            if share:
                after = deepcopy(before)
                after.add(label)
                go_on(after, chance * share, games + 1)

    go_on(monitor, F(1), 0)
    return +found


def test_the_evidence_of_the_first_games_by_hand():
    monitor, seen = Monitor(["black", "white"]), []
    for label in ["black", "black", "white", "white"]:
        monitor.add(label)
        seen.append(monitor.evidence)
    # One part alone, with the parameter a: 1, then 2 (a + 1) (a + 2) / (2 a + 2) / (2 a + 3) times what the squared
    # distance grows by, (4 + 2 a + 2) / (2 a + 2); of a = 5 that is 2 (6 / 11) (16 / 12) / (12 / 11) ...
    assert seen == pytest.approx([1, *(float(plain.mixture(wins)) for wins in ((2, 0), (2, 1), (2, 2)))], rel=1e-8)
    assert seen[1] > 1 > seen[3]
    monitor = Monitor(["black", "white"], {"white": 0.75, "black": 0.25})
    monitor.extend(["white", "white", "black"])
    assert monitor.evidence == pytest.approx(9 / 8) and exp(monitor.log_evidence) == pytest.approx(9 / 8)
    assert monitor.p_value == pytest.approx(4 / 9)  # it has been 9/4


@pytest.mark.parametrize(("groups", "games"), [(2, 7), (3, 5), (4, 4)])
def test_the_mean_of_the_evidence_over_all_sequences_of_fair_games_is_1(groups, games):
    named = {2: NAMED["two"], 3: NAMED["with a zero"], 4: NAMED["four"]}[groups][0]
    open_total = named_total = F(0)
    for sequence in product(range(groups), repeat=games):
        wins = tuple(sequence.count(place) for place in range(groups))
        monitors = Monitor(range(groups)), Monitor(range(groups), list(map(float, named)))
        for monitor, evidence in zip(monitors, (plain.mixture(wins), plain.ratio(wins, named)), strict=True):
            monitor.extend(sequence)
            assert monitor.evidence == pytest.approx(float(evidence), rel=1e-8)
        open_total += plain.mixture(wins)
        named_total += plain.ratio(wins, named)
    assert open_total == named_total == groups**games


@given(st.lists(st.integers(0, 400), min_size=2, max_size=10).filter(any))
def test_the_evidence_of_many_games_is_the_ratio_of_two_distributions(wins):
    monitor = monitored(wins)
    games, groups = sum(wins), len(wins)
    found = []
    for weight, own in ((0.9, 80 / groups**0.75), (0.1, 5.0)):
        squares = [
            (shares.var() + (shares.mean() - 1 / groups) ** 2).sum()
            for shares in (stats.dirichlet(own + np.array(wins)), stats.dirichlet([own] * groups))
        ]
        mixture = stats.dirichlet_multinomial.logpmf(wins, [own] * groups, games)
        found.append(np.log(weight) + mixture + np.log(squares[0]) - np.log(squares[1]))
    even = stats.multinomial.logpmf(wins, games, [1 / groups] * groups)
    assert monitor.log_evidence == pytest.approx(special.logsumexp(found) - even, rel=1e-8, abs=1e-8)


@pytest.mark.parametrize("case", OPEN)
def test_fair_games_are_called_unfair_no_more_often_than_the_level_exactly(case):
    groups, most, level, margin = OPEN[case]
    shares = [F(1, groups)] * groups
    exact = plain.stops(shares, most, lambda wins: plain.verdict(wins, level, margin))
    called = sum(chance for (verdict, _), chance in exact.items() if verdict == "unfair")
    assert 0 < called <= level and sum(exact.values()) == 1
    assert any(verdict == "fair" for verdict, _ in exact)
    monitor = Monitor(groups, level=float(level), margin=float(margin))
    few = min(most, 10)
    expected = plain.stops(shares, few, lambda wins: plain.verdict(wins, level, margin))
    assert enumerated(monitor, shares, few) == +expected


@pytest.mark.parametrize("case", NAMED)
def test_named_chances_are_confirmed_and_missed_no_more_often_than_promised_exactly(case):
    named, level, power = NAMED[case]
    even = [F(1, len(named))] * len(named)
    chances = {}
    for truth, shares in (("even", even), ("named", named)):
        exact = plain.stops(shares, 9, lambda wins: plain.wald_verdict(wins, named, level, power))
        for verdict in ("unfair", "fair"):
            chances[truth, verdict] = sum(chance for (said, _), chance in exact.items() if said == verdict)
        monitor = Monitor(len(named), list(map(float, named)), float(level), float(power))
        few = {2: 9, 3: 6, 4: 5}[len(named)]
        expected = plain.stops(shares, few, lambda wins: plain.wald_verdict(wins, named, level, power))
        assert enumerated(monitor, shares, few) == +expected
    assert 0 < chances["even", "unfair"] <= level
    assert 0 < chances["named", "fair"] <= 1 - power or (case == "with a zero" and chances["named", "fair"] == 0)
    assert chances["named", "unfair"] > chances["even", "unfair"]


@pytest.mark.parametrize("wins", [(0, 9), (30, 21), (3, 0, 4), (120, 80, 95, 105), (0, 0, 0, 0, 700), (1, 99_999)])
@pytest.mark.parametrize("level", [0.05, 0.5])
def test_the_interval_is_the_set_of_chances_without_too_much_evidence(wins, level):
    monitor = monitored(wins, level=level)
    games, groups = sum(wins), len(wins)
    bound = np.log((groups if groups > 2 else 1) / level)
    for label, count in enumerate(wins, 1):
        low, high = monitor.low[label], monitor.high[label]
        near = [low * 0.999, low * 1.001, high * 0.999, high * 1.001, 1 - 0.999 * (1 - high), 1 - 1.001 * (1 - high)]
        grid = np.clip(np.sort([*np.linspace(0, 1, 2001), *near]), 0, 1)
        flat, found = np.minimum(1, abs(grid - 1 / groups) / 0.05), 0.0
        for weight, own in ((0.9, 80 / groups**0.75), (0.1, 5)):
            prior, after = (
                stats.beta(own, own * (groups - 1)),
                stats.beta(own + count, own * (groups - 1) + games - count),
            )
            bent = (after.var() + (after.mean() - grid) ** 2) / (prior.var() + (prior.mean() - grid) ** 2)
            found += weight * stats.betabinom.pmf(count, games, *prior.args) * (flat + (1 - flat) * bent)
        binomial = stats.binom.logpmf(count, games, grid)
        evidence = np.log(found) - binomial
        inside = (low < grid) & (grid < high) | (grid == 0) & (count == 0) | (grid == 1) & (count == games)
        assert np.array_equal(evidence < bound, inside)
        assert low <= count / games <= high and (low == 0) == (count == 0)


def test_before_the_first_game_everything_is_possible():
    monitor = Monitor(3)
    assert set(monitor.low.values()) == {0} and set(monitor.high.values()) == {1}
    assert all(isnan(share) for share in monitor.shares.values())
    assert monitor.evidence == monitor.p_value == 1 and monitor.games == 0 and monitor.stopped_at is None
    assert "no game" in str(monitor)


@given(st.lists(st.booleans(), max_size=60), st.sampled_from([0.01, 0.05, 0.3]))
def test_of_two_sides_the_interval_excludes_even_exactly_when_the_evidence_reaches_the_bound(sequence, level):
    monitor = Monitor([True, False], level=level, margin=0.01)
    for winner in sequence:
        monitor.add(winner)
        outside = monitor.low[True] >= 0.5 or monitor.high[True] <= 0.5
        assert outside == (monitor.evidence >= 1 / level)
        assert monitor.low[True] == pytest.approx(1 - monitor.high[False], abs=1e-8)


def test_intervals_hold_together_at_all_times_exactly():
    """The chance that the interval of any label misses after any of the first seven games."""
    shares, level = (F(3, 5), F(3, 10), F(1, 10)), 0.4
    missed = Counter()

    def go_on(before, chance):
        ends = zip(before.low.values(), before.high.values(), shares, strict=True)
        if any(not low < share < high for low, high, share in ends):
            missed[before.games] += chance
        elif before.games < 7:
            for label, share in enumerate(shares, 1):
                after = deepcopy(before)
                after.add(label)
                go_on(after, chance * share)

    go_on(Monitor(3, level=level), F(1))
    assert 0 < sum(missed.values()) <= level and len(missed) > 1


def test_what_is_decided_stays_decided_and_games_go_on():
    monitor = Monitor(["left", "right"], margin=0.2)
    monitor.extend(["left", None] * 13)
    assert (monitor.verdict, monitor.stopped_at, monitor.draws) == ("undecided", None, 13)
    monitor.add_draw()
    monitor.add("left")
    assert (monitor.verdict, monitor.stopped_at, monitor.games) == ("unfair", 28, 28)
    least = monitor.p_value
    assert least == pytest.approx(1 / float(plain.mixture((14, 0))))
    monitor.extend(["right", "left"] * 500)
    assert (monitor.verdict, monitor.stopped_at, monitor.games) == ("unfair", 28, 1028)
    assert monitor.evidence < 1 and monitor.p_value == least
    assert monitor.wins == {"left": 514, "right": 500}
    assert monitor.shares["left"] == pytest.approx(514 / 1014)
    assert 0.3 < monitor.low["left"] and monitor.high["left"] < 0.7


def test_a_win_that_was_named_impossible_decides_at_once_and_for_ever():
    monitor = Monitor(["a", "b", "c"], {"a": 0.5, "b": 0.5, "c": 0})
    monitor.extend(["a", "b", "c"])
    assert (monitor.verdict, monitor.stopped_at) == ("fair", 3)
    assert monitor.evidence == 0 and monitor.log_evidence == -inf and monitor.p_value == pytest.approx(4 / 9)
    monitor.extend(["a"] * 50)
    assert monitor.evidence == 0 and monitor.verdict == "fair"
    assert "rather even" in str(monitor).lower()


def test_evidence_that_meets_its_bound_has_reached_it():
    lost = Monitor(2, [0.75, 0.25], power=0.5)
    lost.add(2)
    won = Monitor(2, [0.75, 0.25], level=8 / 27)
    won.extend([1, 1, 1])
    assert (lost.verdict, won.verdict, won.stopped_at) == ("fair", "unfair", 3)


def test_more_evidence_than_a_number_can_hold_is_infinite():
    monitor = monitored((3000, 0))
    assert monitor.evidence == inf and monitor.log_evidence > 1000 and monitor.p_value == 0


def test_where_both_verdicts_come_in_one_game_it_is_fair():
    sequence = mixed((300, 300, 50, 50))[:32]
    before, after = ([part.count(label) for label in range(1, 5)] for part in (sequence[:-1], sequence))
    assert plain.mixture(before) < 20 <= plain.mixture(after)
    for margin, verdict in ((0.49, "fair"), (0.489, "unfair")):
        monitor = Monitor(4, margin=margin)
        monitor.extend(sequence[:-1])
        assert monitor.verdict == "undecided" == plain.verdict(before, F(1, 20), F(margin))
        monitor.add(sequence[-1])
        assert monitor.verdict == verdict == plain.verdict(after, F(1, 20), F(margin))


def test_the_verdicts_in_words():
    assert str(monitored((12, 10))) == (
        "Cannot tell: number 1 won 54.5% of 22 games (interval 28.7 to 78.8%), where 50.0% would be even. The "
        "evidence against equal chances is 0.716; it decides at 20."
    )
    monitor = Monitor(["wolves", "village"])
    monitor.extend(["wolves"] * 15 + [None])
    said = "Unfair, decided at game 14: wolves won 100.0% of 15 games, not counting 1 draw (interval"
    assert str(monitor).startswith(said)
    assert str(monitor).endswith("fair games ever give so much evidence in at most 2.2 of 100 cases.")
    monitor.extend(["wolves"] * 30)
    assert str(monitor).endswith("in less than 1 of 100,000 cases.") and "decided at game 14:" in str(monitor)
    assert "with 95% confidence at all times" in str(monitored((600, 600)))
    assert str(monitored((600, 600))).startswith("Fair within 5 percentage points, decided at game ")
    named = monitored((5, 9), [0.6, 0.4])
    assert "it decides at 20, and at 0.2 for equal ones." in str(named)
    named.extend([2] * 20)
    assert str(named).startswith("Rather even than 60 : 40, decided at game 17, when the results were at least 5 times")


def test_bounds_in_words_are_rounded_to_the_safe_side():
    assert wording.at_most(0.02601) == "in at most 2.7 of 100 cases" and "2.6 of 100" in wording.at_most(0.026)
    assert wording.at_most(0.0001201) == "in at most 1.3 of 10,000 cases" and "100 of 100" in wording.at_most(0.995)
    assert (wording.three_digits_down(1 / 0.15), wording.three_digits_down(1000)) == ("6.66", "1000")


def test_a_table_of_what_was_seen():
    frame = monitored((30, 21)).to_frame()
    assert list(frame.columns) == ["wins", "share", "low", "high"] and frame.index.tolist() == [1, 2]
    assert (
        frame.loc[2, "wins"] == 21 and (frame["low"] < frame["share"]).all() and (frame["share"] < frame["high"]).all()
    )


def test_a_list_with_a_mistake_counts_for_nothing():
    monitor = Monitor(2)
    with refused("label = 3", "[1, 2]"):
        monitor.extend([1, 2, None, 3])
    assert monitor.games == 0


test_is_refused = refuses(
    (lambda: Monitor(1), r"^labels = 1: a whole number from 2 to 10"),
    (lambda: Monitor(11), r"^labels = 11: "),
    (lambda: Monitor(["a"]), r"^labels = \['a'\]: 2 to 10 different"),
    (lambda: Monitor("ab"), r"^labels = 'ab': "),
    (lambda: Monitor(["a", "a"]), r"^labels = "),
    (lambda: Monitor(["a", None]), r"^labels = "),
    (lambda: Monitor([["a"], ["b"]]), r"^labels = "),
    (lambda: Monitor(2.5), r"^labels = 2.5: a list is needed"),
    (lambda: Monitor(2, [0.5, 0.5]), r"^alternative = \[0.5, 0.5\]: chances that are not all equal"),
    (lambda: Monitor(2, [0.5, 0.4]), r"^alternative = \[0.5, 0.4\]: they add up to 0.9"),
    (lambda: Monitor(2, [0.5, 0.3, 0.2]), r"^alternative = .*: 2 chances are needed"),
    (lambda: Monitor(2, [1.5, -0.5]), r"^alternative = "),
    (lambda: Monitor(["a", "b"], {"a": 0.6, "c": 0.4}), r"^alternative = .*a chance for each of \['a', 'b'\]"),
    (lambda: Monitor(2, level=0), r"^level = 0: "),
    (lambda: Monitor(2, level=1.0), r"^level = 1.0: "),
    (lambda: Monitor(2, power=float("nan")), r"^power = nan: "),
    (lambda: Monitor(2, margin=1), r"^margin = 1: "),
    (lambda: Monitor(2).add(None), r"^label = None: one of \[1, 2\]"),
    (lambda: Monitor(2).add([1]), r"^label = \[1\]: "),
    (lambda: Monitor(2).extend(7), r"^labels = 7: a list is needed"),
)
