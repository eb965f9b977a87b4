"""Where play of four settles: rows of what takes minutes a case, and what chapters 2.5 and 7.1 make of them."""

import numpy as np
import pandas as pd

from chapters.four_players_exactly import grouped
from chapters.playing_sanguosha_better import SEATINGS, as_text
from chapters.sanguosha_drawing import ROLES
from chapters.the_smallest_fair_change_grid import ENDINGS, FOUR, endings_of, rules_of, sentence_of, settings
from gamebalance.base.rounding import at_most
from gamebalance.publish.style import new_figure
from gamebalance.sanguosha.design import fair_points, values_of, with_points
from gamebalance.sanguosha.exact import solve_lineup
from gamebalance.sanguosha.induction import TIES, Induction
from gamebalance.sanguosha.kernels.choices import option_worths
from gamebalance.sanguosha.lineup import ROLE_KEYS, Role, Seating
from gamebalance.sanguosha.outcomes import Outcomes, mean_outcomes
from gamebalance.sanguosha.rules import AS_CODED
from gamebalance.sanguosha.scoring import REPORT_SCORING, WINNERS, winner
from gamebalance.sanguosha.settling import LAST, settle, settle_seatings
from gamebalance.sanguosha.turn import CODES

#: Where no attack is better than to pass, pass.
PASSING = "pass, then first seat"
#: What is made small about changes of points, in words.
NORMS = {"l1": "sum", "l2": "squares"}


def worths_of(endings, lineup):
    """By ending: whether each side has won, and the points of each role."""
    won = np.array([[winner(ending) == side for side in WINNERS] for ending in endings], float)
    return won, np.array([REPORT_SCORING.scores(lineup, ending) for ending in endings])


WON, POINTS = worths_of(ENDINGS, FOUR)


def induction(seating, ties=TIES[0], tallied=False):
    """Backward induction by the report's rules, everybody for himself."""
    units = tuple((seat,) for seat in range(len(seating)))
    return Induction(Seating(seating), AS_CODED, REPORT_SCORING, units, {}, ties, tallied)


def settled_row(seating, ties, rounds, first_death=None):
    """Play that nobody leaves: chances of the endings in the last rounds gone back, and of the sides round by round."""
    found = settle(seating, rounds, ties=ties, first_death=first_death)
    ends = _endings(found)
    sides = (sum(chances for end, chances in ends.items() if winner(end) == side) for side in WINNERS)
    return {"seating": seating, "ties": ties, **_measured(found), "sides": as_text(zip(*sides, strict=True))}


def changed_row(number, seating, rounds, tail):
    """The same by the first rule for ties and with a change of the grid, to so many games unfinished."""
    setting = settings()[number]
    found = settle(seating, rounds, rules_of(setting), tail=tail)
    return {"number": number, "seating": seating, "setting": sentence_of(setting), **_measured(found)}


def points_row(norm, steps, rounds, tail):
    """Points that are fair for the fixed rule, then again and again those that are fair for the play they lead to.

    By step the ten points, the chances of `ENDINGS` where play settles, the mean of the six seatings, and the largest
    gain.
    """
    scoring, lines = fair_points(solve_lineup(FOUR), norm).scoring, []
    for _ in range(steps):
        every = list(settle_seatings(FOUR, rounds, scoring=scoring, tail=tail).values())
        mean = mean_outcomes(FOUR, [found.outcomes for found in every])
        ends = [mean.probability.get(ending, 0.0) for ending in ENDINGS]
        lines.append((values_of(scoring), ends, [np.max([found.epsilon for found in every])]))
        scoring = fair_points(mean, norm).scoring
    texts = (as_text(column) for column in zip(*lines, strict=True))
    return {"norm": norm, **dict(zip(("points", "endings", "gains"), texts, strict=True))}


def _measured(found):
    """What is unfinished, what each role could gain, and the chances of the endings in the last rounds."""
    gains = {f"gain_{key}": float(gain) for key, gain in zip(ROLE_KEYS, found.epsilon, strict=True)}
    ends = _endings(found)
    last = as_text(zip(*(chances[-LAST:] for chances in ends.values()), strict=True))
    return {"unfinished": found.unfinished, **gains, "endings": last}


def _endings(found):
    """The chances of each of `endings_of` the line-up, round by round, by the first rule for ties."""
    chances = next(iter(found.chances.values()))
    ends = {ending: chances[:, place] for place, ending in enumerate(found.endings)}
    return {ending: ends.get(ending, np.zeros(found.rounds)) for ending in endings_of(found.seating.lineup)}


def moves_row(seating, rounds):
    """How often each move is made in a game of settled play: the living, the mover and the target by seat.

    Whoever gains nothing by an attack passes, so that an attack is one that pays.
    """
    found = induction(seating, PASSING, tallied=True)
    *_, row = found.rounds(rounds)
    names = [f"{''.join(map(str, living))} {mover} {target}" for living, mover, target in found.moves]
    often = row[len(row) - len(names) :]
    return {
        "seating": seating,
        "moves": ";".join(f"{name} {number:.10g}" for name, number in zip(names, often, strict=True)),
    }


