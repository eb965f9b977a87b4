"""Count-N: the hand game 凑 8 (Count-8) for every N, solved by retrograde analysis.

In the order in which to read it: `rules` (one position), `notation` (positions as text), `states` (who sits where),
`plain` (the solver in forty lines), `solution` (what is asked of a solved game), `what_if` (a
game with something changed), `kernels` (the same compiled),
`certificate` and `checker` (a proof of a draw, and who checks it), `endings` (a theorem about one hand each),
`published_labels` (the study's own procedure); `three` is the game for three players.
"""

from gamebalance.countn.rules import LARGEST_N, OVERFLOWS, START, WITHDRAWN, Game, Move
from gamebalance.countn.solution import Option, Solution, solve
from gamebalance.countn.states import START_STATE, TwoPlayerGame
from gamebalance.countn.what_if import what_if

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
