"""How often a town wins that votes at random: a range over the ways to play that the rules and the records leave open.

A town's chance at random depends on rules that nobody wrote down: when the sheriff tells what he has learned, what
follows on a tie, how often the mafia agrees. So no single number is the chance at random of a recorded table.
"""

from collections.abc import Iterable
from itertools import product
from typing import NamedTuple

from chapters.real import forecast
from chapters.real.first_night import TABLE
from chapters.real.sport_rules import VARIANTS, Variant
from gamebalance.base.rounding import meant
from gamebalance.mafia import Rules, Setup, solve

#: The forum's fifteen, with the cop whom `forecast.FORUM` counts as a citizen.
FIFTEEN = Setup.read("15: 3 mafiosi, cop, medic, vigilante, 9 citizens")
#: When a sheriff or cop tells, and what follows on ties, in words.
TELLS = {
    "never": "tells nobody",
    "at death": "is heard at his death only",
    "at a find": "tells as soon as he has found a mafioso",
    "every morning": "tells every morning",
}
TIES = {"nobody": "nobody leaves after", "all": "all who are tied leave after"}


class Way(NamedTuple):
    """A way to play, in words and as the model has it."""

    said: str
    setup: Setup
    rules: Rules
    phase: str


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
    def said(self) -> str:
        """The span in percent, its ends named."""
        return f"{100 * self.low:.1f}% (if {self.low_if}) to {100 * self.high:.1f}% (if {self.high_if})"


def span(ways: Iterable[Way]) -> Span:
    """The chances of the town over several ways to play."""
    chances = {way.said: meant(solve(*way[1:])) for way in ways}
    low, high = min(chances, key=chances.__getitem__), max(chances, key=chances.__getitem__)
    return Span(chances[low], chances[high], low, high)


def club(agreement: float) -> list[Way]:
    """Ways to play the club's sport Mafia: `sport_rules.VARIANTS`, with a mafia that agrees so often, and always."""
    agreed = {agreement: "the mafia misses as often as no first victim is on record", 1.0: "the mafia never misses"}
    return [
        Way(f"{_said(variant)}, and {agreed[often]}", TABLE, variant.rules(often), variant.phase)
        for variant, often in product(VARIANTS, agreed)
    ]


def _said(variant: Variant) -> str:
    shown = "" if variant.tells in ("never", "at death") else f", roles of the dead are {variant.dead_roles}"
    day = {"vote": "there is a vote on the first day", "no vote": "there is no vote on the first day"}
    return (
        f"the sheriff {TELLS[variant.tells]}{shown}, {day[variant.first_day]}, {TIES[variant.second_tie]} a second tie"
    )


def forum() -> list[Way]:
    """Ways to play the forum's Mafia: when the cop tells, if at all, and whether somebody leaves after a tie."""
    ties = {"lot": "one leaves by lot after", **TIES}
    return [
        Way(
            f"the cop {TELLS[tells]} and {ties[tie]} a tie",
            FIFTEEN,
            Rules("always", kills=forecast.FORUM_RULES.kills, tells=tells, ties=tie),
            "evening",
        )
        for tells, tie in product(TELLS, ("lot", "nobody"))
    ]
