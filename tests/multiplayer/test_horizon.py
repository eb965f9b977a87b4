"""Best play of games cut after so many moves: plain recursions, all ties, all ways to leave it."""

from itertools import product

import numpy as np
import pytest

from gamebalance.countn.three import ThreePlayerGame
from gamebalance.games import Nim, Pig, tictactoe
from gamebalance.multiplayer.graph import GameGraph, course, policies
from gamebalance.multiplayer.graph.horizon import CutGraph
from gamebalance.multiplayer.protocols import CHANCE, OVER
from tests.multiplayer.written_trees import Places, in_circles, random_places
from tests.refusals import refused

TIES = [(0, -1), *((sign, who) for who in (-1, 0, 1, 2) for sign in (1, -1))]
#: Everybody would rather that the next one stops, and else stops: a quitting game, as of Solan and Vieille (2001).
STOPS = [tuple({player: 1, (player - 1) % 3: 2}.get(each, 0) for each in range(3)) for player in range(3)]
QUITTING = Places(3, {each: (each, {"stop": STOPS[each], "on": (each + 1) % 3}) for each in range(3)})


class Plain:
    """A game cut, by recursion: values, the chances of moves, and what is unfinished."""

    def __init__(self, game, sign, who):
        self.game, self.sign, self.who, self.known = game, sign, who, {}

    def value(self, state, left):
        """What everybody gets, and the share that is unfinished."""
        if (state, left) not in self.known:
            if self.game.mover(state) == OVER:
                self.known[state, left] = np.array([*self.game.payoffs(state), 0.0])
            elif left == 0:
                self.known[state, left] = np.array([0.0] * self.game.players + [1.0])
            else:
                parts = [
                    chance * self.value(self.game.play(state, move), left - 1)
                    for move, chance in self.chances(state, left).items()
                ]
                self.known[state, left] = sum(parts)
        return self.known[state, left]

    def chances(self, state, left):
        moves, mover = self.game.moves(state), self.game.mover(state)
        if mover == CHANCE:
            return moves
        after = {move: self.value(self.game.play(state, move), left - 1) for move in moves}
        best = [move for move in moves if after[move][mover] > max(each[mover] for each in after.values()) - 1e-9]
        if self.sign and self.who < 0:
            best = [best[0 if self.sign > 0 else -1]]
        elif self.sign:
            most = max(self.sign * after[move][self.who] for move in best)
            best = [move for move in best if self.sign * after[move][self.who] > most - 1e-9]
        return dict.fromkeys(best, 1 / len(best))

    def states(self, start, most):
        """(state, moves left) of all that can be come to and is not over."""
        found, waiting = {}, [(start, most)]
        while waiting:
            state, left = waiting.pop()
            if left and self.game.mover(state) != OVER and (state, left) not in found:
                found[state, left] = True
                waiting += [(self.game.play(state, move), left - 1) for move in self.game.moves(state)]
        return [*found]


def reachable(game, state, player, path=()):
    """What a player can get from a state on, if all help; 0 if play can come back to where it was."""
    if game.mover(state) == OVER:
        return {game.payoffs(state)[player]}
    if state in path:
        return {0.0}
    return {
        end for move in game.moves(state) for end in reachable(game, game.play(state, move), player, (*path, state))
    }


@pytest.mark.parametrize("ties", TIES)
def test_values_of_the_game_cut_sooner_and_later(ties):
    """From every state with every number of moves left, and the chance of each move."""
    for graph in in_circles(8):
        cut, plain = CutGraph(graph, 9), Plain(graph.game, *ties)
        best = policies._of_cut(cut, *ties)
        values = course(cut, best.policy).values(cut.payoffs)
        for node, (state, left) in enumerate(zip(cut.states, cut.left.tolist(), strict=True)):
            assert values[node] == pytest.approx(plain.value(state, left)[:3], abs=1e-9)
        rows = zip(cut.sets, cut.left[cut.mover >= 0].tolist(), cut.moves, cut.set_first, strict=False)
        for state, left, moves, first in rows:
            wanted = plain.chances(state, left)
            assert best.policy[first : first + len(moves)].tolist() == [wanted.get(move, 0) for move in moves]
        ends = np.array([plain.value(graph.states[0], left) for left in range(9, 4, -1)])  # half is 4.5
        assert [cut.left[each] for each in cut.begins] == [9, 8, 7, 6, 5]
        assert best.moved == pytest.approx(np.ptp(ends[:, :3], axis=0).max(), abs=1e-6)
        assert best.unfinished == pytest.approx(ends[:, 3].max(), abs=1e-12)


