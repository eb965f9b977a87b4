"""Tables of the notebooks on better play, from single solutions and from the rows of long runs."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from gamebalance.metrics import balance, rationality
from gamebalance.rounding import bound
from gamebalance.sanguosha._choices import OUT_OF_REACH, PASS
from gamebalance.sanguosha.attacks import Seats
from gamebalance.sanguosha.exact import solve
from gamebalance.sanguosha.lineup import Role
from gamebalance.sanguosha.replies.best import BestReply, total_points
from gamebalance.sanguosha.replies.values import Values
from gamebalance.sanguosha.rules import CARD_PAIRS, Card
from gamebalance.sums import dot

#: Role names as the rows have them, in the order of `Role`.
NAMES = tuple(role.name.lower() for role in Role)


def decision(values: Values, seats: Seats, actor: int, state: tuple[int, ...]) -> pd.DataFrame:
    """What each option is worth in one state, with a slash among the two cards and without.

    Parameters
    ----------
    values : Values
        With the actor's role controlled and the cards seen.
    seats, actor
        The living seats, and the one to move.
    state : tuple of int
        Codes of the living players, in descending order of their seats.

    Returns
    -------
    DataFrame
        Rows "with a slash" and "without": expected points of each option, means over the pairs of cards.
    """
    options, worths = values.worths(seats, actor)
    by_pair = worths[(slice(None), slice(None), *state)]
    chances = np.array([float(chance) for chance in values.rules.pair_probability])
    slash = np.array([Card.SLASH in cards for cards in CARD_PAIRS])
    names = ["pass" if seat == PASS else f"attack seat {seat}" for seat in options.seats]
    means = [dot(chances[held], by_pair[held]) / chances[held].sum() for held in (slash, ~slash)]
    frame = pd.DataFrame(means, index=["with a slash", "without"], columns=names)
    return frame.loc[:, (frame > OUT_OF_REACH / 2).all()]


def live_table(replies: Mapping[Role, BestReply]) -> pd.DataFrame:
    """Best replies in one seating: points by the report's rule and by the reply, and how far apart its bounds are."""
    rows = []
    for role, reply in replies.items():
        report = total_points(solve(reply.seating), {role}, reply.scoring)
        score = reply.outcomes.survival[role]
        rows.append(
            (str(role), report, reply.points, reply.points - report, bound(abs(reply.gap)), score, reply.sweeps)
        )
    columns = ["role", "report", "best reply", "gain", "between bounds", "survival", "sweeps"]
    return pd.DataFrame(rows, columns=columns)


def reply_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Means over the six seatings: report, best reply with the cards unseen, best reply, and its range.

    Parameters
    ----------
    rows : DataFrame
        Of `rows.reply_row`.
    """
    found = []
    for role in Role:
        own = rows[rows["role"] == role.name.lower()]
        reply, most = own["played"], own.loc[own["played"].idxmax(), "seating"]
        means = own[["report", "unseen", "played"]].mean()
        least = own.loc[reply.idxmin(), "seating"]
        found.append((str(role), *means, means["played"] - means["report"], reply.min(), least, reply.max(), most))
    columns = ["role", "report", "cards unseen", "best reply", "gain", "lowest", "in seating", "highest", "in seating "]
    return pd.DataFrame(found, columns=columns)


def threat_table(threats: pd.DataFrame, replies: pd.DataFrame) -> pd.DataFrame:
    """Own points of a role that plays by threat, mean over the seatings, between the report's rule and the best reply.

    Parameters
    ----------
    threats, replies : DataFrame
        Of `rows.threat_row` and `rows.reply_row`.
    """
    found = []
    for role in Role:
        own = replies[replies["role"] == role.name.lower()]
        row = {"role": str(role), "report": own["report"].mean()}
        for (knows, spares), column in THREAT_COLUMNS.items():
            kind = threats[(threats["knows"] == knows) & (threats["spares_friends"] == spares)]
            row[column] = kind.loc[kind["players"] == role.name.lower(), f"score_{role.name.lower()}"].mean()
        found.append({**row, "best reply": own["played"].mean()})
    return pd.DataFrame(found)


#: Headings of the kinds of threat policy that the table shows.
THREAT_COLUMNS = {
    ("everything", False): "threat, all known",
    ("own sight", False): "threat, own sight",
    ("own sight", True): "and sparing friends",
}


def knowledge_table(blind: pd.DataFrame, threats: pd.DataFrame) -> pd.DataFrame:
    """What each role scores with ever more knowledge and skill, means over the seatings.

    Parameters
    ----------
    blind, threats : DataFrame
        Of `rows.blind_row` and `rows.threat_row`.
    """
    seen = threats[(threats["knows"] == "own sight") & ~threats["spares_friends"].astype(bool)]
    found = []
    for role in Role:
        row, name = blind[blind["role"] == int(role)].iloc[0], role.name.lower()
        threat = seen.loc[seen["players"] == name, f"score_{name}"].mean()
        found.append((str(role), row["report"], threat, row["first"], row["best"], row["upper"]))
    columns = ["role", "report", "threat, own sight", "mean of the known", "rule found", "all known"]
    return pd.DataFrame(found, columns=columns)


def trace(rows: pd.DataFrame, what: str = "scores") -> pd.DataFrame:
    """Scores or survival of the four roles by seating and round, from the rows of `rows.iterated_row`.

    Returns
    -------
    DataFrame
        Columns `seating`, `round`, and one for each role by its name in `NAMES`.
    """
    found = []
    for row in rows.itertuples():
        for number, text in enumerate(getattr(row, what).split(";")):
            values = map(float, text.split())
            found.append({"seating": row.seating, "round": number, **dict(zip(NAMES, values, strict=True))})
    return pd.DataFrame(found)


def grouped(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame, its columns of pairs as two rows of headings."""
    frame.columns = pd.MultiIndex.from_tuples(frame.columns)
    return frame


