"""Who may be attacked: distances among the living, and the report's rule of choice for each role (§4.2.1)."""

from collections.abc import Sequence
from functools import lru_cache

from gamebalance.base.checks import shown
from gamebalance.sanguosha.lineup import Role
from gamebalance.sanguosha.rules import REPORT_REACH, Rules


def distances(seat: int, alive: Sequence[bool]) -> dict[int, int]:
    """Distance from `seat` to every other living seat: the shorter way round the table, the dead left out (§2.5)."""
    count = len(alive)
    circle = [other % count for other in range(seat + 1, seat + count) if alive[other % count]]
    return {other: min(place + 1, len(circle) - place) for place, other in enumerate(circle)}


def in_reach(seat: int, alive: Sequence[bool], weapon: bool, reach: Sequence[int] = REPORT_REACH) -> list[int]:
    """Living seats that `seat` can attack, in seat order; `reach` without and with a weapon."""
    return list(_within(seat, tuple(alive), reach[bool(weapon)]))


@lru_cache(maxsize=1 << 14)
def _within(seat: int, alive: tuple[bool, ...], most: int) -> tuple[int, ...]:
    """The living seats at most so far away: asked in every turn, of few tables."""
    return tuple(sorted(other for other, distance in distances(seat, alive).items() if distance <= most))


def are_revealed(roles: Sequence[Role], alive: Sequence[bool]) -> bool:
    """Whether everybody's role is known: once no loyalist lives (§4.2.1)."""
    return Role.LOYALIST not in [role for living, role in zip(alive, roles, strict=True) if living]


def candidates(
    seat: int,
    roles: Sequence[Role],
    health: Sequence[int],
    weapon: bool,
    rules: Rules,
) -> list[int]:
    """Seats of possible targets of the player at `seat`, in order, each equally likely to be picked; empty if none.

    `roles` and `health` by seat, where 0 is dead; `weapon`: whether the player holds one before drawing.

    Notes
    -----
    The rebels are revealed once no loyalist lives. Only then do lord and rebels tell friend from foe; a lord who has
    no rebel in reach then passes, also when he is alone with a renegade (the text and the programs agree on that).
    """
    alive = [points > 0 for points in health]
    reach = in_reach(seat, alive, weapon, rules.reach)
    revealed = are_revealed(roles, alive)
    not_lord = [other for other in reach if roles[other] != Role.LORD]
    match roles[seat]:
        case Role.LORD:
            rebels = [other for other in reach if roles[other] == Role.REBEL]
            return rebels if revealed else reach
        case Role.LOYALIST:
            return not_lord
        case Role.REBEL:
            return rebel_candidates(roles, reach, rules) if revealed else not_lord
        case _:
            others = [other for other in range(len(roles)) if alive[other] and other != seat]
            if [roles[other] for other in others] == [Role.LORD]:
                return reach
            most = max((health[other] for other in not_lord), default=0)
            return [other for other in not_lord if health[other] == most]


def rebel_candidates(roles: Sequence[Role], reach: list[int], rules: Rules) -> list[int]:
    """A revealed rebel's targets: the lord, else (as written) the renegades in reach."""
    lord = [other for other in reach if roles[other] == Role.LORD]
    if lord or not rules.rebels_attack_renegades:
        return lord
    return [other for other in reach if roles[other] == Role.RENEGADE]


def picked(seat: int, roles: Sequence[Role], health: Sequence[int], weapon: bool, rules: Rules) -> list[int]:
    """`candidates`, if these are what solver and simulator can follow; they are asked for by this name.

    ValueError if they are not living seats other than the player's own, each once and in seat order.
    """
    found = candidates(seat, roles, health, weapon, rules)
    allowed = [other for other in range(len(roles)) if health[other] > 0 and other != seat]
    if found != [other for other in allowed if other in found]:
        raise ValueError(
            f"rules: candidates for seat {seat} among health {list(health)} = {shown(found)}: living seats other than "
            "the player's own are needed, each once, in seat order"
        )
    return found
