"""What a report will do, and how long that takes: exact where a game is small, by games that are played elsewhere."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from math import floor, inf, log10
from time import perf_counter
from typing import Any

import numpy as np

from gamebalance.base.announce import say
from gamebalance.base.checks import function, listed, number, one_of, other_signature, shown, span, whole_number
from gamebalance.fairness.reports.exact import ExactPlay
from gamebalance.fairness.reports.playing import at_random, play_game, run_simulator
from gamebalance.fairness.reports.simulated import POSITIONS, PROSPECTS, REST, TRAININGS, SimulatedPlay
from gamebalance.fairness.reports.tables import Seats, is_game
from gamebalance.multiplayer.at_once import as_written, in_turn, with_memory, written_state
from gamebalance.multiplayer.cfr.tree import MOST_NODES
from gamebalance.multiplayer.graph import MOST_STATES, GameGraph, StateSearch
from gamebalance.multiplayer.graph.policies import (
    MOST_ITERATIONS,
    MOST_VISITS,
    Policy,
    check_policy,
    nodes_of,
    other_starts,
)
from gamebalance.multiplayer.graph.symmetry import Alike
from gamebalance.multiplayer.protocols import OVER, Game, SimultaneousGame, check_game, mover_of

MOST_PLAYERS = 64
#: Games that are played to see how long one takes.
PILOT = 5
#: The built-in ways to play, from the weakest on.
WAYS = ("random", "greedy", "searching", "best")
#: So many states are looked for without a word, or for so many seconds; else for this part of the time allowed.
FEW, SHORT, SEARCH = 2_000, 1.0, 0.3
#: Seconds that tables and their loading take, a state of a known game, a visit of a node in a solver, and to learn
#: from a move; so many moves are learnt from at most.
TABLES, A_STATE, A_VISIT, A_LESSON, MOST_LESSONS = 3.0, 1e-4, 1.5e-8, 8e-6, 2_000_000
#: The fewest and the most games of a table, and playouts of a search; games of which the states are looked at at most.
FEWEST, MOST = 50, 100_000
FEWEST_PLAYOUTS, MOST_PLAYOUTS, MOST_LOOKS = 2, 32, 200
#: What decides how much is done, and the least of each.
COUNTS = {"states": 0, "games": 2, "contests": 2, "playouts": 0, "looks": 0}


@dataclass(frozen=True)
class Outlook:
    """What a report will do; `games` and what follows them are 0 where all is exact."""

    seats: Seats
    graph: GameGraph | None  # all states, where they are few enough
    ways: tuple[str, ...]  # the built-in ways to play that are tried
    states: int  # how many states were looked for
    found_states: int  # how many of them were found: all, or more than were looked for; 0 of a function
    games: int  # games to be played at random
    contests: int  # and at each other table
    playouts: int  # from each move of a search, of which there is none if it is 0
    looks: int  # games of which the states are looked at
    seconds: float  # about how long it takes here
    allowed: float  # and how long it might
    search: StateSearch | None = None  # the states that were found, if they are not all

    @property
    def sentence(self) -> str:
        """What will be done, in words that are the same on every machine."""
        if self.graph is not None:
            known = "players know what `information` tells them" if self.graph.hides else "everybody sees all"
            if getattr(self.graph.game, "shows_all", False):
                known = "everybody sees all but what others choose at the same time"
            many, all_ = len({*map(written_state, self.graph.states)}), len(self.graph.states)
            more = f", {all_:,} with what players remember or have chosen at once" if many < all_ else ""
            return f"Exact: all {many:,} states of the game are followed{more}, and {known}."
        given = ", ".join(f"{name}={getattr(self, name)}" for name in COUNTS)
        most = min(self.states, self.found_states - 1)  # fewer are found where there are too many moves
        why = f", since the game has more than {most:,} states" if self.states else ""
        return (
            f"Simulated: {self.games:,} games at random and {self.contests:,} at each other table{why} "
            f"({given} gives the same numbers anywhere)."
        )

    @property
    def announcement(self) -> str:
        """The same, and how long it takes here."""
        more = f", more than the {span(self.allowed)} allowed" if self.seconds > 1.5 * self.allowed else ""
        if more and FEWEST in (self.games, self.contests):
            more += f", since {FEWEST} games of a table are the least (games=10, contests=10 takes less)"
        return f"{self.sentence} This takes about {span(self.seconds)} here{more}."


def outlook(
    game: Game | SimultaneousGame | Callable,
    players: int | None = None,
    *,
    ways: Collection[str] = WAYS,
    own: int = 0,
    seconds: float = 60.0,
    **counts: int | None,
) -> Outlook:
    """Decide what a report of a game will do.

    `game`, `players` and the built-in `ways` to play, of which everybody playing at random is always one, are as of
    `report`; `own` is how many further ways there are. What cannot be done in so many `seconds` is done with fewer
    games, or not at all. `states`, `games`, `contests`, `playouts` and `looks`, as the fields of an `Outlook` say, are
    decided by how fast the game is where they are not given.
    """
    begun = perf_counter()
    seconds = float(number("seconds", seconds, 1, 86_400))
    ways = [ways] if isinstance(ways, str) else listed("ways", ways)
    game = in_turn(game)
    seats, chosen = check_seats(game, players), {one_of("ways", way, WAYS) for way in ways} | {"random"}
    for name, value in counts.items():
        if value is not None:
            whole_number(one_of("counts", name, COUNTS), value, COUNTS[name], 10**7)
    if counts.get("looks") == 1:
        raise ValueError("looks = 1: 0, or 2 or more, since one game tells no error")
    given, ways = {name: counts.get(name) for name in COUNTS}, tuple(name for name in WAYS if name in chosen)
    states, search = 0, None
    if is_game(game) and given["states"] != 0:
        if getattr(game, "shows_all", False):  # a solver needs memory of what was chosen; all else needs it not
            states, search = _searched(with_memory(game), given["states"], seconds)
        if search is None or not search.finished:
            states, search = _searched(game, given["states"], seconds)
    if search is not None and search.finished:
        graph = GameGraph.of(search)
        took = TABLES + _exact_seconds(graph, seats, ways, len(ways) + own) + perf_counter() - begun
        return Outlook(seats, graph, ways, states, len(graph.states), 0, 0, 0, 0, took, seconds)
    pilot = _pilot(game, seats, max(seconds, 10 * SHORT))
    ways, found, took = _simulated(game, seats.players, pilot, ways, own, seconds, given | {"states": states})
    took += TABLES + perf_counter() - begun
    many = len(search.states) if search else 0
    return Outlook(seats, None, ways, **found, found_states=many, seconds=took, allowed=seconds, search=search)


def followed(game: Game | SimultaneousGame, players: int | None, ways: tuple[str, ...], states: int) -> Outlook | None:
    """The outlook of a game that has no more than so many states, which are looked for without a word; else None."""
    game, seats = in_turn(game), check_seats(in_turn(game), players)
    for each in [with_memory(game), game] if getattr(game, "shows_all", False) else [game]:
        search = StateSearch(each)
        if search.go_on(states):
            return Outlook(seats, GameGraph.of(search), ways, states, len(search.states), 0, 0, 0, 0, 0.0, inf)
    return None


def _searched(game: Any, given: int | None, seconds: float) -> tuple[int, StateSearch]:
    """How many states of a game were looked for, and the search; as many as fit are if no number is given."""
    begun, search = perf_counter(), StateSearch(game)
    if search.go_on(min(FEW, given or FEW), SHORT) or (given is not None and given <= len(search.states) - 1):
        return given or FEW, search
    each = (perf_counter() - begun) / len(search.mover)
    most = _round_down(min(SEARCH * seconds / each, MOST_STATES)) if given is None else given
    if most > len(search.mover):
        say(
            f"looking for the states of the game, up to {most:,}: up to about {span(most * each)} of the "
            f"{span(seconds)} allowed"
        )
        search.go_on(most, 2 * SEARCH * seconds if given is None else inf)
    return most if search.finished or given is not None else min(most, _round_down(len(search.states) - 1)), search


def _exact_seconds(graph: GameGraph, seats: Seats, ways: tuple[str, ...], many: int) -> float:
    """About how many seconds it takes to follow all states, by `many` ways to play, and to find the best one."""
    for _ in range(2):  # what is slow only at first
        begun = perf_counter()
        ExactPlay(graph, seats, ways=("random",)).endings("random")
    took = (perf_counter() - begun) * (4 * many + seats.players * many * (many - 1) / 2) + A_STATE * len(graph.states)
    if graph.hides and "best" in ways and (nodes := nodes_of(graph)) <= MOST_NODES:
        starts = len(other_starts(graph))
        visits = [MOST_VISITS, *[MOST_VISITS // max(starts, 1)] * starts]
        took += A_VISIT * sum(min(most, MOST_ITERATIONS * nodes * graph.players) for most in visits)
    return took


def _pilot(game: Any, seats: Seats, most: float) -> tuple[float, float, float]:
    """Moves of a game, how many there are to choose from, and its seconds (at most `most`), if all is random."""
    run: Callable = play_game if is_game(game) else run_simulator
    table, played, rates = [at_random] * seats.players, [], []
    once, again = (run(game, table, np.random.default_rng([0, 0]), most) for _ in "12")  # what is slow only at first
    if once.payoffs != again.payoffs or [each.move for each in once.asked] != [each.move for each in again.asked]:
        raise ValueError(
            f"game = {shown(game)}: the same random numbers give different games; all chance must come from rng, or be "
            "a move of chance"
        )
    for number_ in range(PILOT):
        begun = perf_counter()
        played.append(run(game, table, np.random.default_rng([0, number_]), most))
        rates.append((perf_counter() - begun) / max(len(played[-1].asked), 1))
    options = [len(each.moves) for game_ in played for each in game_.asked]
    moves = max(len(options) / PILOT, 1.0)
    # The median, since the machine may pause.
    return moves, sum(options) / max(len(options), 1), max(float(np.median(rates)) * moves, 1e-6)


def _simulated(
    game: Any, players: int, pilot: tuple, ways: tuple, own: int, seconds: float, given: dict[str, Any]
) -> tuple[tuple[str, ...], dict[str, int], float]:
    """Where games are played: the ways, how many games, so that it takes no longer than it may, and the seconds."""
    (moves, options, a_game), shows = pilot, is_game(game) and not hasattr(game, "information")
    ways = tuple(name for name in ways if name != "best" and (name != "greedy" or shows))
    cheap = len(ways) + own - ("searching" in ways)
    tables = players * cheap * (cheap - 1) / 2 + cheap
    a_table = a_game * (1 + options) / 2 if "greedy" in ways else a_game  # not all at a table are greedy
    playouts, a_search, trainings, learning = given["playouts"], 0.0, 1, 0.0
    if "searching" in ways and shows:
        # The moves of one seat in a game, at the tables: alone among each other way, and all together.
        alone = players * (cheap + 1)
        a_playout = moves * options / players * alone * a_game / 2
        if playouts is None:
            fits = min(_round_down(0.4 * seconds / (FEWEST * a_playout)), MOST_PLAYOUTS)
            playouts = fits if fits >= FEWEST_PLAYOUTS else 0
        if not playouts:
            ways = tuple(name for name in ways if name != "searching")
        a_search = alone * a_game * bool(playouts) + a_playout * playouts
    elif "searching" in ways:
        trainings, learning = TRAININGS, moves * A_LESSON
        a_search = (a_game + learning) * players * (cheap + 1)
    a_look = (len(ways) + own) * a_game * (POSITIONS * PROSPECTS / 2 + 2 * REST * options / moves)
    looks, a_random = 0.2 * seconds / a_look, trainings * (a_game + learning)
    most = MOST if trainings == 1 else MOST_LESSONS / (trainings * moves)
    fitting = {
        "games": max(_round_down(min((0.1 if trainings == 1 else 0.3) * seconds / a_random, most)), FEWEST),
        "contests": max(_round_down(min(0.4 * seconds / (tables * a_table + a_search), MOST)), FEWEST),
        "playouts": 0,
        "looks": _round_down(min(looks, MOST_LOOKS)) if looks >= 2 else 0,
    }
    found = fitting | {name: count for name, count in (given | {"playouts": playouts}).items() if count is not None}
    found["looks"] *= is_game(game)
    took = found["games"] * a_random + found["contests"] * (tables * a_table + a_search) + found["looks"] * a_look
    return ways, found, took


def _check_methods(game: Any) -> None:
    """Refuse a game with a method that cannot be called as the protocol says, as far as signatures tell."""
    many = "state, player" if hasattr(game, "movers") and not hasattr(game, "mover") else "state"
    called = {"start": "", "mover": "state", "movers": "state", "moves": "state", "play": "state, move"}
    for name, given in (called | {"payoffs": "state", "information": many}).items():
        method = getattr(game, name, None)
        if method is not None and not callable(method):
            raise ValueError(f"game = {shown(game)}: its {name} is {shown(method)}, and {name}({given}) is needed")
        if method is not None and (signature := other_signature(method, given)):
            raise ValueError(f"game = {shown(game)}: its method is {name}{signature}, and {name}({given}) is needed")


def check_seats(game: Any, players: int | None) -> Seats:
    """Who sits at the table of a game, if it is one."""
    if is_game(game):
        _check_methods(as_written(game))
        whole_number("game.players", check_game(game).players, 2, MOST_PLAYERS)
        if mover_of(game, game.start()) == OVER:
            raise ValueError(f"game = {shown(game)}: the game is over before it begins")
        if players not in (None, game.players):
            raise ValueError(f"players = {shown(players)}: the game says {game.players}")
        return Seats.of(game, players)
    function("game", game, "rng, players")
    if players is None:
        raise ValueError(
            f"players = None: how many play is needed, since the function {shown(game)} does not say; such as "
            "players=3 (--players 3)"
        )
    return Seats.of(game, whole_number("players", players, 2, MOST_PLAYERS))


def own_policies(policies: Mapping[str, Policy] | None) -> dict[str, Policy]:
    """Further ways to play, refused if they are none or have a name that is taken."""
    if policies is not None and not isinstance(policies, Mapping):
        raise ValueError(f"policies = {shown(policies)}: a dict from names to policies is needed")
    for name, policy in (policies or {}).items():
        if name in WAYS:
            raise ValueError(f"policies: {shown(name)} is the name of a built-in way to play")
        if not isinstance(name, str) or not (callable(policy) or isinstance(policy, Mapping)):
            raise ValueError(f"policies: {shown(name)}: {shown(policy)}: a name and a function or a dict are needed")
        check_policy(f"policies[{name!r}]", policy)
    return dict(policies or {})


def play_of(
    found: Outlook,
    game: Game | SimultaneousGame | Callable,
    seed: int,
    own: Mapping[str, Policy],
    alike: Alike | None = None,
    goal: str = "points",
) -> ExactPlay | SimulatedPlay:
    """The game under each way to play, as the outlook says."""
    if found.graph is not None:
        return ExactPlay(found.graph, found.seats, own, found.ways, alike, goal)
    counts = found.games, found.contests, found.playouts, found.looks
    return SimulatedPlay(in_turn(game), found.seats, *counts, seed, own, found.ways, alike, goal)


def _round_down(count: float) -> int:
    """The next smaller of 1, 2, 5, 10, 20, 50, ..."""
    if count < 1:
        return 0
    power = 10 ** floor(log10(count))
    return int(max(step for step in (1, 2, 5) if step * power <= count) * power)
