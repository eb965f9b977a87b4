"""What `tune` found."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import pandas as pd

from gamebalance.base.rounding import meant
from gamebalance.base.tabled import Tabled
from gamebalance.fairness.tuning import showing
from gamebalance.fairness.tuning.evaluation import Look, Question
from gamebalance.fairness.tuning.knobs import Grid, Setting

if TYPE_CHECKING:
    from gamebalance.fairness.plots import Axes


class Row(NamedTuple):
    """A setting with what was found of it: the verdict of all ways to play, and each of them."""

    setting: Setting
    looks: tuple[Look, ...]
    verdict: str  # fair, unfair, undecided; not kept; it depends on the way to play, or on the equilibrium

    @property
    def unevenness(self) -> float:
        """That of the way to play that is worst."""
        return max((look.unevenness for look in self.looks), default=float("inf"))


def verdict_of(looks: tuple[Look, ...]) -> str:
    """The verdict of all ways to play."""
    verdicts = {look.verdict for look in looks}
    if "not kept" in verdicts and verdicts <= {"fair", "not kept"}:
        return "not kept"
    return verdicts.pop() if len(verdicts) == 1 else "depends"


@dataclass(frozen=True, eq=False)
class Tuning(Tabled):
    """The smallest change of a game that makes it fair. Made by `tune`.

    `rows` are the settings that were looked at, the smallest change first; `games`, how many were played where not all
    is `exact`, and `more`, about how many more would tell what is open. The `verdict` is "fair" where a smallest change
    was found (and "unfair" none of a smaller size), "unfair" where no setting of the grid is fair, else "undecided".
    """

    name: str
    question: Question
    grid: Grid
    rows: tuple[Row, ...]
    exact: bool
    verdict: str
    level: float
    games: int = 0
    more: int | None = None
    notes: tuple[str, ...] = ()  # what else a reader must know of games that were played

    @property
    def ways(self) -> tuple[str, ...]:
        """The ways to play."""
        return tuple(look.way for look in self.rows[0].looks)

    @property
    def changes(self) -> list[dict[str, Any]]:
        """The new values of what is changed, in each of the smallest settings that are fair."""
        fair = [row.setting for row in self.rows if row.verdict == "fair"]
        return [self._news(setting) for setting in fair if setting.size == fair[0].size]

    @property
    def change(self) -> dict[str, Any] | None:
        """The first of them: empty if the game is fair as it is, None if no setting was shown to be."""
        return next(iter(self.changes), None)

    def _news(self, setting: Setting) -> dict[str, Any]:
        pairs = zip(self.grid.knobs, setting.places, strict=True)
        return {knob.name: knob.values[place] for knob, place in pairs if place != knob.today}

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """What was found in whole sentences."""
        return tuple(showing.sentences(self))

    @property
    def sentence(self) -> str:
        """The first of them."""
        return self.sentences[0]

    @property
    def front(self) -> pd.DataFrame:
        """The settings that are more even than every one that changes less: a part of `to_frame`."""
        best, places = float("inf"), []
        order = sorted(range(len(self.rows)), key=lambda place: (self.rows[place].setting.size, self._far(place)))
        for place in order:
            if self._far(place) < best:
                best = self._far(place)
                places.append(place)
        return self.to_frame().iloc[places].reset_index(drop=True)

    def _far(self, place: int) -> float:
        return float(meant(self.rows[place].unevenness, 9))

    def to_frame(self) -> pd.DataFrame:
        """A row for each setting that was looked at: values, size, verdict; by way unevenness and chances to win."""
        return showing.frame(self)

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw how uneven each setting leaves the game by how much it changes, and return the axes."""
        return showing.draw(self, ax)

    to_text, to_json, to_html, to_shown = showing.text, showing.as_json, showing.html, showing.shown_rows

    def __str__(self) -> str:
        return "\n".join(self.sentences)

    def _headings(self) -> Mapping[Any, str]:
        return {}

    def _about(self) -> str:
        return self.sentence
