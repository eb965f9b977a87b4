"""Tables of winning probabilities of towns of mafiosi, innocents and detectives, and the set-ups nearest to even."""

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from gamebalance.base.checks import flag, in_memory, in_time, one_of, shown, whole_number
from gamebalance.mafia.kernels.layers import layers, layers_seconds, nearest_to_half
from gamebalance.mafia.rules import AS_CODED, PHASES, Rules, check_rules
from gamebalance.mafia.setups import MOST_PLAYERS, Setup
from gamebalance.mafia.win import MOST_EXACT, PLAIN_TOWN, solve

if TYPE_CHECKING:
    import pandas as pd

Range = int | Sequence[int | None]


def win_table(
    max_players: int,
    detectives: int = 0,
    *,
    min_players: int = 2,
    rules: Rules = AS_CODED,
    phase: str = "evening",
    exact: bool = False,
) -> "pd.DataFrame":
    """The probability that the innocents win, by number of mafiosi and players: the study's first two tables.

    Index ``mafiosi`` from 0 to (max_players + 1) / 2, rounded down; columns ``players``; with `exact`, fractions
    instead of floats. As in the study, there must be fewer mafiosi than players: other places are missing (NaN), as are
    those in which mafiosi and detectives are more than all players. `rules` are without memory.

    >>> float(win_table(20, detectives=1).at[4, 20].round(3))
    0.351
    """
    import pandas as pd

    least, most = _players(min_players, max_players)
    detectives = whole_number("detectives", detectives, 0, most)
    one_of("phase", phase, PHASES)
    check_rules(rules, memory=False)
    rows = pd.RangeIndex((most + 1) // 2 + 1, name="mafiosi")
    in_memory(f"max_players = {most}", 8.0 * len(rows) * (most - least + 1))
    table = pd.DataFrame(np.nan, index=rows, columns=pd.RangeIndex(least, most + 1, name="players"))
    if flag("exact", exact):
        table = table.astype(object)
        for setup in _exact_cells(table, detectives):
            table.loc[setup.mafiosi, setup.players] = solve(setup, rules, phase, exact=True)
        return table
    for players, layer in layers(most, rows[-1], detectives, rules, phase):
        if players >= least:
            end = max(0, min(players - max(detectives, 1) + 1, len(rows)))
            table.iloc[:end, players - least] = layer[detectives, :end]
    return table


def _exact_cells(table: "pd.DataFrame", detectives: int) -> list[Setup]:
    """The set-ups of a table of fractions, if they can be waited for."""
    what = f"exact = True, max_players = {table.columns[-1]}"
    if table.columns[-1] > MOST_EXACT[True]:
        raise ValueError(f"{what}: at most {MOST_EXACT[True]} are solved as fractions")
    places = [(n, m) for n, m in product(table.columns, table.index) if m + max(detectives, 1) <= n]
    towns = sum((m + 1.0) * (n - m - detectives + 1) for n, m in places)
    in_time(what, PLAIN_TOWN * (detectives + 1) * towns)
    return [Setup.of_players(n, m, detectives) for n, m in places]


def balance_table(
    max_players: int,
    detectives: Range = (0, 0),
    *,
    min_players: int = 2,
    rules: Rules = AS_CODED,
    phase: str = "evening",
    most_mafiosi: int | None = None,
) -> "pd.DataFrame":
    """The two set-ups nearest to an even game, one that favours either side, by number of players.

    The deficit (*Défaut*) is the largest probability up to 1/2; of set-ups with the same probability it names the one
    with most mafiosi, and among these most detectives. The excess (*Excès*) is the smallest probability from 1/2 on; of
    set-ups with the same probability it names the one with fewest mafiosi, and among these fewest detectives. A
    probability of 1/2 is both. Probabilities that differ by less than 1e-12 count as equal. With these rules every
    printed cell of the study's three tables comes out.

    Parameters
    ----------
    max_players, min_players
        Largest and smallest number of players; 2 or more.
    detectives
        How many there are, or the smallest and largest number; None for any.
    rules
        Without memory (`closest` knows memory and other roles).
    most_mafiosi
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
    import pandas as pd

    least, most = _players(min_players, max_players)
    low, high = range_of("detectives", detectives, most)
    one_of("phase", phase, PHASES)
    check_rules(rules, memory=False)
    if low > most:
        raise ValueError(f"detectives = {shown(detectives)}: at most max_players = {most} is allowed")
    limit = (most + 1) // 2 if most_mafiosi is None else whole_number("most_mafiosi", most_mafiosi, 0, most)
    rows = []
    for players, layer in layers(most, limit, high, rules, phase):
        if players >= least:
            below, above = nearest_to_half(players, layer, limit, (low, high))
            unreached = below[1] < 0 and low <= players
            near = (0.0, players, 0) if unreached else below, above
            cells = [cell for side in near for cell in (side if side[1] >= 0 else (np.nan, None, None))]
            rows.append([players, *cells, unreached])
    people = [f"{side}_{role}" for side in ("deficit", "excess") for role in ("mafiosi", "detectives")]
    columns = ["players", "deficit", *people[:2], "excess", *people[2:], "unreached"]
    return pd.DataFrame(rows, columns=columns).set_index("players").astype(dict.fromkeys(people, "Int64"))


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
    most = max(2, players - detectives + 1)
    in_time(f"players = {players}", most * layers_seconds(players, most // 2, detectives))
    setups = [Setup.of_players(players, mafiosi, detectives) for mafiosi in range(1, most)]
    return min(setups, key=lambda setup: abs(solve(setup, rules, phase) - 0.5)).mafiosi
