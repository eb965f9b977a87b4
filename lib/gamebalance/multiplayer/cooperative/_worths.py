"""The worths of a game as whole numbers by bit mask, and how callers see them."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any, Self

import numpy as np

from gamebalance._checks import shown

from . import _reading
from ._arrays import subset_sums, whole

Player = Hashable
Coalition = frozenset
Number = Fraction | float

#: In a game of floats, differences below this share of the greatest worth count as rounding.
ROUNDING = Fraction(1, 10**9)


class Worths:
    """Players and the worth of every coalition; see `TUGame` for the parameters."""

    def __init__(self, players: Iterable[Player], values: Mapping[Any, Any] | Callable[[Coalition], Any]) -> None:
        self.players = _reading.read_players(players)
        self._worths, self._denominator, self.exact = _reading.read_worths(self.players, values)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(players={self.players!r})"

    def worth(self, coalition: Any) -> Number:
        """The worth of a coalition."""
        return self._number(self._worths[self._mask("coalition", coalition)])

    def coalitions(self) -> list[Coalition]:
        """All coalitions but the empty one, smaller ones first."""
        masks = sorted(range(1, len(self._worths)), key=lambda mask: (mask.bit_count(), mask))
        return [self._members(mask) for mask in masks]

    def subgame(self, coalition: Any) -> Self:
        """The game among the members of a coalition.

        Raises
        ------
        ValueError
            If the coalition is empty or names somebody who is no player.
        """
        mask = self._mask("coalition", coalition)
        if not mask:
            raise ValueError(f"coalition = {shown(coalition)}: at least one player is needed")
        places = [place for place in range(len(self.players)) if mask >> place & 1]
        game = type(self).__new__(type(self))
        game.players = tuple(self.players[place] for place in places)
        inside = subset_sums([1 << place for place in places], np.int64)
        game._worths, game._denominator = [self._worths[part] for part in inside], self._denominator
        game.exact = self.exact
        return game

    # --- inside ----------------------------------------------------------------------------------------------

    @cached_property
    def _rounding(self) -> Fraction:
        """What counts as rounding, in the unit of the worths; 0 in an exact game."""
        return self._tolerance(exact_allocation=True)

    def _tolerance(self, exact_allocation: bool) -> Fraction:
        """What counts as rounding where an allocation is judged; 0 if it and the game are exact."""
        return Fraction(0) if self.exact and exact_allocation else ROUNDING * max(map(abs, self._worths))

    def _shares(self, allocation: Any) -> tuple[list[Fraction], bool]:
        shares, exact = _reading.read_allocation(self.players, allocation)
        return [share * self._denominator for share in shares], exact

    def _excesses(self, shares: list[Fraction]) -> dict[int, Fraction]:
        """Excess of each coalition but the empty one, by mask."""
        paid = subset_sums(shares, object)
        return {mask: Fraction(self._worths[mask], self._denominator) - paid[mask] for mask in range(1, len(paid))}

    def _array(self, growth: int, rounded: bool = False) -> np.ndarray:
        """Worths as an array of whole numbers; of floats if those of a game of floats are too long and may be so."""
        exact = whole(self._worths, growth)
        return self._floats() if rounded and not self.exact and exact.dtype == object else exact

    def _floats(self) -> np.ndarray:
        """Worths as floats."""
        try:
            return np.array([worth / self._denominator for worth in self._worths])
        except OverflowError:
            raise ValueError("values: worths that floats can hold are needed here, below 1.8e308") from None

    def _mask(self, name: str, coalition: Any) -> int:
        return _reading.read_coalition(name, self.players, coalition)

    def _members(self, mask: int) -> Coalition:
        return _reading.members(self.players, int(mask))

    def _number(self, amount: int | Fraction) -> Number:
        """An amount in the unit of the worths, as callers see it."""
        value = Fraction(amount) / self._denominator
        return value if self.exact else float(value)

    def _allocation(self, amounts: Iterable[Fraction]) -> dict[Player, Number]:
        return {player: self._number(amount) for player, amount in zip(self.players, amounts, strict=True)}
