"""What the seat does and what the role does: rows of seatings, maps, parts, fairest seatings, rules for seating.

A player's chance to win is his side's: of lord and loyalists, of the rebels, and that one of the renegades wins.
"""

from collections import namedtuple
from functools import cache, partial
from itertools import pairwise, product

import numpy as np
import pandas as pd
from scipy import stats

from gamebalance.base.estimates import Estimate
from gamebalance.base.rounding import meant
from gamebalance.fairness.spreads import deviation_gradient, squared_deviations
from gamebalance.sanguosha.lineup import LINEUPS, ROLE_KEYS, Role, Seating
from gamebalance.sanguosha.rules import AS_CODED
from gamebalance.sanguosha.scoring import SIDES, WINNERS
from gamebalance.sanguosha.simulation import simulate
from gamebalance.sanguosha.targets import candidates

#: A line-up with more seatings than this is one of many seatings; the seed of the first seating that is simulated.
MANY, FIRST_SEED = 1000, 10_000
#: The role whose chance to win stands for a side's, and the place of each role's side among the sides.
SIDE_ROLES = dict(zip(WINNERS, (Role.LORD, Role.REBEL, Role.RENEGADE), strict=True))
SIDE_OF = tuple(list(WINNERS).index(side) for side in SIDES)
#: The columns of the sides' chances to win, and those of their standard errors.
WINS = [f"win_{side}" for side in WINNERS]
WIN_ERRORS = [f"{name}_error" for name in WINS]
#: The roles whose seat is drawn; the lord's is the first.
SEATED = (Role.LOYALIST, Role.REBEL, Role.RENEGADE)
#: How uneven a seating is: Bal of survival; the root mean square difference of chances to win from their mean.
MEASURES = ("bal", "spread")
#: How often a statement about all seatings of a line-up may be wrong.
RISK = 0.01


@cache
def listing():
    """All seatings of six to ten players, line-up by line-up: those that are simulated, each with a seed of its own."""
    return tuple(seating for lineup in LINEUPS[2:] for seating in lineup.seatings())


def row(number, games, games_of_many):
    """Simulated results of one seating of `listing`; `games_of_many` in a line-up with more than `MANY` seatings."""
    seating = listing()[number]
    many = seating.lineup.seating_count > MANY
    return {"number": number} | simulated(seating, games_of_many if many else games, FIRST_SEED + number, endgame=True)


def simulated(seating, games, seed, **options):
    """The row of one seating after so many games."""
    return columns(simulate(Seating(seating).lineup, games, seed, seating=seating, **options))


def columns(outcomes):
    """The row of a seating: chances of sides, survival and scores of roles, Bal, errors; `games` is 0 when exact."""
    won = outcomes.results.standard_error(outcomes.win_table[:, list(SIDE_ROLES.values())])
    numbers = {f"win_{side}": share for side, share in outcomes.winning.items()} | dict(
        zip(WIN_ERRORS, won, strict=True)
    )
    survival, scores = (outcomes.survival, outcomes.survival_error), (outcomes.expected_scores(), outcomes.score_error)
    for name, (values, errors) in {"survival": survival, "score": scores}.items():
        numbers |= {f"{name}_{role}": value for role, value in zip(ROLE_KEYS, values, strict=True)}
        numbers |= {f"{name}_{role}_error": error for role, error in zip(ROLE_KEYS, errors, strict=True)}
    alive = np.array(list(outcomes.probability)) / outcomes.lineup.counts
    noise = outcomes.results.standard_error(alive - alive.mean(axis=1, keepdims=True))
    numbers |= {"bal": outcomes.balance, "bal_error": outcomes.balance_error, "bal_noise": np.square(noise).sum()}
    about = {"seating": str(outcomes.seating), "games": outcomes.games or 0, "turns": outcomes.turns}
    return about | {name: float(value) for name, value in numbers.items()}


