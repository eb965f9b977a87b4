"""When a `Monitor` stops, and with which verdict: many runs of games, simulated."""

from dataclasses import dataclass
from functools import partial
from math import exp, log
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from gamebalance.base.checks import check_seed, check_workers, in_time, one_of, shown, whole_number
from gamebalance.base.estimates import Estimate
from gamebalance.base.rounding import meant
from gamebalance.base.splitmix import mix
from gamebalance.base.tabled import Tabled
from gamebalance.base.workers import in_turn
from gamebalance.fairness import bets, monitor, monitor_kernels, rotation
from gamebalance.fairness.deciding import Rule, checked_rule
from gamebalance.fairness.planning import chances_to_win

if TYPE_CHECKING:
    import pandas

#: In the order of the numbers that the kernels give them.
VERDICTS = ("undecided", "unfair", "fair")
MOST_RUNS, MOST_GAMES = 10**9, 10**6
#: Runs that are simulated in one go, and seconds that a game takes at most, alone and in a block.
CHUNK, SECONDS, BLOCK_SECONDS = 10_000, 1.5e-8, 1.3e-7
SEED = 20261122


@dataclass(frozen=True, eq=False)
class StoppingTimes(Tabled):
    """How simulated runs of games ended. Made by `stopping_times`.

    Parameters
    ----------
    ended : array of int, shape (3, most + 1)
        How many runs stayed undecided, were called unfair, and were called fair, by the number of games played.

    Notes
    -----
    `verdict` is one of "unfair", "fair", "undecided", or None for all runs; a run that stays undecided counts with the
    games that were played.
    """

    ended: np.ndarray

    @property
    def most(self) -> int:
        """After how many games a run was given up."""
        return self.ended.shape[1] - 1

    @property
    def runs(self) -> int:
        """How many runs there were."""
        return int(self.ended.sum())

    def _by_games(self, verdict: str | None) -> np.ndarray:
        return self.ended.sum(axis=0) if verdict is None else self.ended[VERDICTS.index(_named(verdict))]

    def count(self, verdict: str | None = None) -> int:
        """How many runs ended so."""
        return int(self._by_games(verdict).sum())

    def share(self, verdict: str) -> Estimate:
        """Share of the runs that ended so; its error is that of one run more of each kind, so never 0."""
        count = self.count(_named(verdict))
        about = (count + 1) / (self.runs + 2)
        return _estimate(count / self.runs, (about * (1 - about) / self.runs) ** 0.5)

    def mean(self, verdict: str | None = None) -> Estimate:
        """Mean number of games of the runs that ended so; nan if there are none."""
        by_games = self._by_games(verdict)
        count = int(by_games.sum())
        if not count:
            return Estimate(float("nan"), float("nan"))
        games = np.arange(len(by_games))
        mean = float((games * by_games).sum()) / count
        spread = float((np.square(games - mean) * by_games).sum()) / max(count - 1, 1)
        return _estimate(mean, (spread / count) ** 0.5 if count > 1 else float("nan"))

    def median(self, verdict: str | None = None) -> Estimate:
        """Half of the runs that ended so had at most so many games; nan if there are none.

        The error is half the way between the runs that are a standard error below and above the middle one, and half a
        game at least.
        """
        reached = np.cumsum(self._by_games(verdict))
        count = int(reached[-1])
        if not count:
            return Estimate(float("nan"), float("nan"))
        middle, far = count / 2, count**0.5 / 2
        wanted = np.clip([middle, middle - far, middle + far], 0.5, count)
        value, low, high = np.searchsorted(reached, wanted).tolist()
        return _estimate(value, max(high - low, 1) / 2)

    def to_frame(self) -> "pandas.DataFrame":
        """A row for each verdict and one for all: runs, their share, mean and median of the games, and the errors."""
        import pandas as pd

        rows = []
        for verdict in ("unfair", "fair", "undecided", None):
            share = Estimate(1.0) if verdict is None else self.share(verdict)
            rows.append((self.count(verdict), *share, *self.mean(verdict), *self.median(verdict)))
        columns = ["runs", "share", "share error", "mean", "mean error", "median", "median error"]
        return pd.DataFrame(rows, pd.Index(["unfair", "fair", "undecided", "all"], name="verdict"), columns)

    def _headings(self) -> dict[str, str]:
        errors = dict.fromkeys(("share error", "mean error", "median error"), "± (s.e.)")
        return {"share": "share of the runs", "mean": "games, mean", "median": "games, median", **errors}

    def _about(self) -> str:
        return f"When a monitor stops: {self.runs:,} simulated runs of at most {self.most:,} games"


