"""The grid searched: what each setting does to every measure of fairness, and which is the smallest change that helps.

A setting is one or two changed rules, or one rule and who may sit where; how far it is from the report's rules is the
sum of the steps of its changes.
"""

from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np
import pandas as pd

from chapters.sanguosha.designs.grid import MOST_CHANGES, sentence_of, settings
from chapters.sanguosha.designs.rows import ENDINGS, FOUR, PLAYS, SEATINGS, won_by_member
from chapters.sanguosha.seating_rules import RULES
from gamebalance.base.rounding import meant
from gamebalance.base.sums import dot
from gamebalance.sanguosha.lineup import ROLE_KEYS
from gamebalance.sanguosha.outcomes import Outcomes
from gamebalance.sanguosha.scoring import REPORT_SCORING, SIDES, Scoring, winner

#: Measures of unfairness, the less the better: Bal in percent, Rat in points squared, and the root mean square
#: difference of the players' chances to win from their mean, in percentage points.
UNFAIR = ("Bal", "Rat", "wins")

#: Of whom there are such measures: four players by each of the plays, and five by the report's.
MEASURED = (*PLAYS, "five")

#: The ends of what a rule can do to a measure.
ENDS = ("least", "largest")


def shares_of(rows: pd.DataFrame) -> np.ndarray:
    """How games end, shape (rows, plays, seatings, endings); nan where a row was not played so."""
    empty = ";".join([" ".join(["nan"] * len(ENDINGS))] * len(SEATINGS))
    texts = [[text or empty for text in row] for row in rows[[*PLAYS]].fillna("").to_numpy()]
    found = np.array([[[seat.split() for seat in text.split(";")] for text in row] for row in texts], float)
    return found / found.sum(axis=-1, keepdims=True)


def measured(shares: np.ndarray, scoring: Scoring = REPORT_SCORING) -> dict[str, np.ndarray]:
    """What the endings mean, by name, arrays of the shape of `shares` without its last axis.

    `UNFAIR`, and for each role ``alive_lord``, ``won_lord``, ``score_lord`` and so on: chances from 0 to 1, and points.
    """
    tables = {
        "alive": np.array(ENDINGS) / FOUR.counts,
        "won": np.array([[winner(ending) == side for side in SIDES] for ending in ENDINGS], float),
        "score": np.array([scoring.scores(FOUR, ending) for ending in ENDINGS]),
    }
    by_role = {name: dot(shares, table) for name, table in tables.items()}
    found = {
        "Bal": 100 * _squares(by_role["alive"]),
        "Rat": _squares(by_role["score"]),
        "wins": 100 * np.sqrt(_squares(by_role["won"]) / len(ROLE_KEYS)),
    }
    for name, values in by_role.items():
        found |= {f"{name}_{key}": values[..., role] for role, key in enumerate(ROLE_KEYS)}
    return found


def unfair(outcomes: Outcomes) -> dict[str, float]:
    """`UNFAIR` of games that end so, of any line-up."""
    counts, chances = outcomes.lineup.counts, outcomes.results.mean(won_by_member(outcomes))
    apart = np.average(np.square(chances - np.average(chances, weights=counts)), weights=counts)
    return {"Bal": 100 * outcomes.balance, "Rat": outcomes.rationality(), "wins": 100 * float(np.sqrt(apart))}


def _squares(values: np.ndarray) -> np.ndarray:
    """`fairness.spreads.squared_deviations` along the last axis."""
    return np.square(values - values.mean(axis=-1, keepdims=True)).sum(axis=-1)


@cache
def seating_rules(seatings: tuple[str, ...] = SEATINGS) -> dict[str, tuple[int, ...]]:
    """Rules for seating that leave some of the seatings and not all, by their sentence: the numbers of those left.

    Of rules that leave the same the first one of `seating_rules.RULES` stands for all.
    """
    found: dict[tuple[int, ...], str] = {}
    for said, obeyed in RULES.items():
        left = tuple(place for place, seating in enumerate(seatings) if obeyed(seating))
        if 0 < len(left) < len(seatings):
            found.setdefault(left, f"{said}.")
    return {said: left for left, said in found.items()}


