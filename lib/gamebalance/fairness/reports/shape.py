"""What the play of a game is like: how it goes, how it ends and how it is built, as `wording.MEASURES` defines it.

Exactly from the graph of a game (`ExactShape`), or from games that were played (`of_games`, `of_states`).
"""

import csv
from contextlib import suppress
from functools import cached_property
from math import log10
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from gamebalance.base.estimates import Estimate
from gamebalance.base.rounding import meant
from gamebalance.fairness.measures import lead_changes
from gamebalance.fairness.reports.playing import Asked, Played, played_on
from gamebalance.fairness.reports.tables import Seats, wins
from gamebalance.multiplayer.at_once import InTurn, at_once, before_choices, written_state
from gamebalance.multiplayer.graph import Course, GameGraph, TooManyStates, course, kernels, policies
from gamebalance.multiplayer.graph.blocks import block_starts
from gamebalance.multiplayer.protocols import State, standing

#: Positions of one game at which it is asked who leads, and playouts from each.
POSITIONS, PROSPECTS = 3, 64
#: The last turns of a game are looked at from which on it has at most so many states.
REST = 400


class Measure(NamedTuple):
    """What a measure is: its definition, its unit, what its values are multiplied by for that, and its source."""

    definition: str
    unit: str
    scale: int
    source: str


def _measures() -> dict[str, Measure]:
    with open(Path(__file__).with_name("measures.csv"), encoding="utf-8", newline="") as file:
        rows = [row for row in csv.reader(file)][1:]
    return {name: Measure(what, unit, int(scale), source) for name, what, unit, scale, source in rows}


MEASURES = _measures()
#: The measures of how a game is built, which stand in a table of their own.
BUILT = tuple(MEASURES)[tuple(MEASURES).index("branching factor") :]


