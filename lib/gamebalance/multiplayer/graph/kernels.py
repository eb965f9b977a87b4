"""Compiled passes over the edges of a game's graph; where play can go in circles they are repeated."""

import numpy as np

from gamebalance.base.jit import njit

#: Said before the first function of this module is compiled.
COMPILES = "passes over all positions of a game, 2 to 8 s"
#: Values this close are the same, if the largest is about 1.
SAME = 1e-9
#: Rounding alone may change a value by so much from sweep to sweep, if the largest is 1.
ROUNDING = 1e-15


def in_order(first: np.ndarray, after: np.ndarray) -> tuple[np.ndarray, int]:
    """States so that each stands before those that follow it, and how many of them; the others, in circles, last."""
    order = np.empty(len(first) - 1, np.int64)
    return order, _put_in_order(first, after, np.zeros_like(order), order)


@njit(borrows=True)
def _put_in_order(first, after, waiting, order):
    states, count = len(order), 0
    for edge in range(len(after)):
        waiting[after[edge]] += 1
    for state in range(states):
        if waiting[state] == 0:
            order[count] = state
            count += 1
    done = 0
    while done < count:
        state = order[done]
        done += 1
        for edge in range(first[state], first[state + 1]):
            waiting[after[edge]] -= 1
            if waiting[after[edge]] == 0:
                order[count] = after[edge]
                count += 1
    ordered = count
    for state in range(states):
        if waiting[state] > 0:
            order[count] = state
            count += 1
    return ordered


@njit(borrows=True)
def comes_to(order, first, after, used, marked):
    """Which states can come to a marked one over edges that are used; `marked` is filled in."""
    changed = True
    while changed:
        changed = False
        for place in range(len(order) - 1, -1, -1):
            state = order[place]
            if marked[state]:
                continue
            for edge in range(first[state], first[state + 1]):
                if used[edge] and marked[after[edge]]:
                    marked[state] = changed = True
                    break


def forward(order, first, after, chance, stops, visits, left: float, most: int, start: int = 0) -> bool:
    """Add to `visits` how often each state is come to, until less than `left` is under way: whether it came to that."""
    mass = np.zeros(len(order))
    mass[start] = 1.0
    return _flow(order, first, after, chance, stops, visits, left, most, mass)


@njit(borrows=True)
def _flow(order, first, after, chance, stops, visits, left, most, mass):
    for _ in range(most):
        for state in order:
            here = mass[state]
            if here == 0.0:
                continue
            mass[state] = 0.0
            visits[state] += here
            if stops[state]:
                continue
            for edge in range(first[state], first[state + 1]):
                mass[after[edge]] += here * chance[edge]
        under_way = 0.0
        for state in range(len(mass)):
            under_way += mass[state]
        if under_way <= left:
            return True
    return False


@njit(borrows=True)
def backward(order, first, after, chance, stops, gain, values, left, most):
    """Add the mean gains on the way to the `values` where play stops; whether less than `left` of them is to come."""
    before = np.inf
    for _ in range(most):
        change, scale = 0.0, 1.0
        for place in range(len(order) - 1, -1, -1):
            state = order[place]
            if stops[state]:
                continue
            for column in range(values.shape[1]):
                total = gain[state, column]
                for edge in range(first[state], first[state + 1]):
                    total += chance[edge] * values[after[edge], column]
                change = max(change, abs(total - values[state, column]))
                scale = max(scale, abs(total))
                values[state, column] = total
        # Changes shrink by a factor from sweep to sweep; what is still to come is a geometric series.
        factor = min(change / before, 0.999999) if before > 0 and before < np.inf else 0.5
        if change * factor / (1 - factor) <= left * scale or change <= ROUNDING * scale:
            return True
        before = change
    return False


def maxn_values(order, first, after, chance, mover, values, weights, same, most, sign=0, who=-1) -> float:
    """Values when each mover takes what is best for itself, ties alike; the chances of the moves are left in `weights`.

    Returned is the change of the last sweep. A state's moves are chosen anew only when its value for the mover has
    changed, or one of them is no longer best: so a player who can win goes on to win. Ties may be broken: with the
    `sign` 1 for the player `who`, or the first move if that is -1; with -1 against the player, or for the last move.
    """
    fresh, taken = np.empty(values.shape[1]), np.zeros(len(after), bool)
    return _induce(order, first, after, chance, mover, values, weights, same, most, sign, who, fresh, taken)


@njit(borrows=True)
def _induce(order, first, after, chance, mover, values, weights, same, most, sign, who, fresh, taken):
    change = 0.0
    for sweep in range(most):
        change = 0.0
        for place in range(len(order) - 1, -1, -1):
            state = order[place]
            start, end = first[state], first[state + 1]
            if start == end:
                continue
            player = mover[state]
            best, count = -np.inf, 0
            if player >= 0:
                for edge in range(start, end):
                    best = max(best, values[after[edge], player])
                for edge in range(start, end):
                    taken[edge] = values[after[edge], player] >= best - same
                if sign != 0:
                    _break_ties(start, end, after, values, same, sign, who, taken)
                for edge in range(start, end):
                    count += taken[edge]
            for column in range(len(fresh)):
                fresh[column] = 0.0
            for edge in range(start, end):
                weight = chance[edge]
                if player >= 0:
                    weight = 1.0 / count if taken[edge] else 0.0
                for column in range(len(fresh)):
                    fresh[column] += weight * values[after[edge], column]
            if player >= 0:
                stale = sweep == 0 or abs(fresh[player] - values[state, player]) > same
                for edge in range(start, end):
                    stale = stale or (weights[edge] > 0 and values[after[edge], player] < best - same)
            if player >= 0 and stale:
                for edge in range(start, end):
                    weights[edge] = 1.0 / count if taken[edge] else 0.0
            for column in range(len(fresh)):
                change = max(change, abs(fresh[column] - values[state, column]))
                values[state, column] = fresh[column]
        if change <= 1e-13:
            break
    return change


@njit(borrows=True)
def _break_ties(start, end, after, values, same, sign, who, taken):
    """Leave of the moves that are taken the one that comes first or last, or those that are best or worst for `who`."""
    most = -np.inf
    for edge in range(start, end):
        if taken[edge]:
            most = max(most, -sign * edge if who < 0 else sign * values[after[edge], who])
    for edge in range(start, end):
        if taken[edge]:
            taken[edge] = (-sign * edge if who < 0 else sign * values[after[edge], who]) >= most - (
                0.5 if who < 0 else same
            )
