"""Learning by repetition, with NashConv as it goes on, and bounded reasoning: level-k and the cognitive hierarchy."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import lgamma, log
from typing import Any, Protocol, runtime_checkable

import numpy as np
import pandas as pd

from gamebalance.base.checks import check_seed, in_memory, instance, listed, number, shown, whole_number
from gamebalance.base.jit import njit
from gamebalance.base.sums import dot
from gamebalance.base.tabled import Tabled
from gamebalance.multiplayer.normal_form.game import TOLERANCE, NormalFormGame, Profile, check_mix, float_array

#: Said before the first function of this module is compiled.
COMPILES = "the learning rules, 3 to 15 s"
#: The most iterations of one run; counts stay far from where floats skip whole numbers.
MOST_ITERATIONS = 10**9

#: Iterations that one compiled call makes, and uniform random numbers that are drawn at once.
_CHUNK = 100_000


@dataclass(frozen=True)
class Learning(Tabled):
    """What players have learned: `profile`, how often each chose each strategy, as a mixed profile.

    `joint`, of shape `game.counts`, is how often each combination was chosen, in general not the product of the
    profile. `trace` has the columns ``iteration``, ``nash_conv`` (of the profile) and ``cce_gap`` (of the joint
    distribution).
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
    at most for the player: the positive regrets are orthogonal to the expected step (Blackwell's condition; Hart and
    Mas-Colell 2000), so the mean square of their length grows by ``strategies * d ** 2`` at most.
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
    (Monderer and Shapley 1996), but not in general (Shapley 1964; Jordan 1993). Against several opponents each is
    believed to draw independently. Payoffs are weighed with whole counts, so ties between whole-number payoffs are
    exact as long as the payoffs, times the product of the opponents' counts, stay below 2^53.
    """
    run = _Run(game, iterations, trace)
    run.total[:, 0] = run.joint[0] = 1
    tables = run.payoffs, run.digits, run.counts, run.total, run.joint
    return run.learn(lambda steps: _fictitious(*tables, steps), 1)


def regret_matching(game: NormalFormGame, iterations: int, seed: int, trace: Sequence[int] | None = None) -> Learning:
    """Let every player draw strategies in proportion to how much better, so far, each would have done.

    Hart and Mas-Colell (2000), with unconditional ("external") cumulative regrets; while no regret of a player is
    positive, she plays uniformly. The joint distribution approaches the coarse correlated equilibria, at the rate of
    `regret_bound`; in two-player zero-sum games the profile approaches the Nash equilibria too. The trace is as for
    `fictitious_play`.
    """
    rng = np.random.default_rng(check_seed(seed))
    run = _Run(game, iterations, trace)
    regrets = np.zeros_like(run.total)

    def step(steps):
        draws = rng.random((steps, game.players))
        _regret(run.payoffs, run.strides, run.counts, regrets, run.total, run.joint, draws)

    return run.learn(step, 0)


class _Run:
    """Tallies of a learning run, and the iterations after which it is looked at."""

    def __init__(self, game: NormalFormGame, iterations: int, trace: Sequence[int] | None):
        iterations = whole_number("iterations", iterations, 1, MOST_ITERATIONS)
        self.game, self.marks = instance("game", game, NormalFormGame), _marks(iterations, trace)
        cells = int(np.prod(game.counts))
        in_memory(f"game of {cells:,} combinations of strategies", 8.0 * cells * (2 * game.players + 1))
        self.payoffs, self.counts = game.payoffs.reshape(game.players, cells), np.array(game.counts)
        self.digits = np.array(np.unravel_index(np.arange(cells), game.counts)).T.copy()
        self.strides = cells // self.counts.cumprod()
        self.total = np.zeros((game.players, max(game.counts)))
        self.joint = np.zeros(cells)

    def learn(self, step: Callable[[int], None], begun: int) -> Learning:
        rows = []
        for mark in self.marks:
            while begun < mark:  # a compiled call cannot be interrupted, so none is long
                steps = min(_CHUNK, mark - begun)
                step(steps)
                begun += steps
            each = zip(self.total, self.game.counts, strict=True)
            profile = tuple(row[:count] / row[:count].sum() for row, count in each)
            joint = (self.joint / self.joint.sum()).reshape(self.game.counts)
            rows.append((mark, self.game.nash_conv(profile), cce_gap(self.game, joint)))
        return Learning(profile, joint, pd.DataFrame(rows, columns=["iteration", "nash_conv", "cce_gap"]))


def _marks(iterations: int, trace: Sequence[int] | None) -> list[int]:
    if trace is None:
        return [2**k for k in range(iterations.bit_length()) if 2**k < iterations] + [iterations]
    marks = [whole_number("trace", mark, 1, iterations) for mark in listed("trace", trace)]
    if marks != sorted(set(marks)):
        raise ValueError(f"trace = {shown(trace)}: iterations in increasing order are needed")
    return marks if marks and marks[-1] == iterations else [*marks, iterations]


@runtime_checkable
class SymmetricGame(Protocol):
    """A game in which all players have the same strategies and payoffs, too large perhaps for a table."""

    players: int
    strategies: int

    def payoffs_against(self, weights: np.ndarray) -> np.ndarray:
        """What each strategy is worth when all the others draw, independently, with these weights."""


def level_k(game: NormalFormGame | SymmetricGame, levels: int, level0: Profile | None = None) -> list:
    """What players play who think some steps ahead and take all others to think one step less, by levels from 0.

    Level 0 is `level0` (a mixed profile, or one distribution in a `SymmetricGame`; by default uniform), and all levels
    have its form. Level k is a best reply to the *distribution* of level k - 1 of all opponents, who draw
    independently; equally good replies are played equally often (Stahl and Wilson 1994, Nagel 1995).
    """
    levels = whole_number("levels", levels, 0)
    found = [_start(game, level0)]
    for _ in range(levels):
        found.append(_replies(game, found[-1]))
    return found


def cognitive_hierarchy(game: NormalFormGame | SymmetricGame, tau: float, levels: int) -> list:
    """What players play who think some steps ahead and know how common the lower levels are, by levels from 0.

    Level k is a best reply to opponents whose levels are drawn, independently, from the Poisson distribution with mean
    `tau`, more than 0, truncated to 0, …, k - 1 (Camerer, Ho and Chong 2004). Level 0 plays uniformly.
    """
    levels = whole_number("levels", levels, 0)
    number("tau", tau, 0, inside=True)
    poisson = np.array([k * log(tau) - lgamma(k + 1) for k in range(levels)])  # logarithms, up to a constant
    found = [_start(game, None)]
    for k in range(1, levels + 1):
        weights = np.exp(poisson[:k] - poisson[:k].max())
        found.append(_replies(game, _mixture(found, weights / weights.sum())))
    return found


def _start(game: Any, level0: Profile | None) -> Any:
    if isinstance(game, NormalFormGame):
        return game.uniform() if level0 is None else game.check_profile(level0, "level0")
    instance("game", game, (NormalFormGame, SymmetricGame))
    count = whole_number("game.strategies", game.strategies, 1)
    return np.full(count, 1 / count) if level0 is None else check_mix("level0", level0, count)


def _replies(game: Any, beliefs: Any) -> Any:
    """All best replies, equally often, to opponents who play the beliefs."""
    if isinstance(game, NormalFormGame):
        return [_evenly(game.strategy_payoffs(beliefs, i)) for i in range(game.players)]
    return _evenly(np.asarray(game.payoffs_against(beliefs)))


def _evenly(values: np.ndarray) -> np.ndarray:
    best = values >= values.max() - TOLERANCE
    return best / best.sum()


def _mixture(levels: Sequence, shares: np.ndarray) -> Any:
    """The mean of the levels, in the form of a level."""
    if isinstance(levels[0], list):
        return [sum(s * mix for s, mix in zip(shares, own, strict=True)) for own in zip(*levels, strict=True)]
    return sum(s * mix for s, mix in zip(shares, levels, strict=True))


# Compiled. A game is its payoffs, shape (players, combinations); the strategies of each combination, or how far apart
# combinations lie that differ by one strategy of a player; and the number of strategies of each player. Tallies of
# players with fewer strategies than others are filled up with 0.


@njit(borrows=True)
def _values(payoffs, digits, weights, player, values):
    """What each strategy of a player is worth when the others play with these weights."""
    values[:] = 0
    for combination in range(len(digits)):
        weight = 1.0
        for other in range(len(weights)):
            if other != player:
                weight *= weights[other, digits[combination, other]]
        if weight:
            values[digits[combination, player]] += weight * payoffs[player, combination]


@njit
def _fictitious(payoffs, digits, counts, total, joint, steps):
    """Fictitious play, on from the tallies of each player's strategies and of their combinations."""
    players = len(counts)
    chosen = np.empty(players, np.int64)
    values = np.empty(total.shape[1])
    for _ in range(steps):
        where = 0
        for player in range(players):
            _values(payoffs, digits, total, player, values)
            chosen[player] = np.argmax(values[: counts[player]])
            where = where * counts[player] + chosen[player]
        for player in range(players):
            total[player, chosen[player]] += 1
        joint[where] += 1


