"""What the seat does and what the role does: maps of seats, the parts of the differences, the fairest seatings.

Everything is asked of the rows that `seat_rows.all_seatings` gives. A player's chance to win is his side's: that of the
lord and the loyalists, that of the rebels, and that one of the renegades wins.
"""

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from chapters.sanguosha.seat_rows import of_lineup, simulated
from gamebalance.base.checks import one_of
from gamebalance.base.estimates import Estimate
from gamebalance.base.rounding import meant
from gamebalance.fairness.spreads import deviation_gradient, squared_deviations
from gamebalance.sanguosha.lineup import LINEUPS, ROLE_KEYS, Lineup, Role, Seating
from gamebalance.sanguosha.rules import AS_CODED
from gamebalance.sanguosha.scoring import SIDES, WINNERS
from gamebalance.sanguosha.targets import candidates

if TYPE_CHECKING:
    import pandas

#: The place of each role's side among the three sides.
SIDE_OF = tuple(list(WINNERS).index(side) for side in SIDES)

#: The columns of the sides' chances to win, and those of their standard errors.
WINS = [f"win_{side}" for side in WINNERS]
WIN_ERRORS = [f"{name}_error" for name in WINS]

#: The roles whose seat is drawn; the lord's is the first.
SEATED = (Role.LOYALIST, Role.REBEL, Role.RENEGADE)

#: How uneven a seating is: Bal of the chances to survive; and the root mean square difference between the players'
#: chances to win and their mean.
MEASURES = ("bal", "spread")

#: How often a statement about all seatings of a line-up may be wrong.
RISK = 0.01


def covariances(errors: np.ndarray) -> np.ndarray:
    """Covariances of the sides' chances, shape (seatings, 3, 3), from their standard errors, shape (seatings, 3).

    The three add up to 1, so the variance of one is that of the sum of the other two.
    """
    variance = np.square(errors)
    total = variance.sum(axis=1)[:, None, None]
    # var c = var a + var b + 2 cov(a, b) for the three sides a, b and c
    between = total / 2 - variance[:, :, None] - variance[:, None, :]
    places = np.arange(3)
    between[:, places, places] = variance
    return between


def measured(rows: "pandas.DataFrame") -> "pandas.DataFrame":
    """The rows with `spread` and `spread_error`; from it and from `bal` the games' noise is taken off."""
    found = rows.copy()
    found["bal"] = rows["bal"] - rows["bal_noise"]
    chances, covariance = rows[WINS].to_numpy(float), covariances(rows[WIN_ERRORS].to_numpy(float))
    weights = np.array([_weights(Seating(seating).lineup) for seating in rows["seating"]])
    apart = chances - (weights * chances).sum(axis=1, keepdims=True)
    noise = (weights * covariance[:, range(3), range(3)]).sum(axis=1) - _quadratic(weights, covariance)
    square = np.maximum((weights * np.square(apart)).sum(axis=1) - noise, 0.0)
    found["spread"] = np.sqrt(square)
    error = np.sqrt(_quadratic(2 * weights * apart, covariance))
    found["spread_error"] = error / (2 * np.where(square > 0, found["spread"], np.inf))
    return found


def _weights(lineup: Lineup) -> np.ndarray:
    """The part of the players on each side."""
    _, loyalists, rebels, renegades = lineup.counts
    return np.array([1 + loyalists, rebels, renegades]) / lineup.players


def _quadratic(weights: np.ndarray, covariance: np.ndarray) -> np.ndarray:
    """Variance of the weighted sum of the three chances in each seating; never below 0."""
    return np.maximum(np.einsum("si,sij,sj->s", weights, covariance, weights), 0.0)


def seat_map(rows: "pandas.DataFrame", lineup: Lineup, role: Role) -> "pandas.DataFrame":
    """The chance to win of a player of a role by the seat he sits in: the mean over the seatings that put him there.

    By seat, from 1, the lord's, on: `seatings`, how many there are; `win`; `error`, its standard error. Seats in which
    the role never sits are left out.
    """
    import pandas

    here, found = of_lineup(rows, lineup), {}
    side = WINS[SIDE_OF[role]]
    for seat in range(lineup.players):
        there = here[here["seating"].str[seat] == str(int(role))]
        if len(there):
            error = np.sqrt(np.square(there[f"{side}_error"]).sum()) / len(there)
            found[seat + 1] = {"seatings": len(there), "win": there[side].mean(), "error": error}
    return pandas.DataFrame.from_dict(found, orient="index").rename_axis("seat")


