"""`tune`: the smallest change of a game that makes it fair, and the proof that no smaller one of those allowed does."""

import hashlib
import inspect
import json
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import nullcontext
from dataclasses import dataclass, replace
from math import floor, inf, log10
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple
from uuid import uuid4

import psutil

from gamebalance.base import checks, scheduler
from gamebalance.base.announce import say
from gamebalance.base.checks import number, one_of, shown, span, whole_number
from gamebalance.base.version import __version__
from gamebalance.base.workers import as_finished, processes
from gamebalance.fairness import measures
from gamebalance.fairness.games import Tally
from gamebalance.fairness.planning import rounded_up
from gamebalance.fairness.reports.outlook import WAYS, outlook, own_policies
from gamebalance.fairness.reports.pages import MEASURES
from gamebalance.fairness.reports.tables import Seats, is_game
from gamebalance.fairness.tuning.evaluation import AS_GIVEN, Look, Question, exactly, same_looks
from gamebalance.fairness.tuning.knobs import Grid, Setting, grid, name_of
from gamebalance.fairness.tuning.race import Race
from gamebalance.fairness.tuning.result import Row, Tuning, verdict_of
from gamebalance.fairness.tuning.sampling import Block, played
from gamebalance.multiplayer.graph.policies import Policy

#: Measures of unevenness by name; the first is what `judge` has, and has no function.
UNEVENNESS = {"distance": None, "spread": measures.spread, "worst_off": measures.worst_off, "envy": measures.envy}
UNEVENNESS |= {"drawishness": measures.drawishness}
#: Games of today's setting that are played to see how long one takes, where many are played at once too, and the fewest
#: of a search.
PILOT, MANY, FEWEST = 8, 500, 2_000

#: How players search: playouts from each move, or random games to learn from; the same on every machine.
SEARCHING = {"states": 0, "games": 500, "contests": 2, "playouts": 8, "looks": 0}


