"""Leduc poker for two and three players: two suits of n + 1 ranks, two rounds, one public card.

Everyone antes 1 and gets a card; after a round of betting one card is turned up, and a second round follows. A raise
adds 2 in the first round and 4 in the second; at most two raises a round. The hand that pairs the public card wins,
else the highest rank; equal hands share the pot. Southey and others (2005) for two players.
"""

from typing import NamedTuple

from gamebalance.base.checks import whole_number
from gamebalance.multiplayer.protocols import CHANCE, OVER

MOST_PLAYERS = 3
FOLD, CALL, RAISE = "f", "c", "r"
RAISES = (2, 4)
MOST_RAISES = 2


class LeducState(NamedTuple):
    """Cards dealt, the public card last; moves of both rounds; and what they amount to."""

    cards: tuple[int, ...]
    rounds: tuple[str, ...]
    stakes: tuple[int, ...]
    folded: frozenset[int]
    waiting: tuple[int, ...]  # seats that must still move in this round, in turn


class Leduc:
    """Leduc poker for 2 or 3 players as an extensive game.

    Moves are "f" (fold, only when there is something to call), "c" (check or call) and "r" (raise). A card c has
    rank c // 2 and suit c % 2. Information is the own card, the public card (None before it is turned) and the moves of
    each round. Suits are kept apart, as dealt.
    """

    def __init__(self, players: int = 2):
        self.players = whole_number("players", players, 2, MOST_PLAYERS)
        self.cards = 2 * (self.players + 1)

    def __repr__(self) -> str:
        return f"Leduc(players={self.players})"

    def start(self) -> LeducState:
        return LeducState((), ("",), (1,) * self.players, frozenset(), tuple(range(self.players)))

    def mover(self, state: LeducState) -> int:
        if len(state.folded) == self.players - 1 or (len(state.rounds) == 2 and not state.waiting):
            return OVER
        return CHANCE if self._deals(state) else state.waiting[0]

    def moves(self, state: LeducState) -> tuple | dict:
        if self._deals(state):
            left = [card for card in range(self.cards) if card not in state.cards]
            return dict.fromkeys(left, 1 / len(left))
        fold = (FOLD,) if state.stakes[state.waiting[0]] < max(state.stakes) else ()
        can_raise = (RAISE,) if state.rounds[-1].count(RAISE) < MOST_RAISES else ()
        return (*fold, CALL, *can_raise)

    def play(self, state: LeducState, move) -> LeducState:
        if self._deals(state):
            return self._dealt(state, move)
        seat, folded, stakes, waiting = state.waiting[0], state.folded, list(state.stakes), state.waiting[1:]
        if move == FOLD:
            folded = folded | {seat}
        else:
            stakes[seat] = max(stakes)
        if move == RAISE:
            stakes[seat] += RAISES[len(state.rounds) - 1]
            after = [(seat + step) % self.players for step in range(1, self.players)]
            waiting = tuple(other for other in after if other not in folded)
        rounds = (*state.rounds[:-1], state.rounds[-1] + move)
        return LeducState(state.cards, rounds, tuple(stakes), folded, waiting)

    def payoffs(self, state: LeducState) -> tuple[float, ...]:
        """Chips won or lost, net of the antes."""
        winners = self._winners(state)
        share = sum(state.stakes) / len(winners)
        return tuple(float(share * (seat in winners) - state.stakes[seat]) for seat in range(self.players))

    def information(self, state: LeducState) -> tuple:
        public = state.cards[-1] if len(state.rounds) == 2 else None
        return state.cards[state.waiting[0]], public, *state.rounds

    def _deals(self, state: LeducState) -> bool:
        return len(state.cards) < self.players or (not state.waiting and len(state.rounds) == 1)

    def _dealt(self, state: LeducState, card: int) -> LeducState:
        cards = (*state.cards, card)
        if len(cards) <= self.players:
            return state._replace(cards=cards)
        waiting = tuple(seat for seat in range(self.players) if seat not in state.folded)
        return state._replace(cards=cards, rounds=(*state.rounds, ""), waiting=waiting)

    def _winners(self, state: LeducState) -> list[int]:
        rivals = [seat for seat in range(self.players) if seat not in state.folded]
        if len(rivals) == 1:
            return rivals
        public = state.cards[-1] // 2
        ranks = {seat: state.cards[seat] // 2 for seat in rivals}
        strength = {seat: (rank == public, rank) for seat, rank in ranks.items()}
        return [seat for seat in rivals if strength[seat] == max(strength.values())]
