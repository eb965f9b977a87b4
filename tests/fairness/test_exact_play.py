"""How small games end and what their play is like, against known values, enumeration and games made up for it."""

from itertools import permutations, product

import numpy as np
import pytest

from gamebalance import fairness
from gamebalance.fairness.reports.exact import ExactPlay, endings, kingmaking
from gamebalance.fairness.reports.shape import ExactShape
from gamebalance.fairness.reports.tables import Seats, wins
from gamebalance.games import Tree, kuhn, tictactoe
from gamebalance.games.in_a_row import InARow
from gamebalance.multiplayer import cfr
from gamebalance.multiplayer.graph import GameGraph, course, policies
from gamebalance.multiplayer.protocols import CHANCE, OVER
from tests.multiplayer.written_trees import Places, random_places
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
        while game.mover(state) != OVER:
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
    first = endings(tictactoe(2), lambda board, cells: cells[0])
    assert first.tally("seat").means.tolist() == [1, 0] and first.length.value == 7


def test_who_has_won():
    points = np.array([[2, 1, 0], [1, 1, 0], [1, 1, 1], [0.1 + 0.2, 0.3, 0]])
    assert wins(points).tolist() == [[1, 0, 0], [0.5, 0.5, 0], [0, 0, 0], [0.5, 0.5, 0]]


def test_kingmakers():
    chooses, gains = [(0, 1, 0), (0, 0, 1)], [(1, 0, 0), (0, 0, 1)]
    assert kingmaking(Tree((0, chooses))) == 1 and kingmaking(Tree((0, gains))) == 0
    later = Tree((1, [(0, chooses), (0, gains), (0, gains)]))
    assert kingmaking(later) == pytest.approx(1 / 3)
    assert kingmaking(later, lambda state, moves: dict.fromkeys(moves[len(moves) == 3 :], 1 / 2)) == 0


def kingmakers(game):
    """In which states of the game somebody is one."""
    return ExactShape(GameGraph(game), Seats.of(game)).kingmakers.tolist()


def test_kingmakers_are_those_of_the_measure():
    """`fairness.is_kingmaker` says it of one state, from the chances to win after each move; this of all states."""
    found = set()
    for seed in range(40):
        game = random_places(seed, ends=7)
        graph = GameGraph(game)
        won = np.zeros((len(graph.states), 3))
        won[graph.over] = wins(graph.payoffs[graph.over])
        chances = course(graph, policies.looking_ahead(graph)).values(won)
        marked = kingmakers(game)
        for state in np.flatnonzero(graph.mover >= 0):
            after = graph.after[graph.first[state] : graph.first[state + 1]]
            assert marked[state] == fairness.is_kingmaker(chances[after], graph.mover[state])
            found.add(marked[state])
        assert not np.array(marked)[graph.mover < 0].any()
    assert found == {True, False}


def test_refusals():
    game = tictactoe(2)
    with refused("policy at Board", "9 is none of its moves"):
        endings(game, lambda board, cells: 9)
    with refused("policy at Board", "the probabilities sum to 0.5, not to 1"):
        endings(game, lambda board, cells: {cells[0]: 0.5})
    with refused("policy at '0': it says nothing about it"):
        endings(kuhn.Kuhn(2), {})
    with refused("game = 'chess': it lacks"):
        endings("chess")
    with refused("outcomes = 'chess': Games, or outcomes of a game that have endings, are needed"):
        fairness.of("chess")


def play_of(game):
    """The game under every way to play."""
    return ExactPlay(GameGraph(game), Seats.of(game), ways=("random", "greedy", "searching", "best"))


def shape(game, level="random"):
    return {name: estimate.value for name, estimate in play_of(game).shape(level).items()}


COIN = Places(2, {"toss": (CHANCE, {0: (0.5, (1, 0)), 1: (0.5, (0, 1))})})


def test_a_coin():
    """Nobody decides anything, so there is no drama, and nobody led before it fell."""
    play = play_of(COIN)
    assert list(play.levels) == ["random"]
    assert play.endings("random").tally("seat").means.tolist() == [0.5, 0.5]
    found = shape(COIN)
    assert found["length"] == found["lead changes"] == found["drama"] == found["kingmaking"] == 0
    assert not {"decided after", "repetition", "branching factor"} & set(found)  # there are no turns


def race(goal):
    """Two take a step each in turn, or none: whoever is there first wins."""
    places, ends = {}, {}
    for steps in product(range(goal + 1), repeat=2):
        for mover in range(2):
            state = (*steps, mover)
            after = [tuple(steps[each] + (each == mover) * step for each in range(2)) for step in range(2)]
            if goal in steps:
                ends[state] = tuple(float(step == goal) for step in steps)
            else:
                places[state] = mover, {move: (*to, 1 - mover) for move, to in enumerate(after)}
    return Places(2, places, ends)


def test_a_race():
    """Who always steps and begins, wins after 2 goal - 1 moves; nobody ever decides between others."""
    play = play_of(race(3))
    assert play.endings("best").tally("seat").means.tolist() == [1, 0]
    found = {name: estimate.value for name, estimate in play.shape("best").items()}
    assert found["length"] == found["median length"] == 5 and found["spread of length"] == found["endless"] == 0
    assert found["lead changes"] == found["drama"] == found["kingmaking"] == 0


def test_drama_and_lead_by_hand():
    """The second of two can still lose at the second move, and does so one time in four.

    Player 0 goes on, or gives up in one of two ways; then player 1 takes the point or, by one of four moves, gives it
    away. At random player 0 wins 1/3 of 1/4; 11/12 is for player 1, who leads from the start, and by 3/4 less 1/4 after
    the first move.
    """
    game = Tree((0, [(1, [(0, 1), (0, 1), (0, 1), (1, 0)]), (0, 1), (0, 1)]))
    found = shape(game)
    # Moves of decided games: 1 + 1/3. Player 0 is to win with 1/12, and is behind by 10/12 and then by 1/2.
    assert found["drama"] == pytest.approx((1 / 12 * 10 / 12 + 1 / 3 * 1 / 4 * 1 / 2) / (4 / 3))
    assert found["lead changes"] == pytest.approx(1 / 12) and found["length"] == pytest.approx(4 / 3)
    assert found["spread of length"] == pytest.approx(np.sqrt(1 / 3 * 2 / 3)) and found["kingmaking"] == 0


def test_whoever_may_lose_a_draw_is_no_kingmaker():
    """Player 0 cannot win, and lets it be a draw or not: nothing is decided between others, of two or of three."""
    assert kingmaking(Tree((0, [(0, 0), (-1, 1)]))) == 0 == kingmaking(Tree((0, [(0, 0, 0), (-1, 1, -1)])))


def test_endless_play():
    """Where all always go on, nobody wins anything."""
    circle = {"a": (0, {"on": "b", "stop": (1, 0)}), "b": (1, {"on": "a", "stop": (3, -1)})}
    play = play_of(Places(2, circle))
    random = play.endings("random").tally("seat", "points").means
    assert random == pytest.approx([1 * 2 / 3 + 3 / 3, -1 / 3])
    always = endings(Places(2, circle), lambda state, moves: "on")
    assert always.tally("seat").means.tolist() == [0, 0] and always.length.value == 0
    assert ExactPlay(GameGraph(COIN), Seats(2)).shape("random")["kingmaking"].value == 0
