"""The verdict on results of games: unfair, fair within a margin, or how many games more would tell."""

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse, special, stats

from gamebalance.base.checks import number, whole_number
from gamebalance.base.intervals import clopper_pearson
from gamebalance.base.rounding import meant
from gamebalance.base.tabled import Tabled
from gamebalance.fairness import wording
from gamebalance.fairness.equality import (
    contest_p_value,
    counted_apart_p_value,
    pearson,
    single_winner_p_value,
    statistic,
)
from gamebalance.fairness.games import Games
from gamebalance.fairness.planning import noncentrality, whole_up
from gamebalance.fairness.tallies import Contest, SingleWinner, Tally, clustered

if TYPE_CHECKING:
    import pandas

#: How often the games that are asked for are to tell.
POWER = 0.8


@dataclass(frozen=True, eq=False)
class Verdict(Tabled):
    """What results of games say about equal chances to win. Made by `judge`.

    Parameters
    ----------
    verdict : {"fair", "unfair", "undecided"}
    by : {"role", "seat", "side", "player"}
    games : int
        How many games there were.
    shares, low, high : Series
        Share of its games that each label won, by label, and an interval for its chance to win; all intervals hold
        together with the confidence asked for.
    even : Series
        The chance that each label would have in fair games against the same others.
    plays, wins : Series
        How often each label was played, and how often it won.
    taken : Series
        In how many games each label took part: fewer than its plays, where several players of a game have it.
    p_value : float
        How often fair games are at least so uneven.
    equivalence_p_value : float
        How often games in which a chance is as far from even as the margin look at least so even.
    games_needed : int or None
        About how many more games would tell, if shares stay as they are; 0 when decided, and rounded to two digits.
        None where nothing tells: no game was decided, or no result could differ.
    margin, level : float
    looks : int
    method : str
        The name of the test.
    """

    verdict: str
    by: str
    games: int
    shares: "pandas.Series"
    low: "pandas.Series"
    high: "pandas.Series"
    even: "pandas.Series"
    plays: "pandas.Series"
    wins: "pandas.Series"
    taken: "pandas.Series"
    p_value: float
    equivalence_p_value: float
    games_needed: int | None
    margin: float
    level: float
    looks: int
    method: str

    def to_frame(self) -> "pandas.DataFrame":
        """A row for each label: plays, wins, share, low, high, even, and the difference of share and even."""
        import pandas as pd

        columns = {name: getattr(self, name) for name in ("plays", "wins", "shares", "low", "high", "even")}
        frame = pd.DataFrame(columns).rename(columns={"shares": "share"}).rename_axis(self.by)
        return frame.assign(difference=meant(frame["share"] - frame["even"], residue=1e-12))

    @cached_property
    def sentence(self) -> str:
        """The verdict in words."""
        label = self._farthest
        share, low, high, even = (
            wording.percent(part[label]) for part in (self.shares, self.low, self.high, self.even)
        )
        who = wording.named(self.by, label)
        games, confidence = wording.games(round(self.taken[label])), f"{100 * self.level:g}%"
        seen = f"{who} won {share}% of {games} ({confidence} interval {low} to {high}%), where {even}% would be even"
        odds = f"a fair game looks at least as uneven {wording.often(self.p_value)}"
        if self.verdict == "unfair":
            return f"Unfair: {seen}; {odds}."
        if self.games_needed is None:
            return f"Cannot tell: {seen}; these games tell nothing, and more like them would not."
        if self.verdict == "undecided":
            more = wording.games(self.games_needed, "more ")
            return f"Cannot tell: {seen}; {odds}. About {more} would tell, if the shares stay as they are."
        within = f"Fair within {wording.points(self.margin)}, with {confidence} confidence: {seen}"
        real = self.p_value <= _risk(self.level, self.looks)
        return within + (f"; the small difference is real ({odds})." if real else ".")

    @property
    def _farthest(self) -> Hashable:
        """The label that is farthest from even: by its share where the game is fair, else as its interval tells."""
        apart = (self.shares - self.even).abs()
        reach = (self.shares - self.low).where(self.shares > self.even, self.high - self.shares)
        apart = apart if self.verdict == "fair" else meant(apart / reach)
        return apart.index[int(apart.to_numpy().argmax())]

    def __str__(self) -> str:
        return self.sentence

    def _headings(self) -> dict[str, str]:
        interval = f"{100 * self.level:g}% interval"
        return {"share": "share won", "low": f"{interval}, from", "high": "to", "difference": "share less even"}

    def _about(self) -> str:
        return f"{self.sentence} (p = {self.p_value:.4g}, {self.method})"


