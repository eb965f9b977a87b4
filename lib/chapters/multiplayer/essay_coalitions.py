"""The two games in coalitional form of the essay on multiplayer AI: the second leaves out six of fifteen worths."""

from functools import cache
from itertools import combinations

from gamebalance.base.checks import one_of
from gamebalance.multiplayer.cooperative import TUGame

#: All seven coalitions.
ESSAY_THREE = {"A": 10, "B": 10, "C": 10, "AB": 30, "AC": 25, "BC": 25, "ABC": 60}

#: The second example as it is stated.
ESSAY_FOUR = {"A": 10, "B": 10, "C": 10, "D": 10, "AB": 30, "CD": 25, "ABC": 50, "ABD": 48, "ABCD": 70}

#: What a missing coalition may be worth: its members each alone, or the best they can do in coalitions stated.
COMPLETIONS = ("alone", "best split")


def essay_three() -> TUGame:
    """The essay's first example."""
    return TUGame("ABC", {tuple(coalition): worth for coalition, worth in ESSAY_THREE.items()})


def essay_four(missing: str) -> TUGame:
    """The essay's second example (§3.3), where ``missing`` says what a coalition is worth that it does not state."""
    one_of("missing", missing, COMPLETIONS)
    stated = {frozenset(coalition): worth for coalition, worth in ESSAY_FOUR.items()}

    @cache
    def best_split(coalition: frozenset) -> int:
        if coalition in stated or not coalition:
            return stated.get(coalition, 0)
        first, *others = sorted(coalition)
        groups = [frozenset((first, *rest)) for size in range(len(others)) for rest in combinations(others, size)]
        return max(stated[group] + best_split(coalition - group) for group in groups if group in stated)

    def alone(coalition: frozenset) -> int:
        return stated.get(coalition, sum(stated[frozenset(player)] for player in coalition))

    return TUGame("ABCD", alone if missing == "alone" else best_split)
