"""Luck against skill: games whose answers are known by construction, and errors against repeated samples."""

from itertools import combinations
from math import log2

import numpy as np
import pytest

from gamebalance import fairness
from gamebalance.fairness.reports.skill import contest
from gamebalance.fairness.reports.tables import Seats, endings_of
from tests.fairness.made_up import Coin, Dictator, Race, always, entropy

SAYS = {"zero": always(0), "one": always(1)}


class Drawn:
    """What a report's play is to `contest`: each table has a distribution over rows of payoffs, exact or sampled."""

    def __init__(self, tables, payoffs, games=None, rng=None, sides=None):
        self.seats = Seats(len(payoffs[0]), sides=sides)
        self.tables, self.payoffs, self.games, self.rng = tables, np.array(payoffs, float), games, rng

    def endings(self, *levels):
        levels = levels * self.seats.players if len(levels) == 1 else levels
        chance = np.array(self.tables[levels], float)
        if self.games is None:
            return endings_of(self.seats, self.payoffs, chance)
        counts = self.rng.multinomial(self.games, chance)
        met = counts > 0
        return endings_of(self.seats, self.payoffs[met], counts[met] / self.games, self.games)


def tables_of(rows, base):
    """The tables of `b` alone among `a`, by seat, and of all `a`."""
    n = len(rows)
    return {tuple("b" if seat == own else "a" for seat in range(n)): rows[own] for own in range(n)} | {("a",) * n: base}


@pytest.mark.parametrize("players", [2, 3])
def test_a_coin_is_all_luck(players):
    found = fairness.report(Coin(players), policies={"a": always("a")}).contests
    assert len(found) == len(list(combinations(("random", "greedy", "searching", "a", "best"), 2)))
    for each in found:
        assert each.bits.value == 0 == each.depth.value and each.luck == 1 and each.points.value == 0
        assert each.share.value == pytest.approx(1 / players) and each.decided == 1 and not each.shown


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_pure_race_is_all_skill(players):
    play = fairness.report(Race(players), policies=SAYS, ways=("random",)).play
    found = contest(play, "one", "zero")
    assert found.share.value == 1 == found.decided and found.luck == 0 and found.points.value == 1
    assert found.bits.value == pytest.approx(log2(players)) and found.depth.value == pytest.approx(1 - 1 / players)
    against = contest(play, "random", "zero")  # wins every other game alone, else nobody does
    assert against.share.value == 1 and against.decided == pytest.approx(0.5)
    assert against.bits.value == pytest.approx(log2(players) / 2) and against.luck == pytest.approx(0.5)
    assert against.points.value == pytest.approx(0.5)
    nothing = contest(play, "zero", "one")  # of two the other wins; of more nobody alone
    assert nothing.share.value == pytest.approx(0 if players == 2 else 1 / players)
    assert nothing.decided == (players == 2) and nothing.bits.value == (players == 2)


@pytest.mark.parametrize(("players", "luck"), [(2, 0.3), (3, 0.5), (5, 0.9)])
def test_a_mixture_has_the_mutual_information_of_its_channel(players, luck):
    """The winner is the better one with chance 1 - luck + luck / n and each other one with luck / n."""
    found = contest(fairness.report(Race(players, luck), policies=SAYS, ways=("random",)).play, "one", "zero")
    others = [luck / players] * (players - 1)
    bits = log2(players) - entropy(1 - sum(others), *others)
    assert found.bits.value == pytest.approx(bits) and found.luck == pytest.approx(1 - bits / log2(players))
    assert found.share.value == pytest.approx(1 - sum(others)) and found.bits.error == 0 == found.share.error


def test_of_a_dictator_nobody_is_better():
    found = fairness.report(Dictator(3))
    assert all(each.bits.value == 0 and each.share.value == pytest.approx(1 / 3) for each in found.contests)
    shape = found.shape.set_index(["all play", "measure"])["value"]
    assert shape["random", "kingmaking"] == 100 and shape["best", "kingmaking"] == 100
    assert shape["random", "asymmetry of roles"] == pytest.approx(100 * np.std([0, 0.5, 0.5]))
    assert shape["random", "first move"] == -50


def test_draws_say_something_too():
    """Two players: the better one wins or it is drawn; a draw does not tell the seat, a win does."""
    rows = [[0.4, 0.0, 0.6], [0.0, 0.4, 0.6]]
    found = contest(Drawn(tables_of(rows, [0.1, 0.1, 0.8]), [(1, 0), (0, 1), (0.5, 0.5)]), "b", "a")
    assert found.bits.value == pytest.approx(0.4) and found.share.value == 1 and found.decided == pytest.approx(0.4)
    assert found.points.value == pytest.approx(0.7 - 0.5)


