"""Who may be attacked: the readable rule against the programs' walk round the table, and the compiled choice."""

from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamebalance.sanguosha import AS_CODED, AS_WRITTEN, Card, Role, winner
from gamebalance.sanguosha.rules import CARD_PAIRS
from gamebalance.sanguosha.targets import are_revealed, candidates, distances, in_reach
from tests.sanguosha.lanes import take_turns, words_of_pairs
from tests.sanguosha.reference import around, c_targets, count_alive, seat_after

RULES, ROLES = {"coded": AS_CODED, "written": AS_WRITTEN}, tuple(Role)
TWO_SLASHES = CARD_PAIRS.index((Card.SLASH, Card.SLASH))


@cache
def tables(players, sample=None):
    """Roles, health, weapon and mover by table, wherever the game is not over: all that matter, or a sample of them.

    Every role by seat, every set of the living, every mover, armed or not; the health of the living at random among
    1 to 4 (up to five players twice for a renegade who moves: nobody else looks at it).
    """
    rng = np.random.default_rng(players)
    if sample is None:
        choices = product(
            product((1, 2, 3), repeat=players - 1), product((0, 1), repeat=players), range(players), (0, 1)
        )
        repeats = 1 if players == 6 else 2
    else:
        roles, alive = rng.integers(1, 4, (sample, players - 1)), rng.random((sample, players)) < 0.8
        alive[:, 0] |= rng.random(sample) < 0.9
        choices = zip(
            roles.tolist(), alive, rng.integers(players, size=sample), rng.integers(2, size=sample), strict=True
        )
        repeats = 1
    found = []
    for others, alive, seat, armed in choices:
        role = (0, *others)
        if alive[seat] and winner(count_alive(role, alive)) is None:
            for _ in range(repeats if role[seat] == 3 else 1):
                health = rng.integers(1, 5, players) if rng.random() < 0.7 else rng.integers(3, 5, players)
                found.append((role, tuple((health * alive).tolist()), int(seat), bool(armed)))
    return found


SIZES = [pytest.param(n, None, id=f"{n}, all") for n in (2, 3, 4, 5, 6)] + [
    pytest.param(n, 5000, id=f"{n}, sample") for n in (7, 8, 9, 10)
]


