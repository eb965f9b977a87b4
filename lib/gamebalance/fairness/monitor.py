"""Looking after every game, and stopping when it is clear: a test that stays valid however often it is looked at.

The evidence against equal chances is a bet, multiplied after each game so that in a fair game its mean stays 1; so
there it ever reaches 20 in at most 1 of 20 cases (Ville 1939). Where unequal chances are named, it is the ratio of the
chances of the results under them and under equal ones (Wald 1945). Where none are, it is the mean of this ratio over
all chances, weighted by a distribution about equal ones (Robbins 1970; Lindon and Malek 2022), which `bets` describes.
A bet against any other chance of one label gives an interval for it that holds at all times at once (Howard, Ramdas,
McAuliffe and Sekhon 2021): the chances against which less evidence has come together than the level asks for.
"""

from collections.abc import Hashable, Iterable, Mapping
from math import exp, expm1, inf, log
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import optimize

from gamebalance.base.checks import all_different, listed, number, shown, whole_number
from gamebalance.base.kinds import Integral
from gamebalance.base.rounding import meant
from gamebalance.base.tabled import Tabled
from gamebalance.fairness import bets, plots, wording
from gamebalance.fairness.bets import checked_rule
from gamebalance.fairness.planning import EQUAL, MOST_ROLES

#: After how many blocks what was seen of their scatter weighs as much as what was expected.
FIRST = 10