def end_table(rows: pd.DataFrame) -> pd.DataFrame:
    """How iterated best replies ended in each seating: status, rounds, and the scores before and in the last rounds."""
    first, last = trace(rows).query("round == 0").set_index("seating"), last_rounds(rows, "scores")
    found = {}
    for row in rows.itertuples():
        found[row.seating] = {
            ("", "ends"): row.status if row.status != "cycle" else f"cycle of {row.period}",
            ("", "rounds"): row.rounds,
            **{("by the report", role.english): first.loc[row.seating, role.name.lower()] for role in Role},
            **{("last rounds", role.english): last.loc[row.seating, role.name.lower()] for role in Role},
        }
    return grouped(pd.DataFrame.from_dict(found, orient="index").rename_axis("seating"))


def last_rounds(rows: pd.DataFrame, what: str) -> pd.DataFrame:
    """Mean by seating over the rounds of the cycle, or over the last half where it was stopped: columns as `NAMES`."""
    frame = trace(rows, what)
    found = {}
    for row in rows.itertuples():
        own = frame[frame["seating"] == row.seating][list(NAMES)]
        found[row.seating] = own.iloc[-(row.period or row.rounds // 2) :].mean()
    return pd.DataFrame(found).T


def fairness_table(rounds: pd.DataFrame, threats: pd.DataFrame) -> pd.DataFrame:
    """Survival, scores, Bal and Rat of 1-1-1-1 under ever better play, means over the six seatings.

    Parameters
    ----------
    rounds, threats : DataFrame
        Of `rows.iterated_row` and `rows.threat_row`.
    """
    all_by_threat = threats[(threats["players"] == "all") & ~threats["spares_friends"].astype(bool)]
    ways = {"the report's rule": [trace(rounds, what).query("round == 0")[list(NAMES)] for what in KINDS]}
    for knows in ("own sight", "everything"):
        own = all_by_threat[all_by_threat["knows"] == knows]
        named = f"threat points, {knows}" if knows == "own sight" else "threat points, all known"
        ways[named] = [own[[f"{what}_{name}" for name in NAMES]] for what in ("survival", "score")]
    ways["replies to replies"] = [last_rounds(rounds, what) for what in KINDS]
    found = []
    for way, (survival, scores) in ways.items():
        alive, points = survival.to_numpy().mean(axis=0), scores.to_numpy().mean(axis=0)
        row = {("", "play"): way}
        row |= {("survival, %", role.english): 100 * share for role, share in zip(Role, alive, strict=True)}
        row |= {("score, points", role.english): score for role, score in zip(Role, points, strict=True)}
        found.append(row | {("", "Bal, %"): 100 * balance(alive), ("", "Rat"): rationality(points)})
    return grouped(pd.DataFrame(found))


#: The two traces of `rows.iterated_row`.
KINDS = ("survival", "scores")
