"""Is it fair? The answer for each way to play, and for all of them, from the chances to win and their errors."""

from collections.abc import Hashable, Iterable
from typing import NamedTuple

import numpy as np
from scipy import stats

from gamebalance.base.estimates import DECIDED
from gamebalance.base.rounding import meant
from gamebalance.base.sums import dot
from gamebalance.fairness import planning
from gamebalance.fairness.endings import Endings
from gamebalance.fairness.games import Tally
from gamebalance.fairness.reports.skill import varied
from gamebalance.fairness.reports.tables import Seats


class Answer(NamedTuple):
    """How fair a game is if all play in one way.

    The verdict is as of `judge`. Fair: all shares of the games that somebody wins are within the margin of an even
    share. Unfair: one is not, and differs. Undecided: errors are too large to tell. Depends: some equilibria are fair,
    and others are not.
    """

    level: str  # the way to play
    by: str  # whether seats, roles or sides are compared
    verdict: str
    label: Hashable  # who is farthest from an even share
    low: float  # the chance of that one to win: the least in the equilibria that were found
    high: float  # and the most
    error: float  # its standard error
    even: float  # the even share
    differs: bool | None  # whether chances are shown to differ; None if that depends on the equilibrium
    games: int | None  # so many would show it in 80 of 100 cases; None where none would, or not in every equilibrium


class _Apart(NamedTuple):
    """How far labels are from an even share, how far that may be by chance, and how many games somebody wins."""

    even: float
    decided: float
    apart: np.ndarray
    reach: np.ndarray | float


def kinds_of(seats: Seats) -> tuple[str, ...]:
    """What is compared: sides if there are any; else roles, and seats where several share a role; else seats."""
    if seats.sides:
        return ("side",)
    if not seats.roles:
        return ("seat",)
    return ("role",) if len(set(seats.roles)) == seats.players else ("role", "seat")


def answer(play, level: str, by: str, margin: float) -> Answer:
    """The answer of one way to play, of an `ExactPlay` or a `SimulatedPlay`."""
    variants, residue = play.variants(level), play.residue(level)
    tallies = [variant.tally(by) for variant in variants]
    everybody = play.alike is not None and len(next(iter(play.alike.groups), ())) == play.seats.players
    found = [_apart(tally, residue, everybody) for tally in tallies]
    inside = [bool((np.abs(each.apart) + each.reach <= margin * each.decided + 1e-12).all()) for each in found]
    shown = [bool((np.abs(each.apart) > each.reach).any()) for each in found]
    if len(set(inside)) > 1:
        verdict = "depends"
    else:
        verdict = "fair" if inside[0] else "unfair" if all(shown) else "undecided"
    place = int(np.argmax(meant(np.max([np.abs(each.apart) for each in found], axis=0), 9)))
    games: dict[bytes, int | None] = {}  # many equilibria may give the same chances
    for variant, tally, each, differs in zip(variants, tallies, found, shown, strict=True):
        key = meant(tally.means).tobytes()
        if key not in games:
            games[key] = _games(variant, tally, each) if differs else None
    counts = [count for count in games.values() if count is not None]
    chances = [float(tally.means[place]) for tally in tallies]
    return Answer(
        level,
        by,
        verdict,
        tallies[0].labels[place],
        min(chances),
        max(chances),
        0.0 if tallies[0].exact or everybody else float(errors_of(tallies[0])[place]),
        found[0].even,
        shown[0] if len(set(shown)) == 1 else None,
        max(counts) if len(counts) == len(games) else None,
    )


def of_level(answers: tuple[Answer, ...]) -> str:
    """The verdict of a way to play from those by role and by seat: what is unfair to one is unfair."""
    verdicts = [each.verdict for each in answers]
    return next((verdict for verdict in ("unfair", "undecided", "depends") if verdict in verdicts), "fair")


def of_ways(verdicts: Iterable[str]) -> str:
    """The verdict of all ways to play: it depends on play if some are fair and some unfair."""
    found = set(verdicts)
    if len(found) == 1:
        return found.pop()
    return "depends" if {"fair", "unfair"} <= found or "depends" in found else "undecided"


def evened(tally: Tally) -> tuple[np.ndarray, float, float]:
    """The part of all players that each label has, the even share, and how many games somebody wins."""
    members = np.rint(tally.plays / tally.games)
    weight = members / members.sum()
    even = float(dot(weight, tally.means))
    return weight, even, even * float(members.sum())


def _apart(tally: Tally, residue: float, alike: bool) -> _Apart:
    """Chances to win, and how far they are from an even share; less than the residue is nothing."""
    weight, even, decided = evened(tally)
    apart = tally.means - even
    apart = np.where(np.abs(apart) <= max(residue, 1e-9), 0.0, apart)
    if tally.exact or alike:
        return _Apart(even, decided, apart, 0.0)
    centre = np.eye(tally.size) - weight
    errors = np.sqrt(np.maximum(dot(dot(centre, tally.covariance), centre.T).diagonal(), 0.0))
    times = DECIDED
    if tally.runs is not None:
        runs = int(tally.runs.max()) + 1
        times = float(stats.t.isf(stats.norm.sf(DECIDED), runs - 1))
        errors = np.where(apart.any() & (errors == 0), 1 / (2 * runs), errors)
    return _Apart(even, decided, apart, times * errors)


def errors_of(tally: Tally) -> np.ndarray:
    """The errors of chances to win; half a run where all runs of trained players went the same way."""
    if tally.runs is None or not tally.means.any():
        return tally.errors
    return np.where(tally.errors == 0, 1 / (2 * (tally.runs.max() + 1)), tally.errors)


def _games(variant: Endings, tally: Tally, found: _Apart) -> int | None:
    """How many games show that chances to win differ; those that are not apart are even."""
    members = np.rint(tally.plays / tally.games).astype(int)  # each of those who share a role can win
    results = variant.tally("side" if "side" in variant.labels else "seat")
    chances = np.repeat(np.where(found.apart == 0, found.even, tally.means), members)
    return games_to_show(chances, *varied(results.total.toarray(), np.asarray(variant.probability, float)))


def games_to_show(chances: np.ndarray, variance: float, single: bool) -> int | None:
    """How many games show that chances to win differ in 80 of 100 cases.

    By the test of `judge`: exactly if each game has a single winner or none. None if chances do not differ, or so
    little that no number does.
    """
    decided = float(chances.sum())
    if not single or len(chances) > planning.MOST_ROLES:
        return planning.games_of_shared_wins(chances, variance)
    try:
        needed = planning.games_needed(meant(chances / decided)) / decided
    except ValueError:  # they are equal, or nearly so
        return None
    return planning.whole_up(meant(needed, 6))  # chances that a solver found leave more than rounding
