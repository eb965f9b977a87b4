"""Compiled: the persons of a played game, how one of them is drawn, how they fall; and the random words for it.

Everyone has a number, a role and marks. Whoever is to be chosen is drawn among the living, and drawn again until it is
somebody who may be chosen; so nothing here weighs one kind of player against another, except where `Rules.odds` does.
"""

import numpy as np

from gamebalance.base.jit import njit
from gamebalance.base.splitmix import GOLDEN, mix_word
from gamebalance.mafia.rules import TELLS as TELL_RULES
from gamebalance.mafia.rules import TIES as TIE_RULES
from gamebalance.mafia.rules import Rules

# Roles, in the order of `setups.ROLES`; `count` holds how many of each are alive, then these numbers: how many are
# alive, fell this night or day, were shot at by the mafia; the potions and bullets left; whether the mafia knows who is
# the sheriff, and whether everybody knows what he has learned.
MAFIOSO, INNOCENT, DETECTIVE, DOCTOR, WITCH, HUNTER, DON, SHERIFF, VIGILANTE, BODYGUARD, ROLES = range(11)
LIVING, FALLEN, SHOT, HEALING, POISON, BULLETS, FOUND, TOLD, NUMBERS = range(ROLES, ROLES + 9)
# Rows of `town`: role, marks and votes, by person; who is alive, in any order, and everyone's place in that list; who
# fell this night or day, in order; at whom the mafia shoots; who can be voted out.
ROLE, MARKS, VOTES, ALIVE, PLACE, DEAD, TARGET, CANDIDATE, ROWS = range(9)
#: Marks, as bits: whom the detectives remember, whose side the sheriff knows, whom the don has looked at; and those of
#: one night, at whom the mafia shoots, and who is about to die by that.
CLEARED, CHECKED, SEEN, AIMED, DYING = 1, 2, 4, 8, 16
#: Sets of roles, as bits.
MAFIA, EVERYONE = 1 << MAFIOSO | 1 << DON, (1 << ROLES) - 1
TOWN = EVERYONE ^ MAFIA
#: Rules of ties and of telling, in their order.
LOT, NONE, ALL, AGAIN_NONE, AGAIN_ALL = range(len(TIE_RULES))
UNTOLD, AT_DEATH, AT_A_FIND, EVERY_MORNING = range(len(TELL_RULES))

# Entries of `rules`, a plain row of numbers, since it is handed on most quickly: those of `Rules`, with 2^53 times each
# chance, and last the shots of a night with one, two, three … nine or more mafiosi alive.
TIE, TELLS, TELLS_AT_DEATH, MEMORY, APART, ODDS, GIVEN_BULLETS, POTION, AGREEMENT, SHOOTS, KILLS = range(11)
MOST_DIFFERENT = 9
ENTRIES = KILLS + MOST_DIFFERENT

#: The step from one state of the generator to the next.
STEP = np.uint64(GOLDEN)
#: A word's upper half chooses among people; its upper 53 bits decide whether something with a chance is done.
HALF, LOW_HALF, COIN_SHIFT, COIN_BITS = np.uint64(32), np.uint64(0xFFFFFFFF), np.uint64(11), 53
SURE, UNIT = 2.0**COIN_BITS, 2.0**-COIN_BITS

NOBODY = -1


def coded(rules: Rules) -> np.ndarray:
    """The rules as one row of numbers; those of ties and of telling by place."""
    entries = np.zeros(ENTRIES)
    entries[TIE], entries[TELLS] = list(TIE_RULES).index(rules.ties), list(TELL_RULES).index(rules.tells)
    entries[TELLS_AT_DEATH], entries[MEMORY], entries[APART] = rules.tells_at_death, rules.memory, rules.aim == "apart"
    entries[ODDS], entries[GIVEN_BULLETS] = rules.odds, rules.bullets
    for entry, chance in ((POTION, rules.potion), (AGREEMENT, rules.agreement), (SHOOTS, rules.shot)):
        entries[entry] = round(chance * 2**COIN_BITS)
    entries[KILLS:] = [rules.shots(mafia) for mafia in range(1, MOST_DIFFERENT + 1)]
    return entries


@njit
def start(key, game):
    """Where the stream of a game begins; `key` is `mix` of the seed."""
    return mix_word(np.uint64(key) + STEP * np.uint64(game))


@njit(borrows=True)
def draw(stream):
    """The next 64-bit word of splitmix64, whose state is `stream`, an array of one uint64."""
    stream[0] += STEP
    return mix_word(stream[0])


