"""The rules as the compiled simulators read them: tables made by calling the readable rules, which stand elsewhere.

Whom a player picks comes from `targets`, what a turn does from `turn`. `fit` checks that these tables say the same as
the rules they were made from.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import accumulate, product

import numpy as np

from gamebalance.sanguosha.lineup import MAX_PLAYERS, Role, Seating
from gamebalance.sanguosha.rules import MAX_HEALTH, REPORT_REACH, Rules
from gamebalance.sanguosha.scoring import Alive, winner
from gamebalance.sanguosha.stream import COLUMNS
from gamebalance.sanguosha.targets import in_reach, picked
from gamebalance.sanguosha.turn import LIVING_PLAYERS, Player, take_turn

#: The target's dodges in an index of `turn_table` when there is no target.
NOBODY = 7

#: Entries of the histogram of endings: lord alive (2) x loyalists x rebels x renegades (up to 9 each).
ENDINGS = 2 * MAX_PLAYERS**3

#: Words of `permission_words`: of the roles picked first (one each), of those picked instead, and of health; how
#: many there are, and how many bits each has.
FIRST, SECOND, HEALTHIEST, QUESTIONS, SITUATIONS = 0, 4, 8, 9, 32

u32 = np.uint32


@lru_cache(maxsize=32)
def reach_both_ways(reach: tuple[int, ...]) -> np.ndarray:
    """How many living players to either side are in reach, without and with a weapon; of ten who all live."""
    everybody = [True] * MAX_PLAYERS
    ahead = [{*range(1, MAX_PLAYERS)} - {*in_reach(0, everybody, weapon, reach)} for weapon in (False, True)]
    return np.array([min(beyond, default=MAX_PLAYERS) - 1 for beyond in ahead])


@lru_cache(maxsize=32)
def turn_table(rules: Rules) -> np.ndarray:
    """What a turn does to the target and brings to the actor: words of 16 bits, 128 for each hand.

    Index: number of the hand (from bit 7 on), target near (6), its weapon (5), dodges (2 to 4; 7 for nobody) and health
    modulo 4 (0, 1). Entry: bits of the target that change, in health modulo 4 (0, 1), dodges (2 to 4) and weapon (5),
    and whether it dies (6); then what the actor gains: dodges (8, 9), peaches (10, 11), a weapon (12), as many dodges
    as health (13).
    """
    table = np.zeros(128 * max(COLUMNS, len(rules.hands)), np.uint16)
    for near in (False, True):
        for hand, cards in enumerate(rules.hands):
            for target in (None, *LIVING_PLAYERS):
                strong = take_turn(Player(MAX_HEALTH, 0), target, cards, near, rules)
                weak = take_turn(Player(1, 0), target, cards, near, rules)
                more, peaches = strong.actor.dodges, weak.actor.health - 1
                gain = (more & 3 | peaches << 2 | strong.actor.weapon << 4 | (more == MAX_HEALTH) << 5) << 8
                place = hand << 7 | near << 6
                if target is None:
                    table[place | NOBODY << 2] = gain
                    continue
                after = strong.target
                change = (target.health ^ after.health) & 3 | (target.dodges ^ after.dodges) << 2
                change |= (target.weapon ^ after.weapon) << 5 | (not after.alive) << 6
                table[place | target.weapon << 5 | target.dodges << 2 | target.health & 3] = gain | change
    return table


@lru_cache(maxsize=32)
def permission_words(rules: Rules) -> np.ndarray:
    """Whom a player picks among those in reach: nine words, each a question answered for 32 situations.

    Words 0 to 3: is the lord, a loyalist, a rebel, a renegade picked? 4 to 7: are they picked when none of the former
    is in reach? 8: only the healthiest of those found? The bit is the situation: the role to move (bits 0 and 1), then
    whether another loyalist (2), rebel (3) or renegade (4) lives.
    """
    words, rules = [0] * QUESTIONS, replace(rules, reach=REPORT_REACH)  # which roles, however far one reaches
    for role, living in product(Role, product((False, True), repeat=3)):
        others = [Role.LORD] * (role != Role.LORD)
        others += [kind for kind, lives in zip(list(Role)[1:], living, strict=True) if lives for _ in range(2)]
        if {Role.REBEL, Role.RENEGADE} & {role, *others}:
            situation = role + sum(lives << bit for bit, lives in enumerate(living, 2))
            for word, yes in enumerate(_permission(role, others, rules)):
                words[word] |= yes << situation
    return np.array(words, u32)


@lru_cache(maxsize=32)
def answer_lists(rules: Rules) -> np.ndarray:
    """`permission_words` as lists: where the list of each question begins, where the last one ends; then all lists."""
    return listed(permission_words(rules))


def listed(words: np.ndarray) -> np.ndarray:
    """The bits set in each word, one word after the other, behind the places in this array where each word's begin."""
    lists = [[bit for bit in range(SITUATIONS) if word >> bit & 1] for word in words.tolist()]
    places = accumulate(map(len, lists), initial=QUESTIONS + 1)
    return np.array([*places, *(bit for bits in lists for bit in bits)])


