"""What ways to play and rules do to a game of four, side by side: measures, parts of their variance, equilibria."""

from collections import namedtuple
from itertools import product

import numpy as np
import pandas as pd

from chapters.sanguosha.printed_tables import grouped
from chapters.sanguosha_drawing import ROLES
from chapters.the_smallest_fair_change_grid import (
    FOUR,
    MEASURES,
    PLAY_NAMES,
    PLAYS,
    SCORES,
    SURVIVAL,
    WAYS,
    endings_text,
    mean_of,
    measures,
    sentence_of,
    settings,
)
from gamebalance.base.rounding import bound, meant
from gamebalance.multiplayer.normal_form import NormalFormGame, pure_equilibria
from gamebalance.publish import style
from gamebalance.sanguosha.exact import solve_seatings
from gamebalance.sanguosha.lineup import ROLE_KEYS, Role
from gamebalance.sanguosha.outcomes import mean_outcomes

KEYS, NAMES = list(ROLE_KEYS), [role.english for role in Role]
#: The ways of each role that differ. A renegade's points for a threat do not ask who is who but for the lord, so that
#: to know all roles changes nothing for him.
WAYS_OF = {key: tuple(WAYS)[: 2 if key == Role.RENEGADE.key else None] for key in KEYS}

#: The measures, as tables call them. The lord lives if his side wins, and only then, so his chance stands for both.
LABELS = [f"{name} alive" for name in NAMES] + ["Lord's side wins", "Rebel wins", "Renegade wins"]
LABELS = dict(zip(MEASURES, [*LABELS, *(f"{name}'s points" for name in NAMES), "Bal", "Rat"], strict=True))
del LABELS["win_lord"]


def policies_of(ways):
    """The policies of the four roles, lord first, from the names of their ways."""
    return {role: WAYS[way] for role, way in zip(Role, ways, strict=True)}


def differing(ways):
    """The ways of the four roles by the names of `WAYS_OF`: the renegade's without the one that is no other."""
    *others, renegade = ways
    return *others, renegade if renegade in WAYS_OF["renegade"] else "threat"


def play_row(lord, loyalist, rebel, renegade):
    """How games of four end, by the report's rules, when each role plays in its own way, one of `WAYS`."""
    ways = (lord, loyalist, rebel, renegade)
    solved = list(solve_seatings(FOUR, policies=policies_of(ways)).values())
    return {
        **dict(zip(KEYS, ways, strict=True)),
        "error_bound": bound(max(outcomes.error_bound for outcomes in solved)),
        "turns": mean_outcomes(FOUR, solved).turns,
        "endings": endings_text(solved),
    }


def play_table(rows):
    """`MEASURES` of each combination of ways, means over the six seatings; `left`: how many roles left the report's."""
    numbers = pd.DataFrame([measures(mean_of(row, "endings")) for row in rows.to_dict("records")], index=rows.index)
    left = (rows[KEYS] != "report").sum(axis=1)
    return meant(pd.concat([rows[KEYS].assign(left=left, turns=rows["turns"]), numbers], axis=1))


def rule_table(rows):
    """`MEASURES` of each setting of the rules under each way in which all four play, as far as it was tried."""
    lines = []
    for row in rows.fillna(dict.fromkeys(PLAYS, "")).to_dict("records"):
        setting = settings()[row["number"]]
        about = {"number": row["number"], "setting": sentence_of(setting), "changes": len(setting)}
        about["steps"] = sum(change.steps for change in setting)
        lines += [about | {"play": play} | measures(mean_of(row, play)) for play in PLAYS if row[play]]
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
    parts = {measure: variance_parts(values_of(table, measure)) for measure in MEASURES}
    lines = [(measure, each.variance**0.5, *each.alone, each.together) for measure, each in parts.items()]
    return pd.DataFrame(lines, columns=["measure", "deviation", *factors, "together"])


def by_rule_and_play(table, measure):
    """A measure by setting and by how all four play, shape (settings, 3)."""
    return table.pivot(index="number", columns="play", values=measure)[list(PLAYS)].to_numpy()


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
    return NormalFormGame(meant(np.array([by_ways(table, score)[places] for score in SCORES])), names)


def settled(table, without=()):
    """The rows of `play_table` in which no role would expect more points if it alone chose another way."""
    game = game_of_ways(table, without)
    chosen = [tuple(game.names[role][place] for role, place in enumerate(ways)) for ways in pure_equilibria(game)]
    return table[table[KEYS].apply(tuple, axis=1).isin(chosen)]


def one_role_changes(table):
    """The rows of `play_table` in which nobody or one role alone, `who`, leaves the report's rule, in their order."""
    here = table[table["left"] <= 1]
    away = here[KEYS] != "report"
    named = here.assign(who=away.idxmax(axis=1).where(away.any(axis=1), ""))
    return named.sort_values("who", key=lambda who: who.map(["", *KEYS].index), kind="stable")


