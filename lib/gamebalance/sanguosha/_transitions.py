"""Choices by state as a sparse matrix: one turn of a player who follows them, forward and backward."""

import numpy as np
from scipy.sparse import csr_array

from gamebalance._jit import njit
from gamebalance.sanguosha._choices import Options, options_by_seat, reduced
from gamebalance.sanguosha.turn import CODES


def transitions(options: Options, choice: np.ndarray) -> csr_array:
    """The chances of what follows a turn.

    Parameters
    ----------
    options : Options
    choice : ndarray of int8, shape (21 or 1, 28, …)
        The target's seat by pair of cards (or whatever the cards) and state.

    Returns
    -------
    csr_array, shape (28**axes, 28**axes + options * 28**(axes - 1))
        By state before the turn and place after it, laid out as the values ahead of `best_turn`. Multiplied with
        values ahead it gives values before; its transpose moves mass.

    Raises
    ------
    ValueError
        If somewhere the choice is neither a living player in reach nor to pass.
    """
    flat = choice.reshape(len(choice), -1)
    states = flat.shape[1]
    wrong, *rows = _rows(options, flat)
    if wrong >= 0:
        pair, state = divmod(wrong, states)
        codes = tuple(int(code) for code in np.unravel_index(state, choice.shape[1:]))
        allowed = ", ".join(str(seat) for seat in options.seats[options.allowed[:, state // options.step % CODES]])
        raise ValueError(
            f"choices[{pair}] at {codes} = {flat[pair, state]}: one of {allowed} is needed (-1 is to pass)"
        )
    return csr_array(tuple(rows), shape=(states, states + len(options.seats) * (states // CODES)))


@njit(nogil=True)
def _rows(options, choice):
    """Chances, places and row starts of the matrix; what several pairs of cards lead to is stored once.

    Before them the place in `choice` of one that is not allowed, or -1.
    """
    seats, allowed, steps, step, moves, kills, chances = options
    by_seat, seen, states = options_by_seat(seats), choice.shape[0] > 1, choice.shape[1]
    found, places = np.empty(states * chances.size), np.empty(states * chances.size, np.int32)
    starts = np.zeros(states + 1, np.int32)
    end = 0
    for state in range(states):
        actor = state // step % CODES
        for pair in range(chances.size):
            chosen = choice[pair if seen else 0, state]
            option = by_seat[chosen] if -1 <= chosen < 10 else 0
            if seats[option] != chosen or not allowed[option, actor]:
                return (pair if seen else 0) * states + state, found[:0], places[:0], starts
            target = state // steps[option] % CODES if steps[option] else 0
            place = state
            if kills[option, actor, target, pair]:
                place = states + option * (states // CODES) + reduced(state, steps[option])
            place += moves[option, actor, target, pair]
            at = starts[state]
            while at < end and places[at] != place:
                at += 1
            if at == end:
                places[at], found[at] = place, 0.0
                end += 1
            found[at] += chances[pair]
        starts[state + 1] = end
    return -1, found[:end].copy(), places[:end].copy(), starts
