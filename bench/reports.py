"""Reports on the rules of games, beside OpenSpiel doing the part that it has."""

from collections.abc import Iterator
from pathlib import Path

import pyspiel
from open_spiel.python import policy
from open_spiel.python.algorithms import expected_game_score, get_all_states

from bench.timing import Comparison, call_seconds, in_turn
from gamebalance import fairness
from gamebalance.games import Kuhn, tictactoe
from gamebalance.multiplayer.graph import GameGraph, course, policies


def comparisons(_peers: Path, rounds: int) -> Iterator[Comparison]:
    """All comparisons; none needs anything from elsewhere."""
    rounds = min(rounds, 3)
    theirs = pyspiel.load_game("tic_tac_toe")
    yield _against(
        "all states of tic-tac-toe, OpenSpiel",
        lambda: get_all_states.get_all_states(theirs, include_terminals=True, to_string=str),
        lambda: GameGraph(tictactoe(2)),
        rounds,
    )
    kuhn = pyspiel.load_game("kuhn_poker(players=4)")
    uniform = policy.UniformRandomPolicy(kuhn)
    graph = GameGraph(Kuhn(4))
    yield _against(
        "four at Kuhn poker at random, states known, OpenSpiel: payoffs alone",
        lambda: expected_game_score.policy_value(kuhn.new_initial_state(), [uniform] * 4),
        lambda: course(graph, policies.at_random(graph)).values(graph.payoffs),
        rounds,
    )
    yield _against(
        "tic-tac-toe for three: a whole report, and only its states",
        lambda: GameGraph(tictactoe(3)),
        lambda: fairness.report(tictactoe(3)).to_text(),
        rounds,
    )


def _against(what: str, theirs, ours, rounds: int) -> Comparison:
    """Both once before they are timed."""
    theirs(), ours()
    return in_turn(what, "call", (lambda: call_seconds(theirs), 1), (lambda: call_seconds(ours), 1), rounds)
