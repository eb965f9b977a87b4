"""`report`: is this game fair, is it luck or skill, what are its games like, and how many real games would show it."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from gamebalance.base.announce import say
from gamebalance.base.checks import check_seed, shown
from gamebalance.base.estimates import Estimate
from gamebalance.base.rounding import meant
from gamebalance.base.tabled import Tabled
from gamebalance.fairness import planning
from gamebalance.fairness.measures import decisiveness, drawishness, spread
from gamebalance.fairness.reports import pages, skill
from gamebalance.fairness.reports.exact import ExactPlay
from gamebalance.fairness.reports.outlook import COUNTS, WAYS, Outlook, outlook, play_of
from gamebalance.fairness.reports.simulated import SimulatedPlay
from gamebalance.fairness.reports.wording import MEASURES, sentences
from gamebalance.fairness.tallies import Tally
from gamebalance.multiplayer.graph.policies import Policy
from gamebalance.multiplayer.protocols import Game

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, eq=False)
class Report(Tabled):
    """What can be said of a game. Made by `report`.

    Attributes
    ----------
    name : str
    outlook : Outlook
        What was done.
    play : ExactPlay or SimulatedPlay
        The game under each way to play; ``play.notes`` says how each one plays.
    without : dict of str to ExactPlay or SimulatedPlay
        The same of the game without something.
    """

    name: str
    outlook: Outlook
    play: ExactPlay | SimulatedPlay
    without: Mapping[str, ExactPlay | SimulatedPlay]

    @property
    def levels(self) -> tuple[str, ...]:
        """The ways to play, from the weakest on."""
        return tuple(self.play.levels)

    @property
    def exact(self) -> bool:
        """Whether there is no error of a sample in it."""
        return self.outlook.graph is not None

    @cached_property
    def shares(self) -> "pandas.DataFrame":
        """Who wins how often and gets how much, by seat, role and side, under each way to play of all."""
        return _frame(
            (level, kind, label, *row)
            for level in self.levels
            for kind in self.play.endings(level).kinds
            if kind != "player"
            for label, *row in _by(self.play.endings(level), kind)
        )

    @cached_property
    def contests(self) -> tuple[skill.Contest, ...]:
        """Each way to play alone among each that stands before it."""
        pairs = combinations(self.levels, 2)
        return tuple(skill.contest(self.play, better, others) for others, better in pairs)

    @cached_property
    def skill(self) -> "pandas.DataFrame":
        """`contests` as a table: wins, skill depth and luck in percent, bits, games that would show who plays better.

        The number of games is missing where play makes no difference, or the games played here do not show one.
        """
        import pandas as pd

        rows = [
            {
                "one plays": each.better,
                "the others": each.others,
                "points more": each.points.value,
                "± points": each.points.error,
                "wins, %": 100 * each.share.value,
                "±": 100 * each.share.error,
                "even, %": 100 * each.even,
                "skill depth, pp": 100 * each.depth.value,
                "± depth": 100 * each.depth.error,
                "bits a game": each.bits.value,
                "± bits": each.bits.error,
                "luck, %": 100 * each.luck,
                "± luck": 100 * each.luck_error,
                "games to show it": _games(each.chances, each.variance, each.single) if each.shown else None,
            }
            for each in self.contests
        ]
        return meant(pd.DataFrame(rows)).astype({"games to show it": "Int64"} if rows else {})

    @cached_property
    def shape(self) -> "pandas.DataFrame":
        """Every measure of the games of each way to play, in its unit, with its error; 0 where exact."""
        import pandas as pd

        rows = []
        for level in self.levels:
            found = self._measures(level)
            for name in MEASURES:
                if name in found:
                    scale = MEASURES[name].scale
                    value, error = found[name]
                    rows.append((level, name, MEASURES[name].unit, scale * value, scale * error))
        return meant(pd.DataFrame(rows, columns=["all play", "measure", "unit", "value", "±"]))

    @cached_property
    def ends(self) -> "pandas.DataFrame":
        """The chance of each end of a game, by who wins it, under each way to play of all."""
        import pandas as pd

        rows = []
        for level in self.levels:
            endings = self.play.endings(level)
            chances: dict[str, float] = {}
            for won, chance in zip(endings.values["won"], endings.probability, strict=True):
                end = _end(won, self.outlook.seats)
                chances[end] = chances.get(end, 0.0) + float(chance)
            for end in sorted(chances, key=lambda end: (-meant(chances[end], 6), end)):
                rows.append((level, end, 100 * chances[end], 100 * _error(chances[end], endings.games)))
        return meant(pd.DataFrame(rows, columns=["all play", "end", "chance, %", "±"]))

    @cached_property
    def worth(self) -> "pandas.DataFrame":
        """What is lost by each label when something is taken out of the game: chances to win with it and without."""
        import pandas as pd

        rows = []
        for name, other in self.without.items():
            for level in self.levels:
                if level not in other.levels:
                    continue
                kind = self.outlook.seats.kind
                before, after = (list(_by(play.endings(level), kind)) for play in (self.play, other))
                for (label, won, error, *_), (_, less, less_error, *_) in zip(before, after, strict=True):
                    rows.append((name, level, label, won, less, won - less, float(np.hypot(error, less_error))))
        columns = ["without", "all play", "who", "wins, %", "wins without, %", "worth, points", "±"]
        return meant(pd.DataFrame(rows, columns=columns))

    @cached_property
    def needed(self) -> "pandas.DataFrame":
        """How many real games would show unequal chances to win, if all play in one way.

        Missing where chances are equal, and where the games played here do not show that they differ.
        """
        import pandas as pd

        rows = []
        for level in self.levels:
            endings, kind = self.play.endings(level), self.outlook.seats.kind
            tally, results = endings.tally(kind), endings.tally("side" if kind == "side" else "seat")
            members = np.rint(tally.plays / tally.games).astype(int)  # each of those who share a role can win
            seen = tally.size > 1 and tally.means.any() and (self.exact or spread(tally).low > 0)
            chances, won = np.repeat(tally.means, members), results.total.toarray()
            rows.append((level, _games(chances, *skill.varied(won, endings.probability)) if seen else None))
        return pd.DataFrame(rows, columns=["all play", "games"]).astype({"games": "Int64"})

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """The report in whole sentences."""
        return sentences(self)

    def _measures(self, level: str) -> dict[str, Estimate]:
        """By the names of `wording.MEASURES`."""
        endings, kind = self.play.endings(level), self.outlook.seats.kind
        winners = endings.tally("side" if kind == "side" else "seat")
        own = {
            "asymmetry of roles": _asymmetry(endings.tally(kind)),
            "decisiveness": decisiveness(winners),
            "drawishness": drawishness(winners),
        }
        if kind == "seat":
            own["first move"] = _first(winners)
        return own | self.play.shape(level)

    def __str__(self) -> str:
        return "\n".join([self.name, *(f"- {sentence}" for sentence in self.sentences)])

    def to_text(self) -> str:
        """The whole report as plain text."""
        return pages.text(self)

    def to_json(self) -> str:
        """Sentences, all numbers with their errors, definitions: as JSON."""
        return pages.as_json(self)

    def to_html(self) -> str:
        """A page of its own, without scripts and without anything to be loaded."""
        return pages.html(self)

    def to_frame(self) -> "pandas.DataFrame":
        """The table `shares`: who wins how often and gets how much, with standard errors, by way to play."""
        return self.shares.copy()

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
    seconds: float = 60.0,
    seed: int = 1,
    name: str | None = None,
    **counts: int | None,
) -> Report:
    """Everything that can be said of a game: is it fair, is it luck or skill, how many would show it.

    Exact where the game has few enough states, simulated with standard errors where not; what is done, and how long it
    takes, `outlook` says beforehand: so does the command line, and whoever has a listener (`base.announce`).

    Parameters
    ----------
    game : Game or callable
        A `Game`, with `roles` and `sides` if players differ by them; or a function ``play(rng, players)`` that plays a
        game with the random numbers of `rng`, asks ``players[seat](known, moves)`` for every move, and returns what
        each player gets.
    players : int, optional
        How many play, if the game is a function.
    policies : mapping of str to policy, optional
        Further ways to play: a function of what is known and the moves that answers with a move, or with the chance of
        each; or a mapping from what is known: ``game.information(state)``, the state itself in a game that shows all,
        and ``(seat, known)`` if the game is a function.
    without : mapping of str to Game, optional
        The same game without a card, an ability, a piece of knowledge (see `restricted`): what it is worth to whom.
    ways, seconds, **counts
        As of `outlook`.
    seed : int
        Of the games that are played.
    name : str, optional
        Of the game; its class's by default.

    Returns
    -------
    Report

    Raises
    ------
    ValueError
        If the game breaks its protocol; the state in which it does is named.

    Examples
    --------
    >>> from gamebalance.games import tictactoe
    >>> found = report(tictactoe(3), states=30_000)
    >>> found.exact, found.needed["games"].tolist()
    (True, [25864, 58, <NA>, <NA>])
    """
    check_seed(seed)
    own, without = _policies(policies), _others(without)
    found = outlook(game, players, ways=ways, own=len(own), seconds=seconds, **counts)
    say(f"{name or _name(game)}: {found.announcement}")
    others = {}
    for what, other in without.items():
        also = outlook(other, players, ways=ways, own=len(own), seconds=seconds, **counts | _same(found))
        if also.seats != found.seats:
            raise ValueError(f"without: {shown(what)} has other players, roles or sides than the game")
        say(f"{name or _name(game)} without {what}: {also.announcement}")
        others[what] = play_of(also, other, seed, own)
    return Report(name or _name(game), found, play_of(found, game, seed, own), others)


def _others(without: Mapping[str, Game] | None) -> Mapping[str, Game]:
    if without is not None and not isinstance(without, Mapping):
        raise ValueError(f"without = {shown(without)}: a dict from what is taken out to the game without it is needed")
    return without or {}


def _policies(policies: Mapping[str, Policy] | None) -> dict[str, Policy]:
    """Further ways to play, refused if they are none or have a name that is taken."""
    if policies is not None and not isinstance(policies, Mapping):
        raise ValueError(f"policies = {shown(policies)}: a dict from names to policies is needed")
    for name, policy in (policies or {}).items():
        if name in WAYS:
            raise ValueError(f"policies: {shown(name)} is the name of a built-in way to play")
        if not isinstance(name, str) or not (callable(policy) or isinstance(policy, Mapping)):
            raise ValueError(f"policies: {shown(name)}: {shown(policy)}: a name and a function or a dict are needed")
    return dict(policies or {})


def _asymmetry(tally: Tally) -> Estimate:
    """How far a chance to win typically is from the mean of all; 1.96 errors hold the interval of 95%."""
    found = spread(tally)
    low, high = np.sqrt(np.array([found.low, found.high]) / tally.size)
    reach = max(found.typical - low, high - found.typical)
    if not tally.exact and reach <= 0:  # closer together than chance lets them be
        reach = np.sqrt(found.noise / tally.size)
    return Estimate(found.typical, 0.0 if tally.exact else float(reach) / 1.96)


def _first(tally: Tally) -> Estimate:
    """What moving first is worth: the chance of seat 1 to win less the mean of the others'."""
    weights = np.array([1.0] + [-1 / (tally.size - 1)] * (tally.size - 1))
    variance = np.einsum("i,ij,j", weights, tally.covariance, weights)
    return Estimate(float((weights * tally.means).sum()), float(np.sqrt(max(variance, 0.0))))


