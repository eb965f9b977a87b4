"""Tables of the notebook on alliances, from the rows of `alliance_row`."""

from collections.abc import Mapping
from itertools import combinations

import pandas as pd

from chapters.sanguosha.reply_rows import SEATINGS, members
from chapters.sanguosha.reply_tables import role_columns
from gamebalance.multiplayer.cooperative import TUGame
from gamebalance.sanguosha.lineup import Role, Seating
from gamebalance.sanguosha.replies.allied import OTHERS, alliance_worth, alliances, coalitions

Worths = Mapping[frozenset[Role], float]


def named(roles: frozenset[Role]) -> str:
    """The alliance in words."""
    return " + ".join(role.english for role in sorted(roles))


def live_table(seating: str) -> tuple[pd.DataFrame, dict[str, TUGame]]:
    """The worth of every alliance of one seating, solved now, and the game in coalitions of each kind of others."""
    roles = sorted(set(Seating(seating).roles))
    worths = {others: {some: alliance_worth(seating, some, others) for some in coalitions(roles)} for others in OTHERS}
    frame = pd.DataFrame({others: list(found.values()) for others, found in worths.items()})
    frame.insert(0, "alliance", [named(some) for some in coalitions(roles)])
    return frame, {others: alliances(found) for others, found in worths.items()}


def worths(rows: pd.DataFrame, seating: str | None = None, of: str = "v") -> dict[frozenset[Role], float]:
    """Worth of every alliance in one seating, or the mean over the six; `of` "report" for its points by the rule."""
    columns = [f"{of}_{place}" for place in ([seating] if seating else SEATINGS)]
    return dict(zip(map(members, rows["roles"]), rows[columns].mean(axis=1), strict=True))


def worth_table(lenient: pd.DataFrame, resisted: pd.DataFrame) -> pd.DataFrame:
    """Means over the six seatings: points by the report's rule, against the report's play, against resistance."""
    report, against_report, resist = worths(lenient, of="report"), worths(lenient), worths(resisted)
    rows = [
        (named(some), report[some], against_report[some], against_report[some] - report[some], resist[some])
        for some in coalitions()
    ]
    return pd.DataFrame(rows, columns=["alliance", "all by the rule", "others by the rule", "gain", "others resist"])


def extra_table(found: Worths) -> pd.DataFrame:
    """What two roles are worth together beyond their worths alone: a square table by role."""
    frame = pd.DataFrame(index=[role.english for role in Role], columns=[role.english for role in Role], dtype=float)
    for one, other in combinations(Role, 2):
        extra = found[frozenset({one, other})] - found[frozenset({one})] - found[frozenset({other})]
        frame.loc[one.english, other.english] = frame.loc[other.english, one.english] = extra
    return frame


def share_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Shapley value, prenucleolus and whether the core is empty, of each seating's game and of the mean game."""
    found = {}
    for seating in (*SEATINGS, None):
        game = alliances(worths(rows, seating))
        shapley, nucleolus = game.shapley(), game.prenucleolus()
        found[seating or "mean"] = {
            ("", "core"): "empty" if game.core_is_empty() else "not empty",
            **role_columns("Shapley value", (shapley[role.english] for role in Role)),
            **role_columns("prenucleolus", (nucleolus[role.english] for role in Role)),
        }
    return pd.DataFrame.from_dict(found, orient="index").rename_axis("seating")
