"""Auction, Bang, Skull, liar's dice: published values and equilibria, and games written a second time."""

from fractions import Fraction
from itertools import permutations, product
from math import comb

import numpy as np
import pytest

from gamebalance.fairness.reports.exact import endings
from gamebalance.games import CantStop, Kuhn, Leduc, Nim, Pig, SilentWerewolf, claim, coalitions
from gamebalance.games.auction import FirstPriceAuction
from gamebalance.games.bang import DEAD, DEPUTY, EMPTY, OUTLAW, RENEGADE, SHERIFF, Bang
from gamebalance.games.claim import ClaimGame
from gamebalance.games.kuhn import szafron_profile
from gamebalance.games.liars_dice import DOUBT, LiarsDice
from gamebalance.games.skull import DISC, FLOWER, PASS, SKULL, Skull
from gamebalance.multiplayer import cfr, search
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


FOUR = (SHERIFF, OUTLAW, OUTLAW, RENEGADE)
CASES = [
    Bang(),
    Bang((SHERIFF, OUTLAW, DEPUTY), lives=2, rounds=2),
    Bang((SHERIFF, OUTLAW, OUTLAW), rounds=2),
    Bang(FOUR, rounds=1),
    Bang((SHERIFF, DEPUTY, OUTLAW, RENEGADE), rounds=1),
]


def bang_at_random(game):
    """Number of histories, and what each player gets when all play at random, from the rules alone."""
    roles, total, count, deals = game.roles, np.zeros(game.players), 0, 0
    for order in permutations(range(1, game.players)):
        table = [0, *order]  # who sits where
        lives = {player: game.lives + (player == 0) for player in table}
        histories, worth = turns(roles, table, lives, 0, game.rounds * game.players)
        total, count, deals = total + worth, count + histories, deals + 1
    return count, total / deals


def turns(roles, table, lives, seat, left):
    alive = [player for player in table if lives[player] > 0]
    names = {roles[player] for player in alive}
    if 0 not in alive:
        winners = {RENEGADE} if names == {RENEGADE} else {OUTLAW}
    elif not left or not names & {OUTLAW, RENEGADE}:
        winners = {SHERIFF, DEPUTY}
    else:
        winners = None
    if winners:
        return 1, np.array([float(role in winners) for role in roles])
    after = (seat + 1) % len(table)
    if table[seat] not in alive:
        return turns(roles, table, lives, after, left - 1)
    nothing = turns(roles, table, lives, after, left - 1)
    place = alive.index(table[seat])
    targets = {alive[place - 1], alive[(place + 1) % len(alive)]}
    hits = [turns(roles, table, lives | {each: lives[each] - 1}, after, left - 1) for each in targets]
    branches = [nothing, *hits]
    loaded = sum(worth for _, worth in branches) / len(branches)
    return nothing[0] + sum(count for count, _ in branches), (nothing[1] + loaded) / 2


@pytest.mark.parametrize("game", CASES, ids=repr)
def test_bang_is_the_game_written_a_second_time(game):
    histories, worth = bang_at_random(game)
    tree = cfr.GameTree(game)
    assert len(tree.terminals) == histories and tree.nodes < 30_000
    assert endings(game).tally("seat", "points").means == pytest.approx(worth, abs=1e-12)
    sides = [np.flatnonzero([side == name for side in game.sides])[0] for name in dict.fromkeys(game.sides)]
    assert (tree.payoffs[:, sides].sum(axis=1) == 1).all(), "one side wins"


def test_a_player_knows_the_own_role_the_sheriff_and_the_dead():
    game = Bang(FOUR)
    state = play(game, (0, 3, 1, 2), False, True)
    assert game.mover(state) == 2 and game.information(state) == (2, (SHERIFF, OUTLAW, None, None), (EMPTY,))
    state = play(game, (0, 3, 1, 2), True, 1, True)
    assert game.mover(state) == 3
    assert game.information(state) == (3, (SHERIFF, OUTLAW, RENEGADE, None), (1, DEAD))
    sheriff = {game.information(play(game, deal, True)) for deal in game.moves(game.start())}
    assert sheriff == {(0, (SHERIFF, None, None, None), ())}


def test_two_outlaws_win_once_in_eight_games_of_one_round():
    # Nothing is hidden. Only two bullets kill the sheriff, and a sheriff with a bullet shoots one of the two.
    game = Bang((SHERIFF, OUTLAW, OUTLAW), rounds=1)
    assert search.maxn(game, game.start()).value == (7 / 8, 1 / 8, 1 / 8)


ROSES = (FLOWER,) * 3
SIZES = [(2, 2), (2, 3), (3, 2)]


