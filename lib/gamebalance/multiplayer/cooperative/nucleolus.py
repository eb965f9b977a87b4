"""The core, and nucleolus and prenucleolus by a sequence of exact linear programs (Schmeidler 1969; Kopelowitz 1967).

The excess of a coalition is its worth minus what its members get. Each program makes the greatest excess still open as
small as it can be, and then fixes coalitions. Fixing all that are tight at the solution found would be wrong (Guajardo
and Jörnsten 2015): only those with a price above 0 are tight at *every* solution, and only they are fixed. Coalitions
whose excess follows from the fixed ones leave the programs, which end when everything is determined: after at most
n - 1 of them.

Kohlberg's criterion, at the end, shares nothing with these programs: it looks at one allocation, level of excess by
level of excess, and says whether it is the nucleolus.
"""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import linprog

from gamebalance.base.tabled import Tabled, digits, frame_by
from gamebalance.multiplayer.cooperative.simplex import Basis, Program, solve
from gamebalance.multiplayer.cooperative.worths import subset_sums

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class LeastCore(Tabled):
    """The allocations whose greatest excess is as small as it can be (Maschler, Peleg and Shapley 1979).

    That excess, `epsilon`, is at most 0 if and only if the core is not empty. `allocation` is the prenucleolus, which
    treats equal players alike; `tight` are the coalitions whose excess is epsilon at every allocation of the least
    core.
    """

    epsilon: Fraction | float
    allocation: dict[Hashable, Fraction | float]
    tight: list[frozenset[Hashable]]

    def to_frame(self) -> "pandas.DataFrame":
        """A row for each player: what the prenucleolus gives."""
        return frame_by("player", {"allocation": self.allocation})

    def _about(self) -> str:
        return f"Least core: the greatest excess of a coalition is at least {digits(self.epsilon)}"


def nucleolus(worths: Sequence[int], players: int, floor: Fraction | None = Fraction(0)) -> list[Fraction]:
    """The allocation whose excesses, sorted from the greatest, are lexicographically least.

    Each player gets at least the own worth plus `floor`, which must be possible; None for the prenucleolus.
    """
    normal = zero_normalised(worths, players)
    everyone = (1 << players) - 1
    span, payoffs = Basis(players), {everyone: Fraction(normal[everyone])}
    span.insert(np.ones(players, dtype=np.int64), everyone)
    while span.rank() < players:
        program, unit = _program(normal, players, floor, span, payoffs)
        optimum = solve(program)
        for row in optimum.prices:
            mask, bound = int(program.masks[row]), Fraction(program.bounds[row], unit)
            if span.insert(mask >> np.arange(players) & 1, mask):
                payoffs[mask] = bound - program.lifted[row] * optimum.value / unit
    shares = intersection(players, payoffs) or ()  # the fixed coalitions span all
    return [share + int(worths[1 << player]) for player, share in enumerate(shares)]


def _program(
    normal: Sequence[int], players: int, floor: Fraction | None, span: Basis, payoffs: dict[int, Fraction]
) -> tuple[Program, int]:
    """The least greatest excess of the coalitions still open, and in how many units its bounds count one."""
    unit = math.lcm(*(bound.denominator for bound in payoffs.values()), floor.denominator if floor is not None else 1)
    open_to = np.flatnonzero(~span.spanned())
    masks, lifted = open_to, np.ones_like(open_to)
    bounds = [normal[mask] * unit for mask in open_to.tolist()]
    singles = [1 << player for player in range(players)]
    places = [int(np.searchsorted(open_to, single)) for single in singles if single in open_to]
    if floor is not None:
        floors = open_to[places]
        masks, lifted = np.concatenate([masks, floors]), np.concatenate([lifted, np.zeros_like(floors)])
        bounds += [int(floor * unit)] * len(floors)
    # A coalition and its complement bound epsilon from below: their payoffs sum to v(N).
    pair = [0, int(np.searchsorted(open_to, (1 << players) - 1 - open_to[0]))]
    equations = [(mask, int(bound * unit)) for mask, bound in payoffs.items()]
    return Program(players, masks, lifted, bounds, equations, start=[*pair, *places]), unit


