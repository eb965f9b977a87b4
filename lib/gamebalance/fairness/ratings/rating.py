"""What `rate` found: persons, labels, who is better, how many games more, and what luck has to do with it."""

from collections.abc import Hashable, Iterable
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse, special, stats

from gamebalance.base.checks import number, one_of, shown, whole_number
from gamebalance.base.rounding import meant
from gamebalance.base.sums import dot
from gamebalance.base.tabled import Tabled
from gamebalance.fairness import looks as looking
from gamebalance.fairness import plots, wording
from gamebalance.fairness.planning import margin_below
from gamebalance.fairness.ratings import matches, said
from gamebalance.fairness.ratings.choices import LEAST, Fit
from gamebalance.fairness.ratings.lineups import HARDLY, Lineups
from gamebalance.fairness.ratings.page import season_page

#: Digits of what is found by iteration.
DIGITS = 6
#: By how much strengths must make the results likelier, in its logarithm, if persons are said to differ, or to change.
SEEN = 2.0
#: The variance of the effect of a label of which nothing is known but one drawn game.
BEFORE = 4.0


class Rating(Tabled):
    """Strengths of persons, and effects of labels beside them. Made by `rate`.

    `reading` is what was read, in a line; `by` what the labels are, of side, role and seat; `games`, how many there
    were; `level`, the confidence of each interval by itself. `sides`, `roles` and `seats` are the rows of their kind in
    `labels`.

    `persons` has a row for each person, the strongest first: `games`, the `share` won; `strength`, by how much the
    person is stronger than the mean of all who sat somewhere (the natural logarithm of the odds against such a one,
    alone), with its standard `error` and an interval from `low` to `high`; `adds`, how much more often those win with
    whom the person plays than they would with somebody of mean strength. Strengths are those of the person's last
    period, and drawn towards 0, the more so the fewer games there are.

    `labels` has a row for each label: `plays` and `share` won, as `judge` has them; the `chance` that it would win
    between persons of that mean strength, on the average over the recorded line-ups, its standard `error` and an
    interval from `low` to `high`, nan where it cannot be told; `even`, that chance if all labels of its kind had the
    same effect; `seen`, how far the share is from that of fair games against the same others, and `difference`, the
    chance from even; `information`, the part of what the games would tell of the chance if strengths were known.

    `p_values` are, by kind, how often even labels would look at least so uneven, persons and the other kinds allowed
    for, and `p_value` that of all; nan where nothing can be told. `spread` is the standard deviation of strengths,
    `drift` that of a step from period to period. A side's strength is the sum of its members' over the power `members`
    of its size: 1 for their mean. `is_seen` and `drift_is_seen` say whether the games show at all that persons differ,
    and that they change. `draws` is the share of games that nobody won. `bits` is how much the strengths tell of one
    game's result, and `result_bits` how much there is to tell: the rest is luck.
    """

    def __init__(
        self, table: Lineups, fitted: Fit, power: float, level: float, gains: tuple[float, float], notes: list[str]
    ):
        self._table, self._fit, self.members, self.level, self._notes = table, fitted, power, level, notes
        self.reading = table.reading
        self.by, self.games, self.draws = table.kinds, len(table.starts), float(meant(table.drawn.mean()))
        own, step = (spread if spread > 1.01 * LEAST else 0.0 for spread in fitted.spreads)
        liked = fitted.model.likings @ fitted.place[fitted.model.free :][: fitted.model.many]
        self.spread = meant(float(np.hypot(own, liked.std() if own else 0.0)), DIGITS)
        self.drift = meant(step, DIGITS) if fitted.model.counts[1] else 0.0
        #: Whether persons may change; the person of each strength, and the part of all seats that it was in.
        self._moving = fitted.model.states > len(table.persons)
        self._persons_of = table.states[0] if self._moving else np.arange(len(table.persons))
        self._often = table.often(self._moving)
        self.is_seen, self.drift_is_seen = gains[0] > SEEN, gains[1] > SEEN
        self._labelled()

    # --- persons ---

    @cached_property
    def _strengths(self) -> tuple[np.ndarray, np.ndarray]:
        """Strengths of persons above the mean, at their last period, and their covariance, shapes (q,) and (q, q)."""
        table, model = self._table, self._fit.model
        last = np.flatnonzero(np.diff(self._persons_of, append=len(table.persons)) > 0)
        often = self._often
        place = self._fit.place[model.free :]
        strength = model.strengths(place)
        apart = strength[last] - (often * strength).sum()
        cover = self._fit.covariance[model.free :, model.free :]
        whole = model.strengths(model.strengths(cover).T)  # of all states
        mean = whole @ often
        covariance = whole[np.ix_(last, last)] - mean[last][:, None] - mean[last] + (often * mean).sum()
        return apart, covariance

    @cached_property
    def persons(self) -> pd.DataFrame:
        """A row for each person; see the class."""
        table, (strength, covariance) = self._table, self._strengths
        error = np.sqrt(np.maximum(np.diag(covariance), 0.0))
        half = special.ndtri((1 + self.level) / 2) * error
        there = table.person >= 0
        who, side = table.person[there], table.contestant[there]
        games = np.bincount(who, minlength=len(strength))
        won = np.bincount(who, table.won[side], minlength=len(strength))
        added = table.added(self._effects[0], side, strength[who] * table.size[side] ** -self.members)
        frame = pd.DataFrame(
            {
                "games": games,
                "share": won / games,
                "strength": strength,
                "error": error,
                "low": strength - half,
                "high": strength + half,
                "adds": np.bincount(who, added, minlength=len(strength)) / games,
            },
            index=pd.Index(table.persons, name="player"),
        )
        frame = meant(frame, DIGITS, residue=1e-9)
        return frame.sort_values(["strength", "games"], ascending=False, kind="stable")

    def standings(self, most: int) -> pd.DataFrame:
        """The rows in `persons` of so many who played most, the strongest first."""
        often = self.persons["games"].rank(method="first", ascending=False)
        return self.persons[often <= whole_number("most", most, 1)]

    def better(self, one: Hashable, other: Hashable) -> float:
        """How sure it is that one person is stronger than another: the probability, given the games.

        nan if they belong to groups of persons that never met, not even by way of others.
        """
        apart, variance = self._between(one, other)
        return float(meant(special.ndtr(apart / np.sqrt(variance)), DIGITS))

    def have_met(self, players: Iterable[Hashable]) -> bool:
        """Whether those of some players who are known here met, at least by way of others."""
        return len({self._table.group[self._place(name)] for name in players if name in self._table.persons}) < 2

    def _between(self, one: Hashable, other: Hashable) -> tuple[float, float]:
        """How much stronger one person is, and the variance of that."""
        (first, second), (strength, covariance) = (self._place(one), self._place(other)), self._strengths
        if first == second:
            raise ValueError(f"other = {shown(other)}: another person than {shown(one)} is needed")
        if np.ptp(self._table.group[[first, second]]):
            return float("nan"), float("nan")
        pair = covariance[np.ix_([first, second], [first, second])]
        return float(strength[first] - strength[second]), float(pair[0, 0] + pair[1, 1] - 2 * pair[0, 1])

    def _place(self, person: Hashable) -> int:
        persons = self._table.persons
        if person not in persons:
            raise ValueError(f"{shown(person)} is not among the {len(persons):,} players of these games")
        return persons.index(person)

    def games_until_told(self, one: Hashable = None, other: Hashable = None, sure: float = 0.95) -> int | None:
        """How many games more each of two persons needs until it is `sure` which is better, as things look now.

        The two play with others against others, and their difference stays what it is found to be; 0 where it is sure
        already. Without names: after how many games of each it is sure in half of all pairs of strangers. None if they
        seem equal or never met, or nobody is seen to differ.
        """
        reach = special.ndtri(number("sure", sure, 0.5, 1 - 1e-12, inside=True))
        pair = None if one is None and other is None else self._between(one, other)
        if not self.is_seen:
            return None
        every = self._told_by_a_game
        if pair is None:
            # What n games of each find of a difference, in its errors, varies by n / 2 of what one tells of a strength,
            # over what the prior tells of the difference, 1 / (2 spread²); half of a normal variable is beyond `half`.
            half = special.ndtri(0.75)
            games = (reach / half / self.spread) ** 2 / float(np.median(every[every > 0]))
        else:
            apart, variance = pair
            if not abs(apart) > 1e-6:
                return None
            rate = float((1 / every[[self._place(one), self._place(other)]]).sum())
            games = (reach**2 / apart**2 - 1 / variance) * rate
        return max(0, int(np.ceil(meant(float(games)))))

    @cached_property
    def _told_by_a_game(self) -> np.ndarray:
        """What one game of each person tells of the strength, on the average, shape (q,)."""
        fit, who = self._fit, self._persons_of
        own = np.diag(fit.model.choices.information(fit.chance))[fit.model.free :]
        table = self._table
        games = np.bincount(table.person[table.person >= 0], minlength=len(table.persons))
        return np.bincount(who, own) / games

    # --- labels ---

    @cached_property
    def _effects(self) -> tuple[np.ndarray, np.ndarray]:
        """Effects of labels, and of a draw, between persons of mean strength, and their covariance.

        Where a side's strength is not the mean of its members', the larger side has more of the mean strength.
        """
        table, model = self._table, self._fit.model
        lead = table.of(next((kind for kind in ("side", "role") if kind in table.kinds), ""))
        larger = np.zeros(model.free)
        larger[lead] = ((table.plays.T @ table.size ** (1 - self.members)) / table.counts)[lead] - 1.0
        turned = np.zeros((model.free, model.size))
        turned[:, : model.free] = np.eye(model.free)
        turned[:, model.free :] = np.outer(larger, np.append(model.likings.T @ self._often, self._often))
        return dot(turned, self._fit.place), dot(dot(turned, self._fit.covariance), turned.T)

    def _labelled(self) -> None:
        """The table of labels, and what is said of them."""
        table, (effects, covariance) = self._table, self._effects
        size = len(table.labels)
        chance, slope = table.chances(effects)
        variance = np.maximum((dot(slope, covariance) * slope).sum(axis=1), 0.0)
        before = BEFORE * np.square(slope[:, :size]).sum(axis=1)
        if size and before.max() < 1e-20:
            raise ValueError(
                f"by = {shown(self.by)}: these never differ within a game, so that there is nothing to compare"
            )
        alone, *beside = (
            (dot(slope[:, :size], np.linalg.inv(each + np.eye(size) / BEFORE)) * slope[:, :size]).sum(axis=1)
            for each in self._information
        )
        known = np.max([variance, *beside], axis=0) < before / 2
        even = np.empty(size)
        for kind in self.by:
            places, without = table.of(kind), effects.copy()
            without[self._with(kind)] = 0.0
            even[places] = table.chances(without)[0][places]
        fair = table.plays.T @ (table.total / table.contestants)[table.game] / table.counts  # were all sides equal
        low, high = interval(chance, np.sqrt(variance), self.level)
        told = {"chance": chance, "error": np.sqrt(variance), "low": low, "high": high}
        columns = {"plays": table.counts.astype(int), "share": table.shares}
        columns |= {name: np.where(known, values, np.nan) for name, values in told.items()}
        columns |= {"even": even, "seen": table.shares - fair, "difference": np.where(known, chance - even, np.nan)}
        columns |= {
            "information": np.where(
                known, np.divide(np.minimum(alone, variance), variance, out=np.ones(size), where=variance > 0), 0.0
            )
        }
        index = pd.MultiIndex.from_tuples(table.labels or [], names=["by", "label"])
        frame = pd.DataFrame(
            {name: meant(values, DIGITS, residue=1e-9) for name, values in columns.items()}, index=index
        )
        self.labels = frame
        tests = np.array([self._wald(kind) for kind in [*self.by, None]])
        found = np.where(tests[:, 1] > 0, stats.chi2.sf(*tests.T), np.nan)
        self.p_values = pd.Series(meant(found[:-1], DIGITS), index=pd.Index(self.by, name="by"))
        self.p_value = meant(float(found[-1]), DIGITS)

    def _with(self, kind: str) -> np.ndarray:
        """The places of labels of a kind, and of those kinds that cannot be told from it, as roles say the side."""
        table, alone = self._table, self._information[0]

        def rank(*kinds: str) -> int:
            places = np.concatenate([table.of(each) for each in kinds])
            return int(np.linalg.matrix_rank(alone[np.ix_(places, places)], tol=1e-9 * np.diag(alone).max()))

        told = {other: rank(kind) + rank(other) == rank(kind, other) for other in self.by if other != kind}
        return np.concatenate([table.of(kind), *(table.of(other) for other, apart in told.items() if not apart)])

    @cached_property
    def _information(self) -> tuple[np.ndarray, ...]:
        """What games tell of labels at even chances: if strengths were known; and if they may be anything.

        As members were found to make up a side, and by their mean as well, lest sizes of sides alone tell of labels.
        """
        powers = {self.members, 1.0}
        told = {power: self._table.likings(self._table.peopled(power), HARDLY)[1] for power in powers}
        return told[self.members][0], *(beside for _, beside in told.values())

    def _contrasts(self, kind: str) -> np.ndarray:
        """How much of each effect is in what is tested of each label of a kind: its own, or all in its sides'."""
        table, places, together = self._table, self._table.of(kind), self._with(kind)
        if kind == "seat" and len(together) == len(places):
            return np.eye(len(table.labels))[places]
        whole = np.zeros((len(places), len(table.labels)))
        whole[:, together] = ((table.plays.T @ table.labelled).toarray() / table.counts[:, None])[places][:, together]
        return whole

    def _wald(self, kind: str | None = None) -> tuple[float, int]:
        """Wald's statistic of sums of effects, all or those of a kind, and its degrees of freedom.

        It is asked in the directions in which games tell more than was known beforehand, of labels that can be told.
        """
        effects, covariance = self._effects
        size, known = len(self._table.labels), self.labels["chance"].notna().to_numpy()
        contrasts = self._contrasts(kind)[known[self._table.of(kind)]] if kind else np.eye(size)[known]
        if not contrasts.size:
            return 0.0, 0
        values, vectors = np.linalg.eigh(dot(dot(contrasts, covariance[:size, :size]), contrasts.T))
        along = dot(vectors.T, dot(contrasts, effects[:size]))
        told = (values < BEFORE / 2) & (values > 1e-9 * values.max())
        return float((along[told] ** 2 / values[told]).sum()), int(told.sum())

    def _of(self, kind: str) -> pd.DataFrame:
        if kind not in self.by:
            raise ValueError(f"{kind}s: only {', '.join(self.by) or 'persons'} were asked for or are there")
        return self.labels.loc[kind].rename_axis(kind)

    @property
    def sides(self) -> pd.DataFrame:
        """The labels that are sides."""
        return self._of("side")

    @property
    def roles(self) -> pd.DataFrame:
        """The labels that are roles."""
        return self._of("role")

    @property
    def seats(self) -> pd.DataFrame:
        """The labels that are seats."""
        return self._of("seat")

    # --- luck, and games to come ---

    @cached_property
    def _luck(self) -> tuple[float, float]:
        variance = self.spread**2
        if self.drift:
            person, period, _ = self._table.states
            variance += self.drift**2 * float((self._often * (period - period[np.searchsorted(person, person)])).sum())
        told, whole = matches.bits(self._table, self._effects[0], np.sqrt(variance), self.members)
        return meant(told, 3, residue=1e-6), meant(whole, 3)

    @property
    def bits(self) -> float:
        """How much the strengths of who plays tell of a game's result, on the average, in bits; to three digits."""
        return self._luck[0]

    @property
    def result_bits(self) -> float:
        """How much there is to tell of a game's result between strangers, in bits; to three digits."""
        return self._luck[1]

    @cached_property
    def _seated(self) -> matches.Seated:
        model, last = self._fit.model, np.flatnonzero(np.diff(self._persons_of, append=len(self._table.persons)) > 0)
        states = sparse.hstack([model.likings, sparse.eye_array(model.states)], format="csr")[last]
        period = self._table.states[1][last] if self._moving else np.zeros(len(last))
        since = (period.max() + 1 - period) * self.drift**2 if self.drift else np.zeros(len(last))
        return matches.Seated(self._table, self._fit, states, since, self.spread**2, self.members)

    def chances(self, table: pd.DataFrame) -> pd.Series:
        """What each player would win, on the average over what is not known of strengths, in the period after the last.

        `table` has a row for each player, with columns `player`, those of `by`, what says who plays together (side, or
        role, where these did), and `game`, if it is more than one. Whoever has not played yet, or has no name, is a
        stranger, and groups of persons that never met are taken as equally strong. Draws count as they did in the
        results.
        """
        return self._seated.forecast(table)["chance"]

    def drawn(self, table: pd.DataFrame) -> pd.Series:
        """How often the game of each row of a `table`, as for `chances`, would be drawn, on the same average."""
        return self._seated.forecast(table)["drawn"]

    def even_match(self, players: Iterable[Hashable]) -> pd.DataFrame:
        """A game of these players that is as even as a search finds: who has which side, role and seat.

        Sides, roles and seats are those of the most common recorded game of so many players. A row for each player,
        with the `chance` to win, on the average over what is not known of strengths.
        """
        return self._seated.even_match(players)

    # --- in words and pictures ---

    def about(self, by: str) -> str:
        """What was found of the labels of a kind, in words."""
        return said.about(self, by, self._of(by))

    def judge(
        self,
        by: str | None = None,
        margin: float = 0.05,
        looks: int | None = None,
        looked_after: int | Iterable[int] = (),
    ) -> tuple[str, str]:
        """The verdict between equally strong people, as `fairness.judge` gives it with this level, and its words.

        "fair" if each label's chance among decided games is shown to be within the margin (two one-sided tests on the
        scale of log odds), "unfair" if even labels are refuted, and "undecided" where neither is, or cannot be told;
        then how many games more would tell, as `fairness.judge` says it.
        """
        if not self.by:
            raise ValueError("judge: there are only persons here, and no sides, roles or seats")
        by = one_of("by", self.by[0] if by is None else by, self.by)
        before = looking.earlier(looked_after, looks, self.games)
        limit = looking.limit(1 - self.level, looks, before)
        frame, most = self._of(by), 1 - self.draws
        margin = margin_below(margin, frame["even"].to_numpy() / most)
        chance, error, apart = (frame[name].to_numpy() for name in ("chance", "error", "difference"))
        low, high = interval(chance, error, 1 - 2 * limit)
        near = bool(((low > frame["even"] - margin * most) & (high < frame["even"] + margin * most)).all())
        statistic, directions = self._wald(by)
        if near and directions:
            return "fair", said.verdict(f"Fair within {wording.points(margin)}", self.about(by))
        if directions and statistic >= stats.chi2.isf(limit, directions):
            return "unfair", said.verdict("Unfair", self.about(by))
        needed = np.inf
        if directions and len(before) + 1 != looks:
            then = looking.limit(1 - self.level, looks, (*before, self.games))
            far = np.where(np.isnan(chance), margin * most, np.abs(apart))
            each = np.where(np.isnan(chance), np.inf, error * np.sqrt(self.games))
            effect = statistic / self.games
            needed = looking.games_that_tell(effect, directions, far, each, margin * most, (then, then))
        return "undecided", said.verdict("Cannot tell", self.about(by), needed - self.games)

    @cached_property
    def sentence(self) -> str:
        """What was found, in words."""
        begin = f"{wording.games(self.games)} of {len(self.persons):,} persons."
        kinds = [kind for kind in self.by if kind != "role" or "side" not in self.by]
        return " ".join([begin, *map(self.about, kinds), *self.remarks])

    @cached_property
    def remarks(self) -> tuple[str, ...]:
        """How much luck there is, how soon the better is known, and what else a reader has to know, in words."""
        return (*said.remarks(self, self._table), *self._notes)

    def __str__(self) -> str:
        return self.sentence

    def to_frame(self) -> pd.DataFrame:
        """The table `persons`: a row for each, the strongest first."""
        return self.persons.copy()

    def _headings(self) -> dict[str, str]:
        interval = f"{100 * self.level:g}% interval, from"
        return {"error": "± (s.e.)", "low": interval, "high": "to", "adds": "adds to the chance of its side"}

    def plot(self, ax: Any = None, most: int = 25) -> Any:
        """Draw the strengths of those who played most, with their intervals; on `ax`, or on a new figure."""
        return plots.draw_standings(self, ax, most)

    def to_html(self) -> str:
        """A page of a season without scripts and without anything to be loaded: standings, labels, the verdict."""
        return season_page(self)


def interval(chance: np.ndarray, error: np.ndarray, level: float) -> tuple[np.ndarray, np.ndarray]:
    """An interval for chances on the scale of log odds."""
    half = special.ndtri((1 + level) / 2) * error / np.maximum(chance * (1 - chance), 1e-300)
    return special.expit(special.logit(chance) - half), special.expit(special.logit(chance) + half)
