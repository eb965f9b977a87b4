"""A setting of a game that is too large to be followed: games that are played, and what they show of its fairness.

Evidence against a setting is a bet whose capital stays at most 1 on the average as long as it is fair within the
margin, and so ever reaches 1 / risk in at most this part of all cases, however often it is looked at (Ville 1939). Of
each label and to either side it bets on how far the label's share is beyond the margin, with several stakes at once
(Waudby-Smith and Ramdas 2024); the capital is the mean over stakes, labels, sides and ways to play.
"""

from collections.abc import Mapping, Sequence
from math import log
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import special

from gamebalance.base.checks import shown
from gamebalance.base.rounding import meant
from gamebalance.base.sums import dot
from gamebalance.fairness.measures import decisiveness, drawishness
from gamebalance.fairness.reports.outlook import check_seats
from gamebalance.fairness.reports.pages import MEASURES
from gamebalance.fairness.reports.simulated import SimulatedPlay, of_games
from gamebalance.fairness.reports.tables import Seats, endings_of, wins
from gamebalance.fairness.tuning.evaluation import Question, is_playable
from gamebalance.fairness.verdicts import near_p_value
from gamebalance.multiplayer.at_once import in_turn

#: The first number of the fresh games of a final; those before it are for the choice of finalists.
FRESH = 2**40
#: Stakes of a bet, as parts of the largest that cannot lose all.
STAKES = 0.5 ** np.arange(1, 9)


class Block(NamedTuple):
    """Some games of a setting under one way to play: the kinds of results there were, and how often each came."""

    won: list[list[float]]
    counts: list[int]
    kept: dict[str, tuple[float, float]]


#: Plays of the settings that are played in this process.
_plays: dict[tuple, Any] = {}


def played(
    question: Question, counts: Mapping[str, int], values: Mapping[str, Any], way: str, first: int, count: int
) -> Block:
    """So many games of a setting from a number on; the same random numbers for each setting.

    `counts` are the games, contests and playouts of players who search (`Outlook`).
    """
    with question.named(values):
        return _played(question, counts, values, way, first, count)


def _played(
    question: Question, counts: Mapping[str, int], values: Mapping[str, Any], way: str, first: int, count: int
) -> Block:
    made, seats = _play_of(question, counts, values)
    if hasattr(made, "sample"):
        rng = np.random.default_rng([question.seed, first])
        payoffs, kept = np.asarray(made.sample(rng, count), float), dict[str, tuple[float, float]]()
        if payoffs.ndim != 2 or payoffs.shape[0] != count or not np.isfinite(payoffs).all():
            raise ValueError(f"sample gives {shown(payoffs)}; finite payoffs, shape (games, players), are needed")
        seats = Seats.of(made, payoffs.shape[1])
    else:
        games = [made.one((way,) * seats.players, number) for number in range(first, first + count)]
        payoffs = np.array([game.payoffs for game in games], float)
        kept = _kept(question, games, seats, payoffs) if question.keep else {}
    payoffs, often = _kinds(payoffs)
    return Block(wins(payoffs, seats.sides).tolist(), often.tolist(), kept)


