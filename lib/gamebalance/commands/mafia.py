"""``gamebalance mafia …``: what the study's own programs answer: one probability, a table of them, fair set-ups."""

import re
from collections.abc import Callable
from fractions import Fraction
from functools import reduce
from typing import TYPE_CHECKING

import click

from gamebalance.base.checks import shown
from gamebalance.commands import forms
from gamebalance.mafia import balance_table, solve, win_table
from gamebalance.mafia.idle import warning_of_idle
from gamebalance.mafia.rules import AIMS, DEAD_ROLES, HALF_RULES, MOST_BULLETS, PHASES, TELLS, TIES, VOTES, Rules
from gamebalance.mafia.setups import MOST_PLAYERS, Setup

if TYPE_CHECKING:
    import pandas as pd

#: More than this is no table to be read; the library has larger ones.
MOST_IN_TABLE = 1000


class _Written(click.ParamType):
    """What a pattern allows, read by a function; `what` says what is needed."""

    def __init__(self, name: str, pattern: str, read: Callable, what: str):
        self.name, self._pattern, self._read, self._what = name, pattern, read, what

    def convert(self, value, param, ctx):
        """The value; a usage error that names the option for anything else."""
        if not isinstance(value, str):
            return value
        if not re.fullmatch(self._pattern, value.strip()):
            self.fail(f"{shown(value)} is not {self._what}", param, ctx)
        return self._read(value.strip())


_FRACTION = r"\d{1,9}(/0*[1-9]\d{0,8}|\.\d{1,9})?"
_CHANCE = _Written("chance", _FRACTION, Fraction, "a probability such as 1/2 or 0.5")
_ODDS = _Written("odds", _FRACTION, Fraction, "a number such as 3, 5/2 or 2.5")
_SHOTS = _Written(
    "numbers", r"\d(,\d)*", lambda text: tuple(map(int, text.split(","))), "a number, or several such as 1,1,2"
)


def _range(least: int, single_is_most: bool = False) -> _Written:
    """``4``, ``1:2``, ``:30``, ``2:`` or ``:`` as a smallest and a largest number; None where there is no largest."""

    def read(text: str) -> tuple[int, int | None]:
        low, colon, high = text.partition(":")
        if not colon:
            return (least if single_is_most else int(low)), int(low)
        first, last = int(low or least), int(high) if high else None
        if last is not None and first > last:
            raise click.BadParameter(f"{shown(text)} is empty: the smallest number must come first")
        return first, last

    return _Written("range", r"\d+|\d*:\d*", read, "a number or a range such as 2, 1:2, :30 or 1:")


def _option(name: str, allowed, default, told: str) -> Callable:
    """An option that shows its default; `allowed` is a type of click or the choices."""
    kind = click.Choice(list(allowed)) if isinstance(allowed, dict | tuple) else allowed
    return click.option(name, type=kind, default=default, show_default=True, help=told)


def _together(*options: Callable) -> Callable:
    """One decorator for several options."""
    return lambda command: reduce(lambda made, option: option(made), reversed(options), command)


_common = _together(
    _option("--phase", PHASES, "evening", "Begin with a night (evening) or with a day."),
    _option("--half-rule", HALF_RULES, "morning", "When the mafia wins by being half of the living."),
    _option("--votes", VOTES, "every day", "On which days there is a vote."),
    forms.option(),
)
_as_played = _together(
    _option("--odds", _ODDS, "1", "How many times as likely as others a mafioso is voted out."),
    _option("--ties", TIES, "lot", "Who leaves when several have most votes."),
    _option("--kills", _SHOTS, "1", "Shots of a night with one, two … mafiosi alive."),
    _option("--aim", AIMS, "together", "Whether several shots are at different people."),
    _option("--agreement", _CHANCE, "1", "Chance that the mafia agrees in a night."),
    _option("--tells", TELLS, "never", "When the sheriff tells what he has learned."),
    _option("--dead-roles", DEAD_ROLES, "shown", "Whether the role of a dead player is shown."),
    _option("--bullets", click.IntRange(0, MOST_BULLETS), 1, "Bullets that the vigilante has."),
    _option("--shot", _CHANCE, "1/2", "Chance that the vigilante shoots in a night."),
)


@click.group()
def group() -> None:
    """Chances to win Mafia (Werewolf) when everyone plays at random, and set-ups that are fair."""


