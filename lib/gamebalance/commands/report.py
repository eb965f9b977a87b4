"""``gamebalance report`` and ``gamebalance new-game``: from the rules of a game to what can be said of it."""

import ast
import importlib
import importlib.util
import keyword
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from math import inf
from pathlib import Path
from typing import Any

import click
import psutil

from gamebalance import fairness
from gamebalance.base.checks import MOST_BYTES, all_different, shown
from gamebalance.commands import forms
from gamebalance.commands.template import GAME, TEST
from gamebalance.publish import files

#: Where games of other libraries are named, by the names that these give them.
FOREIGN = ("openspiel:", "pettingzoo:")
#: Bytes of memory that a game and what is computed of it may take.
MEMORY = 2 * MOST_BYTES


@click.command("report")
@click.argument("game")
@click.option("--players", type=int, help="How many play, if GAME is a function play(rng, players).")
@click.option(
    "--seconds",
    type=float,
    default=60,
    show_default=True,
    help="How long it may take; at least 50 games are played at each table, if no other number is given.",
)
@click.option("--games", type=int, help="Games to be played at random, where they are played.")
@click.option("--contests", type=int, help="Games at each table with two ways to play, where they are played.")
@click.option("--playouts", type=int, help="Games that the way to play which searches plays on from each move.")
@click.option("--looks", type=int, help="Games of which the states are looked at, where they are played.")
@click.option("--states", type=int, help="Follow the game exactly if it has no more states than this.")
@click.option("--seed", type=int, default=1, show_default=True, help="Of the games that are played.")
@click.option("--without", multiple=True, help="NAME=GAME: the same game without something, to say what that is worth.")
@click.option("--ways", help="Which of the built-in ways to play are tried, such as random,best; all by default.")
@click.option(
    "--policies",
    multiple=True,
    help="Further ways to play: FILE.py:NAME, a function of what is known and the moves,"
    " which is called NAME, or a dict from names to such functions.",
)
@click.option("--goal", type=click.Choice(["points", "win"]), help="What those who play best seek; points by default.")
@click.option("--alike", multiple=True, help="Seats that are alike, such as 1,2,3, if GAME does not say so itself.")
@forms.option("html")
@forms.output()
def report_command(game, players, without, ways, policies, goal, alike, form, output, **others) -> None:
    """Is it fair, is it luck or skill, what is it like to play? A report on GAME.

    GAME is a class, an object or a function play(rng, players): mygame.py:Game, mygame.py:Game(players=4),
    package.module:Game; or openspiel:kuhn_poker(players=3), pettingzoo:classic/tictactoe-v3. Exact where it is small,
    else by games that are played. As CSV it is the table of who wins.

    A game may also have: roles and sides, a name for each player; information(state), all that the player to move
    knows, if something is hidden; movers(state) instead of mover(state), if players move at once; alike, such as
    [(0, 1, 2)], players whose seats are interchangeable. `gamebalance new-game` writes a game that shows how.
    """
    named = dict(_named(text) for text in without)
    played, seats = _game(game)
    players = seats if players is None else players
    given = {
        "goal": goal,
        "ways": None if ways is None else [way.strip() for way in ways.split(",")],
        "alike": [_seats(text, getattr(played, "players", players)) for text in alike],
    }
    others |= {name: value for name, value in given.items() if value}
    report = fairness.report  # what it imports is no part of what a game may take
    with memory_of_games(f"game = {shown(game)}"):
        found = report(
            played,
            players,
            policies=policies_of(policies),
            without={name: _game(other)[0] for name, other in named.items()},
            name=game.partition(":")[2] if game.startswith(FOREIGN) else None,
            **others,
        )
    makers = {"text": found.to_text, "json": found.to_json, "html": found.to_html}
    forms.deliver(forms.as_csv(found.to_frame()) if form == "csv" else makers[form](), output)


@click.command("new-game")
@click.argument("name")
def new_game_command(name) -> None:
    """Write NAME.py, a game that runs, to be made into another one, and test_NAME.py, its tests."""
    title = "".join(part[:1].upper() + part[1:] for part in name.split("_"))
    if any(not word.isidentifier() or keyword.iskeyword(word) for word in (name, title)):
        raise ValueError(f"name = {shown(name)}: letters, digits and _ are allowed, such as my_game")
    if name in sys.stdlib_module_names or name == "gamebalance":
        raise ValueError(f"name = {shown(name)}: a module of Python's is called so; another name is needed")
    texts = {Path(f"{name}.py"): GAME, Path(f"test_{name}.py"): TEST}
    for file in texts:
        if os.path.lexists(file):
            raise ValueError(f"name = {shown(name)}: there is already {file}; another name is needed")
    try:
        for file, text in texts.items():
            files.write(file, text.replace("{name}", name).replace("{Title}", title))
    except BaseException:
        for file in texts:  # both or none
            file.unlink(missing_ok=True)
        raise
    click.echo(f"Wrote {' and '.join(map(str, texts))}. Try: gamebalance report {name}.py:{title}")


