"""What repeats from N to N under overflow "one": who wins 1 v 1, and how endings with three hands follow it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

from gamebalance.countn.endings import one_hand
from gamebalance.countn.rules import Game

#: From here on to 256 the rule of `three_hands` has few exceptions.
RULE_FROM = 27


@dataclass(frozen=True)
class OneOne:
    """One hand against one, both showing 1: who wins under n, and after how many plies.

    `index` is k, `below` the greatest Fibonacci number F_k below n (F_1 = F_2 = 1), `above` F_(k+1), which is n or
    more.
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
    """How endings with three hands fall out in lines of `survey.row`, beside who wins 1 v 1.

    The three shares, the outcome with the largest one as `mostly` (fewer, drawn or more), the `rule`: fewer if the
    mover wins 1 v 1, else drawn, and whether it is an `exception` to the rule.
    """
    kinds = {"fewer_hands_wins": "fewer", "three_hands_drawn": "drawn", "more_hands_wins": "more"}
    frame = survey[["n", *kinds]].copy()
    frame.insert(1, "mover_wins_1v1", [one_hand(n, 1, 1)[0] > 0 for n in frame["n"]])
    frame["mostly"] = frame[list(kinds)].idxmax(axis=1).map(kinds)
    frame["rule"] = frame["mover_wins_1v1"].map({True: "fewer", False: "drawn"})
    frame["exception"] = frame["mostly"] != frame["rule"]
    return frame


def stretches(three: pd.DataFrame) -> pd.DataFrame:
    """The rule, in a table of `three_hands`, between one Fibonacci number and the next.

    For each stretch of N above 21, cut at both ends of the survey: `N`, the residues of N modulo 4 for which the mover
    wins 1 v 1, the least share (percent) of positions with three hands that the side with one hand wins where the rule
    says fewer, the greatest where it says drawn, and the exceptions.
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


def statements(survey: pd.DataFrame, cousin: pd.DataFrame, quiet: pd.DataFrame, live: int) -> pd.DataFrame:
    """What is said about many N, how far it was found out, and on what it rests.

    `survey` and `cousin` are lines of `survey.row` from N = 2 on, the latter for "rollover", with a column `peace`:
    "yes" where it can be kept from the start. `quiet` has, for overflow "one" and the N of the cousin, the positions in
    which a keeper of the peace can be `moving` and `waiting`. The theorem was checked up to `live`. The status is
    proved (for every N), computed (exactly, for the N named), observed (a pattern in computed numbers) or cited. A
    ValueError names a statement that the tables do not bear out.
    """
    entries = yaml.safe_load(Path(__file__).with_name("statements.yaml").read_text(encoding="utf-8"))
    late = three_hands(survey).query("n >= @RULE_FROM")
    facts = _facts(survey, cousin, quiet, late)
    if amiss := {entry["holds"] for entry in entries if entry["status"] in ("computed", "observed")} ^ set(facts):
        raise ValueError(f"statements.yaml: {', '.join(sorted(amiss))}: statements and facts must be each other's")
    known = {
        "largest": survey["n"].max(),
        "certificates": survey.dropna(subset="certificate")["n"].max(),
        "live": live,
        "rollover": cousin["n"].max(),
        "rule_from": RULE_FROM,
        "exceptions": late["exception"].sum(),
    }
    if wrong := [entry["statement"] for entry in entries if "holds" in entry and not facts[entry["holds"]]]:
        raise ValueError(f"statement = {wrong[0].format(**known)!r}: the tables say otherwise")
    lines = [(entry["statement"], entry["status"], entry["rests on"]) for entry in entries]
    texts = [[text.format(**known) for text in line] for line in lines]
    return pd.DataFrame(texts, columns=["statement", "status", "on what it rests"])


def _facts(survey: pd.DataFrame, cousin: pd.DataFrame, quiet: pd.DataFrame, late: pd.DataFrame) -> dict[str, bool]:
    """What the tables say about each statement that is computed or observed."""
    winner, other = survey.set_index("n")["winner"], cousin.set_index("n")
    peaceful = other.index[other["peace"] == "yes"]
    return {
        "small_winners": [list(winner.index[winner == who]) for who in ("first", "second")]
        == [[2, 4, 7], [3, 5, 6, 9]],
        "eight_is_drawn": winner[8] == "draw",
        "drawn_from_ten": (winner.loc[10:] == "draw").all(),
        "winners_leave_cycles": (winner[[4, 5, 6, 7, 9]] != "draw").all(),
        "no_peace": not quiet[["moving", "waiting"]].any(axis=None),
        "few_exceptions": late["exception"].mean() < 0.1,
        "rolling_is_drawn": (other.loc[5:, "winner"] == "draw").all(),
        "peace_from_thirteen": list(peaceful) == list(range(13, other.index.max() + 1)),
    }
