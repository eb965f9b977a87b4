"""`make mutants`: change the rules in every small way, and see whether the tests notice.

Each mutant is a source of a rule file with one change (`mutations.py`). A child process imports that source in place of
the file, which stays as it is, and runs the tests that `mutants.toml` names for it; a failing test catches the mutant.
Results are kept line by line in build/mutants, so that a stopped run goes on where it was; they count for as long as
the library and those tests are what they were. `tests/mutants.yaml` says of each survivor why it may live.
"""

import argparse
import contextlib
import gc
import hashlib
import importlib.machinery
import importlib.util
import json
import math
import os
import resource
import signal
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

# Before numpy and numba are imported: no compiled code, and one thread for each process.
os.environ |= {"NUMBA_DISABLE_JIT": "1", "OPENBLAS_NUM_THREADS": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}

import pytest
import yaml
from mutations import Mutant, mutants

from gamebalance.publish.fingerprint import closure

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build" / "mutants"
ACCEPTED = ROOT / "tests" / "mutants.yaml"
#: What tests import from elsewhere; imported once, before the children are forked.
HEAVY = ("numpy", "pandas", "numba", "scipy.stats", "networkx", "hypothesis", "pytest")
#: At least so much of the mutants that are not equivalent must be caught.
ENOUGH = 0.98
MEMORY = 4 << 30


class Group:
    """One rule file, its mutants, the command line of its tests, and what is known of them."""

    def __init__(self, file: str, tests: list[str], which: str = ""):
        self.file, path = file, ROOT / file
        self.module = ".".join(path.relative_to(ROOT / "lib").with_suffix("").parts)
        self.command = [
            "-x",
            "-q",
            "--tb=line",
            "--assert=plain",
            "-p",
            "no:cacheprovider",
            *tests,
            *(["-k", which] if which else []),
        ]
        self.source = path.read_text(encoding="utf-8")
        self.mutants = mutants(file, self.source)
        files = [path, *_helpers(tests)]
        self.stamp = _stamp([*files, *closure([file.read_text(encoding="utf-8") for file in files]).values()])
        self.seconds = 0.0

    def key(self, mutant: Mutant) -> str:
        """What a result hangs on."""
        return hashlib.sha256(f"{self.stamp} {self.command} {mutant.source}".encode()).hexdigest()[:20]


def _helpers(tests: list[str]) -> Iterator[Path]:
    """The test files, and what they share with others."""
    yield ROOT / "tests" / "conftest.py"
    for test in map(ROOT.joinpath, tests):
        yield test
        yield from (file for file in test.parent.glob("*.py") if not file.name.startswith("test_"))


def _stamp(files: list[Path]) -> str:
    digest = hashlib.sha256()
    for file in sorted(set(files)):
        digest.update(file.relative_to(ROOT).as_posix().encode() + file.read_bytes())
    return digest.hexdigest()


class _Changed(importlib.machinery.SourceFileLoader):
    """Loads a module from a changed source."""

    source = ""

    def get_code(self, fullname):
        return compile(self.source, self.path, "exec", dont_inherit=True)


class _Finder:
    """Finds one module only, and gives it the changed source."""

    def __init__(self, module: str, file: str, source: str):
        self.module, self.loader = module, _Changed(module, str(ROOT / file))
        self.loader.source = source

    def find_spec(self, name, path=None, target=None):
        if name == self.module:
            return importlib.util.spec_from_file_location(name, self.loader.path, loader=self.loader)
        return None


