"""``gamebalance tune``: the smallest change of a game that makes it fair."""

import ast
import os
import re
from decimal import Decimal
from functools import partial
from math import inf
from typing import Any

import click

from gamebalance import fairness
from gamebalance.base.checks import shown
from gamebalance.commands import forms
from gamebalance.commands.fair import EXIT
from gamebalance.commands.games import memory_of_games, named_there, policies_of
from gamebalance.fairness.tuning.knobs import MOST_SETTINGS, grid
from gamebalance.publish import progress

#: Bytes of a file of what a search has found, at most.
MOST_KEPT = 1 << 30
BAR = "{desc} {percentage:.0f}% |{bar}|"


@click.command("tune")
@click.argument("game")
@click.option(
    "--vary",
    multiple=True,
    required=True,
    help="ARGUMENT=VALUES that it may have: 0:4 (0, 1, 2, 3, 4), 0:1:0.25, or values with commas, a step from one to "
    "the next; {'a', 'b'} are all one step apart.",
)
@click.option("--today", multiple=True, help="ARGUMENT=VALUE that it has today; by default that of GAME.")
@click.option("--cost", multiple=True, help="ARGUMENT=NUMBER: what a step costs. By default fewer arguments go first.")
@click.option("--together", type=int, help="At most so many arguments are changed at once.")
@click.option("--ways", default="random,best", show_default=True, help="Ways to play under which it must be fair.")
@click.option("--policies", multiple=True, help="Further ways to play, as of report; their names stand in --ways.")
@click.option("--by", type=click.Choice(["seat", "role", "side"]), default="seat", show_default=True)
@click.option("--margin", type=float, default=0.03, show_default=True, help="How far from even is still fair.")
@click.option("--keep", multiple=True, help="MEASURE=LEAST:MOST of a report that must stay, such as length=5:9.")
@click.option(
    "--measure",
    type=click.Choice(["distance", "spread", "worst_off", "envy", "drawishness"]),
    default="distance",
    show_default=True,
    help="What says how uneven chances are; distance is the largest from even.",
)
@click.option("--goal", type=click.Choice(["points", "win"]), default="points", help="What those who play best seek.")
@click.option("--players", type=int, help="How many play, if GAME makes functions play(rng, players).")
@click.option("--everything", is_flag=True, help="Look at all settings, not only up to the smallest fair change.")
@click.option("--states", type=int, default=200_000, show_default=True, help="Play games with more states than this.")
@click.option("--games", type=int, help="Games at most, where they are played; by default as many as --seconds allow.")
@click.option("--level", type=float, default=0.95, show_default=True, help="How often it is right where games are.")
@click.option("--seconds", type=float, default=60, show_default=True, help="Of games, without --games.")
@click.option("--seed", type=int, default=1, show_default=True, help="Of the games that are played.")
@click.option("--workers", type=int, default=1, show_default=True, help="Processes side by side.")
@click.option("--file", type=click.Path(dir_okay=False), help="Keeps what was found, so that a stopped search goes on.")
@forms.option("html")
@forms.output()
@click.pass_context
def tune_command(context, game, vary, today, cost, ways, policies, keep, form, output, **others) -> None:
    """What is the smallest change that makes GAME fair? With a proof that no smaller one of those allowed does.

    GAME is a class of games, or a function that makes one: race.py:Race, or with arguments that stay race.py:Race(
    goal=10). Small games are solved exactly for each setting; of others games are played, with a guarantee. Exit code
    0: a smallest fair change was found; 1: no setting is fair; 3: cannot tell; 2: an error.
    """
    given: dict[str, Any] = {
        "vary": {name: _values(name, text) for name, text in _pairs("vary", vary)},
        "today": {name: _value(text) for name, text in _pairs("today", today)},
        "cost": {name: _number(f"--cost {name}", text) for name, text in _pairs("cost", cost)} or None,
        "keep": {name.replace("_", " "): _range(name, text) for name, text in _pairs("keep", keep)},
        "ways": [way.strip() for way in ways.split(",")],
        "policies": policies_of(policies),
    }
    if (kept := others["file"]) is not None and os.path.lexists(kept):
        if not os.path.isfile(kept) or os.path.getsize(kept) > MOST_KEPT:
            raise ValueError(f"--file {shown(kept)}: a file that a search has written, or a new one, is needed")
    made = Maker(game)
    with memory_of_games(f"game = {shown(game)}"), progress(1, made.__name__, bar_format=BAR) as bar:
        found = fairness.tune(made, progress=bar.update, **given, **others)
    makers = {"text": found.to_text, "json": found.to_json, "html": found.to_html}
    forms.deliver(forms.as_csv(found.to_frame()) if form == "csv" else makers[form](), output)
    context.exit(EXIT[found.verdict])


