"""Compiled: games played one after the other, person by person. Tests play the same games in plain Python.

Everyone has a number, a role and marks. Whoever is to be chosen is drawn among the living, and drawn again until it is
somebody who may be chosen; so nothing here weighs one kind of player against another, except where `Rules.odds` does.
"""

import numpy as np

from gamebalance.base.jit import njit
from gamebalance.base.splitmix import GOLDEN, mix_word
from gamebalance.mafia.kernels import towns
from gamebalance.mafia.rules import Rules
from gamebalance.mafia.setups import ROLES

#: Said before the first function of this module is compiled.
COMPILES = "the simulator, 3 to 10 s"
# `count` holds how many of each role are alive, then these numbers: how many are alive, fell this night or day, were
# shot at by the mafia; the potions and bullets left; whether the mafia knows who is the sheriff, and whether everybody
# knows what he has learned.
LIVING, FALLEN, SHOT, HEALING, POISON, BULLETS, FOUND, TOLD, NUMBERS = range(len(ROLES), len(ROLES) + 9)
# Rows of `town`: role, marks and votes, by person; who is alive, in any order, and everyone's place in that list; who
# fell this night or day, in order; at whom the mafia shoots; who can be voted out.
ROLE, MARKS, VOTES, ALIVE, PLACE, DEAD, TARGET, CANDIDATE, ROWS = range(9)
#: Marks of one night, beside the lasting ones: at whom the mafia shoots, and who is about to die by that.
AIMED, DYING = 8, 16
#: Sets of roles, as bits.
MAFIA, EVERYONE = 1 << towns.MAFIOSO | 1 << towns.DON, (1 << len(ROLES)) - 1
TOWN = EVERYONE ^ MAFIA
#: The step from one state of the generator to the next.
STEP = np.uint64(GOLDEN)
#: A word's upper half chooses among people; its upper 53 bits decide whether something with a chance is done.
HALF, LOW_HALF, COIN_SHIFT, COIN_BITS = np.uint64(32), np.uint64(0xFFFFFFFF), np.uint64(11), 53
SURE, UNIT = 2.0**COIN_BITS, 2.0**-COIN_BITS


def coded(rules: Rules) -> np.void:
    """The rules as one record, with 2^53 times each chance."""
    record = towns.coded(rules)
    for name in ("potion", "agreement", "shot"):
        record[name] = round(getattr(rules, name) * 2**COIN_BITS)
    return record


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
    return towns.NOBODY


@njit(borrows=True)
def mafia(count):
    """How many of the mafia are alive."""
    return count[towns.MAFIOSO] + count[towns.DON]


@njit(borrows=True)
def suspects(town, count):
    """Roles, marks and wanted marks of those against whom the town acts."""
    if not count[TOLD]:
        return EVERYONE, 0, 0
    if first_of(town, count, MAFIA, towns.CHECKED, towns.CHECKED) != towns.NOBODY:
        return MAFIA, towns.CHECKED, towns.CHECKED
    return EVERYONE ^ 1 << towns.SHERIFF, towns.CHECKED, 0


@njit(borrows=True)
def accused(stream, town, count, rules, roles, marks, wanted):
    """One of the living who fit, a mafioso `Rules.odds` times as likely as anybody else; there must be one."""
    if rules.odds != 1:
        return _weighed(stream, town, count, rules, roles, marks, wanted)
    return one_of(stream, town, count, roles, marks, wanted)


@njit(borrows=True)
def _weighed(stream, town, count, rules, roles, marks, wanted):
    """`accused`, when people weigh differently: their weights stand in a row, of which a point is drawn."""
    total = 0.0
    for place in range(count[LIVING]):
        total += _weight(town, rules, town[ALIVE, place], roles, marks, wanted)
    point, end, chosen = np.float64(draw(stream) >> COIN_SHIFT) * UNIT * total, 0.0, towns.NOBODY
    for place in range(count[LIVING]):
        person = town[ALIVE, place]
        if end <= point and fits(town, person, roles, marks, wanted):
            chosen = person
            end += _weight(town, rules, person, roles, marks, wanted)
    return chosen


@njit(borrows=True)
def _weight(town, rules, person, roles, marks, wanted):
    """How likely a person is to be accused, as a multiple of somebody who fits and is not of the mafia."""
    odds = rules.odds if MAFIA >> town[ROLE, person] & 1 else 1.0
    return odds * fits(town, person, roles, marks, wanted)


@njit(borrows=True)
def fall(town, count, person):
    """Take a person out of the game; nothing happens if there is none, or they fell before."""
    place = town[PLACE, person] if person != towns.NOBODY else towns.NOBODY
    if place == towns.NOBODY:
        return
    count[LIVING] -= 1
    count[town[ROLE, person]] -= 1
    last = town[ALIVE, count[LIVING]]
    town[ALIVE, place] = last
    town[PLACE, last] = place
    town[PLACE, person] = towns.NOBODY
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
        if role == towns.HUNTER and count[LIVING]:
            fall(town, count, anyone(stream, town, count))
        if role == towns.SHERIFF and rules.tells_at_death:
            count[TOLD] = 1
        shooter += 1
    count[FALLEN] = 0


