"""Who plays whom in which seat, round by round: a season in which seats are even, and meetings as even as is found."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from gamebalance.base.checks import all_different, check_seed, listed, shown, whole_number
from gamebalance.base.kinds import Integral
from gamebalance.base.tabled import Tabled
from gamebalance.fairness.tables import cleaned

MOST_PLAYERS, MOST_ROUNDS, MOST_SEATS = 200, 200, 10
#: What a search may cost, some two seconds: one for each pair of players that is looked at, and so much for each look.
EFFORT, LOOK = 2 * 10**8, 5000
#: A search starts anew when so many times the number of rounds were dealt again and nothing was better.
PATIENCE = 20


@dataclass(frozen=True, eq=False)
class Seatings(Tabled):
    """A season: who plays at which table in which seat, and how even that is.

    `frame` has a row for each player of each game: round, table and seat, all numbered from 1, and player. `seats`,
    shape (players, seats), is how often each player sits where; `meetings`, shape (players, players), how often two
    play together, the most and the least of which are `most_meetings` and `least_meetings`; `sentence` says all that.
    """

    frame: pd.DataFrame
    seats: pd.DataFrame
    meetings: pd.DataFrame
    most_meetings: int
    least_meetings: int
    sentence: str

    def to_frame(self) -> pd.DataFrame:
        """`frame`: with a column of who won, ``judge`` reads it, if `game` is ["round", "table"]."""
        return self.frame

    def __str__(self) -> str:
        return self.sentence


def seatings(players: int | Iterable, rounds: int, seats: int = 4, seed: int = 0) -> Seatings:
    """A season's schedule: everybody plays equally often, and equally often in each seat, up to one game.

    `players` are how many, from `seats` to 200, who are then called 1, 2 and so on, or their names, all different. In
    each of up to 200 `rounds` as many tables of 2 to 10 `seats` are full as there are players for, and who has played
    most sits out; what else is asked for is a ValueError. The same `seed` gives the same schedule.

    After each round any two players have played equally often, up to one game; at the end each player has sat in all
    seats equally often, up to one game. How even their meetings are is what a search has found in some seconds.

    Notes
    -----
    Seats, whoever plays whom: cut the games of each player, in order, into groups of as many as there are seats, and
    join each group to its games. A graph of two sides with at most K lines at a point can be coloured with K colours,
    so that lines of one colour never meet (D. Kőnig, "Über Graphen und ihre Anwendung auf Determinantentheorie und
    Mengenlehre", Mathematische Annalen 77, 1916). The colours are seats: each full group has each seat once, and the
    last one, if it is not full, has none twice.

    Meetings: in random rounds two players change places, or one sits out for another who has played as often, while
    that makes the sum of squares of the pairs' meetings smaller; then one round after the other is dealt again, and
    kept if it is no worse, from several starts. In any schedule some pair meets no less often than the mean; where
    `most_meetings` is at most one above `least_meetings`, none is more even. Elsewhere, nothing is proved.

    Examples
    --------
    >>> season = seatings(["Ann", "Bob", "Cem", "Dee"], rounds=3, seats=2)
    >>> sorted(season.seats.loc["Ann"]), season.least_meetings, season.most_meetings
    ([1, 2], 1, 1)
    """
    seats, random = whole_number("seats", seats, 2, MOST_SEATS), np.random.default_rng(check_seed(seed))
    names, rounds = _names(players, seats), whole_number("rounds", rounds, 1, MOST_ROUNDS)
    games = _seated(random.permuted(_Search(len(names), seats, rounds, random).best(), axis=1), len(names))
    sat, met = (np.zeros((len(names), size), int) for size in (seats, len(names)))
    np.add.at(sat, (games, np.arange(seats)), 1)
    np.add.at(met, (games[:, :, None], games[:, None]), 1 - np.eye(seats, dtype=int))
    row, tables, index = np.arange(games.size), len(names) // seats, pd.Index(names, name="player")
    frame = pd.DataFrame({"round": row // seats // tables + 1, "table": row // seats % tables + 1})
    frame = frame.assign(seat=row % seats + 1, player=index[games.ravel()])
    pairs, played = met[np.triu_indices(len(met), 1)], sat.sum(axis=1)
    most, least = int(pairs.max()), int(pairs.min())
    sentence = (
        f"{len(names)} players, {_span(rounds, rounds, 'round')} at {_span(tables, tables, 'table')}: everybody plays "
        f"{_span(played.min(), played.max(), 'game')} and sits in each seat {_span(sat.min(), sat.max(), 'time')}; two "
        f"players meet {_span(least, most, 'time')} ({pairs.mean():.2f} on the average), "
        f"{'as even as can be' if most - least < 2 else 'the most even that a search found'}."
    )
    columns = pd.RangeIndex(1, seats + 1, name="seat")
    return Seatings(frame, pd.DataFrame(sat, index, columns), pd.DataFrame(met, index, index), most, least, sentence)


class _Search:
    """Looks for even meetings. A round is an array: the table of each player, -1 of who sits out."""

    def __init__(self, players: int, seats: int, rounds: int, random: np.random.Generator):
        self.players, self.seats, self.rounds, self.random = players, seats, rounds, random
        self.tables, self.effort, pairs = players // seats, EFFORT, players * (players - 1)
        mean, more = divmod(rounds * self.tables * seats * (seats - 1), pairs)
        self.goal = pairs * mean**2 + more * (2 * mean + 1)

    def best(self) -> np.ndarray:
        """Who plays in each game, round by round, shape (games, seats)."""
        least, rounds = self._start()
        while least > self.goal and self.effort > 0:
            least, rounds = min((least, rounds), self._start(), key=lambda found: found[0])
        return np.concatenate([self._games(table) for table in rounds])

    def _games(self, table: np.ndarray) -> np.ndarray:
        return table.argsort(kind="stable")[-self.tables * self.seats :].reshape(self.tables, self.seats)

    def _start(self) -> tuple[int, list[np.ndarray]]:
        """The least sum of squares of meetings that is found from a random start, and the rounds."""
        met, played, rounds = np.zeros((self.players,) * 2, int), np.zeros(self.players, int), []
        places = np.arange(self.tables * self.seats)
        for _ in range(self.rounds):
            lot, table = self.random.permutation(self.players), np.full(self.players, -1)
            table[lot[played[lot].argsort(kind="stable")][places]] = places // self.seats
            rounds.append(self._improved(table, met, played))
            met, played = met + _together(table), played + (table >= 0)
        least, tried = int(np.square(met).sum()), 0
        while self.tables > 1 and least > self.goal and tried < PATIENCE * self.rounds and self.effort > 0:
            place = int(self.random.integers(self.rounds))
            others, table = met - _together(rounds[place]), rounds[place].copy()
            table[table >= 0] = self.random.permutation(table[table >= 0])
            now = others + _together(self._improved(table, others, np.arange(self.players)))
            squares = int(np.square(now).sum())
            tried = 0 if squares < least else tried + 1
            if squares <= least:
                least, met, rounds[place] = squares, now, table
        return least, rounds

    def _improved(self, table: np.ndarray, met: np.ndarray, played: np.ndarray) -> np.ndarray:
        """The round itself, after the exchanges that help most; who sits out, for somebody who has played as often."""
        while True:
            self.effort -= met.size + LOOK
            plays, there = (table >= 0).astype(int), np.zeros((self.players, self.tables + 1), int)
            there[:, :-1] = met[:, self._games(table)].sum(axis=2)
            there, here = there[:, table], there[np.arange(self.players), table]
            change = there + there.T - here - here[:, None] - met * (plays + plays[:, None])
            change[(table == table[:, None]) | ((plays * plays[:, None] == 0) & (played != played[:, None]))] = 0
            one, other = divmod(int(change.argmin()), self.players)
            if change[one, other] >= 0:
                return table
            table[one], table[other] = table[other], table[one]


def _together(table: np.ndarray) -> np.ndarray:
    """Which players sit at one table in a round, shape (players, players)."""
    return ((table[:, None] == table) & (table >= 0) & ~np.eye(len(table), dtype=bool)).astype(int)


def _seated(games: np.ndarray, players: int) -> np.ndarray:
    """The same games in the order of seats: Kőnig's colours, two of which change places along a chain."""
    seats, owner = games.shape[1], {}
    joined = [[-1] * seats for _ in games]  # by seat: the group of each game, and behind them the game of each group
    played, group = [0] * players, [-1] * players
    for game, together in enumerate(games.tolist()):
        for player in together:
            if played[player] % seats == 0:
                group[player] = len(joined)
                owner[len(joined)] = player
                joined.append([-1] * seats)
            played[player] += 1
            seat, other = joined[game].index(-1), joined[group[player]].index(-1)
            chain, colour = [group[player]], seat
            while (far := joined[chain[-1]][colour]) >= 0:
                chain.append(far)
                colour = seat + other - colour
            for point in chain:
                joined[point][seat], joined[point][other] = joined[point][other], joined[point][seat]
            joined[game][seat], joined[group[player]][seat] = group[player], game
    return np.array([[owner[each] for each in joined[game]] for game in range(len(games))])


def _names(players: int | Iterable, seats: int) -> list[str]:
    if isinstance(players, Integral):
        return [str(1 + player) for player in range(whole_number("players", players, seats, MOST_PLAYERS))]
    names = [cleaned(str(name)) for name in listed("players", players)]
    if isinstance(players, str) or not all_different(names) or not all(names):
        raise ValueError(f"players = {shown(players)}: a number, or a list of different names, is needed")
    whole_number("len(players)", len(names), seats, MOST_PLAYERS)
    return names


def _span(least: int, most: int, what: str) -> str:
    number = least if least == most else f"{least} {'or' if most == least + 1 else 'to'} {most}"
    return f"{number} {what}" + ("" if least == most == 1 else "s")
