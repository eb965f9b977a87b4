"""What the rows of a contest say: wins by method and opponents, with errors over openings."""

from itertools import combinations_with_replacement, product

import numpy as np
import pandas as pd

from chapters.countn.three_contest import METHODS, SEATINGS, WINNERS
from gamebalance.base.checks import one_of
from gamebalance.base.estimates import Estimate
from gamebalance.base.intervals import interval
from gamebalance.base.sums import standard_error
from gamebalance.countn.three.rules import PLAYERS


def by_opponents(rows: pd.DataFrame) -> pd.DataFrame:
    """How often each method wins against each pair of opponents, from two or more rows of `three_contest.row`.

    One line for each `method` and pair (`first`, `second`): `games`; `wins` and `draws`, shares of games, and their
    standard errors. Games from one opening are alike, so the unit of the errors is the opening.
    """
    winners = _winners(rows)
    lines = []
    for method, pair in product(range(len(METHODS)), combinations_with_replacement(range(len(METHODS)), 2)):
        games = [
            (place, seat)
            for place, seating in enumerate(SEATINGS)
            for seat in range(PLAYERS)
            if seating[seat] == method and sorted(seating[:seat] + seating[seat + 1 :]) == list(pair)
        ]
        places, seats = map(list, zip(*games, strict=True))
        wins, draws = winners[:, places] == np.array(seats), winners[:, places] == PLAYERS
        line = {"method": METHODS[method], "first": METHODS[pair[0]], "second": METHODS[pair[1]]}
        line["games"] = len(set(places)) * len(winners)
        for name, share in (("wins", wins), ("draws", draws)):
            line[name], line[f"{name}_error"] = _mean(share.mean(axis=1))
        lines.append(line)
    return pd.DataFrame(lines)


def overall(rows: pd.DataFrame) -> pd.DataFrame:
    """Each method over all games of different methods, with standard errors.

    `wins`, the share of its places at the table that won; `nodes` and `depth` per move; `kept`: share of kept wins
    where it could be sure to win; `gave`: share of moves that gave another player a sure win where this could be
    avoided. Beside `kept`, which may be 1, `kept_low` and `kept_high`: bounds of a 95% confidence interval.
    """
    winners, lines = _winners(rows), []
    for method, name in enumerate(METHODS):
        line = {"method": name}
        line["wins"], line["wins_error"] = _mean(_won(winners, method))
        for ratio, above, below in (
            ("nodes", "nodes", "moves"),
            ("depth", "depth", "moves"),
            ("kept", "kept", "winnable"),
            ("gave", "gave", "open"),
        ):
            line[ratio], line[f"{ratio}_error"] = _ratio(rows[f"{name} {above}"], rows[f"{name} {below}"])
        line["kept_low"], line["kept_high"] = _bounds(rows[f"{name} kept"], rows[f"{name} winnable"])
        lines.append(line)
    return pd.DataFrame(lines)


def difference(rows: pd.DataFrame, first: str, second: str) -> Estimate:
    """How much more often one method wins its places than another, over the same openings."""
    winners = _winners(rows)
    shares = [_won(winners, METHODS.index(one_of("method", name, METHODS))) for name in (first, second)]
    return _mean(shares[0] - shares[1])


def change(before: pd.DataFrame, after: pd.DataFrame, method: str) -> Estimate:
    """How much more often a method wins its places in one contest than in another, same openings."""
    if list(before["hands"]) != list(after["hands"]):
        raise ValueError("before, after: rows of the same openings, in the same order, are needed")
    place = METHODS.index(one_of("method", method, METHODS))
    return _mean(_won(_winners(after), place) - _won(_winners(before), place))


def _won(winners: np.ndarray, method: int) -> np.ndarray:
    """Share of a method's places in games of different methods that won, by opening."""
    seats = np.array([[len(set(seating)) > 1 and seated == method for seated in seating] for seating in SEATINGS])
    won = winners[:, :, None] == np.arange(PLAYERS)
    return (won & seats).sum(axis=(1, 2)) / seats.sum()


def _winners(rows: pd.DataFrame) -> np.ndarray:
    """The winning seat of every game, 3 for a draw: shape (openings, seatings)."""
    if len(rows) < 2:
        raise ValueError(f"rows: {len(rows)} of them, at least 2 are needed for a standard error")
    return np.array([[WINNERS.index(letter) for letter in text] for text in rows["winners"]])


def _mean(values: np.ndarray) -> Estimate:
    """Mean over openings and its standard error."""
    return Estimate(float(values.mean()), float(standard_error(values)))


def _bounds(above: pd.Series, below: pd.Series) -> tuple[float, float]:
    """A 95% interval of a ratio of two totals over openings: 1.96 standard errors, at 0 and 1 the exact one.

    A ratio of 1 has no error of its own. If chance let a share p of the moves be right, an opening would have all of
    its moves right with no more than that chance; so the exact interval for the openings holds for the share.
    """
    ratio, error = _ratio(above, below)
    if ratio in (0, 1):
        met = int((below > 0).sum())
        low, high = interval(int(ratio) * met, met)
        return float(low), float(high)
    return (max(ratio - 1.96 * error, 0.0), min(ratio + 1.96 * error, 1.0)) if ratio == ratio else (np.nan, np.nan)


def _ratio(above: pd.Series, below: pd.Series) -> Estimate:
    """A ratio of two totals over openings and its standard error (the linearised estimator of survey sampling)."""
    ratio = above.sum() / below.sum() if below.sum() else np.nan
    residuals = (above - ratio * below).to_numpy(float)
    return Estimate(float(ratio), float(standard_error(residuals) / below.mean()) if below.sum() else np.nan)
