"""Chapter 5.9: results foretold by ratings that know sides and by ratings that do not, made-up leagues, and pods.

Every forecast of a season rests on the seasons before it, so that all models know the same.
"""

from collections.abc import Callable, Hashable, Iterable
from typing import Any, NamedTuple

import numpy as np
import openskill.models
import pandas as pd
import trueskill
from scipy import sparse, special

from chapters.ten_at_the_table import TOWN
from gamebalance import fairness
from gamebalance.base.rounding import meant
from gamebalance.base.sums import dot
from gamebalance.fairness.rotation import seat_effects

#: The weight of the ridge model's penalty; among which steps, in its points, Elo's is chosen, and the packages' luck.
RIDGE, STEPS, LUCK = 10.0, (2.0, 4.0, 8.0, 16.0, 32.0), (4.0, 8.0, 16.0)
#: Elo's points for odds of e to 1.
POINTS = 400 / np.log(10)
#: Digits of a forecast, and how far one stays from 0 and 1.
DIGITS, EDGE = 6, 1e-6


class Tables(NamedTuple):
    """Games of two sides: a row for each player, and by game who was on the first side and on the second, and won."""

    rows: pd.DataFrame
    sides: tuple[str, str] = ("town", "mafia")

    def where(self, chosen: pd.Series) -> "Tables":
        """The games of these rows."""
        return self._replace(rows=self.rows[chosen])

    def teams(self, standing: bool = False) -> list[tuple[list, list, bool]]:
        """By game: the players of either side, None for a stranger, and whether the first side won.

        If asked to, with one more player on either side, who stands for it.
        """
        players = self.rows["player"].astype(object).where(self.rows["player"].notna(), None)
        listed = players.groupby([self.rows["game"], self.rows["side"]]).agg(list).unstack()[list(self.sides)]
        more = [[(side,)] if standing else [] for side in self.sides]
        return [
            (first + more[0], second + more[1], won)
            for (first, second), won in zip(listed.to_numpy().tolist(), self.won, strict=True)
        ]

    @property
    def weights(self) -> np.ndarray:
        """By row: what it adds to the mean of the first side less that of the second."""
        size = self.rows.groupby(["game", "side"])["side"].transform("size")
        return np.where(self.rows["side"] == self.sides[0], 1.0, -1.0) / size.to_numpy()

    @property
    def won(self) -> np.ndarray:
        """By game: whether the first side won."""
        first = self.rows[self.rows["side"] == self.sides[0]]
        return first.groupby("game")["won"].first().to_numpy(bool)


def tables_of(games: pd.DataFrame) -> Tables:
    """The recorded tables of `sport_mafia_games`, which have a row for each seat."""
    side = np.where(games["role"].isin(TOWN), "town", "mafia")
    return Tables(games.rename(columns={"table": "game", "person": "player"}).assign(side=side))


# --- forecasts: of the chance of the first side in each game to come, from games that were played ---

Forecast = Callable[[Tables, Tables], np.ndarray]


def even(past: Tables, coming: Tables) -> np.ndarray:
    """One half."""
    return np.full(len(coming.won), 0.5)


def base_rate(past: Tables, coming: Tables) -> np.ndarray:
    """What the side has won so far."""
    return np.full(len(coming.won), past.won.mean())


def ridge(past: Tables, coming: Tables) -> np.ndarray:
    """A logistic model: one strength a person, the mean of a side less that of the other, with a quadratic penalty."""
    ahead, strengths = ridge_strengths(past)
    adds = coming.rows["player"].map(strengths).fillna(0.0) * coming.weights
    return special.expit(ahead + adds.groupby(coming.rows["game"]).sum().to_numpy())


