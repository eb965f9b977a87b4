"""Endgame tables: how a game with at most four players alive ends, from every state that it can be in.

The dead play no part in what follows. So a state is who lives, in the order of play from the lord on, whose turn it
is, and everybody's code; one table for each circle of the living serves all line-ups. Simulated games that come to such
a circle end there: `simulate(..., endgame=True)` adds the distribution of endings from that state, which has the same
mean as the ending that play would have led to, and a smaller variance (the theorem of Rao and Blackwell).
"""

import hashlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
import psutil

from gamebalance.base import cache
from gamebalance.base.announce import say
from gamebalance.sanguosha.attacks import attacks_of, next_seat
from gamebalance.sanguosha.chain import EVERY_CODE, openings
from gamebalance.sanguosha.kernels import transfer
from gamebalance.sanguosha.kernels.layout import SHARE_BITS, TURN_BITS
from gamebalance.sanguosha.kernels.rule_tables import FIRST, SECOND, permission_words, reach_both_ways
from gamebalance.sanguosha.lineup import Lineup, Role, Seating
from gamebalance.sanguosha.policies import REPORT_POLICIES
from gamebalance.sanguosha.rules import Rules
from gamebalance.sanguosha.scoring import Alive, numbers_alive, winner
from gamebalance.sanguosha.turn import CODE_OF, turn_codes

#: Players alive in the largest circles that have a table.
MOST_ALIVE = 4

#: Certainty, and one turn, in the whole numbers of a table.
CERTAIN, TURN = 1 << SHARE_BITS, 1 << TURN_BITS

#: The probability of endings not yet found, from the worst state, at which the rounds of a circle are broken off.
REST = 1e-10

#: Rounds between two looks at that probability, and rounds after which a game counts as one that need not end.
ROUNDS, MOST_ROUNDS = 8, 4000

#: Bytes of a state: of its table, and of what it is computed from; seconds of processor time that it takes, about.
BYTES, BYTES_AT_WORK, SECONDS = 28, 120, 5e-6

#: Tables held in memory at a time, as many as the report's rules have and some.
MOST_TABLES = 40

_asking = Lock()
_known: "dict[tuple[Seating, Rules], Endgame]" = {}


@dataclass(frozen=True, eq=False)
class Endgame:
    """What follows from every state of one circle, the `living` in the order of play from the lord on.

    `endings` are the numbers alive with which games can end from here, `codes` those that each of the living can have,
    the last in the order of play first. `table`, uint32 of shape (states, endings + 1), holds the probability of each
    ending in units of 1 / `CERTAIN`, rounded so that they add up to it, then the mean number of turns still to be
    played in units of 1 / `TURN`. A state's place counts the seat to move in the slowest place, then the codes in the
    order of `codes`.
    """

    living: Seating
    endings: tuple[Alive, ...]
    codes: transfer.Codes
    table: np.ndarray

    @property
    def error_bound(self) -> float:
        """On the error of all probabilities of a state together."""
        return 2 * (REST + len(self.endings) / CERTAIN)


def circles(lineup: Lineup) -> tuple[Seating, ...]:
    """The circles in which games of a line-up are stopped: those that play first comes to with few enough alive.

    Games of more than `MOST_ALIVE` players are stopped with so many alive; smaller ones after the first turn, with
    everybody alive or one player less.
    """
    most = min(lineup.players, MOST_ALIVE)
    sizes = (most,) if lineup.players > most else (most - 1, most)
    found = []
    for size in sizes:
        for others in product(list(Role)[1:], repeat=size - 1):
            numbers = numbers_alive((Role.LORD, *others), range(size))
            if winner(numbers) is None and all(map(int.__le__, numbers, lineup.counts)):
                found.append(Seating.of((Role.LORD, *others)))
    return tuple(found)


def tables(
    circles: tuple[Seating, ...], rules: Rules, workers: int = 1, progress: Callable[[int], Any] | None = None
) -> tuple[Endgame, ...]:
    """The tables of these circles: read from the cache, or computed by so many threads and kept there.

    `progress` is called with the number of tables that are there, then with 1 for each one computed. MemoryError if
    they need more memory than is free; ValueError if a game need not end under these rules.
    """
    with _asking:  # threads that ask for the same tables wait for the first
        found = {living: _known.get((living, rules)) for living in circles}
        files = {living: _file(living, rules) for living, table in found.items() if table is None}
        found |= {living: _read(living, rules, file) for living, file in files.items()}
        missing = [living for living, table in found.items() if table is None]
        report = progress or (lambda _: None)
        report(len(found) - len(missing))
        if missing:
            _announce(missing, rules, workers)
            with ThreadPoolExecutor(workers) as pool:
                built = pool.map(lambda living: _build(living, rules, files[living]), missing)
                for living, table in zip(missing, built, strict=True):
                    found[living] = table
                    report(1)
        tables = {living: table for living, table in found.items() if table is not None}
        for living, table in tables.items():
            _known[living, rules] = table
            while len(_known) > MOST_TABLES:
                del _known[next(iter(_known))]
        return tuple(tables.values())


