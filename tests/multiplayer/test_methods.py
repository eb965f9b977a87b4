"""The table of methods: every name in it exists, every test file too, and no public algorithm is missing."""

import inspect
from importlib import import_module
from pathlib import Path

import pytest

import gamebalance
from gamebalance.multiplayer import beliefs, cfr, cooperative, methods, normal_form, search
from gamebalance.multiplayer.cfr import team

TESTS = Path(__file__).parents[1]
BUILT = [each for each in methods.METHODS if each.module]

#: What is public beside the methods: makers of strategies and profiles, plain evaluations, parts of other rows.
NO_METHODS = {
    search: {"play_game", "layers"},
    normal_form: {"chain_moves", "four_cycle_gap", "guarantee", "mixed_agent", "pattern_agent", "predictor_replies",
                  "regret_bound", "repeated_play"},
    cfr: {"expected_value", "random_profile", "uniform_profile"},
    team: set(),
    cooperative.TUGame: {"coalitions", "convex_violation", "core_allocation", "excess", "subgame",
                         "superadditive_violation", "worth"},
    beliefs: {"assignment_count", "entropy"},
    beliefs.calibration: set(),
    beliefs.opponents: {"kullback_leibler"},
}  # fmt: skip


def resolved(name):
    """What a dotted name inside gamebalance stands for."""
    found = gamebalance
    for part in name.split("."):
        # A package may offer a function under the name of its module; then the function is meant.
        found = getattr(found, part) if hasattr(found, part) else import_module(f"{found.__name__}.{part}")
    return found


def public_functions(where):
    """All that a class or a package offers, and what a module defines itself."""
    found = {name for name, _ in inspect.getmembers(where, inspect.isfunction) if not name.startswith("_")}
    if inspect.isclass(where) or hasattr(where, "__all__"):
        return found & set(getattr(where, "__all__", found))
    return {name for name in found if getattr(where, name).__module__ == where.__name__}


@pytest.mark.parametrize("method", BUILT, ids=lambda each: each.name)
def test_a_method_stands_where_the_table_says(method):
    assert callable(resolved(method.module))
    texts = [(TESTS / file).read_text(encoding="utf-8") for file in method.tests]
    assert texts and any(method.module.rsplit(".", 1)[1] in text for text in texts)


def test_rows_are_short_and_their_status_is_one_of_few():
    names = [each.name for each in methods.METHODS]
    assert len(set(names)) == len(names) > 70
    for each in methods.METHODS:
        assert each.status in methods.STATUSES and 0 < len(each.verified) <= 90 and each.reference
        assert (each.status == methods.NOT_BUILT) == (not each.module) == each.verified.startswith("not built: ")
    assert {each.status for each in methods.METHODS} == set(methods.STATUSES)


@pytest.mark.parametrize("where", NO_METHODS, ids=lambda where: where.__name__)
def test_no_algorithm_is_missing(where):
    listed = {resolved(each.module) for each in BUILT}
    missing = {name for name in public_functions(where) if getattr(where, name) not in listed}
    assert missing == NO_METHODS[where]


def test_the_table_has_a_line_for_each():
    frame = methods.table()
    assert list(frame.columns) == ["method", "reference", "module", "how verified", "status"]
    assert list(frame["method"]) == [each.name for each in methods.METHODS]
    assert list(frame["status"]) == [each.status for each in methods.METHODS]
    assert frame.set_index("method").loc["BRS+", "module"] == "none"
    assert (frame.map(str) != "").all(axis=None)
