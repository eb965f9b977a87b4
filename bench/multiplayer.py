"""OpenSpiel's Python solver against the compiled iterations of CFR and CFR+."""

import warnings
from collections.abc import Iterator
from pathlib import Path

from bench.timing import Comparison, call_seconds, in_turn
from gamebalance.games.kuhn import Kuhn
from gamebalance.games.leduc import Leduc
from gamebalance.multiplayer import cfr

#: Our game, OpenSpiel's name, and how many iterations each side makes: theirs and ours.
GAMES = ((Kuhn(3), "kuhn_poker", 30, 5_000), (Leduc(2), "leduc_poker", 3, 1_000))
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
    for game, name, few, many in GAMES:
        tree = cfr.GameTree(game)
        for variant, solver in SOLVERS.items():
            cfr.solve(tree, 1, variant)
            theirs = getattr(peer, solver)(pyspiel.load_game(name, {"players": game.players}))
            yield in_turn(
                f"{game!r}, {variant}, OpenSpiel in Python",
                "step",
                (lambda theirs=theirs, few=few: _steps(theirs.evaluate_and_update_policy, few), few),
                (lambda tree=tree, many=many, variant=variant: _solve(tree, many, variant), many),
                min(rounds, 3),
            )


def _steps(step, count: int) -> float:
    return call_seconds(lambda: [step() for _ in range(count)])


def _solve(tree: cfr.GameTree, iterations: int, variant: str) -> float:
    return call_seconds(lambda: cfr.solve(tree, iterations, variant))
