"""Kuhn poker for two players and more: one card each, one bet, n + 1 cards.

Everyone antes 1 and gets one of the cards 0 to n. In turn each player passes or bets 1; after a bet the others, once
each, call (written as a bet) or pass, which is then folding. The highest card of those who bet, or of all when nobody
did, takes the pot. Kuhn (1950) for two players; Abou Risk and Szafron (2010) for three.
"""

from typing import NamedTuple

from gamebalance.base.checks import whole_number
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
