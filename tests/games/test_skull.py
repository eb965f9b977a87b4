"""One round of Skull: rules by hand, and the whole game written a second time."""

import numpy as np
import pytest

from gamebalance.fairness.reports.exact import endings
from gamebalance.games.skull import DISC, FLOWER, PASS, SKULL, Skull
from gamebalance.multiplayer import cfr
from tests.multiplayer.written_trees import play

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


def test_a_player_knows_the_own_stack_and_what_is_said_and_nobody_elses_discs():
    game = Skull(3, 3)
    state = play(game, FLOWER, SKULL, FLOWER, SKULL, FLOWER, FLOWER, 4)
    assert game.information(state) == (1, (SKULL, FLOWER), (DISC, DISC, DISC, 4), ())
    assert game.information(play(game, SKULL, SKULL, SKULL, FLOWER, FLOWER, FLOWER, 4)) == game.information(state)
    state = play(game, *ROSES, *ROSES, 4, PASS, PASS, 2)
    assert game.information(state) == (0, (FLOWER, FLOWER), (DISC, DISC, DISC, 4, PASS, PASS), (2,))
    assert game.payoffs(state) == (1 / 3,) * 3, "nothing is decided yet"
