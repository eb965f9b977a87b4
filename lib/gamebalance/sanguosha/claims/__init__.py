"""The report's conclusions as statements that numbers can decide, and what the numbers say.

Every claim of §6.3, §8.2, §9 and §10 stands in `CLAIMS` with one or more *readings*: statements about survival, scores,
Bal and Rat that are either so or not. `judge` decides all of them. A comparison counts as decided when the two numbers
are more than four standard errors apart (`DECIDED`); a reading that hangs on an undecided comparison is "undecided".
"""

from gamebalance.sanguosha.claims.estimates import DECIDED, Estimate, less
from gamebalance.sanguosha.claims.measures import (
    Measures,
    all_lineups,
    bal,
    gap,
    measure,
    ranking,
    rat,
    ratio,
    survival,
)
from gamebalance.sanguosha.claims.patterns import pairs
from gamebalance.sanguosha.claims.printed import printed_lineups, printed_methods, printed_seatings
from gamebalance.sanguosha.claims.readings import Claim, Reading, Results
from gamebalance.sanguosha.claims.verdicts import CLAIMS, Verdict, claim_table, judge, verdict_table

__all__ = [
    "CLAIMS",
    "DECIDED",
    "Claim",
    "Estimate",
    "Measures",
    "Reading",
    "Results",
    "Verdict",
    "all_lineups",
    "bal",
    "claim_table",
    "gap",
    "judge",
    "less",
    "measure",
    "pairs",
    "printed_lineups",
    "printed_methods",
    "printed_seatings",
    "ranking",
    "rat",
    "ratio",
    "survival",
    "verdict_table",
]