def judge(games: Games, by: str = "role", margin: float = 0.05, level: float = 0.95, looks: int = 1) -> Verdict:
    """Is it fair? Whether results of games show unequal chances, chances within a margin of even, or neither.

    Parameters
    ----------
    games : Games
        From `read_games` or `Games.from_counts`; at least two games.
    by : {"role", "seat", "side", "player"}
        Whose chances are compared.
    margin : float
        How far from even a chance may be, between 0 and 1, for the game to be called fair. The same for any number of
        labels: of ten seats, each wins 10% of even games, and 0.05 would be half of that.
    level : float
        Confidence: a fair game is called unfair, and a game that is beyond the margin fair, in at most 1 - level of
        all cases. (The `level` of `games_needed` and of a `Monitor` is this risk.)
    looks : int
        How often in all the results are looked at, of which this is one; the risk is divided among them (Bonferroni).
        Whoever looks after each game needs a `Monitor`.

    Returns
    -------
    Verdict
        "fair" if every chance is shown to be within the margin (two one-sided tests for each; Schuirmann 1987), even
        where a small difference is shown too; else "unfair" if equal chances are refuted; else "undecided".

    Raises
    ------
    ValueError
        If an argument is out of range, results have no such labels, or there are fewer than two games or labels.

    Notes
    -----
    Even is the chance in fair games against the same others: 1 / K where each game has one winner among K, and the mean
    result of the game's contestants elsewhere. A draw is won by nobody. Contestants are sides where sides win, and
    players where these are told apart by seat or by name, unless the sides of each game are equally large: players who
    always sit together win together. Where such partners are on sides of different sizes, the risk is larger than it
    should be. Without a column `side`, roles are one side if they have won together and never apart. Labels that were
    only counted, where wins and draws do not add up to the games, are taken as counted in games of their own; the
    method then names a table. Intervals are Clopper and Pearson's, each at 1 - (1 - level) / K, of the games or, where
    players of one label share games, of as many games as have the same error (Korn and Graubard 1998).

    That a chance is within the margin is shown by the binomial distribution where each game has one winner among K, of
    the games that were decided, and elsewhere of all games, by Student's t and by the binomial distribution for as many
    games as have the same error, whichever shows less.

    Examples
    --------
    >>> found = judge(Games.from_counts({"wolves": (30, 55), "village": (25, 55)}))
    >>> found.verdict, found.p_value, found.games_needed
    ('undecided', 0.590053332, 900)
    """
    margin = float(number("margin", margin, 0, 1, inside=True))
    level = float(number("level", level, 0, 1, inside=True))
    risk = _risk(level, whole_number("looks", looks, 1))
    if not isinstance(games, Games):
        raise ValueError(f"games = {type(games).__name__}: Games are needed, as read_games and Games.from_counts give")
    tally = games.tally(by)
    if tally.size < 2:
        raise ValueError(f"by = {by!r}: {tally.labels[0]!r} is the only one, and two are needed to compare")
    if games.count < 2:
        raise ValueError("games: two or more are needed")
    single, contest = tally.single_winner, games.contest(by)
    if single is not None:
        found = _one_winner(single, tally, margin, risk)
    elif contest is not None:
        found = _by_game(contest, margin, risk)
    else:
        found = _counted_apart(tally, margin, risk)
    return _verdict(games, by, tally, found, margin, level, looks)


def _risk(level: float, looks: int) -> float:
    """How often one look may be wrong; rounded, since p-values are."""
    return meant((1 - level) / looks)


@dataclass(frozen=True)
class _Findings:
    """What a way of judging gives: by label even shares and intervals; p-values; the games in all that would tell."""

    even: np.ndarray
    low: np.ndarray
    high: np.ndarray
    p_value: float
    method: str
    equivalence: float
    needed: float


