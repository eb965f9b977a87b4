"""Count-N: the hand game 凑 8 (Count-8) for every N, solved by retrograde analysis.

In the order in which to read it: `rules` (one position), `states` (who sits where, positions as text), `plain` (the
solver in forty lines, and the study's procedure), `solution` (what is asked of a solved game), `kernels` (the same
compiled), `certificate` and `checker` (a proof of a draw, and who checks it); `three` is the game for three players.
"""

from gamebalance.countn.rules import LARGEST_N, OVERFLOWS, START, WITHDRAWN, Game, Move
from gamebalance.countn.solution import Option, Solution, solve, what_if
from gamebalance.countn.states import START_STATE, TwoPlayerGame

__all__ = [
    "LARGEST_N",
    "OVERFLOWS",
    "START",
    "START_STATE",
    "WITHDRAWN",
    "Game",
    "Move",
    "Option",
    "Solution",
    "TwoPlayerGame",
    "solve",
    "what_if",
]
