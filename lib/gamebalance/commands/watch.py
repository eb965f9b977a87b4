"""``gamebalance monitor``: looks after every game of a file, or of standard input line by line."""

import re
import sys
from collections.abc import Hashable, Iterator
from itertools import islice

import click
import numpy as np

from gamebalance.base.checks import confidence, shown
from gamebalance.base.rounding import meant
from gamebalance.commands import forms, results
from gamebalance.commands.fair import EXIT, aligned
from gamebalance.commands.needed import numbers
from gamebalance.fairness import wording
from gamebalance.fairness.checking import KINDS
from gamebalance.fairness.games import Games
from gamebalance.fairness.monitor import Monitor
from gamebalance.fairness.tables import cleaned

#: What says that nobody won, in a line of standard input; so does an empty line.
DRAWS = {"", "-", "draw", "drawn", "tie", "tied", "½", "1/2", "½-½", "1/2-1/2", "none"}


@click.command("monitor")
@click.argument("file", metavar="RESULTS", type=click.Path())
@click.option("--by", type=click.Choice(KINDS), help="Whose chances; by default side, role, seat or player, if there.")
@results.options
@click.option("--shares", type=numbers, help="Named chances instead of any unequal ones, by label in order: .55,.45.")
@click.option("--margin", type=float, default=0.05, show_default=True, help="How far from even is still fair.")
@click.option("--level", type=float, default=0.95, show_default=True, help="Confidence of the verdict.")
@click.option("--block", type=click.IntRange(2), help="So many games in turn have the same players, in each seat once.")
@forms.option("html")
@forms.output()
@click.pass_context
def monitor_command(context, file, by, shares, margin, level, block, form, output, **reading) -> None:
    """Is it fair? Looks after every game of RESULTS, a file as for judge, and says when it became clear.

    The games are taken in the order of the file. With - they come on standard input, a line for each with the label of
    its winner, empty or "draw" for a draw, after --labels or a first line that names those who can win; the verdict is
    said as soon as it falls. Exit code 0: fair within the margin; 1: unfair; 3: cannot tell; 2: an error.
    """
    options = {"alternative": shares, "level": meant(1 - confidence(level)), "margin": margin}
    if file == "-":
        read, (monitor, left) = "", _typed(reading["labels"], block, options)
    else:
        games = results.read(file, **reading)
        read, (monitor, left) = games.reading, _filed(games, by, block, options)
    text = {
        "text": lambda: _text(read, monitor, left),
        "csv": lambda: forms.as_csv(monitor.course()),
        "json": lambda: forms.as_json(_record(monitor, left)),
        "html": monitor.to_html,
    }[form]()
    forms.deliver(text, output)
    context.exit(EXIT[monitor.verdict])


def _typed(labels: list[str] | None, block: int | None, options: dict) -> tuple[Monitor, int]:
    """Watch standard input, a winner a line, until the verdict falls; and how many games are left of a block."""
    forms.take_any_bytes()

    def text(number: int, line: str) -> str:
        if re.search("[\ud800-\udfff]", line):
            raise ValueError(f"standard input, line {number}: {shown(line.strip())}: UTF-8 is needed")
        return cleaned(line.lstrip("\ufeff"))

    lines = (text(*line) for line in enumerate(sys.stdin, 1))
    names = [cleaned(name) for name in labels or next(lines, "").split(",")]
    monitor = Monitor(names, **options)
    known = {name.casefold(): name for name in names}
    winners = (None if line.casefold() in DRAWS - known.keys() else known.get(line.casefold(), line) for line in lines)
    return monitor, _watch(monitor, winners, block, stop=True)


def _filed(games: Games, by: str | None, block: int | None, options: dict) -> tuple[Monitor, int]:
    """Watch the games of a file."""
    by = by or (*games.kinds, *games.faults)[0]
    if games.winners is None:
        names, won = _winners(games, by)
    else:
        assert games.counted is not None  # where winners are known, they are
        names = [*games.counted.labels]
        won = (names[place] if place >= 0 else None for place in games.winners.tolist())
    if block and by == "seat":
        _check_rotated(games, block)
    monitor = Monitor(names, **options)
    return monitor, _watch(monitor, won, block, stop=False)


