"""``gamebalance sanguosha``: the numbers of the library, as text and as JSON; bad input in one line, exit code 2."""

import json

import pytest

from gamebalance import sanguosha
from gamebalance.commands import sanguosha as cli
from gamebalance.commands.main import main


@pytest.fixture
def run(capsys):
    """Run a command line; returns exit code, standard output and standard error."""

    def call(line):
        with pytest.raises(SystemExit) as stop:
            main(["sanguosha", *line.split()])
        return stop.value.code, *capsys.readouterr()

    return call


def test_simulate_is_the_library(run):
    code, out, err = run("simulate --lineup 1-1-2-1 --games 2000 --seed 7 --workers 2 --format json")
    record, outcomes = json.loads(out), sanguosha.simulate("1-1-2-1", 2000, 7)
    assert (code, err) == (0, "")
    assert list(record["survival"].values()) == outcomes.survival.tolist()
    assert list(record["expected_score_error"].values()) == outcomes.score_error.tolist()
    assert record["rationality"] == outcomes.rationality() and record["seed"] == 7
    endings = {tuple(ending["alive"].values()): ending["probability"] for ending in record["endings"]}
    assert endings == outcomes.probability


def test_long_simulations_are_announced(run, monkeypatch):
    """How long is found by a trial of the same games, here by a clock that says 3 seconds for each game."""
    tried, told = [], []

    def clock(play, games, workers):
        play(2)
        tried.append((games, workers))
        return 3.0 * games

    monkeypatch.setattr(cli, "QUICK_GAMES", 99)
    monkeypatch.setattr(cli, "seconds_for", clock)
    monkeypatch.setattr(cli, "say", told.append)
    assert run("simulate --lineup 1-1-2-1 --games 99 --seed 7")[0] == 0 and not told
    assert run("simulate --lineup 1-1-2-1 --games 100 --seed 7 --workers 2")[0] == 0
    assert tried == [(100, 2)] and told == ["games = 100: this takes about 5.0 minutes"]


def test_shares_of_0_and_100_percent_say_what_they_leave_open(run):
    """A renegade alone with the lord wins every game; 300 of 300 leave room for 1.2%."""
    said = "0% or 100% of 300 games: the chance is within 1.2% of it (95% interval)"
    assert said in run("simulate --lineup 1-0-0-1 --games 300 --seed 7")[1]
    assert "95% interval" not in run("simulate --lineup 1-1-2-1 --games 2000 --seed 7")[1]
    assert "95% interval" not in run("solve --seating 03")[1]


def test_a_missing_role_has_no_numbers(run):
    record = json.loads(run("solve --seating 02 --format json")[1])
    assert record["survival"]["loyalist"] is None and record["balance"] is None and record["games"] is None
    text = run("solve --seating 02")[1]
    assert "loyalist " not in text.split("alive at the end")[0] and "Bal" not in text


def test_solve_line_up_and_rules(run):
    record = json.loads(run("solve --lineup 1-0-1-1 --rules as-written --format json")[1])
    exact = sanguosha.solve_lineup("1-0-1-1", sanguosha.AS_WRITTEN)
    assert record["survival"]["lord"] == pytest.approx(exact.survival[0], abs=1e-15)
    assert record["error_bound"] < 1e-12 and record["rules"] == "as-written"


def test_play_tells_the_game_that_simulate_played(run):
    code, out, _ = run("play --seed 3")
    assert code == 0 and out == sanguosha.transcript(sanguosha.play("1-1-1-1", 3)) + "\n"
    record = json.loads(run("play --seed 3 --game 5 --seating 0122 --format json")[1])
    game = sanguosha.play("1-1-2-0", 3, 5, seating="0122")
    assert len(record["turns"]) == len(game.moves) and record["winner"] == game.table.winner
    assert record["turns"][0]["players"][1]["dodges"] == game.moves[0].table.players[1].dodges


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("simulate --lineup 1-1-2-1 --games 0", "games = 0: a whole number from 1 to 2^63 - 1"),
        ("simulate --lineup 1-1-2-1 --seed x", "'x' is not a valid integer"),
        ("simulate --lineup 1-1-2-1 --games 9 --workers 0", "workers = 0"),
        ("simulate --lineup 1-4-4-2", "11 players: 2 to 10 are allowed"),
        ("simulate", "Missing option '--lineup'"),
        ("simulate --lineup 1-1-1-1 --rules mine", "'as-coded', 'as-written'"),
        ("solve --seating 0127", "0 lord, 1 loyalist, 2 rebel, 3 renegade"),
        ("solve --seating 0112223", "2 to 6 are allowed"),
        ("solve --lineup 1-1-1-1 --workers 0", "workers = 0"),
        ("solve", "--seating"),
        ("play --game -1", "number = -1"),
    ],
)
def test_bad_input(run, line, words):
    code, out, err = run(line)
    assert code == 2 and out == "" and err.count("\n") == 1
    assert words in err and err.startswith("gamebalance: ")
