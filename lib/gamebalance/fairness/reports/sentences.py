"""A report in sentences: the answer first, then what it rests on."""

from typing import Any

import numpy as np

from gamebalance.base.estimates import DECIDED, Estimate
from gamebalance.base.rounding import bound
from gamebalance.fairness.measures import drawishness
from gamebalance.fairness.reports.answers import Answer
from gamebalance.fairness.reports.playing import ALL
from gamebalance.fairness.reports.skill import Contest
from gamebalance.fairness.reports.tables import ONE_NUMBER, wins
from gamebalance.fairness.wording import games, named, points

#: What one does who alone plays in a built-in way.
_ALONE = {"searching": "searches", "best": "plays best"}


def sentences(report: Any) -> tuple[str, ...]:
    """What a report found, in whole sentences."""
    ends = [] if _nobody(report) else list(dict.fromkeys((report.levels[0], report.levels[-1])))
    worth = report.worth.groupby(["without", "all play"], sort=False)
    return (
        _answer(report),
        *_alike(report),
        *_best(report),
        report.outlook.sentence,
        *(_who_wins(report, level) for level in ends),
        *(_skill(report, each) for each in report.contests if each.others == "random" and each.better != "greedy"),
        *_seen(report),
        *_kingmaking(report),
        *(_worth(what, level, report.outlook.seats.kind, rows) for (what, level), rows in worth if level in ends),
        *(_needed(report, level) for level in ends),
        *_hint(report),
    )


def _nobody(report: Any) -> bool:
    """Whether nobody wins, however all play."""
    return all(each.even == 0 for answers in report.answers.values() for each in answers)


def _all(level: str) -> str:
    return ALL.get(level, f"play the way called {level}")


def _percent(value: float, error: float = 0.0) -> str:
    """Percent, with its error if it has one."""
    return f"{Estimate(value, error)}%" if error else f"{value:z.1f}%"


