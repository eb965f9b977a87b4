"""A game too large to be followed through all its states, or of which only games can be played: samples with errors."""

from collections.abc import Collection, Hashable, Mapping
from functools import cached_property
from typing import Any

import numpy as np

from gamebalance.base.checks import shown
from gamebalance.base.estimates import Estimate
from gamebalance.base.rounding import meant
from gamebalance.fairness.endings import Endings
from gamebalance.fairness.reports import shape
from gamebalance.fairness.reports.playing import (
    WITHIN,
    Experienced,
    Played,
    Tried,
    at_random,
    following,
    greedy,
    notes_of,
    play_game,
    run_simulator,
    searching,
)
from gamebalance.fairness.reports.restricted import ForWins
from gamebalance.fairness.reports.tables import Seats, endings_of, is_game, wins
from gamebalance.multiplayer.at_once import at_once
from gamebalance.multiplayer.graph.policies import Policy
from gamebalance.multiplayer.graph.symmetry import Alike

#: So often somebody who searches by experience is trained anew, each time with other random games.
TRAININGS = 8


class SimulatedPlay:
    """A game, or a function ``play(rng, players)``, under each way to play, by games that are played.

    So many `games` are played at random, and `contests` in other ways and where somebody sits alone among others;
    `playouts` from each move of a player who searches; the states of `looks` games of each way are looked at. All else
    is as for an `ExactPlay`.
    """

    best = equilibria = None
    unseen = False

    def __init__(
        self,
        game: Any,
        seats: Seats,
        games: int,
        contests: int,
        playouts: int,
        looks: int,
        seed: int,
        own: Mapping[str, Policy] | None = None,
        ways: Collection[str] = ("random", "greedy", "searching"),
        alike: Alike | None = None,
        goal: str = "points",
    ):
        self.game, self.seats, self.seed, self.alike = game, seats, seed, alike
        self.games, self.contests, self.playouts, self.looks = games, contests, playouts, looks
        self.is_game, self._goal = is_game(game), goal
        self._shows = self.is_game and not hasattr(game, "information")
        built_in = {"random": at_random, "searching": None}  # those with experience are made when they are needed
        if self._shows:
            aim = ForWins(game) if goal == "win" else game
            built_in = {"random": at_random, "greedy": greedy(aim), "searching": searching(aim, playouts)}
        self.levels: dict[str, Any] = {name: built_in[name] for name in built_in if name in ways}
        self.levels |= {name: following(policy) for name, policy in (own or {}).items()}
        self._played: dict[tuple, list[Played]] = {}
        self._trained: list[Experienced] = []

    @property
    def why_not(self) -> str:
        """Why best play was not found."""
        if not self.is_game:
            return (
                "not found: the game is a function, of which states are not seen. A class with the methods of "
                "`gamebalance new-game` shows them"
            )
        apart = self._shows and getattr(self.game, "merged", None) is False  # a game of another library
        return (
            "not found: the game has too many states to be followed. More are followed with more of them allowed, such "
            "as states=1_000_000 (--states 1000000); fewer there are if positions that go on alike are equal"
            f"{' (merged=True says so)' * apart}, and chance deals all cards in one move"
        )

    @cached_property
    def notes(self) -> dict[str, str]:
        """How each of the built-in ways plays, in words."""
        if self._shows:
            searching = f"the move that does best in {self.playouts} games played on at random from each"
        else:
            searching = (
                f"the move that did best in {self.games:,} games at random, by what the player knows; moves that did "
                f"as well within {WITHIN} standard errors are mixed; trained {TRAININGS} times, and errors hold that"
            )
        searching += "; with more of them it plays otherwise, and errors do not tell how"
        notes = notes_of(self._goal) | {"searching": searching}
        left_out = {
            "greedy": f"left out: {'not asked for' if self._shows else 'players do not see states'}",
            "searching": "left out: too slow, or not asked for",
            "best": self.why_not,
        }
        return {name: notes[name] if name in self.levels else left_out[name] for name in notes | {"best": ""}}

    def trained(self, *levels: str) -> bool:
        """Whether somebody at the table has been trained."""
        return any(self.levels[level] is None for level in levels)

    def played(self, *levels: str) -> list[Played]:
        """The games of a table; the same ones whenever they are asked for, and whatever was asked before.

        Where somebody is trained, game number n is played by those of training n modulo `TRAININGS`.
        """
        levels = levels * self.seats.players if len(levels) == 1 else levels
        if levels not in self._played:
            count = self.games if set(levels) == {"random"} else self.contests
            count = max(count, 2 * TRAININGS) if self.trained(*levels) else count
            self._played[levels] = [self._game(levels, number) for number in range(count)]
        return self._played[levels]

    def _game(self, levels: tuple[str, ...], number: int, training: int | None = None) -> Played:
        training = number % TRAININGS if training is None else training
        table = [self._player(level, training) for level in levels]
        places = [list(self.levels).index(level) for level in levels]
        run = play_game if self.is_game else run_simulator
        return run(self.game, table, np.random.default_rng([self.seed, *places, number]))

    def endings(self, *levels: str) -> Endings:
        """Who wins and what everybody gets, counted."""
        games = self.played(*levels)
        runs = np.arange(len(games)) % TRAININGS if self.trained(*levels) else None
        points = meant(np.array([game.payoffs for game in games], float))
        length = shape.mean(np.array([len(game.asked) for game in games], float))
        alike = self.alike if len(set(levels)) == 1 else None
        return endings_of(self.seats, points, np.full(len(games), 1 / len(games)), len(games), length, runs, alike)

    def variants(self, level: str) -> tuple[Endings, ...]:
        """As of `ExactPlay`: there is one play of each way."""
        return (self.endings(level),)

    def residue(self, level: str) -> float:
        """As of `ExactPlay`: errors tell what differs."""
        return 0.0

    @cached_property
    def begins(self) -> int | None:
        """The player who is asked first, and alone, in all random games; None if there is none."""
        firsts = [game.asked[0] for game in self.played("random") if game.asked]
        movers = {each.player for each in firsts}
        return movers.pop() if len(movers) == 1 and not any(at_once(each.state) for each in firsts) else None

    def seen(self, level: str) -> tuple[float, float] | None:
        """Of the moves of those who were trained: how many in situations that training met, and told moves apart."""
        if not self.trained(level):
            return None
        asked = [
            (move, self._player(level, number % TRAININGS))
            for number, game in enumerate(self.played(level))
            for move in game.asked
            if len(move.moves) > 1
        ]
        if not asked:
            return None
        met = [move.known in player.tried for move, player in asked]
        told = [len(player.best(move.known, move.moves)) < len(move.moves) for move, player in asked]
        return float(np.mean(met)), float(np.mean(told))

    def shape(self, level: str) -> dict[str, Estimate]:
        """What the play of one way is like, by the names of `wording.MEASURES`, as far as games tell."""
        games = self.played(level)
        runs = TRAININGS if self.trained(level) else 0
        found = shape.of_games(games, self.seats, level == "random", runs)
        if self.is_game:
            rng = np.random.default_rng([self.seed, list(self.levels).index(level), 1])
            found |= shape.of_states(self.game, games, self.looks, self.seats, rng, runs)
        return {name: Estimate(*meant(tuple(value))) for name, value in found.items()}

    def _player(self, level: str, training: int) -> Any:
        if self.levels[level] is not None:
            return self.levels[level]
        while len(self._trained) <= training:
            self._trained.append(self._experienced(len(self._trained)))
        return self._trained[training]

    def _experienced(self, training: int) -> Experienced:
        """Whoever has seen random games, others in each training."""
        everybody = ("random",) * self.seats.players
        numbers = range(training * self.games, (training + 1) * self.games)
        games = (self._game(everybody, number) for number in numbers) if training else self.played("random")
        tried: dict[Hashable, dict[Any, Tried]] = {}
        got: list[float] = []
        for game in games:
            wanted = game.payoffs if self._goal == "points" else wins([game.payoffs], self.seats.sides)[0].tolist()
            got += wanted
            for player, known, _, move, _ in game.asked:
                gain = float(wanted[player])
                try:
                    moves = tried.setdefault(known, {})
                    times, total, squares = moves.get(move, (0, 0.0, 0.0))
                except TypeError:
                    raise ValueError(
                        f"known = {shown(known)}, move = {shown(move)}: hashable values are needed, such as tuples"
                    ) from None
                moves[move] = Tried(times + 1, total + gain, squares + gain**2)
        return Experienced(tried, float(np.var(got)))
