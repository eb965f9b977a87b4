"""What a report will do, and how long that takes: exact where a game is small, by games that are played elsewhere."""

import time
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from math import floor, log10
from typing import Any, NamedTuple

import numpy as np

from gamebalance.base.announce import say
from gamebalance.base.checks import listed, number, one_of, shown, span, whole_number
from gamebalance.fairness.reports.exact import ExactPlay
from gamebalance.fairness.reports.players import AtRandom
from gamebalance.fairness.reports.playing import play_game, run_simulator
from gamebalance.fairness.reports.simulated import POSITIONS, PROSPECTS, REST, SimulatedPlay
from gamebalance.fairness.reports.tables import Seats, is_game
from gamebalance.multiplayer.graph import MOST_STATES, GameGraph, TooManyStates
from gamebalance.multiplayer.graph.policies import MOST_ITERATIONS, MOST_VISITS, Policy
from gamebalance.multiplayer.protocols import OVER, Game, check_game, random_move

MOST_PLAYERS = 64
#: Games that are played to see how long one takes.
PILOT = 5
#: The built-in ways to play, from the weakest on.
WAYS = ("random", "greedy", "searching", "best")
#: So many states are looked for without a word.
FEW = 2_000
#: The fewest and the most games of a table, and playouts of a search.
FEWEST, MOST = 50, 100_000
FEWEST_PLAYOUTS, MOST_PLAYOUTS = 2, 32
#: What decides how much is done, and the least of each.
COUNTS = {"states": 0, "games": 2, "contests": 2, "playouts": 0, "looks": 0}
#: Games of each way of which the states are looked at, at most.
MOST_LOOKS = 200


@dataclass(frozen=True)
class Outlook:
    """What a report will do.

    Attributes
    ----------
    seats : Seats
    graph : GameGraph or None
        All states, where they are few enough.
    ways : tuple of str
        The built-in ways to play that are tried.
    states : int
        How many states were looked for.
    games, contests, playouts, looks : int
        Games to be played at random, and at each other table; playouts from each move of a search, of which there is
        none if it is 0; games of which the states are looked at. 0 where all is exact.
    seconds, allowed : float
        About how long it takes here, and how long it might.
    """

    seats: Seats
    graph: GameGraph | None
    ways: tuple[str, ...]
    states: int
    games: int
    contests: int
    playouts: int
    looks: int
    seconds: float
    allowed: float

    @property
    def sentence(self) -> str:
        """What will be done, in words that are the same on every machine."""
        if self.graph is not None:
            known = "players know what `information` tells them" if self.graph.hides else "everybody sees all"
            return f"Exact: all {len(self.graph.states):,} states of the game are followed, and {known}."
        given = ", ".join(f"{name}={getattr(self, name)}" for name in COUNTS)
        why = f", since the game has more than {self.states:,} states" if self.states else ""
        return (
            f"Simulated: {self.games:,} games at random and {self.contests:,} at each other table{why} "
            f"({given} gives the same numbers anywhere)."
        )

    @property
    def announcement(self) -> str:
        """The same, and how long it takes here."""
        if self.graph is not None:
            return f"{self.sentence} This takes about {span(self.seconds)} here."
        more = f", more than the {span(self.allowed)} allowed" if self.seconds > 1.5 * self.allowed else ""
        if more and FEWEST in (self.games, self.contests):
            more += f", since {FEWEST} games of a table are the least (games=10, contests=10 takes less)"
        return f"{self.sentence} This takes up to about {span(self.seconds)} here{more}."


class _Pilot(NamedTuple):
    """What a few random games showed: seconds of a game, and of a move; moves in a game, and options of a move."""

    game: float
    call: float
    moves: float
    options: float


