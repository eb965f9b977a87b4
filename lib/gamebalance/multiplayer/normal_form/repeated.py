"""A game played again and again: players with a memory, and how predictable ones fare against one who predicts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from gamebalance._checks import check_seed, in_memory, listed, shown, whole_number
from gamebalance.sums import dot, stationary

from . import _kernels
from .game import NormalFormGame, check_mix, matrix_of
from .minimax import guarantee

#: ``agent(player, past, rng)`` is the number of the strategy that the agent plays next as this player; `past` has one
#: row for each earlier round and one column for each player.
Agent = Callable[[int, np.ndarray, np.random.Generator], int]

#: The longest context of a predictor, in rounds.
MOST_ORDER = 8


@dataclass(frozen=True)
class RepeatedPlay:
    """What happened in repeated play.

    Attributes
    ----------
    moves : ndarray of int, shape (rounds, players)
    payoffs : ndarray of float, shape (rounds, players)
    """

    moves: np.ndarray
    payoffs: np.ndarray


def repeated_play(game: NormalFormGame, agents: Sequence[Agent], rounds: int, seed: int) -> RepeatedPlay:
    """Play a game again and again; the players choose at once and see afterwards what all have chosen.

    Parameters
    ----------
    game : NormalFormGame
    agents : sequence of callables
        One for each player; see `Agent`, and `mixed_agent`, `pattern_agent`, `predicting_agent` for some.
    rounds : int
    seed : int
        All agents draw from one generator.

    Returns
    -------
    RepeatedPlay

    Raises
    ------
    ValueError
        If an argument is out of range, or an agent answers something else than the number of a strategy.
    """
    rounds = whole_number("rounds", rounds, 1)
    rng = np.random.default_rng(check_seed(seed))
    agents = listed("agents", agents)
    if len(agents) != game.players:
        raise ValueError(f"agents = {shown(agents)}: one for each of {game.players} players is needed")
    in_memory(f"rounds = {rounds}", 16.0 * rounds * game.players)
    moves = np.empty((rounds, game.players), int)
    for t in range(rounds):
        past = moves[:t]
        chosen = [agent(player, past, rng) for player, agent in enumerate(agents)]
        moves[t] = game.check_strategies(chosen, "agents' strategies")
    return RepeatedPlay(moves, game.payoffs[(slice(None), *moves.T)].T)


def mixed_agent(weights: Sequence[float]) -> Agent:
    """An agent who draws every strategy independently with these probabilities."""
    weights = listed("weights", weights)
    weights = check_mix("weights", weights, len(weights))
    return lambda player, past, rng: int(rng.choice(len(weights), p=weights))


def pattern_agent(pattern: Sequence[int]) -> Agent:
    """An agent who plays these strategies over and over."""
    pattern = [whole_number("pattern", k) for k in listed("pattern", pattern)]
    if not pattern:
        raise ValueError("pattern = []: at least one strategy is needed")
    return lambda player, past, rng: pattern[len(past) % len(pattern)]


def predicting_agent(game: NormalFormGame, order: int = 1) -> Agent:
    """An agent for two-player games who learns what the opponent tends to do after the last few of its own moves.

    Parameters
    ----------
    game : NormalFormGame
        Of two players.
    order : int
        How many of the opponent's latest moves make the context, 0 to 8.

    Returns
    -------
    callable
        It counts what the opponent played whenever the context was the present one, adds 1 to each count, and plays the
        first of the best replies to these frequencies; before there is a full context, to uniform play.

    Raises
    ------
    ValueError
        If there are not two players, or the order is out of range.
    """
    if game.players != 2:
        raise ValueError(f"game of {game.players} players: two are needed")
    order = whole_number("order", order, 0, MOST_ORDER)

    def agent(player, past, rng):
        theirs = past[:, 1 - player].tolist()
        counts = np.ones(game.counts[1 - player])
        for t in range(order, len(theirs)):
            if theirs[t - order : t] == theirs[len(theirs) - order :]:
                counts[theirs[t]] += 1
        payoffs = game.payoffs[player] if player == 0 else game.payoffs[player].T
        return int(np.argmax(dot(payoffs, counts)))

    return agent


def independent_moves(weights: Sequence[float], rounds: int, runs: int, seed: int) -> np.ndarray:
    """Moves drawn independently, shape (runs, rounds).

    Parameters
    ----------
    weights : sequence of float
        The probability of each strategy.
    rounds, runs : int
    seed : int
    """
    weights = listed("weights", weights)
    return chain_moves([weights] * len(weights), rounds, runs, seed)


def chain_moves(transitions, rounds: int, runs: int, seed: int) -> np.ndarray:
    """Moves that depend on the move before, shape (runs, rounds).

    Parameters
    ----------
    transitions : array_like, shape (strategies, strategies)
        The probability of each strategy after each strategy. The first move is as if after a uniform draw.
    rounds, runs : int
    seed : int

    Raises
    ------
    ValueError
        If an argument is out of range, a row does not sum to 1, or the moves would take more than 2 GiB.
    """
    table = _check_chain(transitions)
    rounds, runs = whole_number("rounds", rounds, 1), whole_number("runs", runs, 1)
    in_memory(f"rounds = {rounds}, runs = {runs}", 16.0 * rounds * runs)
    rng = np.random.default_rng(check_seed(seed))
    edges = table.cumsum(axis=1)[:, :-1]
    moves = np.empty((runs, rounds), int)
    last = rng.integers(len(table), size=runs)
    for t in range(rounds):
        last = (rng.random((runs, 1)) >= edges[last]).sum(axis=1)
        moves[:, t] = last
    return moves


def predictor_replies(matrix, moves: np.ndarray, order: int = 1) -> np.ndarray:
    """What a predicting column player answers to the moves of row players, each run on its own.

    Parameters
    ----------
    matrix : array_like, shape (m, n)
        What the column player pays to the row player.
    moves : ndarray of int, shape (runs, rounds)
        The row player's moves, which do not depend on the replies.
    order : int
        As for `predicting_agent`, whose replies these are.

    Returns
    -------
    ndarray of int, shape (runs, rounds)

    Raises
    ------
    ValueError
        If an argument is out of range.
    """
    matrix = matrix_of("matrix", matrix)
    moves = np.asarray(moves)
    if moves.ndim != 2 or moves.dtype.kind not in "iu" or not ((moves >= 0) & (moves < len(matrix))).all():
        raise ValueError(f"moves = {shown(moves)}: an array (runs, rounds) of row numbers is needed")
    order = whole_number("order", order, 0, MOST_ORDER)
    in_memory(f"order = {order} of {len(matrix)} rows", 8.0 * float(len(matrix)) ** (order + 1))
    replies = np.empty(moves.shape, np.int64)
    _kernels.predict(matrix, moves.astype(np.int64), order, replies)
    return replies


def chain_guarantee(matrix, transitions, order: int = 1) -> float:
    """What is left of a player whose moves form a Markov chain against an opponent who knows it.

    Parameters
    ----------
    matrix : array_like, shape (m, n)
        What the column player pays to the row player.
    transitions : array_like, shape (m, m)
        The probability of each row after each row; there must be a single set of rows that recur.
    order : int
        How many of the latest moves the opponent knows: with 0 only how often each is played, otherwise also the last
        one, as more tell nothing new.

    Returns
    -------
    float
        The row player's payoff per round in the long run.

    Raises
    ------
    ValueError
        If an argument is out of range, or the long run depends on the first move.
    """
    table = _check_chain(transitions)
    order = whole_number("order", order, 0, MOST_ORDER)
    often = stationary(table)
    if often is None:
        raise ValueError(f"transitions = {shown(transitions)}: a chain with one set of recurring rows is needed")
    if order == 0:
        return guarantee(matrix, often)
    return sum(float(share) * guarantee(matrix, row) for share, row in zip(often, table, strict=True))


def _check_chain(transitions) -> np.ndarray:
    table = matrix_of("transitions", transitions)
    return np.array([check_mix(f"transitions[{k}]", row, len(table)) for k, row in enumerate(table)])
