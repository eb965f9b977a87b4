"""A game of Mafia night by night and day by day, with other rules in each round: exact.

`mafia.solve` takes one set of rules for the whole game. Here votes and shots can be as they were counted on the first
day, the second, and so on, and nobody be voted out as often as with so many alive.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from gamebalance.base.checks import number
from gamebalance.base.rounding import meant
from gamebalance.mafia import phases
from gamebalance.mafia.people import Town
from gamebalance.mafia.rules import Rules, check_game
from gamebalance.mafia.setups import Setup

if TYPE_CHECKING:
    import pandas

#: A chance of less is a game that is over.
LEFT = 1e-12
#: More rounds than any game of so few people has.
MOST_ROUNDS = 200

Towns = dict[Town, float]


class Round(NamedTuple):
    """The rules of a night, and those of the vote by day that follows."""

    night: Rules
    day: Rules


def course(setup: Setup, rounds: Sequence[Round], nobody: Mapping[int, float] | None = None) -> "pandas.DataFrame":
    """What happens on each day of a game that begins with a night.

    Parameters
    ----------
    setup : Setup
    rounds : sequence of Round
        The last one holds for all later nights and days.
    nobody : mapping of int to float, optional
        By number of the living, the chance that nobody is voted out, whatever `ties` of the rules says; else 0.

    Returns
    -------
    DataFrame
        By `day`: the chances that the game is not over in its morning (`reached`), that somebody is voted `out` on it,
        that this is a `hit` of a mafioso, that it would be by a vote at random (`blind`), and that the `town` or the
        `mafia` wins in the night before or by the vote. The sum of `town` is the town's chance.

    Raises
    ------
    ValueError
        If a round or the set-up is none, or the game does not end.

    Notes
    -----
    The rules are those of `mafia.phases`. Somebody is out where a vote leaves fewer alive, and it hits where it leaves
    fewer mafiosi; with hunters a vote may do more than that, and counts once.

    Examples
    --------
    >>> from gamebalance.mafia import Rules, Setup
    >>> always = Rules("always")
    >>> float(course(Setup(1, 3), [Round(always, always)])["town"].sum())
    0.333333333
    """
    import pandas as pd

    rounds, nobody = _checked(setup, rounds), _shares(nobody or {})
    towns: Towns = {Town.of(setup, rounds[0].night): 1.0}
    rows = []
    while sum(towns.values()) > LEFT:
        if len(rows) == MOST_ROUNDS:
            raise ValueError(f"rounds: a game that ends within {MOST_ROUNDS} days is needed")
        now = rounds[min(len(rows), len(rounds) - 1)]
        row = dict.fromkeys(("reached", "out", "hit", "blind", "town", "mafia"), 0.0)
        towns = _days(_nights(towns, now, row), now, nobody, row)
        rows.append(row)
    return meant(pd.DataFrame(rows, index=pd.RangeIndex(1, len(rows) + 1, name="day")), residue=1e-15)


def _checked(setup: Setup, rounds: Sequence[Round]) -> list[Round]:
    """The rounds, if they are some, of rules that fit the set-up."""
    rounds = list(rounds)
    if not rounds:
        raise ValueError("rounds = []: one Round or more is needed")
    for each in rounds:
        for rules in each:
            check_game(setup, rules, "evening")
    return rounds


def _shares(nobody: Mapping[int, float]) -> dict[int, float]:
    return {alive: float(number(f"nobody[{alive}]", share, 0, 1)) for alive, share in nobody.items()}


#: They take the time, and many are the same in another course.
_night, _day = lru_cache(1 << 15)(phases.night), lru_cache(1 << 15)(phases.day)


def _nights(towns: Towns, now: Round, row: dict[str, float]) -> Towns:
    """The towns of the morning in which the game goes on."""
    after: Towns = defaultdict(float)
    for town, chance in towns.items():
        if not _ended(town, chance, "evening", now.night, row):
            for dawn, share in _night(town, now.night).items():
                if not _ended(dawn, chance * float(share), "morning", now.day, row):
                    after[dawn] += chance * float(share)
    row["reached"] = sum(after.values())
    return after


def _days(towns: Towns, now: Round, nobody: Mapping[int, float], row: dict[str, float]) -> Towns:
    """The towns of the evening in which the game goes on, and what the votes did, added to the row."""
    after: Towns = defaultdict(float)
    for town, chance in towns.items():
        none = nobody.get(town.count(), 0.0)
        after[town] += chance * none
        for left, share in _day(town, now.day).items():
            part = chance * (1 - none) * float(share)
            out = left.count() < town.count()
            row["out"] += part * out
            row["hit"] += part * (left.mafiosi < town.mafiosi)
            row["blind"] += part * out * town.mafiosi / town.count()
            after[left] += part
    return {town: chance for town, chance in after.items() if not _ended(town, chance, "evening", now.night, row)}


def _ended(town: Town, chance: float, phase: str, rules: Rules, row: dict[str, float]) -> bool:
    """Whether somebody has won, which is then added to the row."""
    won = phases.winner(town, phase, rules)
    if won:
        row["town" if won == "innocents" else "mafia"] += chance
    return won is not None
