"""The states of a game as a graph: what is found, and what is refused where."""

import math
import re
from fractions import Fraction

import numpy as np
import pytest

from gamebalance.games import Kuhn, Nim, Pig, tictactoe
from gamebalance.multiplayer.graph import GameGraph, StateSearch, TooManyStates, states
from gamebalance.multiplayer.protocols import CHANCE, OVER, standing
from tests.multiplayer.written_trees import SMALL, Places, Written, known, random_game, random_places
from tests.refusals import refused

RANDOM = [random_game(seed, depth=4) for seed in range(6)] + [random_places(seed) for seed in (0, 1, 2, 4, 5)]


def found(game):
    """All states, breadth first, without the library."""
    states = [game.start()]
    for state in states:
        if game.mover(state) != OVER:
            after = [game.play(state, move) for move in game.moves(state)]
            states += [each for each in dict.fromkeys(after) if each not in states]
    return states


@pytest.mark.parametrize("game", RANDOM)
def test_every_array(game):
    graph = GameGraph(game)
    assert graph.states == found(game) and graph.players == 3
    slots = {}
    for number, state in enumerate(graph.states):
        edges = range(graph.first[number], graph.first[number + 1])
        assert graph.mover[number] == game.mover(state) and graph.over[number] == (game.mover(state) == OVER)
        assert all(graph.source[edge] == number for edge in edges)
        if graph.over[number]:
            assert not edges and graph.payoffs[number].tolist() == list(game.payoffs(state))
            continue
        assert np.isnan(graph.payoffs[number]).all()
        moves = game.moves(state)
        assert [graph.states[graph.after[edge]] for edge in edges] == [game.play(state, move) for move in moves]
        if graph.mover[number] == CHANCE:
            assert graph.chance[edges].tolist() == list(moves.values()) and set(graph.slot[edges]) == {-1}
            continue
        assert set(graph.chance[edges]) == {0.0}
        place = graph.sets.index(known(game, state))
        assert graph.moves[place] == tuple(moves) and graph.set_mover[place] == game.mover(state)
        assert graph.slot[edges].tolist() == list(range(graph.set_first[place], graph.set_first[place + 1]))
        slots |= dict.fromkeys(graph.slot[edges].tolist())
    assert sorted(slots) == list(range(graph.set_first[-1])) and len(set(graph.sets)) == len(graph.sets)


@pytest.mark.parametrize("game", [*RANDOM, tictactoe(2)])
def test_the_order(game):
    graph = GameGraph(game)
    place = np.argsort(graph.order)
    forward = place[graph.source] < place[graph.after]
    assert sorted(graph.order) == list(range(len(graph.states))) and (graph.circles or forward.all())
    assert graph.circles == (_has_circle(graph))


def _has_circle(graph):
    """Whether something is left when states that lead nowhere are taken away again and again."""
    after = {n: set(graph.after[graph.first[n] : graph.first[n + 1]].tolist()) for n in range(len(graph.states))}
    while ends := {state for state, following in after.items() if not following}:
        after = {state: following - ends for state, following in after.items() if state not in ends}
    return bool(after)


def test_known_numbers():
    """5,478 positions of tic-tac-toe, of which 4,520 are not over; 12 information sets of Kuhn poker."""
    board, poker = GameGraph(tictactoe(2)), GameGraph(Kuhn(2))
    assert len(board.states) == 5478 and (~board.over).sum() == len(board.sets) == 4520 and not board.hides
    assert len(poker.sets) == 12 and poker.hides and poker.over.sum() == 30
    assert repr(board) == "GameGraph(5,478 states, 16,167 moves)"
    assert GameGraph(Pig(goal=5)).circles and not poker.circles


def test_another_start():
    game = random_places(1)
    begin = GameGraph(game).states[3]
    assert GameGraph(game, start=begin).states[0] == begin
    ended = GameGraph(game, start="end 0")
    assert ended.over.tolist() == [True] and ended.sets == [] and not ended.circles


def test_what_chance_never_does_is_left_out():
    """The state behind it would be a trap."""
    trap = {"a": (CHANCE, {"on": (1.0, (1, 0)), "never": (0, "trap")}), "trap": (0, {"stay": "trap"})}
    assert GameGraph(Places(2, trap)).states == ["a", (1, 0)]


