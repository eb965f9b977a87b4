"""Searches against each other at a table of three: every seating, from random openings, under one budget of nodes.

The design is Sturtevant's (A comparison of algorithms for multi-player games, 2003): all assignments of methods to
seats, so that no method gains by sitting where it sits. Every method answers the same question in the same position in
the same way, whatever was played before. So a state that comes again will come for ever: the game is a draw, and no
limit of plies is needed.
"""

import random
import zlib
from collections.abc import Callable
from itertools import combinations_with_replacement, product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from gamebalance._checks import check_seed, one_of, whole_number
from gamebalance.countn.rules import Move
from gamebalance.multiplayer import search

from .forcing import Forcing, solve
from .rules import PLAYERS, START_STATE, State, ThreePlayerGame

METHODS = ("MaxN", "Paranoid", "BRS", "MCTS")
SEATINGS = tuple(product(range(len(METHODS)), repeat=PLAYERS))
#: How the winner is written in a row of results: a seat, or a draw.
WINNERS = "ABC-"
#: A playout of MCTS is cut off after so many plies from the root, and valued as other leaves are.
MCTS_PLIES = 8
#: Nodes that such a playout makes on average, about.
NODES_A_PLAYOUT = 5
MOST_NODES = 10**6
MOST_OPENING = 60
#: What is counted about the moves of each method.
COUNTS = ("moves", "nodes", "depth", "winnable", "kept", "open", "gave")

_SEARCHES: dict[str, Callable] = {"MaxN": search.maxn, "Paranoid": search.paranoid, "BRS": search.best_reply}


class Decision(NamedTuple):
    """A move, the nodes that all searches for it made, and the depth of the last one in plies."""

    move: Move
    nodes: int
    depth: int


