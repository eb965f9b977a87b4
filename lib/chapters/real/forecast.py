"""How often the town of a game should win by its counted votes alone: no share of wins goes in."""

from collections.abc import Mapping, Sequence
from math import hypot

from chapters.real.counts import Measured, measured
from chapters.real.course import Round, course
from chapters.real.skill import carried
from gamebalance.mafia.rules import Rules
from gamebalance.mafia.setups import Setup

#: The forum's fifteen. What the cop learns is in the votes, so that he counts as a citizen here.
FORUM = Setup.read("15: 3 mafiosi, medic, vigilante, 10 citizens")
#: Two shots of the mafia in a night while its three live; it wins as soon as it is half of the living.
FORUM_RULES = Rules("always", kills=(1, 1, 2))


def rounds(
    first: float,
    later: float,
    shoots: Sequence[float] = (0.5,),
    aims: float = 1.0,
    victims: Sequence[tuple[int, ...]] = (FORUM_RULES.kills,),
) -> list[Round]:
    """The rounds of a game of the forum, for `course`.

    Parameters
    ----------
    first, later : float
        The odds by which votes prefer a mafioso on the first day, and afterwards.
    shoots : sequence of float
        With which probability the vigilante shoots in each night in which he has a bullet; the last one holds on.
    aims : float
        The odds by which he prefers a mafioso.
    victims : sequence of tuple of int
        `Rules.kills` of each night; the last ones hold on.
    """
    count = max(2, len(shoots), len(victims))
    return [
        Round(
            Rules("always", kills=_at(victims, night), shot=_at(shoots, night), odds=aims),
            Rules("always", odds=later if night else first),
        )
        for night in range(count)
    ]


def town_wins(
    setup: Setup, first: Measured, later: Measured, nobody: Mapping[int, float] | None = None, **nights
) -> Measured:
    """The town's chance where votes of the first day and later ones have odds of their own.

    Parameters
    ----------
    setup : Setup
    first, later : Measured
        The odds, counted on different votes.
    nobody : mapping of int to float, optional
        As in `course`.
    **nights
        What else `rounds` takes.

    Returns
    -------
    Measured
        Error and interval come from those of the odds, which are independent: squares are added, those of the interval
        for each end apart (Zou and Donner 2008).
    """

    def chance(one: float, other: float) -> float:
        return course(setup, rounds(one, other, **nights), nobody)["town"].sum()

    apart = [
        carried(lambda odds: chance(odds, later.estimate), first),
        carried(lambda odds: chance(first.estimate, odds), later),
    ]
    best = apart[0].estimate
    low, high = (
        hypot(*(getattr(part, end) - best for part in apart)) if any(part.error for part in apart) else 0.0
        for end in ("low", "high")
    )
    return measured(best, hypot(*(part.error for part in apart)), best - low, best + high, digits=6)


def _at(values: Sequence, night: int):
    return values[min(night, len(values) - 1)]