def tune(
    make: Callable,
    vary: Mapping[str, Any],
    *,
    by: str = "seat",
    ways: Collection[str] = ("random", "best"),
    margin: float = 0.03,
    today: Mapping[str, Any] | None = None,
    cost: Mapping[str, float] | None = None,
    together: int | None = None,
    keep: Mapping[str, tuple[float, float]] | None = None,
    measure: str | Callable[[Tally], Any] = "distance",
    policies: Mapping[str, Policy] | None = None,
    goal: str = "points",
    players: int | None = None,
    everything: bool = False,
    states: int = 200_000,
    games: int | None = None,
    level: float = 0.95,
    seconds: float = 60.0,
    seed: int = 1,
    workers: int = 1,
    executor: Executor | None = None,
    progress: Callable[[float], None] | None = None,
    file: Path | str | None = None,
) -> Tuning:
    """Find the smallest change of a game that makes it fair, and show that no smaller one of those allowed does.

    Settings are looked at in the order of their size until those of one size hold a fair one. Where all states of the
    game can be followed each is solved exactly, so that the smallest change is proved. Elsewhere games are played, with
    the same random numbers for each setting: settings are dropped by bounds that stay valid however often they are
    looked at, and what is left is judged on fresh games (`race`).

    Parameters
    ----------
    make
        Makes the game of a setting: a class of games, or a function that gives a `Game`, a function
        ``play(rng, players)``, or an object with ``sample(rng, games)``, which plays many at once and returns what each
        player gets, shape (games, players). Or that gives exact shares: a mapping from labels to chances, anything with
        `endings` (`fairness.of`), or a mapping from ways to play to these.
    vary
        For each argument of `make` that may change its values: a list, of which a step leads from one to the next, or a
        set, whose values are all one step apart.
    by : {"seat", "role", "side"}
        Whose chances to win are compared.
    ways
        Under which ways to play at once it must be fair: built-in ones ("random", "greedy", "searching", "best") and
        names of `policies`. Best play is one equilibrium or several that were found, each of which must be fair. Where
        games are played, who searches does so by `SEARCHING`.
    margin
        How far from even a share of the decided games may be; or how much the `measure` may be.
    today
        The value that each argument has today; by default that of `make` itself, else the first one listed.
    cost
        What a step of each argument costs (1 where none is given), so that a setting is smaller that costs less; by
        default one with fewer changed arguments, and of these one with fewer steps.
    together
        How many arguments are changed together at most.
    keep
        What must stay: for measures of a report, by name, the least and the most, such as ``{"length": (5, 9)}``; by
        its estimate where games are played.
    measure
        What says how uneven chances are: "distance" is the largest from even; "spread", "worst_off", "envy" and
        "drawishness" are those of `fairness`; or a function of a `Tally`. All but "distance" need exact chances.
    everything
        Whether all settings are looked at, also those that change more than the smallest that is fair.
    states
        Games with more states than this are played; with 0 all are.
    games
        How many are played at most, over all settings and ways to play; by default as many as take so many `seconds`.
    level
        In how many of all such searches what is said is right, where games are played.
    policies, goal, players, seed
        As of `report`.
    workers, executor, progress
        Processes side by side; an executor that does the work; a function that is told after each setting, or after
        some games, which part of all it was.
    file
        Keeps what was found so far, so that a search that was stopped goes on.

    Examples
    --------
    Two throw a die in turn until one has a six. So that the first does not win more often, the second may begin with
    some throws for free:

    >>> found = tune(lambda free=0: dict(first=6 / 11 * (5 / 6) ** free, second=1 - 6 / 11 * (5 / 6) ** free),
    ...              {"free": [0, 1, 2]}, margin=0.05)
    >>> found.verdict, found.change, found.sentences[0].partition(":")[0]
    ('fair', {}, '<lambda> is fair as it is (within 5 percentage points of even)')
    """
    every = grid(make, vary, today, cost, together)
    own, seed = own_policies(policies), checks.check_seed(seed)
    ways = (ways,) if isinstance(ways, str) else tuple(dict.fromkeys(checks.listed("ways", ways)))
    for way in ways or [None]:
        one_of("ways", way, (*WAYS, *own))
    one_of("by", by, ("seat", "role", "side"))
    if isinstance(measure, str):
        named = UNEVENNESS[one_of("measure", measure, UNEVENNESS)]
    else:
        named = checks.function("measure", measure, "tally")
    question = Question(
        make=make,
        by=by,
        ways=ways,
        margin=float(number("margin", margin, 0, 1 if named is None else inf, inside=named is None)),
        measure=named,
        keep=_ranges(keep),
        own={name: own[name] for name in ways if name in own},
        goal=one_of("goal", goal, ("points", "win")),
        players=players,
        states=whole_number("states", states, 0, 10**7),
        seed=seed,
        token=uuid4().hex,
    )
    seconds = float(number("seconds", seconds, 1, 86_400))
    level, workers = checks.confidence(level), checks.check_workers(workers)
    if games is not None:
        whole_number("games", games, FEWEST, 10**10)
    memory, progress = _Memory(file, question, every), checks.check_progress(progress)
    ours = workers > 1 and executor is None and not scheduler.address()
    with processes(workers) if ours else nullcontext(executor) as pool:
        work = _Work(workers, pool, progress, memory)
        rows = _exactly(question, every, work, checks.flag("everything", everything))
        if rows is None:
            return _by_games(question, every, work, games, level, seconds, everything)
    verdict = "fair" if any(row.verdict == "fair" for row in rows) else "unfair"
    return Tuning(name_of(make), question, every, tuple(rows), True, verdict, level)


class _Work(NamedTuple):
    """Who does the work, who is told of it, and where it is kept."""

    workers: int
    executor: Executor | None
    progress: Callable[[float], None] | None
    memory: "_Memory"

    def done(self, tasks: Mapping[Any, tuple], work: Callable, told: Callable[[Any], float]) -> dict:
        """The results of tasks by key; `told` says how much of it each is."""

        def doing(left: Mapping[Any, tuple]) -> Iterator[tuple[Any, Any]]:
            for key, result in self._each(left, work):
                if self.progress:
                    self.progress(told(key))
                yield key, result

        return self.memory.done(tasks, doing)

    def _each(self, tasks: Mapping[Any, tuple], work: Callable) -> Iterable[tuple[Any, Any]]:
        if self.executor is None and not scheduler.address():
            return ((key, work(*arguments)) for key, arguments in tasks.items())
        return as_finished(tasks, work, self.workers, self.executor)


def _exactly(question: Question, every: Grid, work: _Work, everything: bool) -> list[Row] | None:
    """The settings up to the size that holds a fair one, or all; None if games have to be played."""
    begun, used = perf_counter(), psutil.Process().memory_info().rss
    first = exactly(question, every.today.values)
    if first is None:
        return None
    again, took = perf_counter(), perf_counter() - begun
    if not same_looks(first, exactly(question, every.today.values) or ()):
        raise ValueError(
            f"make: {name_of(question.make)} gives another game each time with the same arguments; what it does may "
            "not hang on chance"
        )
    took = min(took, perf_counter() - again)
    memory = max(psutil.Process().memory_info().rss - used, 2**20) * work.workers / 2**20
    several = f"{every.count:,} setting{'s' * (every.count != 1)}"
    say(
        f"{name_of(question.make)}: {several}, each exactly, the smallest change first; all of them take about "
        f"{span(took * every.count / work.workers)} and {rounded_up(memory, 1):,} MiB"
    )
    rows: list[Row] = []
    for size, settings in every.levels():
        tasks = {each.places: (question, each.values) for each in settings if each.places != every.today.places}
        found = {every.today.places: first} | work.done(tasks, looked, lambda _: 1 / every.count)
        if any(each is None for each in found.values()):
            big = next(setting for setting in settings if found[setting.places] is None)
            say(f"{big.words}: more than {question.states:,} states (states=..., --states); so games are played")
            return None
        looks = [tuple(Look(*each) for each in found[setting.places]) for setting in settings]
        rows += [Row(setting, each, verdict_of(each)) for setting, each in zip(settings, looks, strict=True)]
        if not everything and any(row.setting.size == size and row.verdict == "fair" for row in rows):
            break
    return rows


