"""What ways to play and rules do to a game of four, side by side: measures, parts of their variance, equilibria."""

from collections import namedtuple
from itertools import product

import numpy as np
import pandas as pd

from chapters import the_smallest_fair_change_grid as grid
from gamebalance.base.rounding import bound, meant
from gamebalance.multiplayer.normal_form import NormalFormGame, pure_equilibria
from gamebalance.sanguosha.exact import solve_seatings
from gamebalance.sanguosha.lineup import ROLE_KEYS, Role
from gamebalance.sanguosha.outcomes import mean_outcomes

KEYS, NAMES = list(ROLE_KEYS), [role.english for role in Role]
#: The ways of each role that differ. A renegade's points for a threat do not ask who is who but for the lord, so that
#: to know all roles changes nothing for him.
WAYS_OF = {key: tuple(grid.WAYS)[: 2 if key == Role.RENEGADE.key else None] for key in KEYS}

#: The measures, as tables call them. The lord lives if his side wins, and only then, so his chance stands for both.
LABELS = [f"{name} alive" for name in NAMES] + ["Lord's side wins", "Rebel wins", "Renegade wins"]
LABELS = dict(zip(grid.MEASURES, [*LABELS, *(f"{name}'s points" for name in NAMES), "Bal", "Rat"], strict=True))
del LABELS["win_lord"]
#: Chances and Bal are shown in percent, points and Rat as they are.
SCALES = {name: 1 if name.startswith(("score", "rat")) else 100 for name in LABELS}


def policies_of(ways):
    """The policies of the four roles, lord first, from the names of their ways."""
    return {role: grid.WAYS[way] for role, way in zip(Role, ways, strict=True)}


def differing(ways):
    """The ways of the four roles by the names of `WAYS_OF`: the renegade's without the one that is no other."""
    *others, renegade = ways
    return *others, renegade if renegade in WAYS_OF["renegade"] else "threat"


def play_row(lord, loyalist, rebel, renegade):
    """How games of four end, by the report's rules, when each role plays in its own way, one of `WAYS`."""
    ways = (lord, loyalist, rebel, renegade)
    solved = list(solve_seatings(grid.FOUR, policies=policies_of(ways)).values())
    return {
        **dict(zip(KEYS, ways, strict=True)),
        "error_bound": bound(max(outcomes.error_bound for outcomes in solved)),
        "turns": mean_outcomes(grid.FOUR, solved).turns,
        "endings": grid.endings_text(solved),
    }


def play_table(rows):
    """`MEASURES` of each combination of ways, means over the six seatings; `left`: how many roles left the report's."""
    numbers = [grid.measures(grid.mean_of(row, "endings")) for row in rows.to_dict("records")]
    ways = rows[KEYS].assign(left=(rows[KEYS] != "report").sum(axis=1), turns=rows["turns"])
    return meant(pd.concat([ways, pd.DataFrame(numbers, rows.index)], axis=1))


def rule_table(rows):
    """`MEASURES` of each setting of the rules under each way in which all four play, as far as it was tried."""
    lines = []
    for row in rows.fillna(dict.fromkeys(grid.PLAYS, "")).to_dict("records"):
        setting = grid.settings()[row["number"]]
        about = {"number": row["number"], "setting": grid.sentence_of(setting), "changes": len(setting)}
        about["steps"] = sum(change.steps for change in setting)
        lines += [about | {"play": play} | grid.measures(grid.mean_of(row, play)) for play in grid.PLAYS if row[play]]
    return meant(pd.DataFrame(lines))


#: The variance of a crossed table, and the parts of it: of each factor alone, and of all together.
Parts = namedtuple("Parts", "variance alone together")


def variance_parts(values):
    """How much of the variance over a crossed table, an axis for each factor, is each factor's.

    Of each the variance of the means over all other factors; `together` is what is left, because a factor does not do
    the same whatever the others are: the main effects of an analysis of variance (Fisher 1925). Nothing is drawn at
    random here: the parts are exact for the combinations given, and for those alone. nan if nothing varies.
    """
    table = np.asarray(values, float)
    variance, axes = float(np.var(table)), set(range(table.ndim))
    own = [np.var(table.mean(axis=tuple(axes - {axis}))) for axis in sorted(axes)]
    alone = np.array(own) / variance if meant(variance, residue=1e-15) else np.full(table.ndim, np.nan)
    return Parts(variance, alone, float(1 - alone.sum()))


def _parts_table(values_of, table, factors):
    """The standard deviation of each measure over all cells, and the parts of its square."""
    parts = {measure: variance_parts(values_of(table, measure)) for measure in grid.MEASURES}
    lines = [(measure, each.variance**0.5, *each.alone, each.together) for measure, each in parts.items()]
    return pd.DataFrame(lines, columns=["measure", "deviation", *factors, "together"])


def by_rule_and_play(table, measure):
    """A measure by setting and by how all four play, shape (settings, 3)."""
    return table.pivot(index="number", columns="play", values=measure)[list(grid.PLAYS)].to_numpy()


def by_ways(table, measure):
    """A measure by the way of each role, shape (3, 3, 3, 2) as `WAYS_OF` has them."""
    values = table.set_index(KEYS)[measure].loc[list(product(*WAYS_OF.values()))]
    return values.to_numpy(float).reshape([len(ways) for ways in WAYS_OF.values()])


def rules_or_play(table):
    """For each of the `MEASURES` what is the rules' and what is the play's, over crossed settings and plays."""
    return _parts_table(by_rule_and_play, table, ["rules", "play"])


def whose_way(table):
    """For each of the `MEASURES` the part of its variance over all ways to play that each role's own choice makes."""
    return _parts_table(by_ways, table, KEYS)


def game_of_ways(table, without=()):
    """The game in which each role chooses one of its ways, but those `without`, and gets its expected points."""
    names = [tuple(way for way in ways if way not in without) for ways in WAYS_OF.values()]
    places = np.ix_(*([own.index(way) for way in left] for own, left in zip(WAYS_OF.values(), names, strict=True)))
    return NormalFormGame(meant(np.array([by_ways(table, score)[places] for score in grid.SCORES])), names)


def settled(table, without=()):
    """The rows of `play_table` in which no role would expect more points if it alone chose another way."""
    game = game_of_ways(table, without)
    chosen = [tuple(game.names[role][place] for role, place in enumerate(ways)) for ways in pure_equilibria(game)]
    return table[table[KEYS].apply(tuple, axis=1).isin(chosen)]


def two_rows(heads):
    """Columns under two rows of headers."""
    return pd.MultiIndex.from_tuples([(head, name) for head, names in heads.items() for name in names])


def parts_view(tables, heads):
    """Parts of variances in percent under `heads`, one table beside the other, each with its standard deviation."""
    shown = pd.DataFrame({("measure", ""): list(LABELS.values())})
    for name, table in tables.items():
        own = table.set_index("measure").loc[list(LABELS)]
        shown[name, "s.d."] = own["deviation"].to_numpy() * list(SCALES.values())
        for column, head in heads.items():
            shown[name, head] = 100 * own[column].to_numpy()
    return shown
