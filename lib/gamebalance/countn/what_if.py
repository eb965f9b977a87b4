"""Count-N with something changed: another number to count to, another overflow, other hands to begin with."""

from typing import NamedTuple

from gamebalance.countn.rules import START, Hands
from gamebalance.countn.solution import solve


class Outcome(NamedTuple):
    """What best play leads to.

    Attributes
    ----------
    winner : {"first", "second", "draw"}
        Who wins, the first to move or the second, or that neither can be forced to lose.
    big : bool
        Whether the loser still has both hands.
    plies : int or None
        Moves to the end, of both together; None for a draw.
    """

    winner: str
    big: bool
    plies: int | None


def what_if(n: int = 8, *, overflow: str = "one", mover: Hands = START[0], opponent: Hands = START[1]) -> Outcome:
    """Who wins a game of Count-N when its rules are changed; whatever is not named stays as it is.

    Parameters
    ----------
    n : int
        The number to count to, from 2 to 256.
    overflow : {"one", "rollover"}
        What a hand shows after a sum greater than `n`: 1, the study's rule, or the sum less `n`.
    mover, opponent : tuple of two int or None
        The hands of the player who begins and of the other, None for a withdrawn one.

    Returns
    -------
    Outcome

    Raises
    ------
    ValueError
        If a number is not allowed, or the hands are no position of the game.

    Examples
    --------
    >>> what_if(8)
    Outcome(winner='draw', big=False, plies=None)
    >>> what_if(8, opponent=(1, 7))
    Outcome(winner='second', big=False, plies=12)
    """
    found = solve(n, overflow)
    value = found.value(mover, opponent)
    winner = "draw" if value == 0 else "first" if value > 0 else "second"
    return Outcome(winner, abs(value) == 2, found.distance(mover, opponent))