def maps(rows: "pandas.DataFrame") -> "pandas.DataFrame":
    """The maps of the loyalist, the rebel and the renegade in all line-ups, one below the other.

    Columns: `lineup`, `role`, `seat`, `seatings`, `win`, `error`; `mean`, the chance of the role wherever it sits, and
    `difference`, of the seat from it.
    """
    import pandas

    found = []
    for lineup in LINEUPS:
        for role in SEATED:
            here = seat_map(rows, lineup, role).reset_index()
            mean = of_lineup(rows, lineup)[WINS[SIDE_OF[role]]].mean()
            about = {"lineup": str(lineup), "role": role.key}
            found.append(here.assign(**about, mean=mean, difference=here["win"] - mean))
    names = ["lineup", "role", "seat", "seatings", "win", "error", "mean", "difference"]
    return pandas.concat(found, ignore_index=True)[names]


def grid(mapped: "pandas.DataFrame", role: Role, column: str) -> np.ndarray:
    """A column of `maps` by line-up and seat, shape (9, 10): the first column the mean, then seats 2 to 10."""
    here = mapped[mapped["role"] == role.key]
    table = here.pivot(index="lineup", columns="seat", values=column).loc[list(map(str, LINEUPS))]
    first = {"win": here.groupby("lineup")["mean"].first()[table.index], "difference": 0.0}[column]
    table.insert(0, "mean", first)
    return table.to_numpy(float)


def best_and_worst_seats(rows: "pandas.DataFrame") -> "pandas.DataFrame":
    """Of each map the best and the worst seat.

    Columns: `lineup`, `role`, `mean`; `best`, the seat, and its chance, `win`, and `error`; `worst`, `low`,
    `low_error`; `gain` and `gain_error`: the difference.
    """
    import pandas

    found = []
    for lineup in LINEUPS:
        for role in SEATED:
            here = seat_map(rows, lineup, role)
            best, worst = int(meant(here["win"]).idxmax()), int(meant(here["win"]).idxmin())
            entry = {"lineup": str(lineup), "role": str(role)}
            entry["mean"] = of_lineup(rows, lineup)[WINS[SIDE_OF[role]]].mean()
            for names, seat in ((("best", "win", "error"), best), (("worst", "low", "low_error"), worst)):
                entry |= dict(zip(names, (seat, here.loc[seat, "win"], here.loc[seat, "error"]), strict=True))
            gain = seat_difference(rows, lineup, role, (best, worst))
            found.append(entry | {"gain": gain.value, "gain_error": gain.error})
    return pandas.DataFrame(found)


def seat_difference(rows: "pandas.DataFrame", lineup: Lineup, role: Role, seats: tuple[int, int]) -> Estimate:
    """How much better one seat of the map is than another; seatings that have the role in both count for neither."""
    here = of_lineup(rows, lineup)
    sits = np.array([here["seating"].str[seat - 1] == str(int(role)) for seat in seats], float)
    weights = sits[0] / sits[0].sum() - sits[1] / sits[1].sum()
    side = WINS[SIDE_OF[role]]
    error = np.sqrt(np.square(weights * here[f"{side}_error"]).sum())
    return Estimate(float((weights * here[side]).sum()), float(error))


class Parts(NamedTuple):
    """The variance of the chance to win over players and seatings, and the parts of it, which add up to 1."""

    variance: Estimate
    role: Estimate
    own_seat: Estimate
    other_seats: Estimate


def parts(rows: "pandas.DataFrame", lineup: Lineup, shared: bool = False) -> Parts:
    """What part of the differences between chances to win is the role's, one's own seat's, and the others' seats'.

    Parameters
    ----------
    rows : DataFrame
    lineup : Lineup
    shared : bool
        Of several renegades one alone can win: give each of them his part of their chance instead of the whole.

    Notes
    -----
    Take a seating at random, and one of its players. The law of total variance parts the variance of his chance to win:
    between the means of the roles; within a role, between the means of the seats (`seat_map`); within role and seat,
    between the seatings. Each is a square of simulated numbers, to which their noise adds: with the covariances of the
    three chances of each seating, what it adds on average is known and taken off, and so are the standard errors, by
    the delta method.
    """
    here = of_lineup(rows, lineup)
    worth = np.array([1, 1, 1 / lineup.renegades if shared else 1])
    covariance = covariances(here[WIN_ERRORS].to_numpy(float)) * np.outer(worth, worth)
    roles = np.array([[int(digit) for digit in seating] for seating in here["seating"]])
    sides = np.array(SIDE_OF)[roles]
    chances = np.take_along_axis(here[WINS].to_numpy(float) * worth, sides, axis=1)
    seats = np.arange(lineup.players)
    levels = [_means(chances, sides, covariance, groups) for groups in (0 * roles, roles, roles + 4 * seats)]
    levels.append((chances, float((_per_side(sides) * np.einsum("sii->si", covariance)).sum())))
    values, slopes = [], []
    for (above, noise_above), (below, noise_below) in pairwise(levels):
        step = below - above
        values.append((float(np.square(step).sum()) - (noise_below - noise_above)) / chances.size)
        slopes.append(2 * _per_side(sides, step) / chances.size)
    total, slope = sum(values), sum(slopes)
    found = [Estimate(total, _error(slope, covariance))]
    for value, along in zip(values, slopes, strict=True):
        found.append(Estimate(value / total, _error((along - value / total * slope) / total, covariance)))
    return Parts(*found)


