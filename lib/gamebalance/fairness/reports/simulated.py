"""A game too large to be followed through all its states, or of which only games can be played: samples with errors."""

from collections.abc import Callable, Collection, Hashable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from math import log10
from typing import Any

import numpy as np

from gamebalance.base.checks import shown
from gamebalance.base.estimates import Estimate
from gamebalance.base.rounding import meant
from gamebalance.fairness.endings import Endings
from gamebalance.fairness.measures import lead_changes
from gamebalance.fairness.reports.exact import ExactShape, differences, largest_entropy, outcomes
from gamebalance.fairness.reports.playing import (
    WITHIN,
    Asked,
    Experienced,
    Played,
    at_random,
    following,
    greedy,
    notes_of,
    play_game,
    played_on,
    run_simulator,
    searching,
)
from gamebalance.fairness.reports.tables import ForWins, Seats, endings_of, is_game, wins, won_by_party
from gamebalance.fairness.reports.told import standings
from gamebalance.multiplayer.at_once import InTurn, at_once, before_choices, written_state
from gamebalance.multiplayer.graph import GameGraph, TooManyStates
from gamebalance.multiplayer.graph.policies import Policy
from gamebalance.multiplayer.graph.symmetry import Alike
from gamebalance.multiplayer.protocols import standing

#: So often somebody who searches by experience is trained anew, each time with other random games.
TRAININGS = 8
#: Positions of one game at which it is asked who leads, and playouts from each.
POSITIONS, PROSPECTS = 3, 64
#: The last turns of a game are looked at from which on it has at most so many states.
REST = 400


