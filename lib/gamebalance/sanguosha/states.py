"""How many states a game can really be in, beside the bound of the report's Theorem 7.1."""

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from gamebalance.sanguosha.chain import Chain, Mass, Turns, visited_sets
from gamebalance.sanguosha.lineup import Seating
from gamebalance.sanguosha.rules import AS_CODED, Rules, check_rules
from gamebalance.sanguosha.scoring import numbers_alive, winner

#: Players whose states are counted in seconds.
MOST_PLAYERS = 5


def theorem_bound(players: int) -> int:
    """Theorem 7.1: at most n 30^n states for n players (whose turn, and 15 x 2 conditions of each player)."""
    return players * 30**players


@dataclass(frozen=True)
class StateCount:
    """States that a game can reach, counted as the theorem does: whose turn it is, and everybody's condition.

    `transient` ones in which the game goes on; `absorbing` ones in which it is over, the turn being that of the next.
    """

    seating: Seating
    transient: int
    absorbing: int

    @property
    def total(self) -> int:
        return self.transient + self.absorbing


def reachable_states(seating: Seating | str, rules: Rules = AS_CODED) -> StateCount:
    """Count the states that play can reach with positive probability from the start, of two to five players."""
    seating, rules = Seating(seating, MOST_PLAYERS), check_rules(rules)
    roles = seating.roles
    chain = Chain(roles, rules)
    inflow = chain.opening()
    transient = absorbing = 0
    for seats, entering in visited_sets(len(roles), inflow):
        if winner(numbers_alive(roles, seats)):
            absorbing += sum(np.count_nonzero(mass) for mass in entering.values())
        else:
            transient += _count_set(Turns(chain, seats), entering, inflow)
    return StateCount(seating, int(transient), int(absorbing))


def _count_set(turns: Turns, entering: dict[int, np.ndarray], inflow: Mass) -> int:
    """Reachable states of one living set; marks in `inflow` those of smaller sets that deaths lead to."""
    seen: dict[int, np.ndarray] = defaultdict(lambda: np.zeros((), bool))
    for actor, mass in entering.items():
        seen[actor] = mass > 0
    known, before = 1, 0
    while known > before:
        for actor in turns.seats:
            if not seen[actor].any():
                continue
            onward = np.zeros(seen[actor].shape)
            turns.play(actor, seen[actor].astype(float), onward, inflow)
            seen[turns.after(actor)] = seen[turns.after(actor)] | (onward > 0)
        known, before = sum(int(np.count_nonzero(mark)) for mark in seen.values()), known
    for key in inflow:
        inflow[key] = (inflow[key] > 0).astype(float)
    return known