def gain_by_all_ways(plain, graph, player, most):
    """The most that a player gains by any way to choose a move wherever it may be: all are tried."""
    game, start = graph.game, graph.states[0]
    own = [each for each in plain.states(start, most) if game.mover(each[0]) == player]
    follows = {state: reachable(game, state, player) for state in graph.states}

    def got(state, left, choice, end):
        if game.mover(state) == OVER:
            return game.payoffs(state)[player]
        if left == 0:
            return end(follows[state])
        chances = {choice[state, left]: 1.0} if (state, left) in choice else plain.chances(state, left)
        return sum(each * got(game.play(state, move), left - 1, choice, end) for move, each in chances.items())

    ways = product(*(game.moves(state) for state, _ in own))
    reply = max(got(start, most, dict(zip(own, way, strict=True)), max) for way in ways)
    return reply - got(start, most, {}, min)


@pytest.mark.parametrize("ties", TIES[::2])
def test_what_somebody_could_gain_is_what_all_ways_to_leave_it_gain(ties):
    """Each player alone tries every choice of a move for each state and number of moves left."""
    gains = []
    for graph in [GameGraph(QUITTING), *in_circles(12, inner=3, ends=2)]:
        cut = CutGraph(graph, 4)
        plain = Plain(graph.game, *ties)
        found = policies._of_cut(cut, *ties).off
        wanted = max(gain_by_all_ways(plain, graph, player, most) for player in range(3) for most in (4, 3, 2))
        assert found == pytest.approx(wanted, abs=1e-6)
        gains.append(wanted)
    assert min(gains) < 1e-9 and max(gains) > 0.1


def test_no_policy_by_position_is_best_in_an_odd_circle_and_play_that_changes_is():
    """Somebody leaves each of the eight ways to stop or go on in some position; with the moves left counted nobody."""
    graph = GameGraph(QUITTING)
    for stops in product((0.0, 1.0), repeat=3):
        policy = np.array([each for stop in stops for each in (stop, 1 - stop)])
        assert policies._gains(graph, policy, graph.payoffs, graph.payoffs).max() > 0.5
    found = policies.find_equilibria(graph)
    assert len(found.found) == found.tried == 9 and not found.unique
    for best in found.found:
        assert best.cut and best.off == best.unfinished == 0 and best.moved == 2
        values = course(best.graph, best.policy).values(best.graph.payoffs)[best.graph.begins]
        assert values[:4].tolist() == [[2, 1, 0], [1, 0, 2], [2, 1, 0], [1, 0, 2]]  # the second stops, or the first
    assert found.found[0].table()["position"].tolist()[:2] == ["0, 256 moves left", "1, 255 moves left"]
    even = {player: (player % 2, {"stop": STOPS[player % 2][:2], "on": (player + 1) % 4}) for player in range(4)}
    assert not policies.find_best(GameGraph(Places(2, even))).cut


def test_too_many_moves_for_a_cut(monkeypatch):
    monkeypatch.setattr(policies, "MOST_CUT", 100)
    with refused("play can go in circles, and values do not settle"):
        policies.find_best(GameGraph(QUITTING))


def test_nothing_is_called_best_play_where_who_waits_for_the_cut_might_get_all():
    """The first alone can come back to where it is, again and again; after the cut it might get the most of all."""
    game = random_places(158, inner=4, ends=2)
    assert "place 0" in game.places["place 0"][1].values() and game.mover("place 0") == 0
    with refused("play can go in circles, and somebody might gain all by leaving what is found"):
        policies.find_best(GameGraph(game))


def test_count_n_for_three():
    """Of Count-3 and Count-4; each tie rule by plain recursion, to the cut that was found to be long enough."""
    for n, tried in ((3, 9), (4, 8)):
        graph = GameGraph(ThreePlayerGame(n))
        found = policies.find_equilibria(graph).found
        assert len(found) == tried and {each.cut for each in found} == {True, False}
        for best in found:
            play = course(best.graph, best.policy)
            if best.cut:
                assert best.off < 2e-3 and best.moved == 0 and int(best.graph.left[0]) == 32
                plain = Plain(graph.game, *best.start).value(graph.states[0], 32)
                assert play.values(best.graph.payoffs)[0] == pytest.approx(plain[:3], abs=1e-9)
                assert plain[3] == pytest.approx(0, abs=1e-9)
            else:
                assert best.off == 0


@pytest.mark.parametrize(
    ("game", "hangs"),
    [(Pig(3, goal=5), False), (Nim((1, 2, 3), 3), True), (Nim((1, 2, 3), 3, misere=True), True), (tictactoe(3), False)],
)
def test_games_that_settle_are_not_cut(game, hangs):
    """Pig can go in circles, and yet nothing hangs on ties; tic-tac-toe is drawn; in Nim they make kings."""
    graph = GameGraph(game)
    found = policies.find_equilibria(graph)
    values = np.array([course(graph, each.policy).values(graph.payoffs)[0] for each in found.found])
    assert len(found.found) == 9 and not any(each.cut or each.off for each in found.found)
    assert (np.ptp(values, axis=0).max() > 1e-9) == hangs
