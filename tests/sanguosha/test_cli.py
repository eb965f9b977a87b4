"""``gamebalance sanguosha``: the numbers of the library, as text and as JSON; bad input in one line, exit code 2."""

import json

import pytest

from gamebalance import sanguosha
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


def test_a_missing_role_has_no_numbers(run):
    record = json.loads(run("solve --seating 02 --format json")[1])
    assert record["survival"]["loyalist"] is None and record["balance"] is None and record["games"] is None


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
        ("simulate", "Missing option '--lineup'"),
        ("simulate --lineup 1-1-1-1 --rules mine", "'as-coded', 'as-written'"),
        ("solve --seating 0127", "0 lord, 1 loyalist, 2 rebel, 3 renegade"),
        ("solve", "--seating"),
    ],
)
def test_bad_input(run, line, words):
    code, out, err = run(line)
    assert code == 2 and out == "" and err.count("\n") == 1
    assert words in err and err.startswith("gamebalance: ")
