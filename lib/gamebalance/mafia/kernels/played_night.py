"""Compiled: a night of a played game, person by person."""

from gamebalance.base.jit import njit
from gamebalance.mafia.kernels.persons import (
    AGREEMENT,
    AIMED,
    APART,
    AT_A_FIND,
    BODYGUARD,
    BULLETS,
    CHECKED,
    CLEARED,
    DETECTIVE,
    DOCTOR,
    DON,
    DYING,
    EVERY_MORNING,
    EVERYONE,
    FOUND,
    HEALING,
    KILLS,
    LIVING,
    MAFIA,
    MARKS,
    MEMORY,
    MOST_DIFFERENT,
    NOBODY,
    POISON,
    POTION,
    ROLE,
    SEEN,
    SHERIFF,
    SHOOTS,
    SHOT,
    SURE,
    TARGET,
    TELLS,
    TOLD,
    TOWN,
    VIGILANTE,
    WITCH,
    accused,
    anyone,
    bury,
    fall,
    first_of,
    mafia,
    one_of,
    suspects,
    toss,
)


@njit(borrows=True)
def night(stream, town, count, rules):
    """One night: first all choices, then who falls by them, and what is known at dawn."""
    hit, guarded, covered, arrested, saved, poisoned = NOBODY, NOBODY, NOBODY, NOBODY, NOBODY, NOBODY
    _mafia_shoots(stream, town, count, rules)
    if count[VIGILANTE] and count[BULLETS] and toss(stream, rules[SHOOTS]):
        hit = _vigilante_shoots(stream, town, count, rules)
    if count[DOCTOR]:
        guarded = anyone(stream, town, count)
    if count[BODYGUARD]:
        covered = one_of(stream, town, count, EVERYONE ^ 1 << BODYGUARD, 0, 0)
    _doom(town, count, guarded, covered)
    hit = _struck(town, count, hit, guarded, covered)
    if count[DETECTIVE]:
        arrested = _interrogate(stream, town, count, rules)
    if count[WITCH]:
        if count[SHOT] and _takes(stream, count, rules, HEALING):
            saved = _saved(stream, town, count)
        if _takes(stream, count, rules, POISON):
            poisoned = one_of(stream, town, count, EVERYONE ^ 1 << WITCH, DYING, 0)
    if count[SHERIFF] + count[DON]:
        _look_around(stream, town, count)
    _the_mafia_kills(town, count, saved)
    if hit != saved:
        fall(town, count, hit)
    fall(town, count, arrested)
    fall(town, count, poisoned)
    bury(stream, town, count, rules)
    if count[SHERIFF]:
        _speak(town, count, rules)


@njit(borrows=True)
def _mafia_shoots(stream, town, count, rules):
    """At whom the mafia shoots, each person once in the row of targets, and marked."""
    count[SHOT] = 0
    if rules[AGREEMENT] < SURE and not toss(stream, rules[AGREEMENT]):
        return
    spared = 0 if rules[APART] else AIMED
    for _ in range(int(rules[KILLS + min(mafia(count), MOST_DIFFERENT) - 1])):
        person = _victim(stream, town, count, spared)
        if person != NOBODY and not town[MARKS, person] & AIMED:
            town[MARKS, person] |= AIMED
            town[TARGET, count[SHOT]] = person
            count[SHOT] += 1


@njit(borrows=True)
def _victim(stream, town, count, spared):
    """At whom the mafia shoots next, or NOBODY: first at a sheriff whom it knows, at nobody with the mark `spared`."""
    person = NOBODY
    if count[FOUND] + count[TOLD]:
        person = first_of(town, count, 1 << SHERIFF, spared, 0)
    if person == NOBODY and (not spared or count[SHOT] < count[LIVING] - mafia(count)):
        person = one_of(stream, town, count, TOWN, spared, 0)
    return person


@njit(borrows=True)
def _vigilante_shoots(stream, town, count, rules):
    """At whom the vigilante shoots."""
    count[BULLETS] -= 1
    roles, marks, wanted = suspects(town, count)
    return accused(stream, town, count, rules, roles & ~(1 << VIGILANTE), marks, wanted)


@njit(borrows=True)
def _struck(town, count, person, guarded, covered):
    """Who is hit by a shot at a person: NOBODY, if a doctor guards him, or the bodyguard, if he stands before him."""
    if person == guarded:
        return NOBODY
    return first_of(town, count, 1 << BODYGUARD, 0, 0) if person != NOBODY and person == covered else person


@njit(borrows=True)
def _doom(town, count, guarded, covered):
    """Replace those at whom the mafia shoots by those who are about to die by it, each once, and marked."""
    shots = count[SHOT]
    count[SHOT] = 0
    for shot in range(shots):
        target = town[TARGET, shot]
        town[MARKS, target] &= ~AIMED
        person = _struck(town, count, target, guarded, covered)
        if person != NOBODY and not town[MARKS, person] & DYING:
            town[MARKS, person] |= DYING
            town[TARGET, count[SHOT]] = person
            count[SHOT] += 1


@njit(borrows=True)
def _the_mafia_kills(town, count, saved):
    """Those who are about to die by the mafia fall, but for one who is saved."""
    for shot in range(count[SHOT]):
        person = town[TARGET, shot]
        town[MARKS, person] &= ~DYING
        if person != saved:
            fall(town, count, person)


@njit(borrows=True)
def _interrogate(stream, town, count, rules):
    """The mafioso whom the detectives arrest, or NOBODY."""
    suspect = one_of(stream, town, count, EVERYONE ^ 1 << DETECTIVE, CLEARED, 0)
    if MAFIA >> town[ROLE, suspect] & 1:
        return suspect
    if rules[MEMORY]:
        town[MARKS, suspect] |= CLEARED
    return NOBODY


@njit(borrows=True)
def _takes(stream, count, rules, potion):
    """Whether the witch, if she still has the potion, uses it now; it is then gone."""
    if not count[potion] or not toss(stream, rules[POTION]):
        return False
    count[potion] = 0
    return True


@njit(borrows=True)
def _saved(stream, town, count):
    """One of those who are about to die by the mafia; a sole one is not drawn."""
    if count[SHOT] == 1:
        return town[TARGET, 0]
    return one_of(stream, town, count, EVERYONE, DYING, DYING)


@njit(borrows=True)
def _look_around(stream, town, count):
    """What the sheriff and the don learn, each of somebody of whom he has not learned it."""
    others = EVERYONE ^ 1 << SHERIFF
    if count[SHERIFF] and first_of(town, count, others, CHECKED, 0) != NOBODY:
        town[MARKS, one_of(stream, town, count, others, CHECKED, 0)] |= CHECKED
    if count[DON] and first_of(town, count, TOWN, SEEN, 0) != NOBODY:
        person = one_of(stream, town, count, TOWN, SEEN, 0)
        town[MARKS, person] |= SEEN
        if town[ROLE, person] == SHERIFF:
            count[FOUND] = 1


@njit(borrows=True)
def _speak(town, count, rules):
    """A sheriff who lives at dawn may tell everybody what he has learned."""
    found = rules[TELLS] == AT_A_FIND and first_of(town, count, MAFIA, CHECKED, CHECKED) != NOBODY
    if found or rules[TELLS] == EVERY_MORNING:
        count[TOLD] = 1
