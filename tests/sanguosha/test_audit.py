"""The audit of the report: its numbers gathered, and a verdict on each.

Which numbers are wrong, and why, is written down here by hand; the audit has to find the same.
"""

from itertools import product
from math import isnan, sqrt

import pandas as pd
import pytest
from scipy import stats

from chapters.sanguosha.audit import (
    DEFECTS,
    LIMIT,
    NAMES,
    expected_errors,
    expected_numbers,
    judge_numbers,
    printed_numbers,
    replayed_numbers,
    sampling_errors,
    transfer_numbers,
)
from chapters.sanguosha.printed_tables import printed_outcomes, rows_of
from gamebalance.as_published import SCORES_AS_PRINTED
from gamebalance.publish import published
from gamebalance.sanguosha import LINEUPS, Outcomes
from tests.sanguosha.audit_inputs import (
    BOTH_ALIVE,
    FILES,
    FOUR,
    NEVER,
    RENEGADE_ALONE,
    TABLES_OF,
    endings,
    gathered_by_hand,
    inputs,
    line_of,
    lines_of,
    printed,
    replays,
    right,
    solved,
    verdicts,
)
from tests.sanguosha.known import DIVISORS, ROLES, SEATINGS

# --- the printed numbers ---


def test_every_printed_number_is_there_once_in_its_place_and_with_its_unit():
    """The unit is that of the last written digit: 3.30 is written to a hundredth, 348 to one."""
    by_hand, frame = gathered_by_hand(), printed()
    assert len(by_hand) == len(frame) == 281
    assert list(frame) == ["place", "quantity", "printed", "unit"]
    found = {(row.place, row.quantity): (row.printed, row.unit) for row in frame.itertuples()}
    units = {0: 1, 2: 0.01}
    assert found == {key: (float(text), units[len(text.partition(".")[2])]) for key, text in by_hand.items()}


def test_steps_that_are_the_same_in_two_seatings():
    """Taken once for each seating, not once for each number."""
    tables = {key: published(name) for key, name in FILES.items()}
    steps = printed_numbers({**tables, "1": tables["1"].assign(steps=300)}).query("quantity.str.endswith('steps')")
    assert list(steps["quantity"]) == [f"{seating}: steps" for seating in (*SEATINGS, "mean")]
    assert set(steps["printed"]) == {300}


def test_printed_counts_as_a_simulation():
    """Whatever the order of the file's rows and columns."""
    for line in LINEUPS:
        rows = [row for row in lines_of("6") if line_of(row) == str(line)]
        counts = {tuple(int(row[f"{role}s_alive"]) for role in ROLES): int(row["count"]) for row in rows}
        frame = rows_of(published(FILES["6"]), line)
        for given in (frame, frame.iloc[::-1, ::-1]):
            outcomes = printed_outcomes(line, given)
            assert outcomes.counts == counts and list(outcomes.counts) == sorted(counts)
            assert (outcomes.lineup, outcomes.games) == (line, 1_000_000)


# --- one verdict ---

KEY = ("Table 0", "made up")


def one_verdict(number, published_as, correct, error=None, sampling=None, causes=None, unit=0.01, repaired=None):
    """The verdict on a single made-up number; what is not given is left out."""
    frame = pd.DataFrame([(*KEY, number, unit)], columns=["place", "quantity", "printed", "unit"])
    errors, spread = ({} if given is None else {KEY: given} for given in (error, sampling))
    moved = {defect: {KEY: effect} for defect, effect in (causes or {}).items()}
    same_games = {} if repaired is None else {KEY: repaired}
    result = judge_numbers(frame, {KEY: published_as}, {KEY: correct}, errors, spread, moved, same_games)
    (row,) = result.to_dict("records")
    assert (row["place"], row["quantity"], row["printed"]) == (*KEY, number)
    assert (row["as published"], row["correct"], row["s.e."]) == (published_as, correct, error or 0)
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
    for error, sampling, spread in ((3, None, 3), (None, 4, 4), (3, 4, 5), (4, 3, 5), (0.0, 4, 4)):
        least = 0.5 + LIMIT * spread
        for published_as, inside, outside in ((700, "reproduces", "wrong"), (701, "rounding", "unexplained")):
            for off, start in ((least - 0.001, inside), (least + 0.001, outside)):
                for correct in (700 - off, 700 + off):
                    verdict = one_verdict(700, published_as, correct, error, sampling, unit=1)
                    assert (error, sampling, off, verdict.split(":")[0]) == (error, sampling, off, start)


