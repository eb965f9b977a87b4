"""Two measures of a game with roles: are the roles balanced, and are their scores reasonable?

Both are sums of squared deviations from the mean over the four roles (not divided by four): equations 5.1 and 5.2 of
the Sanguosha report. Zero is perfect.
"""

import numpy as np

from gamebalance._checks import shown


def _four(name: str, values) -> np.ndarray:
    try:
        array = np.asarray(values, dtype=float)
    except (TypeError, ValueError, OverflowError):
        array = np.empty(0)
    if array.shape != (4,) or not np.isfinite(array).all():
        raise ValueError(f"{name} = {shown(values)}: four finite numbers are needed (lord, loyalist, rebel, renegade)")
    return array


def _squared_deviations(values: np.ndarray) -> float:
    return float(np.square(values - values.mean()).sum())


def balance(survival) -> float:
    """Bal: how far apart the roles' chances to survive are.

    Parameters
    ----------
    survival : array_like, shape (4,)
        Probability that a lord, a loyalist, a rebel, a renegade is alive at the end, each in [0, 1].

    Returns
    -------
    float
        Sum of squared deviations from the mean, in [0, 1]; 0 when all roles survive equally often. The report prints
        it in percent.

    Raises
    ------
    ValueError
        If there are not four numbers in [0, 1].

    References
    ----------
    Sanguosha report, equation 5.1.

    Examples
    --------
    >>> balance([1, 1, 0, 0])
    1.0
    """
    array = _four("survival", survival)
    if array.min() < 0 or array.max() > 1:
        raise ValueError(f"survival = {shown(survival)}: probabilities from 0 to 1 are needed")
    return _squared_deviations(array)


def rationality(scores) -> float:
    """Rat: how far apart the roles' expected scores are.

    Parameters
    ----------
    scores : array_like, shape (4,)
        Expected score of a lord, a loyalist, a rebel, a renegade, in points.

    Returns
    -------
    float
        Sum of squared deviations from the mean, in points squared; 0 when all roles expect the same score.

    Raises
    ------
    ValueError
        If there are not four finite numbers.

    References
    ----------
    Sanguosha report, equation 5.2.

    Examples
    --------
    >>> rationality([10, 10, 0, 0])
    100.0
    """
    return _squared_deviations(_four("scores", scores))


def deviation_gradient(values) -> np.ndarray:
    """Gradient of the sum of squared deviations, shape (4,): the weights of the delta method for Bal and Rat."""
    array = _four("values", values)
    return 2 * (array - array.mean())
