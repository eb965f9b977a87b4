"""A game whose graph is known: how it ends, and what its play is like, without any error of a sample."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import cached_property

import numpy as np

from gamebalance.base.checks import whole_number
from gamebalance.base.estimates import Estimate
from gamebalance.base.rounding import meant
from gamebalance.fairness.endings import Endings
from gamebalance.fairness.reports.tables import Seats, endings_of, wins
from gamebalance.fairness.reports.wording import NOTES
from gamebalance.multiplayer.graph import Course, GameGraph, course, policies
from gamebalance.multiplayer.graph.policies import Best, Policy
from gamebalance.multiplayer.protocols import Game, State

#: The built-in ways to play but the best, from the weakest on.
BUILT_IN = {"random": policies.at_random, "greedy": policies.greedy, "searching": policies.looking_ahead}


class ExactPlay:
    """A small game under each way to play.

    Parameters
    ----------
    graph : GameGraph
    seats : Seats
    own : mapping of str to policy
        Further ways to play, by name.
    ways : collection of str
        Which of the built-in ones there are.

    Attributes
    ----------
    levels : dict
        The ways to play by name, from the weakest on: random, greedy, searching, those of `own`, and best, if it was
        found; each an array of the chance of each move.
    """

    games = None

    def __init__(
        self, graph: GameGraph, seats: Seats, own: Mapping[str, Policy] | None = None, ways: Collection[str] = BUILT_IN
    ):
        self.graph, self.seats = graph, seats
        chosen = ways if graph.sets else ("random",)  # where nobody chooses, all ways are one
        self.levels = {name: BUILT_IN[name](graph) for name in BUILT_IN if name in chosen}
        self.levels |= {name: policies.of_policy(graph, policy) for name, policy in (own or {}).items()}
        self.best: Best | None = None
        self._why_not = "not asked for" if graph.sets else "nobody chooses"
        if "best" in chosen:
            try:
                self.best = policies.find_best(graph)
                self.levels["best"] = self.best.policy
            except policies.NotFound as error:
                self._why_not = f"not found: {error}"
        self._courses: dict[tuple, Course] = {}

    @cached_property
    def notes(self) -> dict[str, str]:
        """How each of the built-in ways plays, in words."""
        notes = {name: note for name, note in NOTES.items() if name in self.levels}
        if self.best is None:
            return notes | {"best": self._why_not}
        who = "together players" if self.graph.hides else "in some position a player"
        off = f"; {who} could gain {self.best.off:.1g} by leaving it alone" if self.best.off else ""
        return notes | {"best": f"by {self.best.method}{off}"}

    def course(self, *levels: str) -> Course:
        """What becomes of the game when all play in one way, or each seat in its own."""
        levels = levels * self.seats.players if len(levels) == 1 else levels
        if levels not in self._courses:
            self._courses[levels] = course(self.graph, [self.levels[level] for level in levels])
        return self._courses[levels]

    def endings(self, *levels: str) -> Endings:
        """Who wins, and what everybody gets."""
        return endings_of_course(self.course(*levels), self.seats)

    def shape(self, level: str) -> dict[str, Estimate]:
        """What the play of one way is like, by the names of `wording.MEASURES`."""
        play = self.course(level)
        found = {
            "length": play.moves,
            "spread of length": play.moves_spread,
            "endless": play.endless,
            "lead changes": play.lead_changes(self._leader),
            "drama": self._drama(play),
            "kingmaking": play.met(self._kingmakers),
        }
        return {name: Estimate(meant(value, residue=1e-12)) for name, value in found.items()}

    @cached_property
    def _wins(self) -> np.ndarray:
        """Which party has won at each end, shape (states, parties): a player, or a side where there are sides."""
        over, sides = self.graph.over, self.seats.sides
        parties = [sides.index(side) for side in dict.fromkeys(sides)] if sides else list(range(self.seats.players))
        found = np.zeros((len(over), len(parties)))
        found[over] = wins(self.graph.payoffs[over], sides)[:, parties]
        return found

    @cached_property
    def _prospects(self) -> np.ndarray:
        """The chance of each party to win from each state, were the rest played at random."""
        return meant(self.course("random").values(self._wins))

    @cached_property
    def _leader(self) -> np.ndarray:
        """Which party has the best prospects in each state; -1 where several have."""
        most = self._prospects.max(axis=1, keepdims=True)
        alone = (self._prospects == most).sum(axis=1) == 1
        return np.where(alone, self._prospects.argmax(axis=1), -1)

    def _drama(self, play: Course) -> float:
        """How far behind the leader the winner to be is, on the average over the moves of decided games."""
        chance = play.values(self._wins)
        weight = np.where((self.graph.mover >= 0) & ~play.stops, play.visits, 0.0)
        behind = self._prospects.max(axis=1, keepdims=True) - self._prospects
        decided = (weight * chance.sum(axis=1)).sum()
        return float((weight * (chance * behind).sum(axis=1)).sum() / decided) if decided > 0 else 0.0

    @cached_property
    def _kingmakers(self) -> np.ndarray:
        return kingmakers(self.graph, self.best)


def endings_of_course(play: Course, seats: Seats) -> Endings:
    """Who wins, and what everybody gets; play that goes on for ever gives nobody anything."""
    points, where = np.unique(meant(play.graph.payoffs[play.ends]), axis=0, return_inverse=True)
    weight = np.bincount(where.ravel(), play.chances, len(points))
    if play.endless > 0:
        points, weight = np.vstack([points, np.zeros(seats.players)]), np.append(weight, play.endless)
    return endings_of(seats, points, weight / weight.sum(), length=Estimate(meant(play.moves)))


def kingmakers(graph: GameGraph, best: Best | None) -> np.ndarray:
    """Where the mover gets the same by every move and somebody else does not: bool, shape (states,).

    All go on as is best, or where that is not known, or known of hidden games only nearly, as a search would.
    """
    policy = policies.looking_ahead(graph) if best is None or graph.hides else best.policy
    visits = course(graph, policies.at_random(graph)).visits
    worth = policies.worth_to_all(graph, visits, course(graph, policy).values(graph.payoffs))
    span = np.maximum.reduceat(worth, graph.set_first[:-1]) - np.minimum.reduceat(worth, graph.set_first[:-1])
    apart = span > graph.same
    decides = ~apart[np.arange(len(apart)), graph.set_mover] & apart.any(axis=1)
    found = np.zeros(len(graph.states), bool)
    moving = np.flatnonzero(graph.mover >= 0)
    found[moving] = decides[np.searchsorted(graph.set_first, graph.slot[graph.first[moving]], side="right") - 1]
    return found


def endings(game: Game, policy: Policy | None = None, leader: Callable[[State], int | None] | None = None) -> Endings:
    """How a small game ends, exactly, if all play at random or as a policy says.

    Parameters
    ----------
    game : Game
    policy : callable or mapping, optional
        What all do: by what is known and the moves, a move or the chance of each.
    leader : callable, optional
        Who leads in a state, or None.

    Examples
    --------
    Three players who put their marks anywhere in tic-tac-toe: who begins gets three in a row in 9.5% of the games.

    >>> from gamebalance.games import tictactoe
    >>> endings(tictactoe(3)).tally("seat").means.round(3).tolist()
    [0.095, 0.088, 0.088]
    """
    play = _followed(game, policy)
    found = endings_of_course(play, Seats.of(game))
    if leader is None:
        return found
    leads = [leader(state) for state in play.graph.states]
    most = game.players - 1
    numbers = [-1 if lead is None else whole_number("leader(state)", lead, 0, most) for lead in leads]
    changes = play.lead_changes(np.array(numbers))
    return replace(found, lead_changes=Estimate(meant(changes)))


def kingmaking(game: Game, policy: Policy | None = None) -> float:
    """The chance that somebody to whom it makes no difference decides between others; parameters as of `endings`.

    What a move leads to is what is got when all then play as well as they can (`kingmakers`).

    Examples
    --------
    Whoever begins gets nothing, and chooses which of the others wins:

    >>> from gamebalance.games import Tree
    >>> kingmaking(Tree((0, [(0, 1, 0), (0, 0, 1)])))
    1.0
    """
    play = _followed(game, policy)
    return meant(play.met(kingmakers(play.graph, policies.best(play.graph))))


def _followed(game: Game, policy: Policy | None) -> Course:
    """A small game that is played at random, or as a policy says."""
    graph = GameGraph(game)
    return course(graph, policies.at_random(graph) if policy is None else policies.of_policy(graph, policy))
