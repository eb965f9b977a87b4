"""Liar's dice: the rules on single rounds, in lockstep with OpenSpiel, and the values that are known."""

import warnings
from math import comb

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import linprog

from gamebalance.fairness.reports.exact import endings
from gamebalance.games.liars_dice import DOUBT, Bid, LiarsDice
from gamebalance.multiplayer import cfr
from gamebalance.multiplayer.protocols import OVER
from tests.multiplayer.written_trees import play
from tests.refusals import refuses

#: The published value, to who begins, of one die each: by sides, without a wild face and with one. Without: the table
#: in the README of T. Ahle, github.com/thomasahle/snyd; five sides also in P. Burcsi and G. Nagy (2014), theorem 2.1.
#: Six sides, one wild: OpenSpiel's test of its sequence-form LP, -0.027131782945736.
PLAIN = {2: 0, 3: -1 / 9, 4: -1 / 8, 5: -3 / 25}
WILD = {6: -7 / 258}


def value(tree):
    """The value of a two-player zero-sum game: von Stengel's linear program over realization plans (1996)."""
    mine, theirs = (_sequences(tree, player) for player in (0, 1))
    places = tree.last_sequence + 1
    shape = (tree.sequences + 1,) * 2
    payoffs = sparse.csr_matrix((tree.chance_reach * tree.payoffs[:, 0], (places[:, 0], places[:, 1])), shape)
    own, other = _flow(tree, 0)[:, mine], _flow(tree, 1)[:, theirs]
    bounded = sparse.hstack([-payoffs[mine][:, theirs].T, other.T]).tocsr()
    plans = sparse.hstack([own, sparse.csr_matrix((own.shape[0], other.shape[0]))]).tocsr()
    cost = np.zeros(bounded.shape[1])
    cost[len(mine)] = -1
    limits = [(0, None)] * len(mine) + [(None, None)] * other.shape[0]
    one = np.eye(1, own.shape[0]).ravel()
    found = linprog(cost, bounded, np.zeros(len(theirs)), plans, one, limits, method="highs-ds")
    assert found.status == 0
    return -found.fun


def _sequences(tree, player):
    own = np.flatnonzero(tree.set_player == player)
    return [0, *(1 + sequence for each in own for sequence in range(tree.first[each], tree.first[each + 1]))]


def _flow(tree, player):
    """The empty sequence has weight 1; the moves of a set together weigh as much as the sequence before."""
    rows, columns, weights = [0], [0], [1]
    for row, each in enumerate((each for each in tree.information_sets if each.player == player), 1):
        after = range(each.first + 1, each.first + 1 + len(each.moves))
        columns += [each.parent + 1, *after]
        weights += [-1] + [1] * len(after)
        rows += [row] * (len(after) + 1)
    return sparse.csr_matrix((weights, (rows, columns)), (rows[-1] + 1, tree.sequences + 1), dtype=float)


@pytest.mark.parametrize(("sides", "known"), PLAIN.items())
def test_values_without_a_wild_face_are_those_published(sides, known):
    assert value(cfr.GameTree(LiarsDice(sides=sides, wild=False))) == pytest.approx(known, abs=1e-9)


@pytest.mark.parametrize(("sides", "known"), WILD.items())
def test_values_with_a_wild_face_are_those_published(sides, known):
    assert value(cfr.GameTree(LiarsDice(sides=sides))) == pytest.approx(known, abs=1e-9)


@pytest.mark.parametrize(
    ("rolled", "bid", "wild", "holds"),
    [
        ((1, 2), (1, 1), True, True),
        ((1, 2), (2, 1), True, False),
        ((1, 3), (2, 1), True, True),
        ((1, 3), (2, 1), False, False),
        ((3, 3), (2, 1), True, True),
        ((3, 1), (2, 3), True, False),
        ((3, 3), (2, 3), False, True),
    ],
)
def test_a_doubted_bid_by_hand(rolled, bid, wild, holds):
    state = play(LiarsDice(sides=3, wild=wild), *rolled, bid, DOUBT)
    assert LiarsDice(sides=3, wild=wild).mover(state) == OVER
    assert LiarsDice(sides=3, wild=wild).payoffs(state) == ((1, -1) if holds else (-1, 1))


def test_bids_only_rise_and_the_first_player_must_bid():
    game = LiarsDice(sides=2)
    order = (Bid(1, 1), Bid(1, 2), Bid(2, 1), Bid(2, 2))
    assert game.moves(play(game, 1, 1)) == order
    for number, bid in enumerate(order):
        assert game.moves(play(game, 1, 1, bid)) == (*order[number + 1 :], DOUBT)


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


@pytest.fixture(scope="module")
def spiel():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pytest.importorskip("pyspiel", reason="OpenSpiel is not installed; nothing to compare with")


def compare(game, state, theirs, pairs):
    """A state and OpenSpiel's agree in mover, chances, moves, knowledge and payoffs; the actions in our order."""
    assert (game.mover(state) == OVER) == theirs.is_terminal()
    if theirs.is_terminal():
        assert list(game.payoffs(state)) == theirs.returns()
        return ()
    assert game.mover(state) == theirs.current_player()  # OpenSpiel's chance player is -1 too
    if theirs.is_chance_node():
        actions, chances = zip(*theirs.chance_outcomes(), strict=True)
        assert list(game.moves(state).values()) == pytest.approx(chances)
        return actions
    words = [DOUBT if move == DOUBT else f"{move.count}-{move.face}" for move in game.moves(state)]
    actions = theirs.legal_actions()
    assert words == [theirs.action_to_string(action).replace("Liar", DOUBT) for action in actions]
    information = game.mover(state), game.information(state)
    known = theirs.current_player(), theirs.information_state_string()
    assert pairs.setdefault(known, information) == information
    return actions


@pytest.mark.parametrize(("dice", "sides"), [(1, 2), (1, 3), (1, 4), (2, 2)])
def test_whole_games_are_those_of_openspiel(spiel, dice, sides):
    game, pairs = LiarsDice(2, dice, sides), {}
    other = spiel.load_game("liars_dice", {"numdice": dice, "dice_sides": sides})

    def walk(state, theirs):
        for move, action in zip(game.moves(state), compare(game, state, theirs, pairs), strict=True):
            if game.mover(after := game.play(state, move)) == OVER:
                compare(game, after, theirs.child(action), pairs)
            else:
                walk(after, theirs.child(action))

    walk(game.start(), other.new_initial_state())
    assert len(set(pairs.values())) == len(pairs) == len(cfr.GameTree(game).information_sets)


test_bad_arguments_are_refused = refuses(
    (lambda: LiarsDice(players=1), "players = 1: a whole number from 2 to 6"),
    (lambda: LiarsDice(dice=0), "dice = 0: a whole number from 1 to 5"),
    (lambda: LiarsDice(sides=7), "sides = 7: a whole number from 2 to 6"),
    (lambda: LiarsDice(wild=1), "wild = 1: True or False"),
)
