"""A game without the order in which nothing is revealed: blocks of choices at one point, ends, lotteries over both."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from gamebalance.multiplayer.graph.blocks import Grown, TooManyChoices, grown
from gamebalance.multiplayer.graph.states import GameGraph
from gamebalance.multiplayer.protocols import CHANCE

#: Games with more outcomes of chance and choices than this have no frame.
MOST_OUTCOMES = 3_000_000


class Block(NamedTuple):
    """Choices at the same point: information sets of those who choose, and what follows each joint choice."""

    sets: tuple[int, ...]
    outcomes: dict[tuple[int, ...], int]


class Frame:
    """A game as blocks of choices, ends, and lotteries over both.

    A lottery is what chance makes of a joint choice, and the first one of the start: entries ``lottery`` (which),
    ``node``, ``weight`` (a class of probabilities). Nodes are numbered as states, and those beyond are choices that
    follow what chance brings unseen.
    """

    def __init__(self, graph: GameGraph, blocks: dict[int, Block], lotteries: list[dict[int, float]], size: int):
        self.graph, self.blocks, self.lotteries, self.size = graph, blocks, lotteries, size
        self.lottery = np.repeat(np.arange(len(lotteries)), [len(each) for each in lotteries])
        self.node = np.array([node for each in lotteries for node in each], np.int64)
        self.weight = _classes(np.array([chance for each in lotteries for chance in each.values()]))
        self.pay = _classes(graph.payoffs[graph.over].ravel()).reshape(-1, graph.players)
        self.ends = np.flatnonzero(graph.over)
        # Of each joint choice: its block, its lottery, and of each who chooses there the move, as an entry of a policy.
        rows = [
            (start, block, moves, where) for start, block in blocks.items() for moves, where in block.outcomes.items()
        ]
        self.row_start = np.array([start for start, *_ in rows], np.int64)
        self.row_lottery = np.array([where for *_, where in rows], np.int64)
        entries = [
            (row, int(graph.set_first[number]) + move)
            for row, (_, block, moves, _) in enumerate(rows)
            for number, move in zip(block.sets, moves, strict=True)
        ]
        self.entry_row, self.entry = np.array(entries, np.int64).reshape(-1, 2).T
        self.entry_player = np.repeat(graph.set_mover, np.diff(graph.set_first))[self.entry].astype(np.int64)
        self.entry_set = np.repeat(np.arange(len(graph.sets)), np.diff(graph.set_first))[self.entry]

    @classmethod
    def of(cls, graph: GameGraph) -> "Frame | None":
        """None if there are too many outcomes."""
        told = _lotteries(graph)
        if told is None:
            return None
        chances, circled = told
        choices: dict[int, list[Grown]] = {}
        met, waiting, outcomes = {0}, [0], 0
        while waiting:
            state = waiting.pop()
            if state in circled:
                follow = list(circled[state])
            elif graph.mover[state] == CHANCE:
                follow = list(chances[state])
            elif graph.over[state]:
                continue
            else:
                try:
                    choices[state] = grown(graph, state)
                except TooManyChoices:
                    return None
                follow = [each for one in choices[state] for each in one.layer.values()]
                outcomes += len(follow)
            if outcomes > MOST_OUTCOMES:
                return None
            waiting += set(follow) - met
            met.update(follow)
        size, nodes = len(graph.states), {}
        for state, found in choices.items():
            numbers = [state] if len(found) == 1 else range(size, size + len(found))
            nodes[state] = dict(zip(numbers, [each.chance for each in found], strict=True))
            size += len(found) * (len(found) > 1)

        def lottery(chances: dict[int, float]) -> dict[int, float]:
            total: dict[int, float] = {}
            for state, chance in chances.items():
                for node, own in nodes.get(state, {state: 1.0}).items():
                    total[node] = total.get(node, 0.0) + chance * own
            return total

        lotteries, blocks, numbered = [lottery(chances.get(0, {0: 1.0}))], {}, {}
        for state, found in choices.items():
            for node, each in zip(nodes[state], found, strict=True):
                for after in each.layer.values():
                    if after not in numbered:
                        numbered[after] = len(lotteries)
                        lotteries.append(lottery(chances.get(after, {after: 1.0})))
                blocks[node] = Block(each.sets, {moves: numbered[after] for moves, after in each.layer.items()})
        for state, following in circled.items():
            blocks[state] = Block((), {(): len(lotteries)})
            lotteries.append(lottery(following))
        return cls(graph, blocks, lotteries, size)


def _lotteries(graph: GameGraph) -> tuple[dict[int, dict[int, float]], dict[int, dict[int, float]]] | None:
    """To which choices and ends chance leads from each of its states, and how often.

    Where chance comes back to itself, some of its states stand for themselves; the second dict says what follows them.
    """
    found: dict[int, dict[int, float]] = {}
    begun: set[int] = set()
    circled: list[int] = []
    size, waiting = 0, np.flatnonzero(graph.mover == CHANCE).tolist()

    def followers(state: int) -> Iterator[tuple[int, float]]:
        for edge in range(graph.first[state], graph.first[state + 1]):
            yield int(graph.after[edge]), float(graph.chance[edge])

    def lottery(state: int) -> dict[int, float]:
        total: dict[int, float] = {}
        for follower, own in followers(state):
            for node, chance in found.get(follower, {follower: 1.0}).items():
                total[node] = total.get(node, 0.0) + chance * own
        return total

    while waiting:
        state = waiting[-1]
        before = [each for each, _ in followers(state) if graph.mover[each] == CHANCE and each not in found]
        if state in found or not before:
            waiting.pop()
            if state not in found:
                found[state] = lottery(state)
                size += len(found[state])
        elif state in begun:
            found[state] = {state: 1.0}
            circled.append(state)
        else:
            begun.add(state)
            waiting += before
        if size > MOST_OUTCOMES:
            return None
    return found, {state: lottery(state) for state in circled}


def _classes(values: np.ndarray) -> np.ndarray:
    """Numbers of classes of equal values, in their order; values that differ by rounding alone are equal."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    apart = np.diff(ordered) > 1e-9 * np.maximum(1.0, np.abs(ordered[1:]))
    found = np.empty(len(values), np.uint64)
    found[order] = np.concatenate([[0], np.cumsum(apart)]) if len(values) else []
    return found
