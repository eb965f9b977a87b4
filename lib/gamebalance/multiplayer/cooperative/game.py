"""`TUGame`: a game with transferable utility, and all that can be asked of it."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any, Self

import numpy as np

from gamebalance.base.checks import check_seed, flag, shown, whole_number
from gamebalance.multiplayer.cooperative import nucleolus, values, worths

Player = Hashable
Coalition = frozenset
Number = Fraction | float

#: The most orders that one call draws.
MOST_PERMUTATIONS = 10**8

#: In a game of floats, differences below this share of the greatest worth count as rounding.
ROUNDING = Fraction(1, 10**9)

#: The most players for which corners are listed; there are (2^n - 2 choose n - 1) candidates.
MOST_PLAYERS_OF_CORNERS = 4


class TUGame:
    """A worth for every coalition of 1 to 16 players, who can share it as they like.

    `values` is a mapping from coalitions (a frozenset, tuple or other collection of players, or one player alone), or a
    function of a frozenset. Every coalition is needed, but the empty one, which is worth 0. If all worths are whole
    numbers or fractions the game is `exact`, and so are all answers, as Fractions. Otherwise floats are read as the
    decimals they are written as, computed with exactly, and answers are rounded to floats; answers of yes or no allow
    for rounding of 1e-9 of the greatest worth.

    >>> game = TUGame("AB", {"A": 0, "B": 1, ("A", "B"): 4})
    >>> game.shapley()
    {'A': Fraction(3, 2), 'B': Fraction(5, 2)}
    """

    def __init__(self, players: Iterable[Player], values: Mapping[Any, Any] | Callable[[Coalition], Any]) -> None:
        self.players = worths.read_players(players)
        self._worths, self._denominator, self.exact = worths.read_worths(self.players, values)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(players={self.players!r})"

    def worth(self, coalition: Any) -> Number:
        """The worth of a coalition."""
        return self._number(self._worths[self._mask(coalition)])

    def coalitions(self) -> list[Coalition]:
        """All coalitions but the empty one, smaller ones first."""
        masks = sorted(range(1, len(self._worths)), key=lambda mask: (mask.bit_count(), mask))
        return [self._members(mask) for mask in masks]

    def subgame(self, coalition: Any) -> Self:
        """The game among the members of a coalition; ValueError if there are none."""
        mask = self._mask(coalition)
        if not mask:
            raise ValueError(f"coalition = {shown(coalition)}: at least one player is needed")
        places = [place for place in range(len(self.players)) if mask >> place & 1]
        game = type(self).__new__(type(self))
        game.players = tuple(self.players[place] for place in places)
        inside = worths.subset_sums([1 << place for place in places], np.int64)
        game._worths, game._denominator = [self._worths[part] for part in inside], self._denominator
        game.exact = self.exact
        return game

    def excess(self, allocation: Any) -> dict[Coalition, Number]:
        """Worth of each coalition but the empty one, minus what its members get."""
        shares, exact = self._shares(allocation)
        numbers = {mask: excess / self._denominator for mask, excess in self._excesses(shares).items()}
        exact &= self.exact
        return {self._members(mask): number if exact else float(number) for mask, number in numbers.items()}

    # --- values ----------------------------------------------------------------------------------------------

    def shapley(self) -> dict[Player, Number]:
        """Shapley value (1953): the mean of a player's marginal contributions over all orders of arrival."""
        return self._allocation(values.shapley(self._array(2 << len(self.players)), len(self.players)))

    def banzhaf(self) -> dict[Player, Number]:
        """Banzhaf value (1965): the mean of a player's marginal contributions over all coalitions of the others."""
        return self._allocation(values.banzhaf(self._array(2 << len(self.players)), len(self.players)))

    def shapley_sampled(self, permutations: int, seed: int, antithetic: bool = False) -> values.SampledShapley:
        """Shapley value estimated from 4 or more random orders of arrival, with standard errors.

        If `antithetic`, every second order is the one before it reversed, and errors are those of the means of pairs.
        It helps where players add more the later they come, or less; in a majority vote, where the same player tips the
        scales both ways, it halves what is learned.
        """
        permutations = whole_number("permutations", permutations, 4, MOST_PERMUTATIONS)
        if flag("antithetic", antithetic) and permutations % 2:
            raise ValueError(f"permutations = {permutations}: an even number is needed for antithetic orders")
        moments = values.shapley_moments(self._floats(), len(self.players), permutations, check_seed(seed), antithetic)
        mean, error = (dict(zip(self.players, part.tolist(), strict=True)) for part in moments)
        return values.SampledShapley(mean, error, permutations)

    # --- core and nucleolus ----------------------------------------------------------------------------------

    def core_is_empty(self) -> bool:
        """Whether no allocation of v(N) gives every coalition its worth; `balanced_weights` prove it."""
        return self._heaviest[1] - self._worths[-1] > self._rounding

    def balanced_weights(self) -> dict[Coalition, Number] | None:
        """Balanced weights of greatest worth that prove the core empty (Bondareva 1963, Shapley 1967); None if it is
        not.

        Each player's coalitions have weights that sum to 1, and the weighted worth is more than v(N).
        """
        if not self.core_is_empty():
            return None
        weights = sorted(self._heaviest[0].items())
        return {self._members(mask): weight if self.exact else float(weight) for mask, weight in weights}

    def core_allocation(self) -> dict[Player, Number] | None:
        """An allocation in the core, the nucleolus; None if the core is empty."""
        return None if self.core_is_empty() else self.prenucleolus()

    def core_corners(self, epsilon: Any = 0) -> list[dict[Player, Number]]:
        """The corners of the core, or of the strong epsilon-core, in which coalitions may miss epsilon of their worth.

        For up to 4 players. An epsilon rounded below the least core's leaves no corner, so in a game of floats round
        that of `least_core` up.
        """
        if len(self.players) > MOST_PLAYERS_OF_CORNERS:
            raise ValueError(f"players: corners are listed for {MOST_PLAYERS_OF_CORNERS}, not {len(self.players)}")
        amount, _ = worths.read_number("epsilon", epsilon)
        corners = nucleolus.corners(self._worths, len(self.players), amount * self._denominator)
        return [self._allocation(corner) for corner in corners]

    def least_core(self) -> nucleolus.LeastCore:
        """The least core: the smallest greatest excess, an allocation, and the coalitions that cannot have less."""
        if len(self.players) == 1:
            raise ValueError(f"players = {shown(self.players)}: the least core needs at least two")
        excesses = self._excesses(self._prenucleolus)
        del excesses[len(self._worths) - 1]
        epsilon = max(excesses.values())
        # A coalition that is tight at the prenucleolus is tight at every x of the least core: else the excesses of
        # the point halfway to x would be lexicographically smaller.
        tight = [self._members(mask) for mask, excess in excesses.items() if excess >= epsilon - self._rounding]
        return nucleolus.LeastCore(self._number(epsilon), self.prenucleolus(), tight)

    def nucleolus(self) -> dict[Player, Number]:
        """Nucleolus (Schmeidler 1969): the imputation whose sorted excesses are lexicographically least."""
        return self._allocation(nucleolus.nucleolus(self._worths, len(self.players), self._floor()))

    def prenucleolus(self) -> dict[Player, Number]:
        """Prenucleolus: as the nucleolus, but players may get less than they are worth alone."""
        return self._allocation(self._prenucleolus)

    def is_nucleolus(self, allocation: Any) -> bool:
        """Whether an allocation is the nucleolus, by Kohlberg's criterion (1971), which does not compute it.

        Where it or the game has floats, excesses within 1e-9 of the greatest worth count as equal.
        """
        shares, exact = self._shares(allocation)
        slack = self._tolerance(exact)
        alone = [self._worths[1 << player] for player in range(len(self.players))]
        if any(share < worth - slack for share, worth in zip(shares, alone, strict=True)):
            return False
        at_floor = [place for place, share in enumerate(shares) if share <= alone[place] + slack]
        return self._kohlberg(shares, slack, at_floor)

    def is_prenucleolus(self, allocation: Any) -> bool:
        """Whether an allocation is the prenucleolus, by Kohlberg's criterion; see `is_nucleolus`."""
        shares, exact = self._shares(allocation)
        return self._kohlberg(shares, self._tolerance(exact), [])

    # --- who joins whom --------------------------------------------------------------------------------------

    def is_superadditive(self) -> bool:
        """Whether disjoint coalitions never lose by joining."""
        worth = self._array(2 * len(self.players), rounded=True)
        return self._is_rounding((values.best_parts(worth)[0] - worth).max(), worth)

    def is_convex(self) -> bool:
        """Whether players add the more the more others are there: v(A) + v(B) <= v(A | B) + v(A & B) for all A, B."""
        worth = self._array(4, rounded=True)
        return self._is_rounding(values.convexity_lost(worth, len(self.players)), worth)

    def best_structure(self) -> values.Structure:
        """A partition of the players of greatest total worth, by dynamic programming in O(3^n)."""
        part = values.best_parts(self._array(2 * len(self.players), rounded=True))[1]
        rest, parts = len(part) - 1, []
        while rest:
            parts.append(int(part[rest]))
            rest ^= parts[-1]
        return self._structure(parts, [])

    def greedy_structure(self, stable: bool = True) -> values.Structure:
        """The partition at which merging arrives: in each step the two parts that gain most by it, if they gain.

        If `stable`, parts merge only if the new coalition can share its worth so that none of its own parts would
        rather leave: if the core of its subgame is not empty.
        """
        flag("stable", stable)

        def allowed(mask: int) -> bool:
            return not stable or not self.subgame(self._members(mask)).core_is_empty()

        return self._structure(*values.merged_partition(self._worths, len(self.players), allowed))

    # --- inside: amounts are whole numbers or fractions, in the unit of the worths --------------------------------

    @cached_property
    def _heaviest(self) -> tuple[dict[int, Fraction], Fraction]:
        return nucleolus.balanced_weights(self._worths, len(self.players))

    @cached_property
    def _prenucleolus(self) -> list[Fraction]:
        return nucleolus.nucleolus(self._worths, len(self.players), None)

    @cached_property
    def _rounding(self) -> Fraction:
        """What counts as rounding; 0 in an exact game."""
        return self._tolerance(exact_allocation=True)

    def _tolerance(self, exact_allocation: bool) -> Fraction:
        """What counts as rounding where an allocation is judged; 0 if it and the game are exact."""
        return Fraction(0) if self.exact and exact_allocation else ROUNDING * max(map(abs, self._worths))

    def _floor(self) -> Fraction:
        """What players get at least beyond their own worth: 0, or a hair less where rounding leaves no imputation."""
        alone = sum(self._worths[1 << player] for player in range(len(self.players)))
        missing = alone - self._worths[-1]
        if missing > self._rounding:
            worth, needed = self._number(self._worths[-1]), self._number(alone)
            raise ValueError(
                f"the game has no imputation: its players are worth {needed} alone and {worth} together; "
                "prenucleolus() needs none"
            )
        return -Fraction(max(missing, 0), len(self.players))

    def _shares(self, allocation: Any) -> tuple[list[Fraction], bool]:
        """The amount of each player, and whether it was given exactly."""
        shares, exact = worths.read_allocation(self.players, allocation)
        return [share * self._denominator for share in shares], exact

    def _excesses(self, shares: list[Fraction]) -> dict[int, Fraction]:
        """Excess of each coalition but the empty one, by mask."""
        paid = worths.subset_sums(shares, object)
        return {mask: self._worths[mask] - paid[mask] for mask in range(1, len(paid))}

    def _kohlberg(self, shares: list[Fraction], slack: Fraction, at_floor: list[int]) -> bool:
        if abs(sum(shares, Fraction(-self._worths[-1]))) > slack:
            return False
        excesses = self._excesses(shares)
        levels: list[list[int]] = []
        last: Any = None
        for mask in sorted(range(1, len(self._worths) - 1), key=lambda mask: -excesses[mask]):
            if last is None or last - excesses[mask] > slack:
                levels.append([])
            last = excesses[mask]
            levels[-1].append(mask)
        return nucleolus.satisfies_kohlberg(levels, len(self.players), at_floor)

    def _is_rounding(self, loss: Any, worth: np.ndarray) -> bool:
        """Whether a loss, in the unit of an array of worths, is none."""
        return bool(loss <= (0 if self.exact else ROUNDING * Fraction(np.abs(worth).max().item())))

    def _structure(self, parts: list[int], merges: list[tuple[int, int]]) -> values.Structure:
        worth = self._number(sum(self._worths[part] for part in parts))
        steps = [(self._members(first), self._members(second)) for first, second in merges]
        return values.Structure(worth, [self._members(part) for part in parts], steps)

    def _array(self, growth: int, rounded: bool = False) -> np.ndarray:
        """Worths as an array of whole numbers; of floats if those of a game of floats are too long and may be so."""
        exact = worths.whole(self._worths, growth)
        return self._floats() if rounded and not self.exact and exact.dtype == object else exact

    def _floats(self) -> np.ndarray:
        try:
            return np.array([worth / self._denominator for worth in self._worths])
        except OverflowError:
            raise ValueError("values: worths that floats can hold are needed here, below 1.8e308") from None

    def _mask(self, coalition: Any) -> int:
        return worths.read_coalition(self.players, coalition)

    def _members(self, mask: int) -> Coalition:
        return worths.members(self.players, mask)

    def _number(self, amount: int | Fraction) -> Number:
        """An amount as callers see it."""
        value = Fraction(amount) / self._denominator
        return value if self.exact else float(value)

    def _allocation(self, amounts: Iterable[Fraction]) -> dict[Player, Number]:
        return {player: self._number(amount) for player, amount in zip(self.players, amounts, strict=True)}
