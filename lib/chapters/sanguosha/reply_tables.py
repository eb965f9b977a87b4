"""Tables of the notebooks on better play, from single solutions and from the rows of long runs."""

from collections.abc import Iterable

import numpy as np
import pandas as pd

from chapters.sanguosha.printed_tables import grouped
from gamebalance.base.sums import dot
from gamebalance.fairness.spreads import balance, rationality
from gamebalance.sanguosha.attacks import Seats
from gamebalance.sanguosha.kernels.choices import OUT_OF_REACH, PASS
from gamebalance.sanguosha.lineup import ROLE_KEYS, Role
from gamebalance.sanguosha.replies.values import Values
from gamebalance.sanguosha.rules import Card

#: Headings of the kinds of threat policy that are shown, by what it knows and whether it spares friends.
THREAT_COLUMNS = {
    ("everything", False): "threat points, roles known",
    ("own sight", False): "threat points, roles hidden",
    ("own sight", True): "roles hidden, sparing friends",
}


def decision(values: Values, seats: Seats, actor: int, state: tuple[int, ...]) -> pd.DataFrame:
    """Expected points of each option in one state, with a slash among the two cards and without.

    `values` has the actor's role controlled and the cards seen; `seats` are the living ones, and `state` has their
    players' codes, in descending order of seats.
    """
    options, worths = values.worths(seats, actor)
    by_pair = worths[(slice(None), slice(None), *state)]
    chances = np.array([float(chance) for chance in values.rules.hand_probability])
    slash = np.array([Card.SLASH in cards for cards in values.rules.hands])
    names = ["pass" if seat == PASS else f"attack seat {seat}" for seat in options.seats]
    means = [dot(chances[held], by_pair[held]) / chances[held].sum() for held in (slash, ~slash)]
    frame = pd.DataFrame(means, index=["with a slash", "without"], columns=names)
    return frame.loc[:, (frame > OUT_OF_REACH / 2).all()]


def reply_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Means over the six seatings of `reply_row`: report, best reply with the cards unseen, best reply, its range."""
    found = []
    for role, name in zip(Role, ROLE_KEYS, strict=True):
        own = rows[rows["role"] == name].set_index("seating")
        means, reply = own[["report", "unseen", "played"]].mean(), own["played"]
        ends = reply.min(), reply.idxmin(), reply.max(), reply.idxmax()
        found.append((str(role), *means, means["played"] - means["report"], *ends))
    columns = ["role", "report", "cards unseen", "best reply", "gain", "lowest", "in seating", "highest", "in seating "]
    return pd.DataFrame(found, columns=columns)


def threat_table(threats: pd.DataFrame, replies: pd.DataFrame) -> pd.DataFrame:
    """Mean points of a role by the report's rule, by threat (rows of `threat_row`) and by best reply (`reply_row`)."""
    found = []
    for role, name in zip(Role, ROLE_KEYS, strict=True):
        own = replies.loc[replies["role"] == name, ["report", "played"]].mean()
        by_kind = {column: _by_threat(threats, name, *kind) for kind, column in THREAT_COLUMNS.items()}
        found.append({"role": str(role), "report": own["report"], **by_kind, "best reply": own["played"]})
    return pd.DataFrame(found)


def _by_threat(threats: pd.DataFrame, name: str, knows: str, spares: bool) -> float:
    """Own points of a role that alone plays by threat, mean over the seatings."""
    kind = (threats["knows"] == knows) & (threats["spares_friends"] == spares) & (threats["players"] == name)
    return threats.loc[kind, f"score_{name}"].mean()


def knowledge_table(blind: pd.DataFrame, threats: pd.DataFrame) -> pd.DataFrame:
    """What each role scores with ever more knowledge and skill, means over the seatings."""
    found = []
    for role, name in zip(Role, ROLE_KEYS, strict=True):
        row = blind[blind["role"] == int(role)].iloc[0]
        threat = _by_threat(threats, name, "own sight", False)
        found.append((str(role), row["report"], threat, row["first"], row["best"], row["upper"]))
    kinds = ["threat points, roles hidden", "best on average", "best rule found", "best reply, roles known"]
    return pd.DataFrame(found, columns=["role", "report", *kinds])


def trace(rows: pd.DataFrame, what: str = "scores") -> pd.DataFrame:
    """Scores or survival of the four roles by seating and round, from `iterated_row`: columns as `ROLE_KEYS`."""
    found = []
    for row in rows.itertuples():
        for number, text in enumerate(getattr(row, what).split(";")):
            values = map(float, text.split())
            found.append({"seating": row.seating, "round": number, **dict(zip(ROLE_KEYS, values, strict=True))})
    return pd.DataFrame(found)


def role_columns(title: str, values: Iterable[float]) -> dict[tuple[str, str], float]:
    """A value for each role under two headings."""
    return {(title, role.english): value for role, value in zip(Role, values, strict=True)}


def last_rounds(rows: pd.DataFrame, what: str) -> pd.DataFrame:
    """Mean by seating over the rounds of the cycle, or the last half where it was stopped: columns as `ROLE_KEYS`."""
    frame = trace(rows, what)
    found = {}
    for row in rows.itertuples():
        own = frame[frame["seating"] == row.seating][list(ROLE_KEYS)]
        found[row.seating] = own.iloc[-(row.period or row.rounds // 2) :].mean()
    return pd.DataFrame(found).T


def fairness_table(rounds: pd.DataFrame, threats: pd.DataFrame) -> pd.DataFrame:
    """Survival, scores, Bal and Rat under ever better play, means over the seatings of `iterated_row`, `threat_row`."""
    kinds = ("survival", "scores")
    all_by_threat = threats[(threats["players"] == "all") & ~threats["spares_friends"].astype(bool)]
    ways = {"fixed rule": [trace(rounds, what).query("round == 0")[list(ROLE_KEYS)] for what in kinds]}
    for knows, words in (("own sight", "roles hidden"), ("everything", "roles known")):
        own = all_by_threat[all_by_threat["knows"] == knows]
        ways[f"threat points, {words}"] = [
            own[[f"{what}_{key}" for key in ROLE_KEYS]] for what in ("survival", "score")
        ]
    ways["each in turn the best reply"] = [last_rounds(rounds, what) for what in kinds]
    found = []
    for way, (survival, scores) in ways.items():
        alive, points = survival.to_numpy().mean(axis=0), scores.to_numpy().mean(axis=0)
        row = {("", "play"): way, **role_columns("survival, %", 100 * alive), **role_columns("score, points", points)}
        found.append(row | {("", "Bal, %"): 100 * balance(alive), ("", "Rat"): rationality(points)})
    return grouped(found)