@njit(borrows=True)
def night(stream, town, count, rules):
    """One night: first all choices, then who falls by them, and what is known at dawn."""
    hit = guarded = covered = arrested = saved = poisoned = towns.NOBODY
    _mafia_shoots(stream, town, count, rules)
    if count[towns.VIGILANTE] and count[BULLETS] and toss(stream, rules.shot):
        count[BULLETS] -= 1
        roles, marks, wanted = suspects(town, count)
        hit = accused(stream, town, count, rules, roles & ~(1 << towns.VIGILANTE), marks, wanted)
    if count[towns.DOCTOR]:
        guarded = anyone(stream, town, count)
    if count[towns.BODYGUARD]:
        covered = one_of(stream, town, count, EVERYONE ^ 1 << towns.BODYGUARD, 0, 0)
    _doom(town, count, guarded, covered)
    hit = _struck(town, count, hit, guarded, covered)
    if count[towns.DETECTIVE]:
        arrested = _interrogate(stream, town, count, rules)
    if count[towns.WITCH]:
        if count[SHOT] and _takes(stream, count, rules, HEALING):
            sole = count[SHOT] == 1  # who is not drawn
            saved = town[TARGET, 0] if sole else one_of(stream, town, count, EVERYONE, DYING, DYING)
        if _takes(stream, count, rules, POISON):
            poisoned = one_of(stream, town, count, EVERYONE ^ 1 << towns.WITCH, DYING, 0)
    if count[towns.SHERIFF] + count[towns.DON]:
        _look_around(stream, town, count)
    for shot in range(count[SHOT]):
        person = town[TARGET, shot]
        town[MARKS, person] &= ~DYING
        if person != saved:
            fall(town, count, person)
    if hit != saved:
        fall(town, count, hit)
    fall(town, count, arrested)
    fall(town, count, poisoned)
    bury(stream, town, count, rules)
    if count[towns.SHERIFF] and rules.tells >= towns.AT_A_FIND:
        found = first_of(town, count, MAFIA, towns.CHECKED, towns.CHECKED) != towns.NOBODY
        if found or rules.tells == towns.EVERY_MORNING:
            count[TOLD] = 1


@njit(borrows=True)
def _mafia_shoots(stream, town, count, rules):
    """At whom the mafia shoots, each person once in the row of targets, and marked."""
    count[SHOT] = 0
    if rules.agreement < SURE and not toss(stream, rules.agreement):
        return
    spared = 0 if rules.apart else AIMED
    for _ in range(rules.kills[min(mafia(count), towns.MOST_DIFFERENT)]):
        person = _victim(stream, town, count, spared)
        if person != towns.NOBODY and not town[MARKS, person] & AIMED:
            town[MARKS, person] |= AIMED
            town[TARGET, count[SHOT]] = person
            count[SHOT] += 1


@njit(borrows=True)
def _victim(stream, town, count, spared):
    """At whom the mafia shoots next, or NOBODY: first at a sheriff whom it knows, at nobody with the mark `spared`."""
    person = towns.NOBODY
    if count[FOUND] + count[TOLD]:
        person = first_of(town, count, 1 << towns.SHERIFF, spared, 0)
    if person == towns.NOBODY and (not spared or count[SHOT] < count[LIVING] - mafia(count)):
        person = one_of(stream, town, count, TOWN, spared, 0)
    return person


@njit(borrows=True)
def _struck(town, count, person, guarded, covered):
    """Who is hit by a shot at a person: NOBODY, if a doctor guards him, or the bodyguard, if he stands before him."""
    if person == guarded:
        return towns.NOBODY
    return first_of(town, count, 1 << towns.BODYGUARD, 0, 0) if person != towns.NOBODY and person == covered else person


@njit(borrows=True)
def _doom(town, count, guarded, covered):
    """Replace those at whom the mafia shoots by those who are about to die by it, each once, and marked."""
    shots = count[SHOT]
    count[SHOT] = 0
    for shot in range(shots):
        target = town[TARGET, shot]
        town[MARKS, target] &= ~AIMED
        person = _struck(town, count, target, guarded, covered)
        if person != towns.NOBODY and not town[MARKS, person] & DYING:
            town[MARKS, person] |= DYING
            town[TARGET, count[SHOT]] = person
            count[SHOT] += 1


@njit(borrows=True)
def _interrogate(stream, town, count, rules):
    """The mafioso whom the detectives arrest, or NOBODY."""
    suspect = one_of(stream, town, count, EVERYONE ^ 1 << towns.DETECTIVE, towns.CLEARED, 0)
    if MAFIA >> town[ROLE, suspect] & 1:
        return suspect
    if rules.memory:
        town[MARKS, suspect] |= towns.CLEARED
    return towns.NOBODY


@njit(borrows=True)
def _takes(stream, count, rules, potion):
    """Whether the witch, if she still has the potion, uses it now; it is then gone."""
    if not count[potion] or not toss(stream, rules.potion):
        return False
    count[potion] = 0
    return True


