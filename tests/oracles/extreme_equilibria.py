"""All extreme equilibria of a two-player game, exactly; degenerate games included.

Vertices of the two best-response polytopes that carry all labels between them (Mangasarian 1964; Avis, Rosenberg,
Savani and von Stengel 2010). Arithmetic is exact and a vertex carries *all* its labels, so ties do no harm.
"""

from fractions import Fraction
from itertools import combinations


def extreme_equilibria(game):
    """Pairs of mixes, in fractions, from which all equilibria are made."""
    m, n = game.counts
    # Shifted to 1 or more: an added constant changes no best reply.
    row, column = (
        [[Fraction(value) - Fraction(t.min()) + 1 for value in line] for line in t.tolist()] for t in game.payoffs
    )
    row_side = list(_vertices([list(line) for line in zip(*column, strict=True)], m, own_first=True))
    column_side = list(_vertices(row, n, own_first=False))
    every = frozenset(range(m + n))
    found = {(x, y) for x, first in row_side for y, second in column_side if first | second == every}
    return sorted(found, reverse=True)


def _vertices(table, size, own_first):
    """Vertices but 0 of {x >= 0, table x <= 1}, as distributions, with the labels of all constraints that are tight.

    The label of x_k = 0 is the strategy k, that of a row of the table the opponent's strategy; player 0's come first.
    """
    unit = [[Fraction(int(i == k)) for i in range(size)] for k in range(size)]
    lines = [(line, Fraction(0)) for line in unit] + [(line, Fraction(1)) for line in table]
    own, others = range(size), range(size, size + len(table))
    labels = [*own, *others] if own_first else [*(k + len(table) for k in own), *(k - size for k in others)]
    for chosen in combinations(range(len(lines)), size):
        point = solved([[*lines[k][0], lines[k][1]] for k in chosen])
        if point is None or min(point) < 0 or not any(point):
            continue
        values = [sum(a * x for a, x in zip(line, point, strict=True)) for line, _ in lines]
        if max(values[size:]) > 1:
            continue
        tight = frozenset(labels[k] for k, (_, bound) in enumerate(lines) if values[k] == bound)
        total = sum(point)
        yield tuple(x / total for x in point), tight


def solved(rows):
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
