"""Count-N for three players: `rules`, what coalitions can force (`forcing`, and `plain` to read), random `chances`."""

from gamebalance.countn.three.chances import RandomPlay, random_play
from gamebalance.countn.three.forcing import Forcing, solve
from gamebalance.countn.three.rules import PLAYERS, START_STATE, State, ThreePlayerGame

__all__ = [
    "PLAYERS",
    "START_STATE",
    "Forcing",
    "RandomPlay",
    "State",
    "ThreePlayerGame",
    "random_play",
    "solve",
]
