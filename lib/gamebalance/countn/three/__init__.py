"""Count-N for three players: rules, what coalitions can force, and searches against each other."""

from .forcing import Forcing, solve
from .random_play import RandomPlay, random_play
from .rules import EVALUATIONS, PLAYERS, START_STATE, State, ThreePlayerGame

__all__ = [
    "EVALUATIONS",
    "PLAYERS",
    "START_STATE",
    "Forcing",
    "RandomPlay",
    "State",
    "ThreePlayerGame",
    "random_play",
    "solve",
]