@cache
def chosen_among(players, sample, name):
    """What the readable rule says of each table."""
    return [
        candidates(seat, [ROLES[digit] for digit in role], health, armed, RULES[name])
        for role, health, seat, armed in tables(players, sample)
    ]


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize(("players", "sample"), SIZES)
def test_candidates_are_those_of_the_programs(players, sample, name):
    every = zip(tables(players, sample), chosen_among(players, sample, name), strict=True)
    for (role, health, seat, armed), found in every:
        assert found == c_targets(seat, role, health, armed, name == "written"), (role, health, seat, armed)


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize(("players", "sample"), SIZES)
def test_the_compiled_choice_reaches_exactly_the_candidates(players, sample, name):
    """Each table once for every candidate, with a word at the lower or upper edge of the stretch that selects it.

    Nobody holds a dodge, so that a slash shows whom it was aimed at. With no candidate, any word must hit nobody.
    """
    rng, rules = np.random.default_rng(2), RULES[name]
    rows, words, victims = [], [], []
    every = zip(tables(players, sample), chosen_among(players, sample, name), strict=True)
    for (role, health, seat, armed), among in every:
        chosen = among or [None]
        edges = [-(-(place << 28) // len(chosen)) for place in range(len(chosen) + 1)]  # rounded up
        for place, victim in enumerate(chosen):
            rows.append((role, health, seat, armed))
            words.append(edges[place] << 4 if rng.random() < 0.5 else (edges[place + 1] << 4) - 1)
            victims.append(victim)
    role, before, seat, armed = (np.array(part) for part in zip(*rows, strict=True))
    everyone = np.arange(players)
    slash = words_of_pairs(rules)[TWO_SLASHES][:1].repeat(len(rows))
    weapon = rng.random(role.shape) < 0.5  # the others' weapons do not matter
    weapon[np.arange(len(rows)), seat] = armed
    health, dodges, _, following, over = take_turns(
        role, before, np.zeros_like(role), weapon, seat, slash, np.array(words, np.uint32), rules
    )
    hit = np.array([-1 if victim is None else victim for victim in victims])
    assert np.array_equal(before - health, everyone == hit[:, None])
    assert not dodges.any()
    ended = [winner(count_alive(*row)) is not None for row in zip(role.tolist(), health.tolist(), strict=True)]
    assert over.astype(bool).tolist() == ended
    for case in np.flatnonzero(over == 0):
        assert following[case] == seat_after(seat[case], health[case])


def test_the_samples_meet_every_case():
    """What the tables above must contain to mean anything: all roles to move, passes, one and six candidates."""
    numbers = {role: set() for role in Role}
    for role, health, seat, armed in tables(10, 5000):
        numbers[role[seat]].add(len(c_targets(seat, role, health, armed)))
    assert numbers == {0: set(range(7)), 1: set(range(1, 7)), 2: set(range(7)), 3: set(range(1, 7))}


circles = st.integers(2, 10).flatmap(
    lambda n: st.tuples(st.lists(st.booleans(), min_size=n, max_size=n), st.integers(0, n - 1))
)


@given(circles)
def test_distance_goes_the_shorter_way_past_the_living(circle):
    alive, seat = circle
    alive[seat] = True
    found = distances(seat, alive)
    assert set(found) == {other for other, living in enumerate(alive) if living} - {seat}
    for other, distance in found.items():
        assert distance == min(steps for steps in range(1, 10) if other in around(seat, alive, steps))
        assert distances(other, alive)[seat] == distance
    assert in_reach(seat, alive, False) == sorted(around(seat, alive, 1))
    assert in_reach(seat, alive, True) == sorted(around(seat, alive, 3))


def test_candidates_are_in_the_reach_of_the_rules():
    """A loyalist among rebels, all of whom he would attack."""
    roles, health = [Role.LORD, Role.LOYALIST, *[Role.REBEL] * 6], [4] * 8
    for reach, unarmed, armed in (((1, 3), [2], [2, 3, 4, 6, 7]), ((2, 2), [2, 3, 7], [2, 3, 7]), ((1, 1), [2], [2])):
        rules = replace(AS_CODED, reach=reach)
        assert candidates(1, roles, health, False, rules) == unarmed
        assert candidates(1, roles, health, True, rules) == armed


def test_reach_is_a_distance_of_one_and_with_a_weapon_of_three():
    """§2.6, among ten; and past the dead."""
    assert in_reach(0, [True] * 10, False) == [1, 9]
    assert in_reach(0, [True] * 10, True) == [1, 2, 3, 7, 8, 9]
    assert in_reach(9, [True, False, False, True, True, False, True, True, True, True], True) == [0, 3, 4, 6, 7, 8]


def test_everybody_at_the_table_has_a_role():
    with pytest.raises(ValueError, match="zip"):
        are_revealed([Role.LORD, Role.REBEL], [True] * 3)


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize(("players", "sample"), SIZES)
def test_mirror_and_rotation_symmetry(players, sample, name):
    """Who may be attacked knows neither left nor right nor the number of a seat: only the order of turns does."""
    rng, rules = np.random.default_rng(3), RULES[name]
    for role, health, seat, armed in tables(players, sample)[:2000]:
        roles, turn = [Role(digit) for digit in role], int(rng.integers(players))
        found = candidates(seat, roles, health, armed, rules)
        image = [(turn - other) % players for other in range(players)]  # its own inverse
        mirrored = candidates(
            image[seat], [roles[other] for other in image], [health[other] for other in image], armed, rules
        )
        assert sorted(image[other] for other in mirrored) == found
