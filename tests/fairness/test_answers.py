"""Verdicts of reports: best play, seats that are alike, errors, what something is worth."""

import json

import numpy as np
import pytest

from gamebalance import fairness
from gamebalance.fairness.endings import Endings
from gamebalance.fairness.games import Tally
from gamebalance.fairness.reports.answers import answer, games_to_show, of_level, of_ways
from gamebalance.fairness.reports.playing import Experienced, Tried
from gamebalance.fairness.reports.skill import contest
from gamebalance.games import Kuhn, Tree, tictactoe
from gamebalance.multiplayer import CHANCE, OVER
from gamebalance.multiplayer.graph import course
from tests.multiplayer.alike_games import AtOnce, Hidden
from tests.refusals import refused


class Bids:
    """The same, as a game asked in turn."""

    players = 3

    def start(self):
        return (), (), ()

    def mover(self, state):
        prizes, done, now = state
        return OVER if len(done) == 3 else CHANCE if len(prizes) == len(done) else len(now)

    def moves(self, state):
        prizes, done, now = state
        if len(prizes) == len(done):
            left = [prize for prize in (1, 2, 3) if prize not in prizes]
            return dict.fromkeys(left, 1 / len(left))
        return [bid for bid in (1, 2, 3) if bid not in [each[len(now)] for each in done]]

    def play(self, state, move):
        prizes, done, now = state
        if len(prizes) == len(done):
            return (*prizes, move), done, now
        now = (*now, move)
        return (prizes, (*done, now), ()) if len(now) == 3 else (prizes, done, now)

    def payoffs(self, state):
        points = [0, 0, 0]
        for prize, now in zip(*state[:2], strict=False):
            single = [bid for bid in now if now.count(bid) == 1]
            if single:
                points[now.index(max(single))] += prize
        return points

    def information(self, state):
        return len(state[2]), *state[:2]


def seat_shares(report, level):
    rows = report.shares[(report.shares["all play"] == level) & (report.shares["by"] == "seat")]
    return rows["wins, %"].to_numpy()


@pytest.fixture(scope="module")
def bidding():
    return fairness.report(Bids())


def test_an_equilibrium_is_not_taken_for_the_game(bidding):
    """One equilibrium gives 43.8, 43.8 and 10.4%; the seats are alike."""
    assert bidding.play.alike.groups == ((0, 1, 2),) and bidding.verdict == "fair"
    assert bidding.needed["games"].isna().all() and "first move" not in set(bidding.shape["measure"])
    for level in bidding.levels:
        assert np.ptp(seat_shares(bidding, level)) < 1e-9
    assert seat_shares(bidding, "searching")[0] == pytest.approx(100 * 383 / 1296)
    told = "\n".join(bidding.sentences)
    assert (
        "The seats are alike" in bidding.sentences[1]
        and "The equilibrium found first gives the seats 43.8, 43.8" in told
    )
    assert "Whoever begins" not in told and "no number of real games would show" in told and "`movers` can say" in told
    equilibria = bidding.play.equilibria
    assert equilibria.tried == 6 + 10 + 1 and not equilibria.unique
    graph = bidding.outlook.graph
    worth = [course(graph, each.policy).values(graph.payoffs)[0] for each in equilibria.found]
    assert np.ptp(worth[-1]) < 1e-9 and equilibria.found[-1].off < 1e-3  # those who are alike play alike
    assert np.ptp(worth[0]) > 0.9


@pytest.mark.parametrize("seed", range(10))
def test_games_of_alike_seats_never_show_a_difference(seed):
    """Matrix games, hidden cards, several rounds, asked in turn or choosing at once."""
    shape = ({"moves": 3}, {"rounds": 2}, {"drawn": True}, {"players": 2, "rounds": 2}, {"players": 4})[seed % 5]
    for game in (Hidden(seed, **shape), AtOnce(seed, **shape)):
        found = fairness.report(game)
        assert found.verdict == "fair" and found.needed["games"].isna().all() and len(found.levels) == 4
        for level in found.levels:
            assert np.ptp(seat_shares(found, level)) < 1e-9
        asked_in_turn = isinstance(game, Hidden)
        assert ("`movers` can say" in found.sentences[-1]) == asked_in_turn


