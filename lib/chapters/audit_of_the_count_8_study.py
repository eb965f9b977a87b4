"""Chapter A.7: our results beside those of the Count-8 study, and what hangs on the order of its loop."""

import random
from collections import Counter
from collections.abc import Iterable

import pandas as pd

from chapters.who_wins_small import LABEL_TEXT, state_values
from gamebalance.countn import WITHDRAWN, Game, solve
from gamebalance.countn.plain import published_labels, reachable
from gamebalance.countn.rules import Hands
from gamebalance.countn.solution import LABELS
from gamebalance.countn.states import State


def label_table(printed: pd.DataFrame) -> pd.DataFrame:
    """The study's counts of labels as printed, by its procedure as programmed here, and under best play, for each N."""
    rows = []
    for n, group in printed.groupby("n"):
        told = {None if pd.isna(label) else int(label): count for label, count in group[["label", "count"]].values}
        solution = solve(int(n))
        kinds = {"printed": told, "procedure": solution.label_counts("published"), "best play": solution.label_counts()}
        for kind, counts in kinds.items():
            numbers = {LABEL_TEXT[label]: int(counts[label]) for label in LABELS}
            rows.append({"N": int(n), "labels": kind, **numbers, "states": sum(numbers.values())})
    return pd.DataFrame(rows)


def end_table(game: Game, ours: set[State], printed: set[State]) -> pd.DataFrame:
    """The ends by the hands of the loser: ● where both have the end, · where neither has, else in words."""

    def mark(hands: Hands) -> str:
        both = {(hands, WITHDRAWN, False), (WITHDRAWN, hands, True)}
        counts = len(both & ours), len(both & printed)
        return {(2, 2): "●", (0, 0): "·"}.get(counts, "{} here, {} printed".format(*counts))

    numbers = range(1, game.n)
    rows = {
        low: [mark((low, high)) if high is None or high >= low else "" for high in [*numbers, None]] for low in numbers
    }
    table = pd.DataFrame.from_dict(rows, orient="index", columns=[*map(str, numbers), "-"])
    return table.rename_axis("loser's hands").reset_index()


def orders(game: Game, shuffles: int, seed: int) -> dict[str, list[State]]:
    """Orders in which the study's loop might go through the states; random ones have the names "random 1" and so on."""
    states, generator = reachable(game), random.Random(seed)
    place = {pair: index for index, pair in enumerate(game.pairs)}
    return {
        "the study's": states,
        "backwards": states[::-1],
        "second player's hands first": sorted(states, key=lambda state: (place[state[1]], place[state[0]], state[2])),
        "first to move before second": sorted(states, key=lambda state: state[2]),
    } | {f"random {number}": generator.sample(states, len(states)) for number in range(1, shuffles + 1)}


def differing(values: dict[State, int], labels: dict[State, int]) -> dict[State, tuple[int, int]]:
    """The states whose label is not their value: state -> (label, value), 0 for no label and for a draw."""
    both = {state: (labels.get(state, 0), value) for state, value in values.items()}
    return {state: pair for state, pair in both.items() if pair[0] != pair[1]}


def order_effects(sizes: Iterable[int], shuffles: int, seed: int) -> pd.DataFrame:
    """How many labels of the study's procedure have the wrong size, or another sign, by N and order of its loop."""
    rows = []
    for n in sizes:
        game, values = Game(n), state_values(solve(n))
        for name, order in orders(game, shuffles, seed).items():
            labels = published_labels(game, order)
            wrong = differing(values, labels).values()
            sign = sum(label * value <= 0 for label, value in wrong)
            counts = Counter(labels.get(state) for state in order)
            numbers = {LABEL_TEXT[label]: counts[label] for label in LABELS}
            rows.append({"N": n, "order": name, **numbers, "size": len(wrong) - sign, "sign": sign})
    return pd.DataFrame(rows)
