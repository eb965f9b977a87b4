"""``gamebalance play``: a game by hand in a terminal, against ways to play; what was played can be played again."""

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import numpy as np

from gamebalance.base.checks import check_seed, one_of, shown, whole_number
from gamebalance.commands import forms
from gamebalance.commands.games import game_of, memory_of_games, policies_of
from gamebalance.fairness.reports import told
from gamebalance.fairness.reports.outlook import WAYS, outlook, own_policies, play_of
from gamebalance.fairness.reports.tables import Seats, is_game
from gamebalance.publish import files

#: Bytes of a transcript that are read at most.
MOST_READ = 1 << 20


@click.command("play")
@click.argument("game")
@click.option("--as", "seats", default="1", show_default=True, help="Seats that you play, such as 1,2; none watches.")
@click.option("--against", default="random", show_default=True, help="How the others play: a way to play of report.")
@click.option("--policies", multiple=True, help="Further ways to play, as of report.")
@click.option("--players", type=int, help="How many play, if GAME is a function play(rng, players).")
@click.option("--states", type=int, default=50_000, show_default=True, help="Best play is known up to so many states.")
@click.option("--seed", type=int, default=1, show_default=True, help="Of chance, and of what the others do.")
@click.option("--transcript", type=click.Path(dir_okay=False), help="Write the game into this file, to be replayed.")
@click.option("--replay", type=click.Path(dir_okay=False, exists=True), help="Play again what a transcript holds.")
def play_command(game, seats, against, policies, players, states, seed, transcript, replay) -> None:
    """Play GAME by hand, a game as of report: gamebalance play my_game.py:MyGame --as 2 --against searching.

    You see what the seat knows, and choose a move by its number; the others play in one of the ways of a report. At the
    end the whole game is told.
    """
    record: dict[str, Any] = {"game": game, "as": seats, "against": against, "seed": seed, "players": players}
    record |= {"policies": [*policies], "states": states, "moves": []}
    left: list[int] = []
    if replay is not None:
        record = _read(Path(replay), record)
        left, record["moves"] = record["moves"], []
    played = game_of(game)
    check_seed(record["seed"])
    try:
        with memory_of_games(f"game = {shown(game)}"):
            _play(*played, record, left)
    finally:
        if transcript is not None:
            files.write(Path(transcript), json.dumps(record, ensure_ascii=False) + "\n")
            again = shlex.join(["gamebalance", "play", game, "--replay", transcript])
            click.echo(f"Wrote {transcript}. Again: {again}")


def _play(game: Any, seated: int | None, record: dict, left: list[int]) -> None:
    """Play a game, the moves that are left of another one first, and tell it."""
    own = own_policies(policies_of(tuple(record["policies"])))
    against = one_of("against", record["against"], (*WAYS, *own))
    counts = {"games": 200, "contests": 50, "playouts": 32, "looks": 0, "states": record["states"]}
    players = record["players"] or seated
    found = outlook(game, players, ways=() if against in own else (against,), own=len(own), **counts)
    play: Any = play_of(found, game, record["seed"], own)
    if against not in play.levels:
        raise ValueError(f"against = {shown(against)}: {play.notes.get(against, 'it is not known of this game')}")
    mine = _seats_of(record["as"], found.seats.players)

    def hand(player: int) -> Callable:
        def choose(known: Any, options: tuple, rng: np.random.Generator) -> Any:
            if len(options) == 1:
                return options[0]
            if left:
                record["moves"].append(whole_number("transcript: a move", left.pop(0), 1, len(options)))
            else:
                record["moves"].append(_asked(found.seats, player, known, options))
            return options[record["moves"][-1] - 1]

        return choose

    others, every = play.player(against), range(found.seats.players)
    table = [hand(player) if player in mine else _spoken(found.seats, player, others, game) for player in every]
    whole = game if found.graph is None else play.graph.game
    end = told.one_game(whole, table, np.random.default_rng(record["seed"]))
    if left:
        raise ValueError(f"transcript: {len(left)} moves more than this game has")
    click.echo("\nThe whole game:")
    for row in told.moves_told(found.seats, end.asked).itertuples(index=False):
        click.echo(f"{row.move:>4}. {row.who}: {row.chooses}")
    click.echo(f"{told.ended(found.seats, end.payoffs)}.")


def _spoken(seats: Seats, player: int, choose: Callable, game: Any) -> Callable:
    """A player whose moves are said at once, if everybody sees everything."""

    def said(known: Any, options: tuple, rng: np.random.Generator) -> Any:
        move = choose(known, options, rng)
        open_ = is_game(game) and not hasattr(game, "information") and not hasattr(game, "movers")
        if open_ and len(options) > 1:
            click.echo(f"{told.name_of_seat(seats, player)}: {shown(move)}")
        return move

    return said


def _asked(seats: Seats, player: int, known: Any, options: tuple) -> int:
    """Which move whoever sits at the terminal chooses."""
    click.echo(f"\n{told.name_of_seat(seats, player)} knows: {shown(known, 1000)}")
    for number, move in enumerate(options, 1):
        click.echo(f"  {number}: {shown(move)}")
    while True:
        typed = forms.whole(click.prompt("Your move", type=str))
        if typed is not None and 1 <= typed <= len(options):
            return typed
        click.echo(f"A number from 1 to {len(options)} is needed.")


def _read(file: Path, record: dict) -> dict:
    """A transcript, of this game."""
    with file.open("rb") as stream:
        held = stream.read(MOST_READ)
    try:
        found = json.loads(held.decode("utf-8"))
    except (ValueError, RecursionError):
        found = None
    kinds = {"players": int | None, "policies": list, "moves": list, "seed": int, "states": int}
    if (
        not isinstance(found, dict)
        or found.keys() != record.keys()
        or not all(isinstance(each, kinds.get(name, str)) for name, each in found.items())
    ):
        raise ValueError(f"--replay {shown(str(file))}: a transcript that gamebalance play has written is needed")
    if found["game"].partition(":")[2] != record["game"].partition(":")[2]:
        raise ValueError(f"--replay {shown(str(file))}: it is of {found['game']}")
    return found


def _seats_of(text: str, players: int) -> set[int]:
    """Players, from 0, of seats as people count them."""
    if text.strip() in ("", "none"):
        return set()
    numbers = [forms.whole(part) for part in text.split(",")]
    return {whole_number("--as", number, 1, players) - 1 for number in numbers}