def _watch(monitor: Monitor, winners: Iterator, block: int | None, stop: bool) -> int:
    """Count games one by one, or in blocks; how many are left that are no whole block."""
    if block not in (None, len(monitor.labels)):
        raise ValueError(f"--block {block}: {len(monitor.labels)} is needed, as there are so many labels")
    while games := tuple(islice(winners, block or 1)):
        if block and len(games) < block:
            return len(games)
        if block:
            monitor.add_block(games)
        else:
            monitor.extend(games)
        if stop and monitor.stopped_at:
            break
    return 0


def _winners(games: Games, by: str) -> tuple[list[Hashable], Iterator]:
    """Those who can win, labels that always win together being one; and by game, in order, who won or shared it."""
    contest = games.contest(by)
    assert contest is not None  # wins game by game are known
    tally = contest.tally
    played = tally.played.toarray()
    if (played == 0).any():
        game, place = np.argwhere(played == 0)[0].tolist()
        label = shown(tally.labels[place])
        raise ValueError(f"--by {by}: {label} did not play in game {game + 1}; all have to play in every game")
    each = tally.total.toarray() / played
    _, first, group = np.unique(each, axis=1, return_index=True, return_inverse=True)
    order = np.argsort(first)
    parts = each[:, first[order]]
    labels = [[tally.labels[place] for place in np.flatnonzero(group == kind).tolist()] for kind in order.tolist()]
    names = [each[0] if len(each) == 1 else ", ".join(map(str, each)) for each in labels]
    if np.ptp(contest.even) > 1e-9 or np.any((abs(parts.sum(axis=1) - 1) > 1e-9) & parts.any(axis=1)):
        raise ValueError(f"--by {by}: one of the same labels has to win each game, or they share it; see judge")
    return names, (_of_game(names, row) for row in parts.tolist())


def _of_game(names: list[Hashable], row: list[float]) -> Hashable | dict | None:
    """The winner of a game, the parts of several, or None where all have as much."""
    won = {name: part for name, part in zip(names, row, strict=True) if part}
    if len(set(row)) == 1:
        return None
    return won if len(won) > 1 else next(iter(won))


def _check_rotated(games: Games, block: int) -> None:
    """Refuse blocks in which, as far as players are known, not each sat in each seat once."""
    if "player" not in games.kinds:
        return
    rows = games.rows
    sat = rows.assign(block=rows["game"] // block)[rows["game"] < games.count // block * block]
    pairs = sat.drop_duplicates(["block", "player", "seat"]).groupby("block")["player"].agg(["size", "nunique"])
    wrong = (pairs["size"] != block * block) | (pairs["nunique"] != block)
    if wrong.any():
        first = int(wrong.idxmax()) * block + 1
        raise ValueError(
            f"--block {block}: in games {first} to {first + block - 1} not each player sat in each seat once"
        )


def _text(read: str, monitor: Monitor, left: int) -> str:
    """The verdict and a table."""
    rows: list[tuple[str, ...]] = [("", "won", "share", "interval")]
    for label, row in monitor.to_frame().iterrows():
        interval = f"{wording.percent(row['low'])} to {wording.percent(row['high'])}%"
        rows.append((str(label), f"{row['wins']:,.6g}", f"{wording.percent(row['share'])}%", interval))
    rest = ["", f"The last {wording.games(left)} are no whole block, and do not count."] if left else []
    return "\n".join([*([f"{read}.", ""] if read else []), monitor.sentence, "", *aligned(rows), *rest])


def _record(monitor: Monitor, left: int) -> dict:
    """All of it."""
    names = ("verdict", "stopped_at", "games", "draws", "evidence", "p_value", "sentence")
    record = {name: getattr(monitor, name) for name in names}
    labels, course = (forms.records(frame) for frame in (monitor.to_frame().reset_index(), monitor.course()))
    return record | {"left": left, "labels": labels, "course": course}
