"""Fair set-ups and smallest repairs, against plain enumeration in fractions and over all sequences of steps."""

from fractions import Fraction
from itertools import product

import pytest

from gamebalance.mafia import AS_CODED, HALF_RULES, Rules, Setup, length_distribution, solve, win_probability
from gamebalance.mafia.design import SHELF, cheapest_repair, fair_setups

CLOSE = 1e-12


@pytest.mark.parametrize("phase", ["evening", "morning"])
@pytest.mark.parametrize("players", [4, 5, pytest.param(6, marks=pytest.mark.thorough)])
def test_fair_setups_are_all_that_are_near(players, phase):
    """The study's roles, in fractions; the nearest first, of equally near ones that with fewest mafiosi and roles."""
    grid = [
        (mafiosi, *roles)
        for mafiosi in range(1, (players + 1) // 2)
        for roles in product((0, 1), (0, 1), (0, 1), (0, 1))
        if mafiosi + sum(roles) <= players
    ]

    def chance(mafiosi, *roles, more=0):
        people = dict(zip(SHELF, roles, strict=True))
        innocents = players - mafiosi - sum(roles) + more
        if innocents < 0:
            return None
        return win_probability(mafiosi, innocents, phase=phase, exact=True, **people)

    exact = {cell: chance(*cell) for cell in grid}
    away = {cell: abs(exact[cell] - Fraction(1, 2)) for cell in grid}
    near = sorted((cell for cell in grid if away[cell] <= Fraction(1, 10)), key=away.get)
    search = fair_setups(players, within=0.1, phase=phase)
    assert search.looked_at == len(grid)
    assert [(s.mafiosi, s.detectives, s.doctors, s.witches, s.hunters) for s in (f.setup for f in search.found)] == near
    for fair, cell in zip(search.found, near, strict=True):
        beside = [chance(*cell, more=more) for more in (1, -1)]
        assert fair.chance == pytest.approx(float(exact[cell]), abs=CLOSE)
        assert [fair.one_more, fair.one_fewer] == [None if p is None else pytest.approx(float(p)) for p in beside]
        assert fair.risk == pytest.approx(float(max(abs(p - exact[cell]) for p in beside if p is not None)), abs=CLOSE)
        ended = length_distribution(fair.setup, AS_CODED, phase).sum(axis=1)
        assert fair.nights == pytest.approx(sum(night * share for night, share in ended.items()), abs=1e-9)


def test_winners_who_share_a_prize():
    """The wanted chance is the town's share of the players, so that prize over winners is the same on both sides."""
    for fair in fair_setups(8, target="shares", within=0.1).found:
        town = fair.setup.town
        assert fair.distance == pytest.approx(abs(fair.chance - town / 8), abs=CLOSE)
    assert fair_setups(8, target="shares", within=0.1).found != fair_setups(8, within=0.1).found


def test_a_table_of_three_by_hand():
    """Mafioso, innocent, detective: found with 1/2, else lost; with an innocent more, found with 1/3 or voted out."""
    search = fair_setups(3, {"detectives": 1}, rules=Rules("always"))
    (fair,) = search.found
    assert (search.looked_at, fair.setup, fair.risk) == (2, Setup(1, 1, 1), pytest.approx(1 / 2))
    assert [fair.chance, fair.one_more, fair.one_fewer] == pytest.approx([1 / 2, 5 / 9, 0])


#: Steps as changes of mafiosi, innocents, detectives and doctors; the shelf has one detective and two doctors.
PEOPLE = [(0, 1, 0, 0), (0, -1, 0, 0), (1, -1, 0, 0), (-1, 1, 0, 0)]
PEOPLE += [(0, -1, 1, 0), (0, 1, -1, 0), (0, -1, 0, 1), (0, 1, 0, -1)]
SMALL = {"detectives": 1, "doctors": 2}


def after(state, step):
    """The state after a step, or None where there is no such step."""
    people, half_rule, phase = state
    if step in HALF_RULES:
        return people, step, phase
    if step == "phase":
        return people, half_rule, {"evening": "morning", "morning": "evening"}[phase]
    changed = tuple(count + more for count, more in zip(people, step, strict=True))
    dealt = all(new <= old or new <= most for old, new, most in zip(people[2:], changed[2:], (1, 2), strict=True))
    return (changed, half_rule, phase) if min(changed) >= 0 and changed[0] and dealt else None


def by_sequences(start, most, within):
    """The end states of all shortest sequences of steps that end within the margin, and all states on the way."""
    reached = {start}
    for length in range(most + 1):
        ends = set()
        for sequence in product([*PEOPLE, *HALF_RULES, "phase"], repeat=length):
            state = start
            for step in sequence:
                state = state and after(state, step)
            ends |= {state} - {None}
        reached |= ends
        chances = {
            state: win_probability(*state[0][:3], state[2], state[1], exact=True, doctors=state[0][3]) for state in ends
        }
        fair = {state for state, chance in chances.items() if abs(chance - Fraction(1, 2)) <= within}
        if fair:
            return length, fair, len(reached)
    return None, set(), len(reached)


@pytest.mark.parametrize(
    ("people", "most", "within"),
    [
        ((2, 4, 1, 0), 2, 0.02),
        ((3, 3, 0, 0), 2, 0.02),
        ((1, 2, 0, 0), 1, 0.02),
        ((1, 1, 3, 0), 2, 0.05),  # more detectives than the shelf has
        ((1, 1, 1, 0), 1, 0.02),  # even under the rules as written
        ((2, 2, 0, 1), 3, 0.005),
        ((3, 2, 0, 0), 1, 0.001),  # nothing does it
    ],
)
def test_repairs_are_all_shortest_sequences(people, most, within):
    start = (people, "always", "evening")
    length, fair, looked_at = by_sequences(start, most, within)
    search = cheapest_repair(Setup(*people[:3], people[3]), Rules("always"), shelf=SMALL, within=within, steps=most)
    found = {
        ((s.mafiosi, s.innocents, s.detectives, s.doctors), rules.half_rule, phase)
        for s, rules, phase in (repair.table for repair in search.found)
    }
    assert (found, search.looked_at) == (fair, looked_at)
    assert {len(repair.steps) for repair in search.found} == ({length} - {None})
    distances = [abs(repair.chance - 0.5) for repair in search.found]
    assert distances == sorted(distances)
    for repair in search.found:
        assert repair.chance == pytest.approx(solve(*repair.table), abs=CLOSE)