def ridge_strengths(past: Tables, sides: bool = True) -> tuple[float, pd.Series]:
    """How far the first side is ahead, 0 unless sides are to be told apart, and the strength of each person."""
    who, people = pd.factorize(past.rows["player"])
    game = np.unique(past.rows["game"], return_inverse=True)[1]
    there, won = who >= 0, past.won
    adds = sparse.csr_array((past.weights[there], (game[there], who[there])), shape=(len(won), len(people)))
    known = sparse.csr_array(sparse.hstack([np.full((len(won), 1), float(sides)), adds]))
    penalty, place = RIDGE * np.eye(1 + len(people)), np.zeros(1 + len(people))
    penalty[0, 0] = 0.0 if sides else 1.0
    for _ in range(8):  # Newton's steps
        chance = special.expit(known @ place)
        slope = known.T @ (won - chance) - dot(penalty, place)
        curvature = (known.T @ sparse.diags_array(chance * (1 - chance)) @ known).toarray() + penalty
        place = place + np.linalg.solve(curvature, slope)
    return float(place[0]), pd.Series(place[1:], people)


class Package(NamedTuple):
    """Ratings that change with each game: a stranger's, those after a game that a team has won, and its chance."""

    stranger: Callable[[], Any]
    after: Callable[[list[list], bool], list[list]]
    chance: Callable[[list[list]], float]


def elo(ahead: float, step: float) -> Package:
    """Elo's ratings, a team's being its members' mean, if the first team is ahead by so much in log odds."""

    def chance(teams: list[list]) -> float:
        return float(special.expit(ahead + (np.mean(teams[0]) - np.mean(teams[1])) / POINTS))

    def after(teams: list[list], won: bool) -> list[list]:
        change = step * (won - chance(teams))
        return [[each + change for each in teams[0]], [each - change for each in teams[1]]]

    return Package(float, after, chance)


def with_openskill(luck: float = 1.0) -> Package:
    """The package openskill, with so many times the luck in a game that it expects as it comes."""
    model = openskill.models.PlackettLuce(beta=luck * openskill.models.PlackettLuce().beta)

    def after(teams: list[list], won: bool) -> list[list]:
        return model.rate(teams, ranks=[1, 2] if won else [2, 1])

    return Package(model.rating, after, lambda teams: model.predict_win(teams)[0])


def with_trueskill(luck: float = 1.0) -> Package:
    """The package TrueSkill, without draws; the chance is that of its model's normal performances."""
    model = trueskill.TrueSkill(beta=luck * trueskill.BETA, draw_probability=0.0)

    def after(teams: list[list], won: bool) -> list[list]:
        return model.rate(teams, ranks=[0, 1] if won else [1, 0])

    def chance(teams: list[list]) -> float:
        apart = sum(each.mu for each in teams[0]) - sum(each.mu for each in teams[1])
        noise = sum(each.sigma**2 + model.beta**2 for team in teams for each in team)
        return float(special.ndtr(apart / np.sqrt(noise)))

    return Package(model.create_rating, after, chance)


def rated(past: Tables, package: Package, sides: bool = False) -> tuple[float, dict]:
    """The logarithmic score of the chances before each game, and each player's rating after all of them.

    If asked to, with one more player on either side, who stands for it.
    """
    score, known = 0.0, dict[Hashable, Any]()
    for first, second, won in past.teams(sides):
        teams = [_ratings(known, team, package) for team in (first, second)]
        score += np.log(max(EDGE, package.chance(teams) if won else 1 - package.chance(teams)))
        found = package.after(teams, won)
        known |= dict(zip([*first, *second], [*found[0], *found[1]], strict=True))
        known.pop(None, None)
    return score, known


def _ratings(known: dict, team: list, package: Package) -> list:
    return [known.get(who) or package.stranger() for who in team]


def packaged(past: Tables, coming: Tables, packages: Iterable[Package], sides: bool = False) -> np.ndarray:
    """The forecasts of that package, of several, which has foretold best so far."""
    tried = [(*rated(past, package, sides), package) for package in packages]
    _, known, package = max(tried, key=lambda each: each[0])
    teams = [[_ratings(known, team, package) for team in both] for *both, _ in coming.teams(sides)]
    return np.array([package.chance(each) for each in teams])


def by_elo(past: Tables, coming: Tables) -> np.ndarray:
    """Elo's ratings with points for the side, by the step that has foretold best."""
    ahead = float(special.logit(past.won.mean()))
    return packaged(past, coming, [elo(ahead, step) for step in STEPS])