def _announce(missing: list[Seating], rules: Rules, workers: int) -> None:
    """Say what the missing tables will take; MemoryError if there is not enough."""
    sizes = [_states(living, rules) for living in missing]
    needed, free = BYTES * sum(sizes) + BYTES_AT_WORK * workers * max(sizes), psutil.virtual_memory().available
    if needed > free:
        gibibytes = f"{needed / 2**30:.1f} GiB of memory, and {free / 2**30:.1f} GiB are free"
        raise MemoryError(f"endgame = True: {len(missing)} tables need {gibibytes}")
    say(
        f"computing {len(missing)} endgame tables, about {SECONDS * sum(sizes):.0f} s of processor time "
        f"and {needed / 2**30:.1f} GiB of memory; they are kept for later"
    )


def _states(living: Seating, rules: Rules) -> int:
    codes = codes_of(living.roles, rules)
    return len(codes) * int(np.prod([len(along) for along in codes]))


def _read(living: Seating, rules: Rules, file: Path | None) -> Endgame | None:
    """A table from its file, if it is there."""
    content = None if file is None else cache.read(file)
    if content is None:
        return None
    endings = endings_of(living, rules)
    table = np.frombuffer(content, np.uint32).reshape(-1, len(endings) + 1)
    return Endgame(living, endings, codes_of(living.roles, rules), table)


def _build(living: Seating, rules: Rules, file: Path | None) -> Endgame:
    """Compute a table, and keep it if it can be kept."""
    endings, values = endings_of(living, rules), _solve(living, rules)
    table = np.concatenate([_rounded(values[seat], len(endings)) for seat in sorted(values)])
    table.setflags(write=False)
    if file is not None:
        try:
            cache.write(file, table.tobytes())
        except OSError as error:
            say(f"endgame tables cannot be kept for the next start: {error.strerror or error}")
    return Endgame(living, endings, codes_of(living.roles, rules), table)


def _file(living: Seating, rules: Rules) -> Path | None:
    """Where a table lies: named by a hash of the rules, of what they say, and of all code that it is made by."""
    folder = cache.folder("endgames", "GAMEBALANCE_CACHE", "tables")
    turns = [turn_codes(rules, hearts).tobytes() for hearts in rules.health]
    # asked anew, since somebody may have put another rule in the place of the report's
    targets = permission_words.__wrapped__(rules).tolist(), reach_both_ways(rules.reach).tolist()
    said = cache.code("sanguosha", "base"), rules, rules.hand_probability, turns, targets
    return folder and folder / f"{living}-{hashlib.sha256(repr(said).encode()).hexdigest()[:32]}.bin"


def _rounded(values: np.ndarray, endings: int) -> np.ndarray:
    """The entries of a table, shape (states, endings + 1); what rounding down leaves goes to the first ending."""
    flat = values.reshape(-1, values.shape[-1])
    table = np.empty((len(flat), endings + 1), np.uint32)
    table[:, 1:endings] = np.floor(flat[:, 1:endings] * CERTAIN)
    table[:, 0] = CERTAIN - table[:, 1:endings].sum(axis=1, dtype=np.int64)
    table[:, endings] = np.rint(flat[:, endings] * TURN)
    return table


# What a table is computed from.


def codes_of(roles: tuple[Role, ...], rules: Rules) -> transfer.Codes:
    """The codes that players of these roles can have, the last first, whatever happened before.

    All 28; but where nobody attacks a lord while a loyalist lives, a lord who has one has what his own turns bring.
    """
    guarded = Role.LOYALIST in roles and not _lord_attacked(rules)
    return tuple(_lord_codes(rules) if guarded and role == Role.LORD else EVERY_CODE for role in reversed(roles))


def _lord_attacked(rules: Rules) -> bool:
    """Whether anybody may attack the lord while a loyalist lives."""
    words = permission_words(rules)
    asked = int(words[FIRST] | words[SECOND])  # the lord is the first role
    return any(
        asked >> (role | others << 2) & 1
        for role, others in product(Role, range(8))
        if role == Role.LOYALIST or others & 1
    )


