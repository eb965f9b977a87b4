"""``gamebalance sanguosha …``: simulate a line-up, solve a seating, reply to the report's play, play one game."""

import json
import os

import click
import numpy as np

from gamebalance import intervals
from gamebalance._announce import say
from gamebalance._checks import LONG_SECONDS, MOST_GAMES, MOST_WORKERS, span
from gamebalance._estimate import seconds_for
from gamebalance.collection import progress
from gamebalance.sanguosha import AS_CODED, AS_WRITTEN, Lineup, Outcomes, Role, play, simulate, solve, transcript
from gamebalance.sanguosha.exact import MAX_EXACT_PLAYERS, solve_seatings
from gamebalance.sanguosha.lineup import check_seating
from gamebalance.sanguosha.outcomes import mean_outcomes

RULES = {"as-coded": AS_CODED, "as-written": AS_WRITTEN}

#: Games that are played in a few seconds: how long more will take is tried out first.
QUICK_GAMES = 10**7

#: What `best-reply` takes for four players, on one core.
BEST_REPLY_SECONDS = 25
#: How it calls what it compares.
REPLIES = {"report": "the report's rule", "best_reply": "best reply", "cards_unseen": "best reply, cards unseen"}


def _options(*options):
    """Several options as one decorator."""

    def decorate(command):
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


_rules = click.option(
    "--rules", type=click.Choice(list(RULES)), default="as-coded", show_default=True, help="Whose rules to play."
)
_json = click.option("--json", "as_json", is_flag=True, help="Write JSON instead of a table.")
_workers = click.option(
    "--workers", type=int, default=os.cpu_count() or 1, show_default=True, help="Threads side by side."
)
_seating = click.option("--seating", help="Role digits by seat: 0 lord, 1 loyalist, 2 rebel, 3 renegade.")


@click.group()
def group() -> None:
    """Play, simulate and solve the card game 三国杀, simplified as in the report."""


@group.command("simulate")
@click.option("--lineup", required=True, help="Lords-loyalists-rebels-renegades, such as 1-1-2-1.")
@click.option("--games", type=int, default=1_000_000, show_default=True, help="Number of games.")
@click.option("--seed", type=int, default=0, show_default=True, help="0 to 2^63 - 1.")
@_options(_seating, _rules, _workers, _json)
def simulate_command(lineup, games, seed, seating, rules, workers, as_json) -> None:
    """Play many games of a line-up of up to ten players and count the endings."""
    if MOST_GAMES >= games > QUICK_GAMES and 0 < workers <= MOST_WORKERS:
        spent = seconds_for(lambda trial: simulate(lineup, trial, seed, RULES[rules], seating=seating), games, workers)
        if spent >= LONG_SECONDS:
            say(f"games = {games:,}: this takes about {span(spent)}")
    with progress(max(games, 0), "games", unit=" games", unit_scale=True) as bar:
        outcomes = simulate(
            Lineup.parse(lineup), games, seed, RULES[rules], workers, seating=seating, progress=bar.update
        )
    _show(outcomes, as_json, {"rules": rules, "seed": seed})


@group.command("solve")
@click.option("--lineup", help="Solve every seating of a line-up of up to four players and take the mean.")
@_options(_seating, _rules, _workers, _json)
def solve_command(seating, lineup, rules, workers, as_json) -> None:
    """Solve a seating, or all seatings of a line-up, of up to four players exactly."""
    if (seating is None) == (lineup is None):
        raise click.UsageError("give either --seating, such as 0123, or --lineup, such as 1-1-1-1")
    seatings = (check_seating(seating, 4),) if seating else Lineup.parse(lineup).seatings()
    line = Lineup.of_seating(seatings[0])
    with progress(len(seatings), "seatings") as bar:
        solved = solve_seatings(line, RULES[rules], workers, progress=bar.update, seatings=seatings)
    outcomes = solved[seating] if seating else mean_outcomes(line, list(solved.values()))
    _show(outcomes, as_json, {"rules": rules})


@group.command("play")
@click.option("--lineup", help="Lords-loyalists-rebels-renegades; 1-1-1-1 by default.")
@click.option("--seed", type=int, default=0, show_default=True, help="0 to 2^63 - 1.")
@click.option("--game", "number", type=int, default=0, show_default=True, help="Which of the seed's games, from 0.")
@_options(_seating, _rules, _json)
def play_command(lineup, seed, number, seating, rules, as_json) -> None:
    """Play one game and print what happens in every turn.

    Game number i of a seed is the game that `simulate` plays with the same line-up, seed and rules.
    """
    line = Lineup.parse(lineup) if lineup else Lineup.of_seating(seating) if seating else Lineup(1, 1, 1)
    game = play(line, seed, number, RULES[rules], seating)
    click.echo(json.dumps(_game_record(game), ensure_ascii=False) if as_json else transcript(game))


@group.command("best-reply")
@click.argument("seating")
@click.argument("role", type=click.Choice([role.name.lower() for role in Role]))
@_options(_rules, _json)
def best_reply_command(seating, role, rules, as_json) -> None:
    """What a role can score at most when the others keep to the report's rule and all roles are known.

    SEATING has role digits by seat, such as 0123, for up to four players: 0 lord, 1 loyalist, 2 rebel, 3 renegade.
    Points are expected points, of all players in the role together. The role chooses its targets after drawing its
    two cards, as in the report, and once more for comparison before drawing them.
    """
    from gamebalance.sanguosha.replies import best_reply
    from gamebalance.sanguosha.replies.best import check_roles, total_points

    check_seating(seating, MAX_EXACT_PLAYERS)
    chosen = check_roles(seating, Role[role.upper()])
    if len(seating) == MAX_EXACT_PLAYERS:
        click.echo(f"This takes about {BEST_REPLY_SECONDS} seconds.", err=True)
    record = {"seating": seating, "role": role, "rules": rules}
    record["report"] = total_points(solve(seating, RULES[rules]), chosen)
    for name, sees_cards in (("best_reply", True), ("cards_unseen", False)):
        reply = best_reply(seating, chosen, RULES[rules], sees_cards=sees_cards)
        record[name] = {"points": reply.points, "upper": reply.upper if reply.certified else None}
    click.echo(json.dumps(record) if as_json else _told_reply(record))


