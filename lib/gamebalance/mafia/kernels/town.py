"""The compiled town: one game after another, person by person.

Everyone has a number. Whoever is to be chosen is drawn among the living, and drawn again until it is somebody who may
be chosen; so nothing here weighs one kind of player against another. Tests play the same games in plain Python.
"""

import numpy as np

from gamebalance.base.jit import njit
from gamebalance.base.splitmix import GOLDEN, mix_word

#: Said before the first function of this module is compiled.
COMPILES = "the simulator, 3 to 10 s"
# Roles, in the order of `rules.ROLES`; `count` holds how many of each are alive, then the four numbers below.
MAFIOSO, INNOCENT, DETECTIVE, DOCTOR, WITCH, HUNTER, ROLES = range(7)
LIVING, FALLEN, HEALING, POISON, NUMBERS = range(ROLES, ROLES + 5)
# Rows of `town`: role and whether cleared, by person; who is alive, in any order, and everyone's place in that list;
# who fell this night or day, in order.
ROLE, CLEARED, ALIVE, PLACE, DEAD, ROWS = range(6)

#: The step from one state of the generator to the next.
STEP = np.uint64(GOLDEN)
#: A word's upper half chooses among people; its upper 53 bits decide whether a potion is used.
HALF, LOW_HALF, COIN_SHIFT = np.uint64(32), np.uint64(0xFFFFFFFF), np.uint64(11)

NOBODY = -1


@njit(nogil=True)
def start(key, game):
    """Where the stream of a game begins; `key` is `mix` of the seed."""
    return mix_word(np.uint64(key) + STEP * np.uint64(game))


@njit(nogil=True)
def draw(stream):
    """The next 64-bit word of splitmix64, whose state is `stream`, an array of one uint64."""
    stream[0] += STEP
    return mix_word(stream[0])


@njit(nogil=True)
def below(stream, number):
    """A whole number from 0 to `number` - 1, all exactly equally likely (Lemire 2019); `number` below 2^32."""
    number = np.uint64(number)
    product = (draw(stream) >> HALF) * number
    if product & LOW_HALF < number:
        least = (LOW_HALF - number + np.uint64(1)) % number
        while product & LOW_HALF < least:
            product = (draw(stream) >> HALF) * number
    return np.int64(product >> HALF)


@njit(nogil=True)
def _anyone(stream, town, count):
    return town[ALIVE, below(stream, count[LIVING])]


@njit(nogil=True)
def _victim(stream, town, count):
    person = _anyone(stream, town, count)
    while town[ROLE, person] == MAFIOSO:
        person = _anyone(stream, town, count)
    return person


@njit(nogil=True)
def _suspect(stream, town, count):
    person = _anyone(stream, town, count)
    while town[ROLE, person] == DETECTIVE or town[CLEARED, person]:
        person = _anyone(stream, town, count)
    return person


@njit(nogil=True)
def _poisoned(stream, town, count, spared):
    person = _anyone(stream, town, count)
    while town[ROLE, person] == WITCH or person == spared:
        person = _anyone(stream, town, count)
    return person


@njit(nogil=True)
def _takes(stream, count, potion, limit):
    """Whether the witch, if she still has the potion, uses it now; it is then gone."""
    if not count[potion] or draw(stream) >> COIN_SHIFT >= limit:
        return False
    count[potion] = 0
    return True


@njit(nogil=True)
def _fall(town, count, person):
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


@njit(nogil=True)
def _shoot(stream, town, count):
    """Every hunter who fell takes somebody along, those included who fall by it; then the fallen are forgotten."""
    shooter = 0
    while shooter < count[FALLEN] and count[LIVING]:
        if town[ROLE, town[DEAD, shooter]] == HUNTER:
            _fall(town, count, _anyone(stream, town, count))
        shooter += 1
    count[FALLEN] = 0


@njit(nogil=True)
def _night(stream, town, count, limit, memory):
    """One night: first all choices, then who falls by them."""
    victim, arrested, poisoned = _victim(stream, town, count), NOBODY, NOBODY
    if count[DOCTOR] and _anyone(stream, town, count) == victim:
        victim = NOBODY
    if count[DETECTIVE]:
        suspect = _suspect(stream, town, count)
        if town[ROLE, suspect] == MAFIOSO:
            arrested = suspect
        else:
            town[CLEARED, suspect] = memory
    if count[WITCH]:
        shown = victim
        if shown != NOBODY and _takes(stream, count, HEALING, limit):
            victim = NOBODY
        if _takes(stream, count, POISON, limit):
            poisoned = _poisoned(stream, town, count, shown)
    _fall(town, count, victim)
    _fall(town, count, arrested)
    _fall(town, count, poisoned)
    _shoot(stream, town, count)


@njit(nogil=True)
def _open(town, count, seats):
    """Everyone comes to town: `seats` of each role, potions unused, nobody cleared."""
    person = 0
    for role in range(ROLES):
        count[role] = seats[role]
        for _ in range(seats[role]):
            town[ROLE, person] = role
            town[CLEARED, person] = 0
            town[ALIVE, person] = town[PLACE, person] = person
            person += 1
    count[LIVING], count[FALLEN], count[HEALING], count[POISON] = person, 0, 1, 1


@njit(nogil=True)
def _goes_on(count, half):
    """Whether neither side has won; `half` says whether half of the living is enough for the mafia now."""
    mafia, others = count[MAFIOSO], count[LIVING] - count[MAFIOSO]
    return mafia > 0 and others > 0 and not (half and mafia >= others)


@njit(nogil=True)
def _play(stream, town, count, limit, memory, half, votes, phase):
    """Play on to the end; the number of nights played. `phase` is 0 in the evening, 1 in the morning."""
    nights, day = 0, 0
    while _goes_on(count, half[phase]):
        if phase == 0:
            _night(stream, town, count, limit, memory)
            nights += 1
        else:
            day += 1
            if votes[day % 2, count[LIVING] % 2]:
                _fall(town, count, _anyone(stream, town, count))
                _shoot(stream, town, count)
        phase = 1 - phase
    return nights


@njit(nogil=True)
def play_games(first, last, seed, seats, limit, memory, half, votes, phase):
    """Play the games numbered `first` to `last` - 1 of one seed: of each, twice the nights, plus 1 if the mafia won.

    `seats` are in the order of `rules.ROLES`, `limit` is 2^53 times the chance of a potion, `phase` is 0 in the
    evening.
    """
    town, count = np.empty((ROWS, seats.sum()), np.int64), np.empty(NUMBERS, np.int64)
    stream, endings = np.empty(1, np.uint64), np.empty(last - first, np.int64)
    key = mix_word(np.uint64(seed))
    for game in range(first, last):
        stream[0] = start(key, game)
        _open(town, count, seats)
        nights = _play(stream, town, count, limit, memory, half, votes, phase)
        endings[game - first] = 2 * nights + (count[MAFIOSO] > 0)
    return endings
