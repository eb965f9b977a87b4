"""Hold'em: showdowns counted exactly, against published counts and the stored table."""

from itertools import combinations

import numpy as np
import pytest
from phevaluator import evaluate_7cards

from gamebalance.games.holdem import cards as c
from gamebalance.games.holdem import equity, hand_number
from gamebalance.publish import published
from tests.oracles import holdem
from tests.refusals import refuses


def test_the_kernel_counts_as_the_plain_loop_does():
    board = holdem.numbers("Ah Kh Kd 7s 2c")
    masks, hands, strengths = equity.live_hands(board)
    chosen = np.random.default_rng(1).choice(len(masks), 150, replace=False)
    fast, plain = np.zeros((2, 2, 169, 169), np.int64)
    equity._add_board(masks[chosen], hands[chosen], strengths[chosen], 3, *fast)
    holdem.add_board(masks[chosen], hands[chosen], strengths[chosen], 3, *plain)
    assert (fast == plain).all() and fast[0].sum() > 0 and fast[1].sum() > 0


def test_a_published_count_over_all_boards():
    line = published("holdem_showdowns").iloc[3]
    first, second = holdem.numbers(line["first"]), holdem.numbers(line["second"])
    rest = [card for card in range(52) if card not in first + second]
    wins = ties = boards = 0
    for board in combinations(rest, 5):
        own, other = evaluate_7cards(*first, *board), evaluate_7cards(*second, *board)
        wins, ties, boards = wins + (own < other), ties + (own == other), boards + 1
    assert (wins, ties, boards) == (line["wins"], line["ties"], line["boards"])


def test_the_stored_counts_are_those_of_all_deals(stored, share):
    wins, ties = stored
    assert np.allclose(share + share.T, 1, rtol=0, atol=1e-15)
    assert (np.diag(share) == 0.5).all() and (ties == ties.T).all()
    known = {("AA", "KK"): 81.95, ("AKo", "22"): 47.35}
    assert all(round(100 * share[hand_number(a), hand_number(b)], 2) == value for (a, b), value in known.items())
    below = wins - (wins.max() + 1) * (np.eye(169, k=1, dtype=int) - np.eye(169, k=-1, dtype=int))
    for wrong in (wins + np.eye(169, dtype=int), below):
        with pytest.raises(ValueError, match="do not add up"):
            equity.equities(wrong, ties)


def test_equity_against_a_random_hand_is_the_published_one(against_any):
    printed = {"AA": 85.2, "KK": 82.4, "QQ": 79.9, "99": 72.1, "AKs": 67.0, "AKo": 65.3, "JTs": 57.5, "55": 60.3}
    assert {name: round(100 * against_any[hand_number(name)], 1) for name in printed} == printed


def test_stored_counts_agree_with_a_few_boards_counted_again(against_any):
    # Boards drawn by multiplicity: the mean over them estimates every cell of the table.
    boards, multiplicities = c.distinct_boards()
    rng = np.random.default_rng(3)
    chosen = rng.choice(len(boards), 150, p=multiplicities / multiplicities.sum())
    wins, ties = equity.count_showdowns(boards[chosen], np.ones(len(chosen), np.int64))
    hand = rng.integers(0, 169, 40)
    sampled = (wins + ties / 2).sum(axis=1)[hand] / (wins + wins.T + ties).sum(axis=1)[hand]
    exact = against_any[hand]
    # The equity of a hand against a random one varies from board to board by 0.25 or less.
    assert np.abs(sampled - exact).max() < 4 * 0.25 / np.sqrt(len(chosen))
    assert np.corrcoef(sampled, exact)[0, 1] > 0.98


def test_pots_are_shared_by_the_best_who_show():
    strengths = np.array([[5, 3, 3, 9]], np.int16)
    assert equity.pot_shares(strengths, [True] * 4).tolist() == [[0, 0.5, 0.5, 0]]
    assert equity.pot_shares(strengths, [True, False, False, True]).tolist() == [[1, 0, 0, 0]]
    assert equity.pot_shares(strengths, [True, False, True, False]).tolist() == [[0, 0, 1, 0]]


def test_shuffles_are_permutations_and_even():
    order = equity.shuffled(20_000, 6, 6, np.random.default_rng(2))
    assert (np.sort(order, axis=1) == np.arange(6)).all()
    counts = np.array([np.bincount(place, minlength=6) for place in order.T])
    chi_square = ((counts - 20_000 / 6) ** 2 / (20_000 / 6)).sum()
    assert chi_square < 60  # 25 degrees of freedom: the 99.99% point


test_bad_input_is_refused = refuses(
    (lambda: equity.row(-1), "hand = -1"),
    (lambda: equity.count_showdowns([[0, 1, 2, 3, 3]], [1]), "board = "),
)
