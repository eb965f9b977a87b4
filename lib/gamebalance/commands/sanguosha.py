"""``gamebalance sanguosha …``: simulate a line-up, solve a seating, play one game, as the report's programs do."""

import os
from typing import TYPE_CHECKING

import click
import numpy as np

from gamebalance.base import intervals
from gamebalance.base.announce import say
from gamebalance.base.checks import LONG_SECONDS, MOST_GAMES, MOST_WORKERS, span
from gamebalance.commands import forms
from gamebalance.commands.how_long import seconds_for
from gamebalance.publish import progress
from gamebalance.sanguosha import RULES, Lineup, Outcomes, Seating, play, simulate, solve, solve_lineup, transcript
from gamebalance.sanguosha.endgame import circles, tables
from gamebalance.sanguosha.lineup import LINEUPS, ROLE_KEYS
from gamebalance.sanguosha.table import Game, Table

if TYPE_CHECKING:
    import pandas as pd

#: Games that are played in a few seconds: how long more will take is tried out first.
QUICK_GAMES = 10**7

_lineup = click.option("--lineup", help="Lords-loyalists-rebels-renegades, such as 1-1-2-1.")
_seating = click.option("--seating", help="Role digits by seat: 0 lord, 1 loyalist, 2 rebel, 3 renegade.")
_seed = click.option("--seed", type=int, default=0, show_default=True, help="0 to 2^63 - 1.")
_rules = click.option(
    "--rules", type=click.Choice(list(RULES)), default="as-coded", show_default=True, help="Whose rules to play."
)
_workers = click.option(
    "--workers", type=int, default=os.cpu_count() or 1, show_default=True, help="Threads side by side."
)
_format = forms.option()


@click.group()
def group() -> None:
    """Play, simulate and solve the card game 三国杀, simplified as in the Sanguosha report."""


@group.command("simulate", short_help="Play many games and count how they end.")
@click.option("--lineup", required=True, help="Lords-loyalists-rebels-renegades, such as 1-1-2-1.")
@click.option("--games", type=int, default=1_000_000, show_default=True, help="Number of games.")
@_seed
@_seating
@_rules
@_workers
@click.option("--endgame", is_flag=True, help="Stop when four are alive and add what follows, exactly.")
@_format
def simulate_command(lineup, games, seed, seating, rules, workers, endgame, form) -> None:
    """Play many games of a line-up of up to ten players and count the endings.

    With --endgame the errors are smaller and it takes less time; the tables that it needs are made at the first use, in
    a few minutes at most, and kept.
    """
    line, reading = Lineup.parse(lineup), RULES[rules]
    if endgame:
        simulate(line, min(games, 1), seed, reading, workers, seating=seating)  # first of all refuses what is wrong
        with progress(len(needed := circles(line)), "endgame tables") as bar:
            tables(needed, reading, workers, bar.update)
    if MOST_GAMES >= games > QUICK_GAMES and 0 < workers <= MOST_WORKERS:
        spent = seconds_for(
            lambda trial: simulate(line, trial, seed, reading, seating=seating, endgame=endgame), games, workers
        )
        if spent >= LONG_SECONDS:
            say(f"games = {games:,}: this takes about {span(spent)}")
    with progress(max(games, 0), "games", unit=" games", unit_scale=True) as bar:
        outcomes = simulate(line, games, seed, reading, workers, seating=seating, progress=bar.update, endgame=endgame)
    _show(outcomes, form, {"rules": rules, "seed": seed})


@group.command("solve", short_help="How games of up to six players end, exactly.")
@_lineup
@_seating
@_rules
@_workers
@_format
def solve_command(lineup, seating, rules, workers, form) -> None:
    """Solve a seating, or all seatings of a line-up and take the mean, of up to six players exactly.

    A seating of five takes some ten seconds, one of six minutes and 7 GiB of memory.
    """
    if (seating is None) == (lineup is None):
        raise click.UsageError("give either --seating, such as 0123, or --lineup, such as 1-1-1-1")
    if seating is not None:
        with progress(1, "solved", bar_format="{l_bar}{bar}| {elapsed}<{remaining}") as bar:
            outcomes = solve(seating, RULES[rules], workers=workers, progress=bar.update)
    else:
        line = Lineup.parse(lineup)
        with progress(line.seating_count, "seatings") as bar:
            outcomes = solve_lineup(line, RULES[rules], workers, progress=bar.update)
    _show(outcomes, form, {"rules": rules})


@group.command("play", short_help="Play one game and show every turn.")
@_lineup
@_seed
@click.option("--game", "number", type=int, default=0, show_default=True, help="Which of the seed's games, from 0.")
@_seating
@_rules
@_format
def play_command(lineup, seed, number, seating, rules, form) -> None:
    """Play one game of a line-up, 1-1-1-1 by default, and print what happens in every turn.

    Game number i of a seed is the game that `simulate` plays with the same line-up, seed and rules.
    """
    seating = None if seating is None else Seating(seating)
    line = lineup or (seating.lineup if seating else LINEUPS[0])
    game = play(line, seed, number, RULES[rules], seating)
    forms.echo(form, lambda: transcript(game), lambda: _turns(game), lambda: _game_record(game))


