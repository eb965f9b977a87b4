"""The digits that are meant: the one place where numbers are rounded before they are compared, shown or written.

The last bits of a double depend on the processor: OpenBLAS picks its kernels by it, numpy has an exp and log of its own
for some. Nine significant digits do not, as long as the error of a computation stays well below them. So a number is
rounded here *before* it is binned, ranked, tested for a tie, shown or written; equal after rounding means equal.
"""

from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import Any

from gamebalance.base.checks import number, whole_number

#: Significant digits that are meant wherever nothing else is said.
DIGITS = 9


def meant(values: Any, digits: int = DIGITS, residue: float = 0.0) -> Any:
    """Return the values of a number, array, Series, frame, list or tuple rounded to the digits that are meant, 1 to 17.

    What is no float stays as it is, and so do nan and the infinities; halves are rounded by the exact value of the
    double. A number no larger than `residue` is 0: what is left of a difference that vanishes.

    Examples
    --------
    >>> meant(0.1 + 0.2), meant(0.3 - 0.1 - 0.2, residue=1e-15), meant([1 / 3, 7])
    (0.3, 0.0, [0.333333333, 7])
    """
    whole_number("digits", digits, 1, 17)
    return _rounded(values, f".{digits - 1}e", number("residue", residue, 0))


def bound(value: float, least: float = 1e-12) -> float:
    """Return the smallest power of ten that is no less than a bound, and no less than what rounding leaves.

    What an iteration or a difference that vanishes leaves over differs between processors in every digit; how small it
    is does not, and a bound that is rounded up still holds.

    Examples
    --------
    >>> bound(4.6e-12), bound(1e-9), bound(3e-16)
    (1e-11, 1e-09, 1e-12)
    """
    if value < 0 or not least > 0:
        raise ValueError(f"value = {value!r}, least = {least!r}: 0 or more, and more than 0, are needed")
    most = meant(max(float(value), float(least)) if value == value else float("nan"))
    if most != most or most == float("inf"):
        return most
    digits, power = format(most, ".8e").split("e")
    return float(f"1e{int(power) + (float(digits) > 1)}")


def at_most(value: float, decimals: int) -> float:
    """Return the smallest number with so many decimals that is no less, of what is meant by a value.

    A bound is rounded to its safe side, or the sentence around it is false.

    Examples
    --------
    >>> at_most(4.432, 1), at_most(-0.96, 1), at_most(0.1 + 0.2, 1), at_most(14, 0)
    (4.5, -0.9, 0.3, 14.0)
    """
    return _to_side(value, decimals, ROUND_CEILING)


def at_least(value: float, decimals: int) -> float:
    """Return the largest number with so many decimals that is no greater, of what is meant by a value.

    Examples
    --------
    >>> at_least(98.557, 1), at_least(-0.96, 1), at_least(12.3, 1)
    (98.5, -1.0, 12.3)
    """
    return _to_side(value, decimals, ROUND_FLOOR)


def _to_side(value: float, decimals: int, side: str) -> float:
    # Through the shortest text of what is meant: 0.3 is meant where the double lies a little above it.
    exact = Decimal(repr(float(meant(number("value", float(value))))))
    return float(exact.quantize(Decimal(1).scaleb(-decimals), side)) + 0.0


def _rounded(values: Any, form: str, residue: float) -> Any:
    if isinstance(values, float):  # numpy's double is one, too
        return type(values)(_round(values, form, residue))
    if isinstance(values, list | tuple):
        return type(values)(_rounded(value, form, residue) for value in values)
    if hasattr(values, "columns"):  # a data frame, whose columns may share a name
        columns = [_rounded(values.iloc[:, place], form, residue) for place in range(values.shape[1])]
        import pandas

        frame = pandas.concat(columns, axis=1) if columns else values.copy()
        frame.columns = values.columns
        return frame
    if hasattr(values, "iloc"):
        return _series(values, form, residue)
    # numpy is not imported for this: most callers have it already, and the command line starts without it.
    return _array(values, form, residue)[()] if hasattr(values, "ravel") else values


def _round(value: float, form: str, residue: float) -> float:
    # Python's formatting rounds the exact value of the double correctly, on every machine; + 0.0 turns -0.0 into 0.0.
    return 0.0 if abs(value) <= residue else float(format(value, form)) + 0.0


def _array(values: Any, form: str, residue: float) -> Any:
    import numpy as np

    if values.dtype.kind == "f":
        flat = [_round(value, form, residue) for value in values.ravel().tolist()]
        return np.array(flat, values.dtype).reshape(values.shape)
    if values.dtype == object:
        flat = np.empty(values.size, object)
        flat[:] = [_rounded(value, form, residue) for value in values.ravel()]
        return flat.reshape(values.shape)
    return values.copy()


def _series(values: Any, form: str, residue: float) -> Any:
    if values.dtype.kind == "f" and hasattr(values.dtype, "newbyteorder"):  # numpy's, not pandas' with missing values
        rounded = _array(values.to_numpy(), form, residue)
    elif values.dtype == object:
        rounded = _array(values.to_numpy(dtype=object), form, residue)
    else:
        return values.copy()
    return type(values)(rounded, index=values.index, name=values.name, dtype=values.dtype)