def searched(rows: pd.DataFrame, scoring: Scoring = REPORT_SCORING) -> pd.DataFrame:
    """All settings of the grid with every measure, from the rows of `rows.row`: a line for each.

    `number` as there, `setting` in sentences, the `rules`, how many `changes` and `steps` that is, and the `seatings`
    that are allowed. Then by play all that `measured` gives, such as ``Bal, report``, and ``Bal, worst``, the largest
    of the plays; nan where a pair of rules was not tried.
    """
    shares, parts = shares_of(rows), []
    for said, left in {"": tuple(range(len(SEATINGS))), **seating_rules()}.items():
        some = np.array([len(settings()[number]) + bool(said) <= MOST_CHANGES for number in rows["number"]])
        parts.append(_lines(rows[some], said, left, measured(shares[some][:, :, left].mean(axis=2), scoring)))
    return pd.concat(parts, ignore_index=True).sort_values(["changes", "steps", "number"], ignore_index=True)


def about(number: int, seating: str = "") -> dict[str, object]:
    """What a setting of the grid changes, together with a rule for seating, "" for none: a line of `searched`."""
    setting = settings()[number]
    return {
        "number": number,
        "setting": f"{sentence_of(setting)} {seating}".strip(),
        "rules": ", ".join([*(change.rule for change in setting), *["seating"] * bool(seating)]),
        "changes": len(setting) + bool(seating),
        "steps": sum(change.steps for change in setting) + bool(seating),
    }


def beside(lines: pd.DataFrame, others: pd.DataFrame) -> pd.DataFrame:
    """Lines with the columns of others that they lack, by the sentences of their settings; nan where there are none."""
    return lines.join(others.set_index("setting")[[name for name in others if name not in lines]], on="setting")


def _lines(rows: pd.DataFrame, seating: str, left: Sequence[int], values: Mapping[str, np.ndarray]) -> pd.DataFrame:
    """Lines of one seating rule, "" for none: what is changed, and what was measured."""
    lines = pd.DataFrame([about(number, seating) for number in rows["number"]]).to_dict("list")
    lines["seatings"] = " ".join(SEATINGS[place] for place in left)
    for name, by_play in values.items():
        lines |= {f"{name}, {play}": by_play[:, place] for place, play in enumerate(PLAYS)}
    for name in UNFAIR:
        lines[f"{name}, worst"] = values[name].max(axis=1)
    return pd.DataFrame(lines)


def front(found: pd.DataFrame, column: str) -> pd.DataFrame:
    """The settings than which none with as few steps is as fair, the smallest first.

    Each is fairer, by `column` and at the digits that are meant, than everything with as many steps or fewer; of
    several that are as fair the first. Settings that were not tried are left out: `TRIED_BELOW` says when that is safe.
    """
    tried = found[found[column].notna()]
    ordered = tried.assign(shown=meant(tried[column])).sort_values(["steps", "shown"], kind="stable")
    best = ordered["shown"].cummin().shift(fill_value=np.inf)
    return ordered[ordered["shown"] < best].drop(columns="shown").reset_index(drop=True)


def tornado(found: pd.DataFrame) -> pd.DataFrame:
    """How far each rule alone can move a measure: least and largest value over all its numbers, the old one included.

    An index by the name of the rule, the rule that can move Bal most, by any play, first; columns such as
    ``("Bal, report", "least")``, of all that are `MEASURED` in `found`.
    """
    measured = [who for who in MEASURED if f"{UNFAIR[0]}, {who}" in found]
    columns = [f"{name}, {who}" for name in UNFAIR for who in measured]
    old, single = found[found["changes"] == 0].iloc[0], found[found["changes"] == 1]
    rows, widths = {}, {}
    for rule, numbers in single.groupby("rules", sort=False):
        values = np.vstack([numbers[columns], old[columns]]).astype(float)
        ends = zip(columns, values.min(axis=0), values.max(axis=0), strict=True)
        rows[rule] = {(column, end): value for column, *two in ends for end, value in zip(ENDS, two, strict=True)}
        widths[rule] = meant(np.ptp(values, axis=0)[: len(measured)].max())
    return pd.DataFrame.from_dict({rule: rows[rule] for rule in sorted(rows, key=lambda rule: -widths[rule])}, "index")
