"""What repeats from N to N under overflow "one": who wins 1 v 1, and how endings with three hands follow it."""

from dataclasses import dataclass
from typing import Any

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
    index, below, above : int
        k, the greatest Fibonacci number F_k below n (F_1 = F_2 = 1), and F_(k+1), which is n or more.
    mover_wins : bool
        Who wins.
    plies : int
        How long it takes.
    """

    n: int
    index: int
    below: int
    above: int
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
    n = Game(n).n
    index, below, above = 2, 1, 2
    while above < n:
        index, below, above = index + 1, above, below + above
    if n == above:
        # Ply k - 1 withdraws the hand, and odd plies are the mover's.
        return OneOne(n, index, below, above, index % 2 == 0, index - 1)
    left = n - below
    mover_wins = (left % 4 in (0, 1)) == (index % 2 == 1)
    return OneOne(n, index, below, above, mover_wins, index - 1 + (3 * left - 1) // 2)


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


def stretches(three: pd.DataFrame) -> pd.DataFrame:
    """The rule of `three_hands` between one Fibonacci number and the next.

    Parameters
    ----------
    three : DataFrame
        As `three_hands` returns it.

    Returns
    -------
    DataFrame
        For each stretch of N above 21, cut at both ends of the survey: `N`, the residues of N modulo 4 for which the
        mover wins 1 v 1, the least share (percent) of positions with three hands that the side with one hand wins where
        the rule says fewer, the greatest where it says drawn, and the exceptions.
    """
    found = [one_one(n) for n in three["n"]]
    frame = three.assign(below=[one.below for one in found], above=[one.above for one in found]).query("below >= 21")
    return pd.DataFrame([_stretch(part) for _, part in frame.groupby("below")])


def _stretch(part: pd.DataFrame) -> dict[str, Any]:
    regular, odd = part[~part["exception"]], part.loc[part["exception"], "n"]
    percent = 100 * regular.groupby("rule")["fewer_hands_wins"].agg(["min", "max"])
    # A Fibonacci number, the last N of a whole stretch, has a rule of its own.
    inside = part[part["mover_wins_1v1"] & (part["n"] != part["above"])]
    return {
        "N": f"{part['n'].min()} to {part['n'].max()}",
        "mover wins 1 v 1 if N mod 4 is": " or ".join(map(str, sorted(set(inside["n"] % 4)))),
        "one hand wins, least %": percent.loc["fewer", "min"],
        "one hand wins, most %": percent.loc["drawn", "max"],
        "exceptions": ", ".join(map(str, odd)) or "none",
    }


def statements(largest: int, certificates: int, live: int, rollover: int, exceptions: int) -> pd.DataFrame:
    """What is said about many N, how far it was found out, and on what it rests.

    Parameters
    ----------
    largest, certificates, live, rollover : int
        How far the survey, the drawing certificates, the check of the theorem and the cousin were computed.
    exceptions : int
        To the rule of `three_hands` for N from `RULE_FROM` to `largest`.

    Returns
    -------
    DataFrame
        `statement`, which names the N that it was found for unless it is proved; `status`: proved (for every N),
        computed (exactly, for the N named), observed (a pattern in computed numbers) or cited; `on what it rests`.
    """
    lines = [
        ("One hand against one is never a draw; winner and length follow a closed rule", "proved",
         f"theorem of this notebook; every pair of hands compared for N = 2 to {live}"),
        ("N = 2, 4, 7: the first player wins; N = 3, 5, 6, 9: the second", "computed", "retrograde analysis"),
        ("N = 8 is a draw", "computed", "retrograde analysis; drawing certificate"),
        (f"N = 10 to {largest} are draws", "computed",
         f"retrograde analysis, drawing certificates to N = {certificates}; open beyond N = {largest}"),
        (f"N = 2 to {rollover}: no player alone can make sure that nobody ever withdraws a hand", "computed",
         "greatest set in which a keeper of all four hands can stay: it is empty"),
        (f"N = {RULE_FROM} to {largest}: who wins 1 v 1 decides how most endings with three hands fall out", "observed",
         f"retrograde analysis, with {exceptions} exceptions; why it is so is not known"),
        ("Which residues of N modulo 4 are wins for the mover 1 v 1 changes at Fibonacci numbers only", "proved",
         "corollary of the theorem; a Fibonacci number itself has a rule of its own"),
        ("Rollover: one hand each is a draw if and only if the Fibonacci sequence that begins with the two hands never "
         "meets 0 modulo N", "proved",
         f"the numbers shown are that sequence; counted for N = 2 to {rollover}"),
        ("Rollover: the N for which this never happens are OEIS A064414", "cited", "Avila and Khovanova (2014)"),
        (f"Rollover: N = 5 to {rollover} are draws", "computed", "retrograde analysis"),
        (f"Rollover: for N = 13 to {rollover} either player can make sure that nobody ever withdraws a hand",
         "computed", "the same set, which then holds the start"),
    ]  # fmt: skip
    return pd.DataFrame(lines, columns=["statement", "status", "on what it rests"])
