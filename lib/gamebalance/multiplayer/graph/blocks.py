"""Where players choose at the same point: at once, or one after another while nothing is revealed to anybody.

After F. B. Thompson, "Equivalence of games in extensive form", RAND 1952: moves of which the later player knows nothing
can be interchanged, those of chance among them.
"""

from typing import Any, NamedTuple

import numpy as np

from gamebalance.multiplayer.graph.states import GameGraph
from gamebalance.multiplayer.protocols import CHANCE

#: Chance is not taken first where it could bring more than this in all; joint choices are not told apart beyond this.
MOST_UNSEEN, MOST_JOINT = 500, 100_000


class TooManyChoices(ValueError):
    """Players have more joint choices at one point than are told apart."""


class Grown(NamedTuple):
    """Choices at the same point, if chance has brought what nobody sees in between.

    Attributes
    ----------
    chance : float
        How often chance brings that.
    sets : tuple of int
        The information sets of those who choose.
    layer : dict
        Which state follows each joint choice, or which states follow.
    inner : tuple of int
        The states between the first choice and what follows, unless joint choices are told apart.
    """

    chance: float
    sets: tuple[int, ...]
    layer: dict[Any, int]
    inner: tuple[int, ...]


def grown(graph: GameGraph, state: int, joint: bool = True) -> list[Grown]:
    """All choices from a choice on between which nothing is revealed, chance that nobody sees taken first.

    Joint choices are told apart, or else what follows alone; `TooManyChoices` if there are more than `MOST_JOINT`.
    """
    return _grown(graph, Grown(1.0, (), {(): state}, ()), joint)


def block_starts(graph: GameGraph) -> np.ndarray:
    """The state at which the choices begin that a state belongs to; int64, shape (states,).

    A state of chance that somebody sees, an end, a forced move before them and a choice that stands alone begin where
    they are; so do choices that can be come to from elsewhere too.
    """
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


def _grown(graph: GameGraph, begun: Grown, joint: bool, ways: int = 1) -> list[Grown]:
    """`grown` from joint choices on, where chance could already bring so much."""
    chance, sets, layer, inner = begun
    states = list(layer.values())
    passed = (*inner, *states) if sets and not joint else ()
    movers = {int(graph.mover[state]) for state in states}
    if movers == {CHANCE} and sets:
        parts = [slice(graph.first[state], graph.first[state + 1]) for state in states]
        first = graph.chance[parts[0]]
        ways = ways * len(first) + 1  # it ends where chance goes in circles
        if ways <= MOST_UNSEEN and all(np.array_equal(graph.chance[part], first) for part in parts[1:]):
            found = []
            for place, own in enumerate(first):
                after = {moves: int(graph.after[graph.first[at] + place]) for moves, at in layer.items()}
                found += _grown(graph, Grown(chance * float(own), sets, after, passed), joint, ways)
            if any(len(each.sets) > len(sets) for each in found):
                return found
    numbers = {int(graph.set_number[state]) for state in states}
    before = {int(graph.set_mover[number]) for number in sets}
    if len(numbers) > 1 or numbers == {-1} or movers <= before:
        return [begun]
    many = int(graph.first[states[0] + 1] - graph.first[states[0]])
    if joint and len(layer) * many > MOST_JOINT:
        raise TooManyChoices(f"more than {MOST_JOINT:,} joint choices at one point")
    followers = [
        (moves, place, int(graph.after[graph.first[at] + place]))
        for moves, at in layer.items()
        for place in range(many)
    ]
    layer = {(*moves, place) if joint else after: after for moves, place, after in followers}
    return _grown(graph, Grown(chance, (*sets, *numbers), layer, passed), joint, ways)