def outlook(
    game: Game | Callable,
    players: int | None = None,
    *,
    ways: Collection[str] = WAYS,
    own: int = 0,
    seconds: float = 60.0,
    **counts: int | None,
) -> Outlook:
    """Decide what a report of a game will do.

    Parameters
    ----------
    game : Game or callable
        A function is ``play(rng, players)``; then `players` says how many play.
    ways : collection of str
        Which of the built-in ways to play are tried; everybody plays at random in one of them anyway.
    own : int
        How many further ways there are.
    seconds : float
        How long the report may take; what cannot be done by then is done with fewer games, or not at all.
    **counts : int, optional
        `states`, `games`, `contests`, `playouts` and `looks` as of `Outlook`; what is not given is decided by how fast
        the game is.
    """
    seconds = float(number("seconds", seconds, 1, 86_400))
    ways = [ways] if isinstance(ways, str) else listed("ways", ways)
    seats, chosen = check_seats(game, players), {one_of("ways", way, WAYS) for way in ways} | {"random"}
    for name, value in counts.items():
        if value is not None:
            whole_number(one_of("counts", name, COUNTS), value, COUNTS[name], 10**7)
    if counts.get("looks") == 1:
        raise ValueError("looks = 1: 0, or 2 or more, since one game tells no error")
    given, ways = {name: counts.get(name) for name in COUNTS}, tuple(name for name in WAYS if name in chosen)
    graph, allowed, pilot = None, 0, None
    if is_game(game):
        allowed = FEW if given["states"] is None else given["states"]
        graph = _graph(game, min(allowed, FEW))
    if graph is None:
        pilot = _pilot(game, seats)
    if is_game(game) and graph is None and allowed >= FEW:
        each = pilot.call * pilot.options
        allowed = _round_down(min(0.3 * seconds / each, MOST_STATES)) if given["states"] is None else allowed
        if allowed > FEW:
            say(f"looking for the states of the game, up to {allowed:,}: up to about {span(1 + 1.5 * allowed * each)}")
            graph = _graph(game, allowed)
    if graph is not None:
        return Outlook(seats, graph, ways, allowed, 0, 0, 0, 0, _exactly(graph, ways), seconds)
    return _simulated(game, seats, pilot, ways, own, seconds, given | {"states": allowed})


def _exactly(graph: GameGraph, ways: tuple[str, ...]) -> float:
    """About how many seconds it takes to follow all states; what is loaded first takes some."""
    solving = min(MOST_VISITS, MOST_ITERATIONS * len(graph.states) * graph.players) if graph.hides else 0
    return 2 + 4e-5 * len(graph.states) + 5e-6 * len(graph.after) + 2e-8 * solving * ("best" in ways)


def _simulated(game, seats: Seats, pilot: _Pilot, ways: tuple, own: int, seconds: float, given: dict) -> Outlook:
    """The outlook where games are played: how many, so that it takes no longer than it may."""
    shows = is_game(game) and not hasattr(game, "information")
    ways = tuple(name for name in ways if name != "best" and (name != "greedy" or shows))
    cheap = len(ways) + own - ("searching" in ways)
    tables = seats.players * cheap * (cheap - 1) / 2 + cheap
    a_table = pilot.game + shows * pilot.moves * pilot.options * pilot.call / 2  # not all at a table are greedy
    playouts, a_search = given["playouts"], 0.0
    if "searching" in ways and shows:
        # The moves of one seat in a game, at the tables: alone among each other way, and all together.
        choices, alone = pilot.moves * pilot.options / seats.players, seats.players * (cheap + 1)
        a_playout = choices * alone * pilot.game / 2
        if playouts is None:
            fits = min(_round_down(0.4 * seconds / (FEWEST * a_playout)), MOST_PLAYOUTS)
            playouts = fits if fits >= FEWEST_PLAYOUTS else 0
        if not playouts:
            ways = tuple(name for name in ways if name != "searching")
        a_search = a_playout * playouts
    elif "searching" in ways:
        a_search = pilot.game * seats.players * (cheap + 1)
    a_look = (len(ways) + own) * (POSITIONS * PROSPECTS * pilot.game / 2 + shows * REST * pilot.options * pilot.call)
    looks = 0.2 * seconds / a_look
    found = {
        "states": given["states"],
        "games": _fitting(given["games"], 0.1 * seconds / pilot.game, FEWEST, MOST),
        "contests": _fitting(given["contests"], 0.4 * seconds / (tables * a_table + a_search), FEWEST, MOST),
        "playouts": playouts or 0,
        "looks": _fitting(given["looks"], looks if looks >= 2 else 0, 0, MOST_LOOKS) if is_game(game) else 0,
    }
    took = found["games"] * pilot.game + found["contests"] * (tables * a_table + a_search) + found["looks"] * a_look
    return Outlook(seats, None, ways, **found, seconds=1.5 * took, allowed=seconds)