@dataclass(eq=False, repr=False)
class SimulatedPlay:
    """A game, or a function ``play(rng, players)``, under each way to play, by games that are played.

    So many `games` are played at random, and `contests` in other ways and where somebody sits alone among others;
    `playouts` from each move of a player who searches; the states of `looks` games of each way are looked at.
    """

    best = equilibria = None
    unseen = False
    game: Any
    seats: Seats
    games: int
    contests: int
    playouts: int
    looks: int
    seed: int
    own: Mapping[str, Policy] | None = None
    ways: Collection[str] = ("random", "greedy", "searching")
    alike: Alike | None = None
    goal: str = "points"

    def __post_init__(self):
        self.is_game = is_game(self.game)
        self._shows = self.is_game and not hasattr(self.game, "information")
        built_in: dict[str, Any] = {"random": at_random, "searching": None}  # who has experience is made when needed
        if self._shows:
            aim = ForWins(self.game) if self.goal == "win" else self.game
            built_in = {"random": at_random, "greedy": greedy(aim), "searching": searching(aim, self.playouts)}
        self.levels: dict[str, Any] = {name: built_in[name] for name in built_in if name in self.ways}
        self.levels |= {name: following(policy) for name, policy in (self.own or {}).items()}
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

    @property
    def notes(self) -> dict[str, str]:
        """How each of the built-in ways plays, in words."""
        search = f"the move that does best in {self.playouts} games played on at random from each"
        if not self._shows:
            search = (
                f"the move that did best in {self.games:,} games at random, by what the player knows; moves that did "
                f"as well within {WITHIN} standard errors are mixed; trained {TRAININGS} times, and errors hold that"
            )
        search += "; with more of them it plays otherwise, and errors do not tell how"
        left_out = {
            "greedy": f"left out: {'not asked for' if self._shows else 'players do not see states'}",
            "searching": "left out: too slow, or not asked for",
            "best": self.why_not,
        }
        notes = notes_of(self.goal) | {"searching": search, "best": ""}
        return {name: note if name in self.levels else left_out[name] for name, note in notes.items()}

    def _trained_there(self, *levels: str) -> bool:
        return any(self.levels[level] is None for level in levels)

    def played(self, *levels: str) -> list[Played]:
        """The games of a table; the same ones whenever they are asked for, and whatever was asked before.

        Where somebody is trained, game number n is played by those of training n modulo `TRAININGS`.
        """
        levels = levels * self.seats.players if len(levels) == 1 else levels
        if levels not in self._played:
            count = self.games if set(levels) == {"random"} else self.contests
            count = max(count, 2 * TRAININGS) if self._trained_there(*levels) else count
            self._played[levels] = [self.one(levels, number) for number in range(count)]
        return self._played[levels]

    def one(self, levels: tuple[str, ...], number: int) -> Played:
        """The game of a table with this number; the same one whenever it is asked for."""
        table = [self.player(level, number % TRAININGS) for level in levels]
        places = [list(self.levels).index(level) for level in levels]
        run = play_game if self.is_game else run_simulator
        return run(self.game, table, np.random.default_rng([self.seed, *places, number]))

    def endings(self, *levels: str) -> Endings:
        """Who wins and what everybody gets, counted."""
        games = self.played(*levels)
        runs = np.arange(len(games)) % TRAININGS if self._trained_there(*levels) else None
        points = meant(np.array([game.payoffs for game in games], float))
        length = mean(np.array([len(game.asked) for game in games], float))
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
        if not self._trained_there(level):
            return None
        asked = [
            (move, self.player(level, number % TRAININGS))
            for number, game in enumerate(self.played(level))
            for move in game.asked
            if len(move.moves) > 1
        ]
        if not asked:
            return None
        met = [move.known in player.tried for move, player in asked]
        apart = [len(player.best(move.known, move.moves)) < len(move.moves) for move, player in asked]
        return float(np.mean(met)), float(np.mean(apart))

    def shape(self, level: str) -> dict[str, Estimate]:
        """What the play of one way is like, by the names of `MEASURES`, as far as games tell."""
        games = self.played(level)
        runs = TRAININGS if self._trained_there(level) else 0
        measures = of_games(games, self.seats, level == "random", runs)
        if self.is_game:
            rng = np.random.default_rng([self.seed, list(self.levels).index(level), 1])
            measures |= of_states(self.game, games, self.looks, self.seats, rng, runs)
        return {name: Estimate(*meant(tuple(value))) for name, value in measures.items()}

    def prospects(self) -> Callable[[Any], np.ndarray | None]:
        """What says of a state how far each party is, were it over then."""
        return standings(self.game, self.seats)

    def player(self, level: str, training: int = 0) -> Any:
        """Who plays so, of those of a training if it is by experience."""
        if self.levels[level] is not None:
            return self.levels[level]
        while len(self._trained) <= training:
            self._trained.append(self._experienced(len(self._trained)))
        return self._trained[training]

    def _experienced(self, training: int) -> Experienced:
        """Whoever has seen random games, others in each training."""
        everybody = ("random",) * self.seats.players
        numbers = range(training * self.games, (training + 1) * self.games)
        games = (self.one(everybody, number) for number in numbers) if training else self.played("random")
        tried: dict[Hashable, dict[Any, tuple[int, float, float]]] = {}
        got: list[float] = []
        for game in games:
            wanted = game.payoffs if self.goal == "points" else wins([game.payoffs], self.seats.sides)[0].tolist()
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
                moves[move] = (times + 1, total + gain, squares + gain**2)
        return Experienced(tried, float(np.var(got)))