@contextmanager
def memory_of_games(what: str) -> Iterator[None]:
    """Refuse a game that wants more memory than `MEMORY`, as far as the system can be told so."""
    try:
        import resource

        used = psutil.Process().memory_info().data
    except (ImportError, AttributeError):  # not on Linux
        yield
        return
    before = resource.getrlimit(resource.RLIMIT_DATA)
    allowed = [used + MEMORY, *(limit for limit in before if limit != resource.RLIM_INFINITY)]
    resource.setrlimit(resource.RLIMIT_DATA, (min(allowed), before[1]))
    try:
        yield
    except MemoryError as error:
        raise ValueError(f"{what}: more than {MEMORY / 2**30:g} GiB of memory are needed") from error
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, before)


def _game(text: str) -> tuple[Any, int | None]:
    """The game that a name stands for, and how many play if it is a function that comes with their number."""
    place, _, name = text.partition(":")
    if name and place == "openspiel":
        from gamebalance.games.adapters import openspiel

        return openspiel.game(name), None
    if name and place == "pettingzoo":
        from gamebalance.games.adapters import pettingzoo

        return pettingzoo.named(name)
    return _found("game", text), None


def _found(what: str, text: str) -> Any:
    """What ``place:name`` or ``place:name(arguments)`` names in a file or a module; a class is called."""
    found, arguments = named_there(what, text)
    if arguments is None and not isinstance(found, type):
        return found
    try:
        return found(**arguments or {})
    except TypeError as error:
        raise ValueError(f"{what} = {shown(text)}: {error}") from error


def named_there(what: str, text: str) -> tuple[Any, dict | None]:
    """What stands in a file or a module under a name, and the arguments in brackets after it."""
    place, _, name = text.partition(":")
    if not (place and name):
        example = "mygame.py:Game" if what == "game" else "mygame.py:clever"
        raise ValueError(f"{what} = {shown(text)}: a file or a module and a name in it are needed, as in {example}")
    name, arguments = _call(what, text, name)
    found = getattr(_module(what, place), name, None)
    if found is None:
        raise ValueError(f"{what} = {shown(text)}: {place} has no {name}")
    return found, arguments


def policies_of(texts: tuple[str, ...]) -> dict[str, Any]:
    """Ways to play by name: those of a dict, and a single one by the name that it has where it stands."""
    policies: dict[str, Any] = {}
    for text in texts:
        found = _found("policies", text)
        own = found if isinstance(found, Mapping) else {text.partition(":")[2]: found}
        if twice := policies.keys() & own.keys():
            raise ValueError(f"policies: {shown(min(twice))} is there twice; another name is needed")
        policies |= own
    return policies


def _seats(text: str, most: int | None) -> tuple[int, ...]:
    """Players, numbered from 0, of seats as people count them."""
    parts = [part.strip() for part in text.split(",")]
    found = tuple(int(part) - 1 if part.isdecimal() and len(part) < 10 else -1 for part in parts)
    if not all_different(found) or any(not 0 <= seat < (most or inf) for seat in found):
        reach = "on" if most is None else f"to {most}"
        raise ValueError(
            f"--alike {shown(text)}: different numbers of seats from 1 {reach}, with commas, are needed, such as 1,2"
        )
    return found


def _named(text: str) -> tuple[str, str]:
    name, _, game = text.partition("=")
    if not game:
        raise ValueError(f"--without {shown(text)}: NAME=GAME is needed")
    return name, game


def _call(what: str, text: str, name: str) -> tuple[str, dict | None]:
    """A name, and the arguments in brackets after it; `text` is all that was given."""
    try:
        tree = ast.parse(name, mode="eval").body
        if isinstance(tree, ast.Name):
            return tree.id, None
        if not isinstance(tree, ast.Call) or not isinstance(tree.func, ast.Name) or tree.args:
            raise ValueError("arguments have names")
        return tree.func.id, {each.arg: ast.literal_eval(each.value) for each in tree.keywords}
    except (SyntaxError, AttributeError, ValueError, TypeError, RecursionError, MemoryError):
        raise ValueError(
            f"{what} = {shown(text)}: a name is needed, or one with named arguments as in Game(players=4)"
        ) from None


def _module(what: str, place: str) -> Any:
    """A module by its name, or a file of one."""
    path, file = Path(place), Path(f"{place}.py")
    if place.endswith(".py") and not path.is_file():
        raise ValueError(f"{what}: there is no file {place}")
    try:
        if place.endswith(".py"):
            return _of_file(path)
        if not all(part.isidentifier() for part in place.split(".")):
            raise ImportError("a module is named as package.module, and a file ends with .py")
        return importlib.import_module(place)
    except (Exception, SystemExit) as error:  # whatever a file may do
        if isinstance(error, ImportError) and not place.endswith(".py"):
            meant = f"; did you mean {file}, which is a file here?" if file.is_file() else f" ({error})"
            raise ValueError(f"{what}: there is no module {place}{meant}") from None
        raise ValueError(f"{what}: {place} does not load: {type(error).__name__}: {error}") from error


def _of_file(path: Path) -> Any:
    if (folder := str(path.parent.resolve())) not in sys.path:
        sys.path.append(folder)  # the last, so that a file random.py hides no module of Python's
    spec = importlib.util.spec_from_file_location(f"file {path.stem}", path)
    assert spec is not None and spec.loader is not None  # its name ends with .py
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[spec.name]
        raise
    return module
