"""Compiled: what can follow a night, a vote or a hunter's shot, by numbers of people of each kind.

A town is eleven numbers: mafiosi; innocents, the same cleared; detectives; doctors, the same cleared; hunters, the
same cleared; witches, the same cleared; and the witch's potions (1 healing, 2 poison). Towns are numbered: a change of
one person is a step of `steps[kind]`. The followers of a town are written to a list: number of the town, hunters who
are yet to shoot, chance.
"""

from gamebalance.base.jit import njit

KINDS = 11
MAFIOSI, INNOCENTS, DETECTIVES, DOCTORS, HUNTERS, WITCHES, POTIONS = 0, 1, 3, 4, 6, 8, 10
HEALING, POISON = 1, 2
NOBODY = -1


@njit(nogil=True)
def living(town):
    """How many are alive."""
    total = 0
    for kind in range(POTIONS):
        total += town[kind]
    return total


@njit(nogil=True)
def number(town, steps):
    """The number of a town."""
    total = 0
    for kind in range(KINDS):
        total += town[kind] * steps[kind]
    return total


@njit(nogil=True)
def _is_hunter(kind):
    return kind == HUNTERS or kind == HUNTERS + 1


@njit(nogil=True)
def _is_witch(kind):
    return kind == WITCHES or kind == WITCHES + 1


@njit(nogil=True)
def _may_be_suspected(kind, memory):
    """Everyone but detectives; with memory, nobody who is cleared."""
    return kind != DETECTIVES and not (memory and kind not in (MAFIOSI, INNOCENTS, DOCTORS, HUNTERS, WITCHES))


@njit(nogil=True)
def deaths_by_chance(town, steps, shots, followers):
    """One of the living goes, everyone equally likely; `shots` more are then to come. Number of followers."""
    after, shooters, chance = followers
    here, total, count = number(town, steps), living(town), 0
    for kind in range(POTIONS):
        if town[kind] > 0:
            after[count] = here - steps[kind] - (town[POTIONS] * steps[POTIONS] if _is_witch(kind) else 0)
            shooters[count] = shots + _is_hunter(kind)
            chance[count] = town[kind] / total
            count += 1
    return count


@njit(nogil=True)
def night(town, steps, potion, memory, followers):
    """All that can follow a night of a town with mafiosi and others. Number of followers."""
    count, others = 0, living(town) - town[MAFIOSI]
    guard = 1 / living(town) if town[DOCTORS] + town[DOCTORS + 1] > 0 else 0.0
    for victim in range(1, POTIONS):
        if town[victim] > 0:
            picked = town[victim] / others
            if guard > 0:
                count = _poison(town, steps, potion, memory, followers, count, picked * guard, NOBODY, NOBODY, 0)
            count = _heal(town, steps, potion, memory, followers, count, picked * (1 - guard), victim)
    return count


@njit(nogil=True)
def _heal(town, steps, potion, memory, followers, count, chance, victim):
    """The witch is shown the victim and may save it."""
    heals = potion if town[POTIONS] & HEALING else 0.0
    if heals > 0:
        count = _poison(town, steps, potion, memory, followers, count, chance * heals, victim, NOBODY, HEALING)
    if heals < 1:
        count = _poison(town, steps, potion, memory, followers, count, chance * (1 - heals), victim, victim, 0)
    return count


@njit(nogil=True)
def _poison(town, steps, potion, memory, followers, count, chance, known, dead, used):
    """The witch may poison anyone but herself and the victim that she knows."""
    eligible = living(town) - 1 - (known != NOBODY and not _is_witch(known))  # at least the mafiosi
    poisons = potion if town[POTIONS] & POISON else 0.0
    if poisons < 1:
        count = _interrogate(town, steps, memory, followers, count, chance * (1 - poisons), dead, NOBODY, used)
    if poisons > 0:
        for kind in range(WITCHES):
            share = (town[kind] - (kind == known)) / eligible
            if share > 0:
                count = _interrogate(
                    town, steps, memory, followers, count, chance * poisons * share, dead, kind, used | POISON
                )
    return count


@njit(nogil=True)
def _interrogate(town, steps, memory, followers, count, chance, dead, poisoned, used):
    """The detectives choose a suspect, who may be one of those who die."""
    pool = 0
    if town[DETECTIVES] > 0:
        for kind in range(POTIONS):
            pool += town[kind] if _may_be_suspected(kind, memory) else 0
    left = 1.0
    if pool > 0:
        arrest = (town[MAFIOSI] - (poisoned == MAFIOSI)) / pool
        left -= arrest
        if arrest > 0:
            count = _dawn(town, steps, followers, count, chance * arrest, dead, poisoned, used, -steps[MAFIOSI])
    if pool > 0 and memory:
        for kind in (INNOCENTS, DOCTORS, HUNTERS, WITCHES):
            cleared = (town[kind] - (kind == dead) - (kind == poisoned)) / pool
            left -= cleared
            if cleared > 0:
                change = steps[kind + 1] - steps[kind]
                count = _dawn(town, steps, followers, count, chance * cleared, dead, poisoned, used, change)
        # Who is left dies tonight; as a difference it would be a rounding error instead of 0.
        known_dead = 0
        for kind in (MAFIOSI, INNOCENTS, DOCTORS, HUNTERS, WITCHES):
            known_dead += (kind == dead) + (kind == poisoned)
        left = known_dead / pool
    if left > 0:
        count = _dawn(town, steps, followers, count, chance * left, dead, poisoned, used, 0)
    return count


@njit(nogil=True)
def _dawn(town, steps, followers, count, chance, dead, poisoned, used, change):
    """Write down one follower."""
    after, shooters, chances = followers
    spent = used
    here = number(town, steps) + change
    shots = 0
    for kind in (dead, poisoned):
        if kind != NOBODY:
            here -= steps[kind]
            shots += _is_hunter(kind)
            if _is_witch(kind):
                spent = town[POTIONS]
    after[count], shooters[count], chances[count] = here - spent * steps[POTIONS], shots, chance
    return count + 1