def stopping_times(
    shares: ArrayLike,
    alternative: ArrayLike | None = None,
    level: float = 0.05,
    power: float = 0.8,
    margin: float = 0.05,
    runs: int = 10_000,
    seed: int = SEED,
    most: int = 10_000,
    workers: int = 1,
    rotated: float | None = None,
) -> StoppingTimes:
    """Simulate after how many games a `Monitor` stops, and with which verdict.

    Parameters
    ----------
    shares : array_like, shape (K,)
        True chances to win a game, of 2 to 10 labels; they sum to 1.
    alternative : array_like, shape (K,), optional
    level, power, margin : float
        As for `Monitor`.
    runs : int
        1 to 10^9.
    seed : int
        0 to 2^63 - 1. Run i of a seed is the same run however the work is divided.
    most : int
        After how many games, up to 10^6, a run is given up.
    workers : int
        Threads side by side, up to 1024.
    rotated : float, optional
        Games come in blocks of K in which the same K players sit in each seat once, new ones in each block, and the
        standard deviation of their strengths is this (see `rotation_saving` and `spread_of`). Not with an alternative.

    Returns
    -------
    StoppingTimes

    Notes
    -----
    Chances are rounded to multiples of 2^-53. Draws are left out; where a part d of all games is drawn, a `Monitor`
    needs 1 / (1 - d) times as many.

    Examples
    --------
    >>> found = stopping_times([0.55, 0.45], alternative=[0.55, 0.45], runs=1000)
    >>> print(found.share("unfair"), found.mean())
    0.799 ± 0.013 432 ± 9
    """
    shares = chances_to_win(shares)
    rule = checked_rule(len(shares), alternative, level, power, margin)
    runs, seed = whole_number("runs", runs, 1, MOST_RUNS), check_seed(seed)
    most, workers = whole_number("most", most, 1, MOST_GAMES), check_workers(workers)
    seconds = SECONDS if rotated is None else BLOCK_SECONDS
    in_time(f"runs = {runs:,} of up to {most:,} games", seconds * runs * most)
    if rotated is None:
        simulate = _simulation(shares, rule, mix(seed), most)
    elif rule.alternative is None:
        simulate = _of_blocks(rotation.seat_effects(shares, rotated), rotated, rule, mix(seed), most)
    else:
        raise ValueError(f"rotated = {shown(rotated)}: None is needed where there is an alternative")
    chunks = ((first, min(first + CHUNK, runs)) for first in range(0, runs, CHUNK))
    ended = np.zeros((len(VERDICTS), most + 1), np.int64)
    for _, (verdicts, games) in in_turn(chunks, simulate, workers):
        np.add.at(ended, (verdicts, games), 1)
    return StoppingTimes(ended)


def _simulation(shares: np.ndarray, rule: Rule, key: int, most: int):
    """What simulates the runs of a chunk."""
    limits = np.array([round(2**53 * float(reached)) for reached in np.cumsum(shares)[:-1]], np.uint64)
    if rule.alternative is not None:
        with np.errstate(divide="ignore"):
            gains = np.log(rule.groups * rule.alternative)
        arguments = (gains, rule.upper, rule.lower, most)
        return partial(_runs, monitor_kernels.wald_runs, np.uint64(key), limits, arguments)
    weights, own = _parts(rule.groups)
    others = own * (rule.groups - 1)
    fewest = monitor_kernels.fewest_wins(most, weights, own, others, rule.even - rule.margin, rule.bound)
    losses = monitor_kernels.fewest_wins(most, weights, others, own, 1 - rule.even - rule.margin, rule.bound)
    largest = np.arange(most + 1) - losses
    arguments = (weights, own, fewest, largest, exp(rule.upper))
    return partial(_runs, monitor_kernels.mixture_runs, np.uint64(key), limits, arguments)


def _of_blocks(effects: np.ndarray, skill: float, rule: Rule, key: int, most: int):
    """What simulates the runs of a chunk, in blocks with rotated seats."""
    numbers = (rule.margin, rule.bound + log(2), exp(rule.upper), bets.LEFT, float(monitor.FIRST))
    arguments = (np.exp(effects), *_parts(rule.groups), numbers, most)
    return partial(_runs, monitor_kernels.block_runs, np.uint64(key), float(skill), arguments)


def _parts(groups: int) -> tuple[np.ndarray, np.ndarray]:
    """Weights and parameters of the distribution over chances."""
    weights, own = np.array(bets.parts(groups)).T
    return weights.copy(), own.copy()


def _runs(kernel, key: np.uint64, limits: np.ndarray | float, arguments: tuple, chunk: tuple[int, int]):
    return kernel(*chunk, key, limits, *arguments)


def _named(verdict: str) -> str:
    return one_of("verdict", verdict, VERDICTS)


def _estimate(value: float, error: float) -> Estimate:
    return Estimate(meant(float(value)), meant(float(error)))