def few_games(games, seed):
    """The rows of `listing` after a few games each, for a look that need not be precise."""
    rows = [simulated(seating, games, place) for place, seating in enumerate(listing(), seed)]
    return pd.DataFrame({name: meant(value) for name, value in row.items()} for row in rows)


def all_seatings(exact, played):
    """A row for each seating of the report's nine line-ups, in their order, exact wherever it was solved."""
    both = pd.concat([pd.DataFrame(map(columns, exact)), played.drop(columns="number", errors="ignore")])
    wanted = {seating: str(lineup) for lineup in LINEUPS for seating in lineup.seatings()}
    rows = both.drop_duplicates("seating").set_index("seating").loc[list(wanted)].reset_index()
    rows.insert(0, "lineup", list(wanted.values()))
    return rows


def of_lineup(rows, lineup):
    """The rows of one line-up, numbered from 0."""
    return rows[rows["lineup"] == str(lineup)].reset_index(drop=True)


def error_of_mean(errors):
    """The standard error of a mean of numbers that were played independently."""
    return float(np.sqrt(np.square(errors).sum()) / len(errors))


def mean_over(rows, measure):
    """The mean of a measure over the rows of seatings."""
    return Estimate(float(rows[measure].mean()), error_of_mean(rows[f"{measure}_error"]))


def covariances(errors):
    """Covariances of the sides' chances, shape (seatings, 3, 3), from their standard errors, shape (seatings, 3).

    The three add up to 1, so the variance of one, c, is that of the other two: var a + var b + 2 cov(a, b).
    """
    variance = np.square(errors)
    between = variance.sum(axis=1)[:, None, None] / 2 - variance[:, :, None] - variance[:, None, :]
    between[:, range(3), range(3)] = variance
    return between


def _quadratic(weights, covariance):
    """Variance of the weighted sum of the three chances in each seating; never below 0."""
    return np.maximum(np.einsum("si,sij,sj->s", weights, covariance, weights), 0.0)


def measured(rows):
    """The rows with `spread` and `spread_error`; from it and from `bal` the games' noise is taken off."""
    chances, covariance = rows[WINS].to_numpy(float), covariances(rows[WIN_ERRORS].to_numpy(float))
    lineups = [Seating(seating).lineup for seating in rows["seating"]]
    members = [(1 + line.loyalists, line.rebels, line.renegades) for line in lineups]
    weights = np.array(members) / np.array([[line.players] for line in lineups])
    apart = chances - (weights * chances).sum(axis=1, keepdims=True)
    noise = (weights * covariance[:, range(3), range(3)]).sum(axis=1) - _quadratic(weights, covariance)
    spread = np.sqrt(np.maximum((weights * np.square(apart)).sum(axis=1) - noise, 0.0))
    error = np.sqrt(_quadratic(2 * weights * apart, covariance)) / (2 * np.where(spread > 0, spread, np.inf))
    return rows.assign(bal=rows["bal"] - rows["bal_noise"], spread=spread, spread_error=error)


def seat_map(rows, lineup, role):
    """By seat, from 1, the lord's, on: the chance to win of who holds the role there, mean over the seatings."""
    here, seats, side = of_lineup(rows, lineup), {}, WINS[SIDE_OF[role]]
    for seat in range(lineup.players):
        there = here[here["seating"].str[seat] == str(int(role))]
        if len(there):
            win, error = mean_over(there, side)
            seats[seat + 1] = {"seatings": len(there), "win": win, "error": error}
    return pd.DataFrame.from_dict(seats, orient="index").rename_axis("seat")


def side_mean(rows, lineup, role):
    """The chance to win of the role's side in a line-up, mean over all seatings."""
    return of_lineup(rows, lineup)[WINS[SIDE_OF[role]]].mean()


def maps(rows):
    """The maps of the three roles in all line-ups, with the role's `mean` wherever it sits and `difference` from it."""
    parts = []
    for lineup, role in product(LINEUPS, SEATED):
        here, mean = seat_map(rows, lineup, role).reset_index(), side_mean(rows, lineup, role)
        parts.append(here.assign(lineup=str(lineup), role=role.key, mean=mean, difference=here["win"] - mean))
    names = ["lineup", "role", "seat", "seatings", "win", "error", "mean", "difference"]
    return pd.concat(parts, ignore_index=True)[names]