def _lord_codes(rules: Rules) -> np.ndarray:
    """The codes to which a lord's own turns lead from the opening."""
    likely = [share > 0 for share in rules.hand_probability]
    turns = turn_codes(rules, rules.health[Role.LORD])[:, likely]
    found = {CODE_OF[player] for player in openings(Role.LORD, rules)}
    before = 0
    while before < (before := len(found)):
        found |= set(turns[:, :, sorted(found), :, 0].ravel().tolist())
    return np.array(sorted(found))


def _targets(living: Seating, rules: Rules) -> list[int]:
    """The seats that somebody attacks, ascending."""
    attacks = (attack for actor in range(living.players) for attack in _attacks(living, actor, rules))
    return sorted({attack.target for attack in attacks} - {None})


def _attacks(living: Seating, actor: int, rules: Rules):
    policy = REPORT_POLICIES[living.roles[actor]]
    return attacks_of(policy, actor, living.roles, tuple(range(living.players)), rules)


def _left(living: Seating, dead: int) -> tuple[Role, ...]:
    return tuple(role for seat, role in enumerate(living.roles) if seat != dead)


def endings_of(living: Seating, rules: Rules) -> tuple[Alive, ...]:
    """The numbers alive with which games can end from a circle, ascending."""
    found = set()
    for dead in _targets(living, rules):
        roles = _left(living, dead)
        numbers = numbers_alive(roles, range(len(roles)))
        found |= {numbers} if winner(numbers) else set(endings_of(Seating.of(roles), rules))
    return tuple(sorted(found))


def _solve(living: Seating, rules: Rules) -> dict[int, np.ndarray]:
    """The probability of each ending, and the mean number of turns to come, by the seat to move.

    The axes of an array are those of `codes_of`, then the endings, the turns, and as many empty places as make it a
    multiple of `EIGHT`. Value iteration from 0, so that every round gives the probability to have ended that way within
    so many rounds: too small, and by how much in all is what the endings' sum lacks to 1.
    """
    endings = endings_of(living, rules)
    wide = -(-(len(endings) + 1) // transfer.EIGHT) * transfer.EIGHT
    seats, codes = range(living.players), (*codes_of(living.roles, rules), np.arange(wide))
    values = {seat: np.zeros(tuple(map(len, codes))) for seat in seats}
    turns = {
        seat: [_turn(living, seat, attack, endings, codes, rules) for attack in _attacks(living, seat, rules)]
        for seat in seats
    }
    for number in range(MOST_ROUNDS):
        for seat in reversed(seats):
            onward, before = values[(seat + 1) % living.players], values[seat]
            before[...] = 0
            before[..., len(endings)] = 1
            for plan, fallen in turns[seat]:
                transfer.expect(onward.reshape(-1), fallen, before.reshape(-1), plan)
        if number % ROUNDS == 0 and all(
            (values[seat][..., : len(endings)].sum(axis=-1) > 1 - REST).all() for seat in seats
        ):
            return values
    raise ValueError(f"rules: with {', '.join(map(str, living.roles))} alive, the game need not end")


def _turn(living: Seating, seat: int, attack, endings, codes, rules: Rules) -> tuple[transfer.Plan, np.ndarray]:
    """The plan of an attack, and what the states in which the target has died are worth, flat."""
    wide = len(codes[-1])
    attack = replace(attack, shares=attack.shares[..., None], cells=(*attack.cells, np.zeros(wide, np.int64)))
    axis, dead = living.players - 1 - seat, attack.target
    if dead is None:
        return transfer.plan(attack, (axis,), codes, (), rules, backward=True), np.zeros(0)
    left = _left(living, dead)
    axes = axis, living.players - 1 - dead
    codes_left = (*codes_of(left, rules), codes[-1])
    fallen = np.zeros(tuple(map(len, codes_left)))
    numbers = numbers_alive(left, range(len(left)))
    if winner(numbers):
        fallen[..., endings.index(numbers)] = 1
    else:
        smaller = Seating.of(left)
        follower = next_seat(tuple(range(living.players)), seat, dead)
        worth = _solve_small(smaller, rules)[follower - (follower > dead)]
        fewer = endings_of(smaller, rules)
        fallen[..., [endings.index(ending) for ending in fewer]] = worth[..., : len(fewer)]
        fallen[..., len(endings)] = worth[..., len(fewer)]
    return transfer.plan(attack, axes, codes, codes_left, rules, backward=True), fallen.reshape(-1)


@lru_cache(maxsize=32)
def _solve_small(living: Seating, rules: Rules) -> dict[int, np.ndarray]:
    """`_solve`, for circles that others lead to."""
    return _solve(living, rules)
