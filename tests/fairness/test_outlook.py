"""What a report says it will do: exact or not as stated, counts that reproduce, and bad arguments in one line."""

import re

import numpy as np
import pytest

from gamebalance import fairness
from gamebalance.base import announce
from gamebalance.fairness.reports import outlook as outlooks
from gamebalance.fairness.reports.exact import ExactPlay
from gamebalance.fairness.reports.simulated import SimulatedPlay
from gamebalance.games import Kuhn, tictactoe
from tests.fairness.made_up import Coin, Guess, Race
from tests.refusals import refused

COUNTS = {"states": 0, "games": 30, "contests": 20, "playouts": 2, "looks": 3}


def simulator(rng, players):
    return [float(rng.random() + player(None, (0, 1)) > 1) for player in players]


def test_small_games_are_exact():
    found = fairness.outlook(Coin(3))
    assert len(found.graph.states) == 1 + 2 + 4 + 8 + 24 and found.ways == ("random", "greedy", "searching", "best")
    assert (
        found.sentence == "Exact: all 39 states of the game are followed, and everybody sees all."
        and found.seconds >= 1
    )
    assert (found.games, found.contests, found.playouts, found.looks) == (0, 0, 0, 0)
    assert re.fullmatch(re.escape(found.sentence) + r" This takes about [\d.]+ \w+ here\.", found.announcement)
    assert isinstance(outlooks.play_of(found, Coin(3), 1, {}), ExactPlay)


@pytest.mark.parametrize(("states", "exact"), [(0, False), (38, False), (39, True), (2_500, True)])
def test_as_many_states_as_were_allowed(states, exact):
    found = fairness.outlook(Coin(3), **COUNTS | {"states": states})
    assert (found.graph is not None) == exact and found.states == states
    assert exact or not states or f"since the game has more than {states:,} states" in found.sentence


def test_more_states_than_a_few_are_looked_for_aloud(monkeypatch):
    monkeypatch.setattr(outlooks, "FEW", 20)
    said = []
    announce.listen(said.append)
    try:
        assert fairness.outlook(Coin(3), states=50).graph is not None
    finally:
        announce.listen(None)
    assert len(said) == 1 and said[0].startswith("looking for the states of the game, up to 50: up to about ")


@pytest.mark.parametrize(
    ("game", "ways"),
    [
        (Coin(2), ("random", "greedy", "searching")),
        (Guess(), ("random", "searching")),
        (simulator, ("random", "searching")),
    ],
)
def test_counts_that_are_given_are_done(game, ways):
    players = None if game is not simulator else 2
    found = fairness.outlook(game, players, **COUNTS)
    looks = 0 if game is simulator else 3
    assert (found.games, found.contests, found.looks, found.ways) == (30, 20, looks, ways) and found.graph is None
    play = outlooks.play_of(found, game, 1, {})
    assert isinstance(play, SimulatedPlay) and list(play.levels) == list(ways)
    assert len(play.played("random")) == 30 and len(play.played("random", "searching")) == 20
    for name, count in COUNTS.items():
        assert name == "looks" or f"{name}={count}" in found.sentence
    assert found.announcement.startswith(found.sentence + " This takes about ")


@pytest.mark.parametrize(("game", "playouts"), [(Race(3, 0.5), 2), (Race(2), 0), (Guess(), 0), (simulator, None)])
def test_the_counts_of_the_sentence_give_the_same_numbers(game, playouts):
    players = 2 if game is simulator else None
    first = fairness.report(game, players, seconds=1, **COUNTS | {"playouts": playouts})
    given = {name: int(count) for name, count in re.findall(r"(\w+)=(\d+)", first.outlook.sentence)}
    again = fairness.report(game, players, seconds=100, **given)
    assert given.keys() == COUNTS.keys() and again.to_json() == first.to_json()
    assert fairness.report(game, players, seed=2, **given).to_json() != first.to_json()


def test_what_takes_long_is_left_out(monkeypatch):
    """A tenth of a millisecond a game, eight moves of five each; what fits is played, the fewest in any case."""
    monkeypatch.setattr(outlooks, "_pilot", lambda game, seats, most: outlooks._Pilot(8.0, 5.0, 1e-4, 4e-4, 5e-5, 5e-3))
    monkeypatch.setattr(outlooks, "_loading", lambda: 0.0)
    monkeypatch.setattr(outlooks, "A_TABLE", 0.0)
    found, more = (fairness.outlook(tictactoe(3), seconds=seconds, states=0) for seconds in (1, 1000))
    assert (found.games, found.ways, found.playouts) == (1000, ("random", "greedy"), 0)
    assert (more.games, more.playouts, more.looks) == (100_000, 32, 200) and "searching" in more.ways
    assert found.looks < more.looks and found.contests >= outlooks.FEWEST
    assert found.seconds < 1.5 < 100 < more.seconds < 1500
    many = fairness.outlook(tictactoe(3), seconds=1, states=0, ways=("random", "searching"), own=200)
    assert many.contests == outlooks.FEWEST and many.seconds > 10
    assert "more than the 1.0 seconds allowed, since 50 games of a table are the least" in many.announcement
    told = fairness.outlook(tictactoe(3), seconds=1, states=0, ways=("random",), games=10**7).announcement
    assert "more than the 1.0 seconds allowed." in told
    assert "allowed" not in found.announcement and "allowed" not in fairness.outlook(Coin(3), seconds=1).announcement


