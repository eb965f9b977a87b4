"""A verdict on every printed number of the report, derived from what its programs compute and what is right."""

from collections.abc import Mapping
from math import hypot, nan
from typing import Any

import pandas as pd

from chapters.sanguosha.audit.defects import NAMES
from chapters.sanguosha.audit.numbers import Key, Numbers

#: A Monte Carlo number is called right within so many standard errors: all of some 200 such numbers pass by chance with
#: probability 0.999.
LIMIT = 4.5

#: Half a printed digit, give or take what binary fractions add: so many units.
SLACK = 1e-6

#: The words that the verdicts start with.
REPRODUCES, ROUNDING, WRONG, MISPRINT, UNEXPLAINED = "reproduces", "rounding", "wrong", "misprint", "unexplained"

#: The verdict on a number that says how the report's program ran, not how the game goes, and says so truly.
OF_THE_RUN = "describes the run"


def given(printed: pd.DataFrame, emulated: Numbers) -> int:
    """How many of the numbers from `printed_numbers` the emulation gives to the last digit."""
    return sum(_gives(row, emulated) for row in printed.itertuples())


def _gives(row: Any, emulated: Numbers) -> bool:
    return abs(row.printed - emulated[row.place, row.quantity]) <= row.unit * (0.5 + SLACK)


def effects(alone: Mapping[str, Numbers], correct: Numbers) -> dict[str, Numbers]:
    """By defect: what it moves each number by when it is the only one."""
    return {defect: {key: numbers[key] - correct[key] for key in numbers} for defect, numbers in alone.items()}


def judge_numbers(
    printed: pd.DataFrame,
    emulated: Numbers,
    correct: Numbers,
    errors: Numbers,
    sampling: Numbers,
    causes: Mapping[str, Numbers],
    same_games: Numbers,
) -> pd.DataFrame:
    """A verdict on every number from `printed_numbers`; correct value and s.e. are nan where there is none.

    Parameters
    ----------
    emulated, correct : dict
        What the report's program computes, and the right value. A number that has none, because it says how the
        program ran and not how the game goes, such as a number of iterations, is left out of `correct`.
    errors, sampling : dict
        Standard errors of `correct`, and of a right procedure of the report; numbers that are exact are left out.
    causes : dict
        From `effects`, by defect.
    same_games : dict
        What the repaired procedure makes of the report's own games; numbers that do not come from games are left out.

    Notes
    -----
    A printed number is right if it is equal to the right value at the printed precision, or within `LIMIT` standard
    errors of it, and if the repaired procedure, on the same games, does not differ from the emulation by half a digit:
    sampling errors excuse no slip. It *reproduces* if it is right and the emulation gives its digits. It is *rounding*
    if it is right but the emulation is off by one in the last digit. It is *wrong* if the emulation gives its digits
    and it is not right; the defects named are those that move the right value by half a digit or more when alone, the
    largest first. A number without a right value *describes the run* if the emulation gives its digits. What the
    emulation does not give is *unexplained*.
    """
    rows = []
    for row in printed.itertuples():
        key = row.place, row.quantity
        off, half, gives = abs(row.printed - emulated[key]), row.unit * (0.5 + SLACK), _gives(row, emulated)
        if key not in correct:
            rows.append((*key, row.printed, emulated[key], nan, nan, OF_THE_RUN if gives else UNEXPLAINED))
            continue
        spread = hypot(errors.get(key, 0.0), sampling.get(key, 0.0))
        right = abs(row.printed - correct[key]) <= half + LIMIT * spread
        right &= abs(emulated[key] - same_games.get(key, emulated[key])) < row.unit * (0.5 - SLACK)
        if gives:
            verdict = REPRODUCES if right else f"{WRONG}: {_because(key, causes, row.unit * (0.5 - SLACK))}"
        else:
            verdict = ROUNDING if right and off <= row.unit * (1.5 + SLACK) else UNEXPLAINED
        rows.append((*key, row.printed, emulated[key], correct[key], errors.get(key, 0.0), verdict))
    columns = ["place", "quantity", "printed", "as published", "correct", "s.e.", "verdict"]
    return pd.DataFrame(rows, columns=columns)


def _because(key: Key, causes: Mapping[str, Numbers], least: float) -> str:
    """The defects that move a number by so much or more, the largest effect first."""
    sizes = {defect: abs(moved[key]) for defect, moved in causes.items() if key in moved}
    largest_first = sorted(sizes, key=sizes.get, reverse=True)
    return ", ".join(NAMES[defect] for defect in largest_first if sizes[defect] >= least) or "the defects together"
