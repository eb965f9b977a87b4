"""The answer of a report: seats that are alike, equilibria that are several, ties that are mixed, roles and seats."""

import json

import numpy as np
import pytest

from gamebalance import fairness
from gamebalance.fairness.reports.players import Experienced, Tried
from gamebalance.fairness.reports.skill import contest
from gamebalance.games import Kuhn, Nim, Tree, tictactoe
from gamebalance.multiplayer import CHANCE, OVER
from gamebalance.multiplayer.graph import course
from tests.multiplayer.alike_games import AtOnce, Hidden, function
from tests.refusals import refused

FAR = 4.5  # standard errors: more by chance in 1 of 100,000 cases


class Race:
    """Four walk (1 or 2 steps, by a coin) or run (0 or 3); three begin ahead of the hare, who sprints once."""

    players, goal, sprint = 4, 8, 4
    roles = ("hare", "runner", "runner", "runner")

    def __init__(self, bonus=2):
        self.bonus = bonus

    def start(self):
        return (0, *[self.bonus] * 3), True, 0, ""

    def mover(self, state):
        steps, _, player, tossed = state
        return OVER if max(steps) >= self.goal else CHANCE if tossed else player

    def moves(self, state):
        _, fresh, player, tossed = state
        return {1: 0.5, 0: 0.5} if tossed else ["walk", "run"] + ["sprint"] * (fresh and player == 0)

    def play(self, state, move):
        steps, fresh, player, tossed = state
        if move in ("walk", "run"):
            return steps, fresh, player, move
        by = self.sprint if move == "sprint" else 1 + move if tossed == "walk" else 3 * move
        ahead = min(steps[player] + by, self.goal)
        return (*steps[:player], ahead, *steps[player + 1 :]), fresh and move != "sprint", (player + 1) % 4, ""

    def payoffs(self, state):
        return [int(each >= self.goal) for each in state[0]]


def odd(rng, players):
    """Three show 0 or 1 at once; whoever shows another hand than both others wins."""
    shown = [players[seat]("show", (0, 1)) for seat in range(3)]
    return [int(shown.count(hand) == 1) for hand in shown]


def bids(rng, players):
    """Three bid each of 1, 2, 3 once, at once; the highest bid that nobody else makes wins the prize of the round."""
    hands, points, seen = [[1, 2, 3] for _ in range(3)], [0, 0, 0], ()
    for prize in rng.permutation([1, 2, 3]).tolist():
        now = [players[seat]((seat, prize, seen), list(hands[seat])) for seat in range(3)]
        for hand, bid in zip(hands, now, strict=True):
            hand.remove(bid)
        single = [bid for bid in now if now.count(bid) == 1]
        if single:
            points[now.index(max(single))] += prize
        seen += ((prize, tuple(now)),)
    return points


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


@pytest.mark.parametrize("seed", range(5))
def test_functions_of_alike_seats_never_show_a_difference(seed):
    for number in (1, 2):
        made = function(seed, rounds=1 + seed % 2, moves=2 + seed % 2)
        found = fairness.report(made, 3, seed=number, games=1_000, contests=2_000, states=0)
        assert set(found.verdicts.values()) <= {"fair", "undecided"} and found.needed["games"].isna().all()
        said = fairness.report(made, 3, seed=number, games=200, contests=400, alike=[(0, 1, 2)])
        assert said.verdict == "fair" and np.ptp(seat_shares(said, "searching")) < 1e-9
        assert "The seats are alike, as the game says" in said.sentences[1]


def test_ties_are_mixed_and_errors_hold_the_training():
    """The exact shares, in every seed: 25% each if all mix evenly, and 383 of 1,296 each if all search."""
    for seed in (1, 2, 3):
        found = fairness.report(odd, 3, seed=seed, games=2_000, contests=8_000)
        rows = found.shares[(found.shares["all play"] == "searching") & (found.shares["by"] == "seat")]
        assert (rows["±"] > 0).all() and (abs(rows["wins, %"] - 25) < 8.3 * rows["±"]).all()  # t of 7, as 4 sigma
        assert set(found.verdicts.values()) <= {"fair", "undecided"} and found.needed["games"].isna().all()
    found = fairness.report(bids, 3, games=10_000, contests=10_000, ways=("searching",))
    rows = found.shares[(found.shares["all play"] == "searching") & (found.shares["by"] == "seat")]
    assert (abs(rows["wins, %"] - 100 * 383 / 1296) < 8.3 * rows["±"]).all() and (rows["±"] < 4).all()


