"""What a starting hand wins at the showdown: exact for two hands, sampled against a crowd."""

from functools import lru_cache
from itertools import product
from math import comb

import numpy as np
from phevaluator import evaluate_7cards

from gamebalance._checks import check_seed, in_memory, shown, whole_number
from gamebalance._jit import njit
from gamebalance.sums import standard_error

from .cards import HANDS, all_pairs, combos, disjoint_deals, distinct_boards

#: Boards that remain when four cards are known.
BOARDS = comb(48, 5)


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


def add_board_plainly(masks, hands, strengths, multiplicity, wins, ties):
    """`_add_board` in plain Python: the reference that it is tested against."""
    for first, second in np.ndindex(len(masks), len(masks)):
        if not masks[first] & masks[second]:
            table = {True: wins, False: ties}[strengths[first] != strengths[second]]
            if strengths[first] <= strengths[second]:
                table[hands[first], hands[second]] += multiplicity


def live_hands(board) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The 1,081 pairs of cards that a board leaves.

    Parameters
    ----------
    board : sequence of 5 int

    Returns
    -------
    masks : array of int
        Each pair as two bits of 52.
    hands : array of int
        Their starting hands.
    strengths : array of int
        Of the best five of seven cards, by `phevaluator`: 1 for a royal flush; the lower, the better.
    """
    pairs, hands = all_pairs()
    strengths = strengths_on(board)
    live = strengths > 0
    return (1 << pairs[live]).sum(axis=1), hands[live], strengths[live]


def strengths_on(board) -> np.ndarray:
    """Strength of every pair of cards on a board, in the order of `all_pairs`; 0 for a pair that meets the board."""
    board = [whole_number("board", card, 0, 51) for card in board]
    if len(set(board)) != 5 or len(board) != 5:
        raise ValueError(f"board = {shown(board)}: five different cards are needed")
    pairs, _ = all_pairs()
    live = np.isin(pairs, board, invert=True).all(axis=1)
    strengths = np.zeros(len(pairs), np.int64)
    strengths[live] = [evaluate_7cards(first, second, *board) for first, second in pairs[live].tolist()]
    return strengths


def count_showdowns(boards, multiplicities) -> tuple[np.ndarray, np.ndarray]:
    """Showdowns of all pairs of disjoint hands on some boards, by starting hand.

    Parameters
    ----------
    boards : array of int, shape (number, 5)
    multiplicities : array of int, shape (number,)

    Returns
    -------
    wins, ties : arrays of int, shape (169, 169)
        How often the hand of the row beats the hand of the column, and how often they tie.
    """
    wins, ties = np.zeros((2, len(HANDS), len(HANDS)), np.int64)
    for board, multiplicity in zip(boards, multiplicities, strict=True):
        _add_board(*live_hands(board), multiplicity, wins, ties)
    return wins, ties


def recount(first: int, second: int) -> tuple[int, int]:
    """Showdowns of two starting hands over all boards, counted deal by deal without the kernel of `count_showdowns`.

    Parameters
    ----------
    first, second : int
        Starting hands, from 0 to 168.

    Returns
    -------
    wins, ties : int
        How often the first beats the second and how often they tie, over all suits and boards: exact.

    Raises
    ------
    ValueError
        If there is no such hand.
    """
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
    """Exact results of one starting hand against every other: a row of the stored table of equities.

    Parameters
    ----------
    hand : int
        From 0 to 168. The first call in a process counts for all of them.

    Returns
    -------
    dict
        `hand`, `name`, and for each starting hand the number of deals and boards in which `hand` beats it
        ("beats AA") or ties with it ("ties AA"), over all suits and `BOARDS` boards each.

    Raises
    ------
    ValueError
        If there is no such hand.
    """
    hand = whole_number("hand", hand, 0, len(HANDS) - 1)
    wins, ties = all_showdowns()
    beats = {f"beats {name}": int(wins[hand, other]) for other, name in enumerate(HANDS)}
    return {"hand": hand, "name": HANDS[hand], **beats} | {
        f"ties {name}": int(ties[hand, other]) for other, name in enumerate(HANDS)
    }


def counts(table) -> tuple[np.ndarray, np.ndarray]:
    """Wins and ties in a table whose lines are those of `row`, one for each hand in order.

    Parameters
    ----------
    table : DataFrame or mapping of columns

    Returns
    -------
    wins, ties : arrays of int, shape (169, 169)
    """
    wins, ties = (
        np.stack([np.asarray(table[f"{word} {name}"]) for name in HANDS], axis=1) for word in ("beats", "ties")
    )
    return wins, ties


def equities(wins: np.ndarray, ties: np.ndarray) -> np.ndarray:
    """Share of the pot that each starting hand wins from each other, a tie counting half.

    Parameters
    ----------
    wins, ties : arrays of int, shape (169, 169)
        As `count_showdowns` counts them over all boards.

    Returns
    -------
    array of float, shape (169, 169)

    Raises
    ------
    ValueError
        If the numbers are not those of all deals and boards.
    """
    wins, ties = np.asarray(wins), np.asarray(ties)
    deals = disjoint_deals() * BOARDS
    fits = wins.shape == ties.shape == deals.shape
    if not fits or ((wins + wins.T + ties) != deals).any() or min(wins.min(), ties.min()) < 0:
        raise ValueError("wins, ties: wins, losses and ties do not add up to all deals and boards")
    return (wins + ties / 2) / deals


def crowd_row(hand: int, opponents: tuple[int, ...] = (2, 3), deals: int = 100_000, seed: int = 1) -> dict:
    """Sampled share of the pot of one starting hand against several random hands.

    Parameters
    ----------
    hand : int
        From 0 to 168.
    opponents : sequence of int
        Numbers of opponents, from 1 to 8.
    deals : int
        Deals for each of them.
    seed : int

    Returns
    -------
    dict
        `hand`, `name`, and for each number of opponents the mean "against n" and its standard error "error n".

    Raises
    ------
    ValueError
        If an argument is out of range.
    """
    hand = whole_number("hand", hand, 0, len(HANDS) - 1)
    opponents = [whole_number("opponents", number, 1, 8) for number in opponents]
    deals, seed = whole_number("deals", deals, 2), check_seed(seed)
    # Seven Python numbers for every hand shown.
    in_memory(f"deals = {deals}", deals * (100 + 120 * (1 + max(opponents, default=0))))
    found = {"hand": hand, "name": HANDS[hand]}
    for number in opponents:
        random = np.random.default_rng([seed, hand, number])
        shares = _crowd_shares(combos(hand)[0], number, deals, random)
        found |= {f"against {number}": float(shares.mean())}
        found |= {f"error {number}": float(standard_error(shares))}
    return found


def _crowd_shares(own, opponents: int, deals: int, random: np.random.Generator) -> np.ndarray:
    """What two cards win of the pot in each of some deals."""
    rest = np.setdiff1d(np.arange(52), own)
    dealt = rest[shuffled(deals, len(rest), 2 * opponents + 5, random)]
    holes = np.concatenate([np.broadcast_to(own, (deals, 2)), dealt[:, 5:]], axis=1)
    return pot_shares(showdown_strengths(holes, dealt[:, :5]), np.ones(opponents + 1, bool))[:, 0]


def shuffled(deals: int, size: int, drawn: int, random: np.random.Generator) -> np.ndarray:
    """The first `drawn` numbers of random orders of 0 to `size` - 1, shape (deals, drawn), by Fisher and Yates."""
    order = np.tile(np.arange(size, dtype=np.int8), (deals, 1))
    lines = np.arange(deals)
    for place in range(drawn):
        other = random.integers(place, size, deals)
        order[lines, place], order[lines, other] = order[lines, other], order[lines, place]
    return order[:, :drawn]


def showdown_strengths(holes: np.ndarray, boards: np.ndarray) -> np.ndarray:
    """Strength of each player's hand, by `phevaluator`; the lower, the better.

    Parameters
    ----------
    holes : array of int, shape (deals, 2 × players)
        Two cards for each player.
    boards : array of int, shape (deals, 5)

    Returns
    -------
    array of int, shape (deals, players)
    """
    own = holes.reshape(len(holes), -1, 2)
    seven = np.concatenate([own, np.broadcast_to(boards[:, None], (*own.shape[:2], 5))], axis=2)
    strengths = [evaluate_7cards(*line) for line in seven.reshape(-1, 7).tolist()]
    return np.array(strengths, np.int16).reshape(own.shape[:2])


def pot_shares(strengths: np.ndarray, showing) -> np.ndarray:
    """Shares of the pot among the players who show their cards; those with the best hand divide it equally.

    Parameters
    ----------
    strengths : array of int, shape (deals, players)
    showing : array of bool, shape (players,)

    Returns
    -------
    array of float, shape (deals, players)
    """
    showing = np.asarray(showing)
    best = np.where(showing, strengths, np.iinfo(strengths.dtype).max).min(axis=1, keepdims=True)
    winners = showing & (strengths == best)
    return winners / winners.sum(axis=1, keepdims=True)