def _game_record(game: Game) -> dict:
    """A game as plain data: the opening, then one entry a turn."""
    turns = [
        {
            "seat": move.before.seat,
            "cards": [card.name.lower() for card in move.cards],
            "target": move.target,
            "events": move.events,
            "players": _players(move.table),
        }
        for move in game.moves
    ]
    record = {"seed": game.seed, "game": game.number, "seating": game.seating, "opening": _players(game.opening)}
    return record | {"turns": turns, "alive": _by_role(game.table.alive), "winner": game.table.winner}


def _turns(game: Game) -> "pd.DataFrame":
    """A row for each turn of a game; several cards and events with spaces between them."""
    import pandas as pd

    turns = pd.DataFrame(_game_record(game)["turns"]).astype({"target": "Int64"})
    texts = {name: turns[name].map(lambda words: " ".join(map(str, words))) for name in ("cards", "events")}
    turns = turns.assign(turn=range(1, len(turns) + 1), **texts)
    return turns[["turn", "seat", "cards", "target", "events"]]


def _players(table: Table) -> list[dict]:
    return [player._asdict() for player in table.players]


def _by_role(values) -> dict:
    """Numbers by the key of the role; None for one that nobody holds."""
    return {key: None if value != value else value for key, value in zip(ROLE_KEYS, values, strict=True)}


def _show(outcomes: Outcomes, form: str, about: dict) -> None:
    """Write the outcomes with their standard errors; Bal and Rat, where all four roles are there to be compared."""
    import pandas as pd

    record = {"lineup": str(outcomes.lineup), "seating": outcomes.seating, "games": outcomes.games, **about}
    record |= {"mean_turns": outcomes.turns, "mean_turns_error": outcomes.turns_error}
    record |= {"error_bound": outcomes.error_bound}
    arrays = {
        "survival": outcomes.survival,
        "survival_error": outcomes.survival_error,
        "expected_score": outcomes.expected_scores(),
        "expected_score_error": outcomes.score_error,
    }
    record |= {name: _by_role(values.tolist()) for name, values in arrays.items()}
    record |= dict.fromkeys(("balance", "balance_error", "rationality", "rationality_error"))
    if 0 not in outcomes.lineup.counts:
        record |= {"balance": outcomes.balance, "balance_error": outcomes.balance_error}
        record |= {"rationality": outcomes.rationality(), "rationality_error": outcomes.rationality_error()}
    endings = outcomes.probability.items()
    record["endings"] = [{"alive": _by_role(alive), "probability": share} for alive, share in endings]
    table = pd.DataFrame({name: record[name] for name in arrays}).dropna().rename_axis("role").reset_index()
    forms.echo(form, lambda: _text(outcomes, record, table), lambda: table, lambda: record)


def _text(outcomes: Outcomes, record: dict, table: "pd.DataFrame") -> str:
    how = f"{outcomes.games:,} games" if outcomes.games else f"exact, error below {outcomes.error_bound:.0e}"
    how += " with exact endgames" if outcomes.moments is not None else ""
    where = f", seating {outcomes.seating}" if outcomes.seating else ", all seatings"
    length = f"{outcomes.turns:.2f} turns a game (s.e. {outcomes.turns_error:.2f})"
    lines = [f"Line-up {outcomes.lineup}{where}, {record['rules']} rules: {how}, {length}", ""]
    lines.append(f"{'role':<10} {'survival':>9} {'s.e.':>8}   {'score':>8} {'s.e.':>8}")
    for key, survival, error, score, score_error in table.itertuples(index=False):
        lines.append(f"{key:<10} {100 * survival:>8.3f}% {100 * error:>7.3f}%   {score:>8.4f} {score_error:>8.4f}")
    if outcomes.games and np.isin(outcomes.survival, (0, 1)).any():  # the standard error is 0 there
        room = 100 * float(intervals.interval(0, outcomes.games)[1])
        lines += ["", f"0% or 100% of {outcomes.games:,} games: the chance is within {room:.2g}% of it (95% interval)"]
    if record["balance"] is not None:
        balance = f"Bal {100 * record['balance']:.3f}% (s.e. {100 * record['balance_error']:.3f}%)"
        lines += ["", f"{balance}   Rat {record['rationality']:.3f} (s.e. {record['rationality_error']:.3f})"]
    lines += ["", "alive at the end (lord, loyalists, rebels, renegades)   probability"]
    lines += [f"{' '.join(map(str, alive)):>20} {share:>45.6f}" for alive, share in outcomes.probability.items()]
    return "\n".join(lines)