def test_moves_within_their_errors_are_mixed():
    def tried(*gains):
        return Tried(len(gains), float(sum(gains)), float(sum(gain**2 for gain in gains)))

    learned = Experienced({"k": {"a": tried(*[0, 1] * 50), "b": tried(*[0, 1] * 50, 1), "c": tried(*[0] * 100)}}, 0.25)
    assert learned.best("k", ("a", "b", "c")) == ("a", "b") and learned.best("new", ("x", "y")) == ("x", "y")
    other = Experienced(learned.tried, 0.25)
    assert set(other.best("k", ("a", "b", "c", "d"))) == {"a", "b", "d"}  # what was never made may be as good


def test_what_something_is_worth_in_best_play_goes_from_one_equilibrium_to_another():
    """The first player gets a point by each move; who else gets one is up to it, but only with the choice."""
    choice, none = Tree((0, [(1, 2, 0), (1, 0, 3)])), Tree((0, [(1, 2, 0)]))
    found = fairness.report(choice, without={"choice": none}, ways="best")
    best = found.worth[found.worth["all play"] == "best"]
    assert best["worth, points"].tolist() == [0, -50, 50]  # as far as ties are even
    assert best[["low, points", "high, points"]].to_numpy().tolist() == [[0, 0], [-100, 0], [0, 100]]
    told = [each for each in found.sentences if each.startswith("With choice rather than without, if all play best")]
    assert told[0].endswith(
        "seat 2 wins 0.0 to 100.0 percentage points less and seat 3 wins 0.0 to 100.0 percentage points more."
    )
    assert "-100.0 to 0.0" in found.to_text()


def test_values_that_are_unique_are_said_to_be_so():
    """Points are, but seat 1 wins 46.3 to 51.9% in the equilibria of Kuhn's poker (his parameter from 0 to 1/3)."""
    found = fairness.report(Kuhn(2), ways=("random", "best"))
    assert found.play.equilibria.unique and found.play.equilibria.tried == 1 + 1 + 10
    rows = found.shares[found.shares["all play"] == "best"]
    assert rows["mean payoff"].tolist() == pytest.approx([-1 / 18, 1 / 18], abs=1e-4)
    low, high = rows["low, %"].iloc[0], rows["high, %"].iloc[0]
    assert 46.2 < low < high - 0.3 < 52 and found.answers["best"][0].games is None
    assert any("each gets the same points in every equilibrium. It is one of" in each for each in found.sentences)
    sure = fairness.report(Tree((0, [(1, [(1, -1), (-1, 1)]), (1, [(1, -1)])])), ways=("best",))
    assert sure.play.equilibria.tried == 1
    assert any("each wins as often in every equilibrium." in sentence for sentence in sure.sentences)


def test_points_or_wins():
    """Player 1 can take a point and lose, or no point and win."""
    game = Tree((0, [(1, 3), (0, -1)]))
    for goal, share in (("points", 0), ("win", 100)):
        found = fairness.report(game, ways=("random", "best"), goal=goal)
        rows = found.shares[found.shares["all play"] == "best"].set_index("who")
        assert rows["wins, %"][1] == share
        assert any(
            ("for the chance to win" if goal == "win" else "for points, not") in each for each in found.sentences
        )
        value = found.shape.set_index(["all play", "measure"])["value"]
        assert value["random", "difference of scores"] == 1.5 and value["random", "length"] == 1  # points are points
    played = fairness.report(lambda rng, players: (players[0](0, (3, 1)), 2), 2, goal="win", games=200, contests=200)
    assert seat_shares(played, "searching")[0] == 100
    with refused("goal = 'fun'"):
        fairness.report(game, goal="fun")


def test_what_is_said_of_seats_is_compared_with_the_game():
    with refused("alike = [(0, 1)]: seats 1 and 2 are not alike, since they get 1.3 and 0.703 on average"):
        fairness.report(tictactoe(2), alike=[(0, 1)])
    first = Tree((0, [(1, 0), (0, 1)]))  # at random both win as often
    with refused("alike = [(0, 1)]: seats 1 and 2 are not alike, since they get 1 and 0 on average", "look one move"):
        fairness.report(first, alike=[(0, 1)])
    first.sides = ("one", "other")
    with refused("alike = [(0, 1)]: those of a group are on one side, of ('one', 'other')"):
        fairness.report(first, alike=[(0, 1)])
    for wrong in ([(0, 0)], [(0, 3)], 3, [(0, 1), (1, 2)]):
        with refused("alike"):
            fairness.report(Bids(), ways=("random",), alike=wrong)
    with refused("margin = 2"):
        fairness.report(Bids(), margin=2)


