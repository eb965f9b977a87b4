"""Count-N: the hand game 凑 8 (Count-8) for every N, solved by retrograde analysis.

In the order in which to read it: `rules` (one position), `states` (who sits where, positions as text), `plain` (the
solver in forty lines, and the study's procedure), `solution` (what is asked of a solved game), `tables` and `kernels`
(the same compiled), `certificate` and `checker` (a proof of a draw, and who checks it); `three` is the game for three
players.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "rules": ["Game", "LARGEST_N", "Move", "OVERFLOWS", "START", "WITHDRAWN"],
        "solution": ["Option", "Solution", "solve", "what_if"],
        "states": ["START_STATE", "TwoPlayerGame"],
    },
)
