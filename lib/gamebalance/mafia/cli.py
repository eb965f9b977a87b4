"""``gamebalance mafia …``: one probability, a table of them, fair set-ups, simulated games."""

import functools
import json
import os
import re
from fractions import Fraction

import click
import pandas as pd

from gamebalance._checks import MOST_WORKERS
from gamebalance.collection import progress
from gamebalance.mafia import balance_table, closest, length_distribution, simulate, solve, transcript, win_table
from gamebalance.mafia.compare import as_printed, named
from gamebalance.mafia.rules import HALF_RULES, MOST_PLAYERS, PHASES, VOTES, Rules, Setup

#: More than this is no table to be read; the library has larger ones.
MOST_IN_TABLE = 1000


class _Range(click.ParamType):
    """``4``, ``1:2``, ``:30``, ``2:`` or ``:`` as a smallest and a largest number; None where it is left open."""

    name = "range"

    def __init__(self, single_is_most: bool = False):
        self._open_below = single_is_most

    def convert(self, value, param, ctx):
        """The pair of numbers; a usage error that names the option for anything else."""
        if isinstance(value, tuple):
            return value
        match = re.fullmatch(r"(\d*)(:?)(\d*)", value.strip())
        if not match or not value.strip():
            self.fail(f"{value!r} is not a number or a range such as 2, 1:2, :30 or 1:", param, ctx)
        low, colon, high = match.groups()
        if not colon:
            return (None if self._open_below else int(low)), int(low)
        pair = int(low) if low else None, int(high) if high else None
        if None not in pair and pair[0] > pair[1]:
            self.fail(f"{value!r} is empty: the smallest number must come first", param, ctx)
        return pair


class _Chance(click.ParamType):
    """``1/2`` or ``0.5``, exactly."""

    name = "chance"

    def convert(self, value, param, ctx):
        """The fraction; a usage error that names the option for anything else."""
        if isinstance(value, Fraction):
            return value
        if not re.fullmatch(r"\d{1,9}(/0*[1-9]\d{0,8}|\.\d{1,9})?", value.strip()):
            self.fail(f"{value!r} is not a probability such as 1/2 or 0.5", param, ctx)
        return Fraction(value.strip())


def _common(command):
    """The options that every command has."""
    options = (
        click.option("--phase", type=click.Choice(list(PHASES)), default="evening", show_default=True,
                     help="Begin with a night (evening) or with a day."),
        click.option("--half-rule", type=click.Choice(list(HALF_RULES)), default="morning", show_default=True,
                     help="When the mafia wins by being half of the living."),
        click.option("--votes", type=click.Choice(list(VOTES)), default="every day", show_default=True,
                     help="On which days there is a vote."),
        click.option("--format", "form", type=click.Choice(["text", "csv", "json"]), default="text", show_default=True,
                     help="How to write the result."),
    )  # fmt: skip
    return _with(options, command)


def _with(options, command):
    """The command with all these options."""
    for option in reversed(options):
        command = option(command)
    return command


_players = click.option("-p", "--players", type=click.IntRange(1, MOST_PLAYERS), required=True, help="Players in all.")
_potion = click.option("--potion", type=_Chance(), default="1/2", show_default=True,
                       help="Chance that the witch uses a potion, each night.")  # fmt: skip
_memory = click.option("--memory", is_flag=True, help="Detectives remember whom they cleared.")


@click.group()
def group() -> None:
    """Winning probabilities of Mafia (Werewolf) when everyone plays at random, and set-ups that are fair."""


def _one_setup(command):
    """The options that name one set-up; the command gets `setup` and `rules` instead."""

    @functools.wraps(command)
    def with_setup(players, mafiosi, detectives, doctors, witches, hunters, potion, memory, half_rule, votes, **others):
        roles = {"doctors": doctors, "witches": witches, "hunters": hunters}
        setup = Setup.of_players(players, mafiosi, detectives, **roles)
        return command(setup, Rules(half_rule, votes, memory, potion), **others)

    options = (
        _players,
        click.option("-m", "--mafiosi", type=click.IntRange(0), help="Default: square root of players, rounded down."),
        click.option("-d", "--detectives", type=click.IntRange(0), default=1, show_default=True),
        click.option("--doctors", type=click.IntRange(0), default=0, show_default=True),
        click.option("--witches", type=click.IntRange(0, 1), default=0, show_default=True),
        click.option("--hunters", type=click.IntRange(0), default=0, show_default=True),
        _potion,
        _memory,
    )
    return _with(options, _common(with_setup))


