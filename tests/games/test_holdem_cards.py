"""Hold'em: starting hands, ranges, deals of two hands, boards up to a renaming of the suits."""

from itertools import permutations

import numpy as np

from gamebalance.games.holdem import HANDS, hand_number
from gamebalance.games.holdem import cards as c
from tests.refusals import refuses

RANKS, SUITS = "23456789TJQKA", "cdhs"


def name_of(first: int, second: int) -> str:
    """The starting hand of two cards, by their letters."""
    one, other = sorted((RANKS.index(RANKS[card // 4]) for card in (first, second)), reverse=True)
    if one == other:
        return RANKS[one] * 2
    return RANKS[one] + RANKS[other] + ("s" if SUITS[first % 4] == SUITS[second % 4] else "o")


def test_every_pair_of_cards_makes_the_hand_of_its_letters():
    pairs, hands = c.all_pairs()
    assert [HANDS[hand] for hand in hands] == [name_of(*pair) for pair in pairs]
    assert (c.starting_hand(pairs[:, 0].astype(np.int8), pairs[:, 1].astype(np.int8)) == hands).all()
    assert len(set(HANDS)) == 169 and len(pairs) == 1326
    for number, name in enumerate(HANDS):
        assert hand_number(name) == number and len(c.combos(number)) == {"": 6, "s": 4, "o": 12}[name[2:]]


def test_the_chart_has_pairs_on_the_diagonal_and_suited_hands_above():
    chart = np.array(HANDS).reshape(13, 13)
    assert chart[0, 0] == "AA" and chart[12, 12] == "22" and chart[0, 1] == "AKs" and chart[1, 0] == "AKo"


def test_ways_to_deal_two_hands():
    ways = c.disjoint_deals()
    known = {("AA", "AA"): 6, ("AA", "KK"): 36, ("AA", "AKs"): 12, ("AKs", "AKs"): 12, ("AKo", "QJs"): 48}
    assert {pair: ways[*map(hand_number, pair)] for pair in known} == known
    sizes = np.bincount(c.all_pairs()[1])
    assert (ways.sum(axis=1) == sizes * 50 * 49 // 2).all() and (ways == ways.T).all()
    rng = np.random.default_rng(5)
    for one, other in rng.integers(0, 169, (20, 2)):
        brute = sum(not set(x) & set(y) for x in c.combos(one).tolist() for y in c.combos(other).tolist())
        assert ways[one, other] == brute


def test_boards_up_to_suits():
    boards, multiplicities = c.distinct_boards()
    assert len(boards) == 134_459 and multiplicities.sum() == 2_598_960
    for number in range(0, len(boards), 9001):
        board = boards[number].tolist()
        named = [[4 * (card // 4) + suits[card % 4] for card in board] for suits in permutations(range(4))]
        assert len(set(map(frozenset, named))) == multiplicities[number]


test_what_is_no_hand_is_refused = refuses(
    *[(lambda name=name: hand_number(name), "name = ") for name in ("KAs", 3)],
)
