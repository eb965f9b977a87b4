"""All states of a small game as one graph: what becomes of the game, exactly, under any way to play.

`GameGraph` finds and checks the states; `policies` says how to play (at random, by looking ahead, best); `Course` is
what becomes of the game then: who wins how, how long it takes, who leads.
"""

from gamebalance.multiplayer.graph import policies
from gamebalance.multiplayer.graph.course import Course, course
from gamebalance.multiplayer.graph.states import MOST_STATES, GameGraph, StateSearch, TooManyStates

__all__ = ["MOST_STATES", "Course", "GameGraph", "StateSearch", "TooManyStates", "course", "policies"]
