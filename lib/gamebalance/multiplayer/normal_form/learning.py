"""Learning by repetition: fictitious play and regret matching, with NashConv as they go on."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from gamebalance._checks import check_seed, in_memory, listed, one_of, shown, whole_number
from gamebalance.sums import dot

from . import _kernels
from .game import NormalFormGame, Profile, float_array

#: The most iterations of one run; counts stay far from where floats skip whole numbers.
MOST_ITERATIONS = 10**9

#: Iterations that one compiled call makes, and uniform random numbers that are drawn at once.
_CHUNK = 100_000


@dataclass(frozen=True)
class Learning:
    """What players have learned.

    Attributes
    ----------
    profile : tuple of ndarray
        How often each player chose each strategy, as a mixed profile.
    joint : ndarray, shape `game.counts`
        How often each combination of strategies was chosen; in general not the product of the profile.
    iterations : int
    trace : DataFrame
        Columns ``iteration``, ``nash_conv`` (of the profile) and ``cce_gap`` (of the joint distribution), after the
        iterations asked for.
    """

    profile: tuple[np.ndarray, ...]
    joint: np.ndarray
    iterations: int
    trace: pd.DataFrame

    @property
    def nash_conv(self) -> float:
        """NashConv of the profile at the end."""
        return float(self.trace["nash_conv"].iloc[-1])

    @property
    def cce_gap(self) -> float:
        """What some player could gain at most by one fixed strategy in place of what was played, per iteration."""
        return float(self.trace["cce_gap"].iloc[-1])


def cce_gap(game: NormalFormGame, joint: np.ndarray) -> float:
    """How far a joint distribution is from a coarse correlated equilibrium.

    Parameters
    ----------
    game : NormalFormGame
    joint : array_like, shape `game.counts`
        The probability of each combination of strategies.

    Returns
    -------
    float
        What the player who would gain most could gain by committing to one strategy before the draw, the others
        following it; 0 exactly at coarse correlated equilibria.

    Raises
    ------
    ValueError
        If the distribution has another shape or its probabilities do not sum to 1.
    """
    chances = float_array(joint)
    if chances is None or chances.shape != game.counts or (chances < 0).any() or not abs(chances.sum() - 1) <= 1e-9:
        raise ValueError(f"joint = {shown(joint)}: probabilities of shape {game.counts} that sum to 1 are needed")
    return max(0.0, *(_fixed_gain(game, chances, player) for player in range(game.players)))


def _fixed_gain(game, joint, player):
    others = joint.sum(axis=player).ravel()
    fixed = dot(np.moveaxis(game.payoffs[player], player, 0).reshape(game.counts[player], -1), others)
    return float(fixed.max() - (joint * game.payoffs[player]).sum())


def regret_bound(game: NormalFormGame, iterations: int) -> float:
    """What regret matching guarantees after some iterations.

    Parameters
    ----------
    game : NormalFormGame
    iterations : int

    Returns
    -------
    float
        An upper bound on the gap to a coarse correlated equilibrium: the largest over players of
        ``d * sqrt(strategies / iterations)``, where d is what a change of strategy can change at most for the player.
        It holds for every run with ``play="expected"``, for the mean of each player's gain with ``play="sampled"``.

    Notes
    -----
    The positive regrets are orthogonal to the step that regret matching takes (Blackwell's condition; Hart and
    Mas-Colell 2000), so the square of their length grows by ``strategies * d ** 2`` at most.
    """
    iterations = whole_number("iterations", iterations, 1)
    spans = [np.ptp(payoffs, axis=player).max() for player, payoffs in enumerate(game.payoffs)]
    return max(float(d * np.sqrt(count / iterations)) for d, count in zip(spans, game.counts, strict=True))


def fictitious_play(
    game: NormalFormGame,
    iterations: int,
    start: Sequence[int] | None = None,
    update: str = "simultaneous",
    trace: Sequence[int] | None = None,
) -> Learning:
    """Let every player, again and again, play a best reply to how often the others have played what.

    Parameters
    ----------
    game : NormalFormGame
    iterations : int
        The first of them is the start.
    start : sequence of int, optional
        The strategies of the first iteration, by number; by default the first of each player.
    update : {"simultaneous", "alternating"}
        Whether the players choose at once, or in turn, each knowing what those before have just chosen.
    trace : sequence of int, optional
        After which iterations to note NashConv, in increasing order; the last is added. By default 1, 2, 4, 8, …

    Returns
    -------
    Learning

    Raises
    ------
    ValueError
        If an argument is out of range.

    Notes
    -----
    Brown (1951). Of equally good strategies the first is taken. The empirical profile comes arbitrarily close to
    equilibrium in two-player zero-sum games (Robinson 1951) and in potential games (Monderer and Shapley 1996), but not
    in general (Shapley 1964; Jordan 1993). Against several opponents each is believed to draw independently. Payoffs
    are weighed with whole counts, so ties between whole-number payoffs are exact as long as the payoffs, times the
    product of the opponents' counts, stay below 2^53.
    """
    in_turn = one_of("update", update, ("simultaneous", "alternating")) == "alternating"
    first = game.check_strategies(start, "start") if start is not None else (0,) * game.players
    run = _Run(game, iterations, trace)
    run.total[np.arange(game.players), first] = 1
    run.joint[np.ravel_multi_index(first, game.counts)] = 1
    return run.learn(lambda steps: _kernels.fictitious(*run.game_tables, run.total, run.joint, steps, in_turn), begun=1)


def regret_matching(
    game: NormalFormGame,
    iterations: int,
    play: str = "expected",
    seed: int | None = None,
    start: Profile | None = None,
    trace: Sequence[int] | None = None,
) -> Learning:
    """Let every player play strategies in proportion to how much better, so far, each would have done.

    Parameters
    ----------
    game : NormalFormGame
    iterations : int
    play : {"expected", "sampled"}
        Whether regrets are averages over the mixed profile that is played, without chance, or come from strategies
        drawn at random.
    seed : int, optional
        For ``play="sampled"``, where it is required.
    start : sequence of arrays, optional
        The mixed profile of the first iteration; by default uniform. (Where uniform play is an equilibrium, expected
        regrets stay 0 and nobody ever leaves it.)
    trace : sequence of int, optional
        As for `fictitious_play`.

    Returns
    -------
    Learning
        With ``play="expected"``, `joint` is the mean of the mixed profiles' products.

    Raises
    ------
    ValueError
        If an argument is out of range, or a seed is missing or not used.

    Notes
    -----
    Hart and Mas-Colell (2000), the procedure with unconditional ("external") regrets, per player and strategy
    cumulative; while no regret of a player is positive, she plays uniformly. The joint distribution approaches the
    coarse correlated equilibria, at the rate of `regret_bound`; in two-player zero-sum games the profile approaches the
    Nash equilibria too.
    """
    sampled = one_of("play", play, ("expected", "sampled")) == "sampled"
    if sampled is (seed is None):
        raise ValueError(f"seed = {shown(seed)}: one is needed if play is 'sampled', none if it is 'expected'")
    rng = np.random.default_rng(check_seed(seed)) if sampled else None
    run = _Run(game, iterations, trace)
    first = run.padded(game.check_profile(start, "start") if start is not None else game.uniform())
    regrets = np.zeros_like(run.total)

    def step(steps):
        draws = rng.random((steps, game.players)) if sampled else np.empty((0, game.players))
        _kernels.regret(*run.game_tables, regrets, run.total, run.joint, first, steps, draws)

    return run.learn(step, begun=0)


class _Run:
    """Tallies of a learning run, and the iterations after which it is looked at."""

    def __init__(self, game: NormalFormGame, iterations: int, trace: Sequence[int] | None):
        iterations = whole_number("iterations", iterations, 1, MOST_ITERATIONS)
        self.game, self.marks = game, _marks(iterations, trace)
        cells = int(np.prod(game.counts))
        in_memory(f"game of {cells:,} combinations of strategies", 8.0 * cells * (2 * game.players + 1))
        digits = np.array(np.unravel_index(np.arange(cells), game.counts)).T.copy()
        self.game_tables = game.payoffs.reshape(game.players, cells), digits, np.array(game.counts)
        self.total = np.zeros((game.players, max(game.counts)))
        self.joint = np.zeros(cells)

    def padded(self, profile: Sequence[np.ndarray]) -> np.ndarray:
        """The profile as one array, shorter distributions filled up with 0."""
        table = np.zeros_like(self.total)
        for row, own in zip(table, profile, strict=True):
            row[: len(own)] = own
        return table

    def learn(self, step, begun: int) -> Learning:
        rows = []
        for mark in self.marks:
            while begun < mark:  # a compiled call cannot be interrupted, so none is long
                steps = min(_CHUNK, mark - begun)
                step(steps)
                begun += steps
            profile, joint = self._averages()
            rows.append((mark, self.game.nash_conv(profile), cce_gap(self.game, joint)))
        return Learning(profile, joint, begun, pd.DataFrame(rows, columns=["iteration", "nash_conv", "cce_gap"]))

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