def looked(question: Question, values: Mapping[str, Any]) -> list[list] | None:
    """`exactly`, as a file can hold it."""
    looks = exactly(question, values)
    return None if looks is None else json.loads(json.dumps(looks))


def _by_games(
    question: Question,
    every: Grid,
    work: _Work,
    games: int | None,
    level: float,
    seconds: float,
    everything: bool,
) -> Tuning:
    """The search by games that are played."""
    if question.measure is not None:
        raise ValueError("measure: games are played here, and then only 'distance' can be told")
    today, notes = question.made(every.today.values), []
    if hasattr(today, "sample"):
        if question.keep:
            raise ValueError(f"keep = {shown(dict(question.keep))}: of {name_of(question.make)} only payoffs are known")
        question, counts, players, pilot = replace(question, ways=(AS_GIVEN,)), {}, None, MANY
    else:
        built_in = tuple(way for way in question.ways if way not in question.own)
        found = outlook(today, question.players, ways=built_in, own=len(question.own), **SEARCHING)
        left_out = [way for way in question.ways if way not in (*found.ways, *question.own)]
        ways = tuple(way for way in question.ways if way not in left_out)
        if not ways:
            raise ValueError(f"ways = {shown(question.ways)}: games are played here, of which {found.ways} are known")
        if left_out:
            notes.append(f"Where games are played, {' and '.join(left_out)} play is not known: it was left out.")
        if "searching" in ways and (not is_game(today) or hasattr(today, "information")):
            notes.append("Those who search have learnt from random games; what is said is of them, as taught here.")
        question, players, pilot = replace(question, ways=ways), found.seats.players, PILOT
        counts = SEARCHING
    begun = perf_counter()
    for way in question.ways:
        block = played(question, counts, every.today.values, way, 0, pilot)  # with what is slow only at first
    again = perf_counter()
    for way in question.ways:
        played(question, counts, every.today.values, way, 0, pilot)
    a_game = (perf_counter() - again) / (pilot * len(question.ways))
    training = max(again - begun - (perf_counter() - again), 0.0) * every.count
    if games is None:
        games = max(_round_down((seconds - training) / max(a_game, 1e-8)), FEWEST * len(question.ways))
    say(
        f"{name_of(question.make)}: {every.count:,} setting{'s' * (every.count != 1)}, {games:,} games at most (games="
        f"{games} gives the same anywhere); about {span((games * a_game + training) / work.workers)}"
    )
    if players is None:
        players = len(block.won[0])
    seats = Seats.of(today, players)
    if question.by not in seats.labels:
        raise ValueError(f"by = {question.by!r}: this game has no such names, only {', '.join(seats.labels)}")
    race = Race(question, seats, games, 1 - level, _Player(question, counts, work, games, players))
    race.run(every.levels(), everything)
    rows = tuple(Row(each.setting, each.looks() if each.games else (), each.verdict) for each in race.entrants)
    rows = tuple(row for row in rows if row.looks)
    found = _judged(question, every, rows, race, level)
    if len(rows) < every.count and (everything or found.verdict != "fair"):
        notes.append(f"{every.count - len(rows):,} of the {every.count:,} settings were not looked at.")
    return replace(found, notes=tuple(notes))


def _judged(question: Question, every: Grid, rows: tuple[Row, ...], race: Race, level: float) -> Tuning:
    """The verdict: a fair setting, and nothing open that changes less; or no setting of the grid; else undecided."""
    fair = [row.setting.size for row in rows if row.verdict == "fair"]
    unsure = [each for each in race.entrants if each.verdict == "undecided"]
    if fair:
        unsure = [each for each in unsure if each.setting.size < fair[0]]
        verdict = "undecided" if unsure else "fair"
    else:
        verdict = "undecided" if unsure or len(rows) < every.count else "unfair"
    open_ = [each for each in unsure if each.games and all(way.decided for way in each.before.values())]
    more = rounded_up(race.needed(open_), 2) if open_ else None
    return Tuning(name_of(question.make), question, every, rows, False, verdict, level, race.used, more)


