"""Whether the tables of the fast simulator say what the readable rules say; asked before anything is simulated."""

import random
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from threading import Lock
from typing import NamedTuple

import numpy as np
from numba.np.unsafe.ndarray import to_fixed_tuple

from gamebalance.base.checks import shown
from gamebalance.base.jit import njit
from gamebalance.base.lanes import shl
from gamebalance.sanguosha.kernels.lockstep import choose, look_around
from gamebalance.sanguosha.kernels.rule_tables import (
    NOBODY,
    QUESTIONS,
    over_table,
    permission_words,
    reach_table,
    seats_of,
    turn_table,
)
from gamebalance.sanguosha.lineup import Lineup, Role, Seating
from gamebalance.sanguosha.rules import CARD_PAIRS, MAX_HEALTH, Rules
from gamebalance.sanguosha.scoring import numbers_alive, winner
from gamebalance.sanguosha.targets import picked
from gamebalance.sanguosha.turn import CODE_OF, DEAD, LIVING_PLAYERS, PLAYERS, turn_codes

#: Line-ups of up to so many players are checked in every state that `targets` can see; larger ones in a sample.
COMPLETE_PLAYERS = 4

#: States of the sample, at least so many for each combination of the numbers alive, role to move and weapon.
SAMPLE, LEAST_OF_EACH = 3_000, 8

#: Players that the fast kernel can tell apart when it draws a target.
MOST_IN_REACH = 6

u32 = np.uint32


class State(NamedTuple):
    """What `targets.candidates` is told: the seat to move, roles and health by seat, whether the player is armed."""

    seat: int
    roles: Sequence[Role]
    health: Sequence[int]
    weapon: bool


class Misfit(NamedTuple):
    """Where the fast simulator's tables differ from the readable rules: a case in words, "" where they agree."""

    turn: str
    target: str


_lock = Lock()


def misfit(lineup: Lineup, rules: Rules) -> Misfit:
    """Where the fast simulator would not follow these rules; ValueError if no simulator can."""
    with _lock:
        return Misfit(turn_misfit(rules), target_misfit(lineup, rules))


@lru_cache(maxsize=32)
def turn_misfit(rules: Rules) -> str:
    """The first of all 2 x 21 x 28 x 29 turns in which the fast kernel's table differs from `turn.take_turn`, or ""."""
    codes = turn_codes(rules)
    try:
        table = turn_table(rules)
    except OverflowError:  # a gain that does not fit its bits
        return "what the player whose turn it is gains"
    near, pair, actor, target = np.indices(codes.shape[:-1])
    wrong = np.argwhere((_turns_by_table(table, near, pair, actor, target) != codes).any(axis=-1))
    if not len(wrong):
        return ""
    near, pair, actor, target = wrong[0].tolist()
    cards = " and ".join(card.english for card in CARD_PAIRS[pair])
    against = "nobody" if target == DEAD else f"{tuple(LIVING_PLAYERS[target])}"
    return f"{cards}, drawn by {tuple(LIVING_PLAYERS[actor])} against {against} (health, dodges, weapon)"


def _turns_by_table(table, near, pair, actor, target) -> np.ndarray:
    """What the kernel makes of `turn_table`, in the layout of `turn.turn_codes`; -1 for what is no state."""
    health, dodges, weapon = np.array([*PLAYERS[:DEAD], (0, NOBODY, False)]).T
    place = near << 11 | pair << 6 | weapon[target] << 5 | dodges[target] << 2 | health[target] & 3
    effect = table[place].astype(np.int64)
    better = np.minimum(health[actor] + (effect >> 10 & 3), MAX_HEALTH)
    kept = np.minimum(dodges[actor] + (effect >> 8 & 3), better)
    armed = weapon[actor] | effect >> 12 & 1
    left = health[target] ^ effect & 7, dodges[target] ^ effect >> 3 & 7, weapon[target] ^ effect >> 6 & 1
    code = np.full((8, 8, 2), -1)
    for player, number in CODE_OF.items():
        code[player.health, player.dodges, int(player.weapon)] = number
    return np.stack([code[better, kept, armed], np.where(target == DEAD, DEAD, code[left])], axis=-1)


