"""Hold'em: starting hands, boards, showdowns and sampled deals of two hands and of three, against published counts."""

from itertools import combinations, permutations, product

import numpy as np
import pytest
from phevaluator import evaluate_7cards

from gamebalance.base.splitmix import GOLDEN, mix
from gamebalance.games import holdem
from gamebalance.games.holdem import HANDS, equity, game, hand_number
from gamebalance.publish import heavy, published
from tests.oracles import holdem as oracle
from tests.refusals import refuses

RANKS, SUITS = "23456789TJQKA", "cdhs"


@pytest.fixture(scope="module")
def stored():
    """The stored wins and ties of each hand against each."""
    return equity.counts(heavy.results("holdem-pairs"))


@pytest.fixture(scope="module")
def share(stored):
    """The equity of each hand against each."""
    return equity.equities(*stored)


@pytest.fixture(scope="module")
def against_any(share):
    """The equity of each hand against a random one."""
    ways = equity.disjoint_deals()
    return (share * ways).sum(axis=1) / ways.sum(axis=1)


@pytest.fixture(scope="module")
def ways():
    return game.disjoint_triples()


def name_of(first: int, second: int) -> str:
    """The starting hand of two cards, by their letters."""
    one, other = sorted((RANKS.index(RANKS[card // 4]) for card in (first, second)), reverse=True)
    if one == other:
        return RANKS[one] * 2
    return RANKS[one] + RANKS[other] + ("s" if SUITS[first % 4] == SUITS[second % 4] else "o")


def test_every_pair_of_cards_makes_the_hand_of_its_letters():
    pairs, hands = equity.all_pairs()
    assert [HANDS[hand] for hand in hands] == [name_of(*pair) for pair in pairs]
    assert (equity.starting_hand(pairs[:, 0].astype(np.int8), pairs[:, 1].astype(np.int8)) == hands).all()
    assert len(set(HANDS)) == 169 and [HANDS[n] for n in (0, 1, 13, 168)] == ["AA", "AKs", "AKo", "22"]
    for number, name in enumerate(HANDS):
        assert hand_number(name) == number and len(equity.combos(number)) == {"": 6, "s": 4, "o": 12}[name[2:]]


def test_ways_to_deal_two_hands():
    ways = equity.disjoint_deals()
    known = {("AA", "AA"): 6, ("AA", "KK"): 36, ("AA", "AKs"): 12, ("AKs", "AKs"): 12, ("AKo", "QJs"): 48}
    assert {pair: ways[*map(hand_number, pair)] for pair in known} == known
    sizes = np.bincount(equity.all_pairs()[1])
    assert (ways.sum(axis=1) == sizes * 50 * 49 // 2).all() and (ways == ways.T).all()
    rng = np.random.default_rng(5)
    for one, other in rng.integers(0, 169, (20, 2)):
        brute = sum(not set(x) & set(y) for x in equity.combos(one).tolist() for y in equity.combos(other).tolist())
        assert ways[one, other] == brute


def test_boards_up_to_suits():
    boards, multiplicities = equity.distinct_boards()
    assert len(boards) == 134_459 and multiplicities.sum() == 2_598_960
    for number in range(0, len(boards), 9001):
        board = boards[number].tolist()
        named = [[4 * (card // 4) + suits[card % 4] for card in board] for suits in permutations(range(4))]
        assert len(set(map(frozenset, named))) == multiplicities[number]


def test_the_kernel_counts_as_the_plain_loop_does():
    board = oracle.numbers("Ah Kh Kd 7s 2c")
    masks, hands, strengths = equity.live_hands(board)
    chosen = np.random.default_rng(1).choice(len(masks), 150, replace=False)
    fast, plain = np.zeros((2, 2, 169, 169), np.int64)
    equity._add_board(masks[chosen], hands[chosen], strengths[chosen], 3, *fast)
    oracle.add_board(masks[chosen], hands[chosen], strengths[chosen], 3, *plain)
    assert (fast == plain).all() and fast[0].sum() > 0 and fast[1].sum() > 0


def test_the_stored_counts_are_those_of_all_deals(stored, share):
    wins, ties = stored
    assert np.allclose(share + share.T, 1, rtol=0, atol=1e-15)
    known = {("AA", "KK"): 81.95, ("AKo", "22"): 47.35}
    assert all(round(100 * share[hand_number(a), hand_number(b)], 2) == value for (a, b), value in known.items())
    with pytest.raises(ValueError, match="do not add up"):
        equity.equities(wins + np.eye(169, dtype=int), ties)


def test_equity_against_a_random_hand_is_the_published_one(against_any):
    printed = {"AA": 85.2, "KK": 82.4, "QQ": 79.9, "99": 72.1, "AKs": 67.0, "AKo": 65.3, "JTs": 57.5, "55": 60.3}
    assert {name: round(100 * against_any[hand_number(name)], 1) for name in printed} == printed


@pytest.mark.thorough
def test_a_published_count_over_all_boards():
    line = published("holdem_showdowns").iloc[3]
    first, second = oracle.numbers(line["first"]), oracle.numbers(line["second"])
    rest = [card for card in range(52) if card not in first + second]
    wins = ties = boards = 0
    for board in combinations(rest, 5):
        own, other = evaluate_7cards(*first, *board), evaluate_7cards(*second, *board)
        wins, ties, boards = wins + (own < other), ties + (own == other), boards + 1
    assert (wins, ties, boards) == (line["wins"], line["ties"], line["boards"])


def test_sampled_deals_are_those_of_one_deck():
    sample = holdem.sampled(3, 30_000, seed=4)
    ways = equity.disjoint_deals()
    aces = np.array(["A" in name for name in HANDS])
    # Two players hold an ace each less often than two decks would let them.
    both = (ways * np.outer(aces, aces)).sum() / ways.sum()
    for one, other in ((0, 1), (0, 2), (1, 2)):
        seen = (aces[sample.hands[:, one]] & aces[sample.hands[:, other]]).mean()
        assert abs(seen - both) < 4 * np.sqrt(both / 30_000)
        assert abs(seen - aces[equity.all_pairs()[1]].mean() ** 2) > abs(seen - both)


def test_sampled_showdowns_agree_with_exact_equities(share):
    sample = holdem.sampled(4, 20_000, seed=5, boards=2)
    assert np.allclose(sample.shares.sum(axis=1), 1, atol=1e-6)
    for one, other in ((0, 1), (1, 3), (2, 3)):
        exact = share[sample.hands[:, one], sample.hands[:, other]]
        off = sample.shares[:, one, 1 << one | 1 << other] - exact
        assert abs(off.mean()) < 4 * off.std() / np.sqrt(len(off))
        assert np.cov(off, exact)[0, 1] < 4 * off.std() * exact.std() / np.sqrt(len(off))
    assert (sample.shares[:, 0, 0b0110] == 0).all() and (sample.shares[:, 3, 0] == 1).all()


def test_no_card_is_dealt_twice_and_all_come_alike():
    rng = np.random.default_rng(6)
    held = equity.shuffled(20_000, 52, 8, rng)
    board = game._board(held, rng)
    cards_out = np.sort(np.concatenate([held, board], axis=1), axis=1)
    assert (np.diff(cards_out, axis=1) > 0).all() and cards_out.min() == 0 and cards_out.max() == 51
    seen = np.bincount(board.ravel(), minlength=52)
    assert ((seen - seen.mean()) ** 2 / seen.mean()).sum() < 100  # 51 degrees of freedom: beyond the 99.99% point


@pytest.mark.thorough
def test_ways_to_deal_three_hands(ways):
    assert (ways.sum(axis=2) == equity.disjoint_deals() * 48 * 47 // 2).all()
    assert (ways == ways.transpose(1, 2, 0)).all() and (ways == ways.transpose(1, 0, 2)).all()
    three = [hand_number(name) for name in ("AKs", "AKo", "AA")]
    dealt = product(*(equity.combos(hand).tolist() for hand in three))
    assert ways[*three] == sum(len({*x, *y, *z}) == 6 for x, y, z in dealt)


def test_triples_dealt_on_a_board_are_real_deals():
    board = oracle.numbers("Ah Kh Kd 7s 2c")
    pairs, hands = equity.all_pairs()
    order = np.argsort(hands, kind="stable")
    strengths, masks = equity.strengths_on(board)[order], (1 << pairs[order]).sum(axis=1)
    first = np.concatenate([[0], np.cumsum(np.bincount(hands))])
    tallies = np.zeros((game.TRIPLES, 6), np.float32)
    game._deal_triples(first, masks, strengths, np.uint64(77), tallies)
    listed = [(a, b, c) for a in range(2) for b in range(a, 169) for c in range(b, 169)]
    for number in range(5, len(listed) + 1, 25):
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


@pytest.mark.thorough
def test_sampled_triples_make_deals_of_three(ways, share, monkeypatch):
    monkeypatch.setattr(game, "disjoint_triples", lambda: ways)
    deals = game.three_handed(game.sampled_triples(25, seed=5))
    assert len(deals.hands) == (ways > 0).sum() and abs(deals.weights.sum() - 1) < 1e-9
    assert np.allclose(deals.frequencies, np.bincount(equity.all_pairs()[1]) / 1326, rtol=0, atol=1e-12)
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


test_bad_input_is_refused = refuses(
    (lambda: hand_number("KAs"), "name = 'KAs'"),
    (lambda: equity.row(-1), "hand = -1"),
    (lambda: equity.count_showdowns([[0, 1, 2, 3, 3]], [1]), "board = "),
    (lambda: holdem.one_card([0], 2), r"cards = \[0\]: two"),
    (lambda: holdem.sampled(5, 10, 1), "players = 5"),
    (lambda: holdem.sampled(4, 10**9, 1), "GiB of memory are needed"),
)
