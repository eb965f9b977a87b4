"""Refusing bad input: each check gives its value back, or raises ValueError in one line.

The line names the argument, the value and what is allowed.
"""

import inspect
import re
from collections.abc import Callable, Collection, Hashable, Iterable
from dataclasses import fields
from math import inf
from typing import Any

from gamebalance.base.announce import say
from gamebalance.base.kinds import Integral, Real

#: The largest tables that a call may make.
MOST_BYTES = 2 * 2**30
#: The games of a seed are numbered from 0 to this; beyond it the same ones would come again.
MOST_GAMES = 2**63 - 1
#: The smallest risk of being wrong that is asked for; of smaller ones sums of floats tell nothing.
LEAST_RISK = 1e-12
#: More threads than this help nobody.
MOST_WORKERS = 1024
#: The longest that a call may take, on one core, as far as that can be told beforehand.
MOST_SECONDS = 2 * 86400
#: From so many seconds on it is announced.
LONG_SECONDS = 10


def whole_number(name: str, value, least: int = 0, most: int | None = None) -> int:
    """`value` as an int, if it is a whole number from `least` to `most`; True and False are not numbers here."""
    fits = isinstance(value, Integral) and not isinstance(value, bool) and least <= value
    if not fits or (most is not None and value > most):
        limit = "2^63 - 1" if most == 2**63 - 1 else most
        allowed = f"a whole number, {least} or more," if most is None else f"a whole number from {least} to {limit}"
        raise ValueError(f"{name} = {shown(value)}: {allowed} is needed")
    return int(value)


def number(name: str, value: Any, least: float = -inf, most: float = inf, inside: bool = False) -> Any:
    """`value`, if it is a finite number from `least` to `most`; neither of these two if `inside`."""
    if isinstance(value, Real) and not isinstance(value, bool) and abs(value) < inf:
        if least < value < most if inside else least <= value <= most:
            return value
    lower = f" above {least}" if inside else f", {least} or more," if least > -inf else ""
    allowed = f"a finite number{lower}" if most == inf else f"a number {'between' if inside else 'from'} {least} "
    allowed += "" if most == inf else f"{'and' if inside else 'to'} {most}"
    raise ValueError(f"{name} = {shown(value)}: {allowed} is needed")


def risk(value: Any) -> float:
    """`value` as the level of a test, the risk that it is wrong."""
    return float(number("level", number("level", value, 0, 1, inside=True), LEAST_RISK, 1))


def confidence(value: Any) -> float:
    """`value` as the level of an interval or a verdict, 1 less the risk that it is wrong."""
    return float(number("level", number("level", value, 0, 1, inside=True), 0, 1 - LEAST_RISK))


def listed(name: str, values) -> list:
    """The entries of `values` as a list, if it has any to list."""
    if not isinstance(values, Iterable):
        raise ValueError(f"{name} = {shown(values)}: a list is needed")
    return list(values)


def all_different(values: Collection) -> bool:
    """Whether all values are hashable and no two are equal."""
    try:
        return len(set(values)) == len(values)
    except TypeError:
        return False


def flag(name: str, value) -> bool:
    """`value` as a bool, if it is True or False."""
    import numpy as np  # here, since the command line starts without it

    if not isinstance(value, bool | np.bool_):
        raise ValueError(f"{name} = {shown(value)}: True or False is needed")
    return bool(value)


def instance(name: str, value: Any, kind: type | tuple[type, ...]) -> Any:
    """`value`, if it is of this class, or of one of these."""
    if not isinstance(value, kind):
        names = [each.__name__ for each in (kind if isinstance(kind, tuple) else (kind,))]
        wanted = " or ".join(f"an {each}" if each[0] in "AEIOU" else f"a {each}" for each in names)
        raise ValueError(f"{name} = {shown(value)}: {wanted} is needed")
    return value


def function(name: str, value: Any, given: str) -> Callable:
    """`value`, if it is a function that can be called with these arguments, such as "state, move"."""
    signature = other_signature(value, given) if callable(value) else ""
    if signature or not callable(value):
        other = f", and its arguments are {signature}" if signature else ""
        raise ValueError(f"{name} = {shown(value)}: a function ({given}) is needed{other}")
    return value