@njit
def _regret(payoffs, strides, counts, regrets, total, joint, draws):
    """Regret matching with uniform draws, on from cumulative regrets and tallies."""
    chosen = np.empty(len(counts), np.int64)
    mix = np.empty(total.shape[1])
    for step in range(len(draws)):
        where = 0
        for player in range(len(counts)):
            _match(regrets[player], counts[player], mix)
            chosen[player] = _drawn(mix, counts[player], draws[step, player])
            total[player, chosen[player]] += 1
            where += chosen[player] * strides[player]
        joint[where] += 1
        for player in range(len(counts)):
            first = where - chosen[player] * strides[player]
            for k in range(counts[player]):
                regrets[player, k] += payoffs[player, first + k * strides[player]] - payoffs[player, where]


@njit(borrows=True)
def _match(regrets, count, mix):
    """Probabilities in proportion to the positive regrets; uniform if there are none."""
    total = 0.0
    for k in range(count):
        mix[k] = max(regrets[k], 0.0)
        total += mix[k]
    for k in range(count):
        mix[k] = mix[k] / total if total > 0 else 1 / count


@njit(borrows=True)
def _drawn(mix, count, uniform):
    """A strategy drawn from a distribution."""
    chosen = count - 1
    for k in range(count):
        uniform -= mix[k]
        if uniform < 0:
            chosen = k
            break
    while mix[chosen] == 0:  # rounding left the draw beyond the last strategy that is played
        chosen -= 1
    return chosen