def rating_of(tables: Tables, over: str | None = None) -> fairness.Rating:
    """`fairness.rate` by sides, with steps from period to period if `over` names a column of periods."""
    return fairness.rate(fairness.read_games(tables.rows), by="side", over=over)


def by_rate(past: Tables, coming: Tables, over: str | None = None) -> np.ndarray:
    """The forecasts of `rating_of`."""
    rating = rating_of(past, over)
    there = coming.rows["side"] == coming.sides[0]
    return rating.chances(coming.rows)[there].groupby(coming.rows["game"][there]).first().to_numpy()


#: By name: what is compared, the base rate first.
FORECASTS: dict[str, Forecast] = {
    "the side's share so far": base_rate,
    "one half": even,
    "openskill": lambda past, coming: packaged(past, coming, [with_openskill()]),
    "openskill, tuned": lambda past, coming: packaged(past, coming, map(with_openskill, LUCK), sides=True),
    "TrueSkill": lambda past, coming: packaged(past, coming, [with_trueskill()]),
    "TrueSkill, tuned": lambda past, coming: packaged(past, coming, map(with_trueskill, LUCK), sides=True),
    "Elo, with sides": by_elo,
    "ridge regression": ridge,
    "rate": by_rate,
    "rate, people change": lambda past, coming: by_rate(past, coming, over="season"),
}


def foretold(tables: Tables, season: int) -> pd.DataFrame:
    """By game of a season: whether the first side won, and its chance by each of `FORECASTS` from what was before."""
    past, coming = tables.where(tables.rows["season"] < season), tables.where(tables.rows["season"] == season)
    found = {name: forecast(past, coming) for name, forecast in FORECASTS.items()}
    return meant(pd.DataFrame({"season": season, "won": coming.won} | found), DIGITS)


