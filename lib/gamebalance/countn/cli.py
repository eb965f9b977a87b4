"""``gamebalance countn …``: one N, a table of them, every move of a position, and play against the solution."""

import json
import random
import re

import click
import pandas as pd

from gamebalance.collection import progress

from .as_published import LABEL_BYTES, check_memory
from .certificate import check_memory as check_certificate_memory
from .certificate import drawing_certificate
from .notation import hands_text, position_text, read_position
from .rules import LARGEST_N, OVERFLOWS, WITHDRAWN, Game, Hands, Move
from .solve import KINDS, Option, Solution, solve
from .terminal import SIDES, Session
from .words import heading, move_words, outcome_words, plies_words, win_size

#: Labels in words, in the order of the columns.
COLUMNS = {-2: "lost_big", -1: "lost_small", 1: "won_small", 2: "won_big", None: "draw"}
NUMBERS = ("n", "overflow", "start_value", "start_distance", "reachable", "terminal", "reach_depth", "longest_distance")
OPTION = ("own", "added", "hands", "value", "distance")

#: From so many seconds or bytes on, a command says beforehand what it will take.
LONG_SECONDS, LARGE_BYTES = 10, 2**30

#: Seconds and bytes for each of n^4, as measured on one core for n = 100 to 256: to solve, and to search all states.
SOLVE, SEARCH = (1.8e-9, 1.0), (1.4e-8, 0.13)
#: The same for a drawing certificate, n = 40 to 128.
CERTIFICATE = (1.5e-7, 3.3)
#: The same for the study's labels in plain Python, n = 16 to 30.
LABEL = (1.8e-5, LABEL_BYTES)


class _Range(click.ParamType):
    """``8`` or ``2:9`` as a smallest and a largest N."""

    name = "range"

    def convert(self, value, param, ctx):
        """The pair of numbers; a usage error that names the argument for anything else."""
        match = re.fullmatch(r"([0-9]{1,9})(?::([0-9]{1,9}))?", value.strip())
        if not match:
            self.fail(f"{value!r} is not a number or a range such as 2:9", param, ctx)
        low, high = int(match[1]), int(match[2] or match[1])
        if low > high:
            self.fail(f"{value!r} is empty: the smallest number must come first", param, ctx)
        for number in (low, high):
            if not 2 <= number <= LARGEST_N:
                self.fail(f"{value!r}: {number} is given, 2 to {LARGEST_N} is allowed", param, ctx)
        return low, high


_overflow = click.option("--overflow", type=click.Choice(OVERFLOWS), default="one", show_default=True,
                         help="A sum over N becomes 1, or the sum less N.")  # fmt: skip
_labels = click.option("--labels", type=click.Choice([*KINDS, "both"]), default="principled", show_default=True,
                       help="Whose split into big and small: the solution's or the study's.")  # fmt: skip
_format = click.option("--format", "form", type=click.Choice(["text", "csv", "json"]), default="text",
                       show_default=True, help="How to write the result.")  # fmt: skip


@click.group()
def group() -> None:
    """The hand game Count-N (凑 8 for every N): who wins, every position, and play against the solution."""


@group.command("solve")
@click.argument("n", type=int)
@_overflow
@_labels
@_format
def solve_command(n, overflow, labels, form) -> None:
    """Who wins Count-N, how soon, and how many states there are of each kind."""
    game, kinds = Game(n, overflow), _kinds(labels)
    _announce([game], *_work(labels))
    rows = _rows(game, kinds)
    if form == "text":
        click.echo(_told(rows))
    elif form == "csv":
        click.echo(_csv(_frame(rows)))
    else:
        counts = {row["labels"]: {name: row[name] for name in COLUMNS.values()} for row in rows}
        click.echo(json.dumps({**{name: rows[0][name] for name in NUMBERS}, "labels": counts}))


@group.command("table")
@click.argument("numbers", type=_Range(), metavar="LOW:HIGH")
@_overflow
@_labels
@_format
def table_command(numbers, overflow, labels, form) -> None:
    """The same for a range of N, one row for each."""
    games = [Game(n, overflow) for n in range(numbers[0], numbers[1] + 1)]
    _announce(games, *_work(labels))
    rows = []
    # The last of them takes nearly all of the time: the bar counts work, not rows.
    with progress(sum(game.n**4 for game in games), "solving", bar_format="{desc} {percentage:.0f}% |{bar}|") as bar:
        for game in games:
            rows += _rows(game, _kinds(labels))
            bar.update(game.n**4)
    if form == "json":
        click.echo(json.dumps(rows))
    else:
        click.echo(_csv(_frame(rows)) if form == "csv" else _table(rows, labels))