def test_chance_comes_from_the_numbers_that_are_handed_over():
    own = np.random.default_rng(1)
    with refused("game = <function", "the same random numbers give different games"):
        fairness.outlook(lambda rng, players: (0, own.random()), 2)
    assert fairness.outlook(simulator, 2, ways="searching").ways == ("random", "searching")


def test_what_players_know_is_said():
    assert fairness.outlook(Guess()).sentence.endswith("and players know what `information` tells them.")


def test_counts_are_round_numbers():
    assert [outlooks._round_down(count) for count in (0.5, 1, 4.9, 5, 19, 20, 99_999, 1e5)] == [
        0,
        1,
        2,
        5,
        10,
        20,
        50_000,
        100_000,
    ]
    assert outlooks._fitting(7, 1000.0, 50, 100) == 7 and outlooks._fitting(None, 3.0, 50, 100) == 50
    assert outlooks._fitting(None, 1e9, 50, 100) == 100 and outlooks._fitting(0, 5.0, 1, 9) == 0


def test_ways_that_are_not_asked_for():
    assert fairness.outlook(Coin(2), ways=()).ways == ("random",)
    assert fairness.outlook(Coin(2), ways=["best"]).ways == ("random", "best")
    found = fairness.report(Coin(2), ways=("best",))
    assert found.levels == ("random", "best") and "searching" not in found.play.notes
    simulated = fairness.report(Coin(2), ways=("best",), **COUNTS)
    assert simulated.levels == ("random",) and simulated.contests == () and len(simulated.skill) == 0
    assert simulated.to_text() and simulated.to_html() and '"skill": []' in simulated.to_json()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"game": "chess"}, "game = 'chess': it lacks "),
        ({"game": simulator}, "players = None: how many play is needed, since the function "),
        ({"game": simulator, "players": 1}, "players = 1: a whole number from 2 to 64 is needed"),
        ({"game": simulator, "players": 2.0}, "players = 2.0: a whole number"),
        ({"game": Coin(1)}, "game.players = 1: a whole number from 2 to 64 is needed"),
        ({"game": Coin(2), "players": 3}, "players = 3: the game says 2"),
        ({"seconds": 0.5}, "seconds = 0.5: a number from 1 to 86400 is needed"),
        ({"seconds": float("nan")}, "seconds = nan"),
        ({"ways": ("random", "clever")}, "ways = 'clever': one of 'random', 'greedy', 'searching', 'best'"),
        ({"ways": 5}, "ways = 5: a list is needed"),
        ({"games": 1}, "games = 1: a whole number from 2 to 10000000 is needed"),
        ({"playouts": -1}, "playouts = -1: a whole number from 0"),
        ({"looks": -1}, "looks = -1: a whole number from 0"),
        ({"looks": 1}, "looks = 1: 0, or 2 or more, since one game tells no error"),
        ({"looking": 3}, "counts = 'looking': one of 'states', 'games', 'contests', 'playouts', 'looks'"),
    ],
)
def test_refusals(arguments, message):
    with refused(message):
        fairness.outlook(**{"game": Coin(2)} | arguments)


@pytest.mark.parametrize(
    ("name", "value"), [("roles", ("a",)), ("sides", ("a", 2)), ("roles", ("a", "")), ("sides", ("a", "b", "c"))]
)
def test_names_for_each_player(name, value):
    game = Coin(2)
    setattr(game, name, value)
    with refused(f"{name} = ", "a name for each of 2 players is needed"):
        fairness.outlook(game)
    setattr(game, name, 6)  # the sides of a die
    assert fairness.outlook(game).seats.kind == "seat"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seed": -1}, "seed = -1"),
        ({"policies": [max]}, "policies = [<built-in function max>]: a dict from names to policies is needed"),
        ({"policies": {"best": max}}, "policies: 'best' is the name of a built-in way to play"),
        ({"policies": {"mine": 3}}, "policies: 'mine': 3: a name and a function or a dict are needed"),
        ({"policies": {"mine": lambda known, moves: 9}}, "policy at 0: 9 is none of its moves"),
        ({"without": {"one": Coin(3)}}, "without: 'one' has other players, roles or sides than the game"),
    ],
)
def test_refusals_of_a_report(arguments, message):
    with refused(message.split(" at 0")[0]):
        fairness.report(Coin(2), **arguments)


def test_hidden_games_know_their_equilibrium():
    found = fairness.report(Kuhn(2), ways=("best",))
    assert "counterfactual regret minimisation" in found.play.notes["best"]
    points = found.shares[(found.shares["all play"] == "best")]["mean payoff"].to_list()
    assert points == pytest.approx([-1 / 18, 1 / 18], abs=1e-3)
