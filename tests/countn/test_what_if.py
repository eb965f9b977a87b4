"""Count-N with other numbers: the same as the plain solver says, and refusals."""

import pytest

from gamebalance.countn import START, solve, what_if
from gamebalance.countn.what_if import Outcome
from tests.refusals import refused


@pytest.mark.parametrize("overflow", ["one", "rollover"])
@pytest.mark.parametrize("n", [2, 3, 5, 8, 9])
def test_every_first_and_second_hand_as_in_plain_python(n, overflow):
    plain = solve(n, overflow, engine="plain")
    seen = set()
    for opponent in plain.game.pairs[:-1]:
        value = plain.value(START[0], opponent)
        found = what_if(n, overflow=overflow, opponent=opponent)
        winner = {0: "draw", 1: "first", 2: "first", -1: "second", -2: "second"}[value]
        assert found == Outcome(winner, value in (-2, 2), plain.distance(START[0], opponent))
        seen.add(found.winner)
    assert len(seen) > 1 or n == 2


def test_the_known_start():
    assert what_if() == what_if(8) == Outcome("draw", False, None)
    assert what_if(9).winner == solve(9).start_value == "second"


def test_refusals():
    with refused("n = 1: a whole number from 2 to 256 is needed"):
        what_if(1)
    with refused("overflow = 'stop': one of 'one', 'rollover' is needed"):
        what_if(overflow="stop")
    with refused("opponent = (9, 9): two hands are needed, each a whole number from 1 to 7 or None (withdrawn)"):
        what_if(opponent=(9, 9))
    with refused("mover = (1, 1, 1): two hands are needed"):
        what_if(mover=(1, 1, 1))
