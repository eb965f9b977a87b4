"""The verdict on results of games: unfair, fair within a margin, or how many games more would tell."""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd
from scipy import sparse, special, stats

from gamebalance.base.checks import confidence, number
from gamebalance.base.intervals import clopper_pearson
from gamebalance.base.rounding import meant
from gamebalance.base.tabled import Tabled
from gamebalance.fairness import equality, wording
from gamebalance.fairness import looks as looking
from gamebalance.fairness.games import Contest, Games, SingleWinner, Tally, clustered
from gamebalance.fairness.planning import margin_below, rounded_up

if TYPE_CHECKING:
    from gamebalance.fairness.plots import Axes


#: An error of 0 comes from few games: that of half a game is what is left of it.
HALF = 0.5


@dataclass(frozen=True, eq=False)
class Verdict(Tabled):
    """What results of games say about equal chances to win. Made by `judge`.

    By label: `shares` of its games won, `low` and `high`, an interval for its chance to win (all of this look hold
    together with a confidence of 1 - `limit`), the `even` chance in fair games against the same others, how often it
    was played (`plays`) and won (`wins`), and in how many games it took part (`taken`).

    `p_value` is how often fair games are at least so uneven, `limit` the largest that is called unfair at this look;
    `equivalence_p_value` how often games in which a chance is as far from even as the margin look at least so even, and
    `equivalence_limit` the largest that is called fair. `games_needed` is after about how many more games, rounded to
    two digits, the next look would tell in 4 of 5 cases, if shares stay as they are; 0 when decided, None where nobody
    can say: a label took part in fewer than 30 games (draws aside where each has one winner or none), no result could
    differ, or no looks are left. `method` names the test; `decided` is the part of all games that the margin is of:
    those with a winner, where each has one or none; else 1.
    """

    verdict: str
    by: str
    games: int
    shares: pd.Series
    low: pd.Series
    high: pd.Series
    even: pd.Series
    plays: pd.Series
    wins: pd.Series
    taken: pd.Series
    p_value: float
    limit: float
    equivalence_p_value: float
    equivalence_limit: float
    games_needed: int | None
    margin: float
    level: float
    looks: int | None
    looked_after: tuple[int, ...]
    method: str
    decided: float
    _untold: str = field(repr=False)

    def to_frame(self) -> pd.DataFrame:
        """A row for each label: plays, wins, share, low, high, even, and the difference of share and even."""
        columns = {name: getattr(self, name) for name in ("plays", "wins", "shares", "low", "high", "even")}
        frame = pd.DataFrame(columns).rename(columns={"shares": "share"}).rename_axis(self.by)
        return frame.assign(difference=meant(frame["share"] - frame["even"], residue=1e-12))

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw the share of each label with its interval, and return the axes: `plots.draw_verdict`."""
        from gamebalance.fairness.plots import draw_verdict

        return draw_verdict(self, ax)

    @cached_property
    def sentence(self) -> str:
        """The verdict in words."""
        return self.said(lambda after: f"looked_after={after[0] if len(after) == 1 else after}")

    def said(self, call: Callable[[tuple[int, ...]], str]) -> str:
        """The verdict in words; `call` says how more games are judged that were looked at after so many."""
        if self._untold == "silent":
            return f"Cannot tell: {wording.games(self.games)} say nothing, whoever wins them."
        label = self._farthest
        parts = (self.shares, self.low, self.high, self.even)
        share, low, high, even = (wording.percent(part[label]) for part in parts)
        who, games = wording.named(self.by, label), wording.games(round(self.taken[label]))
        seen = f"{who} won {share}% of {games} ({self.interval} {low} to {high}%), where {even}% would be even"
        odds = f"a fair game looks at least as uneven {wording.often(self.p_value)}"
        if self.verdict == "fair":
            within = f"Fair within {wording.points(self.margin)}, with {100 * self.level:g}% confidence: {seen}"
            return within + (f"; the small difference is real ({odds})." if self.p_value <= self.limit else ".")
        if self.verdict == "unfair":
            alone = f"; no single {self.by} is shown to differ, but all together do"
            if len(self.shares) == 2:
                alone = "; this interval alone does not show it"
                if self.decided < 1:
                    alone = "; the interval allows for chance in draws, too, and the test does not"
            return f"Unfair: {seen}; {odds}{alone if self.low[label] <= self.even[label] <= self.high[label] else ''}."
        if self._untold == "last":
            return f"Cannot tell: {seen}; {odds}. No more looks were declared."
        if self._untold == "equal":
            return f"Cannot tell: {seen}; these games tell nothing, and more like them would not."
        again = f"then judge all of them with {call((*self.looked_after, self.games))}"
        least = f"{looking.FEWEST} {'decided ' * (self.decided < 1)}games"
        more = f"Once each {self.by} has played {least}, it can be said how many more would tell"
        if not self._untold:
            many = wording.games(self.games_needed or 0, "more ")
            more = f"About {many} would probably (4 in 5) tell, if the shares stay as they are"
        return f"Cannot tell: {seen}; {odds}. {more}; {again}."

    @property
    def interval(self) -> str:
        """What an interval is called, with its confidence."""
        return f"{wording.confidence(self.limit)}% interval"

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
        return {"share": "share won", "low": f"{self.interval}, from", "high": "to", "difference": "share less even"}

    def _about(self) -> str:
        return f"{self.sentence} ({self.test})"

    @property
    def test(self) -> str:
        """The p-value, its limit and the name of the test."""
        return f"{wording.p_value(self.p_value, self.limit)}, {self.method}"


def judge(
    games: Games,
    by: str | None = None,
    margin: float = 0.05,
    level: float = 0.95,
    looks: int | None = None,
    looked_after: int | Iterable[int] = (),
) -> Verdict:
    """Is it fair? Whether results of games show unequal chances, chances within a margin of even, or neither.

    Parameters
    ----------
    games : Games
        From `read_games` or `Games.from_counts`; at least two games.
    by : {"side", "role", "seat", "player"}, optional
        Whose chances are compared; by default the first of these that results have, and "role" for mere counts.
    margin : float
        How far from even a chance may be, between 0 and 1, for the game to be called fair. The same for any number of
        labels: of ten seats, each wins 10% of even games, and 0.05 would be half of that.
    level : float
        Confidence: a fair game is called unfair, and a game that is beyond the margin fair, in at most 1 - level of
        all cases, at this look or an earlier one. (The `level` of `games_needed` and of a `Monitor` is this risk.)
    looks : int, optional
        How often in all the results are looked at, if that was declared beforehand; the risk is divided equally among
        the looks (Bonferroni), and one look has all of it. By default a part of it is always kept back (`looks.py`), so
        that more games can be played and judged again. Whoever looks after each game needs a `Monitor`.
    looked_after : int or iterable of int
        After how many games, draws counted, these same results were judged before, while they were fewer.

    Returns
    -------
    Verdict
        "fair" if every chance is shown to be within the margin (two one-sided tests for each; Schuirmann 1987), even
        where a small difference is shown too; else "unfair" if equal chances are refuted; else "undecided".

    Notes
    -----
    Even is the chance in fair games against the same others: 1 / K where each game has one winner among K, and the mean
    result of the game's contestants elsewhere. A draw is won by nobody. Contestants are sides where sides win, and
    players where these are told apart by seat or by name, unless the sides of each game are equally large: players who
    always sit together win together. Where such partners are on sides of different sizes, the risk is larger than it
    should be. Without a column `side`, roles are one side if they have won together and never apart. Labels that were
    only counted, where wins and draws do not add up to the games, are taken as counted in games of their own; the
    method then names a table. Intervals are Clopper and Pearson's, each at 1 - limit / K, of the games or, where
    players of one label share games, of as many games as have the same error (Korn and Graubard 1998).

    That a chance is within the margin is shown by the binomial distribution where each game has one winner among K, of
    the games that were decided, and elsewhere of all games, by Student's t and by the binomial distribution for as many
    games as have the same error, whichever shows less.

    Examples
    --------
    >>> found = judge(Games.from_counts({"wolves": (30, 55), "village": (25, 55)}))
    >>> found.verdict, found.p_value, found.games_needed
    ('undecided', 0.590053332, 1400)

    With 1,400 games more all of them are judged, at what the first look has left of the risk:

    >>> found = judge(Games.from_counts({"wolves": (800, 1455), "village": (655, 1455)}), looked_after=55)
    >>> found.verdict, found.p_value, found.limit
    ('unfair', 0.000158094538, 0.00798842184)
    """
    margin = float(number("margin", margin, 0, 1, inside=True))
    level = confidence(level)
    if not isinstance(games, Games):
        raise ValueError(f"games = {type(games).__name__}: Games are needed, as read_games and Games.from_counts give")
    by = by or ((*games.kinds, *games.faults)[0] if games.rows is not None else "role")
    tally = games.tally(by)
    if tally.size < 2:
        raise ValueError(f"by = {by!r}: {tally.labels[0]!r} is the only one, and two are needed to compare")
    if games.count < 2:
        raise ValueError("games: two or more are needed")
    before = looking.earlier(looked_after, looks, games.count)
    sizes = _sizes(tally.single_winner, margin)

    def limits(*after: int) -> tuple[float, ...]:
        return tuple(looking.limit(1 - level, looks, after, size) for size in sizes)

    now, then = limits(*before), limits(*before, games.count)
    if tally.single_winner is not None:
        found = _one_winner(tally.single_winner, tally, margin, now[0], then)
    elif (contest := games.contest(by)) is not None:
        found = _by_game(contest, margin, now[0], then)
    else:
        found = _counted_apart(tally, margin, now[0], then)
    margin_below(margin, found.fair)  # even is among the games that were decided
    p_value, equivalence = meant(float(found.p_value)), meant(float(found.equivalence))
    verdict = "fair" if equivalence <= now[1] else "unfair" if p_value <= now[0] else "undecided"
    values = {"shares": tally.means, "low": found.low, "high": found.high, "even": found.even, "plays": tally.plays}
    values |= {"wins": tally.means * tally.plays, "taken": tally.taken}
    labels = pd.Index(tally.labels, name=by, tupleize_cols=False)
    more, untold = _more(games, tally, found, now, margin, len(before) + 1 == looks)
    return Verdict(
        verdict=verdict,
        by=by,
        games=games.count,
        **{name: pd.Series(meant(np.asarray(value, float), residue=1e-12), labels) for name, value in values.items()},
        p_value=p_value,
        limit=now[0],
        equivalence_p_value=equivalence,
        equivalence_limit=now[1],
        games_needed=more if verdict == "undecided" else 0,
        margin=margin,
        level=level,
        looks=looks,
        looked_after=before,
        method=found.method,
        decided=meant(float(found.decided)),
        _untold=untold if verdict == "undecided" else "",
    )


def _sizes(single: SingleWinner | None, margin: float) -> tuple[looking.Size, looking.Size]:
    """How often fair games are called unfair, and games at the margin fair; the limit where that cannot be found."""
    if single is None or single.drawn:
        return looking.same_size, looking.same_size
    fair = partial(looking.fair_size, even=1 / len(single.wins), margin=margin)
    return looking.unfair_size if len(single.wins) == 2 else looking.same_size, fair


class _Findings(NamedTuple):
    """What a way of judging gives: by label even shares and intervals; p-values; the games in all that would tell.

    `fair` are the chances that would be even among the games that margins are of, `decided` is their part of all.
    """

    even: np.ndarray
    low: np.ndarray
    high: np.ndarray
    p_value: float
    method: str
    equivalence: float
    needed: float
    fair: np.ndarray
    decided: float = 1.0


def _more(
    games: Games, tally: Tally, found: _Findings, limits: tuple[float, ...], margin: float, is_last: bool
) -> tuple[int | None, str]:
    """About how many games more would tell, rounded up to two digits; or why nobody can say."""
    groups = len(tally.single_winner.wins) if tally.single_winner else None
    reasons = {
        "silent": looking.says_nothing(games.count, groups, margin, limits),
        "last": is_last,
        "equal": not np.isfinite(found.needed),
        "few": meant(tally.taken.min() * found.decided) < looking.FEWEST,
    }
    untold = next((reason for reason, holds in reasons.items() if holds), "")
    if untold:
        return None, untold
    return rounded_up(max(found.needed - games.count, 1.0), 2), ""


def _one_winner(single: SingleWinner, tally: Tally, margin: float, limit: float, then: tuple[float, ...]) -> _Findings:
    """Each game has one winner among the same K, or is drawn: all of it by exact tests."""
    groups, decided = len(single.wins), float(single.wins.sum())
    games = decided + single.drawn
    comparisons = groups if groups > 2 or single.drawn else 1
    low, high = clopper_pearson(single.wins, np.full(groups, games), 1 - limit / comparisons)
    p_value, method = equality.single_winner_p_value(single.wins)
    near, far = 1 / groups - margin, 1 / groups + margin
    above = stats.binom.cdf(single.wins, decided, min(far, 1.0)) if far < 1 else np.zeros(groups)
    below = stats.binom.sf(single.wins - 1, decided, max(near, 0.0)) if near > 0 else np.zeros(groups)
    equivalence = float(np.maximum(above, below).max())
    intervals, fair = (low[single.groups], high[single.groups]), np.array([1 / groups])
    if not decided:
        return _Findings(np.zeros(tally.size), *intervals, p_value, method, 1.0, np.inf, fair, 0.0)
    share = single.wins / decided
    effect = equality.pearson(single.wins) / decided
    errors = np.sqrt(np.maximum(share * (1 - share), 1 / (4 * decided)))
    needed = looking.games_that_tell(effect, groups - 1, np.abs(share - 1 / groups), errors, margin, then)
    needed *= games / decided
    even = np.full(tally.size, decided / games / groups)
    return _Findings(even, *intervals, p_value, method, equivalence, needed, fair, decided / games)


def _by_game(contest: Contest, margin: float, limit: float, then: tuple[float, ...]) -> _Findings:
    """Games of any kind: results dealt anew within each game, and errors clustered by game."""
    tally, even = contest.tally, contest.even
    remainder = contest.apart - tally.played.dot(sparse.diags_array(tally.means - even))
    errors = np.sqrt(clustered(remainder, tally.weight, tally.plays).diagonal())
    far = found, freedom, _ = equality.statistic(contest)
    intervals, test = _cluster_intervals(tally, limit / tally.size), equality.contest_p_value(contest, far)
    if not freedom:
        return _Findings(even, *intervals, *test, 1.0, np.inf, even)
    free = contest.fair_covariance.diagonal() > 1e-9  # the others have their even share whatever happens
    share, fair, taken = tally.means[free], even[free], tally.taken[free]
    errors = np.maximum(errors[free], HALF / taken)
    unit = errors * np.sqrt(tally.games)
    needed = looking.games_that_tell(found / tally.games, freedom, np.abs(share - fair), unit, margin, then)
    return _Findings(even, *intervals, *test, near_p_value(share, fair, errors, taken, margin), needed, even)


def _counted_apart(tally: Tally, margin: float, limit: float, then: tuple[float, ...]) -> _Findings:
    """Labels that were counted in games of their own: a table of wins and losses."""
    wins, plays = np.round(tally.means * tally.plays, 9), tally.plays
    pooled, part = wins.sum() / plays.sum(), plays / plays.sum()
    variance = tally.means * (1 - tally.means) / plays
    errors = np.sqrt(np.square(1 - part) * variance + (part**2 * variance).sum() - part**2 * variance)
    intervals, test = (
        clopper_pearson(wins, plays, 1 - limit / tally.size),
        equality.counted_apart_p_value(wins, plays),
    )
    even, spread, games = np.full(tally.size, pooled), pooled * (1 - pooled), plays.max()
    if not spread:
        return _Findings(even, *intervals, *test, 1.0, np.inf, even)
    errors, effect = np.maximum(errors, HALF / plays), float((plays * np.square(tally.means - even)).sum() / spread)
    apart, unit = np.abs(tally.means - even), errors * np.sqrt(games)
    needed = looking.games_that_tell(effect / games, tally.size - 1, apart, unit, margin, then)
    return _Findings(even, *intervals, *test, near_p_value(tally.means, even, errors, plays, margin), needed, even)


def near_p_value(share: np.ndarray, even: np.ndarray, errors: np.ndarray, taken: np.ndarray, margin: float) -> float:
    """How often a share that is as far from even as the margin looks at least so near.

    By Student's t, and by the binomial tail of as many games as have the same error, which is the larger one where
    shares are near 0 or 1: the worse of the two, and the worst of the labels. `errors` are those of the differences.
    """
    normal = stats.t.sf((margin - np.abs(share - even)) / errors, np.maximum(taken - 1, 1))
    spread = share * (1 - share)
    size = np.where(spread > 0, spread / np.square(errors), taken)
    won, lost = share * size, (1 - share) * size
    far, close = np.minimum(even + margin, 1), np.maximum(even - margin, 0)
    above = np.where(lost > 0, special.betaincc(won + 1, np.where(lost > 0, lost, 1), far), far < 1)
    below = np.where(won > 0, special.betainc(np.where(won > 0, won, 1), lost + 1, close), close > 0)
    return float(np.max([normal, above, below]))


def _cluster_intervals(tally: Tally, risk: float) -> tuple[np.ndarray, np.ndarray]:
    """Clopper and Pearson's interval of as many independent games as have the same standard error, and no more."""
    taken, variance, share = tally.taken, np.square(tally.errors), tally.means
    spread = share * (1 - share)
    size = np.divide(spread, variance, out=taken.copy(), where=(variance > 0) & (spread > 0))
    freedom = np.maximum(taken - 1, 1)
    size *= np.square(special.ndtri(1 - risk / 2) / stats.t.isf(risk / 2, freedom))
    size = np.minimum(size, taken)
    return clopper_pearson(share * size, size, 1 - risk)
