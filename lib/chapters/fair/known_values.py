"""Values of small games that were known before, computed anew from the rules as the library has them."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from gamebalance.games import CantStop, Kuhn, LiarsDice, Nim, Pig, tictactoe
from gamebalance.games.kuhn_equilibria import szafron_profile
from gamebalance.multiplayer import cfr
from gamebalance.multiplayer.graph import GameGraph, course, policies
from gamebalance.multiplayer.protocols import CHANCE, OVER, Game, State

if TYPE_CHECKING:
    import pandas

#: Iterations of counterfactual regret minimisation, which bring poker and liar's dice within 1e-4 of their values.
ITERATIONS = 1_000
#: Sweeps over the states of Can't Stop go on until no value changes by more.
SETTLED = 1e-12


def games_of(game: Game, state: State | None = None) -> int:
    """In how many ways a game can go, from a state on."""

    @cache
    def count(state: State) -> int:
        if game.mover(state) == OVER:
            return 1
        return sum(count(game.play(state, move)) for move in game.moves(state))

    return count(game.start() if state is None else state)


def lost_heaps(most: int) -> int:
    """How many sets of three heaps of at most so many stones are lost for the one of two players who is to move."""
    graph = GameGraph(Nim((most,) * 3, players=2))
    values = course(graph, policies.find_best(graph).policy).values(graph.payoffs)
    full = [number for number, state in enumerate(graph.states) if len(state.heaps) == 3 and min(state.heaps) > 0]
    return len({graph.states[number].heaps for number in full if values[number, graph.mover[number]] < 0.5})


def fewest_turns(game: CantStop) -> float:
    """The mean number of turns of a single player who makes it as small as can be, by sweeps over all states."""
    graph = GameGraph(game)
    begins = [state.dice == () and state.runners == state.markers[0] for state in graph.states]
    goes_on = np.flatnonzero(~graph.over)
    turns, first, drawn = np.zeros(len(graph.states)), graph.first[goes_on], graph.mover[goes_on] == CHANCE
    while True:
        after = turns[graph.after]
        mean, least = np.add.reduceat(graph.chance * after, first), np.minimum.reduceat(after, first)
        found = np.where(drawn, mean, least) + np.array(begins)[goes_on]
        change = np.abs(found - turns[goes_on]).max()
        turns[goes_on] = found
        if change < SETTLED:
            return float(turns[graph.states.index(game.start())])


def to_the_first(game: Game) -> float:
    """What the first of two players gets in equilibrium."""
    return float(cfr.solve(cfr.GameTree(game), ITERATIONS, "cfr+").value[0])


def to_the_second_of_three() -> float:
    """What the second player of Kuhn poker for three gets in an equilibrium of the published family."""
    graph = GameGraph(Kuhn(3))
    return float(course(graph, policies.of_policy(graph, szafron_profile(0, 0))).values(graph.payoffs)[0, 1])


def to_who_begins(game: Game) -> float:
    """The chance to win of who begins if all play as well as can be, where all is seen."""
    graph = GameGraph(game)
    return float(course(graph, policies.find_best(graph).policy).values(graph.payoffs)[0, 0])


#: Each quantity of `known_game_values.csv`, in its order.
VALUES: Mapping[tuple[str, str], Callable[[], float]] = {
    ("tic-tac-toe", "positions"): lambda: len(GameGraph(tictactoe(2)).states),
    ("tic-tac-toe", "games"): lambda: games_of(tictactoe(2)),
    ("Nim", "lost sets of three heaps below 16"): lambda: lost_heaps(15),
    ("Kuhn poker", "two players, to the first"): lambda: to_the_first(Kuhn(2)),
    ("Kuhn poker", "three players, to the second"): to_the_second_of_three,
    ("liar's dice", "one die of 3 sides each, none wild"): lambda: to_the_first(LiarsDice(sides=3, wild=False)),
    ("liar's dice", "one die of 4 sides each, none wild"): lambda: to_the_first(LiarsDice(sides=4, wild=False)),
    ("Pig", "a coin, 2 points, first of two wins"): lambda: to_who_begins(Pig(2, goal=2, sides=2)),
    ("Can't Stop", "alone, two sides, shortest 1, turns"): lambda: fewest_turns(CantStop(1)),
    ("Can't Stop", "alone, two sides, shortest 2, turns"): lambda: fewest_turns(CantStop(1, shortest=2)),
    ("Can't Stop", "alone, two sides, shortest 3, turns"): lambda: fewest_turns(CantStop(1, shortest=3)),
}


def beside(printed: "pandas.DataFrame") -> "pandas.DataFrame":
    """The published values, ours beside them, and how far apart they are; `printed` is `known_game_values`."""
    keys = list(zip(printed["game"], printed["quantity"], strict=True))
    ours = np.array([VALUES[key]() for key in keys])
    known = np.array([float(Fraction(text)) for text in printed["printed"].astype(str)])
    return printed.assign(value=known, ours=ours, apart=np.abs(ours - known))
