"""Ways to play sport Mafia in the exact model: the odds that each needs, and what each says of the first victim."""

from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from chapters.real import skill
from chapters.real.first_night import TABLE, VICTIMS, explained
from chapters.real.two_sets import Records
from gamebalance.base.rounding import meant
from gamebalance.mafia import Rules, solve

if TYPE_CHECKING:
    import pandas

#: Whether the first day has a vote, and the phase with which the game then begins.
FIRST_DAYS = {"vote": "morning", "no vote": "evening"}
#: What becomes of those who are tied a second time.
SECOND_TIES = {"nobody": "again, then nobody", "all": "again, then all"}
#: When the sheriff tells, and whether the role of a dead player is shown.
SHERIFFS = (
    ("never", "hidden"),
    ("at a find", "hidden"),
    ("every morning", "hidden"),
    ("at a find", "shown"),
    ("every morning", "shown"),
    ("at death", "shown"),
)


class Variant(NamedTuple):
    """A way to play: the names of `FIRST_DAYS` and `SECOND_TIES`, and two values of `Rules`."""

    tells: str
    dead_roles: str
    first_day: str
    second_tie: str

    @property
    def phase(self) -> str:
        """With which phase the game begins."""
        return FIRST_DAYS[self.first_day]

    def rules(self, agreement: float, **others: Any) -> Rules:
        """The rules, at random play if nothing else is said; in each night the mafia agrees with this probability."""
        given = {"ties": SECOND_TIES[self.second_tie], "tells": self.tells, "dead_roles": self.dead_roles}
        return Rules("always", agreement=agreement, **{**given, **others})


VARIANTS = tuple(Variant(*sheriff, *others) for sheriff, *others in product(SHERIFFS, FIRST_DAYS, SECOND_TIES))
#: The way from which `sensitivity` departs, one rule at a time.
USUAL = Variant("every morning", "hidden", "vote", "nobody")
CHANGES = {
    "as assumed": {},
    "the sheriff tells nobody": {"tells": "never"},
    "he tells at a find": {"tells": "at a find"},
    "he tells at his death, roles of the dead shown": {"tells": "at death", "dead_roles": "shown"},
    "roles of the dead shown": {"dead_roles": "shown"},
    "a second tie: all leave": {"ties": SECOND_TIES["all"]},
    "a tie: nobody leaves": {"ties": "nobody"},
    "a tie: all leave": {"ties": "all"},
    "no ties: one leaves by lot": {"ties": "lot"},
    "no vote on the first day": {"phase": FIRST_DAYS["no vote"]},
    "the mafia misses in no night": {"agreement": 1},
}


def sensitivity(records: Records) -> "pandas.DataFrame":
    """How often the town wins at random play, and the odds that explain its share, when one assumption is changed.

    Returns
    -------
    DataFrame
        By `CHANGES`: `random`, a share, and `odds`, `error`, `low`, `high` of `skill.odds_of_share`.
    """
    import pandas as pd

    rows = {}
    for name, change in CHANGES.items():
        others = dict(change)
        phase = others.pop("phase", USUAL.phase)
        rules = USUAL.rules(others.pop("agreement", records.agreement), **others)
        odds = skill.odds_of_share(records.town, TABLE, rules, phase)
        rows[name] = (solve(TABLE, rules, phase), *odds[:4])
    columns = ["random", "odds", "error", "low", "high"]
    return meant(pd.DataFrame.from_dict(rows, orient="index", columns=columns))


def tested(variant: Variant, first: Records, later: Records) -> dict[tuple[str, str], Any]:
    """A way to play against both sets: a row of a table.

    Returns
    -------
    dict
        The variant; and for both sets, `first` and `later`, the `odds` that explain the town's share, the predicted
        share of wins by first victim, and `p_value` of the seen ones (`first_night.explained`).
    """
    row: dict[tuple[str, str], Any] = {("", name): value for name, value in variant._asdict().items()}
    for when, records in (("first", first), ("later", later)):
        rules = variant.rules(records.agreement)
        odds, predicted, fit = explained(records.town.estimate, records.by_victim, rules, variant.phase)
        wins = {(when, victim): float(predicted.at[victim, "win"]) for victim in VICTIMS}
        row |= {(when, "odds"): odds} | wins | {(when, "p_value"): fit.p_value}
    return row
