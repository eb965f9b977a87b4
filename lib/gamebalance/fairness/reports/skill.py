"""What chances to win tell: is it fair, how many games would show that it is not, and luck against skill."""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from itertools import product
from math import inf
from typing import Any, NamedTuple

import numpy as np
from scipy import stats

from gamebalance.base.checks import check_seed, shown, whole_number
from gamebalance.base.estimates import DECIDED, Estimate
from gamebalance.base.rounding import meant
from gamebalance.base.sums import dot
from gamebalance.fairness import planning
from gamebalance.fairness.endings import Endings
from gamebalance.fairness.games import Tally
from gamebalance.fairness.reports.outlook import outlook, own_policies, play_of
from gamebalance.fairness.reports.simulated import SimulatedPlay
from gamebalance.multiplayer.graph.policies import Policy
from gamebalance.multiplayer.normal_form import EmpiricalGame
from gamebalance.multiplayer.protocols import Game


class Answer(NamedTuple):
    """How fair a game is if all play in one way.

    The verdict is as of `judge`; undecided where errors are too large to tell; it depends where some equilibria are
    fair, and others are not.
    """

    level: str  # the way to play
    by: str  # whether seats, roles or sides are compared
    verdict: str
    label: Hashable  # who is farthest from an even share
    low: float  # the chance of that one to win: the least in the equilibria that were found
    high: float  # and the most
    error: float  # its standard error
    even: float  # the even share
    differs: bool | None  # whether chances are shown to differ; None if that depends on the equilibrium
    games: int | None  # so many would show it in 80 of 100 cases; None where none would, or not in every equilibrium


def answer(play, level: str, by: str, margin: float) -> Answer:
    """The answer of one way to play, of an `ExactPlay` or a `SimulatedPlay`."""
    variants, residue = play.variants(level), play.residue(level)
    tallies = [variant.tally(by) for variant in variants]
    everybody = play.alike is not None and len(next(iter(play.alike.groups), ())) == play.seats.players
    evens = [evened(tally) for tally in tallies]
    offs = [_apart(tally, residue, everybody) for tally in tallies]
    inside = [
        bool((np.abs(apart) + reach <= margin * decided + 1e-12).all())
        for (apart, reach), (*_, decided) in zip(offs, evens, strict=True)
    ]
    differs = [bool((np.abs(apart) > reach).any()) for apart, reach in offs]
    if len(set(inside)) > 1:
        verdict = "depends"
    else:
        verdict = "fair" if inside[0] else "unfair" if all(differs) else "undecided"
    place = int(np.argmax(meant(np.max([np.abs(apart) for apart, _ in offs], axis=0), 9)))
    chances = [float(tally.means[place]) for tally in tallies]
    return Answer(
        level,
        by,
        verdict,
        tallies[0].labels[place],
        min(chances),
        max(chances),
        0.0 if tallies[0].exact or everybody else float(errors_of(tallies[0])[place]),
        evens[0][1],
        differs[0] if len(set(differs)) == 1 else None,
        _games(variants, tallies, offs, evens) if all(differs) else None,
    )


def of_level(answers: tuple[Answer, ...]) -> str:
    """The verdict of a way to play from those by role and by seat: what is unfair to one is unfair."""
    verdicts = [each.verdict for each in answers]
    return next((verdict for verdict in ("unfair", "undecided", "depends") if verdict in verdicts), "fair")


def of_ways(verdicts: Iterable[str]) -> str:
    """The verdict of all ways to play: it depends on play if some are fair and some unfair."""
    different = set(verdicts)
    if len(different) == 1:
        return different.pop()
    return "depends" if {"fair", "unfair"} <= different or "depends" in different else "undecided"


def evened(tally: Tally) -> tuple[np.ndarray, float, float]:
    """The part of all players that each label has, the even share, and how many games somebody wins."""
    members = np.rint(tally.plays / tally.games)
    weight = members / members.sum()
    even = float(dot(weight, tally.means))
    return weight, even, even * float(members.sum())


def _apart(tally: Tally, residue: float, alike: bool) -> tuple[np.ndarray, np.ndarray | float]:
    """How far labels are from an even share (less than the residue is nothing), and how far that may be by chance."""
    weight, even, _ = evened(tally)
    apart = tally.means - even
    apart = np.where(np.abs(apart) <= max(residue, 1e-9), 0.0, apart)
    if tally.exact or alike:
        return apart, 0.0
    centre = np.eye(tally.size) - weight
    errors = np.sqrt(np.maximum(dot(dot(centre, tally.covariance), centre.T).diagonal(), 0.0))
    if tally.runs is None:
        return apart, DECIDED * errors
    runs = int(tally.runs.max()) + 1
    times = float(stats.t.isf(stats.norm.sf(DECIDED), runs - 1))
    return apart, times * np.where(apart.any() & (errors == 0), 1 / (2 * runs), errors)


