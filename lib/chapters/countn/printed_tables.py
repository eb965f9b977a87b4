"""Our results beside those that the study prints, and what in them depends on the order of its loop.

"The study" is 凑8游戏——图论分析 (*The game Count-8: an analysis by graph theory*).
"""

import random
from collections import Counter
from collections.abc import Iterable

import pandas as pd

from gamebalance.base.checks import check_seed, whole_number
from gamebalance.countn import published_labels
from gamebalance.countn.rules import START, WITHDRAWN, Game, Hands
from gamebalance.countn.solution import LABELS, Solution, solve
from gamebalance.countn.states import State, mover_first

#: The kinds of label in `label_table`.
PRINTED, PROCEDURE, BEST_PLAY = "printed", "procedure", "best play"
#: How a label is written; None, a state without a winner, is "none".
LABEL_TEXT = {-2: "−2", -1: "−1", 1: "+1", 2: "+2", None: "none"}


def label_table(printed: pd.DataFrame) -> pd.DataFrame:
    """The study's table of label counts (``n``, ``label``, ``count``) beside ours.

    Three rows for each N: as printed, by the study's procedure as it is programmed here, and under best play. A column
    for each label, and ``states``, their sum.
    """
    rows = []
    for n, group in printed.groupby("n"):
        counts = {PRINTED: _printed_counts(group)}
        solution = solve(int(n))
        counts |= {PROCEDURE: solution.label_counts("published"), BEST_PLAY: solution.label_counts()}
        for kind, count in counts.items():
            numbers = [count[label] for label in LABELS]
            rows.append((int(n), kind, *numbers, sum(numbers)))
    return pd.DataFrame(rows, columns=["N", "labels", *(LABEL_TEXT[label] for label in LABELS), "states"])


def _printed_counts(group: pd.DataFrame) -> dict[int | None, int]:
    labels = (None if pd.isna(label) or label == "None" else int(label) for label in group["label"])
    return dict(zip(labels, map(int, group["count"]), strict=True))


def equal_cells(table: pd.DataFrame, kind: str) -> pd.DataFrame:
    """Whether a kind of label in `label_table` has the printed counts: rows N, columns labels, True and False."""
    numbers = table.set_index(["labels", "N"])[list(LABEL_TEXT.values())]
    return numbers.loc[kind] == numbers.loc[PRINTED]


def ends(game: Game) -> set[State]:
    """The reachable states in which the game is over."""
    return {state for state in published_labels.states(game) if WITHDRAWN in state[:2]}


def printed_ends(printed: pd.DataFrame) -> set[State]:
    """The states in the study's list of ends; a withdrawn hand is missing or "None"."""
    columns = [f"{player}_hand_{hand}" for player in ("first", "second") for hand in (1, 2)]
    return {
        (tuple(map(_hand, row[:2])), tuple(map(_hand, row[2:4])), bool(row[4]))
        for row in printed[[*columns, "second_to_move"]].itertuples(index=False, name=None)
    }


def _hand(number) -> int | None:
    return None if pd.isna(number) or number == "None" else int(number)


def end_table(game: Game, ours: set[State], printed: set[State]) -> pd.DataFrame:
    """The ends by the hands of the loser, who is to move: rows the smaller hand, columns the larger one or "-".

    "●" where both have the end, with either player as the loser; "·" where neither has it; any other case in words.
    """
    numbers = range(1, game.n)
    rows = {low: [_end_mark((low, high), ours, printed) for high in [*numbers, None]] for low in numbers}
    table = pd.DataFrame.from_dict(rows, orient="index", columns=[*map(str, numbers), "-"])
    return table.rename_axis("loser's hands").reset_index()


def _end_mark(hands: Hands, ours: set, printed: set) -> str:
    if hands[1] is not None and hands[1] < hands[0]:
        return ""
    both = {(hands, WITHDRAWN, False), (WITHDRAWN, hands, True)}
    found = len(both & ours), len(both & printed)
    return {(2, 2): "●", (0, 0): "·"}.get(found, f"{found[0]} here, {found[1]} printed")


def result_table(sizes: Iterable[int]) -> pd.DataFrame:
    """Who wins, how ("big" or "small"), and how soon, for some N; missing in a draw.

    ``longest`` is the greatest distance of any decided reachable state, ``drawn`` and ``% drawn`` the number and the
    share, in percent, of states without a winner.
    """
    rows = [_result(solve(n)) for n in sizes]
    columns = ["N", "winner", "win", "plies", "longest", "states", "ends", "drawn", "% drawn"]
    return pd.DataFrame(rows, columns=columns)


