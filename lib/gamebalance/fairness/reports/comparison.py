"""Two versions of a game side by side: what the one changes, with errors of the differences where games are played."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from gamebalance.base.rounding import meant
from gamebalance.base.tabled import Tabled
from gamebalance.fairness.reports.outlook import COUNTS, WAYS
from gamebalance.fairness.reports.pages import MEASURES
from gamebalance.fairness.reports.playing import all_play
from gamebalance.fairness.reports.report import Report, report
from gamebalance.fairness.reports.simulated import TRAININGS, SimulatedPlay
from gamebalance.fairness.reports.tables import wins
from gamebalance.fairness.wording import named
from gamebalance.multiplayer.graph.policies import Policy
from gamebalance.multiplayer.protocols import Game

#: Differences are told that are more than so many standard errors, and more than so much.
SHOWN, LEAST = 2.0, 0.05


@dataclass(frozen=True, eq=False)
class Comparison(Tabled):
    """Reports of two versions of a game, and what differs. Made by `compare`."""

    first: Report
    second: Report

    @property
    def levels(self) -> tuple[str, ...]:
        """The ways to play that are known of both."""
        return tuple(level for level in self.first.levels if level in self.second.levels)

    @cached_property
    def differences(self) -> pd.DataFrame:
        """By way to play: shares of wins in percent and measures of both, the difference and its error; 0 where exact.

        Where games of both were played, those with the same number have the same random numbers, and the errors of
        shares and lengths are those of the differences from game to game.
        """
        rows = [(level, what, unit, *values) for level in self.levels for what, unit, *values in self._rows(level)]
        columns = ("all play", "what", "unit", "first", "second", "difference", "±")
        return meant(pd.DataFrame(rows, columns=columns))

    def _rows(self, level: str) -> Iterator[tuple]:
        for kind in self.first.compared_by:
            pairs = [each.play.endings(level).tally(kind) for each in (self.first, self.second)]
            errors = self._errors(level, kind, pairs)
            for place, label in enumerate(pairs[0].labels):
                one, other = (100 * float(tally.means[place]) for tally in pairs)
                yield f"wins of {named(kind, label)}", "%", one, other, other - one, 100 * errors[place]
        measures = [each.measures(level) for each in (self.first, self.second)]
        for name, measure in MEASURES.items():
            if name in measures[0] and name in measures[1]:
                found = [each[name] for each in measures]
                one, other = (measure.scale * each.value for each in found)
                error = measure.scale * float(np.hypot(found[0].error, found[1].error))
                if name == "length" and (paired := self._paired(level, lambda game: [len(game.asked)])) is not None:
                    error = float(paired[0])
                yield name, measure.unit, one, other, other - one, error

    def _errors(self, level: str, kind: str, pairs: list) -> np.ndarray:
        """The errors of the differences of shares."""
        seats = self.first.outlook.seats
        labels = seats.labels[kind]
        belongs = np.array([[float(label == name) for name in pairs[0].labels] for label in labels])
        belongs /= belongs.sum(axis=0)
        paired = self._paired(level, lambda game: wins([game.payoffs], seats.sides)[0] @ belongs)
        return np.hypot(pairs[0].errors, pairs[1].errors) if paired is None else paired

    def _paired(self, level: str, of: Callable[[Any], Any]) -> np.ndarray | None:
        """The errors of the differences of what games give; None where they are not played in pairs."""
        plays = self.first.play, self.second.play
        if not all(isinstance(play, SimulatedPlay) for play in plays) or self.first.levels != self.second.levels:
            return None
        games = [play.played(level) for play in plays if isinstance(play, SimulatedPlay)]
        apart = np.array([[of(other), of(one)] for one, other in zip(*games, strict=True)], float)
        apart = apart[:, 0] - apart[:, 1]
        if any(play.levels[level] is None for play in plays):  # who is trained plays all games of a training
            apart = np.array([apart[training::TRAININGS].mean(axis=0) for training in range(TRAININGS)])
        return apart.std(axis=0, ddof=1) / np.sqrt(len(apart))

    @property
    def sentences(self) -> tuple[str, ...]:
        """What differs, the verdicts first."""
        one, other = self.first, self.second
        said = [f"{name}: {each.sentences[0]}" for name, each in zip(("First", "Second"), (one, other), strict=True)]
        for level in self.levels:
            rows = self.differences[self.differences["all play"] == level]
            told = "nothing that these games show" if rows["±"].any() else f"no more than {LEAST:g} percentage points"
            rows = rows[rows["what"].str.startswith("wins of")]
            rows = rows[rows["difference"].abs() > np.maximum(SHOWN * rows["±"], LEAST)]
            more = [
                f"{row['what'].removeprefix('wins of ')} {row['difference']:+.1f}"
                + f" ± {row['±']:.1f}" * (row["±"] > 0)
                for _, row in rows.iterrows()
            ]
            shown = f"{', '.join(more)} percentage points of the games" if more else told
            said.append(f"If all {all_play(level)}, the second changes who wins by {shown}.")
        return tuple(said)

    def to_frame(self) -> pd.DataFrame:
        """The table `differences`."""
        return self.differences.copy()

    def __str__(self) -> str:
        return "\n".join(self.sentences)

    def _about(self) -> str:
        return f"{self.first.name} and {self.second.name}, side by side"


def compare(
    one: Game | Callable,
    other: Game | Callable,
    players: int | None = None,
    *,
    policies: Mapping[str, Policy] | None = None,
    ways: Collection[str] = WAYS,
    seconds: float = 60.0,
    names: tuple[str | None, str | None] = (None, None),
    **options: Any,
) -> Comparison:
    """Two versions of a game side by side, with errors of the differences.

    The arguments are those of `report`; both must have the same players, roles and sides. Where the first is played
    and not solved, so is the second, as often and with the same random numbers.

    Examples
    --------
    >>> from gamebalance.games import Pig
    >>> found = compare(Pig(goal=5), Pig(goal=10), ways="random")
    >>> print(found.sentences[2])
    If all play at random, the second changes who wins by seat 1 -8.3, seat 2 +8.3 percentage points of the games.
    """
    asked: dict[str, Any] = {"policies": policies, "ways": ways, "seconds": seconds, **options}
    first = report(one, players, name=names[0], **asked)
    if first.outlook.graph is None:
        asked |= {count: getattr(first.outlook, count) for count in COUNTS if count != "states"} | {"states": 0}
    second = report(other, players, name=names[1], **asked)
    if first.outlook.seats != second.outlook.seats:
        raise ValueError("compare: the two games have other players, roles or sides")
    return Comparison(first, second)
