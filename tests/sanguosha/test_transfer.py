"""The report's transfer program, emulated: each step against appendix A as transcribed, whole runs against it compiled.

"The program" is what appendix A prints; `appendix_a` is our transcription of it, which the library does not use.
"""

from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
import pytest

from gamebalance.as_published import (
    AS_PRINTED,
    REPAIRED,
    TransferDefects,
    transfer,
    transfer_table,
    transfer_tables,
)
from gamebalance.sanguosha import Role
from gamebalance.sanguosha.turn import Player
from tests.refusals import refuses
from tests.sanguosha import appendix_a
from tests.sanguosha.appendix_a import MINT
from tests.sanguosha.known import SEATINGS, golden
from tests.sanguosha.reference import CPC, c_targets, count_alive

# --- one step, against the transcription ---

SWITCHES = list(product((False, True), repeat=3))

#: Masses on either side of where the program divides before it multiplies, for each number of cards of a kind.
EDGES = sorted({1, 2, 70, 71, 72, MINT} | {MINT // cards + off for cards in CPC for off in (-2, -1, 0, 1)})


@cache
def look_ups(roles):
    return transfer.turn_tables(), transfer.target_table(roles), transfer.terminal_table(roles)


@cache
def buffers(kind):
    """Arrays of 26 MB, used again and again; whoever takes them leaves them empty."""
    size = transfer.SEATS * transfer.CODES**4
    return [np.zeros(size, kind), np.zeros(size, kind)], [np.zeros(size // transfer.CODES, bool) for _ in range(2)]


def place_of(state):
    seat, players = state
    return seat * 30**4 + sum(transfer.CODE_OF[player] * 30**place for place, player in enumerate(players))


def state_at(place):
    codes = [int(place) // 30**seat % 30 for seat in range(4)]
    return int(place) // 30**4, tuple(tuple(transfer.PLAYERS[code]) for code in codes)


def library_step(role, states, spend, ghost, integer, least=0):
    """`transfer.step`, from dictionaries to dictionaries; nothing may be left behind that is not reported."""
    kind = np.int64 if integer else np.float64
    (mass, onward), (busy, reached) = buffers(kind)
    ended, start = np.zeros(16, kind), np.array([place_of(state) for state in states])
    mass[start], busy[start // 30] = list(states.values()), True
    tables = look_ups(tuple(map(Role, role)))
    largest, total = transfer.step(mass, onward, busy, reached, ended, kind(least), integer, spend, ghost, *tables)
    assert not mass[start].any() and not busy.any()
    rows = np.flatnonzero(reached)
    block = onward.reshape(-1, 30)[rows]
    found = {state_at(30 * rows[row] + code): block[row, code].item() for row, code in np.argwhere(block)}
    onward.reshape(-1, 30)[rows] = 0
    reached[rows] = False
    return found, {mask: ended[mask].item() for mask in np.flatnonzero(ended)}, largest, total


def assert_same_step(role, states, spend, ghost, integer):
    onward, ended, largest, total = library_step(role, states, spend, ghost, integer)
    expected = appendix_a.one_pass(role, states, spend, ghost, integer)
    if integer:
        assert (onward, ended, largest, total) == expected
        return
    for ours, theirs in ((onward, expected[0]), (ended, expected[1])):
        # Fifteen digits, and one more error of 2^-53 for each term that was added up.
        assert ours == pytest.approx({key: float(share) for key, share in theirs.items()}, rel=1e-15, abs=0)
    assert (largest, total) == pytest.approx((float(expected[2]), float(expected[3])), rel=1e-15)


#: How many random states to test by the number of possible targets; None where the game is over.
QUOTAS = {None: 20, 0: 40, 1: 100, 2: 150, 3: 60}


@cache
def random_states():
    """Roles by seat, a state, and its mass: the dead and the nearly dead, armed or not, light and heavy."""
    generator, left, drawn = np.random.default_rng(20), Counter(QUOTAS), []
    weak, strong, dead = (transfer.PLAYERS[first:last] for first, last in ((0, 4), (4, 28), (28, 30)))
    while left.total():
        role = tuple(map(int, SEATINGS[generator.integers(6)]))
        groups = [(weak, strong, dead)[kind] for kind in generator.choice(3, 4, p=(0.4, 0.3, 0.3))]
        players = tuple(tuple(group[generator.integers(len(group))]) for group in groups)
        seat, health = int(generator.integers(4)), [player[0] for player in players]
        over = appendix_a.finished(count_alive(role, health))
        targets = None if over else len(c_targets(seat, role, health, players[seat][2]))
        if left[targets]:
            left[targets] -= 1
            light = int(np.exp(generator.uniform(0, np.log(MINT))))
            drawn.append((role, (seat, players), EDGES[len(drawn) // 2 % len(EDGES)] if len(drawn) % 2 else light))
    return drawn


@pytest.mark.parametrize(("spend", "ghost", "integer"), SWITCHES)
def test_one_step_from_any_state(spend, ghost, integer):
    for role, state, mass in random_states():
        assert_same_step(role, {state: mass if integer else mass / MINT}, spend, ghost, integer)


@pytest.mark.parametrize("spend", [False, True])
def test_every_actor_against_every_target(spend):
    """A rebel between a loyalist and a renegade, his two possible targets: cards are spent on the first of them."""
    for actor, target in product(transfer.PLAYERS, transfer.PLAYERS[:28]):
        players = tuple(map(tuple, (Player(4, 2, False), target, actor, target)))
        assert_same_step((0, 1, 2, 3), {(2, players): MINT}, spend, True, True)


def test_light_states_are_dropped_in_fractions():
    """They still count for the stop rules; final states are kept, however light."""
    role, state = (0, 1, 2, 3), (0, ((4, 2, False),) * 4)
    over = (0, ((4, 2, False), (1, 0, True), (0, 0, True), (0, 0, False)))
    onward, ended, largest, total = library_step(role, {state: 1e-17, over: 1e-18}, True, True, False, least=1e-16)
    assert (onward, ended, largest, total) == ({}, {0b0011: 1e-18}, 1e-17, 1e-17)
    assert library_step(role, {state: 1e-16}, True, True, False, least=1e-16)[0]


# --- whole runs; chapter A.1, which runs with these tests, compares all six with every printed digit ---

#: Steps and final shares that appendix A itself gives, compiled with these defects repaired; of 2^31 - 1.
ENDINGS = LORD, BOTH, REBEL, RENEGADE, ALLIES = (1, 0, 0, 0), (1, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1), (0, 0, 1, 1)
BY_THE_PROGRAM = [
    ("0123", {}, 348, (65188254, 527499055, 3532070, 1376794737, 0)),
    ("0312", {}, 337, (217858064, 124593601, 59966215, 1506856319, 316428)),
    ("0123", {"cards_spent": False}, 339, (58856578, 923475319, 1340623, 987210023, 0)),
    ("0123", {"ghost_turn": False}, 356, (43048592, 526851614, 5168180, 1401762038, 2)),
]


FIRST, *OTHERS = BY_THE_PROGRAM


@pytest.mark.parametrize(
    ("seating", "repaired", "steps", "masses"),
    [FIRST, *(pytest.param(*other, marks=pytest.mark.thorough) for other in OTHERS)],
)
def test_final_masses_are_the_programs(seating, repaired, steps, masses):
    """Whole numbers: not one unit of 2^31 - 1 is elsewhere. Each defect matters, and a tenth of the mass is lost."""
    defects = replace(AS_PRINTED, **repaired)
    table = transfer_table(seating, defects)
    found = [table.shares.get(alive, 0.0) for alive in ENDINGS]
    assert (table.steps, table.seating, table.defects) == (steps, seating, defects)
    assert set(table.shares) <= set(ENDINGS) and len(table.shares) == np.count_nonzero(masses)
    assert [share * MINT for share in found] == pytest.approx(masses, rel=1e-15, abs=0)
    assert table.lost_mass == pytest.approx(1 - sum(masses) / MINT, abs=1e-15) and table.lost_mass > 0.07


def test_repaired_run_is_exact():
    """Every ending, as the exact solution has it, short by no more than the mass that is said to be lost."""
    table, (exact, _) = transfer_table("0312", REPAIRED), golden()["0312"]
    assert 0 < table.lost_mass < 1e-9 and table.steps is None
    assert set(table.shares) == set(exact)
    assert all(-1e-12 < share - table.shares[alive] < table.lost_mass + 1e-12 for alive, share in exact.items())
    assert table.outcomes.error_bound == 2 * table.lost_mass
    apart = sum(abs(share - table.outcomes.probability[alive]) for alive, share in exact.items())
    assert apart < table.outcomes.error_bound + 1e-12


test_refused_by_name = refuses(
    (lambda: transfer_table("0124"), "seating = '0124': one of '0123', '0132', '0213', '0231', '0312', '0321'"),
    (lambda: transfer_tables("yes"), "defects = 'yes': a TransferDefects is needed"),
    (lambda: TransferDefects(early_stop=0.0), "early_stop = 0.0: True or False is needed"),
)