def _scale(measure):
    """Chances and Bal are shown in percent, points and Rat as they are."""
    return 1 if measure.startswith(("score", "rat")) else 100


def _of_roles(title, row, columns, scale=1):
    """Columns of four roles under one heading."""
    return {(title, name): scale * row[column] for name, column in zip(NAMES, columns, strict=True)}


def alone_view(alone):
    """`one_role_changes` with the own points of who leaves the rule, and what they are more than before."""
    before, lines = alone[alone["who"] == ""].iloc[0], []
    for row in alone.to_dict("records"):
        who = row["who"]
        line = {("who", ""): who.capitalize() or "nobody", ("plays by", ""): PLAY_NAMES[row[who or "lord"]]}
        line |= _of_roles("alive, %", row, SURVIVAL, 100)
        line |= {("wins, %", "rebel"): 100 * row["win_rebels"], ("wins, %", "renegade"): 100 * row["win_renegade"]}
        own = row[f"score_{who}"] if who else float("nan")
        line |= {("own points", "now"): own, ("own points", "gain"): own - before[f"score_{who or 'lord'}"]}
        lines.append(line | {("Bal, %", ""): 100 * row["bal"], ("Rat", ""): row["rat"]})
    return grouped(lines)


def parts_view(tables, heads):
    """Parts of variances in percent under `heads`, one table beside the other, each with its standard deviation."""
    shown = pd.DataFrame({("measure", ""): list(LABELS.values())})
    for name, table in tables.items():
        own = table.set_index("measure").loc[list(LABELS)]
        shown[name, "s.d."] = [_scale(measure) * value for measure, value in own["deviation"].items()]
        for column, head in heads.items():
            shown[name, head] = 100 * own[column].to_numpy()
    return shown


def spread_view(groups):
    """Of each group of games how many there are, and the least, the middle and the largest Bal, in percent, and Rat."""
    lines = []
    for name, group in groups.items():
        line = {("games", ""): name, ("number", ""): len(group)}
        for measure, head in (("bal", "Bal, %"), ("rat", "Rat")):
            for what, part in (("least", 0), ("median", 0.5), ("largest", 1)):
                line[head, what] = _scale(measure) * float(group[measure].quantile(part))
        lines.append(line)
    return grouped(lines)


def moves_view(groups):
    """Standard deviation of each measure over each group of games, by header; of chances and Bal times 100."""
    columns = {("measure", ""): list(LABELS.values())}
    columns |= {head: [_scale(name) * group[name].std(ddof=0) for name in LABELS] for head, group in groups.items()}
    return pd.DataFrame(columns)


def profile_view(tables):
    """Rows of `play_table` under a name for each table: who plays how, points, Bal and Rat."""
    lines = []
    for name, table in tables.items():
        for row in table.to_dict("records"):
            line = {("", "choice"): name} | _of_roles("plays by", row, KEYS) | _of_roles("points", row, SCORES)
            lines.append(line | {("", "Bal, %"): 100 * row["bal"], ("", "Rat"): row["rat"]})
    return grouped(lines)


#: The sides in the order of their drawings: the column of a table of wins, the name, and whose colour it has.
SIDES = (
    ("win_lord", "Lord 主公 and loyalist 忠臣", Role.LORD),
    ("win_rebels", "Rebel 反贼", Role.REBEL),
    ("win_renegade", "Renegade 内奸", Role.RENEGADE),
)


def draw_rules_and_play(lists, named, usual):
    """Each side's wins: a stroke for every game of each list, marks for named ones, a line for the usual game."""
    figure, axes = style.new_figure("narrow", 4.4)
    for top, (column, name, role) in zip((0, -3.2, -6.4), SIDES, strict=True):
        axes.text(0, top + 0.62, name, weight="bold", va="center")
        for row, group in enumerate(lists.values()):
            strokes = {"color": ROLES[role].colour, "markersize": 11, "alpha": 0.6}
            axes.plot(100 * group[column], [top - row] * len(group), "|", **strokes)
        line = {"color": style.INK, "label": None if top else "the game as it is, by the fixed rule"}
        axes.plot([100 * usual[column]] * 2, [top + 0.33, top - 1.33], **line)
        for row, mark, (label, game) in zip((0, 1, 1), "*DX", named.items(), strict=True):
            look = {"color": style.INK, "markerfacecolor": "#ffd21f", "markersize": 13 if mark == "*" else 8}
            axes.plot(100 * game[column], top - row, mark, linestyle="none", label=None if top else label, **look)
    axes.set_yticks([0, -1, -3.2, -4.2, -6.4, -7.4], list(lists) * len(SIDES))
    axes.set(xlabel="games won, %", xlim=(-2, 102), ylim=(-8.1, 1.1))
    axes.grid(axis="y", visible=False)
    axes.tick_params(axis="y", length=0)
    title = "A few changed rules, and nearly every\nother way to play, change who wins"
    figure.suptitle(title, fontsize=11, weight="bold", x=0.02, ha="left")
    figure.legend(loc="outside lower left", ncols=1)
    return figure
