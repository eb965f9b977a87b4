"""Bang in small: rules by hand, and the whole game written a second time."""

from itertools import permutations

import numpy as np
import pytest

from gamebalance.fairness.reports.exact import endings
from gamebalance.games.bang import DEAD, DEPUTY, EMPTY, HOLD, OUTLAW, RENEGADE, SHERIFF, Bang
from gamebalance.multiplayer import cfr, search
from tests.multiplayer.written_trees import play

FOUR = (SHERIFF, OUTLAW, OUTLAW, RENEGADE)
FIVE = (SHERIFF, OUTLAW, OUTLAW, RENEGADE, DEPUTY)
CASES = [
    Bang(),
    Bang((SHERIFF, OUTLAW, DEPUTY), lives=2, rounds=2),
    Bang((SHERIFF, OUTLAW, OUTLAW), rounds=2),
    Bang(FOUR, rounds=1),
    Bang((SHERIFF, DEPUTY, OUTLAW, RENEGADE), rounds=1),
]


def shots(game, seats, *turns):
    """The state after these turns of the living: True and False are with and without a bullet."""
    moves = [seats]
    for turn in turns:
        moves += [False] if turn == EMPTY else [True, turn]
    return play(game, *moves)


def at_random(game):
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
def test_the_game_is_the_one_written_a_second_time(game):
    histories, worth = at_random(game)
    tree = cfr.GameTree(game)
    assert len(tree.terminals) == histories and tree.nodes < 30_000
    assert endings(game).tally("seat", "points").means == pytest.approx(worth, abs=1e-12)
    sides = [np.flatnonzero([side == name for side in game.sides])[0] for name in dict.fromkeys(game.sides)]
    assert (tree.payoffs[:, sides].sum(axis=1) == 1).all(), "one side wins"


def test_shots_reach_neighbours_and_over_the_dead():
    game = Bang(FIVE)
    seats = (0, 1, 2, 3, 4)
    assert game.moves(shots(game, seats, EMPTY)) == {True: 0.5, False: 0.5}
    assert set(game.moves(play(game, seats, True))) == {HOLD, 1, 4}
    state = shots(game, seats, 4, EMPTY, 3)
    assert state.lives == (2, 1, 1, 0, 0) and state.turns == (4, EMPTY, 3, DEAD, DEAD)
    assert set(game.moves(game.play(state, True))) == {HOLD, 1, 2}
    duel = Bang((SHERIFF, OUTLAW, RENEGADE))
    assert duel.moves(duel.play(shots(duel, (0, 1, 2), 1), True)) == (HOLD, 0), "one rival, on both sides"


def test_a_player_knows_the_own_role_the_sheriff_and_the_dead():
    game = Bang(FOUR)
    state = play(game, (0, 3, 1, 2), False, True)
    assert game.mover(state) == 2 and game.information(state) == (2, (SHERIFF, OUTLAW, None, None), (EMPTY,))
    state = game.play(shots(game, (0, 3, 1, 2), 1), True)
    assert game.mover(state) == 3
    assert game.information(state) == (3, (SHERIFF, OUTLAW, RENEGADE, None), (1, DEAD))
    sheriff = {game.information(play(game, deal, True)) for deal in game.moves(game.start())}
    assert sheriff == {(0, (SHERIFF, None, None, None), ())}


def test_two_outlaws_win_once_in_eight_games_of_one_round():
    # Nothing is hidden. Only two bullets kill the sheriff, and a sheriff with a bullet shoots one of the two.
    game = Bang((SHERIFF, OUTLAW, OUTLAW), rounds=1)
    assert search.maxn(game, game.start()).value == (7 / 8, 1 / 8, 1 / 8)


NEEDED = "the sheriff first, then one outlaw or more and at most one renegade, are needed"
