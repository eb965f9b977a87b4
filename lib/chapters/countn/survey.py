"""One line of numbers for each N: who wins, how long it takes, how much is drawn, and how endings fall out."""

from typing import Any

import numpy as np
import pandas as pd

from gamebalance.base.checks import whole_number
from gamebalance.countn.certificate import drawing_certificate
from gamebalance.countn.checker import check
from gamebalance.countn.kernels.retrograde import pair_hands
from gamebalance.countn.solution import Solution, solve

#: Up to here the survey makes a drawing certificate: a minute and 1 GiB for the largest.
LARGEST_CERTIFICATE = 128


def row(n: int, overflow: str = "one", largest_certificate: int = LARGEST_CERTIFICATE) -> dict[str, Any]:
    """What the survey says about one N; certificates are made and checked up to N = `largest_certificate`.

    `plies` from the start to the end, None for a draw; `longest`: plies of the longest win from any position;
    `reachable`, `ends`, `reachable_draws`: numbers of states; `four_hands_drawn`, `one_hand_drawn`: shares of the
    positions in which both players have two hands, or one, that are draws; `fewer_hands_wins`, `more_hands_wins`,
    `three_hands_drawn`: shares of the positions with three hands; `certificate`: positions in the drawing certificate,
    None where none was made.
    """
    largest_certificate = whole_number("largest_certificate", largest_certificate)
    solution = solve(n, overflow)
    states = solution.label_counts()
    drawn = solution.start_value == "draw" and solution.game.n <= largest_certificate
    return {
        "n": solution.game.n,
        "overflow": overflow,
        "winner": solution.start_value,
        "plies": solution.start_distance,
        "longest": int(solution.distances.max()),
        "reachable": solution.reachable_count,
        "ends": solution.terminal_count,
        "reachable_draws": states[None],
        **shares(solution),
        "certificate": check(drawing_certificate(solution).lines())[2] if drawn else None,
    }


def winner_text(frame: pd.DataFrame) -> pd.Series:
    """Who wins, and when, for each line of a survey: "second in 48", or "draw"."""
    texts = frame["winner"] + " in " + frame["plies"].map("{:.0f}".format)
    return texts.where(frame["plies"].notna(), "draw")


def two_halves(frame: pd.DataFrame, last: int) -> pd.DataFrame:
    """A survey up to N = `last` for a page: who wins, the longest win, states and draws, in two halves side by side."""
    names = {"n": "N", "longest": "longest win", "reachable": "states", "reachable_draws": "drawn"}
    table = frame[frame["n"] <= last].rename(columns=names)[list(names.values())]
    table.insert(1, "winner", winner_text(frame))
    table["% drawn"] = 100 * table["drawn"] / table["states"]
    half = -(-len(table) // 2)
    sides = {" ": table.iloc[:half].reset_index(drop=True), "  ": table.iloc[half:].reset_index(drop=True)}
    return pd.concat(sides, axis=1)


def shares(solution: Solution) -> dict[str, float]:
    """How positions with four, three and two hands fall out: the shares of `row`."""
    live = (pair_hands(solution.game.n) > 0).sum(axis=1)
    signs = {(own, other): _signs(solution.values, live, own, other) for own in (1, 2) for other in (1, 2)}
    # The mover has one hand and the opponent two, or the other way round; there are as many positions of each kind.
    fewer, more = signs[1, 2], signs[2, 1]
    return {
        "four_hands_drawn": float(signs[2, 2][1]),
        "one_hand_drawn": float(signs[1, 1][1]),
        "fewer_hands_wins": float(fewer[2] + more[0]) / 2,
        "more_hands_wins": float(fewer[0] + more[2]) / 2,
        "three_hands_drawn": float(fewer[1] + more[1]) / 2,
    }


def _signs(values: np.ndarray, live: np.ndarray, own: int, other: int) -> np.ndarray:
    """Shares of losses, draws and wins of the mover among the positions with so many hands."""
    counts = np.zeros(5, np.int64)
    for opponent in np.flatnonzero(live == other):
        counts += np.bincount(values[opponent, live == own] + 2, minlength=5)
    return np.array([counts[:2].sum(), counts[2], counts[3:].sum()]) / counts.sum()
