"""Slips of the hand: numbers beyond all sense, the program's own notation, bytes that are no text, wrong kinds."""

import io
import sys

import numpy as np
import pytest

from gamebalance import mafia, sanguosha
from gamebalance.base.checks import shown
from gamebalance.commands.main import main
from gamebalance.fairness import judge, metagame, read_games, report
from gamebalance.fairness.measures import spread
from gamebalance.fairness.reports import playing
from gamebalance.fairness.reports.playing import at_random
from gamebalance.games import Nim
from gamebalance.multiplayer import normal_form, search
from gamebalance.multiplayer.beliefs import Posterior
from gamebalance.multiplayer.cooperative import TUGame
from gamebalance.multiplayer.graph import GameGraph, TooManyStates, course, states
from tests.refusals import refuses

pytestmark = pytest.mark.thorough

NIM, LINE = Nim((1, 2)), "1-1-1-1"


@pytest.fixture
def run(capsys, monkeypatch):
    """Run a command line with these bytes on standard input; exit code, standard output, standard error."""

    def call(words, given=b""):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given), encoding="utf-8"))
        with pytest.raises(SystemExit) as stop:
            main(words)
        return stop.value.code, *capsys.readouterr()

    return call


TWO = ["judge", "--count", "a=30/55", "--count", "b=25/55"]
SHARES = ["needed", "--shares", ".6,.4"]
LIMITS = {
    ("needed", "--level"): ("nan", "inf", "-0", "0", "1", "1e400", "1e-320", "1e-18"),
    ("needed", "--power"): ("nan", "-inf", "0", "1", "1e-320", "1e400"),
    ("needed", "--margin"): ("nan", "0", "1", "1e400", "-1e-320", "1e-320"),
    ("judge", "--level"): ("nan", "0", "1", "1e400", "0.9999999999999999"),
    ("judge", "--margin"): ("nan", "inf", "0", "1"),
    ("judge", "--looks"): ("0", "-1", "9" * 40, "9" * 5000, "1000001"),
    ("judge", "--looked-after"): ("9" * 40, "x", "-1"),
}
CASES = [(name, option, value) for (name, option), values in LIMITS.items() for value in values]


@pytest.mark.parametrize(("name", "option", "value"), CASES, ids=[f"{n}{o}={v[:20]}" for n, o, v in CASES])
def test_numbers_beyond_all_sense(run, name, option, value):
    code, out, err = run([*(TWO if name == "judge" else SHARES), option, value])
    assert (code, out) == (2, "") and err.count("\n") == 1 and len(err) < 1100
    assert option.lstrip("-").replace("-", "_") in err.replace("looked-after", "looked_after")


def test_the_least_risk_is_still_answered(run):
    assert run([*SHARES, "--level", "1e-12"])[0] == 0
    assert run([*TWO, "--level", "0.999999999999", "--looks", "1000000"])[0] == 3


@pytest.mark.parametrize("command", ["judge", "monitor"])
def test_a_first_line_without_end(run, tmp_path, command):
    (tmp_path / "long.csv").write_text(f"{'a' * 200_000}\na\n")
    code, out, err = run([command, str(tmp_path / "long.csv")])
    assert (code, out) == (2, "") and "its first line has 200,000 characters; 100,000 are allowed" in err


def test_a_position_may_begin_with_a_withdrawn_hand(run):
    answers = [run(["countn", "best", position]) for position in ("-,7 v 2,6", "- ,7 v 2,6", "7,- v 2,6")]
    assert answers[0] == answers[1] == answers[2] and answers[0][0] == 0


def test_bytes_that_are_no_text(run):
    code, out, err = run(["countn", "play", "4"], b"\xff\xfe1\n\x80\n1\nq\n")
    assert (code, err) == (0, "") and "is not a number from 1 to 1, nor u, h or q" in out and "first> 1" in out
    for given, line in ((b"\xff,b\na\n", 1), (b"a,b\na\n\x80\n", 3)):
        code, out, err = run(["monitor", "-"], given)
        assert (code, out) == (2, "") and f"standard input, line {line}: " in err and "UTF-8 is needed" in err


