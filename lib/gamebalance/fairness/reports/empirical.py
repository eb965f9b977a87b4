"""The game of ways to play: who picks which way to play a game, and what everybody then gets."""

from collections.abc import Callable, Collection, Mapping
from itertools import product
from math import inf

import numpy as np

from gamebalance.base.checks import check_seed, shown, whole_number
from gamebalance.fairness.reports.exact import ExactPlay
from gamebalance.fairness.reports.outlook import outlook, own_policies, play_of
from gamebalance.fairness.reports.simulated import SimulatedPlay
from gamebalance.multiplayer.graph.policies import Policy
from gamebalance.multiplayer.normal_form import EmpiricalGame
from gamebalance.multiplayer.protocols import Game


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
    game, players, policies
        As of `report`.
    ways : collection of str
        Which of the built-in ways there are besides random play: greedy, searching, best.
    games : int, optional
        Of each arrangement, 2 or more; by default 200 where the states are not known.
    seed : int
        Of these games.
    states : int, optional
        How many states are looked for, as of `outlook`.
    playouts : int
        From each move of a player who searches in a game whose states are not known.

    Raises
    ------
    ValueError
        If the game breaks its protocol, or an argument does not fit; one way to play is no game.

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
    counts = {"states": states, "games": played, "contests": played, "playouts": playouts, "looks": 0}
    found = outlook(game, players, ways=ways, own=len(own), **counts)
    play = play_of(found, game, seed, own)
    if len(play.levels) < 2:
        raise ValueError(f"game = {shown(game)}: two ways to play are needed, and all its ways are one")
    if found.graph is not None and games is None:
        return _exact(play)
    payoffs = [_payoffs(play, played, seed, names) for names in product(play.levels, repeat=found.seats.players)]
    profiles = np.repeat(list(product(range(len(play.levels)), repeat=found.seats.players)), played, axis=0)
    return EmpiricalGame.of_arrays(tuple(play.levels), profiles, np.concatenate(payoffs))


def _exact(play: ExactPlay) -> EmpiricalGame:
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
    places = [list(play.levels).index(name) for name in names]
    drawn = np.random.default_rng([seed, *places]).choice(len(endings.probability), games, p=endings.probability)
    return np.asarray(endings.values["points"], float)[drawn]