def _told_reply(record: dict) -> str:
    lines = [f"Seating {record['seating']}, {record['rules']} rules: the {record['role']}, all roles known", ""]
    lines.append(f"{REPLIES['report']:<26} {record['report']:>9.4f} points")
    return "\n".join(lines + [_bounds(REPLIES[key], **record[key]) for key in ("best_reply", "cards_unseen")])


def _bounds(name: str, points: float, upper: float | None) -> str:
    """Points of a reply, and how much more another could have."""
    most = "a lower bound" if upper is None else f"no reply has {max(upper - points, 0):.0e} more"
    return f"{name:<26} {points:>9.4f} points ({most})"


def _game_record(game) -> dict:
    """A game as plain data: the opening, then one entry a turn."""

    def state(table):
        return [{"health": p.health, "dodges": p.dodges, "weapon": p.weapon} for p in table.players]

    turns = [
        {
            "seat": move.before.seat,
            "cards": [card.name.lower() for card in move.cards],
            "target": move.target,
            "events": list(move.events),
            "players": state(move.table),
        }
        for move in game.moves
    ]
    return {
        "seed": game.seed,
        "game": game.number,
        "seating": game.seating,
        "opening": state(game.opening),
        "turns": turns,
        "alive": dict(zip(_role_keys(), game.table.alive, strict=True)),
        "winner": game.table.winner,
    }


def _role_keys() -> list[str]:
    return [role.name.lower() for role in Role]


def _show(outcomes: Outcomes, as_json: bool, about: dict) -> None:
    """Write the outcomes with their standard errors, as JSON or as a table."""
    record = {"lineup": str(outcomes.lineup), "seating": outcomes.seating, "games": outcomes.games, **about}
    record |= {"mean_turns": outcomes.turns, "mean_turns_error": outcomes.turns_error}
    record |= {"error_bound": outcomes.error_bound}
    by_role = {
        name: dict(zip(_role_keys(), (None if value != value else float(value) for value in values), strict=True))
        for name, values in (
            ("survival", outcomes.survival),
            ("survival_error", outcomes.survival_error),
            ("expected_score", outcomes.expected_scores()),
            ("expected_score_error", outcomes.score_error),
        )
    }
    record |= by_role | _measures(outcomes)
    record["endings"] = [
        {"alive": dict(zip(_role_keys(), alive, strict=True)), "probability": share}
        for alive, share in outcomes.probability.items()
    ]
    click.echo(json.dumps(record) if as_json else _text(outcomes, record))


def _measures(outcomes: Outcomes) -> dict:
    """Bal and Rat, where all four roles are there to be compared."""
    if 0 in outcomes.lineup.counts:
        return {"balance": None, "balance_error": None, "rationality": None, "rationality_error": None}
    return {
        "balance": outcomes.balance,
        "balance_error": outcomes.balance_error,
        "rationality": outcomes.rationality(),
        "rationality_error": outcomes.rationality_error(),
    }


def _room(outcomes: Outcomes) -> list[str]:
    """What a share of 0 or 100 % of the games leaves open, whose standard error is 0."""
    if not outcomes.games or not np.isin(outcomes.survival, (0, 1)).any():
        return []
    room = 100 * float(intervals.interval(0, outcomes.games)[1])
    return ["", f"0 % or 100 % of {outcomes.games:,} games: the chance is within {room:.2g} % of it (95 % interval)"]


def _text(outcomes: Outcomes, record: dict) -> str:
    how = f"{outcomes.games:,} games" if outcomes.games else f"exact, error below {outcomes.error_bound:.0e}"
    where = f", seating {outcomes.seating}" if outcomes.seating else ", all seatings"
    length = f"{outcomes.turns:.2f} turns a game (s.e. {outcomes.turns_error:.2f})"
    lines = [f"Line-up {outcomes.lineup}{where}, {record['rules']} rules: {how}, {length}", ""]
    lines.append(f"{'role':<10} {'survival':>9} {'s.e.':>8}   {'score':>8} {'s.e.':>8}")
    for key in _role_keys():
        if record["survival"][key] is None:
            continue
        survival, score = 100 * record["survival"][key], record["expected_score"][key]
        errors = 100 * record["survival_error"][key], record["expected_score_error"][key]
        lines.append(f"{key:<10} {survival:>8.3f}% {errors[0]:>7.3f}%   {score:>8.4f} {errors[1]:>8.4f}")
    lines += _room(outcomes)
    if record["balance"] is not None:
        balance = f"Bal {100 * record['balance']:.3f}% (s.e. {100 * record['balance_error']:.3f}%)"
        lines += ["", f"{balance}   Rat {record['rationality']:.3f} (s.e. {record['rationality_error']:.3f})"]
    lines += ["", "alive at the end (lord, loyalists, rebels, renegades)   probability"]
    lines += [f"{' '.join(map(str, alive)):>20} {share:>45.6f}" for alive, share in outcomes.probability.items()]
    return "\n".join(lines)
