"""Line-ups and seatings."""

import json
import pickle
from itertools import permutations, product
from math import factorial, prod

import pytest

from gamebalance.sanguosha import LINEUPS, Lineup, Role, Seating

LEGAL = [Lineup(*others) for others in product(range(10), repeat=3) if any(others[1:]) and sum(others) < 10]


def test_the_nine_of_the_report():
    """Table 4, whose players column counts everybody."""
    expected = "1-1-1-1 1-1-2-1 1-1-3-1 1-1-2-2 1-2-3-1 1-2-4-1 1-2-3-2 1-3-4-1 1-3-4-2"
    assert " ".join(map(str, LINEUPS)) == expected
    assert [lineup.players for lineup in LINEUPS] == [4, 5, 6, 6, 7, 8, 8, 9, 10]


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


def test_a_seating_is_a_text_that_is_checked_once():
    seating = Seating("0123")
    assert seating == "0123" and Seating(seating) is seating and {seating: 1}["0123"] == 1
    assert seating.roles == tuple(Role) and Seating.of(seating.roles) == seating and seating.lineup == Lineup(1, 1, 1)
    back = pickle.loads(pickle.dumps(seating))
    assert type(back) is Seating and back == seating and json.dumps(seating) == '"0123"'
    with pytest.raises(ValueError, match=r"seating = '0123' has 4 players: 2 to 3 are allowed here"):
        Seating(seating, 3)


def test_a_seating_of_the_line_up():
    assert type(Lineup(0, 1, 1).seating("032")) is Seating
    with pytest.raises(ValueError, match=r"seating = '0123' is not a seating of line-up 1-0-1-1"):
        Lineup(0, 1, 1).seating("0123")
