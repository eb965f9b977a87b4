"""Tables of the notebook on the smallest fair change: new points, what they do under other play, and changed rules."""

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from chapters.sanguosha import exact_rows
from chapters.sanguosha.designs.grid import rules_of, settings
from chapters.sanguosha.designs.lineups import FIVE
from chapters.sanguosha.designs.replies import after_replies
from chapters.sanguosha.designs.rows import FOUR, PLAY_NAMES, PLAYS, outcomes_of
from chapters.sanguosha.designs.search import UNFAIR, measured, shares_of, unfair
from chapters.sanguosha.printed_tables import grouped
from gamebalance.base.rounding import meant
from gamebalance.fairness.spreads import balance, rationality
from gamebalance.sanguosha.design import POINTS, FairPoints, envy, fair_points
from gamebalance.sanguosha.lineup import ROLE_KEYS, Role
from gamebalance.sanguosha.outcomes import Outcomes, mean_outcomes
from gamebalance.sanguosha.rules import Card
from gamebalance.sanguosha.scoring import REPORT_SCORING, Scoring
from gamebalance.sanguosha.simulation import SlowSimulation, simulate

#: What measures are called in a table.
MEASURE_NAMES = {"Bal": "Bal", "Rat": "Rat", "wins": "chances to win"}

#: Points that two roles may be apart and count as even.
NOTHING = 1e-6

#: The sides, as columns of the chances to win.
SIDE_NAMES = {"lord": "lord's side", "rebel": "rebel", "renegade": "renegade"}
SIDES_WIN = [f"{name} wins, %" for name in SIDE_NAMES.values()]


def what_if_line(said: str, found: Outcomes) -> dict[str, object]:
    """One change in one line: Bal and Rat, the chance of each side to win, and the length of a game."""
    wins = zip(SIDES_WIN, (100 * chance for chance in found.winning.values()), strict=True)
    row = {"what_if(…)": said, "Bal, %": 100 * found.balance, "Rat": found.rationality(found.scoring)}
    return row | dict(wins) | {"turns": found.turns}


def points_table(found: Mapping[str, FairPoints]) -> pd.DataFrame:
    """The ten points of the report and of fair rules by name, and below them how much each changes in all."""
    columns = {name: [*rule.points.values(), rule.change, rule.spread] for name, rule in found.items()}
    report = [*(getattr(REPORT_SCORING, name) for name in POINTS), np.nan, np.nan]
    names = [*(name.replace("_", " ") for name in POINTS), "size of the change", "largest difference"]
    return pd.DataFrame({"points": names, "report": report, **columns})


def short(number: float) -> str:
    """At most two decimals, and nothing for what is not a number."""
    return "" if np.isnan(number) else f"{number:.2f}".rstrip("0").rstrip(".")


def largest_difference(found: Outcomes, scoring: Scoring) -> float:
    """Between what two roles expect, in points."""
    scores = found.expected_scores(scoring)
    return float(np.nanmax(scores) - np.nanmin(scores))


def points_under_play(
    rules: Mapping[str, Scoring], plays: Mapping[str, Outcomes], replied: Mapping[str, pd.DataFrame]
) -> pd.DataFrame:
    """For each rule of points and each play: the largest difference between two roles, and who expects most.

    `replied` has rows of `replies.reply_row`, in all seatings, for those rules of points for which there are some.
    """
    rows = []
    for name, scoring in rules.items():
        row: dict[tuple[str, str], object] = {("", "points"): name}
        scores = {play: found.expected_scores(scoring) for play, found in plays.items()}
        if name in replied:
            scores["replies to replies"] = after_replies(replied[name], "scores")
        for play, each in scores.items():
            row[play, "difference"] = difference = meant(float(np.ptp(each)), residue=NOTHING)
            row[play, "most"] = Role(int(np.argmax(each))).english if difference else ""
        rows.append(row)
    return grouped(rows).fillna({("replies to replies", "most"): ""})


def envy_table(seatings: Mapping[str, Outcomes], scoring: Scoring) -> pd.DataFrame:
    """By seating: what each role expects, and who envies whom most."""
    rows = []
    for seating, gaps in envy(dict(seatings), scoring).items():
        who, whom = np.unravel_index(np.argmax(gaps), gaps.shape)
        scores = seatings[seating].expected_scores(scoring)
        row = {"seating": str(seating)} | {str(role): scores[role] for role in Role}
        rows.append(row | {"envies most": f"{Role(int(who)).english} the {Role(int(whom)).english}", "by": gaps.max()})
    return pd.DataFrame(rows)


