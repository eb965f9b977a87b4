"""How games of a model end, and what that gives to whom: what models and recorded games are asked alike."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from gamebalance.base.checks import one_of, shown
from gamebalance.base.estimates import Estimate
from gamebalance.base.rounding import meant
from gamebalance.base.sums import dot
from gamebalance.base.tabled import Tabled
from gamebalance.fairness.checking import KINDS
from gamebalance.fairness.games import Games, Tally

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class Endings(Tabled):
    """How games of a model end. Engines and solvers make it: `fairness.of(outcomes)`.

    `labels` are the side, the role, the seat of each group of players whom the model cannot tell apart, such as the
    rebels of one game; `members`, how many each has; `probability`, that of each ending, sums to 1; `values` are what
    each ending gives to the members of each group together, shape (endings, groups): `won`, and `points` or `alive` if
    the game has them. `games` were counted, or is None where probabilities are exact. `length` and `lead_changes` are
    the mean number of steps of a game (of turns, or what `step` says) and of times that the lead goes over; `runs` are
    as of `Tally`.

    Examples
    --------
    A coin is tossed for two against one:

    >>> toss = Endings({"side": ["pair", "single"]}, [2, 1], [0.5, 0.5], {"won": [[2, 0], [0, 1]]})
    >>> toss.tally("side").means.tolist(), toss.tally("player").labels
    ([0.5, 0.5], ['pair 1', 'pair 2', 'single'])
    """

    labels: Mapping[str, Sequence[Hashable]]
    members: Sequence[int]
    probability: ArrayLike
    values: Mapping[str, np.ndarray]
    games: int | None = None
    length: Estimate | None = None
    lead_changes: Estimate | None = None
    step: str = "turns"
    runs: Any = None
    _tallies: dict = field(default_factory=dict, repr=False)

    @property
    def kinds(self) -> tuple[str, ...]:
        """What players can be told apart by here, of side, role, seat, player."""
        return tuple(kind for kind in KINDS if kind in self.labels or kind == "player")

    def tally(self, by: str = "role", of: str = "won") -> Tally:
        """Plays and wins (or points, or lives) of each label in each ending.

        A side is counted once, and has won when one of its players has; players of one group have equal chances.
        """
        if one_of("by", by, KINDS) not in self.kinds:
            raise ValueError(f"by = {by!r}: this game has no such names, only {', '.join(self.kinds)}")
        one_of("of", of, self.values)
        if (by, of) not in self._tallies:
            self._tallies[by, of] = self._tally(by, of)
        return self._tallies[by, of]

    def _tally(self, by: str, of: str) -> Tally:
        members, values = np.asarray(self.members, float), np.asarray(self.values[of], float)
        names = self._players() if by == "player" else list(self.labels[by])
        labels = list(dict.fromkeys(names))
        groups = np.repeat(np.arange(len(members)), self.members) if by == "player" else np.arange(len(members))
        belongs = np.zeros((len(members), len(labels)))
        for group, name in zip(groups, names, strict=True):
            belongs[group, labels.index(name)] = 1 / members[group] if by == "player" else 1
        played, total = dot(members[None, :], belongs), dot(values, belongs)
        if by == "side":
            whole = of == "won" and not np.any(values % 1)
            played, total = np.ones_like(played), np.minimum(total, 1) if whole else total / played
        weight = np.asarray(self.probability, float) * (self.games or 1)
        runs = None if self.runs is None else np.asarray(self.runs)
        return Tally(labels, np.repeat(played, len(weight), axis=0), total, weight, self.games is None, runs=runs)

    @property
    def _kind(self) -> str:
        return next(kind for kind in ("seat", "role", "side") if kind in self.labels)

    def _players(self) -> list[str]:
        """A name for each player."""
        kind = self._kind
        names = [f"{kind} {name}" if isinstance(name, int) else str(name) for name in self.labels[kind]]
        return [
            name if count == 1 else f"{name} {number}"
            for name, count in zip(names, self.members, strict=True)
            for number in range(1, count + 1)
        ]

    def to_frame(self) -> "pd.DataFrame":
        """A row for each seat, else role, else side: chance to win, and its standard error, 0 when exact."""
        import pandas as pd

        kind, tally = self._kind, self.tally(self._kind)
        labels = pd.Index(tally.labels, name=kind, tupleize_cols=False)
        return meant(pd.DataFrame({"win": tally.means, "error": tally.errors}, labels), residue=1e-12)

    def _headings(self) -> dict[str, str]:
        return {"win": "chance to win", "error": "± (s.e.)"}

    def _about(self) -> str:
        how = "exact" if self.games is None else f"{self.games:,} games"
        return f"How games end: {how}" + (f"; {self.length} {self.step} a game" if self.length else "")


def of(outcomes) -> "Endings | Games":
    """What any measure of fairness can be asked of: outcomes of the four games, of a search, or recorded `Games`.

    `Games` and `Endings` are returned as they are; of everything else its `endings` are taken.

    Examples
    --------
    >>> from gamebalance import sanguosha
    >>> of(sanguosha.solve("0123")).tally("side").means.round(3).tolist()
    [0.474, 0.004, 0.522]
    """
    found = outcomes if isinstance(outcomes, Endings | Games) else getattr(outcomes, "endings", None)
    if not isinstance(found, Endings | Games):
        raise ValueError(f"outcomes = {shown(outcomes)}: Games, or outcomes of a game that have endings, are needed")
    return found
