"""One turn of the compiled simulator for many tables at once, from arrays by (table, seat) and back."""

from functools import lru_cache

import numpy as np

from gamebalance.sanguosha.kernels import lockstep as kernel
from gamebalance.sanguosha.kernels import rule_tables
from gamebalance.sanguosha.rules import CARD_PAIRS
from gamebalance.sanguosha.stream import alias_table

LANES = kernel.LANES


def _row(first, planes=1):
    return slice(first * LANES, (first + planes) * LANES)


def _bits(values):
    """Bit s of each word: the truth of column s."""
    return (np.asarray(values, np.uint64) << np.arange(values.shape[1], dtype=np.uint64)).sum(1).astype(np.uint32)


def _seats(words, players):
    return words[:, None] >> np.arange(players, dtype=np.uint32) & 1


def take_turns(role, health, dodges, weapon, seat, card_word, target_word, rules):
    """Health, dodges, weapon, seat, over after one turn at every table; all by table, the first four also by seat."""
    tables, players = role.shape
    outputs = []
    for start in range(0, tables, LANES):
        lanes = np.arange(start, start + LANES) % tables  # the last block is filled up with tables seen before
        state = np.zeros(kernel.ROWS * LANES, np.uint32)
        for first, values in ((kernel.HEALTH_0, health[lanes]), (kernel.DODGES_0, dodges[lanes])):
            for plane in range(3):
                state[_row(first + plane)] = _bits(values >> plane & 1)
        state[_row(kernel.WEAPONS)] = _bits(weapon[lanes])
        for digit in (1, 2, 3):
            state[_row(kernel.LOYALISTS + digit - 1)] = _bits(role[lanes] == digit)
        for first, values in ((kernel.SEAT, seat), (kernel.CARD_WORD, card_word), (kernel.TARGET_WORD, target_word)):
            state[_row(first)] = values[lanes]
        kernel.take_turns(
            state,
            players,
            alias_table(rules.pair_probability),
            rule_tables.reach_table(),
            rule_tables.permission_words(rules),
            rule_tables.turn_table(rules),
        )
        planes = [_seats(state[_row(row)], players) for row in range(kernel.WEAPONS + 1)]
        outputs.append(
            (
                planes[0] + 2 * planes[1] + 4 * planes[2],
                planes[3] + 2 * planes[4] + 4 * planes[5],
                planes[6],
                state[_row(kernel.SEAT)],
                state[_row(kernel.OVER)],
            )
        )
    return [np.concatenate(parts)[:tables].astype(int) for parts in zip(*outputs, strict=True)]


@lru_cache(maxsize=8)
def words_of_pairs(rules):
    """For each card pair, words that draw it: the edges of every stretch that the alias table gives to it."""
    words = {pair: [] for pair in range(len(CARD_PAIRS))}
    for column, entry in enumerate(alias_table(rules.pair_probability).tolist()):
        threshold, alias = entry >> 5, entry & 31
        for pair, first, last in ((column, 0, threshold - 1), (alias, threshold, 2**27 - 1)):
            if first <= last:
                words[pair] += [column << 27 | first, column << 27 | last]
    return {pair: np.array(found, np.uint32) for pair, found in words.items()}
