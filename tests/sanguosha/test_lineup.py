"""Line-ups and seatings; bad input: a ValueError of one line that names the argument, its value and what is allowed."""

from itertools import permutations, product
from math import factorial, prod

import numpy as np
import pytest

from gamebalance import sanguosha
from gamebalance.sanguosha import LINEUPS, Lineup, Seating

LEGAL = [Lineup(*others) for others in product(range(10), repeat=3) if any(others[1:]) and sum(others) < 10]


@pytest.mark.parametrize("lineup", [lineup for lineup in LEGAL if lineup.players <= 7], ids=str)
def test_seatings_are_all_orders_of_the_roles(lineup):
    roles = "1" * lineup.loyalists + "2" * lineup.rebels + "3" * lineup.renegades
    assert set(lineup.seatings()) == {"0" + "".join(order) for order in permutations(roles)}


@pytest.mark.parametrize("lineup", LINEUPS, ids=str)
def test_number_of_seatings(lineup):
    seatings = lineup.seatings()
    expected = factorial(lineup.players - 1) // prod(map(factorial, lineup.counts))
    assert len(seatings) == len(set(seatings)) == lineup.seating_count == expected
    assert list(seatings) == sorted(seatings)
    assert {Seating(seating).lineup for seating in seatings} == {lineup}


def test_largest_number_of_seatings():
    """`Stream.seating` promises a bias below 1680 / 2^32: no legal line-up has more seatings."""
    assert max(lineup.seating_count for lineup in LEGAL) == 1680


ONE = "1-1-1-1"

CASES = {
    # line-ups
    "no lord": (lambda: Lineup.parse("0-1-1-1"), "0-1-1-1", "exactly one"),
    "two lords": (lambda: Lineup.parse("2-1-1-1"), "2-1-1-1", "exactly one"),
    "eleven players": (lambda: Lineup.parse("1-4-4-2"), "11 players", "2 to 10"),
    "a lord alone": (lambda: Lineup(0, 0, 0), "1 players", "2 to 10"),
    "nobody against the lord": (lambda: Lineup(3, 0, 0), "1-3-0-0", "at least one rebel or renegade"),
    "minus one": (lambda: Lineup(-1, 2, 1), "loyalists = -1", "0 or more"),
    "True renegades": (lambda: Lineup(1, 1, True), "renegades = True", "whole number"),
    "three numbers": (lambda: Lineup.parse("1-1-1"), "'1-1-1'", "1-1-2-1"),
    "two lines": (lambda: Lineup.parse("1-1\n-1-1"), r"1-1\n-1-1", "1-1-2-1"),
    # seatings
    "seating without lord": (lambda: sanguosha.solve("123"), "'123' has 0 lords", "exactly one"),
    "lord not first": (lambda: sanguosha.solve("1023"), "'1023'", "the 0 stands in front"),
    "seven seats for the solver": (lambda: sanguosha.solve("0112223"), "7 players", "2 to 6"),
    "seating as a number": (lambda: sanguosha.solve(123), "seating = 123", "role digits"),
    "only friends": (lambda: sanguosha.solve("011"), "seating = '011'", "at least one rebel"),
    "states of six": (lambda: sanguosha.reachable_states("012223"), "6 players", "2 to 5"),
    "seating of another line-up": (lambda: sanguosha.simulate(ONE, 10**15, 1, seating="0122"), "'0122'", ONE),
    "seven players to the solver": (lambda: sanguosha.solve_lineup("1-2-3-1"), "7 players", "at most 6"),
    "a seating without end": (lambda: sanguosha.solve("0" * 9000), "seating = '000", "exactly one"),
    "numbers without end": (lambda: Lineup.parse("1-" + "9" * 9000), "line-up '1-999", "1-1-2-1"),
    # other objects
    "no rules, solve": (lambda: sanguosha.solve("02", rules=None), "rules = None", "Rules object"),
    "no rules, simulate": (lambda: sanguosha.simulate(ONE, 9, 1, rules="coded"), "rules = 'coded'", "Rules object"),
    "nine dodges": (lambda: sanguosha.open_table("0123", [2, 9, 2, 2]), "dodges = 9", "0 to 4"),
    # numbers
    "games 0": (lambda: sanguosha.simulate(ONE, 0, 1), "games = 0", "from 1 to 2^63 - 1"),
    "workers 0": (lambda: sanguosha.simulate(ONE, 9, 1, workers=0), "workers = 0", "from 1 to 1024"),
    "seed -1": (lambda: sanguosha.simulate(ONE, 9, -1), "seed = -1", "0 to 2^63 - 1"),
    "seed True": (lambda: sanguosha.play(ONE, True), "seed = True", "whole number"),
    "game -1": (lambda: sanguosha.play(ONE, 1, -1), "number = -1", "0 to 2^63 - 1"),
    "the game that would be number 5": (lambda: sanguosha.play(ONE, 1, 5 + 2**64), f"number = {5 + 2**64}", "2^63 - 1"),
    "games 2^63": (lambda: sanguosha.simulate(ONE, 2**63, 1), f"games = {2**63}", "from 1 to 2^63 - 1"),
    "many workers, solver": (lambda: sanguosha.solve_lineup(ONE, workers=1025), "workers = 1025", "from 1 to 1024"),
}


@pytest.mark.parametrize(("call", "value", "allowed"), CASES.values(), ids=CASES)
def test_refused_by_name(call, value, allowed):
    with pytest.raises(ValueError) as caught:
        call()
    message = str(caught.value)
    assert value in message and allowed in message
    assert "\n" not in message and len(message) < 200


def test_what_is_just_allowed():
    assert sanguosha.simulate("1-0-0-1", 1, 0).games == 1
    assert sanguosha.simulate("1-3-4-2", np.int64(2), 2**63 - 1).games == 2
    assert len(sanguosha.play("1-0-9-0", 2**63 - 1).opening.players) == 10
