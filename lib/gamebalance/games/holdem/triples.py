"""Three starting hands: exact probabilities of all triples, and their outcomes sampled board by board.

There are 818,805 triples of starting hands. On every sampled board each of them is dealt once: three pairs of cards are
drawn, and the deal counts if no card appears twice. So the deals counted for a triple are uniform over all its deals.
"""

import numpy as np

from gamebalance.base.checks import check_seed, whole_number
from gamebalance.base.jit import njit
from gamebalance.base.splitmix import GOLDEN, mix_word
from gamebalance.games.holdem.cards import HANDS, all_pairs
from gamebalance.games.holdem.equity import strengths_on
from gamebalance.games.holdem.game import Deals

#: Number of triples a <= b <= c of the 169 hands.
TRIPLES = 169 * 170 * 171 // 6

_SIZE = len(HANDS)


def disjoint_triples() -> np.ndarray:
    """In how many ways three starting hands can be dealt from one deck; shape (169, 169, 169).

    The sum is 1,326 × 1,225 × 1,128. Renaming the suits carries any pair of cards of a starting hand to any other, so
    one pair of the first hand stands for all of them.
    """
    pairs, hands = all_pairs()
    order = np.argsort(hands, kind="stable")
    pairs, hands = pairs[order], hands[order]
    starts = np.flatnonzero(np.diff(hands, prepend=-1))
    # Single precision holds these counts, all below 12 × 12, exactly.
    apart = (pairs[:, None, :, None] != pairs[None, :, None, :]).all(axis=(2, 3)).astype(np.float32)
    by_hand = np.add.reduceat(apart, starts, axis=0)
    found = np.empty((_SIZE, _SIZE, _SIZE), np.int64)
    for first, start in enumerate(starts):
        met = apart[start] == 0
        member = np.equal.outer(np.arange(_SIZE), hands[met]).astype(np.float32)
        rest = np.where(met, 0, by_hand - member @ apart[met])
        found[first] = np.count_nonzero(hands == first) * np.add.reduceat(rest, starts, axis=1)
    return found


@njit(inline="always")
def _drawn(word, begin, end):
    """A place from `begin` to `end` - 1 by the last 21 bits of a random word."""
    return begin + (np.int64(word & np.uint64(0x1FFFFF)) * (end - begin) >> 21)


@njit
def _share(own, other):
    """What a strength wins against another; the lower, the better."""
    return 1.0 if own < other else 0.5 if own == other else 0.0


@njit
def _deal_triples(first, masks, strengths, state, tallies):
    """Deal every triple once on one board and add the shares of the pots; returns the state of the generator.

    `first[h]` is where the pairs of hand h begin in `masks` and `strengths`; strength 0 is a pair that meets the board.
    `tallies`, shape (triples, 6): deals; shares of the first and second of three; of the first in each pair.
    """
    triple = -1
    for one in range(len(first) - 1):
        for two in range(one, len(first) - 1):
            for three in range(two, len(first) - 1):
                triple += 1
                state += np.uint64(GOLDEN)
                word = mix_word(state)
                a = _drawn(word, first[one], first[one + 1])
                b = _drawn(word >> np.uint64(21), first[two], first[two + 1])
                c = _drawn(word >> np.uint64(42), first[three], first[three + 1])
                x, y, z = strengths[a], strengths[b], strengths[c]
                if x == 0 or y == 0 or z == 0 or masks[a] & masks[b] or (masks[a] | masks[b]) & masks[c]:
                    continue
                best = min(x, y, z)
                winners = (x == best) + (y == best) + (z == best)
                tally = tallies[triple]
                tally[0] += 1
                tally[1] += (x == best) / winners
                tally[2] += (y == best) / winners
                tally[3] += _share(x, y)
                tally[4] += _share(x, z)
                tally[5] += _share(y, z)
    return state


def sampled_triples(boards: int, seed: int) -> np.ndarray:
    """Outcomes of all triples a <= b <= c, in order, on some random boards; float32, shape (triples, 6).

    Number of deals; how much of the pot of all three a and b won; how much a won from b alone, a from c, and b from c,
    with the third hand's cards out of the deck.
    """
    boards = whole_number("boards", boards, 1, 10_000_000)
    random = np.random.default_rng([check_seed(seed), 3])
    pairs, hands = all_pairs()
    order = np.argsort(hands, kind="stable")
    masks = (1 << pairs[order]).sum(axis=1)
    first = np.concatenate([[0], np.cumsum(np.bincount(hands))])
    tallies, state = np.zeros((TRIPLES, 6), np.float32), np.uint64(random.integers(2**63))
    for _ in range(boards):
        board = random.choice(52, 5, replace=False)
        state = np.uint64(_deal_triples(first, masks, strengths_on(board)[order], state, tallies))
    return tallies


def _seated(hands: np.ndarray, tallies: np.ndarray, size: int) -> np.ndarray:
    """`Deals.shares` of ordered triples of `size` hands, from the tallies of the unordered ones."""
    order = np.argsort(hands, axis=1, kind="stable")
    a, b, c = np.take_along_axis(hands.astype(np.int64), order, axis=1).T
    begin = np.concatenate([[0], np.cumsum(np.arange(size, 0, -1) * np.arange(size + 1, 1, -1) // 2)])
    met = tallies[begin[a] + (b - a) * (2 * size - a - b + 1) // 2 + c - b]
    even = np.array([1, 1 / 3, 1 / 3, 1 / 2, 1 / 2, 1 / 2], np.float32)
    met = np.where(met[:, :1] > 0, met / np.maximum(met[:, :1], 1), even)
    shares, line = np.zeros((len(hands), 3, 8), np.float32), np.arange(len(hands))
    for place, seat in enumerate(order.T):
        shares[line, seat, 1 << seat] = 1
        shares[line, seat, 7] = met[:, 1 + place] if place < 2 else 1 - met[:, 1] - met[:, 2]
    for pair, (left, right) in enumerate([(0, 1), (0, 2), (1, 2)]):
        left, right = order[:, left], order[:, right]
        shares[line, left, 1 << left | 1 << right] = met[:, 3 + pair]
        shares[line, right, 1 << left | 1 << right] = 1 - met[:, 3 + pair]
    shares[:, 2, 0] = 1
    return shares


def three_handed(tallies: np.ndarray) -> Deals:
    """All deals of three starting hands, with exact probabilities and tallied equities, even for those never dealt."""
    ways = disjoint_triples()
    hands = np.argwhere(ways > 0).astype(np.int16)
    weights = ways[ways > 0] / ways.sum()
    return Deals(hands, weights, _seated(hands, tallies, _SIZE), HANDS)
