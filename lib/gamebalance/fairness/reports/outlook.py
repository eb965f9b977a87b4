"""What a report will do, and how long that takes: exact where a game is small, by games that are played elsewhere."""

import pstats
import sys
from collections.abc import Callable, Collection, Mapping
from cProfile import Profile
from dataclasses import dataclass, replace
from functools import partial
from math import floor, inf, log10
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from gamebalance.base.announce import say
from gamebalance.base.checks import function, listed, number, one_of, other_signature, shown, span, whole_number
from gamebalance.fairness.reports.exact import ExactPlay
from gamebalance.fairness.reports.playing import at_random, greedy, play_game, played_on, run_simulator
from gamebalance.fairness.reports.shape import POSITIONS, PROSPECTS, REST
from gamebalance.fairness.reports.simulated import TRAININGS, SimulatedPlay
from gamebalance.fairness.reports.tables import Seats, is_game
from gamebalance.multiplayer.at_once import as_written, in_turn, with_memory, written_state
from gamebalance.multiplayer.cfr.tree import MOST_NODES
from gamebalance.multiplayer.graph import MOST_STATES, GameGraph, StateSearch
from gamebalance.multiplayer.graph.policies import (
    MOST_ITERATIONS,
    MOST_VISITS,
    NotFound,
    Policy,
    check_policy,
    nodes_of,
    other_starts,
    tree_of,
)
from gamebalance.multiplayer.graph.symmetry import Alike
from gamebalance.multiplayer.protocols import OVER, Game, SimultaneousGame, check_game, mover_of

#: A function is slow that takes this part of a game.
MOST_OF_IT = 2 / 3


def slow_function(game: Any, play: Callable[[], Any]) -> tuple[str, float] | None:
    """The function of a game's author that takes most of the time when games are played, and the part that it takes.

    It is a method, or stands beside them; of several that call each other it is the one that does most itself. None if
    there is none, or if somebody else profiles now.
    """
    profile = Profile(builtins=False)
    try:
        profile.enable()
    except ValueError:
        return None
    try:
        play()
    finally:
        profile.disable()
    found: Any = pstats.Stats(profile)  # of whose attributes a checker of types knows nothing
    files, code, all_ = _files(game), getattr(game, "__code__", None), found.total_tt
    itself = code and (code.co_filename, code.co_firstlineno)
    slow = [
        (own, (name, min(spent / all_, 1.0)))
        for (file, line, name), (_, _, own, spent, _) in found.stats.items()
        if file in files and (file, line) != itself and not name.startswith("<") and spent >= MOST_OF_IT * all_
    ]
    return max(slow)[1] if slow else None


def _files(game: Any) -> set[str]:
    """The files in which the methods of a game stand; of a function, its own."""
    game = as_written(game)
    methods = [game, *(value for kind in type(game).__mro__ for value in vars(kind).values())]
    return {each.__code__.co_filename for each in methods if hasattr(each, "__code__")}


MOST_PLAYERS = 64
#: Games that are played to see how long one takes.
PILOT = 5
#: The built-in ways to play, from the weakest on.
WAYS = ("random", "greedy", "searching", "best")
#: So many states are looked for without a word, or for so many seconds; else for this part of the time allowed.
FEW, SHORT, SEARCH = 2_000, 1.0, 0.3
#: Seconds that loading takes once, that a table of chances takes, and that a visit of a node takes in a solver.
LOADING, A_TABLE, A_VISIT = 2.5, 0.15, 1.5e-8
#: So many times as long as games at random take those of players who think.
MORE = 1.1
#: Seconds for each information set of a policy found by a solver; for each state to see which players are alike.
A_SET, RENAMING = 5e-5, 5e-5
#: Seconds that it takes to learn from a move, or to play it by what was learnt; so many moves are learnt from at most.
A_LESSON, MOST_LESSONS = 8e-6, 2_000_000
#: The fewest and the most games of a table, and playouts of a search; games of which the states are looked at at most.
FEWEST, MOST = 50, 100_000
FEWEST_PLAYOUTS, MOST_PLAYOUTS, MOST_LOOKS = 2, 32, 200
#: States from which moves are made to see how long one takes.
TRIED = 100
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
            many = len({*map(written_state, self.graph.states)})
            more = ""
            if many < len(self.graph.states):
                more = f", {len(self.graph.states):,} with what players remember or have chosen at once"
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


