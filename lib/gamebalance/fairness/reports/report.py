"""`report`: is this game fair, is it luck or skill, what are its games like, and how many real games would show it."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from gamebalance.base.announce import say
from gamebalance.base.checks import check_seed, flag, listed, number, one_of, shown
from gamebalance.base.estimates import Estimate
from gamebalance.base.rounding import meant
from gamebalance.base.tabled import Tabled
from gamebalance.fairness.games import Tally
from gamebalance.fairness.measures import decisiveness, drawishness, spread
from gamebalance.fairness.reports import pages, skill
from gamebalance.fairness.reports.exact import ExactPlay, alike_seats, compared
from gamebalance.fairness.reports.outlook import COUNTS, WAYS, Outlook, outlook, own_policies, play_of
from gamebalance.fairness.reports.sentences import sentences
from gamebalance.fairness.reports.simulated import SimulatedPlay
from gamebalance.fairness.reports.skill import Answer, Contest, games_to_show
from gamebalance.fairness.reports.told import typical_and_dramatic
from gamebalance.multiplayer.at_once import as_written
from gamebalance.multiplayer.graph.policies import Policy
from gamebalance.multiplayer.protocols import Game

if TYPE_CHECKING:
    from gamebalance.fairness.plots import Axes


#: What beginning is worth is told if it is the same in all equilibria, but for less than this.
SAME_WORTH = 5e-4


@dataclass(frozen=True, eq=False)
class Report(Tabled):
    """What can be said of a game. Made by `report`."""

    name: str
    outlook: Outlook  # what was done
    play: ExactPlay | SimulatedPlay  # the game under each way to play; `play.notes` says how each one plays
    without: Mapping[str, ExactPlay | SimulatedPlay]  # the same of the game without something
    margin: float = 0.05  # how far from an even share a chance to win may be in a fair game
    goal: str = "points"  # what players want: points, or to win
    wanted: tuple[str, ...] = WAYS  # the built-in ways to play that were asked for
    compared: str = ""  # what was found of seats that are alike where not all states are known
    steps: pd.DataFrame | None = None  # what single changes of the game do, as `tune` shows it
    told: int | None = None  # the seed of two games that are told, if they are

    @property
    def levels(self) -> tuple[str, ...]:
        """The ways to play, from the weakest on."""
        return tuple(self.play.levels)

    @property
    def exact(self) -> bool:
        """Whether there is no error of a sample in it."""
        return self.outlook.graph is not None

    @cached_property
    def shares(self) -> pd.DataFrame:
        """Who wins how often and gets how much, by seat, role and side, under each way to play of all."""
        rows = [
            (level, kind, *row, *ends)
            for level in self.levels
            for kind in self.play.endings(level).kinds
            if kind != "player"
            for row, ends in zip(_by(self.play.endings(level), kind), _reach(level, kind, self.play), strict=True)
        ]
        columns = "all play", "by", "who", "wins, %", "±", "mean payoff", "± payoff", "low, %", "high, %"
        return pd.DataFrame(rows, columns=columns)

    @cached_property
    def contests(self) -> tuple[Contest, ...]:
        """Each way to play alone among each that stands before it."""
        return tuple(skill.contest(self.play, better, others) for others, better in combinations(self.levels, 2))

    @cached_property
    def skill(self) -> pd.DataFrame:
        """`contests` as a table: wins, skill depth and luck in percent, bits, games that would show who plays better.

        The number of games is missing where play makes no difference, or the games played here do not show one.
        """
        columns = ["one plays", "the others", "points more", "± points", "wins, %", "±", "even, %", "skill depth, pp"]
        columns += ["± depth", "bits a game", "± bits", "luck, %", "± luck", "games to show it"]
        rows = []
        for each in self.contests:
            share, depth = ([100 * part for part in estimate] for estimate in (each.share, each.depth))
            needed = games_to_show(each.chances, each.variance, each.single) if each.shown else None
            numbers = *each.points, *share, 100 * each.even, *depth, *each.bits, 100 * each.luck, 100 * each.luck_error
            rows.append((each.better, each.others, *numbers, needed))
        return meant(pd.DataFrame(rows, columns=columns)).astype({"games to show it": "Int64"})

    @cached_property
    def shape(self) -> pd.DataFrame:
        """Every measure of the games of each way to play, in its unit, with its error; 0 where exact."""
        rows = [
            (level, name, measure.unit, measure.scale * found[name].value, measure.scale * found[name].error)
            for level in self.levels
            for found in [self.measures(level)]
            for name, measure in pages.MEASURES.items()
            if name in found
        ]
        return meant(pd.DataFrame(rows, columns=("all play", "measure", "unit", "value", "±")))

    @cached_property
    def ends(self) -> pd.DataFrame:
        """The chance of each end of a game, by who wins it, under each way to play of all."""
        rows = []
        for level in self.levels:
            endings = self.play.endings(level)
            tally, each = endings.tally(self.outlook.seats.kind), np.asarray(endings.values["won"])
            ends = np.array([_end(won, self.outlook.seats) for won in each])
            chances = {end: tally.mean_of(ends == end) for end in dict.fromkeys(ends.tolist())}
            for end in sorted(chances, key=lambda end: (-meant(chances[end].value, 6), end)):
                rows.append((level, end, 100 * chances[end].value, 100 * chances[end].error))
        return meant(pd.DataFrame(rows, columns=("all play", "end", "chance, %", "±")))

    @cached_property
    def worth(self) -> pd.DataFrame:
        """What is lost by each label when something is taken out of the game: chances to win with it and without.

        "low, points" and "high, points" are the ends of what it may be worth where that hangs on the equilibrium.
        """
        rows, kind = [], self.outlook.seats.kind
        for name, other in self.without.items():
            for level in filter(other.levels.__contains__, self.levels):
                before, after = (list(_by(play.endings(level), kind)) for play in (self.play, other))
                reach = _reach(level, kind, self.play, other)
                for (label, won, error, *_), (_, less, more, *_), ends in zip(before, after, reach, strict=True):
                    rows.append((name, level, label, won, less, won - less, float(np.hypot(error, more)), *ends))
        columns = "without", "all play", "who", "wins, %", "wins without, %", "worth, points", "±"
        return meant(pd.DataFrame(rows, columns=(*columns, "low, points", "high, points")))

    @cached_property
    def answers(self) -> Mapping[str, tuple[Answer, ...]]:
        """Is it fair? By way to play; with roles that several share, by role and by seat."""
        kinds = self.compared_by
        return {level: tuple(skill.answer(self.play, level, by, self.margin) for by in kinds) for level in self.levels}

    @cached_property
    def games_told(self) -> Mapping[str, tuple[str, pd.DataFrame]]:
        """A typical and a dramatic game of the best way to play, by title: what it is, and its moves; if asked for."""
        if self.told is None:
            return {}
        best = self.play.best  # where it changes with the moves left, the way before it
        level = self.levels[-2 if best and best.cut and self.levels[-1] == "best" else -1]
        return typical_and_dramatic(self.play, self.outlook.seats, level, self.told)

    @property
    def compared_by(self) -> tuple[str, ...]:
        """What is compared: sides if there are any; else roles, and seats where several share a role; else seats."""
        seats = self.outlook.seats
        shared = seats.kind == "role" and len(set(seats.roles or ())) < seats.players
        return (seats.kind, "seat") if shared else (seats.kind,)

    def even(self, level: str, by: str) -> tuple[float, float]:
        """The even share of all games, and the share of those that somebody wins, if all play in one way."""
        return skill.evened(self.play.endings(level).tally(by))[1:]

    @cached_property
    def verdicts(self) -> Mapping[str, str]:
        """By way to play: "fair" within the margin, "unfair", "undecided", or it "depends" on the equilibrium."""
        return {level: skill.of_level(answers) for level, answers in self.answers.items()}

    @property
    def verdict(self) -> str:
        """The same of all ways to play: what all say; it "depends" on play if some are fair and others unfair."""
        return skill.of_ways(self.verdicts.values())

    @cached_property
    def needed(self) -> pd.DataFrame:
        """How many real games would show unequal chances, by way to play; missing where they do not differ for sure."""
        rows = [(each.level, each.by, each.games) for answers in self.answers.values() for each in answers]
        return pd.DataFrame(rows, columns=("all play", "by", "games")).astype({"games": "Int64"})

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """The report in whole sentences."""
        return sentences(self)

    def measures(self, level: str) -> dict[str, Estimate]:
        """What the games of one way to play are like, by the names of `pages.MEASURES`, before their scale."""
        endings, kind = self.play.endings(level), self.outlook.seats.kind
        winners = endings.tally("side" if kind == "side" else "seat")
        kinds = zip(("asymmetry of roles", "asymmetry of seats"), self.compared_by, strict=False)
        own = {name: _asymmetry(endings.tally(by)) for name, by in kinds}
        own |= {"decisiveness": decisiveness(winners), "drawishness": drawishness(winners)}
        first, groups = self.play.begins, self.play.alike.groups if self.play.alike else ()
        if kind == "seat" and first is not None and not any(first in group for group in groups):
            worth = [_first(each.tally("seat"), first) for each in self.play.variants(level)]
            if np.ptp([each.value for each in worth]) <= max(SAME_WORTH, 2 * self.play.residue(level)):
                nothing = abs(worth[0].value) <= 2 * self.play.residue(level)
                own["first move"] = Estimate(0.0) if nothing and self.exact else worth[0]
        return {name: each.settled for name, each in (own | self.play.shape(level)).items()}

    def __str__(self) -> str:
        return "\n".join([self.name, *(f"- {sentence}" for sentence in self.sentences)])

    to_text, to_json, to_html = pages.text, pages.as_json, pages.html

    def to_frame(self) -> pd.DataFrame:
        """The table `shares`: who wins how often and gets how much, with standard errors, by way to play."""
        return self.shares.copy()

    def plot(self, ax: "Axes | None" = None, by: str | None = None) -> "Axes":
        """Draw who wins how often under each way to play, and return the axes: `plots.draw_report`."""
        from gamebalance.fairness.plots import draw_report

        return draw_report(self, ax, by)

    def _headings(self) -> dict[str, str]:
        return {"±": "± (s.e.)", "± payoff": "± (s.e.)"}

    def _about(self) -> str:
        return f"{self.name}. {self.outlook.sentence}"


def report(
    game: Game | Callable,
    players: int | None = None,
    *,
    policies: Mapping[str, Policy] | None = None,
    without: Mapping[str, Game] | None = None,
    ways: Collection[str] = WAYS,
    goal: str = "points",
    alike: Collection[Collection[int]] | None = None,
    margin: float = 0.05,
    seconds: float = 60.0,
    seed: int = 1,
    name: str | None = None,
    steps: pd.DataFrame | None = None,
    told: bool = False,
    **counts: int | None,
) -> Report:
    """Everything that can be said of a game: is it fair, is it luck or skill, how many would show it.

    Exact where the game has few enough states, simulated with standard errors where not; what is done, and how long it
    takes, is said beforehand, as `outlook` has it (`base.announce`).

    Parameters
    ----------
    game
        A `Game`, with `roles` and `sides` if players differ by them, and `alike` if it says which seats are; its
        players may move at once (`multiplayer.protocols.SimultaneousGame`). Or a function ``play(rng, players)`` that
        plays a game with the random numbers of `rng`, asks ``players[seat](known, moves)`` for every move, and returns
        what each player gets.
    players
        How many play, if the game is a function.
    policies
        Further ways to play: a function of what is known and the moves that answers with a move, or with the chance of
        each; or a mapping from what is known: ``game.information(state)``, the state itself in a game that shows all,
        and ``(seat, known)`` if the game is a function.
    without
        The same game without a card, an ability, a piece of knowledge (`without_moves`, `without_knowledge`): what it
        is worth to whom.
    goal : {"points", "win"}
        What players want who look ahead or play best: points, or a win, shared wins counted in parts.
    alike
        Groups of players, from 0, whose seats are interchangeable; by default what the game says in `alike`, else what
        is found by renaming the players, if all states are known.
    margin
        How far from an even share a chance to win may be in a fair game.
    ways, seconds, **counts
        As of `outlook`.
    seed, name
        Of the games that are played; of the game, by default its class's.
    steps
        What single changes of the game do, to stand in the report: `Tuning.to_shown`.
    told
        Whether a typical and a dramatic game are told, move by move.

    Examples
    --------
    >>> from gamebalance.games import tictactoe
    >>> found = report(tictactoe(3), states=30_000)
    >>> found.verdict, found.exact, found.needed["games"].tolist()
    ('depends', True, [25864, 58, <NA>, <NA>])
    """
    check_seed(seed)
    margin, goal = float(number("margin", margin, 0, 1)), one_of("goal", goal, ("points", "win"))
    if without is not None and not isinstance(without, Mapping):
        raise ValueError(f"without = {shown(without)}: a dict from what is taken out to the game without it is needed")
    own = own_policies(policies)
    written, same = as_written(game), getattr(game, "alike", None) if alike is None else alike
    name = name or getattr(written, "__name__", None) or type(written).__name__
    wanted = (ways,) if isinstance(ways, str) else tuple(listed("ways", ways))
    asked: dict[str, Any] = {"ways": ways, "own": len(own), "seconds": seconds, **counts}
    found = outlook(game, players, **asked)
    say(f"{name}: {found.announcement}")
    if found.graph is None:
        asked |= {count: getattr(found, count) for count in COUNTS if count != "states"}
    others = {}
    for what, other in (without or {}).items():
        also = outlook(other, players, **asked)
        if also.seats != found.seats:
            raise ValueError(f"without: {shown(what)} has other players, roles or sides than the game")
        say(f"{name} without {what}: {also.announcement}")
        others[what] = play_of(also, other, seed, own, alike_seats(also, same), goal)
    play = play_of(found, game, seed, own, alike_seats(found, same), goal)
    said = seed if flag("told", told) else None
    return Report(name, found, play, others, margin, goal, wanted, compared(found), steps, said)


def _asymmetry(tally: Tally) -> Estimate:
    """How far a chance to win typically is from the mean of all; 1.96 errors hold the interval of 95%."""
    found = spread(tally)
    low, high = np.sqrt(np.array([found.low, found.high]) / tally.size)
    reach = max(found.typical - low, high - found.typical)
    if not tally.exact and reach <= 0:  # closer together than chance lets them be
        reach = np.sqrt(found.noise / tally.size)
    return Estimate(found.typical, 0.0 if tally.exact else float(reach) / 1.96)


def _first(tally: Tally, first: int) -> Estimate:
    """What moving first is worth: the chance of the first player to win less the mean of the others'."""
    weights = np.full(tally.size, -1 / (tally.size - 1))
    weights[first] = 1.0
    variance = np.einsum("i,ij,j", weights, tally.covariance, weights)
    return Estimate(float((weights * tally.means).sum()), float(np.sqrt(max(variance, 0.0))))


