"""Cards by their letters, and all-in or fold one history at a time: what the arrays are tested against."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gamebalance.games.holdem import PushFold
from gamebalance.games.holdem.game import FOLD, PUSH
from gamebalance.multiplayer.protocols import CHANCE, OVER


def numbers(text: str) -> tuple[int, ...]:
    """The numbers of the cards in a text such as "As Kd 2c"."""
    return tuple(4 * "23456789TJQKA".index(rank) + "cdhs".index(suit) for rank, suit in text.split())


class History(NamedTuple):
    """The number of the deal, -1 before it, and what the seats have done so far: "p" is all-in, "f" is fold."""

    deal: int = -1
    actions: str = ""


@dataclass(frozen=True)
class ByHistory:
    """`PushFold` as an extensive game, as `protocols.ExtensiveGame` describes it."""

    game: PushFold

    @property
    def players(self) -> int:
        return self.game.players

    def start(self) -> History:
        return History()

    def mover(self, state: History) -> int:
        acted = len(state.actions)
        over = acted == self.players or (acted == self.players - 1 and PUSH not in state.actions)
        return CHANCE if state.deal < 0 else OVER if over else acted

    def moves(self, state: History) -> tuple | dict:
        return dict(enumerate(self.game.deals.weights)) if state.deal < 0 else (FOLD, PUSH)

    def play(self, state: History, move) -> History:
        return History(move) if state.deal < 0 else History(state.deal, state.actions + move)

    def information(self, state: History) -> tuple[str, str]:
        return self.game.deals.names[self.game.deals.hands[state.deal, len(state.actions)]], state.actions

    def payoffs(self, state: History) -> tuple[float, ...]:
        pushed = self.game.pushed(state.actions)
        won = self.game.deals.shares[state.deal, :, pushed] * self.game.pots[pushed]
        return tuple(float(chips) for chips in won - self.game.paid[:, pushed])


def action_values(game: PushFold, push: np.ndarray, player: int) -> np.ndarray:
    """`equilibrium.action_values`, walking all histories."""
    found, plain = np.zeros((2**player, len(game.deals.names), 2)), ByHistory(game)

    def walk(state: History, weight: float, path: tuple | None) -> None:
        if plain.mover(state) == OVER:
            # A big blind to whom all have folded does not act; both actions are worth the same there.
            ends = [path] if path else [(0, game.deals.hands[state.deal, player], action) for action in (0, 1)]
            for end in ends:
                found[end] += weight * plain.payoffs(state)[player]
            return
        seat, hand = len(state.actions), game.deals.hands[state.deal, len(state.actions)]
        chance = push[game.node(state.actions), hand]
        for action, move in enumerate(plain.moves(state)):
            likely = 1 if seat == player else chance if move == PUSH else 1 - chance
            own = (game.pushed(state.actions), hand, action) if seat == player else path
            walk(plain.play(state, move), weight * likely, own)

    for deal, weight in enumerate(game.deals.weights):
        walk(History(deal), weight, None)
    return found


def add_board(masks, hands, strengths, multiplicity, wins, ties) -> None:
    """`equity._add_board`: the showdowns of all pairs of disjoint hands on one board."""
    for first, second in np.ndindex(len(masks), len(masks)):
        if not masks[first] & masks[second]:
            table = wins if strengths[first] != strengths[second] else ties
            if strengths[first] <= strengths[second]:
                table[hands[first], hands[second]] += multiplicity
