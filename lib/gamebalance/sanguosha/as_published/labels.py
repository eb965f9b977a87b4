"""Headings, titles and constants of the report beside what the numbers under them say they should be."""

from collections.abc import Callable, Iterable, Mapping
from math import floor, log10

import pandas as pd

from gamebalance.sanguosha.as_published import _passing
from gamebalance.sanguosha.as_published.audit import MISPRINT, REPRODUCES, SLACK
from gamebalance.sanguosha.as_published.numbers import Numbers, count_table, summary_table
from gamebalance.sanguosha.as_published.transfer import LINEUP
from gamebalance.sanguosha.lineup import LINEUPS, Lineup
from gamebalance.sanguosha.rules import REPORT_DECK, Card
from gamebalance.sanguosha.states import theorem_bound

#: Half a printed digit, in its units.
HALF = 0.5 + SLACK

Labels = dict[tuple[str, str], str]


def audit_labels(labels: pd.DataFrame, printed: pd.DataFrame, emulated: Numbers) -> pd.DataFrame:
    """A verdict on every printed heading, title and constant.

    Parameters
    ----------
    labels : DataFrame
        Columns place, quantity and printed, as text.
    printed, emulated : DataFrame and dict
        The printed numbers and the emulated ones, as `audit.audit` takes them.

    Returns
    -------
    DataFrame
        Columns place, quantity, printed, recomputed and verdict.
    """
    values = {(row.place, row.quantity): (row.printed, row.unit) for row in printed.itertuples()}
    found = {**_headings(values, emulated), **_titles(values, emulated), **_cards(), **_constants(labels)}
    rows = [(*row, found[row[:2]]) for row in labels.itertuples(index=False, name=None)]
    frame = pd.DataFrame(rows, columns=["place", "quantity", "printed", "recomputed"])
    same = frame["printed"] == frame["recomputed"]
    frame["verdict"] = [REPRODUCES if equal else MISPRINT for equal in same]
    return frame


def _whose(names: Iterable[str], number_of: Callable[[str], list[tuple]], values: Mapping, emulated: Numbers) -> str:
    """The names whose emulated numbers are the printed ones, given pairs of keys (printed, emulated) by name."""

    def fits(name: str) -> bool:
        return all(abs(emulated.get(own, -1) - values[key][0]) <= values[key][1] * HALF for key, own in number_of(name))

    return " or ".join(filter(fits, names)) or "nothing"


def _headings(values: Mapping, emulated: Numbers) -> Labels:
    """Which seating the numbers of each column of Tables 1 and 3 belong to."""
    found = {}
    for table in ("Table 1", "Table 3"):
        for column, filed in enumerate(LINEUP.seatings(), 1):
            keys = [key for key in values if key[0] == table and key[1].startswith(f"{filed}: ")]

            def pairs(name, keys=keys, filed=filed):
                return [(key, (key[0], key[1].replace(filed, name, 1))) for key in keys]

            found[table, f"heading of column {column}"] = _whose(LINEUP.seatings(), pairs, values, emulated)
    return found


def _titles(values: Mapping, emulated: Numbers) -> Labels:
    """Which line-up the numbers of Tables 4 and 6 to 23 belong to."""
    found: Labels = {("Table 6", "first line"): " ".join(map(str, (*LINEUP.counts, LINEUP.players)))}
    for row, filed in enumerate(LINEUPS, 1):
        for table_of in (count_table, summary_table):
            keys = [key for key in values if key[0] == table_of(str(filed))]

            def pairs(name, keys=keys, table_of=table_of):
                return [(key, (table_of(name), key[1])) for key in keys]

            whose = _whose(map(str, LINEUPS), pairs, values, emulated)
            found[table_of(str(filed)), "title"] = _title(whose)

        def measures(name, filed=filed):
            return [(("Table 4", f"{filed}: {m}"), ("Table 4", f"{name}: {m}")) for m in ("Bal", "Rat")]

        found["Table 4", f"line-up of row {row}"] = _title(_whose(map(str, LINEUPS), measures, values, emulated), True)
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
    found["§6.2", "threshold"] = f"1/(2^{(_passing.ONE + 1).bit_length() - 1} - 1)"
    kinds = [sum(player.health == health for player in _passing.PLAYERS) // 2 for health in range(_passing.LEVELS)]
    found["§7", "pairs of health and dodges"] = f"{'+'.join(map(str, kinds))} = {sum(kinds)}"
    found["§7", "order of the states of five players"] = f"10^{floor(log10(theorem_bound(5)))}"
    return found