@group.command("win", short_help="The chance of the innocents in one set-up.")
@click.option("-p", "--players", type=click.IntRange(1, MOST_PLAYERS), help="Players in all.")
@click.option(
    "--setup", "written", help="Instead: who sits in town, such as '10: don, 2 mafiosi, sheriff, 6 citizens'."
)
@click.option("-m", "--mafiosi", type=click.IntRange(0), help="Default: square root of players, rounded down.")
@click.option("-d", "--detectives", type=click.IntRange(0), default=1, show_default=True, help="How many.")
@_option("--doctors", click.IntRange(0), 0, "How many doctors.")
@_option("--witches", click.IntRange(0, 1), 0, "How many witches.")
@_option("--hunters", click.IntRange(0), 0, "How many hunters.")
@_option("--potion", _CHANCE, "1/2", "Chance that the witch uses a potion.")
@click.option("--memory", is_flag=True, help="Detectives remember whom they cleared.")
@click.option("--exact", is_flag=True, help="As a fraction (for small games).")
@_as_played
@_common
@click.pass_context
def win(context, players, written, mafiosi, detectives, doctors, witches, hunters, exact, phase, form, **rules) -> None:
    """The probability that the innocents win one set-up: of so many players, or as it is written (--setup)."""
    import pandas as pd

    if (players is None) == (written is None):
        raise click.UsageError("--players or --setup: one of them is needed")
    if written is None:
        setup = Setup.of_players(players, mafiosi, detectives, doctors=doctors, witches=witches, hunters=hunters)
    else:
        for name in ("mafiosi", "detectives", "doctors", "witches", "hunters"):
            if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
                raise click.UsageError(f"--setup and --{name}: one of them is needed")
        setup = Setup.read(written)
    rules = Rules(**rules)
    chance = solve(setup, rules, phase, exact)
    if warning := warning_of_idle(setup, rules):
        click.echo(f"warning: {warning}", err=True)
    text = f"{setup}: the innocents win with probability {float(chance):.6f}{f' = {chance}' if exact else ''}"
    played = {name: str(value) if isinstance(value, Fraction) else value for name, value in vars(rules).items()}
    record = {"players": setup.players, **vars(setup), "phase": phase, **played}
    record["win_probability"] = str(chance) if exact else chance
    forms.echo(form, lambda: text, lambda: pd.DataFrame([record]), lambda: record)


@group.command("table", short_help="Their chances by numbers of mafiosi and players.")
@click.option("-d", "--detectives", type=click.IntRange(0), default=1, show_default=True, help="How many.")
@click.option("-p", "--players", type=_range(2, True), required=True, help="The most players, or a range such as 5:20.")
@_common
def table(detectives, players, phase, half_rule, votes, form) -> None:
    """The innocents' chances in percent, by number of mafiosi (rows) and of players (columns)."""
    least, most = _limits(players, MOST_IN_TABLE)
    chances = win_table(most, detectives, min_players=least, rules=Rules(half_rule, votes), phase=phase)
    if chances.isna().all(axis=None):
        raise ValueError(f"detectives = {detectives}: more than players = {most}, no cell is left")
    cells = chances.reset_index().melt("mafiosi", value_name="win_probability").dropna()
    forms.echo(
        form,
        lambda: (100 * chances).to_string(na_rep="", float_format="{:.1f}%".format),
        lambda: cells.assign(detectives=detectives),
        lambda: {"detectives": detectives, "cells": forms.records(cells)},
    )


@group.command("balance", short_help="The set-ups nearest to an even game.")
@click.option("-d", "--detectives", type=_range(0), default=":", show_default=True, help="A number or a range: 1:2.")
@click.option("-p", "--players", type=_range(2), required=True, help="A number or a range with an end: :30.")
@_common
def balance(detectives, players, phase, half_rule, votes, form) -> None:
    """The two set-ups nearest to an even game for each number of players."""
    least, most = _limits(players)
    nearest = balance_table(most, detectives, min_players=least, rules=Rules(half_rule, votes), phase=phase)
    forms.echo(form, lambda: _as_printed(nearest), nearest.reset_index, lambda: forms.records(nearest.reset_index()))


def _limits(players, largest: int = MOST_PLAYERS) -> tuple[int, int]:
    """Smallest and largest number of players, if a table can have so many."""
    if players[1] is None:
        raise click.UsageError("--players: a largest number is needed, such as :30")
    for number in players:
        if not 2 <= number <= largest:
            raise click.UsageError(f"--players: {number} is given, 2 to {largest} is allowed")
    return players


def _as_printed(nearest: "pd.DataFrame") -> str:
    """The table of `balance` as the study prints it."""

    import pandas as pd

    def cell(row, side: str) -> str:
        if pd.isna(row[side]):
            return "none"
        mark = "*" if side == "deficit" and row["unreached"] else ""
        return f"{100 * row[side]:.1f}% ({row[f'{side}_mafiosi']:.0f}m, {row[f'{side}_detectives']:.0f}d){mark}"

    columns = {side: [cell(row, side) for _, row in nearest.iterrows()] for side in ("deficit", "excess")}
    text = pd.DataFrame(columns, index=nearest.index).reset_index().to_string(index=False)
    note = "\n\n* Nothing in the range is at or below 50%: a town of mafiosi only, as the study prints it."
    return text + note * bool(nearest["unreached"].any())