def _fitting(given: int | None, fits: float, least: int, most: int) -> int:
    """What is given, or else as many as fit."""
    return max(_round_down(min(fits, most)), least) if given is None else given


def check_seats(game: Any, players: int | None) -> Seats:
    """Who sits at the table of a game, if it is one."""
    if is_game(game):
        whole_number("game.players", check_game(game).players, 2, MOST_PLAYERS)
        if players not in (None, game.players):
            raise ValueError(f"players = {shown(players)}: the game says {game.players}")
    elif players is None:
        raise ValueError(
            f"players = None: how many play is needed, since the function {shown(game)} does not say; such as "
            "players=3 (--players 3)"
        )
    else:
        whole_number("players", players, 2, MOST_PLAYERS)
    return Seats.of(game, players)


def play_of(found: Outlook, game: Game | Callable, seed: int, own: Mapping[str, Policy]) -> ExactPlay | SimulatedPlay:
    """The game under each way to play, as the outlook says."""
    if found.graph is not None:
        return ExactPlay(found.graph, found.seats, own, found.ways)
    counts = found.games, found.contests, found.playouts, found.looks
    return SimulatedPlay(game, found.seats, *counts, seed, own, found.ways)


def _graph(game: Game, most: int) -> GameGraph | None:
    """All states, if there are no more."""
    with suppress(TooManyStates):
        return GameGraph(game, most) if most else None
    return None


def _pilot(game: Any, seats: Seats) -> _Pilot:
    run = play_game if is_game(game) else run_simulator
    table = [AtRandom()] * seats.players
    played, rates = [], []
    once, again = (run(game, table, np.random.default_rng([0, 0])) for _ in range(2))  # what is slow only at first
    if once.payoffs != again.payoffs or [each.move for each in once.asked] != [each.move for each in again.asked]:
        raise ValueError(
            f"game = {shown(game)}: the same random numbers give different games; all chance must come from rng, or be "
            "a move of chance"
        )
    for number_ in range(PILOT):
        begun = time.perf_counter()
        played.append(run(game, table, np.random.default_rng([0, number_])))
        rates.append((time.perf_counter() - begun) / max(len(played[-1].asked), 1))
    moves = max(sum(len(found.asked) for found in played) / PILOT, 1.0)
    taken = max(float(np.median(rates)) * moves, 1e-6)  # the median, since the machine may pause
    calls, options = moves, sum(len(asked.moves) for found in played for asked in found.asked) / (moves * PILOT)
    if is_game(game):
        calls, options = _steps(game)
    return _Pilot(taken, taken / calls, moves, max(options, 1.0))


def _steps(game: Game) -> tuple[float, float]:
    """Moves of a random game, those of chance among them, and how many there are to choose from each time."""
    steps = options = 0
    for number_ in range(PILOT):
        rng, state = np.random.default_rng([0, number_]), game.start()
        while game.mover(state) != OVER:
            steps, options = steps + 1, options + len(game.moves(state))
            state = game.play(state, random_move(game, state, rng.random))
    return max(steps / PILOT, 1.0), options / max(steps, 1)


def _round_down(count: float) -> int:
    """The next smaller of 1, 2, 5, 10, 20, 50, ..."""
    if count < 1:
        return 0
    power = 10 ** floor(log10(count))
    return int(max(step for step in (1, 2, 5) if step * power <= count) * power)
