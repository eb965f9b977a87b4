"""The report's conclusions as statements that numbers can decide, and what the numbers say.

Every claim of §6.3, §8.2, §9 and §10 stands in ``claims.yaml`` with one or more *readings*: statements about survival,
scores, Bal and Rat that are either so or not; ``decisions.py`` says how each is decided. A comparison counts as decided
when the two numbers are more than four standard errors apart (`DECIDED`); a reading that hangs on an undecided
comparison is "undecided".
"""

from chapters.sanguosha.claims.measures import (
    all_lineups,
    bal,
    gap,
    measure,
    ranking,
    rat,
    ratio,
    survival,
    undecided,
)
from chapters.sanguosha.claims.patterns import pairs
from chapters.sanguosha.claims.printed_measures import printed_lineups, printed_methods, printed_seatings
from chapters.sanguosha.claims.verdicts import (
    Results,
    Verdict,
    all_claims,
    claim_table,
    judge,
    verdict_table,
)
from gamebalance.base.estimates import DECIDED, Estimate, less

__all__ = [
    "DECIDED",
    "Estimate",
    "Results",
    "Verdict",
    "all_claims",
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
    "undecided",
    "verdict_table",
]
