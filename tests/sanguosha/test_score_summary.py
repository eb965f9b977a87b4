"""Appendix C from its counts: the program's sums of points, with each of its slips, and without them."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chapters.sanguosha.printed_tables import rows_of
from gamebalance import balance, rationality
from gamebalance.as_published import (
    AS_PRINTED,
    LAST_ROLES,
    REPAIRED,
    SCORES_AS_PRINTED,
    SCORES_REPAIRED,
    ScoreSlips,
    TransferDefects,
    role_summary,
)
from gamebalance.publish import published
from gamebalance.sanguosha import LINEUPS, REPORT_SCORING, Lineup, Scoring, simulate
from tests.sanguosha import appendix_a
from tests.sanguosha.known import ROLES, printed_counts, printed_games

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


@pytest.mark.parametrize("line", LINEUPS, ids=str)
def test_only_one_divisor_gives_the_printed_score(line):
    printed = printed_summary(line)["expected_score"]
    fits = [
        role
        for role in (1, 2, 3)
        if abs(role_summary(printed_counts(line), divisor=role)["expected_score"] - printed).max() <= DIGIT
    ]
    assert fits == [LAST_ROLES[str(line)]]


@pytest.mark.parametrize("line", LINEUPS, ids=str)
def test_repaired_summary_is_that_of_the_scoring_rule(line):
    counts, outcomes = printed_counts(line), printed_games(line)
    each = role_summary(counts, slips=SCORES_REPAIRED)
    shared = role_summary(counts, slips=replace(SCORES_REPAIRED, shared_consolation=True))
    assert each["survival_percent"].to_numpy() == pytest.approx(100 * outcomes.survival, rel=1e-12)
    assert each["expected_score"].to_numpy() == pytest.approx(outcomes.expected_scores(REPORT_SCORING), rel=1e-12)
    sharing = Scoring(share_consolation=True)
    assert shared["expected_score"].to_numpy() == pytest.approx(outcomes.expected_scores(sharing), rel=1e-12)


def test_summary_of_simulated_games():
    outcomes = simulate("1-1-1-1", 3000, 21)
    assert role_summary(outcomes).equals(role_summary(outcomes.counts))


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


def test_slips_as_printed():
    assert SCORES_AS_PRINTED == ScoreSlips() == ScoreSlips(True, True, True)
    assert SCORES_REPAIRED == ScoreSlips(False, False, False)
    assert AS_PRINTED == TransferDefects() == TransferDefects(True, True, True, True)
    assert REPAIRED == TransferDefects(False, False, False, False)
