"""Refusing bad input in one clear line."""

from collections.abc import Collection, Iterable
from numbers import Integral

#: The largest tables that a call may make.
MOST_BYTES = 2 * 2**30


def whole_number(name: str, value, least: int = 0, most: int | None = None) -> int:
    """`value` as an int, if it is a whole number from `least` to `most`.

    Raises
    ------
    ValueError
        In one line that names the argument, the value and what is allowed; True and False are not numbers here.
    """
    fits = isinstance(value, Integral) and not isinstance(value, bool) and least <= value
    if not fits or (most is not None and value > most):
        limit = "2^63 - 1" if most == 2**63 - 1 else most
        allowed = f"a whole number, {least} or more," if most is None else f"a whole number from {least} to {limit}"
        raise ValueError(f"{name} = {shown(value)}: {allowed} is needed")
    return int(value)


def listed(name: str, values) -> list:
    """The entries of `values` as a list; ValueError, in one line, if it has no entries to list."""
    if not isinstance(values, Iterable):
        raise ValueError(f"{name} = {shown(values)}: a list is needed")
    return list(values)


def all_different(values: Collection) -> bool:
    """Whether all values are hashable and no two are equal."""
    try:
        return len(set(values)) == len(values)
    except TypeError:
        return False


def check_seed(seed) -> int:
    """`seed` as an int, if it is a whole number from 0 to 2^63 - 1; else ValueError."""
    return whole_number("seed", seed, 0, 2**63 - 1)


def one_of(name: str, value, allowed: Iterable[str]) -> str:
    """`value`, if it is one of the texts allowed.

    Raises
    ------
    ValueError
        In one line that names the argument, the value and what is allowed.
    """
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(f"{name} = {shown(value)}: one of {', '.join(map(repr, allowed))} is needed")
    return value


def in_memory(what: str, needed: float, most: int = MOST_BYTES) -> None:
    """Refuse, before it is begun, what needs more memory than is allowed.

    Parameters
    ----------
    what : str
        What is asked for, as it begins the message.
    needed, most : float
        Bytes.

    Raises
    ------
    ValueError
        In one line that names what is asked for, what it needs and what is allowed.
    """
    if needed > most:
        gib = 2**30
        raise ValueError(f"{what}: {needed / gib:.1f} GiB of memory are needed, {most / gib:.0f} GiB are allowed")


def shown(value, most: int = 60) -> str:
    """`value` as it would be typed, on one line and not too long."""
    text = " ".join(repr(value).split())
    return text if len(text) <= most else text[: most - 1] + "…"
