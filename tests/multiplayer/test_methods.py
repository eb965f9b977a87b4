"""The table of methods: every name in it exists, and every promise is one of few."""

from importlib import import_module

import chapters
import gamebalance
from tests.multiplayer.test_multiplayer_cli import METHODS

#: What a method may promise. "exact": in whole numbers or fractions, or by counting; "exact to rounding": floats, or
#: iteration to a bound that is given with the result; "heuristic": a rule that promises nothing.
STATUSES = {
    "exact", "exact to rounding", "sampled, with standard error", "converges, NashConv reported", "lower bound",
    "heuristic", "not built",
}  # fmt: skip


def resolved(name):
    """What a dotted name inside gamebalance stands for; a function that a package offers goes before its module."""
    found = chapters if name.startswith("chapters.") else gamebalance
    for part in name.removeprefix("chapters.").split("."):
        found = getattr(found, part) if hasattr(found, part) else import_module(f"{found.__name__}.{part}")
    return found


def test_every_method_stands_where_the_table_says_and_promises_something_known():
    table = METHODS
    assert list(table.columns) == ["method", "reference", "module", "how verified", "status"]
    assert table["method"].is_unique and (table.map(len) > 0).all(axis=None)
    assert set(table["status"]) == STATUSES
    built = table["status"] != "not built"
    assert (built == (table["module"] != "none")).all()
    assert all(callable(resolved(name)) for name in table.loc[built, "module"])
