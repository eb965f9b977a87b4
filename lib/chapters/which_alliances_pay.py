"""What alliances are worth in each seating of four: rows of the long run, and tables of them."""

import numpy as np
import pandas as pd

from chapters.four_players_exactly import grouped
from chapters.playing_sanguosha_better import SEATINGS, by_the_report
from gamebalance.base.rounding import at_most
from gamebalance.sanguosha.lineup import ROLE_KEYS, Role, Seating
from gamebalance.sanguosha.replies.best import OTHERS, alliance_worth, alliances, coalitions, total_points
from gamebalance.sanguosha.settling import settle

#: What each role expects, and could gain at most by leaving.
SCORES, GAINS = ([f"{what}_{key}" for key in ROLE_KEYS] for what in ("score", "gain"))
#: Instead of an alliance: nobody is allied.
ALONE = "alone"


def alliance_row(roles, others):
    """What an alliance, such as "03", is worth in each seating, and what it scores there by the report's rule."""
    some = members(roles)
    worths = {f"v_{seating}": alliance_worth(seating, some, others) for seating in SEATINGS}
    report = {f"report_{seating}": total_points(by_the_report(seating), some) for seating in SEATINGS}
    return {"roles": roles, **worths, **report}


def allied_row(roles, seating, rounds, tail):
    """What everybody expects, and could gain, where an alliance, such as "03", plays as one; "alone": nobody is allied.

    What its members could gain is what they could gain together.
    """
    found = settle(seating, rounds, allies=[members(roles)] if roles != ALONE else (), tail=tail)
    numbers = zip((*SCORES, *GAINS), map(float, (*found.points, *found.epsilon)), strict=True)
    return {"roles": roles, "seating": seating, "unfinished": found.unfinished, **dict(numbers)}


def allied_table(rows):
    """What two allies get together where play settles, beside what they get alone; what is not known at most."""
    lines, alone = [], rows.loc[rows["roles"] == ALONE, SCORES].mean().to_numpy()
    for roles, own in rows.groupby("roles", sort=False):
        points = own[SCORES].mean().to_numpy()
        some = sorted(members(roles)) if roles != ALONE else []
        sums = [each[some].sum() if some else np.nan for each in (alone, points, points - alone)]
        line = {("", "alliance"): named(some) or "nobody"}
        line |= {("together", name): each for name, each in zip(("alone", "allied", "gain"), sums, strict=True)}
        line |= {("points", role.english): points[role] for role in Role}
        line["at most", "could gain"] = at_most(own[GAINS].max(axis=None), 2)
        lines.append(line | {("at most", "unfinished, %"): at_most(100 * own["unfinished"].max(), 2)})
    return grouped(lines)


def members(roles):
    """The roles of an alliance, from their digits."""
    return frozenset(Role(int(digit)) for digit in roles)


def named(roles):
    """The alliance in words."""
    return " + ".join(role.english for role in sorted(roles))


def live_table(seating):
    """The worth of every alliance of one seating, solved now, and the game in coalitions of each kind of others."""
    every = coalitions(sorted(set(Seating(seating).roles)))
    worths = {others: {some: alliance_worth(seating, some, others) for some in every} for others in OTHERS}
    frame = pd.DataFrame({"alliance": map(named, every)} | {others: list(worths[others].values()) for others in OTHERS})
    return frame, {others: alliances(worth) for others, worth in worths.items()}


def worths(rows, seating=None, of="v"):
    """Worth of every alliance in one seating, or the mean over the six; `of` "report" for its points by the rule."""
    columns = [f"{of}_{place}" for place in ([seating] if seating else SEATINGS)]
    return dict(zip(map(members, rows["roles"]), rows[columns].mean(axis=1), strict=True))
