"""What the study's claims about N = 8 are decided from, what a claim with its verdict is, and the list of them."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import networkx as nx
import pandas as pd

from gamebalance.countn.graph import state_graph
from gamebalance.countn.notation import hands_text
from gamebalance.countn.rules import START, Hands
from gamebalance.countn.solve import Option, Solution, solve

from .graphs import drawn_graph
from .lines import replay
from .positions import SEVENS, against, can_occur, live_pairs, sign

#: Verdicts: all readings of the wording hold; all hold, but something must be added; some hold; none; there is none.
VERDICTS = ("true", "true, with a nuance", "depends on the reading", "false", "cannot be decided")


@dataclass(frozen=True)
class Statement:
    """A claim of the study.

    Attributes
    ----------
    key : str
        A short name.
    claim : str
        The claim, in English.
    readings : mapping of str to bool
        What the wording may mean, and whether that is so; empty if the wording does not say enough.
    numbers : mapping of str to object
        The counts that it rests on, by what they count.
    nuance : str
        What has to be added; empty if nothing.
    """

    key: str
    claim: str
    readings: Mapping[str, bool]
    numbers: Mapping[str, object] = field(default_factory=dict)
    nuance: str = ""

    @property
    def verdict(self) -> str:
        """One of `VERDICTS`."""
        if not self.readings:
            return "cannot be decided"
        holds = list(self.readings.values())
        if all(holds):
            return "true, with a nuance" if self.nuance else "true"
        return "depends on the reading" if any(holds) else "false"


class Facts:
    """What the claims are decided from, computed once: attributes for N = 8 under the study's rules."""

    @cached_property
    def solution(self) -> Solution:
        """The game, solved."""
        return solve(8)

    @cached_property
    def graph(self) -> nx.DiGraph:
        """The reachable states."""
        return state_graph(self.solution.game)

    @cached_property
    def drawn(self) -> nx.DiGraph:
        """The drawn ones among them."""
        return drawn_graph(self.graph, self.solution)

    @cached_property
    def line(self) -> pd.DataFrame:
        """The study's line of play beside the solution."""
        return replay(self.solution)

    @cached_property
    def sevens(self) -> pd.DataFrame:
        """Every pair of hands against 7,7."""
        return against(self.solution)

    @cached_property
    def replies(self) -> dict[Hands, list[Option]]:
        """The second player's first moves, and how the first player can go on after each."""
        (first,) = self.solution.options(*START)
        answers = self.solution.options(START[1], first.move.hands)
        return {
            answer.move.hands: self.solution.options(first.move.hands, answer.move.hands)
            for answer in sorted(answers, key=lambda answer: answer.move.hands)
        }

    def with_number(self, number: int, but: Iterable[int] = ()) -> list[Hands]:
        """The pairs of two live hands that can occur against 7,7 to move, with one number and none of some others."""
        return [
            pair
            for pair in live_pairs(self.solution)
            if None not in pair
            and number in pair
            and not set(pair) & set(but)
            and can_occur(self.solution, pair, SEVENS)
        ]

    def worth(self, pairs: Iterable[Hands]) -> list[int]:
        """Signs of the values of pairs that are to move against 7,7."""
        return [sign(self.solution.value(pair, SEVENS)) for pair in pairs]


CLAIMS: list[Callable[[Facts], Statement]] = []


def claim(decide: Callable[[Facts], Statement]) -> Callable[[Facts], Statement]:
    """Put a claim into the list, which keeps the study's order."""
    CLAIMS.append(decide)
    return decide


def texts(pairs: Iterable[Hands]) -> str:
    """Pairs as text: ``1,2 1,3``."""
    return " ".join(map(hands_text, pairs))


def plies_text(facts: Facts, pairs: Iterable[Hands]) -> str:
    """Plies to the end for pairs that are to move against 7,7: ``8``, ``6 to 8`` or ``none``."""
    plies = {facts.solution.distance(pair, SEVENS) for pair in pairs} - {None}
    return " to ".join(map(str, sorted({min(plies), max(plies)}))) if plies else "none"
