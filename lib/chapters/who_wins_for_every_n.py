"""Chapter A.4: what is said about every N: a row of numbers, closed rules, peace, the shortest certificate."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import yaml
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_array

from gamebalance.base.jit import njit
from gamebalance.countn import START, WITHDRAWN, Solution, solve
from gamebalance.countn.certificate import drawing_certificate
from gamebalance.countn.checker import check
from gamebalance.countn.solution import number
from gamebalance.countn.tables import moves_table, pair_hands

#: From here on to 256 the rule of `three_hands` has few exceptions.
RULE_FROM = 27


def row(n: int, overflow: str = "one", largest_certificate: int = 128) -> dict[str, Any]:
    """The survey's numbers for one N; certificates are made and checked up to N = `largest_certificate`."""
    solution = solve(n, overflow)
    drawn = solution.start_value == "draw" and n <= largest_certificate
    return {
        "n": n,
        "overflow": overflow,
        "winner": solution.start_value,
        "plies": solution.start_distance,
        "longest": int(solution.distances.max()),
        "reachable": solution.reachable_count,
        "ends": solution.terminal_count,
        "reachable_draws": solution.label_counts()[None],
        **_shares(solution),
        "certificate": check(drawing_certificate(solution).lines())[2] if drawn else None,
    }


def _shares(solution: Solution) -> dict[str, float]:
    """How positions with four, three and two hands fall out."""
    live, signs = (pair_hands(solution.game.n) > 0).sum(axis=1), {}
    for own, other in ((1, 1), (1, 2), (2, 1), (2, 2)):
        counts = np.zeros(5, np.int64)
        for opponent in np.flatnonzero(live == other):
            counts += np.bincount(solution.values[opponent, live == own] + 2, minlength=5)
        signs[own, other] = np.array([counts[:2].sum(), counts[2], counts[3:].sum()]) / counts.sum()
    # The mover has one hand and the opponent two, or the other way round; there are as many positions of each kind.
    fewer, more = signs[1, 2], signs[2, 1]
    return {
        "four_hands_drawn": float(signs[2, 2][1]),
        "one_hand_drawn": float(signs[1, 1][1]),
        "fewer_hands_wins": float(fewer[2] + more[0]) / 2,
        "more_hands_wins": float(fewer[0] + more[2]) / 2,
        "three_hands_drawn": float(fewer[1] + more[1]) / 2,
    }


def one_hand(n: int, mover: int, opponent: int) -> tuple[int, int]:
    """Who wins with one hand each (1 the mover, -1 the opponent), and after how many plies, by the theorem."""
    plies = 0
    while True:
        before, last, count = mover, opponent, 1
        while before + last < n:
            before, last, count = last, before + last, count + 1
        plies += count
        if before + last == n:
            return (1 if plies % 2 else -1), plies
        if count > 1:
            break
        mover, opponent = last, 1
    left = n - last
    return (1 if (left % 4 in (0, 1)) == (plies % 2 == 0) else -1), plies + (3 * left - 1) // 2


def one_one(n: int) -> dict[str, Any]:
    """Who wins with one hand each that shows 1, by the closed rule, and the Fibonacci numbers below n and from n on."""
    index, below, above = 2, 1, 2
    while above < n:
        index, below, above = index + 1, above, below + above
    left = n - below
    if n == above:
        # Ply k - 1 withdraws the hand, and odd plies are the mover's.
        mover_wins, plies = index % 2 == 0, index - 1
    else:
        mover_wins, plies = (left % 4 in (0, 1)) == (index % 2 == 1), index - 1 + (3 * left - 1) // 2
    return {"below": below, "above": above, "mover_wins": mover_wins, "plies": plies}


def free_fibonacci(n: int) -> int:
    """How many pairs of hands, one each, are never decided under "rollover": those on cycles modulo n without a 0."""
    decided = set()
    for first in range(1, n):
        pair = first, 0
        while pair not in decided:
            decided.add(pair)
            pair = pair[1], sum(pair) % n
    return (n - 1) ** 2 - sum(a != 0 != b for a, b in decided)


def three_hands(survey: pd.DataFrame) -> pd.DataFrame:
    """How endings with three hands mostly fall out, beside a rule: fewer hands win if the mover wins 1 v 1."""
    kinds = {"fewer_hands_wins": "fewer", "three_hands_drawn": "drawn", "more_hands_wins": "more"}
    frame = survey[["n", *kinds]].copy()
    frame.insert(1, "mover_wins_1v1", [one_one(n)["mover_wins"] for n in frame["n"]])
    frame["mostly"] = frame[list(kinds)].idxmax(axis=1).map(kinds)
    frame["rule"] = frame["mover_wins_1v1"].map({True: "fewer", False: "drawn"})
    frame["exception"] = frame["mostly"] != frame["rule"]
    return frame


def stretches(three: pd.DataFrame) -> pd.DataFrame:
    """The rule, in a table of `three_hands`, between one Fibonacci number and the next, from 21 on."""
    rows = []
    for (below, above), part in three.groupby([[one_one(n)[end] for n in three["n"]] for end in ("below", "above")]):
        percent = 100 * part[~part["exception"]].groupby("rule")["fewer_hands_wins"].agg(["min", "max"])
        # A Fibonacci number, the last N of a whole stretch, has a rule of its own.
        inside = part.loc[part["mover_wins_1v1"] & (part["n"] != above), "n"]
        row = {
            "N": f"{part['n'].min()} to {part['n'].max()}",
            "mover wins 1 v 1 if N mod 4 is": " or ".join(map(str, sorted(set(inside % 4)))),
            "one hand wins, least %": percent["min"].get("fewer"),
            "one hand wins, most %": percent["max"].get("drawn"),
            "exceptions": ", ".join(map(str, part.loc[part["exception"], "n"])) or "none",
        }
        rows += [row] if below >= 21 else []
    return pd.DataFrame(rows)


