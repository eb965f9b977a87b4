"""``gamebalance mafia …``: what the study's own programs answer: one probability, a table of them, fair set-ups."""

import re
from fractions import Fraction

import click
import pandas as pd

from chapters.mafia.printed_tables import as_printed, named
from gamebalance.base.checks import shown
from gamebalance.commands import forms
from gamebalance.mafia import balance_table, solve, win_table
from gamebalance.mafia.idle import warning_of_idle
from gamebalance.mafia.rules import AIMS, DEAD_ROLES, HALF_RULES, MOST_BULLETS, PHASES, TELLS, TIES, VOTES, Rules
from gamebalance.mafia.setups import MOST_PLAYERS, Setup

#: More than this is no table to be read; the library has larger ones.
MOST_IN_TABLE = 1000


class _Range(click.ParamType):
    """``4``, ``1:2``, ``:30``, ``2:`` or ``:`` as a smallest and a largest number; None where there is no largest."""

    name = "range"

    def __init__(self, least: int, single_is_most: bool = False):
        self._least, self._single_is_most = least, single_is_most

    def convert(self, value, param, ctx):
        """The pair of numbers; a usage error that names the option for anything else."""
        if isinstance(value, tuple):
            return value
        match = re.fullmatch(r"(\d*)(:?)(\d*)", value.strip())
        if not match or not value.strip():
            self.fail(f"{shown(value)} is not a number or a range such as 2, 1:2, :30 or 1:", param, ctx)
        low, colon, high = match.groups()
        if not colon:
            return (self._least if self._single_is_most else int(low)), int(low)
        least, most = int(low or self._least), int(high) if high else None
        if most is not None and least > most:
            self.fail(f"{shown(value)} is empty: the smallest number must come first", param, ctx)
        return least, most


class _Chance(click.ParamType):
    """``1/2`` or ``0.5``, exactly."""

    name, what = "chance", "a probability such as 1/2 or 0.5"

    def convert(self, value, param, ctx):
        """The fraction; a usage error that names the option for anything else."""
        if isinstance(value, Fraction):
            return value
        if not re.fullmatch(r"\d{1,9}(/0*[1-9]\d{0,8}|\.\d{1,9})?", value.strip()):
            self.fail(f"{shown(value)} is not {self.what}", param, ctx)
        return Fraction(value.strip())


class _Odds(_Chance):
    """``3`` or ``2.5``, exactly."""

    name, what = "odds", "a number such as 3, 5/2 or 2.5"


def _common(command):
    """The options that every command has."""
    options = (
        click.option("--phase", type=click.Choice(list(PHASES)), default="evening", show_default=True,
                     help="Begin with a night (evening) or with a day."),
        click.option("--half-rule", type=click.Choice(list(HALF_RULES)), default="morning", show_default=True,
                     help="When the mafia wins by being half of the living."),
        click.option("--votes", type=click.Choice(list(VOTES)), default="every day", show_default=True,
                     help="On which days there is a vote."),
        forms.option(),
    )  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


class _Shots(click.ParamType):
    """``1`` or ``1,1,2``: numbers by living mafiosi."""

    name = "numbers"

    def convert(self, value, param, ctx):
        """The numbers as a tuple; a usage error that names the option for anything else."""
        if isinstance(value, tuple):
            return value
        if not re.fullmatch(r"\d(,\d)*", value.strip()):
            self.fail(f"{shown(value)} is not a number, or several such as 1,1,2", param, ctx)
        return tuple(int(number) for number in value.split(","))


def _as_played(command):
    """The options for rules that the study does not have."""
    options = (
        click.option("--odds", type=_Odds(), default="1", show_default=True,
                     help="How many times as likely as others a mafioso is voted out."),
        click.option("--ties", type=click.Choice(list(TIES)), default="lot", show_default=True,
                     help="Who leaves when several have most votes."),
        click.option("--kills", type=_Shots(), default="1", show_default=True,
                     help="Shots of a night with one, two … mafiosi alive."),
        click.option("--aim", type=click.Choice(list(AIMS)), default="together", show_default=True,
                     help="Whether several shots are at different people."),
        click.option("--agreement", type=_Chance(), default="1", show_default=True,
                     help="Chance that the mafia agrees in a night."),
        click.option("--tells", type=click.Choice(list(TELLS)), default="never", show_default=True,
                     help="When the sheriff tells what he has learned."),
        click.option("--dead-roles", type=click.Choice(DEAD_ROLES), default="shown", show_default=True,
                     help="Whether the role of a dead player is shown."),
        click.option("--bullets", type=click.IntRange(0, MOST_BULLETS), default=1, show_default=True,
                     help="Bullets that the vigilante has."),
        click.option("--shot", type=_Chance(), default="1/2", show_default=True,
                     help="Chance that the vigilante shoots in a night."),
    )  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


