"""Who dies in a night, of those choices that `mafia.phases` states, by numbers of towns.

A night goes from book to book. First come the shots of the mafia: an entry is the town without those who are shot so
far, of which nobody has died yet. Each way to be guarded, covered, healed, poisoned or shot by the vigilante then
gives the town without the dead, and of those who are left the detectives arrest or clear one.
"""

from gamebalance.mafia.kernels import books, towns


def night(people, rules, number, town, room):
    """The towns that a night leaves, before the last shots of hunters, in `room.after`; `town` is that of `number`."""
    _mafia_shoots(people, rules, number, town, room)
    books.clear(room.before)
    for place in range(books.entries_of(room.shot)):
        number_left, chance = books.entry(room.shot, place)
        towns.read(people, number_left, room.left)
        for digit in range(len(people)):
            room.dead[digit] = town[digit] - room.left[digit]
        _vigilante(people, rules, number, town, room.dead, room.before, chance)
    books.clear(room.after)
    for place in range(books.entries_of(room.before)):
        number_left, chance = books.entry(room.before, place)
        towns.read(people, number_left, room.left)
        _interrogate(people, rules, town, room.left, room.after, number_left, chance)


def _mafia_shoots(people, rules, number, town, room):
    """The town without those at whom the mafia shoots, in `room.shot`."""
    towns.start(room.shot, number)
    for _ in range(rules.kills[min(towns.mafia(people, town), towns.MOST_DIFFERENT)]):
        books.clear(room.before)
        for place in range(books.entries_of(room.shot)):
            number_left, chance = books.entry(room.shot, place)
            towns.read(people, number_left, room.left)
            _one_shot(people, rules, town, room.left, number_left, chance, room.before)
        towns.move(room.before, room.shot)
    if rules.agreement < 1:
        for place in range(books.entries_of(room.shot)):
            room.shot.chances[place] *= rules.agreement
        books.add(room.shot, number, 1 - rules.agreement)


def _one_shot(people, rules, town, left, number, chance, entries):
    """One shot more at a town of which `left` are not yet shot at."""
    pool, hit, known = 0, 0, towns.kind_of(people, town, towns.SHERIFF)
    for kind in range(towns.kinds_of(people)):
        if people[kind].town:
            pool += left[kind]
            hit += town[kind] - left[kind]
    if known != towns.NOBODY and people[known].marks & towns.SEEN and (rules.apart or left[known]):
        books.add(entries, number - left[known] * people[known].step, chance)
        return
    pool += hit if rules.apart else 0
    if pool == 0 or (rules.apart and hit):
        books.add(entries, number, chance * (hit / pool if pool else 1.0))
    for kind in range(towns.kinds_of(people)):
        if people[kind].town and left[kind]:
            books.add(entries, number - people[kind].step, chance * left[kind] / pool)


def may_fall(people, rules, town, kind, known):
    """How much a player of a kind weighs where the town acts; `known`, whether everybody knows a living mafioso."""
    if town[towns.TOLD]:
        checked = people[kind].marks & towns.CHECKED
        if people[kind].town:
            return 0.0 if known or checked or people[kind].role == towns.SHERIFF else 1.0
        return rules.odds if bool(checked) == known else 0.0
    return 1.0 if people[kind].town else rules.odds


def knows_mafioso(people, town):
    """Whether everybody knows a living mafioso."""
    for kind in range(towns.kinds_of(people)):
        if not people[kind].town and people[kind].marks & towns.CHECKED and town[kind] and town[towns.TOLD]:
            return True
    return False


def _vigilante(people, rules, number, town, shot, entries, chance):
    """The vigilante shoots, perhaps, at somebody whom the mafia has left alone or at one whom it has shot."""
    if not town[towns.BULLETS] or rules.shot == 0:
        _doctors(people, rules, number, town, shot, towns.NOBODY, entries, chance)
        return
    if rules.shot < 1:
        _doctors(people, rules, number, town, shot, towns.NOBODY, entries, chance * (1 - rules.shot))
    known, pool, both = knows_mafioso(people, town), 0.0, 0.0
    for kind in range(towns.kinds_of(people)):
        if people[kind].role != towns.VIGILANTE:
            weight = may_fall(people, rules, town, kind, known)
            pool += weight * town[kind]
            both += weight * shot[kind]
    after = number - people[towns.BULLETS].step
    if both > 0:
        _doctors(people, rules, after, town, shot, towns.NOBODY, entries, chance * rules.shot * both / pool)
    for kind in range(towns.kinds_of(people)):
        fresh = town[kind] - shot[kind]
        if people[kind].role != towns.VIGILANTE and fresh:
            share = may_fall(people, rules, town, kind, known) * fresh / pool
            if share > 0:
                _doctors(people, rules, after, town, shot, kind, entries, chance * rules.shot * share)


