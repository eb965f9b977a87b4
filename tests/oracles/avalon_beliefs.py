"""What a good player at a table of sensible people should believe, set by set, by Bayes' rule in plain Python."""

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple


class Went(NamedTuple):
    """A mission as beliefs read it: those who went, the fails shown, the fails that it takes."""

    team: tuple[int, ...]
    fails: int
    needed: int


def beliefs(
    players: int,
    evil: int,
    went: Sequence[Went],
    votes: Sequence[tuple[tuple[int, ...], tuple[int, ...]]],
    hides: float,
    listens: float,
    possible=lambda seats: True,
) -> dict[tuple[int, ...], float]:
    """How likely each set of evil seats is.

    Of several evil members as many as are needed play fail, the first mission passes with chance `hides` all the same
    (if there are others); a good player approves a team, `votes` holding teams and those who approved, with chance a
    half, an evil one with (1 + listens) / 2 if an evil player is in it, with (1 - listens) / 2 if not.
    """
    weights = {}
    for seats in combinations(range(players), evil):
        weight = float(bool(possible(seats)))
        for number, (team, fails, needed) in enumerate(went):
            members = len(set(seats) & set(team))
            lets = hides if number == 0 else 0.0
            if members < fails:
                weight = 0.0
            elif members >= needed:
                weight *= 1 - lets if fails >= needed else lets
        for team, approving in votes:
            for seat in range(players):
                likely = (1 + listens) / 2 if set(seats) & set(team) else (1 - listens) / 2
                likely = likely if seat in seats else 0.5
                weight *= likely if seat in approving else 1 - likely
        weights[seats] = weight
    whole = sum(weights.values())
    return {seats: weight / whole for seats, weight in weights.items()}


def clean(chances: dict[tuple[int, ...], float], players: int, size: int) -> dict[tuple[int, ...], float]:
    """How likely each team of a size is to have no evil member."""
    return {
        team: sum(chance for seats, chance in chances.items() if not set(seats) & set(team))
        for team in combinations(range(players), size)
    }
