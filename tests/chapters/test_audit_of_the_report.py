"""The audit of the report: one verdict at a time, and what its numbers and labels are made of.

Chapter A.1, which runs with these tests, judges every printed number, and asserts that none is left unexplained.
"""

from itertools import product
from math import isnan

import pandas as pd
import pytest

from chapters.audit_of_the_report import (
    DEFECTS,
    LIMIT,
    NAMES,
    judge_numbers,
    shares_of_change,
)

KEY = ("Table 0", "made up")


def one_verdict(number, published_as, correct, error=None, sampling=None, causes=None, unit=0.01, repaired=None):
    """The verdict on a single made-up number; what is not given is left out."""
    frame = pd.DataFrame([(*KEY, number, unit)], columns=["place", "quantity", "printed", "unit"])
    right, errors, spread, same_games = (
        {} if given is None else {KEY: given} for given in (correct, error, sampling, repaired)
    )
    moved = {defect: {KEY: effect} for defect, effect in (causes or {}).items()}
    (row,) = judge_numbers(frame, {KEY: published_as}, right, errors, spread, moved, same_games).to_dict("records")
    assert (row["place"], row["quantity"], row["printed"], row["as published"]) == (*KEY, number, published_as)
    assert (isnan(row["correct"]) and isnan(row["s.e."])) if correct is None else row["correct"] == correct
    return row["verdict"]


def words(*causes):
    """The verdict that names these causes, in this order."""
    return f"wrong: {', '.join(NAMES[cause] for cause in causes)}"


#: By how many units the emulation, or the right value, is off; the verdict, or the word it starts with.
OFF = {0: "reproduces", 0.5: "reproduces", 0.51: "rounding", 1.49: "rounding", 1.51: "unexplained"}
RIGHT_VALUE_OFF = {0.5: "reproduces", 0.51: "wrong", 100: "wrong"}


def test_digits_of_a_number_without_errors():
    """Half a unit is how a number may be rounded, whichever way, in the emulation as in the right value."""
    for sign, unit in product((-1, 1), (0.01, 1)):
        for off, verdict in OFF.items():
            assert (off, one_verdict(20, 20 + sign * off * unit, 20, unit=unit)) == (off, verdict)
        for off, start in RIGHT_VALUE_OFF.items():
            assert (off, one_verdict(20, 20, 20 + sign * off * unit, unit=unit).split(":")[0]) == (off, start)
    assert one_verdict(20, 20.3, 25) == one_verdict(20, 20.01, 25) == "unexplained"  # neither emulated nor right


def test_right_within_so_many_standard_errors():
    """Of our number and of the report's together; half a digit for rounding comes on top."""
    for error, sampling, spread in ((3, None, 3), (None, 4, 4), (3, 4, 5)):
        least = 0.5 + LIMIT * spread
        for published_as, inside, outside in ((700, "reproduces", "wrong"), (701, "rounding", "unexplained")):
            for off, start in ((least - 0.001, inside), (least + 0.001, outside)):
                verdict = one_verdict(700, published_as, 700 - off, error, sampling, unit=1)
                assert (error, sampling, off, verdict.split(":")[0]) == (error, sampling, off, start)


def test_causes_are_named_by_size_and_only_if_they_matter():
    """Half a unit is 0.005; the sign of an effect is of no matter, nor the order in which the causes come."""
    causes = {"cards_spent": 0.0051, "ghost_turn": -3.0, "integer_mass": 0.0049, "integer_points": 0.7}
    named = words("ghost_turn", "integer_points", "cards_spent")
    assert one_verdict(20, 20, 25, causes=causes) == named
    assert one_verdict(20, 20, 25, causes=dict(reversed(causes.items()))) == named
    assert one_verdict(20, 20, 25, causes=dict.fromkeys(DEFECTS, -0.0049)) == "wrong: the defects together"
    assert one_verdict(20, 20, 20, causes={"ghost_turn": 9.0}) == "reproduces"
    assert one_verdict(20, 20.3, 20, causes={"ghost_turn": 9.0}) == "unexplained"


def test_shares_of_a_change_that_is_not_additive():
    """Worked out over the six orders, (1 + 1 + 3 + 7 + 3 + 3) / 6 and so on, whatever the value without defects."""
    cards, ghost, mass = DEFECTS
    change = {(): 0, (cards,): 1, (ghost,): 2, (mass,): 4, (cards, ghost): 5, (cards, mass): 11, (ghost, mass): 9}
    shares = shares_of_change({names: 100 + value for names, value in {**change, DEFECTS: 12}.items()})
    assert shares["alone"].tolist() == pytest.approx([1, 2, 4])
    assert shares["last"].tolist() == pytest.approx([12 - 9, 12 - 11, 12 - 5])
    assert shares["mean"].tolist() == pytest.approx([3, 2.5, 6.5])


# --- what the numbers are made of ---

BOTH_ALIVE, RENEGADE_ALONE, NEVER = (1, 1, 0, 0), (0, 0, 0, 1), (0, 0, 1, 0)
