"""All ways to deal roles to players."""

from collections.abc import Callable, Hashable, Mapping
from math import factorial

from gamebalance._checks import in_memory, shown, whole_number

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


def role_assignments(
    counts: Mapping[Hashable, int],
    fixed: Mapping[int, Hashable] | None = None,
    allowed: Callable[[tuple], bool] | None = None,
) -> list[tuple]:
    """All assignments of roles to players, each a tuple of roles by player.

    Parameters
    ----------
    counts : mapping of role to int
        How many players hold each role.
    fixed : mapping of player to role, optional
        Roles that are known.
    allowed : callable, optional
        A further condition on the whole assignment.

    Returns
    -------
    list of tuple
        In lexicographic order, where roles are ordered as in `counts`.

    Raises
    ------
    ValueError
        If a number, a player or a role is not allowed, more than `MOST_ASSIGNMENTS` would have to be listed, or none
        agrees with what is fixed and allowed.
    """
    left = {role: whole_number(f"counts[{role!r}]", count) for role, count in counts.items()}
    players = whole_number("sum of counts", sum(left.values()), 1, MOST_PLAYERS)
    fixed = dict(fixed or {})
    for player, role in fixed.items():
        whole_number("player in fixed", player, 0, players - 1)
        if left.get(role, 0) == 0:
            raise ValueError(
                f"fixed = {shown(fixed)}: more players with role {role!r} than counts = {shown(dict(counts))}"
            )
        left[role] -= 1
    if assignment_count(left) > MOST_ASSIGNMENTS:
        raise ValueError(f"counts = {shown(dict(counts))}: more than {MOST_ASSIGNMENTS} assignments")
    in_memory(f"counts = {shown(dict(counts))}", 8.0 * players * assignment_count(left))
    found: list[tuple] = []
    _deal((), players, left, fixed, found)
    if allowed is not None:
        found = [roles for roles in found if allowed(roles)]
    if not found:
        raise ValueError(f"allowed: none of the assignments of {shown(dict(counts))} agrees with it")
    return found


def _deal(dealt: tuple, players: int, left: dict, fixed: Mapping, found: list[tuple]) -> None:
    """Add all ways to go on from `dealt`; `left` does not count the fixed roles."""
    if len(dealt) == players:
        found.append(dealt)
    elif len(dealt) in fixed:
        _deal((*dealt, fixed[len(dealt)]), players, left, fixed, found)
    else:
        for role in [role for role, count in left.items() if count]:
            left[role] -= 1
            _deal((*dealt, role), players, left, fixed, found)
            left[role] += 1
