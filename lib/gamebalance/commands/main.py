"""``gamebalance …``: what judges results, and a group of commands for each game; each loaded when it is used."""

import contextlib
import importlib
import os
import sys
import sysconfig
import traceback
from collections.abc import Sequence
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from gamebalance.base import extras
from gamebalance.commands import interrupts

#: What ``gamebalance --help`` says about each command, the module beside this one that has it, and its name there.
COMMANDS = {
    "judge": ("Is it fair? What a table of results says.", "fair", "judge_command"),
    "monitor": ("Is it fair? Look after every game, and stop when it is clear.", "watch", "monitor_command"),
    "rate": ("Who is strong, and what is a role, a side or a seat worth?", "rate", "rate_command"),
    "seatings": ("Who plays whom in which seat: a schedule with even seats.", "seatings", "seatings_command"),
    "needed": ("How many games would show that a game is unfair.", "needed", "needed_command"),
    "report": ("Is it fair, luck or skill? What the rules of a game say.", "report", "report_command"),
    "tune": ("What is the smallest change that makes a game fair?", "tune", "tune_command"),
    "compare": ("What does a change do? Two versions of a game side by side.", "compare", "compare_command"),
    "play": ("Play a game by hand, against ways to play.", "play", "play_command"),
    "new-game": ("Write a game that runs, to be made into your own.", "report", "new_game_command"),
    "sanguosha": ("Play, simulate and solve the card game 三国杀.", "sanguosha", "group"),
    "mafia": ("Chances to win Mafia, and set-ups that are fair.", "mafia", "group"),
    "countn": ("Solve the hand game Count-N.", "countn", "group"),
    "multiplayer": ("Algorithms for games of many players.", "multiplayer", "group"),
    "observed": ("Count recorded games of people, from your own copy of the records.", "observed", "group"),
    "collection": ("Run the notebooks, make figures and report, list what there is.", "collection", "group"),
}


#: The longest message, in characters; of a longer one the middle is left out.
MOST_SAID = 1000
#: The folder of this library.
_HERE = str(Path(__file__).parents[1])


class LazyGroup(click.Group):
    """A group that lists its commands without importing them: the science takes seconds to load, help must not."""

    def list_commands(self, context: click.Context) -> list[str]:
        """The commands in the order of the table above."""
        return list(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """Import a command."""
        if name not in COMMANDS:
            return None
        _, module, attribute = COMMANDS[name]
        return getattr(importlib.import_module(f"gamebalance.commands.{module}"), attribute)

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands from the table above."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (text, *_) in COMMANDS.items()])

    def shell_complete(self, context: click.Context, incomplete: str) -> list[CompletionItem]:
        """What a shell offers after ``gamebalance``; from the table above, too, since nobody waits for a tab."""
        if incomplete.startswith("-"):
            return click.Command.shell_complete(self, context, incomplete)
        known = {name: text for name, (text, *_) in COMMANDS.items() if name.startswith(incomplete)}
        return [CompletionItem(name, help=text) for name, text in known.items()]


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="gamebalance")
def root() -> None:
    """Is a multiplayer game fair, and how would we know?"""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command; whatever was wrong, with its input, in a reader's game or in the system, is exit code 2.

    What can be told is one line; what cannot keeps its traceback, as all do with ``GAMEBALANCE_DEBUG`` set. Codes 0, 1
    and 3 are answers of commands.
    """
    if sys.stdout is None:
        _fail("standard output: it is closed")
    if os.environ.get("GAMEBALANCE_DEBUG"):
        sys.exit(root(arguments, prog_name="gamebalance"))
    output = sys.stdout
    try:
        with interrupts.as_such():
            code = root.main(arguments, prog_name="gamebalance", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        sys.exit(error.exit_code)
    except click.ClickException as error:
        _fail(error.format_message())
    except MemoryError as error:
        told = str(error) if type(error) is MemoryError else ""  # ours; numpy's has a type of its own
        _fail(told or "there is not enough memory for this")
    except SystemExit as end:
        if (place := _place_outside(end)) is not None:
            _fail(f"{place}: it ends the program, which no game may do")
        # Where a pipe was closed, click puts another standard output in place, and ends with the code of an answer.
        sys.exit(end.code if sys.stdout is output else 2)
    except (KeyboardInterrupt, click.Abort) as error:
        if isinstance(error.__cause__, EOFError):  # of which click makes the same
            place = _place_outside(error.__cause__)
            _fail(f"{place}: it reads standard input, which has ended" if place else "standard input has ended")
        interrupts.told = True
        _fail(interrupts.LINE, interrupts.CODE)
    except OSError as error:
        _fail(_reason(error))
    except BaseException as error:
        if (place := _place_outside(error)) is not None:
            _fail(f"{place}: {type(error).__name__}: {error}")
        if isinstance(error, Exception) and (remedy := extras.remedy(error)) is not None:
            _fail(remedy)
        if not isinstance(error, ValueError):
            traceback.print_exc()
            sys.exit(2)
        _fail(str(error))
    sys.exit(code if isinstance(code, int) else 0)


def _reason(error: OSError) -> str:
    """What could not be read or written, and why."""
    files = [str(file) for file in (error.filename, error.filename2) if file is not None]
    if not files and any(frame.name == "echo" for frame in traceback.extract_tb(error.__traceback__)):
        files = ["standard output"]
    reason = error.strerror or str(error) or type(error).__name__
    return f"{' -> '.join(files)}: {reason}" if files else reason


def _place_outside(error: BaseException) -> str | None:
    """Where a reader's own file went wrong, if that is what happened: file, line and function."""
    installed = tuple(sysconfig.get_paths()[kind] for kind in ("stdlib", "purelib", "platlib"))
    frames = traceback.extract_tb(error.__traceback__)
    for frame in reversed(frames):
        if frame.filename.startswith(_HERE):
            return None
        if not frame.filename.startswith((*installed, "<")):
            return f"{frame.filename}, line {frame.lineno}, in {frame.name}"
    return None


def _fail(message: str, code: int = 2) -> None:
    line = "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in " ".join(message.split()))
    if len(line) > MOST_SAID:
        line = f"{line[: MOST_SAID // 2]} … {line[-MOST_SAID // 2 :]}"
    with contextlib.suppress(OSError):
        click.echo(f"gamebalance: {line}", err=True)
    _drop_output()
    sys.exit(code)


def _drop_output() -> None:
    """Let go of what could not be written, since Python would try again at its end, and end with a code of its own."""
    for name in ("stdout", "stderr"):
        try:
            getattr(sys, name).flush()
        except (OSError, AttributeError, ValueError):  # full, closed from the start, or by a reader's game
            setattr(sys, name, open(os.devnull, "w"))


if __name__ == "__main__":
    interrupts.run(main)
