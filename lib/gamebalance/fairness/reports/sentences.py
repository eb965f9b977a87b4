"""A report in sentences: the answer first, then what it rests on."""

from math import isfinite
from typing import Any

import numpy as np
import pandas as pd

from gamebalance.base.estimates import DECIDED, Estimate
from gamebalance.base.rounding import at_most, bound
from gamebalance.fairness.measures import drawishness
from gamebalance.fairness.reports.exact import endings_of_course
from gamebalance.fairness.reports.playing import all_play
from gamebalance.fairness.reports.tables import wins
from gamebalance.fairness.wording import games, named, points

#: Ends of a range of percentages that are no further apart are told as one number.
ONE_NUMBER = 0.05
#: What one does who alone plays in a built-in way.
ALONE = {"searching": "searches", "best": "plays best"}
VERDICTS = {
    "fair": "fair within {margin}",
    "unfair": "unfair",
    "undecided": "cannot tell",
    "depends": "fair in some and unfair in others",
}
HINT = (
    "Players choose one after another here without seeing what the others choose. If they choose at once, `movers` can "
    "say so (see `gamebalance new-game`)."
)
NEEDED = {
    "hangs": "it hangs on the equilibrium whether chances to win differ",
    "not shown": "the games played here do not show whether chances to win differ",
    "even": "no number of real games would show that chances to win differ",
    "too little": "chances to win differ too little for any number of real games to show it",
}


def sentences(report: Any) -> tuple[str, ...]:
    """What a report found, in whole sentences."""
    nobody = all(each.even == 0 for answers in report.answers.values() for each in answers)
    ends = [] if nobody else list(dict.fromkeys((report.levels[0], report.levels[-1])))
    worth = report.worth.groupby(["without", "all play"], sort=False)
    return (
        "Nobody ever wins here: all players always get the same." if nobody else _answer(report),
        *_alike(report),
        *_best(report),
        report.outlook.sentence,
        *(_who_wins(report, level) for level in ends),
        *(_skill(report, each) for each in report.contests if each.others == "random" and each.better != "greedy"),
        *_of_play(report),
        *(_worth(what, level, report.outlook.seats.kind, rows) for (what, level), rows in worth if level in ends),
        *(f"If all {all_play(level)}, {_needed(report, level)}." for level in ends),
        *[HINT] * report.play.unseen,
    )


def rows_of(frame: pd.DataFrame) -> list[Any]:
    return list(frame.itertuples(index=False, name=None))


def told(value: float, error: float = 0.0, low: float = 0.0, high: float = 0.0, *, digits: int = 1) -> str:
    """A number with its error, or from where to where it goes in the equilibria found; a dash where there is none."""
    if high - low > ONE_NUMBER:
        return f"{low:z.1f} to {high:z.1f}"
    if not isfinite(value):
        return "–"
    return str(Estimate(value, error)) if error and isfinite(error) else f"{value:z,.{digits}f}"


def _percent(*number: float) -> str:
    return f"{told(*number)}%"