#: The variance of the chance to win over players and seatings, and the parts of it, which add up to 1.
Parts = namedtuple("Parts", "variance role own_seat other_seats")


def parts(rows, lineup, shared=False):
    """What part of the differences between chances to win is the role's, one's own seat's, and the others' seats'.

    Take a seating at random, and one of its players. The law of total variance parts the variance of his chance to win:
    between the means of the roles; within a role, between the means of the seats (`seat_map`); within role and seat,
    between the seatings. Each is a square of simulated numbers, to which their noise adds: with the covariances of the
    three chances of each seating, what it adds on average is known and taken off, and so are the standard errors, by
    the delta method. `shared`: give each of several renegades his part of their chance instead of the whole.
    """
    here, worth = of_lineup(rows, lineup), np.array([1, 1, 1 / lineup.renegades if shared else 1])
    covariance = covariances(here[WIN_ERRORS].to_numpy(float)) * np.outer(worth, worth)
    roles = np.array([list(map(int, seating)) for seating in here["seating"]])
    sides, places = np.array(SIDE_OF)[roles], roles + 4 * np.arange(lineup.players)
    chances = np.take_along_axis(here[WINS].to_numpy(float) * worth, sides, axis=1)
    levels = [_means(chances, sides, covariance, groups) for groups in (0 * roles, roles, places)]
    levels.append((chances, float((_per_side(sides, 1.0) * np.einsum("sii->si", covariance)).sum())))
    values, slopes = [], []
    for (above, noise_above), (below, noise_below) in pairwise(levels):
        values.append((float(np.square(below - above).sum()) - (noise_below - noise_above)) / chances.size)
        slopes.append(2 * _per_side(sides, below - above) / chances.size)
    total, slope = sum(values), sum(slopes)
    estimates = [Estimate(total, _error(slope, covariance))]
    for value, along in zip(values, slopes, strict=True):
        estimates.append(Estimate(value / total, _error((along - value / total * slope) / total, covariance)))
    return Parts(*estimates)


def _means(chances, sides, covariance, groups):
    """The mean chance of each player's group in his place, and what noise adds to the sum of their squares."""
    sizes, sums = np.bincount(groups.ravel()), np.bincount(groups.ravel(), chances.ravel())
    present = np.flatnonzero(sizes)
    noise = sum(float(_quadratic(_per_side(sides, groups == one), covariance).sum()) / sizes[one] for one in present)
    return (sums / np.maximum(sizes, 1))[groups], noise


def _per_side(sides, values):
    """Sums of values over the players of each side, shape (seatings, 3)."""
    return np.stack([np.where(sides == side, values, 0.0).sum(axis=1) for side in range(3)], axis=1)


def _error(slopes, covariance):
    """Standard error of what changes with the chances as the slopes say."""
    return float(np.sqrt(_quadratic(slopes, covariance).sum()))


#: Bal of the chances to survive before the seats are drawn, and its mean over the seatings, never less than that.
Unevenness = namedtuple("Unevenness", "before seated")


def unevenness(rows):
    """`Unevenness` of the seatings of a line-up, or of some of them.

    The mean of a square is the square of the mean and the variance: the mean of Bal over the seatings is Bal of the
    mean chances, plus the variances over the seatings of each role's difference from the mean of the roles. The first
    standard error is a bound: the length of the gradient times that of the noise.
    """
    survival = rows[[f"survival_{name}" for name in ROLE_KEYS]].to_numpy(float).mean(axis=0)
    noise = float(rows["bal_noise"].sum()) / len(rows) ** 2
    length = float(np.sqrt(np.square(deviation_gradient(survival)).sum()))
    before = Estimate(squared_deviations(survival) - noise, length * float(np.sqrt(noise)))
    return Unevenness(before, mean_over(rows, "bal"))


