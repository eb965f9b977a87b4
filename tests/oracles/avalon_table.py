"""Avalon by plain enumeration: every deal, team, set of votes, card and shot of a small board, in fractions.

Nothing here is the library's. A policy is four functions of plain data: a seat, its role, whom it sees, and the list of
what has happened: for each proposal (leader, team, those who approved, fails shown or None).
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product
from typing import NamedTuple

EVIL = {"minion", "morgana", "mordred", "oberon"}
#: Who sees whom: a role and the roles of those whom it is shown.
SEES = {
    "loyal": set(),
    "merlin": {"minion", "morgana", "oberon"},
    "percival": {"merlin", "morgana"},
    "minion": {"minion", "morgana", "mordred"},
    "morgana": {"minion", "morgana", "mordred"},
    "mordred": {"minion", "morgana", "mordred"},
    "oberon": set(),
}


class Rules(NamedTuple):
    """A board: missions' team sizes and the fails that make them fail, and the rejections that lose."""

    players: int
    sizes: tuple[int, ...]
    needed: tuple[int, ...]
    rejections: int


class Seen(NamedTuple):
    """What somebody knows: seat, role, the seats shown (an evil player's own among them), and what has happened."""

    seat: int
    role: str
    shown: frozenset[int]
    events: tuple


@dataclass(frozen=True)
class Plain:
    """A policy in plain data: teams to choose from, chances to approve and to fail, seats to choose a shot from."""

    teams: Callable[[Rules, Seen, int], Sequence[tuple[int, ...]]]
    approves: Callable[[Rules, Seen, tuple[int, ...]], Fraction]
    fails: Callable[[Rules, Seen, tuple[int, ...]], Fraction]
    shoots: Callable[[Rules, Seen], Sequence[int]]


def shown(roles: Sequence[str], seat: int) -> frozenset[int]:
    own = {seat} if roles[seat] in EVIL else set()
    others = {other for other in range(len(roles)) if other != seat and roles[other] in SEES[roles[seat]]}
    return frozenset(own | others)


def endings(rules: Rules, roles: Sequence[str], plain: Plain) -> dict[str, Fraction]:
    """The chance of each ending, by the roles at a table, in any order."""
    found: dict[str, Fraction] = {}
    deals = Counter(permutations(roles))
    for deal, times in deals.items():
        for ending, chance in _table(rules, deal, plain, (), Fraction(times, deals.total())):
            found[ending] = found.get(ending, Fraction(0)) + chance
    return found


def _table(rules: Rules, deal, plain: Plain, events: tuple, chance: Fraction) -> Iterator[tuple[str, Fraction]]:
    went = [fails for _, _, _, fails in events if fails is not None]
    bad = sum(fails >= needed for fails, needed in zip(went, rules.needed, strict=False))
    waiting = 0
    while waiting < len(events) and events[-1 - waiting][3] is None:
        waiting += 1
    if 2 * bad > len(rules.sizes):
        yield "three fails", chance
    elif 2 * (len(went) - bad) > len(rules.sizes):
        yield from _shot(rules, deal, plain, events, chance)
    elif waiting == rules.rejections:
        yield "five rejections", chance
    else:
        people = [Seen(seat, deal[seat], shown(deal, seat), events) for seat in range(rules.players)]
        leader = len(events) % rules.players
        teams = plain.teams(rules, people[leader], rules.sizes[len(went)])
        for team in teams:
            share = chance / len(teams)
            for votes, likely in _coins(tuple(plain.approves(rules, person, team) for person in people)):
                at = share * likely
                approving = tuple(seat for seat in range(rules.players) if votes[seat])
                if 2 * len(approving) <= rules.players:
                    yield from _table(rules, deal, plain, (*events, (leader, team, approving, None)), at)
                    continue
                evil = [person for person in people if person.seat in team and person.role in EVIL]
                for cards, dealt in _coins(tuple(plain.fails(rules, person, team) for person in evil)):
                    event = (leader, team, approving, sum(cards))
                    yield from _table(rules, deal, plain, (*events, event), at * dealt)


def _shot(rules: Rules, deal, plain: Plain, events: tuple, chance: Fraction) -> Iterator[tuple[str, Fraction]]:
    if "merlin" not in deal:
        yield "three successes", chance
        return
    evil = [seat for seat in range(rules.players) if deal[seat] in EVIL]
    shooter = ([seat for seat in evil if deal[seat] != "oberon"] or evil)[0]
    targets = plain.shoots(rules, Seen(shooter, deal[shooter], shown(deal, shooter), events))
    for target in targets:
        yield ("merlin shot" if deal[target] == "merlin" else "merlin missed"), chance / len(targets)


@cache
def _coins(chances: tuple[Fraction, ...]) -> list[tuple[tuple[bool, ...], Fraction]]:
    """All ways in which independent things happen or not, those without a chance left out."""
    found = []
    for happen in product((False, True), repeat=len(chances)):
        likely = Fraction(1)
        for does, chance in zip(happen, chances, strict=True):
            likely *= chance if does else 1 - chance
        if likely:
            found.append((happen, likely))
    return found


def at_random(approve: Fraction, fail: Fraction) -> Plain:
    """Any team; coins for votes and fails; shots at anybody not known to be evil."""
    return Plain(
        lambda rules, seen, size: list(combinations(range(rules.players), size)),
        lambda rules, seen, team: approve,
        lambda rules, seen, team: fail,
        lambda rules, seen: [seat for seat in range(rules.players) if seat not in seen.shown],
    )


def moody() -> Plain:
    """A made-up policy in which everything hangs on seat, role, sight and all that has happened."""

    def mood(seen: Seen, salt: int) -> int:
        told = sum((at + 1) * (3 * leader + 5 * sum(team) + 7 * len(approving) + 11 * (fails or 0) + (fails is None))
                   for at, (leader, team, approving, fails) in enumerate(seen.events))  # fmt: skip
        return told + salt + 2 * seen.seat + 3 * len(seen.role) + sum((seat + 2) ** 2 for seat in seen.shown)

    def teams(rules: Rules, seen: Seen, size: int) -> list[tuple[int, ...]]:
        every = list(combinations(range(rules.players), size))
        return every[mood(seen, 1) % len(every) :][:2]

    def approves(rules: Rules, seen: Seen, team: tuple[int, ...]) -> Fraction:
        return (Fraction(0), Fraction(1, 4), Fraction(1), Fraction(1), Fraction(5, 8))[mood(seen, sum(team)) % 5]

    def fails(rules: Rules, seen: Seen, team: tuple[int, ...]) -> Fraction:
        return Fraction(mood(seen, len(team)) % 4, 4)

    def shoots(rules: Rules, seen: Seen) -> list[int]:
        others = [seat for seat in range(rules.players) if seat != seen.seat]
        return others[mood(seen, 5) % len(others) :]

    return Plain(teams, approves, fails, shoots)