def _listed(parts: list[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def _answer(report: Any) -> str:
    """Is it fair? In the words of `judge`, for each way to play; and how far from even it is to whom it is least so."""
    ways: dict[str, list[str]] = {}
    for level, verdict in report.verdicts.items():
        several = " (in the equilibria found)" * (len(report.play.variants(level)) > 1)
        ways.setdefault(verdict, []).append(f"if all {all_play(level)}{several}")
    margin = points(report.margin)
    parts = "; ".join(f"{VERDICTS[verdict].format(margin=margin)} {_listed(each)}" for verdict, each in ways.items())
    text = f"It depends on play: {parts}." if {"fair", "unfair"} <= ways.keys() else f"{parts[0].upper()}{parts[1:]}."
    apart = [each for answers in report.answers.values() for each in answers if each.verdict != "fair"]
    if not apart:
        return text
    most = max(apart, key=lambda each: max(abs(each.low - each.even), abs(each.high - each.even)))
    share = _percent(*(100 * each for each in (most.low, most.error, most.low, most.high)))
    who, even = named(most.by, most.label), _percent(100 * most.even)
    return f"{text} If all {all_play(most.level)}, {who} wins {share}, where {even} would be even."


def _alike(report: Any) -> list[str]:
    """Which seats are alike, how that is known, and that what an equilibrium gives to each of them means nothing."""
    play, groups = report.play, report.play.alike.groups if report.play.alike else ()
    if not groups:
        return [report.compared] if report.compared else []
    seats = "; ".join(_listed([str(player + 1) for player in group]) for group in groups)
    who = "The seats" if len(groups[0]) == play.seats.players else f"Seats {seats}"
    text = (
        f"{who} are alike{', as the game says' * play.alike.said}: whichever of their parts a player takes, the others "
        "can take theirs so that the game stays the same. So their chances are the same, and are shown as means over "
        "such exchanges."
    )
    if play.equilibria is None:
        return [text]
    shares = 100 * endings_of_course(play.course("best"), play.seats).tally("seat").means
    if all(np.ptp(shares[list(group)]) <= max(ONE_NUMBER, 100 * play.residue("best")) for group in groups):
        return [text]
    return [
        f"{text} The equilibrium found first gives the seats {_listed([f'{share:z.1f}' for share in shares])}%: which "
        "seat gets which is a choice among equilibria, and none of the game's."
    ]


def _best(report: Any) -> list[str]:
    """What best play is here, or why it was not found."""
    play = report.play
    if "best" not in report.wanted:
        return []
    if play.equilibria is None:
        return [f"Best play was {play.why_not}."] if play.why_not.startswith("not found") else []
    for_wins = report.goal == "win" or _points_are_wins(report)
    found, graph = play.equilibria.found, report.outlook.graph
    off = max((each.off for each in found if not each.cut), default=0.0)
    more = f" more than {bound(off):g}" if off > 1e-3 * np.ptp(graph.payoffs[graph.over]) else ""
    goal = "the chance to win" if for_wins else 'points, not for wins (goal="win" does)'
    what = f"Best play is an equilibrium: nobody gains{more} by leaving it alone. Each goes for {goal}"
    if found[0].cut:
        what = f"Best play is that of the game cut after so many moves. Each goes for {goal}"
    what = ". ".join([what, *_cut(found)])
    if play.equilibria.unique:
        same = "wins as often" if for_wins else "gets the same points"
        what += f". What one gets the other loses, so that each {same} in every equilibrium"
        if play.equilibria.tried == 1:
            return [f"{what}{'' if for_wins else ', and wins as often'}."]
    count = len(found)
    shares = report.shares[report.shares["all play"] == "best"]
    starts = f"{count} of {play.equilibria.tried} starts led to {'such play' if found[0].cut else 'an equilibrium'}"
    starts += ", some perhaps to the same" * (count > 1)
    if count == 1 or (shares["high, %"] - shares["low, %"]).max() < ONE_NUMBER:
        return [f"{what}. {starts}{', always with the same chances to win' * (count > 1)}; there may be others."]
    return [
        f"{what}. It is one of several: {starts}, and chances to win differ among them; there may be others. They are "
        "told of all, and everything else of the first."
    ]


def _cut(found: Any) -> list[str]:
    """What is to be known of best play that is of the game cut; nothing if none is."""
    cut = [each for each in found if each.cut]
    if not cut:
        return []
    most, moved = int(cut[0].graph.left[0]), at_most(max(each.moved for each in cut), 3)
    share, off = at_most(100 * max(each.unfinished for each in cut), 1), at_most(max(each.off for each in found), 3)
    of = "All" if len(cut) == len(found) else f"{len(cut)} of {len(found)} equilibria"
    gained = f"could gain more than {off:g}" if off else "gains"
    change = f"changes what somebody gets by up to {moved:g}" if moved else "changes nobody's payoff"
    unfinished = f"at most {share:g}% of play is unfinished, which pays nobody" if share else "all play is over"
    return [
        f"{of} change with the moves left, to a cut after {most} moves, chance's among them: by then {unfinished}",
        f"A cut sooner, after {most - len(cut[0].graph.begins) + 1} to {most - 1} moves, {change}",
        f"In the game without a cut nobody alone {gained} by leaving such play at the start, whatever follows later",
    ]


def _points_are_wins(report: Any) -> bool:
    """Whether payoffs say no more than who wins: the same for all wins, for all shared ones, and for all losses."""
    graph = report.outlook.graph
    payoffs = graph.payoffs[graph.over]
    won = wins(payoffs, report.outlook.seats.sides)
    slope = np.ptp(payoffs) / max(np.ptp(won), 1e-12)
    return bool(np.ptp(won) > 0 and np.ptp(payoffs - slope * won) <= 1e-9 * max(1.0, np.abs(payoffs).max()))


def _who_wins(report: Any, level: str) -> str:
    """Who wins how often, and what moving first is worth."""
    answers, seats, shape = report.answers[level], report.outlook.seats, report.shape
    if all(each.even == 0 for each in answers):
        return f"If all {all_play(level)}, nobody wins: all get the same."
    rows = report.shares[report.shares["all play"] == level]
    by_kind = []
    for kind in report.compared_by:
        columns = rows.loc[rows["by"] == kind, ["who", "wins, %", "±", "low, %", "high, %"]]
        each_of = [who for who in seats.roles or () if kind == "role" and seats.roles.count(who) > 1]
        wins_ = [
            f"{_percent(*share)} for {named(kind, who)}{' each' * (who in each_of)}" for who, *share in rows_of(columns)
        ]
        by_kind.append(_listed(wins_))
    values = {row[1]: row[3:] for row in rows_of(shape[shape["all play"] == level])}
    by = "side" if seats.sides else "seat"
    variants = [100 * drawishness(each.tally(by)).value for each in report.play.variants(level)]
    drawn = _percent(values["drawishness"][0], values["drawishness"][1], min(variants), max(variants))
    rest = f"; {drawn} are shared or won by nobody" if max(variants) >= ONE_NUMBER else ""
    won = "; by seat ".join(by_kind)
    first = _first_move(report, *values["first move"]) if "first move" in values else ""
    return f"If all {all_play(level)}, the share of the games that is won is {won}{rest}.{first}"


def _first_move(report: Any, value: float, error: float) -> str:
    """How the chance of whoever begins differs from that of the others, if that is known."""
    if error and abs(value) <= DECIDED * error:
        return ""
    function = not (report.exact or report.play.is_game)
    who = f"Seat {report.play.begins + 1}, who is asked first," if function else "Whoever begins"
    size = told(abs(value), error)
    if not error and float(size) == 0:
        return f" {who} wins as often as the others do on average."
    return f" {who} wins {size} percentage points {'more' if value > 0 else 'less'} than the others do on average."


def _skill(report: Any, each: Any) -> str:
    gain = f"{told(abs(each.points.value), each.points.error, digits=2)} {'less' if each.points.value < 0 else 'more'}"
    if not each.points.error and abs(each.points.value) < 0.005:
        gain = "as much"
    alone = f"A player who alone {ALONE.get(each.better, f'plays the way called {each.better}')}"
    if each.better == "best" and len(report.play.variants("best")) > 1:
        alone += " (as the first equilibrium found)"
    alone += f", while the others play at random, gets {gain} a game"
    if each.decided == 0:
        return f"{alone}."
    share, luck = _percent(*(100 * part for part in each.share)), _percent(100 * each.luck, 100 * each.luck_error)
    mean = "would be even" if each.single else "is what the players of that table win on average"
    return (
        f"{alone} and wins {share} of the games that somebody wins, where {_percent(100 * each.even)} {mean}: a skill "
        f"depth of {told(*(100 * part for part in each.depth))} percentage points. Luck hides {luck} of what one "
        "game could tell about who plays better."
    )


def _needed(report: Any, level: str) -> str:
    answers = report.answers[level]
    needed = sorted((each.games, each.by) for each in answers if each.games is not None)
    if not needed:
        differ = {each.differs for each in answers}
        even = "even" if report.exact else "not shown"
        return NEEDED["hangs" if None in differ else "too little" if True in differ else even]
    by = f" by {needed[0][1]}" if len(answers) > 1 else ""
    more = "".join(f"; by {kind} about {count:,}" for count, kind in needed[1:])
    every = " and in every equilibrium found" if len(report.play.variants(level)) > 1 else ""
    return (
        f"about {games(needed[0][0], 'real ')} would show, in 80 of 100 cases{every}, that chances to win differ{by} "
        f"(by a test at the level of 5%){more}"
    )


def _worth(what: Any, level: str, kind: str, rows: Any) -> str:
    """What everybody would win without something."""
    columns = rows[["who", "worth, points", "±", "low, points", "high, points"]]
    changes = [f"{named(kind, who)} wins {_change(*worth)}" for who, *worth in rows_of(columns)]
    return f"With {what} rather than without, if all {all_play(level)}, {_listed(changes)}."


def _change(value: float, error: float, low: float, high: float) -> str:
    """How many points more or less, or from where to where that goes."""
    if high - low > ONE_NUMBER and low < 0 < high:
        return f"from {-low:z.1f} percentage points less to {high:z.1f} more"
    size = told(abs(value), error, *sorted((abs(low), abs(high))))
    return f"{size} percentage points {'more' if (high if high - low > ONE_NUMBER else value) > 0 else 'less'}"


def _of_play(report: Any) -> list[str]:
    """How much those know who search by experience, and how often a loser chooses the winner in random play."""
    found, seats = [], report.outlook.seats
    seen = report.play.seen("searching") if not report.exact and "searching" in report.levels else None
    if seen:
        found.append(
            f"Those who search had met {100 * seen[0]:.0f}% of the situations in which they chose, and could tell a "
            f"move from another in {100 * seen[1]:.0f}%; elsewhere they play at random, and more games would teach "
            "them more."
        )
    shape = report.shape[report.shape["all play"] == "random"]
    least = {"kingmaking": "", "kingmaking, at least": "at least "}
    for name, value, error in rows_of(shape[["measure", "value", "±"]]):
        # Between two nobody decides between others.
        if name in least and value > 0 and len(set(seats.sides or range(seats.players))) != 2:
            found.append(
                f"In {least[name]}{_percent(value, error)} of random games somebody with nothing of their own at stake "
                "can decide which of the others is likelier to win, if from then on all look for the best move against "
                "random play."
            )
    return found