def errors_of(tally: Tally) -> np.ndarray:
    """The errors of chances to win; half a run where all runs of trained players went the same way."""
    if tally.runs is None or not tally.means.any():
        return tally.errors
    return np.where(tally.errors == 0, 1 / (2 * (tally.runs.max() + 1)), tally.errors)


def _games(variants: Sequence[Endings], tallies: Iterable[Tally], offs: Iterable, evens: Iterable) -> int | None:
    """How many games show in every equilibrium that chances to win differ; each of those who share a role can win."""
    asked = {}  # many equilibria may give the same chances
    for variant, tally, (apart, _), (_, even, _) in zip(variants, tallies, offs, evens, strict=True):
        members = np.rint(tally.plays / tally.games).astype(int)
        results = variant.tally("side" if "side" in variant.labels else "seat")
        spread = _spread(results.total.toarray(), np.asarray(variant.probability, float))
        asked[meant(tally.means).tobytes()] = np.repeat(np.where(apart == 0, even, tally.means), members), *spread
    rough = [planning.games_of_shared_wins(chances, variance) or inf for chances, variance, _ in asked.values()]
    most = [
        games_to_show(*one) for one, about in zip(asked.values(), rough, strict=True) if about > 0.97 * max(rough) - 20
    ]
    return None if None in most else max(filter(None, most))


def games_to_show(chances: np.ndarray, variance: float, single: bool) -> int | None:
    """How many games show that chances to win differ in 80 of 100 cases, by the test of `judge`.

    Exactly if each game has a single winner or none. None if chances do not differ, or so little that no number
    does.
    """
    decided = float(chances.sum())
    if not single or len(chances) > planning.MOST_ROLES:
        return planning.games_of_shared_wins(chances, variance)
    try:
        needed = planning.games_needed(meant(chances / decided)) / decided
    except ValueError:  # they are equal, or nearly so
        return None
    return planning.whole_up(meant(needed, 6))  # chances that a solver found leave more than rounding


def _spread(won: np.ndarray, weight: np.ndarray) -> tuple[float, bool]:
    """The variance of what players win within a game, shape (rows, players), and whether nobody shares a win."""
    return float((weight * won.var(axis=1, ddof=1)).sum()), bool(np.all((won > 0).sum(axis=1) <= 1))


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
    """The contest of two ways to play; `play` is an `ExactPlay` or a `SimulatedPlay`.

    If players are trained, errors are of what is left without one of the trainings (the jackknife of J. Tukey, 1958).
    """
    seats = range(play.seats.players)
    tables = [play.endings(*(better if seat == own else others for seat in seats)) for own in seats]
    tables.append(play.endings(others))
    table = np.repeat(np.arange(len(tables)), [len(each.values["won"]) for each in tables])
    won, points = (np.concatenate([each.values[name] for each in tables]) for name in ("won", "points"))
    weight = np.concatenate([np.asarray(each.probability, float) for each in tables])
    run = np.concatenate([np.full(len(each.values["won"]), -1) if each.runs is None else each.runs for each in tables])
    games, results = [each.games or 0 for each in tables], (table, won, points)
    whole, errors, rest = _contest(better, others, results, weight, games), {}, []
    for one in range(int(run.max()) + 1):
        left = np.where(run == one, 0.0, weight)
        part = np.bincount(table, left)
        fewer = [round(count * share) for count, share in zip(games, part, strict=True)]
        rest.append(_contest(better, others, results, left / part[table], fewer))
    for name in ("points", "share", "depth", "bits") if rest else ():
        values = [getattr(each, name).value for each in rest]
        error = meant(float(np.sqrt((len(values) - 1) * np.var(values))), residue=1e-15)
        errors[name] = getattr(whole, name)._replace(error=error)
    return whole._replace(**errors)


