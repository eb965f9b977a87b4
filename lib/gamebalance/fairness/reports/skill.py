"""Luck against skill: what somebody who plays better gains among others, in points, in wins, in bits."""

from typing import NamedTuple

import numpy as np

from gamebalance.base.estimates import Estimate
from gamebalance.base.rounding import meant
from gamebalance.fairness.endings import Endings


class Contest(NamedTuple):
    """One player of a way to play alone among players of another, in each seat in turn.

    Attributes
    ----------
    better, others : str
        The two ways to play.
    points : Estimate
        What the one gets more than a player of the others' way would in the same seats, in payoffs.
    share : Estimate
        Its share of the wins, of games that are won by somebody.
    even : float
        The share that it would have, were it no better.
    bits : Estimate
        What one game tells about which seat plays better, in bits (mutual information of that seat and the winner).
    luck : float
        The part of the bits needed to know that seat that a game leaves open: 1 if play does not matter.
    decided : float
        The share of the games that somebody wins.
    """

    better: str
    others: str
    points: Estimate
    share: Estimate
    even: float
    bits: Estimate
    luck: float
    decided: float

    @property
    def depth(self) -> Estimate:
        """The skill depth of the one way over the other: its share of the wins less the even one."""
        return Estimate(meant(self.share.value - self.even, residue=1e-9), self.share.error)

    @property
    def luck_error(self) -> float:
        """The standard error of `luck`."""
        return meant(float(self.bits.error / -np.log2(self.even)))

    @property
    def shown(self) -> bool:
        """Whether it is shown that the one way wins more or less than its even share."""
        return abs(self.depth.value) > 1.96 * self.share.error


def contest(play, better: str, others: str) -> Contest:
    """The contest of two ways to play; `play` is an `ExactPlay` or a `SimulatedPlay`."""
    seats = range(play.seats.players)
    alone = [play.endings(*(better if seat == own else others for seat in seats)) for own in seats]
    alike = play.endings(others)
    tables = [_of(endings) for endings in alone]
    base = alike.tally("seat", "points")
    gained = [table.points[own] - base.means[own] for own, table in enumerate(tables)]
    variance = sum(table.point_error[own] ** 2 for own, table in enumerate(tables)) + base.covariance.sum()
    share, error, decided = _share(tables)
    bits, bits_error = _bits(alone)
    return Contest(
        better,
        others,
        Estimate(*meant((float(np.mean(gained)), float(np.sqrt(max(variance, 0.0))) / len(seats)), residue=1e-15)),
        Estimate(*meant((share, error), residue=1e-15)),
        1 / len(seats),
        Estimate(*meant((bits, bits_error), residue=1e-15)),
        meant(float(1 - bits / np.log2(len(seats))), residue=1e-12),
        meant(decided),
    )


class _Table(NamedTuple):
    """Mean payoffs and shares of wins by seat, with errors; shape (players,) each."""

    points: np.ndarray
    point_error: np.ndarray
    wins: np.ndarray
    won: np.ndarray
    weight: np.ndarray
    games: float | None


def _of(endings: Endings) -> _Table:
    points, won = endings.tally("seat", "points"), endings.tally("seat")
    weight = np.asarray(endings.probability, float)
    return _Table(points.means, points.errors, won.means, won.total.toarray(), weight, endings.games)


def _share(tables: list[_Table]) -> tuple[float, float, float]:
    """The share of the wins of the one who is alone, its error by the delta method, and the share of decided games."""
    own = np.mean([table.wins[seat] for seat, table in enumerate(tables)])
    decided = np.mean([table.wins.sum() for table in tables])
    games = float(np.mean([table.weight[table.won.any(axis=1)].sum() for table in tables]))
    if decided == 0:
        return 1 / len(tables), 0.0, games
    share, variance = own / decided, 0.0
    for seat, table in enumerate(tables):
        if table.games:
            apart = (table.won[:, seat] - share * table.won.sum(axis=1)) / (decided * len(tables))
            mean = (table.weight * apart).sum()
            variance += (table.weight * (apart - mean) ** 2).sum() / table.games
    return float(share), float(np.sqrt(variance)), games


def _bits(alone: list[Endings]) -> tuple[float, float]:
    """Mutual information of the seat of the one who is alone, each equally likely, and who has won, in bits.

    Of a sample the excess that the plug-in estimate has on the average is taken off (as Miller 1955 does, but with as
    many games from each seat, so that the seats have no error); error by the delta method.
    """
    rows = [np.asarray(endings.values["won"], float) for endings in alone]
    kinds, where = np.unique(meant(np.vstack(rows)), axis=0, return_inverse=True)
    where = np.split(where.ravel(), np.cumsum([len(row) for row in rows])[:-1])
    chance = np.array(
        [np.bincount(at, np.asarray(e.probability, float), len(kinds)) for at, e in zip(where, alone, strict=True)]
    )
    mean = chance.mean(axis=0)
    ratio = np.divide(chance, mean, out=np.ones_like(chance), where=chance > 0)
    each = np.log2(ratio)
    bits = float((chance * each).sum() / len(alone))
    games = alone[0].games
    if not games:
        return max(bits, 0.0), 0.0
    shared = (chance * (1 - chance)).sum(axis=0)[mean > 0] / mean[mean > 0]
    excess = (np.count_nonzero(chance) - len(alone) - shared.sum() / len(alone)) / (2 * np.log(2) * games * len(alone))
    spread = ((chance * each**2).sum(axis=1) - (chance * each).sum(axis=1) ** 2).sum() / len(alone) ** 2
    return float(np.clip(bits - excess, 0.0, np.log2(len(alone)))), float(np.sqrt(max(spread, 0.0) / games))
