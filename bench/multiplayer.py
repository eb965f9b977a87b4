"""OpenSpiel's solvers, in Python and in C++: CFR and CFR+, playouts, and all states of a game."""

import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from bench.timing import Comparison, call_seconds, checked, in_turn
from gamebalance.games import tictactoe
from gamebalance.games.kuhn import Kuhn
from gamebalance.games.leduc import Leduc
from gamebalance.multiplayer import cfr
from gamebalance.multiplayer.search import maxn_values, mcts

#: Our game, OpenSpiel's name, and how many iterations each side makes: its Python, its C++, and ours.
GAMES = ((Kuhn(3), "kuhn_poker", 30, 500, 5_000), (Leduc(2), "leduc_poker", 3, 60, 1_000))
#: After so many iterations the average profiles of its C++ and of ours have to be equally far from an equilibrium.
COMPARED = 20
PLAYOUTS = 2_000
SOLVERS = {"cfr": "CFRSolver", "cfr+": "CFRPlusSolver"}


def comparisons(_peers: Path, rounds: int) -> Iterator[Comparison]:
    """All comparisons that this machine can make; says why one cannot be made."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import pyspiel
            from open_spiel.python.algorithms import cfr as peer
            from open_spiel.python.algorithms import value_iteration
            from open_spiel.python.algorithms.mcts import MCTSBot, RandomRolloutEvaluator
    except ImportError:
        print("left out: OpenSpiel (the development group installs it where there is a wheel)")
        return
    for game, name, few, some, many in GAMES:
        tree, rules = cfr.GameTree(game), pyspiel.load_game(name, {"players": game.players})
        for variant, solver in SOLVERS.items():
            compiled = getattr(pyspiel, solver)(rules)
            _steps(compiled.evaluate_and_update_policy, COMPARED)
            distance = pyspiel.nash_conv(rules, compiled.average_policy())
            assert abs(cfr.solve(tree, COMPARED, variant).nash_conv - distance) < 1e-9
            for language, theirs, steps in (("Python", getattr(peer, solver)(rules), few), ("C++", compiled, some)):
                yield in_turn(
                    f"{game!r}, {variant}, OpenSpiel in {language}",
                    "step",
                    (lambda theirs=theirs, steps=steps: _steps(theirs.evaluate_and_update_policy, steps), steps),
                    (lambda tree=tree, many=many, variant=variant: _solve(tree, many, variant), many),
                    min(rounds, 3),
                )
    rules, game = pyspiel.load_game("tic_tac_toe"), tictactoe(2)
    state = rules.new_initial_state()
    yield checked(
        "tic-tac-toe, every state, OpenSpiel in Python",
        lambda: value_iteration.value_iteration(rules, -1, 1e-6)[str(state)],
        lambda: maxn_values(game, game.start()), rounds, lambda *values: values == (0, ((1, 1),)),
    )  # fmt: skip
    in_python = MCTSBot(rules, 2.0, PLAYOUTS, RandomRolloutEvaluator(1, np.random.RandomState(1)), solve=False)
    in_cpp = pyspiel.MCTSBot(rules, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, PLAYOUTS, 100, False, 1, False)
    for language, bot in (("Python", in_python), ("C++", in_cpp)):
        yield checked(
            f"first move of tic-tac-toe by MCTS, OpenSpiel in {language}", lambda bot=bot: bot.step(state),
            lambda: mcts(game, game.start(), PLAYOUTS, 1).move, rounds, lambda theirs, ours: theirs == 4,
            "playout", (PLAYOUTS, PLAYOUTS),
        )  # fmt: skip


def _steps(step, count: int) -> float:
    return call_seconds(lambda: [step() for _ in range(count)])


def _solve(tree: cfr.GameTree, iterations: int, variant: str) -> float:
    return call_seconds(lambda: cfr.solve(tree, iterations, variant))
