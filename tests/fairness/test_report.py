"""A report: its tables and sentences, what it will do and how long that takes."""

import re
from cProfile import Profile
from functools import partial
from time import process_time, sleep

import numpy as np
import pytest

from gamebalance import fairness
from gamebalance.base import announce
from gamebalance.fairness.reports import outlook as outlooks
from gamebalance.fairness.reports.exact import ExactPlay
from gamebalance.fairness.reports.shape import MEASURES
from gamebalance.fairness.reports.simulated import SimulatedPlay
from gamebalance.games import Kuhn, Tree, tictactoe
from gamebalance.multiplayer import CHANCE, OVER, with_memory
from tests.fairness.made_up import Coin, Dictator, Guess, Race, always
from tests.multiplayer.written_trees import Hands
from tests.refusals import refused

COUNTS = {"states": 0, "games": 60, "contests": 40, "playouts": 2, "looks": 4}
SAYS = {"zero": always(0), "one": always(1)}
COLUMNS = {
    "shares": ["all play", "by", "who", "wins, %", "±", "mean payoff", "± payoff", "low, %", "high, %"],
    "skill": [
        *("one plays", "the others", "points more", "± points", "wins, %", "±", "even, %", "skill depth, pp"),
        *("± depth", "bits a game", "± bits", "luck, %", "± luck", "games to show it"),
    ],
    "shape": ["all play", "measure", "unit", "value", "±"],
    "ends": ["all play", "end", "chance, %", "±"],
    "worth": [
        *("without", "all play", "who", "wins, %", "wins without, %", "worth, points", "±"),
        *("low, points", "high, points"),
    ],
    "needed": ["all play", "by", "games"],
}


class Roles(Coin):
    """The coin, thrown for a leader and two helpers."""

    roles = ("leader", "helper", "helper")

    def payoffs(self, state):
        return tuple(float((state[-1] > 0) == (seat > 0)) for seat in range(3)) if state else (0.0,) * 3


class OneHelper(Roles):
    """The same, where only one of the helpers wins: half of the games are the leader's."""

    def moves(self, state):
        return {0: 0.5, 1: 0.25, 2: 0.25} if len(state) == 3 else "ab"

    def payoffs(self, state):
        return tuple(float(state[-1] == seat) for seat in range(3)) if state else (0.0,) * 3


@pytest.fixture(scope="module", params=["exact", "simulated"])
def found(request):
    counts = COUNTS if request.param == "simulated" else {}
    return fairness.report(Race(3, 0.5), policies=SAYS, without={"luck": Race(3)}, **counts)


def value(report, level, measure):
    frame = report.shape
    return frame[(frame["all play"] == level) & (frame["measure"] == measure)][["value", "±"]].to_numpy()[0].tolist()


def test_columns_and_units(found):
    for name, columns in COLUMNS.items():
        frame = getattr(found, name)
        assert list(frame.columns) == columns and len(frame), name
        frame = frame.drop(columns=frame.filter(regex="^(low|high), ").columns)  # of best play alone
        numbers = frame.select_dtypes("float").to_numpy()
        assert np.isfinite(numbers).all(), name
        errors = frame.filter(like="±").to_numpy()
        assert (errors >= 0).all() and (not found.exact or not errors.any())
    assert set(found.shape["measure"]) <= set(MEASURES) and list(found.needed["all play"]) == list(found.levels)
    units = found.shape.groupby("measure")["unit"].unique()
    assert all(list(units[name]) == [MEASURES[name].unit] for name in units.index)


def test_sums(found):
    for level in found.levels:
        ends = found.ends[found.ends["all play"] == level]
        assert ends["chance, %"].sum() == pytest.approx(100) and not ends["end"].duplicated().any()
        shares = found.shares[(found.shares["all play"] == level) & (found.shares["by"] == "seat")]
        drawn = value(found, level, "drawishness")[0]
        assert shares["wins, %"].sum() == pytest.approx(100 - drawn)
        assert value(found, level, "decisiveness")[0] == pytest.approx(100 - drawn)
        for who, won in shares[["who", "wins, %"]].itertuples(index=False):
            alone = ends[ends["end"] == f"seat {who} wins"]["chance, %"].sum()
            assert won == pytest.approx(alone)


