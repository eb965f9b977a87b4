"""What a claim consists of, and the numbers that claims are judged by."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from gamebalance._checks import shown
from gamebalance.sanguosha.claims.estimates import Answer
from gamebalance.sanguosha.claims.measures import Measures
from gamebalance.sanguosha.lineup import LINEUPS

#: An answer, and the numbers behind it.
Decision = tuple[Answer, str]


@dataclass(frozen=True)
class Results:
    """Everything the claims are judged by; parts that are None leave their readings out.

    Parameters
    ----------
    lineups : dict of str to Measures
        The report's nine line-ups, by name; others are refused.
    seatings : dict of str to Measures, optional
        The six seatings of four players.
    every : dict of str to Measures, optional
        All line-ups of `all_lineups`.
    methods : dict of str to Measures, optional
        The printed values of Table 5, ``transfer`` and ``monte carlo``, and ``exact``: from `printed_methods`.

    Raises
    ------
    ValueError
        If `lineups` are not the report's nine.
    """

    lineups: Mapping[str, Measures]
    seatings: Mapping[str, Measures] | None = None
    every: Mapping[str, Measures] | None = None
    methods: Mapping[str, Measures] | None = None

    def __post_init__(self):
        if set(self.lineups) != set(map(str, LINEUPS)):
            raise ValueError(f"lineups = {shown(list(self.lineups))}: the report's nine line-ups are needed")


class Reading(NamedTuple):
    """One reading of a claim: what it says, how it is decided, and by which part of `Results`."""

    text: str
    decide: Callable[[Mapping[str, Measures]], Decision]
    needs: str = "lineups"


class Claim(NamedTuple):
    """What the report says: section and number (its own in §8.2 and §10), our words, and the readings of it.

    `depends_on` completes "it depends on", for claims with several readings.
    """

    section: str
    number: int
    text: str
    readings: tuple[Reading, ...]
    depends_on: str = ""

    @property
    def place(self) -> str:
        """Where the claim stands: ``"§8.2 (5)"``."""
        return f"§{self.section} ({self.number})"