def check_progress(progress: Callable | None) -> Callable | None:
    """`progress`, if it is None or a function that can be told how much was done."""
    return None if progress is None else function("progress", progress, "done")


def other_signature(value: Callable, given: str) -> str:
    """The signature of a function that cannot be called with these arguments; nothing if it can, or does not say."""
    try:
        signature = inspect.signature(value, follow_wrapped=False)
    except (TypeError, ValueError):
        return ""
    try:
        signature.bind(*given.split(", ") if given else ())
    except TypeError:
        return str(signature)
    return ""


def check_fields(record, but: Collection[str] = ()) -> None:
    """Refuse a dataclass with a field that does not hold what its type says, or what can change; `but` these fields."""
    for name, kind in ((field.name, field.type) for field in fields(record) if field.name not in but):
        value, wanted = getattr(record, name), getattr(kind, "__name__", kind)
        if wanted == "bool" and not isinstance(value, bool):
            raise ValueError(f"{name} = {shown(value)}: True or False is needed")
        if wanted == "int":
            whole_number(name, value, -(2**63), 2**63 - 1)
        if wanted == "float":
            number(name, value)
        if wanted == "str" and not isinstance(value, str):
            raise ValueError(f"{name} = {shown(value)}: text is needed")
        if not isinstance(value, Hashable):
            raise ValueError(
                f"{name} = {shown(value)}: a value that cannot change is needed, such as a number or a tuple"
            )


def check_seed(seed) -> int:
    """`seed` as an int, if it is a whole number from 0 to 2^63 - 1."""
    return whole_number("seed", seed, 0, 2**63 - 1)


def check_workers(workers) -> int:
    """`workers` as an int, if it is a whole number from 1 to `MOST_WORKERS`."""
    return whole_number("workers", workers, 1, MOST_WORKERS)


def one_of(name: str, value, allowed: Iterable[str]) -> str:
    """`value`, if it is one of the texts allowed."""
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(f"{name} = {shown(value)}: one of {', '.join(map(repr, allowed))} is needed")
    return value


def in_memory(what: str, needed: float, most: int = MOST_BYTES) -> None:
    """Refuse, before it is begun, what needs more bytes of memory than are allowed; `what` begins the message."""
    if needed > most:
        unit, size = ("GiB", 2**30) if most >= 2**30 else ("MiB", 2**20)
        raise ValueError(
            f"{what}: {needed / size:,.1f} {unit} of memory are needed, {most / size:.0f} {unit} are allowed"
        )


def in_time(what: str, seconds: float, most: float = MOST_SECONDS) -> None:
    """Refuse, before it is begun, what takes longer on one core than anyone waits for; announce what takes long."""
    if seconds > most:
        raise ValueError(f"{what}: about {span(seconds)} on one core are needed, {span(most)} are allowed")
    if seconds >= LONG_SECONDS:
        say(f"{what}: this takes about {span(seconds)} on one core")


def span(seconds: float) -> str:
    """A time as people say it, to two digits."""
    for unit, length in (("years", 365.25 * 86400), ("days", 86400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * length:
            return f"{_two_digits(seconds / length)} {unit}"
    return f"{_two_digits(seconds)} seconds"


def _two_digits(number: float) -> str:
    return f"{number:.1f}" if number < 9.95 else f"{float(f'{number:.1e}'):,.0f}" if number < 1e6 else f"{number:.0e}"


def shown(value, most: int = 60) -> str:
    """`value` as it would be typed, on one line and not too long; without its place in memory, which tells nothing."""
    try:
        text = repr(value)
    except Exception:  # whatever a value may do that is shown: a whole number of 5,000 digits does not
        text = f"<{type(value).__name__}>"
    text = re.sub(r" at 0x[0-9a-fA-F]+", "", " ".join(text.split()))
    return text if len(text) <= most else text[: most - 1] + "…"