def single_steps(game: str, vary: tuple[str, ...], ways: list | None, **options: Any) -> fairness.Tuning:
    """What each single step of the arguments of a game does, for its report."""
    made = Maker(game)
    wanted = {name: _values(name, text) for name, text in _pairs("vary", vary)}
    near = {}
    for knob in grid(made, wanted, None, None, 1).knobs:
        first = max(knob.today - 1, 0) if knob.ordered else 0
        last = knob.today + 2 if knob.ordered else None
        near[knob.name] = list(knob.values[first:last]) if knob.ordered else set(knob.values)
    chosen = [*(ways or ("random", "best")), *options["policies"]]
    return fairness.tune(made, near, ways=chosen, margin=0.05, together=1, everything=True, **options)


class Maker:
    """What makes games, by the name that a reader gives; a process that gets it looks the name up again."""

    def __init__(self, text: str):
        self._text = text
        made, fixed = named_there("game", text)
        if not callable(made):
            raise ValueError(f"game = {shown(text)}: a class of games is needed, or a function that makes one")
        self.__name__ = getattr(made, "__name__", type(made).__name__)
        self.__wrapped__ = partial(made, **fixed or {})  # whose arguments and file are seen

    def __call__(self, **values: Any) -> Any:
        """The game with these values."""
        return self.__wrapped__(**values)

    def __reduce__(self) -> tuple:
        return Maker, (self._text,)


def _pairs(what: str, texts: tuple[str, ...]) -> list[tuple[str, str]]:
    """Names and what follows the sign =, each name once."""
    pairs = [(name.strip(), rest.strip()) for name, _, rest in (text.partition("=") for text in texts)]
    for (name, rest), text in zip(pairs, texts, strict=True):
        if not name or not rest:
            raise ValueError(f"--{what} {shown(text)}: a name, the sign = and a value are needed")
        if sum(other == name for other, _ in pairs) > 1:
            raise ValueError(f"--{what} {shown(text)}: {name} is there twice")
    return pairs


def _values(name: str, text: str) -> Any:
    """The values of an argument: from a first to a last one, or those of a list or a set."""
    ends = text.split(":")
    if len(ends) in (2, 3) and all(re.fullmatch(r"-?\d+(\.\d+)?", end.strip()) for end in ends):
        first, last, step = (Decimal(end) for end in (*ends, "1")[:3])
        if step <= 0 or last < first or (last - first) / step >= MOST_SETTINGS:
            raise ValueError(
                f"--vary {name}={text}: a first value, a last one that is not smaller and a step above 0, with at most "
                f"{MOST_SETTINGS:,} values, are needed"
            )
        numbers = [first + place * step for place in range(int((last - first) / step) + 1)]
        whole = all(number == int(number) for number in numbers)
        return [int(number) if whole else float(number) for number in numbers]
    try:
        return ast.literal_eval(text) if text[0] in "{[" else list(ast.literal_eval(f"[{text}]"))
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return [_value(part.strip()) for part in text.split(",")]


def _value(text: str) -> Any:
    """A value as Python writes it; else the text itself."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return text


def _number(what: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"{what}={text}: a number is needed") from None


def _range(name: str, text: str) -> tuple[float, float]:
    """The least and the largest value of a measure; without one of them there is no limit."""
    low, sign, high = text.partition(":")
    if not sign:
        raise ValueError(f"--keep {name}={text}: the least and the largest value are needed, such as 5:9, or 5: or :9")
    what = f"--keep {name}"
    return _number(what, low) if low else -inf, _number(what, high) if high else inf
