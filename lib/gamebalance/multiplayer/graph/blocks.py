"""Where players choose at the same point, at once or while nothing is revealed, and what the game is beside that.

After F. B. Thompson, "Equivalence of games in extensive form", RAND 1952: moves of which the later player knows nothing
can be interchanged, those of chance among them. So a game is blocks of choices, ends, and lotteries over both.
"""

from typing import Any, NamedTuple

import numpy as np

from gamebalance.multiplayer.graph.states import GameGraph, Lists
from gamebalance.multiplayer.protocols import CHANCE

#: Chance is not taken first where it could bring more than this in all; joint choices are not told apart beyond this.
MOST_UNSEEN, MOST_JOINT = 500, 100_000
#: Games with more outcomes of chance and choices than this have no frame.
MOST_OUTCOMES = 3_000_000


class TooManyChoices(ValueError):
    """Players have more joint choices at one point than are told apart."""


class Grown(NamedTuple):
    """Choices of `sets` at one point, given unseen chance: the `layer` of states that follow, those between `inner`."""

    chance: float
    sets: tuple[int, ...]
    layer: dict[Any, int]
    inner: tuple[int, ...]


def grown(graph: GameGraph, state: int, joint: bool = True) -> list[Grown]:
    """All choices from a choice on between which nothing is revealed, chance that nobody sees taken first.

    Joint choices are told apart, or else what follows alone; `TooManyChoices` if there are more than `MOST_JOINT`.
    """
    return _grown(graph.plain, Grown(1.0, (), {(): state}, ()), joint)


def block_starts(graph: GameGraph) -> np.ndarray:
    """The state at which the choices begin that a state belongs to: itself, if it can be come to from elsewhere too."""
    starts = np.arange(len(graph.states))
    if not graph.hides:
        return starts
    into = np.bincount(graph.after, minlength=len(starts))
    for state in graph.order.tolist():
        if not graph.chooses[state] or starts[state] != state:
            continue
        inner = np.unique([each for one in grown(graph, state, joint=False) for each in one.inner]).astype(np.int64)
        around = np.append(inner, state)
        followers = np.concatenate([graph.after[graph.first[each] : graph.first[each + 1]] for each in around])
        if 0 not in inner and into[inner].sum() == np.isin(followers, inner).sum():
            starts[inner] = state
    return starts


def _grown(graph: Lists, begun: Grown, joint: bool, ways: int = 1) -> list[Grown]:
    """`grown` from joint choices on, where chance could already bring so much."""
    chance, sets, layer, inner = begun
    states = list(layer.values())
    passed = (*inner, *states) if sets and not joint else ()
    movers = {graph.mover[state] for state in states}
    if movers == {CHANCE} and sets:
        parts = [slice(graph.first[state], graph.first[state + 1]) for state in states]
        first = graph.chance[parts[0]]
        ways = ways * len(first) + 1  # it ends where chance goes in circles
        if ways <= MOST_UNSEEN and all(graph.chance[part] == first for part in parts[1:]):
            found = []
            for place, own in enumerate(first):
                after = {moves: graph.after[graph.first[at] + place] for moves, at in layer.items()}
                found += _grown(graph, Grown(chance * own, sets, after, passed), joint, ways)
            if any(len(each.sets) > len(sets) for each in found):
                return found
    numbers = {graph.set_number[state] for state in states}
    before = {graph.set_mover[number] for number in sets}
    if len(numbers) > 1 or numbers == {-1} or movers <= before:
        return [begun]
    many = graph.first[states[0] + 1] - graph.first[states[0]]
    if joint and len(layer) * many > MOST_JOINT:
        raise TooManyChoices(f"more than {MOST_JOINT:,} joint choices at one point")
    followers = [
        (moves, place, graph.after[graph.first[at] + place]) for moves, at in layer.items() for place in range(many)
    ]
    layer = {(*moves, place) if joint else after: after for moves, place, after in followers}
    return _grown(graph, Grown(chance, (*sets, *numbers), layer, passed), joint, ways)


class Block(NamedTuple):
    """Choices at the same point: information sets of those who choose, and what follows each joint choice."""

    sets: tuple[int, ...]
    outcomes: dict[tuple[int, ...], int]


class Frame:
    """A game as blocks of choices, ends, and lotteries over both: what chance makes of the start and each joint choice.

    Nodes are numbered as states; those beyond are choices that follow what chance brings unseen.
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
    circled: dict[int, dict[int, float]] = {}
    begun: set[int] = set()
    plain = graph.plain

    def lottery(state: int) -> dict[int, float]:
        if plain.mover[state] != CHANCE or state in circled:
            return {state: 1.0}
        if state in begun and state not in found:
            circled[state] = {}
            return {state: 1.0}
        if state not in found:
            begun.add(state)
            total: dict[int, float] = {}
            for edge in range(plain.first[state], plain.first[state + 1]):
                for node, chance in lottery(plain.after[edge]).items():
                    total[node] = total.get(node, 0.0) + chance * plain.chance[edge]
            if state in circled:
                circled[state] = total
            found[state] = {state: 1.0} if state in circled else total
        return found[state]

    size = 0
    for state in np.flatnonzero(graph.mover == CHANCE)[::-1].tolist():
        size += len(lottery(state))
        if size > MOST_OUTCOMES:
            return None
    return found, circled


def _classes(values: np.ndarray) -> np.ndarray:
    """Numbers of classes of equal values, in their order; values that differ by rounding alone are equal."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    apart = np.diff(ordered) > 1e-9 * np.maximum(1.0, np.abs(ordered[1:]))
    found = np.empty(len(values), np.uint64)
    found[order] = np.concatenate([[0], np.cumsum(apart)]) if len(values) else []
    return found
