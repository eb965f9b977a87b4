"""What each difference between the report's text and its programs does to the game."""

from gamebalance.sanguosha.rule_changes.chains import MAX_CHOICE_PLAYERS, differing_choices, same_chain, solve_rule_sets
from gamebalance.sanguosha.rule_changes.paired import (
    BAL,
    MEASURES,
    PERCENT,
    RAT,
    Effect,
    PairedGames,
    exact_contrast,
    jackknife_error,
    measure_errors,
    measures,
    play_rule_sets,
)
from gamebalance.sanguosha.rule_changes.sets import PARTS_AS_WRITTEN, RULE_SETS, SINGLE_CHANGES, difference, interaction
from gamebalance.sanguosha.rule_changes.tables import TOLD, effect_rows, order_changes, told_apart

__all__ = [
    "BAL",
    "MAX_CHOICE_PLAYERS",
    "MEASURES",
    "PARTS_AS_WRITTEN",
    "PERCENT",
    "RAT",
    "RULE_SETS",
    "SINGLE_CHANGES",
    "TOLD",
    "Effect",
    "PairedGames",
    "difference",
    "differing_choices",
    "effect_rows",
    "exact_contrast",
    "interaction",
    "jackknife_error",
    "measure_errors",
    "measures",
    "order_changes",
    "play_rule_sets",
    "same_chain",
    "solve_rule_sets",
    "told_apart",
]