def test_what_training_met_is_said():
    """The first choice is met in each training, the second of ten thousand never twice."""

    def rare(rng, players):
        players[0]("first", "ab")
        players[1](("second", int(rng.integers(10**9))), "ab")
        return [1, 0]

    found = fairness.report(rare, 2, games=50, contests=80)
    assert any("had met 50% of the situations in which they chose" in sentence for sentence in found.sentences)


def test_moves_within_their_errors_are_mixed():
    def tried(*gains):
        return Tried(len(gains), float(sum(gains)), float(sum(gain**2 for gain in gains)))

    learned = Experienced({"k": {"a": tried(*[0, 1] * 50), "b": tried(*[0, 1] * 50, 1), "c": tried(*[0] * 100)}}, 0.25)
    assert learned.best("k", ("a", "b", "c")) == ("a", "b") and learned.best("new", ("x", "y")) == ("x", "y")
    other = Experienced(learned.tried, 0.25)
    assert set(other.best("k", ("a", "b", "c", "d"))) == {"a", "b", "d"}  # what was never made may be as good


def test_roles_do_not_hide_seats():
    found = fairness.report(Race(), ways=("random", "best"))
    told = {each.by: each for each in found.answers["best"]}
    assert seat_shares(found, "best") == pytest.approx([26.0, 32.7, 23.8, 17.4], abs=0.06)
    assert (told["role"].games, told["seat"].games) == (19_500, 228) and found.verdicts["best"] == "unfair"
    assert told["role"].verdict == "fair" and told["seat"].label == 2
    text = "\n".join(found.sentences)
    assert "26.0% for hare and 24.7% for runner each; by seat 26.0% for seat 1, 32.7% for seat 2" in text
    assert "17.4% for seat 4." in text and "shared or won by nobody" not in text
    assert "about 228 real games would show" in text and "differ by seat" in text and "by role about 19,500" in text


def test_best_play_of_three_is_one_of_several():
    """In Nim (3, 4, 5) ties decide who wins: the first seat from none to all of the games."""
    found = fairness.report(Nim((3, 4, 5)), ways=("random", "best"))
    rows = found.shares[found.shares["all play"] == "best"].set_index("who")
    assert rows["low, %"][1] == 0 and rows["high, %"][1] == 100 and found.play.equilibria.tried == 9
    assert found.verdicts["best"] == "unfair" and found.shares["low, %"].isna().sum() == 3
    assert found.needed.set_index("all play")["games"]["best"] >= 3
    assert "If all play best, seat 1 wins 0.0 to 100.0%, where 33.3% would be even." in found.sentences[0]


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


def test_what_hangs_on_the_equilibrium_is_called_so():
    """With even ties the first and second player win alike; with others the one or the other always does."""
    game = Tree((0, [(0, [(1, 0), (1, 2)]), (0, [(1, 2), (1, 0)])]))
    found = fairness.report(game, ways=("random", "best"))
    assert found.verdicts["best"] == "depends" and found.answers["best"][0].differs is None
    assert "fair in some and unfair in others if all play best (in the equilibria found)" in found.sentences[0]
    assert "it hangs on the equilibrium whether chances to win differ" in found.sentences[-1]


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


class Pennies:
    """Two show a penny at once; whoever is said to match wins the round, and it goes on for two rounds."""

    players = 2

    def start(self):
        return ()

    def movers(self, state):
        return OVER if len(state) == 2 else (0, 1)

    def moves(self, state):
        return {0: "ht", 1: "ht"}

    def play(self, state, moves):
        return (*state, moves)

    def payoffs(self, state):
        first = sum(1 if one == other else -1 for one, other in state)
        return [first, -first]


