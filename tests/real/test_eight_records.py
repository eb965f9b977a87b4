"""What leaders' records allow: arithmetic of the region by hand, sets that hold the truth, the split, the stars."""

from itertools import permutations

import numpy as np
import pandas as pd
import pytest

from chapters.real.eight import fitting, leaders, splitting, stars
from chapters.real.eight.behaviour import REPORT, Behaviour
from chapters.real.eight.leaders import Leaders
from chapters.real.eight.playing import Wins, simulate
from gamebalance import publish, rationality
from tests.refusals import refuses

ARENA = publish.observed("sanguosha_arena")
KNOWN = leaders.read(ARENA)
STARS = stars.read(ARENA)
HALF = Leaders((0.5, 0.5, 0.6, 0.1), 800)


def test_the_records():
    assert KNOWN.won == (0.4578, 0.4565, 0.5939, 0.0663) and KNOWN.results == 25533
    assert KNOWN.upper == pytest.approx([(45.78 + 2 * 45.65) / 300, 0.5939, 0.0663])
    assert KNOWN.excess == pytest.approx(0.117133333)


def test_errors_and_fewest_games_by_hand():
    assert HALF.by_role.tolist() == [100, 200, 400, 100]
    # One result for each of 100 games, or 300, 400 and 100 results apart.
    assert HALF.errors() == pytest.approx([0.05, (0.24 / 100) ** 0.5, 0.03])
    assert HALF.errors(together=False) == pytest.approx([(0.25 / 300) ** 0.5, (0.24 / 400) ** 0.5, 0.03])
    # 50 games won as lord; 240 rebels who won are at least 60 games; 10 as renegade.
    assert HALF.fewest_games == 120
    assert KNOWN.fewest_games > KNOWN.results / 8  # so that the results are not those of all players of 3,191 games


def test_region_by_hand():
    upper = HALF.upper
    low, high = leaders.bounds(upper)
    assert low == pytest.approx([0.3, 0.4, 0.0]) and high == pytest.approx([0.5, 0.6, 0.1])
    # Without a renegade who wins: 0.4 to 0.5 for the lord; with one in ten: 0.3 to 0.5.
    expected = [[0.3, 0.6, 0.1], [0.4, 0.6, 0.0], [0.5, 0.4, 0.1], [0.5, 0.5, 0.0]]
    assert leaders.corners(upper) == pytest.approx(np.array(expected))
    assert (leaders.gap(leaders.corners(KNOWN.upper), KNOWN.upper) < 1e-6).all()


def test_gap_is_the_least_distance_to_the_region():
    rng = np.random.default_rng(4)
    _, high = leaders.bounds(HALF.upper)
    inside = rng.dirichlet([1, 1, 1], 40000)
    inside = inside[(inside <= high).all(axis=1)]
    for shares in rng.dirichlet([2, 2, 2], 8):
        least = np.abs(inside - shares).sum(axis=1).min() / 2
        assert leaders.gap(shares, HALF.upper) <= least + 1e-9
        assert leaders.gap(shares, HALF.upper) > least - 0.03  # so near is the nearest of the points tried
    assert leaders.gap([0.6, 0.2, 0.2], HALF.upper) == pytest.approx(0.1 + 0.1)
    assert leaders.gap_error([0.6, 0.2, 0.2], HALF.upper, 100) == pytest.approx((0.8 * 0.2 / 100) ** 0.5)
    assert leaders.gap_error([0.4, 0.55, 0.05], HALF.upper, 100) == 0


def test_points():
    for point in leaders.POINTS.values():
        assert point(KNOWN.upper).sum() == pytest.approx(1, abs=1e-8)
        assert leaders.gap(point(KNOWN.upper), KNOWN.upper) == 0
        assert point([0.2, 0.3, 0.4999999999]) == pytest.approx([0.2, 0.3, 0.5], abs=1e-6)
    odds = KNOWN.upper / (1 - KNOWN.upper)
    middle = leaders.by_common_odds(KNOWN.upper)
    assert np.ptp(odds / (middle / (1 - middle))) < 1e-6
    assert np.ptp(KNOWN.upper / leaders.by_common_factor(KNOWN.upper)) < 1e-6


@pytest.mark.parametrize("name", leaders.POINTS)
def test_slopes_of_points(name):
    point, step = leaders.POINTS[name], 1e-4
    for side, change in enumerate(np.eye(3) * step):
        moved = (point(KNOWN.upper + change) - point(KNOWN.upper - change)) / (2 * step)
        assert leaders.slopes(KNOWN.upper, name)[:, side] == pytest.approx(moved, abs=1e-4)


