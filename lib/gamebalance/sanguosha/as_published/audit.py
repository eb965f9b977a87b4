"""A verdict on every printed number of the report, derived from what its programs compute and what is right."""

from collections.abc import Mapping, Sequence
from math import hypot, isnan, nan

import pandas as pd

from gamebalance.metrics import rationality
from gamebalance.sanguosha.as_published.numbers import Numbers
from gamebalance.sanguosha.as_published.replay import Replay
from gamebalance.sanguosha.as_published.scores import SCORES_AS_PRINTED, SCORES_REPAIRED, ScoreSlips, role_summary

#: A Monte Carlo number is called right within so many standard errors: all of some 200 such numbers pass by chance with
#: probability 0.999.
LIMIT = 4.5

#: Half a printed digit, give or take what binary fractions add: so many units.
SLACK = 1e-6

#: The words that the verdicts start with.
REPRODUCES, ROUNDING, WRONG, MISPRINT, UNEXPLAINED = "reproduces", "rounding", "wrong", "misprint", "unexplained"

#: The verdict on a number that says how the report's program ran, not how the game goes, and says so truly.
OF_THE_RUN = "describes the run"

#: What the defects and slips are called in a verdict.
NAMES = {
    "cards_spent": "cards spent",
    "ghost_turn": "ghost turn",
    "integer_mass": "integer mass",
    "role_as_divisor": "role as divisor",
    "integer_points": "35/2 = 17",
}

#: The two slips of the score accumulation, together, apart and repaired under either reading of the rule.
SLIP_SETS = {
    "as published": SCORES_AS_PRINTED,
    "only a role as divisor": ScoreSlips(True, False, False),
    "only 35/2 = 17": ScoreSlips(False, True, False),
    "correct, 15 each": SCORES_REPAIRED,
    "correct, 15 shared": ScoreSlips(False, False, True),
}


def slips_of_scores(
    replays: Mapping[str, Replay], printed_scores: Sequence[float], printed_rats: Sequence[float]
) -> pd.DataFrame:
    """What the two slips do to the renegade's score and to Rat, line-up by line-up.

    Parameters
    ----------
    replays : mapping of str to Replay
        By line-up.
    printed_scores, printed_rats : sequence of float
        The printed scores of the renegade and the printed Rat, in the same order.

    Returns
    -------
    DataFrame
        Two levels of columns: line-up, last seating and divisor; the renegade's score and Rat, each printed, as
        published, with one slip only (the score), and corrected, the 15 points paid to each renegade or shared.
    """
    if not len(replays) == len(printed_scores) == len(printed_rats):
        raise ValueError(
            f"printed_scores, printed_rats: one for each of the {len(replays)} replays is needed, "
            f"got {len(printed_scores)} and {len(printed_rats)}"
        )
    rows = []
    for (line, replay), score, rat in zip(replays.items(), printed_scores, printed_rats, strict=True):
        row = {("", "line-up"): line, ("", "last seating"): replay.last_seating, ("", "divisor"): replay.divisor}
        row |= {("renegade's score", "printed"): score, ("Rat", "printed"): rat}
        for name, slips in SLIP_SETS.items():
            scores = role_summary(replay.counts, line, slips, replay.divisor)["expected_score"]
            row["renegade's score", name] = scores["renegade"]
            row["Rat", name] = rationality(scores)
        rows.append(row)
    frame = pd.DataFrame(rows).drop(columns=[("Rat", name) for name in SLIP_SETS if name.startswith("only")])
    order = ["", "renegade's score", "Rat"]
    frame = frame[sorted(frame.columns, key=lambda column: order.index(column[0]))]
    frame.columns = pd.MultiIndex.from_tuples(frame.columns)
    return frame


def effects(alone: Mapping[str, Numbers], correct: Numbers) -> dict[str, Numbers]:
    """By defect: what it moves each number by when it is the only one."""
    return {defect: {key: numbers[key] - correct[key] for key in numbers} for defect, numbers in alone.items()}


def audit(
    printed: pd.DataFrame,
    emulated: Numbers,
    correct: Numbers,
    errors: Numbers,
    sampling: Numbers,
    causes: Mapping[str, Numbers],
    same_games: Numbers,
) -> pd.DataFrame:
    """A verdict on every printed number.

    Parameters
    ----------
    printed : DataFrame
        From `printed_numbers`.
    emulated, correct : dict
        What the report's program computes, and the right value. A number that has none, because it says how the
        program ran and not how the game goes, such as a number of iterations, is left out of `correct`.
    errors, sampling : dict
        Standard errors of `correct`, and of a right procedure of the report; numbers that are exact are left out.
    causes : mapping of str to dict
        From `effects`, by defect.
    same_games : dict
        What the repaired procedure makes of the report's own games; numbers that do not come from games are left out.

    Returns
    -------
    DataFrame
        Columns place, quantity, printed, as published, correct, s.e. (both nan where there is no right value) and
        verdict. Numbers whose right value is nan, not computed, are left out.

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
        if key not in correct:
            told = abs(row.printed - emulated[key]) <= row.unit * (0.5 + SLACK)
            rows.append((*key, row.printed, emulated[key], nan, nan, OF_THE_RUN if told else UNEXPLAINED))
            continue
        if isnan(correct[key]):
            continue
        moved = {defect: numbers[key] for defect, numbers in causes.items() if key in numbers}
        spread = hypot(errors.get(key, 0.0), sampling.get(key, 0.0))
        half = row.unit * (0.5 + SLACK)
        right = abs(row.printed - correct[key]) <= half + LIMIT * spread
        right &= abs(emulated[key] - same_games.get(key, emulated[key])) < row.unit * (0.5 - SLACK)
        verdict = _verdict(abs(row.printed - emulated[key]), row.unit, right, moved)
        rows.append((*key, row.printed, emulated[key], correct[key], errors.get(key, 0.0), verdict))
    columns = ["place", "quantity", "printed", "as published", "correct", "s.e.", "verdict"]
    return pd.DataFrame(rows, columns=columns)


def _verdict(off: float, unit: float, right: bool, moved: Mapping[str, float]) -> str:
    """The verdict on a number from which the emulation is `off`."""
    if off <= unit * (0.5 + SLACK):
        return REPRODUCES if right else f"{WRONG}: {_because(moved, unit * (0.5 - SLACK))}"
    return ROUNDING if right and off <= unit * (1.5 + SLACK) else UNEXPLAINED


def _because(moved: Mapping[str, float], least: float) -> str:
    """The defects that matter for a number, the largest effect first."""
    sizes = {defect: abs(effect) for defect, effect in moved.items() if abs(effect) >= least}
    named = [NAMES[defect] for defect in sorted(sizes, key=sizes.get, reverse=True)]
    return ", ".join(named) or "the defects together"