def _listed(parts: list[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def _number(value: float, error: float = 0.0, digits: int = 1) -> str:
    """A number, with its error if it has one."""
    return str(Estimate(value, error)) if error else f"{value:z.{digits}f}"


def _answer(report: Any) -> str:
    """Is it fair? In the words of `judge`, for each way to play."""
    if _nobody(report):
        return "Nobody ever wins here: all players always get the same."
    words = {
        "fair": f"fair within {points(report.margin)}",
        "unfair": "unfair",
        "undecided": "cannot tell",
        "depends": "fair in some and unfair in others",
    }
    ways: dict[str, list[str]] = {}
    for level, verdict in report.verdicts.items():
        found = " (in the equilibria found)" if len(report.play.variants(level)) > 1 else ""
        ways.setdefault(words[verdict], []).append(f"if all {_all(level)}{found}")
    parts = [f"{verdict} {_listed(levels)}" for verdict, levels in ways.items()]
    told = "; ".join(parts)
    mixed = {"fair", "unfair"} <= set(report.verdicts.values())
    found = f"It depends on play: {told}" if mixed else told[0].upper() + told[1:]
    apart = [each for answers in report.answers.values() for each in answers if each.verdict != "fair"]
    most = max(apart, key=lambda each: max(abs(each.low - each.even), abs(each.high - each.even)), default=None)
    return f"{found}.{'' if most is None else _farthest(most)}"


def _farthest(answer: Answer) -> str:
    """How far from even a game is to whom it is least even."""
    share = _percent(100 * answer.low, 100 * answer.error)
    if 100 * (answer.high - answer.low) > ONE_NUMBER:
        share = f"{100 * answer.low:z.1f} to {_percent(100 * answer.high)}"
    who = named(answer.by, answer.label)
    return f" If all {_all(answer.level)}, {who} wins {share}, where {_percent(100 * answer.even)} would be even."


def _alike(report: Any) -> list[str]:
    """Which seats are alike, and how that is known."""
    alike, players = report.play.alike, report.outlook.seats.players
    if alike is None or not alike.groups:
        return [report.compared] if report.compared else []
    everybody = len(alike.groups[0]) == players
    seats = "; ".join(_listed([str(player + 1) for player in group]) for group in alike.groups)
    who = "The seats" if everybody else f"Seats {seats}"
    how = ", as the game says" if alike.said else ""
    more = (
        f"{who} are alike{how}: whichever of their parts a player takes, the others can take theirs so that the game "
        "stays the same. So their chances are the same, and are shown as means over such exchanges."
    )
    return [more + _as_found(report)]


def _as_found(report: Any) -> str:
    """What an equilibrium gives to seats that are alike, and what that is."""
    if report.play.equilibria is None:
        return ""
    shares = 100 * report.play.as_found("best").tally("seat").means
    least = max(ONE_NUMBER, 100 * report.play.residue("best"))
    if all(np.ptp(shares[list(group)]) <= least for group in report.play.alike.groups):
        return ""
    told = _listed([f"{share:z.1f}" for share in shares])
    return (
        f" The equilibrium found first gives the seats {told}%: which seat gets which is a choice among equilibria, "
        "and none of the game's."
    )


def _best(report: Any) -> list[str]:
    """What best play is here, or why it was not found."""
    play = report.play
    if "best" not in report.wanted:
        return []
    if play.equilibria is None:
        return [f"Best play was {play.why_not}."] if play.why_not.startswith("not found") else []
    for_wins = report.goal == "win" or _points_are_wins(report)
    goal = "the chance to win" if for_wins else 'points, not for wins (goal="win" does)'
    off, graph = max(each.off for each in play.equilibria.found), report.outlook.graph
    more = f" more than {bound(off):g}" if off > 1e-3 * np.ptp(graph.payoffs[graph.over]) else ""
    what = f"Best play is an equilibrium: nobody gains{more} by leaving it alone. Each goes for {goal}"
    if play.equilibria.unique:
        same = "wins as often" if for_wins else "gets the same points"
        what += f". What one gets the other loses, so that each {same} in every equilibrium"
        if play.equilibria.tried == 1:
            return [f"{what}{'' if for_wins else ', and wins as often'}."]
    count = len(play.equilibria.found)
    shares = report.shares[report.shares["all play"] == "best"]
    starts = f"{count} of {play.equilibria.tried} starts led to an equilibrium"
    starts += ", some perhaps to the same" * (count > 1)
    if (shares["high, %"] - shares["low, %"]).max() < ONE_NUMBER or count == 1:
        same = ", always with the same chances to win" if count > 1 else ""
        return [f"{what}. {starts}{same}; there may be others."]
    return [
        f"{what}. It is one of several: {starts}, and chances to win differ among them; there may be others. They are "
        "told of all, and everything else of the first."
    ]


def _points_are_wins(report: Any) -> bool:
    """Whether payoffs say no more than who wins: the same for all wins, for all shared ones, and for all losses."""
    graph = report.outlook.graph
    points = graph.payoffs[graph.over]
    won = wins(points, report.outlook.seats.sides)
    slope = np.ptp(points) / max(np.ptp(won), 1e-12)
    return bool(np.ptp(won) > 0 and np.ptp(points - slope * won) <= 1e-9 * max(1.0, np.abs(points).max()))


def _who_wins(report: Any, level: str) -> str:
    """Who wins how often, and what moving first is worth."""
    kinds, shape = [each.by for each in report.answers[level]], report.shape
    told = {row[1]: row[3:] for row in shape[shape["all play"] == level].itertuples(index=False)}
    by = "side" if report.outlook.seats.sides else "seat"
    variants = [drawishness(each.tally(by)).value for each in report.play.variants(level)]
    low, high = 100 * min(variants), 100 * max(variants)
    drawn = f"{low:z.1f} to {high:z.1f}%" if high - low > ONE_NUMBER else _percent(*told["drawishness"])
    rest = f"; {drawn} are shared or won by nobody" if high >= ONE_NUMBER else ""
    first = Estimate(*told.get("first move", (0.0, np.inf)))
    begins = _first_move(report, *first) if not first.error or abs(first.value) > DECIDED * first.error else ""
    if all(each.even == 0 for each in report.answers[level]):
        return f"If all {_all(level)}, nobody wins: all get the same."
    won = "; by seat ".join(_won(report, level, kind) for kind in kinds)
    return f"If all {_all(level)}, the share of the games that is won is {won}{rest}.{begins}"


def _won(report: Any, level: str, kind: str) -> str:
    rows = report.shares[(report.shares["all play"] == level) & (report.shares["by"] == kind)]
    roles = report.outlook.seats.roles or ()
    found = []
    for who, share, error, low, high in rows[["who", "wins, %", "±", "low, %", "high, %"]].itertuples(index=False):
        percent = f"{low:z.1f} to {high:z.1f}%" if high - low > ONE_NUMBER else _percent(share, error)
        found.append(f"{percent} for {named(kind, who)}{' each' * (kind == 'role' and roles.count(who) > 1)}")
    return _listed(found)


def _first_move(report: Any, value: float, error: float) -> str:
    """How the chance of whoever begins differs from that of the others."""
    size = _number(abs(value), error)
    who = (
        f"Seat {report.play.begins + 1}, who is asked first,"
        if not (report.exact or report.play.is_game)
        else "Whoever begins"
    )
    if not error and float(size) == 0:
        return f" {who} wins as often as the others do on average."
    side = "more" if value > 0 else "less"
    return f" {who} wins {size} percentage points {side} than the others do on average."


def _skill(report: Any, each: Contest) -> str:
    gain = f"{_number(abs(each.points.value), each.points.error, 2)} {'less' if each.points.value < 0 else 'more'}"
    if not each.points.error and abs(each.points.value) < 0.005:
        gain = "as much"
    alone = f"A player who alone {_ALONE.get(each.better, f'plays the way called {each.better}')}"
    if each.better == "best" and len(report.play.variants("best")) > 1:
        alone += " (as the first equilibrium found)"
    alone += f", while the others play at random, gets {gain} a game"
    if each.decided == 0:
        return f"{alone}."
    share, even = _percent(100 * each.share.value, 100 * each.share.error), _percent(100 * each.even)
    mean = "would be even" if each.single else "is what the players of that table win on average"
    depth = _number(100 * each.depth.value, 100 * each.depth.error)
    return (
        f"{alone} and wins {share} of the games that somebody wins, where {even} {mean}: a skill depth of {depth} "
        f"percentage points. Luck hides {_percent(100 * each.luck, 100 * each.luck_error)} of what one game could tell "
        "about who plays better."
    )


def _seen(report: Any) -> list[str]:
    """How much those who search know, where they have learnt it."""
    seen = report.play.seen("searching") if not report.exact and "searching" in report.levels else None
    if seen is None:
        return []
    return [
        f"Those who search had met {100 * seen[0]:.0f}% of the situations in which they chose, and could tell a move "
        f"from another in {100 * seen[1]:.0f}%; elsewhere they play at random, and more games would teach them more."
    ]


def _needed(report: Any, level: str) -> str:
    answers = report.answers[level]
    found = sorted((each.games, each.by) for each in answers if each.games is not None)
    if not found and any(each.differs is None for each in answers):
        return f"If all {_all(level)}, it hangs on the equilibrium whether chances to win differ."
    if not found and not any(each.differs for each in answers):
        if not report.exact:
            return f"If all {_all(level)}, the games played here do not show whether chances to win differ."
        return f"If all {_all(level)}, no number of real games would show that chances to win differ."
    if not found:
        return f"If all {_all(level)}, chances to win differ too little for any number of real games to show it."
    by = f" by {found[0][1]}" if len(answers) > 1 else ""
    more = "".join(f"; by {kind} about {count:,}" for count, kind in found[1:])
    every = " and in every equilibrium found" if len(report.play.variants(level)) > 1 else ""
    return (
        f"If all {_all(level)}, about {games(found[0][0], 'real ')} would show, in 80 of 100 cases{every}, that "
        f"chances to win differ{by} (by a test at the level of 5%){more}."
    )


def _worth(what: Any, level: str, kind: str, rows: Any) -> str:
    """What everybody would win without something."""
    changes = [
        f"{named(kind, who)} wins {_change(value, error, low, high)}"
        for who, value, error, low, high in rows[
            ["who", "worth, points", "±", "low, points", "high, points"]
        ].itertuples(index=False)
    ]
    return f"With {what} rather than without, if all {_all(level)}, {_listed(changes)}."


def _change(value: float, error: float, low: float, high: float) -> str:
    """How many points more or less, or from where to where that goes."""
    if high - low > ONE_NUMBER:
        if low < 0 < high:
            return f"from {-low:z.1f} percentage points less to {high:z.1f} more"
        least, most = sorted((abs(low), abs(high)))
        return f"{least:z.1f} to {most:z.1f} percentage points {'more' if high > 0 else 'less'}"
    return f"{_number(abs(value), error)} percentage points {'more' if value > 0 else 'less'}"


def _kingmaking(report: Any) -> list[str]:
    """How often a loser chooses the winner in random play; nothing where none ever does."""
    seats = report.outlook.seats
    if len(set(seats.sides or range(seats.players))) == 2:  # between two nobody decides between others
        return []
    shape = report.shape[report.shape["all play"] == "random"]
    least = {"kingmaking": "", "kingmaking, at least": "at least "}
    return [
        f"In {least[name]}{_percent(value, error)} of random games somebody with nothing of their own at stake can "
        "decide which of the others is likelier to win, if from then on all look for the best move against random play."
        for name, value, error in shape[["measure", "value", "±"]].itertuples(index=False)
        if name in least and value > 0
    ]


def _hint(report: Any) -> list[str]:
    """Of choices that nobody sees, made one after another."""
    if not report.play.unseen:
        return []
    return [
        "Players choose one after another here without seeing what the others choose. If they choose at once, `movers` "
        "can say so (see `gamebalance new-game`)."
    ]
