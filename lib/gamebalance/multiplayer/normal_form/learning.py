"""Learning by repetition: fictitious play and regret matching, with NashConv as they go on."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from gamebalance.base.checks import check_seed, in_memory, instance, listed, shown, whole_number
from gamebalance.base.sums import dot
from gamebalance.base.tabled import Tabled
from gamebalance.multiplayer.normal_form import kernels
from gamebalance.multiplayer.normal_form.game import NormalFormGame, float_array

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
        """The profile, with columns player, strategy, share: how often each player, from 0, chose each strategy.

        Examples
        --------
        >>> game = NormalFormGame([[[1, -1], [-1, 1]], [[-1, 1], [1, -1]]])
        >>> fictitious_play(game, 10).to_frame().columns.tolist()
        ['player', 'strategy', 'share']
        """
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
    return max(0.0, *(_fixed_gain(game, chances, player) for player in range(game.players)))


def _fixed_gain(game, joint, player):
    others = joint.sum(axis=player).ravel()
    fixed = dot(np.moveaxis(game.payoffs[player], player, 0).reshape(game.counts[player], -1), others)
    return float(fixed.max() - (joint * game.payoffs[player]).sum())


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
    return run.learn(lambda steps: kernels.fictitious(*tables, steps), 1)


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
        kernels.regret(run.payoffs, run.strides, run.counts, regrets, run.total, run.joint, draws)

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

    def learn(self, step, begun: int) -> Learning:
        rows = []
        for mark in self.marks:
            while begun < mark:  # a compiled call cannot be interrupted, so none is long
                steps = min(_CHUNK, mark - begun)
                step(steps)
                begun += steps
            profile, joint = self._averages()
            rows.append((mark, self.game.nash_conv(profile), cce_gap(self.game, joint)))
        return Learning(profile, joint, pd.DataFrame(rows, columns=["iteration", "nash_conv", "cce_gap"]))

    def _averages(self):
        profile = tuple(
            row[:count] / row[:count].sum() for row, count in zip(self.total, self.game.counts, strict=True)
        )
        return profile, (self.joint / self.joint.sum()).reshape(self.game.counts)


def _marks(iterations: int, trace: Sequence[int] | None) -> list[int]:
    if trace is None:
        return [2**k for k in range(iterations.bit_length()) if 2**k < iterations] + [iterations]
    marks = [whole_number("trace", mark, 1, iterations) for mark in listed("trace", trace)]
    if marks != sorted(set(marks)):
        raise ValueError(f"trace = {shown(trace)}: iterations in increasing order are needed")
    return marks if marks and marks[-1] == iterations else [*marks, iterations]
