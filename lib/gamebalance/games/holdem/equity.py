"""Cards, the 169 starting hands, all boards up to a renaming of the suits, and what a hand wins at the showdown.

A card is a number from 0 to 51, four times its rank (0 for a two, 12 for an ace) plus its suit: the numbering of the
evaluator `phevaluator`. A starting hand is a number from 0 to 168, read row by row from the usual 13 × 13 chart: both
ways aces come first, pairs stand on the diagonal, suited hands above it and offsuit hands below.
"""

from collections import Counter
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, product
from math import comb, factorial, prod

import numpy as np
from phevaluator import evaluate_7cards

from gamebalance.base.checks import shown, whole_number
from gamebalance.base.jit import njit

#: Boards that remain when four cards are known.
BOARDS = comb(48, 5)
#: Ranks from the highest down, as they are written.
RANKS = "AKQJT98765432"


#: Names of the 169 starting hands: "AA", "AKs", …, "32o", "22".
HANDS = tuple(
    a + b if a == b else f"{a}{b}s" if RANKS.index(a) < RANKS.index(b) else f"{b}{a}o"
    for a, b in product(RANKS, repeat=2)
)


def hand_number(name: str) -> int:
    """The number of a starting hand that is named as in `HANDS`; ValueError if it is none.

    >>> hand_number("AKs")
    1
    """
    if name not in HANDS:
        raise ValueError(f"name = {shown(name)}: a starting hand such as 'AA', 'AKs' or 'AKo' is needed")
    return HANDS.index(name)


def starting_hand(first, second):
    """Numbers of the starting hands that two different cards make, or two arrays of them."""
    first, second = np.asarray(first, np.int64), np.asarray(second, np.int64)
    high, low = np.maximum(first, second), np.minimum(first, second)
    row, column = 12 - high // 4, 12 - low // 4
    suited = high % 4 == low % 4
    return np.where(suited, 13 * row + column, 13 * column + row)


@lru_cache(maxsize=1)
def all_pairs() -> tuple[np.ndarray, np.ndarray]:
    """The 1,326 pairs of cards, shape (1326, 2), and the starting hand of each."""
    pairs = np.array(list(combinations(range(52), 2)))
    return pairs, starting_hand(pairs[:, 1], pairs[:, 0])


def combos(hand: int) -> np.ndarray:
    """The pairs of cards that make a starting hand: 6 for a pair, 4 suited, 12 offsuit; shape (number, 2)."""
    pairs, hands = all_pairs()
    return pairs[hands == hand]


@lru_cache(maxsize=1)
def disjoint_deals() -> np.ndarray:
    """In how many ways two starting hands can be dealt from one deck; shape (169, 169), sum 1,326 × 1,225."""
    pairs, hands = all_pairs()
    apart = (pairs[:, None, :, None] != pairs[None, :, None, :]).all(axis=(2, 3))
    member = np.equal.outer(np.arange(169), hands).astype(np.int64)
    return member @ apart.astype(np.int64) @ member.T


