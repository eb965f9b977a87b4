"""The random words of a simulated game, and how they become seatings, cards and targets.

Game number i of seed s has a stream of its own, whatever else is simulated beside it. That makes results independent
of the number of workers, and lets the readable engine replay any game that the compiled simulator has played.
"""

from bisect import bisect_right
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate

import numpy as np

from gamebalance.base.checks import check_seed
from gamebalance.base.splitmix import GOLDEN, mix
from gamebalance.sanguosha.lineup import Lineup, Seating
from gamebalance.sanguosha.rules import CARD_PAIRS, OPENING_DODGES, Card, Rules

#: Columns of the alias table, and the bits of a word that are left to decide within a column.
COLUMNS, FINE = 32, 27

_WORD = 0xFFFFFFFF


class Stream:
    """The words of game number `game` of a seed: the 32-bit generator xoshiro128++ (Blackman and Vigna 2021)."""

    def __init__(self, seed: int, game: int = 0):
        key = mix(check_seed(seed))
        low, high = mix(key + GOLDEN * 2 * game), mix(key + GOLDEN * (2 * game + 1))
        self._state = [low & _WORD, low >> 32, high & _WORD, high >> 32]

    def word(self) -> int:
        """The next word, uniform from 0 to 2^32 - 1."""
        a, b, c, d = self._state
        result = (_rotate((a + d) & _WORD, 7) + a) & _WORD
        c, d = c ^ a, d ^ b
        self._state = [a ^ d, b ^ c, c ^ (b << 9 & _WORD), _rotate(d, 11)]
        return result

    def seating(self, lineup: Lineup) -> Seating:
        """One of the line-up's distinct seatings, all equally likely up to 1680 / 2^32."""
        seatings = lineup.seatings()
        return seatings[self.word() * len(seatings) >> 32]

    def opening(self, players: int, rules: Rules) -> list[int]:
        """Number of dodges that each player starts with."""
        limits = opening_limits(rules)
        if limits is None:
            return [OPENING_DODGES] * players
        return [bisect_right(limits, self.word()) for _ in range(players)]

    def cards(self, rules: Rules) -> tuple[Card, Card]:
        """Two cards from the deck, by one word and the alias table."""
        word = self.word()
        column, fine = word >> FINE, word & (1 << FINE) - 1
        entry = int(alias_table(rules.pair_probability)[column])
        return CARD_PAIRS[column if fine < entry >> 5 else entry & 31]

    def choose(self, candidates: list[int]) -> int | None:
        """One of the candidates, all equally likely up to 2^-28; uses up a word even if there are none."""
        place = (self.word() >> 4) * len(candidates) >> 28
        return candidates[place] if candidates else None


def _rotate(word: int, places: int) -> int:
    return (word << places | word >> 32 - places) & _WORD


def opening_limits(rules: Rules) -> tuple[int, ...] | None:
    """Words at which one more dodge is held at the start, or None when all start with `OPENING_DODGES`."""
    if rules.opening == "two dodges":
        return None
    return tuple(round(share * 2**32) for share in accumulate(rules.opening_probability[:-1]))


@lru_cache(maxsize=32)
def alias_table(probability: tuple[Fraction, ...]) -> np.ndarray:
    """Walker's alias table of at most 32 probabilities, as 32 words: a threshold in units of 2^-27, then the alias.

    A word's top five bits pick a column, the rest decides between it and its alias. Rounding the thresholds moves each
    probability by less than 2^-30.
    """
    heights = [COLUMNS * share for share in probability] + [Fraction(0)] * (COLUMNS - len(probability))
    aliases, thresholds = list(range(COLUMNS)), [0] * COLUMNS
    short = [column for column in range(COLUMNS) if heights[column] < 1]
    tall = [column for column in range(COLUMNS) if heights[column] > 1]
    while short and tall:
        column, donor = short.pop(), tall[-1]
        thresholds[column], aliases[column] = min(round(heights[column] * 2**FINE), 2**FINE - 1), donor
        heights[donor] -= 1 - heights[column]
        if heights[donor] <= 1:
            tall.pop()
            if heights[donor] < 1:
                short.append(donor)
    return np.array([height << 5 | alias for height, alias in zip(thresholds, aliases, strict=True)], np.uint32)