@group.command("win")
@click.option("--exact", is_flag=True, help="As a fraction (for small games).")
@click.option("--nights", is_flag=True, help="Also how long the game lasts.")
@_one_setup
def win_command(setup, rules, exact, nights, phase, form) -> None:
    """The probability that the innocents win one set-up."""
    chance = solve(setup, rules, phase, exact)
    lengths = length_distribution(setup, rules, phase) if nights else None
    record = {**vars(setup), "win_probability": str(chance) if exact else chance}
    if form == "json":
        more = {} if lengths is None else {"nights": json.loads(lengths.reset_index().to_json(orient="records"))}
        click.echo(json.dumps({"players": setup.players, **record, **_told(rules, phase), **more}))
    elif form == "csv":
        click.echo(_csv(pd.DataFrame([record]) if lengths is None else lengths.reset_index()))
    else:
        fraction = f" = {chance}" if exact else ""
        click.echo(f"{setup}: the innocents win with probability {float(chance):.6f}{fraction}")
        if lengths is not None:
            click.echo("\n" + (100 * lengths).reset_index().to_string(index=False, float_format=_percent))


@group.command("simulate")
@click.option("--games", type=click.IntRange(1), default=1_000_000, show_default=True, help="Number of games.")
@click.option("--seed", type=int, default=0, show_default=True, help="0 to 2^63 - 1.")
@click.option(
    "--workers", type=click.IntRange(1, MOST_WORKERS), default=os.cpu_count() or 1, show_default=True, help="Threads."
)
@_one_setup
def simulate_command(setup, rules, games, seed, workers, phase, form) -> None:
    """Play one set-up many times and count who wins."""
    with progress(games, "games", unit=" games", unit_scale=True) as bar:
        sample = simulate(setup, games, seed, rules, phase, workers, progress=bar.update)
    found = {"win_probability": sample.win_probability, "win_error": sample.win_error}
    found |= {"mean_nights": sample.mean_nights, "mean_nights_error": sample.mean_nights_error}
    record = {**vars(setup), "games": games, "seed": seed, **found}
    if form == "json":
        click.echo(json.dumps({"players": setup.players, **record, **_told(rules, phase)}))
    elif form == "csv":
        click.echo(_csv(pd.DataFrame([record])))
    else:
        chance = f"{sample.win_probability:.5f} (s.e. {sample.win_error:.5f})"
        nights = f"{sample.mean_nights:.3f} nights a game (s.e. {sample.mean_nights_error:.3f})"
        click.echo(f"{setup}, {games:,} games: the innocents win with probability {chance}; {nights}")


@group.command("play")
@click.option("--seed", type=int, default=0, show_default=True, help="0 to 2^63 - 1.")
@click.option("--game", "number", type=click.IntRange(0), default=0, show_default=True, help="Which, from 0.")
@_one_setup
def play_command(setup, rules, seed, number, phase, form) -> None:
    """Tell one game night by night: game number i of a seed is the one that simulate plays."""
    told = transcript(setup, seed, number, rules, phase)
    if form == "csv":
        raise click.UsageError("--format csv: a game is told as text or json")
    click.echo(json.dumps(told.splitlines()) if form == "json" else told)


def _told(rules: Rules, phase: str) -> dict:
    """Phase and rules as plain data."""
    return {"phase": phase, **vars(rules), "potion": str(rules.potion)}


@group.command("table")
@click.option("-d", "--detectives", type=click.IntRange(0), default=1, show_default=True)
@click.option("-p", "--players", type=_Range(True), required=True, help="The most players, or a range such as 5:20.")
@_common
def table(detectives, players, phase, half_rule, votes, form) -> None:
    """The innocents' chances in percent, by number of mafiosi (rows) and of players (columns)."""
    least, most = _limits(players, MOST_IN_TABLE)
    found = win_table(most, detectives, min_players=least, rules=Rules(half_rule, votes), phase=phase)
    if found.isna().all(axis=None):
        raise ValueError(f"detectives = {detectives}: more than players = {most}, no cell is left")
    if form == "json":
        long = found.reset_index().melt("mafiosi", value_name="win_probability").dropna()
        click.echo(json.dumps({"detectives": detectives, "cells": json.loads(long.to_json(orient="records"))}))
    elif form == "csv":
        click.echo(_csv(found.reset_index()))
    else:
        click.echo((100 * found).to_string(na_rep="", float_format=_percent))