def test_the_limit_is_as_large_as_the_number_of_tests_asks_for():
    """All of some 200 numbers pass by chance with probability 0.999, to two digits; 4 would not be enough."""
    assert 0.998 < (1 - 2 * stats.norm.sf(LIMIT)) ** 200 < 0.9995


def test_causes_are_named_by_size_and_only_if_they_matter():
    """Half a unit is 0.005; the sign of an effect is of no matter, nor the order in which the causes come."""
    causes = {"cards_spent": 0.0051, "ghost_turn": -3.0, "integer_mass": 0.0049, "integer_points": 0.7}
    named = words("ghost_turn", "integer_points", "cards_spent")
    assert one_verdict(20, 20, 25, causes=causes) == named
    assert one_verdict(20, 20, 25, causes=dict(reversed(causes.items()))) == named
    by_units = {"integer_mass": 0.6, "role_as_divisor": -0.51, "ghost_turn": 0.49}
    assert one_verdict(20, 20, 25, causes=by_units, unit=1) == words("integer_mass", "role_as_divisor")
    assert one_verdict(20, 20, 25) == "wrong: the defects together"
    assert one_verdict(20, 20, 25, causes=dict.fromkeys(DEFECTS, -0.0049)) == "wrong: the defects together"
    assert one_verdict(20, 20, 20, causes={"ghost_turn": 9.0}) == "reproduces"
    assert one_verdict(20, 20.3, 20, causes={"ghost_turn": 9.0}) == "unexplained"


def test_a_cause_that_concerns_other_numbers_is_not_named():
    keys = [("Table 0", "right"), ("Table 9", "wrong")]
    frame = pd.DataFrame([(*key, 5.0, 0.01) for key in keys], columns=["place", "quantity", "printed", "unit"])
    causes = {"cards_spent": {keys[0]: 1.0}, "integer_mass": {keys[1]: 1.0}}
    result = judge_numbers(frame, dict.fromkeys(keys, 5.0), {keys[0]: 5.0, keys[1]: 6.0}, {}, {}, causes, {})
    assert list(result) == ["place", "quantity", "printed", "as published", "correct", "s.e.", "verdict"]
    assert list(result["verdict"]) == ["reproduces", words("integer_mass")]


# --- the whole audit ---


def slips_that_show(line):
    """By the scoring rule: a divisor other than 1, two renegades. The first is the larger where both show.

    In 1-1-2-2, per million games: 7.5 points lost in 98561 games, half a point in 515781.
    """
    named = ["role_as_divisor"] * (DIVISORS[str(line)] != 1) + ["integer_points"] * (line.renegades == 2)
    return words(*named)


def expected_verdicts():
    """By place and quantity: what is wrong with the report, all else is to reproduce."""
    found = dict.fromkeys(gathered_by_hand(), "reproduces")
    for place, quantity in found:
        if place in ("Table 1", "Table 2", "Table 3", "§6.3") or quantity.startswith("probability transfer"):
            found[place, quantity] = "wrong: the defects together"
    for seating in ("0123", "0132", "0231", "0321"):  # below 0.005% indeed
        found["Table 1", f"{seating}: alive 0 0 1 1"] = "reproduces"
    for line in LINEUPS:
        if str(line) != "1-3-4-1":
            found[TABLES_OF[str(line)][1], "renegade: score"] = slips_that_show(line)
            found["Table 4", f"{line}: Rat"] = slips_that_show(line)
    found["Table 5", "monte carlo: renegade: score"] = found["Table 5", "monte carlo: Rat"] = words("role_as_divisor")
    return {key: "describes the run" if "steps" in key[1] else word for key, word in found.items()}


def test_verdict_on_every_number():
    """With our own games instead of exact values for five players and more: wrong by chance with probability 0.002.

    The numbers of steps have no right value: they say how the report's program ran.
    """
    frame = verdicts()
    found = dict(zip(zip(frame["place"], frame["quantity"], strict=True), frame["verdict"], strict=True))
    assert len(found) == len(frame) == 281
    assert found == expected_verdicts()