def test_sides_win_together():
    """Two against one: whose side wins is told; of the two who share it nobody can say which is better."""
    payoffs, sides = [(1, 1, 0), (0, 0, 1)], ("pair", "pair", "single")
    rows = [[1, 0], [1, 0], [0, 1]]
    found = contest(Drawn(tables_of(rows, [0.5, 0.5]), payoffs, sides=sides), "b", "a")
    assert found.bits.value == pytest.approx(entropy(1 / 3, 2 / 3)) and found.share.value == 1
    assert found.points.value == pytest.approx(0.5) and found.even == pytest.approx(5 / 9)
    assert found.depth.value == pytest.approx(4 / 9) and found.chances == pytest.approx([1, 1 / 3, 1 / 3])
    assert found.variance == pytest.approx(1 / 3) and not found.single


CHANNELS = {
    "independent": [[0.2, 0.3, 0.4, 0.1]] * 3,
    "weak": [[0.4, 0.2, 0.3, 0.1], [0.3, 0.3, 0.3, 0.1], [0.3, 0.2, 0.4, 0.1]],
    "strong": [[0.8, 0.1, 0.1, 0.0], [0.1, 0.8, 0.1, 0.0], [0.05, 0.05, 0.7, 0.2]],
    "certain": [[1.0, 0, 0, 0], [0, 1.0, 0, 0], [0, 0, 1.0, 0]],
}


@pytest.mark.parametrize("channel", CHANNELS)
def test_bits_and_shares_of_samples(channel):
    """The mean of 120 samples is within 4.5 of its errors, and stated errors are those that are seen within a quarter.

    By chance a case of these fails with less than 1 in 10,000; the seed is fixed.
    """
    payoffs, samples, games = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, 0)], 120, 300
    tables = tables_of(CHANNELS[channel], [0.3, 0.3, 0.3, 0.1])
    true = contest(Drawn(tables, payoffs), "b", "a")
    rng = np.random.default_rng(7)
    found = [contest(Drawn(tables, payoffs, games, rng), "b", "a") for _ in range(samples)]
    for name in ("share", "points") + ("bits",) * (channel != "independent"):
        values, errors = np.array([getattr(each, name) for each in found]).T
        spread = values.std(ddof=1)
        excess = 2e-3 if name == "bits" else 1e-12  # of a weak channel, whose bits cannot be below 0
        assert abs(values.mean() - getattr(true, name).value) <= 4.5 * spread / np.sqrt(samples) + excess
        assert errors.mean() == pytest.approx(spread, rel=0.25, abs=1e-9)
    if channel == "independent":  # without the correction the mean would be (3 - 1) (4 - 1) / (2 · 900 · ln 2) = 0.0048
        assert np.mean([each.bits.value for each in found]) < 0.003 and np.mean([each.luck for each in found]) > 0.998
    if channel == "certain":
        assert {each.bits for each in found} == {(true.bits.value, 0.0)} and {each.luck for each in found} == {0.0}


def test_what_all_get_alike_varies_together():
    """Payoffs that all share, of all playing alike: their mean has the error of one, not of three independent ones."""
    payoffs = [(1, 1, 1), (0, 0, 0)]
    tables = tables_of([[0.5, 0.5]] * 3, [0.5, 0.5])
    rng = np.random.default_rng(3)
    found = [contest(Drawn(tables, payoffs, 200, rng), "b", "a").points for _ in range(150)]
    values, errors = np.array(found).T
    assert errors.mean() == pytest.approx(values.std(ddof=1), rel=0.25)


def test_it_is_said_only_where_it_is_shown():
    payoffs = [(1, 0), (0, 1)]
    tables = tables_of([[0.9, 0.1], [0.1, 0.9]], [0.5, 0.5])
    rng = np.random.default_rng(1)
    assert contest(Drawn(tables, payoffs, 100, rng), "b", "a").shown
    even = contest(Drawn(tables_of([[0.5, 0.5]] * 2, [0.5, 0.5]), payoffs, 100, rng), "b", "a")
    assert abs(even.depth.value) <= 1.96 * even.depth.error and not even.shown
    assert even.luck_error == even.bits.error and even.decided == 1
