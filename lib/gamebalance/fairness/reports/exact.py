"""A game whose graph is known: how it ends, and what its play is like, without any error of a sample."""

from collections.abc import Callable, Collection, Mapping
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from math import log10
from typing import Any

import numpy as np

from gamebalance.base.checks import all_different, function, listed, shown, whole_number
from gamebalance.base.estimates import Estimate
from gamebalance.base.rounding import meant
from gamebalance.fairness.endings import Endings
from gamebalance.fairness.reports.playing import ALL, Player, following, notes_of
from gamebalance.fairness.reports.tables import ForWins, Seats, endings_of, parties, wins, won_by_party
from gamebalance.multiplayer.at_once import at_once, written_state
from gamebalance.multiplayer.graph import Course, GameGraph, course, kernels, policies, symmetry
from gamebalance.multiplayer.graph.blocks import block_starts
from gamebalance.multiplayer.graph.horizon import CutGraph
from gamebalance.multiplayer.graph.policies import Best, Equilibria, Policy
from gamebalance.multiplayer.graph.symmetry import Alike
from gamebalance.multiplayer.protocols import CHANCE, OVER, Game, State

#: Decimals by which cuts are told apart, of what they give.
CUT_DIGITS = 4

#: The built-in ways to play but the best, from the weakest on.
BUILT_IN = {"random": policies.at_random, "greedy": policies.greedy, "searching": policies.looking_ahead}


class ExactShape:
    """What the play of a game is like whose graph is known (`MEASURES`); `turn` is where a turn begins."""

    def __init__(self, graph: GameGraph, seats: Seats):
        self.graph, self.seats, self.starts = graph, seats, block_starts(graph)
        self.whole = graph.whole if isinstance(graph, CutGraph) else graph
        self.begins = self.starts == np.arange(len(self.starts))
        self.turn = graph.chooses & self.begins

    def of(self, play: Course) -> dict[str, Estimate]:
        """The measures of one way to play; those that are not found are left out."""
        graph, moves = self.graph, np.diff(self.graph.first)
        turns = np.where(self.turn & ~play.stops, play.visits, 0.0)
        asked = np.where((graph.mover >= 0) & ~play.stops, play.visits, 0.0)
        real = np.where(moves > 1, asked, 0.0)
        again = play.returns(self.turn) if graph.circles else 0.0
        apart = differences(graph.payoffs[play.ends], self.seats)
        measures = {
            "length": play.moves,
            "spread of length": play.moves_spread,
            "median length": play.moves_median,
            "endless": play.endless,
            "lead changes": play.lead_changes(self.leader),
            "drama": self._drama(play),
            "kingmaking": play.met(self.kingmakers),
            "decided after": _part(turns[self.undecided].sum(), turns.sum()),
            "repetition": None if again is None else _part(again, turns.sum()),
            "difference of scores": None if apart is None else (play.chances * apart).sum(),
            "uniformity of outcomes": self._uniformity(play),
            "branching factor": _part((asked * moves).sum(), asked.sum()),
            "decision factor": _part((real * moves).sum(), real.sum()),
            "real choices": _part(real.sum(), asked.sum()),
            "size of the tree": self._tree,
            "state space": log10(len({*map(written_state, self.whole.states)})),
        }
        return {
            name: Estimate(meant(float(each), residue=1e-12)) for name, each in measures.items() if each is not None
        }

    @cached_property
    def kingmakers(self) -> np.ndarray:
        """Where the mover chooses between others (as `measures.is_kingmaker` has it): bool, shape (states,).

        All then play as `policies.looking_ahead`. States that a player does not tell apart count as often as random
        play comes to the turn, and play as `policies.looking_ahead` from there to the state.
        """
        graph, decides = self.graph, np.zeros(len(self.graph.sets) + 1, bool)
        play = course(graph, policies.looking_ahead(graph))
        inner = self.starts[graph.after] != graph.after
        weight = np.where(self.begins, self._random.visits, 0.0)
        while True:  # on through the choices of a turn
            passed = weight[graph.source[inner]] * play.chance[inner]
            within = np.where(self.begins, weight, np.bincount(graph.after[inner], passed, len(weight)))
            if (within == weight).all():
                break
            weight = within
        chance = policies.worth_to_all(graph, weight, play.values(self._wins))
        counts, own = np.diff(graph.set_first), parties(self.seats)[graph.set_mover]
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
        most = self.prospects.max(axis=1, keepdims=True)
        alone = (self.prospects == most).sum(axis=1) == 1
        shown_there = ((self.graph.mover >= 0) & self.begins) | self.graph.over
        return np.where(alone & shown_there, self.prospects.argmax(axis=1), -1)

    @cached_property
    def _random(self) -> Course:
        return course(self.graph, policies.at_random(self.graph))

    @cached_property
    def _wins(self) -> np.ndarray:
        """Which party has won at each end, shape (states, parties): a player, or a side where there are sides."""
        over = self.graph.over
        won = np.zeros((len(over), parties(self.seats).max() + 1))
        won[over] = won_by_party(self.graph.payoffs[over], self.seats)
        return won

    @cached_property
    def prospects(self) -> np.ndarray:
        """The chance of each party to win from each state, were the rest played at random."""
        return meant(self._random.values(self._wins))

    def _drama(self, play: Course) -> float:
        """How far behind the leader the winner to be is, on the average over the choices of decided games."""
        chance = play.values(self._wins)[self.starts]
        weight = np.where(self.graph.chooses & ~play.stops, play.visits, 0.0)
        behind = (self.prospects.max(axis=1, keepdims=True) - self.prospects)[self.starts]
        return _part((weight * (chance * behind).sum(axis=1)).sum(), (weight * chance.sum(axis=1)).sum()) or 0.0

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

    def _uniformity(self, play: Course) -> float | None:
        nobody = self._wins.shape[1] + 1
        chance = np.bincount(outcomes(self._wins[play.ends]), play.chances, nobody + 1)
        chance[-1] += play.endless
        can = np.append(outcomes(self._wins[self.graph.over]), [nobody] * (play.endless > 0))
        chance = chance[chance > 0]
        return _part(-(chance * np.log(chance)).sum(), largest_entropy(can, nobody - 1))

    @cached_property
    def _tree(self) -> float | None:
        """The logarithm of the number of different games; None if it has no bound."""
        if self.whole.circles:
            return None
        first, after = self.graph.first.tolist(), self.graph.after.tolist()
        games = [1] * len(self.graph.states)
        for state in self.graph.order[::-1].tolist():
            if first[state] < first[state + 1]:
                games[state] = sum(games[follower] for follower in after[first[state] : first[state + 1]])
        return log10(games[0])


