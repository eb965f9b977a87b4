"""Is it seen again? What one set of recorded tables of sport Mafia says, tested on a second set."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from scipy import stats

from chapters.real import outcomes, persons, victims
from chapters.real.counts import Measured, difference
from gamebalance.base.checks import number
from gamebalance.base.rounding import meant

if TYPE_CHECKING:
    import pandas


class Records(NamedTuple):
    """A set of recorded tables: frames of counts, as `data/observed` names them."""

    seasons: "pandas.DataFrame"
    seats: "pandas.DataFrame"
    first_killed: "pandas.DataFrame"
    three_named: "pandas.DataFrame"
    persons: "pandas.DataFrame"

    @property
    def tables(self) -> int:
        """How many tables there are."""
        return sum(outcomes.by_side(self.seasons).values())

    @property
    def town(self) -> Measured:
        """The town's share of wins."""
        return outcomes.town_wins(self.seasons)

    @property
    def by_victim(self) -> "pandas.DataFrame":
        """The town's share of wins by first victim: `victims.town_by_victim`."""
        return victims.town_by_victim(self.first_killed, self.seasons)

    @property
    def agreement(self) -> float:
        """The share of tables with a first victim on record: the mafia agreed, and missed at most of the others."""
        return float(1 - self.by_victim.at[victims.NOBODY, "games"] / self.tables)


class Measure(NamedTuple):
    """What is measured on a set: how many units are 1, the unit, what there would be if it were not so, and how."""

    scale: float
    unit: str
    null: float
    of: Callable[[Records], Measured]


def _without_victim(records: Records) -> Measured:
    """The town's share where no first victim is on record, less that where a citizen was shot first."""
    games = records.by_victim
    pairs = [(int(games.at[who, "won"]), int(games.at[who, "games"])) for who in (victims.NOBODY, "citizen")]
    return difference(*pairs)


#: What is measured on both sets.
MEASURES = {
    "the town's share of wins": Measure(100, "%", 0.5, lambda records: records.town),
    "its growth with each season": Measure(100, "points", 0, lambda its: outcomes.trend_over(its.seasons, "season")),
    "the sheriff's share of first victims": Measure(
        100, "%", 1 / 7, lambda records: victims.sheriff_first(records.first_killed)
    ),
    "sheriff shot first, against a citizen": Measure(
        100, "points", 0, lambda records: victims.cost_of_sheriff(records.first_killed)
    ),
    "nobody shot first, against a citizen": Measure(100, "points", 0, _without_victim),
    "odds at which a citizen names a mafioso": Measure(
        1, "odds", 1, lambda records: victims.odds_of_naming(records.three_named, "citizen")
    ),
    "odds at which a sheriff names one": Measure(
        1, "odds", 1, lambda records: victims.odds_of_naming(records.three_named, "sheriff")
    ),
    "wins with each mafioso that a citizen names": Measure(
        100, "points", 0, lambda records: victims.result_by_named(records.three_named, "citizen")
    ),
    "wins with each one that a sheriff names": Measure(
        100, "points", 0, lambda records: victims.result_by_named(records.three_named, "sheriff")
    ),
    "spread of persons' strengths": Measure(100, "points", 0, lambda its: persons.strengths(its.persons).spread),
}


def replicated(first: Records, later: Records, level: float = 0.95) -> "pandas.DataFrame":
    """What is measured on both sets, and whether what the first one shows is seen again.

    Parameters
    ----------
    first, later : Records
    level : float
        What a p-value is tested against, as 1 - level. It is divided among all that the first set shows where the
        later set is asked (Bonferroni).

    Returns
    -------
    DataFrame
        By `MEASURES`: `unit`, and pairs of `first` or `later` and `estimate`, `low`, `high`, `p_value`; `p_apart`, how
        often two sets of one truth are at least so far apart (normal); and `again`: "yes" or "no" for what the first
        set shows, "not shown" else.
    """
    import pandas as pd

    risk = 1 - number("level", level, 0, 1, inside=True)
    pairs = {name: (measure.of(first), measure.of(later)) for name, measure in MEASURES.items()}
    shown = sum(before.p_value <= risk for before, _ in pairs.values())
    rows = {}
    for name, (before, after) in pairs.items():
        scale, unit, null, _ = MEASURES[name]
        row = {("", "unit"): unit}
        for when, found in (("first", before), ("later", after)):
            row |= {(when, part): scale * getattr(found, part) for part in ("estimate", "low", "high")}
            row[when, "p_value"] = found.p_value
        row["", "p_apart"] = 2 * stats.norm.sf(
            abs(before.estimate - after.estimate) / (before.error**2 + after.error**2) ** 0.5
        )
        same = (before.estimate - null) * (after.estimate - null) > 0
        held = "yes" if same and after.p_value <= risk / max(shown, 1) else "no"
        row["", "again"] = held if before.p_value <= risk else "not shown"
        rows[name] = row
    frame = pd.DataFrame.from_dict(rows, orient="index")
    frame.columns = pd.MultiIndex.from_tuples(frame.columns)
    return meant(frame)