def of_games(games: list[Played], seats: Seats, random: bool, runs: int = 0) -> dict[str, Estimate]:
    """What games tell by their payoffs and the moves there were, played at random or not.

    If they are of so many `runs`, in turn, those of a run have more in common, and errors are those of the runs'
    values.
    """
    points = np.array([game.payoffs for game in games], float)
    counts = [np.array([len(asked.moves) for asked in game.asked]) for game in games]
    each_game = [(len(each), each.sum(), (each > 1).sum(), each[each > 1].sum()) for each in counts]
    length, options, real, real_options = np.array(each_game, float).T
    apart, won = differences(points, seats), won_by_party(points, seats)
    measures = {
        "length": mean(length),
        "spread of length": _deviation(length),
        "median length": _median(length),
        "difference of scores": None if apart is None else mean(apart),
        "uniformity of outcomes": _uniformity(outcomes(won), won.shape[1]),
        "branching factor": _ratio(options, length),
        "decision factor": _ratio(real_options, real),
        "real choices": _ratio(real, length),
        "size of the tree, at least": mean(np.array([np.log10(each).sum() for each in counts])) if random else None,
    }
    found = {name: each for name, each in measures.items() if each is not None}
    each_run = [of_games(games[run::runs], seats, random) for run in range(runs)]
    for name in found if runs else ():
        values = [run[name].value for run in each_run if name in run]
        found[name] = Estimate(found[name].value, float(np.std(values, ddof=1) / np.sqrt(len(values))))
    return found


def of_states(
    game: Any, games: list[Played], looks: int, seats: Seats, rng: np.random.Generator, runs: int = 0
) -> dict[str, Estimate]:
    """What games tell by their states; of so many of them by what could have followed. They may be of so many runs."""
    measures: dict[str, Estimate | None] = {}
    turns = [_turns(each) for each in games]
    many = np.array([len(each) for each in turns], float)
    with suppress(TypeError):  # states that cannot be told apart, but played
        different = np.array([len({asked.state for asked in each}) for each in turns])
        measures["repetition"] = _ratio(many - different, many, runs)
        states = len({written_state(asked.state) for each in games for asked in each.asked})
        measures["state space, at least"] = Estimate(log10(states)) if states else None
    if looks:
        games, turns, one = games[:looks], turns[:looks], np.ones(len(games[:looks]))
        changes = [_changes_of_standing(game, each, seats) for each in games]
        shows = not hasattr(game.game if isinstance(game, InTurn) else game, "information")
        rests = [_rest(game, *each, seats, shows) for each in zip(games, turns, strict=True)]
        is_open, decides = (np.array(column, float) for column in zip(*rests, strict=True))
        measures["drama, at least"] = _drama(game, games, seats, rng, runs)
        if any(change is not None for change in changes):
            measures["changes of standing"] = _ratio(np.array([change or 0 for change in changes]), one, runs)
        measures["kingmaking, at least"] = _ratio(decides, one, runs) if shows else None
        measures["decided after, at most"] = _ratio(is_open, many[:looks], runs)
    return {name: each for name, each in measures.items() if each is not None}


def _turns(game: Played) -> list[Asked]:
    """The moves with which turns begin: none that is forced, and of those who choose at once the first."""
    turns: list[Asked] = []
    begun = False
    for asked in game.asked:
        begun = begun and _inside(asked)
        if not begun and len(asked.moves) > 1:
            begun = True
            turns.append(asked._replace(state=before_choices(asked.state)))
    return turns


def _inside(asked: Asked) -> bool:
    """Whether some of those who choose at once have chosen."""
    choice = at_once(asked.state)
    return choice is not None and len(choice.chosen) > 0


def _changes_of_standing(game: Any, played: Played, seats: Seats) -> int | None:
    """How often the party with the best standing changed; None if standings never differed before the end."""
    points = [standing(game, asked.state) for asked in played.asked if not _inside(asked)]
    alone = won_by_party(np.array([*points, played.payoffs], float), seats) == 1
    leaders = [int(ahead.argmax()) if ahead.any() else None for ahead in alone]
    return None if all(leader is None for leader in leaders[:-1]) else lead_changes(leaders)


