"""Kuhn and Leduc poker: rules on single hands, and the equilibria that are known."""

from math import factorial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamebalance.games.kuhn import Kuhn, szafron_profile, szafron_values
from gamebalance.games.leduc import Leduc
from gamebalance.multiplayer import cfr
from tests.multiplayer.written_trees import kuhn_profile, play

THREE = cfr.GameTree(Kuhn(3))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_kuhn_counts_from_the_rules(players):
    # A deal: all orders of all cards but one. A betting: nobody bets, or one of n does and each other answers.
    tree = cfr.GameTree(Kuhn(players))
    assert len(tree.terminals) == factorial(players + 1) * (1 + players * 2 ** (players - 1))
    assert len(tree.information_sets) == (players + 1) * players * 2 ** (players - 1)


@pytest.mark.parametrize("alpha", [0, 0.1, 1 / 3])
def test_kuhn_family(alpha):
    distance = cfr.nash_conv(Kuhn(2), kuhn_profile(alpha))
    assert distance.total == pytest.approx(0, abs=1e-12) and distance.values[0] == pytest.approx(-1 / 18)


@settings(max_examples=60)
@given(shares=st.tuples(*[st.floats(0, 1)] * 5))
def test_szafron_family_is_in_equilibrium(shares):
    b21 = shares[0] / 4
    b11 = shares[1] * b21
    bluffs = (3 * b11 + 4 * b21) / 4
    b32 = shares[2] * min(1, 1 / 2 + bluffs)
    lowest, highest = max(0, 1 / 2 - b32), min(1, 1 / 2 - b32 + bluffs)
    c33 = lowest + shares[3] * (highest - lowest)
    profile = szafron_profile(b11, b21, b32=b32, c33=c33, c34=shares[4])
    distance = cfr.nash_conv(THREE, profile)
    assert abs(distance.total) <= 1e-12
    assert distance.values == pytest.approx(szafron_values(b21), abs=1e-12)


def test_szafron_family_ends_where_it_says():
    # Past each end somebody gains: the ranges are no wider than needed.
    known = szafron_profile(0.0, 0.0)
    for b32, c33 in ((1.0, 0.0), (0.5, 0.5), (0.1, 0.2)):
        outside = {"2b": {"p": 1 - b32, "b": b32}, "2bp": {"p": 1 - c33, "b": c33}}
        assert cfr.nash_conv(THREE, known | outside).total > 1e-3
    assert cfr.nash_conv(THREE, szafron_profile(0.1, 0.2) | {"2ppbp": {"p": 0.5, "b": 0.5}}).total > 1e-3


def test_leduc_hands_by_hand():
    two = Leduc(2)
    # Cards 0 and 1 have rank 0, 2 and 3 rank 1, 4 and 5 rank 2. A raise, a call, the public card, both check.
    assert two.payoffs(play(two, 0, 5, "r", "c", 1, "c", "c")) == (3, -3)  # a pair beats the higher card
    assert two.payoffs(play(two, 0, 5, "r", "c", 2, "c", "c")) == (-3, 3)
    assert two.payoffs(play(two, 2, 3, "c", "c", 0, "r", "r", "c")) == (0, 0)  # equal ranks share
    assert two.payoffs(play(two, 2, 4, "c", "c", 0, "r", "r", "f")) == (-5, 5)
    assert two.information(play(two, 0, 5, "r", "c", 1, "c")) == (5, 1, "rc", "c")
    assert two.moves(play(two, 0, 5)) == ("c", "r") and two.moves(play(two, 0, 5, "r", "r")) == ("f", "c")
    three = Leduc(3)
    # The first folds to a raise: the second round begins with the second seat; three put 1, 3 and 3 in, then 4 and 4.
    state = play(three, 0, 2, 4, "c", "r", "c", "f", 5)
    assert three.mover(state) == 1 and three.information(state) == (2, 5, "crcf", "")
    assert three.payoffs(play(three, 0, 2, 4, "c", "r", "c", "f", 5, "r", "c")) == (-1, -7, 8)
    assert three.payoffs(play(three, 2, 3, 4, "c", "c", "c", 0, "r", "c", "f")) == (0.5, 0.5, -1)


def test_who_has_folded_in_leduc_is_not_asked_again():
    three = Leduc(3)
    assert three.mover(play(three, 0, 2, 4, "r", "f", "r")) == 0
    assert three.mover(play(three, 0, 2, 4, "r", "f", "r", "c")) == -1, "the public card"


def test_leduc_has_as_many_sets_as_published():
    tree = cfr.GameTree(Leduc(2))
    assert (tree.nodes, len(tree.terminals), len(tree.information_sets)) == (9457, 5520, 936)
