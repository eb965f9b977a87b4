"""What the report prints, what its programs print when they are run, and the distributions of four players."""

import csv
from pathlib import Path

from chapters.four_players_exactly import printed_outcomes, rows_of
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


def golden():
    """By seating: endings and mean number of turns, from `reference.Chain(seating).solve()` (80 s for each seating)."""
    found = {}
    for row in csv.DictReader(GOLDEN.read_text(encoding="utf-8").splitlines()):
        endings, _ = found.setdefault(row["seating"], ({}, float(row["turns"])))
        endings[tuple(int(digit) for digit in row["alive"])] = float(row["probability"])
    return found