def _means(chances: np.ndarray, sides: np.ndarray, covariance: np.ndarray, groups: np.ndarray) -> tuple[Any, float]:
    """The mean chance of each player's group in his place, and what noise adds to the sum of their squares."""
    sizes = np.bincount(groups.ravel())
    sums = np.bincount(groups.ravel(), chances.ravel())
    noise = 0.0
    for group in np.flatnonzero(sizes):
        noise += float(_quadratic(_per_side(sides, groups == group), covariance).sum()) / sizes[group]
    return (sums / np.maximum(sizes, 1))[groups], noise


def _per_side(sides: np.ndarray, values: np.ndarray | float = 1.0) -> np.ndarray:
    """Sums of values over the players of each side, shape (seatings, 3)."""
    return np.stack([np.where(sides == side, values, 0.0).sum(axis=1) for side in range(3)], axis=1)


def _error(slopes: np.ndarray, covariance: np.ndarray) -> float:
    """Standard error of what changes with the chances as the slopes say."""
    return float(np.sqrt(_quadratic(slopes, covariance).sum()))


class Unevenness(NamedTuple):
    """Bal of the chances to survive: of a line-up whose seats are not yet drawn, and of its seatings on average.

    The second is never less than the first; `seats` is the part of it that the first does not see.
    """

    before: Estimate
    seated: Estimate

    @property
    def seats(self) -> float:
        return 1 - self.before.value / self.seated.value


def unevenness(rows: "pandas.DataFrame") -> Unevenness:
    """Bal before and after the seats are drawn, from `measured` rows of one line-up, or of some of its seatings.

    Notes
    -----
    The mean of a square is the square of the mean and the variance: the mean of Bal over the seatings is Bal of the
    mean chances, plus the variances over the seatings of each role's difference from the mean of the roles. The
    standard error of `before` is a bound: the length of the gradient times that of the noise.
    """
    survival = rows[[f"survival_{name}" for name in ROLE_KEYS]].to_numpy(float).mean(axis=0)
    noise = float(rows["bal_noise"].sum()) / len(rows) ** 2
    length = float(np.sqrt(np.square(deviation_gradient(survival)).sum()))
    before = Estimate(squared_deviations(survival) - noise, length * float(np.sqrt(noise)))
    return Unevenness(before, mean_over(rows, "bal"))


def by_neighbours(rows: "pandas.DataFrame", lineup: Lineup) -> "pandas.DataFrame":
    """Means over the seatings of a line-up in which the lord has the same two neighbours, whichever sits where.

    Columns: `neighbours`, role digits such as "13"; `seatings`; `win_…`, and `bal` with `bal_error`, its mean; `least`
    and `most`, of *Bal*.
    """
    here = of_lineup(rows, lineup)
    groups = here.groupby(_beside_lord(here).rename("neighbours"))
    found = groups[[*WINS, "bal"]].mean()
    found["bal_error"] = groups["bal_error"].agg(lambda errors: float(np.sqrt(np.square(errors).sum()) / len(errors)))
    found["least"], found["most"] = groups["bal"].min(), groups["bal"].max()
    found.insert(0, "seatings", groups.size())
    return found.reset_index()


def explained_by_neighbours(rows: "pandas.DataFrame", lineup: Lineup, column: str) -> Estimate:
    """The part of the variance of a column over the seatings of a line-up that lies between the pairs of neighbours.

    The noise of the games is taken off, as in `parts`; the standard error is by the delta method.
    """
    here = of_lineup(rows, lineup)
    values, squares = here[column].to_numpy(float), np.square(here[f"{column}_error"].to_numpy(float))
    groups = here.groupby(_beside_lord(here))[column]
    means, sizes = groups.transform("mean").to_numpy(float), groups.transform("size").to_numpy(float)
    mean, count = values.mean(), len(values)
    total = np.square(values - mean).mean() - squares.mean() * (1 - 1 / count)
    between = np.square(means - mean).mean() - (squares * (1 / sizes - 1 / count)).mean()
    slopes = 2 / count * ((means - mean) - between / total * (values - mean)) / total
    return Estimate(float(between / total), float(np.sqrt((np.square(slopes) * squares).sum())))