def test_what_cannot_be_shown_is_shown_by_its_class():
    class Shy:
        def __repr__(self):
            raise RuntimeError

    assert (shown(Shy()), shown(10**5000)) == ("<Shy>", "<int>")


FALSE, TAKES = r" = 'yes': True or False is needed$", r" = 5: a function \("
FEWER = r" = <function .*>: a function \(.*\) is needed, and its arguments are \("
#: A call of each package with each kind of slip.
test_wrong_kinds = refuses(
    (lambda: sanguosha.simulate(LINE, 10, 0, endgame="yes"), f"^endgame{FALSE}"),
    (lambda: search.paranoid(NIM, NIM.start(), pruning="yes"), f"^pruning{FALSE}"),
    (lambda: read_games([], draws="yes"), f"^draws{FALSE}"),
    (lambda: sanguosha.solve("02", progress=5), f"^progress{TAKES}"),
    (lambda: mafia.simulate(mafia.Setup(5, 1), 10, 0, progress=5), f"^progress{TAKES}"),
    (lambda: report(lambda rng: [1, 0], 2), f"^game{FEWER}"),
    (lambda: metagame(NIM, policies={"x": lambda known: 1}), rf"^policies\['x'\]{FEWER}"),
    (lambda: Posterior({"a": 0.5, "b": 0.5}).condition(5), f"^fact{TAKES}"),
    (lambda: TUGame("ab", lambda: 1), f"^values{FEWER}"),
    (lambda: sanguosha.transcript(None), "^game = None: a Game is needed$"),
    (lambda: normal_form.pure_equilibria(None), "^game = None: a NormalFormGame is needed$"),
    (lambda: spread(None), "^tally = None: a Tally is needed$"),
    (lambda: course(NIM, []), "^graph = Nim.*: a GameGraph is needed$"),
    (lambda: sanguosha.in_words(None), "^code = None: a str or a Lineup is needed$"),
    (lambda: judge(None), "^games = NoneType: Games are needed"),
    (lambda: search.maxn(NIM, None), r"^state = None: Nim\(.*\) knows no such state \(AttributeError: "),
    (lambda: GameGraph(NIM, start=5), r"^state = 5: Nim\(.*\) knows no such state \("),
    (lambda: Nim((10**10,)), "^heaps = .10000000000,.: it has 10,000,000,000 moves; 1,000,000 are allowed$"),
)


class Endless:
    """A game that never ends, whose states are large."""

    players = 2

    def start(self):
        return 0, b""

    def mover(self, state):
        return 0

    def moves(self, state):
        return 1, 2

    def play(self, state, move):
        return 2 * state[0] + move, b"x" * 200_000

    def payoffs(self, state):
        return 0, 0


def test_counting_states_stops_at_its_limit_of_memory(monkeypatch):
    monkeypatch.setattr(states, "MOST_BYTES", 50 * 2**20)
    monkeypatch.setattr(states, "BETWEEN", 0)
    with pytest.raises(TooManyStates, match=r"it has more than 0\.0488281 GiB of states"):
        GameGraph(Endless(), 5_000)


def test_a_game_that_takes_too_long_is_given_up(monkeypatch):
    now = iter(range(10**6))
    monkeypatch.setattr(playing, "perf_counter", lambda: next(now))
    table = [at_random] * 2
    with pytest.raises(ValueError, match="after 11 moves and 10 seconds it had not ended; it was in state"):
        playing.play_game(Endless(), table, np.random.default_rng(0), 10)
    with pytest.raises(ValueError, match="play: after 10 moves the game had not ended"):
        playing.run_simulator(
            lambda rng, players: [players[0](0, (1, 2)) for _ in range(99)], table, np.random.default_rng(0), 10
        )


def test_a_game_that_asks_where_nobody_answers(run, tmp_path):
    methods = "".join(f"    {name} = print\n" for name in ("mover", "moves", "play", "payoffs"))
    (tmp_path / "asks.py").write_text(f"class Game:\n    players = 2\n    def start(self): return input()\n{methods}")
    code, out, err = run(["report", f"{tmp_path}/asks.py:Game"])
    assert (code, out) == (2, "")
    assert err.strip() == f"gamebalance: {tmp_path}/asks.py, line 3, in start: it reads standard input, which has ended"
