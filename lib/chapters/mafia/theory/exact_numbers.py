"""Exact chances of many towns at once, and what can be read off them."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from gamebalance.base.checks import in_memory, listed, shown, whole_number
from gamebalance.mafia.kernels.layers import layers
from gamebalance.mafia.rules import AS_CODED, Rules, check_rules
from gamebalance.mafia.setups import MOST_PLAYERS

#: Steps in a table of chances (detectives, mafiosi), and the sign of the change that is surprising.
_STEPS = {"mafioso": ((0, 1), 1), "detective": ((1, 0), -1)}
#: Far more than rounding.
LEAST_CHANGE = 1e-12


def exact_chances(
    players: Iterable[int], most_mafiosi: int, most_detectives: int, rules: Rules = AS_CODED
) -> dict[int, np.ndarray]:
    """Exact chances that the innocents win from the evening on, for several numbers of players in one pass.

    By number of players: shape (most_detectives + 1, most_mafiosi + 1), NaN where the roles are more than the players.
    The time goes with players times mafiosi times detectives, 1e8 in about a second.
    """
    wanted = {whole_number("players", number, 0, MOST_PLAYERS) for number in listed("players", players)}
    mafiosi = whole_number("most_mafiosi", most_mafiosi, 0, MOST_PLAYERS)
    detectives = whole_number("most_detectives", most_detectives, 0, MOST_PLAYERS)
    check_rules(rules, memory=False)
    cells = (mafiosi + 1.0) * (detectives + 1)
    in_memory(f"{len(wanted)} tables of up to {mafiosi} mafiosi, {detectives} detectives", 8 * cells * len(wanted))
    roles = np.add.outer(np.arange(detectives + 1), np.arange(mafiosi + 1))
    found = {}
    for living, table in layers(max(wanted, default=0), mafiosi, detectives, rules, "evening"):
        if living in wanted:
            found[living] = np.where(roles <= living, table, np.nan)
    return found


def fair_number(chances) -> float:
    """The number of mafiosi at which a chance falls through 1/2, between whole numbers on a straight line.

    `chances` are those that the innocents win against 0, 1, 2 … mafiosi; NaN at the end is left out, and the answer if
    no chance is below 1/2.

    >>> fair_number([1, 0.75, 0.25])
    1.5
    """
    values = np.asarray(chances, dtype=float)
    if values.ndim != 1 or not values.size or not values[0] >= 0.5:
        raise ValueError(f"chances = {shown(chances)}: a row of chances that begins with 1/2 or more is needed")
    below = np.flatnonzero(values < 0.5)
    if not below.size:
        return float("nan")
    after = int(below[0])
    return after - 1 + float((values[after - 1] - 0.5) / (values[after - 1] - values[after]))


class Surprise(NamedTuple):
    """A set-up in which an innocent's change of side or role has the opposite effect of what one would think.

    The numbers of people are those before the change; `before` and `after` are chances that the innocents win.
    """

    mafiosi: int
    innocents: int
    detectives: int
    before: float
    after: float


def surprises(most_players: int, becomes: str = "mafioso", rules: Rules = AS_CODED) -> list[Surprise]:
    """All set-ups in which the innocents gain when one of them turns mafioso, or lose when one turns detective.

    By players, then detectives, then mafiosi; the chance must change by `LEAST_CHANGE`. The
    time grows with the third power of the players (60 take milliseconds).
    """
    (down, across), sign = _STEPS[becomes]
    found = []
    for players, table in exact_chances(range(most_players + 1), most_players, most_players, rules).items():
        before, after = table[: len(table) - down, : len(table) - across], table[down:, across:]
        for d, m in np.argwhere(sign * (after - before) > LEAST_CHANGE).tolist():
            found.append(Surprise(m, players - m - d, d, float(before[d, m]), float(after[d, m])))
    return found
