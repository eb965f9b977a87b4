"""All ways to deal roles to players."""

from collections.abc import Hashable, Mapping
from math import factorial

from gamebalance.base.checks import in_memory, shown, whole_number

#: The most assignments that are listed.
MOST_ASSIGNMENTS = 1_000_000
#: The most players.
MOST_PLAYERS = 200


def assignment_count(counts: Mapping[Hashable, int]) -> int:
    """Number of different assignments: a multinomial coefficient."""
    number = factorial(sum(counts.values()))
    for count in counts.values():
        number //= factorial(count)
    return number


def role_assignments(counts: Mapping[Hashable, int]) -> list[tuple]:
    """All assignments of roles to players, as tuples by player, if so many hold each role; in the order of `counts`."""
    left = {role: whole_number(f"counts[{role!r}]", count) for role, count in counts.items()}
    players = whole_number("sum of counts", sum(left.values()), 1, MOST_PLAYERS)
    count = assignment_count(left)
    if count > MOST_ASSIGNMENTS:
        raise ValueError(f"counts = {shown(dict(counts))}: more than {MOST_ASSIGNMENTS} assignments")
    in_memory(f"counts = {shown(dict(counts))}", 8.0 * players * count)
    found: list[tuple] = []
    _deal((), players, left, found)
    return found


def _deal(dealt: tuple, players: int, left: dict, found: list[tuple]) -> None:
    """Add all ways to go on from `dealt`."""
    if len(dealt) == players:
        found.append(dealt)
        return
    for role in [role for role, count in left.items() if count]:
        left[role] -= 1
        _deal((*dealt, role), players, left, found)
        left[role] += 1
