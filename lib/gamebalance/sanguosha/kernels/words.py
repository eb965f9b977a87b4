"""The stream of `stream.Stream`, compiled: the same words of the same game, for every compiled simulator."""

import numpy as np

from gamebalance.base.jit import njit
from gamebalance.base.lanes import add, look, shl, shr
from gamebalance.base.splitmix import GOLDEN, mix_word
from gamebalance.sanguosha.stream import FINE

u32, u64 = np.uint32, np.uint64


@njit(inline="always")
def _rotated(word, places):
    return u32(shl(word, u32(places)) | shr(word, u32(32 - places)))


@njit(inline="always")
def step_stream(a, b, c, d):
    """One step of xoshiro128++: the word, and the state afterwards."""
    word = add(_rotated(add(a, d), 7), a)
    c, d = u32(c ^ a), u32(d ^ b)
    return word, u32(a ^ d), u32(b ^ c), u32(c ^ shl(b, u32(9))), _rotated(d, 11)


@njit(borrows=True)
def open_stream(words, key, game):
    """Put the state in which the stream of this game begins into `words`, uint32 of shape (4,)."""
    low, high = mix_word(u64(key + u64(GOLDEN) * u64(2 * game))), mix_word(u64(key + u64(GOLDEN) * u64(2 * game + 1)))
    words[0], words[1] = u32(low & u64(0xFFFFFFFF)), u32(low >> u64(32))
    words[2], words[3] = u32(high & u64(0xFFFFFFFF)), u32(high >> u64(32))


@njit(borrows=True)
def next_word(words):
    """The next word of one game; `words` holds the state of its stream."""
    word, words[0], words[1], words[2], words[3] = step_stream(words[0], words[1], words[2], words[3])
    return word


@njit(borrows=True)
def next_seating(words, seatings):
    """The number of the seating that the next word picks."""
    return np.int64((u64(next_word(words)) * u64(seatings)) >> u64(32))


@njit(borrows=True)
def next_dodges(words, limits):
    """The first hand that the next word deals; `limits` as `stream.opening_limits` has them."""
    word, dodges = u64(next_word(words)), 0
    for limit in limits:
        dodges += word >= limit
    return dodges


@njit(inline="always")
def drawn_pair(card_word, alias):
    """The pair of cards that a word draws."""
    column = shr(card_word, u32(FINE))
    entry = look(alias, column)
    keep = u32(card_word & u32((1 << FINE) - 1)) < shr(entry, u32(5))
    return column if keep else u32(entry & u32(31))
