"""The rules about the end of the game: cases worked out by hand, and what they do to any town without detectives.

Floats are within 1e-14 of the fractions; 1e-13 leaves room for a few of them.
"""

from fractions import Fraction
from math import prod

import numpy as np
import pytest

from gamebalance.mafia import HALF_RULES, VOTES, Rules, Setup, length_distribution, solve, win_probability, win_table

MOST = 60
TINY = 1e-13


def exactly(*town, **rules):
    return win_probability(*town, exact=True, **rules)


@pytest.fixture(scope="module")
def tables():
    """Winning probabilities without detectives by name of a rule, evening first."""
    half = {name: win_table(MOST, 0, rules=Rules(name)) for name in HALF_RULES}
    votes = {name: win_table(MOST, 0, rules=Rules(votes=name)) for name in VOTES}
    return half | votes | {"vote first": win_table(MOST, 0, phase="morning")}


def assert_same(left, right):
    difference = np.abs(left.to_numpy() - right.to_numpy())
    assert np.isfinite(difference).sum() > MOST
    assert np.nanmax(difference) < TINY


@pytest.mark.parametrize(
    ("town", "values"),
    [
        ((1, 0, 1), {"morning": 1, "always": 0, "never": 1}),
        ((1, 2, 1), {"morning": Fraction(19, 27), "always": Fraction(5, 9), "never": Fraction(19, 27)}),
        # Evening of five, morning of four: 1/4; then evening of three, morning of two: lost, or 1/2 when played on.
        ((1, 4, 0), {"morning": Fraction(1, 4), "always": Fraction(1, 4), "never": Fraction(5, 8)}),
    ],
)
def test_half_rules_by_hand(town, values):
    assert {name: exactly(*town, half_rule=name) for name in HALF_RULES} == values


@pytest.mark.parametrize(
    ("votes", "survived"), [("every day", (6, 4)), ("odd days", (6, 3)), ("odd number", (5, 3))], ids=str
)
def test_skipped_votes_by_hand(votes, survived):
    """The one mafioso wins by surviving votes among so many."""
    chance = 1 - prod(Fraction(living - 1, living) for living in survived)
    assert exactly(1, 6, votes=votes) == chance


def test_smallest_town_with_a_use_for_memory():
    def by_hand(later):
        return Fraction(1, 4) + Fraction(3, 4) * (Fraction(1, 4) * Fraction(1, 4) + Fraction(3, 4) * later)

    assert exactly(1, 3, 1) == by_hand(Fraction(1, 2)) == Fraction(37, 64)
    # The cleared innocent is not the victim with 2/3; the last interrogation may then be certain.
    remembered = Fraction(1, 3) * Fraction(1, 2) + Fraction(2, 3) * Fraction(5, 8)
    assert exactly(1, 3, 1, memory=True) == by_hand(remembered) == Fraction(5, 8)
    for players in range(2, 5):
        for mafiosi in range(1, players):
            for detectives in range(players - mafiosi + 1):
                town = mafiosi, players - mafiosi - detectives, detectives
                assert exactly(*town) == exactly(*town, memory=True)


@pytest.mark.parametrize("detectives", [1, 2])
def test_the_text_never_helps_and_playing_on_never_hurts(detectives):
    always, morning, never = (win_table(MOST, detectives, rules=Rules(name)) for name in ("always", "morning", "never"))
    assert not (always > morning + TINY).any(axis=None)
    assert not (never < morning - TINY).any(axis=None)
    assert (always < morning - 1e-3).any(axis=None)
    assert (never > morning + 1e-3).any(axis=None)


@pytest.mark.parametrize("votes", VOTES)
def test_without_detectives_the_text_changes_nothing(votes):
    """Only votes remove mafiosi: half in the evening is more than half in the morning."""
    half = (Rules("always", votes), Rules("morning", votes))
    for phase in ("evening", "morning"):
        assert_same(*(win_table(MOST, 0, rules=rules, phase=phase) for rules in half))


def test_but_its_games_are_shorter():
    coded, written = (length_distribution(Setup(2, 8), Rules(name)) for name in ("morning", "always"))
    assert written["innocents"].to_dict() == pytest.approx(coded["innocents"].loc[written.index].to_dict(), abs=TINY)
    nights = [(lengths.sum(axis=1) * lengths.index).sum() for lengths in (written, coded)]
    assert nights[0] < nights[1] - 0.1


def test_a_night_first_is_a_player_fewer(tables):
    assert_same(tables["morning"].loc[:, 3:], tables["vote first"].loc[:, : MOST - 1])


def test_a_vote_first_of_three():
    assert exactly(1, 2, phase="morning") == exactly(1, 3) == Fraction(1, 3)


def test_playing_on_is_one_more_vote_among_two(tables):
    """For odd numbers in the evening it adds m / 2 times what one mafioso fewer is worth; for even ones nothing."""
    coded, played_on = tables["morning"], tables["never"]
    assert_same(coded.loc[:, ::2], played_on.loc[:, ::2])
    odd = coded.loc[:, 3::2]
    one_fewer = odd.shift() - odd
    assert_same(played_on.loc[:, 3::2].iloc[1:], (odd + one_fewer.mul(one_fewer.index / 2, axis=0)).iloc[1:])


@pytest.mark.parametrize("half", [1, 2, 7, 30])
def test_half_played_on_needs_every_vote(half):
    assert exactly(half, half, phase="morning", half_rule="never") == Fraction(1, 2**half)
    assert exactly(half + 1, half, phase="morning", half_rule="never") == 0


def test_parity_is_reversed_when_played_on(tables):
    steps = {name: tables[name].diff(axis=1).iloc[1:] for name in ("morning", "never", "odd number")}
    to_even = {name: table.loc[:, 4::2].stack().dropna() for name, table in steps.items()}
    to_odd = {name: table.loc[:, 3::2].stack().dropna() for name, table in steps.items()}
    assert (to_even["morning"] > -TINY).all()
    assert (to_odd["morning"] < TINY).all()
    assert (to_even["never"] < TINY).all()
    assert (to_odd["never"] > -TINY).all()
    assert (to_even["odd number"] > -TINY).all()
    assert to_even["morning"].max() > 0.1 < to_odd["never"].max()
    assert (to_odd["odd number"].abs() < TINY).all()


def test_no_vote_at_even_numbers_is_a_player_fewer(tables):
    idle, coded = tables["odd number"], tables["morning"]
    assert_same(idle.loc[:, ::2], coded.loc[:, ::2])
    assert_same(idle.loc[:, 5::2], coded.loc[:, 4 : MOST - 1 : 2])


def test_odd_days_take_three_players_a_vote(tables):
    row = tables["odd days"].loc[1]
    for players in row.index:
        survived = prod(1 - 1 / living for living in range(players - 1, 2, -3))
        assert row[players] == pytest.approx(1 - survived, abs=TINY)


@pytest.mark.parametrize("rules", [Rules(), Rules("always"), Rules("never"), Rules(memory=True)], ids=str)
def test_lengths_add_up_to_the_chance(rules):
    setup = Setup(3, 16, 1)
    for phase in ("evening", "morning"):
        lengths = length_distribution(setup, rules, phase)
        assert lengths.to_numpy().sum() == pytest.approx(1, abs=TINY)
        assert lengths["innocents"].sum() == pytest.approx(solve(setup, rules, phase), abs=TINY)