class _Pilot(NamedTuple):
    """What a few random games showed, and how many seconds things take."""

    moves: float  # of players in a game
    options: float  # of a move
    game: float  # seconds of a game at random
    greedy: float  # of one in which all look one move ahead
    on: float  # of a game played on from a position on the way
    search: float  # of a search for what may follow such a position, up to `REST` states


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

    Parameters
    ----------
    game, players
        As of `report`.
    ways : collection of str
        Which of the built-in ways to play are tried; everybody plays at random in one of them anyway.
    own : int
        How many further ways there are.
    seconds : float
        How long the report may take; what cannot be done by then is done with fewer games, or not at all.
    **counts : int, optional
        `states`, `games`, `contests`, `playouts` and `looks`, as the fields of an `Outlook` say; what is not given is
        decided by how fast the game is.
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
    search = None
    if getattr(game, "shows_all", False):  # a solver needs memory of what was chosen; all else needs it not
        allowed, search = _searched(with_memory(game), given["states"], seconds)
    if search is None or not search.finished:
        allowed, search = _searched(game, given["states"], seconds)
    many, spent = len(ways) + own, perf_counter() - begun
    more = ("pandas" not in sys.modules) * LOADING + A_TABLE * many * (many + 1) / 2
    if search is not None and search.finished:
        graph = GameGraph.of(search)
        more += _exactly(graph, seats, ways, many, spent)
        spent = perf_counter() - begun
        return Outlook(seats, graph, ways, allowed, len(graph.states), 0, 0, 0, 0, spent + more, seconds)
    pilot = _pilot(game, seats, max(seconds, 10 * SHORT))
    found = _simulated(game, seats, pilot, ways, own, seconds, given | {"states": allowed})
    _say_why(game, seats, pilot, given, found, ways)
    more += perf_counter() - begun
    states = len(search.states) if search else 0
    return replace(found, found_states=states, seconds=found.seconds + more, search=search)


def _searched(game: Any, given: int | None, seconds: float) -> tuple[int, StateSearch | None]:
    """How many states of a game were looked for, and the search; as many as fit are if no number is given."""
    if not is_game(game) or given == 0:
        return 0, None
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


