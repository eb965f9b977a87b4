"""A setting under each way to play: exactly, from all states of its game or from shares that somebody else computed."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from gamebalance.base.checks import number, shown
from gamebalance.base.kinds import Integral, Real
from gamebalance.base.rounding import meant
from gamebalance.fairness.endings import of
from gamebalance.fairness.games import Tally
from gamebalance.fairness.reports.exact import alike_seats
from gamebalance.fairness.reports.outlook import WAYS, followed, play_of
from gamebalance.fairness.reports.pages import MEASURES
from gamebalance.fairness.reports.report import Report
from gamebalance.fairness.reports.skill import evened
from gamebalance.fairness.reports.tables import is_game
from gamebalance.fairness.tuning.knobs import name_of
from gamebalance.multiplayer.graph.policies import Policy

#: The way to play of shares that are given without one.
AS_GIVEN = "as given"
#: Less than this above the margin is rounding.
ROUNDING = 1e-9


class Look(NamedTuple):
    """A setting under one way to play."""

    way: str
    verdict: str  # fair, unfair, undecided; it depends on the equilibrium; or not kept, where something else changes
    unevenness: float  # the largest distance from an even share, as a part of the decided games; or another measure
    error: float
    who: int | str  # who is farthest from even
    chances: Sequence[tuple[int | str, float]]  # of each seat, role or side to win; in the worst equilibrium found
    even: float  # the even share of all games
    kept: Mapping[str, tuple[float, float]]  # what must stay within a range: its value and its error


@dataclass(frozen=True)
class Question:
    """What is asked of every setting."""

    make: Callable
    by: str
    ways: tuple[str, ...]
    margin: float
    measure: Callable[[Tally], Any] | None = None
    keep: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    own: Mapping[str, Policy] = field(default_factory=dict)
    goal: str = "points"
    players: int | None = None
    states: int = 0
    seed: int = 1
    token: str = ""  # of one call of `tune`

    def made(self, values: Mapping[str, Any]) -> Any:
        """The game of a setting, or what else `make` gives."""
        try:
            return self.make(**values)
        except Exception as error:
            raise ValueError(f"it is refused: {type(error).__name__}: {error}") from error

    @contextmanager
    def named(self, values: Mapping[str, Any]) -> Iterator[None]:
        """Say of which setting something is refused."""
        try:
            yield
        except ValueError as error:
            given = ", ".join(f"{name}={shown(value)}" for name, value in values.items())
            raise ValueError(f"{name_of(self.make)}({given}): {error}") from error

    def measures(self, report: Report, way: str) -> dict[str, tuple[float, float]]:
        """What must be kept, in the units of the measures."""
        found = report.measures(way) if self.keep else {}
        missing = [name for name in self.keep if name not in found]
        if missing:
            raise ValueError(f"keep: {shown(missing[0])} is not known of {report.name} if all play {way}")
        return {name: tuple(meant(np.multiply(found[name], MEASURES[name].scale)).tolist()) for name in self.keep}

    def outside(self, kept: Mapping[str, tuple[float, float]], errors: float = 0.0) -> bool:
        """Whether something is outside of its range, by so many standard errors; inside by as many if below 0."""
        return any(
            not low - ROUNDING <= value + errors * error or not value - errors * error <= high + ROUNDING
            for (low, high), (value, error) in ((self.keep[name], each) for name, each in kept.items())
        )


def exactly(question: Question, values: Mapping[str, Any]) -> tuple[Look, ...] | None:
    """A setting under each way to play; None if games would have to be played."""
    with question.named(values):
        return _exactly(question, values)


def _exactly(question: Question, values: Mapping[str, Any]) -> tuple[Look, ...] | None:
    made = question.made(values)
    if not is_playable(made):
        if question.keep:
            raise ValueError(f"keep = {shown(dict(question.keep))}: of {name_of(question.make)} only shares are known")
        return tuple(_look(question, way, each, 0.0, {}) for way, each in _shares(made, question.by).items())
    found = None
    if question.states and is_game(made) and not hasattr(made, "sample"):
        built_in = {"random", *question.ways} - set(question.own)
        found = followed(made, question.players, tuple(way for way in WAYS if way in built_in), question.states)
    if found is None or found.graph is None:
        return None
    play: Any = play_of(found, made, question.seed, question.own, None, question.goal)
    by_seat = meant(play.endings("random").tally("seat").means, 6)
    if len(set(by_seat.tolist())) < len(by_seat):  # seats that are alike win as often
        play.alike = alike_seats(found, getattr(made, "alike", None))
    report, looks = Report(name_of(made), found, play, {}, question.margin, question.goal), []
    for way in question.ways:
        level = way if found.graph.sets else "random"  # where nobody chooses all ways are one
        if level not in play.levels:
            raise ValueError(f"ways: {way!r} is not known of {report.name}: {play.notes.get(way, 'not found')}")
        tallies = [variant.tally(question.by) for variant in play.variants(level)]
        looks.append(_look(question, way, tallies, play.residue(level), question.measures(report, level)))
    return tuple(looks)


def is_playable(made: Any) -> bool:
    """Whether this is a game, or what plays one; not what knows its shares."""
    return not isinstance(made, Mapping) and not hasattr(made, "endings") and not hasattr(made, "tally")


def _shares(made: Any, by: str) -> dict[str, list[Tally]]:
    """By way to play: the tally of shares, or of anything that has endings."""
    if isinstance(made, Mapping) and made and not all(isinstance(each, Real) for each in made.values()):
        return {str(way): [_tally(each, by)] for way, each in made.items()}
    return {AS_GIVEN: [_tally(made, by)]}


def _tally(made: Any, by: str) -> Tally:
    """Shares by label as a tally, or that of outcomes."""
    if not isinstance(made, Mapping):
        return of(made).tally(by)
    if len(made) < 2:
        raise ValueError(f"make: it gave {shown(made)}; the chances of two or more are needed")
    chances = [float(number(f"make: the chance of {shown(label)}", each, 0, 1)) for label, each in made.items()]
    return Tally(list(made), np.ones((1, len(chances))), np.array([chances]), np.ones(1), exact=True)


def _look(question: Question, way: str, tallies: list[Tally], residue: float, kept: Mapping) -> Look:
    """How uneven the plays are that a way may mean: the worst of them, and whether all or some are fair."""
    found = [_unevenness(question, tally, residue) for tally in tallies]
    far = [meant(each) for each, _ in found]
    worst = int(np.argmax(far))
    inside = {each <= question.margin + ROUNDING for each in far}
    verdict = "depends" if len(inside) > 1 else "fair" if inside.pop() else "unfair"
    if verdict == "fair" and question.outside(kept):
        verdict = "not kept"
    tally = tallies[worst]
    chances = zip(map(plain_label, tally.labels), meant(tally.means, residue=1e-12).tolist(), strict=True)
    who = plain_label(found[worst][1])
    return Look(way, verdict, far[worst], 0.0, who, tuple(chances), meant(evened(tally)[1]), dict(kept))


def plain_label(label: Hashable) -> int | str:
    """A label as a file can hold it."""
    return int(label) if isinstance(label, Integral) else str(label)


def _unevenness(question: Question, tally: Tally, residue: float) -> tuple[float, Hashable]:
    """How uneven chances are, and who is farthest from even."""
    _, even, decided = evened(tally)
    apart = np.abs(tally.means - even)
    apart = np.where(apart <= max(residue, ROUNDING), 0.0, apart)
    who = tally.labels[int(np.argmax(meant(apart, 9)))]
    if question.measure is None:
        return float(apart.max() / decided) if decided else 0.0, who
    return measured(question.measure, tally), who


def measured(measure: Callable[[Tally], Any], tally: Tally) -> float:
    """What a measure of `fairness` says of a tally, as one number."""
    found = measure(tally)
    if isinstance(found, pd.DataFrame):  # of envy, how much more there is one way than the other
        cells = np.nan_to_num(found.to_numpy(float))
        found = np.abs(cells - cells.T).max()
    for name in ("typical", "loss", "value"):
        found = getattr(found, name, found)
    if not isinstance(found, Real) or not np.isfinite(float(found)):
        raise ValueError(f"measure: it gave {shown(found)}, and a finite number is needed")
    return float(found)


def same_looks(one: tuple[Look, ...], other: tuple[Look, ...]) -> bool:
    """Whether two evaluations of one setting agree."""
    seen = [[(each.way, meant([chance for _, chance in each.chances], 6)) for each in looks] for looks in (one, other)]
    return seen[0] == seen[1]