@group.command("best")
@click.argument("position")
@click.option("-n", "--number", "n", type=int, default=8, show_default=True, help="The number to count to.")
@click.option("--plies", type=click.IntRange(0), default=100, show_default=True, help="The longest line to show.")
@_overflow
@_format
def best_command(position, n, plies, overflow, form) -> None:
    """Every move of a position such as "1,7 v 2,6" (the mover first), best first, and the main line from there."""
    game = Game(n, overflow)
    mover, opponent = read_position(position, game)
    _announce([game], SOLVE)
    solution = solve(n, overflow)
    options, line = solution.options(mover, opponent), _line(solution, mover, opponent, plies)
    if form == "text":
        click.echo(_advice(solution, mover, opponent, options, line))
    elif form == "csv":
        click.echo(_csv(_frame([_record(option) for option in options], OPTION)))
    else:
        start = {"n": n, "overflow": overflow, "mover": mover, "opponent": opponent}
        outcome = {"value": solution.value(mover, opponent), "distance": solution.distance(mover, opponent)}
        moves = [{**_record(option), "hands": option.move.hands} for option in options]
        main_line = [vars(move) for _, _, move in line]
        click.echo(json.dumps({**start, **outcome, "options": moves, "main_line": main_line}))


@group.command("certificate")
@click.argument("n", type=int)
@_overflow
def certificate_command(n, overflow) -> None:
    """A drawing certificate: for each position that can occur the move that keeps the draw, a line for each.

    To check a file of it without this program: python lib/gamebalance/countn/checker.py FILE
    """
    game = Game(n, overflow)
    check_certificate_memory(game)
    _announce([game], SOLVE, CERTIFICATE)
    for line in drawing_certificate(solve(n, overflow)).lines():
        click.echo(line)


@group.command("play")
@click.argument("n", type=int, default=8)
@click.option("--side", type=click.Choice([*SIDES, "both"]), default="first", show_default=True, help="Yours.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True,
              help="For the computer's choice between equally good moves.")  # fmt: skip
@_overflow
def play_command(n, side, seed, overflow) -> None:
    """Play Count-N (8, if no other is given) in the terminal against perfect play.

    Each line of input is the number of a move, or u (undo), h (hint) or q (quit). In a draw the computer prefers moves
    after which the most replies lose.
    """
    game = Game(n, overflow)
    _announce([game], SOLVE)
    Session(solve(n, overflow), side, random.Random(seed)).run()


def _kinds(labels: str) -> tuple[str, ...]:
    return KINDS if labels == "both" else (labels,)


def _work(labels: str) -> list[tuple[float, float]]:
    return [SOLVE, SEARCH, *((LABEL,) if "published" in _kinds(labels) else ())]


def _announce(games: list[Game], *parts: tuple[float, float]) -> None:
    """Say on standard error what a long command will take, one part of the work after the other."""
    if LABEL in parts:
        check_memory(games[-1])
    seconds = sum(part[0] * game.n**4 for part in parts for game in games)
    size = max(sum(part[1] for part in parts) * game.n**4 for game in games)
    if seconds >= LONG_SECONDS or size >= LARGE_BYTES:
        length = f"{seconds:.0f} seconds" if seconds < 120 else f"{seconds / 60:.0f} minutes"
        click.echo(f"This takes about {length} and {max(0.1, size / 2**30):.1f} GiB of memory.", err=True)


def _rows(game: Game, kinds: tuple[str, ...]) -> list[dict]:
    """What is told about one game: a row for each kind of labels."""
    solution = solve(game.n, game.overflow)
    told = (game.n, game.overflow, solution.start_value, solution.start_distance)
    told += (solution.reachable_count, solution.terminal_count, solution.reach_depth, int(solution.distances.max()))
    about = dict(zip(NUMBERS, told, strict=True))
    counted = {kind: solution.label_counts(kind) for kind in kinds}
    return [
        {**about, "labels": kind, **{name: counts[label] for label, name in COLUMNS.items()}}
        for kind, counts in counted.items()
    ]