def beside_lord(rows):
    """The roles on both sides of the lord, the smaller digit first."""
    return rows["seating"].map(lambda seating: "".join(sorted(seating[1] + seating[-1]))).rename("neighbours")


def explained_by_neighbours(rows, lineup, column):
    """The part of the variance of a column over the seatings of a line-up that lies between the pairs of neighbours."""
    here = of_lineup(rows, lineup)
    values, squares = here[column].to_numpy(float), np.square(here[f"{column}_error"].to_numpy(float))
    groups = here.groupby(beside_lord(here))[column]
    means, sizes = groups.transform("mean").to_numpy(float), groups.transform("size").to_numpy(float)
    mean, count = values.mean(), len(values)
    total = np.square(values - mean).mean() - squares.mean() * (1 - 1 / count)
    between = np.square(means - mean).mean() - (squares * (1 / sizes - 1 / count)).mean()
    slopes = 2 / count * ((means - mean) - between / total * (values - mean)) / total
    return Estimate(float(between / total), float(np.sqrt((np.square(slopes) * squares).sum())))


def played_again(rows, seatings, games, seed):
    """`measured` rows of a few seatings after fresh games, by seating; those that are exact stay as they are."""
    stored = rows.set_index("seating").loc[list(seatings)]
    places = {seating: place for place, seating in enumerate(seatings, seed) if stored.loc[seating, "games"]}
    fresh = pd.DataFrame([simulated(seating, games, place) for seating, place in places.items()])
    return pd.concat([stored[stored["games"] == 0], measured(fresh).set_index("seating")])


def fairest(rows, measure, games, seed):
    """The seatings of least and largest `measure`, played again; none is below `bound`, but for `RISK` (Bonferroni)."""
    error = f"{measure}_error"
    groups, values = rows.groupby("lineup", sort=False), meant(rows[measure])
    chosen = {
        name: list(rows["seating"][[values[own.index].idxmin(), values[own.index].idxmax()]]) for name, own in groups
    }
    again = played_again(rows, [seating for pair in chosen.values() for seating in pair], games, seed)
    lines = []
    for name, own in groups:
        least, most = (again.loc[seating, [measure, error]] for seating in chosen[name])
        far = float(stats.norm.isf(RISK / len(own)))
        below = max(0.0, float((own[measure] - far * own[error]).min()))
        lines.append((name, len(own), own[measure].mean(), chosen[name][0], *least, below, chosen[name][1], *most))
    names = ["fairest", "least", "least_error", "bound", "worst", "most", "most_error"]
    return pd.DataFrame(lines, columns=["lineup", "seatings", "mean", *names])


def mean_row(rows):
    """The mean of a line-up's rows, and its standard errors: what a game has to give whose seats are drawn."""
    names = [name for name in rows if f"{name}_error" in rows and not name.startswith(MEASURES)]
    means = [{name: value, f"{name}_error": error} for name in names for value, error in [mean_over(rows, name)]]
    return {name: value for each in means for name, value in each.items()}


def differences(one, other):
    """Chances to win and to survive of two independent rows: their differences in standard errors."""
    names = [*WINS, *(f"survival_{name}" for name in ROLE_KEYS)]
    apart = np.array([one[name] - other[name] for name in names], float)
    return apart / [np.hypot(one[f"{name}_error"], other[f"{name}_error"]) for name in names]


def aimed_at(seating):
    """How many of the others' attacks aim at each seat in the first round: all healthy, nobody armed."""
    roles, aims = Seating(seating).roles, np.zeros(len(seating))
    for seat in range(len(seating)):
        targets = candidates(seat, roles, [1] * len(seating), False, AS_CODED)
        aims[targets] += 1 / max(1, len(targets))
    return aims


# ---- Rules for seating that fit in a sentence, and what they are worth.


def after_lord(seating: str, role: Role) -> bool:
    """Whether a player of the role moves next after the lord."""
    return seating[1] == str(int(role))