def _part(part: float, whole: float) -> float | None:
    """The one over the other; None where there is nothing."""
    return part / whole if whole > 0 else None


def differences(points: np.ndarray, seats: Seats) -> np.ndarray | None:
    """What the best party gets more than the second; None if there is but one."""
    party = parties(seats)
    if party.max() == 0:
        return None
    best = np.sort(np.stack([points[:, party == one].mean(axis=1) for one in range(party.max() + 1)]), axis=0)
    return best[-1] - best[-2]


def outcomes(won: np.ndarray) -> np.ndarray:
    """Who wins: the number of a party, and after them a shared win and nobody; shapes (rows, parties), (rows,)."""
    many = won.shape[1]
    alone, any_ = won.max(axis=1, initial=0) > 1 - 1e-9, won.any(axis=1)
    return np.where(alone, won.argmax(axis=1), np.where(any_, many, many + 1))


def largest_entropy(can: np.ndarray, many: int) -> float:
    """Of outcomes: each party is one, and a shared win and nobody where they were met; 0 if there is but one party."""
    return float(np.log(many + len(np.unique(can[can >= many])))) if many > 1 else 0.0


@dataclass(eq=False, repr=False)
class ExactPlay:
    """A small game under each way to play: the built-in `ways`, and those of one's `own`, policies by name.

    `levels` are the ways by name, from the weakest on, each an array of the chance of each move; best is among them if
    it was found (else `why_not` says why). Chances of seats that are `alike` are means over the renamings. Those who
    look ahead or play best seek the `goal`, "points" or to "win".
    """

    graph: GameGraph
    seats: Seats
    own: Mapping[str, Policy] | None = None
    ways: Collection[str] = tuple(BUILT_IN)
    alike: Alike | None = None
    goal: str = "points"

    def __post_init__(self):
        self._aim = self.graph if self.goal == "points" else for_wins(self.graph)
        chosen = self.ways if self.graph.sets else ("random",)  # where nobody chooses, all ways are one
        self.levels = {name: BUILT_IN[name](self._aim) for name in BUILT_IN if name in chosen}
        self.levels |= {name: policies.of_policy(self.graph, policy) for name, policy in (self.own or {}).items()}
        self.best: Best | None = None
        self.why_not = "not asked for" if self.graph.sets else "nobody chooses"
        if "best" in chosen:
            try:
                self.best = policies.find_best(self._aim)
                self.levels["best"] = self.best.policy
            except policies.NotFound as error:
                self.why_not = f"not found: {error}"
        self._courses: dict[tuple, Course] = {}
        self._shape = ExactShape(self.graph, self.seats)

    @cached_property
    def equilibria(self) -> Equilibria | None:
        """`best`, and what else is best play, as far as it is found."""
        tied = self.alike.tied if self.alike else None
        return policies.find_equilibria(self._aim, tied, self.best) if self.best else None

    @cached_property
    def notes(self) -> dict[str, str]:
        """How each of the built-in ways plays, in words."""
        notes = {name: note for name, note in notes_of(self.goal).items() if name in self.levels}
        if self.equilibria is None:
            return notes | {"best": self.why_not}
        who = "together players" if self.graph.hides else "a player" if self._cut else "in some position a player"
        most = max(each.off for each in self.equilibria.found if bool(each.cut) == bool(self._cut))
        off = f"; {who} could gain {most:.1g} by leaving it alone" if most else ""
        if self._cut:
            off = f"; it changes with the moves left to a cut after {self._cut.left[0]}{off}"
        many = "; payoffs are opposed, and so everybody gets the same in every equilibrium" * self.equilibria.unique
        if self.equilibria.tried > 1:
            many += (
                f"; looked for from {self.equilibria.tried} starts, of which {len(self.equilibria.found)} came to one, "
                "and there may be others; columns show the first"
            )
        return notes | {"best": f"an equilibrium, by {self.equilibria.found[0].method}{off}{many}"}

    def course(self, *levels: str) -> Course:
        """What becomes of the game when all play in one way, or each seat in its own; of the game cut if best is."""
        levels = levels * self.seats.players if len(levels) == 1 else levels
        if levels not in self._courses:
            cut, chosen = self._cut if "best" in levels else None, dict(self.levels)
            if cut:
                chosen = {name: each if name == "best" else cut.lifted(each) for name, each in chosen.items()}
            self._courses[levels] = course(cut or self.graph, [chosen[level] for level in levels])
        return self._courses[levels]

    @cached_property
    def _cut(self) -> Any:
        """The game cut, if best play is that of it; it pays what the game does, also where players go for wins."""
        return self._paying(self.best.graph) if self.best and self.best.cut else None

    def _paying(self, graph: Any) -> Any:
        """The same graph, cut or not, with the payoffs of the game."""
        if not isinstance(graph, CutGraph):
            return self.graph
        changed = copy(graph)
        changed.payoffs = graph.at_ends(self.graph.payoffs)
        return changed

    def endings(self, *levels: str) -> Endings:
        """Who wins, and what everybody gets."""
        return endings_of_course(self.course(*levels), self.seats, self.alike if len(set(levels)) == 1 else None)

    @cached_property
    def _variants(self) -> tuple[Endings, ...]:
        whole, cuts = np.hstack([own := np.nan_to_num(self.graph.payoffs), wins(own, self.seats.sides)]), []
        for each in self.equilibria.found if self.equilibria else ():
            graph, starts = self._paying(each.graph), np.zeros(1, int)
            if each.cut:  # also sooner, wherever somebody gets or wins something else
                gets = course(graph, each.policy).values(graph.at_ends(whole))[graph.begins]
                rows = np.unique(np.round(gets / np.abs(whole).max(), CUT_DIGITS), axis=0, return_index=True)[1]
                starts = graph.begins[np.sort(rows)]
            cuts.append([endings_of_course(course(graph, each.policy, at), self.seats, self.alike) for at in starts])
        return (*(first for first, *_ in cuts), *(each for _, *sooner in cuts for each in sooner))

    def variants(self, level: str) -> tuple[Endings, ...]:
        """How games end in each of the plays that a way may mean: all equilibria found, then games cut sooner."""
        return self._variants if level == "best" else (self.endings(level),)

    def residue(self, level: str) -> float:
        """Chances to win that differ by no more than this do not differ: it is what the solver left."""
        if level != "best" or not self.graph.hides or self.equilibria is None:
            return 0.0
        spread = float(np.ptp(self._aim.payoffs[self.graph.over]))
        return 2 * max(each.off for each in self.equilibria.found) / spread if spread else 0.0

    def player(self, level: str) -> Player:
        """Who plays so."""
        if level == "best" and self._cut:
            raise ValueError("best play of this game changes with the moves left, and cannot be played by position")
        graph, chance = self.graph, self.levels[level].tolist()
        each = zip(graph.sets, graph.moves, graph.set_first.tolist(), strict=False)
        return following(
            {known: dict(zip(moves, chance[first : first + len(moves)], strict=True)) for known, moves, first in each}
        )

    def prospects(self) -> Callable[[State], np.ndarray | None]:
        """What says of a state which chance each party has to win, were the rest played at random."""
        places = {state: place for place, state in enumerate(self.graph.states)}
        return lambda state: self._shape.prospects[places[state]]

    @cached_property
    def unseen(self) -> bool:
        """Whether players have choices one after another that nobody sees in between, though the game could say so."""
        inner = self._shape.starts != np.arange(len(self.graph.states))
        return bool((inner & self.graph.chooses).any()) and not hasattr(self.graph.game, "movers")

    @cached_property
    def begins(self) -> int | None:
        """The player who is always asked first, and chooses alone if there is a choice; None if there is none."""
        graph, firsts, waiting, met = self.graph, [], [0], {0}
        for state in waiting:  # which grows
            if graph.mover[state] != CHANCE:
                firsts.append(state)
            else:
                after = set(graph.after[graph.first[state] : graph.first[state + 1]].tolist()) - met
                waiting += after
                met |= after
        chosen = np.isin(self._shape.starts, firsts) & graph.chooses
        alone = chosen.sum() == graph.chooses[firsts].sum() and not any(at_once(graph.states[each]) for each in firsts)
        movers = set(graph.mover[firsts].tolist())
        return movers.pop() if alone and len(movers) == 1 and OVER not in movers else None

    def shape(self, level: str) -> dict[str, Estimate]:
        """What the play of one way is like, by the names of `MEASURES`."""
        if level == "best" and self._cut:
            return ExactShape(self._cut, self.seats).of(self.course(level))
        return self._shape.of(self.course(level))


