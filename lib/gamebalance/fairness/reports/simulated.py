"""A game too large to be followed through all its states, or of which only games can be played: samples with errors."""

from collections.abc import Callable, Collection, Hashable, Mapping
from functools import cached_property
from typing import Any

import numpy as np

from gamebalance.base.checks import shown
from gamebalance.base.estimates import Estimate
from gamebalance.base.rounding import meant
from gamebalance.fairness.endings import Endings
from gamebalance.fairness.measures import lead_changes
from gamebalance.fairness.reports.exact import kingmakers
from gamebalance.fairness.reports.players import (
    AtRandom,
    Experienced,
    Following,
    Greedy,
    Player,
    Searching,
    played_on,
)
from gamebalance.fairness.reports.playing import Played, play_game, run_simulator
from gamebalance.fairness.reports.tables import Seats, endings_of, is_game, wins
from gamebalance.fairness.reports.wording import NOTES
from gamebalance.multiplayer.graph import GameGraph, TooManyStates
from gamebalance.multiplayer.graph.policies import Policy, best
from gamebalance.multiplayer.protocols import Game, standing

#: Positions of one game at which it is asked who leads, and playouts from each.
POSITIONS, PROSPECTS = 3, 64
#: Kingmakers are looked for where what is left of the game has at most so many states.
REST = 400


