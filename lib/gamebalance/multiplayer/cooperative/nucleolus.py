"""Nucleolus and prenucleolus by a sequence of exact linear programs (Schmeidler 1969; Kopelowitz 1967).

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
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import linprog

from gamebalance.base.tabled import Tabled, digits, frame_by
from gamebalance.multiplayer.cooperative.core import intersection, zero_normalised
from gamebalance.multiplayer.cooperative.simplex import Basis, Program, solve

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
        """A row for each player: what the prenucleolus gives.

        Examples
        --------
        >>> LeastCore(Fraction(1, 3), {"A": Fraction(1, 3), "B": Fraction(2, 3)}, []).to_frame()["allocation"].tolist()
        [Fraction(1, 3), Fraction(2, 3)]
        """
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
