"""The chain of four players of Sanguosha, beside scipy and Storm: how often each of the living sets is the last."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
from scipy.sparse import csr_array

from bench.timing import Comparison, checked, left_out
from gamebalance import sanguosha
from gamebalance.as_published import transfer
from gamebalance.as_published.transfer import CODES, LEVELS, PAIRS, SEATS
from gamebalance.sanguosha.scoring import numbers_alive
from gamebalance.sanguosha.turn import DEAD

SEATING = "0123"
BITS = 1 << np.arange(SEATS)
WEIGHTS = CODES ** np.arange(SEATS)


def comparisons(_peers: Path, rounds: int) -> Iterator[Comparison]:
    """All comparisons that this machine can make; says why one cannot be made."""
    matrix, start, ends = exported(SEATING)
    ours = sanguosha.solve(SEATING)
    wanted = np.array([ours.probability.get(alive, 0.0) for alive in ends])
    what = f"solve {SEATING}, {matrix.shape[0]:,} states"
    solved = partial(sanguosha.solve, SEATING)
    yield checked(f"{what}, scipy", lambda: _by_scipy(matrix, start, len(ends)), solved, 1,
                  lambda theirs, _: np.allclose(theirs, wanted, atol=1e-7))  # fmt: skip
    try:
        import stormpy
    except ImportError:
        left_out("Storm", "no wheel of stormpy was installed")
        return
    model, formula = _for_storm(stormpy, matrix, len(ends)), stormpy.parse_properties('P=? [F "end"]')[0]
    yield checked(f"{what}, Storm: one ending of {len(ends)}", lambda: _by_storm(stormpy, model, formula, start),
                  solved, rounds, lambda theirs, _: np.isclose(theirs, wanted[0], atol=1e-4))  # fmt: skip


def exported(seating: str) -> tuple[csr_array, int, list]:
    """Chances to go from state to state, of all that can be reached; where it starts; its ends, the last states."""
    roles = sanguosha.Seating(seating).roles
    over = transfer.terminal_table(roles)
    start = transfer.CODE_OF[transfer.Player(transfer.MAX_HEALTH, transfer.OPENING_DODGES)] * WEIGHTS.sum()
    reached = np.zeros(SEATS * CODES**SEATS, bool)
    reached[start], new, moves = True, np.array([start]), list[tuple[np.ndarray, ...]]()
    while new.size:
        here, before = list(_moves(new[~over[_living(new)]], roles)), reached.copy()
        for _, to, _ in here:
            reached[to] = True
        moves, new = moves + here, np.flatnonzero(reached & ~before)
    source, target, chance = map(np.concatenate, zip(*moves, strict=True))
    known = np.flatnonzero(reached)
    done = over[_living(known)]
    alive = [numbers_alive(roles, transfer.seats_in(mask)) for mask in _living(known[done]).tolist()]
    ends, place = sorted(set(alive)), np.zeros(reached.size, int)
    place[known[~done]] = np.arange(np.sum(~done))
    place[known[done]] = [np.sum(~done) + ends.index(numbers) for numbers in alive]
    size = int(np.sum(~done)) + len(ends)
    return csr_array((chance, (place[source], place[target])), shape=(size, size)), int(place[start]), ends


def _living(states: np.ndarray) -> np.ndarray:
    return (states[:, None] // WEIGHTS % CODES < DEAD) @ BITS


def _moves(states: np.ndarray, roles: tuple) -> Iterator[tuple[np.ndarray, ...]]:
    """From where to where with what chance: against each target, or nobody, and for each result of the cards."""
    _, chances, number, _, after, health, following = transfer.turn_tables()
    seat, codes, living = states // CODES**SEATS, states[:, None] // WEIGHTS % CODES, _living(states)
    actor = np.take_along_axis(codes, seat[:, None], 1)[:, 0]
    points = health[codes] @ LEVELS ** np.arange(SEATS)[::-1]
    chosen = transfer.target_table(roles)[(seat * 2 + actor % 2) * LEVELS**SEATS + points]
    count = np.maximum(1, (chosen[:, None] & BITS > 0).sum(1))
    for target, weight in enumerate([*WEIGHTS, 0]):
        those = np.flatnonzero(chosen & BITS[target] if weight else chosen == 0)
        other = codes[those, target] if weight else np.full(those.size, CODES)
        first = actor[those] * (CODES + 1) + other
        for result in range(PAIRS):
            has = result < number[first]
            those, other, first = those[has], other[has], first[has]
            own, left = after[first * PAIRS + result].astype(int).T
            still = living[those] & ~np.where((left >= DEAD) & (weight > 0), 1 << target, 0)
            ahead = (following[still, seat[those]] - seat[those]) * CODES**SEATS
            onward = (own - actor[those]) * WEIGHTS[seat[those]] + (left - other) * weight
            yield states[those], states[those] + ahead + onward, chances[first * PAIRS + result] / count[those]


def _by_scipy(matrix: csr_array, start: int, ends: int) -> np.ndarray:
    """Turn after turn, which is several times as fast here as scipy's iterative solvers of equations."""
    inner = matrix.shape[0] - ends
    onward = matrix[:inner, :inner].T.tocsr()
    here = np.bincount([start], minlength=inner).astype(float)
    visits = here
    while here.sum() > 1e-10:
        here = onward @ here
        visits = visits + here
    return matrix[:inner, inner:].T @ visits


def _for_storm(stormpy, matrix: csr_array, ends: int):
    """The same chain as Storm keeps it, its first end labelled."""
    models, size = stormpy.models, matrix.shape[0]
    builder = stormpy.datastructures.SparseMatrixBuilder(size, size)
    inner = matrix[: size - ends].tocoo()
    sums = matrix.sum(axis=1)
    entries = inner.row.tolist(), inner.col.tolist(), (inner.data / sums[inner.row]).tolist()
    for row, column, value in zip(*entries, strict=True):
        builder.add_next_value(row, column, value)
    for end in range(size - ends, size):
        builder.add_next_value(end, end, 1.0)
    labels = models.StateLabeling(size)
    labels.add_label("end")
    labels.add_label_to_state("end", size - ends)
    return models.SparseDtmc(models.SparseModelComponents(builder.build(), labels))


def _by_storm(stormpy, model, formula, start: int) -> float:
    return stormpy.model_checking(model, formula).get_value_vector()[start]