def satisfies_kohlberg(levels: Sequence[Sequence[int]], players: int, at_floor: Sequence[int] = ()) -> bool:
    r"""Whether the coalitions down to every level of excess form a balanced collection (Kohlberg 1971, Sobolev 1975).

    The coalitions D of excess at least alpha are balanced together with the players at their floor if weights more
    than 0 on D and 0 or more on those players give each player 1. That fails exactly if some y with y(N) = 0 takes
    nothing from any of D and from those players, and gives something to one of D:

    .. math:: \max \sum_{S \in D} y(S) \quad\text{s.t. } 0 \le y(S) \le 1 \; (S \in D),\; y_i \ge 0,\; y(N) = 0

    is 0 if D is balanced, and else at least 1, for a y can be scaled; so floats decide it safely. A coalition that is
    a combination of balanced ones changes nothing: levels that add no rank are passed over.

    Each of the `levels` holds the masks of one excess, the greatest first; `at_floor` are the players who get just what
    they are worth alone, none of them for the prenucleolus.
    """
    gathered = np.zeros((0, players))
    rank = 0
    for level in levels:
        bits = np.asarray(level)[:, None] >> np.arange(players) & 1
        gathered = np.concatenate([gathered, bits.astype(float)])
        grown = int(np.linalg.matrix_rank(gathered))
        if grown == rank:
            continue
        if not _balanced(gathered, at_floor):
            return False
        rank = grown
        if rank == players:
            break
    return True


def _balanced(collection: np.ndarray, at_floor: Sequence[int]) -> bool:
    players = collection.shape[1]
    floors = np.eye(players)[list(at_floor)]
    answer = linprog(
        -collection.sum(axis=0),
        A_ub=np.concatenate([collection, -collection, -floors]),
        b_ub=np.concatenate([np.ones(len(collection)), np.zeros(len(collection) + len(floors))]),
        A_eq=np.ones((1, players)),
        b_eq=[0.0],
        bounds=(None, None),
        method="highs",
    )
    if answer.status != 0:
        raise ArithmeticError(f"the program of Kohlberg's criterion was not solved: {answer.message}")
    return -answer.fun < 0.5


def zero_normalised(worths: Sequence[int], players: int) -> list[int]:
    """v(S) minus what the members of S are worth alone: it moves every solution by just these amounts."""
    shifted = [0]
    for mask in range(1, 1 << players):
        lowest = mask & -mask
        shifted.append(shifted[mask ^ lowest] + int(worths[lowest]))
    return [int(worth) - moved for worth, moved in zip(worths, shifted, strict=True)]


def balanced_weights(worths: Sequence[int], players: int) -> tuple[dict[int, Fraction], Fraction]:
    r"""The balanced weights with the greatest weighted worth (Bondareva 1963, Shapley 1967).

    Weights :math:`\lambda_S \ge 0` on coalitions other than N are balanced if those of each player's coalitions sum
    to 1. They are the dual of the least x(N) that gives every coalition its worth; so the core is empty if and only
    if :math:`\sum_S \lambda_S v(S) > v(N)` for some of them. The weights found, by mask, are those of a minimal
    balanced collection: its coalitions are independent. The second answer is their weighted worth.
    """
    if players == 1:
        return {1: Fraction(1)}, Fraction(worths[1])
    masks = np.arange(1, (1 << players) - 1)
    singles = [(1 << player) - 1 for player in range(players)]
    bounds = zero_normalised(worths, players)[1:-1]
    optimum = solve(Program(players, masks, np.zeros_like(masks), bounds, start=singles))
    weights = {row + 1: price for row, price in optimum.prices.items()}
    return weights, sum((weight * int(worths[mask]) for mask, weight in weights.items()), Fraction(0))


def corners(worths: Sequence[int], players: int, epsilon: Fraction) -> list[tuple[Fraction, ...]]:
    """The corners of the strong epsilon-core {x : x(N) = v(N), x(S) >= v(S) - epsilon}, by trying all bases."""
    everyone = (1 << players) - 1
    needed = {mask: worths[mask] - epsilon for mask in range(1, everyone)}
    needed[everyone] = Fraction(worths[everyone])
    found = set()
    for tight in combinations(range(1, everyone), players - 1):
        point = intersection(players, {mask: needed[mask] for mask in (everyone, *tight)})
        if point and all(paid >= needed[mask] for mask, paid in enumerate(subset_sums(point, object)) if mask):
            found.add(point)
    return sorted(found)


def intersection(players: int, payoffs: dict[int, Fraction]) -> tuple[Fraction, ...] | None:
    """The only x with x(S) as given for each mask S; None if the coalitions are not independent or do not suffice."""
    basis = Basis(players)
    for mask in payoffs:
        basis.insert(mask >> np.arange(players) & 1, mask)
    if basis.rank() < players or len(payoffs) > players:
        return None
    right = [Fraction(payoffs[mask]) for mask in basis.names]
    lines = (zip(line, right, strict=True) for line in basis.inverse)
    return tuple(sum((int(entry) * bound for entry, bound in line), Fraction(0)) / basis.determinant for line in lines)
