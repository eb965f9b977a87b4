"""The audit of the report: one verdict at a time, and what its numbers and labels are made of.

Chapter A.1, which runs with these tests, judges every printed number, and asserts that none is left unexplained.
"""

from functools import cache
from itertools import product
from math import isnan, sqrt

import pandas as pd
import pytest

from chapters.audit_of_the_report import (
    DEFECTS,
    LIMIT,
    NAMES,
    expected,
    judge_labels,
    judge_numbers,
    printed_numbers,
    shares_of_change,
)
from chapters.four_players_exactly import as_simulated
from gamebalance.publish import published
from gamebalance.sanguosha import Lineup, Outcomes
from tests.sanguosha.known import ROLES

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


def test_a_number_of_iterations_is_never_called_wrong():
    """It has no right value: true of the run if the emulation counts as many, else unexplained, whatever is right."""
    for counted, verdict in ((348, "describes the run"), (348.4, "describes the run"), (347, "unexplained")):
        assert one_verdict(348, counted, None, unit=1) == verdict


def test_no_sampling_error_excuses_a_slip():
    """Whatever the errors are: the same games, counted rightly, give another number."""
    causes = {"integer_points": -0.14}
    assert one_verdict(20, 20, 20.14, 1.0, 1.0, causes, repaired=20.14) == words("integer_points")
    assert one_verdict(20, 20, 20.14, 1.0, 1.0, causes, repaired=20.004) == "reproduces"
    assert one_verdict(20, 20.01, 20, 1.0, 1.0, causes, repaired=20.014) == "rounding"


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
MADE_UP = {"1-1-1-1": Outcomes(Lineup(1, 1, 1), {RENEGADE_ALONE: 0.75, BOTH_ALIVE: 0.25}, games=10_000)}


def test_a_made_up_result_by_hand():
    """Lord and loyalist win with p = 1/4, the renegade otherwise; an ending that only the report has seen counts 0."""
    numbers, _ = expected(MADE_UP, {"1-1-1-1": [BOTH_ALIVE, RENEGADE_ALONE, NEVER]})
    by_hand = {("Table 6", "alive 1 1 0 0"): 250_000, ("Table 6", "alive 0 0 0 1"): 750_000}
    by_hand["Table 6", "alive 0 0 1 0"] = 0
    for role, share, score in zip(ROLES, (25, 25, 0, 75), (6, 2.5, 0, 26.25), strict=True):
        for start, place in (("", "Table 7"), ("monte carlo: ", "Table 5")):
            by_hand[place, f"{start}{role}: survival"], by_hand[place, f"{start}{role}: score"] = share, score
    # Means 31.25% and 8.6875 points.
    bal = 100 * (2 * 0.0625**2 + 0.3125**2 + 0.4375**2)
    rat = 2.6875**2 + 6.1875**2 + 8.6875**2 + 17.5625**2
    for start, place in (("1-1-1-1: ", "Table 4"), ("monte carlo: ", "Table 5")):
        by_hand[place, f"{start}Bal"], by_hand[place, f"{start}Rat"] = bal, rat
    assert numbers == pytest.approx(by_hand, rel=1e-12)


def test_made_up_errors_by_hand():
    """Every number is a function of p, so its error is that of p times a slope.

    Bal = 3 p^2 - 2 p + 1 - (1 + p)^2 / 4 has the slope 5.5 p - 2.5; Rat has twice the scores' deviations times their
    slopes 12, 10, 0, -35.
    """
    deviations, slopes = (-2.6875, -6.1875, -8.6875, 17.5625), (12, 10, 0, -35)
    slope_of_rat = 2 * sum(d * s for d, s in zip(deviations, slopes, strict=True))
    slope = {"Table 6": 1e6, "Bal": 100 * abs(5.5 * 0.25 - 2.5), "Rat": abs(slope_of_rat)}
    slope |= {f"{role}: survival": 100 * abs(s) for role, s in zip(ROLES, (1, 1, 0, -1), strict=True)}
    slope |= {f"{role}: score": abs(s) for role, s in zip(ROLES, slopes, strict=True)}
    for outcomes, games in ((MADE_UP, 10_000), ({"1-1-1-1": as_simulated(MADE_UP["1-1-1-1"])}, 1e6)):
        _, found = expected(outcomes, {"1-1-1-1": [BOTH_ALIVE, RENEGADE_ALONE]})
        assert len(found) == 2 + 8 + 2 + 10
        for (place, quantity), error in found.items():
            name = place if place == "Table 6" else quantity.removeprefix("monte carlo: ").removeprefix("1-1-1-1: ")
            assert error == pytest.approx(sqrt(0.25 * 0.75 / games) * slope[name], rel=1e-9, abs=1e-12), quantity


# --- headings, titles and constants ---

#: The misprints of the report and what should stand there.
MISPRINTS = {
    ("Table 1", "heading of column 6"): "0321",
    ("Table 3", "heading of column 6"): "0321",
    ("Table 23", "title"): "10: 1 3 4 2",
    ("Appendix B", "number of peach cards"): "8",
    ("Appendix B", "number of weapon cards"): "7",
    ("Appendix B", "number of slash cards"): "30",
    ("Example 6.1", "health and dodges of the lord"): "2 2",
}
FILES = {
    "1": "table_1_final_states_by_seating",
    "2": "table_2_survival",
    "3": "table_3_expected_score_by_seating",
    "4": "table_4_balance_rationality",
    "5": "table_5_algorithm_comparison",
    "6": "tables_6_to_22_outcome_counts",
    "7": "tables_7_to_23_role_summary",
}


@cache
def printed():
    return printed_numbers({key: published(f"sanguosha_{name}") for key, name in FILES.items()})


def emulated():
    """What the programs give: the printed numbers, as chapter A.1 shows."""
    return {(row.place, row.quantity): row.printed for row in printed().itertuples()}


def labels(numbers=None):
    """By place and quantity: what each label should be, and which labels are others than printed."""
    frame = judge_labels(published("sanguosha_labels_and_constants"), printed(), numbers or emulated())
    wrong = frame[frame["verdict"] == "misprint"]
    return {(row.place, row.quantity): row.recomputed for row in wrong.itertuples()}


def test_the_misprints_are_found_and_nothing_else():
    assert labels() == MISPRINTS


def test_headings_and_titles_follow_the_numbers():
    """Exchanged columns are seen; a number that is off by half a digit belongs to nobody."""
    numbers = emulated()
    for (place, quantity), number in emulated().items():
        if place == "Table 1" and quantity.startswith("0132: "):
            other = place, quantity.replace("0132", "0231")
            numbers[other], numbers[place, quantity] = number, numbers[other]
        if place == "Table 9":
            numbers["Table 19", quantity], numbers[place, quantity] = number, numbers["Table 19", quantity]
    found = {("Table 1", "heading of column 2"): "0231", ("Table 1", "heading of column 4"): "0132"}
    found |= {("Table 9", "title"): "8: 1 2 3 2", ("Table 19", "title"): "5: 1 1 2 1"}
    assert labels(numbers) == MISPRINTS | found

    key = "Table 4", "1-2-3-1: Bal"
    for off, found in ((0.49, {}), (-0.51, {("Table 4", "line-up of row 5"): "nothing"})):
        assert labels(emulated() | {key: emulated()[key] + off * 0.01}) == MISPRINTS | found
