"""What repeats from N to N under overflow "one": who wins 1 v 1, and how endings with three hands follow it."""

from dataclasses import dataclass

import pandas as pd

from .endings import one_hand
from .rules import Game

#: From here on to 256 the rule of `three_hands` has few exceptions.
RULE_FROM = 27


@dataclass(frozen=True)
class OneOne:
    """One hand against one, both showing 1.

    Attributes
    ----------
    n : int
        The number to count to.
    index, below : int
        k and F_k, the greatest Fibonacci number below n (F_1 = F_2 = 1).
    mover_wins : bool
        Who wins.
    plies : int
        How long it takes.
    """

    n: int
    index: int
    below: int
    mover_wins: bool
    plies: int


def one_one(n: int) -> OneOne:
    """Who wins with one hand each that shows 1, by the closed rule.

    Unless n is a Fibonacci number, the mover wins if and only if n - F_k leaves 0 or 1 when divided by 4 and k is odd,
    or it leaves 2 or 3 and k is even: the theorem of `endings` for a = b = 1, where u_j = F_(j+1) and k = j + 1.

    Raises
    ------
    ValueError
        If `n` is not what is allowed.
    """
    index, below, above = 2, 1, 2
    while above < Game(n).n:
        index, below, above = index + 1, above, below + above
    if n == above:
        # Ply k - 1 withdraws the hand, and odd plies are the mover's.
        return OneOne(n, index, below, index % 2 == 0, index - 1)
    left = n - below
    return OneOne(n, index, below, (left % 4 in (0, 1)) == (index % 2 == 1), index - 1 + (3 * left - 1) // 2)


def three_hands(survey: pd.DataFrame) -> pd.DataFrame:
    """How endings with three hands fall out beside who wins 1 v 1.

    Parameters
    ----------
    survey : DataFrame
        Lines of `survey.row`, overflow "one".

    Returns
    -------
    DataFrame
        `n`, `mover_wins_1v1`, the shares `fewer_hands_wins`, `three_hands_drawn`, `more_hands_wins`, the outcome with
        the largest share as `mostly` (fewer, drawn or more), the `rule`: fewer if the mover wins 1 v 1, else drawn, and
        whether it is an `exception` to the rule.
    """
    kinds = {"fewer_hands_wins": "fewer", "three_hands_drawn": "drawn", "more_hands_wins": "more"}
    frame = survey[["n", *kinds]].copy()
    frame.insert(1, "mover_wins_1v1", [one_hand(n, 1, 1)[0] > 0 for n in frame["n"]])
    frame["mostly"] = frame[list(kinds)].idxmax(axis=1).map(kinds)
    frame["rule"] = frame["mover_wins_1v1"].map({True: "fewer", False: "drawn"})
    frame["exception"] = frame["mostly"] != frame["rule"]
    return frame
