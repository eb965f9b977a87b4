"""Which strategy does an opponent play? A posterior over declared types, and the counting that it replaces."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from math import inf, log, log2
from numbers import Rational, Real
from typing import Any

from scipy.special import gammaln

from gamebalance._checks import all_different, listed, shown, whole_number
from gamebalance.multiplayer.beliefs.posterior import RESIDUE, Posterior
from gamebalance.multiplayer.protocols import check_probabilities

#: A strategy type: what the opponent knows -> probability of each action.
Strategy = Callable[[Any], Mapping[Hashable, Real]]


class OpponentModel:
    """A posterior over declared strategy types, learned from actions.

    Parameters
    ----------
    types : mapping of name to strategy
        A strategy is a function from the information at a decision to the probabilities of the actions there.
    prior : sequence, optional
        Probability of each type; all equal by default.

    Attributes
    ----------
    posterior : Posterior
        Over the names of the types.
    """

    def __init__(self, types: Mapping[str, Strategy], prior: Sequence[Real] | None = None):
        self._types = dict(types)
        self.posterior = Posterior(self._types, prior)

    def observe(self, action: Hashable, information: Any = None) -> "OpponentModel":
        """A new model, after the opponent took `action` where he knew `information`.

        Raises
        ------
        ValueError
            If no type that is still possible ever takes the action there.
        """
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
    """Counting actions, with a Dirichlet prior: the opponent's unknown action probabilities, without any types.

    Parameters
    ----------
    actions : sequence of hashable
        All actions that can occur.
    pseudo_count : int or float
        Added to the count of each action; 1 is Laplace's rule, 1/2 Jeffreys', 0 the plain frequency, which predicts
        nothing before the first action and holds what it has not seen to be impossible.
    counts : mapping, optional
        Actions seen so far.

    Notes
    -----
    With a pseudo-count above 0 this is the posterior predictive of the Dirichlet-multinomial model, so it is Bayesian;
    a plain frequency is not (it is the limit of no prior weight).
    """

    def __init__(self, actions: Sequence[Hashable], pseudo_count: Real = 1, counts: Mapping | None = None):
        self.actions = tuple(listed("actions", actions))
        if not self.actions or not all_different(self.actions):
            raise ValueError(f"actions = {shown(self.actions)}: at least one is needed, and none twice")
        if not isinstance(pseudo_count, Real) or not 0 <= pseudo_count < inf:
            raise ValueError(f"pseudo_count = {shown(pseudo_count)}: a number, 0 or more, is needed")
        self.pseudo_count = pseudo_count
        counts = dict(counts or {})
        if not counts.keys() <= set(self.actions):
            raise ValueError(f"counts = {shown(counts)}: counts of {shown(self.actions)} alone are needed")
        self.counts = {action: whole_number(f"counts[{action!r}]", counts.get(action, 0)) for action in self.actions}

    def observe(self, action: Hashable) -> "CountModel":
        """A new model with one more `action` counted; ValueError if it is none of the actions."""
        if action not in self.counts:
            raise ValueError(f"action = {shown(action)}: one of {', '.join(map(repr, self.actions))} is needed")
        return CountModel(self.actions, self.pseudo_count, self.counts | {action: self.counts[action] + 1})

    def predict(self) -> dict:
        """Probability of each action next time; ValueError if there is nothing to go by."""
        total = sum(self.counts.values()) + self.pseudo_count * len(self.actions)
        if total == 0:
            raise ValueError("pseudo_count = 0: nothing can be predicted before the first action")
        divide = Fraction if isinstance(self.pseudo_count, Rational) else lambda part, whole: part / whole
        return {action: divide(count + self.pseudo_count, total) for action, count in self.counts.items()}

    def log_evidence(self) -> float:
        """Logarithm to base 2 of the probability that the model gave, in advance, to the sequence that was seen.

        The Dirichlet-multinomial formula: with pseudo-count a, k actions and n observations, it is
        Gamma(k a) / Gamma(k a + n) times the product of Gamma(a + count) / Gamma(a).
        """
        if self.pseudo_count == 0:
            raise ValueError("pseudo_count = 0: a plain frequency gives no probability to a sequence")
        a, size, seen = float(self.pseudo_count), len(self.actions), sum(self.counts.values())
        value = gammaln(size * a) - gammaln(size * a + seen)
        value += sum(gammaln(a + count) - gammaln(a) for count in self.counts.values())
        return float(value / log(2))


def kullback_leibler(actual: Mapping[Hashable, Real], other: Mapping[Hashable, Real]) -> float:
    """Expected log-likelihood ratio, in bits, per action of an opponent who plays `actual`, against `other`.

    Kullback and Leibler (1951); infinite if `actual` does what `other` never does, 0 if they are equal
    (to `RESIDUE`).
    """
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
    """Bits per observed action by which the odds for `actual` against `other` grow on average, if `actual` is true.

    Parameters
    ----------
    actual, other : strategies
    situations : mapping of information to probability
        How often each situation comes up; it may not depend on the type.
    """
    check_probabilities("situations", list(situations.values()))
    parts = [(float(weight), kullback_leibler(actual(known), other(known))) for known, weight in situations.items()]
    return sum(weight * bits for weight, bits in parts if weight > 0)
