"""Deals (who holds what, how often, how every pot would be shared), and the game: each seat goes all-in or folds."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from math import perm

import numpy as np

from gamebalance.base.checks import check_seed, in_memory, instance, number, shown, whole_number
from gamebalance.base.jit import njit
from gamebalance.base.splitmix import GOLDEN, mix_word
from gamebalance.games.holdem.equity import (
    HANDS,
    all_pairs,
    disjoint_deals,
    equities,
    pot_shares,
    showdown_strengths,
    shuffled,
    starting_hand,
    strengths_on,
)
from gamebalance.multiplayer.protocols import SUM_TOLERANCE

FOLD, PUSH = "f", "p"

#: The greatest bet or stack.
MOST_CHIPS = 1e9

_SEATS = ("cutoff", "button", "small blind", "big blind")

MOST_PLAYERS = 4

#: The most boards dealt for each deal.
MOST_BOARDS = 8

#: Number of triples a <= b <= c of the 169 hands.
TRIPLES = 169 * 170 * 171 // 6

# Deals are made in pieces, so that the cards of all of them never lie in memory together.
_PIECE = 50_000


@dataclass(frozen=True, eq=False)
class Deals:
    """A list of weighted deals, all that a game without betting on the board needs to know.

    `hands`, shape (deals, players), is what each seat sees, as a number into `names`. `shares`, shape (deals, players,
    2^players), are those of the pot when the seats of a set, bit by bit, show their hands; of the empty set the last
    seat gets all.
    """

    hands: np.ndarray
    weights: np.ndarray
    shares: np.ndarray
    names: tuple[str, ...]

    def __post_init__(self) -> None:
        # The compiled loops look up whatever stands here without asking; shares are often in single precision.
        count, players = self.hands.shape if self.hands.ndim == 2 else (0, 0)
        fits = count and 2 <= players <= MOST_PLAYERS and self.hands.dtype.kind in "iu"
        fits = fits and 0 <= self.hands.min() <= self.hands.max() < len(self.names)
        for name, shape in (("weights", (count,)), ("shares", (count, players, 2**players))):
            values = getattr(self, name)
            fits = fits and values.shape == shape and -1e-6 <= values.min() <= values.max() <= 1 + 1e-6
        if not fits or not abs(self.weights.sum() - 1) <= SUM_TOLERANCE:
            raise ValueError(
                f"hands, weights, shares: numbers of hands below {len(self.names)}, shape (deals, 2 to 4 players), "
                "weights that sum to 1 and shares from 0 to 1, shape (deals, players, 2^players), are needed"
            )

    @property
    def players(self) -> int:
        return self.hands.shape[1]

    @cached_property
    def frequencies(self) -> np.ndarray:
        """Probability of each hand in each seat, shape (players, hands)."""
        return np.array([np.bincount(seat, self.weights, len(self.names)) for seat in self.hands.T])

    def part(self, chosen: slice) -> "Deals":
        """Some of the deals, their weights scaled to sum to 1."""
        weights = self.weights[chosen]
        return Deals(self.hands[chosen], weights / weights.sum(), self.shares[chosen], self.names)


def heads_up(wins: np.ndarray, ties: np.ndarray) -> Deals:
    """All deals of two starting hands, with exact probabilities, and equities from all `equity.count_showdowns`."""
    equity = equities(wins, ties).ravel()
    hands = np.indices((len(HANDS), len(HANDS))).reshape(2, -1).T.astype(np.int16)
    weights = disjoint_deals().ravel() / disjoint_deals().sum()
    shares = _shares(np.zeros_like(hands))
    shares[:, 0, 3], shares[:, 1, 3] = equity, 1 - equity
    return Deals(hands, weights, shares, HANDS)


def sampled(players: int, deals: int, seed: int, boards: int = 1) -> Deals:
    """Deals from one shuffled deck to 2 to 4 players, each with the mean outcome over 1 to 8 boards."""
    players = whole_number("players", players, 2, MOST_PLAYERS)
    deals, boards = whole_number("deals", deals, 1), whole_number("boards", boards, 1, MOST_BOARDS)
    in_memory(f"deals = {deals}", deals * players * (2 + 4 * 2**players))
    random = np.random.default_rng([check_seed(seed), players])
    hands = np.empty((deals, players), np.int16)
    shares = np.empty((deals, players, 2**players), np.float32)
    for begin in range(0, deals, _PIECE):
        piece = slice(begin, min(begin + _PIECE, deals))
        hands[piece], shares[piece] = _dealt(piece.stop - begin, players, boards, random)
    return Deals(hands, np.full(deals, 1 / deals), shares, HANDS)


def one_card(cards: Sequence[int], players: int) -> Deals:
    """Deals of a toy deck, given by ranks: one card each, the highest takes the pot, equal ones divide it."""
    cards = [whole_number("cards", card, 0, 10_000) for card in cards]
    if len(cards) < 2:
        raise ValueError(f"cards = {shown(cards)}: two cards or more are needed")
    players = whole_number("players", players, 2, min(MOST_PLAYERS, len(cards)))
    # A tuple of Python numbers for each deal, and its shares of every pot.
    in_memory(f"cards: {len(cards)} of them", perm(len(cards), players) * (100 + 40 * players * 2**players))
    dealt = np.array(list(permutations(cards, players)), np.int16)
    ranks, hands = np.unique(dealt, return_inverse=True)
    weights = np.full(len(dealt), 1 / len(dealt))
    return Deals(hands.reshape(dealt.shape).astype(np.int16), weights, _shares(-dealt), tuple(map(str, ranks)))


def _dealt(deals: int, players: int, boards: int, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Starting hands and mean shares of some deals."""
    order = shuffled(deals, 52, 2 * players, random)
    holes = np.sort(order.reshape(deals, players, 2), axis=2)
    flat = holes.reshape(deals, -1)
    shares = [_shares(showdown_strengths(flat, _board(flat, random))) for _ in range(boards)]
    return starting_hand(holes[..., 1], holes[..., 0]), np.asarray(sum(shares)) / boards


