"""The chance that the innocents win as a fraction, from no more than what `phases` says of a night and a day."""

from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from gamebalance.mafia import phases
from gamebalance.mafia.people import Town
from gamebalance.mafia.rules import Rules
from gamebalance.mafia.setups import Setup


class Position(NamedTuple):
    """A town and what comes next; `day` is 1 (odd) or 2, and stays 1 where the calendar does not matter."""

    town: Town
    phase: str
    day: int


Values = dict[Position, Fraction]


def solve_exactly(setup: Setup, rules: Rules, phase: str) -> Fraction:
    """The chance that the innocents win."""
    return position_values(setup, rules, phase)[Position(Town.of(setup, rules), phase, 1)]


def position_values(setup: Setup, rules: Rules, phase: str) -> Values:
    """The innocents' chance in every position of a game, each valued after all those that can follow it.

    Only positions of one town can follow each other in a ring: when nobody dies. They are valued together.
    """
    values: Values = {}
    pending = [Position(Town.of(setup, rules), phase, 1)]
    while pending:
        position = pending.pop()
        if position in values:
            continue
        path = _same_town(position, rules, values)
        after = [then for each in path for then in following(each, rules) if then.town != position.town]
        missing = [then for then in after if then not in values]
        if missing:
            pending += [position, *missing]
        else:
            _value(path, rules, values)
    return values


def _same_town(position: Position, rules: Rules, values: Values) -> list[Position]:
    """The position, and those without a value that come next, one after the other, while nobody dies."""
    path = [position]
    while True:
        after = [then for then in following(path[-1], rules) if then.town == position.town]
        if not after or after[0] in path or after[0] in values:
            return path
        path += after


def _value(path: list[Position], rules: Rules, values: Values) -> None:
    """Value positions of one town, each of which leads to the next, the last perhaps back to an earlier one.

    All others that can follow them have values. From the last back to the first, the value of each is a + b v, where v
    is that of the position to which the last leads; there, v = a + b v gives v = a / (1 - b).
    """
    back = next((then for then in following(path[-1], rules) if then in path), None)
    lines: dict[Position, tuple[Fraction, Fraction]] = {back: (Fraction(0), Fraction(1))} if back else {}
    for position in reversed(path):
        winner = phases.winner(position.town, position.phase, rules)
        a, b = Fraction(winner == "innocents"), Fraction(0)
        for then, chance in following(position, rules).items():
            at, slope = lines[then] if then in lines else (values[then], 0)
            a, b = a + chance * at, b + chance * slope
        lines[position] = (a, b)
        if position == back:
            solved = a / (1 - b)
            lines = {each: (at + slope * solved, Fraction(0)) for each, (at, slope) in lines.items()}
            lines[position] = solved, Fraction(0)
    values |= {position: lines[position][0] for position in path}


@lru_cache(maxsize=200_000)
def following(position: Position, rules: Rules) -> dict[Position, Fraction]:
    """The positions that come next, with their chances; none at the end. Mornings without a vote are passed over."""
    town, phase, day = position
    if phases.winner(town, phase, rules):
        return {}
    if phase == "morning":
        if not rules.votes_on(day, town.count()):
            return {Position(town, "evening", 1): Fraction(1)}
        evening = 2 if rules.votes == "odd days" else 1
        return {Position(after, "evening", evening): chance for after, chance in phases.day(town, rules).items()}
    dawns: dict[Position, Fraction] = {}
    for after, chance in phases.night(town, rules).items():
        idle = not phases.winner(after, "morning", rules) and not rules.votes_on(day, after.count())
        dawn = Position(after, "evening", 1) if idle else Position(after, "morning", day)
        dawns[dawn] = dawns.get(dawn, Fraction(0)) + chance
    return dawns