def tried(rows):
    """The rules for ties, in their order."""
    return [ties for ties in TIES if ties in set(rows["ties"])]


def chances(rows):
    """Chances of the endings in the last rounds gone back: shape (ties, seatings, rounds, endings)."""
    text, orders = rows.set_index(["ties", "seating"])["endings"], rows["seating"].unique()
    cases = [[[line.split() for line in text[ties, order].split(";")] for order in orders] for ties in tried(rows)]
    return np.array(cases, float)


def of_seatings(rows):
    """The same by seating, and for their mean: each of shape (ties, rounds, endings)."""
    table = chances(rows)
    return dict(zip(rows["seating"].unique(), table.swapaxes(0, 1), strict=True)) | {"mean": table.mean(axis=1)}


def with_settled(designs, rows, changed):
    """The grid with columns for where play settles, so far as that is known, by the last cut; else "" and nan.

    `settled`: how games end; `unfinished` and `gain`: what is cut and what anybody could gain, in any seating at most.
    """
    lines = {}
    for number, own in pd.concat([rows[rows["ties"] == TIES[0]].assign(number=0), changed]).groupby("number"):
        gain = own[[f"gain_{key}" for key in ROLE_KEYS]].max(axis=None)
        lines[number] = {"settled": _last_cut(own), "unfinished": own["unfinished"].max(), "gain": gain}
    return designs.join(pd.DataFrame.from_dict(lines, orient="index"), on="number").fillna({"settled": ""})


def rules_table(designs):
    """By setting: who wins where play settles and by the fixed rule, in percent, Bal and Rat; the most even first."""
    lines = []
    for row in designs[designs["settled"] != ""].to_dict("records"):
        line = {("", "changed rule"): sentence_of(settings()[row["number"]]) or "The game as it is."}
        for play, head in (("settled", "nobody gains by leaving"), ("report", "fixed rule")):
            found = settled_mean(row[play])
            wins = {side: 100 * share for side, share in found.winning.items()}
            line |= {(head, f"{side}, %"): share for side, share in wins.items()}
            line[head, "apart"] = max(wins.values()) - min(wins.values())
            line |= {(head, "Bal, %"): 100 * found.balance, (head, "Rat"): found.rationality()}
        line["at most", "gain"] = at_most(row["gain"], 2)
        line["at most", "unfinished, %"] = at_most(100 * row["unfinished"], 1)
        lines.append(line)
    return grouped(lines).sort_values(("nobody gains by leaving", "apart"), ignore_index=True)


def draw_rules(table):
    """Who wins under each of the rules of `rules_table`, by the fixed rule and where nobody gains by leaving."""
    figure, panels = new_figure(height=5.6, cols=2, sharey=True)
    for axes, head in zip(panels, ("fixed rule", "nobody gains by leaving"), strict=True):
        for side, role in zip(WINNERS, (Role.LORD, Role.REBEL, Role.RENEGADE), strict=True):
            look = {"color": ROLES[role].colour, "marker": ROLES[role].marker, "linestyle": "none"}
            axes.plot(table[head, f"{side}, %"], table.index, **look, label={"lord": "lord's side"}.get(side, role.key))
        axes.axvline(100 / 3, color="0.6", linewidth=1, zorder=0)
        axes.set(title=head.capitalize(), xlabel="games won, %", xlim=(-4, 104))
    panels[0].set_yticks(table.index, table["", "changed rule"].str.removesuffix("."))
    panels[0].invert_yaxis()
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside upper center", ncols=3)
    return figure


def widest(rows):
    """How far a side's share of the games that end has moved over the last cuts, at most, in percentage points.

    By number of the setting, in the mean of the six seatings; over those of the last ten cuts that leave at most twice
    as many games unfinished as the last one: where games are short perhaps over that one alone.
    """
    found = 0.0
    for _, own in rows.groupby("number"):
        each = [np.array([cut.split() for cut in text.split(";")], float) for text in own["endings"]]
        ends = np.mean([table[-min(map(len, each)) :] for table in each], axis=0)
        whole = ends.sum(axis=1, keepdims=True)
        done = 1 - whole[:, 0] <= 2 * (1 - whole[-1, 0])
        found = max(found, float(np.ptp(100 * (ends / whole)[done] @ WON, axis=0).max()))
    return found


def points_table(row):
    """Step by step: points that would be fair for the play before, and what the roles expect where play then settles.

    The first step is fair for the fixed rule.
    """
    lines = []
    texts = (row[name].split(";") for name in ("points", "endings", "gains"))
    for step, (points, ends, gain) in enumerate(zip(*texts, strict=True)):
        found, points = settled_mean(ends), np.array(points.split(), float)
        expected = found.expected_scores(with_points(REPORT_SCORING, points))
        line = {
            ("", "smallest"): NORMS[row["norm"]],
            ("", "step"): step,
            ("", "change"): float(np.abs(points - values_of(REPORT_SCORING)).sum()),
        }
        line |= {("expected points", role.english): expected[role] for role in Role}
        line["expected points", "apart"] = float(np.ptp(expected))
        line |= {("wins, %", side): 100 * share for side, share in found.winning.items()}
        line["wins, %", "nobody"] = 100 * found.error_bound
        lines.append(line | {("at most", "gain"): at_most(float(gain), 2)})
    return grouped(lines)


