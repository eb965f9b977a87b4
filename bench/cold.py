"""Cold starts: what README shows, each line in a new process with nothing compiled, beside the 5 s that it may take.

Every command and every line of Python there that solves, judges, reports or simulates is run as it stands; a line of
Python follows those that it needs. What says early that it takes longer (a line or a bar on standard error) is
compared by the processor time until then.
"""

import ast
import os
import re
import resource
import sys
from collections.abc import Iterator
from pathlib import Path
from subprocess import DEVNULL, PIPE
from tempfile import TemporaryDirectory
from time import perf_counter

import psutil

from bench.timing import Comparison

ROOT = Path(__file__).resolve().parents[1]
#: Seconds of processor time that an answer, or a word about how long it takes, and an import may take.
ALLOWED, ALLOWED_IMPORT = 5.0, 0.5
PACKAGES = ("countn", "fairness", "games", "mafia", "multiplayer", "sanguosha")
#: Commands of README that are not run, and why.
EXCEPTIONS = {
    "gamebalance observed count sport-mafia FamilyMafiaApp --seasons 2 16": "reads somebody's public repository",
    "gamebalance observed count forum-mafia mafia-allstars": "likewise",
    "gamebalance observed count avalon avalonlogs": "likewise",
    "gamebalance report my_game.py:MyGame --ways random,best --policies my_game.py:clever --goal win": "needs `clever`",
    "gamebalance countn play 8": "waits for a player",
}
#: What the reader's own files of these names are here; `gamebalance new-game` makes the others.
FILES = {
    "results.csv": (ROOT / "data/examples/club.csv").read_text(encoding="utf-8"),
    "game.txt": "A: 0\nB: 0\nC: 0\nA+B: 1/3\nA+C: 1/4\nB+C: 1/5\nA+B+C: 1\n",
}


def commands(text: str) -> list[str]:
    """The commands that README shows, without remarks."""
    shown = re.findall(r"^ {4}(gamebalance .*)$", text, re.M)
    return [re.sub(r"\s+# .*", "", line) for line in shown]


def programs(text: str) -> Iterator[str]:
    """Each line of README's Python that is more than an import or a name, after those that it needs."""
    for block in re.findall(r"^```python\n(.*?)^```", text, re.M | re.S):
        before: list[ast.stmt] = []
        for statement in ast.parse(block).body:
            if isinstance(statement, ast.Expr):
                yield "\n".join(map(ast.unparse, [*_needed(before, statement), statement]))
            before.append(statement)


def _needed(before: list[ast.stmt], statement: ast.stmt) -> list[ast.stmt]:
    """The statements that give names which it uses, directly or not, in order."""
    needed, used = [], _names(statement, ast.Load)
    for earlier in reversed(before):
        if used & _names(earlier, ast.Store):
            needed.insert(0, earlier)
            used |= _names(earlier, ast.Load)
    return needed


def _names(statement: ast.stmt, context: type[ast.expr_context]) -> set[str]:
    """The names that a statement uses (`ast.Load`) or gives (`ast.Store`)."""
    nodes = list(ast.walk(statement))
    found = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, context)}
    imported = {node.asname or node.name for node in nodes if isinstance(node, ast.alias)}
    return found | imported if context is ast.Store else found


def _spent(process: psutil.Popen) -> float:
    """Processor time of a process and its children until now; none if it has ended."""
    try:
        family = [process, *process.children(recursive=True)]
        return sum(sum(each.cpu_times()[:2]) for each in family)
    except psutil.Error:
        return 0.0


def _timed(command: str | list[str], place: str) -> tuple[float, float, float | None]:
    """Seconds that a command takes in a folder with empty caches: of a processor, by the clock, and until its word."""
    with TemporaryDirectory() as empty:
        surroundings = os.environ | {
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            **dict.fromkeys(("NUMBA_CACHE_DIR", "GAMEBALANCE_CACHE"), empty),
            "GAMEBALANCE_PROGRESS": "1",
            "MPLBACKEND": "agg",
        }
        before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), perf_counter()
        shell = isinstance(command, str)
        process = psutil.Popen(command, shell=shell, cwd=place, env=surroundings, stdout=DEVNULL, stderr=PIPE)
        said = process.stderr.read(1)
        early = _spent(process) if said else None
        said += process.stderr.read()
        code, clock = process.wait(), perf_counter() - begin
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if code not in ((0, 1, 3) if shell else (0,)):
        raise RuntimeError(f"{command}: {said.decode(errors='replace')}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, clock, early


def _compared(command: str | list[str], name: str, place: str, allowed: float) -> Comparison:
    """With the time until the answer, or until its word if that comes early enough and the answer does not."""
    taken, clock, early = _timed(command, place)
    late = taken > allowed and early is not None
    said = f"; says so early and answers after {taken:.1f} s" if late else ""
    what = f"cold, {allowed:g} s allowed: {name}, {clock:.1f} s by the clock{said}"
    return Comparison(what, "line", [allowed], [min(taken, early) if late else taken])


def comparisons(_peers: Path, _rounds: int) -> Iterator[Comparison]:
    """Imports, commands, Python; each once, since they take minutes together."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    with TemporaryDirectory() as place:
        (Path(place) / "data").symlink_to(ROOT / "data")
        for name, content in FILES.items():
            (Path(place) / name).write_text(content, encoding="utf-8")
        for line in (f"import gamebalance.{name}" for name in PACKAGES):
            yield _compared([sys.executable, "-c", line], line, place, ALLOWED_IMPORT)
        for command in ["gamebalance --help", *commands(text)]:
            if command not in EXCEPTIONS:
                yield _compared(command, command, place, ALLOWED_IMPORT if "--help" in command else ALLOWED)
        for program in programs(text):
            yield _compared([sys.executable, "-c", program], program.splitlines()[-1], place, ALLOWED)
