"""`TUGame`: a game with transferable utility, and all that can be asked of it."""

from fractions import Fraction
from functools import cached_property
from typing import Any

from gamebalance._checks import check_seed, shown, whole_number

from . import _reading, core, kohlberg, nucleolus, power, properties, sampled, structures
from ._arrays import whole
from ._worths import Coalition, Number, Player, Worths

#: The most orders that one call draws.
MOST_PERMUTATIONS = 10**8


class TUGame(Worths):
    """A worth for every coalition of 1 to 16 players, who can share it as they like.

    Parameters
    ----------
    players : sequence
        Different hashable names.
    values : mapping or callable
        Coalition (a frozenset, tuple or other collection of players, or one player alone) to worth; or a function of
        a frozenset. Every coalition is needed; the empty one may be left out and is worth 0.

    Attributes
    ----------
    players : tuple
        The players in the order given.
    exact : bool
        Whether all worths are whole numbers or fractions. Then all answers are exact, as Fractions. Otherwise floats
        are read as the decimals they are written as, computed with exactly, and answers are rounded to floats; answers
        of yes or no allow for rounding of 1e-9 of the greatest worth.

    Raises
    ------
    ValueError
        In one line: for missing coalitions (named), unknown or repeated players, worths that are not finite numbers.

    Examples
    --------
    >>> game = TUGame("AB", {"A": 0, "B": 1, ("A", "B"): 4})
    >>> game.shapley()
    {'A': Fraction(3, 2), 'B': Fraction(5, 2)}
    """

    def excess(self, allocation: Any) -> dict[Coalition, Number]:
        """Worth of each coalition but the empty one, minus what its members get.

        Parameters
        ----------
        allocation : mapping or sequence
            A number for each player, in the players' order if it is a sequence.
        """
        shares, exact = _reading.read_allocation(self.players, allocation)
        excesses = self._excesses(shares)
        answers = {mask: excesses[mask] if self.exact and exact else float(excesses[mask]) for mask in excesses}
        return {self._members(mask): answer for mask, answer in answers.items()}

    # --- values ----------------------------------------------------------------------------------------------

    def shapley(self) -> dict[Player, Number]:
        """Shapley value (1953): the mean of a player's marginal contributions over all orders of arrival."""
        return self._allocation(power.shapley(self._array(2 << len(self.players)), len(self.players)))

    def banzhaf(self, normalised: bool = False) -> dict[Player, Number]:
        """Banzhaf value (1965): the mean of a player's marginal contributions over all coalitions of the others.

        Parameters
        ----------
        normalised : bool
            Whether to divide the values by their sum, so that they add up to 1 (the Banzhaf index).

        Raises
        ------
        ValueError
            If values are to be normalised that sum to 0.
        """
        values = power.banzhaf(self._array(2 << len(self.players)), len(self.players))
        if not normalised:
            return self._allocation(values)
        total = sum(values)
        if total == 0:
            raise ValueError("normalised = True: the Banzhaf values sum to 0 and cannot be normalised")
        return self._allocation([value / total * self._denominator for value in values])

    def dividends(self) -> dict[Coalition, Number]:
        """Harsanyi dividends (1963): what a coalition creates beyond all its parts; they sum to the worths."""
        found = power.dividends(whole(self._worths), len(self.players))
        return {self._members(mask): self._number(found[mask]) for mask in range(1, len(found))}

    def shapley_sampled(self, permutations: int, seed: int, antithetic: bool = False) -> sampled.SampledShapley:
        """Shapley value estimated from random orders of arrival, with standard errors.

        Parameters
        ----------
        permutations : int
            Orders drawn, 4 or more; an even number if `antithetic`.
        seed : int
            0 to 2^63 - 1; the same seed gives the same estimate.
        antithetic : bool
            Whether every second order is the one before it reversed. Errors are then those of the means of pairs. It
            helps where players add more the later they come, or less; in a majority vote, where the same player tips
            the scales both ways, it halves what is learned.

        Raises
        ------
        ValueError
            If an argument is out of its range.
        """
        permutations = whole_number("permutations", permutations, 4, MOST_PERMUTATIONS)
        if not isinstance(antithetic, bool):
            raise ValueError(f"antithetic = {shown(antithetic)}: True or False is needed")
        if antithetic and permutations % 2:
            raise ValueError(f"permutations = {permutations}: an even number is needed for antithetic orders")
        moments = sampled.shapley_moments(self._floats(), len(self.players), permutations, check_seed(seed), antithetic)
        named = (dict(zip(self.players, part.tolist(), strict=True)) for part in moments)
        return sampled.SampledShapley(*named, permutations)

    # --- properties ------------------------------------------------------------------------------------------

    def is_superadditive(self) -> bool:
        """Whether disjoint coalitions never lose by joining; `superadditive_violation` names two that do."""
        return self.superadditive_violation() is None

    def superadditive_violation(self) -> properties.Violation | None:
        """The two disjoint coalitions that lose most by joining; None if none do."""
        if len(self.players) == 1:
            return None
        return self._violation(*properties.worst_split(self._array(4, rounded=True)))

    def is_convex(self) -> bool:
        """Whether players add the more the more others are there; `convex_violation` names two coalitions if not."""
        return self.convex_violation() is None

    def convex_violation(self) -> properties.Violation | None:
        """Two coalitions with v(A) + v(B) > v(A | B) + v(A & B), one player apart from each other; None if none."""
        if len(self.players) == 1:
            return None
        return self._violation(*properties.worst_pair(self._array(4, rounded=True), len(self.players)))

    # --- core and nucleolus ----------------------------------------------------------------------------------

    def core_is_empty(self) -> bool:
        """Whether no allocation of v(N) gives every coalition its worth; `balanced_weights` prove it."""
        return self._heaviest[1] - self._worths[-1] > self._rounding

    def balanced_weights(self) -> dict[Coalition, Number] | None:
        """Balanced weights that prove the core empty; None if it is not.

        Each player's coalitions have weights that sum to 1, and the weighted worth is more than v(N); it is as great
        as it can be (Bondareva 1963, Shapley 1967).
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

        Parameters
        ----------
        epsilon : int, Fraction or float
            May be negative. An epsilon rounded below the least core's leaves no corner; so in a game of floats round
            that of `least_core` up.

        Returns
        -------
        list of dict
            Allocations; none if the core is empty.

        Raises
        ------
        ValueError
            If there are more than 4 players.
        """
        most = core.MOST_PLAYERS_OF_CORNERS
        if len(self.players) > most:
            raise ValueError(f"players: corners are listed for at most {most} of them, not {len(self.players)}")
        amount, _ = _reading.read_number("epsilon", epsilon)
        found = core.corners(self._worths, len(self.players), amount * self._denominator)
        return [self._allocation(corner) for corner in found]

    def least_core(self) -> nucleolus.LeastCore:
        """The least core: the smallest greatest excess, an allocation, and the coalitions that cannot have less.

        Raises
        ------
        ValueError
            If there is one player only, and so no coalition that could object.
        """
        if len(self.players) == 1:
            raise ValueError(f"players = {shown(self.players)}: the least core needs at least two")
        shares = self._prenucleolus
        excesses = self._excesses([share / self._denominator for share in shares])
        del excesses[len(self._worths) - 1]
        epsilon = max(excesses.values())
        # A coalition that is tight at the prenucleolus is tight at every x of the least core: else the excesses of
        # the point halfway to x would be lexicographically smaller.
        slack = self._rounding / self._denominator
        tight = [self._members(mask) for mask, excess in excesses.items() if excess >= epsilon - slack]
        return nucleolus.LeastCore(epsilon if self.exact else float(epsilon), self._allocation(shares), tight)

    def nucleolus(self) -> dict[Player, Number]:
        """Nucleolus (Schmeidler 1969): the imputation whose sorted excesses are lexicographically least.

        Raises
        ------
        ValueError
            If there is no imputation: the players are worth more alone than together.
        """
        return self._allocation(nucleolus.nucleolus(self._worths, len(self.players), self._floor()))

    def prenucleolus(self) -> dict[Player, Number]:
        """Prenucleolus: as the nucleolus, but players may get less than they are worth alone."""
        return self._allocation(self._prenucleolus)

    def is_nucleolus(self, allocation: Any) -> bool:
        """Whether an allocation is the nucleolus, by Kohlberg's criterion (1971), which does not compute it.

        Parameters
        ----------
        allocation : mapping or sequence
            A number for each player. Where it or the game has floats, excesses within 1e-9 of the greatest worth
            count as equal.
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

    # --- structures ------------------------------------------------------------------------------------------

    def best_structure(self) -> structures.Structure:
        """A partition of the players of greatest total worth, by dynamic programming in O(3^n)."""
        parts = structures.best_partition(self._array(2 * len(self.players), rounded=True))
        return self._structure(parts, [])

    def greedy_structure(self, stable: bool = True) -> structures.Structure:
        """The partition at which merging two parts at a time arrives.

        In each step the two parts merge that gain most by it, if they gain anything.

        Parameters
        ----------
        stable : bool
            Whether parts merge only if the new coalition can share its worth so that none of its own parts would
            rather leave: if the core of its subgame is not empty.
        """
        if not isinstance(stable, bool):
            raise ValueError(f"stable = {shown(stable)}: True or False is needed")

        def allowed(mask: int) -> bool:
            return not stable or not self.subgame(self._members(mask)).core_is_empty()

        return self._structure(*structures.merged_partition(self._worths, len(self.players), allowed))

    # --- inside ----------------------------------------------------------------------------------------------

    @cached_property
    def _heaviest(self) -> tuple[dict[int, Fraction], Fraction]:
        return core.balanced_weights(self._worths, len(self.players))

    @cached_property
    def _prenucleolus(self) -> list[Fraction]:
        return nucleolus.nucleolus(self._worths, len(self.players), None)

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

    def _kohlberg(self, shares: list[Fraction], slack: Fraction, at_floor: list[int]) -> bool:
        if abs(sum(shares) - self._worths[-1]) > slack:
            return False
        excesses = self._excesses([share / self._denominator for share in shares])
        levels, last = [], None
        for mask in sorted(range(1, len(self._worths) - 1), key=lambda mask: -excesses[mask]):
            if last is None or last - excesses[mask] > slack / self._denominator:
                levels.append([])
            last = excesses[mask]
            levels[-1].append(mask)
        return kohlberg.satisfies_kohlberg(levels, len(self.players), at_floor)

    def _violation(self, first: int, second: int) -> properties.Violation | None:
        worths = self._worths
        shortfall = worths[first] + worths[second] - worths[first | second] - worths[first & second]
        if shortfall <= self._rounding:
            return None
        return properties.Violation(self._members(first), self._members(second), self._number(shortfall))

    def _structure(self, parts: list[int], merges: list[tuple[int, int]]) -> structures.Structure:
        worth = self._number(sum(self._worths[part] for part in parts))
        steps = [(self._members(first), self._members(second)) for first, second in merges]
        return structures.Structure(worth, [self._members(part) for part in parts], steps)
