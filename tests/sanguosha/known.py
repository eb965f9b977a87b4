"""What the report prints, what its programs print when they are run, and the distributions of four players."""

import csv
from pathlib import Path

from chapters.sanguosha.printed_tables import printed_outcomes, rows_of
from gamebalance.publish import published
from gamebalance.sanguosha.lineup import LINEUPS, ROLE_KEYS

SEATINGS = LINEUPS[0].seatings()
ROLES = list(ROLE_KEYS)

GOLDEN = Path(__file__).parent / "golden" / "four-players.csv"

#: By which number the program divided the renegades' 15 points: the role in seat 3 of its last game, not their number.
DIVISORS = dict(zip(map(str, LINEUPS), (2, 2, 2, 2, 2, 3, 1, 1, 1), strict=True))


def printed_games(lineup):
    return printed_outcomes(lineup, rows_of(published("sanguosha_tables_6_to_22_outcome_counts"), lineup))


def printed_counts(lineup):
    counts = printed_games(lineup).counts
    assert sum(counts.values()) == 1_000_000
    return counts


#: Steps and final masses (of 2^31 - 1) that appendix A itself prints, compiled, by seating; 0 where it prints nothing.
ENDINGS = LORD, BOTH, REBEL, RENEGADE, ALLIES = (1, 0, 0, 0), (1, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1), (0, 0, 1, 1)
BY_THE_PROGRAM = {
    "0123": (348, 65188254, 527499055, 3532070, 1376794737, 0),
    "0132": (283, 885784675, 719747292, 178263663, 152426575, 0),
    "0213": (349, 87854277, 110736829, 9935003, 1745558044, 176379),
    "0231": (282, 567719479, 1212794098, 63807030, 102583905, 0),
    "0312": (337, 217858064, 124593601, 59966215, 1506856319, 316428),
    "0321": (331, 117177507, 1172417681, 4168221, 658593679, 0),
}


def final_masses(seating):
    """By the program."""
    return {alive: mass for alive, mass in zip(ENDINGS, BY_THE_PROGRAM[seating][1:], strict=True) if mass}


def golden():
    """By seating: endings and mean number of turns, from `reference.Chain(seating).solve()` (80 s for each seating)."""
    found = {}
    for row in csv.DictReader(GOLDEN.read_text(encoding="utf-8").splitlines()):
        endings, _ = found.setdefault(row["seating"], ({}, float(row["turns"])))
        endings[tuple(int(digit) for digit in row["alive"])] = float(row["probability"])
    return found
