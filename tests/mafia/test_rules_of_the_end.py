"""The rules about the end of the game: cases worked out by hand; `when-does-the-game-end` has what they do to any town.

Floats are within 1e-14 of the fractions; 1e-13 leaves room for a few of them.
"""

from fractions import Fraction

import numpy as np
import pytest

from gamebalance.mafia import VOTES, Rules, Setup, length_distribution, win_probability, win_table

MOST = 60
TINY = 1e-13


def exactly(*town, **rules):
    return win_probability(*town, exact=True, **rules)


def assert_same(left, right):
    difference = np.abs(left.to_numpy() - right.to_numpy())
    assert np.isfinite(difference).sum() > MOST
    assert np.nanmax(difference) < TINY


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
