"""Chapter 4.1: a page on which a reader plays Count-N, one HTML text with the solved game inside.

The page knows the rules (``rules.js``) and no search: value and distance of every position come from `countn.solve`.
"""

import base64
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from chapters.pages import document
from gamebalance.base.checks import whole_number
from gamebalance.countn import OVERFLOWS, START, Solution, solve
from gamebalance.countn.states import position_text

#: More would make the page too large, and distances that no longer fit into a byte.
LARGEST_SIZE = 16

#: From a game that the study's author lost: hands on the left (ycy) and on the right (the author), who is to move, and
#: the label that the study gives.
PLAYED_LINE = (
    ((1, 7), (2, 6), "left", None),
    ((1, 1), (2, 6), "right", "UNKNOWN"),
    ((1, 1), (3, 6), "left", "UNKNOWN"),
    ((1, 7), (3, 6), "right", "UNKNOWN"),
    ((1, 7), (4, 6), "left", "UNKNOWN"),
    ((1, 1), (4, 6), "right", "WIN"),
    ((1, 1), (5, 6), "left", "WIN"),
    ((1, 7), (5, 6), "right", "LOSE"),
    ((1, 7), (6, 6), "left", "WIN"),
    ((1, 1), (6, 6), "right", "LOSE"),
)
#: The same with the side to move first.
STUDY_LINE = tuple(
    position_text(left, right) if turn == "left" else position_text(right, left) for left, right, turn, _ in PLAYED_LINE
)


class Preset(NamedTuple):
    """A position to begin with, the mover first, and the positions that follow it in a game once played."""

    name: str
    n: int
    position: str = position_text(*START)
    overflow: str = "one"
    line: tuple[str, ...] = ()


PRESETS = (
    Preset("The start of Count-8", 8),
    Preset("The game played in the Count-8 study", 8, STUDY_LINE[0], line=STUDY_LINE[1:]),
    Preset("The first win missed in it", 8, STUDY_LINE[0]),
    Preset("The second win missed in it", 8, STUDY_LINE[5]),
    Preset("A 3 against two 7s, which wins", 8, "2,3 v 7,7"),
    Preset("A 3 against two 7s, which loses", 8, "1,3 v 7,7"),
    Preset("Count-3, the smallest game", 3),
    Preset("Count-7, which the first player wins", 7),
    Preset("Count-9, which the second player wins", 9),
    Preset("Count-10 with rollover", 10, overflow="rollover"),
)


def page(sizes: Iterable[int] = range(3, 13)) -> str:
    """The page as one HTML text; a reader can choose from `sizes`, numbers to count to, each from 2 to 16."""
    chosen = sorted({whole_number("sizes", n, 2, LARGEST_SIZE) for n in sizes})
    games = {n: {overflow: packed(solve(n, overflow)) for overflow in OVERFLOWS} for n in chosen}
    data = {"games": games, "presets": [preset._asdict() for preset in PRESETS if preset.n in chosen]}
    return document("countn-explorer", data)


def texts() -> list[str]:
    """What of the data is to be translated."""
    return [preset.name for preset in PRESETS]


def packed(solution: Solution) -> str:
    """Value and distance of every position in Base64, a byte for each of the tables' entries, row by row.

    A draw is 0; a decided position is 1 + 2 * distance, and 1 more if the win is big. The mover wins if the distance is
    odd, since the winner makes the last move.
    """
    values, distances = solution.values.astype(np.int64), solution.distances.astype(np.int64)
    codes = np.where(values == 0, 0, 1 + 2 * distances + (abs(values) == 2))
    return base64.b64encode(codes.astype(np.uint8).tobytes()).decode()
