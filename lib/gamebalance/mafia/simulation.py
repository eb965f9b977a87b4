"""Games of Mafia played by chance, person by person, and counted.

Nothing here knows how the exact solvers work; only the rules are common to both.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gamebalance.base.checks import check_progress, check_seed, check_workers, in_time, whole_number
from gamebalance.base.estimates import Estimate
from gamebalance.base.tabled import Tabled
from gamebalance.base.workers import in_turn
from gamebalance.fairness.spreads import Results
from gamebalance.mafia.idle import warn_of_idle
from gamebalance.mafia.kernels.played import coded, play_games
from gamebalance.mafia.rules import AS_CODED, PHASES, Rules, check_game
from gamebalance.mafia.setups import MOST_PLAYERS, ROLES, Setup

if TYPE_CHECKING:
    import pandas as pd

#: More than can be waited for.
MOST_GAMES = 10**10
#: Seconds on one core of a slow machine for a person of a simulated game, in a town that fits the processor's cache and
#: beyond so many persons; and for a voter, in each of half as many votes as there are players.
PERSON, FAR_PERSON, NEAR, VOTER = 1.2e-7, 7e-7, 20_000, 1e-8
#: Games that one worker plays between two reports of progress, and persons in all of them.
CHUNK, PERSONS = 1 << 14, 1 << 21


@dataclass(frozen=True)
class Sample(Tabled):
    """How simulated games ended.

    `phase` is what came first. `endings` are pairs by number of nights played, from 0: how many games the innocents
    won, and how many the mafia.
    """

    setup: Setup
    rules: Rules
    phase: str
    endings: tuple[tuple[int, int], ...]

    @property
    def games(self) -> int:
        """Number of games."""
        return sum(map(sum, self.endings))

    @property
    def wins(self) -> int:
        """Number of games that the innocents won."""
        return sum(innocents for innocents, _ in self.endings)

    @property
    def win_probability(self) -> float:
        """Share of games that the innocents won."""
        return self.wins / self.games

    @property
    def win_error(self) -> float:
        """Standard error of `win_probability`: sqrt(p (1 - p) / games), where p has a win and a loss added.

        These keep it above 0 when one side won every game: it is about 1 / games then. Otherwise they hardly matter.
        """
        share = (self.wins + 1) / (self.games + 2)
        return (share * (1 - share) / self.games) ** 0.5

    @property
    def lengths(self) -> "pd.DataFrame":
        """Number of games by `nights` played (index, from 0) and winner (columns `innocents` and `mafia`)."""
        import pandas as pd

        index = pd.RangeIndex(len(self.endings), name="nights")
        return pd.DataFrame(self.endings, index, ["innocents", "mafia"])

    @property
    def results(self) -> Results:
        """By ending: the number of nights played, and who won, ``"innocents"`` or ``"mafia"``."""
        counts: dict[Hashable, int] = {}
        for nights, (innocents, mafia) in enumerate(self.endings):
            counts |= {(nights, "innocents"): innocents, (nights, "mafia"): mafia}
        return Results.of_counts(counts)

    @property
    def mean_nights(self) -> float:
        """Mean number of nights played."""
        return self._nights.value

    @property
    def mean_nights_error(self) -> float:
        """Standard error of `mean_nights`; 0 when all games were equally long."""
        return self._nights.error

    @property
    def _nights(self) -> Estimate:
        endings: list[Any] = list(self.results.probability)
        (nights,) = self.results.estimates([[nights] for nights, _ in endings])
        return nights

    def to_frame(self) -> "pd.DataFrame":
        """A row for each side: games it won, their share, and its standard error.

        Examples
        --------
        >>> simulate(Setup.of_players(5), 1000, seed=1).to_frame()["wins"].sum()
        np.int64(1000)
        """
        import pandas as pd

        wins, share = [self.wins, self.games - self.wins], self.win_probability
        columns = {"wins": wins, "share": [share, 1 - share], "share_error": self.win_error}
        return pd.DataFrame(columns, pd.Index(["innocents", "mafia"], name="side"))

    def _headings(self) -> dict[str, str]:
        return {"wins": "games won", "share": "chance to win", "share_error": "± (s.e.)"}

    def _about(self) -> str:
        nights = Estimate(self.mean_nights, self.mean_nights_error)
        return f"Mafia, {self.setup}: {self.games:,} simulated games; {nights} nights a game"


def simulate(
    setup: Setup,
    games: int,
    seed: int,
    rules: Rules = AS_CODED,
    phase: str = "evening",
    workers: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Sample:
    """Play many games of a set-up and count how they end.

    Parameters
    ----------
    setup : Setup
        Up to 100 000 players.
    games : int
        1 to 10^10, and no more than two days of one core can play.
    seed : int
        0 to 2^63 - 1. Game i of a seed is the same game however the work is divided.
    workers : int
        Threads side by side, up to 1024.
    progress : callable, optional
        Called with the number of games after each chunk.

    Notes
    -----
    Words come from splitmix64 [1]_, and choices among people are exactly uniform given uniform words [2]_.
    Probabilities are rounded to multiples of 2^-53, and choices with `Rules.odds` computed in floating point. Where
    ties matter, each of the living votes.

    .. [1] Steele, G. L., D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
    .. [2] Lemire, D., "Fast random integer generation in an interval", ACM TOMACS 29 (2019), 3.
    """
    check_game(setup, rules, phase)
    warn_of_idle(setup, rules)
    check_progress(progress)
    whole_number("setup.players", setup.players, 0, MOST_PLAYERS)
    seed = check_seed(seed)
    games, workers = whole_number("games", games, 1, MOST_GAMES), check_workers(workers)
    in_time(f"games = {games}, {setup.players} players", _seconds(games, setup, rules))
    size = max(1, min(CHUNK, PERSONS // max(setup.players, 1)))
    chunks = ((first, min(first + size, games)) for first in range(0, games, size))
    total = np.zeros((1, 2), np.int64)
    for (first, last), endings in in_turn(chunks, _endings, workers, arguments=_coded(setup, seed, rules, phase)):
        longer, shorter = (total, endings) if len(total) >= len(endings) else (endings, total)
        longer[: len(shorter)] += shorter
        total = longer
        if progress:
            progress(last - first)
    return Sample(setup, rules, phase, tuple(map(tuple, total.tolist())))


def _seconds(games: int, setup: Setup, rules: Rules) -> float:
    """For so many simulated games; where a vote need not decide anything, the last few wait for the mafia to agree."""
    persons = setup.players * (PERSON if setup.players <= NEAR else FAR_PERSON)
    if rules.ties != "lot" or rules.odds != 1:
        persons += VOTER * setup.players**2 / 4
    if rules.ties != "lot" or rules.votes != "every day":
        persons += 3 * PERSON * (1 / float(rules.agreement) - 1)
    return games * persons


def _coded(setup: Setup, seed: int, rules: Rules, phase: str) -> tuple:
    """What the compiled town needs."""
    seats = np.array([getattr(setup, name) for name in ROLES], np.int64)
    return int(seed), seats, coded(rules), list(PHASES).index(phase)


def _endings(chunk: tuple[int, int], *arguments) -> np.ndarray:
    """Games of a chunk by nights and winner, shape (nights, 2)."""
    counts = np.bincount(play_games(*chunk, *arguments))
    return np.append(counts, np.zeros(len(counts) % 2, np.int64)).reshape(-1, 2)