def _permission(role: Role, others: list[Role], rules: Rules) -> list[bool]:
    """The answers for one situation, found by asking the rule about a table of these players."""
    everybody = (role, *others)
    full = [MAX_HEALTH] * len(everybody)
    wanted = _picked_places(everybody, full, True, rules)
    first = {everybody[place] for place in wanted}
    second: set[Role] = set()
    for circle in _with_neighbours(role, others):
        if not {circle[1], circle[-1]} & first:
            second |= {circle[place] for place in _picked_places(circle, full, False, rules)}
    healthiest = False
    if len(wanted) > 1:
        wounded = [MAX_HEALTH - (place == wanted[0]) for place in range(len(everybody))]
        healthiest = _picked_places(everybody, wounded, True, rules) == wanted[1:]
    return [*(kind in first for kind in Role), *(kind in second for kind in Role), healthiest]


def _with_neighbours(role: Role, others: list[Role]) -> Iterator[Sequence[Role]]:
    """Circles of these players that begin with the one to move, with every pair of roles beside that one."""
    for first, last in sorted({(a, b) for i, a in enumerate(others) for j, b in enumerate(others) if i != j}):
        rest = list((Counter(others) - Counter([first, last])).elements())
        yield role, first, *rest, last


def _picked_places(circle: Sequence[Role], health: Sequence[int], weapon: bool, rules: Rules) -> list[int]:
    """Places in a circle that its first player picks; the rule is asked about a table where the lord has seat 0."""
    turn = circle.index(Role.LORD)
    roles, health = [*circle[turn:], *circle[:turn]], [*health[turn:], *health[:turn]]
    return sorted((seat + turn) % len(circle) for seat in picked(-turn % len(circle), roles, health, weapon, rules))


@lru_cache(maxsize=1)
def over_table() -> np.ndarray:
    """Whether the game is over, by place in the histogram of endings."""
    return np.array([winner(alive) is not None for alive in product(range(2), *[range(MAX_PLAYERS)] * 3)])


@lru_cache(maxsize=32)
def seat_roles(seatings: tuple[Seating, ...]) -> np.ndarray:
    """Roles by seating and seat: uint8."""
    return np.array([seating.roles for seating in seatings], np.uint8)


def endings_alive(counts: np.ndarray, most: Alive) -> dict[Alive, int]:
    """The histogram of endings as a dict; refuses more alive than can be, which would be a defect of the simulator."""
    places = np.flatnonzero(counts)
    alive = [tuple(map(int, numbers)) for numbers in np.transpose(np.unravel_index(places, (2, *[MAX_PLAYERS] * 3)))]
    if any(number > limit for numbers in alive for number, limit in zip(numbers, most, strict=True)):
        raise AssertionError(f"{alive} alive, of {most}")
    return dict(zip(alive, counts[places].tolist(), strict=True))
