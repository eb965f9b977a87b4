"""Learning by repetition, with NashConv as it goes on, and bounded reasoning: level-k and the cognitive hierarchy."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import lgamma, log, prod
from typing import Protocol

import numpy as np
import pandas as pd

from gamebalance.base.checks import check_seed, in_memory, instance, listed, number, shown, whole_number
from gamebalance.base.jit import njit
from gamebalance.base.sums import dot
from gamebalance.base.tabled import Tabled
from gamebalance.multiplayer.normal_form.game import TOLERANCE, NormalFormGame, check_mix, float_array

#: Said before the first function of this module is compiled.
COMPILES = "the learning rules, 3 to 15 s"
#: The most iterations of one run; counts stay far from where floats skip whole numbers.
MOST_ITERATIONS = 10**9

#: Iterations that one compiled call makes, and uniform random numbers that are drawn at once.
_CHUNK = 100_000


@dataclass(frozen=True)
class Learning(Tabled):
    """What players have learned: `profile`, how often each chose each strategy, as a mixed profile.

    `joint`, of shape `game.counts`, is how often each combination was chosen. `trace` has the columns ``iteration``,
    ``nash_conv`` (of the profile) and ``cce_gap`` (of the joint distribution).
    """

    profile: tuple[np.ndarray, ...]
    joint: np.ndarray
    trace: pd.DataFrame

    @property
    def nash_conv(self) -> float:
        """NashConv of the profile at the end."""
        return float(self.trace["nash_conv"].iloc[-1])

    @property
    def cce_gap(self) -> float:
        """What some player could gain at most by one fixed strategy in place of what was played, per iteration."""
        return float(self.trace["cce_gap"].iloc[-1])

    def to_frame(self) -> pd.DataFrame:
        """The profile, with columns player, strategy, share: how often each player, from 0, chose each strategy."""
        mixes = enumerate(self.profile)
        rows = [(player, place, float(share)) for player, mix in mixes for place, share in enumerate(mix)]
        return pd.DataFrame(rows, columns=["player", "strategy", "share"])

    def _about(self) -> str:
        iterations = int(self.trace["iteration"].iloc[-1])
        return (
            f"Learned in {iterations:,} iterations; NashConv {self.nash_conv:.3g}, gap to a coarse correlated "
            f"equilibrium {self.cce_gap:.3g}"
        )


def cce_gap(game: NormalFormGame, joint: np.ndarray) -> float:
    """How far the probabilities of combinations are from a coarse correlated equilibrium; 0 exactly at one.

    It is the most that a player could gain by committing to one strategy before the draw, the others following it.
    """
    instance("game", game, NormalFormGame)
    chances = float_array(joint)
    if chances is None or chances.shape != game.counts or (chances < 0).any() or not abs(chances.sum() - 1) <= 1e-9:
        raise ValueError(f"joint = {shown(joint)}: probabilities of shape {game.counts} that sum to 1 are needed")
    gap = 0.0
    for player, payoffs in enumerate(game.payoffs):
        others = chances.sum(axis=player).ravel()
        fixed = dot(np.moveaxis(payoffs, player, 0).reshape(game.counts[player], -1), others)
        gap = max(gap, float(fixed.max() - (chances * payoffs).sum()))
    return gap


def regret_bound(game: NormalFormGame, iterations: int) -> float:
    """What no player gains more than on average over runs, after some iterations of regret matching.

    The largest over players of ``d * sqrt(strategies / iterations)``, where d is what a change of strategy can change
    at most: the mean square of the positive regrets grows by ``strategies * d ** 2`` at most (Hart and Mas-Colell
    2000).
    """
    iterations = whole_number("iterations", iterations, 1)
    payoffs = instance("game", game, NormalFormGame).payoffs
    spans = [np.ptp(own, axis=player).max() for player, own in enumerate(payoffs)]
    return max(float(d * np.sqrt(count / iterations)) for d, count in zip(spans, game.counts, strict=True))


def fictitious_play(game: NormalFormGame, iterations: int, trace: Sequence[int] | None = None) -> Learning:
    """Let every player, again and again, play a best reply to how often the others have played what (Brown 1951).

    All choose at once, at first the first strategy; of equally good ones the first is taken. `trace` names the
    iterations, in increasing order, after which NashConv is noted; by default 1, 2, 4, 8, …, always the last. The
    profile comes arbitrarily close to equilibrium in two-player zero-sum games (Robinson 1951) and in potential games
    (Monderer and Shapley 1996), but not in general (Shapley 1964; Jordan 1993). Several opponents are believed to draw
    independently.
    """
    cells = prod(instance("game", game, NormalFormGame).counts)
    digits = np.array(np.unravel_index(np.arange(cells), game.counts)).T.copy()
    payoffs, counts = game.payoffs.reshape(game.players, cells), np.array(game.counts)

    def rule(steps: int, total: np.ndarray, joint: np.ndarray) -> None:
        _fictitious(payoffs, digits, counts, total, joint, steps)

    return _learned(game, iterations, trace, rule)


def regret_matching(game: NormalFormGame, iterations: int, seed: int, trace: Sequence[int] | None = None) -> Learning:
    """Let every player draw strategies in proportion to how much better, so far, each would have done.

    Hart and Mas-Colell (2000), with unconditional ("external") cumulative regrets; while no regret of a player is
    positive, she plays uniformly. The joint distribution approaches the coarse correlated equilibria, at the rate of
    `regret_bound`; in two-player zero-sum games the profile approaches the Nash equilibria too. The trace is as for
    `fictitious_play`.
    """
    rng, counts = np.random.default_rng(check_seed(seed)), np.array(instance("game", game, NormalFormGame).counts)
    payoffs, regrets = game.payoffs.reshape(game.players, -1), np.zeros((game.players, counts.max()))
    strides = payoffs.shape[1] // counts.cumprod()

    def rule(steps: int, total: np.ndarray, joint: np.ndarray) -> None:
        _regret(payoffs, strides, counts, regrets, total, joint, rng.random((steps, game.players)))

    return _learned(game, iterations, trace, rule)


def _learned(game: NormalFormGame, iterations: int, trace: Sequence[int] | None, rule: Callable) -> Learning:
    """Play by a rule, which adds so many iterations to both tallies."""
    iterations = whole_number("iterations", iterations, 1, MOST_ITERATIONS)
    marks = [2**k for k in range(iterations.bit_length())] if trace is None else listed("trace", trace)
    marks = [whole_number("trace", mark, 1, iterations) for mark in marks]
    if marks != sorted(set(marks)):
        raise ValueError(f"trace = {shown(trace)}: iterations in increasing order are needed")
    in_memory(f"tallies of {game!r}", 8.0 * game.payoffs.size * 2)
    total, joint, rows, done = np.zeros((game.players, max(game.counts))), np.zeros(game.counts), [], 0
    for mark in dict.fromkeys([*marks, iterations]):
        while done < mark:  # a compiled call cannot be interrupted, so none is long
            steps = min(_CHUNK, mark - done)
            rule(steps, total, joint.ravel())
            done += steps
        profile = tuple(row[:count] / row[:count].sum() for row, count in zip(total, game.counts, strict=True))
        rows.append((mark, game.nash_conv(profile), cce_gap(game, joint / joint.sum())))
    return Learning(profile, joint / joint.sum(), pd.DataFrame(rows, columns=["iteration", "nash_conv", "cce_gap"]))


class SymmetricGame(Protocol):
    """A game in which all players have the same strategies and payoffs, too large perhaps for a table."""

    players: int
    strategies: int

    def payoffs_against(self, weights: np.ndarray) -> np.ndarray:
        """What each strategy is worth when all the others draw, independently, with these weights."""


def level_k(game: SymmetricGame, levels: int, level0: Sequence[float] | None = None) -> list[np.ndarray]:
    """What players play who think some steps ahead and take all others to think one step less, by levels from 0.

    Level 0 is `level0`, a distribution, by default uniform. Level k is a best reply to the *distribution* of level
    k - 1 of all opponents, who draw independently; equally good replies are played equally often (Stahl and Wilson
    1994, Nagel 1995).
    """
    mixes = [np.full(game.strategies, 1 / game.strategies)]
    if level0 is not None:
        mixes = [check_mix("level0", level0, game.strategies)]
    for _ in range(whole_number("levels", levels, 0)):
        mixes.append(_replies(game, mixes[-1]))
    return mixes


def cognitive_hierarchy(game: SymmetricGame, tau: float, levels: int) -> list[np.ndarray]:
    """What players play who think some steps ahead and know how common the lower levels are, by levels from 0.

    Level k is a best reply to opponents whose levels are drawn, independently, from the Poisson distribution with mean
    `tau`, more than 0, truncated to 0, …, k - 1 (Camerer, Ho and Chong 2004). Level 0 plays uniformly.
    """
    levels = whole_number("levels", levels, 0)
    number("tau", tau, 0, inside=True)
    poisson = np.array([k * log(tau) - lgamma(k + 1) for k in range(levels)])  # logarithms, up to a constant
    mixes = level_k(game, 0)
    for k in range(1, levels + 1):
        weights = np.exp(poisson[:k] - poisson[:k].max())
        mixes.append(_replies(game, dot(weights / weights.sum(), np.array(mixes))))
    return mixes


def _replies(game: SymmetricGame, weights: np.ndarray) -> np.ndarray:
    """All best replies, equally often, to opponents who play with these weights."""
    values = np.asarray(game.payoffs_against(weights))
    best = values >= values.max() - TOLERANCE
    return best / best.sum()


# Compiled. A game is its payoffs, shape (players, combinations); the strategies of each combination, or how far apart
# combinations lie that differ by one strategy of a player; and the number of strategies of each player. Tallies, of
# players with fewer strategies than others filled up with 0, are gone on from.


@njit
def _fictitious(payoffs, digits, counts, total, joint, steps):
    """Fictitious play; to tallies of 0 every strategy is worth nothing, and all choose the first."""
    players = len(counts)
    chosen = np.empty(players, np.int64)
    for _ in range(steps):
        where = 0
        for player in range(players):
            values = np.zeros(total.shape[1])
            for combination in range(len(digits)):
                weight = 1.0
                for other in range(players):
                    if other != player:
                        weight *= total[other, digits[combination, other]]
                if weight:
                    values[digits[combination, player]] += weight * payoffs[player, combination]
            chosen[player] = np.argmax(values[: counts[player]])
            where = where * counts[player] + chosen[player]
        for player in range(players):
            total[player, chosen[player]] += 1
        joint[where] += 1


@njit
def _regret(payoffs, strides, counts, regrets, total, joint, draws):
    """Regret matching with uniform draws, on from cumulative regrets."""
    chosen = np.empty(len(counts), np.int64)
    for step in range(len(draws)):
        where = 0
        for player in range(len(counts)):
            mix = np.maximum(regrets[player, : counts[player]], 0.0)
            if mix.max() == 0:
                mix[:] = 1.0
            chosen[player] = _drawn(mix, draws[step, player])
            total[player, chosen[player]] += 1
            where += chosen[player] * strides[player]
        joint[where] += 1
        for player in range(len(counts)):
            first = where - chosen[player] * strides[player]
            for k in range(counts[player]):
                regrets[player, k] += payoffs[player, first + k * strides[player]] - payoffs[player, where]


@njit(borrows=True)
def _drawn(weights, uniform):
    """A strategy drawn in proportion to weights."""
    total = 0.0
    for weight in weights:
        total += weight
    chosen = len(weights) - 1
    for k in range(len(weights)):
        uniform -= weights[k] / total
        if uniform < 0:
            chosen = k
            break
    while weights[chosen] == 0:  # rounding left the draw beyond the last strategy that is played
        chosen -= 1
    return chosen