def _beside_lord(rows: "pandas.DataFrame") -> "pandas.Series":
    """The roles on both sides of the lord, the smaller digit first."""
    return rows["seating"].map(lambda seating: "".join(sorted(seating[1] + seating[-1])))


def mean_over(rows: "pandas.DataFrame", measure: str) -> Estimate:
    """The mean of a measure over the rows of seatings, which were played independently."""
    error = np.sqrt(np.square(rows[f"{measure}_error"]).sum()) / len(rows)
    return Estimate(float(rows[measure].mean()), float(error))


def extremes(rows: "pandas.DataFrame", measure: str) -> tuple[str, str]:
    """The seatings of least and of largest `measure` among the rows; of equal ones the first."""
    values = meant(rows[one_of("measure", measure, MEASURES)]).reset_index(drop=True)
    return rows["seating"].iloc[int(values.idxmin())], rows["seating"].iloc[int(values.idxmax())]


def least_possible(rows: "pandas.DataFrame", measure: str, risk: float = RISK) -> float:
    """What the measure of no seating among the rows is below, but for the risk of an error: Bonferroni's bound."""
    from scipy import stats

    far = float(stats.norm.isf(risk / len(rows)))
    return max(0.0, float((rows[measure] - far * rows[f"{measure}_error"]).min()))


def played_again(rows: "pandas.DataFrame", seatings: Iterable[str], games: int, seed: int) -> "pandas.DataFrame":
    """`measured` rows of a few seatings after fresh games, by seating; those that are exact stay as they are.

    What was chosen for being extreme among many simulated values is likely to be less so: its own value has to come
    from other games. The seatings have seeds of their own from `seed` on.
    """
    import pandas

    stored = rows.set_index("seating")
    exact, fresh = [], []
    for place, seating in enumerate(seatings):
        if stored.loc[seating, "games"]:
            fresh.append(simulated(seating, games, seed + place))
        else:
            exact.append(seating)
    again = [measured(pandas.DataFrame(fresh))] if fresh else []
    return pandas.concat([stored.loc[exact].reset_index(), *again], ignore_index=True).set_index("seating")


def fairest(rows: "pandas.DataFrame", measure: str, games: int, seed: int) -> "pandas.DataFrame":
    """The seatings of least and of largest `measure` in each line-up, chosen among all rows and played again.

    Columns: `lineup`, `seatings`; `mean`; `fairest`, its `least` and `least_error`; `bound`, which no seating of the
    line-up is below but for `RISK`; `worst`, its `most` and `most_error`.
    """
    import pandas

    groups = {name: here for name, here in rows.groupby("lineup", sort=False)}
    chosen = {name: extremes(here, measure) for name, here in groups.items()}
    again = played_again(rows, [seating for pair in chosen.values() for seating in pair], games, seed)
    found = []
    for name, (least, most) in chosen.items():
        entry = {"lineup": name, "seatings": len(groups[name]), "mean": groups[name][measure].mean(), "fairest": least}
        entry |= {"least": again.loc[least, measure], "least_error": again.loc[least, f"{measure}_error"]}
        entry |= {"bound": least_possible(groups[name], measure), "worst": most}
        found.append(entry | {"most": again.loc[most, measure], "most_error": again.loc[most, f"{measure}_error"]})
    return pandas.DataFrame(found)


def mean_row(rows: "pandas.DataFrame") -> "pandas.Series":
    """The mean of a line-up's rows, and its standard errors: what a game has to give whose seats are drawn."""
    names = [name for name in rows if f"{name}_error" in rows and not name.startswith(("bal", "spread"))]
    found = rows[names].mean()
    for name in names:
        found[f"{name}_error"] = np.sqrt(np.square(rows[f"{name}_error"]).sum()) / len(rows)
    return found


def differences(one: Mapping[str, Any], other: Mapping[str, Any]) -> np.ndarray:
    """Chances to win and to survive of two independent rows: their differences in standard errors."""
    names = [*WINS, *(f"survival_{name}" for name in ROLE_KEYS)]
    apart = np.array([one[name] - other[name] for name in names], float)
    errors = np.array([np.hypot(one[f"{name}_error"], other[f"{name}_error"]) for name in names], float)
    return apart / errors


def aimed_at(seating: str) -> np.ndarray:
    """How many of the others' attacks aim at each seat in the first round: all healthy, nobody armed."""
    roles, aims = Seating(seating).roles, np.zeros(len(seating))
    for seat in range(len(seating)):
        targets = candidates(seat, roles, [1] * len(seating), False, AS_CODED)
        aims[targets] += 1 / max(1, len(targets))
    return aims
