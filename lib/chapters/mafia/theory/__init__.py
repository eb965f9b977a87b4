"""How many mafiosi make a fair game: a closed form, its limits for large towns, and exact numbers beside them.

The notebook ``how-many-mafiosi`` has the proofs, and says what is proved, what is cited and what is only observed.
Everything here is about games with a vote on every day, without doctors, witches, hunters and memory.
"""

from chapters.mafia.theory.exact_numbers import Surprise, exact_chances, fair_number, surprises
from chapters.mafia.theory.formula_tables import (
    distances,
    fair_numbers,
    fair_shares,
    fixed_shares,
    parity_gaps,
)
from chapters.mafia.theory.formulas import (
    PARITIES,
    closed_form,
    fair_share,
    fair_shift,
    fluid_exponent,
    limit,
    many_detectives,
)

__all__ = [
    "PARITIES",
    "Surprise",
    "closed_form",
    "distances",
    "exact_chances",
    "fair_number",
    "fair_numbers",
    "fair_share",
    "fair_shares",
    "fair_shift",
    "fixed_shares",
    "fluid_exponent",
    "limit",
    "many_detectives",
    "parity_gaps",
    "surprises",
]
