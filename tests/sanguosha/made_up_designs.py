"""A table of the whole grid of changes, as `designs.rows` makes it, but drawn by lot."""

from functools import cache

import numpy as np
import pandas

from gamebalance.studies.sanguosha.designs.grid import settings
from gamebalance.studies.sanguosha.designs.rows import ENDINGS, PLAYS, SEATINGS

#: The endings that happen when four play by the report's rule.
FEW = (0, 1, 2, 7, 8)


@cache
def made_up() -> pandas.DataFrame:
    """Every setting, the single ones by all plays, of the pairs each third."""
    luck = np.random.default_rng(5)
    rows = []
    for number, setting in enumerate(settings()):
        said = " ".join(change.said for change in setting)
        tried = PLAYS if len(setting) < 2 or number % 3 == 0 else ("report",)
        texts = {play: _drawn(luck, FEW if play == "report" else ()) if play in tried else "" for play in PLAYS}
        rows.append({"number": number, "setting": said, "error_bound": 1e-12, "turns": luck.uniform(5, 150), **texts})
    return pandas.DataFrame(rows)


def _drawn(luck: np.random.Generator, few: tuple[int, ...]) -> str:
    """Chances of the endings in all seatings, some of them nearly 0 or 0."""
    shares = luck.gamma(0.3, size=(len(SEATINGS), len(ENDINGS)))
    if few:
        shares[:, [way for way in range(len(ENDINGS)) if way not in few]] = 0
    shares /= shares.sum(axis=1, keepdims=True)
    return ";".join(" ".join(f"{share:.10g}" for share in seating) for seating in shares)
