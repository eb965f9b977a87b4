"""Tables of winning probabilities, and the set-ups that are nearest to an even game."""

import math
from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np
import pandas as pd

from gamebalance.base.checks import flag, in_memory, in_time, one_of, shown, whole_number
from gamebalance.mafia.idle import warn_of_idle
from gamebalance.mafia.kernels import layers
from gamebalance.mafia.rules import AS_CODED, PHASES, Rules, check_rules
from gamebalance.mafia.setups import MOST_PLAYERS, ROLES, SINGLE, Setup, bounds_of
from gamebalance.mafia.win import (
    MOST_EXACT,
    PLAIN_TOWN,
    chances_of,
    check_towns,
    length_distribution,
    lengths_seconds,
    solve,
)

Range = int | Sequence[int | None]
#: Combinations of numbers that `closest` tries: a few seconds.
MOST_SETUPS = 100_000
#: Roles that `closest` has no column for where they are not allowed.
_LATER = ("dons", "sheriffs", "vigilantes", "bodyguards")
#: Shares of all games that have ended by the nights which `closest` lists.
QUANTILES = (0.1, 0.5, 0.9)


def win_table(
    max_players: int,
    detectives: int = 0,
    *,
    min_players: int = 2,
    rules: Rules = AS_CODED,
    phase: str = "evening",
    exact: bool = False,
) -> pd.DataFrame:
    """The probability that the innocents win, by number of mafiosi and players: the study's first two tables.

    Index ``mafiosi`` from 0 to (max_players + 1) / 2, rounded down; columns ``players``; with `exact`, fractions
    instead of floats. As in the study, there must be fewer mafiosi than players: other places are missing (NaN), as are
    those in which mafiosi and detectives are more than all players. `rules` are without memory.

    >>> float(win_table(20, detectives=1).at[4, 20].round(3))
    0.351
    """
    least, most = _players(min_players, max_players)
    detectives = whole_number("detectives", detectives, 0, most)
    one_of("phase", phase, PHASES)
    check_rules(rules, memory=False)
    exact = flag("exact", exact)
    rows = pd.RangeIndex((most + 1) // 2 + 1, name="mafiosi")
    in_memory(f"max_players = {most}", 8.0 * len(rows) * (most - least + 1))
    cells = _exact_cells(least, most, rows, detectives) if exact else []
    table = pd.DataFrame(np.nan, index=rows, columns=pd.RangeIndex(least, most + 1, name="players"))
    if exact:
        table = table.astype(object)
        for setup in cells:
            table.loc[setup.mafiosi, setup.players] = solve(setup, rules, phase, exact=True)
        return table
    for players, layer in layers.layers(most, rows[-1], detectives, rules, phase):
        if players >= least:
            end = max(0, min(players - max(detectives, 1) + 1, len(rows)))
            table.iloc[:end, players - least] = layer[detectives, :end]
    return table


def _exact_cells(least: int, most: int, rows: Sequence[int], detectives: int) -> list[Setup]:
    """The set-ups of a table of fractions, if they can be waited for."""
    if most > MOST_EXACT[True]:
        raise ValueError(f"exact = True, max_players = {most}: at most {MOST_EXACT[True]} are solved as fractions")
    places = [
        (players, mafiosi)
        for players, mafiosi in product(range(least, most + 1), rows)
        if mafiosi < players and mafiosi + detectives <= players
    ]
    towns = sum((mafiosi + 1.0) * (players - mafiosi - detectives + 1) for players, mafiosi in places)
    in_time(f"exact = True, max_players = {most}", PLAIN_TOWN * (detectives + 1) * towns)
    return [Setup.of_players(players, mafiosi, detectives) for players, mafiosi in places]


def balance_table(
    max_players: int,
    detectives: Range = (0, 0),
    *,
    min_players: int = 2,
    rules: Rules = AS_CODED,
    phase: str = "evening",
    most_mafiosi: int | None = None,
) -> pd.DataFrame:
    """The two set-ups nearest to an even game, one that favours either side, by number of players.

    The deficit (*Défaut*) is the largest probability up to 1/2; of set-ups with the same probability it names the one
    with most mafiosi, and among these most detectives. The excess (*Excès*) is the smallest probability from 1/2 on; of
    set-ups with the same probability it names the one with fewest mafiosi, and among these fewest detectives. A
    probability of 1/2 is both. Probabilities that differ by less than 1e-12 count as equal. With these rules every
    printed cell of the study's three tables comes out.

    Parameters
    ----------
    max_players, min_players : int
        Largest and smallest number of players; 2 or more.
    detectives : int or (int, int or None)
        How many there are, or the smallest and largest number; None for any.
    rules : Rules
        Without memory (`closest` knows memory and other roles).
    phase : {"evening", "morning"}
    most_mafiosi : int, optional
        Largest number of mafiosi to consider; (max_players + 1) / 2, rounded down, by default, as in the published
        program. It decides between set-ups that the mafia wins for sure, and so the deficit of tiny towns.

    Returns
    -------
    DataFrame
        Index ``players``; columns ``deficit``, ``deficit_mafiosi``, ``deficit_detectives`` and the same for ``excess``,
        then ``unreached``: True where no allowed set-up is at or below 1/2, and the deficit is that of a town of
        mafiosi only, which has no detectives whatever the range says; so the program prints it. Missing values mean
        that there is no set-up at all, or none at or above 1/2.
    """
    least, most = _players(min_players, max_players)
    low, high = range_of("detectives", detectives, most)
    one_of("phase", phase, PHASES)
    check_rules(rules, memory=False)
    if low > most:
        raise ValueError(f"detectives = {shown(detectives)}: at most max_players = {most} is allowed")
    limit = (most + 1) // 2 if most_mafiosi is None else whole_number("most_mafiosi", most_mafiosi, 0, most)
    rows = [
        (players, *layers.nearest_to_half(players, layer, limit, (low, high)))
        for players, layer in layers.layers(most, limit, high, rules, phase)
        if players >= least
    ]
    return _balance_frame(rows, low)


def _balance_frame(rows: list, fewest_detectives: int) -> pd.DataFrame:
    """The rows (players, below, above) as a table, with the program's makeshift where nothing is below."""
    index = pd.Index([players for players, *_ in rows], name="players")
    unreached = [below[0] < 0 and fewest_detectives <= players for players, below, _ in rows]
    below = [
        (0.0, players, 0) if makeshift else near for (players, near, _), makeshift in zip(rows, unreached, strict=True)
    ]
    frame = pd.DataFrame(index=index)
    for name, found in (("deficit", below), ("excess", [above for *_, above in rows])):
        chance, mafiosi, detectives = (np.array(column) for column in zip(*found, strict=True))
        there = mafiosi >= 0
        frame[name] = np.where(there, chance, np.nan)
        for role, counts in (("mafiosi", mafiosi), ("detectives", detectives)):
            frame[f"{name}_{role}"] = pd.array(counts, dtype="Int64")
            frame.loc[~there, f"{name}_{role}"] = pd.NA
    frame["unreached"] = unreached
    return frame


def closest(
    players: int,
    mafiosi: Range = (1, None),
    detectives: Range = (0, None),
    doctors: Range = 0,
    witches: Range = 0,
    hunters: Range = 0,
    dons: Range = 0,
    sheriffs: Range = 0,
    vigilantes: Range = 0,
    bodyguards: Range = 0,
    *,
    rules: Rules = AS_CODED,
    phase: str = "evening",
    top: int = 10,
    lengths: bool = True,
) -> pd.DataFrame:
    """The set-ups for so many players whose chances are nearest to even, with how long their games last.

    Parameters
    ----------
    mafiosi, detectives, doctors, witches, hunters, dons, sheriffs, vigilantes, bodyguards : int or (int, int or None)
        How many there are, or the smallest and largest number; None for as many as fit. At most one of a role of
        `setups.SINGLE`. All others are innocents. Too many combinations are refused.
    lengths : bool
        Whether to find how long games last, which takes most of the time; else the columns of nights are left out.

    Returns
    -------
    DataFrame
        The `top` nearest; equally near ones with fewer mafiosi, then fewer roles first. Columns: the numbers of people
        (of don, sheriff, vigilante and bodyguard where they are allowed); ``win_probability`` of the innocents;
        ``distance`` from 1/2; ``nights``, the mean number of nights when the game ends, and ``nights_10``,
        ``nights_50``, ``nights_90``, the nights by which a tenth, half and nine tenths of the games have ended;
        ``one_more``, the win probability with one innocent more; and ``parity_warning``, whether that innocent more
        *lowers* the chance of the innocents: such a set-up is fair only as long as nobody comes late or leaves early.
    """
    players = whole_number("players", players, 2, MOST_PLAYERS)
    top = whole_number("top", top, 1)
    one_of("phase", phase, PHASES)
    check_rules(rules)
    asked = {"mafiosi": mafiosi, "detectives": detectives, "doctors": doctors, "witches": witches, "hunters": hunters}
    asked |= {"dons": dons, "sheriffs": sheriffs, "vigilantes": vigilantes, "bodyguards": bodyguards}
    ranges = {name: range_of(name, value, 1 if name in SINGLE else players) for name, value in asked.items()}
    given = ", ".join(f"{name} = {shown(value)}" for name, value in asked.items())
    tried = math.prod(high - low + 1 for low, high in ranges.values())
    if tried > MOST_SETUPS:
        raise ValueError(f"{given}: {tried:,} combinations for {players} players, {MOST_SETUPS:,} are allowed")
    setups = list(setups_within(players, ranges))
    if not setups:
        raise ValueError(f"{given}: no set-up has at most players = {players} people")
    larger = [Setup(**{**vars(setup), "innocents": setup.innocents + 1}) for setup in setups]
    bounds = bounds_of(larger)
    warn_of_idle(bounds, rules)
    check_towns(bounds, rules, players + 1)
    if flag("lengths", lengths):
        listed = min(top, len(setups)) / len(setups)
        in_time(f"top = {top}", listed * sum(lengths_seconds(setup, rules) for setup in setups))
    chances = chances_of([*setups, *larger], bounds, rules, phase).reshape(2, -1)
    near = np.argsort(np.round(np.abs(chances[0] - 0.5), 12), kind="stable")[:top]
    found = pd.DataFrame(
        [_near(setups[place], chances[0, place], chances[1, place], rules, phase, lengths) for place in near]
    )
    return found.drop(columns=[name for name in _LATER if ranges[name][1] == 0])


def _near(setup: Setup, chance: float, one_more: float, rules: Rules, phase: str, lengths: bool) -> dict:
    """A row of `closest`."""
    return {
        **{name: getattr(setup, name) for name in ROLES},
        "win_probability": chance,
        "distance": abs(chance - 0.5),
        **(_nights(setup, rules, phase) if lengths else {}),
        "one_more": one_more,
        "parity_warning": bool(one_more < chance - 1e-12),
    }


def _nights(setup: Setup, rules: Rules, phase: str) -> dict:
    """How long games last, as columns of `closest`."""
    ended = length_distribution(setup, rules, phase).sum(axis=1)
    by_night = ended.cumsum()
    shares = {f"nights_{share:.0%}".rstrip("%"): int((by_night < share - 1e-12).sum()) for share in QUANTILES}
    return {"nights": float((ended * ended.index).sum()), **shares}


def setups_within(players: int, ranges: dict[str, tuple[int, int]]) -> Iterator[Setup]:
    """All set-ups within the ranges, fewest mafiosi first."""
    for counts in product(*(range(low, high + 1) for low, high in ranges.values())):
        if sum(counts) <= players:
            yield Setup(innocents=players - sum(counts), **dict(zip(ranges, counts, strict=True)))


def range_of(name: str, value: Range, most: int) -> tuple[int, int]:
    """A number, or a pair of smallest and largest number (None: `most`), as a pair; ValueError if it is empty."""
    if not isinstance(value, tuple | list):
        number = whole_number(name, value, 0)
        return number, number
    if len(value) != 2:
        raise ValueError(f"{name} = {shown(value)}: a number, or a smallest and a largest one, is needed")
    low = whole_number(name, value[0], 0)
    high = max(low, most) if value[1] is None else whole_number(name, value[1], 0)
    if low > high:
        raise ValueError(f"{name} = {shown(value)}: the range is empty; the smallest number must come first")
    return low, max(low, min(high, most))


def _players(least: int, most: int) -> tuple[int, int]:
    """Smallest and largest number of players of a table."""
    most = whole_number("max_players", most, 2, MOST_PLAYERS)
    return whole_number("min_players", least, 2, most), most


def fairest_mafiosi(players: int, detectives: int, rules: Rules = AS_CODED, phase: str = "evening") -> int:
    """The smallest number of mafiosi, 1 or more, that brings a town with so many detectives nearest to an even game."""
    players, detectives = whole_number("players", players, 1, MOST_PLAYERS), whole_number("detectives", detectives)
    most = max(2, players - detectives + 1)
    in_time(f"players = {players}", most * layers.layers_seconds(players, most // 2, detectives))
    setups = [Setup.of_players(players, m, detectives) for m in range(1, most)]
    return min(setups, key=lambda setup: abs(solve(setup, rules, phase) - 0.5)).mafiosi
