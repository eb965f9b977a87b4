"""Kuhn poker for two players and more: one card each, one bet, n + 1 cards.

Everyone antes 1 and gets one of the cards 0 to n. In turn each player passes or bets 1; after a bet the others, once
each, call (written as a bet) or pass, which is then folding. The highest card of those who bet, or of all when nobody
did, takes the pot. Kuhn (1950) for two players; Abou Risk and Szafron (2010) for three, whose known equilibria follow.
"""

from itertools import product
from typing import NamedTuple

from gamebalance.base.checks import shown, whole_number
from gamebalance.base.kinds import Real
from gamebalance.multiplayer.protocols import CHANCE, OVER

MOST_PLAYERS = 4

PASS, BET = "p", "b"


class KuhnState(NamedTuple):
    """Cards dealt so far, one for each seat in turn, and the moves since: "p" is pass or fold, "b" is bet or call."""

    cards: tuple[int, ...] = ()
    moves: str = ""


class Kuhn:
    """Kuhn poker for 2 to 4 players as an extensive game.

    The moves of a player are "p" (pass, or fold) and "b" (bet, or call); those of chance are cards. Information is the
    own card followed by all moves so far, as in "2pb".
    """

    def __init__(self, players: int = 2):
        self.players = whole_number("players", players, 2, MOST_PLAYERS)

    def __repr__(self) -> str:
        return f"Kuhn(players={self.players})"

    def start(self) -> KuhnState:
        return KuhnState()

    def mover(self, state: KuhnState) -> int:
        if len(state.cards) < self.players:
            return CHANCE
        bet = state.moves.find(BET)
        over = len(state.moves) == (self.players if bet < 0 else self.players + bet)
        return OVER if over else len(state.moves) % self.players

    def moves(self, state: KuhnState) -> tuple | dict:
        if len(state.cards) < self.players:
            left = [card for card in range(self.players + 1) if card not in state.cards]
            return dict.fromkeys(left, 1 / len(left))
        return PASS, BET

    def play(self, state: KuhnState, move) -> KuhnState:
        if len(state.cards) < self.players:
            return KuhnState((*state.cards, move))
        return KuhnState(state.cards, state.moves + move)

    def payoffs(self, state: KuhnState) -> tuple[float, ...]:
        """Chips won or lost, net of the antes."""
        stakes = [1 + (BET in state.moves[seat :: self.players]) for seat in range(self.players)]
        rivals = [seat for seat in range(self.players) if stakes[seat] == max(stakes)]
        winner = max(rivals, key=lambda seat: state.cards[seat])
        return tuple(float(sum(stakes) * (seat == winner) - stakes[seat]) for seat in range(self.players))

    def information(self, state: KuhnState) -> str:
        return f"{state.cards[self.mover(state)]}{state.moves}"


def szafron_profile(
    b11: float, b21: float, *, b32: float | None = None, c33: float | None = None, c34: float = 0.0
) -> dict[str, dict[str, float]]:
    """An equilibrium of three-player Kuhn poker, from the first sub-family (c11 = 0) of Szafron and others.

    A letter names the player (a, b, c), the first digit the card (1 lowest, 4 highest) and the second the situation: 1
    nobody has bet, 2 the bet came from the seat before (for the first player: from the last, after two passes), 3 the
    seat before folded to the bet, 4 it called. Arguments are chances to bet or call. How often the second player
    bluffs, beta = max(b11, b21) = b21, decides how much goes from the first player to the third: `szafron_values`.

    The bounds are 0 <= b11 <= b21 <= 1/4; b32 <= 1/2 + (3 b11 + 4 b21) / 4; and c33 from 1/2 - b32 to 1/2 - b32 + (3
    b11 + 4 b21) / 4. By default b32 is half of its bound, c33 in the middle of its own, cut at 0 and 1. D. Szafron, R.
    Gibson and N. Sturtevant, "A parameterized family of equilibrium profiles for three-player Kuhn poker", AAMAS 2013.
    """
    b21 = _probability("b21", b21, 1 / 4)
    b11 = _probability("b11", b11, b21)
    bluffs = (3 * b11 + 4 * b21) / 4
    b32 = 1 / 4 + bluffs / 2 if b32 is None else _probability("b32", b32, min(1, 1 / 2 + bluffs))
    lowest = max(0.0, 1 / 2 - b32)
    highest = max(lowest, min(1.0, 1 / 2 - b32 + bluffs))  # rounding may put it below
    c33 = (lowest + highest) / 2 if c33 is None else _probability("c33", c33, highest, lowest)
    c34 = _probability("c34", c34)
    situations = {
        "a": ("", "ppb", "pbp", "pbb"),
        "b": ("p", "b", "ppbp", "ppbb"),
        "c": ("pp", "pb", "bp", "bb"),
    }
    # The highest card bets or calls, the two lowest neither, unless said otherwise.
    chances = {(seat, card, k): float(card == 4) for seat, card, k in product("abc", range(1, 5), range(1, 5))}
    chances |= {("a", 4, 1): 0.0, ("a", 3, 3): 1 / 2}
    chances |= {("b", 1, 1): b11, ("b", 2, 1): b21, ("b", 4, 1): 2 * (b11 + b21)}
    chances |= {("b", 3, 2): b32, ("b", 3, 3): (1 + b11 + 2 * b21) / 2}
    chances |= {("c", 2, 1): 1 / 2, ("c", 3, 3): c33, ("c", 3, 4): c34}
    named = {f"{card - 1}{situations[seat][k - 1]}": bet for (seat, card, k), bet in chances.items()}
    return {information: {PASS: 1 - bet, BET: bet} for information, bet in named.items()}


def szafron_values(beta: float) -> tuple[float, float, float]:
    """What the three players get in the equilibria of `szafron_profile` with b21 = beta, in antes."""
    beta = _probability("beta", beta, 1 / 4)
    return -(1 / 2 + beta) / 24, -1 / 48, (1 + beta) / 24


def _probability(name: str, value: float, most: float = 1.0, least: float = 0.0) -> float:
    # A rounding error at the end of a range is not an error of the caller.
    if isinstance(value, bool) or not isinstance(value, Real) or not least - 1e-12 <= value <= most + 1e-12:
        raise ValueError(f"{name} = {shown(value)}: a number from {least:.6g} to {most:.6g} is needed")
    return float(min(max(value, least), most))
