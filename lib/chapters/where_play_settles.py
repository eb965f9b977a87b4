"""Where play of four settles: rows of what takes minutes a case, and what chapters 2.5, 2.6 and 7.1 make of them."""

import numpy as np

from chapters.playing_sanguosha_better import as_text
from chapters.the_smallest_fair_change_grid import ENDINGS
from gamebalance.sanguosha.lineup import ROLE_KEYS
from gamebalance.sanguosha.rules import AS_CODED
from gamebalance.sanguosha.scoring import REPORT_SCORING, WINNERS, winner
from gamebalance.sanguosha.settling import LAST, TIES, Induction, Seating, settle


def settled_row(seating, ties, rounds):
    """Play that nobody leaves: chances of the endings in the last rounds gone back, and of the sides round by round."""
    found = settle(seating, rounds, ties=ties)
    gains = {f"gain_{key}": float(gain) for key, gain in zip(ROLE_KEYS, found.epsilon, strict=True)}
    ends = {ending: found.chances[ties][:, place] for place, ending in enumerate(found.endings)}
    return {
        "seating": seating,
        "ties": ties,
        "unfinished": found.unfinished,
        **gains,
        "endings": as_text(zip(*(ends.get(ending, np.zeros(rounds))[-LAST:] for ending in ENDINGS), strict=True)),
        "sides": as_text(
            zip(*(sum(ends[end] for end in ends if winner(end) == side) for side in WINNERS), strict=True)
        ),
    }


def moves_row(seating, rounds):
    """How often each move is made in a game of settled play: the living, the mover and the target by seat."""
    units = tuple((seat,) for seat in range(len(seating)))
    induction = Induction(Seating(seating), AS_CODED, REPORT_SCORING, units, {}, TIES[0], tallied=True)
    *_, row = induction.rounds(rounds)
    moves = [
        "".join(map(str, living)) + f":{mover}>{'' if target < 0 else target}"
        for living, mover, target in induction.moves
    ]
    often = row[len(row) - len(moves) :]
    return {
        "seating": seating,
        "moves": ";".join(f"{name} {number:.10g}" for name, number in zip(moves, often, strict=True)),
    }
