"""A report: its verdicts, tables and sentences, what it will do and how long that takes."""

import re
from time import sleep

import numpy as np
import pytest

from gamebalance import fairness
from gamebalance.countn.three import ThreePlayerGame
from gamebalance.fairness.reports import outlook as outlooks
from gamebalance.games import Tree, tictactoe
from gamebalance.multiplayer import OVER
from tests.fairness.made_up import SAYS, Coin, Guess, Race
from tests.multiplayer.alike_games import AtOnce, Hidden
from tests.multiplayer.written_trees import Hands, Places
from tests.refusals import refused, refuses

#: Who stops gets a point, and the one before two.
CIRCLE = Places(
    3, {each: (each, {"stop": ((1, 0, 2), (2, 1, 0), (0, 2, 1))[each], "on": (each + 1) % 3}) for each in range(3)}
)
COUNTS = {"states": 0, "games": 60, "contests": 40, "playouts": 2, "looks": 4}


class OneHelper(Coin):
    """A leader and two helpers: half of the games are the leader's, and one of the helpers wins the others."""

    roles = ("leader", "helper", "helper")

    def moves(self, state):
        return {0: 0.5, 1: 0.25, 2: 0.25} if len(state) == 3 else "ab"

    def payoffs(self, state):
        return tuple(float(state[-1] == seat) for seat in range(3)) if state else (0.0,) * 3


def value(report, level, measure):
    frame = report.shape
    return frame[(frame["all play"] == level) & (frame["measure"] == measure)][["value", "±"]].to_numpy()[0].tolist()


def of_all(report, level, by="seat"):
    """Who wins how often if all play in one way."""
    return report.shares[(report.shares["all play"] == level) & (report.shares["by"] == by)].set_index("who")


@pytest.mark.parametrize("counts", [{}, COUNTS])
def test_sums(counts):
    found = fairness.report(Race(3, 0.5), policies=SAYS, **counts)
    for level in found.levels:
        ends = found.ends[found.ends["all play"] == level].set_index("end")["chance, %"]
        drawn, shares = value(found, level, "drawishness")[0], of_all(found, level)["wins, %"]
        assert ends.sum() == pytest.approx(100) and not ends.index.duplicated().any()
        assert shares.sum() == pytest.approx(100 - drawn)
        for who, won in shares.items():
            assert won == pytest.approx(ends.get(f"seat {who} wins", 0))


def test_games_that_show_it():
    """None where nothing differs; those that nobody wins count, too."""
    for counts in ({}, COUNTS):
        coin = fairness.report(Coin(3), **counts)
        assert coin.needed["games"].isna().all() and coin.skill["games to show it"].isna().all()
    ends = [(1, 0), (1, 0), (1, 0), (0, 1)]
    exact, seldom = (fairness.report(Tree((0, each))).needed["games"][0] for each in (ends, ends + [(0, 0)] * 12))
    assert exact == fairness.games_needed([0.75, 0.25]) == seldom / 4
    simulated = fairness.report(Tree((0, ends)), **COUNTS | {"games": 400}).needed["games"][0]
    assert simulated == pytest.approx(exact, rel=0.5)


def test_roles_that_several_have():
    """A helper's chance is that of each helper, and a helper who wins alone has won alone."""
    found = fairness.report(OneHelper())
    assert of_all(found, "random", "role")["wins, %"].to_dict() == {"leader": 50, "helper": 25}
    assert value(found, "random", "decisiveness") == [100, 0] and found.outlook.seats.kind == "role"
    assert found.needed["games"][0] == fairness.games_needed([0.5, 0.25, 0.25])
    won = "50.0% for leader and 25.0% for helper each; by seat 50.0% for seat 1"
    assert any(won in sentence for sentence in found.sentences)
    assert value(found, "random", "asymmetry of roles") == [12.5, 0] and "first move" not in set(found.shape["measure"])


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(5))
def test_games_of_alike_seats_never_show_a_difference(seed):
    """Matrix games, hidden cards, several rounds, asked in turn or choosing at once."""
    shape = ({"moves": 3}, {"rounds": 2}, {"drawn": True}, {"players": 2, "rounds": 2}, {"players": 4})[seed % 5]
    for game in (Hidden(seed, **shape), AtOnce(seed, **shape)):
        found = fairness.report(game)
        assert found.verdict == "fair" and found.needed["games"].isna().all() and len(found.levels) == 4
        assert found.sentences[1].startswith("The seats are alike") and "first move" not in set(found.shape["measure"])
        for level in found.levels:
            assert np.ptp(of_all(found, level)["wins, %"]) < 1e-9
        assert ("`movers` can say" in found.sentences[-1]) == isinstance(game, Hidden)


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


