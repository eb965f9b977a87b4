"""The chance that the innocents win as a fraction: two plain solvers, bottom-up and without recursion.

`fractions_by_layer` is the recursion of the study, for towns of mafiosi, innocents and detectives without memory;
`solve_exactly` takes any town and knows no more than what `phases` says of a night and a day.
"""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from gamebalance.mafia import phases
from gamebalance.mafia.phases import Town
from gamebalance.mafia.rules import Rules, Setup


def fractions_by_layer(mafiosi: int, innocents: int, detectives: int, rules: Rules, phase: str) -> Fraction:
    """The chance that the innocents win in a town without other roles and without memory.

    Parameters
    ----------
    mafiosi, innocents, detectives : int
    rules : Rules
    phase : {"evening", "morning"}

    Returns
    -------
    Fraction
    """
    values: dict[tuple, Fraction] = {}  # by phase, odd (1) or even (0) day, mafiosi, innocents, detectives
    for living in range(mafiosi + innocents + detectives + 1):
        for m in range(min(mafiosi, living) + 1):
            for d in range(max(0, living - m - innocents), min(detectives, living - m) + 1):
                for day in (1, 0):
                    _value_town(values, day, (m, living - m - d, d), rules)
    return values[phase, 1, mafiosi, innocents, detectives]


def _value_town(values: dict, day: int, town: tuple[int, int, int], rules: Rules) -> None:
    """Value a town on the evening before a day and on its morning; smaller towns are valued."""
    m, i, d = town
    tomorrow = 1 - day if rules.votes == "odd days" else day
    for phase in ("evening", "morning"):
        if m == 0 or rules.mafia_has_won(m, i + d, phase):
            value = Fraction(m == 0)
        elif phase == "evening":
            value = _after_night(lambda *town: values["morning", day, *town], m, i, d)
        elif not rules.votes_on(day, m + i + d):
            value = values["evening", tomorrow, *town]
        else:
            value = _after_vote(lambda *town: values["evening", tomorrow, *town], m, i, d)
        values[phase, day, *town] = value


def _after_vote(evening, m: int, i: int, d: int) -> Fraction:
    """The study's formula of the morning."""
    towns = ((m, (m - 1, i, d)), (i, (m, i - 1, d)), (d, (m, i, d - 1)))
    return sum((Fraction(count, m + i + d) * evening(*town) for count, town in towns if count), Fraction(0))


def _after_night(morning, m: int, i: int, d: int) -> Fraction:
    """The study's formula of the evening; without detectives nobody is arrested."""
    total = Fraction(0)
    for victims, town in ((i, (m, i - 1, d)), (d, (m, i, d - 1))):
        if victims:
            arrest = Fraction(m, m + i) if d else Fraction(0)
            stays = (1 - arrest) * morning(*town) if arrest < 1 else 0
            caught = arrest * morning(town[0] - 1, *town[1:]) if arrest else 0
            total += Fraction(victims, i + d) * (stays + caught)
    return total


class Position(NamedTuple):
    """A town and what comes next: the evening before, or the morning of, an odd or an even day.

    `day` is 1 or 2; it stays 1 where the calendar does not matter, so that equal positions are equal.
    """

    town: Town
    phase: str
    day: int


def solve_exactly(setup: Setup, rules: Rules, phase: str = "evening") -> Fraction:
    """The chance that the innocents win, from the rules in `phases`.

    Every position is valued after all those that can follow it. Two positions can follow each other only when
    nobody dies in a night and the vote is skipped; such a pair is solved as one equation.

    Parameters
    ----------
    setup : Setup
    rules : Rules
    phase : {"evening", "morning"}

    Returns
    -------
    Fraction
    """
    start = Position(Town.of(setup), phase, 1)
    values: dict[Position, Fraction] = {}
    visits: Counter[Position] = Counter()
    pending = [start]
    while pending:
        position = pending[-1]
        chances = {} if position in values else _following(position, rules)
        visits[position] += position not in values
        if visits[position] > 2:
            raise RuntimeError(f"{position}: positions follow each other in a circle")
        missing = [after for after in chances if after not in values and after != position]
        if missing:
            pending.extend(missing)
            continue
        pending.pop()
        if position not in values:
            values[position] = _value(position, chances, values, rules)
    return values[start]


def _value(position: Position, chances: dict, values: dict, rules: Rules) -> Fraction:
    """Value of a position whose followers are valued: v = sum + stay * v gives v = sum / (1 - stay)."""
    winner = phases.winner(position.town, position.phase, rules)
    if winner:
        return Fraction(winner == "innocents")
    total = sum((chance * values[after] for after, chance in chances.items() if after != position), Fraction(0))
    return total / (1 - chances.get(position, 0))


@lru_cache(maxsize=200_000)
def _following(position: Position, rules: Rules) -> dict[Position, Fraction]:
    """The positions that come next, with their chances; none when the game is over.

    A morning without a vote is passed over: the evening after it comes next. So no position is between two that can
    follow each other, and only a position that can follow itself is left to care for.
    """
    town, phase, day = position
    if phases.winner(town, phase, rules):
        return {}
    calendar = rules.votes == "odd days"
    if phase == "morning":
        if not rules.votes_on(day, town.count()):
            return {Position(town, "evening", 1): Fraction(1)}
        evening = 2 if calendar else 1
        return {Position(after, "evening", evening): chance for after, chance in phases.day(town).items()}
    following: dict[Position, Fraction] = {}
    for after, chance in phases.night(town, rules).items():
        for final in _past_idle_morning(Position(after, "morning", day), rules):
            following[final] = following.get(final, Fraction(0)) + chance
    return following


def _past_idle_morning(morning: Position, rules: Rules) -> Iterator[Position]:
    """The morning, or the evening that follows it when the game goes on without a vote."""
    over = phases.winner(morning.town, "morning", rules)
    idle = not over and not rules.votes_on(morning.day, morning.town.count())
    yield Position(morning.town, "evening", 1) if idle else morning