def _same(found: Outlook) -> dict[str, int]:
    """What one outlook gives to another: as many games."""
    return {name: getattr(found, name) for name in COUNTS if name != "states" and found.graph is None}


def _name(game: Any) -> str:
    return getattr(game, "__name__", None) or type(game).__name__


def _by(endings, kind: str):
    """Label, wins in percent with error, and mean payoff with error."""
    won, points = endings.tally(kind), endings.tally(kind, "points")
    table = (100 * won.means, 100 * won.errors, points.means, points.errors)
    for label, *row in zip(won.labels, *(meant(column).tolist() for column in table), strict=True):
        yield label, *row


def _frame(rows) -> "pandas.DataFrame":
    import pandas as pd

    return pd.DataFrame(list(rows), columns=["all play", "by", "who", "wins, %", "±", "mean payoff", "± payoff"])


def _end(won: np.ndarray, seats) -> str:
    """Who has won, in words."""
    winners = np.flatnonzero(won > 0)
    if not len(winners):
        return "nobody wins: all get the same"
    names = seats.sides or seats.roles or [f"seat {number}" for number in range(1, seats.players + 1)]
    found = list(dict.fromkeys(names[winner] for winner in winners))
    return f"{found[0]} wins" if len(found) == 1 else f"{', '.join(found[:-1])} and {found[-1]} share the win"


def _error(chance: float, games: int | None) -> float:
    return float(np.sqrt(chance * (1 - chance) / games)) if games else 0.0


def _games(chances: np.ndarray, variance: float, single: bool) -> int | None:
    """How many games show that chances to win differ in 80 of 100 cases.

    By the test of `judge`: exactly if each game has a single winner or none. None if chances do not differ, or so
    little that no number does.
    """
    decided = float(chances.sum())
    try:
        if single and len(chances) <= planning.MOST_ROLES:
            return planning.whole_up(planning.games_needed(meant(chances / decided)) / decided)
        return planning.games_of_shared_wins(chances, variance)
    except ValueError:
        return None
