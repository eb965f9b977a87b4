"""`TUGame`: a game with transferable utility, and all that can be asked of it."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from inspect import unwrap
from itertools import combinations
from math import factorial
from operator import mul
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from gamebalance.base.checks import check_seed, flag, shown, whole_number
from gamebalance.base.jit import njit
from gamebalance.base.tabled import Tabled, digits, frame_by
from gamebalance.multiplayer.cooperative import nucleolus, worths

if TYPE_CHECKING:
    import pandas

Player = Hashable
Coalition = frozenset
Number = Fraction | float

#: The most orders that one call draws, and how many at a time.
MOST_PERMUTATIONS, BATCH = 10**8, 4096
#: In a game of floats, differences below this share of the greatest worth count as rounding.
ROUNDING = Fraction(1, 10**9)
#: The most players for which corners are listed; there are (2^n - 2 choose n - 1) candidates.
MOST_PLAYERS_OF_CORNERS = 4


@dataclass(frozen=True)
class SampledShapley(Tabled):
    """An estimate of the Shapley value, by player, with its standard errors, in the unit of the worths."""

    value: dict[Hashable, float]
    error: dict[Hashable, float]
    permutations: int

    def to_frame(self) -> "pandas.DataFrame":
        """A row for each player: the estimated value, and its standard error."""
        return frame_by("player", {"value": self.value, "error": self.error})

    def _headings(self) -> dict[str, str]:
        return {"value": "Shapley value", "error": "± (s.e.)"}

    def _about(self) -> str:
        return f"Shapley value, from {self.permutations:,} orders of arrival"


@dataclass(frozen=True)
class Structure(Tabled):
    """A partition of the players into coalitions, its total worth, and the pairs that merged on the way to it, if any.

    The coalitions stand in the order of their first players.
    """

    worth: Number
    coalitions: list[Coalition]
    merges: list[tuple[Coalition, Coalition]]

    def to_frame(self) -> "pandas.DataFrame":
        """A row for each coalition: its players, and how many they are."""
        import pandas

        names = [" + ".join(sorted(map(str, coalition))) for coalition in self.coalitions]
        return pandas.DataFrame({"size": [*map(len, self.coalitions)]}, pandas.Index(names, name="coalition"))

    def _about(self) -> str:
        return f"A partition into coalitions: together worth {digits(self.worth)}"


class TUGame:
    """A worth for every coalition of 1 to 16 players, who can share it as they like.

    `values` is a mapping from coalitions (a collection of players, or one alone), or a function of a frozenset; the
    empty one is worth 0. If all worths are whole numbers or fractions the game is `exact`, and so are all answers, as
    Fractions. Otherwise floats are read as the decimals they are written as, answers are rounded to floats, and those
    of yes or no allow for rounding of 1e-9 of the greatest worth.

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

    def shapley(self) -> dict[Player, Number]:
        """Shapley value (1953): the mean of a player's marginal contributions over all orders of arrival."""
        players = len(self.players)
        weights = [factorial(size) * factorial(players - size - 1) for size in range(players)]
        totals = (sum(map(mul, weights, sums)) for sums in self._marginal_sums())
        return self._allocation(Fraction(total, factorial(players)) for total in totals)

    def banzhaf(self) -> dict[Player, Number]:
        """Banzhaf value (1965): the mean of a player's marginal contributions over all coalitions of the others."""
        return self._allocation(Fraction(sum(sums), 2 ** (len(self.players) - 1)) for sums in self._marginal_sums())

    def _marginal_sums(self) -> Iterator[list[int]]:
        """Each player's marginal contributions, added up by the size of the coalition joined."""
        players = len(self.players)
        worth, masks, size = self._array(2 << players), np.arange(1 << players), worths.subset_sums([1] * players, int)
        for player in range(players):
            joined = masks[masks >> player & 1 == 0]
            added = worth[joined | 1 << player] - worth[joined]
            yield [int(added[size[joined] == count].sum()) for count in range(players)]

    def shapley_sampled(self, permutations: int, seed: int, antithetic: bool = False) -> SampledShapley:
        """Shapley value estimated from 4 or more random orders of arrival, with standard errors.

        If `antithetic`, every second order is the one before it reversed, and errors are those of the means of pairs.
        It helps where players add more the later they come, or less; in a majority vote, where the same player tips the
        scales both ways, it halves what is learned.
        """
        permutations = whole_number("permutations", permutations, 4, MOST_PERMUTATIONS)
        if flag("antithetic", antithetic) and permutations % 2:
            raise ValueError(f"permutations = {permutations}: an even number is needed for antithetic orders")
        worth, players, generator = self._floats(), len(self.players), np.random.default_rng(check_seed(seed))
        draws = permutations // 2 if antithetic else permutations
        mean, scatter, done = np.zeros(players), np.zeros(players), 0
        while done < draws:
            size = min(BATCH, draws - done)
            orders = generator.permuted(np.tile(np.arange(players), (size, 1)), axis=1)
            drawn = _marginals(worth, orders)
            if antithetic:
                drawn = (drawn + _marginals(worth, orders[:, ::-1])) / 2
            # Mean and scatter of the batches so far and this one together (Chan, Golub and LeVeque 1983).
            batch = drawn.mean(axis=0)
            scatter += ((drawn - batch) ** 2).sum(axis=0) + (batch - mean) ** 2 * done * size / (done + size)
            mean += (batch - mean) * size / (done + size)
            done += size
        estimates = mean, np.sqrt(scatter / (draws - 1) / draws)
        value, error = (dict(zip(self.players, part.tolist(), strict=True)) for part in estimates)
        return SampledShapley(value, error, permutations)

    def core_is_empty(self) -> bool:
        """Whether no allocation of v(N) gives every coalition its worth; `balanced_weights` prove it."""
        return self._heaviest[1] - self._worths[-1] > self._rounding

    def balanced_weights(self) -> dict[Coalition, Number] | None:
        """Balanced weights of greatest worth that prove the core empty (Bondareva 1963, Shapley 1967), else None.

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
        """The corners, for up to 4 players, of the core, or of the strong epsilon-core: coalitions may miss epsilon.

        An epsilon below the least core's leaves no corner, so in a game of floats round that of `least_core` up.
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

    def is_superadditive(self) -> bool:
        """Whether disjoint coalitions never lose by joining."""
        worth = self._array(2 * len(self.players), rounded=True)
        return self._is_rounding((_best_parts(worth)[0] - worth).max(), worth)

    def is_convex(self) -> bool:
        """Whether players add the more the more others are there: v(A) + v(B) <= v(A | B) + v(A & B) for all A, B."""
        worth, masks, loss = self._array(4, rounded=True), np.arange(len(self._worths)), 0
        for i, j in combinations(range(len(self.players)), 2):  # v(S+i) + v(S+j) <= v(S+i+j) + v(S) is enough
            base = masks[(masks >> i & 1 == 0) & (masks >> j & 1 == 0)]
            one, other = base | 1 << i, base | 1 << j
            loss = max(loss, (worth[one] + worth[other] - worth[one | other] - worth[base]).max())
        return self._is_rounding(loss, worth)

    def best_structure(self) -> Structure:
        """A partition of the players of greatest total worth, by dynamic programming in O(3^n)."""
        part = _best_parts(self._array(2 * len(self.players), rounded=True))[1]
        rest, parts = len(part) - 1, []
        while rest:
            parts.append(int(part[rest]))
            rest ^= parts[-1]
        return self._structure(parts, [])

    def greedy_structure(self, stable: bool = True) -> Structure:
        """The partition at which merging arrives: in each step the two parts that gain most by it, if they gain.

        If `stable`, parts merge only if the new coalition can share its worth so that none of its own parts would
        rather leave: if the core of its subgame is not empty.
        """
        flag("stable", stable)
        worth, parts, merges = self._worths, [1 << player for player in range(len(self.players))], list[tuple]()
        while True:
            gains = [(worth[a | b] - worth[a] - worth[b], a, b) for a, b in combinations(parts, 2)]
            for gain, *pair in sorted(gains, key=lambda entry: -entry[0]):
                if gain > 0 and not (stable and self.subgame(self._members(sum(pair))).core_is_empty()):
                    break
            else:
                return self._structure(parts, merges)
            merges.append(tuple(pair))
            parts = sorted([part for part in parts if part not in pair] + [sum(pair)], key=lambda part: part & -part)

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

    def _structure(self, parts: list[int], merges: list[tuple]) -> Structure:
        worth = self._number(sum(self._worths[part] for part in parts))
        steps = [(self._members(first), self._members(second)) for first, second in merges]
        return Structure(worth, [self._members(part) for part in parts], steps)

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


def _marginals(worth: np.ndarray, orders: np.ndarray) -> np.ndarray:
    """What each player adds on arrival, for each order (row) of arrivals; shape of `orders`, columns are players."""
    after = worth[np.bitwise_or.accumulate(1 << orders, axis=1)]
    added = np.diff(after, axis=1, prepend=0)
    result = np.empty_like(added)
    np.put_along_axis(result, orders, added, axis=1)
    return result


def _best_parts(worth: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For each coalition the total worth of its best partition, and the part of it that holds its first player.

    The best partition of S is S itself or one part that holds the first player of S beside the best partition of the
    rest (Yeh 1986): about 3^n / 2 comparisons. Joining costs nothing, anywhere, if and only if every S is its own best.
    """
    return (_partitioned if worth.dtype != object else unwrap(_partitioned))(worth)


@njit
def _partitioned(worths):
    best = worths.copy()
    part = np.arange(len(worths))
    for union in range(1, len(worths)):
        rest = union & (union - 1)
        other = rest
        while other:
            total = worths[union ^ other] + best[other]
            if total > best[union]:
                best[union] = total
                part[union] = union ^ other
            other = (other - 1) & rest
    return best, part
