"""OpenSpiel's solvers, in Python and in C++, against the compiled iterations of CFR and CFR+."""

import warnings
from collections.abc import Iterator
from pathlib import Path

from bench.timing import Comparison, call_seconds, in_turn
from gamebalance.games.kuhn import Kuhn
from gamebalance.games.leduc import Leduc
from gamebalance.multiplayer import cfr

#: Our game, OpenSpiel's name, and how many iterations each side makes: its Python, its C++, and ours.
GAMES = ((Kuhn(3), "kuhn_poker", 30, 500, 5_000), (Leduc(2), "leduc_poker", 3, 60, 1_000))
#: After so many iterations the average profiles of its C++ and of ours have to be equally far from an equilibrium.
COMPARED = 20
SOLVERS = {"cfr": "CFRSolver", "cfr+": "CFRPlusSolver"}


def comparisons(_peers: Path, rounds: int) -> Iterator[Comparison]:
    """All comparisons that this machine can make; says why one cannot be made."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import pyspiel
            from open_spiel.python.algorithms import cfr as peer
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


def _steps(step, count: int) -> float:
    return call_seconds(lambda: [step() for _ in range(count)])


def _solve(tree: cfr.GameTree, iterations: int, variant: str) -> float:
    return call_seconds(lambda: cfr.solve(tree, iterations, variant))