def fork(group: Group, source: str, seconds: float) -> int:
    """Start the tests of a group on a source, which end after so many seconds at most; the child's process id."""
    child = os.fork()
    if child:
        return child
    code = 3
    try:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.alarm(math.ceil(seconds))  # ends it, even if the parent is gone by then
        log = os.open(BUILD / f"{group.module}.log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(log, 1)
        os.dup2(log, 2)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        sys.meta_path.insert(0, _Finder(group.module, group.file, source))
        code = int(pytest.main(group.command))
    finally:
        os._exit(code)


def measure(group: Group) -> None:
    """Run the tests on the rules as they are: they must pass; how long they take is the measure for all mutants."""
    for _ in range(2):  # the second time with what the first has cached
        begun = time.monotonic()
        _, status = os.waitpid(fork(group, group.source, 600), 0)
        group.seconds = time.monotonic() - begun
        if status:
            log = (BUILD / f"{group.module}.log").read_text()[-3000:]
            raise SystemExit(f"{group.file}: its tests fail on the rules as they are\n{log}")


def run(jobs: Iterator[tuple[Group, Mutant]], workers: int) -> Iterator[tuple[Group, Mutant, str]]:
    """Run jobs side by side; yield each with "caught", "survived" or "caught by the clock" as it ends."""
    running: dict[int, tuple[Group, Mutant]] = {}
    try:
        while True:
            while len(running) < workers and (job := next(jobs, None)):
                group, mutant = job
                running[fork(group, mutant.source, 5 + 5 * group.seconds)] = job
            if not running:
                return
            child, status = os.wait()
            late = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM
            yield *running.pop(child), "caught by the clock" if late else "caught" if status else "survived"
    finally:
        for child in running:
            os.kill(child, signal.SIGKILL)


def known() -> dict[str, str]:
    """Results of earlier runs, by key; the last line of a run that was killed may be cut short."""
    found = {}
    with contextlib.suppress(FileNotFoundError), open(BUILD / "results.jsonl", encoding="utf-8") as lines:
        for line in lines:
            with contextlib.suppress(json.JSONDecodeError):
                found |= json.loads(line)
    return found


def accepted() -> dict[str, tuple[bool, str]]:
    """For each mutant that may survive: whether it is equivalent, and why it may."""
    found = {}
    for entry in yaml.safe_load(ACCEPTED.read_text(encoding="utf-8")) or []:
        for file, scopes in entry["mutants"].items():
            for scope, changes in scopes.items():
                names = [f"{file} {scope}: {change}" for change in changes]
                found |= dict.fromkeys(names, (entry["equivalent"], " ".join(entry["why"].split())))
    return found


def report(groups: list[Group], results: dict[str, str]) -> list[str]:
    """Print what was found; the reasons why it is not good enough."""
    allowed, faults = accepted(), []
    total, reasons = Counter(), Counter()
    print(f"{'':56}mutants  caught  equivalent  others")
    for group in groups:
        alive = [mutant for mutant in group.mutants if results[group.key(mutant)] == "survived"]
        listed = [allowed[mutant.name] for mutant in alive if mutant.name in allowed]
        alike = sum(equivalent for equivalent, _ in listed)
        row = {"mutants": len(group.mutants), "caught": len(group.mutants) - len(alive), "alike": alike}
        total.update(row)
        reasons.update(listed)
        print(f"{group.file:56}{row['mutants']:7}{row['caught']:8}{alike:12}{len(alive) - alike:8}")
        faults += [_described(mutant) for mutant in alive if mutant.name not in allowed]
        names = {mutant.name for mutant in alive}
        stale = [name for name in allowed if name.startswith(f"{group.file} ") and name not in names]
        faults += [f"listed, but caught or no mutant any more: {name}" for name in stale]
    for (equivalent, reason), count in reasons.items():
        print(f"{count:4} {'equivalent' if equivalent else 'accepted'}: {reason}")
    caught, real = total["caught"], total["mutants"] - total["alike"]
    share = f"{caught} of the {real} others caught, {math.floor(1000 * caught / real) / 10}%"
    print(f"{total['mutants']} mutants, {total['alike']} of them equivalent; {share}", flush=True)
    return faults + ([f"fewer than {ENOUGH:.0%} are caught"] if caught < ENOUGH * real else [])


def _described(mutant: Mutant) -> str:
    place = f"{mutant.file}:{mutant.line} in {mutant.scope or 'the module'}"
    return f"survivor {place}\n    was  {mutant.was}\n    is   {mutant.change}"


def main() -> None:
    """Run what is not known yet and report; 1 if a survivor is not listed or too few are caught."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("files", nargs="*", help="a part of a path: only these rule files")
    chosen = parser.parse_args()
    os.chdir(ROOT)
    BUILD.mkdir(parents=True, exist_ok=True)
    for name in HEAVY:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()  # else every child sweeps through all that it has inherited
    entries = tomllib.loads((ROOT / "tools" / "mutants.toml").read_text(encoding="utf-8"))["rules"]
    groups = [Group(**entry) for entry in entries if not chosen.files or any(f in entry["file"] for f in chosen.files)]
    results = known()
    jobs = [(group, mutant) for group in groups for mutant in group.mutants if group.key(mutant) not in results]
    for group in {group.file: group for group, _ in jobs}.values():
        measure(group)
    minutes = sum(group.seconds for group, _ in jobs) / chosen.workers / 60
    total = sum(len(group.mutants) for group in groups)
    print(
        f"{total} mutants, {total - len(jobs)} known from before; the others take {minutes:.0f} minutes or less",
        flush=True,
    )
    with open(BUILD / "results.jsonl", "a", encoding="utf-8") as file:
        for done, (group, mutant, outcome) in enumerate(run(iter(jobs), chosen.workers), 1):
            results[group.key(mutant)] = outcome
            file.write(json.dumps({group.key(mutant): outcome}) + "\n")
            file.flush()
            if done % 100 == 0:
                print(f"{done} of {len(jobs)}", flush=True)
    faults = report(groups, results)
    if faults:
        print(*faults, sep="\n", file=sys.stderr)
    sys.exit(bool(faults))


def _stop(*_) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, _stop)
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("mutants: stopped; the next run goes on from here")
