"""Pig and Piglet: single turns by hand, best play as published, and a solver that shares nothing with the game."""

import numba
import numpy as np
import pytest

from gamebalance.games import Pig
from gamebalance.games.pig import PigState
from gamebalance.multiplayer.protocols import OVER, Game, check_game
from tests.games.best_play import values

#: From which turn total on the best player of Piglet holds, by the own score (row) and the opponent's (column):
#: T. W. Neller, CS 391 Machine Learning, Gettysburg College 2003, "Piglet", optimal solutions for 3, 6 and 9 points.
PIGLET = {
    3: "133 222 111",
    6: "222226 122225 112224 111133 111222 111111",
    9: "222222339 122222238 112222237 111222226 111122225 111112224 111111133 111111222 111111111",
}


@numba.njit
def chances_to_win(goal, lost, points):
    """The chance to win by own score, the other's and turn total, from the equations of Neller and Presser (2004).

    Of a throw, the share `lost` ends the turn, and each of the points is as likely. The scores are gone through from
    the highest sum down; only the two states of a pair of scores depend on each other, and are iterated.
    """
    win = np.zeros((goal, goal, goal))
    each = (1 - lost) / len(points)
    for most in range(2 * goal - 2, -1, -1):
        for first in range(max(0, most - goal + 1), min(goal, most + 1)):
            change = 1.0
            while change > 1e-14:
                change = 0.0
                for own, other in ((first, most - first), (most - first, first)):
                    for total in range(goal - own - 1, -1, -1):
                        roll = lost * (1 - win[other, own, 0])
                        for more in points:
                            won = own + total + more >= goal
                            roll += each * (1.0 if won else win[own, other, total + more])
                        hold = 1 - win[other, own + total, 0] if total else 0.0
                        change = max(change, abs(max(roll, hold) - win[own, other, total]))
                        win[own, other, total] = max(roll, hold)
    return win


def chances(goal, sides=6):
    return chances_to_win(goal, 1 / sides, np.arange(2, sides + 1) if sides > 2 else np.array([1]))


@pytest.mark.parametrize(("goal", "sides"), [(1, 2), (2, 2), (7, 2), (10, 3), (13, 6)])
def test_best_play_by_two_codes(goal, sides):
    best, win = values(Pig(2, goal, sides)), chances(goal, sides)
    for state, value in best.items():
        if max(state.scores) < goal and not (state.thrown and state.total):
            own, other = state.scores[state.mover], state.scores[1 - state.mover]
            assert value[state.mover] == pytest.approx(win[own, other, state.total], abs=1e-10)
            assert sum(value) == pytest.approx(1)


def test_a_hundred_points_as_published():
    # Neller and Presser, "Optimal play of the dice game Pig", UMAP Journal 25 (2004): 53.06%.
    assert round(chances(100)[0, 0, 0], 4) == 0.5306


@pytest.mark.parametrize("goal", PIGLET)
def test_piglet_as_published(goal):
    game = Pig(2, goal, sides=2)
    best, rows = values(game), []
    for own in range(goal):
        rows.append("")
        for other in range(goal):
            for total in range(1, goal - own + 1):
                state = PigState((own, other), 0, total, thrown=False)
                if own + total == goal or best[game.play(state, "hold")][0] >= best[game.play(state, "roll")][0] - 1e-9:
                    rows[-1] += str(total)
                    break
    assert " ".join(rows) == PIGLET[goal]


def test_turns_by_hand():
    game = Pig(3, goal=10)
    assert check_game(game, Game) is game and repr(game) == "Pig(players=3, goal=10, sides=6)"
    assert game.moves(game.start()) == dict.fromkeys((0, 2, 3, 4, 5, 6), 1 / 6)
    state = game.play(game.start(), 5)
    assert state == ((0, 0, 0), 0, 5, False) and game.mover(state) == 0 and game.moves(state) == ("roll", "hold")
    assert game.play(game.play(state, "roll"), 0) == ((0, 0, 0), 1, 0, True)
    held = game.play(state, "hold")
    assert held == ((5, 0, 0), 1, 0, True) and game.payoffs(held) == (0.5, 0, 0)
    # What is more than needed does not count, and nobody has to hold who has enough.
    won = game.play(PigState((5, 6, 0), 1), 6)
    assert won.scores == (5, 10, 0) and game.mover(won) == OVER and game.payoffs(won) == (0, 1, 0)