def _exactly(graph: GameGraph, seats: Seats, ways: tuple[str, ...], many: int, search: float) -> float:
    """About how many seconds it takes to follow all states, by `many` ways to play, when it took so long to find them.

    What becomes of the game is found for all at random here, to see how long that takes.
    """
    for _ in range(2):  # what is slow only at first
        begun = perf_counter()
        ExactPlay(graph, seats, ways=("random",)).endings("random")
    took = (perf_counter() - begun) * (4 * many + seats.players * many * (many - 1) / 2)
    each = search / len(graph.after) if len(graph.after) else 0.0
    took += each * len(graph.states) * ("greedy" in ways) + RENAMING * len(graph.states)
    if graph.hides and "best" in ways:
        nodes, starts, each = nodes_of(graph), len(other_starts(graph)), _a_move(graph)
        if nodes > MOST_NODES:
            return took
        if each * nodes < 3 * SHORT:  # else it is seen later whether somebody forgets
            try:
                tree_of(graph)
            except NotFound:
                return took
        visits = [MOST_VISITS, *[MOST_VISITS // max(starts, 1)] * starts]
        visits = sum(min(most, MOST_ITERATIONS * nodes * graph.players) for most in visits)
        took += each * nodes + A_VISIT * visits + A_SET * len(graph.sets) * (1 + starts)
    return took


def _a_move(graph: GameGraph) -> float:
    """About how many seconds it takes to make a move and to see what follows."""
    chosen = np.flatnonzero(~graph.over)[:: max(1, len(graph.states) // TRIED)][:TRIED].tolist()
    begun = perf_counter()
    for state in chosen:
        StateSearch(graph.game, graph.states[state]).go_on(1)
    return (perf_counter() - begun) / max(1, int(np.diff(graph.first)[chosen].sum()))


def _say_why(game: Any, seats: Seats, pilot: _Pilot, given: dict, found: Outlook, ways: tuple[str, ...]) -> None:
    """Tell what is cut because games are slow, and which function of the game makes them so."""
    cut = [f"{found.games:,} games are played instead of {MOST:,}"] if not given["games"] and found.games < MOST else []
    if "searching" in ways and "searching" not in found.ways and given["playouts"] is None:
        cut.append("nobody searches")
    if given["playouts"] is None and 0 < found.playouts < MOST_PLAYOUTS:
        cut.append(f"a search plays {found.playouts} games on from each move instead of {MOST_PLAYOUTS}")
    if is_game(game) and given["states"] is None and found.states < MOST_STATES:
        cut.append(f"only {found.states:,} states are looked for instead of {MOST_STATES:,}")
    if not cut:
        return
    run, table, again = _run(game), [at_random] * seats.players, min(PILOT, 1 + int(SHORT / pilot.game))
    slow = slow_function(game, lambda: [run(game, table, np.random.default_rng([0, each])) for each in range(again)])
    if slow is not None:
        part = f"`{slow[0]}()` takes {_milliseconds(slow[1] * pilot.game)} of the {_milliseconds(pilot.game)}"
        say(f"{part} of a game: {', '.join(cut)}")
    elif len(cut) > 1:
        say(f"a game takes {_milliseconds(pilot.game)}: {', '.join(cut)}")


def _milliseconds(seconds: float) -> str:
    return f"{float(f'{1000 * seconds:.2g}'):g} ms"


def _simulated(game, seats: Seats, pilot: _Pilot, ways: tuple, own: int, seconds: float, given: dict) -> Outlook:
    """The outlook where games are played: how many, so that it takes no longer than it may."""
    shows = is_game(game) and not hasattr(game, "information")
    ways = tuple(name for name in ways if name != "best" and (name != "greedy" or shows))
    cheap = len(ways) + own - ("searching" in ways)
    tables = seats.players * cheap * (cheap - 1) / 2 + cheap
    a_table = (pilot.game + (pilot.greedy if "greedy" in ways else pilot.game)) / 2  # not all at a table are greedy
    playouts, a_search, trainings, learning = given["playouts"], 0.0, 1, 0.0
    if "searching" in ways and shows:
        # The moves of one seat in a game, at the tables: alone among each other way, and all together.
        choices, alone = pilot.moves * pilot.options / seats.players, seats.players * (cheap + 1)
        a_playout = choices * alone * pilot.on
        if playouts is None:
            fits = min(_round_down(0.4 * seconds / (FEWEST * a_playout)), MOST_PLAYOUTS)
            playouts = fits if fits >= FEWEST_PLAYOUTS else 0
        if not playouts:
            ways = tuple(name for name in ways if name != "searching")
        a_search = alone * pilot.game * bool(playouts) + a_playout * playouts
    elif "searching" in ways:
        trainings, learning = TRAININGS, pilot.moves * A_LESSON
        a_search = (pilot.game + learning) * seats.players * (cheap + 1)
    a_look = (len(ways) + own) * (POSITIONS * PROSPECTS * pilot.on + 2 * pilot.search)
    looks, a_random = 0.2 * seconds / a_look, trainings * (pilot.game + learning)
    most = MOST if trainings == 1 else MOST_LESSONS / (trainings * pilot.moves)
    found: dict[str, Any] = {
        "states": given["states"],
        "games": _fitting(given["games"], (0.1 if trainings == 1 else 0.3) * seconds / a_random, FEWEST, most),
        "contests": _fitting(given["contests"], 0.4 * seconds / (tables * a_table + a_search), FEWEST, MOST),
        "playouts": playouts or 0,
        "looks": _fitting(given["looks"], looks if looks >= 2 else 0, 0, MOST_LOOKS) if is_game(game) else 0,
    }
    took = found["games"] * a_random + found["contests"] * (tables * a_table + a_search) + found["looks"] * a_look
    return Outlook(seats, None, ways, **found, found_states=0, seconds=MORE * took, allowed=seconds)


def _fitting(given: int | None, fits: float, least: int, most: float) -> int:
    """What is given, or else as many as fit."""
    return max(_round_down(min(fits, most)), least) if given is None else given


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
    whole_number("players", players, 2, MOST_PLAYERS)
    return Seats.of(game, players)


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


def _run(game: Any) -> Callable:
    """What plays a game."""
    return play_game if is_game(game) else run_simulator


def _pilot(game: Any, seats: Seats, most: float) -> _Pilot:
    """A few games, none of which may take more seconds than this."""
    run = _run(game)
    table = [at_random] * seats.players
    played, rates = [], []
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
    asked = [each for found in played for each in found.asked]
    moves, options = max(len(asked) / PILOT, 1.0), sum(len(each.moves) for each in asked) / max(len(asked), 1)
    taken = max(float(np.median(rates)) * moves, 1e-6)  # the median, since the machine may pause
    if not is_game(game) or not asked:
        return _Pilot(moves, max(options, 1.0), taken, taken, taken / 2, 0.0)
    all_greedy, on = [greedy(game)] * seats.players, []
    ahead = _median(lambda rng: play_game(game, all_greedy, rng)) if not hasattr(game, "information") else taken
    for each in asked[:: max(len(asked) // PILOT, 1)][:PILOT]:
        on.append(_median(partial(played_on, game, each.state)))
    middle = StateSearch(game, asked[len(asked) // 2].state)
    return _Pilot(moves, options, taken, ahead, float(np.mean(on)), _median(lambda _: middle.go_on(REST), 1))


def _median(play: Callable[[np.random.Generator], Any], times: int = PILOT) -> float:
    """Seconds that something takes, the median of a few times."""
    found = []
    for each in range(times):
        begun = perf_counter()
        play(np.random.default_rng([0, each]))
        found.append(perf_counter() - begun)
    return max(float(np.median(found)), 1e-6)


def _round_down(count: float) -> int:
    """The next smaller of 1, 2, 5, 10, 20, 50, ..."""
    if count < 1:
        return 0
    power = 10 ** floor(log10(count))
    return int(max(step for step in (1, 2, 5) if step * power <= count) * power)