def by_play(plays: Mapping[str, Outcomes], level: Sequence[float]) -> pd.DataFrame:
    """The smallest change of the points for each largest difference in `level`: a row for each play and level."""
    rows = []
    for name, found in plays.items():
        for within in level:
            rows.append((name, within, fair_points(found, "l1", within=within).change))
    return pd.DataFrame(rows, columns=["play", "largest difference", "change"])


def card_gradients(cards: pd.DataFrame, fives: pd.DataFrame) -> pd.DataFrame:
    """What one more card of a kind does to `UNFAIR`: half the difference between one more and one less.

    Of four players by each play, and from rows of `lineups.five_card_row` of five by the report's rule.
    """
    values, rows = measured(shares_of(cards).mean(axis=2)), []
    solved = {}
    for key, own in fives.groupby(["card", "more"]):
        solved[key] = unfair(exact_rows.mean_of([exact_rows.outcomes(row) for row in own.to_dict("records")], FIVE))
    for name in UNFAIR:
        for kind in Card:
            more, less = (_place(cards, kind, step) for step in (1, -1))
            row: dict[str, object] = {"what": MEASURE_NAMES[name], "one more card": str(kind)}
            for place, play in enumerate(PLAYS):
                row[PLAY_NAMES[play]] = (values[name][more, place] - values[name][less, place]) / 2
            key = kind.name.lower()
            row["five players"] = (solved[key, 1][name] - solved[key, -1][name]) / 2
            rows.append(row)
    return pd.DataFrame(rows)


def sweep_lines(cards: pd.DataFrame, old: Mapping[str, float]) -> pd.DataFrame:
    """Each of `UNFAIR` by play for cards more or fewer of each kind; `old` is a line of `search.searched`, 0 more."""
    values = measured(shares_of(cards).mean(axis=2))
    columns = {f"{name}, {play}": values[name][:, place] for name in UNFAIR for place, play in enumerate(PLAYS)}
    lines = pd.DataFrame({"card": cards["card"], "more": cards["more"], **columns})
    unchanged = [{"card": kind.name.lower(), "more": 0, **{name: old[name] for name in columns}} for kind in Card]
    return pd.concat([lines, pd.DataFrame(unchanged)]).sort_values(["card", "more"], ignore_index=True)


def _place(cards: pd.DataFrame, kind: Card, more: int) -> int:
    return int(np.flatnonzero((cards["card"] == kind.name.lower()) & (cards["more"] == more))[0])


