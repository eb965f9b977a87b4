"""``gamebalance countn``: the numbers of the library in three formats, a game in the terminal, bad input."""

import csv
import io
import json
import random

import pytest

from gamebalance import countn
from gamebalance.cli import main
from gamebalance.countn import checker, cli, terminal, words
from gamebalance.countn.notation import read_position


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


def test_certificate(run, tmp_path):
    code, out, err = run("certificate 10")
    assert (code, err) == (0, "") and checker.check(out.splitlines()) == (10, "one", len(out.splitlines()) - 1)
    assert run("certificate 5 --overflow rollover")[1].startswith("count-n 5 rollover\n1,1 v 1,1 > ")


def test_solve(run):
    nine = countn.solve(9)
    code, out, err = run("solve 9")
    assert (code, err) == (0, "") and "Count-9" in out and "the second player wins in 48 plies" in out
    assert "3,024 states" in out and "66 of them are ends" in out and "published" not in out
    record = json.loads(run("solve 9 --labels both --format json")[1])
    assert (record["start_value"], record["start_distance"]) == ("second", 48)
    assert (record["reachable"], record["terminal"], record["reach_depth"]) == (3024, 66, nine.reach_depth)
    assert record["longest_distance"] == nine.distances.max()
    for kind in ("principled", "published"):
        assert list(record["labels"][kind].values()) == list(nine.label_counts(kind).values())
    assert list(record["labels"][kind]) == ["lost_big", "lost_small", "won_small", "won_big", "draw"]
    (row,) = rows(run("solve 9 --labels published --format csv")[1])
    assert (row["n"], row["start_distance"], row["labels"], row["won_small"]) == ("9", "48", "published", "1223")


def test_solve_a_draw_and_the_other_overflow(run):
    assert "Count-8 (over 8 becomes 1): a draw." in run("solve 8")[1]
    ten = countn.solve(10, "rollover")
    record = json.loads(run("solve 10 --overflow rollover --format json")[1])
    assert (record["reachable"], record["start_distance"]) == (ten.reachable_count, None)
    assert (
        record["overflow"] == "rollover"
        and "(over 10 becomes the sum less 10)" in run("solve 10 --overflow rollover")[1]
    )
    assert rows(run("solve 8 --format csv")[1])[0]["start_distance"] == ""


def test_table(run):
    lines = run("table 2:9")[1].splitlines()
    assert lines[0].split()[:5] == ["N", "winner", "plies", "reachable", "ends"] and len(lines) == 9
    assert lines[7].split() == [
        "8",
        "draw",
        "1934",
        "46",
        *(str(count) for count in countn.solve(8).label_counts().values()),
    ]
    assert lines[8].split()[:5] == ["9", "second", "48", "3024", "66"]
    record = json.loads(run("table 8:9 --format json")[1])
    assert [(row["n"], row["start_distance"]) for row in record] == [(8, None), (9, 48)]
    assert len(run("table 5")[1].splitlines()) == 2
    both = rows(run("table 7:8 --labels both --format csv")[1])
    assert [(row["n"], row["labels"]) for row in both] == [
        (n, kind) for n in "78" for kind in ("principled", "published")
    ]
    assert [int(row["won_big"]) for row in both] == [
        countn.solve(n).label_counts(kind)[2] for n in (7, 8) for kind in ("principled", "published")
    ]
    assert both[0]["start_distance"] == "23"


def test_best(run):
    code, out, err = run(["best", "1,7 v 2,6", "-n", "8"])
    assert (code, err) == (0, "") and "small win in 15 plies for the mover" in out
    moves = [line.split("  ")[1:] for line in out.split("\n\n")[1].splitlines()]
    assert [(move[0].strip(), move[-1].split(": ")[1]) for move in moves] == [
        ("1 + 2 = 3", "small win in 15 plies"), ("1 + 6 = 7", "draw"), ("7 + 2 = 9, becomes 1", "draw")
    ]  # fmt: skip
    line = out.split("Main line:\n")[1].splitlines()
    assert len(line) == 15 and line[0].endswith("1. 1,7 v 2,6: 1 + 2 = 3") and line[-1].endswith("= 8, withdrawn")


