"""How a predictable player fares against one who predicts: moves that form a Markov chain, and counted replies."""

import numpy as np

from gamebalance.base.checks import check_seed, in_memory, shown, whole_number
from gamebalance.base.sums import stationary
from gamebalance.multiplayer.normal_form import kernels
from gamebalance.multiplayer.normal_form.game import check_mix, matrix_of
from gamebalance.multiplayer.normal_form.minimax import guarantee

#: The longest context of a predictor, in rounds.
MOST_ORDER = 8


def chain_moves(transitions, rounds: int, runs: int, seed: int) -> np.ndarray:
    """Moves by ``transitions[before, now]``, shape (runs, rounds); the first is as if after a uniform draw."""
    table = _check_chain(transitions)
    rounds, runs = whole_number("rounds", rounds, 1), whole_number("runs", runs, 1)
    in_memory(f"rounds = {rounds}, runs = {runs}", 16.0 * rounds * runs)
    rng = np.random.default_rng(check_seed(seed))
    edges = table.cumsum(axis=1)[:, :-1]
    moves = np.empty((runs, rounds), int)
    last = rng.integers(len(table), size=runs)
    for t in range(rounds):
        last = (rng.random((runs, 1)) >= edges[last]).sum(axis=1)
        moves[:, t] = last
    return moves


def predictor_replies(matrix, moves: np.ndarray, order: int = 1) -> np.ndarray:
    """What a predicting column player answers to moves, shape (runs, rounds), that do not depend on the replies.

    The predictor counts what the row player, whom he pays by `matrix`, played whenever the last `order` (0 to 8) moves
    were those of now, adds 1 to each count, and plays the first of the best replies to these frequencies; before there
    are so many moves, to uniform play.
    """
    matrix = matrix_of("matrix", matrix)
    moves = np.asarray(moves)
    if moves.ndim != 2 or moves.dtype.kind not in "iu" or not ((moves >= 0) & (moves < len(matrix))).all():
        raise ValueError(f"moves = {shown(moves)}: an array (runs, rounds) of row numbers is needed")
    order = whole_number("order", order, 0, MOST_ORDER)
    in_memory(f"order = {order} of {len(matrix)} rows", 8.0 * float(len(matrix)) ** (order + 1))
    replies = np.empty(moves.shape, np.int64)
    kernels.predict(matrix, moves.astype(np.int64), order, replies)
    return replies


def chain_guarantee(matrix, transitions, order: int = 1) -> float:
    """What is left, per round, of a row player whose moves form a Markov chain against an opponent who knows it.

    The chain, (m, m), must have a single set of rows that recur. With order 0 the opponent knows only how often each
    row of `matrix`, what he pays, is played; otherwise also the last one, as more tell nothing new.
    """
    table = _check_chain(transitions)
    order = whole_number("order", order, 0, MOST_ORDER)
    often = stationary(table)
    if often is None:
        raise ValueError(f"transitions = {shown(transitions)}: a chain with one set of recurring rows is needed")
    if order == 0:
        return guarantee(matrix, often)
    return sum(float(share) * guarantee(matrix, row) for share, row in zip(often, table, strict=True))


def _check_chain(transitions) -> np.ndarray:
    table = matrix_of("transitions", transitions)
    return np.array([check_mix(f"transitions[{k}]", row, len(table)) for k, row in enumerate(table)])
