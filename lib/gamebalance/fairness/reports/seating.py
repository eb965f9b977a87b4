"""Which seats of a game are alike: as its author says, or as is found by renaming the players."""

from collections.abc import Collection

import numpy as np

from gamebalance.base.checks import all_different, listed, shown, whole_number
from gamebalance.fairness.reports.exact import ExactPlay
from gamebalance.fairness.reports.outlook import Outlook
from gamebalance.multiplayer.graph import GameGraph, symmetry
from gamebalance.multiplayer.graph.symmetry import Alike

#: In the beginning of a game of fewer states than this seats are not compared.
LEAST = 100


def compared(found: Outlook) -> str:
    """That no seat was found to be unlike another in the beginning of a game too large to be followed; else nothing."""
    if found.search is None or len(found.search.mover) < LEAST:
        return ""
    for less in range(found.seats.players + 1):  # a depth at which nobody is about to choose when others have
        beginning = GameGraph.beginning(found.search, less)
        same = symmetry.alike(beginning, found.seats.sides)
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
    if found.graph is not None:  # what is not proved may be so, but not where random play tells them apart
        means = ExactPlay(found.graph, found.seats, ways=("random",)).endings("random").tally("seat", "points").means
        for group in members:
            if np.ptp(means[list(group)]) > 1e-9:
                told = " and ".join(f"{mean:z.3g}" for mean in means[list(group)])
                raise ValueError(
                    f"alike = {shown(members)}: renaming the players of {shown(group)} changes the game, since they "
                    f"get {told} on average if all play at random"
                )
    return symmetry.declared(players, members)
