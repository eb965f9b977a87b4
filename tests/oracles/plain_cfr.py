"""CFR and CFR+ as a recursion over the game itself, to be read beside the papers."""

from collections.abc import Hashable
from math import prod

from gamebalance.multiplayer.protocols import CHANCE, OVER, ExtensiveGame


class PlainCFR:
    """Counterfactual regret minimisation without arrays; the game is not checked."""

    def __init__(self, game: ExtensiveGame, plus: bool = False):
        self.game, self.plus, self.iteration = game, plus, 0
        self.regrets, self.sums, self.strategy = {}, {}, {}

    def iterate(self) -> None:
        """One iteration: each player in turn adds up regrets, then matches them."""
        self.iteration += 1
        for player in range(self.game.players):
            met: set[Hashable] = set()
            self._value(self.game.start(), player, (1.0,) * (self.game.players + 1), met)
            for information in met:
                positive = {move: max(regret, 0.0) for move, regret in self.regrets[information].items()}
                self.strategy[information] = _scaled(positive)
                if self.plus:
                    self.regrets[information] = positive

    def average_strategy(self) -> dict[Hashable, dict[Hashable, float]]:
        """The average so far; uniform where a player never played towards an information set."""
        return {information: _scaled(sums) for information, sums in self.sums.items()}

    def _value(self, state, player: int, reach: tuple[float, ...], met: set[Hashable]) -> float:
        """What the player gets from here; regrets are added on the way. The reach of chance stands last."""
        game = self.game
        if game.mover(state) == OVER:
            return game.payoffs(state)[player]
        mover, moves = game.mover(state), game.moves(state)
        if mover == CHANCE:
            information, chances = None, moves
        else:
            information = game.information(state)
            for table, first in ((self.regrets, 0.0), (self.sums, 0.0), (self.strategy, 1 / len(moves))):
                table.setdefault(information, dict.fromkeys(moves, first))
            chances = self.strategy[information]
        values = {}
        for move, chance in chances.items():
            further = list(reach)
            further[mover] *= chance  # CHANCE is -1: the last place
            values[move] = self._value(game.play(state, move), player, tuple(further), met)
        value = sum(chance * values[move] for move, chance in chances.items())
        if mover == player:
            met.add(information)
            others = prod(reach[:player]) * prod(reach[player + 1 :])
            weight = (self.iteration if self.plus else 1) * reach[player]
            for move, chance in chances.items():
                self.regrets[information][move] += others * (values[move] - value)
                self.sums[information][move] += weight * chance
        return value


def _scaled(numbers: dict[Hashable, float]) -> dict[Hashable, float]:
    total = sum(numbers.values())
    return {move: number / total if total > 0 else 1 / len(numbers) for move, number in numbers.items()}
