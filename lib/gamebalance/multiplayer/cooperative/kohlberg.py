"""Kohlberg's criterion: whether an allocation is the nucleolus, without computing it.

Shares nothing with the programs of `nucleolus`: it looks at one allocation, level of excess by level of excess.
"""

from collections.abc import Sequence

import numpy as np
from scipy.optimize import linprog


def satisfies_kohlberg(levels: Sequence[Sequence[int]], players: int, at_floor: Sequence[int] = ()) -> bool:
    r"""Whether the coalitions down to every level of excess form a balanced collection (Kohlberg 1971, Sobolev 1975).

    The coalitions D of excess at least alpha are balanced together with the players at their floor if weights more
    than 0 on D and 0 or more on those players give each player 1. That fails exactly if some y with y(N) = 0 takes
    nothing from any of D and from those players, and gives something to one of D:

    .. math:: \max \sum_{S \in D} y(S) \quad\text{s.t. } 0 \le y(S) \le 1 \; (S \in D),\; y_i \ge 0,\; y(N) = 0

    is 0 if D is balanced, and else at least 1, for a y can be scaled; so floats decide it safely. A coalition that is
    a combination of balanced ones changes nothing: levels that add no rank are passed over.

    Parameters
    ----------
    levels : sequence of sequences of int
        Masks of the coalitions other than N, those of equal excess together, the greatest excess first.
    players : int
        Their number.
    at_floor : sequence of int
        Players who get just what they are worth alone; none of them for the prenucleolus.
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
