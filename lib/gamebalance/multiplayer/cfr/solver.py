"""`solve`: counterfactual regret minimisation, with the distance from equilibrium on the way.

In the compiled iterations the order of every sum and product is that of a depth-first recursion over histories. It
matters: whether a regret is exactly 0 or a rounding error above it can turn a strategy from uniform to pure.
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gamebalance.base.checks import in_memory, listed, one_of, shown, whole_number
from gamebalance.base.jit import njit
from gamebalance.base.tabled import Tabled
from gamebalance.multiplayer.cfr.evaluate import nash_conv_of
from gamebalance.multiplayer.cfr.tree import GameTree, Profile, to_profile, to_strategy

if TYPE_CHECKING:
    import pandas

#: Said before the first function of this module is compiled.
COMPILES = "regret minimisation, 2 to 6 s"
#: The names that `solve` knows.
VARIANTS = ("cfr", "cfr+")
#: The most iterations of one run.
MOST_ITERATIONS = 10**9
# A compiled call cannot be interrupted, so each stays below a second or so.
_VISITS_A_CALL = 30_000_000


class Arrays(NamedTuple):
    """The arrays of a `GameTree` that are read, and its payoffs by node, shape (players, nodes)."""

    mover: np.ndarray
    parent: np.ndarray
    end: np.ndarray
    sequence: np.ndarray
    first: np.ndarray
    set_player: np.ndarray
    payoffs: np.ndarray


class Run(NamedTuple):
    """What is written by sequence, and by node: `chance` of what leads to it, `reach` (players + 1, nodes), `values`.

    Moves with the same number in `tied` share their regrets; `shared` is where these are added up.
    """

    regrets: np.ndarray
    sums: np.ndarray
    strategy: np.ndarray
    chance: np.ndarray
    reach: np.ndarray
    values: np.ndarray
    turns: np.ndarray
    tied: np.ndarray
    shared: tuple[np.ndarray, np.ndarray]


@njit(borrows=True)
def iterate(begin, count, plus, tree, run):
    """Run `count` iterations from `begin`; players update in the order of `turns`, or together if moves are tied."""
    players, together = len(tree.payoffs), len(run.tied) > 0
    for who in range(players + 1):
        _walk_down(who, tree, run.strategy, run.chance, run.reach[who])
    for iteration in range(begin, begin + count):
        weight = float(iteration) if plus else 1.0
        for place in range(players):
            player = run.turns[place]
            _walk_up(tree.end, run.chance, tree.payoffs[player], run.values)
            _gather(player, weight, tree, run)
            if together and place < players - 1:
                continue
            if together:
                _share(run.tied, run.regrets, *run.shared)
            for each in run.turns if together else run.turns[place : place + 1]:
                _match(each, plus, tree, run.regrets, run.strategy)
                _walk_down(each, tree, run.strategy, run.chance, run.reach[each])


@njit(borrows=True)
def _share(tied, values, totals, counts):
    """Put the mean of the values of moves with the same number in place of each."""
    for place in range(len(tied)):
        totals[place] = counts[place] = 0.0
    for place in range(len(tied)):
        totals[tied[place]] += values[place]
        counts[tied[place]] += 1
    for place in range(len(tied)):
        values[place] = totals[tied[place]] / counts[tied[place]]


@njit(borrows=True)
def _walk_down(who, tree, strategy, chance, reach):
    """The probability with which a player, or chance, which is the last, plays towards each node."""
    mover, parent, sequence, of_chance = tree.mover, tree.parent, tree.sequence, who == len(tree.payoffs)
    reach[0] = 1.0
    for node in range(1, len(mover)):
        before = parent[node]
        reach[node] = reach[before]
        if sequence[node] < 0 and of_chance:
            reach[node] *= chance[node]
        elif sequence[node] >= 0 and mover[before] == who:
            chance[node] = strategy[sequence[node]]
            reach[node] *= chance[node]


@njit(borrows=True)
def _walk_up(end, chance, payoffs, values):
    """The value of each node to one player."""
    for node in range(len(end) - 1, -1, -1):
        if end[node] == node + 1:
            values[node] = payoffs[node]
            continue
        value = 0.0
        child = node + 1
        while child < end[node]:
            value += chance[child] * values[child]
            child = end[child]
        values[node] = value


@njit(borrows=True)
def _gather(player, weight, tree, run):
    """Add the counterfactual regrets and the strategies of one player, history by history."""
    mover, end, sequence, players = tree.mover, tree.end, tree.sequence, len(tree.payoffs)
    reach, values = run.reach, run.values
    for node in range(len(mover)):
        if mover[node] != player:
            continue
        before, after = 1.0, 1.0
        for who in range(player):
            before *= reach[who, node]
        for who in range(player + 1, players + 1):
            after *= reach[who, node]
        others = before * after
        own = weight * reach[player, node]
        child = node + 1
        while child < end[node]:
            run.regrets[sequence[child]] += others * (values[child] - values[node])
            run.sums[sequence[child]] += own * run.chance[child]
            child = end[child]


@njit(borrows=True)
def _match(player, plus, tree, regrets, strategy):
    """Regret matching at the information sets of one player; with `plus` negative regrets become 0."""
    first = tree.first
    for number in range(len(tree.set_player)):
        if tree.set_player[number] != player:
            continue
        total = 0.0
        for place in range(first[number], first[number + 1]):
            if plus and regrets[place] < 0:
                regrets[place] = 0.0
            if regrets[place] > 0:
                total += regrets[place]
        for place in range(first[number], first[number + 1]):
            if total > 0:
                strategy[place] = (regrets[place] if regrets[place] > 0 else 0.0) / total
            else:
                strategy[place] = 1.0 / (first[number + 1] - first[number])


class TracePoint(NamedTuple):
    """NashConv of the average profile after so many iterations."""

    iteration: int
    nash_conv: float


@dataclass(frozen=True)
class Result(Tabled):
    """What `solve` found: the `average_strategy`, with what each player gets and would gain by a best response.

    The sum of the gains, `nash_conv`, is 0 in a Nash equilibrium only.
    """

    average_strategy: dict[Hashable, dict[Hashable, float]]
    value: tuple[float, ...]
    nash_conv: float
    gains: tuple[float, ...]
    trace: tuple[TracePoint, ...]
    iterations: int

    def to_frame(self) -> "pandas.DataFrame":
        """A row for each player, from 0: what the average strategy gives, and what a best response would gain."""
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
    strategies of the others. Two-player zero-sum games converge to equilibrium; with more players, or other payoffs,
    there is no such promise, and `nash_conv` of the result says what was reached.

    Parameters
    ----------
    variant : {"cfr", "cfr+"}
        "cfr": regret matching, plain average (Zinkevich and others, NIPS 2007). "cfr+": negative regrets are set to 0
        and iteration t has weight t in the average (Tammelin, arXiv:1407.5042).
    trace
        Iterations after which NashConv is recorded.
    start, order
        The strategies of the first iteration, by default even, and the order in which the players update: these may
        decide which of several equilibria is reached.
    tied : int array, shape (sequences,)
        Sequences of the tree with the same number share their regrets, so that players who are alike play alike; all
        update together.

    Examples
    --------
    >>> from gamebalance.games.kuhn import Kuhn
    >>> round(solve(Kuhn(2), 2000, "cfr+").value[0], 4)  # minus 1/18
    -0.0556
    """
    iterations = whole_number("iterations", iterations, 1, MOST_ITERATIONS)
    plus = one_of("variant", variant, VARIANTS) == "cfr+"
    stops = sorted({whole_number("each of trace", stop, 1, iterations) for stop in listed("trace", trace)})
    tree = GameTree.of(game)
    if order is not None and (tied is not None or sorted(order) != list(range(tree.players))):
        raise ValueError(
            f"order = {shown(order)}: each of the players 0 to {tree.players - 1} once is needed, and none is tied"
        )
    in_memory(f"counterfactual regrets of {tree!r}", 8 * tree.nodes * (2 * tree.players + 2))
    numbers = np.empty(0, np.int64) if tied is None else np.asarray(tied).astype(np.int64)
    if tied is not None and (numbers.shape != (tree.sequences,) or not np.isin(tied, np.arange(tree.sequences)).all()):
        raise ValueError(f"tied = {shown(tied)}: {tree.sequences} whole numbers, 0 to {tree.sequences - 1}, are needed")
    strategy = tree.even if start is None else to_strategy(tree, start)
    turns = np.arange(tree.players) if order is None else np.array(order)
    reach, values = np.empty((tree.players + 1, tree.nodes)), np.empty(tree.nodes)
    regrets, sums, total, count = np.zeros((4, tree.sequences))
    run = Run(regrets, sums, strategy, tree.chance.copy(), reach, values, turns, numbers, (total, count))
    payoffs = np.zeros((tree.players, tree.nodes))
    payoffs[:, tree.terminals] = tree.payoffs.T
    read = tree.mover, tree.parent, tree.end, tree.sequence, tree.first, tree.set_player, payoffs
    done, points, step = 0, [], max(1, _VISITS_A_CALL // (tree.nodes * tree.players))
    for stop in [*stops, iterations]:
        while done < stop:
            count = min(step, stop - done)
            iterate(done + 1, count, plus, Arrays(*read), run)
            done += count
        # The weighted average; uniform where a player never played towards an information set.
        totals = np.repeat(np.add.reduceat(run.sums, tree.first[:-1]), np.diff(tree.first))
        average = np.divide(run.sums, totals, out=tree.even, where=totals > 0)
        reached = nash_conv_of(tree, average)
        points.append(TracePoint(stop, reached.total))
    last = reached.values, reached.total, reached.gains
    return Result(to_profile(tree, average), *last, tuple(points[:-1]), iterations)