def before_lord(seating: str, role: Role) -> bool:
    """Whether a player of the role moves last, just before the lord."""
    return seating[-1] == str(int(role))


def away_from_lord(seating: str, role: Role) -> bool:
    """Whether no player of the role is a neighbour of the lord."""
    return not after_lord(seating, role) and not before_lord(seating, role)


def opposite_lord(seating: str, role: Role) -> bool:
    """Whether the role has a seat farthest from the lord; there may be two."""
    players = len(seating)
    return str(int(role)) in (seating[players // 2], seating[(players + 1) // 2])


def both_beside_lord(seating: str, roles: set[str]) -> bool:
    """Whether the lord's two neighbours have these two roles."""
    return {seating[1], seating[-1]} == roles


def neighbours(seating: str, groups: str) -> int:
    """How many pairs of neighbours round the table are of one group; `groups` has a letter for each role, or a dash."""
    kinds = [groups[int(digit)] for digit in seating]
    return sum(one == other != "-" for one, other in zip(kinds, kinds[1:] + kinds[:1], strict=True))


#: Each rule in one sentence, and whether a seating obeys it. All nine line-ups have seatings that do.
RULES = {}
for _role in SEATED:
    RULES[f"A {_role.key} sits directly after the lord"] = partial(after_lord, role=_role)
    RULES[f"A {_role.key} sits directly before the lord"] = partial(before_lord, role=_role)
    RULES[f"A {_role.key} sits opposite the lord"] = partial(opposite_lord, role=_role)
    RULES[f"No {_role.key} sits beside the lord"] = partial(away_from_lord, role=_role)
RULES |= {
    "A loyalist and a rebel sit beside the lord": partial(both_beside_lord, roles={"1", "2"}),
    "A loyalist and a renegade sit beside the lord": partial(both_beside_lord, roles={"1", "3"}),
    "A rebel and a renegade sit beside the lord": partial(both_beside_lord, roles={"2", "3"}),
    "No two rebels sit side by side": lambda seating: neighbours(seating, "--r-") == 0,
    "The rebels sit in one row": lambda seating: neighbours(seating, "--r-") == seating.count("2") - 1,
    "The lord and the loyalists sit in one row": lambda seating: neighbours(seating, "ll--") == seating.count("1"),
    "No two players of one side sit side by side": lambda seating: neighbours(seating, "llrt") == 0,
}


def rules_table(rows, measure="bal"):
    """By rule and line-up: how many seatings obey, the mean of the measure over them, and its ratio to that of all."""
    lines = []
    for rule, obeys in RULES.items():
        for lineup in LINEUPS:
            here = of_lineup(rows, lineup)
            obeying = here["seating"].map(obeys).to_numpy(bool)
            mean, ratio = mean_over(here[obeying], measure), ratio_to_all(here, obeying, measure)
            lines.append((rule, str(lineup), int(obeying.sum()), *mean, *ratio))
    return pd.DataFrame(lines, columns=["rule", "lineup", "seatings", "value", "error", "ratio", "ratio_error"])


def ratio_to_all(rows, chosen, measure):
    """The mean of a measure over the chosen rows, as a part of that over all of them."""
    ratio = rows.loc[chosen, measure].mean() / rows[measure].mean()
    weights = (chosen / chosen.sum() - ratio / len(rows)) / rows[measure].mean()
    return Estimate(float(ratio), float(np.sqrt(np.square(weights * rows[f"{measure}_error"]).sum())))


def ranking(table):
    """The rules by the mean of their ratios over the line-ups, best first; `better`: in how many the rule helps."""
    groups = table.groupby("rule", sort=False)
    ranks = groups["ratio"].agg(ratio="mean", least="min", most="max")
    ranks["error"] = groups["ratio_error"].agg(error_of_mean)
    ranks["better"] = groups["ratio"].agg(lambda ratios: int((ratios < 1).sum()))
    ranks["seatings"] = groups["seatings"].sum()
    return ranks.sort_values("ratio", kind="stable").reset_index()