def test_what_the_solver_left_is_no_difference():
    """Chances of equilibrium play found by iteration differ by its residue; no number of games is said to show that."""
    found = fairness.report(Pennies())
    assert found.verdict == "fair" and found.needed["games"].isna().all()
    seats = found.play.as_found("best").tally("seat").means
    assert abs(seats[0] - seats[1]) <= found.play.residue("best") < 1e-2


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


def test_games_in_which_nobody_wins():
    found = fairness.report(Tree((0, [(1, 1), (2, 2)])))
    assert found.sentences[0] == "Nobody ever wins here: all players always get the same."
    text = found.to_text()
    assert "of the games that somebody wins, where" not in text and "-0.0" not in text
    assert any(each.endswith("gets 0.25 more a game.") for each in found.sentences)


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


def test_no_difference_in_the_beginning_of_a_large_game():
    """As much of a game is compared as was found of it, and that is all that is said."""
    game = Hidden(5, rounds=6, moves=3)
    found = fairness.report(game, states=3_000, games=50, contests=50, looks=0)
    assert found.play.alike is None
    assert any(each.startswith("No difference between the seats was found in the first ") for each in found.sentences)
    large = fairness.report(tictactoe(3), states=3_000, games=50, contests=50, looks=0, playouts=0)
    assert not any("No difference" in each for each in large.sentences)
    few = fairness.report(game, states=40, games=50, contests=50, looks=0, ways="random")  # too few to say anything
    assert not few.compared


def test_the_margin_is_of_the_games_that_somebody_wins():
    """As of `judge`: 8 and 2 of 100 games are 80 and 20% of the games that somebody wins."""
    game = Tree((0, [(1, 0)] * 8 + [(0, 1)] * 2 + [(0, 0)] * 90))
    assert fairness.report(game, ways=("random",)).verdict == "unfair"
    assert fairness.report(game, ways=("random",), margin=0.31).verdict == "fair"


def test_trainings_that_all_went_the_same_way_are_few():
    """Whoever is trained always takes the win; eight trainings that agree are no proof, and tell no verdict."""

    def sure(rng, players):
        return (1, 0) if players[0]("k", "ab") == "a" else (0, 1)

    found = fairness.report(sure, 2, games=100, contests=100)
    rows = found.shares[(found.shares["all play"] == "searching") & (found.shares["by"] == "seat")]
    assert rows["wins, %"].tolist() == [100, 0] and rows["±"].tolist() == [6.25, 6.25]
    assert found.verdicts["searching"] == "undecided"


def test_a_contest_of_the_trained_has_the_error_of_their_trainings():
    """Each training takes another of two moves that are alike, as if by lot: the error is that of eight tosses."""

    def lots(rng, players):
        return (1, 0) if players[0]("k", "ab") == "a" else (0, 1)

    found = fairness.report(lots, 2, games=10, contests=16)
    each = contest(found.play, "searching", "random")
    assert each.depth.error > 0 and json.loads(found.to_json())["verdict"] == found.verdict


class Drawn:
    """Each in turn draws a card that only this player sees and plays high or low; nothing is shown before the end."""

    players = 2

    def __init__(self, twist=0.0):
        self.twist = twist

    def start(self):
        return ()

    def mover(self, state):
        return OVER if len(state) == 4 else CHANCE if len(state) % 2 == 0 else len(state) // 2

    def moves(self, state):
        return {"ace": 0.25, "two": 0.75} if len(state) % 2 == 0 else "hl"

    def play(self, state, move):
        return (*state, move)

    def payoffs(self, state):
        worth = [(2 if card == "ace" else 1) * (3 if played == "h" else -1) for card, played in (state[:2], state[2:])]
        return [worth[0] - 2 * worth[1] + self.twist, worth[1] - 2 * worth[0]]

    def information(self, state):
        return len(state), state[-1]


def test_what_chance_brings_unseen_between_choices_has_no_order():
    found = fairness.report(Drawn())
    assert found.play.alike.groups == ((0, 1),) and not found.play.alike.said and found.verdict == "fair"
    assert fairness.report(Drawn(0.1)).play.alike.groups == ()
