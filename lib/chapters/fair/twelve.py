"""Twelve games side by side: who wins them, how much is luck, what their play is like; and values known before."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from gamebalance.base.estimates import Estimate
from gamebalance.base.rounding import meant
from gamebalance.countn.three import ThreePlayerGame
from gamebalance.fairness.measures import decisiveness
from gamebalance.fairness.reports import skill
from gamebalance.fairness.reports.report import Report, report
from gamebalance.games import (
    Bang,
    CantStop,
    FirstPriceAuction,
    InARow,
    Kuhn,
    LiarsDice,
    Nim,
    Pig,
    SilentWerewolf,
    Skull,
    tictactoe,
)
from gamebalance.games.bang import OUTLAW, RENEGADE, SHERIFF
from gamebalance.sanguosha import Role, SeatedGame, report_policy
from gamebalance.sanguosha.policies import ThreatPolicy

if TYPE_CHECKING:
    import pandas

#: The seating of Sanguosha: lord, loyalist, rebel and renegade in this order.
SEATING = "0123"
#: So many states of a game are followed; all but Sanguosha have fewer.
STATES = 100_000


class Pair(NamedTuple):
    """A game in the size that is shown, and a smaller one for a run of seconds."""

    full: Any
    small: Any


GAMES: Mapping[str, Pair] = {
    "tic-tac-toe": Pair(tictactoe(3), InARow(2, 3, 2, 3)),
    "Nim": Pair(Nim((3, 4, 5)), Nim((1, 2, 3))),
    "Count-5": Pair(ThreePlayerGame(5), ThreePlayerGame(3)),
    "Kuhn poker": Pair(Kuhn(3), Kuhn(3)),
    "liar's dice": Pair(LiarsDice(3, sides=3), LiarsDice(3, sides=2)),
    "Pig": Pair(Pig(3, goal=10), Pig(3, goal=4)),
    "auction": Pair(FirstPriceAuction(), FirstPriceAuction(values=(0, 1, 2), bids=(0, 1))),
    "Skull": Pair(Skull(3), Skull(2)),
    "Bang": Pair(Bang((SHERIFF, OUTLAW, RENEGADE), rounds=3), Bang((SHERIFF, OUTLAW, RENEGADE), rounds=2)),
    "Can't Stop": Pair(CantStop(3), CantStop(3)),
    "Werewolf": Pair(SilentWerewolf(4), SilentWerewolf(3)),
    "Sanguosha": Pair(SeatedGame(SEATING), SeatedGame(SEATING)),
}


class Shown(NamedTuple):
    """What is told of a game.

    Attributes
    ----------
    report : Report
    strongest : Contest
        The way to play that wins most when it sits alone among players at random, and what it wins. Best play is left
        out: what it wins there hangs on which equilibrium is taken.
    top : str
        The way that all follow in the columns of good play: best play, or else the strongest.
    """

    report: Report
    strongest: skill.Contest
    top: str


def reports(full: bool, games: int, contests: int, seed: int) -> dict[str, Shown]:
    """The twelve, all but Sanguosha exactly.

    Parameters
    ----------
    full : bool
        Whether they are shown in full size.
    games, contests : int
        Games of Sanguosha that are played at random, and at each other table.
    seed : int
    """
    found = {}
    for name, pair in GAMES.items():
        game, own, states = pair.full if full else pair.small, {}, STATES
        if name == "Sanguosha":
            own, states = ways_of_sanguosha(game), 0
        counts = {"states": states, "games": games, "contests": contests, "playouts": 1, "looks": 0}
        ways = ("random",) if own else ("random", "searching", "best")
        made = report(game, policies=own, ways=ways, seed=seed, name=name, **counts)
        levels = [level for level in made.levels if level not in ("random", "best")]
        alone = [skill.contest(made.play, level, "random") for level in levels]
        strongest = max(alone, key=lambda each: meant(each.share.value))
        found[name] = Shown(made, strongest, "best" if "best" in made.levels else strongest.better)
    return found


def ways_of_sanguosha(game: SeatedGame) -> dict[str, Any]:
    """The report's rule of whom to attack, and the essay's threat points."""
    threat = report_policy(game, dict.fromkeys(Role, ThreatPolicy()))
    return {"fixed rule": report_policy(game), "threat points": threat}


class Off(NamedTuple):
    """The seat or side that is farthest from an even share, and how far it is, in percentage points.

    From `least` to `most` in the equilibria that were found, else the same number; with its standard error.
    """

    label: str
    least: float
    most: float
    error: float


def who_wins(found: Mapping[str, Shown]) -> "pandas.DataFrame":
    """Who wins the games: which seats are alike, and how far the seat or side is off that is farthest from even.

    Columns are pairs: of all games, "all at random" or "all play well"; and what is told. Distances are in percentage
    points, "to" is missing where no equilibrium is played; how many real games would show them whichever equilibrium is
    played, none if none would.
    """
    import pandas as pd

    rows = []
    for name, (made, _, top) in found.items():
        graph, equilibria = made.outlook.graph, made.play.equilibria
        row: dict[tuple[str, str], Any] = {("", "game"): name}
        row["", "states"] = "simulated" if graph is None else f"{len(graph.states):,}"
        row["", "alike"] = _alike(made)
        row["all play well", "equilibria"] = len(equilibria.found) if equilibria else None
        for title, level in (("all at random", "random"), ("all play well", top)):
            off = farthest(made, level)
            row[title, "farthest"] = off.label
            row[title, "off by, pp"] = off.least
            if title == "all play well":
                row[title, "to"] = off.most if equilibria else None
            row[title, "s.e."] = off.error
            row[title, "games"] = made.answers[level][0].games
        rows.append(row)
    titles = [title for group in ("", "all at random", "all play well") for title in rows[0] if title[0] == group]
    return meant(pd.DataFrame(rows, columns=pd.MultiIndex.from_tuples(titles)))


def luck_and_shape(found: Mapping[str, Shown]) -> "pandas.DataFrame":
    """How much is luck, and what games at random are like; missing where it takes all states and they are not known."""
    import pandas as pd

    rows = []
    for name, (made, alone, _) in found.items():
        endings, shape = made.play.endings("random"), made.play.shape("random")
        told = {key: shape.get(key) for key in ("length", "drama", "lead changes", "kingmaking")}
        rows.append(
            {
                ("", "game"): name,
                ("strongest alone among random", "plays"): alone.better,
                ("strongest alone among random", "wins, %"): 100 * alone.share.value,
                ("strongest alone among random", "s.e."): 100 * alone.share.error,
                ("strongest alone among random", "even, %"): 100 * alone.even,
                ("strongest alone among random", "luck, %"): 100 * alone.luck,
                ("all at random", "decided, %"): 100 * decisiveness(endings.tally(made.outlook.seats.kind)).value,
                ("all at random", "moves"): told["length"].value,
                ("all at random", "drama, pp"): _times(100, told["drama"]),
                ("all at random", "lead changes"): _times(1, told["lead changes"]),
                ("all at random", "kingmaking, %"): _times(100, told["kingmaking"]),
            }
        )
    return meant(pd.DataFrame(rows, columns=pd.MultiIndex.from_tuples(rows[0])))


def farthest(made: Report, level: str) -> Off:
    """Who is farthest from even, and how far.

    The error of a sample is at least that of one game, since a side that has won none of few games may win some.
    """
    found = made.answers[level][0]
    if made.exact and found.differs is False:
        return Off("none", 0.0, 0.0, 0.0)
    least, most = (100 * (share - found.even) for share in (found.low, found.high))
    error = 0.0 if made.exact else 100 * max(found.error, 1 / made.outlook.contests)
    return Off(f"seat {found.label}" if found.by == "seat" else str(found.label), least, most, error)


def _alike(made: Report) -> str | None:
    """Which seats are alike; None if it is not known."""
    if made.play.alike is None:
        return None
    groups = [", ".join(str(player + 1) for player in group) for group in made.play.alike.groups]
    return "; ".join(groups) or "none"


def _times(factor: float, estimate: Estimate | None) -> float | None:
    return None if estimate is None else factor * estimate.value
