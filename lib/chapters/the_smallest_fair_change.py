"""The smallest change that makes four players fair: measures of all settings of the grid, and which are smallest."""

import numpy as np
import pandas as pd

from chapters import the_smallest_fair_change_grid as grid
from chapters.the_smallest_fair_change_grid import seating_rules
from gamebalance.base.rounding import meant
from gamebalance.base.sums import dot
from gamebalance.publish.style import COLOURS, INK
from gamebalance.sanguosha.lineup import ROLE_KEYS
from gamebalance.sanguosha.scoring import REPORT_SCORING, SIDES, winner

#: Measures of unfairness, the less the better: Bal in percent, Rat in points squared, and the root mean square
#: difference of the players' chances to win from their mean, in percentage points; and what tables call them.
MEASURE_NAMES = {"Bal": "Bal", "Rat": "Rat", "wins": "chances to win"}
UNFAIR = tuple(MEASURE_NAMES)
#: Of whom there are such measures: four players by each of the plays, and five by the report's.
MEASURED = (*grid.PLAYS, "five")
#: The columns of the sides' chances to win.
SIDES_WIN = ["lord's side wins, %", "rebel wins, %", "renegade wins, %"]
#: How each play of four, five players, and the worst of the plays are drawn: none is told by its colour alone.
LOOKS = {
    name: {"color": colour, "marker": marker, "linestyle": line, "label": name}
    for name, colour, marker, line in zip(
        grid.PLAY_NAMES.values(), COLOURS, "osD", ("-", (0, (5, 1.5)), (0, (1.2, 1.2))), strict=False
    )
}
LOOKS["five"] = {"color": COLOURS[3], "label": "five players, fixed rule"}
LOOKS["worst"] = {"color": INK, "marker": "X", "linestyle": (0, (5, 1.5, 1.2, 1.5)), "label": "the worst of the three"}


def shares_of(rows):
    """How games end, shape (rows, plays, seatings, endings); nan where a row was not played so."""
    empty = ";".join([" ".join(["nan"] * len(grid.ENDINGS))] * len(grid.SEATINGS))
    texts = [[text or empty for text in row] for row in rows[[*grid.PLAYS]].fillna("").to_numpy()]
    shares = np.array([[[seat.split() for seat in text.split(";")] for text in row] for row in texts], float)
    return shares / shares.sum(axis=-1, keepdims=True)


def measured(shares):
    """What the endings mean, arrays of the shape of `shares` without its last axis: `UNFAIR`, and numbers by role."""
    tables = {
        "alive": np.array(grid.ENDINGS) / grid.FOUR.counts,
        "won": np.array([[winner(ending) == side for side in SIDES] for ending in grid.ENDINGS], float),
        "score": np.array([REPORT_SCORING.scores(grid.FOUR, ending) for ending in grid.ENDINGS]),
    }
    by_role = {name: dot(shares, table) for name, table in tables.items()}
    alive, won, score = (
        np.square(values - values.mean(axis=-1, keepdims=True)).sum(axis=-1) for values in by_role.values()
    )
    numbers = {"Bal": 100 * alive, "Rat": score, "wins": 100 * np.sqrt(won / len(ROLE_KEYS))}
    for name, values in by_role.items():
        numbers |= {f"{name}_{key}": values[..., role] for role, key in enumerate(ROLE_KEYS)}
    return numbers


def unfair(outcomes):
    """`UNFAIR` of games that end so, of any line-up."""
    counts, chances = outcomes.lineup.counts, outcomes.results.mean(grid.won_by_member(outcomes))
    apart = np.average(np.square(chances - np.average(chances, weights=counts)), weights=counts)
    return {"Bal": 100 * outcomes.balance, "Rat": outcomes.rationality(), "wins": 100 * float(np.sqrt(apart))}


def about(number, seating=""):
    """What a setting of the grid changes, together with a rule for seating, "" for none: a line of `searched`."""
    setting = grid.settings()[number]
    return {
        "number": number,
        "setting": f"{grid.sentence_of(setting)} {seating}".strip(),
        "rules": ", ".join([*(change.rule for change in setting), *["seating"] * bool(seating)]),
        "changes": len(setting) + bool(seating),
        "steps": sum(change.steps for change in setting) + bool(seating),
    }


def searched(rows):
    """All settings of the grid, with their allowed `seatings` and, such as "Bal, report", every measure by play."""
    shares, parts = shares_of(rows), []
    for rule, left in {"": tuple(range(len(grid.SEATINGS))), **seating_rules()}.items():
        few = np.array([len(grid.settings()[number]) + bool(rule) <= grid.MOST_CHANGES for number in rows["number"]])
        lines = pd.DataFrame([about(number, rule) for number in rows["number"][few]]).to_dict("list")
        lines["seatings"] = " ".join(grid.SEATINGS[place] for place in left)
        values = measured(shares[few][:, :, left].mean(axis=2))
        lines |= {f"{name}, {play}": values[name][:, place] for name in values for place, play in enumerate(grid.PLAYS)}
        lines |= {f"{name}, worst": values[name].max(axis=1) for name in UNFAIR}
        parts.append(pd.DataFrame(lines))
    return pd.concat(parts, ignore_index=True).sort_values(["changes", "steps", "number"], ignore_index=True)


def beside(lines, others):
    """Lines with the columns of others that they lack, by the sentences of their settings; nan where there are none."""
    return lines.join(others.set_index("setting")[[name for name in others if name not in lines]], on="setting")


def front(lines, column):
    """The settings than which none with as few steps is as fair, the smallest first.

    Each is fairer, by `column` and at the digits that are meant, than everything with as many steps or fewer; of
    several that are as fair the first. Settings that were not tried are left out: `TRIED_BELOW` says when that is safe.
    """
    tried = lines[lines[column].notna()]
    ordered = tried.assign(shown=meant(tried[column])).sort_values(["steps", "shown"], kind="stable")
    best = ordered["shown"].cummin().shift(fill_value=np.inf)
    return ordered[ordered["shown"] < best].drop(columns="shown").reset_index(drop=True)


def tornado(lines):
    """How far each rule alone can move a measure: least and largest value over its numbers, the old one among them."""
    whose = [who for who in MEASURED if f"Bal, {who}" in lines]
    columns = [f"{name}, {who}" for name in UNFAIR for who in whose]
    old, rows = lines[lines["changes"] == 0], {}
    for rule, numbers in lines[lines["changes"] == 1].groupby("rules", sort=False):
        rows[rule] = pd.concat([old, numbers])[columns].astype(float).agg(["min", "max"])
    widths = {rule: -meant((ends.loc["max"] - ends.loc["min"]).iloc[: len(whose)].max()) for rule, ends in rows.items()}
    rules = sorted(rows, key=widths.__getitem__)
    heads = pd.MultiIndex.from_product([columns, ["least", "largest"]])
    return pd.DataFrame([rows[rule].to_numpy().T.ravel() for rule in rules], rules, heads)


def short(number):
    """At most two decimals, and nothing for what is not a number."""
    return "" if np.isnan(number) else f"{number:.2f}".rstrip("0").rstrip(".")


def largest_difference(outcomes, scoring):
    """Between what two roles expect, in points."""
    scores = outcomes.expected_scores(scoring)
    return float(np.nanmax(scores) - np.nanmin(scores))


def after_replies(rows, what):
    """The mean of `scores`, `survival` or `wins` of `reply_row` over the seatings and the later half of the rounds."""
    rounds = np.array([[part.split() for part in text.split(";")] for text in rows[what]], float)
    return rounds[:, (rounds.shape[1] + 1) // 2 :].mean(axis=(0, 1))
