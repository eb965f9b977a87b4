"""Cards, the 169 starting hands, and all boards up to a renaming of the suits.

A card is a number from 0 to 51, four times its rank (0 for a two, 12 for an ace) plus its suit: the numbering of the
evaluator `phevaluator`. A starting hand is a number from 0 to 168, read row by row from the usual 13 × 13 chart: both
ways aces come first, pairs stand on the diagonal, suited hands above it and offsuit hands below.
"""

from collections import Counter
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, product
from math import factorial, prod

import numpy as np

from gamebalance.base.checks import shown

#: Ranks from the highest down, as they are written.
RANKS = "AKQJT98765432"


def _name(row: int, column: int) -> str:
    if row == column:
        return RANKS[row] * 2
    return f"{RANKS[row]}{RANKS[column]}s" if row < column else f"{RANKS[column]}{RANKS[row]}o"


#: Names of the 169 starting hands: "AA", "AKs", …, "32o", "22".
HANDS = tuple(_name(row, column) for row in range(13) for column in range(13))

_NUMBER = {name: number for number, name in enumerate(HANDS)}


def hand_number(name: str) -> int:
    """The number of a starting hand that is named as in `HANDS`; ValueError if it is none.

    >>> hand_number("AKs")
    1
    """
    if not isinstance(name, str) or name not in _NUMBER:
        raise ValueError(f"name = {shown(name)}: a starting hand such as 'AA', 'AKs' or 'AKo' is needed")
    return _NUMBER[name]


def starting_hand(first, second):
    """Numbers of the starting hands that two different cards make, or two arrays of them."""
    first, second = np.asarray(first, np.int64), np.asarray(second, np.int64)
    high, low = np.maximum(first, second), np.minimum(first, second)
    row, column = 12 - high // 4, 12 - low // 4
    suited = high % 4 == low % 4
    return np.where(suited, 13 * row + column, 13 * column + row)


@lru_cache(maxsize=1)
def all_pairs() -> tuple[np.ndarray, np.ndarray]:
    """The 1,326 pairs of cards, shape (1326, 2), and the starting hand of each."""
    pairs = np.array(list(combinations(range(52), 2)))
    return pairs, starting_hand(pairs[:, 1], pairs[:, 0])


def combos(hand: int) -> np.ndarray:
    """The pairs of cards that make a starting hand: 6 for a pair, 4 suited, 12 offsuit; shape (number, 2)."""
    pairs, hands = all_pairs()
    return pairs[hands == hand]


@lru_cache(maxsize=1)
def disjoint_deals() -> np.ndarray:
    """In how many ways two starting hands can be dealt from one deck; shape (169, 169), sum 1,326 × 1,225."""
    pairs, hands = all_pairs()
    apart = (pairs[:, None, :, None] != pairs[None, :, None, :]).all(axis=(2, 3))
    member = np.equal.outer(np.arange(169), hands).astype(np.int64)
    return member @ apart.astype(np.int64) @ member.T


@lru_cache(maxsize=1)
def distinct_boards() -> tuple[np.ndarray, np.ndarray]:
    """All 134,459 boards of five cards that no renaming of the suits makes equal, and how many each stands for.

    Four sets of ranks, one for each suit, describe a board; a renaming of the suits permutes them. So one choice of
    four sets in no order stands for as many boards as they have different orders.
    """
    found, multiplicities = [], []
    for sizes in ((5, 0, 0, 0), (4, 1, 0, 0), (3, 2, 0, 0), (3, 1, 1, 0), (2, 2, 1, 0), (2, 1, 1, 1)):
        alike = [combinations_with_replacement(combinations(range(13), size), sizes.count(size)) for size in set(sizes)]
        for chosen in product(*alike):
            suits = [ranks for group in chosen for ranks in group]
            found.append([4 * rank + suit for suit, ranks in enumerate(suits) for rank in ranks])
            multiplicities.append(24 // prod(factorial(count) for count in Counter(suits).values()))
    return np.array(found), np.array(multiplicities)
