"""``gamebalance needed``: how many games would show that a game is unfair."""

import math

import click

from gamebalance.base.checks import shown
from gamebalance.base.estimates import Estimate
from gamebalance.commands import forms
from gamebalance.fairness import wording
from gamebalance.fairness.planning import METHODS, plan, power, power_within, safe_from


def numbers(text: str) -> list[float]:
    """``.315,.242,.241,.202``, or in percent: ``31.5,24.2,24.1,20.2``, ``31.5%,24.2%,24.1%,20.2%``."""
    signs = {part.strip().endswith("%") for part in text.split(",")}
    try:
        parts = [float(part.strip().removesuffix("%")) for part in text.split(",")]
    except ValueError:
        parts = [math.nan]
    if not all(map(math.isfinite, parts)) or len(signs) > 1:
        raise click.BadParameter(f"{shown(text)} is no list of numbers such as .3,.3,.4")
    return [part / 100 for part in parts] if signs == {True} or abs(sum(parts) - 100) < 1e-4 else parts


@click.command("needed")
@click.option("--shares", type=numbers, required=True, help="True chances to win: .31,.26,.23,.20 or 31,26,23,20.")
@click.option("--power", "goal", type=float, default=0.8, show_default=True, help="How often the games show it.")
@click.option("--level", type=float, default=0.05, show_default=True, help="How often a fair game is called unfair.")
@click.option("--method", type=click.Choice(METHODS), help="Default: exact where that is quick, else simulated.")
@click.option("--margin", type=float, help="Ask for the games that call it fair within this margin instead.")
@click.option("--games", type=click.IntRange(1), help="Say what so many games would show instead.")
@forms.option()
def needed_command(shares, goal, level, method, margin, games, form) -> None:
    """How many games would show that chances to win are not equal, if one of 2 to 10 roles wins each game."""
    record = {"shares": shares, "power": goal, "level": level, "margin": margin, "games": games}
    it = "it" if margin is None else f"that it is fair within {wording.points(margin)}"
    risk, more = f", at a risk of {100 * level:g} in 100 to say so wrongly.", ""
    if games is None:
        found = plan(shares, goal, level, method, margin)
        record |= {"games": found.games, "method": found.method, "safe_from": None, "tried_to": None}
        if found.method == "exact":
            safe, tried = safe_from(shares, found.games, goal, level, margin)
            record |= {"safe_from": safe, "tried_to": tried}
            if safe > found.games:
                none = "none does" if tried is None else f"none of those that were tried (to {tried:,}) does"
                more = f" A few more may show it less often; from {safe:,} games on {none}."
        many = {
            "exact": f"{found.games:,} games",
            "simulated": f"about {found.games:,} games (simulated, to three digits)",
            "to three digits": f"about {found.games:,} games (to three digits)",
            "formula": f"about {found.games:,} games (by the usual formula)",
        }
        text = f"{many[found.method]} show {it} in {100 * goal:g} of 100 cases"
    else:
        within = None if margin is None else Estimate(power_within(shares, games, margin, level))
        found = within or power(shares, games, level, method)
        kind = "exact" if within or method is None else method
        record |= {"power": found.value, "error": found.error, "method": "simulated" if found.error else kind}
        error = f" ± {100 * found.error:.1f}" if found.error else ""
        text = f"{games:,} games show {it} in {100 * found.value:.1f}{error} of 100 cases"
    text += risk + more
    cells = {**record, "shares": " ".join(map(str, shares))}

    def table():
        import pandas as pd

        return pd.DataFrame([cells], dtype=object)

    forms.echo(form, lambda: text, table, lambda: record)
