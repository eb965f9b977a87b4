"""Read charts as printed ones are made: up to which stack a hand is played."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np


class Limits(NamedTuple):
    """Up to which stack each hand is played.

    `stacks` are the greatest at which the hand is played at least half the time, 0 if there is none; `gaps` tells
    whether it is folded more than half the time at some smaller one.
    """

    stacks: np.ndarray
    gaps: np.ndarray


def limits(stacks: Sequence[float], charts: np.ndarray) -> Limits:
    """Read charts, shape (stacks, hands), for several stacks, ascending, the way printed ones are made."""
    stacks, charts = np.asarray(stacks, float), np.asarray(charts, float)
    if stacks.shape != charts.shape[:1] or not (np.diff(stacks, prepend=0) > 0).all():
        raise ValueError(f"stacks: {len(charts)} ascending numbers above 0, one for each chart, are needed")
    played = charts >= 0.5
    greatest = np.where(played, stacks[:, None], 0).max(axis=0)
    gaps = (~played & (stacks[:, None] < greatest)).any(axis=0)
    return Limits(greatest, gaps)
