"""What callers write, read into whole numbers indexed by coalitions: entry `mask` has the players at its bits."""

import math
import sys
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np

from gamebalance.base.checks import all_different, function, shown
from gamebalance.base.kinds import Rational, Real

#: The most players of a game: it holds a worth for each of the 2^n coalitions.
MOST_PLAYERS = 16

#: How many of several coalitions a message names.
NAMED = 8

#: Sums below this many units are safe in 64 bits.
SAFE = 2**62

Player = Hashable


def read_players(players: Iterable[Player]) -> tuple[Player, ...]:
    """The players as a tuple of 1 to 16 different hashable names."""
    names = tuple(islice(players, MOST_PLAYERS + 1)) if isinstance(players, Iterable) else ()
    if not 1 <= len(names) <= MOST_PLAYERS or not all_different(names):
        raise ValueError(f"players = {shown(players)}: 1 to {MOST_PLAYERS} different hashable names are needed")
    return names


def read_number(name: str, value: Any) -> tuple[Fraction, bool]:
    """A number as a fraction, floats by their shortest decimals so that typed ties stay ties; whether it was exact."""
    if isinstance(value, Rational) and not isinstance(value, bool):
        return Fraction(int(value.numerator), int(value.denominator)), True
    if isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value):
        return Fraction(repr(float(value))), False
    raise ValueError(f"{name} = {shown(value)}: a finite number is needed")


def read_coalition(players: Sequence[Player], coalition: Any) -> int:
    """The bit mask of a coalition: a collection of players, or one player alone."""
    if isinstance(coalition, Hashable) and coalition in players:
        return 1 << players.index(coalition)
    if not isinstance(coalition, Collection):
        raise ValueError(f"coalition = {shown(coalition)}: a collection of players among {shown(players)} is needed")
    mask = 0
    for player in coalition:
        if player not in players:
            raise ValueError(f"coalition = {shown(coalition)}: {shown(player)} is none of the players {shown(players)}")
        bit = 1 << players.index(player)
        if mask & bit:
            raise ValueError(f"coalition = {shown(coalition)}: it names {shown(player)} twice")
        mask |= bit
    return mask


def members(players: Sequence[Player], mask: int) -> frozenset:
    """The coalition of a bit mask."""
    return frozenset(player for place, player in enumerate(players) if mask >> place & 1)


def coalition_text(players: Sequence[Player], mask: int) -> str:
    """The coalition of a bit mask as a reader writes it, such as ``{A, C}``."""
    return "{" + ", ".join(str(player) for place, player in enumerate(players) if mask >> place & 1) + "}"


def read_worths(
    players: Sequence[Player], values: Mapping[Any, Any] | Callable[[frozenset], Any]
) -> tuple[list[int], int, bool]:
    """The 2^n worths in whole units, the number of units in one, and whether no worth was a float."""
    number = len(players)
    if isinstance(values, Mapping):
        given: dict[int, Any] = {}
        for key, value in values.items():
            mask = read_coalition(players, key)
            if mask in given:
                raise ValueError(f"values: coalition {coalition_text(players, mask)} is given twice")
            given[mask] = value
        missing = [mask for mask in range(1, 1 << number) if mask not in given]
        if missing:
            missing.sort(key=lambda mask: (mask.bit_count(), [place for place in range(number) if mask >> place & 1]))
            named = ", ".join(coalition_text(players, mask) for mask in missing[:NAMED])
            more = f" and {len(missing) - NAMED} more" if len(missing) > NAMED else ""
            raise ValueError(f"values: {len(missing)} of {2**number - 1} coalitions are missing: {named}{more}")
    elif callable(values):
        function("values", values, "coalition")
        given = {mask: values(members(players, mask)) for mask in range(1, 1 << number)}
    else:
        raise ValueError(f"values = {shown(values)}: a mapping of coalitions to numbers, or a function, is needed")
    given.setdefault(0, 0)
    read = [read_number(f"worth of {coalition_text(players, mask)}", given[mask]) for mask in range(1 << number)]
    fractions = [fraction for fraction, _ in read]
    if fractions[0]:
        raise ValueError(f"worth of {{}} = {shown(given[0])}: the empty coalition is worth 0")
    denominator = math.lcm(*(fraction.denominator for fraction in fractions))
    worths = [fraction.numerator * (denominator // fraction.denominator) for fraction in fractions]
    exact = all(exact for _, exact in read)
    most = Fraction(sys.float_info.max) / (4 * len(worths) * number)  # so that sums of all worths are floats
    for mask, worth in enumerate(fractions):
        if not exact and abs(worth) > most:
            name = f"worth of {coalition_text(players, mask)}"
            raise ValueError(f"{name} is too large beside worths that are floats: at most {float(most):.0e} is allowed")
    return worths, denominator, exact


def read_allocation(players: Sequence[Player], allocation: Any) -> tuple[list[Fraction], bool]:
    """A payoff for each player, in their order, from a mapping or a sequence; and whether none was a float."""
    if isinstance(allocation, Mapping):
        if set(allocation) != set(players):
            raise ValueError(f"allocation = {shown(allocation)}: a number for each of {shown(players)} is needed")
        allocation = [allocation[player] for player in players]
    if isinstance(allocation, np.ndarray):
        allocation = allocation.tolist()
    if not isinstance(allocation, Sequence) or isinstance(allocation, str) or len(allocation) != len(players):
        raise ValueError(f"allocation = {shown(allocation)}: a number for each of {len(players)} players is needed")
    read = [read_number(f"payoff of {player}", value) for player, value in zip(players, allocation, strict=True)]
    return [fraction for fraction, _ in read], all(exact for _, exact in read)


def whole(values: Sequence[int], growth: int) -> np.ndarray:
    """Whole numbers of any size as int64, if they stay safe when they grow `growth` times, else as Python's own."""
    largest = max(map(abs, values))
    return np.array(values, dtype=np.int64 if largest * growth < SAFE else object)


def subset_sums(values: Iterable[int | Fraction], dtype) -> np.ndarray:
    """For each coalition the sum over its players; 2^n of them."""
    sums = np.zeros(1, dtype=dtype)
    for value in values:
        sums = np.concatenate([sums, sums + value])
    return sums