def test_a_number_of_iterations_is_never_called_wrong():
    """It has no right value: true of the run if the emulation counts as many, else unexplained, whatever is right."""
    frame = pd.DataFrame([(*KEY, 348, 1)], columns=["place", "quantity", "printed", "unit"])
    for counted, verdict in ((348, "describes the run"), (348.4, "describes the run"), (347, "unexplained")):
        (row,) = judge_numbers(frame, {KEY: counted}, {}, {}, {}, {}, {}).to_dict("records")
        assert row["verdict"] == verdict and isnan(row["correct"]) and isnan(row["s.e."])


def test_no_sampling_error_excuses_a_slip():
    """Whatever the errors are: the same games, counted rightly, give another number."""
    causes = {"integer_points": -0.14}
    assert one_verdict(20, 20, 20.14, 1.0, 1.0, causes, repaired=20.14) == words("integer_points")
    assert one_verdict(20, 20, 20.14, 1.0, 1.0, causes, repaired=20.004) == "reproduces"
    assert one_verdict(20, 20.01, 20, 1.0, 1.0, causes, repaired=20.014) == "rounding"


def test_a_changed_digit_is_unexplained():
    """Whichever printed number it is: the last digit but one."""
    for sign in (-1, 1):
        changed = printed().assign(printed=printed()["printed"] + 10 * sign * printed()["unit"])
        assert set(judge_numbers(changed, *inputs())["verdict"]) == {"unexplained"}


# --- what the numbers are made of ---

MADE_UP = Outcomes(FOUR, {RENEGADE_ALONE: 0.75, BOTH_ALIVE: 0.25}, games=10_000)


def test_the_three_have_the_same_keys():
    numbers, errors, sampling = (f(right(), endings()) for f in (expected_numbers, expected_errors, sampling_errors))
    assert set(numbers) == set(errors) == set(sampling) == set(replayed_numbers(replays(), SCORES_AS_PRINTED))
    transferred = set(transfer_numbers(solved(), dict.fromkeys(SEATINGS, 0)))
    assert transferred - set(transfer_numbers(solved())) == {
        ("Table 1", f"{seating}: steps") for seating in (*SEATINGS, "mean")
    }
    assert transferred.isdisjoint(numbers)
    assert transferred | set(numbers) == set(gathered_by_hand())


def test_errors_are_zero_where_exact_and_only_there():
    errors, sampling = expected_errors(right(), endings()), sampling_errors(right(), endings())
    exact = {key for key in errors if key[0] in ("Table 5", *TABLES_OF["1-1-1-1"]) or key[1].startswith("1-1-1-1: ")}
    assert len(exact) == 5 + 8 + 2 + 10
    assert {key for key, error in errors.items() if error == 0} == exact
    assert min(sampling.values()) > 0


def test_a_made_up_result_by_hand():
    """Lord and loyalist win with p = 1/4, the renegade otherwise; an ending that only the report has seen counts 0."""
    numbers = expected_numbers({"1-1-1-1": MADE_UP}, {"1-1-1-1": [BOTH_ALIVE, RENEGADE_ALONE, NEVER]})
    survival, scores = (25, 25, 0, 75), (6, 2.5, 0, 26.25)
    by_hand = {("Table 6", "alive 1 1 0 0"): 250_000, ("Table 6", "alive 0 0 0 1"): 750_000}
    by_hand["Table 6", "alive 0 0 1 0"] = 0
    for role, share, score in zip(ROLES, survival, scores, strict=True):
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
    by_name = {"1-1-1-1": MADE_UP}, {"1-1-1-1": [BOTH_ALIVE, RENEGADE_ALONE]}
    for found, games in ((expected_errors(*by_name), 10_000), (sampling_errors(*by_name), 1e6)):
        assert len(found) == 2 + 8 + 2 + 10
        for (place, quantity), error in found.items():
            name = place if place == "Table 6" else quantity.removeprefix("monte carlo: ").removeprefix("1-1-1-1: ")
            assert error == pytest.approx(sqrt(0.25 * 0.75 / games) * slope[name], rel=1e-9, abs=1e-12), quantity
    assert expected_errors({"1-1-1-1": MADE_UP}, {"1-1-1-1": [NEVER]})["Table 6", "alive 0 0 1 0"] == 0
