"""Ways to play at recorded tables of Mafia in the exact model: chances at random, and the odds that a share needs.

How many times as likely as anybody else a mafioso is to be voted out (`Rules.odds`) is the model's one number for
skill: better votes win more often, so that a share of wins belongs to one value of the odds; with other rules, to
others. What a town wins at random depends on rules that nobody wrote down, and so it is a span.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import product
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import optimize

from chapters.ten_at_the_table_counts import Measured, measured
from gamebalance.base.rounding import meant
from gamebalance.mafia import AS_CODED, Rules, Setup, phases, solve
from gamebalance.mafia.kernels import values
from gamebalance.mafia.people import Town

#: A table of sport Mafia, and that of the forum.
TABLE = Setup.read("10: don, 2 mafiosi, sheriff, 6 citizens")
FIFTEEN = Setup.read("15: 3 mafiosi, cop, medic, vigilante, 9 citizens")
#: The forum's mafia shoots twice in a night while its three live, and wins as soon as it is half of the living.
FORUM_RULES = Rules("always", kills=(1, 1, 2))
#: Who may be missing at the first dawn.
VICTIMS = ("sheriff", "citizen", "nobody")

#: Between which odds those of a share are sought.
LEAST_ODDS, MOST_ODDS = 0.01, 100.0
#: By which part of itself a number is moved for the slope of a function there.
STEP = 1e-3
#: Digits of numbers found by iteration.
DIGITS = 6

#: Whether the first day has a vote, and the phase with which the game then begins.
FIRST_DAYS = {"vote": "morning", "no vote": "evening"}
#: What becomes of those who are tied a second time.
SECOND_TIES = {"nobody": "again, then nobody", "all": "again, then all"}
#: When the sheriff tells, and whether the role of a dead player is shown.
SHERIFFS = [
    ("never", "hidden"),
    *((tells, roles) for roles in ("hidden", "shown") for tells in ("at a find", "every morning")),
    ("at death", "shown"),
]
#: The same in words.
TELLS = {
    "never": "tells nobody",
    "at death": "is heard at his death only",
    "at a find": "tells as soon as he has found a mafioso",
    "every morning": "tells every morning",
}
TIES = {"nobody": "nobody leaves after", "all": "all who are tied leave after", "lot": "one leaves by lot after"}


class Variant(NamedTuple):
    """A way to play sport Mafia: the names of `FIRST_DAYS` and `SECOND_TIES`, and two values of `Rules`."""

    tells: str
    dead_roles: str
    first_day: str
    second_tie: str

    @property
    def phase(self) -> str:
        """With which phase the game begins."""
        return FIRST_DAYS[self.first_day]

    def rules(self, agreement: float, **others) -> Rules:
        """The rules, at random play if nothing else is said; in each night the mafia agrees with this probability."""
        given = {"ties": SECOND_TIES[self.second_tie], "tells": self.tells, "dead_roles": self.dead_roles}
        return Rules("always", agreement=agreement, **given | others)

    @property
    def in_words(self) -> str:
        """What the sheriff does, and what follows on the first day and on ties."""
        dead = "" if self.tells in ("never", "at death") else f", roles of the dead are {self.dead_roles}"
        day = f"there is {'a' if self.first_day == 'vote' else 'no'} vote on the first day"
        return f"the sheriff {TELLS[self.tells]}{dead}, {day}, {TIES[self.second_tie]} a second tie"


VARIANTS = tuple(Variant(*sheriff, *others) for sheriff, *others in product(SHERIFFS, FIRST_DAYS, SECOND_TIES))
#: The way from which chapters depart, one rule at a time.
USUAL = Variant("every morning", "hidden", "vote", "nobody")


class Span(NamedTuple):
    """The least and the largest of several chances, and under which rules they are reached; both may be the same."""

    low: float
    high: float
    low_if: str = ""
    high_if: str = ""

    def beyond(self, share: float) -> float:
        """How far a share lies above the span, or below it (negative); 0 within."""
        return max(share - self.high, 0.0) + min(share - self.low, 0.0)

    @property
    def in_words(self) -> str:
        """The span in percent, its ends named."""
        return f"{100 * self.low:.1f}% (if {self.low_if}) to {100 * self.high:.1f}% (if {self.high_if})"


def span(ways: Iterable[tuple[str, Setup, Rules, str]]) -> Span:
    """The chances of the town over several ways to play, each in words and as `solve` takes it."""
    chances = {words: meant(solve(*way)) for words, *way in ways}
    low, high = min(chances, key=chances.__getitem__), max(chances, key=chances.__getitem__)
    return Span(chances[low], chances[high], low, high)


def club(agreement: float) -> list[tuple[str, Setup, Rules, str]]:
    """Ways to play the club's sport Mafia: `VARIANTS`, with a mafia that agrees so often, and always."""
    agreed = {agreement: "the mafia misses as often as no first victim is on record", 1.0: "the mafia never misses"}
    return [
        (f"{variant.in_words}, and {agreed[often]}", TABLE, variant.rules(often), variant.phase)
        for variant, often in product(VARIANTS, agreed)
    ]