def test_the_true_behaviour_is_in_the_set():
    """400 made-up records for each: a set of 95% that held the truth in fewer than 91% would be wrong.

    Were the true rate 95%, fewer than 364 of 400 would have a chance below 0.0003 (binomial); the seeds are fixed.
    """
    shares = simulate(Behaviour(rush=0.3, suspicion=1), 20000, 9).shares
    even = fitting.recovery(shares, 1.0, KNOWN, games=5000, repetitions=400, seed=1)
    assert min(even.values()) >= 0.91
    lifted = fitting.recovery(shares, 1.5, KNOWN, games=5000, repetitions=400, seed=2)
    assert lifted["leaders do no worse"] == 1.0 and lifted["one factor of odds"] >= 0.91
    assert lifted["one factor of shares"] < 0.9  # another assumption than the one the records were made by


def test_the_set_leaves_out_what_is_far():
    far = np.array([[4515, 3746, 1738], [3400, 5950, 650], [4100, 5800, 100], [2000, 7900, 100]])
    assert fitting.consistent(far, KNOWN).tolist() == [False, True, True, False]
    assert fitting.consistent(far.reshape(2, 2, 3), KNOWN).shape == (2, 2)
    middle = np.round(1e6 * leaders.by_common_odds(KNOWN.upper)).astype(int)
    assert fitting.distance(middle, KNOWN, "one factor of odds") < 1e-3
    assert (
        fitting.near(middle, KNOWN, "one factor of odds") and not fitting.near(far, KNOWN, "one factor of odds").any()
    )
    # A wider level takes in more.
    edge = np.array([4750, 4900, 350])
    assert not fitting.consistent(edge, KNOWN, 0.5) and fitting.consistent(edge, KNOWN, 0.999)


def test_distance_is_the_quadratic_form():
    counts, point = np.array([4300, 5100, 600]), "one factor of shares"
    share, turn = counts / 1e4, leaders.slopes(KNOWN.upper, point)
    whole = (np.diag(share) - np.outer(share, share)) / 1e4 + turn @ np.diag(KNOWN.errors() ** 2) @ turn.T
    apart = share - leaders.by_common_factor(KNOWN.upper)
    for two in permutations(range(3), 2):  # whichever two of the shares are looked at
        wanted = apart[list(two)] @ np.linalg.solve(whole[np.ix_(two, two)], apart[list(two)])
        assert fitting.distance(counts, KNOWN, point) == pytest.approx(wanted, rel=1e-4)


@pytest.fixture(scope="module")
def small():
    return splitting.survey({"rush": [0, 0.4], "turn": [2, 3], "suspicion": [0, 1]}, 1500, seed=3)


def test_survey(small):
    assert small.shape == (2, 2, 2) and small.behaviours[0] == REPORT and len(small.counts) == 8
    assert small.within(frozenset(["turn"])).nonzero()[0].tolist() == [0, 2]
    assert small.counts[2].tolist() == list(simulate(Behaviour(turn=3), 1500, 3).counts)
    gaps = leaders.gap(small.shares, KNOWN.upper)
    best = splitting.nearest(small, KNOWN.upper, frozenset(small.levels))
    assert gaps[small.behaviours.index(best)] == gaps.min()
    assert splitting.nearest(small, KNOWN.upper, frozenset()) == REPORT


def test_split_adds_up(small):
    found = splitting.split(small, KNOWN.upper, 1500, 50, simulate(REPORT, 1500, 50))
    total = sum(part.value for part in found.parts.values())
    assert total == pytest.approx(found.closed[found.all].value, abs=1e-8)
    assert found.left.value == pytest.approx(found.gap.value - total, abs=1e-8)
    assert found.closed[frozenset()].value == 0 and len(found.closed) == 8
    # By hand: the mean over the six orders of what a parameter adds.
    for name in small.levels:
        added = []
        for order in permutations(small.levels):
            before = frozenset(order[: order.index(name)])
            added.append(found.closed[before | {name}].value - found.closed[before].value)
        assert found.parts[name].value == pytest.approx(np.mean(added), abs=1e-8)
    # Nobody attacks the lord in the report's games, so that nothing is ever shown.
    alone = found.closed[frozenset(["suspicion"])]
    assert alone.value == 0 and found.nearest[frozenset(["suspicion"])] == REPORT
    assert found.wins[REPORT].games == 1500
    assert all(0 < part.error < 0.05 for part in found.parts.values())


def test_stars_by_hand():
    assert STARS.tolist() == [[3, 3, -2, -1], [-2, -2, 2, -2], [-1, -1, -1, 7]]
    found = stars.expected([0.5, 0.3, 0.2], STARS)
    assert found == pytest.approx([0.7, 0.7, -0.6, 0.3])
    assert rationality(found) == pytest.approx(((found - found.mean()) ** 2).sum())


