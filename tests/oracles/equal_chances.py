"""Equal chances by listing all that can happen: tables of wins, and deals of results within games."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, permutations, product
from math import factorial, prod

import numpy as np

#: A contestant: how many players of each label it consists of, and what it won.
Contestant = tuple[dict, Fraction]


def compositions(games: int, groups: int) -> Iterator[tuple[int, ...]]:
    """All numbers of wins of so many groups in so many games."""
    if groups == 1:
        yield (games,)
        return
    for wins in range(games + 1):
        yield from ((wins, *rest) for rest in compositions(games - wins, groups - 1))


def tables(games: int, shares: Sequence) -> tuple[list[tuple[int, ...]], list]:
    """All tables of wins, and the chance of each, in the numbers of `shares`."""
    rows = list(compositions(games, len(shares)))
    ways = [factorial(games) // prod(map(factorial, row)) for row in rows]
    return rows, [way * prod(map(pow, shares, row)) for way, row in zip(ways, rows, strict=True)]


@dataclass
class Deals:
    """A contest whose results are dealt to the contestants of each game in every order."""

    games: Sequence[Sequence[Contestant]]
    labels: Sequence

    def observed(self, contestants: Iterable[Contestant] | None = None) -> tuple:
        """What each label has won, with these contestants or in all."""
        pairs = list(chain(*self.games) if contestants is None else contestants)
        return tuple(sum(one.get(label, 0) * won for one, won in pairs) for label in self.labels)

    def chances(self) -> dict[tuple, Fraction]:
        """Chances of what the labels win in all."""
        found = {(0,) * len(self.labels): Fraction(1)}
        for game in self.games:
            members, results = zip(*game, strict=True)
            dealt = Counter(self.observed(zip(members, order, strict=True)) for order in permutations(results))
            together: Counter = Counter()
            for (sums, count), (before, so_far) in product(dealt.items(), found.items()):
                together[tuple(map(sum, zip(before, sums, strict=True)))] += so_far * Fraction(count, dealt.total())
            found = dict(together)
        return found

    def statistics(self) -> tuple[float, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """How far the sums are from their mean in units of their covariance: observed, and in all deals with chances.

        Then the mean and the covariance themselves.
        """
        chances = self.chances()
        weight, sums = np.array([*chances.values()], float), np.array([*chances], float)
        mean = weight @ sums
        covariance = (weight[:, None] * (sums - mean)).T @ (sums - mean)
        inverse = np.linalg.pinv(covariance, rcond=1e-9, hermitian=True)
        apart = sums - mean
        seen = np.array(self.observed(), float) - mean
        return seen @ inverse @ seen, np.einsum("ra,ab,rb->r", apart, inverse, apart), weight, mean, covariance

    def p_value(self) -> float:
        """The chance of all deals that are at least as far from their mean as what was observed."""
        observed, found, weight, *_ = self.statistics()
        return float(weight[found >= observed - 1e-9].sum())

    def table(self) -> str:
        """The same as a CSV table: each contestant a side, each of its players a row with a role."""
        rows = [
            f"{game},{side},{label},{float(won)!r}"
            for game, contestants in enumerate(self.games)
            for side, (members, won) in enumerate(contestants)
            for label, count in members.items()
            for _ in range(count)
        ]
        return "\n".join(["game,side,role,won", *rows])