def statements(survey: pd.DataFrame, cousin: pd.DataFrame, quiet: pd.DataFrame, live: int) -> pd.DataFrame:
    """What is said about many N (in the yaml file), on what it rests, and an error if the tables say otherwise."""
    late, winner = three_hands(survey).query("n >= @RULE_FROM"), survey.set_index("n")["winner"]
    other, peaceful = cousin.set_index("n"), cousin.loc[cousin["peace"] == "yes", "n"]
    winners = [winner.index[winner == who].tolist() for who in ("first", "second")]
    facts = {
        "small_winners": winners == [[2, 4, 7], [3, 5, 6, 9]],
        "eight_is_drawn": winner[8] == "draw",
        "drawn_from_ten": (winner.loc[10:] == "draw").all(),
        "winners_leave_cycles": (winner[[4, 5, 6, 7, 9]] != "draw").all(),
        "no_peace": not quiet[["moving", "waiting"]].any(axis=None),
        "few_exceptions": late["exception"].mean() < 0.1,
        "rolling_is_drawn": (other.loc[5:, "winner"] == "draw").all(),
        "peace_from_thirteen": peaceful.tolist() == list(range(13, other.index.max() + 1)),
    }
    known = {
        "largest": survey["n"].max(),
        "certificates": survey.dropna(subset="certificate")["n"].max(),
        "live": live,
        "rollover": cousin["n"].max(),
        "rule_from": RULE_FROM,
        "exceptions": late["exception"].sum(),
    }
    rows = []
    for entry in yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8")):
        texts = {name: entry[name].format(**known) for name in ("statement", "status", "rests on")}
        if entry["status"] in ("computed", "observed") and not facts[entry["holds"]]:
            raise ValueError(f"statement = {texts['statement']!r}: the tables say otherwise")
        rows.append(texts)
    return pd.DataFrame(rows).rename(columns={"rests on": "on what it rests"})


def shortest_certificate(solution: Solution, seconds: float) -> tuple[int, int]:
    """The length of the shortest drawing certificate found in so many seconds, and a lower bound, by HiGHS.

    A variable for each position: 1 if the keeper of the draw may meet it. The start is met in both roles; a position
    with the keeper to move needs one of its successors, one with the other to move all; the former are counted.
    """
    follow = _keepers_graph(solution)
    numbers = {node: place for place, node in enumerate(follow)}
    entries, rows = [], 0
    for node, children in follow.items():
        for group in [children] if node[0] else [[child] for child in children]:
            entries += [(rows, numbers[node], -1), *((rows, numbers[child], 1) for child in group)]
            rows += 1
    line, column, sign = np.array(entries).T
    matrix = coo_array((sign, (line, column)), shape=(rows, len(numbers))).tocsr()
    least = np.zeros(len(numbers))
    least[[numbers[True, *START], numbers[False, *START]]] = 1
    answer = milp(
        [float(node[0]) for node in follow],
        constraints=LinearConstraint(matrix, 0, np.inf),
        bounds=Bounds(least, 1),
        integrality=np.ones(len(numbers)),
        options={"time_limit": seconds},
    )
    return round(answer.fun), int(np.ceil(answer.mip_dual_bound - 1e-6))


def _keepers_graph(solution: Solution) -> dict[tuple, list[tuple]]:
    """What may follow each position (keeper to move?, mover's hands, other's) that an unerring keeper may meet."""
    follow: dict[tuple, list[tuple]] = {}
    pending = [(True, *START), (False, *START)]
    while pending:
        node = keeping, mover, opponent = pending.pop()
        if node not in follow:
            after = [] if opponent == WITHDRAWN else solution.game.successors(mover, opponent)
            follow[node] = [(not keeping, *pair) for pair in after if not keeping or solution.value(*pair) <= 0]
            pending += follow[node]
    return follow


def keep_peace(n: int, overflow: str = "one") -> dict[str, Any]:
    """In how many positions, and from the start?, one player can keep all four hands in the game for ever.

    The greatest fixed point: positions are struck out until each that is left has, with the keeper to move, one move
    to another that is left, and with the other to move, only such moves.
    """
    moving, waiting = _keep(pair_hands(n), moves_table(n, overflow == "rollover"))
    start = tuple(map(number, START))
    return {"moving": int(moving.sum()), "waiting": int(waiting.sum()), "start": bool(moving[start] and waiting[start])}


@njit
def _keep(hands, table):
    """The two sets, [keeper's pair, other's pair]."""
    pairs = len(hands)
    four = hands[:, 1] > 0
    moving = four.reshape((pairs, 1)) & four.reshape((1, pairs))
    waiting = moving.copy()
    changed = True
    while changed:
        changed = False
        for keeper in range(pairs):
            for other in range(pairs):
                # Struck if some move of the other player leads out, or if none of the keeper's stays.
                if waiting[keeper, other] and not _stays(hands[keeper], table[:, other], moving[keeper], True):
                    waiting[keeper, other] = False
                    changed = True
        for keeper in range(pairs):
            for other in range(pairs):
                if moving[keeper, other] and not _stays(hands[other], table[:, keeper], waiting[:, other], False):
                    moving[keeper, other] = False
                    changed = True
    return moving, waiting


@njit(inline="always")
def _stays(added, table, safe, all_moves):
    """Whether all moves of who moves, or one, lead to positions of a set."""
    for hand in added:
        for k in range(2):
            after = table[hand, k]
            if after >= 0 and safe[after] != all_moves:
                return not all_moves
    return all_moves
