"""The audit of the report: its numbers gathered, a verdict on each, the shares of the defects, the headings.

Which numbers are wrong, and why, is written down here by hand; the audit has to find the same.
"""

import csv
from functools import cache
from itertools import pairwise, product
from math import isnan, sqrt
from pathlib import Path

import pandas as pd
import pytest

from gamebalance.publish import published
from gamebalance.sanguosha import LINEUPS, Lineup, Outcomes, Scoring, simulate, solve_seatings
from gamebalance.sanguosha.outcomes import mean_outcomes
from gamebalance.studies.sanguosha.as_published import (
    AS_PRINTED,
    LAST_ROLES,
    REPAIRED,
    SCORES_AS_PRINTED,
    SCORES_REPAIRED,
    Replay,
)
from gamebalance.studies.sanguosha.audit import (
    DEFECTS,
    LIMIT,
    NAMES,
    SLIP_SETS,
    column_distance,
    defect_sets,
    effects,
    expected_errors,
    expected_numbers,
    judge_labels,
    judge_numbers,
    printed_numbers,
    replayed_numbers,
    sampling_errors,
    shares_of_change,
    slips_of_scores,
    transfer_numbers,
)
from gamebalance.studies.sanguosha.printed_tables import printed_outcomes, rows_of

from .test_as_published import printed_run
from .test_published import DIVISORS

DATA = Path(__file__).resolve().parents[2] / "data" / "published"
FILES = {
    "1": "sanguosha_table_1_final_states_by_seating",
    "2": "sanguosha_table_2_survival",
    "3": "sanguosha_table_3_expected_score_by_seating",
    "4": "sanguosha_table_4_balance_rationality",
    "5": "sanguosha_table_5_algorithm_comparison",
    "6": "sanguosha_tables_6_to_22_outcome_counts",
    "7": "sanguosha_tables_7_to_23_role_summary",
}

#: Where the report prints the counts and the summary of each line-up (lords, loyalists, rebels, renegades).
TABLES_OF = {
    "1-1-1-1": ("Table 6", "Table 7"),
    "1-1-2-1": ("Table 8", "Table 9"),
    "1-1-3-1": ("Table 10", "Table 11"),
    "1-1-2-2": ("Table 12", "Table 13"),
    "1-2-3-1": ("Table 14", "Table 15"),
    "1-2-4-1": ("Table 16", "Table 17"),
    "1-2-3-2": ("Table 18", "Table 19"),
    "1-3-4-1": ("Table 20", "Table 21"),
    "1-3-4-2": ("Table 22", "Table 23"),
}
ROLES = ("lord", "loyalist", "rebel", "renegade")
SEATINGS = ("0123", "0132", "0213", "0231", "0312", "0321")
FOUR = Lineup(1, 1, 1)
SEED = 6

BOTH_ALIVE, RENEGADE_ALONE = (1, 1, 0, 0), (0, 0, 0, 1)


