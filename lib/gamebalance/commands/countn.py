"""``gamebalance countn …``: one N, a table of them, every move of a position, and play against the solution."""

import random
import re
import sys
from typing import TYPE_CHECKING

import click

from gamebalance.base.checks import in_time, shown
from gamebalance.commands import forms
from gamebalance.countn.certificate import drawing_certificate
from gamebalance.countn.rules import LARGEST_N, OVERFLOWS, START, WITHDRAWN, Game, Hands, Move
from gamebalance.countn.solution import KINDS, Solution, solve
from gamebalance.countn.states import hands_text, position_text, read_position
from gamebalance.publish import progress

if TYPE_CHECKING:
    import pandas as pd

#: Labels in words, in the order of the columns, and what stands above other columns in a table for readers.
COLUMNS = {-2: "lost_big", -1: "lost_small", 1: "won_small", 2: "won_big", None: "draw"}
HEADINGS = {"start_value": "winner", "start_distance": "plies", "terminal": "ends", "reach_depth": "farthest",
            "longest_distance": "longest win"}  # fmt: skip
#: Seconds for each of n^4, as measured on one core: to solve and to search all states for n = 100 to 256, and for the
#: study's labels in plain Python, n = 16 to 30.
SECONDS, PUBLISHED_SECONDS = 1.6e-8, 1.8e-5
SIDES = ("first", "second")


def _range(context, parameter, value: str) -> range:
    """``8`` or ``2:9`` as a range of N."""
    match = re.fullmatch(r"([0-9]{1,3})(?::([0-9]{1,3}))?", value.strip())
    low, high = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    if not 2 <= low <= high <= LARGEST_N:
        raise click.BadParameter(f"{shown(value)}: a number or a range such as 2:9 is needed, of 2 to {LARGEST_N}")
    return range(low, high + 1)


_overflow = click.option("--overflow", type=click.Choice(OVERFLOWS), default="one", show_default=True,
                         help="A sum over N becomes 1, or the sum less N.")  # fmt: skip
_labels = click.option("--labels", type=click.Choice(KINDS), default="principled", show_default=True,
                       help="Whose split into big and small: the solution's or the study's.")  # fmt: skip
_format = forms.option()


@click.group()
def group() -> None:
    """The hand game Count-N (凑 8 for every N): who wins, every position, and play against the solution."""


@group.command("solve", short_help="Who wins Count-N, and how soon.")
@click.argument("n", type=int)
@_overflow
@_labels
@_format
def solve_command(n, overflow, labels, form) -> None:
    """Who wins Count-N, how soon, and how many states there are of each kind."""
    _announce([Game(n, overflow).n], labels)
    row = _row(solve(n, overflow), labels)
    counts = {labels: {name: row[name] for name in COLUMNS.values()}}
    record = {name: value for name, value in row.items() if name not in counts[labels]} | {"labels": counts}
    text = f"{heading(Game(n, overflow))}\n{_table([row], turned=True)}"
    forms.echo(form, lambda: text, lambda: _frame([row]), lambda: record)


@group.command("table")
@click.argument("numbers", callback=_range, metavar="LOW:HIGH")
@_overflow
@_labels
@_format
def table_command(numbers, overflow, labels, form) -> None:
    """The same for a range of N, one row for each."""
    _announce(numbers, labels)
    rows: list[dict] = []
    # The largest first, which would be refused if any; it takes nearly all of the time: the bar counts work, not rows.
    with progress(sum(n**4 for n in numbers), "solving", bar_format="{desc} {percentage:.0f}% |{bar}|") as bar:
        for n in reversed(numbers):
            rows.insert(0, _row(solve(n, overflow), labels))
            bar.update(n**4)
    forms.echo(form, lambda: _table(rows), lambda: _frame(rows), lambda: rows)


