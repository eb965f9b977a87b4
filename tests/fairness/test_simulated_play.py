"""Games that are played one by one: the same for a seed, errors that cover, and players who see what is theirs."""

import numpy as np
import pytest

from gamebalance.fairness.reports.exact import ExactPlay
from gamebalance.fairness.reports.playing import Experienced, play_game, run_simulator, searching
from gamebalance.fairness.reports.simulated import SimulatedPlay
from gamebalance.fairness.reports.skill import contest
from gamebalance.fairness.reports.tables import Seats
from gamebalance.games import tictactoe
from gamebalance.multiplayer.graph import GameGraph
from tests.fairness.made_up import SAYS, Coin, Guess, Race
from tests.fairness.test_exact_play import Either, choices
from tests.multiplayer.alike_games import AtOnce, Hidden
from tests.multiplayer.written_trees import ruin
from tests.refusals import refused

#: A sample is further than this many of its errors from the truth in less than 1 of 30,000 cases; seeds are fixed.
FAR = 4.2
#: What is told of a sample by the name that it has of a whole game, or by "at least" or "at most" so.
TOLD = {
    "length", "spread of length", "median length", "difference of scores", "uniformity of outcomes", "repetition",
    "branching factor", "decision factor", "real choices",
}  # fmt: skip


def play_of(game, games=400, contests=200, playouts=4, looks=0, seed=1, own=None, players=None, **more):
    return SimulatedPlay(game, Seats.of(game, players), games, contests, playouts, looks, seed, own, **more)


def race(rng, players):
    """`Race` with luck 0.5, as a function."""
    said = [player(None, (0, 1)) for player in players]
    if rng.random() < 0.5:
        lucky = int(rng.integers(len(players)))
        return [float(seat == lucky) for seat in range(len(players))]
    return [float(one == 1 and sum(said) == 1) for one in said]


def guess(rng, players):
    """`Guess` as a function."""
    hidden = int(rng.random() < 0.5)
    said = players[1](players[0](hidden, (0, 1)), (0, 1))
    return (0, 1) if said == hidden else (1, 0)


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("kind", ["class", "function"])
def test_a_contest_is_that_of_the_exact_play(kind, players):
    game = Race(players, 0.5)
    exact = ExactPlay(GameGraph(game), Seats(players), SAYS, ("random",))
    play = play_of(game if kind == "class" else race, own=SAYS, players=players)
    for better, others in (("one", "zero"), ("random", "zero"), ("zero", "one")):
        found, true = contest(play, better, others), contest(exact, better, others)
        for name in ("points", "share", "bits"):
            value, error = getattr(found, name)
            assert 0 < error < 0.1 and abs(value - getattr(true, name).value) < FAR * error


@pytest.mark.parametrize(
    ("game", "is_seen"),
    [(tictactoe(3), True), (choices(Hidden, 2), False), (choices(AtOnce, 9), False), (Either(ruin(2, 3)), True)],
)
def test_the_shape_is_that_of_the_exact_play(game, is_seen):
    found = play_of(game, games=400, contests=50, looks=20).shape("random")
    true = ExactPlay(GameGraph(game), Seats.of(game)).shape("random")
    assert found.keys() & TOLD == true.keys() & TOLD
    for name in TOLD & found.keys():
        (value, error), exact = found[name], true[name].value
        assert abs(value - exact) <= FAR * error + 1e-9, name
        assert error > 0 or value == exact, name
    drama, decided = found["drama, at least"], found["decided after, at most"]
    assert drama.value < true["drama"].value + FAR * drama.error and drama.error > 0
    assert abs(decided.value - true["decided after"].value) <= FAR * decided.error + 1e-9  # all can be followed
    assert found["state space, at least"].value < true["state space"].value
    if "size of the tree" in true:
        assert 0 < found["size of the tree, at least"].value <= true["size of the tree"].value
    kings = found.get("kingmaking, at least")
    assert (kings is None) == (not is_seen)
    assert kings is None or abs(kings.value - true["kingmaking"].value) <= FAR * kings.error