class ExactShape:
    """What the play of a game is like whose graph is known, without any error; `turn` is where a turn begins."""

    def __init__(self, graph: GameGraph, seats: Seats):
        self.graph, self.seats, self.starts = graph, seats, block_starts(graph)
        self.turn = graph.chooses & (self.starts == np.arange(len(self.starts)))

    def of(self, play: Course) -> dict[str, Estimate]:
        """The measures of one way to play; those that are not found are left out."""
        found = {
            "length": play.moves,
            "spread of length": play.moves_spread,
            "median length": play.moves_median,
            "endless": play.endless,
            "lead changes": play.lead_changes(self.leader),
            "drama": self._drama(play),
            "kingmaking": play.met(self.kingmakers),
            "decided after": self._of_turns(play, self.undecided),
            "repetition": self._repetition(play),
            "difference of scores": self._difference(play),
            "uniformity of outcomes": self._uniformity(play),
            **self._moves(play),
            "size of the tree": self._tree,
            "state space": log10(len({*map(written_state, self.graph.states)})),
        }
        return {name: Estimate(meant(float(each), residue=1e-12)) for name, each in found.items() if each is not None}

    @cached_property
    def kingmakers(self) -> np.ndarray:
        """Where the mover chooses between others (as `measures.is_kingmaker` has it): bool, shape (states,).

        All then play as `policies.looking_ahead`. States that a player does not tell apart count as often as random
        play comes to the turn, and play as `policies.looking_ahead` from there to the state.
        """
        graph, decides = self.graph, np.zeros(len(self.graph.sets) + 1, bool)
        play = course(graph, policies.looking_ahead(graph))
        begins, inner = self.starts == np.arange(len(self.starts)), self.starts[graph.after] != graph.after
        weight = np.where(begins, self._random.visits, 0.0)
        while True:  # on through the choices of a turn
            passed = weight[graph.source[inner]] * play.chance[inner]
            within = np.where(begins, weight, np.bincount(graph.after[inner], passed, len(begins)))
            if (within == weight).all():
                break
            weight = within
        chance = policies.worth_to_all(graph, weight, play.values(self._wins))
        counts, own = np.diff(graph.set_first), _parties(self.seats)[graph.set_mover]
        for count in np.unique(counts):
            sets = np.flatnonzero(counts == count)
            table = chance[graph.set_first[sets, None] + np.arange(count)]
            alike = np.ptp(table, axis=1)[np.arange(len(sets)), own[sets]] <= kernels.SAME
            table = table[alike]
            for move in range(count):
                more = table - table[:, move, None]
                chosen = (more > kernels.SAME).any(axis=2) & (more < -kernels.SAME).any(axis=2)
                decides[sets[alike]] |= chosen.any(axis=1)
        return decides[graph.set_number]

    @cached_property
    def leader(self) -> np.ndarray:
        """Which party has the best prospects at turns, forced moves and ends; -1 where several have, and elsewhere."""
        most = self._prospects.max(axis=1, keepdims=True)
        alone = (self._prospects == most).sum(axis=1) == 1
        begins = (self.graph.mover >= 0) & (self.starts == np.arange(len(self.starts)))
        return np.where(alone & (begins | self.graph.over), self._prospects.argmax(axis=1), -1)

    @cached_property
    def _random(self) -> Course:
        return course(self.graph, policies.at_random(self.graph))

    @cached_property
    def _wins(self) -> np.ndarray:
        """Which party has won at each end, shape (states, parties): a player, or a side where there are sides."""
        over = self.graph.over
        found = np.zeros((len(over), _parties(self.seats).max() + 1))
        found[over] = _won(self.graph.payoffs[over], self.seats)
        return found

    @cached_property
    def _prospects(self) -> np.ndarray:
        """The chance of each party to win from each state, were the rest played at random."""
        return meant(self._random.values(self._wins))

    def _drama(self, play: Course) -> float:
        """How far behind the leader the winner to be is, on the average over the choices of decided games."""
        chance = play.values(self._wins)[self.starts]
        weight = np.where(self.graph.chooses & ~play.stops, play.visits, 0.0)
        behind = (self._prospects.max(axis=1, keepdims=True) - self._prospects)[self.starts]
        decided = (weight * chance.sum(axis=1)).sum()
        return float((weight * (chance * behind).sum(axis=1)).sum() / decided) if decided > 0 else 0.0

    @cached_property
    def undecided(self) -> np.ndarray:
        """Where ends with different winners can still be come to: bool, shape (states,)."""
        graph = self.graph
        ends, used = np.flatnonzero(graph.over), np.ones(len(graph.after), bool)
        which = np.unique(meant(self._wins[ends]), axis=0, return_inverse=True)[1].ravel()
        ways = np.zeros(len(graph.states), np.int64)
        for kind in range(which.max() + 1):
            reached = np.zeros(len(graph.states), bool)
            reached[ends[which == kind]] = True
            kernels.comes_to(graph.order, graph.first, graph.after, used, reached)
            ways += reached
        return ways > 1

    def _of_turns(self, play: Course, marked: np.ndarray) -> float | None:
        """The share of the turns that are marked; None if there are none."""
        turns = np.where(self.turn & ~play.stops, play.visits, 0.0)
        return float(turns[marked].sum() / turns.sum()) if turns.any() else None

    def _repetition(self, play: Course) -> float | None:
        again = play.returns(self.turn) if self.graph.circles else 0.0
        turns = play.visits[self.turn & ~play.stops].sum()
        return None if again is None or not turns else float(again / turns)

    def _difference(self, play: Course) -> float | None:
        apart = _differences(self.graph.payoffs[play.ends], self.seats)
        return None if apart is None else float((play.chances * apart).sum())

    def _uniformity(self, play: Course) -> float | None:
        parties = self._wins.shape[1]
        chance = np.bincount(_outcomes(self._wins[play.ends]), play.chances, parties + 2)
        chance[-1] += play.endless
        can = _outcomes(self._wins[self.graph.over])
        return _entropy(chance, _possible(np.append(can, parties + 1) if play.endless else can, parties))

    def _moves(self, play: Course) -> dict[str, float]:
        """How many moves those have who move."""
        choosing = np.flatnonzero((self.graph.mover >= 0) & ~play.stops)
        often, moves = play.visits[choosing], np.diff(self.graph.first)[choosing]
        if not often.sum():
            return {}
        found = {"branching factor": (often * moves).sum() / often.sum()}
        several = moves > 1
        if often[several].sum():
            found["decision factor"] = (often * moves)[several].sum() / often[several].sum()
        return found | {"real choices": often[several].sum() / often.sum()}

    @cached_property
    def _tree(self) -> float | None:
        """The logarithm of the number of different games; None if it has no bound."""
        if self.graph.circles:
            return None
        first, after = self.graph.first.tolist(), self.graph.after.tolist()
        games = [1] * len(self.graph.states)
        for state in self.graph.order[::-1].tolist():
            if first[state] < first[state + 1]:
                games[state] = sum(games[follower] for follower in after[first[state] : first[state + 1]])
        return log10(games[0])