@lru_cache(maxsize=128)
def target_misfit(lineup: Lineup, rules: Rules) -> str:
    """The first state found in which the fast kernel picks among others than `targets.candidates`, or "".

    Up to `COMPLETE_PLAYERS` players these are all states in which a game of the line-up can be: every seating, health,
    seat to move, armed or not. With more players they are a sample: for every combination of the numbers alive, role to
    move and weapon, some seatings and healths, always the same ones.
    """
    reach = reach_table()
    if max(int(entry & 511).bit_count() for entry in reach) > MOST_IN_REACH:
        return "more than six players in reach"
    going = [not found for found in over_table().tolist()]
    if going != [bool(alive[0] and alive[2] + alive[3]) for alive in product(range(2), *[range(10)] * 3)]:
        return "when a game is over"
    words = permission_words(rules)
    for state in states(lineup):
        seats = _seats_by_words(state, reach, words)
        found = picked(*state, rules)
        if sum(1 << seat for seat in found) != seats:
            return _described(state, found)
    return ""


def _described(state: State, found: list[int]) -> str:
    armed = "with a weapon" if state.weapon else "without a weapon"
    seating = Seating.of(state.roles)
    return f"seat {state.seat} {armed} in seating {seating} with health {list(state.health)} picks among {shown(found)}"


def states(lineup: Lineup) -> Iterator[State]:
    """The states that `target_misfit` looks at."""
    return _every_state(lineup) if lineup.players <= COMPLETE_PLAYERS else _some_states(lineup)


def _every_state(lineup: Lineup) -> Iterator[State]:
    for roles in (seating.roles for seating in lineup.seatings()):
        for health in product(range(MAX_HEALTH + 1), repeat=len(roles)):
            living = [seat for seat, points in enumerate(health) if points]
            if winner(numbers_alive(roles, living)) is None:
                for seat, weapon in product(living, (False, True)):
                    yield State(seat, roles, health, weapon)


def _some_states(lineup: Lineup) -> Iterator[State]:
    rng, seatings = random.Random(0), [seating.roles for seating in lineup.seatings()]
    numbers = [alive for alive in product(*(range(most + 1) for most in lineup.counts)) if winner(alive) is None]
    kinds = [(alive, role, weapon) for alive in numbers for role in Role if alive[role] for weapon in (False, True)]
    for alive, role, weapon in kinds:
        for _ in range(max(LEAST_OF_EACH, SAMPLE // len(kinds))):
            roles, health = rng.choice(seatings), [0] * lineup.players
            healths = rng.choice([(1, 2, 3, 4), (3, 4), (4,)])
            for kind, number in zip(Role, alive, strict=True):
                for seat in rng.sample([seat for seat, held in enumerate(roles) if held == kind], number):
                    health[seat] = rng.choice(healths)
            seat = rng.choice([seat for seat, held in enumerate(roles) if held == role and health[seat]])
            yield State(seat, roles, tuple(health), weapon)


def _seats_by_words(state: State, reach: np.ndarray, words: np.ndarray) -> int:
    """The seats that the fast kernel picks among, as a mask."""
    held = [seats_of(role, state.roles) for role in list(Role)[1:]]
    planes = [sum((points >> bit & 1) << seat for seat, points in enumerate(state.health)) for bit in range(3)]
    return _chosen(len(state.roles), state.seat, state.weapon, *held, *planes, reach, words)


@njit
def _chosen(players, seat, weapon, loyalists, rebels, renegades, h0, h1, h2, reach, words):
    """`choose` of the fast kernel, for one state."""
    me, alive, answers = shl(u32(1), u32(seat)), u32(h0 | h1 | h2), to_fixed_tuple(words, QUESTIONS)
    seen, _ = look_around(u32(seat), weapon, alive, players, reach)
    loyalists, rebels, renegades = u32(loyalists), u32(rebels), u32(renegades)
    return choose(seen, me, alive, loyalists, rebels, renegades, u32(h0), u32(h1), u32(h2), answers)