def _drama(game: Any, games: list[Played], seats: Seats, rng: np.random.Generator, runs: int) -> Estimate | None:
    """How far behind the leader the winner to be is, at positions drawn from decided games; None if there are too few.

    One half of the playouts tells who leads, the other how far: so it is no larger on the average than in truth.
    """
    behind, moves = np.zeros((2, len(games)))
    for number, each in enumerate(games):
        won = won_by_party(np.array([each.payoffs], float), seats)[0]
        real = [before_choices(asked.state) for asked in each.asked if len(asked.moves) > 1]
        if won.any() and real:
            places = rng.integers(len(real), size=POSITIONS)
            behind[number] = np.mean([_behind(game, real[place], won / won.sum(), seats, rng) for place in places])
            moves[number] = len(real)
    drama = _ratio(moves * behind, moves, runs) if np.count_nonzero(moves) > 1 else None
    return drama and Estimate(max(drama.value, 0.0), drama.error)


def _behind(game: Any, state: Any, won: np.ndarray, seats: Seats, rng: np.random.Generator) -> float:
    ends = [game.payoffs(played_on(game, state, rng)) for _ in range(PROSPECTS)]
    each = won_by_party(np.array(ends, float), seats)
    first, second = each[: PROSPECTS // 2].mean(axis=0), each[PROSPECTS // 2 :].mean(axis=0)
    return float(second[first.argmax()] - (won * second).sum())


def _rest(game: Any, played: Played, turns: list[Asked], seats: Seats, shows: bool) -> tuple[int, bool]:
    """At how many turns it may be open who wins, and whether somebody is a kingmaker, as far as few states are left."""
    rest, is_open = None, len(turns)
    for number in range(len(turns) - 1, -1, -1):
        try:
            longer = ExactShape(GameGraph(game, REST, turns[number].state), seats)
        except TooManyStates:
            break
        rest = longer
        if is_open == number + 1 and not rest.undecided[0]:  # once decided, always decided
            is_open = number
        elif not shows:
            break
    if rest is None or not shows:
        return is_open, False
    met = {asked.state for asked in played.asked}
    return is_open, any(state in met for state, king in zip(rest.graph.states, rest.kingmakers, strict=True) if king)


def _uniformity(outcome: np.ndarray, many: int) -> Estimate | None:
    """Entropy over its largest value, with the bias of a sample taken off (Miller 1955); error to the second order."""
    games, largest = len(outcome), largest_entropy(outcome, many)
    if not largest:
        return None
    chance = np.unique(outcome, return_counts=True)[1] / games
    surprise = -np.log(chance)
    mean, more = float((chance * surprise).sum()), (len(chance) - 1) / (2 * games)
    variance = ((chance * surprise**2).sum() - mean**2) / games + more / games
    return Estimate(min((mean + more) / largest, 1.0), float(np.sqrt(max(variance, 0.0))) / largest)


def mean(values: np.ndarray) -> Estimate:
    return Estimate(float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(values))))


def _deviation(values: np.ndarray) -> Estimate:
    """The standard deviation; its error by the fourth moment."""
    spread = values.std(ddof=1)
    fourth = np.mean((values - values.mean()) ** 4)
    error = np.sqrt(max(fourth - spread**4, 0.0) / len(values)) / (2 * spread) if spread > 0 else 0.0
    return Estimate(float(spread), float(error))


def _median(values: np.ndarray) -> Estimate:
    """The least value that half of them do not exceed; its error from those one standard error of ranks apart."""
    values, count = np.sort(values), len(values)
    reach = np.sqrt(count) / 2
    low, high = max(0, int(count / 2 - reach)), min(count - 1, int(np.ceil(count / 2 + reach)) - 1)
    return Estimate(float(values[(count - 1) // 2]), float(values[high] - values[low]) / 2)


def _ratio(part: np.ndarray, whole: np.ndarray, runs: int = 0) -> Estimate | None:
    """A sum over another, each over the games; error by the delta method, or between so many `runs`, in turn."""
    if not whole.any():
        return None
    mean = part.sum() / whole.sum()
    off = part - mean * whole
    if runs:
        off = np.bincount(np.arange(len(off)) % runs, off, runs) * np.sqrt(runs / (runs - 1))
    return Estimate(float(mean), float(np.sqrt((off**2).sum()) / whole.sum()))
