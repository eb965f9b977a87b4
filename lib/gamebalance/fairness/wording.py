"""Chances, games and labels as sentences say them."""

from collections.abc import Hashable
from math import floor, log10

from gamebalance.base.rounding import at_least, meant
from gamebalance.base.rounding import at_most as no_less


def percent(share: float) -> str:
    """A share in percent, to a tenth."""
    return f"{100 * share:.1f}"


def confidence(risk: float) -> str:
    """In percent, how often something is right that is wrong so seldom; two digits of that."""
    return f"{100 - float(f'{100 * risk:.2g}'):.9g}"


def points(margin: float) -> str:
    """A difference of chances."""
    return f"{100 * margin:.6g} percentage point{'s' * (margin != 0.01)}"


def games(count: int, more: str = "") -> str:
    """A number of games."""
    return f"{count:,} {more}game{'s' * (count != 1)}"


def named(kind: str, label: Hashable) -> str:
    """A label; a number with what it is a number of."""
    return f"{kind} {label}" if str(label).isdecimal() else str(label)


def often(chance: float) -> str:
    """How often something happens."""
    if chance >= 0.995:
        return "nearly always"
    if chance >= 0.00995:
        return f"in {100 * chance:.0f} of 100 cases"
    return "in less than 1 of 100,000 cases" if chance < 1e-5 else f"in {meant(chance * 10_000, 2):g} of 10,000 cases"


def p_value(value: float, limit: float) -> str:
    """A p-value and its limit."""
    return f"p = {value:.3g}, limit {limit:.3g}"


def at_most(chance: float) -> str:
    """A bound of a chance in words, rounded up."""
    if chance < 1e-5:
        return "in less than 1 of 100,000 cases"
    often, cases = (100 * chance, "100") if chance >= 0.01 else (10_000 * chance, "10,000")
    return f"in at most {no_less(often, 1 - floor(log10(often))):g} of {cases} cases"


def three_digits_down(value: float) -> str:
    """A number that is no larger."""
    return f"{at_least(value, 2 - floor(log10(value))):g}"
