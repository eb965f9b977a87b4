"""Nucleolus and prenucleolus by a sequence of exact linear programs (Schmeidler 1969; Kopelowitz 1967).

The excess of a coalition is its worth minus what its members get. Each program makes the greatest excess still open as
small as it can be, and then fixes coalitions. Fixing all that are tight at the solution found would be wrong (Guajardo
and Jörnsten 2015): only those with a price above 0 are tight at *every* solution, and only they are fixed. Coalitions
whose excess follows from the fixed ones leave the programs, which end when everything is determined: after at most
n - 1 of them.
"""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ._simplex import Basis, Program, solve
from .core import intersection, zero_normalised


@dataclass(frozen=True)
class LeastCore:
    """The allocations whose greatest excess is as small as it can be (Maschler, Peleg and Shapley 1979).

    Attributes
    ----------
    epsilon : Fraction or float
        That excess: at most 0 if and only if the core is not empty.
    allocation : dict
        One of the allocations: the prenucleolus, which treats equal players alike.
    tight : list of frozenset
        The coalitions whose excess is epsilon at every allocation of the least core.
    """

    epsilon: Fraction | float
    allocation: dict[Hashable, Fraction | float]
    tight: list[frozenset[Hashable]]


def nucleolus(worths: Sequence[int], players: int, floor: Fraction | None = Fraction(0)) -> list[Fraction]:
    """The allocation whose excesses, sorted from the greatest, are lexicographically least.

    Parameters
    ----------
    worths : sequence of int
        Worth by bit mask, whole numbers of any size.
    players : int
        Their number.
    floor : Fraction or None
        Each player gets at least the own worth plus this, 0 for the nucleolus (there must be such allocations); None
        for the prenucleolus, where players may get less.

    Returns
    -------
    list of Fraction
        Payoffs in the unit of `worths`.
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
    shares = intersection(players, payoffs)
    return [share + int(worths[1 << player]) for player, share in enumerate(shares)]


def _program(
    normal: Sequence[int], players: int, floor: Fraction | None, span: Basis, payoffs: dict[int, Fraction]
) -> tuple[Program, int]:
    """The least greatest excess of the coalitions still open, and in how many units its bounds count one."""
    unit = math.lcm(*(bound.denominator for bound in payoffs.values()), floor.denominator if floor is not None else 1)
    open_to = np.flatnonzero(~span.spanned())
    masks, lifted = open_to, np.ones_like(open_to)
    bounds = [normal[mask] * unit for mask in open_to]
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
