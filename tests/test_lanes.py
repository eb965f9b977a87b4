"""Wide words against numpy's whole numbers, and the bytes that are made of them."""

import numpy as np
import pytest

from gamebalance.base.jit import njit
from gamebalance.base.lanes import WORDS, give, give_bytes, spread, take, take_bytes

u64 = np.uint64


@njit
def _combine(sink, source, word):
    a, b = take(source, 0), take(source, 1)
    give(sink, 0, a & b)
    give(sink, 1, a | b)
    give(sink, 2, a ^ b)
    give(sink, 3, ~a)
    give(sink, 4, spread(word))


@njit
def _to_bytes(sink, row, source):
    a, b, c, d = take(source, 0), take(source, 1), take(source, 2), take(source, 3)
    give_bytes(sink, row, (a, b, c, d, take(source, 4), take(source, 5), take(source, 6), take(source, 7)))


@njit
def _from_bytes(sink, source, row):
    words = take_bytes(source, row)
    for place in range(8):
        give(sink, place, words[place])


def words(rows, seed):
    return np.random.default_rng(seed).integers(2**64, size=rows * WORDS, dtype=np.uint64)


def test_operators():
    source, sink = words(2, 1), np.zeros(5 * WORDS, np.uint64)
    _combine(sink, source, u64(2**63 + 5))
    a, b = source.reshape(2, WORDS)
    expected = a & b, a | b, a ^ b, ~a, np.full(WORDS, 2**63 + 5, np.uint64)
    assert np.array_equal(sink.reshape(5, WORDS), expected)


@pytest.mark.parametrize("row", [0, 2])
def test_bytes_hold_the_bits_of_their_game(row):
    """As `give_bytes` says: bit 8 b + i of word w is in byte 64 i + 8 w + b; other rows stay as they are."""
    source, made = words(8, 2), np.full((3, 64 * WORDS), 7, np.uint8)
    _to_bytes(made.ravel(), row, source)
    assert (np.delete(made, row, 0) == 7).all()
    for i in range(8):
        for word in range(WORDS):
            for b in range(8):
                bits = source.reshape(8, WORDS)[:, word] >> u64(8 * b + i) & u64(1)
                assert made[row, 8 * WORDS * i + 8 * word + b] == (bits << np.arange(8, dtype=np.uint64)).sum()
    back = np.zeros(8 * WORDS, np.uint64)
    _from_bytes(back, made.ravel(), row)
    assert np.array_equal(back, source)