def _by(endings, kind: str):
    """Label, wins in percent with error, and mean payoff with error."""
    won, points = endings.tally(kind), endings.tally(kind, "points")
    table = (100 * won.means, 100 * skill.errors_of(won), points.means, points.errors)
    for label, *row in zip(won.labels, *(meant(column).tolist() for column in table), strict=True):
        yield label, *row


def _reach(level: str, kind: str, play: Any, other: Any = None) -> list[list[float]]:
    """The least and the most that each label wins in the equilibria found, in percent; or more than in another play."""
    found = [[100 * each.tally(kind).means for each in one.variants(level)] for one in (play, other) if one]
    if max(map(len, found)) == 1:
        return [[np.nan, np.nan]] * len(found[0][0])
    low, high = np.min(found[0], axis=0), np.max(found[0], axis=0)
    if other:
        low, high = low - np.max(found[1], axis=0), high - np.min(found[1], axis=0)
    return meant(np.stack([low, high], axis=1)).tolist()


def _end(won: np.ndarray, seats) -> str:
    """Who has won, in words."""
    winners = np.flatnonzero(won > 0)
    if not len(winners):
        return "nobody wins: all get the same"
    names = seats.sides or seats.roles or [f"seat {number}" for number in range(1, seats.players + 1)]
    found = list(dict.fromkeys(names[winner] for winner in winners))
    return f"{found[0]} wins" if len(found) == 1 else f"{', '.join(found[:-1])} and {found[-1]} share the win"
