"""What each role expects, as a function of the points: a matrix times the points, and a constant."""

from collections.abc import Callable, Mapping
from dataclasses import fields, replace

import numpy as np

from gamebalance.base.checks import instance, shown
from gamebalance.base.sums import dot
from gamebalance.sanguosha.outcomes import Outcomes
from gamebalance.sanguosha.scoring import REPORT_SCORING, Scoring

#: The ten points of a scoring rule, in its order.
POINTS = tuple(field.name for field in fields(Scoring) if field.type is float)

#: How far values may lie from those of an affine function, as a part of the largest.
ROUNDING = 1e-9


def check_scoring(scoring) -> Scoring:
    """`scoring`, if it is one."""
    if not isinstance(scoring, Scoring):
        raise ValueError(f"scoring = {shown(scoring)}: a Scoring object is needed")
    return scoring


def values_of(scoring: Scoring) -> np.ndarray:
    """The ten points, shape (10,)."""
    return np.array([getattr(scoring, name) for name in POINTS], float)


def with_points(scoring: Scoring, values: np.ndarray) -> Scoring:
    """The same rule with these ten points."""
    return replace(scoring, **dict(zip(POINTS, map(float, values), strict=True)))


def affine(table: Callable[[Scoring], np.ndarray], scoring: Scoring) -> tuple[np.ndarray, np.ndarray]:
    """A matrix, shape (…, 10), and a constant, shape (…,), that give `table` for all points; ValueError if none do."""
    constant = table(with_points(scoring, np.zeros(len(POINTS))))
    units = [table(with_points(scoring, unit)) - constant for unit in np.eye(len(POINTS))]
    matrix = np.stack(units, axis=-1)
    for values in (values_of(scoring), -2 * values_of(scoring)):
        wanted = table(with_points(scoring, values))
        if not np.allclose(dot(matrix, values) + constant, wanted, rtol=ROUNDING, atol=ROUNDING):
            raise ValueError(f"scoring = {shown(scoring)}: a rule whose scores are affine in its points is needed")
    return matrix, constant


def expected_points(outcomes: Outcomes, scoring: Scoring = REPORT_SCORING) -> tuple[np.ndarray, np.ndarray]:
    """What a member of each role expects, as an affine function of the points.

    Found by scoring the endings with no points and with a single one, so that no rule is stated again here, and
    compared with the scores of two other rules. The constant is what a living renegade loses to the living rebels.

    Parameters
    ----------
    outcomes : Outcomes
    scoring : Scoring
        Whether a consolation is shared is taken from here, not the points.

    Returns
    -------
    matrix : ndarray, shape (roles, 10)
        One row for each role that somebody holds, in the order of `Role`; columns in the order of `POINTS`.
    constant : ndarray, shape (roles,)
        In points. ``matrix @ points + constant`` are the expected scores of these roles.

    Raises
    ------
    ValueError
        If the scores are not affine in the points, as those of a class derived from `Scoring` may be.

    Examples
    --------
    >>> from gamebalance.sanguosha import Lineup
    >>> matrix, constant = expected_points(Outcomes(Lineup(0, 2, 0), {(1, 0, 0, 0): 0.25, (0, 0, 1, 0): 0.75}))
    >>> matrix[1, POINTS.index("rebel_alive")], matrix[1, POINTS.index("rebel_dead")]
    (np.float64(0.375), np.float64(0.375))
    """
    held = np.flatnonzero(instance("outcomes", outcomes, Outcomes).lineup.counts)
    return affine(lambda rule: outcomes.expected_scores(rule)[held], check_scoring(scoring))


def envy(outcomes: Outcomes | Mapping, scoring: Scoring = REPORT_SCORING) -> np.ndarray | dict:
    """How many points each role expects less than each other one.

    Parameters
    ----------
    outcomes : Outcomes, or mapping to Outcomes
        Such as what `solve_seatings` returns, by seating.
    scoring : Scoring

    Returns
    -------
    ndarray, shape (4, 4), or dict of them
        Entry ``[r, s]``: the expected score of role s less that of role r, 0 where it is not more; nan for roles that
        nobody holds.
    """
    check_scoring(scoring)
    if isinstance(outcomes, Mapping):
        return {key: envy(found, scoring) for key, found in outcomes.items()}
    scores = instance("outcomes", outcomes, Outcomes).expected_scores(scoring)
    return np.maximum(scores - scores[:, None], 0)
