"""What positions are worth: against one pair, by the numbers that show, and how carefully they must be played."""

import pandas as pd

from gamebalance.countn.notation import hands_text, position_text
from gamebalance.countn.plain import Position
from gamebalance.countn.rules import WITHDRAWN, Hands
from gamebalance.countn.solution import Solution
from gamebalance.countn.states import mover_first

#: The pair that the study's rules of thumb are about.
SEVENS = (7, 7)

#: Signs of a value, by what they mean for whose value it is.
OUTCOMES = {"won": 1, "drawn": 0, "lost": -1}


def sign(value: int) -> int:
    """-1, 0 or 1."""
    return (value > 0) - (value < 0)


def live_pairs(solution: Solution) -> list[Hands]:
    """The pairs with a live hand, by the smaller number, those with a withdrawn hand last."""
    pairs = [pair for pair in solution.game.pairs if pair != WITHDRAWN]
    return sorted(pairs, key=lambda pair: (pair[1] is None, pair[0], pair[1] or 0))


def reachable_positions(solution: Solution) -> list[Position]:
    """The reachable positions that are not ends, each once, whoever of the players is to move."""
    positions = dict.fromkeys(mover_first(state) for state in solution.reachable_states())
    return [(mover, opponent) for mover, opponent in positions if opponent != WITHDRAWN]


def can_occur(solution: Solution, mover: Hands, opponent: Hands) -> bool:
    """Whether a position is reachable, with the first or the second player to move."""
    return solution.is_reachable(mover, opponent, False) or solution.is_reachable(opponent, mover, True)


def against(solution: Solution, opponent: Hands = SEVENS) -> pd.DataFrame:
    """What every pair of hands (row, as text) is worth against one pair of the other side.

    For "owner to move" and for "other to move": the `value` for the owner of the pair, the `plies` to the end (NaN in a
    draw), and whether the position is `reachable`.
    """
    sides = {"owner to move": 1, "other to move": -1}
    rows = {}
    for pair in live_pairs(solution):
        rows[hands_text(pair)] = row = {}
        for side, worth in sides.items():
            place = (pair, opponent) if worth == 1 else (opponent, pair)
            row[side, "value"] = worth * solution.value(*place)
            row[side, "plies"] = solution.distance(*place)
            row[side, "reachable"] = can_occur(solution, *place)
    frame = pd.DataFrame.from_dict(rows, orient="index").rename_axis("hands")
    return frame.astype({(side, "plies"): float for side in sides})


def showing(solution: Solution) -> pd.DataFrame:
    """How reachable positions turn out for a side that shows a number (row; the last is "any").

    For this side "to move" and "not to move": `positions` (those that are not ends), and the percentages of them that
    this side wins, draws and loses.
    """
    every = [(position, sign(solution.value(*position))) for position in reachable_positions(solution)]
    rows = {}
    for number in (*range(1, solution.game.n), "any"):
        rows[number] = row = {}
        for place, side in enumerate(("to move", "not to move")):
            signs = [value for hands, value in every if number == "any" or number in hands[place]]
            row[side, "positions"] = len(signs)
            for name, outcome in OUTCOMES.items():
                found = signs.count(outcome if place == 0 else -outcome)
                row[side, f"% {name}"] = 100 * found / len(signs) if signs else float("nan")
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("number")


def value_chart(solution: Solution) -> pd.DataFrame:
    """The value of every reachable position that is not an end, else NaN, by mover's and opponent's hands."""
    names = [hands_text(pair) for pair in live_pairs(solution)]
    chart = pd.DataFrame(index=names, columns=names, dtype=float)
    for mover, opponent in reachable_positions(solution):
        chart.loc[hands_text(mover), hands_text(opponent)] = solution.value(mover, opponent)
    return chart.rename_axis(index="mover", columns="opponent")


def care(solution: Solution) -> pd.DataFrame:
    """How many moves keep what a position is worth, for every reachable position that is not an end.

    `position` (text), `value`, `distance` (NaN in a draw), `moves` (different results), `keep` (those that keep the
    sign).
    """
    rows = []
    for mover, opponent in reachable_positions(solution):
        options = solution.options(mover, opponent)
        value, distance = options[0].value, options[0].distance
        keep = sum(sign(option.value) == sign(value) for option in options)
        rows.append((position_text(mover, opponent), value, distance, len(options), keep))
    frame = pd.DataFrame(rows, columns=["position", "value", "distance", "moves", "keep"])
    return frame.astype({"distance": float})


def care_summary(solution: Solution) -> pd.DataFrame:
    """`care` summed up for won and for drawn positions.

    `positions`; `choice`, those with two moves or more; `only move`, those of them in which a single move keeps the
    value; `any move`, those in which every move does; `% of moves`, the share of moves that keep the value, mean over
    the positions with a choice; `most plies` to the end.
    """
    frame, rows = care(solution), {}
    for name in ("won", "drawn"):
        part = frame[frame["value"].map(sign) == OUTCOMES[name]]
        choice = part[part["moves"] > 1]
        rows[name] = {
            "positions": len(part),
            "choice": len(choice),
            "only move": (choice["keep"] == 1).sum(),
            "any move": (choice["keep"] == choice["moves"]).sum(),
            "% of moves": 100 * (choice["keep"] / choice["moves"]).mean(),
            "most plies": part["distance"].max(),
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("the mover has")
