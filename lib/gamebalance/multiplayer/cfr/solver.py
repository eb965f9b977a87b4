"""`solve`: counterfactual regret minimisation, with the distance from equilibrium on the way."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gamebalance.base.checks import in_memory, listed, one_of, shown, whole_number
from gamebalance.base.tabled import Tabled
from gamebalance.multiplayer.cfr.evaluate import nash_conv_of
from gamebalance.multiplayer.cfr.kernels import iterate
from gamebalance.multiplayer.cfr.profile import Profile, to_profile, to_strategy
from gamebalance.multiplayer.cfr.tree import GameTree

if TYPE_CHECKING:
    import pandas


class _Rule(NamedTuple):
    """What tells the variants apart: regrets cut off at 0; weight t^power of iteration t; discounts; prediction."""

    clip: bool
    power: float
    alpha: float = -1.0
    beta: float = -1.0
    predictive: bool = False


_RULES = {
    "cfr": _Rule(False, 0.0),
    "cfr+": _Rule(True, 1.0),
    "dcfr": _Rule(False, 2.0, 1.5, 0.0),
    "pcfr+": _Rule(True, 2.0, predictive=True),
}

#: The names that `solve` knows.
VARIANTS = tuple(_RULES)

#: The most iterations of one run.
MOST_ITERATIONS = 10**9

# A compiled call cannot be interrupted, so each stays below a second or so.
_VISITS_A_CALL = 30_000_000


class TracePoint(NamedTuple):
    """NashConv of the average profile after so many iterations."""

    iteration: int
    nash_conv: float


@dataclass(frozen=True)
class Result(Tabled):
    """What `solve` found.

    `average_strategy`, the average over iterations, is the answer; with `last_strategy` a next iteration would begin.
    Both have the probability of each move for each information set. `value` and `gains` are what each player gets when
    all follow the average, and would gain by a best response; their sum `nash_conv` is 0 in a Nash equilibrium only.
    """

    average_strategy: dict[Hashable, dict[Hashable, float]]
    last_strategy: dict[Hashable, dict[Hashable, float]]
    value: tuple[float, ...]
    nash_conv: float
    gains: tuple[float, ...]
    trace: tuple[TracePoint, ...]
    iterations: int

    def to_frame(self) -> "pandas.DataFrame":
        """A row for each player, from 0: what the average strategy gives, and what a best response would gain.

        Examples
        --------
        >>> from gamebalance.games import Kuhn
        >>> solve(Kuhn(), 10).to_frame().columns.tolist()
        ['value', 'gain']
        """
        import pandas

        players = pandas.RangeIndex(len(self.value), name="player")
        return pandas.DataFrame({"value": self.value, "gain": self.gains}, players)

    def _headings(self) -> dict[str, str]:
        return {"value": "payoff", "gain": "gain of a best response"}

    def _about(self) -> str:
        return (
            f"Average strategy of {self.iterations:,} iterations; all players together could gain {self.nash_conv:.3g} "
            "by best responses (NashConv)"
        )


def solve(
    game: Any,
    iterations: int,
    variant: str = "cfr",
    trace: Iterable[int] = (),
    start: Profile | None = None,
    order: Sequence[int] | None = None,
    tied: np.ndarray | None = None,
) -> Result:
    """Look for an equilibrium of a game (or `GameTree`) by counterfactual regret minimisation.

    In every iteration each player in turn updates the regrets of all own information sets against the present
    strategies of the others (alternating updates, unless some are `tied`). Two-player zero-sum games converge to
    equilibrium; with more players, or other payoffs, there is no such promise, and `nash_conv` of the result says what
    was reached.

    Parameters
    ----------
    variant : {"cfr", "cfr+", "dcfr", "pcfr+"}
        "cfr": regret matching, plain average. "cfr+": negative regrets are set to 0 and iteration t has weight t in the
        average. "dcfr": discounted with alpha = 3/2, beta = 0, gamma = 2. "pcfr+": as "cfr+", but each strategy expects
        the last regrets to come once more, and iteration t has weight t^2.
    trace : iterable of int
        Iterations after which NashConv is recorded.
    start : mapping, optional
        The strategies of the first iteration; all moves equally likely by default. Where there are several equilibria,
        the start may decide which is reached.
    order : sequence of int, optional
        In which order the players update; by default that of their numbers. It, too, may decide which is reached.
    tied : int array, shape (sequences,), optional
        Numbers from 0 on: sequences of the tree with the same one share their regrets, so that players who are alike
        play alike. All update together, against the strategies with which the iteration begins.

    References
    ----------
    * Zinkevich, M., and others, "Regret minimization in games with incomplete information", NIPS 2007.
    * Tammelin, O., "Solving large imperfect information games using CFR+", arXiv:1407.5042, 2014.
    * Brown, N., T. Sandholm, "Solving imperfect-information games via discounted regret minimization", AAAI 2019.
    * Farina, G., C. Kroer, T. Sandholm, "Faster game solving via predictive Blackwell approachability", AAAI 2021.

    Examples
    --------
    >>> from gamebalance.games.kuhn import Kuhn
    >>> round(solve(Kuhn(2), 2000, "cfr+").value[0], 4)  # minus 1/18
    -0.0556
    """
    iterations = whole_number("iterations", iterations, 1, MOST_ITERATIONS)
    rule = _RULES[one_of("variant", variant, VARIANTS)]
    stops = sorted({whole_number("each of trace", stop, 1, iterations) for stop in listed("trace", trace)})
    tree = GameTree.of(game)
    run = _Run(tree, rule)
    if tied is not None:
        run.tied = np.asarray(tied)
        if run.tied.shape != (tree.sequences,):
            raise ValueError(f"tied: shape {run.tied.shape}, but the tree has {tree.sequences} sequences")
        if run.tied.dtype.kind != "i" or not ((run.tied >= 0) & (run.tied < tree.sequences)).all():
            raise ValueError(f"tied = {shown(tied)}: whole numbers from 0 to {tree.sequences - 1} are needed")
        if order is not None:
            raise ValueError(f"order = {shown(order)}: those who are tied update together, and have no order")
        run.tied = run.tied.astype(np.int64)
    elif order is not None:
        if sorted(order) != list(range(tree.players)):
            raise ValueError(f"order = {shown(order)}: each of the players 0 to {tree.players - 1} once is needed")
        run.turns[:] = order
    if start is not None:
        run.strategy[:] = to_strategy(tree, start)
    points = []
    for stop in stops:
        run.until(stop)
        points.append(TracePoint(stop, nash_conv_of(tree, run.average()).total))
    run.until(iterations)
    average = run.average()
    reached = nash_conv_of(tree, average)
    return Result(
        to_profile(tree, average), to_profile(tree, run.strategy), reached.values, reached.total, reached.gains,
        tuple(points), iterations,
    )  # fmt: skip


class _Run:
    """The arrays of one run."""

    def __init__(self, tree: GameTree, rule: _Rule):
        in_memory(f"counterfactual regrets of {tree!r}", 8 * tree.nodes * (2 * tree.players + 2))
        self.tree, self.rule, self.done = tree, rule, 0
        sizes = np.diff(tree.first)
        self.strategy = np.repeat(1 / sizes, sizes)
        self.regrets, self.news, self.sums = (np.zeros(tree.sequences) for _ in range(3))
        self.turns, self.tied = np.arange(tree.players), np.empty(0, np.int64)
        self._payoffs = np.zeros((tree.players, tree.nodes))
        self._payoffs[:, tree.terminals] = tree.payoffs.T
        self._reach = np.empty((tree.nodes, tree.players + 1))
        self._values = np.empty(tree.nodes)

    def until(self, iterations: int) -> None:
        tree, rule = self.tree, self.rule
        step = max(1, _VISITS_A_CALL // (tree.nodes * tree.players))
        while self.done < iterations:
            count = min(step, iterations - self.done)
            iterate(
                self.done + 1, count, tree.players, tree.mover, tree.parent, tree.end, tree.sequence,
                tree.chance, tree.first, tree.set_player, self._payoffs,
                rule.clip, rule.power, rule.alpha, rule.beta, rule.predictive,
                self.regrets, self.news, self.sums, self.strategy, self._reach, self._values, self.turns, self.tied,
            )  # fmt: skip
            self.done += count

    def average(self) -> np.ndarray:
        """The weighted average; uniform where a player never played towards an information set."""
        sizes = np.diff(self.tree.first)
        totals = np.repeat(np.add.reduceat(self.sums, self.tree.first[:-1]), sizes)
        uniform = np.repeat(1 / sizes, sizes)
        return np.divide(self.sums, totals, out=uniform, where=totals > 0)
