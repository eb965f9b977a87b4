"""A monitor: evidence, intervals and verdicts against all sequences of games, by hand and published formulas."""

from collections import Counter
from copy import deepcopy
from fractions import Fraction as F
from itertools import product
from math import inf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, special, stats

from gamebalance.base.splitmix import GOLDEN, mix, mix_word
from gamebalance.fairness import Monitor, stopping_times
from gamebalance.fairness.monitor import FIRST
from gamebalance.fairness.rotation import seat_effects
from gamebalance.fairness.stopping import _block
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


@settings(max_examples=25)
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


def test_intervals_hold_together_at_all_times_exactly():
    """The chance that the interval of any label misses after any of the first six games."""
    shares, level = (F(3, 5), F(3, 10), F(1, 10)), 0.4
    missed = Counter()

    def go_on(before, chance):
        ends = zip(before.low.values(), before.high.values(), shares, strict=True)
        if any(not low < share < high for low, high, share in ends):
            missed[before.games] += chance
        elif before.games < 6:
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
    monitor.add(None)
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


def test_more_evidence_than_a_number_can_hold_is_infinite():
    monitor = monitored((3000, 0))
    assert monitor.evidence == inf and monitor.log_evidence > 1000 and monitor.p_value == 0


def test_a_list_with_a_mistake_counts_for_nothing():
    monitor = Monitor(2)
    with refused("label = 3", "[1, 2]"):
        monitor.extend([1, 2, None, 3])
    assert monitor.games == 0


test_is_refused = refuses(
    (lambda: Monitor(1), r"^labels = 1: a whole number from 2 to 10"),
    (lambda: Monitor(2, [0.5, 0.5]), r"^alternative = \[0.5, 0.5\]: chances that are not all equal"),
    (lambda: Monitor(["a", "b"], {"a": 0.6, "c": 0.4}), r"^alternative = .*a chance for each of \['a', 'b'\]"),
    (lambda: Monitor(2).add(3), r"^label = 3: one of \[1, 2\]"),
    (lambda: Monitor(2).add([1, 1]), r"^labels = \[1, 1\]: different ones"),
    (lambda: Monitor(2).add({1: 0.5, 2: 0.4}), r"^labels = .*add up to 1"),
    (lambda: Monitor(3).add_block([1, 2]), r"^results = \[1, 2\]: a block of 3 games"),
    (lambda: (monitor := Monitor(2)).add_block([1, 2]) or monitor.add(1), "games: this monitor counts blocks"),
    (lambda: stopping_times([1.0, 0.0], rotated=1), r"^shares = .*above 0"),
    (lambda: stopping_times([0.5, 0.5], [0.6, 0.4], rotated=1), r"^rotated = 1: None is needed"),
)


#: By pair of games with seats swapped: who won them, by seat, and the score of the first seat.
PAIRS = {0.0: (2, 2), 0.25: (2, None), 0.5: (1, 2), 0.75: (1, None), 1.0: (1, 1)}
SCORES = np.array(list(PAIRS))


def counted(monitor, results, add):
    for result in results:
        getattr(monitor, add)(result)
    return monitor


@pytest.mark.parametrize(
    ("groups", "add", "chances", "most"),
    [
        (2, "add_block", {(1, 1): 0.05, (1, 2): 0.5, (2, 2): 0.05, (1, None): 0.2, (2, None): 0.2}, 4),
        (3, "add_block", {(1, 2, 3): 0.4, (1, 1, 2): 0.2, (2, 2, 3): 0.2, (3, 3, 1): 0.2}, 4),
        (3, "add", {(1,): 0.2, (2,): 0.2, (3,): 0.2, (1, 2): 0.4 / 3, (2, 3): 0.4 / 3, (1, 3): 0.4 / 3}, 3),
    ],
)
def test_the_mean_of_the_evidence_is_1_where_all_have_as_much_on_the_average(groups, add, chances, most):
    """Over all sequences of such results."""
    named = [0.6, *[0.4 / (groups - 1)] * (groups - 1)]
    assert sum(chances.values()) == pytest.approx(1)
    mean = Counter()
    for sequence in product(chances, repeat=most):
        chance = np.prod([chances[result] for result in sequence])
        for kind, alternative in (("open", None), ("named", named)):
            mean[kind] += chance * counted(Monitor(groups, alternative), sequence, add).evidence
    assert mean == pytest.approx({"open": 1, "named": 1}, rel=1e-7)


@pytest.mark.parametrize(("chances", "ends"), [((0.3, 0.6, 0.1), "_near"), ((0.1, 0.6, 0.3), "_far")])
def test_bets_against_an_end_of_the_margin_have_mean_1_there(chances, ends):
    """Scores 0, 1/2 and 1 of pairs with means 0.4 and 0.6, the ends of a margin of 0.1."""
    mean = np.zeros(2)
    for sequence in product([0.0, 0.5, 1.0], repeat=5):
        chance = np.prod([chances[int(2 * score)] for score in sequence])
        monitor = counted(Monitor(2, margin=0.1), [PAIRS[score] for score in sequence], "add_block")
        mean += chance * np.exp(getattr(monitor._ends, ends))
    assert mean[0] == pytest.approx(1) and mean[1] > 2  # the other seat is as far from that end as can be