def test_best_play_that_changes_with_the_moves_left():
    """Everybody would rather that the next one stops: who does hangs on whether the moves left are even."""
    found = fairness.report(CIRCLE)
    best = of_all(found, "best")
    assert best["wins, %"].tolist() == [100, 0, 0]  # the second has stopped after 256 moves, the first after 255
    assert best[["low, %", "high, %"]].to_numpy().tolist() == [[0, 100], [0, 0], [0, 100]]
    said = next(each for each in found.sentences if each.startswith("Best play"))
    assert "Best play is that of the game cut after so many moves." in said and "9 of 9 starts" in said
    assert "to a cut after 256 moves, chance's among them: by then all play is over. A cut sooner, after 12" in said
    assert "after 128 to 255" in said
    assert "changes what somebody gets by up to 2. In the game without a cut nobody alone gains by leaving" in said
    assert value(found, "best", "length") == [2, 0] and "moves left to a cut after 256" in found.play.notes["best"]
    contest = found.skill[(found.skill["one plays"] == "best") & (found.skill["the others"] == "random")]
    # The first goes on, and wins 1/2 as the second stops; the second stops at once, for another; the third goes on the
    # first time and stops the next, and wins 1/2 + 1/8 as the first stops.
    assert contest["wins, %"].tolist() == pytest.approx([100 * (1 / 2 + 0 + 5 / 8) / 3])
    with refused("best play of this game changes with the moves left"):
        found.play.player("best")


def test_play_for_wins_that_may_go_on_beyond_the_cut():
    """Whoever stops lets the one before win. The first does in the play found first, and all get their points."""
    found = fairness.report(CIRCLE, goal="win")
    best = of_all(found, "best")
    assert found.play.best.cut and 0 < found.play.best.unfinished < 1e-6
    assert best["wins, %"].tolist() == pytest.approx([0, 0, 100], abs=1e-5)
    assert best["mean payoff"].tolist() == pytest.approx([1, 0, 2], abs=1e-5)  # the game's, not wins
    said = next(each for each in found.sentences if each.startswith("Best play"))
    assert "by then at most 0.1% of play is unfinished, which pays nobody" in said


def test_count_4_for_three():
    """What all ties give by backward induction with the moves left, as far as nobody gains much by leaving it."""
    found = fairness.report(ThreePlayerGame(4), ways=("random", "best"))
    best = of_all(found, "best")
    assert best["wins, %"].tolist() == pytest.approx([700 / 12, 500 / 12, 0])
    assert best["low, %"].tolist() == [0, 0, 0] and best["high, %"][2] == 100
    said = next(each for each in found.sentences if each.startswith("Best play"))
    assert "6 of 8 equilibria change" in said and "nobody alone could gain more than 0.002" in said


def test_points_or_wins():
    """Player 1 can take a point and lose, or no point and win."""
    game = Tree((0, [(1, 3), (0, -1)]))
    for goal, share, words in (("points", 0, "for points, not"), ("win", 100, "for the chance to win")):
        found = fairness.report(game, ways=("random", "best"), goal=goal)
        assert of_all(found, "best")["wins, %"][1] == share and any(words in each for each in found.sentences)
        assert value(found, "random", "difference of scores") == [1.5, 0]  # points are points
    played = fairness.report(lambda rng, players: (players[0](0, (3, 1)), 2), 2, goal="win", games=200, contests=200)
    assert of_all(played, "searching")["wins, %"][1] == 100


def test_what_is_said_of_seats_is_compared_with_the_game():
    with refused("alike = [(0, 1)]: seats 1 and 2 are not alike, since they get 1.3 and 0.703 on average"):
        fairness.report(tictactoe(2), alike=[(0, 1)])
    first = Tree((0, [(1, 0), (0, 1)]))  # at random both win as often
    with refused("alike = [(0, 1)]: seats 1 and 2 are not alike, since they get 1 and 0 on average", "look one move"):
        fairness.report(first, alike=[(0, 1)])
    first.sides = ("one", "other")
    with refused("alike = [(0, 1)]: those of a group are on one side, of ('one', 'other')"):
        fairness.report(first, alike=[(0, 1)])


def test_the_margin_is_of_the_games_that_somebody_wins():
    """As of `judge`: 8 and 2 of 100 games are 80 and 20% of the games that somebody wins."""
    game = Tree((0, [(1, 0)] * 8 + [(0, 1)] * 2 + [(0, 0)] * 90))
    assert fairness.report(game, ways=("random",)).verdict == "unfair"
    assert fairness.report(game, ways=("random",), margin=0.31).verdict == "fair"


