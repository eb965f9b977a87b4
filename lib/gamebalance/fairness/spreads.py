"""Two measures of a game with roles: are the roles balanced, and are their scores reasonable?

Both are sums of squared deviations from the mean over the roles (not divided by their number): equations 5.1 and 5.2 of
the Sanguosha report, for any number of roles. Zero is perfect.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from gamebalance.base.checks import shown
from gamebalance.base.estimates import Estimate
from gamebalance.base.rounding import meant
from gamebalance.base.sums import dot
from gamebalance.base.tabled import Tabled

if TYPE_CHECKING:
    import pandas


def balance(survival: ArrayLike) -> float:
    """Bal: how far apart the chances of the roles to survive are, shape (roles,), each in [0, 1].

    The sum of squared deviations from the mean (equation 5.1 of the Sanguosha report, which prints it in percent), in
    [0, roles / 4]; 0 when all roles survive equally often. A ValueError says what is no such chance.

    Examples
    --------
    >>> balance([1, 1, 0, 0])
    1.0
    """
    array = _by_role("survival", survival)
    if array.min() < 0 or array.max() > 1:
        raise ValueError(f"survival = {shown(survival)}: probabilities from 0 to 1 are needed")
    return squared_deviations(array)


def rationality(scores: ArrayLike) -> float:
    """Rat: how far apart the expected scores of the roles are, shape (roles,), in points.

    The sum of squared deviations from the mean (equation 5.2 of the Sanguosha report), in points squared; 0 when all
    roles expect the same score. A ValueError says what are no two or more finite numbers.

    Examples
    --------
    >>> rationality([10, 10, 0, 0])
    100.0
    """
    return squared_deviations(_by_role("scores", scores))


def squared_deviations(values: np.ndarray) -> float:
    """The sum of squared deviations from the mean, which both are."""
    return float(np.square(values - values.mean()).sum())


def deviation_gradient(values: ArrayLike) -> np.ndarray:
    """Gradient of the sum of squared deviations, shape (roles,): the weights of the delta method for Bal and Rat."""
    array = _by_role("values", values)
    return 2 * (array - array.mean())


def _by_role(name: str, values: ArrayLike) -> np.ndarray:
    try:
        array = np.asarray(values, dtype=float)
    except (TypeError, ValueError, OverflowError):
        array = np.empty(0)
    if array.ndim != 1 or array.size < 2 or not np.isfinite(array).all():
        raise ValueError(f"{name} = {shown(values)}: one finite number for each role is needed, two or more")
    return array


@dataclass(frozen=True)
class Results(Tabled):
    """How often games end in each way.

    `probability` is by ending and sums to 1; `games` were counted, or None when it is exact; `moments`, shape (endings,
    endings), where a game is no single ending but a distribution over them, are the mean product of its shares of each
    two. What an ending gives is asked with a table of shape (endings, k): a row for each ending, in the order of
    `probability`; a column for each role, seat or side, or for whatever else has one value for each ending.

    Examples
    --------
    Of ten games the wolves won seven and the village three:

    >>> results = Results.of_counts({"wolves": 7, "village": 3})
    >>> print(*results.estimates([[1, 0], [0, 1]]), results.spread([[1, 0], [0, 1]]))
    0.70 ± 0.14 0.30 ± 0.14 0.08 ± 0.12
    """

    probability: Mapping[Hashable, float]
    games: int | None = None
    moments: np.ndarray | None = None

    @classmethod
    def of_counts(cls, counts: Mapping[Hashable, int]) -> "Results":
        """Results of games that were counted, by ending; at least one."""
        games = sum(counts.values())
        return cls({ending: count / games for ending, count in counts.items()}, games)

    @cached_property
    def _shares(self) -> np.ndarray:
        return np.array(list(self.probability.values()), float)

    def mean(self, table: ArrayLike) -> np.ndarray:
        """Mean of each column, shape (k,)."""
        return dot(self._shares, np.asarray(table, float))

    def standard_error(self, table: ArrayLike) -> np.ndarray:
        """Standard errors of `mean`, shape (k,); zeros when exact."""
        table = np.asarray(table, float)
        if self.games is None:
            return np.zeros(table.shape[1])
        apart = table - self.mean(table)
        if self.moments is None:
            return np.sqrt(dot(self._shares, np.square(apart)) / self.games)
        return np.sqrt(np.maximum((apart * dot(self.moments, apart)).sum(axis=0), 0) / self.games)

    def estimates(self, table: ArrayLike) -> tuple[Estimate, ...]:
        """Mean of each column with its standard error."""
        return tuple(map(Estimate, self.mean(table).tolist(), self.standard_error(table).tolist()))

    def spread(self, table: ArrayLike) -> Estimate:
        """Sum of squared deviations of the columns' means from their mean, as in Bal and Rat; delta method."""
        means = self.mean(table)
        influence = dot(np.asarray(table, float), deviation_gradient(means))
        return Estimate(squared_deviations(means), float(self.standard_error(influence[:, None])[0]))

    def to_frame(self) -> "pandas.DataFrame":
        """A row for each ending: its probability, and the standard error, 0 when exact."""
        import pandas

        endings = pandas.Index(list(self.probability), name="ending", tupleize_cols=False)
        each = np.eye(len(endings))
        return meant(pandas.DataFrame({"probability": self.mean(each), "error": self.standard_error(each)}, endings))

    def _headings(self) -> dict[str, str]:
        return {"error": "± (s.e.)"}

    def _about(self) -> str:
        return "How games end: " + ("exact" if self.games is None else f"{self.games:,} games")
