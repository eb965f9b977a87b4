"""The random words of a simulated game, and how they become seatings, cards and targets.

Game number i of seed s has a stream of its own, whatever else is simulated beside it. That makes results independent
of the number of workers, and lets the readable engine replay any game that a simulator has played. Compiled below.
"""

from bisect import bisect_right
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic

from gamebalance.base.checks import check_seed
from gamebalance.base.lanes import written
from gamebalance.base.splitmix import GOLDEN, mix
from gamebalance.sanguosha.lineup import Lineup, Role, Seating
from gamebalance.sanguosha.rules import OPENING_DODGES, Card, Rules

#: Columns of an alias table, at least.
COLUMNS = 32

_WORD, _LONG = 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF


class Stream:
    """The words of game number `game` of a seed: the 32-bit generator xoshiro128++ (Blackman and Vigna 2021).

    Of several games side by side, `game` being an array of uint64, every word is an array with one for each.
    """

    def __init__(self, seed: int, game: Any = 0):
        key = mix(check_seed(seed))
        low, high = mix(key + GOLDEN * (2 * game) & _LONG), mix(key + GOLDEN * (2 * game + 1) & _LONG)
        self._state: list[Any] = [low & _WORD, low >> 32, high & _WORD, high >> 32]
        if isinstance(game, np.ndarray):
            self._state = [part.astype(np.int64) for part in self._state]

    def keep(self, games: np.ndarray) -> None:
        """Of streams side by side, those of these games."""
        self._state = [part[games] for part in self._state]

    def word(self) -> Any:
        """The next word, uniform from 0 to 2^32 - 1."""
        word, *self._state = stepped(*self._state)
        return word

    def seating(self, lineup: Lineup) -> Seating:
        """One of the line-up's distinct seatings, all equally likely up to 1680 / 2^32."""
        seatings = lineup.seatings()
        return seatings[self.word() * len(seatings) >> 32]

    def opening(self, seating: Seating, rules: Rules) -> list[int]:
        """Number of dodges that each player starts with."""
        limits = opening_limits(rules)
        if limits is None:
            return [OPENING_DODGES] * len(seating)
        return [bisect_right(limits[role], self.word()) for role in seating.roles]

    def hand(self, table: np.ndarray) -> Any:
        """The number of the cards drawn in a turn, by one word and their alias table."""
        word, bits = self.word(), column_bits(len(table))
        column, fine = word >> 32 - bits, word & (1 << 32 - bits) - 1
        entry = table[column]
        if isinstance(word, int):  # of one game
            return column if fine < entry >> bits else int(entry) & (1 << bits) - 1
        return np.where(fine < entry >> bits, column, entry & (1 << bits) - 1)

    def cards(self, rules: Rules) -> tuple[Card, ...]:
        """The cards of a turn."""
        return rules.hands[self.hand(_aliases(rules))]

    def pick(self, count: Any) -> Any:
        """One of so many numbers from 0 on, all equally likely up to 2^-28."""
        return (self.word() >> 4) * count >> 28

    def choose(self, candidates: list[int]) -> int | None:
        """One of the candidates; uses up a word even if there are none."""
        place = self.pick(len(candidates))
        return candidates[place] if candidates else None


def stepped(a, b, c, d) -> tuple:
    """A word of a stream in this state, and the state that follows."""
    word = (_rotate((a + d) & _WORD, 7) + a) & _WORD
    c, d = c ^ a, d ^ b
    return word, a ^ d, b ^ c, c ^ (b << 9 & _WORD), _rotate(d, 11)


def _rotate(word: int, places: int) -> int:
    return (word << places | word >> 32 - places) & _WORD


def opening_limits(rules: Rules) -> tuple[tuple[int, ...], ...] | None:
    """By role, the words at which one more dodge is held at the start; None when all start with `OPENING_DODGES`."""
    chances = [rules.opening_probability(role) for role in Role]
    if all(chance[OPENING_DODGES] == 1 for chance in chances):
        return None
    return tuple(tuple(round(share * 2**32) for share in accumulate(chance[:-1])) for chance in chances)


def column_bits(columns: int) -> int:
    """The bits of a word that pick one of so many columns of an alias table."""
    return (columns - 1).bit_length()


@lru_cache(maxsize=32)
def _aliases(rules: Rules) -> np.ndarray:
    """`alias_table` of the cards of a turn: found by the rules sooner than by so many fractions."""
    return alias_table(rules.hand_probability)


@lru_cache(maxsize=32)
def alias_table(probability: tuple[Fraction, ...]) -> np.ndarray:
    """Walker's alias table, as words: a threshold, then in as many bits as pick a column the alias.

    A word's top bits pick a column, the rest decides between it and its alias, and is the unit of a threshold; rounding
    these moves each probability by less than 2^-30.
    """
    columns = max(COLUMNS, 1 << column_bits(len(probability)))
    bits = column_bits(columns)
    fine = 1 << 32 - bits
    heights = [columns * share for share in probability] + [Fraction(0)] * (columns - len(probability))
    aliases, thresholds = list(range(columns)), [0] * columns
    short = [column for column in range(columns) if heights[column] < 1]
    tall = [column for column in range(columns) if heights[column] > 1]
    while short and tall:
        column, donor = short.pop(), tall[-1]
        thresholds[column], aliases[column] = min(round(heights[column] * fine), fine - 1), donor
        heights[donor] -= 1 - heights[column]
        if heights[donor] <= 1:
            tall.pop()
            if heights[donor] < 1:
                short.append(donor)
    return np.array([height << bits | alias for height, alias in zip(thresholds, aliases, strict=True)], np.uint32)


# The same, written for compiled code.


def opened(key, game):
    """The four words of the state in which the stream of a game begins."""
    for half in range(2):
        word: Any = mix(key + GOLDEN * (2 * game + half))
        yield word.to(32)
        yield (word >> 32).to(32)


def hand(write, word, alias):
    """The number of the hand that a word draws, as `Stream.hand` finds it."""
    bits = alias.size.lowest().to(32)
    column = word >> 32 - bits
    entry = alias.look(column)
    return write.either((word << bits) >> bits < entry >> bits, column, entry & (1 << bits) - 1)


def _step(_write, words):
    word, *state = stepped(*(words[place] for place in range(4)))
    for place, part in enumerate(state):
        words[place] = part
    return word


def _open(_write, words, key, game):
    for place, part in enumerate(opened(key, game)):
        words[place] = part


@intrinsic
def open_stream(_, words, key, game):
    """Put the state in which the stream of this game begins into `words`, uint32 of shape (4,)."""
    return written(_open, (words, key, game))


@intrinsic
def next_word(_, words):
    """The next word of one game; `words` holds the state of its stream."""
    return written(_step, (words,), types.uint32)


@intrinsic
def drawn_hand(_, word, alias):
    """The number of the hand that a word draws."""
    return written(hand, (word, alias), types.uint32)