def _result(solution: Solution) -> tuple:
    win = {0: None, 1: "small", 2: "big"}[abs(solution.value(*START))]
    distances = [solution.distance(*mover_first(state)) or 0 for state in solution.reachable_states()]
    states, drawn = solution.reachable_count, solution.label_counts()[None]
    return (
        *(solution.game.n, solution.start_value, win, solution.start_distance),
        *(max(distances), states, solution.terminal_count, drawn, 100 * drawn / states),
    )


def value_shares(sizes: Iterable[int]) -> pd.DataFrame:
    """The share of each value among the reachable states, under best play: rows N, columns −2, −1, none, +1, +2."""
    rows = {}
    for n in sizes:
        counts = solve(n).label_counts()
        rows[n] = {LABEL_TEXT[label]: counts[label] / sum(counts.values()) for label in (-2, -1, None, 1, 2)}
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("N")


def orders(game: Game, shuffles: int, seed: int) -> dict[str, list[State]]:
    """Orders in which the study's loop might go through the states; random ones have the names "random 1" and so on."""
    shuffles, seed = whole_number("shuffles", shuffles, 0), check_seed(seed)
    states = published_labels.states(game)
    place = {pair: index for index, pair in enumerate(game.pairs)}
    found = {
        "the study's": states,
        "backwards": states[::-1],
        "second player's hands first": sorted(states, key=lambda state: (place[state[1]], place[state[0]], state[2])),
        "first to move before second": sorted(states, key=lambda state: state[2]),
    }
    generator = random.Random(seed)
    for number in range(1, shuffles + 1):
        found[f"random {number}"] = generator.sample(states, len(states))
    return found


def state_values(solution: Solution) -> dict[State, int]:
    """The value, for the side to move, of every reachable state."""
    return {state: solution.value(*mover_first(state)) for state in solution.reachable_states()}


def differing(values: dict[State, int], labels: dict[State, int]) -> dict[State, tuple[int, int]]:
    """The states whose label is not their value: state -> (label, value), 0 for no label and for a draw."""
    both = {state: (labels.get(state, 0), value) for state, value in values.items()}
    return {state: pair for state, pair in both.items() if pair[0] != pair[1]}


def order_effects(sizes: Iterable[int], shuffles: int, seed: int) -> pd.DataFrame:
    """How many labels of the study's procedure are not what best play gives, by N and order of its loop (`orders`).

    Numbers of states: each label, ``size`` (labels that have the right winner and the wrong size) and ``sign`` (labels
    that have the wrong winner, or a draw for a win).
    """
    rows = []
    for n in sizes:
        game, values = Game(n), state_values(solve(n))
        for name, order in orders(game, shuffles, seed).items():
            labels = published_labels.labels(game, order)
            wrong = differing(values, labels).values()
            sign = sum(label * value <= 0 for label, value in wrong)
            counts = Counter(labels.get(state) for state in order)
            rows.append((n, name, *(counts[label] for label in LABELS), len(wrong) - sign, sign))
    return pd.DataFrame(rows, columns=["N", "order", *(LABEL_TEXT[label] for label in LABELS), "size", "sign"])


def order_summary(effects: pd.DataFrame) -> pd.DataFrame:
    """`order_effects` in short: labels of the wrong size, a row for each fixed order and two for the random ones."""
    table = effects.pivot(index="order", columns="N", values="size")
    chance = table.index.str.startswith("random")
    fixed = table[~chance].loc[[name for name in dict.fromkeys(effects["order"]) if not name.startswith("random")]]
    rows = {"random, fewest": table[chance].min(), "random, most": table[chance].max()}
    return pd.concat([fixed, pd.DataFrame(rows).T]).rename_axis("order of the loop").reset_index()


def still_undecided(solution: Solution) -> dict[str, int]:
    """Why what retrograde analysis leaves over is drawn, counted over the reachable states.

    ``draws``: states of value 0; ``can stay``: those of them with a move to another one; ``can win``: those with a move
    to a position that the next mover loses. The proof needs all of them and none.
    """
    drawn = [mover_first(state) for state, value in state_values(solution).items() if value == 0]
    after = [[-solution.value(*child) for child in solution.game.successors(*hands)] for hands in drawn]
    return {
        "draws": len(drawn),
        "can stay": sum(0 in values for values in after),
        "can win": sum(max(values) > 0 for values in after),
    }