def scores(games: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """By game and forecast: the logarithm of the chance of what happened, and the squared error."""
    chances = games[list(FORECASTS)].clip(EDGE, 1 - EDGE)
    happened = chances.where(games["won"], 1 - chances, axis=0)
    return np.log(happened), (1 - happened) ** 2


def luck(rating: fairness.Rating) -> float:
    """The percentage of the uncertainty about a game's result that is left when strengths are known."""
    return 100 * (1 - rating.bits / rating.result_bits)


def ahead(tables: Tables) -> pd.DataFrame:
    """The rows of those who are known: how many `games` each has, which `number` this is, and what is won `ahead` of
    the side's share, in percent.
    """
    rows = tables.rows[tables.rows["player"].notna()]
    share = rows["side"].map(tables.rows.groupby("side")["won"].mean())
    by_player = rows.groupby("player")["won"]
    columns = {"games": by_player.transform("size"), "number": by_player.cumcount() + 1}
    return rows.assign(**columns, ahead=meant(100 * (rows["won"] - share)))


def jackknife(measure: Callable[[Tables], float], tables: Tables) -> tuple[float, float]:
    """What is measured, and its standard error by leaving out one season after the other."""
    season = tables.rows["season"]
    without = np.array([measure(tables.where(season != each)) for each in season.unique()])
    spread = ((without - without.mean()) ** 2).mean()
    return meant((measure(tables), float(np.sqrt((len(without) - 1) * spread))), DIGITS)


def calibration(won: np.ndarray, chance: np.ndarray, groups: int = 8) -> pd.DataFrame:
    """Games in groups of equal size by their chance: the mean chance, the share won, and two standard errors of it."""
    group = (pd.Series(chance).rank(method="first") - 1) * groups // len(chance)
    found = pd.DataFrame({"chance": chance, "share": won, "games": 1}).groupby(group)
    frame = found.mean().assign(games=found["games"].sum())
    return frame.assign(reach=2 * np.sqrt(frame["share"] * (1 - frame["share"]) / frame["games"]))


# --- made-up leagues ---

#: Who gets the strong side: anybody, by lot; the strong; or those who like it, strong or not.
LIKINGS = ("by lot", "the strong", "who likes it")


class League(NamedTuple):
    """A made-up league: its games, the strength of each person, and the first side's chance between equals."""

    tables: Tables
    strengths: pd.Series
    chance: float


def league(
    random: np.random.Generator,
    games: int,
    liking: str = LIKINGS[0],
    power: float = 1.0,
    people: int = 30,
    sizes: tuple[int, int] = (6, 3),
    ahead: float = 0.6,
    spread: float = 0.8,
) -> League:
    """Games of a small side, which is `ahead` in log odds, against a large one; a side's strength is its members' sum
    over their number to a power.
    """
    strengths = spread * random.standard_normal(people)
    wish = {
        "by lot": np.zeros(people),
        "the strong": strengths / spread,
        "who likes it": random.standard_normal(people),
    }
    there = np.argsort(random.random((games, people)), axis=1)[:, : sum(sizes)]
    order = np.argsort(wish[liking][there] + random.gumbel(size=there.shape), axis=1)
    there = np.take_along_axis(there, order, axis=1)  # who wants the small side most, last
    weights = np.repeat([1.0, -1.0], sizes) * np.repeat(np.array(sizes, float) ** -power, sizes)
    won = random.random(games) < special.expit(strengths[there] @ weights - ahead)
    sides = np.repeat(["large", "small"], sizes)
    rows = {"game": np.repeat(np.arange(games), sum(sizes)), "side": np.tile(sides, games), "player": there.ravel()}
    rows["won"] = (won[:, None] == (sides == "large")).astype(int).ravel()
    chance = special.expit(strengths[there].mean() * weights.sum() - ahead)
    return League(Tables(pd.DataFrame(rows), ("large", "small")), pd.Series(strengths), float(chance))


def recovered(made: League) -> dict[str, float]:
    """Whether the chance between equals is in its interval, and how strengths correlate with the truth."""
    rating = rating_of(made.tables)
    side, who = rating.sides.loc["large"], rating.persons.index
    package = {who: each.mu for who, each in rated(made.tables, with_openskill())[1].items()}
    found = {"rate": rating.persons["strength"], "openskill": pd.Series(package)}
    found |= {name: ridge_strengths(made.tables, told)[1] for name, told in (("ridge", True), ("no sides", False))}
    covered = float(side["low"] <= made.chance <= side["high"])
    return {"covered": covered} | {name: made.strengths[who].corr(each[who]) for name, each in found.items()}


# --- pods: four seats, everybody for himself ---


def pods(
    random: np.random.Generator, seated: pd.DataFrame, shares: np.ndarray, spread: float, seasons: int, by_lot: bool
) -> pd.DataFrame:
    """Made-up seasons of a schedule, a row for each player of each game, in which seats win, over all people, `shares`.

    Each season has people of its own. If asked to, each table draws lots for its seats.
    """
    size, rows = len(shares), len(seated)
    person = seated["player"].astype(int).to_numpy() - 1
    seat = np.tile(seated["seat"].to_numpy() - 1, (seasons, 1)).reshape(seasons, -1, size)
    if by_lot:
        seat = random.permuted(seat, axis=2)
    strengths = spread * random.standard_normal((seasons, person.max() + 1))
    heights = strengths[:, person].reshape(seat.shape) + seat_effects(shares, spread)[seat]
    heights += random.gumbel(size=seat.shape)
    won = heights == heights.max(axis=2, keepdims=True)
    columns = {"season": np.repeat(np.arange(seasons), rows), "game": np.arange(seasons * rows) // size}
    return pd.DataFrame(columns | {"seat": seat.ravel() + 1, "player": np.tile(person, seasons), "won": won.ravel()})


def saved(
    random: np.random.Generator, players: int, rounds: int, shares: np.ndarray, spread: float, seasons: int
) -> dict:
    """The standard error of the first seat's share of a season, in which seats are drawn or even, and the games saved.

    The error of what is saved takes both variances as those of normal numbers.
    """
    seated = fairness.seatings(players, rounds, len(shares)).frame
    errors = {}
    for name, by_lot in (("by lot", True), ("even", False)):
        games = pods(random, seated, shares, spread, seasons, by_lot)
        errors[name] = games[games["seat"] == 1].groupby("season")["won"].mean().std()
    ratio = (errors["even"] / errors["by lot"]) ** 2
    return meant(errors | {"saved": 1 - ratio, "s.e.": 2 * ratio / np.sqrt(seasons)}, DIGITS)
