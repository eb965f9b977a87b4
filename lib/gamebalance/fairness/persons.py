"""Strong people who like a role: chances between equally strong people, from games of people who chose.

In every club some people are stronger than others, and some like to play the wolf. If it is the strong ones, wolves win
more often than the game owes them, and no number of games mends that. `lineups` keeps persons and labels apart, and
fits strengths to results; here it is put into numbers and words.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from scipy import linalg, special

from gamebalance.base.checks import all_different, confidence, one_of, shown
from gamebalance.base.rounding import meant
from gamebalance.base.sums import dot
from gamebalance.base.tabled import Tabled
from gamebalance.fairness import looks as looking
from gamebalance.fairness import wording
from gamebalance.fairness.games import Games
from gamebalance.fairness.lineups import GRID, Comparison, Lineups
from gamebalance.fairness.planning import margin_below

#: Below this part of the information that equal persons would leave, it is said.
LITTLE = 0.2
KINDS = ("side", "role", "seat")


@dataclass(frozen=True, eq=False)
class PersonModel(Tabled):
    """Labels and persons told apart. Made by `with_persons`.

    `by` is what the labels are: side, role, seat; `games`, how many there were; `level`, the confidence of each
    interval by itself. `inseparable` and `remarks` say what these games cannot tell apart, and what else a reader has
    to know.

    `frame` has a row for each label: `plays` and `share` won, as `judge` has them; the `chance` that it would win
    between persons of equal strength, on the average over the recorded line-ups, its standard `error` and an interval
    from `low` to `high`, nan where it cannot be told; `even`, that chance if all labels of its kind had the same
    effect; `seen`, how far the share is from that of fair games against the same others, and `difference`, the chance
    from even; `information`, the part of the information on the chance that is left beside persons, from 0 to 1. `most`
    is the share of its games that each label could have won: those that somebody won.

    `persons` has a row for each person: decided games, share won, and `effect`, by how much the person is stronger than
    one in the middle (the natural logarithm of the odds against such a one, alone), with its standard error. Effects
    are drawn towards 0, the more so the fewer games there are, and sum to 0; `spread` is their standard deviation.

    `p_value` is how often even labels would look at least so uneven, persons allowed for, nan where nothing can be
    told; `p_values` are the same for each kind by itself, the others allowed for, too.
    """

    by: tuple[str, ...]
    games: int
    frame: pd.DataFrame
    persons: pd.DataFrame
    spread: float
    p_value: float
    p_values: pd.Series
    inseparable: tuple[str, ...]
    remarks: tuple[str, ...]
    most: pd.Series
    level: float

    @cached_property
    def sentence(self) -> str:
        """What was found, in words."""
        apart = self.frame[["seen", "difference"]].abs().max(axis=1)
        label = apart.idxmax()
        kind, who, row = self.by[0] if len(self.by) == 1 else label[0], _named(self.by, label), self.frame.loc[label]
        share, chance, low, high, even = map(wording.percent, row[["share", "chance", "low", "high", "even"]])
        if np.isnan(row["chance"]):
            first = f"It cannot be told how often {who} would win between equally strong people; {share}% were seen."
        else:
            first = (
                f"Between equally strong people {who} would win {chance}% of the games "
                f"({100 * self.level:g}% interval {low} to {high}%), "
                f"where {even}% would be even; {share}% were seen, of which who played accounts for "
                f"{round(100 * (row['share'] - row['chance']), 1) + 0.0:+.1f} percentage points."
            )
            if self.p_values[kind] == self.p_values[kind]:
                first += f" Even {kind}s would look at least as uneven {wording.often(self.p_values[kind])}."
        return " ".join([first, *self.inseparable, *self.remarks])

    def __str__(self) -> str:
        return self.sentence

    def judge(
        self, margin: float = 0.05, looks: int | None = None, looked_after: int | Iterable[int] = ()
    ) -> tuple[str, str]:
        """The verdict between equally strong people, as `fairness.judge` gives it with this level, and its words.

        "fair" if each label's chance among decided games is shown to be within the margin (two one-sided tests on the
        scale of log odds), "unfair" if even labels are refuted, and "undecided" where neither is, or cannot be told.
        """
        limit = looking.limit(1 - self.level, looks, looking.earlier(looked_after, looks, self.games))
        chance, error, even = (self.frame[name].to_numpy() for name in ("chance", "error", "even"))
        most = self.most.to_numpy()
        margin = margin_below(margin, np.divide(even, most, out=np.full(len(most), 0.5), where=most > 0))
        low, high = _interval(chance, error, most, 1 - 2 * limit)
        near = bool(np.all((low > even - margin * most) & (high < even + margin * most)))
        verdict = "fair" if near else "unfair" if self.p_value <= limit else "undecided"
        leads = {"fair": f"Fair within {wording.points(margin)}", "unfair": "Unfair", "undecided": "Cannot tell"}
        return verdict, f"{leads[verdict]}: {self.sentence[0].lower()}{self.sentence[1:]}"

    def to_frame(self) -> pd.DataFrame:
        """The table `frame`: a row for each label, with its chance between persons of equal strength and the error."""
        return self.frame.copy()

    def _headings(self) -> dict[str, str]:
        chance = "chance between equally strong people"
        interval = f"{100 * self.level:g}% interval, from"
        return {"share": "share won", "chance": chance, "error": "± (s.e.)", "low": interval, "high": "to"}


def with_persons(games: Games, by: str | Iterable[str] = "role", level: float = 0.95) -> PersonModel:
    """How labels would fare between persons of equal strength.

    Parameters
    ----------
    games : Games
        With the column player.
    by : {"role", "seat", "side"} or several of them
        What effects besides persons there are; sides are what wins where they are known.
    level : float
        Confidence of each interval by itself.

    Raises
    ------
    ValueError
        If results have no players or no such labels, fewer than two or too many of them, or none that meet, several
        contestants have won a game, or nobody has won any.

    Notes
    -----
    Contestants, as in `judge`, win with chances proportional to the exponential of their strength, the mean over their
    members of the effects of labels and persons (`lineups`). Effects of labels are free. Persons' strengths are normal
    with a standard deviation that maximises Laplace's approximation of the likelihood (`laplace`), about a mean that
    may go with what they play (Mundlak 1978). Errors of chances are those of the delta method, the spread being taken
    as known, and intervals are made on the scale of log odds. P-values are those of likelihood ratios. Persons' effects
    and their spread are found for the effects of labels that were found; where labels cannot be told from persons, they
    hold both.

    Games that nobody won say nothing here; shares of a win count as parts of a win. Where results are so one-sided that
    an effect would be infinite (Albert and Anderson 1984), each label is taken to have drawn one game more against an
    even one (a prior of Greenland and Mansournia 2015), and a remark says so.

    Examples
    --------
    Ann wins two games of three, whoever begins:

    >>> import pandas as pd
    >>> rows = [(game, seat, player, player == ("Ben" if game % 3 == 0 else "Ann"))
    ...         for game in range(60) for seat, player in enumerate(["Ann", "Ben"] if game % 2 else ["Ben", "Ann"], 1)]
    >>> from gamebalance.fairness import read_games
    >>> table = pd.DataFrame(rows, columns=["game", "seat", "player", "won"])
    >>> model = with_persons(read_games(table), "seat")
    >>> model.frame["chance"].tolist(), model.persons["share"].round(2).tolist()
    ([0.5, 0.5], [0.33, 0.67])
    """
    level = confidence(level)
    kinds = _kinds(games, by)
    table = Lineups(games, kinds)
    found = Comparison(table)
    if not found.contrasts.size:
        raise ValueError(f"by = {by!r}: these never differ within a game, so that there is nothing to compare")
    joint, frame = found.p_value(), label_frame(found, level)
    by_kind = np.array([joint if len(kinds) == 1 else found.p_value(kind) for kind in kinds])
    return PersonModel(
        by=kinds,
        games=games.count,
        frame=frame,
        persons=_persons(found),
        spread=meant(found.strengths.spread),
        p_value=meant(joint),
        p_values=pd.Series(meant(by_kind), index=pd.Index(kinds, name="by")),
        inseparable=tuple(sentence for kind in kinds for sentence in _hidden(found, kind)),
        remarks=tuple(_remarks(frame, found)),
        most=pd.Series(meant(table.most), index=frame.index),
        level=level,
    )


def _kinds(games: Games, by) -> tuple[str, ...]:
    if not isinstance(games, Games):
        raise ValueError(f"games = {type(games).__name__}: Games are needed, as read_games gives")
    kinds = (by,) if isinstance(by, str) else tuple(by) if isinstance(by, Iterable) else ()
    if not kinds or not all_different(kinds):
        raise ValueError(f"by = {shown(by)}: one of {', '.join(KINDS)}, or several different ones, are needed")
    for kind in kinds:
        one_of("by", kind, KINDS)
        if games.rows is not None and kind not in games.kinds:
            raise ValueError(f"by = {kind!r}: these results have no column of that name, only {', '.join(games.kinds)}")
    return kinds


def label_frame(found: Comparison, level: float) -> pd.DataFrame:
    """What is known of each label."""
    table, (effects, covariance) = found.table, found.effects
    chance, slope = table.chances(effects)
    error = np.sqrt(np.maximum((dot(slope, covariance) * slope).sum(axis=1), 0.0))
    low, high = _interval(chance, error, table.most, level)
    even = np.empty(found.size)
    for places in map(table.of, table.kinds):  # the chances if all labels of a kind had the same effect
        without = effects.copy()
        without[places] = 0
        even[places] = table.chances(without)[0][places]
    is_known = found.is_told(slope) & found.is_told(found.slopes)
    is_own = is_known & found.is_told(slope, own=True) & found.is_told(found.slopes, own=True)
    columns = {"plays": table.counts, "share": table.shares}
    known = {"chance": chance, "error": error, "low": low, "high": high}
    columns |= {name: np.where(is_known, values, np.nan) for name, values in known.items()}
    columns |= {"even": even, "seen": table.shares - table.even}
    columns |= {"difference": np.where(is_own, chance - even, np.nan), "information": found.information}
    if len(table.kinds) == 1:
        index = pd.Index([label for _, label in table.labels], name=table.kinds[0])
    else:
        index = pd.MultiIndex.from_tuples(table.labels, names=["by", "label"])
    return pd.DataFrame({name: meant(values, residue=1e-12) for name, values in columns.items()}, index=index)


def _interval(chance: np.ndarray, error: np.ndarray, most: np.ndarray, level: float) -> tuple[np.ndarray, np.ndarray]:
    """An interval on the scale of log odds, for chances that are `most` at most."""
    part = np.divide(chance, most, out=np.full(len(most), 0.5), where=most > 0)
    spread = np.maximum(most * part * (1 - part), 1e-300)
    half = special.ndtri((1 + level) / 2) * error / spread
    odds = special.logit(part)
    return most * special.expit(odds - half), most * special.expit(odds + half)


def _persons(found: Comparison) -> pd.DataFrame:
    """Effects of persons."""
    table, fit, size = found.table, found.strengths, len(found.table.persons)
    inverse = linalg.cho_solve(linalg.cho_factor(fit.hessian), fit.spread * np.eye(size))
    own = fit.spread * inverse
    with_labels = -dot(own, fit.information[found.size :, : found.size])
    variance = np.diag(own) + (dot(with_labels, found.effects[1]) * with_labels).sum(axis=1)
    who = table.design[:, found.size :] > 0
    games, won = who[table.decided].sum(axis=0), who.T @ (table.result * table.decided)
    columns = {
        "games": games,
        "share": np.divide(won, games, out=np.full(size, np.nan), where=games > 0),
        "effect": fit.effects[found.size :],
        "error": np.sqrt(variance),
    }
    return meant(pd.DataFrame(columns, index=pd.Index(table.persons, name="player")), residue=1e-12)


def _hidden(found: Comparison, kind: str) -> list[str]:
    """What cannot be told apart, in words."""
    groups = found.groups(kind)
    if len(groups) < 2:
        return []
    names = " from ".join(" or ".join(_named((kind,), label) for label in group) for group in groups)
    others = [f"the {other}" for other in found.table.kinds if other != kind]
    by_persons = len(found.groups(kind, equal_persons=True)) < len(groups)
    cause = "the strength of those who played" if by_persons else " or ".join(others)
    return [f"These games cannot tell {names}: what differs may be {cause}."]


def _remarks(frame: pd.DataFrame, found: Comparison) -> list[str]:
    """What else a reader has to know, in words."""
    table, remarks = found.table, []
    left = frame["information"].where(frame["information"] > 0)
    if left.min() < LITTLE:
        remarks.append(
            f"Who plays what is so fixed that only {wording.percent(left.min())}% of the information about "
            f"{_named(table.kinds, left.idxmin())} is left: it takes {1 / left.min():.0f} times as many games as if "
            "people changed."
        )
    if found.is_one_sided:
        never, always = (frame.index[np.abs(frame["share"] - share) < 1e-9] for share in (0, table.most))
        who = "a difference between labels, however large, could have made all these results"
        for labels, how in ((always, "always"), (never, "never")):
            who = f"{_named(table.kinds, labels[0])} has {how} won" if len(labels) else who
        remarks.append(f"Since {who}, each label is taken to have drawn one game more against an even one.")
    if found.strengths.spread >= GRID[-1]:
        remarks.append("Persons differ by more than these games can measure.")
    return remarks


def _named(kinds: tuple[str, ...], label) -> str:
    """A label of the frame as people say it."""
    return wording.named(*((kinds[0], label) if len(kinds) == 1 else label))