@dataclass(frozen=True)
class _Player:
    """Plays the games that a race asks for."""

    question: Question
    counts: Mapping[str, int]
    work: _Work
    games: int
    players: int

    def __call__(self, asked: Mapping[Any, tuple[Setting, str, int, int]]) -> dict[Any, Block]:
        tasks = {
            (setting.places, *which): (self.question, self.counts, setting.values, *which)
            for setting, *which in asked.values()
        }
        found = self.work.done(tasks, played, lambda key: key[-1] / self.games)
        if {len(Block(*each).won[0]) for each in found.values()} != {self.players}:
            raise ValueError(f"vary: where games are played all settings need as many players, {self.players}")
        return {key: Block(*found[setting.places, *which]) for key, (setting, *which) in asked.items()}


def _round_down(count: float) -> int:
    """To one digit."""
    unit = 10 ** max(floor(log10(max(count, 1))), 0)
    return int(count // unit * unit)


def _ranges(keep: Mapping[str, tuple[float, float]] | None) -> dict[str, tuple[float, float]]:
    """What must be kept, as numbers."""
    if keep is not None and not isinstance(keep, Mapping):
        raise ValueError(f"keep = {shown(keep)}: a dict from measures to their least and largest values is needed")
    ranges = {}
    for name, ends in (keep or {}).items():
        one_of("keep", name, MEASURES)
        low, high = pair if len(pair := checks.listed(f"keep[{name!r}]", ends)) == 2 else (None, None)
        low, high = -inf if low is None else low, inf if high is None else high
        if not isinstance(low, int | float) or not isinstance(high, int | float) or not low <= high or len(pair) != 2:
            raise ValueError(f"keep: {shown(name)}: the least and the largest value are needed, not {shown(ends)}")
        ranges[name] = float(low), float(high)
    return ranges


class _Memory:
    """What was found so far, in a file with a line for each piece; nothing without a file."""

    def __init__(self, file: Path | str | None, question: Question, every: Grid):
        self._file, self._known = None if file is None else Path(file), {}
        if self._file is None:
            return
        head = {"tuning": __version__, "of": _fingerprint(question, every)}
        if self._file.exists():
            held = self._file.read_bytes()
            whole = held[: held.rfind(b"\n") + 1]  # of what a kill has cut the end is left out
            try:
                first, *lines = map(json.loads, whole.decode("utf-8").splitlines())
            except ValueError:  # nothing, or no lines of JSON
                first, lines = None, []
            if first != head:
                raise ValueError(f"file = {shown(str(file))}: it holds another search, or none; another name is needed")
            if len(whole) < len(held):
                os.truncate(self._file, len(whole))
            self._known = dict(lines)
            say(f"{self._file}: {len(self._known):,} pieces of this search are known and are not done again")
        else:
            self._file.write_text(json.dumps(head) + "\n", "utf-8")

    def done(self, tasks: Mapping[Any, tuple], work: Callable) -> dict[Any, Any]:
        """The results of tasks by key, of which `work` does those that are not known."""
        found = {key: self._known[repr(key)] for key in tasks if repr(key) in self._known}
        for key, result in work({key: arguments for key, arguments in tasks.items() if key not in found}):
            found[key] = result
            if self._file is not None:
                with self._file.open("a", encoding="utf-8") as stream:
                    stream.write(json.dumps([repr(key), result]) + "\n")
        return {key: found[key] for key in tasks}


def _fingerprint(question: Question, every: Grid) -> str:
    """A hash of all that a search depends on: what is asked, the grid, and the files of games, policies, measures."""
    asked = [shown(value, 10**6) for name, value in vars(question).items() if name not in ("make", "token")]
    made = [_written(each) for each in (question.make, question.measure, *question.own.values())]
    told = [name_of(question.make), *made, *asked, repr(every.knobs), repr(every.costs), repr(every.together)]
    return hashlib.sha256("\n".join(told).encode()).hexdigest()


def _written(work: Any) -> str:
    """The text of the file of a function, and what it holds besides; modules that the file imports are not seen."""
    if work is None or isinstance(work, Mapping):
        return shown(work, 10**6)
    work, held = inspect.unwrap(work), []
    while hasattr(work, "func"):  # of a partial
        held += [work.args, work.keywords]
        work = work.func
    held += [cell.cell_contents for cell in getattr(work, "__closure__", None) or ()]
    try:
        source = Path(inspect.getsourcefile(work) or "").read_text("utf-8")
    except (TypeError, OSError):
        source = ""
    return "\n".join([getattr(work, "__qualname__", ""), source, *(shown(each, 10**6) for each in held)])
