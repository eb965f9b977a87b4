"""Bayes' rule over a finite set of hypotheses: exact for fractions, in logarithms for floats."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from fractions import Fraction
from math import isfinite, log, log2
from typing import TYPE_CHECKING, Any

import numpy as np

from gamebalance.base.checks import all_different, function, listed, shown
from gamebalance.base.kinds import Rational, Real
from gamebalance.base.rounding import meant
from gamebalance.base.tabled import Tabled, frame_by
from gamebalance.multiplayer.protocols import check_probabilities

if TYPE_CHECKING:
    import pandas

#: An amount of information no larger than this, in bits, is what rounding leaves of none.
RESIDUE = 1e-12


class Posterior(Tabled):
    """Probabilities of finitely many different hypotheses, of which exactly one is true; equal without a prior.

    An object never changes: `observe` and `condition` answer new ones. It is `exact`, in rational numbers, as long as
    the prior and all likelihoods are.

    >>> urn = Posterior(["fair", "loaded"]).observe([Fraction(1, 6), Fraction(1, 2)], "a six")
    >>> urn["loaded"]
    Fraction(3, 4)
    """

    def __init__(self, hypotheses: Iterable[Hashable], prior: Sequence[Real] | None = None):
        self.hypotheses = tuple(listed("hypotheses", hypotheses))
        count = len(self.hypotheses)
        if count == 0 or not all_different(self.hypotheses):
            raise ValueError(f"hypotheses = {shown(self.hypotheses)}: at least one is needed, and none twice")
        prior = [Fraction(1, count)] * count if prior is None else check_probabilities("prior", listed("prior", prior))
        if len(prior) != count:
            raise ValueError(f"prior = {shown(prior)}: one probability for each of {count} hypotheses is needed")
        self.exact = _rational(prior) and sum(prior) == 1
        self._set(tuple(map(_fraction, prior)) if self.exact else None, None if self.exact else _logarithms(prior))

    def _set(self, fractions: tuple | None, logs: np.ndarray | None) -> "Posterior":
        self._fractions, self._logs = fractions, logs
        if fractions is None:
            floats = np.exp(logs)  # `observe` keeps the greatest near 0
            floats /= floats.sum()
            floats.flags.writeable = False
            self._floats = floats
        self._place = None
        return self

    def _with(self, fractions: tuple | None, logs: np.ndarray | None) -> "Posterior":
        new = object.__new__(Posterior)
        new.hypotheses, new.exact = self.hypotheses, fractions is not None
        return new._set(fractions, logs)

    @property
    def probabilities(self) -> tuple[Fraction, ...] | np.ndarray:
        """Probability of each hypothesis: fractions where `exact`, else a read-only array."""
        return self._fractions if self.exact else self._floats

    def __len__(self) -> int:
        return len(self.hypotheses)

    def __getitem__(self, hypothesis: Hashable) -> Any:
        """The probability of one hypothesis; `KeyError` if it is none of them."""
        if self._place is None:
            self._place = {known: number for number, known in enumerate(self.hypotheses)}
        return self.probabilities[self._place[hypothesis]]

    def __repr__(self) -> str:
        best = self.most_likely()
        return f"Posterior({len(self)} hypotheses, most likely {shown(best)}: {float(self[best]):.4f})"

    def observe(self, likelihoods: Sequence[Real] | Callable[[Any], Real], name: str = "observation") -> "Posterior":
        """The posterior after an observation, called `name` in messages (Bayes' rule).

        `likelihoods`, of what was seen under each hypothesis, are a sequence or a function of the hypothesis; a factor
        common to all makes no difference. ValueError if all hypotheses that are still possible give it probability 0.
        """
        values = _checked(likelihoods, self.hypotheses, name)
        if self.exact and _rational(values):
            joint = [own * _fraction(value) for own, value in zip(self._fractions, values, strict=True)]
            total = sum(joint)
            if total == 0:
                raise _contradiction(name)
            return self._with(tuple(weight / total for weight in joint), None)
        logs = (_logarithms(self._fractions) if self.exact else self._logs) + _logarithms(values)
        top = logs.max()
        if top == -np.inf:
            raise _contradiction(name)
        return self._with(None, logs - top)  # so that long histories do not underflow; `_set` divides by the sum

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
        rows = _channel(channel, len(self))
        return [
            sum(p * row[place] for p, row in zip(self.probabilities, rows, strict=True))
            for place in range(len(rows[0]))
        ]

    def information(self, channel: Sequence[Sequence[Real]]) -> float:
        """Shannon's mutual information in bits: the expected fall of the entropy; 0 up to `RESIDUE`."""
        rows = _channel(channel, len(self))
        known = sum(float(p) * entropy(row) for p, row in zip(self.probabilities, rows, strict=True))
        before = entropy(self.predict(rows))
        return before - known if before - known > RESIDUE else 0.0

    def to_frame(self) -> "pandas.DataFrame":
        """A row for each hypothesis, in their order: its probability.

        Examples
        --------
        >>> Posterior(["fair", "loaded"]).to_frame()["probability"].tolist()
        [Fraction(1, 2), Fraction(1, 2)]
        """
        return frame_by("hypothesis", {"probability": dict(zip(self.hypotheses, self.probabilities, strict=True))})

    def _about(self) -> str:
        how = "exact" if self.exact else "in floating point"
        return f"{len(self)} hypotheses, {how}: {self.entropy():.4g} bits of uncertainty"


def entropy(probabilities: Iterable[Real]) -> float:
    """Shannon entropy in bits, with 0 log 0 = 0."""
    return -sum(value * log2(value) for value in map(float, probabilities) if value > 0) + 0.0


def _rational(values: Iterable) -> bool:
    return all(isinstance(value, Rational) for value in values)


def _fraction(value: Rational) -> Fraction:
    """With Python's whole numbers, which have no largest one; numpy's overflow without a word."""
    return Fraction(int(value.numerator), int(value.denominator))


def _logarithm(value: Real) -> float:
    if value == 0:
        return -np.inf
    if isinstance(value, Rational):  # a fraction may be too small for a float
        return log(int(value.numerator)) - log(int(value.denominator))
    return log(value)


def _logarithms(values: Iterable[Real]) -> np.ndarray:
    return np.array([_logarithm(value) for value in values])


def _contradiction(name: str) -> ValueError:
    return ValueError(f"{name}: has probability 0 under every hypothesis that was still possible")


def _checked(likelihoods: Any, hypotheses: tuple, name: str) -> list:
    """The likelihoods as plain numbers, one for each hypothesis."""
    if callable(likelihoods):
        function(name, likelihoods, "hypothesis")
    values = [likelihoods(known) for known in hypotheses] if callable(likelihoods) else listed(name, likelihoods)
    if len(values) != len(hypotheses):
        raise ValueError(f"{name}: {len(values)} likelihoods for {len(hypotheses)} hypotheses")
    for value in values:
        if not isinstance(value, Real) or not isfinite(value) or value < 0:
            raise ValueError(f"{name}: likelihood {shown(value)}, a finite number, 0 or more, is needed")
    return values


def _channel(channel: Sequence[Sequence[Real]], count: int) -> list[list]:
    rows = [listed("channel row", row) for row in listed("channel", channel)]
    if len(rows) != count or len({len(row) for row in rows}) != 1:
        raise ValueError(f"channel: {count} rows of equal length are needed, one for each hypothesis")
    for number, row in enumerate(rows):
        check_probabilities(f"channel row {number}", row)
    return rows
