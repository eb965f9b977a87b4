"""How games of the protocol end, against known values, enumeration and equilibria."""

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from gamebalance import countn, fairness
from gamebalance.countn import three
from gamebalance.games import Tree, kuhn, tictactoe
from gamebalance.games.in_a_row import InARow
from gamebalance.multiplayer import cfr
from gamebalance.multiplayer.endings import endings, kingmaking, shares_of_the_win
from gamebalance.multiplayer.search import maxn, maxn_of
from tests.refusals import refused


def test_tic_tac_toe_at_random():
    """Of two who put marks anywhere the first wins 737 of 1260 games, the second 121 of 420; 8 of 63 are drawn."""
    found = endings(tictactoe(2))
    assert found.tally("seat").means == pytest.approx([737 / 1260, 121 / 420])
    assert fairness.drawishness(found.tally("seat")).value == pytest.approx(8 / 63)


def test_every_order_of_marks():
    """Three players on a board of two by three, two in a row: all 720 orders of the cells, each played to its end."""
    game = InARow(2, 3, 2, 3)
    wins, moves = np.zeros(3), 0
    for order in permutations(range(6)):
        state = game.start()
        while not game.is_over(state):
            state = game.play(state, order[sum(mark.bit_count() for mark in state.marks)])
        moves += sum(mark.bit_count() for mark in state.marks)
        if state.winner >= 0:
            wins[state.winner] += 1
    found = endings(game)
    assert found.tally("seat").means == pytest.approx(wins / 720) and found.length.value == pytest.approx(moves / 720)
    assert found.lead_changes is None


def test_a_profile_is_followed():
    """Kuhn poker in equilibrium costs the first player 1/18 of an ante."""
    game = kuhn.Kuhn(2)
    solved = cfr.solve(game, 500, "cfr+")
    found = endings(game, solved.average_strategy).tally("seat", "points")
    assert found.means == pytest.approx(solved.value, abs=1e-12) and found.means[0] == pytest.approx(-1 / 18, abs=1e-4)


def test_a_policy_is_followed():
    first = endings(tictactoe(2), lambda state: [1.0] + [0.0] * (len(tictactoe(2).moves(state)) - 1))
    assert first.tally("seat").means.tolist() == [1, 0] and first.length.value == 7


def test_a_lead_of_count_8():
    """Whoever has withdrawn one hand more is ahead: at the end the winner is, so the lead goes over at least never."""
    game = countn.TwoPlayerGame(3)

    def ahead(state):
        out = [hands.count(None) for hands in state[:2]]
        return None if out[0] == out[1] else int(out[1] > out[0])

    found = endings(game, leader=ahead)
    assert 0 < found.lead_changes.value < found.length.value and found.tally("seat").means.sum() == pytest.approx(1)


def test_shares_of_the_win():
    points = np.array([[2, 1, 0], [1, 1, 0], [1, 1, 1], [0.1 + 0.2, 0.3, 0]])
    assert shares_of_the_win(points).tolist() == [[1, 0, 0], [0.5, 0.5, 0], [0, 0, 0], [0.5, 0.5, 0]]


def test_solved_games_have_endings():
    draw, second = (fairness.of(countn.solve(n)) for n in (8, 9))
    assert draw.tally("seat").means.tolist() == [0, 0] and draw.length is None
    assert second.tally("seat").means.tolist() == [0, 1] and second.length.value == 48
    at_random = three.random_play(3)
    assert fairness.of(at_random).tally("seat").means == pytest.approx(at_random.chances(three.START_STATE), abs=1e-8)
    followed = endings(three.ThreePlayerGame(3)).tally("seat").means
    assert fairness.of(at_random).tally("seat").means == pytest.approx(followed, abs=1e-8)


def test_kingmakers():
    chooses, gains = [(0, 1, 0), (0, 0, 1)], [(1, 1, 0), (0, 0, 1)]
    assert kingmaking(Tree((0, chooses)), start=()) == 1 and kingmaking(Tree((0, gains)), start=()) == 0
    later = Tree((1, [(0, chooses), (0, gains), (0, gains)]))
    assert kingmaking(later, start=()) == pytest.approx(1 / 3)
    assert kingmaking(later, lambda state: (0, 0.5, 0.5) if not state else (0.5, 0.5), start=()) == 0


def test_values_of_many_states():
    game = tictactoe(2)
    value = maxn_of(game, "first")
    for text, mover in (("XO. ... ...", 0), ("XX. OO. ...", 0), ("XOX OXO .X.", 1)):
        state = game.position(text, mover)
        assert value(state) == maxn(game, state).value
    assert maxn_of(Tree((0, [(1, 3), (1, 0)])))(()) == (1, Fraction(3, 2))


def test_refusals():
    game = tictactoe(2)
    with refused("policy in Board", "1 chances for 9 moves"):
        endings(game, lambda state: [1.0])
    with refused("policy in Board", "the probabilities sum to 0.5, not to 1"):
        endings(game, lambda state: [0.5] + [0.0] * (len(game.moves(state)) - 1))
    with refused("policy: it says nothing about '0'"):
        endings(kuhn.Kuhn(2), {})
    with refused("game = 'chess': it lacks"):
        endings("chess")
    with refused("outcomes = 'chess': Games, or outcomes of a game that have endings, are needed"):
        fairness.of("chess")
