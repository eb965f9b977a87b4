"""The chain of three players of Sanguosha, beside Storm and scipy: how often each of the living sets is the last."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
from scipy.sparse import csc_array, eye_array
from scipy.sparse.linalg import lgmres

from bench.timing import Comparison, checked, left_out
from gamebalance import sanguosha
from gamebalance.sanguosha.chain import Chain, Turns, living_sets
from gamebalance.sanguosha.policies import REPORT_POLICIES
from gamebalance.sanguosha.rules import AS_CODED
from gamebalance.sanguosha.scoring import numbers_alive

SEATING = "023"


def comparisons(_peers: Path, rounds: int) -> Iterator[Comparison]:
    """All comparisons that this machine can make; says why one cannot be made."""
    matrix, start, ends = exported(SEATING)
    ours = sanguosha.solve(SEATING)
    wanted = np.array([ours.probability.get(alive, 0.0) for alive in ends])
    what = f"solve {SEATING}, {matrix.shape[0]:,} states"
    solved = partial(sanguosha.solve, SEATING)
    yield checked(f"{what}, scipy, its equations alone", lambda: _by_scipy(matrix, start, len(ends)), solved, rounds,
                  lambda theirs, _: np.allclose(theirs, wanted, atol=1e-9))  # fmt: skip
    try:
        import stormpy
    except ImportError:
        left_out("Storm", "no wheel of stormpy was installed")
        return
    model = _for_storm(stormpy, matrix, len(ends))
    formulas = [stormpy.parse_properties(f'P=? [F "end{end}"]')[0] for end in range(len(ends))]
    yield checked(f"{what}, Storm, its equations alone", lambda: _by_storm(stormpy, model, formulas, start), solved,
                  rounds, lambda theirs, _: np.allclose(theirs, wanted, atol=1e-4))  # fmt: skip


def exported(seating: str) -> tuple[csc_array, np.ndarray, list]:
    """The chain as a matrix of chances, what it starts with, and its ends, which are the last states."""
    roles = sanguosha.Seating(seating).roles
    chain = Chain(roles, AS_CODED, REPORT_POLICIES)
    everyone = [Turns(chain, seats) for seats in chain.open_sets()]
    first, size = {}, 0
    for turns in everyone:
        for actor in turns.seats:
            first[turns.seats, actor] = size
            size += int(np.prod(turns.shape))
    closed = [seats for seats in living_sets(len(roles)) if seats and not chain.is_open(seats)]
    ends = sorted({numbers_alive(roles, seats) for seats in closed})
    entries: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
    for turns in everyone:
        for actor in turns.seats:
            entries += _rows_of(turns, actor, first, size, ends)
    source, target, chance = map(np.concatenate, zip(*entries, strict=True))
    matrix = csc_array((chance, (source, target)), shape=(size + len(ends),) * 2)
    start = np.zeros(size + len(ends))
    for key, mass in chain.opening().items():
        start[first[key] : first[key] + mass.size] = mass.ravel()
    return matrix, start, ends


def _rows_of(turns: Turns, actor: int, first: dict, size: int, ends: list) -> Iterator[tuple]:
    """Where each state of one set leads to in the turn of one player."""
    chain, own, following = turns.chain, first[turns.seats, actor], first[turns.seats, turns.after(actor)]
    for state in range(int(np.prod(turns.shape))):
        mass, onward, exits = np.zeros(turns.shape), np.zeros(turns.shape), {}
        mass.flat[state] = 1.0
        turns.play(actor, mass, onward, exits)
        parts = [(following, onward)]
        for (seats, after), left in exits.items():
            if chain.is_open(seats):
                parts.append((first[seats, after], left))
            else:
                parts.append((size + ends.index(numbers_alive(chain.roles, seats)), left.sum(keepdims=True)))
        for begin, array in parts:
            there = np.flatnonzero(array)
            yield np.full(len(there), own + state), begin + there, array.ravel()[there]


def _by_scipy(matrix: csc_array, start: np.ndarray, ends: int) -> np.ndarray:
    inner = matrix.shape[0] - ends
    visits, failed = lgmres((eye_array(inner) - matrix[:inner, :inner]).T, start[:inner], rtol=1e-10, atol=0)
    assert not failed
    return matrix[:inner, inner:].T @ visits


def _for_storm(stormpy, matrix: csc_array, ends: int):
    """The same chain as Storm keeps it, its ends labelled; what was not reached leads to itself."""
    models = stormpy.models
    size, rows = matrix.shape[0], matrix.tocsr()
    builder = stormpy.datastructures.SparseMatrixBuilder(size, size)
    labels = models.StateLabeling(size)
    for row in range(size):
        columns = rows.indices[rows.indptr[row] : rows.indptr[row + 1]]
        values = rows.data[rows.indptr[row] : rows.indptr[row + 1]]
        if not len(columns):
            columns, values = [row], [1.0]
        order = np.argsort(columns)
        for place in order:
            builder.add_next_value(row, int(columns[place]), float(values[place] / np.sum(values)))
    for end in range(ends):
        labels.add_label(f"end{end}")
        labels.add_label_to_state(f"end{end}", size - ends + end)
    return models.SparseDtmc(models.SparseModelComponents(builder.build(), labels))


def _by_storm(stormpy, model, formulas: list, start: np.ndarray) -> np.ndarray:
    return np.array([np.dot(start, stormpy.model_checking(model, one).get_value_vector()) for one in formulas])
