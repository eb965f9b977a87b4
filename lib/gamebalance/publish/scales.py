"""Logarithmic axes that lie in the same place on every processor.

matplotlib takes logarithms by numpy, whose last bits depend on the processor. A point on the edge of a pixel, as every
tick at a power of ten may be, then falls to one side or the other. Here they are rounded to twelve decimals first, far
below what a picture shows.
"""

import numpy as np
from matplotlib import scale

#: Decimals of a logarithm that are kept.
DECIMALS = 12


class _LogTransform(scale.LogTransform):
    def transform_non_affine(self, values):
        return np.round(super().transform_non_affine(values), DECIMALS)


class _SymmetricalLogTransform(scale.SymmetricalLogTransform):
    def transform_non_affine(self, values):
        return np.round(super().transform_non_affine(values), DECIMALS)


class LogScale(scale.LogScale):
    """matplotlib's "log"."""

    def __init__(self, *, base: float = 10, subs=None, nonpositive: str = "clip") -> None:
        super().__init__(base=base, subs=subs, nonpositive=nonpositive)
        self._transform = _LogTransform(base, nonpositive)


class SymmetricalLogScale(scale.SymmetricalLogScale):
    """matplotlib's "symlog"."""

    def __init__(self, *, base: float = 10, linthresh: float = 2, subs=None, linscale: float = 1) -> None:
        super().__init__(base=base, linthresh=linthresh, subs=subs, linscale=linscale)
        self._transform = _SymmetricalLogTransform(base, linthresh, linscale)


def register() -> None:
    """Make these the scales called "log" and "symlog"."""
    scale.register_scale(LogScale)
    scale.register_scale(SymmetricalLogScale)
