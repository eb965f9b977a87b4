"""Hold'em: triples of starting hands, their exact numbers and their sampled outcomes."""

from itertools import product

import numpy as np
import pytest

from gamebalance.base.splitmix import GOLDEN, mix
from gamebalance.games import holdem
from gamebalance.games.holdem import cards, equity, triples
from tests.oracles import holdem as oracle


@pytest.fixture(scope="module")
def ways():
    return triples.disjoint_triples()


def test_ways_to_deal_three_hands(ways):
    assert (ways.sum(axis=2) == cards.disjoint_deals() * 48 * 47 // 2).all()
    assert (ways == ways.transpose(1, 2, 0)).all() and (ways == ways.transpose(1, 0, 2)).all()
    number = holdem.hand_number
    assert ways[number("AA"), number("AA"), number("AKs")] == 0
    assert ways[number("AA"), number("KK"), number("QQ")] == 216
    brute = sum(
        len({*x, *y, *z}) == 6
        for x in cards.combos(number("AKs")).tolist()
        for y in cards.combos(number("AKo")).tolist()
        for z in cards.combos(number("AA")).tolist()
    )
    assert ways[number("AKs"), number("AKo"), number("AA")] == brute


def test_triples_dealt_on_a_board_are_real_deals():
    board = oracle.numbers("Ah Kh Kd 7s 2c")
    pairs, hands = cards.all_pairs()
    order = np.argsort(hands, kind="stable")
    strengths, masks = equity.strengths_on(board)[order], (1 << pairs[order]).sum(axis=1)
    first = np.concatenate([[0], np.cumsum(np.bincount(hands))])
    tallies = np.zeros((triples.TRIPLES, 6), np.float32)
    triples._deal_triples(first, masks, strengths, np.uint64(77), tallies)
    listed = [(a, b, c) for a in range(2) for b in range(a, 169) for c in range(b, 169)]
    for number in range(5, len(listed) + 1, 5):
        word = mix(77 + number * GOLDEN)
        drawn = [
            first[hand] + ((word >> 21 * place & 0x1FFFFF) * int(first[hand + 1] - first[hand]) >> 21)
            for place, hand in enumerate(listed[number - 1])
        ]
        x, y, z = (int(strengths[place]) for place in drawn)
        expected = [0.0] * 6
        if len({*board, *pairs[order][drawn].ravel().tolist()}) == 11:
            best = [value == min(x, y, z) for value in (x, y, z)]
            duel = [(one < other) + (one == other) / 2 for one, other in ((x, y), (x, z), (y, z))]
            expected = [1.0, best[0] / sum(best), best[1] / sum(best), *duel]
        assert np.allclose(tallies[number - 1], expected, atol=1e-6)
    assert 0.3 < tallies[:, 0].mean() < 0.6


def test_triples_are_seated_in_every_order():
    size = 3
    listed = [(a, b, c) for a in range(size) for b in range(a, size) for c in range(b, size)]
    tallies = np.random.default_rng(8).random((len(listed), 6)).astype(np.float32)
    tallies[:, 0] = 1 + np.arange(len(listed)) % 2
    tallies[listed.index((2, 2, 2)), 0] = 0
    hands = np.array(list(product(range(size), repeat=3)), np.int16)
    shares = triples._seated(hands, tallies, size)
    for showing in range(8):
        assert np.allclose(shares[:, :, showing].sum(axis=1), 1, atol=1e-6)
    for triple, share in zip(hands.tolist(), shares, strict=True):
        if triple == [2, 2, 2]:
            assert np.allclose(share[:, 7], 1 / 3) and np.allclose(share[:2, 3], 0.5)
            continue
        places = np.argsort(triple, kind="stable")
        line = tallies[listed.index(tuple(sorted(triple)))]
        line = line / line[0]
        assert np.allclose(share[places, 7], [line[1], line[2], 1 - line[1] - line[2]], atol=1e-6)
        for (left, right), expected in zip([(0, 1), (0, 2), (1, 2)], line[3:], strict=True):
            left, right = places[left], places[right]
            assert abs(share[left, 1 << left | 1 << right] - expected) < 1e-6


def test_sampled_triples_make_deals_of_three(ways, share, monkeypatch):
    monkeypatch.setattr(triples, "disjoint_triples", lambda: ways)
    deals = triples.three_handed(triples.sampled_triples(25, seed=5))
    assert len(deals.hands) == (ways > 0).sum() and abs(deals.weights.sum() - 1) < 1e-9
    assert np.allclose(deals.frequencies, np.bincount(cards.all_pairs()[1]) / 1326, rtol=0, atol=1e-12)
    # What one hand wins from another alone, whatever the third holds, against the exact table.
    pair = 169 * deals.hands[:, 0].astype(int) + deals.hands[:, 1]
    won = np.bincount(pair, deals.weights * deals.shares[:, 0, 0b011], 169**2)
    met = np.bincount(pair, deals.weights, 169**2)
    known = met > 0
    assert np.corrcoef((won / np.where(known, met, 1))[known], share.ravel()[known])[0, 1] > 0.75
    # All three alike: a third of the pot for each seat.
    for seat in range(3):
        assert abs(deals.weights @ deals.shares[:, seat, 0b111] - 1 / 3) < 0.01
    assert (deals.shares[:5, 2, 0] == 1).all()
