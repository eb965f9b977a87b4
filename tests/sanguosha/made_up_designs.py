"""Tables of the grid of changes, as `designs.rows` and `designs.lineups` make them, but drawn by lot."""

from functools import cache

import numpy as np
import pandas

from chapters.sanguosha import exact_rows
from chapters.sanguosha.designs.grid import sentence_of, settings
from chapters.sanguosha.designs.lineups import FIVE, FIVE_SEATINGS
from chapters.sanguosha.designs.rows import ENDINGS, PLAYS, SEATINGS
from gamebalance.sanguosha.outcomes import mean_outcomes

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


def made_up_fives(name: str, keys, more=()) -> pandas.DataFrame:
    """All seatings of five for each key, a number of a setting or a card of which there are some `more`."""
    luck, rows = np.random.default_rng(6), []
    columns = [column for ending, column in exact_rows.COLUMNS.items() if ending[2] < 3 and ending[3] < 2]
    for key in keys:
        beside = [{"setting": sentence_of(settings()[key])}] if name == "number" else [{"more": each} for each in more]
        for each in beside:
            for seating in FIVE_SEATINGS:
                shares = luck.dirichlet(np.full(len(columns), 0.5))
                about = {name: key, **each, "seating": seating, "error_bound": 1e-7, "turns": luck.uniform(5, 150)}
                rows.append(
                    dict.fromkeys(exact_rows.COLUMNS.values(), 0.0) | about | dict(zip(columns, shares, strict=True))
                )
    return pandas.DataFrame(rows)


def outcomes_of_five(rows: pandas.DataFrame, seatings=FIVE_SEATINGS):
    """The mean of some rows over some seatings, by the outcomes of each."""
    found = {row["seating"]: exact_rows.outcomes(row) for row in rows.to_dict("records")}
    return mean_outcomes(FIVE, [found[seating] for seating in seatings])