def of_games(games: list[Played], seats: Seats, random: bool, runs: int = 0) -> dict[str, Estimate]:
    """What games tell by their payoffs and the moves there were, played at random or not.

    If they are of so many runs, in turn, those of a run have more in common, and errors are those of the runs' values.
    """
    length = np.array([len(game.asked) for game in games], float)
    points = np.array([game.payoffs for game in games], float)
    apart = _differences(points, seats)
    counts = [np.array([len(asked.moves) for asked in game.asked]) for game in games]
    several = [count[count > 1] for count in counts]
    real = np.array([len(count) for count in several], float)
    won = _won(points, seats)
    found = {
        "length": mean(length),
        "spread of length": _deviation(length),
        "median length": _median(length),
        "difference of scores": None if apart is None else mean(apart),
        "uniformity of outcomes": _sampled_entropy(_outcomes(won), won.shape[1]),
        "branching factor": _ratio(np.array([count.sum() for count in counts]), length),
        "decision factor": _ratio(np.array([count.sum() for count in several]), real),
        "real choices": _ratio(real, length),
        "size of the tree, at least": mean(np.array([np.log10(count).sum() for count in counts])) if random else None,
    }
    told = {name: each for name, each in found.items() if each is not None}
    each_run = [of_games(games[run::runs], seats, random) for run in range(runs)]
    for name in told if runs else ():
        values = [run[name].value for run in each_run if name in run]
        told[name] = Estimate(told[name].value, float(np.std(values, ddof=1) / np.sqrt(len(values))))
    return told


def of_states(
    game: Any, games: list[Played], looks: int, seats: Seats, rng: np.random.Generator, runs: int = 0
) -> dict[str, Estimate]:
    """What games tell by their states; of so many of them by what could have followed. They may be of so many runs."""
    found: dict[str, Estimate | None] = {}
    with suppress(TypeError):  # states that cannot be told apart, but played
        turns = [[asked.state for asked in _turns(each)] for each in games]
        often = np.array([len(each) for each in turns], float)
        found["repetition"] = _ratio(often - np.array([len(set(each)) for each in turns]), often, runs)
        states = len({written_state(asked.state) for each in games for asked in each.asked})
        found["state space, at least"] = Estimate(log10(states)) if states else None
    if looks:
        found |= _looked_at(game, games[:looks], seats, rng, runs)
    return {name: each for name, each in found.items() if each is not None}


def _looked_at(
    game: Any, games: list[Played], seats: Seats, rng: np.random.Generator, runs: int
) -> dict[str, Estimate | None]:
    changes = [_changes_of_standing(game, each, seats) for each in games]
    known = any(change is not None for change in changes)
    shows = not hasattr(game.game if isinstance(game, InTurn) else game, "information")
    rests = [_rest(game, each, seats, shows) for each in games]
    is_open, decides = (np.array(column, float) for column in zip(*rests, strict=True))
    one = np.ones(len(games))
    return {
        "drama, at least": _drama(game, games, seats, rng, runs),
        "changes of standing": _ratio(np.array([change or 0 for change in changes]), one, runs) if known else None,
        "kingmaking, at least": _ratio(decides, one, runs) if shows else None,
        "decided after, at most": _ratio(is_open, np.array([len(_turns(each)) for each in games], float), runs),
    }


def _turns(game: Played) -> list[Asked]:
    """The moves with which turns begin: none that is forced, and of those who choose at once the first."""
    found: list[Asked] = []
    begun = False
    for asked in game.asked:
        begun = begun and _inside(asked.state)
        if not begun and len(asked.moves) > 1:
            begun = True
            found.append(asked._replace(state=before_choices(asked.state)))
    return found


def _inside(state: State) -> bool:
    """Whether some of those who choose at once have chosen."""
    choice = at_once(state)
    return choice is not None and len(choice.chosen) > 0


def _changes_of_standing(game: Any, played: Played, seats: Seats) -> int | None:
    """How often the party with the best standing changed; None if standings never differed before the end."""
    asked = [each.state for each in played.asked if not _inside(each.state)]
    points = [standing(game, state) for state in asked]
    alone = _won(np.array([*points, played.payoffs], float), seats) == 1
    leaders = [int(ahead.argmax()) if ahead.any() else None for ahead in alone]
    return None if all(leader is None for leader in leaders[:-1]) else lead_changes(leaders)