def test_the_skill_table_is_that_of_the_contests(found):
    table = found.skill.set_index(["one plays", "the others"])
    assert len(table) == len(found.contests) == len(found.levels) * (len(found.levels) - 1) / 2
    row = table.loc[("one", "zero")]
    assert row["even, %"] == pytest.approx(100 / 3)
    assert row["skill depth, pp"] == pytest.approx(row["wins, %"] - row["even, %"], abs=1e-6)
    assert row["± depth"] == row["±"] and row["luck, %"] == pytest.approx(
        100 * (1 - row["bits a game"] / np.log2(3)), abs=1e-6
    )
    assert row["± luck"] == pytest.approx(100 * row["± bits"] / np.log2(3), abs=1e-6)
    if found.exact:
        needed = fairness.games_needed([2 / 3, 1 / 6, 1 / 6])
        assert row["wins, %"] == pytest.approx(200 / 3) and row["games to show it"] == needed


def test_needed_is_missing_where_nothing_differs():
    for counts in ({}, COUNTS):
        assert fairness.report(Coin(3), **counts).needed["games"].isna().all()
        assert fairness.report(Coin(3), **counts).skill["games to show it"].isna().all()
    unfair = Tree((0, [(1, 0), (1, 0), (1, 0), (0, 1)]))
    found = fairness.report(unfair, **COUNTS | {"games": 400}).needed.set_index("all play")["games"]
    exact = fairness.report(unfair).needed.set_index("all play")["games"]
    assert exact["random"] == fairness.games_needed([0.75, 0.25])
    assert found["random"] == pytest.approx(exact["random"], rel=0.5)


def test_needed_counts_the_games_that_nobody_wins():
    often = fairness.report(Tree((0, [(1, 0), (1, 0), (1, 0), (0, 1)]))).needed["games"][0]
    seldom = fairness.report(Tree((0, [(1, 0), (1, 0), (1, 0), (0, 1)] + [(0, 0)] * 12))).needed["games"][0]
    assert seldom == 4 * often


def test_roles_that_several_have():
    """A helper's chance is that of each helper, and a helper who wins alone has won alone."""
    found = fairness.report(OneHelper())
    shares = found.shares[(found.shares["all play"] == "random") & (found.shares["by"] == "role")]
    assert dict(zip(shares["who"], shares["wins, %"], strict=True)) == {"leader": 50, "helper": 25}
    assert value(found, "random", "decisiveness") == [100, 0] and found.outlook.seats.kind == "role"
    assert found.needed["games"][0] == fairness.games_needed([0.5, 0.25, 0.25])
    assert any(
        "50.0% for leader and 25.0% for helper each; by seat 50.0% for seat 1" in sentence
        for sentence in found.sentences
    )
    assert value(found, "random", "asymmetry of roles") == [12.5, 0] and "first move" not in set(found.shape["measure"])


def test_asymmetry_of_roles():
    """The root mean square distance of the chances; of a sample an error whose interval holds it in 95 of 100 cases."""
    exact = fairness.report(Dictator(3))
    assert value(exact, "random", "asymmetry of roles")[0] == pytest.approx(100 * np.std([0, 0.5, 0.5]))
    inside = []
    for game, true in ((Coin(3), 0.0), (Dictator(3), 100 * np.std([0, 0.5, 0.5]))):
        for seed in range(20):
            play = fairness.report(game, seed=seed, ways=(), **COUNTS | {"looks": 0})
            found, error = value(play, "random", "asymmetry of roles")
            inside.append(abs(found - true) <= 1.96 * error)
            assert error > 0
    assert sum(inside) >= 34  # of 40, at 95% each: fewer in 5 of 1,000 cases; the seeds are fixed


def test_methods_that_cannot_be_called_are_refused():
    with refused("its method is information(state), and information(state, player) is needed"):
        fairness.report(type("Asked", (Hands,), {"information": lambda self, state: None})())
    with refused("its method is play(state, *, move), and play(state, move) is needed"):
        fairness.report(type("Named", (Coin,), {"play": lambda self, state, *, move: state})())


def test_without_must_be_the_same_players():
    with refused("without: 'X' has other players"):
        fairness.report(tictactoe(2), without={"X": tictactoe(3)}, ways=())


