"""The audit of the printed numbers, with what it is given put together in no time."""

from functools import cache
from pathlib import Path

import pandas as pd

from chapters.sanguosha.audit import (
    SLIP_SETS,
    effects,
    expected_errors,
    expected_numbers,
    judge_numbers,
    printed_numbers,
    replayed_numbers,
    sampling_errors,
    transfer_numbers,
)
from gamebalance.as_published import (
    AS_PRINTED,
    LAST_ROLES,
    SCORES_AS_PRINTED,
    SCORES_REPAIRED,
    Replay,
    TransferTable,
)
from gamebalance.publish import published
from gamebalance.sanguosha import LINEUPS, Lineup, Outcomes, simulate
from gamebalance.sanguosha.outcomes import mean_outcomes
from tests.sanguosha.appendix_a import MINT
from tests.sanguosha.known import BY_THE_PROGRAM, ROLES, SEATINGS, final_masses, golden, printed_counts

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

#: Where the report prints the counts and the summary of each line-up.
TABLES_OF = {str(line): (f"Table {n}", f"Table {n + 1}") for line, n in zip(LINEUPS, range(6, 24, 2), strict=True)}
FOUR = Lineup(1, 1, 1)
SEED = 6

BOTH_ALIVE, RENEGADE_ALONE = (1, 1, 0, 0), (0, 0, 0, 1)
NEVER = (0, 0, 1, 0)  # no made-up game ends so


def lines_of(key):
    """The rows of a printed file, every value as it is written."""
    return pd.read_csv(DATA / f"{FILES[key]}.csv", dtype=str).to_dict("records")


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
        counts = printed_counts(line)
        last = next(seating for seating in line.seatings() if int(seating[3]) == LAST_ROLES[str(line)])
        made[str(line)] = Replay(line, 1_000_000, counts, last, 0)
    return made


@cache
def solved():
    """What the exact solver finds (`test_four_players`)."""
    return {seating: Outcomes(FOUR, endings, seating) for seating, (endings, _) in golden().items()}


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
    """What the program printed, which the emulation finds again (`test_as_published`)."""
    shares = {seating: {alive: mass / MINT for alive, mass in final_masses(seating).items()} for seating in SEATINGS}
    steps = {seating: counted for seating, (counted, *_) in BY_THE_PROGRAM.items()}
    tables = {seating: TransferTable(seating, AS_PRINTED, shares[seating], steps[seating]) for seating in SEATINGS}
    transferred = transfer_numbers({seating: table.outcomes for seating, table in tables.items()}, steps)
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
