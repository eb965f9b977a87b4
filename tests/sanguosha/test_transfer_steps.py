"""Each step of the emulated transfer program against appendix A, transcribed in `appendix_a`."""

from collections import Counter
from functools import cache
from itertools import product

import numpy as np
import pytest

from gamebalance.as_published import (
    transfer_kernel,
)
from gamebalance.sanguosha import Role, solve
from gamebalance.sanguosha.exact import iteration_steps
from gamebalance.sanguosha.turn import Player
from tests.sanguosha import appendix_a
from tests.sanguosha.appendix_a import MINT
from tests.sanguosha.known import (
    ALLIES,
    LORD,
    REBEL,
    RENEGADE,
    SEATINGS,
)
from tests.sanguosha.reference import CPC, c_targets, count_alive

# --- one step, against the transcription ---

SWITCHES = list(product((False, True), repeat=3))

#: Masses on either side of where the program divides before it multiplies, for each number of cards of a kind.
EDGES = sorted({1, 2, 70, 71, 72, MINT} | {MINT // cards + off for cards in CPC for off in (-2, -1, 0, 1)})


@cache
def look_ups(roles):
    return transfer_kernel.tables(), transfer_kernel.target_table(roles), transfer_kernel.terminal_table(roles)


@cache
def buffers(kind):
    """Arrays of 26 MB, used again and again; `library_step` leaves them empty."""
    size = transfer_kernel.SEATS * transfer_kernel.CODES**4
    return [np.zeros(size, kind), np.zeros(size, kind)], [
        np.zeros(size // transfer_kernel.CODES, bool) for _ in range(2)
    ]


def place_of(state):
    seat, players = state
    codes = [transfer_kernel.CODE_OF[player] for player in players]
    return seat * 30**4 + sum(code * 30**seat for seat, code in enumerate(codes))


def state_at(place):
    codes = [int(place) // 30**seat % 30 for seat in range(4)]
    return int(place) // 30**4, tuple(tuple(transfer_kernel.PLAYERS[code]) for code in codes)


def library_step(role, states, spend, ghost, integer, least=0):
    """`transfer_kernel.step`, from dictionaries to dictionaries; nothing may be left behind that is not reported."""
    kind = np.int64 if integer else np.float64
    (mass, onward), (busy, reached) = buffers(kind)
    ended, start = np.zeros(16, kind), np.array([place_of(state) for state in states])
    mass[start], busy[start // 30] = list(states.values()), True
    roles = tuple(map(Role, role))
    largest, total = transfer_kernel.step(
        mass, onward, busy, reached, ended, kind(least), integer, spend, ghost, *look_ups(roles)
    )
    assert not mass[start].any() and not busy.any()
    rows = np.flatnonzero(reached)
    block = onward.reshape(-1, 30)[rows]
    found = {state_at(30 * rows[row] + code): block[row, code].item() for row, code in np.argwhere(block)}
    onward.reshape(-1, 30)[rows] = 0
    reached[rows] = False
    return found, {mask: ended[mask].item() for mask in np.flatnonzero(ended)}, largest, total


def assert_same_step(role, states, spend, ghost, integer, least=0):
    onward, ended, largest, total = library_step(role, states, spend, ghost, integer, least)
    expected = appendix_a.one_pass(role, states, spend, ghost, integer, least)
    if integer:
        assert (onward, ended, largest, total) == expected
        return
    for ours, theirs in ((onward, expected[0]), (ended, expected[1])):
        assert set(ours) == set(theirs)
        for key, share in theirs.items():
            # Fifteen digits, and one more error of 2^-53 for each term that was added up.
            assert ours[key] == pytest.approx(float(share), rel=1e-15, abs=0)
    assert (largest, total) == pytest.approx((float(expected[2]), float(expected[3])), rel=1e-15)


#: How many random states to test by the number of possible targets; None where the game is over.
QUOTAS = {None: 30, 0: 60, 1: 200, 2: 200, 3: 100}


@cache
def random_states():
    """Triples of roles by seat, a state, and its mass: the dead and the nearly dead, armed or not, light and heavy."""
    generator, left, drawn = np.random.default_rng(20), Counter(QUOTAS), []
    weak, strong, dead = (transfer_kernel.PLAYERS[first:last] for first, last in ((0, 4), (4, 28), (28, 30)))
    while left.total():
        role = tuple(map(int, SEATINGS[generator.integers(6)]))
        kinds = generator.choice(3, 4, p=(0.4, 0.3, 0.3))
        groups = [(weak, strong, dead)[kind] for kind in kinds]
        players = tuple(tuple(group[generator.integers(len(group))]) for group in groups)
        state = int(generator.integers(4)), players
        targets = target_count(role, *state)
        if left[targets]:
            left[targets] -= 1
            light = int(np.exp(generator.uniform(0, np.log(MINT))))
            drawn.append((role, state, EDGES[len(drawn) // 2 % len(EDGES)] if len(drawn) % 2 else light))
    return drawn


def target_count(role, N, players):
    H = [health for health, _, _ in players]
    return None if appendix_a.finished(count_alive(role, H)) else len(c_targets(N, role, H, players[N][2]))


def test_random_states_are_varied():
    """Otherwise the tests below would be weaker than they look."""
    seen = Counter()
    for role, (N, players), mass in random_states():
        if target_count(role, N, players) is None:
            continue
        H = [health for health, _, _ in players]
        doomed = [o for o in c_targets(N, role, H, players[N][2]) if players[o][:2] == (1, 0)]
        seen["ghost, armed" if players[N][2] else "ghost"] += not H[N]
        seen["may kill"] += bool(doomed)
        seen["may kill an armed one"] += any(players[o][2] for o in doomed)
        seen["may kill the next"] += (N + 1) % 4 in doomed
        seen["divides first"] += mass > MINT // 30
        seen["multiplies first"] += mass < MINT // 30
    assert min(seen.values()) >= 20 and len(seen) == 7
    assert {mass for _, _, mass in random_states()} >= {1, *(MINT // cards for cards in CPC)}


@pytest.mark.parametrize(("spend", "ghost", "integer"), SWITCHES)
def test_one_step_from_any_state(spend, ghost, integer):
    for role, state, mass in random_states():
        assert_same_step(role, {state: mass if integer else mass / MINT}, spend, ghost, integer)
    assert not any(array.any() for array in buffers(np.int64 if integer else np.float64)[0])


@pytest.mark.parametrize("spend", [False, True])
def test_every_actor_against_every_target(spend):
    """A rebel between a loyalist and a renegade, his two possible targets: cards are spent on the first of them."""
    for actor, target in product(transfer_kernel.PLAYERS, transfer_kernel.PLAYERS[:28]):
        players = Player(4, 2, False), target, actor, target
        assert_same_step((0, 1, 2, 3), {(2, tuple(map(tuple, players))): MINT}, spend, True, True)
        assert_same_step((0, 1, 2, 3), {(2, tuple(map(tuple, players))): 0.75}, spend, True, False)


@pytest.mark.parametrize("switches", [(True, True, True), (False, False, False)])
def test_the_first_steps_of_a_game(switches):
    """Many states at once, whose masses meet."""
    role, states = (0, 3, 1, 2), {(0, ((4, 2, False),) * 4): MINT if switches[2] else 1.0}
    for _ in range(4):
        assert_same_step(role, states, *switches)
        states = library_step(role, states, *switches)[0]
    assert len(states) > 1000


def test_light_states_are_dropped_in_fractions():
    """They still count for the stop rules; final states are kept, however light."""
    role, state = (0, 1, 2, 3), (0, ((4, 2, False),) * 4)
    over = (0, ((4, 2, False), (1, 0, True), (0, 0, True), (0, 0, False)))
    onward, ended, largest, total = library_step(role, {state: 1e-17, over: 1e-18}, True, True, False, least=1e-16)
    assert (onward, ended, largest, total) == ({}, {0b0011: 1e-18}, 1e-17, 1e-17)
    assert library_step(role, {state: 1e-16}, True, True, False, least=1e-16)[0]


# --- many steps ---

FRESH, DEAD, ARMED_DEAD = (4, 2, False), (0, 0, False), (0, 0, True)
CERTAIN = 1e-13


def step_to_the_end(role, state, ghost, in_place=False, look=lambda mass: None):
    """In fractions: final mass by living mask, largest running mass of each step, and what `look` saw before it."""
    (mass, onward), (busy, reached) = buffers(np.float64)
    ended, peaks, seen, total = np.zeros(16), [], [], 1.0
    mass[place_of(state)], busy[place_of(state) // 30] = 1, True
    if in_place:
        onward, reached = mass, busy
    look_up = look_ups(tuple(map(Role, role)))
    while total > CERTAIN:
        seen.append(look(mass))
        peak, total = transfer_kernel.step(mass, onward, busy, reached, ended, 0.0, False, False, ghost, *look_up)
        mass, onward, busy, reached = onward, mass, reached, busy
        peaks.append(peak)
        if len(peaks) < 9:
            assert ended.sum() + mass.sum() == pytest.approx(1, abs=1e-14)
    for array in (mass, onward, busy, reached):
        array[:] = 0
    return ended, peaks, seen


def steps_until_light(peaks):
    """What §6.2 counts: steps until the first in which no running state weighs 1 / (2^31 - 1), that one included."""
    return 1 + next(step for step, peak in enumerate(peaks) if peak < 1 / MINT)


@pytest.mark.parametrize("in_place", [False, True])
def test_two_who_live_play_the_game_of_two(in_place):
    """As the exact solver has it, which knows no dead; the order of turns decides about the number of steps alone."""
    ended, peaks, _ = step_to_the_end((0, 1, 2, 3), (0, (FRESH, DEAD, FRESH, ARMED_DEAD)), False, in_place)
    exact = solve("02").probability
    assert ended[0b0001] == pytest.approx(exact[LORD], abs=1e-12)
    assert ended[0b0100] == pytest.approx(exact[REBEL], abs=1e-12)
    assert (steps_until_light(peaks) == iteration_steps("02")) != in_place


def test_weapons_of_the_dead_split_states():
    """The program tells states apart by the weapons of the dead, so it stops sooner than `iteration_steps`.

    With these states put together, as the exact solver has them, the two agree.
    """

    def together(mass):
        block = mass.reshape(4, 30, 30, 30, 30)[:, :, :, 28, :28]  # seat 1 is dead, the lord alive
        return max(block[:, :28, :28].max(), block[:, :28, 28:].sum(2).max())  # the rebel alive or dead

    start = 0, (FRESH, DEAD, FRESH, FRESH)
    ended, peaks, merged = step_to_the_end((0, 1, 2, 3), start, False, look=together)
    exact = solve("023").probability
    assert {RENEGADE: ended[0b1000], ALLIES: ended[0b1100]} == pytest.approx(exact, abs=1e-12)
    assert steps_until_light(merged) == iteration_steps("023") > steps_until_light(peaks)


def test_in_place_with_a_ghost():
    """A dead renegade is about to move and may come back; the two ways differ in rounding alone."""
    state = 3, ((1, 0, False), DEAD, (1, 1, False), ARMED_DEAD)
    ordered, peaks, _ = step_to_the_end((0, 1, 2, 3), state, True)
    in_place, fewer, _ = step_to_the_end((0, 1, 2, 3), state, True, in_place=True)
    assert abs(ordered - in_place).max() < 1e-12
    assert ordered[0b1000] > 0.01
    assert len(fewer) < len(peaks)