class _WithPosition(click.Command):
    """A command of a position, which is no option where it begins with a withdrawn hand."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, [f" {arg}" if re.match(r"-\s*,", arg) else arg for arg in args])


@group.command("best", cls=_WithPosition, short_help="Every move of a position, best first.")
@click.argument("position")
@click.option("-n", "--number", "n", type=int, default=8, show_default=True, help="The number to count to.")
@click.option("--plies", type=click.IntRange(0), default=100, show_default=True, help="The longest line to show.")
@_overflow
@_format
def best_command(position, n, plies, overflow, form) -> None:
    """Every move of a position such as "1,7 v 2,6" (the mover first), best first, and the main line from there."""
    place = read_position(position, Game(n, overflow))
    _announce([n])
    solution = solve(n, overflow)
    moves = [{**vars(each.move), "value": each.value, "distance": each.distance} for each in solution.options(*place)]
    rows = [{**move, "hands": hands_text(move["hands"])} for move in moves]
    record = {"n": n, "overflow": overflow, "mover": place[0], "opponent": place[1]}
    record |= {"value": solution.value(*place), "distance": solution.distance(*place), "options": moves}
    record["main_line"] = [vars(move) for move in solution.main_line(*place, plies)]
    text = "\n".join([*_advice(solution, *place), *_line(solution, *place, plies)])
    forms.echo(form, lambda: text, lambda: _frame(rows), lambda: record)


@group.command("certificate", short_help="A proof that Count-N is a draw.")
@click.argument("n", type=int)
@_overflow
def certificate_command(n, overflow) -> None:
    """A proof that Count-N is a draw: a move for each position that can occur, a line for each.

    To check a file of it without this program: python lib/gamebalance/countn/checker.py FILE
    """
    _announce([Game(n, overflow).n])
    for line in drawing_certificate(solve(n, overflow)).lines():
        click.echo(line)


@group.command("play", short_help="Play against the solution.")
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
    _announce([Game(n, overflow).n])
    Session(solve(n, overflow), side, random.Random(seed)).run()


def _announce(numbers, labels: str = "principled") -> None:
    """Say on standard error what takes long."""
    each = SECONDS + (PUBLISHED_SECONDS if labels == "published" else 0)
    in_time(f"n = {numbers[-1]}", each * sum(n**4 for n in numbers))


def _row(solution: Solution, labels: str) -> dict:
    """What is told about one game."""
    return {
        "n": solution.game.n,
        "overflow": solution.game.overflow,
        "start_value": solution.start_value,
        "start_distance": solution.start_distance,
        "reachable": solution.reachable_count,
        "terminal": solution.terminal_count,
        "reach_depth": solution.reach_depth,
        "longest_distance": int(solution.distances.max()),
        "labels": labels,
        **{COLUMNS[label]: count for label, count in solution.label_counts(labels).items()},
    }


def _frame(rows: list[dict]) -> "pd.DataFrame":
    """The rows; a distance stays a whole number where others have none."""
    import pandas as pd

    frame = pd.DataFrame(rows)
    return frame.astype({name: "Int64" for name in frame if name in ("start_distance", "distance")})


def _table(rows: list[dict], turned: bool = False) -> str:
    frame = _frame(rows).drop(columns=["overflow", "labels"]).astype(object)
    frame = frame.where(frame.notna(), "").rename(
        columns=lambda name: HEADINGS.get(str(name), str(name)).replace("_", " ")
    )
    return frame.T.to_string(header=False) if turned else frame.to_string(index=False)


def _advice(solution: Solution, mover: Hands, opponent: Hands) -> list[str]:
    """Every move in words."""
    game, options = solution.game, solution.options(mover, opponent)
    name = f"{heading(game)}, {position_text(mover, opponent)}"
    if not options:
        return [f"{name}: the game is over, the opponent has withdrawn both hands; a {win_size(mover)} win."]
    value, texts = options[0].value, [move_words(option.move, game) for option in options]
    first = f"{name}: {outcome_words(value, options[0].distance)}{' for the mover' if value else ''}."
    return [first, ""] + [
        f"  {text:<{max(map(len, texts))}}   hands {hands_text(option.move.hands)}: "
        f"{outcome_words(option.value, option.distance)}"
        for text, option in zip(texts, options, strict=True)
    ]


def _line(solution: Solution, mover: Hands, opponent: Hands, plies: int) -> list[str]:
    """The main line, a row for each ply, and how it goes on."""
    rows, seen = [], []
    for move in solution.main_line(mover, opponent, plies):
        seen.append((mover, opponent))
        rows.append(f"  {len(seen):>3}. {position_text(mover, opponent)}: {move_words(move, solution.game)}")
        mover, opponent = opponent, move.hands
    if (mover, opponent) in seen:
        place = seen.index((mover, opponent)) + 1
        rows.append(f"       Then {position_text(mover, opponent)} again, as in line {place}.")
    elif rows and opponent != WITHDRAWN:
        rows.append("       And so on: --plies shows more.")
    return ["", "Main line:", *rows] if rows else []


class Session:
    """A game in the terminal, against perfect play or between two people."""

    def __init__(self, solution: Solution, side: str, chance: random.Random) -> None:
        self.solution, self.game, self.chance = solution, solution.game, chance
        self.people = SIDES if side == "both" else (side,)
        self.positions = [START]

    def run(self) -> None:
        """Play until the end, or until the input ends or says so."""
        forms.take_any_bytes()
        click.echo(heading(self.game) + ". Enter a move's number, u to undo, h for a hint, q to quit.")
        while True:
            (mover, opponent), plies = self.positions[-1], len(self.positions) - 1
            side = SIDES[plies % 2]
            click.echo(self._shown(side))
            if opponent == WITHDRAWN:
                return
            if side in self.people:
                move = self._ask(side)
            else:
                move = self.reply(mover, opponent)
                click.echo(f"  {side} plays {move_words(move, self.game)}")
            if move is None:
                click.echo("The game is left unfinished.")
                return
            if not isinstance(move, str):
                self.positions.append((opponent, move.hands))

    def _shown(self, side: str) -> str:
        """The position in words."""
        (mover, opponent), plies = self.positions[-1], len(self.positions) - 1
        first, second = (mover, opponent) if side == SIDES[0] else (opponent, mover)
        text = f"\nAfter {plies_words(plies)}: first {hands_text(first)}, second {hands_text(second)}."
        before = [ply for ply in range(plies) if self.positions[ply] == self.positions[-1]]
        if before:
            exchanged = ", with the players exchanged" if (plies - before[-1]) % 2 else ""
            text += f" This position was here {plies_words(plies - before[-1])} ago{exchanged}."
        if opponent != WITHDRAWN:
            return f"{text} {side.capitalize()} is to move."
        winner = SIDES[plies % 2 - 1]
        return f"{text} {winner.capitalize()} has withdrawn both hands: a {win_size(mover)} win for {winner}."

    def _ask(self, side: str) -> Move | str | None:
        """The move that is entered; "undo" after one or more were taken back, None at the end of the input."""
        mover, opponent = self.positions[-1]
        moves, back = self.game.moves(mover, opponent), 3 - len(self.people)
        for number, move in enumerate(moves, 1):
            click.echo(f"  {number}) {move_words(move, self.game)}")
        while True:
            entered = _entered(side)
            if entered == "q":
                return None
            if entered == "h":
                for option in self.solution.options(mover, opponent):
                    click.echo(f"  {moves.index(option.move) + 1}) {outcome_words(option.value, option.distance)}")
            elif entered == "u" and len(self.positions) > back:
                del self.positions[-back:]  # to the last position in which a person chose
                return "undo"
            elif entered == "u":
                click.echo("There is nothing to undo.")
            elif re.fullmatch(r"[0-9]{1,3}", entered) and 1 <= int(entered) <= len(moves):
                return moves[int(entered) - 1]
            else:
                click.echo(f"{entered[:40]!r} is not a number from 1 to {len(moves)}, nor u, h or q.")

    def reply(self, mover: Hands, opponent: Hands) -> Move:
        """A best move; in a draw, one after which the most replies lose."""
        best = self.solution.best_moves(mover, opponent)
        if self.solution.value(mover, opponent) == 0:
            replies = [self.solution.options(opponent, move.hands) for move in best]
            traps = [sum(reply.value < 0 for reply in after) for after in replies]
            best = [move for move, count in zip(best, traps, strict=True) if count == max(traps)]
        return self.chance.choice(best)


def _entered(side: str) -> str:
    """A line of input; "q" where it ends."""
    try:
        entered = input(f"{side}> ").strip().lower()
    except EOFError:
        entered = "q"
    if not sys.stdin.isatty():  # so that what was piped in stands in what comes out
        click.echo(entered.encode(errors="replace").decode())
    return entered


def heading(game: Game) -> str:
    """The game and its rule: ``Count-8 (over 8 becomes 1)``."""
    over = "1" if game.overflow == "one" else f"the sum less {game.n}"
    return f"Count-{game.n} (over {game.n} becomes {over})"


def move_words(move: Move, game: Game) -> str:
    """A move in words: ``1 + 6 = 7``, ``2 + 6 = 8, withdrawn`` or ``7 + 6 = 13, becomes 1``."""
    total, after = move.own + move.added, game.total(move.own, move.added)
    ending = ", withdrawn" if after is None else "" if after == total else f", becomes {after}"
    return f"{move.own} + {move.added} = {total}{ending}"


def outcome_words(value: int, distance: int | None) -> str:
    """A value and a distance in words."""
    if value == 0 or distance is None:
        return "draw"
    return f"{'big' if abs(value) == 2 else 'small'} {'win' if value > 0 else 'loss'} in {plies_words(distance)}"


def win_size(loser: Hands) -> str:
    """Whether a win is big or small, by the hands of the loser."""
    return "small" if None in loser else "big"


def plies_words(count: int) -> str:
    """A number of plies: ``1 ply``, ``7 plies``."""
    return f"{count} {'ply' if count == 1 else 'plies'}"