def _verdict(games: Games, by: str, tally: Tally, found: _Findings, margin: float, level: float, looks: int) -> Verdict:
    import pandas as pd

    def series(values) -> "pandas.Series":
        return pd.Series(
            meant(np.asarray(values, float), residue=1e-12), index=pd.Index(tally.labels, name=by, tupleize_cols=False)
        )

    p_value, equivalence = (meant(float(value), residue=1e-12) for value in (found.p_value, found.equivalence))
    risk = _risk(level, looks)
    verdict = "fair" if equivalence <= risk else "unfair" if p_value <= risk else "undecided"
    more = 0
    if verdict == "undecided":
        more = _two_digits(found.needed - games.count) if np.isfinite(found.needed) else None
    wins, taken = tally.means * tally.plays, _taken(tally)
    parts = map(series, (tally.means, found.low, found.high, found.even, tally.plays, wins, taken))
    return Verdict(verdict, by, games.count, *parts, p_value, equivalence, more, margin, level, looks, found.method)


def _two_digits(games: float) -> int:
    """A number of games rounded up to two digits."""
    games = max(1, whole_up(games))
    digits = 10 ** max(0, len(str(games)) - 2)
    return -(-games // digits) * digits


def _one_winner(single: SingleWinner, tally: Tally, margin: float, risk: float) -> _Findings:
    """Each game has one winner among the same K, or is drawn: all of it by exact tests."""
    groups, decided = len(single.wins), single.decided
    games = decided + single.drawn
    comparisons = groups if groups > 2 or single.drawn else 1
    low, high = clopper_pearson(single.wins, np.full(groups, games), 1 - risk / comparisons)
    p_value, method = single_winner_p_value(single.wins)
    near, far = 1 / groups - margin, 1 / groups + margin
    above = stats.binom.cdf(single.wins, decided, min(far, 1.0)) if far < 1 else np.zeros(groups)
    below = stats.binom.sf(single.wins - 1, decided, max(near, 0.0)) if near > 0 else np.zeros(groups)
    equivalence = float(np.maximum(above, below).max())
    if not decided:
        return _Findings(np.zeros(tally.size), low[single.groups], high[single.groups], p_value, method, 1.0, np.inf)
    share = single.wins / decided
    effect = pearson(single.wins) / decided
    errors = np.sqrt(np.maximum(share * (1 - share), 1 / (4 * decided)))
    needed = _needed(effect, groups - 1, np.abs(share - 1 / groups), errors, margin, risk) * games / decided
    even = np.full(tally.size, decided / games / groups)
    return _Findings(even, low[single.groups], high[single.groups], p_value, method, equivalence, needed)


def _by_game(contest: Contest, margin: float, risk: float) -> _Findings:
    """Games of any kind: results dealt anew within each game, and errors clustered by game."""
    tally, even = contest.tally, contest.even
    remainder = contest.apart - tally.played.dot(sparse.diags_array(tally.means - even))
    errors = np.sqrt(clustered(remainder, tally.weight, tally.plays).diagonal())
    far = found, freedom, _ = statistic(contest)
    intervals, test = _cluster_intervals(tally, risk / tally.size), contest_p_value(contest, far)
    if not freedom:
        return _Findings(even, *intervals, *test, 1.0, np.inf)
    free = contest.fair_covariance.diagonal() > 1e-9  # the others have their even share whatever happens
    near = _Near(tally.means[free], even[free], errors[free], _taken(tally)[free])
    needed = _needed(found / tally.games, freedom, near.apart, near.errors * np.sqrt(tally.games), margin, risk)
    return _Findings(even, *intervals, *test, near.p_value(margin), needed)


def _counted_apart(tally: Tally, margin: float, risk: float) -> _Findings:
    """Labels that were counted in games of their own: a table of wins and losses."""
    wins, plays = np.round(tally.means * tally.plays, 9), tally.plays
    pooled, part = wins.sum() / plays.sum(), plays / plays.sum()
    variance = tally.means * (1 - tally.means) / plays
    errors = np.sqrt(np.square(1 - part) * variance + (part**2 * variance).sum() - part**2 * variance)
    intervals, test = clopper_pearson(wins, plays, 1 - risk / tally.size), counted_apart_p_value(wins, plays)
    even, spread, games = np.full(tally.size, pooled), pooled * (1 - pooled), plays.max()
    if not spread:
        return _Findings(even, *intervals, *test, 1.0, np.inf)
    near = _Near(tally.means, even, errors, plays)
    effect = float((plays * np.square(near.apart)).sum() / spread / games)
    needed = _needed(effect, tally.size - 1, near.apart, near.errors * np.sqrt(games), margin, risk)
    return _Findings(even, *intervals, *test, near.p_value(margin), needed)


class _Near:
    """Shares, and how near to even they are shown to be.

    Parameters
    ----------
    share, even, error, taken : array, shape (k,)
        The share of each label, what would be even, the standard error of their difference, and the label's games.
    """

    def __init__(self, share: np.ndarray, even: np.ndarray, error: np.ndarray, taken: np.ndarray):
        self.share, self.even, self.taken = share, even, taken
        self.apart = np.abs(share - even)
        # An error of 0 comes from few games: that of half a game is what is left of it.
        self.errors = np.maximum(error, 0.5 / taken)

    def p_value(self, margin: float) -> float:
        """How often a share that is as far from even as the margin looks at least so near.

        By Student's t, and by the binomial tail of as many games as have the same error, which is the larger one where
        shares are near 0 or 1: the worse of the two, and the worst of the labels.
        """
        normal = stats.t.sf((margin - self.apart) / self.errors, np.maximum(self.taken - 1, 1))
        spread = self.share * (1 - self.share)
        size = np.where(spread > 0, spread / np.square(self.errors), self.taken)
        won, lost = self.share * size, (1 - self.share) * size
        far, close = np.minimum(self.even + margin, 1), np.maximum(self.even - margin, 0)
        above = np.where(lost > 0, special.betaincc(won + 1, np.where(lost > 0, lost, 1), far), far < 1)
        below = np.where(won > 0, special.betainc(np.where(won > 0, won, 1), lost + 1, close), close > 0)
        return float(np.max([normal, above, below]))


def _taken(tally: Tally) -> np.ndarray:
    """In how many games each label took part."""
    return np.asarray((tally.played > 0).T.dot(tally.weight)).ravel()


def _cluster_intervals(tally: Tally, risk: float) -> tuple[np.ndarray, np.ndarray]:
    """Clopper and Pearson's interval of as many independent games as have the same standard error, and no more."""
    taken = _taken(tally)
    variance, share = np.square(tally.errors), tally.means
    spread = share * (1 - share)
    size = np.divide(spread, variance, out=taken.copy(), where=(variance > 0) & (spread > 0))
    freedom = np.maximum(taken - 1, 1)
    size *= np.square(special.ndtri(1 - risk / 2) / stats.t.isf(risk / 2, freedom))
    size = np.minimum(size, taken)
    return clopper_pearson(share * size, size, 1 - risk)


def _needed(effect: float, freedom: int, apart: np.ndarray, errors: np.ndarray, margin: float, risk: float) -> float:
    """Games in all that would tell, if shares stay as they are: that they differ, or that they are within the margin.

    Parameters
    ----------
    effect : float
        What each game adds to the statistic of the test, about chi-square with `freedom` degrees.
    apart, errors : array, shape (k,)
        Distance of each share from even, and its standard error in one game.
    """
    differ = np.inf
    if freedom and effect > 1e-12:
        # Of many labels the shares are uneven in fair games, too: they show only if they really stay as they are.
        differ = max(noncentrality(freedom, POWER, risk), float(special.chdtri(freedom, risk))) / effect
    if np.any(apart >= margin):
        return differ
    critical = special.ndtri(1 - risk)

    def missed(games: float) -> float:
        scale = np.sqrt(games) / errors
        return float(
            special.ndtr(critical - (margin - apart) * scale).sum()
            + special.ndtr(critical - (margin + apart) * scale).sum()
        )

    high = 1.0
    while missed(high) > 1 - POWER:
        high *= 2
    low = high / 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if missed(middle) > 1 - POWER else (low, middle)
    return min(differ, high)