def _alone(context: click.Context, *names: str) -> None:
    """Refuse options beside --setup that would be left without effect."""
    for name in names:
        if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--setup and --{name}: one of them is needed")


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
@click.option("--doctors", type=click.IntRange(0), default=0, show_default=True, help="How many doctors.")
@click.option("--witches", type=click.IntRange(0, 1), default=0, show_default=True, help="How many witches.")
@click.option("--hunters", type=click.IntRange(0), default=0, show_default=True, help="How many hunters.")
@click.option("--potion", type=_Chance(), default="1/2", show_default=True, help="Chance that the witch uses a potion.")
@click.option("--memory", is_flag=True, help="Detectives remember whom they cleared.")
@click.option("--exact", is_flag=True, help="As a fraction (for small games).")
@_as_played
@_common
@click.pass_context
def win(context, players, written, mafiosi, detectives, doctors, witches, hunters, exact, phase, form, **rules) -> None:
    """The probability that the innocents win one set-up: of so many players, or as it is written (--setup)."""
    if (players is None) == (written is None):
        raise click.UsageError("--players or --setup: one of them is needed")
    if written is None:
        setup = Setup.of_players(players, mafiosi, detectives, doctors=doctors, witches=witches, hunters=hunters)
    else:
        _alone(context, "mafiosi", "detectives", "doctors", "witches", "hunters")
        setup = Setup.read(written)
    rules = Rules(**rules)
    chance = solve(setup, rules, phase, exact)
    if said := warning_of_idle(setup, rules):
        click.echo(f"warning: {said}", err=True)
    text = f"{setup}: the innocents win with probability {float(chance):.6f}{f' = {chance}' if exact else ''}"
    played = {name: str(value) if isinstance(value, Fraction) else value for name, value in vars(rules).items()}
    people = {"players": setup.players, **vars(setup)}
    record = {**people, "phase": phase, **played, "win_probability": str(chance) if exact else chance}
    forms.echo(form, lambda: text, lambda: pd.DataFrame([record]), lambda: record)


@group.command("table", short_help="Their chances by numbers of mafiosi and players.")
@click.option("-d", "--detectives", type=click.IntRange(0), default=1, show_default=True, help="How many.")
@click.option(
    "-p",
    "--players",
    type=_Range(2, single_is_most=True),
    required=True,
    help="The most players, or a range such as 5:20.",
)
@_common
def table(detectives, players, phase, half_rule, votes, form) -> None:
    """The innocents' chances in percent, by number of mafiosi (rows) and of players (columns)."""
    least, most = _limits(players, MOST_IN_TABLE)
    found = win_table(most, detectives, min_players=least, rules=Rules(half_rule, votes), phase=phase)
    if found.isna().all(axis=None):
        raise ValueError(f"detectives = {detectives}: more than players = {most}, no cell is left")
    cells = found.reset_index().melt("mafiosi", value_name="win_probability").dropna()
    forms.echo(
        form,
        lambda: (100 * found).to_string(na_rep="", float_format=_percent),
        lambda: cells.assign(detectives=detectives),
        lambda: {"detectives": detectives, "cells": forms.records(cells)},
    )


@group.command("balance", short_help="The set-ups nearest to an even game.")
@click.option("-d", "--detectives", type=_Range(0), default=":", show_default=True, help="A number or a range: 1:2.")
@click.option("-p", "--players", type=_Range(2), required=True, help="A number or a range with an end: :30.")
@_common
def balance(detectives, players, phase, half_rule, votes, form) -> None:
    """The two set-ups nearest to an even game for each number of players."""
    least, most = _limits(players)
    found = balance_table(most, detectives, min_players=least, rules=Rules(half_rule, votes), phase=phase)
    rows = found.reset_index()
    forms.echo(form, lambda: _nearest(found), lambda: rows, lambda: forms.records(rows))


def _nearest(found: pd.DataFrame) -> str:
    """The table of `balance` as text."""
    columns = {side: [_setup(row, side) for _, row in found.iterrows()] for side in ("deficit", "excess")}
    text = pd.DataFrame(columns, index=found.index).reset_index().to_string(index=False)
    note = "\n\n* Nothing in the range is at or below 50%: a town of mafiosi only, as the study prints it."
    return text + note * bool(found["unreached"].any())


def _limits(players, largest: int = MOST_PLAYERS) -> tuple[int, int]:
    """Smallest and largest number of players, if a table can have so many."""
    if players[1] is None:
        raise click.UsageError("--players: a largest number is needed, such as :30")
    for number in players:
        if not 2 <= number <= largest:
            raise click.UsageError(f"--players: {number} is given, 2 to {largest} is allowed")
    return players


def _setup(row, side: str) -> str:
    """A cell as the study prints it."""
    if pd.isna(row[side]):
        return "none"
    mark = "*" if side == "deficit" and row["unreached"] else ""
    people = named((row[f"{side}_mafiosi"], row[f"{side}_detectives"]))
    return f"{as_printed(100 * row[side])}% ({people}){mark}"


def _percent(value: float) -> str:
    return f"{as_printed(value)}%"
