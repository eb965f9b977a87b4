"""What each single change of the grid does to more than four players: five exactly, all others in paired games."""

import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from chapters.sanguosha import exact_rows
from chapters.sanguosha.designs.grid import changes, rules_of, sentence_of, settings
from chapters.sanguosha.designs.rows import PLAYS, endings_of, measures, with_cards
from chapters.sanguosha.designs.search import about, seating_rules, unfair
from chapters.sanguosha.rule_changes import BAL, RAT, PairedGames, play_rule_sets
from gamebalance.base.checks import one_of, whole_number
from gamebalance.sanguosha.exact import solve
from gamebalance.sanguosha.lineup import LINEUPS, ROLE_KEYS
from gamebalance.sanguosha.outcomes import Outcomes, mean_outcomes
from gamebalance.sanguosha.policies import Policies
from gamebalance.sanguosha.rules import AS_CODED, Rules
from gamebalance.sanguosha.scoring import SIDES, winner
from gamebalance.sanguosha.simulation import SlowSimulation
from gamebalance.sanguosha.turn import EndlessGame

if TYPE_CHECKING:
    import pandas

#: Batches of games, from which the standard errors come.
BATCHES = 100

#: Line-ups of more than four players; their place is the seed of their games, too.
LARGER = {str(lineup): place for place, lineup in enumerate(LINEUPS) if lineup.players > 4}

#: Sides that can win, in the order of the roles.
WINNING = tuple(dict.fromkeys(SIDES))

#: Five players, and their seatings.
FIVE = LINEUPS[1]
FIVE_SEATINGS = FIVE.seatings()

#: All ways in which their games could end, and a column for each: a lord may die before his loyalist.
FIVE_COLUMNS = exact_rows.columns_for(endings_of(FIVE))

#: The remainder at which the rounds of five players are broken off: what is shown has far fewer digits.
TAIL = 1e-8


def five_row(number: int, seating: str) -> dict[str, Any]:
    """How a seating of five players ends with no change, 0, or with a single change of the grid, from 1 on, exactly.

    `setting`: the new rule; then the columns of `exact_rows.row`.
    """
    setting = settings()[whole_number("number", number, 0, len(tuple(changes())))]
    said = sentence_of(setting)
    found = _solved(seating, rules_of(setting))
    return {"number": number, "setting": said, **exact_rows.columns_of(found)}


def five_card_row(card: str, more: int, seating: str) -> dict[str, Any]:
    """The same when so many cards of a kind, such as "slash", are put into the deck, or taken out if it is below 0."""
    return {"card": card, "more": more, **exact_rows.columns_of(_solved(seating, with_cards(card, more)))}


def _solved(seating: str, rules: Rules, policies: Policies | None = None) -> Outcomes:
    return solve(one_of("seating", seating, FIVE_SEATINGS), rules, policies, tail=TAIL)


def five_play_row(number: int, play: str, seating: str) -> dict[str, Any]:
    """As `five_row`, all five choosing their targets by one of `rows.PLAYS`; the columns are `FIVE_COLUMNS`."""
    setting = settings()[whole_number("number", number, 0, len(tuple(changes())))]
    said, policies = sentence_of(setting), PLAYS[one_of("play", play, tuple(PLAYS))]
    found = _solved(seating, rules_of(setting), policies)
    return {"number": number, "setting": said, "play": play, **exact_rows.columns_of(found, FIVE_COLUMNS)}


def fives(rows: "pandas.DataFrame") -> dict[str, Outcomes]:
    """How games of five end under each new rule, by its sentence, "" for none; without and with a rule for seating.

    `rows` are those of `five_row`; the rules for seating are `search.seating_rules` of five players.
    """
    return dict(_fives(rows))


def _fives(rows: "pandas.DataFrame") -> Iterator[tuple[str, Outcomes]]:
    for said, own in rows.fillna({"setting": ""}).groupby("setting", sort=False):
        solved = [exact_rows.outcomes(row) for row in own.to_dict("records")]
        yield said, exact_rows.mean_of(solved, FIVE)
        by_seating = {found.seating: found for found in solved}
        for rule, left in seating_rules(FIVE_SEATINGS).items():
            yield f"{said} {rule}".lstrip(), mean_outcomes(FIVE, [by_seating[FIVE_SEATINGS[place]] for place in left])


def five_lines(rows: "pandas.DataFrame") -> "pandas.DataFrame":
    """As `search.searched`, of five players: each change of one rule, without and with a rule for seating.

    `UNFAIR` as ``Bal, five`` and so on, from rows of `five_row`.
    """
    import pandas

    every, lines = fives(rows), []
    for number in sorted(set(rows["number"])):
        for rule in ("", *seating_rules(FIVE_SEATINGS)):
            line = about(number, rule)
            measured = unfair(every[str(line["setting"])])
            lines.append(line | {f"{name}, five": value for name, value in measured.items()})
    return pandas.DataFrame(lines).sort_values(["changes", "steps", "number"], ignore_index=True)


def five_table(rows: "pandas.DataFrame") -> "pandas.DataFrame":
    """What each single change does to five players, exactly: as `lineup_row` has it, without games and errors."""
    import pandas

    every = fives(rows)
    before, lines = measures(every[""]), []
    for number, change in enumerate(changes(), 1):
        line: dict[str, Any] = {"lineup": str(FIVE), "number": number, "setting": change.said, "games": 0}
        for name, value in measures(every[change.said]).items():
            line |= {name: value, f"{name}_more": value - before[name], f"{name}_error": float("nan")}
        lines.append(line)
    return pandas.DataFrame(lines)


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
    effect, values = played.contrast({"new": 1.0, "old": -1.0}), measures(played.outcomes("new"))
    places = {"bal": BAL, "rat": RAT}
    for role, key in enumerate(ROLE_KEYS):
        places |= {f"survival_{key}": role, f"score_{key}": BAL + 1 + role}
    named = {name: (values[name], effect.value[place], effect.error[place]) for name, place in places.items()}
    won = np.array([[winner(alive) == side for side in WINNING] for alive in played.endings], float)
    shares = {name: counts @ won / counts.sum(axis=1, keepdims=True) for name, counts in played.counts.items()}
    more = shares["new"] - shares["old"]
    errors = more.std(axis=0, ddof=1) / np.sqrt(BATCHES)
    wins = zip(WINNING, shares["new"].mean(axis=0), more.mean(axis=0), errors, strict=True)
    return named | {f"win_{side}": numbers for side, *numbers in wins}
