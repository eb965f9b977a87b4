"""Counterfactual regret minimisation: games with chance and hidden information, for any number of players.

`solve` runs it and says how far the average profile is from an equilibrium: `Result.nash_conv`. In two-player zero-sum
games that number goes to 0; with three players and more nothing promises it, so it must be looked at. `best_response`
and `nash_conv`, which also tells what a profile is worth, are exact; `restricted_response` lies between a best response
and safety. OpenSpiel has as much and more, and is what the tests compare with; here the whole of it can be read.
"""

from gamebalance.multiplayer.cfr.evaluate import (
    BestResponse,
    NashConv,
    RestrictedResponse,
    best_response,
    nash_conv,
    restricted_response,
)
from gamebalance.multiplayer.cfr.solver import VARIANTS, Result, TracePoint, solve
from gamebalance.multiplayer.cfr.tree import MOST_NODES, Forgotten, GameTree, InformationSet, random_profile

__all__ = [
    "MOST_NODES",
    "VARIANTS",
    "BestResponse",
    "Forgotten",
    "GameTree",
    "InformationSet",
    "NashConv",
    "RestrictedResponse",
    "Result",
    "TracePoint",
    "best_response",
    "nash_conv",
    "random_profile",
    "restricted_response",
    "solve",
]
