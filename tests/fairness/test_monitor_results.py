"""Games whose win is shared, placings, and blocks with rotated seats: bets of mean 1, intervals, published formulas."""

from collections import Counter
from itertools import permutations, product
from math import exp, inf, log

import numpy as np
import pytest
from scipy import optimize

from gamebalance.base.splitmix import mix
from gamebalance.fairness import Monitor, bets, stopping_times
from gamebalance.fairness.monitor import FIRST
from gamebalance.fairness.monitor_kernels import blocks_played
from gamebalance.fairness.rotation import seat_effects, spread_of
from tests.refusals import refused, refuses

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
        (3, "add_placing", {order: 1 / 6 for order in permutations((1, 2, 3))}, 3),
        (3, "add_placing", {((1, 2), 3): 0.2, ((1, 3), 2): 0.2, ((2, 3), 1): 0.2, ((1, 2, 3),): 0.4}, 4),
        (3, "add_shared", {(1,): 0.2, (2,): 0.2, (3,): 0.2, (1, 2): 0.4 / 3, (2, 3): 0.4 / 3, (1, 3): 0.4 / 3}, 3),
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


def test_the_bet_on_even_chances_has_mean_1_under_the_named_ones():
    named, mean = (0.6, 0.4), 0.0
    for sequence in product([0.0, 0.5, 1.0], repeat=5):
        chance = np.prod([{0.0: 0.1, 0.5: 0.6, 1.0: 0.3}[score] for score in sequence])
        monitor = counted(Monitor(2, named), [PAIRS[score] for score in sequence], "add_block")
        mean += chance * exp(monitor._bet.for_even)
    assert mean == pytest.approx(1)


@pytest.mark.parametrize(("chances", "ends"), [((0.3, 0.6, 0.1), "_near"), ((0.1, 0.6, 0.3), "_far")])
def test_bets_against_an_end_of_the_margin_have_mean_1_there(chances, ends):
    """Scores 0, 1/2 and 1 of pairs with means 0.4 and 0.6, the ends of a margin of 0.1."""
    mean = np.zeros(2)
    for sequence in product([0.0, 0.5, 1.0], repeat=5):
        chance = np.prod([chances[int(2 * score)] for score in sequence])
        monitor = counted(Monitor(2, margin=0.1), [PAIRS[score] for score in sequence], "add_block")
        mean += chance * np.exp(getattr(monitor._ends, ends))
    assert mean[0] == pytest.approx(1) and mean[1] > 2  # the other seat is as far from that end as can be


def test_a_share_of_all_of_it_is_a_win_and_one_of_equal_parts_a_draw():
    games = ["a", "b", "a", None, "c"]
    plain, shared = Monitor("a b c".split()), Monitor("a b c".split())
    plain.extend(games)
    for game in games:
        shared.add_shared({"a": 1 / 3, "b": 1 / 3, "c": 1 / 3} if game is None else {game: 1.0})
    assert shared.draws == plain.draws == 1 and shared.wins == plain.wins
    assert (shared.evidence, shared.low, shared.high) == (plain.evidence, plain.low, plain.high)
    again = Monitor("a b c".split())
    again.extend([{"a": 0.25, "b": 0.75}, ["b", "c"], ("a", "c")])
    assert again.wins == {"a": 0.75, "b": 1.25, "c": 1.0} and again.games == 3


def test_points_for_places_by_hand():
    monitor = Monitor([1, 2, 3, 4])
    monitor.add_placing([(1, 2), 4, 3])  # 2.5, 2.5, 0 and 1 of 6 points
    assert monitor.wins == pytest.approx({1: 5 / 12, 2: 5 / 12, 3: 0, 4: 1 / 6}, abs=1e-9)
    assert "number 3 got 0.0% of the points of 1 game (" in str(monitor)
    # Of two, the first has all: placings are wins.
    placed, won = Monitor(2), Monitor(2)
    counted(placed, [(1, 2), (1, 2), (2, 1)], "add_placing")
    won.extend([1, 1, 2])
    assert placed.evidence == won.evidence


