"""Are stated probabilities worth anything? Proper scores, reliability, and errors that respect games.

Forecasts about players of one game are not independent: there is a fixed number of wolves, and one lie misleads all.
Every standard error here can therefore be taken over groups (games), as in Liang and Zeger (1986).
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gamebalance.base.checks import shown, whole_number
from gamebalance.base.estimates import Estimate
from gamebalance.base.intervals import interval
from gamebalance.base.rounding import meant
from gamebalance.base.sums import vanishing
from gamebalance.multiplayer.protocols import SUM_TOLERANCE

if TYPE_CHECKING:
    import pandas

#: The most bins of a reliability curve or a decomposition.
MOST_BINS = 1_000_000


class BrierParts(NamedTuple):
    """Brier score = reliability - resolution + uncertainty + within_bins (Murphy 1973).

    `within_bins` is what binning unequal forecasts leaves over (Stephenson, Coelho and Jolliffe 2008).
    """

    reliability: float
    resolution: float
    uncertainty: float
    within_bins: float

    @property
    def score(self) -> float:
        return self.reliability - self.resolution + self.uncertainty + self.within_bins


def clustered_mean(values: Sequence[float], groups: Sequence[Any] | None = None) -> Estimate:
    """Mean of `values`, with a standard error that allows any dependence within a group, by default of one case.

    Its variance is G / (G - 1) times the sum over the G groups of the squared total deviation, over the squared number
    of cases.
    """
    values = np.asarray(values, dtype=float)
    groups = np.arange(len(values)) if groups is None else np.asarray(groups)
    if values.ndim != 1 or len(values) == 0 or groups.shape != values.shape:
        raise ValueError(f"groups: one entry for each of {values.size} cases is needed, not shape {groups.shape}")
    mean, place = float(values.mean()), np.unique(groups, return_inverse=True)[1]
    size = place.max() + 1
    if size < 2 or not np.isfinite(mean):
        return Estimate(mean, float("nan"))
    totals = np.bincount(place, weights=vanishing(values - mean, np.abs(values).max()))
    return Estimate(mean, float(np.sqrt(size / (size - 1) * (totals**2).sum()) / len(values)))


def log_loss(probabilities: Any, outcomes: Sequence[int], groups: Sequence[Any] | None = None) -> Estimate:
    """Mean of -log2 of the probability, shape (cases, classes), given to what happened, in bits; infinite after a 0."""
    forecasts, truth = _forecasts(probabilities, outcomes)
    with np.errstate(divide="ignore"):
        return clustered_mean(-np.log2(forecasts[truth.astype(bool)]) + 0.0, groups)


def brier_score(probabilities: Any, outcomes: Sequence[int], groups: Sequence[Any] | None = None) -> Estimate:
    """Mean squared distance between forecast and truth, summed over the classes: 0 best, 2 worst (Brier 1950)."""
    forecasts, truth = _forecasts(probabilities, outcomes)
    return clustered_mean(((forecasts - truth) ** 2).sum(axis=1), groups)


def brier_decomposition(probabilities: Any, outcomes: Sequence[int], bins: int | None = None) -> BrierParts:
    """The Brier score taken apart, summed over classes and the bins of `reliability_curve`, or of equal forecasts."""
    forecasts, truth = _forecasts(probabilities, outcomes)
    parts = []
    for stated, happened in zip(forecasts.T, truth.T, strict=True):
        place = np.unique(_bins(stated, bins), return_inverse=True)[1]
        count, base = np.bincount(place), happened.mean()
        forecast, frequency = (np.bincount(place, weights=values) / count for values in (stated, happened))
        spread, rest = stated - forecast[place], happened - frequency[place]
        within = (spread**2).mean() - 2 * (spread * rest).mean()
        reliability = (count * (forecast - frequency) ** 2).sum() / len(stated)
        resolution = (count * (frequency - base) ** 2).sum() / len(stated)
        parts.append(vanishing([reliability, resolution, base * (1 - base), within], 1))
    return BrierParts(*np.sum(parts, axis=0).tolist())


def reliability_curve(
    probability: Sequence[float], happened: Sequence[bool], bins: int = 10, groups: Sequence[Any] | None = None
) -> "pandas.DataFrame":
    """Stated probability against frequency, a row for each of equal bins of [0, 1] that hold any.

    ``low`` and ``high`` are the Wilson 95% interval of the frequency, as if cases were independent; ``error`` is the
    standard error of frequency less forecast, over groups. A forecast on the edge between two bins belongs to the
    upper.
    """
    import pandas

    stated, happened = np.asarray(probability, dtype=float), np.asarray(happened, dtype=float)
    if stated.ndim != 1 or stated.shape != happened.shape or len(stated) == 0:
        raise ValueError(f"probability: one for each of {happened.size} cases is needed, not shape {stated.shape}")
    if not ((stated >= -SUM_TOLERANCE) & (stated <= 1 + SUM_TOLERANCE)).all():  # rounding is no offence
        raise ValueError("probability: numbers from 0 to 1 are needed")
    if not np.isin(happened, (0, 1)).all():
        raise ValueError(f"happened = {shown(happened.tolist())}: True or False (1 or 0) is needed for each")
    stated = stated.clip(0, 1)
    place, whose = _bins(stated, bins), np.arange(len(stated)) if groups is None else np.asarray(groups)
    if whose.shape != stated.shape:
        raise ValueError(f"groups: one entry for each of {len(stated)} cases is needed, not shape {whose.shape}")
    rows = []
    for inside in (place == number for number in np.unique(place)):
        hits, count = int(happened[inside].sum()), int(inside.sum())
        low, high = interval(hits, count, 0.95, "wilson")
        gap = clustered_mean(happened[inside] - stated[inside], whose[inside])
        rows.append((stated[inside].mean(), hits / count, count, low, high, gap.error))
    return pandas.DataFrame(rows, columns=["forecast", "frequency", "count", "low", "high", "error"])


def expected_calibration_error(probability: Sequence[float], happened: Sequence[bool], bins: int = 10) -> float:
    """Mean distance between stated probability and frequency over equal bins, by cases; with few, too large."""
    curve = reliability_curve(probability, happened, bins)
    count = curve["count"].to_numpy()
    return float((count * np.abs(curve["frequency"] - curve["forecast"])).sum() / count.sum())


def _forecasts(probabilities: Any, outcomes: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """Both as tables of floats, shape (cases, classes): 1 for what happened."""
    forecasts, truth = np.asarray(probabilities, dtype=float), np.asarray(outcomes)
    if forecasts.ndim != 2 or truth.shape != forecasts.shape[:1] or len(truth) == 0:
        raise ValueError(f"probabilities: a row for each of {truth.size} outcomes is needed, not {forecasts.shape}")
    if not (forecasts >= 0).all() or not (np.abs(forecasts.sum(axis=1) - 1) <= SUM_TOLERANCE).all():
        worst = int(np.argmax(np.abs(forecasts.sum(axis=1) - 1)))
        raise ValueError(f"probabilities[{worst}] = {shown(forecasts[worst].tolist())}: 0 or more, sum 1, are needed")
    if not np.issubdtype(truth.dtype, np.integer) or truth.min() < 0 or truth.max() >= forecasts.shape[1]:
        raise ValueError(f"outcomes: numbers of classes, 0 to {forecasts.shape[1] - 1}, are needed")
    return forecasts, np.eye(forecasts.shape[1])[truth]


def _bins(stated: np.ndarray, bins: int | None) -> np.ndarray:
    """Number of the bin of each forecast, rounded first: the last bits depend on the processor."""
    if bins is None:
        return np.unique(meant(stated, residue=1e-12), return_inverse=True)[1]
    whole_number("bins", bins, 1, MOST_BINS)
    return np.minimum(meant(stated * bins).astype(int), bins - 1)