def for_wins(graph: GameGraph) -> GameGraph:
    """The same states and moves with wins for payoffs."""
    changed = copy(graph)
    changed.game = ForWins(graph.game)
    for name in ("same", "standing", "cut"):  # which hang on payoffs
        changed.__dict__.pop(name, None)
    changed.payoffs = graph.payoffs.copy()
    changed.payoffs[graph.over] = wins(graph.payoffs[graph.over], Seats.of(graph.game).sides)
    return changed


def endings_of_course(play: Course, seats: Seats, alike: Alike | None = None) -> Endings:
    """Who wins, and what everybody gets; play that goes on for ever gives nobody anything."""
    points, ends = np.unique(play.graph.payoffs[play.ends], axis=0, return_inverse=True)
    points, where = np.unique(meant(points), axis=0, return_inverse=True)
    weight = np.bincount(where.ravel()[ends.ravel()], play.chances, len(points))
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
    graph = GameGraph(game)
    play = course(graph, policies.at_random(graph) if policy is None else policies.of_policy(graph, policy))
    found = endings_of_course(play, Seats.of(game))
    if leader is None:
        return found
    leads = map(function("leader", leader, "state"), graph.states)
    most = game.players - 1
    numbers = [-1 if lead is None else whole_number("leader(state)", lead, 0, most) for lead in leads]
    return replace(found, lead_changes=Estimate(meant(play.lead_changes(np.array(numbers)))))