@pytest.mark.parametrize("game", [tictactoe(3), Guess(), race])
def test_the_same_games_whatever_was_asked_before(game):
    players = getattr(game, "players", 3)
    one, other = (play_of(game, 30, 8, 2, seed=5, players=players) for _ in range(2))
    tables = [("random",), ("searching",), ("random",) * (players - 1) + ("searching",)]
    for table in tables:
        one.endings(*table)
    for table in reversed(tables):
        assert other.played(*table) == one.played(*table)
    assert play_of(game, 30, 8, 2, seed=6, players=players).played("random") != one.played("random")
    more = play_of(game, 40, 8, 2, seed=5, players=players).played("random")
    assert more[:30] == one.played("random") and len({tuple(each.asked) for each in more}) > 1


@pytest.mark.parametrize("game", [Guess(), guess])
def test_a_player_sees_its_own_information_and_learns(game):
    """Against one who tells what is hidden: whoever has learned believes it, which random play cannot teach more."""
    seen = []

    def tells(known, moves):
        seen.append(known)
        return known[1]

    play = play_of(game, 300, 100, own={"tells": tells}, players=2)
    assert "greedy" not in play.levels and "best" not in play.levels
    play.endings("tells", "random")
    assert {known for known in seen} <= {("first", 0), ("first", 1), (0, 0), (0, 1)} and len(set(seen)) == 2
    for each in play.played("random"):
        for asked in each.asked:
            assert asked.known in {("first", 0), ("first", 1), ("second", 0), ("second", 1), *np.ndindex(2, 2)}
    assert play.shape("random")["length"] == (2, 0)


def test_experience_is_of_the_random_games():
    """Of two moves one always wins: whoever has seen it takes it; what nobody has seen is played at random."""

    def game(rng, players):
        return (1, 0) if players[0]("start", "lr") == "l" else (0, 1)

    play = play_of(game, 30, 30, players=2)
    assert {each.payoffs for each in play.played("searching", "random")} == {(1, 0)}
    gains = {"a": [0, 1] * 50, "b": [0, 1] * 50 + [1], "c": [0] * 100}
    seen = {"k": {move: (len(each), float(sum(each)), float(sum(each))) for move, each in gains.items()}}
    learned, rng = Experienced(seen, 0.25), np.random.default_rng(0)
    assert {learned("k", ("a", "b", "c"), rng) for _ in range(20)} == {"a", "b"}  # within their errors
    assert {*Experienced(seen, 0.25).best("k", ("a", "b", "c", "d"))} == {"a", "b", "d"}  # what is new may be as good


def test_a_search_takes_the_win():
    game, rng = tictactoe(2), np.random.default_rng(2)
    state = game.start()
    for cell in (0, 3, 1, 4):
        state = game.play(state, cell)
    assert searching(game, 4)(state, tuple(game.moves(state)), rng) == 2


def asks_for_ever(rng, players):
    while True:
        players[0](None, (0,))


def answering(name, answer):
    """A coin that breaks the protocol in one method."""
    game = Coin(2)
    setattr(game, name, answer)
    return game


@pytest.mark.parametrize(
    ("run", "game", "message"),
    [
        (play_game, answering("payoffs", lambda state: (1,)), "a number for each of 2 players is needed"),
        (play_game, answering("payoffs", lambda state: (1, float("inf"))), "finite numbers are needed"),
        (play_game, answering("moves", lambda state: ()), "player 0 has no moves"),
        (play_game, answering("mover", lambda state: 2), "player 2 is to move, of 2 numbered from 0"),
        (play_game, answering("mover", lambda state: 0), "after 200 moves it had not ended; it was in state"),
        (run_simulator, lambda rng, players: None, "payoffs = None"),
        (run_simulator, lambda rng, players: players[1]("k", ()), "play: player 1 was asked with no moves"),
        (run_simulator, asks_for_ever, "play: after 200 moves the game had not ended"),
    ],
)
def test_games_that_break_the_protocol(run, game, message, monkeypatch):
    monkeypatch.setattr("gamebalance.fairness.reports.playing.MOST_MOVES", 200)
    with refused(message):
        run(game, [play_of(Coin(2)).levels["random"]] * 2, np.random.default_rng(0))
