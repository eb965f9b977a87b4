"""A page on which a reader plays Count-N: one HTML text that needs no network, with the solved game inside.

The page knows the rules (``rules.js``) and no search: value and distance of every position come from `countn.solve`.
"""

import base64
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from chapters.countn.folklore import PLAYED_LINE
from chapters.offline import document
from gamebalance.base.checks import whole_number
from gamebalance.countn.notation import position_text
from gamebalance.countn.rules import OVERFLOWS, START
from gamebalance.countn.solution import Solution, solve

FOLDER = Path(__file__).parent
SCRIPTS = ("rules", "script")
#: More would make the page too large, and distances that no longer fit into a byte.
LARGEST_SIZE = 16
_START = position_text(*START)


@dataclass(frozen=True)
class Preset:
    """A position to begin with, the mover first, and the positions that follow it in a game once played."""

    name: str
    n: int
    position: str = _START
    overflow: str = "one"
    line: tuple[str, ...] = ()


#: The game in the last section of the study, each position with the side to move first.
STUDY_LINE = tuple(
    position_text(left, right) if turn == "left" else position_text(right, left) for left, right, turn, _ in PLAYED_LINE
)

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


def texts() -> list[str]:
    """What of the data are texts to be translated."""
    return [preset.name for preset in PRESETS]


def page(sizes: Iterable[int] = range(3, 13)) -> str:
    """The page as one HTML text; a reader can choose from `sizes`, numbers to count to, each from 2 to 16."""
    chosen = sorted({whole_number("sizes", n, 2, LARGEST_SIZE) for n in sizes})
    if not chosen:
        raise ValueError(f"sizes is empty: at least one whole number from 2 to {LARGEST_SIZE} is needed")
    games = {n: {overflow: packed(solve(n, overflow)) for overflow in OVERFLOWS} for n in chosen}
    data = {"games": games, "presets": [asdict(preset) for preset in PRESETS if preset.n in chosen]}
    return document(FOLDER, SCRIPTS, data)


def packed(solution: Solution) -> str:
    """Value and distance of every position in Base64, a byte for each of the tables' entries, row by row.

    A draw is 0; a decided position is 1 + 2 * distance, and 1 more if the win is big. The mover wins if the distance is
    odd, since the winner makes the last move.
    """
    values, distances = solution.values.astype(np.int64), solution.distances.astype(np.int64)
    codes = np.where(values == 0, 0, 1 + 2 * distances + (abs(values) == 2))
    return base64.b64encode(codes.astype(np.uint8).tobytes()).decode()
