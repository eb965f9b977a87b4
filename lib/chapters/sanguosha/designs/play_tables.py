"""What ways to play and rules do to a game of four, side by side: measures, parts of their variance, equilibria."""

from collections.abc import Mapping
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from chapters.sanguosha.designs.grid import sentence_of, settings
from chapters.sanguosha.designs.plays import WAYS_OF
from chapters.sanguosha.designs.rows import (
    FOUR,
    MEASURES,
    PLAYS,
    SCORES,
    WAYS,
    measures,
    outcomes_of,
)
from gamebalance.base.checks import shown
from gamebalance.base.rounding import meant
from gamebalance.multiplayer.normal_form import NormalFormGame, pure_equilibria
from gamebalance.sanguosha.lineup import ROLE_KEYS
from gamebalance.sanguosha.outcomes import mean_outcomes

if TYPE_CHECKING:
    import pandas


def _mean_measures(row: Mapping[str, Any], column: str) -> dict[str, float]:
    return measures(mean_outcomes(FOUR, list(outcomes_of(row, column).values())))


def play_table(rows: "pandas.DataFrame") -> "pandas.DataFrame":
    """Each combination of ways to play, means over the six seatings.

    Parameters
    ----------
    rows : DataFrame
        Of `plays.play_row`.

    Returns
    -------
    DataFrame
        The way of each role, by its key; `left`: how many roles left the report's rule; `turns`; the `MEASURES`.
    """
    import pandas

    found = pandas.DataFrame([_mean_measures(row, "endings") for row in rows.to_dict("records")], index=rows.index)
    ways = rows[list(ROLE_KEYS)]
    return meant(pandas.concat([ways.assign(left=(ways != "report").sum(axis=1), turns=rows["turns"]), found], axis=1))


def rule_table(rows: "pandas.DataFrame") -> "pandas.DataFrame":
    """Each setting of the rules under each way in which all four play, as far as it was tried; means over the seatings.

    Parameters
    ----------
    rows : DataFrame
        Of `rows.row`.

    Returns
    -------
    DataFrame
        `number` and `setting`; `changes`, how many rules it changes, and `steps`, how far, as `grid.Change` counts
        them; `play` ("report", "threat" or "known"); and the `MEASURES`.
    """
    import pandas

    found = []
    for row in rows.to_dict("records"):
        tried = [play for play in PLAYS if isinstance(row[play], str) and row[play]]
        changed = settings()[row["number"]]
        about = {"number": row["number"], "setting": sentence_of(changed)}
        about |= {"changes": len(changed), "steps": sum(change.steps for change in changed)}
        found += [about | {"play": play} | _mean_measures(row, play) for play in tried]
    return meant(pandas.DataFrame(found, columns=["number", "setting", "changes", "steps", "play", *MEASURES]))


def by_rule_and_play(table: "pandas.DataFrame", measure: str) -> np.ndarray:
    """A measure by setting and by how all four play, shape (settings, 3); ValueError if some pair was not tried."""
    crossed = table.pivot(index="number", columns="play", values=measure).reindex(columns=list(PLAYS))
    if crossed.isna().any(axis=None):
        number = crossed.index[crossed.isna().any(axis=1)][0]
        raise ValueError(f"table: setting {number} was not tried under every way to play, as is needed")
    return crossed.to_numpy()


def by_ways(table: "pandas.DataFrame", measure: str) -> np.ndarray:
    """A measure by the way of each role, shape (3, 3, 3, 2) as `plays.WAYS_OF` has them; ValueError if one lacks."""
    indexed = table.set_index(list(ROLE_KEYS))[measure]
    every = list(product(*WAYS_OF.values()))
    lacking = [ways for ways in every if ways not in indexed.index]
    if lacking:
        raise ValueError(f"table: the ways {' '.join(lacking[0])} are not among its rows; every combination is needed")
    return indexed.loc[every].to_numpy(float).reshape([len(ways) for ways in WAYS_OF.values()])


class Parts(NamedTuple):
    """The variance of a crossed table, and the parts of it, from 0 to 1: of each factor alone, and of all together."""

    variance: float
    alone: np.ndarray
    together: float


