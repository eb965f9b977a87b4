"""Chances, games and labels as sentences say them."""

from collections.abc import Hashable

from gamebalance.base.rounding import meant


def percent(share: float) -> str:
    """A share in percent, to a tenth."""
    return f"{100 * share:.1f}"


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
