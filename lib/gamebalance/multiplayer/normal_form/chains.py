"""Long-run frequencies of Markov chains whose probabilities differ by any number of orders of magnitude.

A number that is 0 or more is kept as a *coefficient* and an *order*, and means ``coefficient * x ** order``. With
``x = 1 / 2`` these are floats whose exponents never overflow. With an x that goes to 0, of which only leading terms are
kept, they are what is left of a chain in a limit. The state reduction of Grassmann, Taksar and Heyman (1985) adds,
multiplies and divides, but subtracts nothing: so no digits cancel in the first case, and no leading term is ever lost
in the second, where the limit comes out exactly. Nothing here hangs on the processor; exponentials are made of
products.
"""

import math

import numpy as np

from gamebalance.base.jit import njit

#: Said before the first function of this module is compiled.
COMPILES = "the long run of Markov chains, about 5 s"
#: To be given as `near`: orders count powers of 1 / 2.
HALVES = -1.0
#: ln 2 in two parts, as in the fdlibm library: the first times a whole number up to 2^20 is exact.
_LN2, _REST = 0.693147180369123816490, 1.90821492927058770002e-10


def falling(exponents) -> tuple[np.ndarray, np.ndarray]:
    """``exp(-x)`` of numbers x, 0 or more, as coefficients and numbers of halvings.

    The coefficients, between 0.7 and 1.5, are right to about 1e-16 (1 + x), on every processor to the same bit.

    >>> coefficient, halvings = falling(1.0)
    >>> print(round(float(coefficient * 0.5**halvings), 12))
    0.367879441171
    """
    exponents = np.asarray(exponents, float)
    halvings = np.rint(exponents / (_LN2 + _REST))
    rest = (exponents - halvings * _LN2) - halvings * _REST
    coefficient = np.ones_like(rest)
    for term in range(17, 0, -1):  # the series of exp(-rest), where |rest| is at most 0.35
        coefficient = 1.0 - coefficient * rest / term
    return coefficient, halvings


@njit
def _scaled(coefficient, order, near):
    """The same number; with orders that count halvings, its coefficient is moved between 1 / 2 and 1."""
    if near >= 0:
        return coefficient, order
    fraction, exponent = math.frexp(coefficient)
    return fraction, order - exponent


@njit
def _plus(one, order, other, other_order, near):
    """Coefficient and order of a sum; leading terms within `near` of each other in order are of one order."""
    if one == 0:
        return other, other_order
    if other == 0:
        return one, order
    if other_order < order:
        one, order, other, other_order = other, other_order, one, order
    apart = other_order - order
    if near >= 0:
        return (one + other if apart <= near else one), order
    if apart < 100:  # else it is beyond the last digit
        one += math.ldexp(other, -int(apart))
    return _scaled(one, order, near)


@njit(borrows=True)
def _reduce(table, orders, near):
    """Take out the states from the last to the second; columns then hold visits per visit of the states left."""
    for last in range(len(table) - 1, 0, -1):
        total, total_order = 0.0, 0.0
        for j in range(last):
            total, total_order = _plus(total, total_order, table[last, j], orders[last, j], near)
        for i in range(last):
            if table[i, last] == 0:
                continue
            share, order = _scaled(table[i, last] / total, orders[i, last] - total_order, near)
            table[i, last], orders[i, last] = share, order
            for j in range(last):
                if j != i and table[last, j] != 0:
                    way, way_order = _scaled(share * table[last, j], order + orders[last, j], near)
                    table[i, j], orders[i, j] = _plus(table[i, j], orders[i, j], way, way_order, near)


@njit
def long_runs(sources, targets, coefficients, orders, near, states):
    """Long-run frequencies of some chains that have the same transitions with different probabilities.

    Parameters
    ----------
    sources, targets : ndarray of int, shape (transitions,)
        Each from a state to another one; every state must be within reach of every other.
    coefficients, orders : ndarray of float, shape (chains, transitions)
        Probabilities above 0, or anything proportional to them.
    near : float
        `HALVES`, or how far orders may lie apart, at most, to count as equal: x then goes to 0.
    states : int

    Returns
    -------
    ndarray, shape (chains, states)
    """
    found = np.zeros((len(coefficients), states))
    often, often_order = np.ones(states), np.zeros(states)
    for chain in range(len(coefficients)):
        table, order = np.zeros((states, states)), np.zeros((states, states))
        for k in range(len(sources)):
            table[sources[k], targets[k]] = coefficients[chain, k]
            order[sources[k], targets[k]] = orders[chain, k]
        _reduce(table, order, near)
        total, total_order = 1.0, 0.0
        for j in range(1, states):
            often[j], often_order[j] = 0.0, 0.0
            for i in range(j):
                way, way_order = _scaled(often[i] * table[i, j], often_order[i] + order[i, j], near)
                often[j], often_order[j] = _plus(often[j], often_order[j], way, way_order, near)
            total, total_order = _plus(total, total_order, often[j], often_order[j], near)
        for j in range(states):
            apart = often_order[j] - total_order
            if near < 0:
                found[chain, j] = math.ldexp(often[j] / total, -int(min(apart, 2000.0)))
            elif apart <= near:
                found[chain, j] = often[j] / total
        whole = found[chain].sum()
        for j in range(states):
            found[chain, j] /= whole
    return found
