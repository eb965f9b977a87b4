"""How an opponent plays, learned from its moves in its information sets: among declared types, and by counting."""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from gamebalance.base.checks import number, shown, whole_number
from gamebalance.base.kinds import Real
from gamebalance.base.sums import dot
from gamebalance.multiplayer.beliefs.posterior import Posterior
from gamebalance.multiplayer.cfr.evaluate import plans
from gamebalance.multiplayer.cfr.tree import GameTree, InformationSet, Profile, set_chances
from gamebalance.multiplayer.protocols import check_probabilities

#: The most that a prior may count for.
MOST_WEIGHT = 1e9


class TypeModel:
    """A posterior over declared types of one opponent, learned from its moves; models never change.

    `types` has the strategy of each type, by its name: the probabilities of its moves by information set; `prior` the
    probability of each before the first move, equal ones by default.

    >>> from fractions import Fraction
    >>> types = {"bold": {"queen": {"b": Fraction(3, 4), "p": Fraction(1, 4)}}, "shy": {"queen": {"p": 1}}}
    >>> model = TypeModel(types).observe("queen", "p")
    >>> model.posterior["shy"], model.predict("queen")["b"]
    (Fraction(4, 5), Fraction(3, 20))
    """

    def __init__(self, types: Mapping[str, Profile], prior: Sequence[Real] | None = None):
        if not isinstance(types, Mapping):
            raise ValueError(f"types = {shown(types)}: a mapping of names to strategies is needed")
        self.types = dict(types)
        self.posterior = Posterior(self.types, prior)

    def __repr__(self) -> str:
        return f"TypeModel, {self.posterior!r}"

    def observe(self, information: Hashable, move: Hashable) -> "TypeModel":
        """A new model, after the opponent was seen to make a move where it knew `information`."""
        new = TypeModel(self.types)
        chances = [_at(strategy, information).items() for strategy in self.types.values()]
        likelihoods = [sum(chance for known, chance in each if known == move) for each in chances]
        new.posterior = self.posterior.observe(likelihoods, f"move {shown(move)} at {shown(information)}")
        return new

    def predict(self, information: Hashable) -> dict:
        """Probability of each move at `information`, once the opponent's earlier moves of this game are observed."""
        answer: dict = {}
        for weight, strategy in zip(self.posterior.probabilities, self.types.values(), strict=True):
            for move, chance in _at(strategy, information).items():
                answer[move] = answer.get(move, 0) + weight * chance
        return answer

    def profile(self, game: Any, player: int) -> dict[Hashable, dict[Hashable, float]]:
        """The strategy of an opponent, as `player`, who draws its type by the posterior before each game.

        A best response to it is one to the posterior. Where no type ever comes, the prediction stands.
        """
        tree = GameTree.of(game)
        own, ways = _sets(tree, player), np.zeros((len(self.types), tree.sequences))
        for row, way in zip(ways, self.types.values(), strict=True):
            for each in own:
                row[each.sequences] = set_chances(each, _at(way, each.information))
        chance = np.array([float(weight) for weight in self.posterior.probabilities])
        weighted = dot(chance, np.array([plans(tree, row) for row in ways]))
        answer = {}
        for each in own:
            chances, predicted = weighted[each.sequences], self.predict(each.information)
            answer[each.information] = {
                move: float(chance / chances.sum() if chances.sum() > 0 else predicted.get(move, 0))
                for move, chance in zip(each.moves, chances, strict=True)
            }
        return answer


class CountModel:
    """Counts of an opponent's moves by information set, beside what was thought of it before; models never change.

    The moves at each information set have a Dirichlet prior: `toward`, as firmly as if it had been seen `weight` times
    there. With 0 that is the plain frequency, which says nothing before the first move.

    >>> model = CountModel({"queen": {"b": 0.5, "p": 0.5}}, weight=2).observe("queen", "p").observe("queen", "p")
    >>> model.predict("queen")
    {'b': 0.25, 'p': 0.75}
    """

    def __init__(self, toward: Profile, weight: Real = 1):
        if not isinstance(toward, Mapping):
            raise ValueError(f"toward = {shown(toward)}: a strategy, a mapping of information sets, is needed")
        self.toward, self.weight = toward, number("weight", weight, 0, MOST_WEIGHT)
        self.counts: Counter = Counter()

    def __repr__(self) -> str:
        return f"CountModel, {sum(self.counts.values())} moves beside a prior of weight {self.weight:g}"

    def observe(self, information: Hashable, move: Hashable) -> "CountModel":
        """A new model with one more move counted; ValueError if `toward` does not name it there."""
        named = list(_at(self.toward, information))
        if move not in named:
            raise ValueError(f"move {shown(move)} at {shown(information)}: one that `toward` names, {shown(named)}")
        new = CountModel(self.toward, self.weight)
        new.counts = self.counts + Counter({(information, move): 1})
        return new

    def predict(self, information: Hashable) -> dict:
        """Probability of each move at `information`; ValueError if there is nothing to go by."""
        toward = _at(self.toward, information)
        total = self.weight + sum(self.counts[information, move] for move in toward)
        if total == 0:
            raise ValueError(f"weight = 0: nothing can be predicted at {shown(information)} before the first move")
        return {move: (self.counts[information, move] + self.weight * toward[move]) / total for move in toward}

    def profile(self, game: Any, player: int) -> dict[Hashable, dict[Hashable, float]]:
        """The predictions at all information sets of a player, as a strategy."""
        return {each.information: self.predict(each.information) for each in _sets(GameTree.of(game), player)}


def _at(strategy: Profile, information: Hashable) -> Mapping[Hashable, Any]:
    """The probabilities of the moves at an information set."""
    try:
        moves = strategy[information]
    except (KeyError, TypeError):  # nothing there, or no strategy
        moves = None
    if not isinstance(moves, Mapping):
        raise ValueError(f"information = {shown(information)}: {shown(strategy)} has no probabilities of moves there")
    check_probabilities(f"the strategy at {shown(information)}", moves.values())
    return moves


def _sets(tree: GameTree, player: int) -> list[InformationSet]:
    player = whole_number("player", player, 0, tree.players - 1)
    return [each for each in tree.information_sets if each.player == player]