def _kinds(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The different rows and how often each is there, as numpy's unique has it, but many times as fast."""
    codes = np.zeros(len(rows), np.int64)
    for column in rows.T:
        own, values = pd.factorize(column)
        codes = pd.factorize(codes * len(values) + own)[0]
    _, first, often = np.unique(codes, return_index=True, return_counts=True)
    return rows[first], often


def _play_of(question: Question, counts: Mapping[str, int], values: Mapping[str, Any]) -> tuple[Any, Any]:
    """The play of a setting, and who sits at its table."""
    key = question.token, repr(values)
    if key not in _plays:
        made = question.made(values)
        if not is_playable(made):
            raise ValueError(f"it gives {shown(made)}, and a game for other settings")
        if hasattr(made, "sample"):
            return made, None
        seats = check_seats(in_turn(made), question.players)
        some = (counts["games"], counts["contests"], counts["playouts"], 0, question.seed)
        built_in = tuple(way for way in question.ways if way not in question.own)
        play = SimulatedPlay(in_turn(made), seats, *some, question.own, ("random", *built_in), None, question.goal)
        while len(_plays) >= 16:
            del _plays[next(iter(_plays))]
        _plays[key] = play, seats
    return _plays[key]


def _kept(question: Question, games: list, seats: Seats, payoffs: np.ndarray) -> dict[str, tuple[float, float]]:
    """What must stay, of some games, in the units of the measures."""
    found = of_games(games, seats, random=False)
    tally = endings_of(seats, meant(payoffs), np.full(len(games), 1 / len(games)), len(games)).tally(seats.kind)
    found |= {"decisiveness": decisiveness(tally), "drawishness": drawishness(tally)}
    for name in question.keep:
        if name not in found:
            raise ValueError(f"keep: {shown(name)} is not known where games are played; {', '.join(found)} are")
    return {name: tuple(meant(np.multiply(found[name], MEASURES[name].scale)).tolist()) for name in question.keep}


class Evidence:
    """What the games of a setting under one way to play show: sums, and the capital of bets against its fairness."""

    def __init__(self, seats: Seats, by: str, margin: float):
        labels = seats.labels[by]
        self.labels = list(dict.fromkeys(labels))
        belongs = np.array([[float(label == name) for name in self.labels] for label in labels])
        self._mean = belongs / belongs.sum(axis=0)
        weight = np.full(len(self.labels), 1 / len(self.labels)) if by == "side" else belongs.mean(axis=0)
        self._weight, self._members = weight, len(self.labels) if by == "side" else seats.players
        largest = 1.0 if by == "side" or not seats.sides else max(map(seats.sides.count, seats.sides))
        self.margin, self._least = margin, -largest * np.array([1 / self._members + margin, 1 / largest + margin])
        self.games, self.kept = 0, dict[str, tuple[float, float]]()
        self._sums, self._squares = np.zeros((2, len(self.labels))), np.zeros((2, len(self.labels)))
        self._won, self._decided = np.zeros(len(self.labels)), 0.0
        self._capital = np.zeros((len(STAKES), 2, len(self.labels)))

    def add(self, block: Block) -> None:
        """Bet on some games, and learn from them."""
        won, counts = dot(np.array(block.won), self._mean), np.array(block.counts, float)
        even = dot(won, self._weight)
        decided, apart = even * self._members, won - even[:, None]
        beyond = np.stack([apart, -apart], axis=1) - self.margin * decided[:, None, None]  # (rows, 2, labels)
        self._sums += np.einsum("r,rsl->sl", counts, beyond)
        self._squares += np.einsum("r,rsl->sl", counts, beyond**2)
        stakes = STAKES[:, None] / -self._least
        self._capital += np.einsum("r,trsl->tsl", counts, np.log1p(stakes[:, None, :, None] * beyond))
        self._won += dot(counts, won)
        self._decided += float(dot(counts, decided))
        for name, (value, error) in block.kept.items():
            before, its = self.kept.get(name, (0.0, 0.0))
            least = max(abs(value), MEASURES[name].scale) / counts.sum()  # what is rare may not have come yet
            error = max(error, least)
            share = counts.sum() / (self.games + counts.sum())
            self.kept[name] = before + share * (value - before), float(np.hypot((1 - share) * its, share * error))
        self.games += int(counts.sum())

    @property
    def capital(self) -> float:
        """Logarithm of the capital."""
        return float(special.logsumexp(self._capital) - log(self._capital.size))

    @property
    def decided(self) -> float:
        """The share of the games that somebody won."""
        return self._decided / self.games

    @property
    def shares(self) -> np.ndarray:
        """The share of each label in all games, shape (labels,)."""
        return self._won / self.games

    @property
    def even(self) -> float:
        """The even share of all games."""
        return self.decided / self._members

    @property
    def slack(self) -> tuple[np.ndarray, np.ndarray]:
        """How far each label is within the margin, to either side, and the deviation of that in a game: (2, labels)."""
        mean = self._sums / self.games
        variance = np.maximum(self._squares / self.games - mean**2, 1 / self.games)
        return -mean, np.sqrt(variance)

    @property
    def p_value(self) -> float:
        """How often a setting at the margin looks so fair, as `judge` has it."""
        _, deviations = self.slack
        errors = np.maximum(deviations.max(axis=0), 0.5 / self.games) / np.sqrt(self.games)
        even, games = np.full(len(self.labels), self.even), np.full(len(self.labels), float(self.games))
        return near_p_value(self.shares, even, errors, games, self.margin * self.decided)

    @property
    def unevenness(self) -> tuple[float, float, Any]:
        """The largest distance from even as a part of the decided games, its error, and whose it is."""
        apart = np.abs(self.shares - self.even)
        place = int(np.argmax(meant(apart, 9)))
        error = float(self.slack[1].max(axis=0)[place] / np.sqrt(self.games))
        decided = self.decided or 1.0
        return meant(float(apart[place]) / decided), meant(error / decided), self.labels[place]


def needed(evidence: Sequence[Evidence], risk: float) -> float:
    """About how many games more under each way would show that a setting is beyond the margin, or within."""
    many = 0.0
    goal = log(1 / risk) + log(2 * len(STAKES) * len(evidence[0].labels) * len(evidence))
    for each in evidence:
        slack, deviation = each.slack
        least = np.unravel_index(np.argmin(slack), slack.shape)
        apart = max(abs(slack[least]), deviation[least] / np.sqrt(each.games) / 2)
        many += max(2 * goal * (deviation[least] / apart) ** 2 - each.games, each.games / 2)
    return many
