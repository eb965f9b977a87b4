"""What changes of the grid do to more than four players, and to four who reply: rows that take hours.

Five players are solved exactly, larger line-ups are played in paired games.
"""

from functools import cache

import numpy as np
import pandas as pd

from chapters import the_smallest_fair_change_grid as grid
from chapters.five_and_six_players_exactly import columns_for, columns_of
from chapters.five_to_ten_players import mean_of, solved_seatings
from chapters.playing_sanguosha_better import as_text
from chapters.rules_as_written import BAL, RAT, play_rule_sets
from chapters.where_you_sit_rules import RULES
from gamebalance.sanguosha.design import fair_points
from gamebalance.sanguosha.exact import solve, solve_lineup
from gamebalance.sanguosha.lineup import LINEUPS, ROLE_KEYS
from gamebalance.sanguosha.outcomes import mean_outcomes
from gamebalance.sanguosha.replies.best import iterate_best_replies
from gamebalance.sanguosha.rules import AS_CODED
from gamebalance.sanguosha.scoring import REPORT_SCORING, WINNERS, winner
from gamebalance.sanguosha.turn import EndlessGame

#: Batches of games, from which the standard errors come.
BATCHES = 100
#: Line-ups of more than four players; their place is the seed of their games, too.
LARGER = {str(lineup): place for place, lineup in enumerate(LINEUPS) if lineup.players > 4}
#: Five players, their seatings, and a column for each way in which a game could end: a lord may die before a loyalist.
FIVE = LINEUPS[1]
FIVE_SEATINGS, FIVE_COLUMNS = FIVE.seatings(), columns_for(grid.endings_of(FIVE))
#: The remainder at which the rounds of five players are broken off: what is shown has far fewer digits.
TAIL = 1e-8


def five_row(number, seating):
    """How a seating of five players ends with no change, 0, or with a single change of the grid, from 1 on, exactly."""
    setting = grid.settings()[number]
    solved = solve(seating, grid.rules_of(setting), tail=TAIL)
    return {"number": number, "setting": grid.sentence_of(setting), **columns_of(solved)}


def five_card_row(card, more, seating):
    """The same when so many cards of a kind are put into the deck, or taken out if it is below 0."""
    return {"card": card, "more": more, **columns_of(solve(seating, grid.with_cards(card, more), tail=TAIL))}


def five_play_row(number, play, seating):
    """As `five_row`, all five choosing their targets by one of `PLAYS`."""
    setting = grid.settings()[number]
    solved = solve(seating, grid.rules_of(setting), grid.PLAYS[play], tail=TAIL)
    return {"number": number, "setting": grid.sentence_of(setting), "play": play, **columns_of(solved, FIVE_COLUMNS)}


def reply_row(number, points, seating, rounds):
    """Best replies to best replies in one seating of four, the lord first, with the report's points or fair ones.

    First how the seating ends by each of `PLAYS`; then after each round, from the report's play on, `scores` and
    `survival` of the four roles, and `wins` of the three sides.
    """
    scoring = REPORT_SCORING if points == "report" else fair_points(solve_lineup(grid.FOUR), points).scoring
    setting = grid.settings()[number]
    rules = grid.rules_of(setting)
    rounds = iterate_best_replies(seating, rounds, rules, scoring).outcomes
    return {
        "number": number,
        "points": points,
        "seating": seating,
        "setting": grid.sentence_of(setting),
        **{play: grid.endings_text([solve(seating, rules, policies)]) for play, policies in grid.PLAYS.items()},
        "scores": as_text(outcomes.expected_scores(scoring) for outcomes in rounds),
        "survival": as_text(outcomes.survival for outcomes in rounds),
        "wins": as_text(outcomes.winning.values() for outcomes in rounds),
    }


def lineup_row(lineup, number, games):
    """What a single change of the grid, from 1 on, does to a line-up of five to ten players.

    For each measure the value with the new rule, how much more that is than with the old, and the standard error of the
    difference, from games that draw the same cards under both; nothing of it where a game goes on without end.
    """
    change = grid.settings()[number][0]
    columns = {"lineup": lineup, "number": number, "setting": change.said, "games": games}
    rule_sets = {"old": AS_CODED, "new": change.applied(AS_CODED)}
    try:
        played = play_rule_sets(lineup, games, LARGER[lineup] * BATCHES, BATCHES, rule_sets=rule_sets)
    except EndlessGame:
        return columns | {"games": 0}
    for name, (value, more, error) in _differences(played).items():
        columns |= {name: value, f"{name}_more": more, f"{name}_error": error}
    return columns


def _differences(played):
    """By name: a measure of the new rules, how much more it is than of the old, and the standard error of that."""
    effect, values = played.contrast({"new": 1.0, "old": -1.0}), grid.measures(played.outcomes("new"))
    places = {"bal": BAL, "rat": RAT}
    for role, key in enumerate(ROLE_KEYS):
        places |= {f"survival_{key}": role, f"score_{key}": BAL + 1 + role}
    named = {name: (values[name], effect.value[place], effect.error[place]) for name, place in places.items()}
    won = np.array([[winner(alive) == side for side in WINNERS] for alive in played.endings], float)
    shares = {name: counts @ won / counts.sum(axis=1, keepdims=True) for name, counts in played.counts.items()}
    more = shares["new"] - shares["old"]
    errors = more.std(axis=0, ddof=1) / np.sqrt(BATCHES)
    wins = zip(WINNERS, shares["new"].mean(axis=0), more.mean(axis=0), errors, strict=True)
    return named | {f"win_{side}": numbers for side, *numbers in wins}


@cache
def seating_rules(seatings=grid.SEATINGS):
    """Rules for seating that leave some of the seatings and not all, by their sentence: the numbers of those left.

    Of rules that leave the same the first one stands for all.
    """
    sentences = {}
    for said, obeyed in RULES.items():
        left = tuple(place for place, seating in enumerate(seatings) if obeyed(seating))
        if 0 < len(left) < len(seatings):
            sentences.setdefault(left, f"{said}.")
    return {said: left for left, said in sentences.items()}


def fives_of(rows):
    """How games of five end under each new rule, by its sentence, "" for none; without and with a rule for seating."""
    every = {}
    for said, own in rows.fillna({"setting": ""}).groupby("setting", sort=False):
        solved = solved_seatings(own)
        every[said] = mean_of(solved, FIVE)
        by_seating = {outcomes.seating: outcomes for outcomes in solved}
        for rule, left in seating_rules(FIVE_SEATINGS).items():
            some = [by_seating[FIVE_SEATINGS[place]] for place in left]
            every[f"{said} {rule}".lstrip()] = mean_outcomes(FIVE, some)
    return every


def five_table(rows):
    """What each single change does to five players, exactly: as `lineup_row` has it, without games and errors."""
    every, lines = fives_of(rows), []
    before = grid.measures(every[""])
    for number, change in enumerate(grid.changes(), 1):
        line = {"lineup": str(FIVE), "number": number, "setting": change.said, "games": 0}
        for name, value in grid.measures(every[change.said]).items():
            line |= {name: value, f"{name}_more": value - before[name], f"{name}_error": float("nan")}
        lines.append(line)
    return pd.DataFrame(lines)