def test_standing():
    class Points(Places):
        def payoffs(self, state):
            return {"a": (1, 2), "b": None, "c": (math.inf, 0), "d": (3,)}.get(state) or super().payoffs(state)

    chain = {one: (0, {"on": two}) for one, two in zip("abcd", [*"bcd", (5, 6)], strict=True)}
    graph = GameGraph(Points(2, chain))
    assert graph.standing.tolist() == [[1, 2], [0, 0], [0, 0], [0, 0], [5, 6]]
    assert standing(Points(2, chain), "missing") == (0.0, 0.0)


def test_the_tolerance_grows_with_payoffs():
    small, large = (GameGraph(Places(2, {"a": (0, {"on": (size, -2 * size)})})).same for size in (0.001, 1e6))
    assert small == 1e-9 and large == pytest.approx(2e-3)


def test_too_many(monkeypatch):
    assert len(GameGraph(tictactoe(2), 5478).states) == 5478
    with pytest.raises(TooManyStates, match=r"^game = .*: it has more than 5,477 states$"):
        GameGraph(tictactoe(2), 5477)
    monkeypatch.setattr(states, "MOST_MOVES", 99)
    with pytest.raises(TooManyStates, match=r"^game = .*: it has more than 99 moves$"):
        GameGraph(tictactoe(2))
    with refused("most_states = 0: a whole number, 1 or more, is needed"):
        GameGraph(tictactoe(2), 0)


class Stub(Places):
    """One move from "s" to "t", and then the end, but for what is wrong."""

    def __init__(self, **wrong):
        super().__init__(2, {"s": (0, {"m": "t"}), "t": (1, {"m": "end"})}, {"end": (1, 0)})
        self.wrong = wrong

    def mover(self, state):
        return self.wrong.get("mover", super().mover(state)) if state == "t" else super().mover(state)

    def moves(self, state):
        return self.wrong.get("moves", super().moves(state)) if state == "t" else super().moves(state)

    def play(self, state, move):
        return self.wrong.get("after", "end") if state == "t" else super().play(state, move)

    def payoffs(self, state):
        return self.wrong.get("payoffs", super().payoffs(state)) if state == "end" else None


def dealt(moves):
    return {"mover": CHANCE, "moves": moves}


EACH = "of state 'end': a number for each of 2 players is needed"
MAPPING = "of state 't': chance moves there, so a mapping of moves to their probabilities is needed"
ONCE = "of state 't': hashable moves, each once, are needed"
WHOSE = "is to move, of 2 numbered from 0 (CHANCE is -1, OVER -2)"


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (dealt({"a": 0.5, "b": 0.4}), "moves of state 't' = (0.5, 0.4): the probabilities sum to 0.9, not to 1"),
        (dealt({"a": 1.5, "b": -0.5}), "moves of state 't' = (1.5, -0.5): probabilities, 0 or more, are needed"),
        (dealt({"a": math.nan}), "moves of state 't' = (nan,): probabilities, 0 or more, are needed"),
        (dealt({"a": "1"}), "moves of state 't' = ('1',): probabilities, 0 or more, are needed"),
        (dealt(["a", "b"]), f"moves = ['a', 'b'] {MAPPING}"),
        (dealt({}), f"moves = {{}} {MAPPING}"),
        ({"moves": ()}, "state = 't': player 1 has no moves, and the game is not over"),
        ({"moves": None}, "moves = None of state 't': a sequence is needed"),
        ({"moves": ("a", "b", "a")}, f"moves = ('a', 'b', 'a') {ONCE}"),
        ({"moves": ["a", []]}, f"moves = ('a', []) {ONCE}"),
        ({"moves": {"a": 1.0}}, "player 1 moves there, so a sequence is needed; probabilities are for chance"),
        ({"mover": 2}, f"state = 't': mover says that player 2 {WHOSE}"),
        ({"mover": -3}, f"state = 't': mover says that player -3 {WHOSE}"),
        ({"mover": True}, f"state = 't': mover says that player True {WHOSE}"),
        ({"mover": 0.0}, f"state = 't': mover says that player 0.0 {WHOSE}"),
        ({"after": ["end"]}, "state = ['end']: a hashable value is needed, such as a tuple"),
        ({"after": "s"}, "from state 's' on it cannot end any more"),
        ({"payoffs": (1,)}, f"payoffs = (1,) {EACH}"),
        ({"payoffs": None}, f"payoffs = None {EACH}"),
        ({"payoffs": {0: 3, 1: 5}}, f"payoffs = {{0: 3, 1: 5}} {EACH}"),
        ({"payoffs": {3, 5}}, f"payoffs = {{3, 5}} {EACH}"),
        ({"payoffs": np.array(1.0)}, f"payoffs = array(1.) {EACH}"),
        ({"payoffs": ("1", "2")}, f"payoffs = ('1', '2') {EACH}"),
        ({"payoffs": (1, math.nan)}, f"payoffs = (1, nan) {EACH}"),
        ({"payoffs": (1, -math.inf)}, "payoffs = (1, -inf) of state 'end': finite numbers are needed"),
    ],
)
def test_a_wrong_game_is_told_where(wrong, message):
    with refused(match=re.escape(message) + "$"):
        GameGraph(Stub(**wrong))


