"""How tables of Avalon end: the library against an enumeration that shares nothing with it, and against samples."""

from fractions import Fraction

import pytest
from scipy.stats import binomtest

from gamebalance.games import avalon
from gamebalance.games.avalon import AtRandom, Board, Sensible, exact, rules
from tests.games.avalon.plain_policies import AtTable, plain_rules
from tests.oracles import avalon_table
from tests.refusals import refused, refuses

ONE = Board(3, 1, (2,), (1,), 3)
THREE = Board(3, 1, (1, 2, 1), (1, 1, 1), 1)
FOUR = Board(4, 1, (3,), (1,), 2)
FOURS = Board(4, 1, (1, 2, 3), (1, 1, 1), 2)
FIVE = Board(5, 2, (3,), (1,), 1)
TWO_FAILS = Board(5, 2, (3,), (2,), 1)
PAIR = Board(5, 2, (1, 3, 1), (1, 2, 1), 1)
#: The chance that this module's samples would look wrong, had they other seeds, is below this for each comparison.
ERROR = 1e-5


def endings_of(board, special, plain):
    found = avalon_table.endings(plain_rules(board), rules.cast(board, special), plain)
    return {ending: found.get(ending, 0) for ending in rules.ENDINGS}


@pytest.mark.parametrize(
    ("board", "special", "approve", "fail"),
    [
        (ONE, (), Fraction(3, 8), Fraction(5, 8)),
        (Board(3, 1, (2,), (1,), 1), ("merlin",), 0.3, 0.9),
        (THREE, ("merlin",), Fraction(3, 8), Fraction(5, 8)),
        (FOUR, ("merlin", "oberon"), Fraction(5, 8), Fraction(3, 4)),
        (FIVE, ("merlin", "oberon"), 1, Fraction(3, 4)),
        (FIVE, ("merlin", "percival", "morgana"), 1, Fraction(1, 4)),
        (TWO_FAILS, (), 1, Fraction(3, 4)),
    ],
)
def test_at_random_three_ways(board, special, approve, fail):
    plain = endings_of(board, special, avalon_table.at_random(Fraction(approve), Fraction(fail)))
    assert exact.at_random(board, special, approve, fail) == plain and sum(plain.values()) == 1
    assert exact.outcomes(board, special, AtRandom(float(approve), float(fail))) == plain


@pytest.mark.parametrize(
    ("board", "special"),
    [
        (ONE, ("merlin",)),
        (THREE, ()),
        (THREE, ("merlin", "mordred")),
        (THREE, ("merlin", "percival", "morgana")),
        (FOUR, ("merlin", "percival", "oberon")),
        (FIVE, ("merlin", "oberon", "mordred")),
        (FIVE, ("merlin", "percival", "morgana")),
        (TWO_FAILS, ("merlin", "mordred")),
    ],
)
def test_a_policy_that_hangs_on_everything(board, special):
    """Seats, roles, sights, leaders, votes and fails: one of them told wrongly moves the mood, and the chances."""
    plain = avalon_table.moody()
    expected = endings_of(board, special, plain)
    assert exact.outcomes(board, special, AtTable(plain)) == expected
    assert sum(expected.values()) == 1 and min(expected["three fails"], expected["five rejections"]) > 0


@pytest.mark.parametrize("players", rules.BOARDS)
def test_samples_at_full_tables(players):
    board, count = rules.BOARDS[players], 800
    special = ("merlin", "oberon") if players % 2 else ("merlin",)
    found = avalon.simulate(board, special, AtRandom(0.55, 0.4), count, seed=players)
    for ending, chance in exact.at_random(board, special, 0.55, 0.4).items():
        assert binomtest(found[ending], count, float(chance)).pvalue > ERROR, ending


@pytest.mark.parametrize(
    ("board", "special", "policy"),
    [
        (THREE, ("merlin",), Sensible(listens=0.5)),
        (FOURS, ("merlin",), Sensible(hides=0.25, blends=True, reads=False)),
        (PAIR, ("oberon",), Sensible(hides=0.75)),
    ],
)
def test_samples_of_sense(board, special, policy):
    found = avalon.simulate(board, special, policy, 1500, seed=7)
    chances = exact.outcomes(board, special, policy)
    assert sum(chances.values()) == 1 and max(chances.values()) < 1
    for ending, chance in chances.items():
        assert binomtest(found[ending], 1500, float(chance)).pvalue > ERROR, ending


def test_a_board_may_be_too_large(monkeypatch):
    monkeypatch.setattr(exact, "MOST_POSITIONS", 1000)
    with refused(match="^board: a smaller one is needed, with at most 1,000 positions"):
        exact.outcomes(rules.BOARDS[5], (), AtRandom())


test_refusals = refuses(
    (lambda: exact.at_random(ONE, approve=2), "^approve = 2: "),
    (lambda: exact.at_random(ONE, fail=-0.5), "^fail = -0.5: "),
    (lambda: exact.at_random(ONE, ("merlin", "king")), "^special = "),
)