def _drama(game: Any, games: list[Played], seats: Seats, rng: np.random.Generator, runs: int) -> Estimate | None:
    """How far behind the leader the winner to be is, at positions drawn from decided games.

    Who leads is told by one half of the playouts, and how far by the other: so it is no larger on the average than
    it is in truth, and less than nothing is nothing. None if fewer than two games were decided.
    """
    behind, moves = np.zeros((2, len(games)))
    for number, each in enumerate(games):
        won = _won(np.array([each.payoffs], float), seats)[0]
        real = [before_choices(asked.state) for asked in each.asked if len(asked.moves) > 1]
        if not won.any() or not real:
            continue
        drawn = rng.integers(len(real), size=POSITIONS)
        behind[number] = np.mean([_behind(game, real[place], won / won.sum(), seats, rng) for place in drawn])
        moves[number] = len(real)
    found = _ratio(moves * behind, moves, runs) if np.count_nonzero(moves) > 1 else None
    return found and Estimate(max(found.value, 0.0), found.error)


def _behind(game: Any, state: State, won: np.ndarray, seats: Seats, rng: np.random.Generator) -> float:
    ends = [game.payoffs(played_on(game, state, rng)) for _ in range(PROSPECTS)]
    each = _won(np.array(ends, float), seats)
    first, second = each[: PROSPECTS // 2].mean(axis=0), each[PROSPECTS // 2 :].mean(axis=0)
    return float(second[first.argmax()] - (won * second).sum())


def _rest(game: Any, played: Played, seats: Seats, shows: bool) -> tuple[int, bool]:
    """At how many turns it may be open who wins, and whether somebody is a kingmaker, where few states are left.

    Of the turns which more states follow all may be open, and nobody is looked at.
    """
    turns, rest = _turns(played), None
    is_open = len(turns)
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


def _parties(seats: Seats) -> np.ndarray:
    """To which party each player belongs: its own, or its side."""
    names = list(dict.fromkeys(seats.sides or range(seats.players)))
    return np.array([names.index(name) for name in seats.sides or range(seats.players)])


def _won(points: np.ndarray, seats: Seats) -> np.ndarray:
    """`wins`, by party: shape (rows, parties)."""
    return wins(points, seats.sides)[:, np.unique(_parties(seats), return_index=True)[1]]


def _differences(points: np.ndarray, seats: Seats) -> np.ndarray | None:
    """What the best party gets more than the second; None if there is but one."""
    party = _parties(seats)
    if party.max() == 0:
        return None
    best = np.sort(np.stack([points[:, party == one].mean(axis=1) for one in range(party.max() + 1)]), axis=0)
    return best[-1] - best[-2]


def _outcomes(won: np.ndarray) -> np.ndarray:
    """Who wins: the number of a party, and after them a shared win and nobody; shapes (rows, parties), (rows,)."""
    parties = won.shape[1]
    alone, any_ = won.max(axis=1, initial=0) > 1 - 1e-9, won.any(axis=1)
    return np.where(alone, won.argmax(axis=1), np.where(any_, parties, parties + 1))


def _possible(outcomes: np.ndarray, parties: int) -> int:
    """How many outcomes there are: all parties, and a shared win and nobody where they were met; alone there is one."""
    return parties + len(np.unique(outcomes[outcomes >= parties])) if parties > 1 else 1


def _entropy(chance: np.ndarray, possible: int) -> float | None:
    """Over its largest possible value; None if there is but one outcome."""
    chance = chance[chance > 0]
    return float(-(chance * np.log(chance)).sum() / np.log(possible)) if possible > 1 else None


def _sampled_entropy(outcomes: np.ndarray, parties: int) -> Estimate | None:
    """The same with the bias of a sample taken off (Miller 1955); the error to the second order."""
    games, possible = len(outcomes), _possible(outcomes, parties)
    if possible < 2:
        return None
    chance = np.unique(outcomes, return_counts=True)[1] / games
    surprise = -np.log(chance)
    mean, more = float((chance * surprise).sum()), (len(chance) - 1) / (2 * games)
    variance = ((chance * surprise**2).sum() - mean**2) / games + more / games
    largest = float(np.log(possible))
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
    """A sum over another, each over the games; error by the delta method. None if there is nothing.

    If games are of so many runs, in turn, it is the error of the means of runs.
    """
    if not whole.any():
        return None
    mean = part.sum() / whole.sum()
    off = part - mean * whole
    if runs:
        off = np.bincount(np.arange(len(off)) % runs, off, runs) * np.sqrt(runs / (runs - 1))
    return Estimate(float(mean), float(np.sqrt((off**2).sum()) / whole.sum()))
