"""The core: whether it is empty, with the weights that prove it, and its corners in small games."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np

from gamebalance.multiplayer.cooperative.simplex import Basis, Program, solve

#: The most players for which corners are listed; there are (2^n - 2 choose n - 1) candidates.
MOST_PLAYERS_OF_CORNERS = 4


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
    return weights, sum(weight * int(worths[mask]) for mask, weight in weights.items())


def corners(worths: Sequence[int], players: int, epsilon: Fraction) -> list[tuple[Fraction, ...]]:
    """The corners of the strong epsilon-core {x : x(N) = v(N), x(S) >= v(S) - epsilon}, by trying all bases."""
    everyone = (1 << players) - 1
    needed = {mask: worths[mask] - epsilon for mask in range(1, everyone)}
    needed[everyone] = Fraction(worths[everyone])
    found = set()
    for tight in combinations(range(1, everyone), players - 1):
        point = intersection(players, {mask: needed[mask] for mask in (everyone, *tight)})
        if point and all(payoff(point, mask) >= needed[mask] for mask in range(1, everyone)):
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
    return tuple(sum(int(entry) * bound for entry, bound in line) / basis.determinant for line in lines)


def payoff(allocation: Sequence[Fraction], mask: int) -> Fraction:
    """x(S), what the members of a coalition get together."""
    return sum((share for player, share in enumerate(allocation) if mask >> player & 1), Fraction(0))
