"""Bayes' rule over a finite set of hypotheses, deals of roles, and how an opponent plays, learned from its moves."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from copy import copy
from fractions import Fraction
from math import factorial, isfinite, log, log2, prod
from operator import mul
from typing import TYPE_CHECKING, Any

import numpy as np

from gamebalance.base.checks import all_different, function, in_memory, listed, number, shown, whole_number
from gamebalance.base.kinds import Rational, Real
from gamebalance.base.rounding import meant
from gamebalance.base.sums import dot
from gamebalance.base.tabled import Tabled, frame_by
from gamebalance.multiplayer.cfr.evaluate import plans
from gamebalance.multiplayer.cfr.tree import GameTree, Profile, set_chances
from gamebalance.multiplayer.protocols import check_probabilities

if TYPE_CHECKING:
    import pandas

#: An amount of information no larger than this, in bits, is what rounding leaves of none.
RESIDUE = 1e-12
#: The most assignments of roles that are listed, and the most players.
MOST_ASSIGNMENTS, MOST_PLAYERS = 1_000_000, 200


class Posterior(Tabled):
    """Probabilities of finitely many different hypotheses, of which exactly one is true; equal without a prior.

    It never changes: `observe` and `condition` answer new ones. It is `exact` as long as the prior and all likelihoods
    are rational; `probabilities`, by hypothesis, are a tuple of fractions then, else a read-only array.

    >>> urn = Posterior(["fair", "loaded"]).observe([Fraction(1, 6), Fraction(1, 2)], "a six")
    >>> urn["loaded"]
    Fraction(3, 4)
    """

    def __init__(self, hypotheses: Iterable[Hashable], prior: Sequence[Real] | None = None):
        self.hypotheses = tuple(listed("hypotheses", hypotheses))
        count = len(self.hypotheses)
        if count == 0 or not all_different(self.hypotheses):
            raise ValueError(f"hypotheses = {shown(self.hypotheses)}: at least one is needed, and none twice")
        weights: Sequence = [Fraction(1, count)] * count
        if prior is not None:
            weights = check_probabilities("prior", listed("prior", prior))
        if len(weights) != count:
            raise ValueError(f"prior = {shown(weights)}: one probability for each of {count} hypotheses is needed")
        exact = _rational(weights) and sum(weights) == 1
        self._set(tuple(map(_fraction, weights)) if exact else None, None if exact else _logarithms(weights))

    def _set(self, fractions: tuple[Fraction, ...] | None, logs: Any) -> "Posterior":
        """Exact probabilities, or else logarithms, the greatest near 0, of what is proportional to them."""
        self.exact, self._logs = fractions is not None, logs
        self.probabilities: Any = fractions
        if fractions is None:
            self.probabilities = np.exp(logs) / np.exp(logs).sum()
            self.probabilities.flags.writeable = False
        return self

    def __len__(self) -> int:
        return len(self.hypotheses)

    def __getitem__(self, hypothesis: Hashable) -> Any:
        """The probability of one hypothesis; `KeyError` if it is none of them."""
        try:
            return self.probabilities[self.hypotheses.index(hypothesis)]
        except ValueError:
            raise KeyError(hypothesis) from None

    def __repr__(self) -> str:
        best = self.most_likely()
        return f"Posterior({len(self)} hypotheses, most likely {shown(best)}: {float(self[best]):.4f})"

    def observe(self, likelihoods: Sequence[Real] | Callable[[Any], Real], name: str = "observation") -> "Posterior":
        """The posterior after an observation, called `name` in messages (Bayes' rule).

        `likelihoods`, of what was seen under each hypothesis, are a sequence or a function of the hypothesis; a factor
        common to all makes no difference. ValueError if all hypotheses that are still possible give it probability 0.
        """
        values = _checked(likelihoods, self.hypotheses, name)
        impossible = ValueError(f"{name}: has probability 0 under every hypothesis that was still possible")
        after = copy(self)
        if self.exact and _rational(values):
            if values[0] > 0 and values.count(values[0]) == len(values):  # nothing is learned
                return after
            joint = [own * _fraction(value) for own, value in zip(self.probabilities, values, strict=True)]
            total = sum(joint)
            if total == 0:
                raise impossible
            return after._set(tuple(weight / total for weight in joint), None)
        logs = (_logarithms(self.probabilities) if self.exact else self._logs) + _logarithms(values)
        if logs.max() == -np.inf:
            raise impossible
        return after._set(None, logs - logs.max())  # so that long histories do not underflow

    def condition(self, fact: Callable[[Any], bool], name: str = "fact") -> "Posterior":
        """The posterior once `fact`, a yes-or-no function of the hypothesis, is known to hold."""
        function(name, fact, "hypothesis")
        return self.observe([int(bool(fact(hypothesis))) for hypothesis in self.hypotheses], name)

    def marginal(self, of: int | Callable[[Any], Hashable]) -> dict:
        """Distribution of a function of the hypothesis, or of its entry `of` ("which role has player `of`?")."""
        answer: dict = {}
        for hypothesis, value in zip(self.hypotheses, self.probabilities, strict=True):
            key = of(hypothesis) if callable(of) else hypothesis[of]
            answer[key] = answer.get(key, 0) + value
        return answer

    def most_likely(self) -> Any:
        """The hypothesis with the highest probability; of several that agree to nine digits, the first."""
        return max(zip(self.hypotheses, meant(self.probabilities), strict=True), key=lambda pair: pair[1])[0]

    def entropy(self) -> float:
        """Uncertainty in bits: 0 if one hypothesis is certain."""
        return entropy(self.probabilities)

    def predict(self, channel: Sequence[Sequence[Real]]) -> list:
        """Probability of each outcome to come, a column of the channel; its rows are those under each hypothesis."""
        rows = [listed("channel row", row) for row in listed("channel", channel)]
        if len(rows) != len(self) or len({len(row) for row in rows}) != 1:
            raise ValueError(f"channel: {len(self)} rows of equal length are needed, one for each hypothesis")
        for place, row in enumerate(rows):
            check_probabilities(f"channel row {place}", row)
        weights = self.probabilities
        return [sum(map(mul, weights, column)) for column in zip(*rows, strict=True)]

    def information(self, channel: Sequence[Sequence[Real]]) -> float:
        """Shannon's mutual information in bits: the expected fall of the entropy; 0 up to `RESIDUE`."""
        before = entropy(self.predict(channel))
        known = sum(float(p) * entropy(row) for p, row in zip(self.probabilities, channel, strict=True))
        return before - known if before - known > RESIDUE else 0.0

    def to_frame(self) -> "pandas.DataFrame":
        """A row for each hypothesis, in their order: its probability."""
        return frame_by("hypothesis", {"probability": dict(zip(self.hypotheses, self.probabilities, strict=True))})

    def _about(self) -> str:
        how = "exact" if self.exact else "in floating point"
        return f"{len(self)} hypotheses, {how}: {self.entropy():.4g} bits of uncertainty"


def entropy(probabilities: Iterable[Any]) -> float:
    """Shannon entropy in bits, with 0 log 0 = 0."""
    return -sum(value * log2(value) for value in map(float, probabilities) if value > 0) + 0.0


def role_assignments(counts: Mapping[Hashable, int]) -> list[tuple]:
    """All assignments of roles to players, as tuples by player, if so many hold each role; in the order of `counts`."""
    left = {role: whole_number(f"counts[{role!r}]", count) for role, count in counts.items()}
    players = whole_number("sum of counts", sum(left.values()), 1, MOST_PLAYERS)
    count = factorial(players) // prod(map(factorial, left.values()))
    if count > MOST_ASSIGNMENTS:
        raise ValueError(f"counts = {shown(dict(counts))}: more than {MOST_ASSIGNMENTS} assignments")
    in_memory(f"counts = {shown(dict(counts))}", 8.0 * players * count)
    dealt: list[tuple] = [()]
    for _ in range(players):
        dealt = [(*roles, role) for roles in dealt for role, most in left.items() if roles.count(role) < most]
    return dealt


def _rational(values: Iterable) -> bool:
    return all(isinstance(value, Rational) for value in values)


def _fraction(value: Any) -> Fraction:
    """With Python's whole numbers, which have no largest one; numpy's overflow without a word."""
    return Fraction(int(value.numerator), int(value.denominator))


def _logarithms(values: Iterable[Any]) -> np.ndarray:
    """Of a fraction by its terms, as it may be too small for a float."""
    split = [_fraction(each).as_integer_ratio() if isinstance(each, Rational) else (each, 1) for each in values]
    return np.array([log(above) - log(below) if above else -np.inf for above, below in split])


def _checked(likelihoods: Any, hypotheses: tuple, name: str) -> list:
    """The likelihoods as plain numbers, one for each hypothesis."""
    if callable(likelihoods):
        function(name, likelihoods, "hypothesis")
        likelihoods = [likelihoods(known) for known in hypotheses]
    values = listed(name, likelihoods)
    if len(values) != len(hypotheses):
        raise ValueError(f"{name}: {len(values)} likelihoods for {len(hypotheses)} hypotheses")
    for value in values:
        if not isinstance(value, Real) or not isfinite(value) or value < 0:
            raise ValueError(f"{name}: likelihood {shown(value)}, a finite number, 0 or more, is needed")
    return values


#: The most that a prior may count for.
MOST_WEIGHT = 1e9


class TypeModel:
    """A posterior over declared types of one opponent, learned from its moves; models never change.

    `types` has the strategy of each type by its name; `prior` their probabilities, equal ones by default.

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
        """The strategy of an opponent, as `player`, who draws its type by the posterior before each game."""
        tree = GameTree.of(game)
        player, played = whole_number("player", player, 0, tree.players - 1), []
        own = [each for each in tree.information_sets if each.player == player]
        for way in self.types.values():
            strategy = np.zeros(tree.sequences)
            for each in own:
                strategy[each.sequences] = set_chances(each, _at(way, each.information))
            played.append(plans(tree, strategy))
        weighted, answer = dot(np.array(self.posterior.probabilities, float), np.array(played)), {}
        for each in own:
            total, predicted = weighted[each.sequences].sum(), self.predict(each.information)
            chances = zip(each.moves, weighted[each.sequences].tolist(), strict=True)
            answer[each.information] = {
                move: float(chance / total if total > 0 else predicted.get(move, 0)) for move, chance in chances
            }
        return answer


class CountModel:
    """Counts of an opponent's moves by information set, beside what was thought of it before; models never change.

    The moves at each information set have a Dirichlet prior: `toward`, as firmly as if it had been seen `weight` times.

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


def _at(strategy: Profile, information: Hashable) -> Mapping[Hashable, Any]:
    """The probabilities of the moves at an information set."""
    try:
        moves = strategy[information]
    except (KeyError, TypeError):  # nothing there, or no strategy
        moves = None
    if not isinstance(moves, Mapping):
        raise ValueError(f"information = {shown(information)}: {shown(strategy)} has no probabilities of moves there")
    check_probabilities("the strategy at {}", moves.values(), information)
    return moves
