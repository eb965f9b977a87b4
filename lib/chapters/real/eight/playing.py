"""Very many games of a behaviour, and of many behaviours: who wins."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from chapters.real.eight import kernel
from chapters.real.eight.behaviour import EIGHT, Behaviour
from chapters.real.eight.reading import coin_seed, limit
from gamebalance.base.checks import MOST_GAMES, check_seed, in_memory, listed, shown, whole_number
from gamebalance.base.rounding import meant
from gamebalance.base.splitmix import mix
from gamebalance.sanguosha import AS_CODED
from gamebalance.sanguosha.kernels import rule_tables
from gamebalance.sanguosha.outcomes import Outcomes
from gamebalance.sanguosha.stream import alias_table
from gamebalance.sanguosha.turn import MOST_TURNS, turn_codes

#: Who can win, in the order of every array of three here.
OUTCOMES = ("lord", "rebels", "renegade")
#: Games that are played in one go.
CHUNK = 1 << 16


@dataclass(frozen=True)
class Wins:
    """How often each side has won, among so many games of one behaviour.

    Parameters
    ----------
    counts : tuple of int
        Games won by the lord's side, the rebels and the renegade.
    turns : float
        Mean turns of a game.
    """

    counts: tuple[int, int, int]
    turns: float = float("nan")

    @classmethod
    def of(cls, outcomes: Outcomes) -> "Wins":
        """Those of the report's rule. Exact endgames stand for games that are played: the errors are too wide."""
        shares = np.array([outcomes.winning[side] for side in OUTCOMES])
        return cls(tuple(np.round(shares * outcomes.games).astype(int).tolist()), outcomes.turns)

    @property
    def games(self) -> int:
        return sum(self.counts)

    @property
    def shares(self) -> np.ndarray:
        """Shares of the games won by each side, shape (3,)."""
        return meant(np.array(self.counts) / self.games)

    @property
    def errors(self) -> np.ndarray:
        """Standard errors of `shares`, shape (3,)."""
        return meant(np.sqrt(self.covariance.diagonal()))

    @property
    def covariance(self) -> np.ndarray:
        """Covariance of `shares`, shape (3, 3)."""
        share = np.array(self.counts) / self.games
        return (np.diag(share) - np.outer(share, share)) / self.games


def simulate(behaviour: Behaviour, games: int, seed: int) -> Wins:
    """Play many games of eight by one behaviour.

    Parameters
    ----------
    behaviour : Behaviour
    games : int
        1 or more.
    seed : int
        0 to 2^63 - 1. Game i of a seed is `reading.play(behaviour, seed, i)`, and at the report's behaviour game i of
        ``sanguosha.simulate("1-2-4-1", games, seed)``.

    Raises
    ------
    ValueError
        If an argument is out of range, or a game does not end within `MOST_TURNS` turns.

    Examples
    --------
    >>> simulate(Behaviour(), 1000, seed=7).counts
    (459, 357, 184)
    """
    games, seed = whole_number("games", games, 1, MOST_GAMES), check_seed(seed)
    counts, turns = np.zeros(3, np.int64), 0
    for first in range(0, games, CHUNK):
        won, taken = _play(behaviour, first, min(first + CHUNK, games), seed)
        counts += np.bincount(won, minlength=3)
        turns += taken
    return Wins(tuple(counts.tolist()), turns / games)


def winners(behaviour: Behaviour, games: int, seed: int) -> np.ndarray:
    """Who won each of these games, as places in `OUTCOMES`: int8, shape (games,)."""
    games = whole_number("games", games, 1)
    in_memory(f"games = {games}", games)
    return _play(behaviour, 0, games, check_seed(seed))[0]


def simulate_all(behaviours: Iterable[Behaviour], games: int, seed: int) -> np.ndarray:
    """Games won by each side for each behaviour, int64, shape (behaviours, 3).

    All use the same words: two behaviours differ by less than two independent samples would, and each by itself is as
    uncertain as any sample of so many games.
    """
    return np.array([simulate(behaviour, games, seed).counts for behaviour in listed("behaviours", behaviours)])


@lru_cache(maxsize=1)
def _tables() -> tuple[np.ndarray, ...]:
    masks = rule_tables.seat_masks(EIGHT.seatings())
    return masks, alias_table(AS_CODED.hand_probability), rule_tables.reach_table(AS_CODED.reach), turn_codes(AS_CODED)


def _limits(behaviour: Behaviour) -> Iterator[int]:
    """The vector of limits that the kernel reads."""
    if not isinstance(behaviour, Behaviour):
        raise ValueError(f"behaviour = {shown(behaviour)}: a Behaviour is needed")
    for name in ("rush", "kin", "suspicion", "spares", "cover", "duel"):
        yield limit(getattr(behaviour, name))
    yield behaviour.turn


def _play(behaviour: Behaviour, first: int, last: int, seed: int) -> tuple[np.ndarray, int]:
    limits = np.array(list(_limits(behaviour)), np.int64)
    won = np.zeros(last - first, np.int8)
    keys = np.uint64(mix(seed)), np.uint64(mix(coin_seed(seed)))
    taken = kernel.play_games(first, last, *keys, *_tables(), limits, won)
    if taken == kernel.ENDLESS:
        raise ValueError(f"behaviour = {behaviour}: a game has not ended after {MOST_TURNS} turns")
    return won, taken