def test_the_margin_is_of_the_games_that_somebody_wins():
    """As of `judge`: 8 and 2 of 100 games are 80 and 20% of the games that somebody wins."""
    game = Tree((0, [(1, 0)] * 8 + [(0, 1)] * 2 + [(0, 0)] * 90))
    assert fairness.report(game, ways=("random",)).verdict == "unfair"
    assert fairness.report(game, ways=("random",), margin=0.31).verdict == "fair"


def test_a_contest_of_the_trained_has_the_error_of_their_trainings():
    """Each training takes another of two moves that are alike, as if by lot: the error is that of eight tosses."""

    def lots(rng, players):
        return (1, 0) if players[0]("k", "ab") == "a" else (0, 1)

    found = fairness.report(lots, 2, games=10, contests=16)
    each = contest(found.play, "searching", "random")
    assert each.depth.error > 0 and json.loads(found.to_json())["verdict"] == found.verdict


class Told:
    """A way to play whose endings are given."""

    alike = None

    def __init__(self, *variants, residue=0.0):
        self.all, self.left = variants, residue

    def variants(self, level):
        return self.all

    def residue(self, level):
        return self.left


def ended(*shares, games=None, runs=None):
    won = np.eye(len(shares))
    return Endings({"seat": [1, 2, 3][: len(shares)]}, [1] * len(shares), shares, {"won": won}, games, runs=runs)


@pytest.mark.parametrize(
    ("play", "verdict"),
    [
        (Told(ended(0.54, 0.46)), "fair"),
        (Told(ended(0.56, 0.44)), "unfair"),
        (Told(ended(0.56, 0.44), ended(0.4, 0.6)), "unfair"),
        (Told(ended(0.56, 0.44), ended(0.5, 0.5)), "depends"),
        (Told(ended(0.54, 0.46, games=100)), "undecided"),
        (Told(ended(0.58, 0.42, games=4_000)), "unfair"),  # it differs, though it may be by less than the margin
        (Told(ended(0.54, 0.46, games=1_000_000)), "fair"),
        (Told(ended(0.7, 0.3, games=1_000)), "unfair"),
    ],
)
def test_verdicts(play, verdict):
    assert answer(play, "level", "seat", 0.05).verdict == verdict


def test_what_is_left_by_a_solver_is_even():
    assert answer(Told(ended(0.501, 0.499)), "level", "seat", 0.05).games > 100_000
    found = answer(Told(ended(0.501, 0.499), residue=0.002), "level", "seat", 0.05)
    assert found.games is None and found.differs is False


def test_the_verdict_of_all_ways():
    assert [
        of_ways(each) for each in (["fair"] * 2, ["fair", "unfair"], ["fair", "undecided"], ["unfair", "undecided"])
    ] == [
        "fair",
        "depends",
        "undecided",
        "undecided",
    ]
    assert of_ways(["depends", "fair"]) == of_ways(["fair", "unfair", "undecided"]) == "depends"


def test_the_verdict_of_a_way_is_the_worst():
    fair, unfair, depends = (
        answer(play, "level", "seat", 0.05)
        for play in (Told(ended(0.5, 0.5)), Told(ended(1.0, 0.0)), Told(ended(1.0, 0.0), ended(0.5, 0.5)))
    )
    assert of_level((fair, unfair, depends)) == "unfair" and of_level((fair, depends)) == "depends"
    assert of_level((fair,)) == "fair"


def test_errors_between_runs():
    """Two runs of two games each: the error is that of the runs' means, whatever games have within."""
    tally = Tally(
        ["a", "b"], np.ones((4, 2)), [[1, 0], [1, 0], [1, 0], [0, 1]], [0.25] * 4, runs=np.array([0, 0, 1, 1])
    )
    assert tally.means == pytest.approx([0.75, 0.25]) and tally.errors == pytest.approx([0.25, 0.25])
    assert tally.mean_of(np.array([1, 1, 1, 0.0])) == pytest.approx((0.75, 0.25))
    apart = Tally(["a", "b"], np.ones((2, 2)), [[1, 0], [0, 1]], [3, 1])
    assert apart.mean_of(np.array([1.0, 0.0])) == pytest.approx((0.75, np.sqrt(0.75 * 0.25 / 4)))


def test_what_a_solver_leaves_asks_for_no_game_more():
    assert games_to_show(np.array([1 - 2e-9, 0, 0]), 1 / 3, True) == games_to_show(np.eye(3)[0], 1 / 3, True) == 4
