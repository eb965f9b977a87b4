"""Which seats of a game are alike: as its author says, or as is found by renaming the players."""

from collections.abc import Collection
from itertools import product

import numpy as np

from gamebalance.base.checks import all_different, listed, shown, whole_number
from gamebalance.fairness.reports.exact import ExactPlay
from gamebalance.fairness.reports.outlook import Outlook
from gamebalance.fairness.reports.wording import ALL
from gamebalance.multiplayer.graph import GameGraph, symmetry
from gamebalance.multiplayer.graph.symmetry import Alike

#: In the beginning of a game of fewer states than this seats are not compared.
LEAST = 100


def compared(found: Outlook) -> str:
    """That no seat was found to be unlike another in the beginning of a game too large to be followed; else nothing."""
    if found.search is None:
        return ""
    for less in range(found.seats.players + 1):  # a depth at which nobody is about to choose when others have
        beginning = GameGraph.beginning(found.search, less)
        same = symmetry.alike(beginning, found.seats.sides) if beginning.inner >= LEAST else None
        if same is not None and any(len(group) == found.seats.players for group in same.groups):
            first = f"{beginning.inner:,} states"
            return f"No difference between the seats was found in the first {first}; there may be one later."
    return ""


def alike_seats(found: Outlook, groups: Collection[Collection[int]] | None) -> Alike | None:
    """The seats that are said to be alike, or are found to be; what is said is compared with what is found."""
    players, sides = found.seats.players, found.seats.sides
    proved = symmetry.alike(found.graph, sides) if found.graph is not None else None
    if groups is None:
        return proved
    members = [
        tuple(whole_number("alike", player, 0, players - 1) for player in listed("alike", group))
        for group in listed("alike", groups)
    ]
    if not all_different([player for group in members for player in group]):
        raise ValueError(f"alike = {shown(members)}: groups of different players are needed")
    known = proved.groups if proved else ()
    if all(any(set(group) <= set(other) for other in known) for group in members if len(group) > 1):
        return proved
    if sides and any(len({sides[player] for player in group}) > 1 for group in members):
        raise ValueError(f"alike = {shown(members)}: those of a group are on one side, of {shown(sides)}")
    if found.graph is not None:  # what is not proved may be so, but not where play tells them apart
        play = ExactPlay(found.graph, found.seats)
        for level, group in product(play.levels, members):
            means = play.endings(level).tally("seat", "points").means[list(group)]
            if np.ptp(means) > 1e-9:
                told = " and ".join(f"{mean:z.3g}" for mean in means)
                seats = " and ".join(str(player + 1) for player in group)
                raise ValueError(
                    f"alike = {shown(members)}: seats {seats} are not alike, since they get {told} on average if all "
                    f"{ALL[level]}"
                )
    return symmetry.declared(players, members)
