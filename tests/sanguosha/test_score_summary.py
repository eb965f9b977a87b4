"""Appendix C from its counts: the program's sums of points, with each of its slips, and without them."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chapters.four_players_exactly import rows_of
from gamebalance import balance, rationality
from gamebalance.as_published import ScoreSlips, role_summary
from gamebalance.publish import published
from gamebalance.sanguosha import LINEUPS, Lineup
from tests.refusals import refuses
from tests.sanguosha import appendix_a
from tests.sanguosha.known import ROLES, printed_counts

#: Half a unit of the second printed digit, and the noise of binary fractions.
DIGIT = 0.005 + 1e-9


def printed_summary(line):
    return rows_of(published("sanguosha_tables_7_to_23_role_summary"), line).set_index("role").loc[ROLES]


@pytest.mark.parametrize("line", LINEUPS, ids=str)
def test_summary_and_table_4_as_printed(line):
    """Four rates and four scores of each of Tables 7, 9, …, 23, the line-up told from the counts; then Table 4."""
    found, printed = role_summary(printed_counts(line)), printed_summary(line)
    assert list(found.index) == ROLES and found.index.name == "role"
    assert list(found.columns) == ["survival_percent", "expected_score"]
    assert abs(found - printed[found.columns]).max(axis=None) <= DIGIT
    measures = rows_of(published("sanguosha_table_4_balance_rationality"), line)
    assert 100 * balance(found["survival_percent"] / 100) == pytest.approx(measures["bal_percent"].item(), abs=DIGIT)
    assert rationality(found["expected_score"]) == pytest.approx(measures["rat"].item(), abs=DIGIT)


@st.composite
def counted_games(draw):
    """A line-up with all four roles, and how often games of it ended how."""
    members = st.tuples(*[st.integers(1, 7)] * 3).filter(lambda members: sum(members) < 10)
    line = Lineup(*draw(members))
    endings = [alive for alive in product(*(range(n + 1) for n in line.counts)) if appendix_a.finished(alive)]
    return line, draw(st.dictionaries(st.sampled_from(endings), st.integers(1, 10**6), min_size=1))


@given(counted_games(), st.integers(1, 3), *[st.booleans()] * 3)
def test_summary_of_any_counts(games, role, by_role, whole, shared):
    """As appendix B works them out, and with either slip repaired in it."""
    line, counts = games
    found = role_summary(counts, line, ScoreSlips(by_role, whole, shared), role)
    divisor = role if by_role else line.renegades if shared else 1
    points = None if whole else Fraction(35, line.renegades)
    survival, scores = appendix_a.summary(counts, line.counts, divisor, points)
    assert found["survival_percent"].to_numpy() == pytest.approx([float(x) for x in survival], rel=1e-12)
    assert found["expected_score"].to_numpy() == pytest.approx([float(x) for x in scores], rel=1e-12, abs=1e-12)


ONE_GAME, ONE = {(1, 0, 0, 0): 1}, "1-1-1-1"

test_refused_by_name = refuses(
    (lambda: ScoreSlips(integer_points=17), "integer_points = 17: True or False"),
    (lambda: role_summary({"1100": 3}), r"counts = {'1100': 3}: games by \(lords, loyalists"),
    (lambda: role_summary({(1, 0, 0, 0): -1}, ONE), "counts = -1: a whole number, 0 or more"),
    (lambda: role_summary({(1, 1, 0): 1}, ONE), "renegades alive"),
    (lambda: role_summary(ONE_GAME, "1-0-1-1"), "lineup = 1-0-1-1: one with all four roles"),
    (lambda: role_summary({(0, 0, 2, 0): 1}, ONE), r"lineup = 1-1-1-1: one with all four roles and \(0, 0, 2, 0\)"),
    (lambda: role_summary(ONE_GAME, ONE, divisor=4), "divisor = 4: a whole number from 1 to 3"),
    (lambda: role_summary(ONE_GAME, "1-2-2-1"), "divisor: the report has no games of line-up 1-2-2-1"),
    (lambda: role_summary({(1, 0, 1, 0): 1}, ONE), r"nobody has won with \(1, 0, 1, 0\) alive"),
)
