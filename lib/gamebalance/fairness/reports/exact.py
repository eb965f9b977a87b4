"""A game whose graph is known: how it ends, and what its play is like, without any error of a sample."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from gamebalance.base.checks import all_different, function, listed, shown, whole_number
from gamebalance.base.estimates import Estimate
from gamebalance.base.rounding import meant
from gamebalance.fairness.endings import Endings
from gamebalance.fairness.reports.playing import ALL, notes_of
from gamebalance.fairness.reports.restricted import aimed
from gamebalance.fairness.reports.shape import ExactShape
from gamebalance.fairness.reports.tables import Seats, endings_of
from gamebalance.multiplayer.at_once import at_once
from gamebalance.multiplayer.graph import Course, GameGraph, course, policies, symmetry
from gamebalance.multiplayer.graph.policies import Best, Equilibria, Policy
from gamebalance.multiplayer.graph.symmetry import Alike
from gamebalance.multiplayer.protocols import CHANCE, OVER, Game, State

#: The built-in ways to play but the best, from the weakest on.
BUILT_IN = {"random": policies.at_random, "greedy": policies.greedy, "searching": policies.looking_ahead}


class ExactPlay:
    """A small game under each way to play: the built-in `ways`, and those of one's `own`, policies by name.

    `levels` are the ways by name, from the weakest on: random, greedy, searching, those of `own`, and best, if it was
    found (else `why_not` says why); each an array of the chance of each move. Chances of seats that are `alike` are
    means over the renamings. Those who look ahead or play best seek the `goal`, "points" or to "win".
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
    """How a small game ends, exactly, if all play at random or as a policy says: a move, or the chance of each.

    `leader` says who leads in a state, or None, for the number of lead changes.

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


#: In the beginning of a game of fewer states than this seats are not compared.
LEAST = 100


def compared(found: Any) -> str:
    """That no seat was found to be unlike another in the beginning of a game too large to be followed; else nothing."""
    if found.search is None:
        return ""
    for less in range(found.seats.players + 1):  # a depth at which nobody is about to choose when others have
        beginning = GameGraph.beginning(found.search, less)
        same = symmetry.alike(beginning, found.seats.sides) if beginning.inner >= LEAST else None
        if same is not None and any(len(group) == found.seats.players for group in same.groups):
            first = f"{beginning.inner:,} states"
            return f"No difference between the seats was found in the first {first}; there may be one later."
    return ""


def alike_seats(found: Any, groups: Collection[Collection[int]] | None) -> Alike | None:
    """The seats that are said to be alike, or are found to be; what is said is compared with what is found."""
    players, sides = found.seats.players, found.seats.sides
    proved = symmetry.alike(found.graph, sides) if found.graph is not None else None
    if groups is None:
        return proved
    members = [
        tuple(whole_number("alike", player, 0, players - 1) for player in listed("alike", group))
        for group in listed("alike", groups)
    ]
    if not all_different([player for group in members for player in group]):
        raise ValueError(f"alike = {shown(members)}: groups of different players are needed")
    known = proved.groups if proved else ()
    if all(any(set(group) <= set(other) for other in known) for group in members if len(group) > 1):
        return proved
    if sides and any(len({sides[player] for player in group}) > 1 for group in members):
        raise ValueError(f"alike = {shown(members)}: those of a group are on one side, of {shown(sides)}")
    if found.graph is not None:  # what is not proved may be so, but not where play tells them apart
        play = ExactPlay(found.graph, found.seats)
        for level, group in product(play.levels, members):
            means = play.endings(level).tally("seat", "points").means[list(group)]
            if np.ptp(means) > 1e-9:
                told = " and ".join(f"{mean:z.3g}" for mean in means)
                seats = " and ".join(str(player + 1) for player in group)
                raise ValueError(
                    f"alike = {shown(members)}: seats {seats} are not alike, since they get {told} on average if all "
                    f"{ALL[level]}"
                )
    return symmetry.declared(players, members)