@group.command("balance")
@click.option("-d", "--detectives", type=_Range(), default=":", show_default=True, help="A number or a range: 1:2.")
@click.option("-p", "--players", type=_Range(), required=True, help="A number or a range with an end: :30.")
@_common
def balance(detectives, players, phase, half_rule, votes, form) -> None:
    """The two set-ups nearest to an even game for each number of players."""
    least, most = _limits(players)
    found = balance_table(most, _allowed(detectives), min_players=least, rules=Rules(half_rule, votes), phase=phase)
    if form == "text":
        columns = {side: [_setup(row, side) for _, row in found.iterrows()] for side in ("deficit", "excess")}
        click.echo(pd.DataFrame(columns, index=found.index).reset_index().to_string(index=False))
        if found["unreached"].any():
            click.echo("\n* Nothing in the range is at or below 50 %: a town of mafiosi only, as the study prints it.")
    else:
        _write(found.reset_index(), form)


@group.command("closest")
@_players
@click.option("-m", "--mafiosi", type=_Range(), default="1:", show_default=True)
@click.option("-d", "--detectives", type=_Range(), default=":", show_default=True)
@click.option("--doctors", type=_Range(), default="0", show_default=True)
@click.option("--witches", type=_Range(), default="0", show_default=True)
@click.option("--hunters", type=_Range(), default="0", show_default=True)
@click.option("--top", type=click.IntRange(1), default=10, show_default=True, help="How many set-ups to list.")
@_potion
@_memory
@_common
def closest_command(players, top, potion, memory, phase, half_rule, votes, form, **roles):
    """The set-ups for so many players that are nearest to an even game, with length and parity warning."""
    ranges = {name: _allowed(pair) for name, pair in roles.items()}
    found = closest(players, **ranges, rules=Rules(half_rule, votes, memory, potion), phase=phase, top=top)
    if form == "text":
        for name in ("win_probability", "distance", "one_more"):
            found[name] = (100 * found[name]).map(_percent)
        found["parity_warning"] = found["parity_warning"].map({True: "yes", False: ""})
        click.echo(
            found.rename(columns=lambda name: name.replace("_", " ")).to_string(index=False, float_format=_night)
        )
    else:
        _write(found, form)


def _allowed(pair: tuple[int | None, int | None]) -> int | tuple[int, int | None]:
    """A range as the library has it."""
    return pair[0] if pair[0] is not None and pair[0] == pair[1] else (pair[0] or 0, pair[1])


def _limits(players, largest: int = MOST_PLAYERS) -> tuple[int, int]:
    """Smallest and largest number of players: from 2 on, where nothing else is said."""
    low, high = players
    if high is None:
        raise click.UsageError("--players: a largest number is needed, such as :30")
    for number in (2 if low is None else low, high):
        if not 2 <= number <= largest:
            raise click.UsageError(f"--players: {number} is given, 2 to {largest} is allowed")
    return (2 if low is None else low), high


def _setup(row, side: str) -> str:
    """A cell as the study prints it."""
    if pd.isna(row[side]):
        return "none"
    mark = "*" if side == "deficit" and row["unreached"] else ""
    people = named((row[f"{side}_mafiosi"], row[f"{side}_detectives"]))
    return f"{as_printed(100 * row[side])}% ({people}){mark}"


def _write(frame: pd.DataFrame, form: str) -> None:
    click.echo(_csv(frame) if form == "csv" else frame.to_json(orient="records", double_precision=15))


def _csv(frame: pd.DataFrame) -> str:
    return frame.to_csv(index=False, lineterminator="\n").rstrip("\n")


def _percent(value: float) -> str:
    return f"{as_printed(value)}%"


def _night(value: float) -> str:
    return f"{value:.1f}"