class Monitor(Tabled):
    """Looks after games of one kind, one after the other, and says when it is clear whether they are fair.

    Parameters
    ----------
    labels : sequence or int
        2 to 10 roles, seats or sides of which one wins each game; a number K stands for 1 to K.
    alternative : sequence or mapping, optional
        A chance for each label, not all equal. Then the question is whether chances are these or equal.
    level : float
        In how many fair games at most the verdict ever is "unfair"; and how often at most some interval ever misses.
    power : float
        Of games with the named chances, at least so many are not called "fair".
    margin : float
        How far from even a chance may be for the game to be called "fair", where no chances are named.

    Attributes
    ----------
    verdict : {"unfair", "fair", "undecided"}
        What was decided stays decided.
    stopped_at : int or None
        The number of the game, draws counted, after which it was decided.
    labels, games, draws
        Who can win, how many games there were, and how many of them nobody won.

    Notes
    -----
    Draws are counted and tell nothing: the chances are those in games that somebody wins. Games may be played in blocks
    with rotated seats (`add_block`), all of them or none. Blocks scatter less than single wins, and bets on them are
    raised by as much as those before have shown; what the level promises holds whatever players are like, if in a fair
    game every seat is worth the same to each. Of eight seats or more blocks tell sooner only where players differ much,
    since no bet may lose more than all of it in a block that one seat wins throughout.

    With an `alternative` this is Wald's sequential probability ratio test: it stops with "unfair" when the ratio comes
    to 1 / level, and with "fair" when it falls to 1 - power, which then means: rather even than as named. By Ville's
    inequality for the ratio and for its inverse, these bounds, a little stricter than Wald's, keep what `level` and
    `power` promise. A win of a label whose named chance is 0 ends it with "fair".

    Without one it stops with "unfair" when the evidence reaches 1 / level, and with "fair" when the intervals of all
    labels lie within even - margin and even + margin; with "fair" if both happen in one game. Intervals hold together
    with the confidence 1 - level, the risk being divided among the labels if they are more than two; so a game with a
    chance beyond the margin is called "fair" in at most level / K of all cases, or level for two.

    Games may be added further, and change all but `verdict` and `stopped_at`.

    Examples
    --------
    >>> monitor = Monitor(["wolves", "village"])
    >>> monitor.extend(["wolves", "wolves", "village", None, "wolves"] * 20)
    >>> monitor.verdict, monitor.stopped_at, monitor.games, monitor.p_value
    ('unfair', 52, 100, 0.000663182374)
    """

    def __init__(
        self,
        labels: Iterable[Hashable] | int,
        alternative: ArrayLike | Mapping[Hashable, float] | None = None,
        level: float = 0.05,
        power: float = 0.8,
        margin: float = 0.05,
    ):
        self._places = _places(labels)
        if isinstance(alternative, Mapping):
            if set(alternative) != set(self._places):
                names = shown([*self._places])
                raise ValueError(f"alternative = {shown(alternative)}: a chance for each of {names} is needed")
            alternative = [alternative[label] for label in self._places]
        self._rule = checked_rule(len(self._places), alternative, level, power, margin)
        rule, groups = self._rule, self._rule.groups
        self.labels, self.level = tuple(self._places), rule.level
        named = None if rule.alternative is None else rule.alternative.tolist()
        self._bet: Any = bets.Mixture(groups) if named is None else bets.Named(named)
        self._ends = bets.Shares(groups, rule.margin, rule.bound)
        self._in_blocks: bool | None = None
        self._history: list[bets.Result | None] = []
        self._wins: list[float] = [0] * groups
        self._results = self.draws = 0
        self._scatter = self._most_evidence = 0.0
        self.verdict = "undecided"
        self.stopped_at: int | None = None

    def add(self, winner: Any) -> None:
        """Count a game by its winner, None for a draw; who shares it evenly as a list, or with parts as a mapping."""
        self._count(False, self._result(winner))

    def extend(self, labels: Iterable[Any]) -> None:
        """Count games as `add` does, in their order; all of them, or none if one is refused."""
        for result in [self._result(game) for game in listed("labels", labels)]:
            self._count(False, result)

    def add_block(self, results: Iterable[Any]) -> None:
        """Count K games in which the same K players sat in each seat once: by seat, who won each, as `add` takes it.

        Draws are shared by all. Fewer games are needed so, as strong players win from every seat.
        """
        games, groups = listed("results", results), self._rule.groups
        if len(games) != groups:
            raise ValueError(f"results = {shown(games)}: a block of {groups} games is needed, one for each seat")
        parts = [0.0] * groups
        for game in games:
            for place, share in self._result(game) or ((place, 1 / groups) for place in range(groups)):
                parts[place] += share / groups
        self._count(True, tuple(enumerate(parts)))

    def _result(self, game: Any) -> bets.Result | None:
        """The parts of a win, checked; None where all have as much."""
        if game is None:
            return None
        try:
            if game in self._places:
                return ((self._places[game], 1),)
        except TypeError:  # a list or a mapping
            pass
        if not isinstance(game, Mapping | list | set | tuple):
            raise ValueError(f"label = {shown(game)}: one of {shown([*self._places])} is needed")
        parts = game if isinstance(game, Mapping) else dict.fromkeys(game, 1 / max(len(game), 1))
        other = next((label for label in parts if label not in self._places), None)
        if other is not None:
            raise ValueError(f"label = {shown(other)}: one of {shown([*self._places])} is needed")
        result = tuple((self._places[label], number("share", share, 0, 1)) for label, share in parts.items())
        if len(result) < len(game) or abs(sum(share for _, share in result) - 1) > EQUAL:
            raise ValueError(f"labels = {shown(game)}: different ones whose parts of the win add up to 1 are needed")
        return None if all(abs(share - self._rule.even) < EQUAL for _, share in result) else result

    def _count(self, in_blocks: bool, result: bets.Result | None) -> None:
        """Count what was checked: the parts of the win in a game or a block, or None for a draw."""
        if self._in_blocks not in (None, in_blocks):
            one, other = ("blocks", "games") if in_blocks else ("games", "blocks")
            raise ValueError(f"{one}: this monitor counts {other}, and its shares are those of one kind alone")
        self._in_blocks = in_blocks
        self._history.append(result)
        if result is None:
            self.draws += 1
            return
        spread = 1.0
        if in_blocks:  # how much this will scatter, in parts of what a game with one winner does: as those before did
            spread = (FIRST / self._rule.groups + self._scatter) / (FIRST + self._results)
            self._ends.add(result, spread)
            self._scatter += sum((share - self._rule.even) ** 2 for _, share in result) / (1 - self._rule.even)
        self._bet.add(result, spread)
        for place, share in result:
            self._wins[place] += share * self._size
        self._results += 1
        self._most_evidence = max(self._most_evidence, self._bet.evidence)
        if self.stopped_at is None:
            self.verdict = self._verdict()
            self.stopped_at = None if self.verdict == "undecided" else self.games

    @property
    def _size(self) -> int:
        """How many games a result is of."""
        return self._rule.groups if self._in_blocks else 1

    @property
    def _decided(self) -> int:
        """Games that count: all that somebody won, or all of all blocks."""
        return self._results * self._size

    def _verdict(self) -> str:
        """What the games so far say."""
        rule = self._rule
        unfair = "unfair" if self._bet.evidence >= rule.upper else None
        if rule.alternative is not None:
            return unfair or ("fair" if self._bet.for_even >= -rule.lower else "undecided")
        if self._ends.within() if self._in_blocks else all(map(self._is_within, range(rule.groups))):
            return "fair"
        return unfair or "undecided"

    def _is_within(self, place: int) -> bool:
        """Whether the interval of a label lies within the margin: its share does, and both ends of it are refuted."""
        rule, wins = self._rule, self._wins[place]
        near, far = rule.even - rule.margin, rule.even + rule.margin
        if not (near <= 0 or wins > near * self._decided) or not (far >= 1 or wins < far * self._decided):
            return False
        each = (wins, self._decided - wins, rule.even)
        ends = (end for end in (near, far) if 0 < end < 1)
        return all(bets.against(*each, end, rule.margin, rule.groups) >= rule.bound for end in ends)

    @property
    def games(self) -> int:
        """How many games there were, draws counted."""
        return self._decided + self.draws

    @property
    def wins(self) -> dict[Hashable, float]:
        """How often each label won; of shared wins its parts."""
        return dict(zip(self._places, meant(self._wins), strict=True))

    @property
    def shares(self) -> dict[Hashable, float]:
        """Share of each label in the games that somebody won, or in all of all blocks; nan before the first."""
        decided = self._decided or float("nan")
        return {label: meant(wins / decided) for label, wins in self.wins.items()}

    @property
    def low(self) -> dict[Hashable, float]:
        """Lower ends of the intervals of all labels, which hold together at all times with the confidence 1 - level."""
        return {label: self._end(place, lower=True) for label, place in self._places.items()}

    @property
    def high(self) -> dict[Hashable, float]:
        """Upper ends of these intervals."""
        return {label: self._end(place, lower=False) for label, place in self._places.items()}

    def _end(self, place: int, lower: bool) -> float:
        """The chance between the share of a label and 0 or 1 from which on there is too much evidence against it."""
        if self._in_blocks:
            return meant(self._ends.end(place, lower))
        rule, hits, even = self._rule, self._wins[place], self._rule.even
        hits, even = (hits, even) if lower else (self._decided - hits, 1 - even)
        misses = self._decided - hits
        if hits <= 0:
            return 0.0 if lower else 1.0

        def excess(chance: float) -> float:
            """By the logarithm of the chance, since it may be very small."""
            return bets.against(hits, misses, even, exp(chance), rule.margin, rule.groups) - rule.bound

        # At the share itself the evidence is below 1; a chance as small as the other end is refuted by a single win.
        start = min(log(hits / self._decided), -1e-15)
        end = optimize.brentq(excess, -700.0, start, xtol=1e-12, rtol=1e-14)
        return meant(exp(end) if lower else -expm1(end))

    @property
    def log_evidence(self) -> float:
        """Natural logarithm of `evidence`; minus infinity if a label won whose named chance is 0."""
        return meant(self._bet.evidence, residue=1e-12)

    @property
    def evidence(self) -> float:
        """How many times likelier the results are under unequal chances: as named, or on the average over all."""
        return meant(exp(self._bet.evidence)) if self._bet.evidence < 700 else inf

    @property
    def p_value(self) -> float:
        """A bound, valid at any time, on how often fair games ever give so much evidence: 1 / the most so far."""
        return meant(exp(-self._most_evidence))

    def course(self, points: int = 200) -> pd.DataFrame:
        """What was known after each game, or after about so many of them: a row for each label.

        `game`, `label`, `wins`, `share`, `low`, `high`; the `evidence` and the `verdict` are the same for all
        labels.
        """
        rule, rows = self._rule, []
        again = Monitor(self.labels, rule.alternative, rule.level, rule.power, rule.margin)
        played = len(self._history)
        shown_after = set(np.linspace(1, played, min(whole_number("points", points, 1), played)).round().astype(int))
        for number_of, result in enumerate(self._history, 1):
            again._count(bool(self._in_blocks), result)
            if number_of in shown_after or again.stopped_at == again.games:
                about = {"game": again.games, "evidence": again.evidence, "verdict": again.verdict}
                rows.append(again.to_frame().reset_index().assign(**about))
        columns = ["game", "label", "wins", "share", "low", "high", "evidence", "verdict"]
        return pd.concat(rows, ignore_index=True)[columns] if rows else pd.DataFrame(columns=columns)

    def to_html(self) -> str:
        """The verdict and its course as a page of its own, with charts, which needs nothing to be loaded."""
        return plots.course_page(self)

    def to_frame(self) -> pd.DataFrame:
        """A row for each label: wins, share, low, high."""
        columns = {"wins": self.wins, "share": self.shares, "low": self.low, "high": self.high}
        return pd.DataFrame(columns, index=pd.Index([*self.labels], name="label"))

    @property
    def sentence(self) -> str:
        """The verdict in words."""
        rule = self._rule
        if not self._decided:
            return "Cannot tell: no game was decided yet."
        if self.verdict == "undecided":
            evidence = f"{self.evidence:.3g}" if self._bet.evidence < log(1e6) else "more than a million"
            end = f", and at {1 - rule.power:.3g} for equal ones" if rule.alternative is not None else ""
            return (
                f"Cannot tell: {self._seen()}. The evidence against equal chances is {evidence}; it decides at "
                f"{1 / rule.level:.4g}{end}."
            )
        when = f"decided at game {self.stopped_at:,}"
        if self.verdict == "unfair":
            often, label = wording.at_most(self.p_value), self._farthest
            holds = self.low[label] <= rule.even <= self.high[label]
            alone = "; this interval alone does not show it" if holds else ""
            return f"Unfair, {when}: {self._seen()}; fair games ever give so much evidence {often}{alone}."
        if rule.alternative is None:
            confidence = f"with {100 * (1 - rule.level):g}% confidence at all times"
            return f"Fair within {wording.points(rule.margin)}, {when}, {confidence}: {self._seen()}."
        named = " : ".join(f"{100 * chance:.3g}" for chance in rule.alternative)
        likelier = f"at least {wording.three_digits_down(1 / (1 - rule.power))} times likelier under equal chances"
        return f"Rather even than {named}, {when}, when the results were {likelier}: {self._seen()}."

    @property
    def _farthest(self) -> Hashable:
        """The label that is farthest from even."""
        return max(self.shares, key=lambda label: abs(self.shares[label] - self._rule.even))

    def _seen(self) -> str:
        """What was seen of the label that is farthest from even."""
        label = self._farthest
        seen = self.shares[label], self.low[label], self.high[label], self._rule.even
        share, low, high, even = map(wording.percent, seen)
        who = wording.named("number", label)
        draws = f", not counting {self.draws:,} draw{'s' * (self.draws > 1)}" if self.draws else ""
        games = wording.games(self._decided)
        return f"{who} won {share}% of {games}{draws} (interval {low} to {high}%), where {even}% would be even"

    def __str__(self) -> str:
        return self.sentence

    def _headings(self) -> dict[str, str]:
        return {"share": "share won", "low": f"{100 * (1 - self._rule.level):g}% interval, from", "high": "to"}


def _places(labels: Iterable[Hashable] | int) -> dict[Hashable, int]:
    """The place of each label."""
    if isinstance(labels, Integral):
        return {label: label - 1 for label in range(1, whole_number("labels", labels, 2, MOST_ROLES) + 1)}
    names = [] if isinstance(labels, str) else listed("labels", labels)
    if not 2 <= len(names) <= MOST_ROLES or not all_different(names) or None in names:
        raise ValueError(
            f"labels = {shown(labels)}: 2 to {MOST_ROLES} different roles, seats or sides, or their number, are needed"
        )
    return {label: place for place, label in enumerate(names)}
