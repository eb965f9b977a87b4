"""``gamebalance countn``: the numbers of the library in three formats, a game in the terminal, bad input."""

import csv
import io
import json
import random

import pytest

from gamebalance import countn
from gamebalance.commands.countn import Session
from gamebalance.commands.main import main
from gamebalance.countn import checker
from gamebalance.countn.states import hands_text, read_position


@pytest.fixture
def run(capsys):
    """Run a command line; returns exit code, standard output and standard error."""

    def call(line):
        with pytest.raises(SystemExit) as stop:
            main(["countn", *(line.split() if isinstance(line, str) else line)])
        return stop.value.code, *capsys.readouterr()

    return call


@pytest.fixture
def play(run, monkeypatch):
    """Play with these lines of input; returns what was written."""

    def call(line, entered):
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{text}\n" for text in entered.split())))
        code, out, err = run(f"play {line}")
        assert (code, err) == (0, "")
        return out

    return call


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_solve(run):
    nine = countn.solve(9)
    code, out, err = run("solve 9")
    assert (code, err) == (0, "") and out.startswith("Count-9 (over 9 becomes 1)\n")
    assert [line.split()[-1] for line in out.splitlines()[2:5]] == ["second", "48", "3024"]
    record = json.loads(run("solve 9 --format json")[1])
    assert (record["start_value"], record["start_distance"], record["terminal"]) == ("second", 48, 66)
    assert (record["reach_depth"], record["longest_distance"]) == (nine.reach_depth, nine.distances.max())
    assert list(record["labels"]["principled"].values()) == list(nine.label_counts().values())
    (row,) = rows(run("solve 10 --overflow rollover --format csv")[1])
    assert (row["reachable"], row["start_distance"]) == (str(countn.solve(10, "rollover").reachable_count), "")
    assert "(over 10 becomes the sum less 10)" in run("solve 10 --overflow rollover")[1]
    assert [row["start_distance"] for row in json.loads(run("table 8:9 --format json")[1])] == [None, 48]


def test_certificate(run):
    code, out, err = run("certificate 8 --overflow rollover")
    assert (code, err) == (0, "") and checker.check(out.splitlines())[:2] == (8, "rollover")


@pytest.mark.parametrize("overflow", countn.OVERFLOWS)
@pytest.mark.parametrize("text", ["1,7 v 2,6", "3,- v 7,7", "1,1 v 1,1"])
def test_best_tells_what_the_library_knows(run, text, overflow):
    solution = countn.solve(8, overflow)
    options = solution.options(*read_position(text, solution.game))
    expected = [(each.move.own, each.move.added, hands_text(each.move.hands), each.value) for each in options]
    told = json.loads(run(["best", text, "--overflow", overflow, "--format", "json"])[1])
    moves = [(row["own"], row["added"], hands_text(row["hands"]), row["value"]) for row in told["options"]]
    assert moves == expected and told["value"] == solution.value(told["mover"], told["opponent"])
    assert len(told["main_line"]) == len(solution.main_line(*read_position(text, solution.game), 100))
    read = rows(run(["best", text, "--overflow", overflow, "--format", "csv"])[1])
    assert [row["distance"] for row in read] == ["" if each.value == 0 else str(each.distance) for each in options]


def test_the_computer_wins_when_it_can(play):
    """As first player of Count-7 in 23 plies, or fewer if the replies are bad."""
    for seed in range(3):
        out = play(f"7 --side second --seed {seed}", "1 " * 20)
        assert "win for first" in out.splitlines()[-1] and out.count("first plays") <= 12


def test_the_computer_sets_traps_in_a_draw():
    """Of the moves that keep a draw it takes one after which the most replies lose."""
    solution = countn.solve(8)
    tried = 0
    for first, second, turn in solution.reachable_states():
        mover, opponent = (second, first) if turn else (first, second)
        if opponent != countn.WITHDRAWN and solution.value(mover, opponent) == 0:
            losing = {
                move: sum(reply.value < 0 for reply in solution.options(opponent, move.hands))
                for move in solution.best_moves(mover, opponent)
            }
            equal = {move for move, count in losing.items() if count == max(losing.values())}
            sessions = [Session(solution, "first", random.Random(seed)) for seed in range(12)]
            # With fixed seeds this is no matter of chance: all that are equally good are chosen by some of them.
            assert {session.reply(mover, opponent) for session in sessions} == equal
            tried += len(equal) < len(losing)
    assert tried > 10


def test_undo(play):
    """One ply between two people; one's own last ply and the reply against the computer, which moves again."""
    out = play("8 --side both", "u 1 1 u u q")
    assert "There is nothing to undo." in out
    told = [line.split(":")[0] for line in out.splitlines() if line.startswith("After")]
    assert told == [f"After {plies}" for plies in ("0 plies", "1 ply", "2 plies", "1 ply", "0 plies")]
    told = play("8 --side second", "u 1 u q")
    assert told.count("After 1 ply: first 1,2, second 1,1. Second") == 2 and told.count("nothing to undo") == 1
    assert "was here" not in told, "what was undone was never there"


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("solve 1", "n = 1: "),
        ("certificate 7", "n = 7: the first player wins"),
        ("solve 60 --labels published", "n = 60"),
        ("table 9:2", "'9:2'"),
        ("table ١:٩", "'١:٩'"),
        (["best", "9,1 v 1,1"], "mover = (9, 1)"),
        (["best", "1,1"], "position = '1,1'"),
        (["best", "1,1 v 1,1", "--plies", "-1"], "--plies"),
        ("play 8 --side third", "third"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(run, line, named):
    code, out, err = run(line)
    assert code == 2 and out == "" and named in err and len(err.splitlines()) == 1
