"""What becomes of a changed rule once players reply to each other as well as they can."""

from typing import Any

import numpy as np
import pandas as pd

from chapters.sanguosha.designs.grid import rules_of, sentence_of, settings
from chapters.sanguosha.designs.rows import FOUR, PLAYS, endings_text
from chapters.sanguosha.reply_rows import as_text
from gamebalance.base.checks import one_of, whole_number
from gamebalance.sanguosha.design import NORMS, fair_points
from gamebalance.sanguosha.exact import solve, solve_lineup
from gamebalance.sanguosha.replies.iterated import iterate_best_replies
from gamebalance.sanguosha.scoring import REPORT_SCORING

#: The report's points, or the smallest change of them, by its norm, that is fair to four players by the report's play.
POINTS = ("report", *NORMS)


def reply_row(number: int, points: str, seating: str, rounds: int) -> dict[str, Any]:
    """Best replies to best replies in one seating under a setting of the grid and one of `POINTS`, the lord first.

    After each round, from the report's play on, as numbers between blanks, the rounds apart by ";": `scores` and
    `survival` of the four roles, and `wins`, the chances of the lord's side, the rebels and the renegade. Before that,
    as in `rows.row`, how the seating ends by each of `PLAYS`.
    """
    scoring = REPORT_SCORING
    if one_of("points", points, POINTS) != "report":
        scoring = fair_points(solve_lineup(FOUR), points).scoring
    setting = settings()[whole_number("number", number, 0, len(settings()) - 1)]
    rules = rules_of(setting)
    found = iterate_best_replies(seating, rounds, rules, scoring).outcomes
    return {
        "number": number,
        "points": points,
        "seating": seating,
        "setting": sentence_of(setting),
        **{play: endings_text([solve(seating, rules, policies)]) for play, policies in PLAYS.items()},
        "scores": as_text(outcomes.expected_scores(scoring) for outcomes in found),
        "survival": as_text(outcomes.survival for outcomes in found),
        "wins": as_text(outcomes.winning.values() for outcomes in found),
    }


def after_replies(rows: pd.DataFrame, what: str) -> np.ndarray:
    """The mean of `scores`, `survival` or `wins` over the seatings of these rows and the later half of the rounds."""
    rounds = np.array([[part.split() for part in text.split(";")] for text in rows[what]], float)
    return rounds[:, (rounds.shape[1] + 1) // 2 :].mean(axis=(0, 1))
