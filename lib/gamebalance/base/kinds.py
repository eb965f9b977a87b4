"""The kinds of numbers that arguments may be: at run time the abstract classes of `numbers`.

Type checkers know no number that is one of those, so they read what programs pass instead.
"""

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from fractions import Fraction

    import numpy as np

    Integral: TypeAlias = int
    Rational: TypeAlias = int | Fraction
    Real: TypeAlias = float | Fraction | np.integer | np.floating
else:
    from numbers import Integral, Rational, Real

__all__ = ["Integral", "Rational", "Real"]
