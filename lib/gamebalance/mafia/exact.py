"""The chance that the innocents win as a fraction, from no more than what `phases` says of a night and a day.

For towns without other roles a recursion by layers, like the compiled one, is four times as fast: not worth a second
home of the rules.
"""

from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from gamebalance.mafia import phases
from gamebalance.mafia.phases import Town
from gamebalance.mafia.rules import Rules, Setup


class Position(NamedTuple):
    """A town and what comes next; `day` is 1 (odd) or 2, and stays 1 where the calendar does not matter."""

    town: Town
    phase: str
    day: int


def solve_exactly(setup: Setup, rules: Rules, phase: str) -> Fraction:
    """The chance that the innocents win."""
    return position_values(setup, rules, phase)[Position(Town.of(setup), phase, 1)]


def position_values(setup: Setup, rules: Rules, phase: str) -> dict[Position, Fraction]:
    """The innocents' chance in every position of a game, each valued after all those that can follow it.

    Two can follow each other only when nobody dies in a night and the vote is skipped; such a pair is one equation.
    """
    start = Position(Town.of(setup), phase, 1)
    values: dict[Position, Fraction] = {}
    pending = [start]
    while pending:
        position = pending.pop()
        if position in values:
            continue
        chances = following(position, rules)
        missing = [after for after in chances if after not in values and after != position]
        if missing:
            pending += [position, *missing]
        else:
            values[position] = _value(position, chances, values, rules)
    return values


def _value(position: Position, chances: dict, values: dict, rules: Rules) -> Fraction:
    """Value of a position whose followers are valued: v = sum + stay * v gives v = sum / (1 - stay)."""
    winner = phases.winner(position.town, position.phase, rules)
    if winner:
        return Fraction(winner == "innocents")
    total = sum((chance * values[after] for after, chance in chances.items() if after != position), Fraction(0))
    return total / (1 - chances.get(position, 0))


@lru_cache(maxsize=200_000)
def following(position: Position, rules: Rules) -> dict[Position, Fraction]:
    """The positions that come next, with their chances; none when the game is over.

    A morning without a vote is passed over: so only a position that can follow itself is left to care for.
    """
    town, phase, day = position
    if phases.winner(town, phase, rules):
        return {}
    if phase == "morning":
        if not rules.votes_on(day, town.count()):
            return {Position(town, "evening", 1): Fraction(1)}
        evening = 2 if rules.votes == "odd days" else 1
        return {Position(after, "evening", evening): chance for after, chance in phases.day(town).items()}
    found: dict[Position, Fraction] = {}
    for after, chance in phases.night(town, rules).items():
        final = _past_idle_morning(Position(after, "morning", day), rules)
        found[final] = found.get(final, Fraction(0)) + chance
    return found


def _past_idle_morning(morning: Position, rules: Rules) -> Position:
    """The morning, or the evening that follows it when the game goes on without a vote."""
    over = phases.winner(morning.town, "morning", rules)
    idle = not over and not rules.votes_on(morning.day, morning.town.count())
    return Position(morning.town, "evening", 1) if idle else morning
