"""The first of two games in coalitional form in the essay on multiplayer AI; the second leaves out six worths."""

from gamebalance.multiplayer.cooperative import TUGame

#: All seven coalitions.
ESSAY_THREE = {"A": 10, "B": 10, "C": 10, "AB": 30, "AC": 25, "BC": 25, "ABC": 60}


def essay_three() -> TUGame:
    """The essay's first example."""
    return TUGame("ABC", {tuple(coalition): worth for coalition, worth in ESSAY_THREE.items()})
