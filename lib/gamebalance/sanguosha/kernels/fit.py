"""Whether the tables of the fast simulator say what the readable rules say; asked before anything is simulated."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice, product
from threading import Lock
from typing import NamedTuple

import numpy as np

from gamebalance.base.checks import shown
from gamebalance.base.lanes import Reckoner
from gamebalance.sanguosha.kernels import layout as at
from gamebalance.sanguosha.kernels.lockstep import choose
from gamebalance.sanguosha.kernels.rule_tables import NOBODY, answer_lists, over_table, reach_both_ways, turn_table
from gamebalance.sanguosha.lineup import Lineup, Role, Seating
from gamebalance.sanguosha.rules import MAX_HEALTH, Rules
from gamebalance.sanguosha.scoring import numbers_alive, winner
from gamebalance.sanguosha.targets import distances, in_reach, picked
from gamebalance.sanguosha.turn import CODE_OF, DEAD, LIVING_PLAYERS, PLAYERS, turn_codes

#: Line-ups of up to so many players are checked in every state that `targets` can see; larger ones in a sample.
COMPLETE_PLAYERS = 4

#: States of the sample, at least so many for each combination of the numbers alive, role to move and weapon.
SAMPLE, LEAST_OF_EACH = 3_000, 8

#: Players that the fast kernel can tell apart when it draws a target.
MOST_IN_REACH = 7

HEALTH = np.array([player.health for player in PLAYERS])


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
    """The first of all turns in which the fast kernel's table differs from `turn.take_turn`, or ""."""
    for hearts in sorted(set(rules.health), reverse=True):
        codes = turn_codes(rules, hearts)
        near, hand, actor, target = np.indices(codes.shape[:-1])
        differs = (_turns_by_table(turn_table(rules), hearts, near, hand, actor, target) != codes).any(axis=-1)
        wrong = np.argwhere(differs & (HEALTH[actor] <= hearts))
        if len(wrong):
            near, hand, actor, target = wrong[0].tolist()
            cards = " and ".join(card.english for card in rules.hands[hand])
            against = "nobody" if target == DEAD else f"{tuple(LIVING_PLAYERS[target])}"
            return f"{cards}, drawn by {tuple(LIVING_PLAYERS[actor])} against {against} (health, dodges, weapon)"
    return ""


def _turns_by_table(table, hearts, near, hand, actor, target) -> np.ndarray:
    """What the kernel makes of `turn_table`, in the layout of `turn.turn_codes`; -1 for what is no state."""
    health, dodges, weapon = np.array([*PLAYERS[:DEAD], (0, NOBODY, False)]).T
    place = hand << 7 | near << 6 | weapon[target] << 5 | dodges[target] << 2 | health[target] & 3
    effect = table[place].astype(np.int64)
    better = np.minimum(health[actor] + (effect >> 10 & 3), hearts)
    kept = np.where(effect >> 13 & 1, better, np.minimum(dodges[actor] + (effect >> 8 & 3), better))
    armed = weapon[actor] | effect >> 12 & 1
    left = (health[target] ^ effect) - 1 & 3, dodges[target] ^ effect >> 2 & 7, weapon[target] ^ effect >> 5 & 1
    code = np.full((8, 8, 2), -1)
    for player, number in CODE_OF.items():
        code[player.health, player.dodges, int(player.weapon)] = number
    dead = (target == DEAD) | effect >> 6 & 1 == 1
    return np.stack([code[better, kept, armed], np.where(dead, DEAD, code[left[0] + 1, left[1], left[2]])], axis=-1)


@lru_cache(maxsize=128)
def target_misfit(lineup: Lineup, rules: Rules) -> str:
    """The first state found in which the fast kernel picks among others than `targets.candidates`, or "".

    Up to `COMPLETE_PLAYERS` players these are all states in which a game of the line-up can be: every seating, health,
    seat to move, armed or not. With more players they are a sample: for every combination of the numbers alive, role to
    move and weapon, some seatings and healths, always the same ones.
    """
    if wrong := reach_misfit(rules.reach, lineup.players):
        return wrong
    going = [not found for found in over_table().tolist()]
    if going != [bool(alive[0] and alive[2] + alive[3]) for alive in product(range(2), *[range(10)] * 3)]:
        return "when a game is over"
    remaining = iter(states(lineup))
    while batch := list(islice(remaining, at.LANES)):
        for state, mask in zip(batch, _by_lockstep(batch, rules), strict=True):
            wanted = picked(*state, rules)
            if mask != sum(1 << seat for seat in wanted):
                return _described(state, wanted)
    return ""


