"""Count-N: the hand game 凑 8 (Count-8) for every N, solved by retrograde analysis."""

from gamebalance.countn.rules import LARGEST_N, OVERFLOWS, START, WITHDRAWN, Game, Move
from gamebalance.countn.solve import Option, Solution, solve

__all__ = ["LARGEST_N", "OVERFLOWS", "START", "WITHDRAWN", "Game", "Move", "Option", "Solution", "solve"]
