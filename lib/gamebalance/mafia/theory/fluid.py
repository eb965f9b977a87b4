"""Large towns in which a fixed share are detectives, in the fluid limit."""

from numbers import Real

import numpy as np

from gamebalance._checks import shown

#: The most mafiosi for each of the town.
MOST_RATIO = 1e9


def fluid_drift(mafiosi, detectives: float):
    r"""How the mafia of a large town grows against it while the town shrinks, in the fluid limit.

    Let the town be all who are not of the mafia, g of them, with u mafiosi and r detectives per head. While both are
    many, r stays what it is, because the night's victim and the vote take any of the town alike, and

    .. math:: \frac{du}{d\ln g} = \frac{u(u+1)(r-u)}{(u+2)(u+1-r)}.

    As g falls, u moves away from r: as many mafiosi as detectives is an unstable balance.

    Parameters
    ----------
    mafiosi : float or array_like
        u, above 0.
    detectives : float
        r, above 0 and at most 1.

    Returns
    -------
    float or ndarray
        :math:`du/d\ln g`, in the shape of `mafiosi`; above 0 where the mafia loses ground.

    Raises
    ------
    ValueError
        If a number is outside what is allowed.
    """
    r, u = _share_of_town(detectives), _ratios(mafiosi)
    drift = u * (u + 1) * (r - u) / ((u + 2) * (u + 1 - r))
    return drift if np.ndim(mafiosi) else float(drift)


def _ratios(mafiosi) -> np.ndarray:
    try:
        ratios = np.asarray(mafiosi, dtype=float)
    except (TypeError, ValueError, OverflowError):
        ratios = np.array(np.nan)
    if not ((ratios > 0) & (ratios <= MOST_RATIO)).all():
        raise ValueError(
            f"mafiosi = {shown(mafiosi)}: numbers per head of the town, above 0 and at most {MOST_RATIO:g}, are needed"
        )
    return ratios


def fluid_exponent(detectives: float) -> float:
    r"""How fast a large town leaves the balance of as many mafiosi as detectives.

    When g of the town are left of G, an imbalance u - r has grown by the factor :math:`(G/g)^\kappa` with
    :math:`\kappa = r(1+r)/(2+r)`, the derivative of `fluid_drift` at u = r with its sign changed.

    Parameters
    ----------
    detectives : float
        r, detectives as a share of all who are not of the mafia; above 0 and at most 1.

    Returns
    -------
    float
        :math:`\kappa`, from 0 to 2/3.

    Raises
    ------
    ValueError
        If the share is outside what is allowed.
    """
    r = _share_of_town(detectives)
    return r * (1 + r) / (2 + r)


def _share_of_town(value) -> float:
    if not isinstance(value, Real) or isinstance(value, bool) or not 0 < value <= 1:
        raise ValueError(f"detectives = {shown(value)}: a share of the town, above 0 and at most 1, is needed")
    return float(value)