def _board(held: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Five cards for each deal from those that nobody holds, shape (deals, 5)."""
    # Drawn are places among the cards left; each is moved up past every card held that is not above it.
    dead = np.sort(held, axis=1)
    board = shuffled(len(held), 52 - held.shape[1], 5, random)
    for card in dead.T:
        board = board + (board >= card[:, None])
    return board


def _shares(strengths: np.ndarray) -> np.ndarray:
    """`Deals.shares` of hands with these strengths; the lower, the better."""
    deals, players = strengths.shape
    shares = np.zeros((deals, players, 2**players))
    shares[:, -1, 0] = 1
    for showing in range(1, 2**players):
        seats = (showing >> np.arange(players) & 1).astype(bool)
        shares[:, :, showing] = pot_shares(strengths, seats)
    return shares


# --- three hands: exact probabilities of all triples, and their outcomes sampled board by board ---


def disjoint_triples() -> np.ndarray:
    """In how many ways three starting hands can be dealt from one deck; shape (169, 169, 169).

    Renaming the suits carries any pair of cards of a starting hand to any other, so one pair of the first stands for
    all.
    """
    pairs, hands = all_pairs()
    order = np.argsort(hands, kind="stable")
    pairs, hands = pairs[order], hands[order]
    starts = np.flatnonzero(np.diff(hands, prepend=-1))
    # Single precision holds these counts, all below 12 × 12, exactly.
    apart = (pairs[:, None, :, None] != pairs[None, :, None, :]).all(axis=(2, 3)).astype(np.float32)
    by_hand = np.add.reduceat(apart, starts, axis=0)
    found = np.empty((len(HANDS), len(HANDS), len(HANDS)), np.int64)
    for first, start in enumerate(starts):
        met = apart[start] == 0
        member = np.equal.outer(np.arange(len(HANDS)), hands[met]).astype(np.float32)
        rest = np.where(met, 0, by_hand - member @ apart[met])
        found[first] = np.count_nonzero(hands == first) * np.add.reduceat(rest, starts, axis=1)
    return found


@njit(inline="always")
def _drawn(word, begin, end):
    """A place from `begin` to `end` - 1 by the last 21 bits of a random word."""
    return begin + (np.int64(word & np.uint64(0x1FFFFF)) * (end - begin) >> 21)


@njit
def _deal_triples(first, masks, strengths, state, tallies):
    """Deal every triple once on one board and add the shares of the pots; returns the state of the generator.

    `first[h]` is where the pairs of hand h begin; strength 0 is a pair that meets the board. `tallies`, shape (triples,
    6): deals; shares of the first and second of three; of the first in each pair.
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
                tally[3] += (x < y) + (x == y) / 2
                tally[4] += (x < z) + (x == z) / 2
                tally[5] += (y < z) + (y == z) / 2
    return state


def sampled_triples(boards: int, seed: int) -> np.ndarray:
    """Outcomes of all triples a <= b <= c, in order, on some random boards; float32, shape (triples, 6).

    Number of deals; how much of the pot of all three a and b won; how much a won from b alone, a from c, and b from c.
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
    return Deals(hands, weights, _seated(hands, tallies, len(HANDS)), HANDS)


@dataclass(frozen=True, eq=False)
class PushFold:
    """All-in or fold before the first board card: the seats act once each, the big blind last.

    Who is all-in in the end shows down; nobody else can win. When all others fold, the big blind wins without acting.
    With two players the button is the small blind. The stack is that of every player before the blinds, in the unit of
    the forced bets; the ante is paid by everyone.

    >>> from gamebalance.games import holdem
    >>> game = holdem.PushFold(holdem.one_card([0, 1, 2], players=2), stack=1.5)
    >>> holdem.minimax(game).frequency()  # of three cards the higher two are pushed, and the lowest once in five times
    0.7333333333333334
    """

    deals: Deals
    stack: float = 10.0
    small_blind: float = 0.5
    big_blind: float = 1.0
    ante: float = 0.0

    def __post_init__(self) -> None:
        instance("deals", self.deals, Deals)
        for name in ("stack", "small_blind", "big_blind", "ante"):
            object.__setattr__(self, name, float(number(name, getattr(self, name), 0, MOST_CHIPS)))
        if self.stack < max(self.small_blind, self.big_blind) + self.ante or self.stack == 0:
            raise ValueError(f"stack = {self.stack:g}: it must cover blind and ante, and be more than 0")

    @property
    def players(self) -> int:
        return self.deals.players

    @property
    def seats(self) -> tuple[str, ...]:
        """Names of the seats in the order of acting."""
        return _SEATS[-self.players :]

    @property
    def nodes(self) -> int:
        """Number of decisions: `node` counts them; the last seat's, when all have folded, is void."""
        return 2**self.players - 1

    def node(self, actions: str) -> int:
        """The number of the decision after these actions, seat by seat, "p" all-in and "f" fold."""
        if not isinstance(actions, str) or len(actions) >= self.players or set(actions) - {FOLD, PUSH}:
            raise ValueError(f"actions = {shown(actions)}: fewer than {self.players} of 'f' and 'p' are needed")
        return 2 ** len(actions) - 1 + self.pushed(actions)

    def actions(self, node: int) -> str:
        """What led to a decision: the inverse of `node`."""
        node = whole_number("node", node, 0, self.nodes - 1)
        seat = (node + 1).bit_length() - 1
        return "".join(PUSH if (node + 1) >> earlier & 1 else FOLD for earlier in range(seat))

    @staticmethod
    def pushed(actions: str) -> int:
        """The set of seats that went all-in, bit by bit."""
        return sum(1 << seat for seat, action in enumerate(actions) if action == PUSH)

    @cached_property
    def posted(self) -> np.ndarray:
        """What each seat pays before the cards, shape (players,)."""
        blinds = np.zeros(self.players)
        blinds[-2:] = self.small_blind, self.big_blind
        return blinds + self.ante

    @cached_property
    def paid(self) -> np.ndarray:
        """What each seat has paid in the end, by the set of seats all-in, shape (players, 2^players)."""
        sets = np.arange(2**self.players)
        all_in = sets >> np.arange(self.players)[:, None] & 1
        return np.where(all_in, self.stack, self.posted[:, None])

    @cached_property
    def pots(self) -> np.ndarray:
        """Chips in the pot by the set of seats all-in, shape (2^players,)."""
        return self.paid.sum(axis=0)