def _told(rows: list[dict]) -> str:
    """One game in words."""
    row = rows[0]
    name = heading(Game(row["n"], row["overflow"]))
    won = "a draw" if row["start_value"] == "draw" else f"the {row['start_value']} player wins"
    length = "" if row["start_distance"] is None else f" in {plies_words(row['start_distance'])}"
    lines = [f"{name}: {won}{length}."]
    states = f"{row['reachable']:,} states can be reached, the farthest in {plies_words(row['reach_depth'])}"
    lines.append(f"{states}; {row['terminal']:,} of them are ends of the game.")
    lines.append(f"The longest win from any position, reachable or not, takes {plies_words(row['longest_distance'])}.")
    frame = pd.DataFrame({row["labels"]: {name: f"{row[name]:,}" for name in COLUMNS.values()} for row in rows})
    frame.index = ["lost big (-2)", "lost small (-1)", "won small (1)", "won big (2)", "draw"]
    return "\n".join([*lines, "", "Reachable states, for who is to move:", frame.to_string()])


def _table(rows: list[dict], labels: str) -> str:
    names = {"n": "N", "start_value": "winner", "start_distance": "plies", "reachable": "reachable", "terminal": "ends"}
    names |= ({"labels": "labels"} if labels == "both" else {}) | {name: name for name in COLUMNS.values()}
    frame = _frame(rows)[list(names)].rename(columns=lambda name: names[name].replace("_", " "))
    return frame.astype(object).where(frame.notna(), "").to_string(index=False)


def _frame(rows: list[dict], columns: tuple[str, ...] | None = None) -> pd.DataFrame:
    """The rows; a distance stays a whole number where others have none."""
    frame = pd.DataFrame(rows, columns=columns)
    distances = [name for name in frame if name in ("start_distance", "distance")]
    return frame.astype(dict.fromkeys(distances, "Int64"))


def _csv(frame: pd.DataFrame) -> str:
    return frame.to_csv(index=False, lineterminator="\n").rstrip("\n")


def _record(option: Option) -> dict:
    move = option.move
    return dict(zip(OPTION, (move.own, move.added, hands_text(move.hands), option.value, option.distance), strict=True))


def _advice(solution: Solution, mover: Hands, opponent: Hands, options: list[Option], line: list) -> str:
    """Every move in words, and the main line."""
    game = solution.game
    value, distance = solution.value(mover, opponent), solution.distance(mover, opponent)
    name = f"{heading(game)}, {position_text(mover, opponent)}"
    if not options:
        return f"{name}: the game is over, the opponent has withdrawn both hands; a {win_size(mover)} win."
    lines = [f"{name}: {outcome_words(value, distance)}{' for the mover' if value else ''}."]
    texts = [move_words(option.move, game) for option in options]
    width = max(map(len, texts))
    lines += ["", *(f"  {text:<{width}}   {_told_option(option)}" for text, option in zip(texts, options, strict=True))]
    return "\n".join([*lines, *_line_text(game, line)])


def _line_text(game: Game, line: list[tuple[Hands, Hands, Move]]) -> list[str]:
    """The main line, a row for each ply, and how it goes on."""
    if not line:
        return []
    rows = [f"  {ply:>3}. {position_text(*hands)}: {move_words(move, game)}"
            for ply, (*hands, move) in enumerate(line, 1)]  # fmt: skip
    after, seen = (line[-1][1], line[-1][2].hands), [tuple(hands) for *hands, _ in line]
    if after in seen:
        rows.append(f"       Then {position_text(*after)} again, as in line {seen.index(after) + 1}.")
    elif after[1] != WITHDRAWN:
        rows.append("       And so on: --plies shows more.")
    return ["", "Main line:", *rows]


def _told_option(option: Option) -> str:
    return f"hands {hands_text(option.move.hands)}: {outcome_words(option.value, option.distance)}"


def _line(solution: Solution, mover: Hands, opponent: Hands, plies: int) -> list[tuple[Hands, Hands, Move]]:
    """The main line with the position before each move."""
    line = []
    for move in solution.main_line(mover, opponent, plies):
        line.append((mover, opponent, move))
        mover, opponent = opponent, move.hands
    return line