def _contest(better: str, others: str, results: Sequence[np.ndarray], weight: np.ndarray, games: list[int]) -> Contest:
    """From what comes about (the table, wins, payoffs), with which weight at its table; errors by the delta method.

    Tables are numbered by the seat of the one, and that of the others alone is the last; each has so many `games`, or 0
    where chances are exact.
    """
    table, won, points = results
    players, among = won.shape[1], table == won.shape[1]
    got = np.where(among, points.sum(axis=1), points[np.arange(len(points)), table % players])  # by all, or by the one
    mean = np.bincount(table, weight * got)
    gained = float(mean[:-1].sum() - mean[-1]) / players
    spread = np.bincount(table, weight * (got - mean[table]) ** 2)
    variance = sum(each / (count - 1) for each, count in zip(spread, games, strict=True) if count)
    seat, weight, won = table[~among], weight[~among], won[~among]
    decided = float((weight * won.any(axis=1)).sum()) / players

    def part(result: np.ndarray) -> Estimate:
        """The mean of results of games over the decided ones."""
        mean = float((weight * result).sum()) / players / decided
        apart = (result - mean * won.any(axis=1)) / (decided * players)
        apart -= np.bincount(seat, weight * apart)[seat]
        return Estimate(mean, float(np.sqrt((weight * apart**2).sum() / games[0])) if games[0] else 0.0)

    share, even, depth = Estimate(1 / players), 1 / players, Estimate(0.0)
    if decided:
        own, every = won[np.arange(len(won)), seat], won.mean(axis=1)
        share, even, depth = part(own), part(every).value, part(own - every)
    bits = _bits(won, weight, seat, games[0])
    return Contest(
        better,
        others,
        Estimate(*meant((gained, float(np.sqrt(variance)) / players), residue=1e-15)),
        Estimate(*meant(tuple(share), residue=1e-15)),
        meant(even),
        Estimate(*meant(tuple(depth), residue=1e-9)),
        Estimate(*meant(bits, residue=1e-15)),
        meant(float(1 - bits[0] / np.log2(players)), residue=1e-12),
        meant(decided),
        players,
        *_spread(won, weight / players),
    )


def _bits(won: np.ndarray, weight: np.ndarray, seat: np.ndarray, games: int) -> tuple[float, float]:
    """Mutual information of the seat of the one who is alone, each equally likely, and who has won, in bits.

    Of a sample the excess that the plug-in estimate has on the average is taken off (as Miller 1955 does, but with as
    many games from each seat); error by the delta method.
    """
    players = won.shape[1]
    kinds, where = np.unique(meant(won), axis=0, return_inverse=True)
    chance = np.zeros((players, len(kinds)))
    np.add.at(chance, (seat, where.ravel()), weight)
    mean = chance.mean(axis=0)
    each = np.log2(np.divide(chance, mean, out=np.ones_like(chance), where=chance > 0))
    bits = float((chance * each).sum() / players)
    if not games:
        return max(bits, 0.0), 0.0
    shared = (chance * (1 - chance)).sum(axis=0)[mean > 0] / mean[mean > 0]
    excess = (np.count_nonzero(chance) - players - shared.sum() / players) / (2 * np.log(2) * games * players)
    spread = ((chance * each**2).sum(axis=1) - (chance * each).sum(axis=1) ** 2).sum() / players**2
    return float(np.clip(bits - excess, 0.0, np.log2(players))), float(np.sqrt(max(spread, 0.0) / games))


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
    states of the game are known and `games` is not given; else they are means of so many games (2 or more; by default
    200) of every arrangement of ways. `game`, `players`, `policies`, `ways`, `seed` and `states` are as of `report`;
    everybody may play at random besides the `ways`; `playouts` are those from each move of a player who searches where
    states are not known.

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
    play: Any = play_of(found, game, seed, own)
    levels, seats = tuple(play.levels), found.seats.players
    if len(levels) < 2:
        raise ValueError(f"game = {shown(game)}: two ways to play are needed, and all its ways are one")
    arrangements = list(product(levels, repeat=seats))
    if found.graph is not None and games is None:  # endlessly many games of each arrangement
        shape = (len(levels),) * seats
        means = np.stack([play.endings(*each).tally("seat", "points").means for each in arrangements], axis=1)
        return EmpiricalGame(
            levels, np.full(shape, inf), means.reshape(seats, *shape), np.zeros((seats, seats, *shape))
        )
    profiles = np.repeat(list(product(range(len(levels)), repeat=seats)), played, axis=0)
    return EmpiricalGame.of_arrays(
        levels, profiles, np.concatenate([_payoffs(play, played, seed, each) for each in arrangements])
    )


def _payoffs(play: Any, games: int, seed: int, arrangement: tuple[str, ...]) -> np.ndarray:
    """What everybody got in the games of an arrangement, shape (games, players)."""
    if isinstance(play, SimulatedPlay):
        return np.array([each.payoffs for each in play.played(*arrangement)], float)
    endings = play.endings(*arrangement)
    places, chances = [list(play.levels).index(name) for name in arrangement], np.asarray(endings.probability, float)
    rows = np.random.default_rng([seed, *places]).choice(len(chances), games, p=chances)
    return np.asarray(endings.values["points"], float)[rows]