def test_a_block_by_hand():
    """The first says nothing; the second is bet on with what the first has shown, twice: half the scatter of a game."""
    monitor = Monitor(2)
    monitor.add_block([1, 1])
    assert monitor.evidence == 1 and monitor.games == 2 and monitor.wins == {1: 2, 2: 0}
    scatter = (10 * 0.5 + 1) / 11  # ten results with half the scatter of a game were expected; one with all was seen
    expected = 0.0
    for weight, own in bets.parts(2):
        count = own + 2
        chances = np.array([count, own])
        total = chances.sum()
        squared = [
            sum(each * (each + 1) for each in after) / (sum(after) * (sum(after) + 1)) - 0.5
            for after in (chances + np.eye(2)[0], chances + np.eye(2)[1], chances)
        ]
        wins = 2 * chances / total * np.array(squared[:2]) / squared[2]
        assert wins.sum() == pytest.approx(2)
        raised = min(1 / scatter, (1 - bets.LEFT) / (1 - wins.min()))
        expected += weight * (1 + raised * (wins[0] - 1))
    monitor.add_block([1, 1])
    assert monitor.evidence == pytest.approx(expected, rel=1e-8)


def test_blocks_of_persons_who_differ_tell_sooner_and_keep_the_level():
    """Fewer games than one by one; and of 2,000 fair series no more are called unfair than chance leaves of 5%."""
    for shares in ((0.55, 0.45), (0.315, 0.242, 0.241, 0.202)):
        blocks = stopping_times(shares, runs=1000, rotated=spread_of(0.8))
        alone = stopping_times(shares, runs=1000)
        assert blocks.mean().value < 0.75 * alone.mean().value
        assert blocks.share("fair").value < 0.03
    for groups in (2, 4):
        fair = stopping_times([1 / groups] * groups, runs=2000, rotated=spread_of(0.8))
        found = fair.share("unfair")
        assert 0 < found.value <= 0.05 + 5 * (0.05 * 0.95 / fair.runs) ** 0.5


