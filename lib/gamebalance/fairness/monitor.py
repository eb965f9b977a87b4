"""Looking after every game, and stopping when it is clear: a test that stays valid however often it is looked at.

The evidence against equal chances is a bet. It begins at 1 and is multiplied after each game so that in a fair game its
mean stays 1; so in a fair game it ever reaches 20 in at most 1 of 20 cases (Ville 1939), and nobody need say beforehand
how many games there will be, or when the results will be looked at.

Where unequal chances are named, the evidence is the ratio of the chances of the results under them and under equal ones
(Wald 1945). Where none are named, it is the mean of this ratio over all chances, weighted by a Dirichlet distribution
about equal ones (Robbins 1970; Lindon and Malek 2022). The same bet against any other chance of one label gives an
interval for it that holds at all times at once (Howard, Ramdas, McAuliffe and Sekhon 2021): the chances against which
less evidence has come together than the level asks for.

All parameters of the Dirichlet distribution are 5. Jeffreys' 1/2 expects, of two sides, chances that are 35 percentage
points from even; 5 expects 15, and of four seats 9. In simulations, `stopping_times` of 55 : 45 and of four seats that
win .315, .242, .241 and .202 are shorter by a fifth and by two fifths than with 1/2, and those of a fair game by a
sixth; for that, one of two sides has to win the first 12 games to be found unfair, and not only the first 7.
"""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import exp, expm1, inf, log, log1p
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike
from scipy import optimize

from gamebalance.base.checks import all_different, listed, number, shown, whole_number
from gamebalance.base.kinds import Integral
from gamebalance.base.rounding import meant
from gamebalance.base.tabled import Tabled
from gamebalance.fairness import wording
from gamebalance.fairness.planning import EQUAL, MOST_ROLES, chances_to_win

if TYPE_CHECKING:
    import pandas

#: Every parameter of the Dirichlet distribution over chances.
CONCENTRATION = 5.0
#: Evidence that misses a bound by no more than this, on the scale of logarithms, has reached it: rounding alone does
#: not decide.
SLACK = 1e-9


@dataclass(frozen=True, eq=False)
class Rule:
    """When to stop, in numbers that are already checked: what a `Monitor` and the simulation of many of them share.

    Parameters
    ----------
    groups : int
        K, how many labels there are.
    alternative : array, shape (K,), or None
        The unequal chances, if they are named.
    level, power, margin : float
        As for `Monitor`.
    """

    groups: int
    alternative: np.ndarray | None
    level: float
    power: float
    margin: float

    @cached_property
    def even(self) -> float:
        """The chance of each label in a fair game."""
        return 1 / self.groups

    @cached_property
    def upper(self) -> float:
        """Logarithm of the evidence that shows unequal chances."""
        return log(1 / self.level) - SLACK

    @cached_property
    def lower(self) -> float:
        """Logarithm of the ratio at which chances are rather equal than those named."""
        return log(1 - self.power) + SLACK

    @cached_property
    def bound(self) -> float:
        """Logarithm of the evidence against a chance of one label that puts it outside its interval."""
        return log((self.groups if self.groups > 2 else 1) / self.level) - SLACK

    @cached_property
    def gains(self) -> list[float]:
        """By label: the logarithm of what a win multiplies the ratio by, where chances are named."""
        return [log(self.groups * chance) if chance > 0 else -inf for chance in self.alternative.tolist()]


def checked_rule(groups: int, alternative: ArrayLike | None, level: float, power: float, margin: float) -> Rule:
    """The rule for so many labels, if its numbers make sense."""
    if alternative is not None:
        alternative = _unequal(alternative, groups)
    level, power, margin = (
        float(number(name, value, 0, 1, inside=True))
        for name, value in (("level", level), ("power", power), ("margin", margin))
    )
    return Rule(groups, alternative, level, power, margin)


