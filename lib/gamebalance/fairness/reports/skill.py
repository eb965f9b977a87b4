"""Luck against skill: what somebody who plays better gains among others, in points, in wins, in bits."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from itertools import product
from math import inf
from typing import Any, NamedTuple

import numpy as np

from gamebalance.base.checks import check_seed, shown, whole_number
from gamebalance.base.estimates import Estimate
from gamebalance.base.rounding import meant
from gamebalance.fairness.endings import Endings
from gamebalance.fairness.reports.exact import ExactPlay
from gamebalance.fairness.reports.outlook import outlook, own_policies, play_of
from gamebalance.fairness.reports.simulated import SimulatedPlay
from gamebalance.multiplayer.graph.policies import Policy
from gamebalance.multiplayer.normal_form import EmpiricalGame
from gamebalance.multiplayer.protocols import Game


class Contest(NamedTuple):
    """One player of a way to play alone among players of another, in each seat in turn.

    A shared win counts in parts, that of a side for each member.
    """

    better: str
    others: str
    points: Estimate  # what the one gets more than a player of the others' way would in the same seats, in payoffs
    share: Estimate  # how much it wins of the games that somebody wins
    even: float  # how much a player at these tables wins of them on average
    depth: Estimate  # the skill depth of the one way over the other: `share` less `even`
    bits: Estimate  # what one game tells about which seat plays better (mutual information of it and the winner)
    luck: float  # the part of the bits needed to know that seat that a game leaves open: 1 if play does not matter
    decided: float  # the share of the games that somebody wins
    players: int  # how many sit at a table
    variance: float  # of what the players of one game win, on average
    single: bool  # whether nobody ever shares a win

    @property
    def luck_error(self) -> float:
        """The standard error of `luck`."""
        return meant(float(self.bits.error / np.log2(self.players)))

    @property
    def shown(self) -> bool:
        """Whether it is shown that the one way wins more or less than its even share."""
        return abs(self.depth.value) > 1.96 * self.depth.error

    @property
    def chances(self) -> np.ndarray:
        """What the one who is alone, and each of the others, wins of all games."""
        own, all_ = self.decided * self.share.value, self.decided * self.even * self.players
        return np.array([own] + [(all_ - own) / (self.players - 1)] * (self.players - 1))


def contest(play, better: str, others: str) -> Contest:
    """The contest of two ways to play; `play` is an `ExactPlay` or a `SimulatedPlay`."""
    seats = range(play.seats.players)
    alone = [play.endings(*(better if seat == own else others for seat in seats)) for own in seats]
    alike = play.endings(others)
    found = _contest(better, others, alone, alike)
    runs = [endings.runs for endings in (*alone, alike) if endings.runs is not None]
    if not runs:
        return found
    numbers = range(int(max(map(np.max, runs))) + 1)
    rest = [_contest(better, others, [_but(e, run) for e in alone], _but(alike, run)) for run in numbers]
    return found._replace(
        **{
            name: getattr(found, name)._replace(error=_jackknife([getattr(each, name).value for each in rest]))
            for name in ("points", "share", "depth", "bits")
        }
    )


def _but(endings: Endings, run: int) -> Endings:
    """The games of all runs but one."""
    if endings.runs is None:
        return endings
    kept, weight = np.asarray(endings.runs) != run, np.asarray(endings.probability, float)
    total = weight[kept].sum()
    return replace(
        endings,
        probability=weight[kept] / total,
        values={name: np.asarray(value)[kept] for name, value in endings.values.items()},
        games=round(endings.games * total),
        runs=np.asarray(endings.runs)[kept],
        _tallies={},
    )


def _jackknife(values: list[float]) -> float:
    """The standard error of what each of these has without one of the runs (J. Tukey, 1958)."""
    return meant(float(np.sqrt((len(values) - 1) * np.var(values))), residue=1e-15)


def _contest(better: str, others: str, alone: list[Endings], alike: Endings) -> Contest:
    seats = range(len(alone))
    tables = [_Table(np.asarray(e.values["won"], float), np.asarray(e.probability, float), e.games) for e in alone]
    base, points = alike.tally("seat", "points"), [endings.tally("seat", "points") for endings in alone]
    gained = [tally.means[own] - base.means[own] for own, tally in enumerate(points)]
    variance = sum(tally.errors[own] ** 2 for own, tally in enumerate(points)) + base.covariance.sum()
    share, even, depth, decided = _share(tables)
    spreads = [varied(table.won, table.weight) for table in tables]
    bits, bits_error = _bits(alone)
    return Contest(
        better,
        others,
        Estimate(*meant((float(np.mean(gained)), float(np.sqrt(max(variance, 0.0))) / len(seats)), residue=1e-15)),
        Estimate(*meant(tuple(share), residue=1e-15)),
        meant(even),
        Estimate(*meant(tuple(depth), residue=1e-9)),
        Estimate(*meant((bits, bits_error), residue=1e-15)),
        meant(float(1 - bits / np.log2(len(seats))), residue=1e-12),
        meant(decided),
        len(seats),
        float(np.mean([variance for variance, _ in spreads])),
        all(single for _, single in spreads),
    )


class _Table(NamedTuple):
    """Who has won, shape (rows, players), and how often each row comes about."""

    won: np.ndarray
    weight: np.ndarray
    games: float | None


def _share(tables: list[_Table]) -> tuple[Estimate, float, Estimate, float]:
    """What the one who is alone wins of decided games, what all do, the difference, and how many are decided.

    Errors by the delta method.
    """
    decided = float(np.mean([table.weight[table.won.any(axis=1)].sum() for table in tables]))
    if decided == 0:
        return Estimate(1 / len(tables)), 1 / len(tables), Estimate(0.0), decided
    own = [table.won[:, seat] for seat, table in enumerate(tables)]
    every = [table.won.mean(axis=1) for table in tables]
    share = _part(own, tables, decided)
    depth = _part([one - mean for one, mean in zip(own, every, strict=True)], tables, decided)
    return share, _part(every, tables, decided).value, depth, decided


def _part(results: list[np.ndarray], tables: list[_Table], decided: float) -> Estimate:
    """The mean of results of games over the decided ones."""
    found = float(np.mean([(table.weight * result).sum() for table, result in zip(tables, results, strict=True)]))
    found, variance = found / decided, 0.0
    for table, result in zip(tables, results, strict=True):
        if table.games:
            apart = (result - found * table.won.any(axis=1)) / (decided * len(tables))
            mean = (table.weight * apart).sum()
            variance += (table.weight * (apart - mean) ** 2).sum() / table.games
    return Estimate(found, float(np.sqrt(variance)))


def varied(won: np.ndarray, weight: np.ndarray) -> tuple[float, bool]:
    """The variance of what players win within a game, on average over games, and whether nobody shares a win.

    Shapes of `won` (rows, players), of `weight`, the share of games that end so, (rows,).
    """
    single = bool(np.all((won > 0).sum(axis=1) <= 1))
    return float((weight * won.var(axis=1, ddof=1)).sum()), single


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


def metagame(
    game: Game | Callable,
    players: int | None = None,
    *,
    policies: Mapping[str, Policy] | None = None,
    ways: Collection[str] = ("random", "searching"),
    games: int | None = None,
    seed: int = 1,
    states: int | None = None,
    playouts: int = 8,
) -> EmpiricalGame:
    """The game in normal form whose strategies are ways to play a game: each seat picks one, and then all play.

    Its `ranking` is alpha-rank of the ways to play, with error bars. Payoffs are exact, with errors of 0, where all
    states of the game are known and `games` is not given; else they are means of games of every arrangement of ways.

    Parameters
    ----------
    game, players, policies, ways, seed, states
        As of `report`; everybody may play at random besides the `ways`.
    games : int, optional
        Of each arrangement, 2 or more; by default 200 where the states are not known.
    playouts : int
        From each move of a player who searches in a game whose states are not known.

    Examples
    --------
    In Kuhn poker for three equilibrium play displaces a search that takes all others to play at random:

    >>> from gamebalance.games import Kuhn
    >>> ranking = metagame(Kuhn(3), ways=("searching", "best")).ranking(resamples=2)
    >>> ranking.to_frame()["policy"].tolist(), ranking.masses.round(3).tolist()
    (['best', 'random', 'searching'], [0.0, 0.0, 1.0])
    """
    own, seed = own_policies(policies), check_seed(seed)
    played = 200 if games is None else whole_number("games", games, 2, 10**7)
    counts: dict[str, Any] = {"states": states, "games": played, "contests": played, "playouts": playouts, "looks": 0}
    found = outlook(game, players, ways=ways, own=len(own), **counts)
    play = play_of(found, game, seed, own)
    if len(play.levels) < 2:
        raise ValueError(f"game = {shown(game)}: two ways to play are needed, and all its ways are one")
    if found.graph is not None and games is None:
        return _exact(play)
    payoffs = [_payoffs(play, played, seed, names) for names in product(play.levels, repeat=found.seats.players)]
    profiles = np.repeat(list(product(range(len(play.levels)), repeat=found.seats.players)), played, axis=0)
    return EmpiricalGame.of_arrays(tuple(play.levels), profiles, np.concatenate(payoffs))


def _exact(play: Any) -> EmpiricalGame:
    """Endlessly many games of each arrangement."""
    players, shape = play.seats.players, (len(play.levels),) * play.seats.players
    tallies = [play.endings(*names).tally("seat", "points") for names in product(play.levels, repeat=players)]
    means = np.stack([tally.means for tally in tallies], axis=1).reshape(players, *shape)
    return EmpiricalGame(tuple(play.levels), np.full(shape, inf), means, np.zeros((players, players, *shape)))


def _payoffs(play: ExactPlay | SimulatedPlay, games: int, seed: int, names: tuple[str, ...]) -> np.ndarray:
    """What everybody got in the games of an arrangement, shape (games, players)."""
    if isinstance(play, SimulatedPlay):
        return np.array([each.payoffs for each in play.played(*names)], float)
    endings = play.endings(*names)
    places, chances = [list(play.levels).index(name) for name in names], np.asarray(endings.probability, float)
    drawn = np.random.default_rng([seed, *places]).choice(len(chances), games, p=chances)
    return np.asarray(endings.values["points"], float)[drawn]
