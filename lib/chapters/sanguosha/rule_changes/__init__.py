"""What each difference between the report's text and its programs does to the game."""

from chapters.sanguosha.rule_changes.chains import differing_choices, same_chain, solve_rule_sets
from chapters.sanguosha.rule_changes.effect_tables import TOLD, effect_rows, order_changes, told_apart
from chapters.sanguosha.rule_changes.paired_games import (
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
from chapters.sanguosha.rule_changes.rule_sets import (
    PARTS_AS_WRITTEN,
    RULE_SETS,
    SINGLE_CHANGES,
    difference,
    interaction,
)

__all__ = [
    "BAL",
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
