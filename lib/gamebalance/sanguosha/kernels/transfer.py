"""The compiled core of the exact solver: one turn applied to two axes of an array of probability mass.

The arrays are flat. A turn changes the codes of actor and target, whatever the others hold; so for eight states of the
others at a time the 28 x 28 masses of the pair are brought together, moved, and put back. Eight doubles fill a vector
register, and the order of the axes does not matter.
"""

from functools import lru_cache
from itertools import product

import numpy as np

from gamebalance.base.jit import njit
from gamebalance.base.lanes import add_scaled
from gamebalance.sanguosha.rules import Rules
from gamebalance.sanguosha.turn import CODES, DEAD, turn_codes

#: Said before the first function of this module is compiled.
COMPILES = "the exact solver, 3 to 10 s"
#: States of the others handled at a time.
WIDTH = 8


def _offsets(axes: list[int], count: int, lowest: tuple[int, ...] = ()) -> np.ndarray:
    """Flat positions of the codes along `axes` of an array with `count` axes, the other codes being 0."""
    strides = [CODES ** (count - 1 - axis) for axis in axes]
    ranges = [range(first, CODES) for first in lowest or (0,) * len(axes)]
    return np.array([sum(map(int.__mul__, codes, strides)) for codes in product(*ranges)])


@lru_cache(maxsize=256)
def pair_layout(count: int, actor: int, target: int | None, lowest: tuple[int, ...]) -> tuple[np.ndarray, ...]:
    """Flat positions in an array with `count` axes: by codes of actor and target (None: of the actor), of the others.

    Then the same in the array without the target's axis, by the actor's code and the others'. Codes of the others below
    the `lowest` of their axis do not occur and are left out.
    """
    rest = [axis for axis in range(count) if axis not in (actor, target)]
    floors = tuple(lowest[axis] for axis in rest)
    if target is None:
        empty = np.zeros(0, np.int64)
        return _offsets([actor], count), _offsets(rest, count, floors), empty, empty
    left = [axis for axis in range(count) if axis != target]
    return (
        _offsets([actor, target], count),
        _offsets(rest, count, floors),
        _offsets([left.index(actor)], count - 1),
        _offsets([left.index(axis) for axis in rest], count - 1, floors),
    )


@lru_cache(maxsize=32)
def effect_table(rules: Rules, near: bool, attacked: bool) -> tuple[np.ndarray, ...]:
    """The distinct results of a turn, summed over the pairs of cards: source, sink and probability of each.

    A source is 28 * actor code + target code before the turn, the actor code alone without a target; they ascend. A
    sink is the same afterwards; 784 + actor code when the target has died.
    """
    codes, chances = turn_codes(rules)[int(near)], [float(chance) for chance in rules.pair_probability]
    results: dict[tuple[int, int], float] = {}
    for pair, chance in enumerate(chances):
        for actor in range(CODES):
            for target in range(CODES) if attacked else (DEAD,):
                actor_after, target_after = map(int, codes[pair, actor, target])
                if not attacked:
                    key = actor, actor_after
                elif target_after == DEAD:
                    key = actor * CODES + target, CODES * CODES + actor_after
                else:
                    key = actor * CODES + target, actor_after * CODES + target_after
                results[key] = results.get(key, 0.0) + chance
    rows = [(*key, chance) for key, chance in sorted(results.items()) if chance]
    source, sink, probability = (np.array(column) for column in zip(*rows, strict=True))
    return source, sink, probability


@njit(nogil=True)
def move(mass, share, by_actor, onward, fallen, pairs, others, actor_left, others_left, source, sink, probability):
    """Move mass through one turn: add to `onward` where the target lives, to `fallen` where it dies.

    Of each state's mass `share` takes part, times `by_actor` by the actor's code; an empty `share` is 1 everywhere. The
    rest is from `pair_layout` and `effect_table`.
    """
    targets = pairs.size // CODES
    here = np.zeros(pairs.size * WIDTH)
    there = np.zeros((pairs.size + CODES) * WIDTH)
    filled = np.zeros(pairs.size, np.bool_)
    for first in range(0, others.size, WIDTH):
        width = min(WIDTH, others.size - first)
        anything = False
        for pair in range(pairs.size):
            part = by_actor[pair // targets]
            filled[pair] = False
            if part == 0.0:
                continue
            total = 0.0
            for column in range(width):
                state = pairs[pair] + others[first + column]
                value = mass[state] * part
                if share.size:
                    value *= share[state]
                here[pair * WIDTH + column] = value
                total += value
            filled[pair] = total > 0.0
            anything |= filled[pair]
        if not anything:
            continue
        there[:] = 0.0
        for row in range(source.size):
            if filled[source[row]]:
                add_scaled(there, sink[row] * WIDTH, probability[row], here, source[row] * WIDTH)
        for pair in range(pairs.size):
            for column in range(width):
                onward[pairs[pair] + others[first + column]] += there[pair * WIDTH + column]
        for code in range(actor_left.size):
            for column in range(width):
                fallen[actor_left[code] + others_left[first + column]] += there[(pairs.size + code) * WIDTH + column]


@njit(nogil=True)
def expect(onward, fallen, before, pairs, others, actor_left, others_left, source, sink, probability):
    """The transpose of `move`: what states are worth `before` a turn, given what they are worth after it.

    `onward` is what they are worth where the target lives, `fallen` where it has died; the layout leaves nothing out.
    """
    here = np.zeros(pairs.size * WIDTH)
    there = np.zeros((pairs.size + CODES) * WIDTH)
    for first in range(0, others.size, WIDTH):
        width = min(WIDTH, others.size - first)
        for pair in range(pairs.size):
            for column in range(width):
                there[pair * WIDTH + column] = onward[pairs[pair] + others[first + column]]
        for code in range(actor_left.size):
            for column in range(width):
                there[(pairs.size + code) * WIDTH + column] = fallen[actor_left[code] + others_left[first + column]]
        here[:] = 0.0
        for row in range(source.size):
            add_scaled(here, source[row] * WIDTH, probability[row], there, sink[row] * WIDTH)
        for pair in range(pairs.size):
            for column in range(width):
                before[pairs[pair] + others[first + column]] = here[pair * WIDTH + column]
