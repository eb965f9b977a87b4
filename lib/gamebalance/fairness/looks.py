"""Results that are judged again when there are more of them: what each look may call unfair, or fair.

All looks together are to be wrong in at most the risk that was asked for. Looks that were declared divide it evenly,
which holds for numbers of games that are fixed beforehand; who chooses them by the first result can be wrong in 5.8%
(two sides, two looks). Where nobody said how many there will be, the first takes 98% of it, and each later one two
fifths of what is left, which counts as 98% of that: who stops when it looks bad is wrong more often than in the same
number of games fixed beforehand (Proschan and Hunsberger 1995). A look that could not be wrong so often, since results
of few games are few, leaves the rest to the looks after it.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache

import numpy as np
from scipy import special, stats

from gamebalance.base.checks import shown, whole_number
from gamebalance.base.kinds import Integral
from gamebalance.base.rounding import meant
from gamebalance.fairness.planning import most_rejected, wins_within

#: What the first look takes of the risk; what a later one takes of what is left, and as how much that counts.
FIRST, LATER = 0.98, 0.4
#: How often the games that are asked for are to tell.
POWER = 0.8
#: Of fewer games of a label nobody says how many more would tell: its share has a standard error of 9 points and more
#: where half is even, and will hardly stay as it is.
FEWEST = 30
#: Nobody declares more looks than this.
MOST_LOOKS = 10**6

#: How often a test of so many games at this limit is wrong.
Size = Callable[[int, float], float]


def same_size(games: int, limit: float) -> float:
    """The limit itself: what no test is wrong more often than."""
    return limit


@lru_cache(1000)
def unfair_size(games: int, limit: float) -> float:
    """How often the binomial test calls an even game of two unfair."""
    most = most_rejected(games, limit)
    return 2 * float(stats.binom.cdf(most, games, 0.5))


@lru_cache(1000)
def fair_size(games: int, limit: float, even: float, margin: float) -> float:
    """How often, at most, a label whose chance is as far from even as the margin is shown to be within it.

    By two one-sided binomial tests; 0 if no number of wins shows it.
    """
    least, most = wins_within(np.array(games), even, margin, limit)
    edges = np.array([edge for edge in (even - margin, even + margin) if 0 < edge < 1])
    within = stats.binom.cdf(most, games, edges) - stats.binom.cdf(least - 1, games, edges)
    return float(within.max(initial=0.0))


def says_nothing(games: int, groups: int | None, margin: float, limits: tuple[float, ...]) -> bool:
    """Whether so few games tell nothing, whatever their results; `groups` is None where not one of the same K wins."""
    if groups is None:
        return games == 2
    return groups ** (1.0 - games) > limits[0] and not fair_size(games, limits[1], 1 / groups, margin)


def earlier(looked_after: int | Iterable[int], looks: int | None, games: int) -> tuple[int, ...]:
    """The numbers of games after which was looked before, if they can be that."""
    is_one = isinstance(looked_after, str) or not isinstance(looked_after, Iterable)
    found: tuple = (looked_after,) if is_one else tuple(looked_after)  # type: ignore[arg-type]
    whole = all(isinstance(count, Integral) and not isinstance(count, bool) for count in found)
    if not whole or any(one >= other for one, other in zip((0, *found), (*found, games), strict=True)):
        raise ValueError(
            f"looked_after = {shown(looked_after)}: whole numbers are needed that rise, each below the {games:,} games "
            "there are now"
        )
    if looks is not None and len(found) >= whole_number("looks", looks, 1, MOST_LOOKS):
        raise ValueError(f"looked_after = {shown(looked_after)}: with this one that is more than looks = {looks}")
    return tuple(map(int, found))


def limit(risk: float, looks: int | None, before: Iterable[int], size: Size = same_size) -> float:
    """The largest p-value that tells, at the look after those `before`; rounded, since p-values are."""
    if looks is not None:
        return meant(risk / looks)
    left, part = risk, FIRST
    for games in before:
        left -= size(games, meant(part * left)) * FIRST / part
        part = LATER
    return meant(part * left)


def games_that_tell(
    effect: float, freedom: int, apart: np.ndarray, errors: np.ndarray, margin: float, limits: tuple[float, ...]
) -> float:
    """Games in all that would tell, if shares stay as they are: that they differ, or that they are within the margin.

    Each game adds `effect` to the statistic, about chi-square with `freedom` degrees; `apart` is the distance of each
    share from even, `errors` its standard error in one game; `limits` are those of the two p-values.
    """
    differ, near = float(special.chdtri(freedom, limits[0])), special.ndtri(1 - limits[1])
    if effect <= 1e-12 and np.any(apart >= margin):
        return np.inf

    def told(games: float) -> float:
        scale, shift = np.sqrt(games) / errors, min(effect * games, 1e5)
        missed = special.ndtr(near - (margin - apart) * scale) + special.ndtr(near - (margin + apart) * scale)
        within = missed.max() if freedom == 1 else missed.sum()  # of two one is near where the other is
        # Of many labels the shares are uneven in fair games, too: they show only if they really stay as they are.
        shown = 1 - special.chndtr(differ, freedom, shift) if freedom == 1 or shift >= differ else 0.0
        return float(shown + max(0.0, 1 - within))

    high = 1.0
    while told(high) < POWER:
        high *= 2
    low = high / 2
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (low, middle) if told(middle) >= POWER else (middle, high)
    return high
