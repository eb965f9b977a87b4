"""Which strategy does an opponent play? A posterior over declared types, and the counting that it replaces."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from math import inf, log2
from numbers import Rational, Real
from typing import Any

from gamebalance.base.checks import all_different, listed, number, shown
from gamebalance.multiplayer.beliefs.posterior import RESIDUE, Posterior
from gamebalance.multiplayer.protocols import check_probabilities

#: A strategy type: what the opponent knows -> probability of each action.
Strategy = Callable[[Any], Mapping[Hashable, Real]]


class OpponentModel:
    """A posterior over the names of declared strategy types, learned from actions."""

    def __init__(self, types: Mapping[str, Strategy], prior: Sequence[Real] | None = None):
        self._types = dict(types)
        self.posterior = Posterior(self._types, prior)

    def observe(self, action: Hashable, information: Any = None) -> "OpponentModel":
        """A new model, after the opponent took `action` where he knew `information`."""
        new = object.__new__(OpponentModel)
        new._types = self._types
        likelihoods = [self._action(name, information).get(action, 0) for name in self._types]
        new.posterior = self.posterior.observe(likelihoods, f"action {shown(action)} at {shown(information)}")
        return new

    def predict(self, information: Any = None) -> dict:
        """Probability of each action at `information`: the types' probabilities, mixed by the posterior."""
        answer: dict = {}
        for name, weight in zip(self._types, self.posterior.probabilities, strict=True):
            for action, value in self._action(name, information).items():
                answer[action] = answer.get(action, 0) + weight * value
        return answer

    def _action(self, name: str, information: Any) -> Mapping:
        actions = self._types[name](information)
        if not isinstance(actions, Mapping):
            raise ValueError(f"types[{name!r}] at {shown(information)} = {shown(actions)}: a mapping is needed")
        check_probabilities(f"types[{name!r}] at {shown(information)}", list(actions.values()))
        return actions


class CountModel:
    """Counting actions, without any types: each action's count begins at `pseudo_count`.

    Above 0 that is the posterior predictive of the Dirichlet-multinomial model (1 is Laplace's rule, 1/2 Jeffreys'); 0
    is the plain frequency, which predicts nothing before the first action and holds what it has not seen to be
    impossible.
    """

    def __init__(self, actions: Sequence[Hashable], pseudo_count: Real = 1):
        self.actions = tuple(listed("actions", actions))
        if not self.actions or not all_different(self.actions):
            raise ValueError(f"actions = {shown(self.actions)}: at least one is needed, and none twice")
        self.pseudo_count = number("pseudo_count", pseudo_count, 0)
        self.counts = dict.fromkeys(self.actions, 0)

    def observe(self, action: Hashable) -> "CountModel":
        """A new model with one more `action` counted; ValueError if it is none of the actions."""
        if action not in self.counts:
            raise ValueError(f"action = {shown(action)}: one of {', '.join(map(repr, self.actions))} is needed")
        new = CountModel(self.actions, self.pseudo_count)
        new.counts = self.counts | {action: self.counts[action] + 1}
        return new

    def predict(self) -> dict:
        """Probability of each action next time; ValueError if there is nothing to go by."""
        total = sum(self.counts.values()) + self.pseudo_count * len(self.actions)
        if total == 0:
            raise ValueError("pseudo_count = 0: nothing can be predicted before the first action")
        divide = Fraction if isinstance(self.pseudo_count, Rational) else lambda part, whole: part / whole
        return {action: divide(count + self.pseudo_count, total) for action, count in self.counts.items()}


def kullback_leibler(actual: Mapping[Hashable, Real], other: Mapping[Hashable, Real]) -> float:
    """Expected log-likelihood ratio per action, in bits (Kullback and Leibler 1951); 0 if equal to `RESIDUE`."""
    check_probabilities("actual", list(actual.values()))
    check_probabilities("other", list(other.values()))
    total = 0.0
    for action, value in actual.items():
        if value > 0:
            if not other.get(action, 0) > 0:
                return inf
            total += float(value) * log2(float(value) / float(other[action]))
    return total if total > RESIDUE else 0.0


def identification_speed(actual: Strategy, other: Strategy, situations: Mapping[Any, Real]) -> float:
    """Bits per action by which the odds for `actual` against `other` grow on average, if `actual` is true.

    `situations` says how often each piece of information comes up; that may not depend on the type.
    """
    check_probabilities("situations", list(situations.values()))
    parts = [(float(weight), kullback_leibler(actual(known), other(known))) for known, weight in situations.items()]
    return sum(weight * bits for weight, bits in parts if weight > 0)
