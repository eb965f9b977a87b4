"""One turn of the compiled simulator for many tables at once, from arrays by (table, seat) and back."""

from functools import lru_cache

import numpy as np
from numba.extending import intrinsic

from gamebalance.base.jit import njit
from gamebalance.base.lanes import written
from gamebalance.sanguosha.kernels import layout as at
from gamebalance.sanguosha.kernels.lockstep import take_turns as kernel_turns
from gamebalance.sanguosha.lineup import Seating
from gamebalance.sanguosha.rules import CARD_PAIRS
from gamebalance.sanguosha.stream import alias_table

GAMES, WORDS = at.LANES, at.LANES // 64


def _words(truth):
    """Bit g % 64 of word g // 64: the truth of game g."""
    return np.packbits(truth, bitorder="little").view("<u8").astype(np.uint64)


def _truth(words):
    return np.unpackbits(words.astype("<u8").view(np.uint8), bitorder="little").astype(bool)


def bytes_of_games():
    """The place among the bytes of game 0, 1, ...; the kernel's docstring says which it is."""
    lane = np.arange(GAMES)
    return np.argsort(64 * (lane // 8 % WORDS) + 8 * (lane % 8) + lane // (8 * WORDS))


def take_turns(role, health, dodges, weapon, seat, card_word, target_word, rules):
    """Health, dodges, weapon, seat, over after one turn at every table; all by table, the first four also by seat."""
    outputs = []
    for start in range(0, len(role), GAMES):
        tables = np.arange(start, start + GAMES) % len(role)  # the last block is filled up with tables seen before
        given = (role, health, dodges, weapon, seat, card_word, target_word)
        outputs.append(_take_turns(*(values[tables] for values in given), rules))
    return [np.concatenate(parts)[: len(role)].astype(int) for parts in zip(*outputs, strict=True)]


def _take_turns(role, health, dodges, weapon, seat, card_word, target_word, rules):
    """`take_turns` for as many tables as the kernel plays."""
    games, players = role.shape
    order = (seat[:, None] + np.arange(players)) % players
    # The living in the order of their turns; then the dead.
    order = np.take_along_axis(order, np.argsort(np.take_along_axis(health, order, 1) == 0, 1, kind="stable"), 1)
    kinds = [role == digit for digit in range(4)]
    fields = np.stack([*kinds, *_bits(health, 2), *_bits(dodges, 3), weapon.astype(bool)], 2) & (health > 0)[:, :, None]
    seats = np.zeros((at.ROWS, WORDS), np.uint64)
    for place in range(players):
        for field in range(at.FIELDS):
            seats[place * at.FIELDS + field] = _words(fields[np.arange(games), order[:, place], field])
    room, spots = at.room()._replace(seats=seats), bytes_of_games()
    notes, streams = room.notes.reshape(at.NOTES, WORDS), room.streams.reshape(at.STREAM_ROWS, GAMES)
    streams[at.CARD_WORD, spots], streams[at.TARGET_WORD, spots] = card_word, target_word
    _compiled_turns(room, at.tables((Seating.of(role[0].tolist()),), rules))

    # Who has died is known from who was hit and how many are left.
    left = np.array([_truth(row) for row in seats]).reshape(-1, at.FIELDS, games).transpose(2, 0, 1)[:, :players]
    hits = np.array([_truth(row) for row in notes[at.HIT : at.HIT + players]]).T
    return *_after(role, health, dodges, weapon, order, left, hits), _truth(notes[at.OVER])


def _after(role, health, dodges, weapon, order, left, hits):
    """Health, dodges, weapon and seat after the turn; `left` holds the fields of whoever is left, in the next order."""
    health, dodges, weapon, every = health.copy(), dodges.copy(), weapon.copy(), np.arange(len(role))
    players = role.shape[1]
    places, living, remain = np.arange(players), (health > 0).sum(1), left[:, :, :4].any(2).sum(1)
    struck = hits & (places < living[:, None])
    died = remain < living
    assert (struck.sum(1) == 1)[died].all() and not struck[died, 0].any() and (remain == living - died).all()
    fallen = struck & died[:, None]
    for values in (health, dodges, weapon):
        values[every[died], order[fallen]] = 0
    # The living from the second on, then who has played, then nobody.
    rank = np.where(places == 0, players, places) + 2 * players * (fallen | (places >= living[:, None]))
    order = np.take_along_axis(order, np.argsort(rank, 1), 1)
    for place in range(players):
        here = every[place < remain]
        other, bits = order[here, place], left[here, place].astype(int)
        assert np.array_equal(bits[:, :4], role[here, other][:, None] == np.arange(4))
        health[here, other] = (bits[:, 4] + 2 * bits[:, 5] - 1) % 4 + 1
        dodges[here, other], weapon[here, other] = bits[:, 6] + 2 * bits[:, 7] + 4 * bits[:, 8], bits[:, 9]
        assert not left[place >= remain, place].any()
    return health, dodges, weapon, order[:, 0]


def _bits(values, planes):
    return [(np.asarray(values, int) >> plane & 1).astype(bool) for plane in range(planes)]


@intrinsic
def _written_turns(_, room, tables):
    return written(lambda write, room, tables: kernel_turns(write, room, tables, write.number(0)), (room, tables))


@njit
def _compiled_turns(room, tables):
    _written_turns(room, tables)


@lru_cache(maxsize=8)
def words_of_pairs(rules):
    """For each card pair, words that draw it: the edges of every stretch that the alias table gives to it."""
    words = {pair: [] for pair in range(len(CARD_PAIRS))}
    for column, entry in enumerate(alias_table(rules.hand_probability).tolist()):
        threshold, alias = entry >> 5, entry & 31
        for pair, first, last in ((column, 0, threshold - 1), (alias, threshold, 2**27 - 1)):
            if first <= last:
                words[pair] += [column << 27 | first, column << 27 | last]
    return {pair: np.array(found, np.uint32) for pair, found in words.items()}