def _doctors(people, rules, number, town, shot, hit, entries, chance):
    """The doctors guard somebody; it matters if he was shot by the mafia, or `hit` by the vigilante."""
    if towns.alive(people, town, towns.DOCTOR) == 0:
        _bodyguard(people, rules, number, town, shot, hit, entries, chance)
        return
    pool, rest = (
        towns.living(people, town),
        towns.living(people, town) - towns.living(people, shot) - (hit != towns.NOBODY),
    )
    for kind in range(towns.kinds_of(people)):
        if shot[kind]:
            share = shot[kind] / pool
            shot[kind] -= 1
            _bodyguard(people, rules, number, town, shot, hit, entries, chance * share)
            shot[kind] += 1
    if hit != towns.NOBODY:
        _bodyguard(people, rules, number, town, shot, towns.NOBODY, entries, chance / pool)
    if rest:
        _bodyguard(people, rules, number, town, shot, hit, entries, chance * rest / pool)


def _bodyguard(people, rules, number, town, shot, hit, entries, chance):
    """The bodyguard stands before somebody else, and dies instead of him if he is shot."""
    guard = towns.kind_of(people, town, towns.BODYGUARD)
    if guard == towns.NOBODY:
        _heal(people, rules, number, town, shot, hit, entries, chance)
        return
    pool = towns.living(people, town) - 1
    rest, himself = pool, shot[guard]
    for kind in range(towns.kinds_of(people)):
        if kind != guard and shot[kind]:
            rest -= shot[kind]
            share = shot[kind] / pool
            shot[kind] -= 1
            shot[guard] = 1
            _heal(people, rules, number, town, shot, towns.NOBODY if hit == guard else hit, entries, chance * share)
            shot[guard] = himself
            shot[kind] += 1
    if hit != towns.NOBODY and hit != guard:
        rest -= 1
        _heal(people, rules, number, town, shot, towns.NOBODY if himself else guard, entries, chance / pool)
    if rest:
        _heal(people, rules, number, town, shot, hit, entries, chance * rest / pool)


def _heal(people, rules, number, town, shot, hit, entries, chance):
    """The witch is shown who is about to die by the mafia, and may save one of them."""
    heals = rules.potion if town[towns.POTIONS] >= 0 and town[towns.POTIONS] & towns.HEALING else 0.0
    shown = towns.living(people, shot)
    if shown == 0 or heals == 0:
        _poison(people, rules, number, town, shot, hit, towns.NOBODY, entries, chance)
        return
    if heals < 1:
        _poison(people, rules, number, town, shot, hit, towns.NOBODY, entries, chance * (1 - heals))
    after = number - towns.HEALING * people[towns.POTIONS].step
    for kind in range(towns.kinds_of(people)):
        if shot[kind]:
            share = shot[kind] / shown
            shot[kind] -= 1
            _poison(people, rules, after, town, shot, hit, kind, entries, chance * heals * share)
            shot[kind] += 1


def _poison(people, rules, number, town, shot, hit, saved, entries, chance):
    """The witch may poison anyone but herself and those whom she was shown."""
    poisons = rules.potion if town[towns.POTIONS] & towns.POISON else 0.0
    dead = number
    for kind in range(towns.kinds_of(people)):
        dead -= shot[kind] * people[kind].step
    dead -= people[hit].step if hit != towns.NOBODY else 0
    if poisons < 1:
        books.add(entries, dead, chance * (1 - poisons))
    if poisons == 0:
        return
    pool = 0
    for kind in range(towns.kinds_of(people)):
        pool += 0 if people[kind].role == towns.WITCH else town[kind] - shot[kind] - (saved == kind)
    if pool == 0:
        books.add(entries, dead, chance * poisons)
        return
    dead -= towns.POISON * people[towns.POTIONS].step
    for kind in range(towns.kinds_of(people)):
        fresh = town[kind] - shot[kind] - (saved == kind) - (hit == kind)
        if people[kind].role != towns.WITCH and fresh:
            books.add(entries, dead - people[kind].step, chance * poisons * fresh / pool)
    if hit != towns.NOBODY and people[hit].role != towns.WITCH:
        books.add(entries, dead, chance * poisons / pool)


def _interrogate(people, rules, town, left, entries, number, chance):
    """The detectives interrogate somebody, who may be dead by dawn; of those who are `left`, a mafioso is arrested."""
    pool = 0
    if towns.alive(people, town, towns.DETECTIVE):
        for kind in range(towns.kinds_of(people)):
            pool += 0 if _not_asked(people, rules, kind) else town[kind]
    if pool == 0:
        books.add(entries, number, chance)
        return
    rest = pool
    for kind in range(towns.kinds_of(people)):
        there = left[kind]
        if there == 0 or _not_asked(people, rules, kind):
            continue
        to = people[kind].as_cleared
        if people[kind].town and (not rules.memory or to == kind):
            continue
        rest -= there
        after = number - people[kind].step + (people[to].step if people[kind].town else 0)
        books.add(entries, after, chance * there / pool)
    if rest:
        books.add(entries, number, chance * rest / pool)


def _not_asked(people, rules, kind):
    """Whether detectives never interrogate people of a kind."""
    return people[kind].role == towns.DETECTIVE or (rules.memory and people[kind].marks & towns.CLEARED)
