"""The page of a season: standings with intervals, what labels are worth, the verdict, and how many games more."""

from typing import Any

import pandas as pd

from gamebalance.fairness import wording
from gamebalance.fairness.page import page
from gamebalance.fairness.ratings.said import label_cells

#: Persons on the page, and the plane in which their intervals are drawn, in the widths of a character.
MOST_PERSONS, WIDTH = 200, 100


def season_page(rating: Any) -> str:
    """The page, without scripts and without anything to be loaded."""
    people = rating.standings(MOST_PERSONS)
    reach = 1.05 * float(people[["low", "high"]].abs().max().max()) or 1.0
    standings = [
        {
            "name": str(name), "games": f"{row['games']:,.0f}", "share": wording.percent(row["share"]),
            "strength": f"{row['strength']:+.2f}", "interval": f"{row['low']:+.2f} to {row['high']:+.2f}",
            "adds": f"{100 * row['adds']:+.1f}",
            **{part: f"{WIDTH * (row[part] + reach) / (2 * reach):.1f}" for part in ("low", "high")},
            "at": f"{WIDTH * (row['strength'] + reach) / (2 * reach):.1f}",
        }
        for name, row in people.iterrows()
    ]  # fmt: skip
    parts = [
        {
            "kind": kind,
            "verdict": rating.judge(kind)[1],
            "rows": [*map(label_cells, *_rows(kind, rating.labels.loc[kind]))],
        }
        for kind in rating.by
    ]
    left = len(rating.persons) - len(people)
    level = f"{100 * rating.level:g}"
    return page("ratings/season.html", rating=rating, standings=standings, parts=parts, left=left, level=level)


def _rows(kind: str, frame: pd.DataFrame) -> tuple[list, list]:
    return [wording.named(kind, label) for label in frame.index], [row for _, row in frame.iterrows()]
