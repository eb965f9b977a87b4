"""The measures of a report, each with its definition and its source, and a report in sentences."""

from typing import Any, NamedTuple

from gamebalance.base.estimates import Estimate
from gamebalance.fairness.reports.skill import Contest
from gamebalance.fairness.wording import games, named

_BROWNE = "C. Browne, Automatic generation and evaluation of recombination games, thesis, QUT 2008"
_TAG = "named by R. Gaina and others, Tabletop Games Framework, issue 98, 2020"


class Measure(NamedTuple):
    """What a measure is: its definition, its unit, what its values are multiplied by for that, and its source."""

    definition: str
    unit: str
    scale: float
    source: str


MEASURES = {
    "asymmetry of roles": Measure(
        "how far the chance to win of a side, a role or a seat typically is from the mean of all: root mean square, "
        "less what a sample adds",
        "percentage points",
        100,
        _TAG + "; fairness.measures.spread",
    ),
    "skill depth": Measure(
        "how much more of the games that somebody wins is won by who alone plays in a better way than by a player at "
        "that table on average",
        "percentage points",
        100,
        _TAG + " (difference of performance of players)",
    ),
    "luck": Measure(
        "chance against skill: the part of what is needed to know who alone plays in a better way that the winner of "
        "a game does not tell; 1 less the mutual information, in bits, over the logarithm of the number of seats",
        "%",
        100,
        _TAG + "; T. M. Cover and J. A. Thomas, Elements of Information Theory, 2006, chapter 2",
    ),
    "chance of each end": Measure("games that end with this winner or these winners", "% of games", 100, _TAG),
    "first move": Measure(
        "the first player's chance to win less the mean of the others'", "percentage points", 100, _BROWNE
    ),
    "decisiveness": Measure("games that one player or side wins alone", "% of games", 100, _BROWNE),
    "drawishness": Measure("games that nobody wins alone", "% of games", 100, _BROWNE),
    "length": Measure("mean number of the players' moves", "moves", 1, _BROWNE),
    "spread of length": Measure("standard deviation of that number", "moves", 1, _BROWNE),
    "endless": Measure("play that goes on for ever", "% of games", 100, "follows from the rules"),
    "lead changes": Measure(
        "how often the lead goes over: to the best chance to win, were the rest random", "a game", 1, _BROWNE
    ),
    "changes of standing": Measure(
        "how often the best standing goes over to another player or side", "a game", 1, _BROWNE
    ),
    "drama": Measure(
        "how much less chance to win than the leader, were the rest random, the winner to be has at a move",
        "percentage points",
        100,
        _BROWNE + " (with square roots)",
    ),
    "drama, at least": Measure(
        "the same from samples, which is not more on the average", "percentage points", 100, _BROWNE
    ),
    "kingmaking": Measure(
        "games with a move by which a player to whom it makes no difference decides between others",
        "% of games",
        100,
        "fairness.is_kingmaker",
    ),
    "kingmaking, at least": Measure(
        "the same, looked for only near the end of a game, where the rest is small enough to be solved",
        "% of games",
        100,
        "fairness.is_kingmaker",
    ),
}

#: How each of the built-in ways plays; a search, where it has time for endlessly many games from each move.
NOTES = {
    "random": "every move is equally likely",
    "greedy": "the move after which the own payoff is highest, were the game over then",
    "searching": "the move that is best if all go on at random",
}

#: What all do who play in a built-in way, and what one does who alone plays so.
_ALL = {
    "random": "play at random",
    "greedy": "look one move ahead",
    "searching": "search",
    "best": "play the best way found",
}
_ALONE = {"searching": "searches", "best": "plays the best way found"}


def sentences(report: Any) -> tuple[str, ...]:
    """What a report found, in whole sentences."""
    ends = dict.fromkeys((report.levels[0], report.levels[-1]))
    worth = report.worth.groupby(["without", "all play"], sort=False)
    return (
        report.outlook.sentence,
        *(_who_wins(report, level) for level in ends),
        *(_skill(each) for each in report.contests if each.others == "random" and each.better != "greedy"),
        *_kingmaking(report),
        *(_worth(*names, report.outlook.seats.kind, rows) for names, rows in worth if names[1] in ends),
        *(_needed(report, level) for level in ends),
    )


