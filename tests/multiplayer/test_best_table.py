"""A policy as a table: against values by hand, and against a plain recursion over the game."""

from collections import defaultdict

import numpy as np
import pytest

from gamebalance import fairness, multiplayer
from gamebalance.fairness.reports.goals import ForWins
from gamebalance.games import Kuhn, Nim
from gamebalance.multiplayer.graph import GameGraph, policies
from gamebalance.multiplayer.graph.policies import policy_table
from gamebalance.multiplayer.protocols import CHANCE, OVER
from tests.multiplayer.written_trees import kuhn_profile, plain_value, random_game
from tests.refusals import refused

COLUMNS = ["position", "comes up", "seat", "move", "chance, %", "seat 1 gets", "seat 2 gets"]


def table_of(game, policy, **options):
    graph = GameGraph(game)
    return policy_table(graph, policies.of_policy(graph, policy), **options)


def first(known, moves):
    return moves[0]


def test_nim_with_one_and_two_stones():
    """Whoever begins leaves two equal heaps, and takes the last stone: everything else loses."""
    table = policies.find_best(GameGraph(Nim((1, 2), players=2))).table()
    assert list(table) == COLUMNS
    one, two = "NimMove(heap=1, stones=1)", "NimMove(heap=2, stones="
    assert table.values.tolist() == [
        ["NimState(heaps=(1, 2), mover=0)", 1, 1, f"{two}1)", 100, 1, 0],
        ["NimState(heaps=(1, 1), mover=1)", 1, 2, one, 100, 1, 0],
        ["NimState(heaps=(1,), mover=0)", 1, 1, one, 100, 1, 0],
        # never met
        ["NimState(heaps=(2,), mover=1)", 0, 2, f"{two}2)", 100, 0, 1],
        ["NimState(heaps=(1,), mover=1)", 0, 2, one, 100, 0, 1],
    ]


def test_moves_that_are_not_taken_when_they_are_asked_for():
    graph = GameGraph(Nim((1, 2), players=2))
    table = policies.find_best(graph).table(least=0)
    assert len(table) == graph.set_first[-1]
    start = table[table["position"] == "NimState(heaps=(1, 2), mover=0)"]
    assert start["move"].tolist() == [str(move) for move in graph.game.moves(graph.game.start())]
    assert start[["chance, %", "seat 1 gets"]].values.tolist() == [[0, 0], [100, 1], [0, 0]]
    assert all(table.groupby("position", sort=False)["chance, %"].sum() == 100)


def test_kuhn_poker_by_hand():
    """The equilibrium without a bluff of the first player, which always passes first."""
    table = table_of(Kuhn(2), kuhn_profile(0)).set_index(["position", "move"])
    assert table["comes up"].iloc[:3].tolist() == pytest.approx([1 / 3] * 3)
    assert table.loc[("1pb", "b"), "comes up"] == pytest.approx(2 / 9)  # 1/3 of the hands, after 1/3 and 1 of the bets
    # Calling wins 2 from the bluff, a quarter of the bets, and loses 2 to the highest card: no better than to fold.
    assert table.loc["1pb", "seat 1 gets"].tolist() == pytest.approx([-1, -1])
    # The bluff wins 1 from two thirds of the middle cards, loses 2 to the rest and to the highest: as if it passed.
    assert table.loc["0p", "seat 2 gets"].tolist() == pytest.approx([-1, -1])
    # The highest card's bet wins 1 from the lowest, and from the middle card 2 if that calls, in a third of the cases.
    assert table.loc[("2p", "b"), "seat 2 gets"] == pytest.approx((1 + 2 / 3 + 2 / 3) / 2)
    never = table[table["comes up"] == 0]
    assert set(never.index.get_level_values(0)) == {"0b", "1b", "2b"} == {row[0] for row in table.index[-4:]}
    begins = table.loc[["0", "1", "2"]]
    worth = (begins["comes up"] * begins["chance, %"] / 100 * begins["seat 1 gets"]).sum()
    assert worth == pytest.approx(-1 / 18, abs=1e-8)


def test_best_play_of_kuhn_poker_is_worth_what_it_is():
    best = fairness.report(Kuhn(2), ways="best").play.best
    table = best.table()
    begins = table[table["position"].isin(["0", "1", "2"])]
    worth = (begins["comes up"] * begins["chance, %"] / 100 * begins["seat 1 gets"]).sum()
    assert worth == pytest.approx(-1 / 18, abs=1e-3) and (table["chance, %"] > 0.05).all()
    assert "2b" in table[table["move"] == "b"]["position"].tolist()
    assert not ((table["position"] == "2b") & (table["move"] == "p")).any()  # nobody folds the highest card
    assert len(best.table(least=0)) == 24


