"""A page on which the rules of four players are changed by hand: one HTML text that needs no network.

It holds how games end under every setting of the grid (`rows`), what each ending pays for each point (`Scoring`), and
what a change is called in Python (`Change.news`). ``grid.js`` looks settings up and adds up, ``words.js`` says what
was found, and ``script.js`` draws.
"""

import base64
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np

from chapters.pages import document
from chapters.the_smallest_fair_change_grid import (
    ENDINGS,
    FOUR,
    MOST_CHANGES,
    PLAYS,
    SEATINGS,
    TRIED_BELOW,
    changes,
    rules_of,
    settings,
)
from gamebalance.base.rounding import at_most
from gamebalance.sanguosha.design import POINTS, affine, values_of
from gamebalance.sanguosha.lineup import Role
from gamebalance.sanguosha.scoring import REPORT_SCORING, SIDES, winner

#: Parts that a probability is counted in; three bytes hold so many.
PARTS = 10_000_000

#: The ways to play of the page: those of the grid, and where play settles.
SHOWN = (*PLAYS, "settled")

#: Decimals of a number of turns.
TURN_DECIMALS = 3


def page(rows) -> str:
    """The page, below 1 MB, from the rows of every setting of the grid, with what is known of where play settles."""
    return document("sanguosha-bench", data(rows))


def data(rows) -> dict[str, Any]:
    """What the page knows, ready for JSON.

    `changes`: rule, sentence and `Change.news` of each change. `settings`: the numbers of a setting's changes; `same`:
    two changes that are together no other rules than a setting, by their numbers, and the number of that. `endings`:
    who lives and which side has won, the last one that a game is cut; `pays`: by ending and role what each point is
    worth, then a constant. `shares`: by play how games end (see `packed`); at most `unfinished` of them are cut.
    `turns`: by setting, by the report's play, the mean over the seatings.
    """
    found = rows.sort_values("number").fillna("").to_dict("records")
    every = list(changes())
    number = {change: place for place, change in enumerate(every)}
    matrix, constant = affine(lambda rule: np.array([rule.scores(FOUR, ending) for ending in ENDINGS]), REPORT_SCORING)
    pays = np.concatenate([matrix, constant[..., None]], axis=-1)
    return {
        "roles": [{"english": role.english, "chinese": role.chinese, "side": SIDES[role]} for role in Role],
        "seatings": list(SEATINGS),
        "points": dict(zip(POINTS, values_of(REPORT_SCORING).tolist(), strict=True)),
        "changes": [[change.rule.capitalize(), change.said, change.news] for change in every],
        "settings": [[number[change] for change in setting] for setting in settings()],
        "same": dict(_same(every)),
        "endings": [*([ending, winner(ending)] for ending in ENDINGS), [(0,) * len(Role), ""]],
        "pays": np.concatenate([pays, np.zeros_like(pays[:1])]).round(9).tolist(),
        "shares": {play: packed(found, play) for play in SHOWN},
        "unfinished": at_most(rows["unfinished"].max(), 3),
        "turns": [round(float(row["turns"]), TURN_DECIMALS) for row in found],
        "tried_below": TRIED_BELOW,
    }


def texts() -> list[str]:
    """What of the data are texts to be translated."""
    rules = dict.fromkeys(change.rule.capitalize() for change in changes())
    return [*(role.english for role in Role), *rules, *(change.said for change in changes())]


def packed(rows: list[dict], play: str) -> str:
    """How games end by this play, in Base64, three bytes a number.

    For each setting the endings that can happen, as the sum of 2 to their numbers, 0 where the setting was not tried;
    then by seating the probability of each of these endings but the last, which is what is left, in parts of `PARTS`.
    """
    numbers: list[int] = []
    for row in rows:
        if not row[play]:
            numbers.append(0)
            continue
        shares = np.array([seating.split() for seating in row[play].split(";")], float)
        counts = np.array([_parts([*each, 1 - each.sum()]) for each in shares])
        happens = np.flatnonzero(counts.any(axis=0))
        numbers += [int(np.sum(2**happens)), *counts[:, happens[:-1]].ravel().tolist()]
    return base64.b64encode(np.array(numbers, ">u4").view(np.uint8).reshape(-1, 4)[:, 1:].tobytes()).decode()


def _parts(shares: list[float]) -> np.ndarray:
    """Whole parts of each ending, `PARTS` together: rounded, and what is left over given to the likeliest."""
    counts = np.rint(PARTS * np.array(shares)).astype(int)
    counts[counts.argmax()] += PARTS - counts.sum()
    return counts


def _same(every: list) -> Iterator[tuple[str, int]]:
    """Two changes of different rules that are no setting of the grid, by number, and the setting that they make."""
    place = {rules_of(setting): number for number, setting in enumerate(settings())}
    there = set(settings())
    for pair in combinations(range(len(every)), MOST_CHANGES):
        both = tuple(every[number] for number in pair)
        if both not in there and both[0].rule != both[1].rule:
            yield ",".join(map(str, pair)), place[rules_of(both)]