GIVEN = {"states": 0, "games": 30, "contests": 20, "playouts": 2, "looks": 3}


def simulator(rng, players):
    return [float(rng.random() + player(None, (0, 1)) > 1) for player in players]


@pytest.mark.parametrize(("game", "playouts"), [(Race(3, 0.5), 2), (Race(2), 0), (Guess(), 0), (simulator, None)])
def test_the_counts_of_the_sentence_give_the_same_numbers(game, playouts):
    players = 2 if game is simulator else None
    first = fairness.report(game, players, seconds=1, **GIVEN | {"playouts": playouts})
    given = {name: int(count) for name, count in re.findall(r"(\w+)=(\d+)", first.outlook.sentence)}
    again = fairness.report(game, players, seconds=100, **given)
    assert given.keys() == GIVEN.keys() and again.to_json() == first.to_json()
    assert fairness.report(game, players, seed=2, **given).to_json() != first.to_json()


def test_what_takes_long_is_left_out(monkeypatch):
    """A tenth of a millisecond a game, eight moves of five each; what fits is played, the fewest in any case."""
    monkeypatch.setattr(outlooks, "_pilot", lambda game, seats, most: (8.0, 5.0, 1e-4))
    monkeypatch.setattr(outlooks, "TABLES", 0.0)
    found, more = (fairness.outlook(tictactoe(3), seconds=seconds, states=0) for seconds in (1, 1000))
    assert (found.games, found.ways, found.playouts) == (1000, ("random", "greedy"), 0)
    assert (more.games, more.playouts, more.looks) == (100_000, 32, 200) and "searching" in more.ways
    assert found.seconds < 1.5 < 100 < more.seconds < 1500
    many = fairness.outlook(tictactoe(3), seconds=1, states=0, ways=("random", "searching"), own=200)
    assert many.contests == outlooks.FEWEST and "more than the 1.0 seconds allowed" in many.announcement


class Long(Coin):
    """A random walk without an end in sight: each step is a state of its own, and is made slowly."""

    def mover(self, state):
        sleep(0.002)
        return 0 if len(state) < 200 else OVER


def test_a_search_for_states_ends_in_time(monkeypatch):
    monkeypatch.setattr(outlooks, "SHORT", 0.1)
    allowed, search = outlooks._searched(Long(3), None, 1.0)
    assert not search.finished and 0 < allowed < len(search.states) < 2_000  # all of it is 2^201 states
    few = fairness.outlook(Coin(3), states=30, games=2, contests=2, playouts=0, looks=0)
    assert few.found_states > 30 and "since the game has more than 30 states" in few.sentence


OWN = np.random.default_rng(1)
test_refusals = refuses(
    *(
        ((lambda arguments=arguments: fairness.outlook(**{"game": Coin(2)} | arguments)), f"^{re.escape(message)}")
        for arguments, message in (
            ({"game": "chess"}, "game = 'chess': it lacks "),
            ({"game": simulator}, "players = None: how many play is needed, since the function "),
            ({"game": Coin(1)}, "game.players = 1: a whole number from 2 to 64 is needed"),
            ({"game": Coin(2), "players": 3}, "players = 3: the game says 2"),
            ({"ways": ("random", "clever")}, "ways = 'clever': one of 'random', 'greedy', 'searching', 'best'"),
            ({"looks": 1}, "looks = 1: 0, or 2 or more, since one game tells no error"),
            ({"looking": 3}, "counts = 'looking': one of 'states', 'games', 'contests', 'playouts', 'looks'"),
        )
    ),
    *(
        ((lambda arguments=arguments: fairness.report(**{"game": Coin(2)} | arguments)), re.escape(message))
        for arguments, message in (
            ({"goal": "fun"}, "goal = 'fun'"),
            ({"alike": [(0, 0)]}, "alike = [(0, 0)]: groups of different players are needed"),
            ({"policies": [max]}, "policies = [<built-in function max>]: a dict from names to policies is needed"),
            ({"policies": {"best": max}}, "policies: 'best' is the name of a built-in way to play"),
            ({"policies": {"mine": 3}}, "policies: 'mine': 3: a name and a function or a dict are needed"),
            ({"policies": {"mine": lambda known, moves: 9}}, "9 is none of its moves"),
            ({"without": {"one": Coin(3)}}, "without: 'one' has other players, roles or sides than the game"),
            (
                {"game": type("Asked", (Hands,), {"information": lambda self, state: None})()},
                "its method is information",
            ),
            ({"game": lambda rng, players: (0, OWN.random()), "players": 2}, "the same random numbers give different"),
        )
    ),
)
