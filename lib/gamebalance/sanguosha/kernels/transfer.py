"""The compiled core of the exact solver: one turn applied to two axes of an array of probability mass.

The arrays are flat. A turn changes the codes of actor and target, whatever the others hold; so for some states of the
others at a time the masses of all pairs of codes are brought together, and every result of the turn collects, in
registers, what flows into it. The order of the axes does not matter.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from gamebalance.base.eights import EIGHT, SIXTEEN, add_8, add_16, prefetch, put_8, put_16, sum_8, sum_16
from gamebalance.base.jit import njit
from gamebalance.sanguosha.attacks import Attack
from gamebalance.sanguosha.rules import Rules
from gamebalance.sanguosha.turn import CODES, DEAD, turn_codes

#: Said before the first function of this module is compiled.
COMPILES = "the exact solver, 1 to 3 s"

#: The place of what does not occur: so low that sums stay below 0.
NOWHERE = -(1 << 60)

#: Results of a turn: both live, or the actor alone.
SINKS = CODES * CODES + CODES

#: The codes along each axis of an array, ascending.
Codes = tuple[np.ndarray, ...]


class Plan(NamedTuple):
    """One attack in one array: where masses lie, which share of each takes part, and what flows where.

    Places are flat. A source is a pair of codes of actor and target before the turn; a sink is such a pair afterwards,
    or, behind the first `living` sinks, the actor's code in the array without the target, who has died.
    """

    sources: np.ndarray  # place of each source
    sinks: np.ndarray  # place of each sink
    living: int
    others: np.ndarray  # place of each state of the others, to be added to that of source or sink
    others_left: np.ndarray  # the same in the array without the target
    shares: np.ndarray  # share of the mass that takes part, by what the actor looks at
    source_shares: np.ndarray  # place among the shares by source
    others_shares: np.ndarray  # the same by state of the others, to be added; empty if the actor looks at none of them
    starts: np.ndarray  # the rows of sink i are starts[i] to starts[i + 1] - 1; of source i, if it looks backward
    rows: np.ndarray  # the source of each row, times `SIXTEEN`; its sink, times `EIGHT`, if it looks backward
    chances: np.ndarray  # the probability of each row


@lru_cache(maxsize=32)
def effect_table(rules: Rules, hearts: int, near: bool, attacked: bool) -> tuple[np.ndarray, ...]:
    """The distinct results of a turn, summed over the cards drawn: source, sink and probability of each.

    A source is 28 * actor code + target code before the turn, the actor code alone without a target; they ascend. A
    sink is the same afterwards; 784 + actor code when the target has died.
    """
    codes = turn_codes(rules, hearts)[int(near)].astype(np.int64)
    codes = codes[:, :, :CODES] if attacked else codes[:, :, DEAD:]
    actor, target = codes[..., 0], codes[..., 1]
    after = np.where(target == DEAD, CODES * CODES + actor, actor * CODES + target) if attacked else actor
    before = np.arange(after[0].size).reshape(after[0].shape)
    results, places = np.unique(before * SINKS + after, return_inverse=True)
    chances = np.repeat([float(chance) for chance in rules.hand_probability], after[0].size)
    probability = np.bincount(places.ravel(), chances)
    likely = probability > 0
    return results[likely] // SINKS, results[likely] % SINKS, probability[likely]


def plan(
    attack: Attack, axes: tuple[int, ...], codes: Codes, codes_left: Codes, rules: Rules, backward: bool = False
) -> Plan:
    """The plan of an attack, for `move`, or backward for `expect`.

    `axes` are that of the actor and that of the target if there is one; `codes` and `codes_left` those along the axes
    of the array, and of the array without the target (empty if nobody can die).
    """
    source, sink, chance = effect_table(rules, attack.hearts, attack.near, len(axes) == 2)
    here = [_places(codes, axis) for axis in range(len(codes))]
    left = [_places(codes_left, axis) for axis in range(len(codes_left))]
    if left:
        left.insert(axes[-1], np.zeros(0, np.int64))
    pairs = _sums([here[axis] for axis in axes])
    takes = _sums([np.where(attack.takes_part(axis), 0, NOWHERE) for axis in axes])
    kept = (pairs[source] >= 0) & (takes[source] >= 0)
    sources, from_source = np.unique(source[kept], return_inverse=True)
    sinks, to_sink = np.unique(sink[kept], return_inverse=True)
    ends, rows = (from_source, to_sink) if backward else (to_sink, from_source)
    order = np.argsort(ends, kind="stable")
    living = int(np.searchsorted(sinks, len(pairs)))
    after = np.concatenate([pairs, left[axes[0]]])[sinks] if left else pairs[sinks]
    if (after < 0).any():
        raise AssertionError("a turn leads to a code that is thought not to occur")
    rest = [axis for axis in range(len(codes)) if axis not in axes]
    looks = attack.looks_at(rest)
    return Plan(
        pairs[sources],
        after,
        living,
        _sums([here[axis][codes[axis]] for axis in rest]),
        _sums([left[axis][codes[axis]] for axis in rest]) if left else np.zeros(0, np.int64),
        attack.shares.ravel(),
        _sums([attack.places(axis) for axis in axes])[sources],
        _sums([attack.places(axis)[codes[axis]] for axis in rest]) if looks else np.zeros(0, np.int64),
        np.append(0, np.cumsum(np.bincount(ends))),
        rows[order] * (EIGHT if backward else SIXTEEN),
        chance[kept][order],
    )


def _places(codes: Codes, axis: int) -> np.ndarray:
    """What each code 0 to 27 along an axis adds to the place in the flat array; `NOWHERE` if it does not occur."""
    found = np.full(CODES, NOWHERE)
    step = int(np.prod([len(other) for other in codes[axis + 1 :]], dtype=np.int64))
    found[codes[axis]] = step * np.arange(len(codes[axis]))
    return found


def _sums(parts: list[np.ndarray]) -> np.ndarray:
    """All sums of one entry of each part, the last part in the fastest place."""
    total = np.zeros(1, np.int64)
    for part in parts:
        total = np.add.outer(total, part).ravel()
    return total


def move(mass: np.ndarray, onward: np.ndarray, fallen: np.ndarray, plan: Plan, first: int, last: int) -> None:
    """Move mass through one turn, for states `first` to `last` - 1 of the others.

    Adds to `onward` where the target lives, to `fallen` where it dies; an empty `fallen` leaves that out.
    """
    _move(
        mass,
        onward,
        fallen,
        plan,
        first,
        last,
        np.empty((len(plan.sources) + 1) * SIXTEEN),
        np.empty((2, SIXTEEN), int),
    )


@njit
def _move(mass, onward, fallen, plan, first, last, here, noted):
    """`move`, with room for what it brings together, and for places."""
    sources, sinks, living, others, others_left, shares, source_shares, others_shares, starts, rows, chances = plan
    at, look, there = noted[0], noted[1], here[sources.size * SIXTEEN :]
    ends = sinks.size if fallen.size else living
    for begin in range(first, last, SIXTEEN):
        width = SIXTEEN if begin + SIXTEEN < last else last - begin
        # Behind the last state stand copies of it, from which nothing is taken.
        alike = True
        for column in range(SIXTEEN):
            place = begin + (column if column < width else width - 1)
            at[column], look[column] = others[place], others_shares[place] if others_shares.size else 0
            alike &= look[column] == look[0]
        joined = width == SIXTEEN and at[SIXTEEN - 1] == at[0] + SIXTEEN - 1
        for place in range(sources.size):
            source, share = sources[place], source_shares[place]
            if joined and alike:
                put_16(here, place * SIXTEEN, shares[share + look[0]], mass, source + at[0])
            else:
                for column in range(SIXTEEN):
                    here[place * SIXTEEN + column] = shares[share + look[column]] * mass[source + at[column]]
        if begin + SIXTEEN < last:
            for place in range(sources.size):
                for line in range(0, SIXTEEN, EIGHT):
                    prefetch(mass, sources[place] + others[begin + SIXTEEN] + line)
                    prefetch(onward, sources[place] + others[begin + SIXTEEN] + line)
        for sink in range(ends):
            sum_16(there, 0, chances, rows, starts[sink], starts[sink + 1], here)
            if sink >= living:
                for column in range(width):
                    fallen[sinks[sink] + others_left[begin + column]] += there[column]
            elif joined:
                add_16(onward, sinks[sink] + at[0], there, 0)
            elif width == SIXTEEN:  # a loop of known length is faster
                for column in range(SIXTEEN):
                    onward[sinks[sink] + at[column]] += there[column]
            else:
                for column in range(width):
                    onward[sinks[sink] + at[column]] += there[column]


@njit
def expect(onward, fallen, before, plan):
    """The transpose of `move`, for a plan that looks backward: adds to what states are worth `before` a turn.

    `onward` is what they are worth after it where the target lives, `fallen` where it has died.
    """
    sources, sinks, living, others, others_left, shares, source_shares, others_shares, starts, rows, chances = plan
    here, there = np.zeros(EIGHT), np.zeros(sinks.size * EIGHT)
    at, left, look = np.zeros(EIGHT, np.int64), np.zeros(EIGHT, np.int64), np.zeros(EIGHT, np.int64)
    for begin in range(0, others.size, EIGHT):
        width = min(EIGHT, others.size - begin)
        for column in range(EIGHT):
            place = min(begin + column, others.size - 1)
            at[column] = others[place]
            left[column] = others_left[place] if others_left.size else 0
            look[column] = others_shares[place] if others_shares.size else 0
        joined = width == EIGHT and at[EIGHT - 1] == at[0] + EIGHT - 1
        for sink in range(sinks.size):
            if sink >= living:
                for column in range(EIGHT):
                    there[sink * EIGHT + column] = fallen[sinks[sink] + left[column]]
            elif joined:
                put_8(there, sink * EIGHT, 1.0, onward, sinks[sink] + at[0])
            else:
                for column in range(EIGHT):
                    there[sink * EIGHT + column] = onward[sinks[sink] + at[column]]
        for source in range(sources.size):
            sum_8(here, 0, chances, rows, starts[source], starts[source + 1], there)
            share = source_shares[source]
            if joined and not others_shares.size:
                put_8(here, 0, shares[share], here, 0)
                add_8(before, sources[source] + at[0], here, 0)
            elif width == EIGHT:
                for column in range(EIGHT):
                    before[sources[source] + at[column]] += shares[share + look[column]] * here[column]
            else:
                for column in range(width):
                    before[sources[source] + at[column]] += shares[share + look[column]] * here[column]


@njit
def blend(masses, weights, total):
    """Add to `total` the masses with these weights, and put what they leave into ``masses[0]``.

    Each mass is what a turn of everybody leaves of the one before it; the last has no weight.
    """
    count = weights.size
    for place in range(total.size):
        taken, left = 0.0, masses[0, place]
        for row in range(count):
            taken += weights[row] * masses[row, place]
            left -= weights[row] * (masses[row, place] - masses[row + 1, place])
        total[place] += taken
        masses[0, place] = left
