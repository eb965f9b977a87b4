"""Two measures of a game with roles: are the roles balanced, and are their scores reasonable?

Both are sums of squared deviations from the mean over the roles (not divided by their number): equations 5.1 and 5.2 of
the Sanguosha report, for any number of roles. Zero is perfect.
"""

import numpy as np
from numpy.typing import ArrayLike

from gamebalance.base.checks import shown


def balance(survival: ArrayLike) -> float:
    """Bal: how far apart the roles' chances to survive are.

    Parameters
    ----------
    survival : array_like, shape (roles,)
        Probability that a member of each role is alive at the end, each in [0, 1]; two roles or more.

    Returns
    -------
    float
        Sum of squared deviations from the mean, in [0, roles / 4]; 0 when all roles survive equally often. The report
        prints it in percent.

    Raises
    ------
    ValueError
        If there are not two or more numbers in [0, 1].

    References
    ----------
    Sanguosha report, equation 5.1.

    Examples
    --------
    >>> balance([1, 1, 0, 0])
    1.0
    """
    array = _by_role("survival", survival)
    if array.min() < 0 or array.max() > 1:
        raise ValueError(f"survival = {shown(survival)}: probabilities from 0 to 1 are needed")
    return squared_deviations(array)


def rationality(scores: ArrayLike) -> float:
    """Rat: how far apart the roles' expected scores are.

    Parameters
    ----------
    scores : array_like, shape (roles,)
        Expected score of a member of each role, in points; two roles or more.

    Returns
    -------
    float
        Sum of squared deviations from the mean, in points squared; 0 when all roles expect the same score.

    Raises
    ------
    ValueError
        If there are not two or more finite numbers.

    References
    ----------
    Sanguosha report, equation 5.2.

    Examples
    --------
    >>> rationality([10, 10, 0, 0])
    100.0
    """
    return squared_deviations(_by_role("scores", scores))


def squared_deviations(values: np.ndarray) -> float:
    """The sum of squared deviations from the mean, which both are."""
    return float(np.square(values - values.mean()).sum())


def deviation_gradient(values: ArrayLike) -> np.ndarray:
    """Gradient of the sum of squared deviations, shape (roles,): the weights of the delta method for Bal and Rat."""
    array = _by_role("values", values)
    return 2 * (array - array.mean())


def _by_role(name: str, values: ArrayLike) -> np.ndarray:
    try:
        array = np.asarray(values, dtype=float)
    except (TypeError, ValueError, OverflowError):
        array = np.empty(0)
    if array.ndim != 1 or array.size < 2 or not np.isfinite(array).all():
        raise ValueError(f"{name} = {shown(values)}: one finite number for each role is needed, two or more")
    return array