@njit(borrows=True)
def below(stream, number):
    """A whole number from 0 to `number` - 1, all exactly equally likely (Lemire 2019); `number` below 2^32."""
    number = np.uint64(number)
    product = (draw(stream) >> HALF) * number
    if product & LOW_HALF < number:
        least = (LOW_HALF - number + np.uint64(1)) % number
        while product & LOW_HALF < least:
            product = (draw(stream) >> HALF) * number
    return np.int64(product >> HALF)


@njit(borrows=True)
def toss(stream, limit):
    """Whether something with the chance `limit` / 2^53 is done."""
    return np.float64(draw(stream) >> COIN_SHIFT) < limit


@njit(borrows=True)
def anyone(stream, town, count):
    """One of the living."""
    return town[ALIVE, below(stream, count[LIVING])]


@njit(borrows=True)
def fits(town, person, roles, marks, wanted):
    """Whether a person has one of these roles, and of these marks the wanted ones and no other."""
    return (roles >> town[ROLE, person] & 1) & (town[MARKS, person] & marks == wanted)


@njit(borrows=True)
def one_of(stream, town, count, roles, marks, wanted):
    """One of the living who fit; there must be one."""
    person = anyone(stream, town, count)
    while not fits(town, person, roles, marks, wanted):
        person = anyone(stream, town, count)
    return person


@njit(borrows=True)
def first_of(town, count, roles, marks, wanted):
    """The first in the list of the living who fits, or NOBODY."""
    for place in range(count[LIVING]):
        if fits(town, town[ALIVE, place], roles, marks, wanted):
            return town[ALIVE, place]
    return NOBODY


@njit(borrows=True)
def mafia(count):
    """How many of the mafia are alive."""
    return count[MAFIOSO] + count[DON]


@njit(borrows=True)
def suspects(town, count):
    """Roles, marks and wanted marks of those against whom the town acts."""
    if not count[TOLD]:
        return EVERYONE, 0, 0
    if first_of(town, count, MAFIA, CHECKED, CHECKED) != NOBODY:
        return MAFIA, CHECKED, CHECKED
    return EVERYONE ^ 1 << SHERIFF, CHECKED, 0


@njit(borrows=True)
def accused(stream, town, count, rules, roles, marks, wanted):
    """One of the living who fit, a mafioso `Rules.odds` times as likely as anybody else; there must be one."""
    if rules[ODDS] != 1:
        return _weighed(stream, town, count, rules, roles, marks, wanted)
    return one_of(stream, town, count, roles, marks, wanted)


@njit(borrows=True)
def _weighed(stream, town, count, rules, roles, marks, wanted):
    """`accused`, when people weigh differently: their weights stand in a row, of which a point is drawn."""
    total = 0.0
    for place in range(count[LIVING]):
        total += weight(town, rules, town[ALIVE, place], roles, marks, wanted)
    point, end, chosen = np.float64(draw(stream) >> COIN_SHIFT) * UNIT * total, 0.0, NOBODY
    for place in range(count[LIVING]):
        person = town[ALIVE, place]
        if end <= point and fits(town, person, roles, marks, wanted):
            chosen = person
            end += weight(town, rules, person, roles, marks, wanted)
    return chosen


@njit(borrows=True)
def weight(town, rules, person, roles, marks, wanted):
    """How likely a person is to be accused, as a multiple of somebody who fits and is not of the mafia."""
    odds = rules[ODDS] if MAFIA >> town[ROLE, person] & 1 else 1.0
    return odds * fits(town, person, roles, marks, wanted)


@njit(borrows=True)
def fall(town, count, person):
    """Take a person out of the game; nothing happens if there is none, or they fell before."""
    place = town[PLACE, person] if person != NOBODY else NOBODY
    if place == NOBODY:
        return
    count[LIVING] -= 1
    count[town[ROLE, person]] -= 1
    last = town[ALIVE, count[LIVING]]
    town[ALIVE, place] = last
    town[PLACE, last] = place
    town[PLACE, person] = NOBODY
    town[DEAD, count[FALLEN]] = person
    count[FALLEN] += 1


@njit(borrows=True)
def bury(stream, town, count, rules):
    """Every hunter who fell takes somebody along, those included who fall by it; then the fallen are forgotten.

    What a sheriff who fell has learned may become known.
    """
    shooter = 0
    while shooter < count[FALLEN]:
        role = town[ROLE, town[DEAD, shooter]]
        if role == HUNTER and count[LIVING]:
            fall(town, count, anyone(stream, town, count))
        if role == SHERIFF and rules[TELLS_AT_DEATH]:
            count[TOLD] = 1
        shooter += 1
    count[FALLEN] = 0
