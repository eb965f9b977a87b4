"""All extreme equilibria of a two-player game, exactly; degenerate games included."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from math import comb

from .game import NormalFormGame

#: The most steps of elimination, about a minute's worth: linear systems of a player, times the cube of their size.
MOST_STEPS = 10_000_000

Mix = tuple[Fraction, ...]


def extreme_equilibria(game: NormalFormGame) -> list[tuple[Mix, Mix]]:
    """The extreme points of the set of Nash equilibria of a two-player game.

    Parameters
    ----------
    game : NormalFormGame
        Of two players; its payoffs are taken as the fractions that the floats are.

    Returns
    -------
    list of (tuple of Fraction, tuple of Fraction)
        The equilibria from which all others are made: each equilibrium is a convex combination, for either player, of
        strategies in this list that are equilibria with one another.

    Raises
    ------
    ValueError
        If there are not two players, or so many strategies that more than `MOST_STEPS` steps had to be made.

    Notes
    -----
    Vertices of the two best-response polytopes that carry all labels between them (Mangasarian 1964; Avis, Rosenberg,
    Savani and von Stengel 2010). Listing pairs of supports of equal size instead finds all equilibria of nondegenerate
    games only. Here arithmetic is exact and a vertex carries *all* its labels, so ties do no harm.
    """
    if game.players != 2:
        raise ValueError(f"game of {game.players} players: two are needed")
    m, n = game.counts
    steps = comb(m + n, m) * max(m, n) ** 3
    if steps > MOST_STEPS:
        raise ValueError(f"game of {m} x {n} strategies: {steps:.1e} steps are needed, {MOST_STEPS:.0e} are allowed")
    row, column = (_positive(payoffs.tolist()) for payoffs in game.payoffs)
    row_side = list(_vertices([list(line) for line in zip(*column, strict=True)], m, own_first=True))
    column_side = list(_vertices(row, n, own_first=False))
    every = frozenset(range(m + n))
    found = {(x, y) for x, first in row_side for y, second in column_side if first | second == every}
    return sorted(found, reverse=True)


def _positive(table: list[list[float]]) -> list[list[Fraction]]:
    """The table as fractions, all of them 1 or more; an added constant changes no best reply."""
    exact = [[Fraction(value) for value in line] for line in table]
    least = min(map(min, exact))
    return [[value - least + 1 for value in line] for line in exact]


def _vertices(table: list[list[Fraction]], size: int, own_first: bool) -> Iterator[tuple[Mix, frozenset[int]]]:
    """Vertices but 0 of {x >= 0, table x <= 1}, as distributions, with the labels of all constraints that are tight.

    The label of x_k = 0 is the strategy k, that of a row of the table the opponent's strategy; player 0's come first.
    """
    unit = [[Fraction(int(i == k)) for i in range(size)] for k in range(size)]
    lines = [(line, Fraction(0)) for line in unit] + [(line, Fraction(1)) for line in table]
    own, others = range(size), range(size, size + len(table))
    labels = [*own, *others] if own_first else [*(k + len(table) for k in own), *(k - size for k in others)]
    for chosen in combinations(range(len(lines)), size):
        point = _solve([[*lines[k][0], lines[k][1]] for k in chosen])
        if point is None or min(point) < 0 or not any(point):
            continue
        values = [sum(a * x for a, x in zip(line, point, strict=True)) for line, _ in lines]
        if max(values[size:]) > 1:
            continue
        tight = frozenset(labels[k] for k, (_, bound) in enumerate(lines) if values[k] == bound)
        total = sum(point)
        yield tuple(x / total for x in point), tight


def _solve(rows: list[list[Fraction]]) -> list[Fraction] | None:
    """The solution of a square system, right-hand sides in the last column; None if it has not exactly one."""
    size = len(rows)
    for k in range(size):
        pivot = next((i for i in range(k, size) if rows[i][k]), None)
        if pivot is None:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [value / rows[k][k] for value in rows[k]]
        for i in range(size):
            if i != k and rows[i][k]:
                rows[i] = [a - rows[i][k] * b for a, b in zip(rows[i], rows[k], strict=True)]
    return [row[-1] for row in rows]