def lines_of(key):
    """The rows of a printed file, every value as it is written."""
    with open(DATA / f"{FILES[key]}.csv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def line_of(row):
    return "-".join(row[column] for column in ("lords", "loyalists", "rebels", "renegades"))


def gathered_by_hand():
    """All printed numbers as written, by place and quantity; what a file repeats must be the same each time."""
    found = {}

    def note(place, quantity, text):
        assert found.setdefault((place, quantity), text) == text

    for row in lines_of("1"):
        note("Table 1", f"{row['seating']}: steps", row["steps"])
        note("Table 1", f"{row['seating']}: alive {' '.join(row['alive_pattern'])}", row["probability_percent"])
    for row in lines_of("2"):
        note("Table 2", f"{row['role']}: survival", row["survival_percent"])
    for row in lines_of("3"):
        note("Table 3", f"{row['seating']}: {row['role']}: score", row["expected_score"])
    for row in lines_of("4"):
        note("Table 4", f"{line_of(row)}: Bal", row["bal_percent"])
        note("Table 4", f"{line_of(row)}: Rat", row["rat"])
    for row in lines_of("5"):
        method = {"probability_transfer": "probability transfer", "monte_carlo": "monte carlo"}[row["algorithm"]]
        note("Table 5", f"{method}: {row['role']}: survival", row["survival_percent"])
        note("Table 5", f"{method}: {row['role']}: score", row["expected_score"])
        for measure, column in (("Bal", "bal_percent"), ("Rat", "rat")):
            note("Table 5", f"{method}: {measure}", row[column])
            if method == "probability transfer":
                note("§6.3", measure, row[column])
    for row in lines_of("6"):
        alive = " ".join(row[f"{role}s_alive"] for role in ROLES)
        note(TABLES_OF[line_of(row)][0], f"alive {alive}", row["count"])
    for row in lines_of("7"):
        note(TABLES_OF[line_of(row)][1], f"{row['role']}: survival", row["survival_percent"])
        note(TABLES_OF[line_of(row)][1], f"{row['role']}: score", row["expected_score"])
    return found


@cache
def printed():
    return printed_numbers({key: published(name) for key, name in FILES.items()})


@cache
def replays():
    """What the replay finds (`test_replay_as_published`), put together from the printed counts in no time."""
    made = {}
    for line in LINEUPS:
        counts = printed_outcomes(line, rows_of(published(FILES["6"]), line)).counts
        last = next(seating for seating in line.seatings() if int(seating[3]) == LAST_ROLES[str(line)])
        made[str(line)] = Replay(line, 1_000_000, counts, last, 0)
    return made


@cache
def solved():
    return solve_seatings("1-1-1-1", workers=2)


@cache
def right():
    """Exact for four players; simulated otherwise."""
    found = {"1-1-1-1": mean_outcomes(FOUR, list(solved().values()))}
    for line in LINEUPS[1:]:
        found[str(line)] = simulate(line, 200_000, SEED, workers=2)
    return found


def endings():
    return {line: set(replay.counts) for line, replay in replays().items()}


@cache
def emulated():
    run = printed_run()
    steps = {seating: table.steps for seating, table in run.items()}
    transferred = transfer_numbers({seating: table.outcomes for seating, table in run.items()}, steps)
    return {**replayed_numbers(replays(), SCORES_AS_PRINTED), **transferred}


@cache
def inputs():
    """The arguments of `judge_numbers`; of the causes only the two slips, as each defect alone would take long."""
    correct = {**expected_numbers(right(), endings()), **transfer_numbers(solved())}
    repaired, causes = replayed_numbers(replays(), SCORES_REPAIRED), {}
    for slip, kind in {"role_as_divisor": "only a role as divisor", "integer_points": "only 35/2 = 17"}.items():
        causes |= effects({slip: replayed_numbers(replays(), SLIP_SETS[kind])}, repaired)
    errors, sampling = expected_errors(right(), endings()), sampling_errors(right(), endings())
    return emulated(), correct, errors, sampling, causes, repaired


@cache
def verdicts():
    return judge_numbers(printed(), *inputs())


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
    from scipy import stats

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
    for seating in ("0123", "0132", "0231", "0321"):  # below 0.005 % indeed
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
NEVER = (0, 0, 1, 0)


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
    # Means 31.25 % and 8.6875 points.
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


# --- the slips ---


def renegades_points(counts, consolation, prize, renegades):
    """Mean points of a renegade, from the counts of a million games."""
    points = 0.0
    for (lords, loyalists, rebels, alive), count in counts.items():
        if lords:
            points += 0 if loyalists else consolation * count
        elif (loyalists, rebels, alive) == (0, 0, 1):
            points += prize * count
        else:
            points += (5 - rebels) * alive / renegades * count
    return points / 1e6


@cache
def slips():
    scores = published(FILES["7"]).query("role == 'renegade'")["expected_score"]
    return slips_of_scores(replays(), scores, published(FILES["4"])["rat"])


def test_columns_of_the_slips():
    score = ["printed", "as published", "only a role as divisor", "only 35/2 = 17", "correct, 15 each"]
    rat = ["printed", "as published", "correct, 15 each", "correct, 15 shared"]
    by_hand = [("", name) for name in ("line-up", "last seating", "divisor")]
    by_hand += [("renegade's score", name) for name in (*score, "correct, 15 shared")] + [("Rat", name) for name in rat]
    assert list(slips().columns) == by_hand and slips().columns.nlevels == 2
    assert list(slips()["", "line-up"]) == list(TABLES_OF)
    assert list(slips()["", "divisor"]) == [2, 2, 2, 2, 2, 3, 1, 1, 1]
    assert list(slips()["", "last seating"]) == [replay.last_seating for replay in replays().values()]


def test_scores_and_rat_with_each_slip():
    for (line, replay), (_, row) in zip(replays().items(), slips().iterrows(), strict=True):
        counts, number, divisor = replay.counts, replay.lineup.renegades, DIVISORS[line]
        by_hand = {
            "as published": renegades_points(counts, 15 / divisor, 35 // number, number),
            "only a role as divisor": renegades_points(counts, 15 / divisor, 35 / number, number),
            "only 35/2 = 17": renegades_points(counts, 15, 35 // number, number),
            "correct, 15 each": renegades_points(counts, 15, 35 / number, number),
            "correct, 15 shared": renegades_points(counts, 15 / number, 35 / number, number),
        }
        assert row["renegade's score"].drop("printed").to_dict() == pytest.approx(by_hand, rel=1e-12), line
        each, shared = (replay.outcomes.rationality(Scoring(share_consolation=share)) for share in (False, True))
        rat = row["Rat"]
        assert (rat["correct, 15 each"], rat["correct, 15 shared"]) == pytest.approx((each, shared), rel=1e-12), line
        for title in ("renegade's score", "Rat"):
            assert row[title, "printed"] == pytest.approx(row[title, "as published"], abs=0.005 + 1e-9), line


def test_slips_take_the_divisor_from_the_replay():
    replay = Replay(FOUR, 1_000_000, replays()["1-1-1-1"].counts, "0123", 0)
    frame = slips_of_scores({"1-1-1-1": replay}, [18.16], [173.77])
    assert frame["", "divisor"].item() == 3
    expected = renegades_points(replay.counts, 5, 35, 1)
    assert frame["renegade's score", "as published"].item() == pytest.approx(expected)


# --- shares of the defects ---


def test_sets_of_defects():
    sets = defect_sets()
    assert next(iter(sets)) == () and list(sets)[-1] == DEFECTS == ("cards_spent", "ghost_turn", "integer_mass")
    assert len(sets) == len({frozenset(names) for names in sets}) == len(set(sets.values())) == 8
    assert all(len(one) <= len(other) for one, other in pairwise(sets))
    for names, kind in sets.items():
        assert {name for name in DEFECTS if getattr(kind, name)} == set(names)
        assert kind.early_stop == (len(names) == 3)
    assert (sets[()], sets[DEFECTS]) == (REPAIRED, AS_PRINTED)


def test_shares_of_a_change_that_is_not_additive():
    """Worked out over the six orders, (1 + 1 + 3 + 7 + 3 + 3) / 6 and so on, whatever the value without defects."""
    cards, ghost, mass = DEFECTS
    change = {(): 0, (cards,): 1, (ghost,): 2, (mass,): 4, (cards, ghost): 5, (cards, mass): 11, (ghost, mass): 9}
    change[DEFECTS] = 12
    shares = shares_of_change({names: 100 + value for names, value in change.items()})
    assert shares["alone"].tolist() == pytest.approx([1, 2, 4])
    assert shares["last"].tolist() == pytest.approx([12 - 9, 12 - 11, 12 - 5])
    assert shares["mean"].tolist() == pytest.approx([3, 2.5, 6.5])
    assert shares["mean"].sum() == pytest.approx(12)


def test_distance_of_columns():
    even = Outcomes(FOUR, {RENEGADE_ALONE: 0.5, (1, 0, 0, 0): 0.5})
    moved = Outcomes(FOUR, {RENEGADE_ALONE: 0.5, BOTH_ALIVE: 0.3, (1, 0, 0, 0): 0.2})
    other = Outcomes(FOUR, {NEVER: 1.0})
    assert column_distance({"0123": even}, {"0123": even}) == 0
    assert column_distance({"0123": even}, {"0123": other}) == 100
    assert column_distance({"0123": even}, {"0123": moved}) == pytest.approx(30)
    one, two = {"0123": even, "0321": moved}, {"0321": other, "0123": moved}
    assert column_distance(one, two) == column_distance(two, one) == pytest.approx((30 + 100) / 2)


# --- headings, titles, constants ---

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


@cache
def labels():
    return published("sanguosha_labels_and_constants")


def recomputed(texts=None, numbers=None, values=None):
    """By place and quantity: what the label should be; the verdict must say whether it is."""
    frame = judge_labels(
        labels() if texts is None else texts,
        printed() if values is None else values,
        emulated() if numbers is None else numbers,
    )
    assert list(frame) == ["place", "quantity", "printed", "recomputed", "verdict"]
    same = {True: "reproduces", False: "misprint"}
    assert list(frame["verdict"]) == [same[a == b] for a, b in zip(frame["printed"], frame["recomputed"], strict=True)]
    return dict(zip(zip(frame["place"], frame["quantity"], strict=True), frame["recomputed"], strict=True))


def printed_labels():
    return {(row.place, row.quantity): row.printed for row in labels().itertuples()}


def different(found, before):
    """The labels that are found to be others now."""
    assert set(found) == set(before)
    return {key: found[key] for key in found if found[key] != before[key]}


def test_the_misprints_are_found_and_nothing_else():
    assert len(labels()) == len(printed_labels()) == 67
    assert different(recomputed(), printed_labels()) == MISPRINTS


def test_wrong_labels_that_are_put_in_are_found():
    """Each takes the text of the next one: what should stand there is told by the numbers, not by the text."""
    texts = labels().assign(printed=[*labels()["printed"][1:], labels()["printed"][0]])
    states = labels()["quantity"].str.startswith("health and dodges")  # the printed health is taken as given
    texts.loc[states, "printed"] = ["3 4", "1 2", "4 1", "0 1"]
    found, before = recomputed(texts), recomputed()
    assert different(found, before) == {
        ("Example 6.1", f"health and dodges of the {role}"): state
        for role, state in (("lord", "3 3"), ("renegade", "1 1"), ("loyalist", "4 1"))  # the rebel stays at "0 0"
    }


def exchanged(place, one, other):
    """The emulated numbers with those of two names exchanged in a place, or in two places."""
    numbers = emulated()
    moved = dict(numbers)
    for (where, quantity), number in numbers.items():
        if where == place and quantity.startswith(f"{one}: "):
            twin = place, quantity.replace(one, other, 1)
            moved[twin], moved[where, quantity] = number, numbers[twin]
    return moved


def test_headings_and_titles_follow_the_numbers():
    for place in ("Table 1", "Table 3"):
        found = different(recomputed(numbers=exchanged(place, "0132", "0231")), recomputed())
        assert found == {(place, "heading of column 2"): "0231", (place, "heading of column 4"): "0132"}
    numbers = dict(emulated())
    for name in (f"{role}: {what}" for role in ROLES for what in ("survival", "score")):
        numbers["Table 9", name], numbers["Table 19", name] = emulated()["Table 19", name], emulated()["Table 9", name]
    found = different(recomputed(numbers=numbers), recomputed())
    assert found == {("Table 9", "title"): "8: 1 2 3 2", ("Table 19", "title"): "5: 1 1 2 1"}
    # The second line-up of six, eight players has a prime in Table 4 and none in a title.
    found = different(recomputed(numbers=exchanged("Table 4", "1-1-1-1", "1-1-2-2")), recomputed())
    assert found == {("Table 4", "line-up of row 1"): "6': 1 1 2 2", ("Table 4", "line-up of row 4"): "4: 1 1 1 1"}


#: A number of each kind, and the label that it belongs to.
LABEL_OF = {
    ("Table 1", "0213: steps"): ("Table 1", "heading of column 3"),
    ("Table 1", "0321: alive 0 0 0 1"): ("Table 1", "heading of column 6"),
    ("Table 3", "0123: rebel: score"): ("Table 3", "heading of column 1"),
    ("Table 8", "alive 0 0 2 1"): ("Table 8", "title"),
    ("Table 22", "alive 1 3 0 0"): ("Table 22", "title"),
    ("Table 17", "loyalist: survival"): ("Table 17", "title"),
    ("Table 4", "1-2-3-1: Bal"): ("Table 4", "line-up of row 5"),
    ("Table 4", "1-3-4-2: Rat"): ("Table 4", "line-up of row 9"),
}


def test_one_digit_off_and_the_numbers_are_nobodys():
    """Half a digit is allowed, as for the numbers themselves; whether emulated or printed, a digit more is not."""
    before, values = recomputed(), printed().set_index(["place", "quantity"])
    for key, label in LABEL_OF.items():
        value, unit = values.loc[key, ["printed", "unit"]]
        for off, found in ((0.49, {}), (-0.49, {}), (0.51, {label: "nothing"}), (-0.51, {label: "nothing"})):
            numbers = {**emulated(), key: value + off * unit}
            assert (key, off, different(recomputed(numbers=numbers), before)) == (key, off, found)
        missing = {name: number for name, number in emulated().items() if name != key}
        assert different(recomputed(numbers=missing), before) == {label: "nothing"}
        changed = values.copy()
        changed.loc[key, "printed"] += unit
        assert different(recomputed(values=changed.reset_index()), before) == {label: "nothing"}


def test_numbers_that_fit_two_columns():
    numbers = dict(emulated())
    for (place, quantity), number in emulated().items():
        if place == "Table 1" and quantity.startswith("0123: "):
            numbers[place, quantity.replace("0123", "0312", 1)] = number
    found = different(recomputed(numbers=numbers), recomputed())
    assert found == {
        ("Table 1", "heading of column 1"): "0123 or 0312",
        ("Table 1", "heading of column 5"): "nothing",
    }
