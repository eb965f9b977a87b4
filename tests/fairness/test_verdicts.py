"""Verdicts: tests, margins, looks, and how many games more."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from gamebalance.fairness import Games, judge, read_games
from gamebalance.fairness.looks import fair_size
from tests.refusals import refuses

COUNT = Games.from_counts
once = partial(judge, looks=1)


def pair(one: int, other: int, draws: int = 0) -> Games:
    """Games of two sides."""
    games = one + other + draws
    return COUNT({"wolves": (one, games), "village": (other, games)}, draws)


def table(*games: dict[str, float], draws: bool = False) -> Games:
    """Games by what each label won in them."""
    rows = [
        {"game": number, "player": name, "won": won} for number, game in enumerate(games) for name, won in game.items()
    ]
    return read_games(pd.DataFrame(rows), draws)


# Which verdict -------------------------------------------------------------------------------------------------------


def test_one_win_more_makes_it_unfair():
    assert once(pair(60, 40)).verdict == "undecided" and once(pair(61, 39)).verdict == "unfair"
    assert once(pair(60, 40)).p_value == pytest.approx(stats.binomtest(60, 100).pvalue, rel=1e-8)


def test_one_game_more_makes_it_fair():
    """Two one-sided binomial tests: both sides have to be above 45 and below 55%."""
    for games in range(2, 2000, 2):
        shown = stats.binom.cdf(games // 2, games, 0.55) <= 0.05
        if shown:
            break
    assert games > 200
    assert once(pair(games // 2, games // 2)).verdict == "fair"
    assert once(pair(games // 2 - 1, games // 2 - 1)).verdict == "undecided"
    assert once(pair(games // 2 + 1, games // 2 - 1)).verdict == "undecided"


@pytest.mark.parametrize("groups", [2, 3, 4])
def test_draws_are_nobodys_and_tell_nothing_about_who_wins(groups):
    wins = (40, 26, 24, 30)[:groups]
    decided = judge(COUNT({seat: (won, sum(wins)) for seat, won in enumerate(wins)}))
    drawn = judge(COUNT({seat: (won, 2 * sum(wins)) for seat, won in enumerate(wins)}, draws=sum(wins)))
    assert (drawn.p_value, drawn.equivalence_p_value) == (decided.p_value, decided.equivalence_p_value)
    assert drawn.even.tolist() == pytest.approx([0.5 / groups] * groups)
    assert (drawn.shares * 2).tolist() == pytest.approx(decided.shares.tolist())
    assert drawn.games == 2 * decided.games


def test_of_two_the_interval_leaves_even_out_just_where_it_is_unfair():
    for games in (2, 3, 5, 8, 13, 21, 34):
        for one in range(games + 1):
            for found in (once(pair(one, games - one), margin=0.001), judge(pair(one, games - one), margin=0.001)):
                outside = not found.low["wolves"] <= 0.5 <= found.high["wolves"]
                assert (found.verdict == "unfair") == outside or found.p_value == pytest.approx(found.limit, abs=1e-9)


# Looking again -------------------------------------------------------------------------------------------------------


def test_limits_of_each_look():
    """By the rule: 98% first, then two fifths of what is left; of two exactly what looks can have spent."""
    four = COUNT({seat: (250 + seat, 1006) for seat in range(4)})
    looked = [judge(four, margin=0.001, looked_after=(50, 100, 200)[:before]).limit for before in range(4)]
    assert looked == pytest.approx([0.049, 0.0004, 0.000008, 0.00000016])
    found, spent = judge(pair(500, 455), looked_after=55), 2 * stats.binom.cdf(19, 55, 0.5)
    assert found.limit == pytest.approx(0.4 * (0.05 - spent)) and found.equivalence_limit == pytest.approx(0.02)
    drawn = judge(pair(500, 455, 10), looked_after=55)
    assert drawn.limit == pytest.approx(0.0004) == drawn.equivalence_limit
    assert [judge(four, looks=4, looked_after=after).limit for after in ((), 9, (9, 99))] == [0.0125] * 3


def test_a_first_look_that_may_have_called_it_fair_has_spent_so_much():
    """Of 400 games 198 to 202 wins are shown to be within 5 points: at 45 or 55% that happens as often as it does."""
    wins = np.arange(401)
    near = np.maximum(stats.binom.cdf(wins, 400, 0.55), stats.binom.sf(wins - 1, 400, 0.45)) <= 0.049
    assert [judge(pair(won, 400 - won)).verdict for won in np.flatnonzero(near)[[0, -1]]] == ["fair"] * 2
    spent = stats.binom.pmf(wins[near], 400, 0.55).sum()
    found = judge(pair(500, 500), looked_after=400)
    assert found.equivalence_limit == pytest.approx(0.4 * (0.05 - spent)) and 0.004 < found.equivalence_limit < 0.02
    assert fair_size(280, 0.049, 0.5, 0.05) == 0 < fair_size(400, 0.049, 0.5, 0.05)


def test_so_few_games_that_nothing_could_be_told():
    """Two sides need six games in a row (p = 1/32), four seats four (1/64)."""
    four = COUNT({seat: (3 * (seat < 1), 3) for seat in range(4)})
    for games, few in ((pair(2, 0), 2), (pair(5, 0), 5), (pair(1, 1, 3), 5), (four, 3)):
        found = judge(games)
        assert found.sentence == f"Cannot tell: {few} games say nothing, whoever wins them."
        assert found.games_needed is None
    assert judge(pair(6, 0)).verdict == "unfair" and "say nothing" not in judge(pair(5, 1)).sentence
    assert judge(pair(1, 1), margin=0.49).verdict == "fair"  # so that two games may say something
    assert "say nothing" not in judge(pair(2, 0), margin=0.49).sentence


@settings(max_examples=60)
@given(st.lists(st.integers(0, 40), min_size=2, max_size=5).filter(lambda wins: sum(wins) > 1), st.integers(0, 9))
def test_verdicts_agree_with_themselves(wins, draws):
    games = sum(wins) + draws
    counts = {f"r{place}": (won, games) for place, won in enumerate(wins)}
    found = once(COUNT(counts, draws))
    decided = {"unfair": found.p_value <= 0.05, "fair": found.equivalence_p_value <= 0.05}
    assert decided.get(found.verdict, not any(decided.values()))
    assert found.games_needed == (None if found.verdict == "undecided" else 0)
    first = judge(COUNT(counts, draws))
    assert (first.games_needed == 0) == (first.verdict != "undecided") and first.p_value == found.p_value
    assert (found.shares.sum(), found.even.sum()) == (pytest.approx(1 - draws / games),) * 2
    turned = once(COUNT(dict(reversed(counts.items())), draws))
    assert (turned.p_value, turned.verdict) == (found.p_value, found.verdict)
    assert turned.equivalence_p_value == found.equivalence_p_value
    if not draws:
        twice = once(COUNT({label: (2 * won, 2 * games) for label, (won, _) in counts.items()}))
        assert (twice.high - twice.low <= found.high - found.low).all()


test_what_is_no_question_is_refused = refuses(
    (lambda: judge(pair(6, 4), margin=0), r"^margin = 0: a number between 0 and 1"),
    (lambda: judge(pair(6, 4), level=95), r"^level = 95: a number between 0 and 1"),
    (lambda: judge(pair(6, 4), margin=0.6), r"^margin = 0.6: below 0.5 is needed, or every chance is within it"),
    (lambda: judge(pair(6, 4), looked_after=10), r"^looked_after = 10: whole numbers are needed that rise, each below"),
    (lambda: judge(pair(6, 4), looks=1, looked_after=5), r"^looked_after = 5: with this one .* more than looks = 1"),
    (lambda: judge(pair(6, 4), looks=0), r"^looks = 0: a whole number from 1 to 1000000 is needed"),
    (lambda: judge({"a": (1, 2)}), r"^games = dict: Games are needed"),
    (lambda: judge(table({"a": 1, "b": 0}), "player"), r"^games: two or more are needed"),
    (
        lambda: judge(read_games(pd.DataFrame({"game": [1, 1] * 2, "role": ["x"] * 4, "won": [1, 0] * 2}))),
        r"'x' is the only",
    ),
)
