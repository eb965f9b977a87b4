"""Headings, titles and constants of the report beside what the numbers under them say they should be."""

from collections.abc import Mapping
from itertools import product
from math import floor, log10

import pandas as pd

from chapters.sanguosha.audit.judging import MISPRINT, REPRODUCES, SLACK
from chapters.sanguosha.audit.numbers import Key, Numbers, count_table, summary_table
from gamebalance.as_published.transfer import LINEUP
from gamebalance.as_published.transfer_kernel import LEVELS, ONE, PLAYERS
from gamebalance.sanguosha.lineup import LINEUPS, Lineup
from gamebalance.sanguosha.rules import REPORT_DECK, Card
from gamebalance.sanguosha.states import theorem_bound

Labels = dict[Key, str]


def judge_labels(labels: pd.DataFrame, printed: pd.DataFrame, emulated: Numbers) -> pd.DataFrame:
    """A verdict on every printed heading, title and constant: columns place, quantity, printed, recomputed, verdict.

    `labels` has the first three of them, as text; `printed` and `emulated` are those of `judge_numbers`.
    """
    values = {(row.place, row.quantity): (row.printed, row.unit) for row in printed.itertuples()}
    found = {**_headings(values, emulated), **_titles(values, emulated), **_cards(), **_constants(labels)}
    rows = [(*row, found[row[:2]]) for row in labels.itertuples(index=False, name=None)]
    frame = pd.DataFrame(rows, columns=["place", "quantity", "printed", "recomputed"])
    same = frame["printed"] == frame["recomputed"]
    frame["verdict"] = [REPRODUCES if equal else MISPRINT for equal in same]
    return frame


def _whose(moves: Mapping[str, list[tuple[Key, Key]]], values: Mapping, emulated: Numbers) -> str:
    """The names whose emulated numbers are the printed ones, from pairs of keys (printed, emulated) by name."""

    def same(key: Key, own: Key) -> bool:
        printed, unit = values[key]
        return abs(emulated.get(own, -1) - printed) <= unit * (0.5 + SLACK)

    return " or ".join(name for name, pairs in moves.items() if all(same(*pair) for pair in pairs)) or "nothing"


def _headings(values: Mapping, emulated: Numbers) -> Labels:
    """Which seating the numbers of each column of Tables 1 and 3 belong to."""
    found = {}
    for table, (column, filed) in product(("Table 1", "Table 3"), enumerate(LINEUP.seatings(), 1)):
        quantities = [quantity for place, quantity in values if place == table and quantity.startswith(f"{filed}: ")]
        moves = {
            name: [((table, quantity), (table, quantity.replace(filed, name, 1))) for quantity in quantities]
            for name in LINEUP.seatings()
        }
        found[table, f"heading of column {column}"] = _whose(moves, values, emulated)
    return found


def _titles(values: Mapping, emulated: Numbers) -> Labels:
    """Which line-up the numbers of Tables 4 and 6 to 23 belong to."""
    found: Labels = {("Table 6", "first line"): " ".join(map(str, (*LINEUP.counts, LINEUP.players)))}
    names = list(map(str, LINEUPS))
    for row, filed in enumerate(names, 1):
        for table_of in (count_table, summary_table):
            keys = [key for key in values if key[0] == table_of(filed)]
            moves = {name: [(key, (table_of(name), key[1])) for key in keys] for name in names}
            found[table_of(filed), "title"] = _title(_whose(moves, values, emulated))
        moves = {
            name: [(("Table 4", f"{filed}: {m}"), ("Table 4", f"{name}: {m}")) for m in ("Bal", "Rat")]
            for name in names
        }
        found["Table 4", f"line-up of row {row}"] = _title(_whose(moves, values, emulated), prime=True)
    return found


def _title(name: str, prime: bool = False) -> str:
    """A line-up as the report writes it; in Table 4 the second with as many players gets a prime."""
    if name not in map(str, LINEUPS):
        return name
    line = Lineup.parse(name)
    first = next(each for each in LINEUPS if each.players == line.players)
    mark = "'" if prime and line != first else ""
    return f"{line.players}{mark}: {' '.join(map(str, line.counts))}"


def _cards() -> Labels:
    """The deck with which both procedures give the printed numbers."""
    found = {}
    for card, number in zip(Card, REPORT_DECK, strict=True):
        name = card.name.lower()
        found["§2.6", f"probability of {name}"] = f"{number}/{sum(REPORT_DECK)}"
        for place in ("Appendix A", "Appendix B"):
            found[place, f"number of {name} cards"] = str(number)
    return found


def _constants(labels: pd.DataFrame) -> Labels:
    """Numbers of the text: the example's states must be possible (note 4.2), its products and bounds right."""
    found = {}
    for row in labels[labels["quantity"].str.startswith("health and dodges")].itertuples():
        health, dodges = map(int, row.printed.split())
        found[row.place, row.quantity] = f"{health} {min(dodges, health)}"
    share = {card: f"{REPORT_DECK[card]}/{sum(REPORT_DECK)}" for card in Card}
    pair = f"{share[Card.SLASH]} x {share[Card.PEACH]}"
    found["Example 6.1", "probability of slash, then peach"] = pair
    found["Example 6.1", "contribution to the state after"] = f"1/2 x {pair}"
    found["§6.2", "threshold"] = f"1/(2^{(ONE + 1).bit_length() - 1} - 1)"
    kinds = [sum(player.health == health for player in PLAYERS) // 2 for health in range(LEVELS)]
    found["§7", "pairs of health and dodges"] = f"{'+'.join(map(str, kinds))} = {sum(kinds)}"
    found["§7", "order of the states of five players"] = f"10^{floor(log10(theorem_bound(5)))}"
    return found
