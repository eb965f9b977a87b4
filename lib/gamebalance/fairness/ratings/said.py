"""What a rating found, in words."""

from typing import Any

import numpy as np
import pandas as pd

from gamebalance.fairness import wording
from gamebalance.fairness.planning import rounded_up
from gamebalance.fairness.ratings.lineups import Lineups

#: Below this part of the information that known persons would leave, it is said.
LITTLE = 0.2
#: Games beyond which nobody waits.
MOST_GAMES = 10_000


def about(rating: Any, by: str, frame: pd.DataFrame) -> str:
    """What was found of the labels of a kind."""
    far = frame[["seen", "difference"]].abs().max(axis=1)
    label = frame["share"][far == far.max()].idxmax()
    row, who = frame.loc[label], wording.named(by, label)
    share, chance, low, high, even = map(wording.percent, row[["share", "chance", "low", "high", "even"]])
    if np.isnan(row["chance"]):
        found = f"It cannot be told how often {who} would win between equally strong people; {share}% were seen."
    else:
        found = (
            f"Between equally strong people {who} would win {chance}% of the games ({100 * rating.level:g}% interval "
            f"{low} to {high}%), where {even}% would be even; {share}% were seen, and who played changes it by "
            f"{round(100 * (row['share'] - row['chance']), 1) + 0.0:+.1f} percentage points."
        )
        if rating.p_values[by] == rating.p_values[by]:
            found += f" Even {by}s would look at least as uneven {wording.often(rating.p_values[by])}."
    return " ".join([found, *_untold(by, frame)])


def _untold(by: str, frame: pd.DataFrame) -> list[str]:
    """What these games do not tell of labels of a kind, or hardly."""
    unknown = [wording.named(by, label) for label in frame.index[frame["chance"].isna()]]
    if unknown:
        names = " from ".join([*unknown[:3], f"{len(unknown) - 3} others"] if len(unknown) > 4 else unknown)
        return [f"These games cannot tell {names}: what differs may be the strength of those who played."]
    if (least := frame["information"].min()) >= LITTLE:
        return []
    return [
        f"Who plays what is so fixed that only {wording.percent(least)}% of the information about "
        f"{wording.named(by, frame['information'].idxmin())} is left: it takes {1 / least:.0f} times as many games "
        "as if strengths were known."
    ]


def verdict(lead: str, found: str, more: float = np.inf) -> str:
    """A verdict with what it is about, and how many games more would tell, where any number would."""
    words = f"{lead}: {found[0].lower()}{found[1:]}"
    if not np.isfinite(more):
        return words
    many = wording.games(rounded_up(max(more, 1.0), 2), "more ")
    return f"{words} About {many} would probably (4 in 5) tell, if the chances stay as they are."


def label_cells(name: str, row: pd.Series) -> tuple[str, ...]:
    """A label with its plays, its share of wins, its chance with an interval, and the even one, in percent."""
    plays, share, even = f"{row['plays']:,.0f}", wording.percent(row["share"]), wording.percent(row["even"])
    if row["chance"] != row["chance"]:
        return name, plays, share, "cannot be told", "", even
    chance, low, high = map(wording.percent, row[["chance", "low", "high"]])
    return name, plays, share, chance, f"{low} to {high}", even


def remarks(rating: Any, table: Lineups) -> list[str]:
    """How much luck there is, how soon the better is known, and what else a reader has to know."""
    said = ["These games do not show that anybody is stronger than anybody else."]
    if rating.is_seen:
        whole = f"{rating.bits:.3f} of the {rating.result_bits:.3f} bits of a game's result"
        said = [f"Who plays tells {whole}; the rest is luck."]
    if (more := rating.games_until_told()) is not None and more <= MOST_GAMES:
        said.append(f"After about {wording.games(more)} of each it is 95% sure, in half of all pairs, who is better.")
    if len(table.periods) > 1:
        first, last = (str(table.periods[at]).removesuffix(" 00:00:00").removesuffix(".0") for at in (0, -1))
        ends = f"from {first} to {last}"
        move = f"strengths move by {rating.drift:.2g}, of their spread {rating.spread:.2g}"
        shown = f"From one period to the next, {ends}, {move}."
        said.append(shown if rating.drift_is_seen else f"It is not shown that anybody changes {ends}.")
    if apart := int(table.group.max()):
        said.append(
            f"There are {apart + 1:,} groups of persons who never met, not even by way of others: which is stronger "
            "cannot be told."
        )
    if missing := int((table.person < 0).sum()):
        said.append(f"{missing:,} of {len(table.person):,} players have no name, and count as strangers.")
    names = pd.Series(map(str, table.persons))
    plain = names.str.casefold()
    if len(twice := plain[plain.duplicated()]):
        said.append(f"{' and '.join(sorted(names[plain == twice.min()]))} count as different persons.")
    return said
