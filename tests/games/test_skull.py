"""One round of Skull: rules by hand, and the whole game written a second time."""

import numpy as np
import pytest

from gamebalance.fairness.reports.exact import endings
from gamebalance.games.skull import DISC, FLOWER, PASS, SKULL, Skull
from gamebalance.multiplayer import cfr
from gamebalance.multiplayer.protocols import OVER
from tests.multiplayer.written_trees import play
from tests.refusals import refuses

ROSES = (FLOWER,) * 3
SIZES = [(2, 2), (2, 3), (3, 2)]


def at_random(players, discs):
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
def test_the_game_is_the_one_written_a_second_time(players, discs):
    game = Skull(players, discs)
    histories, shares = at_random(players, discs)
    tree = cfr.GameTree(game)
    assert len(tree.terminals) == histories and tree.nodes < 30_000
    assert endings(game).tally("seat", "points").means == pytest.approx(shares, abs=1e-12)
    assert tree.payoffs.sum(axis=1) == pytest.approx(1) and not set(tree.payoffs.ravel()) - {0, 1 / (players - 1), 1}


def test_everybody_lays_a_disc_then_lays_another_or_bids():
    game = Skull(3, 3)
    for laid in range(3):
        state = play(game, *ROSES[:laid])
        assert game.mover(state) == laid and game.moves(state) == (FLOWER, SKULL)
    assert game.moves(play(game, *ROSES)) == (FLOWER, SKULL, 1, 2, 3)
    assert game.moves(play(game, *ROSES, SKULL, SKULL, FLOWER)) == (FLOWER, 1, 2, 3, 4, 5, 6)
    assert game.moves(play(game, SKULL, *ROSES[1:], FLOWER, SKULL, FLOWER)) == (FLOWER, *range(1, 7))


def test_bids_rise_and_who_has_passed_is_asked_no_more():
    game = Skull(3, 2)
    state = play(game, *ROSES, 1)
    assert game.mover(state) == 1 and game.moves(state) == (PASS, 2, 3)
    state = play(game, *ROSES, 1, PASS, 2)
    assert game.mover(state) == 0 and game.moves(state) == (PASS, 3)
    state = play(game, *ROSES, 1, PASS, 2, PASS)
    assert game.mover(state) == 2 and game.moves(state) == (0, 1), "the bidder turns over one disc of another"


@pytest.mark.parametrize(
    ("moves", "payoffs"),
    [
        ((FLOWER, FLOWER, FLOWER, 1, PASS, PASS), (1, 0, 0)),
        ((SKULL, FLOWER, FLOWER, 1, PASS, PASS), (0, 0.5, 0.5)),
        ((SKULL, FLOWER, FLOWER, 1, 2, PASS, PASS, 2), (0, 1, 0)),
        ((SKULL, FLOWER, FLOWER, 1, 2, PASS, PASS, 0), (0.5, 0, 0.5)),
        ((SKULL, FLOWER, FLOWER, 1, 2, 3, 0), (0.5, 0.5, 0)),
        # From the top: the skull lies below two flowers, or on them.
        ((SKULL, FLOWER, FLOWER, FLOWER, FLOWER, FLOWER, 1, PASS, PASS), (1, 0, 0)),
        ((FLOWER, FLOWER, FLOWER, SKULL, FLOWER, FLOWER, 1, PASS, PASS), (0, 0.5, 0.5)),
        ((FLOWER, SKULL, FLOWER, FLOWER, FLOWER, FLOWER, 3, PASS, PASS, 1), (1, 0, 0)),
        ((FLOWER, SKULL, FLOWER, FLOWER, FLOWER, FLOWER, 4, PASS, PASS, 1, 1), (0, 0.5, 0.5)),
        ((FLOWER, SKULL, FLOWER, FLOWER, FLOWER, FLOWER, 4, PASS, PASS, 1, 2), (1, 0, 0)),
    ],
)
def test_rounds_by_hand(moves, payoffs):
    game = Skull(3, 3)
    state = play(game, *moves)
    assert game.mover(state) == OVER and game.payoffs(state) == payoffs


def test_a_player_knows_the_own_stack_and_what_is_said_and_nobody_elses_discs():
    game = Skull(3, 3)
    state = play(game, FLOWER, SKULL, FLOWER, SKULL, FLOWER, FLOWER, 4)
    assert game.information(state) == (1, (SKULL, FLOWER), (DISC, DISC, DISC, 4), ())
    assert game.information(play(game, SKULL, SKULL, SKULL, FLOWER, FLOWER, FLOWER, 4)) == game.information(state)
    state = play(game, *ROSES, *ROSES, 4, PASS, PASS, 2)
    assert game.information(state) == (0, (FLOWER, FLOWER), (DISC, DISC, DISC, 4, PASS, PASS), (2,))
    assert game.payoffs(state) == (1 / 3,) * 3, "nothing is decided yet"


test_bad_arguments_are_refused = refuses(
    (lambda: Skull(players=1), "players = 1: a whole number from 2 to 6"),
    (lambda: Skull(discs=1), "discs = 1: a whole number from 2 to 4"),
)