def variance_parts(values: Any) -> Parts:
    """How much of the variance over a crossed table is each factor's.

    Parameters
    ----------
    values : array_like
        A number for each combination, an axis for each factor; all combinations count alike.

    Returns
    -------
    Parts
        `alone`, one for each axis: the variance of the means over all other factors, as a part of the whole;
        `together`: what is left, because a factor does not do the same whatever the others are. nan if nothing varies.

    Raises
    ------
    ValueError
        If the values are no array of finite numbers with two factors or more.

    Notes
    -----
    The main effects of an analysis of variance with equally many observations in each cell (Fisher 1925). Nothing is
    drawn at random here: the parts are exact for the combinations given, and for those alone.
    """
    table = np.asarray(values, float)
    if table.ndim < 2 or not table.size or not np.isfinite(table).all():
        raise ValueError(
            f"values = {shown(values)}: finite numbers with an axis for each of two factors or more are needed"
        )
    variance = float(np.var(table))
    axes = range(table.ndim)
    own = [np.var(table.mean(axis=tuple(other for other in axes if other != axis))) for axis in axes]
    alone = np.array(own) / variance if meant(variance, residue=1e-15) else np.full(table.ndim, np.nan)
    return Parts(variance, alone, float(1 - alone.sum()))


def rules_or_play(table: "pandas.DataFrame") -> "pandas.DataFrame":
    """For each of the `MEASURES` what is the rules' and what is the play's, over settings and plays that are crossed.

    Columns: `measure`; `deviation`, the standard deviation over all cells, in the unit of the measure; `rules`, `play`
    and `together`, the parts of its square; and `rules_move`, the mean over the plays of the standard deviation over
    the settings, and `play_moves`, the mean over the settings of that over the plays.
    """
    import pandas

    found = []
    for measure in MEASURES:
        values = by_rule_and_play(table, measure)
        parts = variance_parts(values)
        shares = {"rules": parts.alone[0], "play": parts.alone[1], "together": parts.together}
        moves = {"rules_move": values.std(axis=0).mean(), "play_moves": values.std(axis=1).mean()}
        found.append({"measure": measure, "deviation": parts.variance**0.5, **shares, **moves})
    return pandas.DataFrame(found)


def whose_way(table: "pandas.DataFrame") -> "pandas.DataFrame":
    """For each of the `MEASURES` the part of its variance over all ways to play that each role's own choice makes.

    Columns: `measure`, `deviation`, the key of each role, and `together`.
    """
    import pandas

    found = []
    for measure in MEASURES:
        parts = variance_parts(by_ways(table, measure))
        shares = dict(zip(ROLE_KEYS, parts.alone, strict=True))
        found.append({"measure": measure, "deviation": parts.variance**0.5, **shares, "together": parts.together})
    return pandas.DataFrame(found)


def game_of_ways(table: "pandas.DataFrame", without: tuple[str, ...] = ()) -> NormalFormGame:
    """The game in which each role chooses one of its ways to play, and gets its expected points.

    Parameters
    ----------
    table : DataFrame
        Of `play_table`, with all combinations.
    without : tuple of str
        Ways that nobody may choose.

    Raises
    ------
    ValueError
        If a combination is missing, or a way left out is none of `rows.WAYS`, or none is left.
    """
    if not all(way in WAYS for way in without) or set(WAYS_OF["renegade"]) <= set(without):
        raise ValueError(f"without = {shown(without)}: some, and not all, of {', '.join(WAYS)} are allowed")
    names = [tuple(way for way in ways if way not in without) for ways in WAYS_OF.values()]
    places = np.ix_(*([own.index(way) for way in left] for own, left in zip(WAYS_OF.values(), names, strict=True)))
    return NormalFormGame(meant(np.array([by_ways(table, score)[places] for score in SCORES])), names)


def settled(table: "pandas.DataFrame", without: tuple[str, ...] = ()) -> "pandas.DataFrame":
    """The rows of `play_table` in which no role would expect more points if it alone chose another way."""
    game = game_of_ways(table, without)
    chosen = [tuple(game.names[role][place] for role, place in enumerate(found)) for found in pure_equilibria(game)]
    return table[table[list(ROLE_KEYS)].apply(tuple, axis=1).isin(chosen)]


def one_role_changes(table: "pandas.DataFrame") -> "pandas.DataFrame":
    """The rows of `play_table` in which at most one role leaves the report's rule, with its key as `who`, or "".

    Nobody comes first, then the roles in their order.
    """
    here = table[table["left"] <= 1]
    away = here[list(ROLE_KEYS)] != "report"
    found = here.assign(who=away.idxmax(axis=1).where(away.any(axis=1), ""))
    return found.sort_values("who", key=lambda who: who.map(["", *ROLE_KEYS].index), kind="stable")
