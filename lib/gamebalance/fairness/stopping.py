"""When a `Monitor` stops, and with which verdict: many runs of games, simulated."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from gamebalance.base.checks import check_seed, check_workers, in_time, one_of, shown, whole_number
from gamebalance.base.estimates import Estimate
from gamebalance.base.jit import njit
from gamebalance.base.rounding import meant
from gamebalance.base.splitmix import GOLDEN, mix, mix_word
from gamebalance.base.tabled import Tabled
from gamebalance.base.workers import in_turn
from gamebalance.fairness import bets, monitor, rotation
from gamebalance.fairness.bets import Rule, checked_rule
from gamebalance.fairness.planning import chances_to_win

#: Said before the first function of this module is compiled.
COMPILES = "the simulator of monitors, 1 to 9 s"
UNDECIDED, UNFAIR, FAIR = range(3)
#: The step from one state of the generator to the next, and what is cut off from a word.
STEP, CUT = np.uint64(GOLDEN), np.uint64(11)


@njit(inline="always")
def _winner(state, limits):
    """Who wins the game that this state of the generator decides."""
    word, winner = mix_word(state) >> CUT, 0
    for limit in limits:
        winner += word >= limit
    return winner


@njit
def wald_runs(first, last, key, limits, gains, upper, lower, most):
    """Verdicts and games played of the runs from `first` to `last` - 1, against named chances."""
    verdicts, games = np.zeros(last - first, np.int64), np.full(last - first, most)
    for run in range(last - first):
        state, evidence = mix_word(np.uint64(key) + STEP * np.uint64(first + run)), 0.0
        for game in range(1, most + 1):
            state += STEP
            evidence += gains[_winner(state, limits)]
            if evidence >= upper or evidence <= lower:
                verdicts[run], games[run] = UNFAIR if evidence >= upper else FAIR, game
                break
    return verdicts, games


@njit
def mixture_runs(first, last, key, limits, weights, own, fewest, largest, enough):
    """The same against all chances: `weights` and `own` are of the parts of `bets.Mixture`, `enough` decides.

    `fewest[n]`, `largest[n]`: an interval is within the margin from so many to so many wins.
    """
    groups, most = len(limits) + 1, len(fewest) - 1
    verdicts, games = np.zeros(last - first, np.int64), np.full(last - first, most)
    wins = np.zeros(groups, np.int64)
    for run in range(last - first):
        state = mix_word(np.uint64(key) + STEP * np.uint64(first + run))
        one_part, other_part, squares = weights[0], weights[1], 0
        wins[:] = 0
        for game in range(1, most + 1):
            state += STEP
            winner = _winner(state, limits)
            one, other = groups * own[0] + game, groups * own[1] + game
            one_part *= groups * (own[0] + wins[winner]) / (one - 1)
            other_part *= groups * (own[1] + wins[winner]) / (other - 1)
            squares += 2 * wins[winner] + 1
            wins[winner] += 1
            within = True
            for count in wins:
                within = within and fewest[game] <= count <= largest[game]
            apart = (groups * squares - game * game) / (groups - 1)
            evidence = one_part * (apart + one) * (groups * own[0] + 1) / (one * (one + 1))
            evidence += other_part * (apart + other) * (groups * own[1] + 1) / (other * (other + 1))
            if within or evidence >= enough:
                verdicts[run], games[run] = FAIR if within else UNFAIR, game
                break
    return verdicts, games


@njit(inline="always")
def _uniform(state):
    """A number between 0 and 1 from this state of the generator."""
    return (float(mix_word(state) >> CUT) + 0.5) * 2.0**-53


@njit(borrows=True)
def _block(state, skill, favour, strengths, result):
    """Play a block of rotating players, and give the state after it; `result` gets the parts of wins.

    `skill`: the standard deviation of strengths; `favour`: exp(effect) of each seat.
    """
    groups = len(result)
    for player in range(groups):
        state += STEP
        far = math.sqrt(-2 * math.log(_uniform(state)))
        state += STEP
        strengths[player] = math.exp(skill * far * math.cos(2 * math.pi * _uniform(state)))
    result[:] = 0
    for game in range(groups):
        total = 0.0
        for seat in range(groups):
            total += favour[seat] * strengths[(seat + game) % groups]
        state += STEP
        left, winner = total * _uniform(state), 0
        while winner < groups - 1 and left >= favour[winner] * strengths[(winner + game) % groups]:
            left -= favour[winner] * strengths[(winner + game) % groups]
            winner += 1
        result[winner] += 1 / groups
    return state


@njit
def block_runs(first, last, key, skill, favour, weights, own, numbers, most):
    """The same of blocks, as a `Monitor` watches them.

    `numbers`: margin, `bound` of the intervals, the evidence that decides, what is left of a bet, and after how many
    blocks what was seen of the scatter weighs as much as what was expected.
    """
    verdicts, games = np.zeros(last - first, np.int64), np.full(last - first, most)
    groups, space = len(favour), np.zeros((7, len(favour)))
    for run in range(last - first):
        state = mix_word(np.uint64(key) + STEP * np.uint64(first + run))
        space[2:] = 0
        space[6, 0], space[6, 1] = weights[0], weights[1]
        sums = (0.0, 0.0)
        for block in range(1, most // groups + 1):
            state = _block(state, skill, favour, space[0], space[1])
            sums, within, evidence = _watch_block(block, space, sums, own, numbers)
            if within or evidence >= numbers[2]:
                verdicts[run], games[run] = FAIR if within else UNFAIR, block * groups
                break
    return verdicts, games


@njit(borrows=True)
def _watch_block(block, space, sums, own, numbers):
    """Bet on a block: the sums of wins and of scatter, whether all intervals are within the margin, the evidence."""
    margin, bound, _, kept, first = numbers
    _, result, counts, gains, near, far, parts = space
    groups, even, (total, scatter) = len(result), 1 / len(result), sums
    spread = (first / groups + scatter) / (first + block - 1)
    squares, evidence = 0.0, 0.0
    for count in counts:
        squares += count * count
    for part in range(2):
        every = own[part] * groups + total
        apart = (groups * squares - total**2) / (groups - 1) + every
        factor, least = 0.0, 1.0
        for place in range(groups):
            after = (groups * (squares + 2 * counts[place] + 1) - (total + 1) ** 2) / (groups - 1) + every + 1
            gains[place] = groups * (own[part] + counts[place]) * after / ((every + 2) * apart)
            factor += gains[place] * result[place]
            least = min(least, gains[place])
        raised = 1 / spread
        if least < 1:
            raised = min(raised, (1 - kept) / (1 - least))
        parts[part] *= 1 + raised * (factor - 1)
        evidence += parts[part]
    variance = spread * even * (1 - even)
    bet = min(margin, math.sqrt(2 * variance * bound / block)) / variance
    within = True
    for place in range(groups):
        share = result[place]
        counts[place] += share / spread
        scatter += (share - even) ** 2 / (1 - even)
        if even > margin:
            near[place] += math.log(1 + min(bet, (1 - kept) / (even - margin)) * (share - even + margin))
            within = within and near[place] >= bound
        if even + margin < 1:
            far[place] += math.log(1 + min(bet, (1 - kept) / (1 - even - margin)) * (even + margin - share))
            within = within and far[place] >= bound
    return (total + 1 / spread, scatter), within, evidence


#: In the order of the numbers that the kernels give them.
VERDICTS = ("undecided", "unfair", "fair")
MOST_RUNS, MOST_GAMES = 10**9, 10**6
#: Runs that are simulated in one go, and seconds that a game takes at most, alone and in a block.
CHUNK, SECONDS, BLOCK_SECONDS = 10_000, 1.5e-8, 1.3e-7
SEED = 20261122


@dataclass(frozen=True, eq=False)
class StoppingTimes(Tabled):
    """How simulated runs of games ended. Made by `stopping_times`.

    `ended`, shape (3, most + 1), is how many runs stayed undecided, were called unfair, and were called fair, by the
    number of games played. A `verdict` is one of these, or None for all runs; undecided runs count with the games that
    were played.
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
        if verdict is None:
            return self.ended.sum(axis=0)
        return self.ended[VERDICTS.index(one_of("verdict", verdict, VERDICTS))]

    def count(self, verdict: str | None = None) -> int:
        """How many runs ended so."""
        return int(self._by_games(verdict).sum())

    def share(self, verdict: str) -> Estimate:
        """Share of the runs that ended so; its error is that of one run more of each kind, so never 0."""
        count = self.count(verdict)
        about = (count + 1) / (self.runs + 2)
        return _estimate(count / self.runs, (about * (1 - about) / self.runs) ** 0.5)

    def mean(self, verdict: str | None = None) -> Estimate:
        """Mean number of games of the runs that ended so; nan if there are none."""
        by_games, count = self._by_games(verdict), self.count(verdict)
        if not count:
            return Estimate(math.nan, math.nan)
        games = np.arange(len(by_games))
        mean = float((games * by_games).sum()) / count
        spread = float((np.square(games - mean) * by_games).sum()) / max(count - 1, 1)
        return _estimate(mean, (spread / count) ** 0.5 if count > 1 else math.nan)

    def median(self, verdict: str | None = None) -> Estimate:
        """Half of the runs that ended so had at most so many games; nan if none did."""
        count = self.count(verdict)
        if not count:
            return Estimate(math.nan, math.nan)
        middle, far = count / 2, count**0.5 / 2
        wanted = np.clip([middle, middle - far, middle + far], 0.5, count)
        value, low, high = np.searchsorted(np.cumsum(self._by_games(verdict)), wanted).tolist()
        return _estimate(value, max(high - low, 1) / 2)

    def to_frame(self) -> pd.DataFrame:
        """A row for each verdict and one for all: runs, their share, mean and median of the games, and the errors."""
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

    `shares` are the true chances of 2 to 10 labels to win a game; the next four arguments are as for `Monitor`. Each of
    the `runs` is given up after `most` games, up to 10^6; run i of a seed is the same run however the work is divided
    among the `workers`. With `rotated`, games come in blocks of K in which the same K players sit in each seat once,
    new ones in each block, and the standard deviation of their strengths is this (see `rotation_saving`); not with an
    alternative.

    Draws are left out; where a part d of all games is drawn, a `Monitor` needs 1 / (1 - d) times as many.

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
        kernel, arguments = _simulation(shares, rule, most)
    elif rule.alternative is None:
        numbers = (rule.margin, rule.bound + math.log(2), math.exp(rule.upper), bets.LEFT, float(monitor.FIRST))
        favour = np.exp(rotation.seat_effects(shares, rotated))
        kernel, arguments = block_runs, (float(rotated), favour, *_parts(rule.groups), numbers, most)
    else:
        raise ValueError(f"rotated = {shown(rotated)}: None is needed where there is an alternative")
    key = np.uint64(mix(seed))

    def simulate(chunk: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
        return kernel(*chunk, key, *arguments)

    chunks = ((first, min(first + CHUNK, runs)) for first in range(0, runs, CHUNK))
    ended = np.zeros((len(VERDICTS), most + 1), np.int64)
    for _, (verdicts, games) in in_turn(chunks, simulate, workers):
        np.add.at(ended, (verdicts, games), 1)
    return StoppingTimes(ended)


def _simulation(shares: np.ndarray, rule: Rule, most: int) -> tuple[Callable, tuple]:
    """The kernel of games one by one, and its arguments."""
    limits = np.array([round(2**53 * float(reached)) for reached in np.cumsum(shares)[:-1]], np.uint64)
    if rule.alternative is not None:
        with np.errstate(divide="ignore"):
            gains = np.log(rule.groups * rule.alternative)
        return wald_runs, (limits, gains, rule.upper, rule.lower, most)
    fewest, losses = (fewest_wins(most, even, rule) for even in (rule.even, 1 - rule.even))
    return mixture_runs, (limits, *_parts(rule.groups), fewest, np.arange(most + 1) - losses, math.exp(rule.upper))


def fewest_wins(most: int, even: float, rule: Rule) -> np.ndarray:
    """For each number of games to `most`: the fewest wins that refute, as too small, a chance a margin below even.

    Where no number of wins is enough, the answer is one more than the games.
    """
    games, chance = np.arange(most + 1), even - rule.margin
    if chance <= 0:
        return np.zeros_like(games)
    low, high = np.floor(chance * games).astype(int), games + 1  # too few, and enough
    while np.any(high - low > 1):
        middle = (low + high) // 2
        evidence = bets.against(middle, games - middle, even, chance, rule.margin, rule.groups)
        enough = (evidence >= rule.bound) & (middle > chance * games)
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    return high


def _parts(groups: int) -> tuple[np.ndarray, np.ndarray]:
    """Weights and parameters of the distribution over chances."""
    weights, own = np.array(bets.parts(groups)).T.copy()
    return weights, own


def _estimate(value: float, error: float) -> Estimate:
    return Estimate(*meant((float(value), float(error))))
