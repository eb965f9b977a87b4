"""The sealed-bid auction: rules by hand, every outcome listed, and Vickrey's equilibrium on grids."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from gamebalance.fairness.reports.exact import endings
from gamebalance.games.auction import FirstPriceAuction
from gamebalance.multiplayer import cfr


def on_grid(players, steps, finer=1):
    """Values 0 to 1 in so many steps; bids are (n - 1)/n of them, and so many times as fine."""
    part = Fraction(players - 1, players * finer)
    values = [Fraction(value, steps) for value in range(steps + 1)]
    return FirstPriceAuction(players, values, [part * Fraction(bid, steps) for bid in range(finer * steps + 1)])


def vickrey(game):
    """Everybody bids (n - 1)/n of the value."""
    part = Fraction(game.players - 1, game.players)
    own = product(range(game.players), game.values)
    return {(player, value): {bid: float(bid == part * value) for bid in game.bids} for player, value in own}


@pytest.mark.parametrize(
    "game", [FirstPriceAuction(3, (0, 2), (0, 1)), FirstPriceAuction(2, (5, 1), (0, 4, 2.5))], ids=repr
)
def test_counts_and_random_play_agree_with_a_list_of_all_outcomes(game):
    tree, players = cfr.GameTree(game), game.players
    total, outcomes = np.zeros(players), 0
    for values, bids in product(product(game.values, repeat=players), product(game.bids, repeat=players)):
        winners = [player for player in range(players) if all(bids[player] >= bid for bid in bids)]
        for player in winners:
            total[player] += (values[player] - bids[player]) / len(winners)
        outcomes += 1
    assert len(tree.terminals) == outcomes and len(tree.information_sets) == players * len(game.values)
    assert endings(game).tally("seat", "points").means == pytest.approx(total / outcomes)


@pytest.mark.parametrize(("players", "steps"), [(2, 1), (2, 4), (2, 9), (3, 2), (3, 3)])
def test_vickreys_bids_are_an_equilibrium_where_the_bids_allowed_are_just_those(players, steps):
    # Two bidders, value i, bid j, in steps: (2i - j)(j + 1/2) is largest at j = i. Three: (3i - 2j)(3j^2 + 3j + 1) is.
    game = on_grid(players, steps)
    assert cfr.nash_conv(game, vickrey(game)).total == pytest.approx(0, abs=1e-12)


def test_vickreys_bids_are_nearly_an_equilibrium_where_finer_bids_are_allowed():
    """Bids in quarters of a step: three quarters less lose the auctions that would be tied, and no others.

    A bid for value i then wins with i instead of i + 1/2 chances in m + 1 and gains i + 3/4 instead of i half-steps:
    i/4 more of 1 in 2m(m + 1), which for both bidders and on average over i is 1 in 8(m + 1).
    """
    for steps in (1, 2, 3, 6):
        game = on_grid(2, steps, 4)
        assert cfr.nash_conv(game, vickrey(game)).total == pytest.approx(1 / (8 * (steps + 1)))
