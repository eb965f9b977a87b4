"""Exact chances of many towns at once, and what can be read off them."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from gamebalance._checks import in_memory, listed, one_of, shown, whole_number
from gamebalance.mafia._layers import layers
from gamebalance.mafia.rules import MOST_PLAYERS, PHASES, PUBLISHED, Rules, check_rules

#: Steps in a table of chances (detectives, mafiosi), and the sign of the change that is surprising.
_STEPS = {"mafioso": ((0, 1), 1), "detective": ((1, 0), -1)}


def exact_chances(
    players: Iterable[int], most_mafiosi: int, most_detectives: int, rules: Rules = PUBLISHED, phase: str = "evening"
) -> dict[int, np.ndarray]:
    """Exact chances that the innocents win, for several numbers of players in one pass.

    Parameters
    ----------
    players : iterable of int
        Together with the roles it decides the time: players times mafiosi times detectives, 1e8 in about a second.
    most_mafiosi, most_detectives : int
        How far the tables go.
    rules : Rules
        Without memory.
    phase : {"evening", "morning"}

    Returns
    -------
    dict of int to ndarray
        By number of players: shape (most_detectives + 1, most_mafiosi + 1), NaN where the roles are more than the
        players.

    Raises
    ------
    ValueError
        If a number is negative, the phase is unknown, or the detectives have a memory.
    """
    wanted = {whole_number("players", number, 0, MOST_PLAYERS) for number in listed("players", players)}
    mafiosi = whole_number("most_mafiosi", most_mafiosi, 0, MOST_PLAYERS)
    detectives = whole_number("most_detectives", most_detectives, 0, MOST_PLAYERS)
    one_of("phase", phase, PHASES)
    check_rules(rules, memory=False)
    cells = (mafiosi + 1.0) * (detectives + 1)
    in_memory(f"{len(wanted)} tables of up to {mafiosi} mafiosi, {detectives} detectives", 8 * cells * len(wanted))
    roles = np.add.outer(np.arange(detectives + 1), np.arange(mafiosi + 1))
    found = {}
    for living, table in layers(max(wanted, default=0), mafiosi, detectives, rules, phase):
        if living in wanted:
            found[living] = np.where(roles <= living, table, np.nan)
    return found


def fair_number(chances) -> float:
    """The number of mafiosi at which a chance falls through 1/2, between whole numbers on a straight line.

    Parameters
    ----------
    chances : array_like, shape (mafiosi + 1,)
        Chance that the innocents win against 0, 1, 2 … mafiosi; NaN at the end is left out.

    Returns
    -------
    float
        NaN if the chance never falls below 1/2.

    Raises
    ------
    ValueError
        If the first chance is below 1/2.
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

    Attributes
    ----------
    mafiosi, innocents, detectives : int
        Before the change.
    before, after : float
        Chances that the innocents win, before and after.
    """

    mafiosi: int
    innocents: int
    detectives: int
    before: float
    after: float


def surprises(
    most_players: int, becomes: str = "mafioso", rules: Rules = PUBLISHED, least: float = 1e-12
) -> list[Surprise]:
    """All set-ups in which the innocents gain when one of them turns mafioso, or lose when one turns detective.

    Parameters
    ----------
    most_players : int
        All numbers of players up to this one; the time grows with the third power (60 take milliseconds).
    becomes : {"mafioso", "detective"}
        What an innocent turns into.
    rules : Rules
        Without memory.
    least : float
        By how much the chance must change at least, so that rounding is not taken for a change.

    Returns
    -------
    list of Surprise
        By players, then detectives, then mafiosi.

    Raises
    ------
    ValueError
        If there are fewer than 0 players, or an innocent cannot become that.
    """
    most = whole_number("most_players", most_players, 0, MOST_PLAYERS)
    (down, across), sign = _STEPS[one_of("becomes", becomes, _STEPS)]
    found = []
    for players, table in exact_chances(range(most + 1), most, most, rules).items():
        before, after = table[: most + 1 - down, : most + 1 - across], table[down:, across:]
        for d, m in np.argwhere(sign * (after - before) > least).tolist():
            found.append(Surprise(m, players - m - d, d, float(before[d, m]), float(after[d, m])))
    return found