def front_table(fronts: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Fronts by what they are fair by: the steps, the setting, and Bal of four by each play and of five players."""
    names = {**PLAY_NAMES, "five": "five players"}
    rows = []
    for who, found in fronts.items():
        for line in found.to_dict("records"):
            row = {("", "fair by"): names.get(who, "the worst of three"), ("", "steps"): line["steps"]}
            row["", "new rules"] = line["setting"] or "as in the Sanguosha report"
            rows.append(row | {("Bal, %", name): line[f"Bal, {other}"] for other, name in names.items()})
    return grouped(rows)


def mean_by_play(row: Mapping[str, Any]) -> dict[str, Outcomes]:
    """The mean over the six seatings, by the name of each play, from a row of the grid that was tried by all."""
    return {name: mean_outcomes(FOUR, list(outcomes_of(row, play).values())) for play, name in PLAY_NAMES.items()}


def winners_table(chosen: Mapping[str, Mapping[str, Any]], replied: pd.DataFrame) -> pd.DataFrame:
    """Lines of `search.searched` by a name, under each play and after replies to replies: Bal, Rat, chances to win.

    `replied` has the rows of `replies.reply_row`, those of each line's number with the report's points among them.
    """
    rows = []
    for said, line in chosen.items():
        own = replied[(replied["number"] == line["number"]) & replied["seating"].isin(line["seatings"].split())]
        for play, name in PLAY_NAMES.items():
            found = measured(np.array([text.split() for text in own[play]], float).mean(axis=0))
            rows.append((said, name, found["Bal"], found["Rat"], *(100 * found[f"won_{key}"] for key in SIDE_NAMES)))
        survival, scores, wins = (after_replies(own, what) for what in ("survival", "scores", "wins"))
        rows.append((said, "replies to replies", 100 * balance(survival), rationality(scores), *100 * wins))
    return pd.DataFrame(rows, columns=["new rules", "play", "Bal, %", "Rat", *SIDES_WIN])


def fives_table(chosen: Mapping[str, str], by_play: Mapping[str, Mapping[str, Outcomes]]) -> pd.DataFrame:
    """Settings of five players, by what they are called, under each play: Bal, Rat, and the chance of each side to win.

    `by_play`: for each of `rows.PLAYS` what `lineups.fives` gives.
    """
    rows = []
    for name, said in chosen.items():
        for play, every in by_play.items():
            found = every[said]
            wins = (100 * chance for chance in found.winning.values())
            rows.append((name, PLAY_NAMES[play], 100 * found.balance, found.rationality(), *wins))
    return pd.DataFrame(rows, columns=["new rules", "play", "Bal, %", "Rat", *SIDES_WIN])


def conflict_table(found: pd.DataFrame) -> pd.DataFrame:
    """How many settings are fairer than the report's by one measure, and of these how many are less fair by another."""
    old, rows = found.iloc[0], []
    for name in UNFAIR:
        better = found[found[f"{name}, report"] < old[f"{name}, report"]]
        row: dict[str, object] = {"fairer by": MEASURE_NAMES[name], "settings": len(better)}
        for other in UNFAIR:
            worse = (better[f"{other}, report"] > old[f"{other}, report"]).sum()
            row[f"less fair by {MEASURE_NAMES[other]}"] = np.nan if other == name else int(worse)
        rows.append(row)
    return pd.DataFrame(rows)


def apart_from_exact(simulated: pd.DataFrame, exact: pd.DataFrame) -> pd.DataFrame:
    """How far what a change does to five players in simulated games is from the exact numbers, in standard errors.

    A row for each change that was simulated, by its number, a column for each measure.
    """
    found = simulated[(simulated["lineup"] == str(FIVE)) & (simulated["games"] > 0)].set_index("number")
    names = [name.removesuffix("_error") for name in found if name.endswith("_error")]
    wanted = exact.set_index("number").loc[found.index]
    apart = {name: meant(found[f"{name}_more"] - wanted[f"{name}_more"], residue=NOTHING) for name in names}
    # Paired games may end alike under both rules, so that there is neither a difference nor an error.
    return pd.DataFrame({name: gap / found[f"{name}_error"].where(gap != 0, 1) for name, gap in apart.items()})


def simulated_z(line: Mapping[str, Any], games: int, seed: int) -> np.ndarray:
    """How far simulated survival is from a line of `search.searched`, in standard errors; games in each seating."""
    rules, seatings = rules_of(settings()[line["number"]]), line["seatings"].split()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SlowSimulation)  # other hearts are slower
        played = [simulate(FOUR, games, seed, rules, seating=seating) for seating in seatings]
    mean = np.mean([outcomes.survival for outcomes in played], axis=0)
    error = np.sqrt(np.square([outcomes.survival_error for outcomes in played]).sum(axis=0)) / len(played)
    return (mean - [line[f"alive_{key}, report"] for key in ROLE_KEYS]) / error


def lineup_table(rows: pd.DataFrame, best: int = 1) -> pd.DataFrame:
    """For each line-up the single changes after which Bal is least, and what they do to Rat and the renegade's wins.

    `rows` of `lineups.lineup_row` or `lineups.five_table`.
    """
    parts = []
    for lineup, own in rows.dropna(subset="bal").groupby("lineup", sort=False):
        for line in own.sort_values("bal", kind="stable").head(best).to_dict("records"):
            row = {("", "line-up"): lineup, ("", "new rule"): line["setting"]}
            for name, title, scale in (
                ("bal", "Bal, %", 100),
                ("rat", "Rat", 1),
                ("win_renegade", "renegade wins, %", 100),
            ):
                if name != "win_renegade":
                    row[title, "then"] = scale * line[name]
                row[title, "change"] = scale * line[f"{name}_more"]
                row[title, "s.e."] = scale * line[f"{name}_error"]
            parts.append(row)
    return grouped(parts)