@njit(borrows=True)
def _look_around(stream, town, count):
    """What the sheriff and the don learn, each of somebody of whom he has not learned it."""
    others = EVERYONE ^ 1 << towns.SHERIFF
    if count[towns.SHERIFF] and first_of(town, count, others, towns.CHECKED, 0) != towns.NOBODY:
        town[MARKS, one_of(stream, town, count, others, towns.CHECKED, 0)] |= towns.CHECKED
    if count[towns.DON] and first_of(town, count, TOWN, towns.SEEN, 0) != towns.NOBODY:
        person = one_of(stream, town, count, TOWN, towns.SEEN, 0)
        town[MARKS, person] |= towns.SEEN
        if town[ROLE, person] == towns.SHERIFF:
            count[FOUND] = 1


@njit(borrows=True)
def _first_of_vote(stream, town, count, candidates):
    """Each of the living votes for one of the candidates, not for himself, a sole candidate not at all.

    How many of them have most votes; these are then the first in the row of candidates.
    """
    if candidates == 1:
        return 1
    for place in range(candidates):
        town[VOTES, town[CANDIDATE, place]] = 0
    for place in range(count[LIVING]):
        voter, choice = town[ALIVE, place], town[ALIVE, place]
        while choice == voter:
            choice = town[CANDIDATE, below(stream, candidates)]
        town[VOTES, choice] += 1
    most, first = 0, 0
    for place in range(candidates):
        most = max(most, town[VOTES, town[CANDIDATE, place]])
    for place in range(candidates):
        if town[VOTES, town[CANDIDATE, place]] == most:
            town[CANDIDATE, first] = town[CANDIDATE, place]
            first += 1
    return first


@njit(borrows=True)
def _leaving(stream, town, count, rules, roles, marks, wanted):
    """How many of those who fit leave by a vote that may end in a tie."""
    candidates = 0
    for place in range(count[LIVING]):
        if fits(town, town[ALIVE, place], roles, marks, wanted):
            town[CANDIDATE, candidates] = town[ALIVE, place]
            candidates += 1
    first = _first_of_vote(stream, town, count, candidates)
    if first > 1 and (rules.ties == towns.AGAIN_NONE or rules.ties == towns.AGAIN_ALL):
        first = _first_of_vote(stream, town, count, first)
    return first if first == 1 or rules.ties == towns.ALL or rules.ties == towns.AGAIN_ALL else 0


@njit(borrows=True)
def _day(stream, town, count, rules):
    """One vote, and the hunters' shots that it causes."""
    roles, marks, wanted = suspects(town, count)
    leaving = 1
    if rules.ties != towns.LOT and roles != MAFIA:
        leaving = _leaving(stream, town, count, rules, roles, marks, wanted)
    for _ in range(leaving):
        fall(town, count, accused(stream, town, count, rules, roles, marks, wanted))
    bury(stream, town, count, rules)


@njit(borrows=True)
def _open(town, count, seats, rules):
    """Everyone comes to town: `seats` of each role, without marks; potions and bullets unused, nothing known."""
    person = 0
    for role in range(len(seats)):
        count[role] = seats[role]
        for _ in range(seats[role]):
            town[ROLE, person] = role
            town[MARKS, person] = 0
            town[ALIVE, person] = town[PLACE, person] = person
            person += 1
    count[LIVING], count[FALLEN], count[HEALING], count[POISON] = person, 0, 1, 1
    count[BULLETS], count[FOUND], count[TOLD] = rules.bullets, 0, 0


@njit(borrows=True)
def _play(stream, town, count, rules, phase):
    """Play on to the end; the number of nights played. `phase` is 0 in the evening, 1 in the morning."""
    nights, day = 0, 0
    while True:
        bad, others = mafia(count), count[LIVING] - mafia(count)
        if bad == 0 or others == 0 or (rules.half[phase] and bad >= others):
            return nights
        if phase == towns.EVENING:
            night(stream, town, count, rules)
            nights += 1
        else:
            day += 1
            if rules.votes[day % 2, count[LIVING] % 2]:
                _day(stream, town, count, rules)
        phase = 1 - phase


@njit
def play_games(first, last, seed, seats, rules, phase):
    """Play the games numbered `first` to `last` - 1 of one seed: of each, twice the nights, plus 1 if the mafia won.

    `seats` are in the order of `setups.ROLES`, `rules` as `coded` gives them; `phase` is 0 in the evening.
    """
    town, count = np.empty((ROWS, seats.sum()), np.int64), np.empty(NUMBERS, np.int64)
    stream, endings = np.empty(1, np.uint64), np.empty(last - first, np.int64)
    key = mix_word(np.uint64(seed))
    for game in range(first, last):
        stream[0] = start(key, game)
        _open(town, count, seats, rules)
        nights = _play(stream, town, count, rules, phase)
        endings[game - first] = 2 * nights + (mafia(count) > 0)
    return endings
