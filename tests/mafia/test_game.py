"""Mafia under random play as a game of the protocol, against the solvers and rules by hand."""

from fractions import Fraction
from itertools import product

import pytest

from gamebalance import mafia
from gamebalance.fairness.reports.exact import endings
from gamebalance.mafia import RandomPlayGame, Rules, Setup
from gamebalance.mafia.exact import Position
from gamebalance.mafia.people import Town
from gamebalance.multiplayer.protocols import CHANCE, OVER
from tests.refusals import refuses

REMEMBERING = Rules(half_rule="always", votes="odd number", memory=True)
#: Mafiosi, innocents, detectives, doctors, witches, hunters: all towns of two to four with somebody on either side.
TOWNS = [
    Setup(*counts)
    for counts in product((1, 2), range(4), range(3), range(2), range(2), range(2))
    if counts[0] < sum(counts) <= 4
]


@pytest.mark.parametrize("rules", [mafia.AS_CODED, REMEMBERING, Rules("never", "odd days")], ids=str)
@pytest.mark.parametrize("phase", mafia.PHASES)
def test_everybody_wins_as_often_as_the_solver_says(rules, phase):
    for setup in TOWNS:
        chance = mafia.solve(setup, rules, phase)
        expected = [1 - chance] * setup.mafiosi + [chance] * setup.town
        found = endings(RandomPlayGame(setup, rules, phase)).tally("seat", "points").means
        assert found == pytest.approx(expected, abs=1e-11), (setup, found)


def test_a_larger_town():
    """Twelve at the table, two of them mafiosi, one a detective."""
    found = endings(RandomPlayGame(Setup(2, 9, 1))).tally("seat", "points").means
    village = mafia.win_probability(2, 9, 1)
    assert found == pytest.approx([1 - village] * 2 + [village] * 10, abs=1e-12)


def test_a_day_by_hand():
    """Of one mafioso, two innocents and a detective one is voted out."""
    game = RandomPlayGame(Setup(1, 2, 1), phase="morning")
    start = game.start()
    assert game.players == 4 and game.mover(start) == CHANCE and game.payoffs(start) == (0, 0, 0, 0)
    assert game.roles == ("mafioso", "innocent", "innocent", "detective")
    assert game.sides == ("mafia", "town", "town", "town")
    chances = game.moves(start)
    after = {Setup(0, 2, 1): Fraction(1, 4), Setup(1, 1, 1): Fraction(1, 2), Setup(1, 2): Fraction(1, 4)}
    assert chances == {Position(Town.of(setup), "evening", 1): share for setup, share in after.items()}
    ended = game.play(start, Position(Town.of(Setup(0, 2, 1)), "evening", 1))
    assert game.mover(ended) == OVER and game.payoffs(ended) == (0, 1, 1, 1)
    lost = Position(Town.of(Setup(1, 1)), "morning", 1)
    assert game.mover(lost) == OVER and game.payoffs(lost) == (1, 0, 0, 0)


test_bad_arguments_are_refused = refuses(
    (lambda: RandomPlayGame("town"), "^setup = 'town': a Setup is needed$"),
    (lambda: RandomPlayGame(Setup(1, 1), phase="noon"), "^phase = 'noon': one of 'evening', 'morning' is needed$"),
    (lambda: RandomPlayGame(Setup(1, 1), rules=None), "^rules = None: a Rules object is needed$"),
    (lambda: RandomPlayGame(Setup(0, 0)), "^setup = nobody: at least one player is needed$"),
)
