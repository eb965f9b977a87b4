"""Methods against each other: every assignment of methods to seats, from given openings."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from gamebalance.base.checks import function, instance, listed, shown, whole_number
from gamebalance.base.tabled import Tabled
from gamebalance.multiplayer.protocols import OVER, Game, Move, State, check_game, check_payoffs, legal_moves
from gamebalance.multiplayer.search.walk import Walk

if TYPE_CHECKING:
    import pandas

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