def skull_at_random(players, discs):
    """Number of histories, and each player's share of the win when all play at random, from the rules alone."""

    def lay(stacks):
        """The first discs, one of each player: True is a skull."""
        if len(stacks) == players:
            return speak(stacks, 0)
        return mean([lay([*stacks, [skull]]) for skull in (False, True)])

    def speak(stacks, mover):
        own, table = stacks[mover], sum(map(len, stacks))
        hand = [True] * (True not in own) + [False] * (own.count(False) < discs - 1)
        laid = [[[*stack, disc] if player == mover else stack for player, stack in enumerate(stacks)] for disc in hand]
        following = [speak(each, (mover + 1) % players) for each in laid]
        rivals = [(mover + step) % players for step in range(1, players)]
        return mean(following + [answer(stacks, mover, bid, rivals) for bid in range(1, table + 1)])

    def answer(stacks, bidder, bid, rivals):
        table = sum(map(len, stacks))
        if not rivals or bid == table:
            own = stacks[bidder]
            return turn(stacks, bidder, bid - len(own), True in own[len(own) - min(bid, len(own)) :], [])
        next_one, others = rivals[0], rivals[1:]
        higher = [answer(stacks, next_one, more, [*others, bidder]) for more in range(bid + 1, table + 1)]
        return mean([answer(stacks, bidder, bid, others), *higher])

    def turn(stacks, bidder, missing, skull, turned):
        if skull or missing <= 0:
            shares = np.full(players, skull / (players - 1))
            shares[bidder] = 1 - skull
            return 1, shares
        owners = [
            player for player in range(players) if player != bidder and turned.count(player) < len(stacks[player])
        ]
        discs_on_top = [stacks[owner][len(stacks[owner]) - 1 - turned.count(owner)] for owner in owners]
        pairs = zip(owners, discs_on_top, strict=True)
        return mean([turn(stacks, bidder, missing - 1, disc, [*turned, owner]) for owner, disc in pairs])

    return lay([])


def mean(branches):
    return sum(count for count, _ in branches), sum(shares for _, shares in branches) / len(branches)


@pytest.mark.parametrize(("players", "discs"), SIZES)
def test_skull_is_the_game_written_a_second_time(players, discs):
    game = Skull(players, discs)
    histories, shares = skull_at_random(players, discs)
    tree = cfr.GameTree(game)
    assert len(tree.terminals) == histories and tree.nodes < 30_000
    assert endings(game).tally("seat", "points").means == pytest.approx(shares, abs=1e-12)
    assert tree.payoffs.sum(axis=1) == pytest.approx(1) and not set(tree.payoffs.ravel()) - {0, 1 / (players - 1), 1}


def test_a_player_knows_the_own_stack_and_what_is_said_and_nobody_elses_discs():
    game = Skull(3, 3)
    state = play(game, FLOWER, SKULL, FLOWER, SKULL, FLOWER, FLOWER, 4)
    assert game.information(state) == (1, (SKULL, FLOWER), (DISC, DISC, DISC, 4), ())
    assert game.information(play(game, SKULL, SKULL, SKULL, FLOWER, FLOWER, FLOWER, 4)) == game.information(state)
    state = play(game, *ROSES, *ROSES, 4, PASS, PASS, 2)
    assert game.information(state) == (0, (FLOWER, FLOWER), (DISC, DISC, DISC, 4, PASS, PASS), (2,))
    assert game.payoffs(state) == (1 / 3,) * 3, "nothing is decided yet"


#: The published value, to who begins, of one die each, by sides and whether the highest is wild. Without: the table in
#: the README of T. Ahle, github.com/thomasahle/snyd; five sides also in P. Burcsi and G. Nagy (2014), theorem 2.1. Six
#: sides, one wild: OpenSpiel's test of its sequence-form LP, -0.027131782945736.
DICE = {(2, False): 0, (3, False): -1 / 9, (4, False): -1 / 8}
LONG_DICE = {(5, False): -3 / 25, (6, True): -7 / 258}


@pytest.mark.parametrize(
    ("kind", "known"), [*DICE.items(), *(pytest.param(*case, marks=pytest.mark.thorough) for case in LONG_DICE.items())]
)
def test_liars_dice_has_the_values_published(kind, known):
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


test_bad_arguments_are_refused = refuses(
    (lambda: FirstPriceAuction(players=6), "^players = 6: a whole number from 2 to 5"),
    (lambda: FirstPriceAuction(bids=(0, -1)), r"^bids\[1\] = -1: a finite number, 0 or more, is needed"),
    (lambda: Bang(("sheriff", "outlaw")), "^roles = .*: 3 to 7: the sheriff first"),
    (lambda: Bang(("sheriff", "king", "outlaw")), r"^roles\[1\] = 'king': one of 'sheriff'"),
    (lambda: CantStop(5), "^players = 5: a whole number from 1 to 4 is needed"),
    (lambda: ClaimGame(passwords=4), "^passwords = 4: a whole number from 1 to 3"),
    (lambda: claim.town_plan(ClaimGame(claims=False)), "a game with claims is needed"),
    (lambda: Kuhn(5), "^players = 5: a whole number from 2 to 4"),
    (lambda: Leduc(4), "^players = 4: a whole number from 2 to 3"),
    (lambda: szafron_profile(0.1, 0.2, b32=0.3, c33=0.5), "^c33 = 0.5: a number from 0.2 to 0.475"),
    (lambda: LiarsDice(players=1), "^players = 1: a whole number from 2 to 6"),
    (lambda: Nim(()), r"^heaps = \(\): at least one heap is needed"),
    (lambda: Pig(1), "^players = 1: a whole number from 2 to 10 is needed"),
    (lambda: SilentWerewolf(ties="coin"), "^ties = 'coin': one of 'nobody', 'lot' is needed$"),
    (lambda: Skull(discs=1), "^discs = 1: a whole number from 2 to 4"),
    (lambda: coalitions.weighted_voting(0, [1]), "^quota = 0"),
    (lambda: coalitions.bankruptcy(7, [1, 2]), "^estate = 7"),
    (lambda: coalitions.random_game(3, "twins", 1), "^kind = 'twins'"),
)