@pytest.mark.parametrize("seed", range(6))
def test_it_says_what_a_plain_recursion_finds(seed):
    """How often, and what everybody gets, summed over the histories of each information set."""
    game = random_game(seed)
    graph = GameGraph(game)
    rng = np.random.default_rng(seed)
    profile = {
        known: dict(zip(graph.moves[n], rng.dirichlet(np.ones(len(graph.moves[n]))).tolist(), strict=True))
        for n, known in enumerate(graph.sets)
    }
    often, gets, waiting = defaultdict(float), defaultdict(float), [(1.0, game.start())]
    while waiting:
        chance, state = waiting.pop()
        if (mover := game.mover(state)) == OVER:
            continue
        if mover != CHANCE:
            often[str(game.information(state))] += chance
            for move in game.moves(state):
                after = plain_value(game, profile, game.play(state, move))
                gets[str(game.information(state)), str(move)] += chance * after
        moves = game.moves(state) if mover == CHANCE else profile[game.information(state)]
        waiting += [(chance * own, game.play(state, move)) for move, own in moves.items()]
    table = policy_table(graph, policies.of_policy(graph, profile), least=0)
    assert {*zip(table["position"], table["move"], strict=True)} == set(gets)
    assert table["comes up"].is_monotonic_decreasing
    for position, comes_up, _, move, _, *got in table.itertuples(index=False):
        assert comes_up == pytest.approx(often[position], rel=1e-8)
        assert got == pytest.approx(gets[position, move] / often[position], rel=1e-7, abs=1e-12)


class Again:
    """The one player goes on until a coin falls heads."""

    players = 2
    name = "a game called Again"

    def start(self):
        return "ready"

    def mover(self, state):
        return {"ready": 0, "tossed": CHANCE, "heads": OVER}[state]

    def moves(self, state):
        return ("toss",) if state == "ready" else {"heads": 0.25, "ready": 0.75}

    def play(self, state, move):
        return "tossed" if move == "toss" else move

    def payoffs(self, state):
        return (1.0, 2.0)


def test_a_position_may_come_up_more_than_once():
    """The name of a game is no name of a move."""
    [row] = table_of(Again(), first).values.tolist()
    assert row == ["ready", 4, 1, "toss", 100, 1, 2]


class Hands:
    """Both show a hand at once; who begins wins if they are alike. Their moves have names."""

    players = 2

    def start(self):
        return "shown: "

    def movers(self, state):
        return OVER if isinstance(state, tuple) else (0, 1)

    def moves(self, state):
        return {0: (0, 1), 1: (0, 1)}

    def play(self, state, moves):
        return moves

    def payoffs(self, state):
        return (1, 0) if state[0] == state[1] else (0, 1)

    def name(self, state, move):
        return state + ("fist", "palm")[move]


def for_wins(game):
    return ForWins(multiplayer.with_memory(game))


@pytest.mark.parametrize("form", [multiplayer.in_turn, multiplayer.with_memory, for_wins])
def test_positions_and_moves_are_those_of_the_author(form):
    table = table_of(form(Hands()), lambda known, moves: {0: 0.25, 1: 0.75})
    assert table["position"].tolist() == ["shown: "] * 4
    assert table["move"].tolist() == ["shown: fist", "shown: palm"] * 2 and table["seat"].tolist() == [1, 1, 2, 2]
    assert table["chance, %"].tolist() == [25, 75] * 2
    assert table["seat 1 gets"].tolist() == [0.25, 0.75] * 2


class Twice(Hands):
    """The hands are shown twice, and only what was shown last is known."""

    def start(self):
        return ()

    def movers(self, state):
        return OVER if len(state) == 2 else (0, 1)

    def play(self, state, moves):
        return (*state, moves)

    def payoffs(self, state):
        return (1, 0)

    def information(self, state, player):
        return state[-1] if state else None

    def printed(self, known):
        return "the start" if known is None else "hands " + "".join(map(str, known))

    def name(self, state, move):
        return ("fist", "palm")[move]


def test_what_is_remembered_is_printed_after_what_is_seen():
    table = table_of(multiplayer.with_memory(Twice()), lambda known, moves: 1, least=0)
    second = table[(table["seat"] == 2) & (table["move"] == "palm")]
    before = [f"hands {one}{other} after the start: {other}" for one, other in ("11", "00", "01", "10")]
    assert second["position"].tolist()[:2] == ["the start", before[0]] and set(second["position"][2:]) <= set(before)
    assert second["comes up"].tolist() == [1, 1, 0, 0, 0]


def test_least_is_a_part_of_the_likeliest_move():
    def mixed(known, moves):
        return {"p": 0.1, "b": 0.9}

    assert len(table_of(Kuhn(2), mixed, least=0.11)) == 24 and len(table_of(Kuhn(2), mixed, least=0.112)) == 12
    with refused("least = 2", "from 0 to 1"):
        table_of(Kuhn(2), mixed, least=2)


def test_a_game_without_choices_has_an_empty_table():
    class Toss(Again):
        def start(self):
            return "tossed"

        def play(self, state, move):
            return "heads"

    table = policy_table(GameGraph(Toss()), np.empty(0))
    assert list(table) == COLUMNS and table.empty