def _unequal(alternative: ArrayLike, groups: int) -> np.ndarray:
    chances = chances_to_win(alternative, "alternative")
    if len(chances) != groups:
        raise ValueError(f"alternative = {shown(alternative)}: {groups} chances are needed, one for each label")
    if np.ptp(chances) < EQUAL:
        raise ValueError(f"alternative = {shown(alternative)}: chances that are not all equal are needed")
    return chances


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

    Raises
    ------
    ValueError
        If an argument is out of range, or a game is won by none of the labels.

    Notes
    -----
    Draws are counted and tell nothing: the chances are those in games that somebody wins.

    With an `alternative` this is Wald's sequential probability ratio test: it stops with "unfair" when the ratio comes
    to 1 / level, and with "fair" when it falls to 1 - power, which then means: rather even than as named. By Ville's
    inequality for the ratio and for its inverse, these bounds, a little stricter than Wald's, keep what `level` and
    `power` promise. A win of a label whose named chance is 0 ends it with "fair".

    Without one it stops with "unfair" when the evidence reaches 1 / level, and with "fair" when the intervals of all
    labels lie within even - margin and even + margin; with "fair" if both happen in one game. Intervals hold together
    with the confidence 1 - level, the risk being divided among the labels if they are more than two; so a game with a
    chance beyond the margin is called "fair" in at most level / K of all cases, or level for two.

    What was decided stays decided. Games may be added further, and change all but `verdict` and `stopped_at`.

    References
    ----------
    * Wald, A., "Sequential tests of statistical hypotheses", Annals of Mathematical Statistics 16 (1945).
    * Robbins, H., "Statistical methods related to the law of the iterated logarithm", same annals 41 (1970).
    * Howard, S. R., A. Ramdas, J. McAuliffe, J. Sekhon, "Time-uniform, nonparametric, nonasymptotic confidence
      sequences", Annals of Statistics 49 (2021).
    * Lindon, M., A. Malek, "Anytime-valid inference for multinomial count data", NeurIPS 2022.

    Examples
    --------
    >>> monitor = Monitor(["wolves", "village"])
    >>> monitor.extend(["wolves", "wolves", "village", None, "wolves"] * 20)
    >>> monitor.verdict, monitor.stopped_at, monitor.games, monitor.p_value
    ('unfair', 42, 100, 0.000215977763)
    """

    def __init__(
        self,
        labels: Iterable[Hashable] | int,
        alternative: Iterable[float] | Mapping[Hashable, float] | None = None,
        level: float = 0.05,
        power: float = 0.8,
        margin: float = 0.05,
    ):
        self._places = _places(labels)
        if isinstance(alternative, Mapping):
            alternative = _in_order(alternative, self._places)
        self._rule = checked_rule(len(self._places), alternative, level, power, margin)
        self._wins = [0] * len(self._places)
        self._decided = self._draws = 0
        self._evidence = self._most_evidence = 0.0
        self._against_even = [0.0] * len(self._places)
        self._verdict = "undecided"
        self._stopped_at: int | None = None

    def add(self, label: Hashable) -> None:
        """Count a game that this label won."""
        self._count(self._place(label))

    def add_draw(self) -> None:
        """Count a game that nobody won."""
        self._draws += 1

    def extend(self, labels: Iterable[Hashable | None]) -> None:
        """Count games by their winners, in their order; None for a draw. All are counted, or none if one is refused."""
        for place in [None if label is None else self._place(label) for label in listed("labels", labels)]:
            if place is None:
                self.add_draw()
            else:
                self._count(place)

    def _place(self, label: Hashable) -> int:
        try:
            return self._places[label]
        except (KeyError, TypeError):
            raise ValueError(f"label = {shown(label)}: one of {shown([*self._places])} is needed") from None

    def _count(self, winner: int) -> None:
        self._bet(winner)
        self._wins[winner] += 1
        self._decided += 1
        self._most_evidence = max(self._most_evidence, self._evidence)
        if self._stopped_at is None:
            self._verdict = self._found()
            self._stopped_at = None if self._verdict == "undecided" else self.games

    def _bet(self, winner: int) -> None:
        """What a win, before it is counted, adds to the logarithms of the evidence."""
        groups, played, even = self._rule.groups, self._decided, self._rule.even
        own, others, all_of_them = CONCENTRATION, CONCENTRATION * (groups - 1), CONCENTRATION * groups
        for place, wins in enumerate(self._wins):
            if place == winner:
                step = (own + wins) / (all_of_them + played) / even
            else:
                step = (others + played - wins) / (all_of_them + played) / (1 - even)
            self._against_even[place] += log(step)
        if self._rule.alternative is not None:
            self._evidence += self._rule.gains[winner]
        else:
            self._evidence += log(groups * (own + self._wins[winner]) / (all_of_them + played))

    def _found(self) -> str:
        """What the games so far say."""
        rule = self._rule
        if rule.alternative is not None:
            return "unfair" if self._evidence >= rule.upper else "fair" if self._evidence <= rule.lower else "undecided"
        if all(self._is_within(place) for place in range(rule.groups)):
            return "fair"
        return "unfair" if self._evidence >= rule.upper else "undecided"

    def _is_within(self, place: int) -> bool:
        """Whether the interval of a label lies within the margin: its share does, and both ends of it are refuted."""
        rule, wins = self._rule, self._wins[place]
        near, far = rule.even - rule.margin, rule.even + rule.margin
        if not (near <= 0 or wins > near * self._decided) or not (far >= 1 or wins < far * self._decided):
            return False
        return all(self._against(place, end) >= rule.bound for end in (near, far) if 0 < end < 1)

    def _against(self, place: int, chance: float) -> float:
        """Logarithm of the evidence against a chance of a label, between 0 and 1."""
        wins, even = self._wins[place], self._rule.even
        losses = self._decided - wins
        return self._against_even[place] + wins * log(even / chance) + losses * log((1 - even) / (1 - chance))

    @property
    def labels(self) -> tuple:
        """Who can win."""
        return tuple(self._places)

    @property
    def verdict(self) -> str:
        """ "unfair", "fair" or "undecided"; what was decided stays decided."""
        return self._verdict

    @property
    def stopped_at(self) -> int | None:
        """The number of the game, draws counted, after which it was decided."""
        return self._stopped_at

    @property
    def games(self) -> int:
        """How many games there were, draws counted."""
        return self._decided + self._draws

    @property
    def draws(self) -> int:
        """How many games nobody won."""
        return self._draws

    @property
    def wins(self) -> dict[Hashable, int]:
        """How often each label won."""
        return dict(zip(self._places, self._wins, strict=True))

    @property
    def shares(self) -> dict[Hashable, float]:
        """Share of each label in the games that somebody won; nan before the first."""
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
        against, bound = self._against_even[place], self._rule.bound
        hits, even = self._wins[place], self._rule.even
        hits, even = (hits, even) if lower else (self._decided - hits, 1 - even)
        misses = self._decided - hits
        if not hits:
            return 0.0 if lower else 1.0

        def excess(chance: float) -> float:
            """By the logarithm of the chance, since it may be very small."""
            rest = misses * (log1p(-even) - log1p(-exp(chance))) if misses else 0.0
            return against + hits * (log(even) - chance) + rest - bound

        # At the share itself the evidence is below 1; a chance as small as the other end is refuted by a single win.
        end = optimize.brentq(excess, -2000.0, log(hits / self._decided), xtol=1e-12, rtol=1e-14)
        return meant(exp(end) if lower else -expm1(end))

    @property
    def log_evidence(self) -> float:
        """Natural logarithm of `evidence`; minus infinity if a label won whose named chance is 0."""
        return meant(self._evidence, residue=1e-12)

    @property
    def evidence(self) -> float:
        """How many times likelier the results are under unequal chances: as named, or on the average over all."""
        return meant(exp(self._evidence)) if self._evidence < 700 else inf

    @property
    def p_value(self) -> float:
        """A bound, valid at any time, on how often fair games ever give so much evidence: 1 / the most so far."""
        return meant(exp(-self._most_evidence))

    def to_frame(self) -> "pandas.DataFrame":
        """A row for each label: wins, share, low, high."""
        import pandas as pd

        columns = {"wins": self.wins, "share": self.shares, "low": self.low, "high": self.high}
        return pd.DataFrame(columns, index=pd.Index([*self._places], name="label"))

    @property
    def sentence(self) -> str:
        """The verdict in words."""
        rule = self._rule
        if not self._decided:
            return "Cannot tell: no game was decided yet."
        if self._verdict == "undecided":
            evidence = f"{self.evidence:.3g}" if self._evidence < log(1e6) else "more than a million"
            end = f", and at {1 - rule.power:.3g} for equal ones" if rule.alternative is not None else ""
            return (
                f"Cannot tell: {self._seen()}. The evidence against equal chances is {evidence}; it decides at "
                f"{1 / rule.level:.4g}{end}."
            )
        when = f"decided at game {self._stopped_at:,}"
        if self._verdict == "unfair":
            return f"Unfair, {when}: {self._seen()}; fair games ever give so much evidence {_at_most(self.p_value)}."
        if rule.alternative is None:
            confidence = f"with {100 * (1 - rule.level):g}% confidence at all times"
            return f"Fair within {wording.points(rule.margin)}, {when}, {confidence}: {self._seen()}."
        named = " : ".join(f"{100 * chance:.3g}" for chance in rule.alternative)
        likelier = f"at least {1 / (1 - rule.power):.3g} times likelier under equal chances"
        return f"Rather even than {named}, {when}, when the results were {likelier}: {self._seen()}."

    def _seen(self) -> str:
        """What was seen of the label that is farthest from even."""
        shares = self.shares
        label = max(shares, key=lambda label: abs(shares[label] - self._rule.even))
        seen = shares[label], self.low[label], self.high[label], self._rule.even
        share, low, high, even = map(wording.percent, seen)
        who = wording.named("number", label)
        draws = f", not counting {self._draws:,} draw{'s' * (self._draws > 1)}" if self._draws else ""
        seen = f"{who} won {share}% of {self._decided:,} games{draws} (interval {low} to {high}%)"
        return f"{seen}, where {even}% would be even"

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


def _in_order(alternative: Mapping[Hashable, float], places: Mapping[Hashable, int]) -> list[float]:
    """The named chances in the order of the labels."""
    if set(alternative) != set(places):
        raise ValueError(f"alternative = {shown(alternative)}: a chance for each of {shown([*places])} is needed")
    return [alternative[label] for label in places]


def _at_most(chance: float) -> str:
    """A bound of a chance in words."""
    if chance < 1e-5:
        return "in less than 1 of 100,000 cases"
    often, cases = (100 * chance, "100") if chance >= 0.01 else (10_000 * chance, "10,000")
    return f"in at most {often:.2g} of {cases} cases"