def kingmaking(game: Game) -> float:
    """The chance, all at random, that a player whose own chance is the same by every move changes those of others.

    Examples
    --------
    Whoever begins gets nothing, and chooses which of the others wins:

    >>> from gamebalance.games import Tree
    >>> kingmaking(Tree((0, [(0, 1, 0), (0, 0, 1)])))
    1.0
    """
    return ExactPlay(GameGraph(game), Seats.of(game), ways=("random",)).shape("random")["kingmaking"].value


#: In the beginning of a game of fewer states than this seats are not compared.
LEAST = 100


def compared(outlook: Any) -> str:
    """That no seat was found to be unlike another in the beginning of a game too large to be followed; else nothing."""
    if outlook.search is None:
        return ""
    for less in range(outlook.seats.players + 1):  # a depth at which nobody is about to choose when others have
        beginning = GameGraph.beginning(outlook.search, less)
        same = symmetry.alike(beginning, outlook.seats.sides) if beginning.inner >= LEAST else None
        if same is not None and any(len(group) == outlook.seats.players for group in same.groups):
            first = f"{beginning.inner:,} states"
            return f"No difference between the seats was found in the first {first}; there may be one later."
    return ""


def alike_seats(outlook: Any, groups: Collection[Collection[int]] | None) -> Alike | None:
    """The seats that are said to be alike, or are found to be; what is said is compared with what is found."""
    graph, (players, _, sides) = outlook.graph, outlook.seats
    proved = symmetry.alike(graph, sides) if graph is not None else None
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
    play: Any = ExactPlay(graph, outlook.seats) if graph is not None else None
    for level, group in product(play.levels if play else (), members):
        means = play.endings(level).tally("seat", "points").means[list(group)]
        if np.ptp(means) > 1e-9:  # what is not proved may be so, but not where play tells them apart
            payoffs = " and ".join(f"{mean:z.3g}" for mean in means)
            seats = " and ".join(str(player + 1) for player in group)
            raise ValueError(
                f"alike = {shown(members)}: seats {seats} are not alike, since they get {payoffs} on average if all "
                f"{ALL[level]}"
            )
    return symmetry.declared(players, members)