def decide(game: ThreePlayerGame, state: State, method: str, nodes: int, seed: int = 0) -> Decision:
    """The move of a method under a budget of nodes.

    MaxN, Paranoid and Best-Reply Search deepen ply by ply, and stop at a win, at the end of all lines, or when one more
    ply, grown as the last one has, would exceed the budget together with all before. MCTS plays `nodes` /
    `NODES_A_PLAYOUT` playouts. The first of equally good moves is taken.

    Parameters
    ----------
    game : ThreePlayerGame
    state : State
    method : {"MaxN", "Paranoid", "BRS", "MCTS"}
    nodes : int
        From 10 to a million.
    seed : int
        For MCTS, which mixes it with the position.

    Raises
    ------
    ValueError
        If an argument is not what is allowed.
    """
    one_of("method", method, METHODS)
    nodes = whole_number("nodes", nodes, 10, MOST_NODES)
    if method != "MCTS":
        return _deepened(game, state, _SEARCHES[method], nodes)
    # The same position gets the same random numbers, whoever is to move and however it came about.
    mixed = zlib.crc32(f"{check_seed(seed)} {state}".encode())
    result = search.mcts(game, state, nodes // NODES_A_PLAYOUT, mixed, MCTS_PLIES)
    return Decision(result.move, result.nodes, len(result.principal_variation))


def _deepened(game: ThreePlayerGame, state: State, method: Callable, budget: int) -> Decision:
    depth, total, last = 1, 0, 1
    while True:
        result = method(game, state, depth)
        total += result.nodes
        ours = result.value[state.mover] if isinstance(result.value, tuple) else result.value
        grown = result.nodes * result.nodes / last
        if ours == 1 or result.nodes == last or total + grown > budget:
            return Decision(result.move, total, depth)
        depth, last = depth + 1, result.nodes


class Table:
    """One opening, and what the methods decide in the positions that come from it."""

    def __init__(self, exact: Forcing, game: ThreePlayerGame, nodes: int, seed: int):
        self.exact, self.game, self.nodes, self.seed = exact, game, nodes, seed
        self._decisions: dict = {}

    def decision(self, method: int, state: State) -> Decision:
        """What a method decides; looked up if the position has been met, whoever was to move."""
        key = method, state.position
        if key not in self._decisions:
            # Turned so that player 0 moves: a method cannot know seats by their numbers.
            self._decisions[key] = decide(self.game, State(state.position), METHODS[method], self.nodes, self.seed)
        return self._decisions[key]

    def play(self, state: State, seating: tuple[int, ...], counts: np.ndarray) -> int | None:
        """The winner of a game, None for a draw; what the moves were like is added to `counts` [method, count]."""
        seen = set()
        while not self.game.is_over(state) and state not in seen:
            seen.add(state)
            method = seating[state.mover]
            decision = self.decision(method, state)
            after = self.game.play(state, decision.move)
            counts[method] += (1, decision.nodes, decision.depth, *self._judged(state, after))
            state = after
        return self.game.winner(state)

    def _judged(self, state: State, after: State) -> tuple[bool, bool, bool, bool]:
        """Could the mover win for certain, and still can it; else, was there a move that gives nobody else a certain
        win, and was this none?"""
        mover = [state.mover]
        won = self.exact.can_force(mover, mover, state)
        avoidable = not won and any(not self._given(child, mover[0]) for child in self._children(state))
        kept = won and self.exact.can_force(mover, mover, after)
        return won, kept, avoidable, avoidable and self._given(after, mover[0])

    def _children(self, state: State) -> list[State]:
        return [self.game.play(state, move) for move in self.game.moves(state)]

    def _given(self, state: State, mover: int) -> bool:
        """Whether another than the player who just moved can now force its own win."""
        return any(self.exact.can_force([player], [player], state) for player in range(PLAYERS) if player != mover)


def opening_state(exact: Forcing, opening: int, plies: int, seed: int) -> State:
    """A random opening of so many plies after which nobody has won and nobody alone can be sure to.

    Parameters
    ----------
    exact : Forcing
    opening : int
        Its number; with `seed`, it decides the moves.
    plies : int
        Up to `MOST_OPENING`.
    seed : int

    Raises
    ------
    ValueError
        If an argument is not what is allowed, or a thousand attempts led to none.
    """
    plies = whole_number("plies", plies, 0, MOST_OPENING)
    drawn = random.Random(f"{check_seed(seed)} {whole_number('opening', opening)}")
    for _ in range(1000):
        state = START_STATE
        for _ in range(plies):
            moves = exact.game.moves(state)
            state = exact.game.play(state, drawn.choice(moves)) if moves else state
        if not exact.game.is_over(state) and not any(exact.can_force([one], [one], state) for one in range(PLAYERS)):
            return state
    raise ValueError(f"plies = {plies}: no opening without a sure winner was found for n = {exact.game.n}")


def row(opening: int, n: int = 8, nodes: int = 600, plies: int = 6, seed: int = 2003) -> dict[str, Any]:
    """All seatings of the methods from one opening.

    Parameters
    ----------
    opening : int
        Its number.
    n : int
        The number to count to.
    nodes : int
        Budget of each move, as for `decide`.
    plies : int
        Random plies of the opening, as for `opening_state`.
    seed : int

    Returns
    -------
    dict
        `opening`; `hands`, the state after it, mover first; `winners`: for each of `SEATINGS` the seat that won
        (A is player 0) or "-" for a draw; for each method its `COUNTS` in games of different methods: moves, nodes,
        depth (sums); moves where it could be sure to win, and those of them that kept that; other moves where some
        move gives no other player a sure win, and those of them that gave one.

    Raises
    ------
    ValueError
        If an argument is not what is allowed.
    """
    nodes = whole_number("nodes", nodes, 10, MOST_NODES)
    exact, game = _solved(n)
    start = opening_state(exact, opening, plies, seed)
    table, counts = Table(exact, game, nodes, seed), np.zeros((len(METHODS), len(COUNTS)), np.int64)
    winners = ""
    for seating in SEATINGS:
        same = len(set(seating)) == 1
        winner = table.play(start, seating, np.zeros_like(counts) if same else counts)
        winners += WINNERS[-1 if winner is None else winner]
    named = {
        f"{method} {count}": int(counts[i, j]) for i, method in enumerate(METHODS) for j, count in enumerate(COUNTS)
    }
    return {"opening": opening, "hands": str(start), "winners": winners, **named}


_SOLVED: dict[int, tuple[Forcing, ThreePlayerGame]] = {}


def _solved(n: int) -> tuple[Forcing, ThreePlayerGame]:
    """The solution and the game, made once in each process."""
    if n not in _SOLVED:
        _SOLVED[n] = solve(n), ThreePlayerGame(n)
    return _SOLVED[n]


def standings(rows: pd.DataFrame) -> pd.DataFrame:
    """How often each method wins against each pair of opponents.

    Parameters
    ----------
    rows : DataFrame
        Rows as of `row`, at least two.

    Returns
    -------
    DataFrame
        One line for each `method` and pair of opponents (`first`, `second`): `games`; `wins` and `draws`, shares of
        games; `wins_error`, `draws_error`, their standard errors. Games from one opening are alike, so the unit of the
        errors is the opening.
    """
    winners = _winners(rows)
    lines = []
    for method, pair in product(range(len(METHODS)), combinations_with_replacement(range(len(METHODS)), 2)):
        games = [
            (place, seat)
            for place, seating in enumerate(SEATINGS)
            for seat in range(PLAYERS)
            if seating[seat] == method and sorted(seating[:seat] + seating[seat + 1 :]) == list(pair)
        ]
        places, seats = map(list, zip(*games, strict=True))
        wins, draws = winners[:, places] == np.array(seats), winners[:, places] == PLAYERS
        line = {"method": METHODS[method], "first": METHODS[pair[0]], "second": METHODS[pair[1]]}
        line["games"] = len(set(places)) * len(winners)
        for name, share in (("wins", wins), ("draws", draws)):
            line[name], line[f"{name}_error"] = _mean(share.mean(axis=1))
        lines.append(line)
    return pd.DataFrame(lines)


def overall(rows: pd.DataFrame) -> pd.DataFrame:
    """Each method over all games of different methods.

    Returns
    -------
    DataFrame
        One line for each `method`: `wins`, the share of its places at the table that won, and its standard error;
        `nodes` and `depth` per move; `kept`: share of kept wins where it could be sure to win; `gave`: share of
        moves that gave another player a sure win where this could be avoided; each with its standard error.
    """
    winners, lines = _winners(rows), []
    for method, name in enumerate(METHODS):
        seats = np.array([[len(set(seating)) > 1 and seated == method for seated in seating] for seating in SEATINGS])
        won = winners[:, :, None] == np.arange(PLAYERS)
        line = {"method": name}
        line["wins"], line["wins_error"] = _mean((won & seats).sum(axis=(1, 2)) / seats.sum())
        for ratio, above, below in (
            ("nodes", "nodes", "moves"),
            ("depth", "depth", "moves"),
            ("kept", "kept", "winnable"),
            ("gave", "gave", "open"),
        ):
            line[ratio], line[f"{ratio}_error"] = _ratio(rows[f"{name} {above}"], rows[f"{name} {below}"])
        lines.append(line)
    return pd.DataFrame(lines)


def _winners(rows: pd.DataFrame) -> np.ndarray:
    """The winning seat of every game, 3 for a draw: shape (openings, seatings)."""
    if len(rows) < 2:
        raise ValueError(f"rows: {len(rows)} of them, at least 2 are needed for a standard error")
    return np.array([[WINNERS.index(letter) for letter in text] for text in rows["winners"]])


def _mean(values: np.ndarray) -> tuple[float, float]:
    """Mean over openings and its standard error."""
    return float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(values)))


def _ratio(above: pd.Series, below: pd.Series) -> tuple[float, float]:
    """A ratio of two totals over openings and its standard error (the linearised estimator of survey sampling)."""
    ratio = above.sum() / below.sum() if below.sum() else np.nan
    residuals = (above - ratio * below).to_numpy(float)
    return float(ratio), float(
        residuals.std(ddof=1) / np.sqrt(len(residuals)) / below.mean()
    ) if below.sum() else np.nan