def reach_misfit(ways: tuple[int, ...], players: int) -> str:
    """Why the fast kernel cannot find by counting places who is in reach and who sits next, or ""; of all circles."""
    both = reach_both_ways(ways).tolist()
    if both[0] > both[1]:
        return "a weapon that shortens the reach"
    if min(2 * both[1], players - 1) > MOST_IN_REACH:
        return f"more than {MOST_IN_REACH} players in reach"
    for living in product((False, True), repeat=players - 1):
        circle, away = [seat for seat, lives in enumerate(living, 1) if lives], distances(0, [True, *living])
        near = [seat for seat, distance in away.items() if distance == 1]
        for weapon, places in enumerate(both):
            seen = sorted({*circle[:places], *circle[max(len(circle) - places, 0) :]})
            if in_reach(0, [True, *living], bool(weapon), ways) != seen or {*near} != {*circle[:1], *circle[-1:]}:
                return f"who is in reach or next when of the seats behind one's own {shown(circle)} live"
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
    rng, players = np.random.default_rng(0), lineup.players
    lords, loyalists, rebels, renegades = (range(most + 1) for most in lineup.counts)
    numbers = [alive for alive in product(lords, loyalists, rebels, renegades) if winner(alive) is None]
    kinds = [(alive, role, weapon) for alive in numbers for role in Role if alive[role] for weapon in (False, True)]
    kinds = [kind for kind in kinds for _ in range(max(LEAST_OF_EACH, SAMPLE // len(kinds)))]
    seatings = [seating.roles for seating in lineup.seatings()]
    chosen = rng.integers(len(seatings), size=len(kinds))
    # All seats by role, those of a role in random order: the first ones live, and the first of all of its role moves.
    order = np.argsort(np.array(seatings)[chosen] + rng.random((len(kinds), players)), axis=1)
    firsts = np.cumsum([0, *lineup.counts])
    living = np.array([kind[0] for kind in kinds])[:, np.repeat(list(Role), lineup.counts)]
    lowest = np.array([1, 3, MAX_HEALTH])[rng.integers(3, size=(len(kinds), 1))]
    points = rng.integers(lowest, MAX_HEALTH + 1, size=order.shape)
    health = np.zeros_like(order)
    alive = np.arange(players) - np.repeat(firsts[:-1], lineup.counts) < living
    np.put_along_axis(health, order, np.where(alive, points, 0), axis=1)
    for seats, (_, role, weapon), number, points in zip(order.tolist(), kinds, chosen, health.tolist(), strict=True):
        yield State(seats[firsts[role]], seatings[number], tuple(points), weapon)


def _by_lockstep(batch: Sequence[State], rules: Rules) -> list[int]:
    """The seats that the fast simulator picks among, as masks; a state for each of its games at most."""
    first, armed, roles, health = (np.array([state[part] for state in batch]) for part in (0, 3, 1, 2))
    players = roles.shape[1]
    seats = (first[:, None] + np.arange(players)) % players  # in the order of play, and so all that follows
    roles, health = (np.take_along_axis(each, seats, axis=1) for each in (roles, health))
    game, turn = np.nonzero(health)
    place = np.cumsum(health > 0, axis=1)[game, turn] - 1
    held = np.zeros((at.ROWS, at.WORDS * 64), bool)
    row = place * at.FIELDS
    held[row + roles[game, turn], game] = True
    held[row + at.HEALTH_0, game] = health[game, turn] & 1
    held[row + at.HEALTH_1, game] = health[game, turn] >> 1 & 1
    held[row + at.WEAPON, game] = armed[game] & (place == 0)
    notes = np.zeros((at.NOTES, at.WORDS), np.uint64)
    choose(Reckoner(), _words(held), notes, players, reach_both_ways(rules.reach), answer_lists(rules))
    choice = np.unpackbits(notes.astype("<u8").view(np.uint8), bitorder="little").reshape(at.NOTES, -1)
    found = np.zeros_like(seats)
    found[game, turn] = choice[at.CHOICE + place, game].astype(int) << seats[game, turn]
    return found.sum(axis=1).tolist()


def _words(bits: np.ndarray) -> np.ndarray:
    """Rows of bits as words of 64."""
    return np.packbits(bits, axis=1, bitorder="little").view("<u8").astype(np.uint64)
