"""``gamebalance report`` and ``new-game``: games of files and modules, one line for what is refused, files that run."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from gamebalance import fairness
from gamebalance.commands.main import main
from gamebalance.games import Nim

FILE = '''"""Games for the tests of a command."""
from dataclasses import dataclass

@dataclass
class Pair:
    players: int = 2
    def start(self): return 0
    def mover(self, state): return -2 if state else 0
    def moves(self, state): return ("win", "lose")
    def play(self, state, move): return move
    def payoffs(self, state): return (float(state == "win"), float(state == "lose"))

pair = Pair()

class Faulty(Pair):
    def play(self, state, move): return {"win": "win"}[move]

def second(known, moves): return moves[-1]

class Ends(Pair):
    def play(self, state, move): raise SystemExit(0)

class Deep(Pair):
    def play(self, state, move): return self.play(state, move)

class Wide(Pair):
    def moves(self, state): return range(10**10)

class Hoard(Pair):
    def moves(self, state): return [bytes(2**30) for _ in range(10**6)]

last = second
mine = {"last": second, "first": lambda known, moves: moves[0]}

def toss(rng, players):
    said = [player(None, "ab") for player in players]
    first = float(rng.random() < 0.5)
    return [first, 1 - first]
'''
FEW = "--states 0 --games 20 --contests 10 --playouts 2 --looks 2"


@pytest.fixture
def run(capsys, monkeypatch, tmp_path):
    """Run a command line in a folder with a file of games; returns exit code, standard output and standard error."""
    (tmp_path / "made.py").write_text(FILE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))

    def call(line):
        with pytest.raises(SystemExit) as stop:
            main(line.split() if isinstance(line, str) else line)
        return stop.value.code, *capsys.readouterr()

    return call


@pytest.mark.parametrize(
    "game",
    ["made.py:Pair", "made.py:pair", "made.py:Pair()", "made.py:Pair(players=2)", "./made.py:Pair"],
)
def test_games_of_a_file(run, game):
    code, out, err = run(["report", game])
    assert (code, err) == (0, "") and out.startswith("Pair\n- It depends on play: fair within 5 percentage ")
    assert "- Exact: all 3 states of the game are followed, and everybody sees all.\n" in out
    assert "random, the share of the games that is won is 50.0% for seat 1 and 50.0% for seat 2" in out


def test_games_of_a_module(run):
    line = "report gamebalance.games:Nim(heaps=(1,1),players=4) --ways random --alike 1,3 --alike 4"
    expected = fairness.report(Nim(heaps=(1, 1), players=4), ways="random", alike=[(0, 2), (3,)])
    assert json.loads(run(f"{line} --format json")[1]) == json.loads(expected.to_json())
    line = "report gamebalance.games:Tree(root=(0,[(1,3),(0,-1)])) --ways best --format csv"
    for goal, won in (("points", "0.0"), ("win", "100.0")):  # one may take a point and lose, or none and win
        assert f"\nbest,seat,1,{won}," in run(f"{line} --goal {goal}")[1]


def test_games_of_openspiel(run):
    pytest.importorskip("pyspiel")
    code, out, _ = run(["report", "openspiel:kuhn_poker(players=2)", "--format", "json"])
    assert code == 0 and json.loads(out)["exact"] is True
    code, out, err = run("report openspiel:no_such_game")
    assert code == 2 and not out and err.count("\n") == 1 and "no_such_game" in err


def test_a_function_needs_players(run):
    code, out, _ = run(f"report made.py:toss --players 2 {FEW}")
    assert (
        code == 0 and out.startswith("toss\n- ") and "Simulated: 20 games at random and 10 at each other table" in out
    )
    again, other = (run(f"report made.py:toss --players 2 {FEW} --seed {seed}")[1] for seed in (1, 2))
    assert again == out != other
    code, out, err = run("report made.py:toss")
    assert code == 2 and not out and "players = None: how many play is needed" in err and err.count("\n") == 1


@pytest.mark.parametrize(("form", "begin"), [("text", "Pair\n"), ("json", "{"), ("html", "<!doctype html>")])
def test_forms_and_files(run, form, begin):
    printed = run(f"report made.py:Pair --format {form}")[1]
    assert printed.startswith(begin)
    assert run(f"report made.py:Pair --format {form} --output found.txt") == (0, "", "")
    assert Path("found.txt").read_text(encoding="utf-8") == printed
    assert run(f"report made.py:Pair --format {form} --output -")[1] == printed and not Path("-").exists()


def test_without(run):
    worth = json.loads(run("report made.py:Pair --without it=made.py:pair --format json")[1])["worth"]
    assert {(row["without"], row["worth, points"]) for row in worth} == {("it", 0)}


def test_ways_and_policies(run):
    line = "report made.py:Pair --format csv --ways"
    _, out, _ = run(f"{line} best --policies made.py:second")
    rows = [row.split(",")[:4] for row in out.splitlines()[1:]]
    first = [(way, float(won)) for way, _, seat, won in rows if seat == "1"]
    assert first == [("random", 50), ("second", 0), ("best", 100)]
    _, out, _ = run(f"{line} random,greedy --policies made.py:mine --policies made.py:second")
    assert [row.split(",")[0] for row in out.splitlines()[1::2]] == ["random", "greedy", "last", "first", "second"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("report made.py", "'made.py': a file or a module and a name in it are needed, as in mygame.py:Game"),
        ("report missing.py:Game", "there is no file missing.py"),
        ("report made.py:Missing", "made.py has no Missing"),
        ("report made.py:Pair(2)", "a name is needed, or one with named arguments as in Game(players=4)"),
        ("report made.py:Pair(colour=1)", "unexpected keyword argument 'colour'"),
        (f"report made.py:Pair({'[' * 5000}", "a name is needed, or one with named arguments"),
        ("report leaves.py:Game", "leaves.py does not load: SystemExit: 0"),
        ("report made.py:Ends", "in play: it ends the program, which no game may do"),
        ("report made.py:Deep", "in play: RecursionError: "),
        ("report made.py:Wide", "state = 0: it has 10,000,000,000 moves; 1,000,000 are allowed"),
        ("report made.py:Faulty", "made.py, line 16, in play: KeyError: 'lose'"),
        ("report made.py:Pair --without made.py:Pair", "NAME=GAME is needed"),
        ("report raises.py:Game", "raises.py does not load: ZeroDivisionError: division by zero"),
        ("report made.py:Pair --policies made.py:other", "policies = 'made.py:other': made.py has no other"),
        ("report made.py:Pair --alike 0,1", "--alike '0,1': different numbers of seats from 1 to 2, with commas, are"),
        ("new-game class", "name = 'class': letters, digits"),
        ("new-game random", "name = 'random': a module of Python's is called so"),
        ("new-game made", "name = 'made': there is already made.py; another name is needed"),
    ],
)
def test_refusals(run, line, message):
    Path("raises.py").write_text("x = 1 / 0\n")
    Path("leaves.py").write_text("raise SystemExit(0)\n")
    before = sorted(Path().rglob("*.*"))
    code, out, err = run(line)
    assert code == 2 and not out and message in err and err.count("\n") == 1 and "Traceback" not in err
    assert len(err) < 1100
    assert [file for file in sorted(Path().rglob("*.*")) if "__pycache__" not in str(file)] == before


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="this system does not limit memory")
def test_a_game_that_takes_all_memory_is_stopped(run, monkeypatch):
    import resource

    before = resource.getrlimit(resource.RLIMIT_DATA)
    monkeypatch.setattr("gamebalance.commands.games.MEMORY", 2**31)
    code, out, err = run("report made.py:Hoard")
    assert (code, out) == (2, "") and "game = 'made.py:Hoard': more than 2 GiB of memory are needed" in err
    assert resource.getrlimit(resource.RLIMIT_DATA) == before


def test_a_file_that_is_called_as_a_module_of_pythons(run):
    Path("random.py").write_text(FILE)
    import random

    assert run("report random.py:Pair")[0] == 0
    assert sys.modules["random"] is random and sys.path[-1] == str(Path().resolve()) and sys.path[0] != sys.path[-1]


@pytest.mark.thorough
def test_a_new_game_runs_and_its_tests_pass(run):
    code, out, err = run("new-game my_game")
    assert (code, err) == (0, "")
    assert out == "Wrote my_game.py and test_my_game.py. Try: gamebalance report my_game.py:MyGame\n"
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_my_game.py"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0 and "2 passed" in done.stdout, done.stdout
    Path("my_game.py").unlink()  # the test is still there
    assert run("new-game my_game")[0] == 2 and not Path("my_game.py").exists()