def settled_outcomes(rows):
    """The mean over the seatings, by the first rule for ties and the last cut."""
    return settled_mean(_last_cut(rows[rows["ties"] == TIES[0]]), _lineup(rows))


def settled_mean(text, lineup=FOUR):
    """The mean over seatings, apart by ";", of the chances of the endings; what is missing is unfinished."""
    ends = np.array([seating.split() for seating in text.split(";")], float).mean(axis=0)
    probability = dict(zip(endings_of(lineup), ends.tolist(), strict=True))
    return Outcomes(lineup, probability, error_bound=max(0.0, 1 - ends.sum()))


def _last_cut(rows):
    """Chances of the endings by the last cut, in the order of the seatings, as text."""
    return ";".join(rows.set_index("seating")["endings"].sort_index().str.rsplit(";", n=1).str[-1])


def _lineup(rows):
    return Seating(rows["seating"].iloc[0]).lineup


def span(values, digits=1):
    """From the least to the most of values, as text; one number if that is all one sees."""
    least, most = (f"{end:z.{digits}f}" for end in (np.min(values), np.max(values)))
    return least if least == most else f"{least}–{most}"


def settled_table(rows):
    """By seating: wins of the three sides in percent and points of the four roles as ranges, and what is not known."""
    lines, (won, points) = [], worths_of(endings_of(_lineup(rows)), _lineup(rows))
    for name, ends in of_seatings(rows).items():
        own = rows if name == "mean" else rows[rows["seating"] == name]
        line = {("", "seating"): name}
        line |= {("wins, %", side): span(100 * ends @ won[:, place]) for place, side in enumerate(WINNERS)}
        line |= {("points", role.english): span(ends @ points[:, role], 2) for role in Role}
        line["could gain", "at most"] = at_most(own[[f"gain_{key}" for key in ROLE_KEYS]].max(axis=None), 2)
        lines.append(line | {("unfinished, %", "at most"): at_most(100 * own["unfinished"].max(), 2)})
    return grouped(lines)


def traces(rows):
    """The chance of each side to win, by seating and the rounds gone back, in percent."""
    first, parts = rows[rows["ties"] == TIES[0]], []
    for seating, text in zip(first["seating"], first["sides"], strict=True):
        table = 100 * np.array([line.split() for line in text.split(";")], float)
        frame = pd.DataFrame(table, columns=list(WINNERS))
        parts.append(frame.assign(seating=seating, rounds=range(1, len(table) + 1)))
    return pd.concat(parts, ignore_index=True)


def moves(rows):
    """Turns in a game by roles: the living, the mover, the target or "nobody"; the mean over the six seatings."""
    lines = []
    for seating, text in zip(rows["seating"], rows["moves"], strict=True):
        roles = Seating(seating).roles
        for living, mover, target, often in (each.split() for each in text.split(";")):
            held = tuple(sorted(roles[int(seat)] for seat in living))
            whom = roles[int(target)].key if int(target) >= 0 else "nobody"
            lines.append((held, roles[int(mover)], whom, float(often) / len(SEATINGS)))
    table = pd.DataFrame(lines, columns=["living", "mover", "target", "turns"])
    return table.groupby(["living", "mover", "target"], as_index=False)["turns"].sum()


def kinds(table, count):
    """The kinds of state in which most turns are taken, and what the mover does there, in words."""
    lines = []
    for (living, mover), own in table.groupby(["living", "mover"]):
        shares = own.set_index("target")["turns"].sort_values(ascending=False)
        total = shares.sum()
        told = [
            f"{'nobody' if whom == 'nobody' else f'the {whom}'} in {share / total:.0%}"
            for whom, share in shares.items()
        ]
        shown = [text for text, share in zip(told, shares, strict=True) if share > 0.005 * total]
        who = "all four" if len(living) == len(Role) else ", ".join(role.key for role in living)
        lines.append((who, Role(mover).key, total, f"attacks {', '.join(shown)}"))
    frame = pd.DataFrame(lines, columns=["alive", "whose turn", "turns a game", "what it does"])
    return frame.nlargest(count, "turns a game")


def worths(found, rounds, seats, actor):
    """What each option is worth to the seat to move after so many rounds: points by hand, option and state."""
    kept = {}

    def watch(living, mover, options, ahead):
        kept[living, mover] = options, ahead.copy()

    *_, _ = found.rounds(rounds, watch=watch)
    options, ahead = kept[seats, actor]
    table = np.empty((len(options.chances), len(options.seats), CODES ** len(seats)))
    option_worths(ahead, options, table)
    return table.reshape(*table.shape[:2], *[CODES] * len(seats))