def test_chance_has_no_place_in_a_move():
    """A state after a move that is drawn each time is found out, a move of chance is what is meant."""
    draws = iter(range(100))

    class Drawing(Stub):
        def play(self, state, move):
            return next(draws)

    with refused("state = 's': play gives different states after the move 'm'", "mover must say CHANCE"):
        GameGraph(Drawing())


def test_a_class_is_no_game():
    with refused("this is a class, and a game of it is needed: Stub(...)"):
        GameGraph(Stub)


def test_what_is_right_though_unusual():
    for right in (
        dealt({"a": Fraction(1, 3), "b": Fraction(2, 3)}),
        {"moves": ["a"]},
        {"mover": np.int64(1)},
        {"payoffs": np.array([1.0, 2.0])},
        {"payoffs": np.array([True, False])},
        {"payoffs": (payoff for payoff in (1, 2))},
    ):
        assert GameGraph(Stub(**right)).states == ["s", "t", "end"]


def test_the_trap_is_named():
    """One can still end the game at the start, but not after a wrong step."""
    steps = {"start": (0, {"end": (1, 0), "on": "b"}), "b": (1, {"on": "c"}), "c": (0, {"back": "b"})}
    with refused("game = <", "from state 'b' on it cannot end any more"):
        GameGraph(Places(2, steps))


def hidden(first, second):
    """Chance comes first; then who moves with which knowledge has which moves."""
    nodes = [(mover, what, dict.fromkeys(moves, (0, 0))) for mover, what, moves in (first, second)]
    return Written(2, (CHANCE, {"x": (0.5, nodes[0]), "y": (0.5, nodes[1])}))


def test_wrong_information():
    with refused("information = 'i' of state ('y',): player 0 has the moves ('a',) with it elsewhere", "('a', 'b')"):
        GameGraph(hidden((0, "i", "a"), (0, "i", "ab")))
    with refused("information = 'i' of state ('y',): player 0 has the moves ('a',)", "and here player 1 has ('a',)"):
        GameGraph(hidden((0, "i", "a"), (1, "i", "a")))
    with refused("information = [1] of state ('x',): a hashable value is needed"):
        GameGraph(hidden((0, [1], "a"), (0, [1], "a")))
    assert len(GameGraph(SMALL).sets) == 3


def test_no_game():
    with refused("game = 'chess': it lacks"):
        GameGraph("chess")


@pytest.mark.parametrize("game", [Nim((3, 2), players=2), Kuhn(2)])
def test_a_search_goes_on_where_it_stopped(game):
    search, whole = StateSearch(game), GameGraph(game)
    assert not search.go_on(3) and len(search.states) > 3 and search.limit == "3 states"
    found = list(search.states)
    assert not search.go_on(seconds=0) and search.states[: len(found)] == found
    assert not search.go_on(len(whole.states) - 1) and search.go_on(len(whole.states)) and search.go_on()
    graph = GameGraph.of(search)
    assert (graph.states, graph.sets, repr(graph)) == (whole.states, whole.sets, repr(whole))
    for name in ("mover", "first", "after", "chance", "slot", "set_first", "set_mover", "order", "payoffs"):
        np.testing.assert_array_equal(getattr(graph, name), getattr(whole, name))
