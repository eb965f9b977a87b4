"""What each single change of the grid does to more than four players: five exactly, all others in paired games."""

import warnings
from typing import Any

import numpy as np

from gamebalance.base.checks import one_of, whole_number
from gamebalance.sanguosha.exact import solve
from gamebalance.sanguosha.lineup import LINEUPS, ROLE_KEYS
from gamebalance.sanguosha.rules import AS_CODED, REPORT_DECK, Card, Rules
from gamebalance.sanguosha.scoring import SIDES, winner
from gamebalance.sanguosha.simulation import SlowSimulation
from gamebalance.sanguosha.turn import EndlessGame
from gamebalance.sanguosha.what_if import CARDS, changed
from gamebalance.studies.sanguosha import exact_rows
from gamebalance.studies.sanguosha.designs.grid import changes, rules_of, settings
from gamebalance.studies.sanguosha.rule_changes import BAL, RAT, PairedGames, play_rule_sets

#: Batches of games, from which the standard errors come.
BATCHES = 100

#: Line-ups of more than four players; their place is the seed of their games, too.
LARGER = {str(lineup): place for place, lineup in enumerate(LINEUPS) if lineup.players > 4}

#: Sides that can win, in the order of the roles.
WINNING = tuple(dict.fromkeys(SIDES))

#: Five players, and their seatings.
FIVE = LINEUPS[1]
FIVE_SEATINGS = FIVE.seatings()

#: The remainder at which the rounds of five players are broken off: what is shown has far fewer digits.
TAIL = 1e-8


def five_row(number: int, seating: str) -> dict[str, Any]:
    """How a seating of five players ends with no change, 0, or with a single change of the grid, from 1 on, exactly.

    `setting`: the new rule; then the columns of `exact_rows.row`.
    """
    setting = settings()[whole_number("number", number, 0, len(tuple(changes())))]
    said = " ".join(change.said for change in setting)
    return {"number": number, "setting": said, **_solved(seating, rules_of(setting))}


def five_card_row(card: str, more: int, seating: str) -> dict[str, Any]:
    """The same when so many cards of a kind, such as "slash", are put into the deck, or taken out if it is below 0."""
    kind = Card[one_of("card", card, CARDS).upper()]
    deck = {card: REPORT_DECK[kind] + whole_number("more", more, -REPORT_DECK[kind])}
    return {"card": card, "more": more, **_solved(seating, changed(deck=deck))}


def _solved(seating: str, rules: Rules) -> dict[str, Any]:
    return exact_rows.columns_of(solve(one_of("seating", seating, FIVE_SEATINGS), rules, tail=TAIL))


def lineup_row(lineup: str, number: int, games: int) -> dict[str, Any]:
    """What a single change of the grid, by its number from 1, does to a line-up of five to ten players.

    `setting`: the new rule. Then for Bal, Rat, the chance of each side to win, survival and points of each role: the
    value with the new rule, how much more that is than with the old, and the standard error of the difference, from
    `games` games that draw the same cards under both. Bal, survival and chances are shares. Nothing of it, and no
    games, where a game goes on for more than `turn.MOST_TURNS` turns.
    """
    one_of("lineup", lineup, LARGER)
    change = tuple(changes())[whole_number("number", number, 1, len(tuple(changes()))) - 1]
    rule_sets = {"old": AS_CODED, "new": change.applied(AS_CODED)}
    columns: dict[str, Any] = {"lineup": lineup, "number": number, "setting": change.said, "games": games}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SlowSimulation)  # other hearts are slower
            played = play_rule_sets(lineup, games, LARGER[lineup] * BATCHES, BATCHES, rule_sets=rule_sets)
    except EndlessGame:
        return columns | {"games": 0}
    for name, (value, more, error) in _differences(played).items():
        columns |= {name: value, f"{name}_more": more, f"{name}_error": error}
    return columns


def _differences(played: PairedGames) -> dict[str, tuple[float, float, float]]:
    """By name: a measure of the new rules, how much more it is than of the old, and the standard error of that."""
    effect, outcomes = played.contrast({"new": 1.0, "old": -1.0}), played.outcomes("new")
    found = {"bal": (outcomes.balance, BAL), "rat": (outcomes.rationality(), RAT)}
    for role, key in enumerate(ROLE_KEYS):
        found[f"survival_{key}"] = outcomes.survival[role], role
        found[f"score_{key}"] = outcomes.expected_scores()[role], BAL + 1 + role
    named = {name: (value, effect.value[place], effect.error[place]) for name, (value, place) in found.items()}
    won = np.array([[winner(alive) == side for side in WINNING] for alive in played.endings], float)
    shares = {name: counts @ won / counts.sum(axis=1, keepdims=True) for name, counts in played.counts.items()}
    more = shares["new"] - shares["old"]
    errors = more.std(axis=0, ddof=1) / np.sqrt(BATCHES)
    wins = zip(WINNING, shares["new"].mean(axis=0), more.mean(axis=0), errors, strict=True)
    return named | {f"win_{side}": numbers for side, *numbers in wins}