def forum() -> list[tuple[str, Setup, Rules, str]]:
    """Ways to play the forum's Mafia: when the cop tells, if at all, and whether somebody leaves after a tie."""
    ways = product(TELLS, ("lot", "nobody"))
    words = "the cop {} and {} a tie"
    return [
        (words.format(TELLS[tells], TIES[ties]), FIFTEEN, replace(FORUM_RULES, tells=tells, ties=ties), "evening")
        for tells, ties in ways
    ]


def agreement(first_killed: pd.DataFrame, seasons: pd.DataFrame) -> float:
    """The share of tables of sport Mafia with a first victim on record: the mafia agreed there."""
    return float(first_killed["games"].sum() / seasons["games"].sum())


def odds_at(
    share: float, setup: Setup, rules: Rules = AS_CODED, phase: str = "evening", beyond: float | None = None
) -> float:
    """The odds at which the model's town wins with this chance; `beyond` if no odds give it, or ValueError."""
    chance = _chance(setup, rules, phase)
    least, most = chance(LEAST_ODDS), chance(MOST_ODDS)
    if least < share < most:
        ends = np.log([LEAST_ODDS, MOST_ODDS])
        return float(np.exp(optimize.brentq(lambda log: chance(np.exp(log)) - share, *ends, xtol=1e-9)))
    if beyond is None:
        raise ValueError(f"share = {share:.6g}: between {least:.6g} and {most:.6g} is what odds can give here")
    return beyond


def odds_of_share(share: Measured, setup: Setup, rules: Rules = AS_CODED, phase: str = "evening") -> Measured:
    """The odds at which the model's town wins as often as was seen; an end that no odds reach is 0 or infinite."""
    best = odds_at(share.estimate, setup, rules, phase)
    low, high = (odds_at(end, setup, rules, phase, beyond) for end, beyond in ((share.low, 0.0), (share.high, np.inf)))
    return measured(best, share.error / _slope(_chance(setup, rules, phase), best), low, high, digits=DIGITS)


def share_of_odds(odds: Measured, setup: Setup, rules: Rules = AS_CODED, phase: str = "evening") -> Measured:
    """How often the model's town wins at these odds, with the interval that belongs to theirs."""
    return carried(_chance(setup, rules, phase), odds)


def carried(function: Callable[[float], float], given: Measured) -> Measured:
    """A function, which rises or falls, of a number and of its interval; the error is multiplied by the slope."""
    low, high = sorted((function(given.low), function(given.high)))
    error = abs(_slope(function, given.estimate)) * given.error
    return measured(function(given.estimate), error, low, high, digits=DIGITS)


def _chance(setup: Setup, rules: Rules, phase: str) -> Callable[[float], float]:
    """The town's chance to win by its odds."""
    return lambda odds: solve(setup, replace(rules, odds=odds), phase)


def _slope(function: Callable[[float], float], place: float) -> float:
    """The slope of a function, from two steps of different size about the place (Richardson)."""
    wide, near = (
        (function(place * (1 + step)) - function(place * (1 - step))) / (2 * step * place) for step in (2 * STEP, STEP)
    )
    return (4 * near - wide) / 3


def by_first_victim(rules: Rules, phase: str = "morning", setup: Setup = TABLE) -> pd.DataFrame:
    """By `VICTIMS`: the chance that this one is shot in the first night, and the town's chance to `win` then."""
    town, dawns = Town.of(setup, rules), {}
    evenings = phases.day(town, rules) if phase == "morning" else {town: 1}
    for evening, chance in evenings.items():
        if phases.winner(evening, "evening", rules):
            continue
        for dawn, part in phases.night(evening, rules).items():
            key = dawn, _victim(evening, dawn)
            dawns[key] = dawns.get(key, 0) + chance * part
    towns = list({town: None for town, _ in dawns})
    wins = dict(zip(towns, values.win_chances(towns, setup, rules, "morning"), strict=True))
    rows = [(victim, float(chance), float(chance) * wins[town]) for (town, victim), chance in dawns.items()]
    sums = pd.DataFrame(rows, columns=["victim", "chance", "win"]).groupby("victim").sum()
    sums = sums.reindex([victim for victim in VICTIMS if victim in sums.index])
    return meant(sums.assign(win=sums["win"] / sums["chance"]))


def _victim(evening: Town, dawn: Town) -> str:
    """The role that is one fewer at dawn."""
    if dawn.count() == evening.count():
        return "nobody"
    return "sheriff" if dawn.count("sheriff") < evening.count("sheriff") else "citizen"
