"""How often each state is met: the forward side of the chain, turn by turn."""

import numpy as np

from gamebalance.sanguosha.chain import Turns, numbers_alive, opening_mass, visited_sets
from gamebalance.sanguosha.lineup import roles_of
from gamebalance.sanguosha.policies import Policies
from gamebalance.sanguosha.replies.values import ByState
from gamebalance.sanguosha.rules import AS_CODED, Rules
from gamebalance.sanguosha.scoring import winner
from gamebalance.sanguosha.turn import CODES

#: Mass at which a living set counts as left.
REST = 1e-9


def visits(seating: str, rules: Rules = AS_CODED, policies: Policies | None = None) -> ByState:
    """Expected number of turns that begin in each state, up to `REST` of the mass of each living set.

    Parameters
    ----------
    seating : str
        Two to four players.
    rules : Rules
    policies : mapping from Role to Policy, optional

    Returns
    -------
    dict
        By (living seats, seat to move), for the sets that are met: an array with 28 entries for each living seat, in
        descending order.
    """
    roles = roles_of(seating)
    found: ByState = {}
    inflow = opening_mass(len(roles), rules)
    for seats, entering in visited_sets(len(roles), inflow):
        if winner(numbers_alive(roles, seats)):
            continue
        turns = Turns(roles, seats, rules, entering, policies)
        met = {actor: np.zeros((CODES,) * len(seats)) for actor in seats}
        moving = np.zeros((CODES,) * len(seats))
        while entering or moving.sum() > REST:
            for actor in seats:
                moving = moving + entering.pop(actor, 0.0)
                met[actor] += moving
                onward = np.zeros_like(moving)
                turns.play(actor, moving, onward, inflow)
                moving = onward
        found |= {(seats, actor): count for actor, count in met.items()}
    return found
