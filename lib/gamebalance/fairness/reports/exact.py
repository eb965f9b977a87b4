"""A game whose graph is known: how it ends, and what its play is like, without any error of a sample."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import cached_property

import numpy as np

from gamebalance.base.checks import function, whole_number
from gamebalance.base.estimates import Estimate
from gamebalance.base.rounding import meant
from gamebalance.fairness.endings import Endings
from gamebalance.fairness.reports.goals import aimed
from gamebalance.fairness.reports.shape import ExactShape
from gamebalance.fairness.reports.tables import Seats, endings_of
from gamebalance.fairness.reports.wording import notes_of
from gamebalance.multiplayer.at_once import at_once
from gamebalance.multiplayer.graph import Course, GameGraph, course, policies
from gamebalance.multiplayer.graph.policies import Best, Equilibria, Policy
from gamebalance.multiplayer.graph.symmetry import Alike
from gamebalance.multiplayer.protocols import CHANCE, OVER, Game, State

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
    alike : Alike, optional
        Which seats are alike; chances are then means over the renamings.
    goal : {"points", "win"}
        What those seek who look ahead or play best.

    Attributes
    ----------
    levels : dict
        The ways to play by name, from the weakest on: random, greedy, searching, those of `own`, and best, if it was
        found; each an array of the chance of each move.
    best : Best or None
        The best way to play that was found first.
    why_not : str
        Why it was not.
    """

    games = None

    def __init__(
        self,
        graph: GameGraph,
        seats: Seats,
        own: Mapping[str, Policy] | None = None,
        ways: Collection[str] = BUILT_IN,
        alike: Alike | None = None,
        goal: str = "points",
    ):
        self.graph, self.seats, self.alike = graph, seats, alike
        self._goal, self._aim = goal, aimed(graph, goal)
        chosen = ways if graph.sets else ("random",)  # where nobody chooses, all ways are one
        self.levels = {name: BUILT_IN[name](self._aim) for name in BUILT_IN if name in chosen}
        self.levels |= {name: policies.of_policy(graph, policy) for name, policy in (own or {}).items()}
        self.best: Best | None = None
        self.why_not = "not asked for" if graph.sets else "nobody chooses"
        if "best" in chosen:
            try:
                self.best = policies.find_best(self._aim)
                self.levels["best"] = self.best.policy
            except policies.NotFound as error:
                self.why_not = f"not found: {error}"
        self._courses: dict[tuple, Course] = {}

    @cached_property
    def equilibria(self) -> Equilibria | None:
        """`best`, and what else is best play, as far as it is found."""
        tied = self.alike.tied if self.alike else None
        return policies.find_equilibria(self._aim, tied, self.best) if self.best else None

    @cached_property
    def notes(self) -> dict[str, str]:
        """How each of the built-in ways plays, in words."""
        notes = {name: note for name, note in notes_of(self._goal).items() if name in self.levels}
        if self.equilibria is None:
            return notes | {"best": self.why_not}
        who = "together players" if self.graph.hides else "in some position a player"
        most = max(each.off for each in self.equilibria.found)
        off = f"; {who} could gain {most:.1g} by leaving it alone" if most else ""
        many = "; payoffs are opposed, and so everybody gets the same in every equilibrium" * self.equilibria.unique
        if self.equilibria.tried > 1:
            many += (
                f"; looked for from {self.equilibria.tried} starts, of which {len(self.equilibria.found)} came to one, "
                "and there may be others; columns show the first"
            )
        return notes | {"best": f"an equilibrium, by {self.equilibria.found[0].method}{off}{many}"}

    def course(self, *levels: str) -> Course:
        """What becomes of the game when all play in one way, or each seat in its own."""
        levels = levels * self.seats.players if len(levels) == 1 else levels
        if levels not in self._courses:
            self._courses[levels] = course(self.graph, [self.levels[level] for level in levels])
        return self._courses[levels]

    def endings(self, *levels: str) -> Endings:
        """Who wins, and what everybody gets."""
        return endings_of_course(self.course(*levels), self.seats, self.alike if len(set(levels)) == 1 else None)

    def as_found(self, level: str) -> Endings:
        """The same as the play that was found has it, seats that are alike left apart."""
        return endings_of_course(self.course(level), self.seats)

    @cached_property
    def _variants(self) -> tuple[Endings, ...]:
        return tuple(
            endings_of_course(course(self.graph, each.policy), self.seats, self.alike)
            for each in (self.equilibria.found if self.equilibria else ())
        )

    def variants(self, level: str) -> tuple[Endings, ...]:
        """How games end in each of the plays that a way may mean: in every equilibrium that was found."""
        return self._variants if level == "best" else (self.endings(level),)

    def residue(self, level: str) -> float:
        """Chances to win that differ by no more than this do not differ: it is what the solver left."""
        if level != "best" or not self.graph.hides or self.equilibria is None:
            return 0.0
        spread = float(np.ptp(self._aim.payoffs[self.graph.over]))
        return 2 * max(each.off for each in self.equilibria.found) / spread if spread else 0.0

    @cached_property
    def unseen(self) -> bool:
        """Whether players have choices one after another that nobody sees in between, though the game could say so."""
        inner = self._shape.starts != np.arange(len(self.graph.states))
        return bool((inner & self.graph.chooses).any()) and not hasattr(self.graph.game, "movers")

    @cached_property
    def begins(self) -> int | None:
        """The player who is always asked first, and chooses alone if there is a choice; None if there is none."""
        met, firsts, waiting = {0}, set(), [0]
        while waiting:
            state = waiting.pop()
            if self.graph.mover[state] != CHANCE:
                firsts.add(state)
                continue
            followers = set(self.graph.after[self.graph.first[state] : self.graph.first[state + 1]].tolist()) - met
            met |= followers
            waiting += followers
        movers = {int(self.graph.mover[state]) for state in firsts}
        chosen = np.isin(self._shape.starts, list(firsts)) & self.graph.chooses
        alone = chosen.sum() == self.graph.chooses[list(firsts)].sum()
        alone = alone and not any(at_once(self.graph.states[state]) for state in firsts)
        return movers.pop() if alone and len(movers) == 1 and OVER not in movers else None

    def shape(self, level: str) -> dict[str, Estimate]:
        """What the play of one way is like, by the names of `wording.MEASURES`."""
        return self._shape.of(self.course(level))

    @cached_property
    def _shape(self) -> ExactShape:
        return ExactShape(self.graph, self.seats)


