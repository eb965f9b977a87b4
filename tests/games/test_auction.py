"""The sealed-bid auction: rules by hand, every outcome listed, and Vickrey's equilibrium on grids."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from gamebalance.fairness.reports.exact import endings
from gamebalance.games.auction import AuctionState, FirstPriceAuction
from gamebalance.multiplayer import cfr
from gamebalance.multiplayer.protocols import CHANCE, OVER
from tests.multiplayer.written_trees import play
from tests.refusals import refuses


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
    ("values", "bids", "payoffs"),
    [
        ((3, 2, 1), (2, 1, 0), (1, 0, 0)),
        ((3, 2, 1), (0, 0, 1), (0, 0, 0)),
        ((3, 2, 1), (1, 1, 0), (1, 0.5, 0)),
        ((3, 0, 1), (2, 2, 2), (1 / 3, -2 / 3, -1 / 3)),
        ((0, 3, 3), (2, 0, 1), (-2, 0, 0)),
    ],
)
def test_auctions_by_hand(values, bids, payoffs):
    game = FirstPriceAuction()
    state = play(game, *values, *bids)
    assert game.mover(state) == OVER and state == AuctionState(values, bids)
    assert game.payoffs(state) == pytest.approx(payoffs)


def test_a_bidder_knows_the_own_value_and_no_bid():
    game = FirstPriceAuction()
    assert game.mover(AuctionState((3, 2))) == CHANCE and game.moves(AuctionState((3,))) == dict.fromkeys(
        range(4), 1 / 4
    )
    for bids in ((), (2,), (0,), (2, 1)):
        state = play(game, 3, 0, 1, *bids)
        assert game.mover(state) == len(bids) and game.moves(state) == (0, 1, 2)
        assert game.information(state) == (len(bids), (3, 0, 1)[len(bids)]) and game.payoffs(state) == (0, 0, 0)


@pytest.mark.parametrize("game", [FirstPriceAuction(), FirstPriceAuction(2, (5, 1), (0, 4, 2.5))], ids=repr)
def test_counts_and_random_play_agree_with_a_list_of_all_outcomes(game):
    tree, players = cfr.GameTree(game), game.players
    total, outcomes = np.zeros(players), 0
    for values, bids in product(product(game.values, repeat=players), product(game.bids, repeat=players)):
        winners = [player for player in range(players) if all(bids[player] >= bid for bid in bids)]
        for player in winners:
            total[player] += (values[player] - bids[player]) / len(winners)
        outcomes += 1
    assert len(tree.terminals) == outcomes and len(tree.information_sets) == players * len(game.values)
    assert tree.nodes < 30_000
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


def test_equilibria_of_a_small_auction_are_those_found_by_trying_everything():
    """Two bidders, values 0 and 3, bids 0 to 2: all 81 pairs of pure plans, each compared with all other plans."""
    game = FirstPriceAuction(2, (0, 3), (0, 1, 2))
    tree = cfr.GameTree(game)
    plans = list(product(game.bids, repeat=2))

    def worth(own, other):
        pairs = [(value, own[place], bid) for place, value in enumerate(game.values) for bid in other]
        return sum((value - mine) * (1 if mine > bid else 0.5 if mine == bid else 0) for value, mine, bid in pairs) / 4

    found = 0
    for one, two in product(plans, repeat=2):
        gain = max(worth(plan, two) for plan in plans) - worth(one, two)
        gain += max(worth(plan, one) for plan in plans) - worth(two, one)
        profile = {(0, value): {bid: 1.0} for value, bid in zip(game.values, one, strict=True)}
        profile |= {(1, value): {bid: 1.0} for value, bid in zip(game.values, two, strict=True)}
        profile = {key: {bid: mix.get(bid, 0.0) for bid in game.bids} for key, mix in profile.items()}
        distance = cfr.nash_conv(tree, profile)
        assert distance.total == pytest.approx(gain)
        assert distance.values == pytest.approx((worth(one, two), worth(two, one)))
        found += gain == 0
    assert found == 1  # both bid 1 for what is worth 3, and nothing for what is worth nothing


test_bad_arguments_are_refused = refuses(
    (lambda: FirstPriceAuction(players=6), "players = 6: a whole number from 2 to 5"),
    (lambda: FirstPriceAuction(values=()), r"values = \(\): one or more amounts, each once, are needed"),
    (lambda: FirstPriceAuction(bids=(1, 1.0)), r"bids = \(1, 1.0\): one or more amounts, each once"),
    (lambda: FirstPriceAuction(bids=(0, -1)), r"bids\[1\] = -1: a finite number, 0 or more, is needed"),
)
