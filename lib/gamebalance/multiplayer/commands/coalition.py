"""``gamebalance multiplayer coalition``: shares and stability of a game in coalitions that is given as a file."""

import json
from fractions import Fraction
from pathlib import PurePath
from typing import Any

import click
import pandas as pd

from gamebalance.multiplayer.commands.worth_text import FORMS, coalition_text, read_game
from gamebalance.multiplayer.commands.writing import csv_text, format_option
from gamebalance.multiplayer.cooperative import TUGame

#: The largest file, in bytes: 65,535 coalitions of 16 players with long names.
MOST_TEXT = 16 * 2**20
#: Numbers that would be longer are rounded for reading.
LONGEST = 17


@click.command("coalition")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True), metavar="FILE")
@format_option
def coalition_command(file, form) -> None:
    """Shares and stability of a game in coalitions: Shapley, Banzhaf, nucleolus, core, best structure.

    FILE has what every coalition of up to 16 players is worth, players joined by "+": CSV with the header
    coalition,value, or JSON or YAML such as "A+B: 1/3". With - it is read from standard input. Whole numbers and
    fractions give exact answers.
    """
    try:
        game = read_game(_text(file), _form_of(file))
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from error
    record = _solutions(game)
    if form == "json":
        click.echo(json.dumps(_plain(record), ensure_ascii=False))
    else:
        click.echo(csv_text(pd.DataFrame(_long(record))) if form == "csv" else _told_game(game, record))


def _text(file: str) -> str:
    with click.open_file(file, "rb") as stream:
        data = stream.read(MOST_TEXT + 1)
    if len(data) > MOST_TEXT:
        raise ValueError(f"its text is longer than the {MOST_TEXT / 2**20:.0f} MiB that are allowed")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"byte {error.start} is no text in UTF-8") from error


def _form_of(file: str) -> str | None:
    suffix = PurePath(file).suffix[1:].lower().replace("yml", "yaml")
    return suffix if suffix in FORMS else None


def _solutions(game: TUGame) -> dict[str, Any]:
    """All that is told about a game; None where there is no such thing."""
    players = game.players

    def named(coalition):
        return coalition_text(coalition, players)

    weights, structure = game.balanced_weights(), game.best_structure()
    return {
        "players": list(players),
        "exact": game.exact,
        "worth_alone": {player: game.worth([player]) for player in players},
        "shapley": game.shapley(),
        "banzhaf": game.banzhaf(),
        "nucleolus": _nucleolus(game),
        "prenucleolus": game.prenucleolus(),
        "core_empty": weights is not None,
        "balanced_weights": weights and {named(part): weight for part, weight in weights.items()},
        "core_allocation": game.core_allocation(),
        "least_core_epsilon": game.least_core().epsilon if len(players) > 1 else None,
        "best_structure": {named(part): game.worth(part) for part in structure.coalitions},
        "best_worth": structure.worth,
    }


def _nucleolus(game: TUGame) -> dict | None:
    try:
        return game.nucleolus()
    except ValueError:  # there is no imputation
        return None


def _plain(value: Any) -> Any:
    """As JSON has it; a fraction is a text unless it is a whole number."""
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else str(value)
    return value


def _long(record: dict[str, Any]) -> list[dict[str, str]]:
    """A line for each number: what it is, whose, and how much."""
    lines = []
    for what, value in record.items():
        if what != "players":
            parts = value.items() if isinstance(value, dict) else [("", value)]
            lines += [{"what": what, "whose": whose, "value": "" if part is None else str(part)}
                      for whose, part in parts]  # fmt: skip
    return lines


def _told_game(game: TUGame, record: dict[str, Any]) -> str:
    columns = ("worth_alone", "shapley", "banzhaf", "nucleolus", "prenucleolus")
    shares = {name.replace("_", " "): record[name] for name in columns if record[name] is not None}
    frame = pd.DataFrame({name: [_number(value) for value in own.values()] for name, own in shares.items()},
                         index=pd.Index(game.players))  # fmt: skip
    total = _number(game.worth(game.players))
    how = "exact" if game.exact else "computed exactly and rounded"
    count = len(game.players)
    lines = [f"{count} player{'s' * (count > 1)}, together worth {total}; {how}", "", frame.to_string(), ""]
    if record["nucleolus"] is None:
        lines.append("Nucleolus: none, the players are worth more alone than together.")
    lines.append(_told_core(record))
    if record["least_core_epsilon"] is not None:
        lines.append(
            f"Least core: the greatest excess of a coalition is at least {_number(record['least_core_epsilon'])}."
        )
    structure = ", ".join(record["best_structure"])
    lines.append(f"Best structure: {structure}; together worth {_number(record['best_worth'])}.")
    return "\n".join(lines)


def _told_core(record: dict[str, Any]) -> str:
    if not record["core_empty"]:
        return f"Core: not empty; it holds {_listed(record['core_allocation'])}."
    return f"Core: empty; balanced weights that prove it: {_listed(record['balanced_weights'])}."


def _listed(values: dict) -> str:
    return ", ".join(f"{name} {_number(value)}" for name, value in values.items())


def _number(value: Fraction | float) -> str:
    text = str(value) if isinstance(value, Fraction) else f"{value:.10g}"
    return text if len(text) <= LONGEST else f"{float(value):.10g}"