@pytest.mark.parametrize("overflow", countn.OVERFLOWS)
@pytest.mark.parametrize("text", ["1,7 v 2,6", "1,1 v 7,-", "3,- v 7,7", "1,1 v 1,1", "2,2 v -,-"])
def test_best_tells_what_the_library_knows(run, text, overflow):
    solution = countn.solve(8, overflow)
    position = read_position(text, solution.game)
    record = json.loads(run(["best", text, "--overflow", overflow, "--format", "json"])[1])
    assert (record["value"], record["distance"]) == (solution.value(*position), solution.distance(*position))
    options = solution.options(*position)
    told = [(row["own"], row["added"], tuple(row["hands"]), row["value"], row["distance"]) for row in record["options"]]
    assert told == [(*vars(option.move).values(), option.value, option.distance) for option in options]
    line = [tuple(move["hands"]) for move in record["main_line"]]
    assert line == [move.hands for move in solution.main_line(*position)][: len(line)]
    assert len(line) == record["distance"] if record["value"] else line
    read = rows(run(["best", text, "--overflow", overflow, "--format", "csv"])[1])
    assert [row["distance"] for row in read] == [
        "" if option.distance is None else str(option.distance) for option in options
    ]


def test_best_of_a_draw_and_of_an_end(run):
    out = run(["best", "1,1 v 1,1"])[1]
    assert out.startswith("Count-8 (over 8 becomes 1), 1,1 v 1,1: draw.\n")
    line = out.split("Main line:\n")[1].splitlines()
    again = line[-1].split()
    seen = int(again[-1].rstrip("."))
    assert " ".join(again[1:4]) == line[seen - 1].split(". ")[1].split(":")[0], "the line it names is the state"
    shown = [row.split(":")[0].split(". ")[1] for row in line[:-1]]
    assert len(shown) == len(set(shown))
    cut = run(["best", "1,1 v 1,1", "--plies", "3"])[1].splitlines()
    assert "And so on" in cut[-1] and "3. " in cut[-2]
    assert "Main line" not in run(["best", "1,1 v 1,1", "--plies", "0"])[1]
    assert "the game is over" in run(["best", "1,1 v -,-"])[1]
    assert "small win in 1 ply for" in run(["best", "1,- v 7,-"])[1]


def test_play_to_the_end(play):
    """A person who moves at random, and never sees the end of the game missed, loses Count-3 as first player."""
    out = play("3", "1 1 1 1 1 1 1 1")
    assert out.rstrip().endswith("win for second.") and "After 0 plies: first 1,1, second 1,1. First is to move." in out
    assert out.count("first> ") == out.count("second plays")


def test_the_computer_wins_when_it_can(play):
    """As first player of Count-7 in 23 plies, or fewer if the replies are bad."""
    for seed in range(6):
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
            sessions = [terminal.Session(solution, "first", random.Random(seed)) for seed in range(20)]
            # With fixed seeds this is no matter of chance: all that are equally good are chosen by some of them.
            assert {session._reply(mover, opponent) for session in sessions} == equal
            tried += len(equal) < len(losing)
    assert tried > 10


def test_hints_are_the_values(play):
    out = play("8 --side both", "1 2 h q")
    solution = countn.solve(8)
    options = solution.options((1, 2), (1, 3))
    hints = [line.split(") ") for line in out.split("> h\n")[1].splitlines()[: len(options)]]
    listed = [line.strip() for line in out.split("> h\n")[0].splitlines()[-len(options) - 1 : -1]]
    moves = solution.game.moves((1, 2), (1, 3))
    assert [int(number) - 1 for number, _ in hints] == [moves.index(option.move) for option in options]
    assert [text for _, text in hints] == [words.outcome_words(option.value, option.distance) for option in options]
    assert [text.split(") ")[1].split(" = ")[0] for text in listed] == [f"{move.own} + {move.added}" for move in moves]


def test_undo(play):
    """One ply between two people; one's own last ply and the reply against the computer, which moves again."""
    out = play("8 --side both", "u 1 1 u u q")
    assert "There is nothing to undo." in out
    told = [line.split(":")[0] for line in out.splitlines() if line.startswith("After")]
    assert told == [f"After {plies}" for plies in ("0 plies", "1 ply", "2 plies", "1 ply", "0 plies")]
    told = play("8 --side second", "u 1 u q")
    assert told.count("After 1 ply: first 1,2, second 1,1. Second") == 2 and told.count("nothing to undo") == 1