@lru_cache(maxsize=1)
def distinct_boards() -> tuple[np.ndarray, np.ndarray]:
    """All 134,459 boards of five cards that no renaming of the suits makes equal, and how many each stands for.

    Four sets of ranks describe a board; it stands for as many as they have different orders.
    """
    found, multiplicities = [], []
    for sizes in ((5, 0, 0, 0), (4, 1, 0, 0), (3, 2, 0, 0), (3, 1, 1, 0), (2, 2, 1, 0), (2, 1, 1, 1)):
        alike = [combinations_with_replacement(combinations(range(13), size), sizes.count(size)) for size in set(sizes)]
        for chosen in product(*alike):
            suits = [ranks for group in chosen for ranks in group]
            found.append([4 * rank + suit for suit, ranks in enumerate(suits) for rank in ranks])
            multiplicities.append(24 // prod(factorial(count) for count in Counter(suits).values()))
    return np.array(found), np.array(multiplicities)


@njit
def _add_board(masks, hands, strengths, multiplicity, wins, ties):
    """Add the showdowns of all pairs of disjoint hands on one board; a lower strength is the better hand."""
    for first in range(len(masks)):
        for second in range(first):
            if masks[first] & masks[second]:
                continue
            one, other = hands[first], hands[second]
            if strengths[first] < strengths[second]:
                wins[one, other] += multiplicity
            elif strengths[first] > strengths[second]:
                wins[other, one] += multiplicity
            else:
                ties[one, other] += multiplicity
                ties[other, one] += multiplicity


def live_hands(board) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The 1,081 pairs of cards that a board leaves: each as two bits of 52, its starting hand, and its strength."""
    pairs, hands = all_pairs()
    strengths = strengths_on(board)
    live = strengths > 0
    return (1 << pairs[live]).sum(axis=1), hands[live], strengths[live]


def strengths_on(board) -> np.ndarray:
    """Strength of every pair of `all_pairs` with a board, from 1 for a royal flush, lower is better; 0 if they meet."""
    board = [whole_number("board", card, 0, 51) for card in board]
    if len(set(board)) != 5 or len(board) != 5:
        raise ValueError(f"board = {shown(board)}: five different cards are needed")
    pairs, _ = all_pairs()
    live = np.isin(pairs, board, invert=True).all(axis=1)
    strengths = np.zeros(len(pairs), np.int64)
    strengths[live] = [evaluate_7cards(first, second, *board) for first, second in pairs[live].tolist()]
    return strengths


def count_showdowns(boards, multiplicities) -> tuple[np.ndarray, np.ndarray]:
    """Showdowns of all pairs of disjoint hands on some boards: wins (of the row) and ties, shape (169, 169) each."""
    wins, ties = np.zeros((2, len(HANDS), len(HANDS)), np.int64)
    for board, multiplicity in zip(boards, multiplicities, strict=True):
        _add_board(*live_hands(board), multiplicity, wins, ties)
    return wins, ties


def recount(first: int, second: int) -> tuple[int, int]:
    """Wins and ties of two starting hands over all suits and boards, without the kernel of `count_showdowns`."""
    boards, multiplicities = distinct_boards()
    lines, wins, ties = boards.tolist(), 0, 0
    one, other = (combos(whole_number("hand", hand, 0, len(HANDS) - 1)).tolist() for hand in (first, second))
    strengths = {pair: _along(pair, lines) for pair in {*map(tuple, one), *map(tuple, other)}}
    for own, theirs in product(map(tuple, one), map(tuple, other)):
        if not {*own} & {*theirs}:
            live = (strengths[own] > 0) & (strengths[theirs] > 0)
            wins += int(multiplicities[live & (strengths[own] < strengths[theirs])].sum())
            ties += int(multiplicities[live & (strengths[own] == strengths[theirs])].sum())
    return wins, ties


def _along(pair: tuple[int, int], boards: list[list[int]]) -> np.ndarray:
    """Strength of two cards on each board; 0 where they are among its cards."""
    first, second = pair
    return np.array([0 if first in b or second in b else evaluate_7cards(first, second, *b) for b in boards], np.int16)


@lru_cache(maxsize=1)
def all_showdowns() -> tuple[np.ndarray, np.ndarray]:
    """`count_showdowns` of every board there is: some minutes. The numbers are exact."""
    return count_showdowns(*distinct_boards())


def row(hand: int) -> dict[str, int | str]:
    """In how many deals and boards, over all suits, a hand "beats AA" or "ties AA": a row of the stored table."""
    hand = whole_number("hand", hand, 0, len(HANDS) - 1)
    wins, ties = all_showdowns()
    line: dict[str, int | str] = {"hand": hand, "name": HANDS[hand]}
    for word, table in (("beats", wins), ("ties", ties)):
        line |= {f"{word} {name}": int(number) for name, number in zip(HANDS, table[hand], strict=True)}
    return line


def counts(table) -> tuple[np.ndarray, np.ndarray]:
    """Wins and ties, shape (169, 169), in a table (DataFrame) whose lines are those of `row`, one for each hand."""
    wins, ties = (table[[f"{word} {name}" for name in HANDS]].to_numpy() for word in ("beats", "ties"))
    return wins, ties


def equities(wins: np.ndarray, ties: np.ndarray) -> np.ndarray:
    """Share of the pot that each starting hand wins from each other, a tie counting half, from all boards."""
    wins, ties = np.asarray(wins), np.asarray(ties)
    deals = disjoint_deals() * BOARDS
    fits = wins.shape == ties.shape == deals.shape
    if not fits or ((wins + wins.T + ties) != deals).any() or min(wins.min(), ties.min()) < 0:
        raise ValueError("wins, ties: wins, losses and ties do not add up to all deals and boards")
    return (wins + ties / 2) / deals


def shuffled(deals: int, size: int, drawn: int, random: np.random.Generator) -> np.ndarray:
    """The first `drawn` numbers of random orders of 0 to `size` - 1, shape (deals, drawn), by Fisher and Yates."""
    order = np.tile(np.arange(size, dtype=np.int8), (deals, 1))
    lines = np.arange(deals)
    for place in range(drawn):
        other = random.integers(place, size, deals)
        order[lines, place], order[lines, other] = order[lines, other], order[lines, place]
    return order[:, :drawn]


def showdown_strengths(holes: np.ndarray, boards: np.ndarray) -> np.ndarray:
    """Strengths, shape (deals, players), from two cards for each player (deals, 2 × players) and five on the board."""
    own = holes.reshape(len(holes), -1, 2)
    seven = np.concatenate([own, np.broadcast_to(boards[:, None], (*own.shape[:2], 5))], axis=2)
    strengths = [evaluate_7cards(*line) for line in seven.reshape(-1, 7).tolist()]
    return np.array(strengths, np.int16).reshape(own.shape[:2])


def pot_shares(strengths: np.ndarray, showing) -> np.ndarray:
    """Shares of the pot, shape (deals, players): of those who show their cards the best divide it equally."""
    showing = np.asarray(showing)
    best = np.where(showing, strengths, np.iinfo(strengths.dtype).max).min(axis=1, keepdims=True)
    winners = showing & (strengths == best)
    return winners / winners.sum(axis=1, keepdims=True)
