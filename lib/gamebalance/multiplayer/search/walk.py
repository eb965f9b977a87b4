"""What all searches share: the way down a game, counted and checked, the form of the answer, and contests."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from gamebalance.base.checks import function, instance, listed, shown, whole_number
from gamebalance.base.tabled import Tabled
from gamebalance.multiplayer.protocols import (
    CHANCE,
    OVER,
    Game,
    Move,
    State,
    check_game,
    check_payoffs,
    check_state,
    legal_moves,
    mover_of,
)

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class SearchResult(Tabled):
    """The answer of one search, and what it cost, in the units of the game's payoffs.

    Attributes
    ----------
    value
        Payoff of every player (MaxN, MCTS), or of the searching player alone (Paranoid, Best-Reply Search), under the
        assumptions of the method.
    move
        None where there is nothing to move, or no ply to look ahead.
    nodes, hits
        States that the search arrived at, the root included, and answers from the table. A state that is reached on two
        ways counts twice.
    leaves
        Those of `nodes` that were valued by the game's payoffs: ended, or at the depth limit.
    principal_variation, movers
        The line of play that the search expects, and who makes each move; in Best-Reply Search players between have
        passed.
    visits, standard_error
        Playouts through each move of the root, and the error of each component of `value`: it measures the noise of
        the playouts, not their bias (MCTS only).
    """

    value: Any
    move: Move | None
    nodes: int
    leaves: int
    principal_variation: tuple = ()
    movers: tuple = ()
    hits: int = 0
    visits: Mapping | None = None
    standard_error: tuple | None = None

    def to_frame(self) -> "pandas.DataFrame":
        """A row for each player whose payoff was found: `value`, and `error`, the standard error of playouts (MCTS)."""
        import pandas

        values = self.value if isinstance(self.value, tuple) else (self.value,)
        players = range(len(values)) if isinstance(self.value, tuple) else self.movers[:1] or ["searcher"]
        errors = [0.0] * len(values) if self.standard_error is None else self.standard_error
        return pandas.DataFrame({"value": values, "error": errors}, pandas.Index(players, name="player"))

    def _headings(self) -> dict[str, str]:
        return {"value": "payoff", "error": "± (s.e.)"}

    def _about(self) -> str:
        move = "no move" if self.move is None else f"move {shown(self.move)}"
        return f"Search: {move}, after {self.nodes:,} states"


class Walk:
    """One search's way down a game: counts what it meets and refuses what no search can use.

    A line of play is a linked triple ``(player, move, rest)``; a state's line shares memory with its successors'.
    """

    def __init__(self, game: Game, state: State, depth: int | None):
        self.game = check_game(game)
        check_state(game, state)
        self.depth = math.inf if depth is None else whole_number("depth", depth)
        self.nodes = self.leaves = self.hits = 0

    def arrive(self, state: State, depth: float) -> tuple | None:
        """Count the state; its payoffs if it is a leaf (ended, or no plies left), else None."""
        self.nodes += 1
        if depth > 0 and self.game.mover(state) != OVER:
            return None
        self.leaves += 1
        return check_payoffs(self.game, self.game.payoffs(state), state)

    def player(self, state: State) -> int:
        """The player to move; refused where chance moves, which not every method can take."""
        mover = mover_of(self.game, state)
        if mover == CHANCE:
            raise ValueError(f"state = {shown(state)}: chance moves there, and this method is for games without chance")
        return mover

    def moves(self, state: State) -> Iterator[tuple[Move, State]]:
        """Pairs of a legal move and the state after it, made one by one."""
        return ((move, self.game.play(state, move)) for move in legal_moves(self.game, state))

    def searcher(self, state: State, player: int | None = None) -> int:
        """Whose search it is: `player`, else the one to move; in an ended game without one, player 0."""
        if player is not None:
            return whole_number("player", player, 0, self.game.players - 1)
        return 0 if self.game.mover(state) == OVER else self.player(state)

    def result(self, visit: Callable[[], tuple]) -> SearchResult:
        """Run the search and unfold its value and line; ValueError if play goes on for longer than can be followed."""
        try:
            value, line = visit()
        except RecursionError:
            depth = None if self.depth == math.inf else self.depth
            raise ValueError(f"depth = {depth}: play goes on too long to be followed; fewer plies are needed") from None
        steps = []
        while line:
            *step, line = line
            steps.append(step)
        movers, moves = tuple(mover for mover, _ in steps), tuple(move for _, move in steps)
        return SearchResult(value, moves[0] if moves else None, self.nodes, self.leaves, moves, movers, self.hits)


#: The most games of one tournament.
MOST_GAMES = 10**6

Policy = Callable[[Game, State], Move]


@dataclass(frozen=True)
class RoundRobin(Tabled):
    """A tournament of the methods `names`: mean payoffs over the openings, shape (seatings, players).

    Each seating has the method, by its place in `names`, of every player.
    """

    names: tuple
    seatings: tuple
    payoffs: np.ndarray
    openings: int

    def means(self) -> np.ndarray:
        """Mean payoff of every method over its seats in the seatings of several methods; shape (methods,).

        Where all players use one method, nobody gains on anybody (Sturtevant, 2003).
        """
        total, count = np.zeros(len(self.names)), np.zeros(len(self.names))
        for seating, payoffs in zip(self.seatings, self.payoffs, strict=True):
            if len(set(seating)) == 1:
                continue
            np.add.at(total, list(seating), payoffs)
            np.add.at(count, list(seating), 1)
        return total / np.where(count, count, np.nan)

    def alone(self) -> np.ndarray:
        """Mean payoff of one player of a method (row) when all others use another (column), both of `names`."""
        total, count = np.zeros((2, len(self.names), len(self.names)))
        for seating, payoffs in zip(self.seatings, self.payoffs, strict=True):
            for seat, own in enumerate(seating):
                others = set(seating[:seat] + seating[seat + 1 :]) or {own}
                if len(others) == 1:
                    other = others.pop()
                    total[own, other] += payoffs[seat]
                    count[own, other] += 1
        return total / np.where(count, count, np.nan)

    def to_frame(self) -> "pandas.DataFrame":
        """A row for each method: its mean payoff over the seatings of several methods."""
        import pandas

        return pandas.DataFrame({"payoff": self.means()}, pandas.Index(self.names, name="method"))

    def _headings(self) -> dict[str, str]:
        return {"payoff": "mean payoff"}

    def _about(self) -> str:
        return f"A tournament of {len(self.names)} methods: {len(self.seatings)} seatings, {self.openings:,} openings"


def play_game(game: Game, state: State, policies: Sequence[Policy], most_plies: int = 10_000) -> tuple:
    """The payoffs of the game in which player i moves as ``policies[i](game, state)`` says."""
    walk, policies = Walk(game, state, None), listed("policies", policies)
    if len(policies) != game.players:
        raise ValueError(f"policies: {len(policies)} of them, one for each of {game.players} players is needed")
    for number, policy in enumerate(policies):
        function(f"policies[{number}]", policy, "game, state")
    for _ in range(whole_number("most_plies", most_plies, 1)):
        if game.mover(state) == OVER:
            return check_payoffs(game, game.payoffs(state), state)
        player = walk.player(state)
        move = policies[player](game, state)
        if move not in legal_moves(game, state):
            raise ValueError(f"policies[{player}]: it moves {shown(move)} in {shown(state)}, which is not legal there")
        state = game.play(state, move)
    raise ValueError(f"most_plies = {most_plies}: the game had not ended by then")


def round_robin(game: Game, openings: Sequence[State], policies: Mapping[str, Policy]) -> RoundRobin:
    """Play every seating of the methods from every opening; `MOST_GAMES` games are allowed.

    A policy is a function (game, state) to a move. It is asked once for each state; so it has to depend on the state
    alone, as deterministic searches do.
    """
    check_game(game)
    names, openings = tuple(instance("policies", policies, Mapping)), listed("openings", openings)
    games = len(names) ** game.players * len(openings)
    if not 1 <= games <= MOST_GAMES:
        raise ValueError(f"openings, policies: they make {games} games, from 1 to {MOST_GAMES} are allowed")
    for name in names:
        function(f"policies[{name!r}]", policies[name], "game, state")
    remembered = [_remembering(partial(policies[name], game)) for name in names]
    seatings = tuple(product(range(len(names)), repeat=game.players))
    played = [[play_game(game, state, [remembered[i] for i in each]) for state in openings] for each in seatings]
    return RoundRobin(names, seatings, np.array([np.mean(payoffs, axis=0) for payoffs in played]), len(openings))


def _remembering(policy: Callable[[State], Move]) -> Policy:
    cached = cache(policy)
    return lambda game, state: cached(state)