def test_positions_that_come_back(play):
    """Two people who play a draw on and on: from some ply on it says how long ago each position was there."""
    solution = countn.solve(8)
    mover, opponent = countn.START
    positions, entered = [(mover, opponent)], []
    for _ in range(60):
        move = solution.best_moves(mover, opponent)[0]
        entered.append(str(solution.game.moves(mover, opponent).index(move) + 1))
        mover, opponent = opponent, move.hands
        positions.append((mover, opponent))
    lines = [line for line in play("8 --side both", " ".join(entered)).splitlines() if line.startswith("After")]
    assert len(lines) == 61
    for ply, line in enumerate(lines):
        before = [k for k in range(ply) if positions[k] == positions[ply]]
        assert ("This position was here" in line) == bool(before)
        if before:
            assert f"This position was here {ply - before[-1]} plies ago" in line
            assert ("with the players exchanged" in line) == (ply % 2 != before[-1] % 2)
    exchanged = ["exchanged" in line for line in lines if "was here" in line]
    assert any(exchanged) and len(exchanged) > 20
    again = play("8 --side both", "1 u 1 q")
    assert "was here" not in again, "what was undone was never there"


def test_what_is_no_move(play):
    out = play("8", "0 2 x -1 1.5 ١ h1 99999 1 q")
    assert out.count("is not a number from 1 to 1, nor u, h or q.") == 8
    assert "After 2 plies" in out and out.rstrip().endswith("left unfinished.")


def test_the_input_may_end_anywhere(play):
    for entered in ("", "1", "h", "u"):
        assert play("8", entered).rstrip().endswith("The game is left unfinished.")


def test_long_work_is_announced(run, monkeypatch):
    """One line on standard error, only when it takes long."""
    assert run("table 2:12")[2] == ""
    monkeypatch.setattr(cli, "LONG_SECONDS", 0)
    for line in ("table 2:9", "solve 8 --labels both", "play 8"):
        monkeypatch.setattr("sys.stdin", io.StringIO())
        code, _, err = run(line)
        assert code == 0 and err.startswith("This takes about ") and len(err.splitlines()) == 1


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("solve 1", "n = 1: "),
        ("solve 0", "n = 0: "),
        ("solve -2", "-2"),
        ("solve 257", "n = 257: "),
        ("solve 8.5", "8.5"),
        ("solve eight", "eight"),
        ("solve", "'N'"),
        ("solve 8 --overflow two", "two"),
        ("solve 8 --labels all", "all"),
        ("solve 8 --format xml", "xml"),
        ("solve 100 --labels published", "n = 100"),
        ("certificate 9", "n = 9: the second player wins"),
        ("certificate 256", "a drawing certificate for n = 256: 13.1 GiB"),
        ("table 9:2", "'9:2' is empty"),
        ("table 1:9", "'1:9': 1 is given"),
        ("table 2:257", "'2:257': 257 is given"),
        ("table 2:", "'2:'"),
        ("table x", "'x'"),
        ("table ١:٩", "'١:٩'"),
        ("table 2:99999999999", "'2:99999999999'"),
        ("table", "LOW:HIGH"),
        (["best", "9,1 v 1,1"], "mover = (9, 1)"),
        (["best", "1,1"], "position = '1,1'"),
        (["best", "-,- v 1,1"], "'-,'"),
        (["best", "--", "-,- v 1,1"], "mover = (None, None)"),
        (["best", "1,1 v 8,1", "-n", "8"], "opponent = (8, 1)"),
        (["best", "1,1 v 1,1", "-n", "1"], "n = 1: "),
        (["best", "1,1 v 1,1", "--plies", "-1"], "--plies"),
        (["best", ""], "position = ''"),
        ("play 1", "n = 1: "),
        ("play 8 --side third", "third"),
        ("play 8 --seed -1", "--seed"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(run, line, named):
    code, out, err = run(line)
    assert code == 2 and out == "" and named in err and len(err.splitlines()) == 1