def _all(level: str) -> str:
    return _ALL.get(level, f"play the way called {level}")


def _percent(value: float, error: float = 0.0) -> str:
    """Percent, with its error if it has one."""
    return f"{Estimate(value, error)}%" if error else f"{value:.1f}%"


def _listed(parts: list[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def _who_wins(report: Any, level: str) -> str:
    """Who wins how often, and what moving first is worth."""
    kind, shares, shape = report.outlook.seats.kind, report.shares, report.shape
    rows = shares[(shares["all play"] == level) & (shares["by"] == kind)]
    several = [label for label in report.outlook.seats.roles or () if report.outlook.seats.roles.count(label) > 1]
    won = [
        f"{_percent(*row)} for {named(kind, who)}{' each' * (kind == 'role' and who in several)}"
        for who, *row in rows[["who", "wins, %", "±"]].itertuples(index=False)
    ]
    told = {row[1]: row[3:] for row in shape[shape["all play"] == level].itertuples(index=False)}
    rest = f"; {_percent(*told['drawishness'])} are shared or won by nobody" if told["drawishness"][0] > 0 else ""
    begins = _first_move(*told["first move"]) if "first move" in told else ""
    return f"If all {_all(level)}, the share of the games that is won is {_listed(won)}{rest}.{begins}"


def _first_move(value: float, error: float) -> str:
    """How the chance of whoever begins differs from that of the others."""
    size = _number(abs(value), error)
    if not error and float(size) == 0:
        return " Whoever begins wins as often as the others do on average."
    side = "more" if value > 0 else "less"
    return f" Whoever begins wins {size} percentage points {side} than the others do on average."


def _skill(each: Contest) -> str:
    share, even = _percent(100 * each.share.value, 100 * each.share.error), _percent(100 * each.even)
    mean = "would be even" if each.single else "is what the players of that table win on average"
    gain = f"{_number(abs(each.points.value), each.points.error, 2)} {'less' if each.points.value < 0 else 'more'}"
    depth = _number(100 * each.depth.value, 100 * each.depth.error)
    return (
        f"A player who alone {_ALONE.get(each.better, f'plays the way called {each.better}')}, while the others play "
        f"at random, gets {gain} a game and wins {share} of the games that somebody wins, where {even} {mean}: "
        f"a skill depth of {depth} percentage points. Luck hides {_percent(100 * each.luck, 100 * each.luck_error)} of "
        f"what one game could tell about who plays better."
    )


def _number(value: float, error: float = 0.0, digits: int = 1) -> str:
    """A number, with its error if it has one."""
    return str(Estimate(value, error)) if error else f"{value:z.{digits}f}"


def _needed(report: Any, level: str) -> str:
    counts = report.needed["games"].to_numpy(object, na_value=None)
    count = dict(zip(report.needed["all play"], counts, strict=True))[level]
    if count is None and report.exact:
        return f"If all {_all(level)}, no number of real games would show that chances to win differ."
    if count is None:
        return f"If all {_all(level)}, the games played here do not show whether chances to win differ."
    return (
        f"If all {_all(level)}, about {games(int(count), 'real ')} would show, in 80 of 100 cases, that chances to win "
        "differ (by a test at the level of 5%)."
    )


def _worth(what: Any, level: str, kind: str, rows: Any) -> str:
    """What everybody would win without something."""
    changes = [
        f"{named(kind, who)} wins {_number(abs(value), error)} percentage points {'more' if value > 0 else 'less'}"
        for who, value, error in rows[["who", "worth, points", "±"]].itertuples(index=False)
    ]
    return f"With {what} rather than without, if all {_all(level)}, {_listed(changes)}."


def _kingmaking(report: Any) -> list[str]:
    """How often a loser chooses the winner in random play; nothing where a sample met no such game."""
    shape = report.shape[report.shape["all play"] == "random"]
    least = {"kingmaking": "", "kingmaking, at least": "at least "}
    return [
        f"In {least[name]}{_percent(value, error)} of random games somebody with nothing of their own at stake decides "
        "which of the others wins."
        for name, value, error in shape[["measure", "value", "±"]].itertuples(index=False)
        if name in least and (value > 0 or not least[name])
    ]
