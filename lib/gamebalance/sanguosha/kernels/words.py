"""The stream of `stream.Stream`, compiled: the same words of the same game, for every compiled simulator."""

import numpy as np

from gamebalance.base.jit import njit
from gamebalance.base.lanes import add, look, shl, shr, sub
from gamebalance.base.splitmix import GOLDEN, mix_word

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
def next_dodges(words, limits, role):
    """The first hand that the next word deals to a role; `limits` as `stream.opening_limits` has them."""
    word, dodges = u64(next_word(words)), 0
    for limit in limits[role]:
        dodges += word >= limit
    return dodges


@njit
def column_bits(alias):
    """The bits of a word that pick a column of `stream.alias_table`."""
    bits = u32(0)
    while 1 << bits < alias.size:
        bits += u32(1)
    return bits


@njit(inline="always")
def drawn_hand(card_word, alias, bits):
    """The number of the hand that a word draws; `column_bits` says how many of its bits pick a column."""
    column = shr(card_word, sub(u32(32), bits))
    entry = look(alias, column)
    keep = shr(shl(card_word, bits), bits) < shr(entry, bits)
    return column if keep else u32(entry & sub(shl(u32(1), bits), u32(1)))
