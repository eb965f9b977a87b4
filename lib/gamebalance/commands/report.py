"""``gamebalance report`` and ``gamebalance new-game``: from the rules of a game to what can be said of it."""

import keyword
import os
import sys
from math import inf
from pathlib import Path

import click

from gamebalance import fairness
from gamebalance.base.checks import all_different, shown
from gamebalance.commands import forms
from gamebalance.commands.games import FOREIGN, game_of, memory_of_games, policies_of
from gamebalance.commands.template import GAME, TEST
from gamebalance.commands.tune import single_steps
from gamebalance.publish import files


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
@click.option("--vary", multiple=True, help="ARGUMENT=VALUES as of tune: what a single step of each changes.")
@click.option("--told", is_flag=True, help="Tell a typical and a dramatic game, move by move.")
@click.option("--alike", multiple=True, help="Seats that are alike, such as 1,2,3, if GAME does not say so itself.")
@forms.option("html")
@forms.output()
def report_command(game, players, without, ways, policies, goal, vary, alike, form, output, **others) -> None:
    """Is it fair, is it luck or skill, what is it like to play? A report on GAME.

    GAME is a class, an object or a function play(rng, players): mygame.py:Game, mygame.py:Game(players=4),
    package.module:Game; or openspiel:kuhn_poker(players=3), pettingzoo:classic/tictactoe-v3. Exact where it is small,
    else by games that are played. As CSV it is the table of who wins.

    A game may also have: roles and sides, a name for each player; information(state), all that the player to move
    knows, if something is hidden; movers(state) instead of mover(state), if players move at once; alike, such as
    [(0, 1, 2)], players whose seats are interchangeable. `gamebalance new-game` writes a game that shows how.
    """
    named = dict(_named(text) for text in without)
    played, seats = game_of(game)
    players = seats if players is None else players
    given = {
        "goal": goal,
        "ways": None if ways is None else [way.strip() for way in ways.split(",")],
        "alike": [_seats(text, getattr(played, "players", players)) for text in alike],
    }
    others |= {name: value for name, value in given.items() if value}
    report, own = fairness.report, policies_of(policies)  # what it imports is no part of what a game may take
    with memory_of_games(f"game = {shown(game)}"):
        if vary:
            some = {name: others[name] for name in ("seconds", "seed")} | {"policies": own, "players": players}
            some |= {"states": others["states"]} if others["states"] is not None else {}
            others["steps"] = single_steps(game, vary, given["ways"], goal=goal or "points", **some).to_shown()
        found = report(
            played,
            players,
            policies=own,
            without={name: game_of(other)[0] for name, other in named.items()},
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