class SimulatedPlay:
    """A game under each way to play, by games that are played.

    Parameters
    ----------
    game : Game or callable
        A function plays a game by itself: ``play(rng, players)``.
    seats : Seats
    games : int
        How many games are played in each way.
    contests : int
        How many when somebody who looks ahead sits at the table, which takes longer.
    playouts : int
        From each move of a player who searches.
    looks : int
        Of how many games of each way the states are looked at, for what takes long.
    seed : int
    own : mapping of str to policy
        Further ways to play, by name.
    ways : collection of str
        Which of the built-in ones there are.
    """

    best = None

    def __init__(
        self,
        game: Game | Callable,
        seats: Seats,
        games: int,
        contests: int,
        playouts: int,
        looks: int,
        seed: int,
        own: Mapping[str, Policy] | None = None,
        ways: Collection[str] = ("random", "greedy", "searching"),
    ):
        self.game, self.seats, self.seed = game, seats, seed
        self.games, self.contests, self.playouts, self.looks = games, contests, playouts, looks
        self._is_game = is_game(game)
        self._shows = self._is_game and not hasattr(game, "information")
        built_in = {"random": AtRandom(), "searching": None}  # who has experience is found when it is first needed
        if self._shows:
            built_in = {"random": AtRandom(), "greedy": Greedy(game), "searching": Searching(game, playouts)}
        self.levels: dict[str, Player | None] = {name: built_in[name] for name in built_in if name in ways}
        self.levels |= {name: Following(policy) for name, policy in (own or {}).items()}
        self._played: dict[tuple, list[Played]] = {}

    @cached_property
    def notes(self) -> dict[str, str]:
        """How each of the built-in ways plays, in words."""
        if self._shows:
            searching = f"the move that does best in {self.playouts} games played on at random from each"
        else:
            searching = f"the move that did best in {self.games:,} games at random, by what the player knows"
        searching += "; with more of them it would play better, which errors do not tell"
        notes = NOTES | {"searching": searching}
        left_out = {
            "greedy": "left out: not asked for" if self._shows else "left out: states are not seen",
            "searching": "left out: too slow, or not asked for",
            "best": "not found: the game has too many states"
            if self._is_game
            else "not found: a function has no states",
        }
        return {name: notes[name] if name in self.levels else left_out[name] for name in (*NOTES, "best")}

    def played(self, *levels: str) -> list[Played]:
        """The games of a table; the same ones whenever they are asked for, and whatever was asked before."""
        levels = levels * self.seats.players if len(levels) == 1 else levels
        if levels not in self._played:
            table = [self._player(level) for level in levels]
            count = self.games if set(levels) == {"random"} else self.contests
            places = [list(self.levels).index(level) for level in levels]
            run = play_game if self._is_game else run_simulator
            self._played[levels] = [
                run(self.game, table, np.random.default_rng([self.seed, *places, number])) for number in range(count)
            ]
        return self._played[levels]

    def endings(self, *levels: str) -> Endings:
        """Who wins and what everybody gets, counted."""
        games = self.played(*levels)
        points, counts = np.unique(meant(np.array([game.payoffs for game in games])), axis=0, return_counts=True)
        lengths = np.array([len(game.asked) for game in games], float)
        length = _mean(lengths)
        return endings_of(self.seats, points, counts / len(games), len(games), length)

    def shape(self, level: str) -> dict[str, Estimate]:
        """What the play of one way is like, by the names of `wording.MEASURES`, as far as games tell."""
        games = self.played(level)
        lengths = np.array([len(game.asked) for game in games], float)
        spread = lengths.std(ddof=1)
        fourth = np.mean((lengths - lengths.mean()) ** 4)
        error = np.sqrt(max(fourth - spread**4, 0.0) / len(games)) / (2 * spread) if spread > 0 else 0.0
        found = {"length": _mean(lengths), "spread of length": Estimate(float(spread), float(error))}
        if self._is_game and self.looks:
            found |= self._told_by_states(level, games[: self.looks])
        return {name: Estimate(*meant(tuple(value))) for name, value in found.items()}

    def _told_by_states(self, level: str, games: list[Played]) -> dict[str, Estimate]:
        """What takes a look at the states of a game."""
        changes = [self._lead_changes(game) for game in games]
        drama = self._drama(level, games)
        found = {} if drama is None else {"drama, at least": drama}
        if any(change is not None for change in changes):
            found["changes of standing"] = _mean(np.array([change or 0 for change in changes], float))
        if self._shows:
            found["kingmaking, at least"] = _mean(np.array([self._kingmaker(game) for game in games], float))
        return found

    def _player(self, level: str) -> Player:
        if self.levels[level] is None:
            self.levels[level] = self._experienced()
        return self.levels[level]

    def _experienced(self) -> Experienced:
        """Whoever has seen the random games."""
        worth: dict[tuple[Hashable, Any], tuple[float, int]] = {}
        for game in self.played("random"):
            for player, known, _, move, _ in game.asked:
                try:
                    total, times = worth.get((known, move), (0.0, 0))
                except TypeError:
                    raise ValueError(
                        f"known = {shown(known)}, move = {shown(move)}: hashable values are needed, such as tuples"
                    ) from None
                worth[known, move] = total + game.payoffs[player], times + 1
        return Experienced(worth)

    def _lead_changes(self, game: Played) -> int | None:
        """How often the player or side with the best standing changed; None if standings never differed."""
        points = np.array([standing(self.game, asked.state) for asked in game.asked], float)
        alone = wins(points.reshape(-1, self.seats.players), self.seats.sides) == 1
        leaders = [int(ahead.argmax()) if ahead.any() else None for ahead in alone]
        return None if all(leader is None for leader in leaders) else lead_changes(leaders)

    def _drama(self, level: str, games: list[Played]) -> Estimate | None:
        """How far behind the leader the winner to be is, at positions drawn from decided games.

        Who leads is told by one half of the playouts, and how far by the other: so it is no larger on the average than
        it is in truth. None if fewer than two games were decided.
        """
        rng = np.random.default_rng([self.seed, list(self.levels).index(level), 1])
        behind, moves = [], []
        for game in games:
            won = wins(np.array([game.payoffs]), self.seats.sides)[0]
            if not won.any() or not game.asked:
                continue
            positions = [game.asked[place].state for place in rng.integers(len(game.asked), size=POSITIONS)]
            behind.append(np.mean([self._behind(state, won / won.sum(), rng) for state in positions]))
            moves.append(len(game.asked))
        if len(moves) < 2:
            return None
        weight, behind = np.array(moves, float), np.array(behind)
        mean = (weight * behind).sum() / weight.sum()
        return Estimate(float(mean), float(np.sqrt((weight**2 * (behind - mean) ** 2).sum()) / weight.sum()))

    def _behind(self, state: Any, won: np.ndarray, rng: np.random.Generator) -> float:
        ends = [self.game.payoffs(played_on(self.game, state, rng)) for _ in range(PROSPECTS)]
        each = wins(np.array(ends, float), self.seats.sides)
        first, second = each[: PROSPECTS // 2].mean(axis=0), each[PROSPECTS // 2 :].mean(axis=0)
        return float(second[first.argmax()] - (won * second).sum())

    def _kingmaker(self, game: Played) -> bool:
        """Whether somebody decides between others near the end, where the rest of the game is small enough to solve."""
        rest = None
        for asked in reversed(game.asked):
            try:
                rest = GameGraph(self.game, REST, asked.state)
            except TooManyStates:
                break
        if rest is None:
            return False
        marked = kingmakers(rest, best(rest))
        met = {asked.state for asked in game.asked}
        return any(state in met for state, decides in zip(rest.states, marked, strict=True) if decides)


def _mean(values: np.ndarray) -> Estimate:
    return Estimate(float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(values))))
