"""Tables of the grid of changes, as the chapters' long runs make them, but drawn by lot."""

from functools import cache

import numpy as np
import pandas

from chapters.five_and_six_players_exactly import COLUMNS
from chapters.the_smallest_fair_change_grid import ENDINGS, FIVE_SEATINGS, PLAYS, SEATINGS, sentence_of, settings

#: The endings that happen when four play by the report's rule.
FEW = (0, 1, 2, 7, 8)


@cache
def made_up() -> pandas.DataFrame:
    """Every setting, the single ones by all plays, of the pairs each third; where play settles, a few of the first."""
    luck = np.random.default_rng(5)
    rows = []
    for number, setting in enumerate(settings()):
        tried = PLAYS if len(setting) < 2 or number % 3 == 0 else ("report",)
        texts = {play: _drawn(luck, FEW if play == "report" else ()) if play in tried else "" for play in PLAYS}
        texts["settled"] = _drawn(luck, (), 0.97) if number < 16 else ""
        about = {
            "number": number,
            "setting": sentence_of(setting),
            "error_bound": 1e-12,
            "unfinished": 0.00049,
            "gain": 0.021,
        }
        rows.append({**about, "turns": luck.uniform(5, 150), **texts})
    return pandas.DataFrame(rows)


def _drawn(luck: np.random.Generator, few: tuple[int, ...], whole: float = 1.0) -> str:
    """Chances of the endings in all seatings, some of them nearly 0 or 0, so much together."""
    shares = luck.gamma(0.3, size=(len(SEATINGS), len(ENDINGS)))
    if few:
        shares[:, [way for way in range(len(ENDINGS)) if way not in few]] = 0
    shares *= whole / shares.sum(axis=1, keepdims=True)
    return ";".join(" ".join(f"{share:.10g}" for share in seating) for seating in shares)


def made_up_fives(cases) -> pandas.DataFrame:
    """All seatings of five for each case, the first columns of its rows."""
    luck, rows = np.random.default_rng(6), []
    columns = [column for ending, column in COLUMNS.items() if ending[2] < 3 and ending[3] < 2]
    for case in cases:
        for seating in FIVE_SEATINGS:
            shares = dict(zip(columns, luck.dirichlet(np.full(len(columns), 0.5)), strict=True))
            about = {**case, "seating": seating, "error_bound": 1e-7, "turns": luck.uniform(5, 150)}
            rows.append(about | dict.fromkeys(COLUMNS.values(), 0.0) | shares)
    return pandas.DataFrame(rows)