GIVEN = {"states": 0, "games": 30, "contests": 20, "playouts": 2, "looks": 3}


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
    found = fairness.outlook(game, players, **GIVEN)
    looks = 0 if game is simulator else 3
    assert (found.games, found.contests, found.looks, found.ways) == (30, 20, looks, ways) and found.graph is None
    play = outlooks.play_of(found, game, 1, {})
    assert isinstance(play, SimulatedPlay) and list(play.levels) == list(ways)
    assert len(play.played("random")) == 30 and len(play.played("random", "searching")) == 20
    for name, count in GIVEN.items():
        assert name == "looks" or f"{name}={count}" in found.sentence
    assert found.announcement.startswith(found.sentence + " This takes about ")


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
    monkeypatch.setattr(outlooks, "_pilot", lambda game, seats, most: outlooks._Pilot(8.0, 5.0, 1e-4, 4e-4, 5e-5, 5e-3))
    monkeypatch.setattr(outlooks, "LOADING", 0.0)
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


def dawdle():
    """Count for about two milliseconds, a hundred times what a game takes besides."""
    count = 0
    while count < 50_000:
        count += 1
    return count


class Dealt(Coin):
    """A coin that is thrown for a hand that takes long to deal, in a method of its own."""

    def deals(self):
        return dawdle() and dict.fromkeys(range(self.players), 1 / self.players)

    def moves(self, state):
        return self.options(state)

    def options(self, state):
        return self.deals() if self.mover(state) == CHANCE else "ab"


class Long(Coin):
    """A random walk without an end in sight: each step is a state of its own, and is made slowly."""

    def mover(self, state):
        sleep(0.002)
        return 0 if len(state) < 200 else OVER


def drawn(rng, players):
    """A game as a function, most of whose time is spent in another one."""
    dawdle()
    return [float(rng.random() > 0.5), *(player(None, (0, 1)) for player in players[1:])]


@pytest.fixture
def announced():
    """What is announced."""
    found = []
    announce.listen(found.append)
    yield found
    announce.listen(None)


@pytest.fixture(autouse=True)
def _time_of_this_process_alone(monkeypatch):
    """Profiles do not count what a busy machine does besides."""
    monkeypatch.setattr(outlooks, "Profile", partial(Profile, process_time))


def playing(game, games=3):
    run, table = outlooks._run(game), [outlooks.at_random] * 3
    return lambda: [run(game, table, np.random.default_rng(number)) for number in range(games)]


@pytest.mark.parametrize("game", [Dealt(3), with_memory(Dealt(3)), drawn])
def test_the_function_that_takes_the_time(game):
    found = outlooks.slow_function(game, playing(game))
    assert found[0] == "dawdle" and 2 / 3 < found[1] <= 1


def test_what_is_slow_is_said_before_games_are_cut(announced):
    found = fairness.outlook(Dealt(3), states=0, seconds=1)
    assert found.games < outlooks.MOST and len(announced) == 1
    assert re.match(r"`dawdle\(\)` takes [\d.e+]+ ms of the [\d.e+]+ ms of a game: ", announced[0])
    assert f"{found.games:,} games are played instead of 100,000" in announced[0]
    fairness.outlook(drawn, 3, games=10, contests=10)
    assert len(announced) == 1  # nothing is cut


def test_a_search_for_states_ends_in_time(monkeypatch):
    monkeypatch.setattr(outlooks, "SHORT", 0.1)
    game = Long(3)
    allowed, search = outlooks._searched(game, None, 1.0)
    assert not search.finished  # all of it is 2^201 states
    assert 0 < allowed < len(search.states) < 2_000
    assert not outlooks._searched(game, allowed, 1.0)[1].finished
    few = fairness.outlook(Coin(3), states=30, games=2, contests=2, playouts=0, looks=0)
    assert few.found_states > 30 and "since the game has more than 30 states" in few.sentence
    assert fairness.outlook(Coin(3)).found_states == 39
    assert fairness.outlook(lambda rng, players: (1, 0), 2, games=9, contests=9).found_states == 0


def test_the_time_of_the_solver_is_announced(monkeypatch):
    """5,000 iterations from each start, with a visit of all 617 nodes for each of three players; none of too many."""
    monkeypatch.setattr(outlooks, "A_VISIT", 1.0)
    solving = 5_000 * 617 * 3 * (1 + 5 + 10)
    assert fairness.outlook(Kuhn(3)).seconds == pytest.approx(solving, rel=1e-3)
    assert "more than the 60 seconds allowed" in fairness.outlook(Kuhn(3)).announcement
    assert fairness.outlook(Kuhn(3), ways=("random", "searching")).seconds < solving / 1000
    monkeypatch.setattr(outlooks, "MOST_NODES", 616)
    assert fairness.outlook(Kuhn(3)).seconds < solving / 1000