def endings_of_course(play: Course, seats: Seats, alike: Alike | None = None) -> Endings:
    """Who wins, and what everybody gets; play that goes on for ever gives nobody anything."""
    points, where = np.unique(meant(play.graph.payoffs[play.ends]), axis=0, return_inverse=True)
    weight = np.bincount(where.ravel(), play.chances, len(points))
    if play.endless > 0:
        points, weight = np.vstack([points, np.zeros(seats.players)]), np.append(weight, play.endless)
    return endings_of(seats, points, weight / weight.sum(), length=Estimate(meant(play.moves)), alike=alike)


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
    function("leader", leader, "state")
    leads = [leader(state) for state in play.graph.states]
    most = game.players - 1
    numbers = [-1 if lead is None else whole_number("leader(state)", lead, 0, most) for lead in leads]
    changes = play.lead_changes(np.array(numbers))
    return replace(found, lead_changes=Estimate(meant(changes)))


def kingmaking(game: Game, policy: Policy | None = None) -> float:
    """The chance that somebody whose own chance to win is the same by every move changes those of others.

    The measure of a report (`wording.MEASURES`); parameters as of `endings`.

    Examples
    --------
    Whoever begins gets nothing, and chooses which of the others wins:

    >>> from gamebalance.games import Tree
    >>> kingmaking(Tree((0, [(0, 1, 0), (0, 0, 1)])))
    1.0
    """
    play = _followed(game, policy)
    return meant(play.met(ExactShape(play.graph, Seats.of(game)).kingmakers))


def _followed(game: Game, policy: Policy | None) -> Course:
    """A small game that is played at random, or as a policy says."""
    graph = GameGraph(game)
    return course(graph, policies.at_random(graph) if policy is None else policies.of_policy(graph, policy))