def test_stars_over_a_region():
    low, high = stars.expected_over(HALF.upper, STARS)
    # Most for the lord with half of the games and no renegade, for the renegade with all his games and no rebels' more.
    assert low[0] == pytest.approx(3 * 0.3 - 2 * 0.6 - 0.1) and high[0] == pytest.approx(3 * 0.5 - 2 * 0.4 - 0.1)
    assert low[3] == pytest.approx(-0.4 - 2 * 0.6) and high[3] == pytest.approx(-0.5 - 2 * 0.4 + 0.7)
    least, most = stars.rationality_over(HALF.upper, STARS)
    tried = np.random.default_rng(5).dirichlet([1, 1, 1], 30000)
    tried = tried[(tried <= HALF.upper).all(axis=1)]
    rats = [rationality(stars.expected(shares, STARS)) for shares in tried]
    assert least <= min(rats) < least + 0.02 and most - 0.1 < max(rats) <= most
    assert stars.rationality_over([0.999, 0.999, 0.999], STARS)[0] < 1e-3  # some shares make the roles nearly even


def test_errors_of_the_bounds_by_hand():
    low, high = stars.bound_errors(HALF, STARS)
    lord, rebels, renegade = HALF.errors()
    # High for the renegade: -lord - 2 (1 - lord - renegade) + 7 renegade; low: -(1 - rebels) - 2 rebels.
    assert high[3] == pytest.approx(np.hypot(lord, 9 * renegade), rel=1e-3) and low[3] == pytest.approx(
        rebels, rel=1e-3
    )


def test_errors_of_stars_by_simulation():
    """The delta method beside 4000 samples of 2500 games; a standard error of samples is off by 1.1%."""
    shares = np.array([0.45, 0.37, 0.18])
    counts = np.random.default_rng(2).multinomial(2500, shares, 4000)
    found = stars.expected(counts / 2500, STARS)
    rats = [rationality(row) for row in found]
    covariance = (np.diag(shares) - np.outer(shares, shares)) / 2500
    assert Wins((1125, 925, 450)).covariance == pytest.approx(covariance)
    wanted = [*found.std(axis=0), np.std(rats)]
    assert stars.errors(shares, covariance, STARS) == pytest.approx(wanted, rel=0.06)


def test_the_leaders_own_stars_by_hand():
    low, high = stars.own(HALF, STARS)
    assert low == pytest.approx([1.5 - 1, 1.5 - 1, 1.2 - 0.8, 0.7 - 1.8])
    assert high == pytest.approx([1.5 - 0.5, 1.5 - 0.5, 1.2 - 0.4, 0.7 - 0.9])


def test_least_rationality_inside_a_region():
    """Points by which equal shares are worth the same to all: the least is inside, and it is 0."""
    even = np.array([[2, 2, -1, -1], [-1, -1, 2, -1], [-1, -1, -1, 2]], float)
    assert stars.rationality_over([0.6, 0.6, 0.6], even)[0] == pytest.approx(0, abs=1e-12)


test_refused = refuses(
    (lambda: Leaders((0.5, 0.5, 0.6), 800), r"^won = \(0\.5, 0\.5, 0\.6\): four shares between 0 and 1 are needed$"),
    (lambda: Leaders((0.5, 0.5, 0.6, 1.0), 800), r"^won = .*: four shares between 0 and 1 are needed$"),
    (lambda: Leaders((0.5, 0.5, 0.6, 0.1), 7), r"^results = 7: a whole number, 8 or more, is needed$"),
    (lambda: leaders.gap([1, 0, 0], [0.3, 0.3, 0.3]), r"^upper = .*: three shares that add to 1 or more are needed$"),
    (lambda: leaders.bounds([0.5, 0.6]), r"^upper = \[0\.5, 0\.6\]: three shares between 0 and 1 are needed$"),
    (lambda: leaders.read(pd.DataFrame({"set": []})), r"^frame = DataFrame: a table with a column key is needed$"),
    (lambda: leaders.read(ARENA.iloc[1:]), r"^frame\.key = .*: one row for each role is needed$"),
    (lambda: leaders.read(ARENA.assign(of=["7 results", *ARENA["of"][1:]])), r"^frame\.of = \[7, 25533\]: "),
    (lambda: stars.read(ARENA.iloc[:-1]), r"^frame: stars for .*; one row is needed for each of "),
    (lambda: fitting.distance(np.ones((1, 3)), KNOWN, "guess"), r"^point = 'guess': one of 'one factor of odds'"),
    (lambda: fitting.consistent(np.ones((1, 3)), KNOWN, 1), r"^level = 1: a number between 0 and 1 is needed$"),
    (lambda: fitting.recovery([0.3, 0.3, 0.4], 0.5, KNOWN, 10, 1, 1), r"^lift = 0\.5: a finite number, 1 or more"),
    (
        lambda: splitting.survey({"turn": [3, 2]}, 10, 1),
        r"^levels\['turn'\]\[0\] = 3: the report's value, 2, is needed$",
    ),
)