@pytest.mark.parametrize(("shares", "most"), [((0.5, 0.5), 1600), ((0.6, 0.4), 600), ((0.4, 0.3, 0.2, 0.1), 400)])
def test_the_simulation_of_blocks_stops_where_a_monitor_of_the_same_ones_does(shares, most):
    skill, groups, seed, runs = 1.2, len(shares), 5, 8
    favour = np.exp(seat_effects(np.array(shares), skill))
    found = stopping_times(shares, margin=0.08, runs=runs, seed=seed, most=most, rotated=skill)
    watched = Counter()
    for run in range(runs):
        monitor = Monitor(groups, margin=0.08)
        for parts in blocks_played(most // groups, np.uint64(mix(seed)), run, skill, favour):
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


def test_players_of_simulated_blocks_win_as_often_as_named():
    """Each mean within five standard errors."""
    shares, skill = np.array([0.4, 0.3, 0.2, 0.1]), 1.0
    parts = blocks_played(100_000, np.uint64(1), 0, skill, np.exp(seat_effects(shares, skill)))
    assert np.all(abs(parts.mean(axis=0) - shares) < 5 * parts.std(axis=0) / 100_000**0.5 + 1e-4)
    alone = blocks_played(50_000, np.uint64(1), 0, 0.0, np.ones(4))
    rotated = blocks_played(50_000, np.uint64(1), 0, 2.0, np.ones(4))
    assert rotated.var() < 0.75 * alone.var() == pytest.approx(0.75 * 3 / 64, rel=0.02)


def test_intervals_of_blocks_are_where_the_bets_reach_the_bound():
    random = np.random.default_rng(3)
    monitor = Monitor(2, margin=0.1)
    for score in random.choice(SCORES, 300, p=[0.02, 0.2, 0.5, 0.22, 0.06]):
        monitor.add_block(PAIRS[score])
    low, high = monitor.low[1], monitor.high[1]
    assert low < monitor.shares[1] < high and high - low < 0.15 and monitor.low[2] == pytest.approx(1 - high)
    assert (monitor.verdict == "fair") == (0.4 <= low and high <= 0.6)
    wagers, parts = np.array(monitor._ends._bets), np.array(monitor._ends._parts[0])
    reached = np.log1p(np.minimum(wagers, (1 - bets.LEFT) / low) * (parts - low)).sum()
    assert reached == pytest.approx(log(2 / 0.05), rel=1e-6)


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


def exact_ratio(counts, score):
    """That of two multinomial distributions, the likeliest with each mean (Van den Bergh)."""
    part = counts / counts.sum()

    def tilt(mean):
        apart = SCORES - mean
        ends = -1 / (1 - mean) + 1e-9, 1 / mean - 1e-9
        return optimize.brentq(lambda by: (part * apart / (1 + by * apart)).sum(), *ends)

    logs = [np.log1p(tilt(mean) * (SCORES - mean)) for mean in (0.5, score)]
    return float(counts @ (logs[0] - logs[1]))


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
        assert exact_ratio(counts, 0.51) == pytest.approx(published, abs=0.1)
        apart += [monitor.log_evidence - published, monitor._bet.for_even + published]
    part = 4 * np.square(SCORES[scores] - 0.5).mean()
    error = 0.01 / (part / 4) ** 0.5 * (0.5 / part - 1) * FIRST**0.5
    assert 0.25 < error < 0.35 and max(map(abs, apart)) < 0.06 + 3 * error
    assert (np.square(apart).mean()) ** 0.5 < 0.06 + 1.5 * error


def test_pairs_stop_about_when_the_published_test_does():
    """At the same bounds; a tenth later on the average is what keeping the level for certain costs here."""
    random, score, stops = np.random.default_rng(12), 0.515, []
    for _ in range(40):
        scores = pentanomial(random, score)
        monitor = Monitor(2, [score, 1 - score])
        for pair in SCORES[scores]:
            monitor.add_block(PAIRS[pair])
            if monitor.stopped_at:
                break
        counts = np.cumsum(scores[:, None] == np.arange(5), axis=0)
        ratios = [normal_ratio(each, score) for each in counts[20::20]]
        published = next(20 * place + 21 for place, ratio in enumerate(ratios) if not log(0.2) < ratio < log(20))
        stops.append((monitor.games / 2, published))
    ours, theirs = np.mean(stops, axis=0)
    error = np.std(np.diff(stops, axis=1)) / 40**0.5
    assert abs(ours - theirs) < 0.1 * theirs + 3 * error and error < 0.1 * theirs


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


def test_kinds_of_results_are_not_mixed_and_mistakes_count_for_nothing():
    monitor = Monitor(2)
    monitor.add_block([1, 2])
    with refused("games", "counts blocks"):
        monitor.add(1)
    with refused("label = 3"):
        monitor.add_block([1, 3])
    assert monitor.games == 2 and monitor.evidence == 1


def test_evidence_for_even_chances_of_an_impossible_win_is_endless():
    monitor = Monitor(2, [1.0, 0.0])
    monitor.add(2)
    assert monitor._bet.for_even == inf and monitor.verdict == "fair"


test_is_refused = refuses(
    (lambda: Monitor(2).add_shared([1, 1]), r"^labels = \[1, 1\]: different ones"),
    (lambda: Monitor(2).add_shared([]), r"^labels = \[\]: "),
    (lambda: Monitor(2).add_shared({1: 0.5, 2: 0.4}), r"^labels = .*add up to 1"),
    (lambda: Monitor(2).add_shared({1: 1.5, 2: -0.5}), r"^share = 1.5: "),
    (lambda: Monitor(2).add_shared(7), r"^labels = 7: a list is needed"),
    (lambda: Monitor(3).add_placing([1, 2]), r"^order = \[1, 2\]: each of \[1, 2, 3\] once"),
    (lambda: Monitor(3).add_placing([1, 2, 2]), r"^order = \[1, 2, 2\]: each"),
    (lambda: Monitor(3).add_placing([(1, 4), 2]), r"^label = 4: "),
    (lambda: Monitor(3).add_block([1, 2]), r"^results = \[1, 2\]: a block of 3 games"),
    (lambda: Monitor(2).course(0), r"^points = 0: "),
    (lambda: stopping_times([0.5, 0.5], rotated=-1), r"^spread = -1: "),
    (lambda: stopping_times([1.0, 0.0], rotated=1), r"^shares = .*above 0"),
    (lambda: stopping_times([0.5, 0.5], [0.6, 0.4], rotated=1), r"^rotated = 1: None is needed"),
)