@pytest.mark.parametrize(("shares", "most"), [((0.5, 0.5), 1600), ((0.6, 0.4), 600), ((0.4, 0.3, 0.2, 0.1), 400)])
def test_the_simulation_of_blocks_stops_where_a_monitor_of_the_same_ones_does(shares, most):
    skill, groups, seed, runs = 1.2, len(shares), 5, 8
    favour = np.exp(seat_effects(np.array(shares), skill))
    found = stopping_times(shares, margin=0.08, runs=runs, seed=seed, most=most, rotated=skill)
    watched = Counter()
    for run in range(runs):
        monitor = Monitor(groups, margin=0.08)
        state, parts = np.uint64(mix_word(np.uint64((mix(seed) + GOLDEN * run) % 2**64))), np.empty(groups)
        for _ in range(most // groups):
            state = np.uint64(_block(state, skill, favour, np.empty(groups), parts))
            wins = np.round(parts * groups).astype(int)
            monitor.add_block([label for label, count in enumerate(wins, 1) for _ in range(count)])
            if monitor.stopped_at:
                break
        watched[monitor.verdict, monitor.games] += 1
    assert watched == {
        (verdict, games): count
        for row, verdict in enumerate(("undecided", "unfair", "fair"))
        for games, count in enumerate(found.ended[row])
        if count
    }


def pentanomial(more, score, drawn=0.45, decided=0.06):
    """Chances of the five scores of a pair whose mean is the score, tilted from a distribution about a half."""
    even = np.array([decided / 2, drawn / 2, 1 - drawn - decided, drawn / 2, decided / 2])

    def mean(tilt):
        weights = even * np.exp(tilt * SCORES)
        return weights @ SCORES / weights.sum() - score

    weights = even * np.exp(optimize.brentq(mean, -30, 30) * SCORES)
    return more.choice(5, size=4000, p=weights / weights.sum())


def normal_ratio(counts, score):
    """The generalised ratio of fastchess and fishtest: N (s1 - s0) (2 mean - s0 - s1) / (2 var), s0 a half."""
    pairs = counts.sum()
    mean = counts @ SCORES / pairs
    return pairs * (score - 0.5) * (2 * mean - 0.5 - score) / (2 * (counts @ np.square(SCORES - mean) / pairs))


@pytest.mark.parametrize("truth", [0.5, 0.51])
def test_pairs_give_the_evidence_of_the_published_formula(truth):
    """With b = (s1 - 1/2) / var the bet is 1 + b y, and its logarithm b y - (b y)^2 / 2 but for (b y)^3 / 3 and less.

    The first two add up to the published ratio if var is known, and third powers to 0.06 here. While the scatter, in
    parts of that of a game, goes from the expected 1/2 to r as F (1/2 - r) / (F + n), b is too small by as much; what
    that costs has the standard deviation (s1 - 1/2) / sqrt(var) (1 / (2 r) - 1) sqrt(F), 0.3 here. Ratios go to 12.
    """
    random, apart = np.random.default_rng(11), []
    for _ in range(4):
        scores = pentanomial(random, truth)
        monitor = counted(Monitor(2, [0.51, 0.49]), (PAIRS[score] for score in SCORES[scores]), "add_block")
        counts = np.bincount(scores, minlength=5)
        published = normal_ratio(counts, 0.51)
        apart += [monitor.log_evidence - published, monitor._bet.for_even + published]
    part = 4 * np.square(SCORES[scores] - 0.5).mean()
    error = 0.01 / (part / 4) ** 0.5 * (0.5 / part - 1) * FIRST**0.5
    assert 0.25 < error < 0.35 and max(map(abs, apart)) < 0.06 + 3 * error
    assert (np.square(apart).mean()) ** 0.5 < 0.06 + 1.5 * error


def test_the_course_is_what_was_known_after_each_game():
    monitor = Monitor(["wolves", "town"])
    monitor.extend(["wolves", "town", "wolves", None] * 70)
    course = monitor.course(points=7)
    assert course["game"].iloc[-1] == 280 == monitor.games and monitor.stopped_at in set(course["game"])
    last = course[course["game"] == 280].set_index("label")
    assert last[["wins", "share", "low", "high"]].equals(monitor.to_frame())
    assert set(last["evidence"]) == {monitor.evidence} and set(course["verdict"]) == {"undecided", "unfair"}
    early = Monitor(["wolves", "town"])
    early.extend((["wolves", "town", "wolves", None] * 70)[: course["game"].iloc[0]])
    assert course["evidence"].iloc[0] == early.evidence
    assert len(Monitor(2).course()) == 0
    blocks = counted(Monitor(2), [(1, 2), (1, 1), (1, None)], "add_block")
    assert blocks.course()["game"].tolist() == [2, 2, 4, 4, 6, 6]


def test_the_page_of_a_course_stands_alone():
    monitor = Monitor(["<b>", "town", "c"])
    monitor.extend(["<b>", "town", "<b>", "c", None] * 9)
    page = monitor.to_html()
    assert "<b>, " not in page and "&lt;b&gt;" in page and "://" not in page and "<script" not in page
    assert page.count('role="img" aria-label="') == page.count("<svg") == 4 and "nan" not in page
    assert monitor.sentence.split(":")[0] in page and "prefers-color-scheme: dark" in page
    assert "<svg" not in Monitor(2).to_html() and "no game was decided" in Monitor(2).to_html()
