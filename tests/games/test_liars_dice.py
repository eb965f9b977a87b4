"""Liar's dice: the values that are known, and play at random; `test_openspiel` compares it move by move."""

from math import comb

import numpy as np
import pytest

from gamebalance.fairness.reports.exact import endings
from gamebalance.games.liars_dice import DOUBT, LiarsDice
from gamebalance.multiplayer import cfr
from tests.multiplayer.written_trees import play

#: The published value, to who begins, of one die each, by sides and whether the highest is wild. Without: the table in
#: the README of T. Ahle, github.com/thomasahle/snyd; five sides also in P. Burcsi and G. Nagy (2014), theorem 2.1. Six
#: sides, one wild: OpenSpiel's test of its sequence-form LP, -0.027131782945736.
KNOWN = {(2, False): 0, (3, False): -1 / 9, (4, False): -1 / 8}
LONG = {(5, False): -3 / 25, (6, True): -7 / 258}


@pytest.mark.parametrize(
    ("kind", "known"), [*KNOWN.items(), *(pytest.param(*case, marks=pytest.mark.thorough) for case in LONG.items())]
)
def test_values_are_those_published(kind, known):
    """The value of a two-player game is within NashConv of what any strategies of both yield."""
    found = cfr.solve(cfr.GameTree(LiarsDice(sides=kind[0], wild=kind[1])), 600, "cfr+")
    assert abs(found.value[0] - known) <= found.nash_conv < 2e-3


def test_among_three_only_bidder_and_doubter_win_and_lose():
    game = LiarsDice(players=3, sides=2, wild=False)
    assert game.payoffs(play(game, 1, 1, 2, (1, 1), (2, 1), DOUBT)) == (0, 1, -1)
    assert game.payoffs(play(game, 1, 1, 2, (1, 1), (2, 1), (3, 1), DOUBT)) == (1, 0, -1)
    assert game.payoffs(play(game, 1, 1, 2, (1, 1), (2, 1), (2, 2), (3, 1), DOUBT)) == (-1, 1, 0)
    assert game.payoffs(play(game, 1, 1, 2, (1, 1))) == (0, 0, 0)


@pytest.mark.parametrize("game", [LiarsDice(), LiarsDice(3, sides=2), LiarsDice(2, 2, 2, wild=False)], ids=repr)
def test_random_play_is_worth_what_a_recursion_over_bids_says(game):
    """Who bids at random says nothing about the dice: a bid holds as often as chance alone makes it."""
    dice, players = game.players * game.dice, game.players
    bids = dice * game.sides
    reached = np.zeros((bids, players))
    reached[:, 0] = 1 / bids
    expected = np.zeros(players)
    for bid in range(bids):
        count, face = bid // game.sides + 1, bid % game.sides + 1
        chance = (2 if game.wild and face < game.sides else 1) / game.sides
        holds = sum(comb(dice, k) * chance**k * (1 - chance) ** (dice - k) for k in range(count, dice + 1))
        for bidder in range(players):
            after, each = (bidder + 1) % players, reached[bid, bidder] / (bids - bid)
            reached[bid + 1 :, after] += each
            expected[[bidder, after]] += each * (2 * holds - 1), each * (1 - 2 * holds)
    assert endings(game).tally("seat", "points").means == pytest.approx(expected, abs=1e-12)
