"""The smallest change that makes four players fair: new points and what they do, and the grid of new rules searched.

A setting is one or two changed rules, or one rule and who may sit where; how far it is from the report's rules is the
sum of the steps of its changes.
"""

import numpy as np
import pandas as pd

from chapters import the_smallest_fair_change_grid as grid
from chapters.five_to_ten_players import mean_of, solved_seatings
from chapters.four_players_exactly import grouped
from chapters.the_smallest_fair_change_lineups import FIVE, FIVE_SEATINGS, fives_of, seating_rules
from gamebalance.base.rounding import meant
from gamebalance.base.sums import dot
from gamebalance.fairness.spreads import balance, rationality
from gamebalance.publish.style import COLOURS, INK
from gamebalance.sanguosha.lineup import ROLE_KEYS, Role
from gamebalance.sanguosha.rules import Card
from gamebalance.sanguosha.scoring import REPORT_SCORING, SIDES, winner
from gamebalance.sanguosha.simulation import simulate

#: Measures of unfairness, the less the better: Bal in percent, Rat in points squared, and the root mean square
#: difference of the players' chances to win from their mean, in percentage points; and what tables call them.
MEASURE_NAMES = {"Bal": "Bal", "Rat": "Rat", "wins": "chances to win"}
UNFAIR = tuple(MEASURE_NAMES)
#: Of whom there are such measures: four players by each of the plays, and five by the report's.
MEASURED = (*grid.PLAYS, "five")
#: The columns of the sides' chances to win.
SIDES_WIN = ["lord's side wins, %", "rebel wins, %", "renegade wins, %"]
#: How each play of four, five players, and the worst of the plays are drawn: none is told by its colour alone.
LOOKS = {
    name: {"color": colour, "marker": marker, "linestyle": line, "label": name}
    for name, colour, marker, line in zip(
        grid.PLAY_NAMES.values(), COLOURS, "osD", ("-", (0, (5, 1.5)), (0, (1.2, 1.2))), strict=False
    )
}
LOOKS["five"] = {"color": COLOURS[3], "label": "five players, fixed rule"}
LOOKS["worst"] = {"color": INK, "marker": "X", "linestyle": (0, (5, 1.5, 1.2, 1.5)), "label": "the worst of the three"}


def shares_of(rows):
    """How games end, shape (rows, plays, seatings, endings); nan where a row was not played so."""
    empty = ";".join([" ".join(["nan"] * len(grid.ENDINGS))] * len(grid.SEATINGS))
    texts = [[text or empty for text in row] for row in rows[[*grid.PLAYS]].fillna("").to_numpy()]
    shares = np.array([[[seat.split() for seat in text.split(";")] for text in row] for row in texts], float)
    return shares / shares.sum(axis=-1, keepdims=True)


def measured(shares):
    """What the endings mean, arrays of the shape of `shares` without its last axis: `UNFAIR`, and numbers by role."""
    tables = {
        "alive": np.array(grid.ENDINGS) / grid.FOUR.counts,
        "won": np.array([[winner(ending) == side for side in SIDES] for ending in grid.ENDINGS], float),
        "score": np.array([REPORT_SCORING.scores(grid.FOUR, ending) for ending in grid.ENDINGS]),
    }
    by_role = {name: dot(shares, table) for name, table in tables.items()}
    alive, won, score = (
        np.square(values - values.mean(axis=-1, keepdims=True)).sum(axis=-1) for values in by_role.values()
    )
    numbers = {"Bal": 100 * alive, "Rat": score, "wins": 100 * np.sqrt(won / len(ROLE_KEYS))}
    for name, values in by_role.items():
        numbers |= {f"{name}_{key}": values[..., role] for role, key in enumerate(ROLE_KEYS)}
    return numbers


def unfair(outcomes):
    """`UNFAIR` of games that end so, of any line-up."""
    counts, chances = outcomes.lineup.counts, outcomes.results.mean(grid.won_by_member(outcomes))
    apart = np.average(np.square(chances - np.average(chances, weights=counts)), weights=counts)
    return {"Bal": 100 * outcomes.balance, "Rat": outcomes.rationality(), "wins": 100 * float(np.sqrt(apart))}


def about(number, seating=""):
    """What a setting of the grid changes, together with a rule for seating, "" for none: a line of `searched`."""
    setting = grid.settings()[number]
    return {
        "number": number,
        "setting": f"{grid.sentence_of(setting)} {seating}".strip(),
        "rules": ", ".join([*(change.rule for change in setting), *["seating"] * bool(seating)]),
        "changes": len(setting) + bool(seating),
        "steps": sum(change.steps for change in setting) + bool(seating),
    }


def searched(rows):
    """All settings of the grid, with their allowed `seatings` and, such as "Bal, report", every measure by play.

    "Bal, worst" is the largest of the plays; nan where a pair of rules was not tried.
    """
    shares, parts = shares_of(rows), []
    for rule, left in {"": tuple(range(len(grid.SEATINGS))), **seating_rules()}.items():
        few = np.array([len(grid.settings()[number]) + bool(rule) <= grid.MOST_CHANGES for number in rows["number"]])
        lines = pd.DataFrame([about(number, rule) for number in rows["number"][few]]).to_dict("list")
        lines["seatings"] = " ".join(grid.SEATINGS[place] for place in left)
        values = measured(shares[few][:, :, left].mean(axis=2))
        lines |= {f"{name}, {play}": values[name][:, place] for name in values for place, play in enumerate(grid.PLAYS)}
        lines |= {f"{name}, worst": values[name].max(axis=1) for name in UNFAIR}
        parts.append(pd.DataFrame(lines))
    return pd.concat(parts, ignore_index=True).sort_values(["changes", "steps", "number"], ignore_index=True)


def five_lines(rows):
    """As `searched`, of five players: each change of one rule, without and with a rule for seating."""
    every, lines = fives_of(rows), []
    for number in sorted(set(rows["number"])):
        for rule in ("", *seating_rules(FIVE_SEATINGS)):
            line = about(number, rule)
            lines.append(line | {f"{name}, five": value for name, value in unfair(every[line["setting"]]).items()})
    return pd.DataFrame(lines).sort_values(["changes", "steps", "number"], ignore_index=True)


def beside(lines, others):
    """Lines with the columns of others that they lack, by the sentences of their settings; nan where there are none."""
    return lines.join(others.set_index("setting")[[name for name in others if name not in lines]], on="setting")


def front(lines, column):
    """The settings than which none with as few steps is as fair, the smallest first.

    Each is fairer, by `column` and at the digits that are meant, than everything with as many steps or fewer; of
    several that are as fair the first. Settings that were not tried are left out: `TRIED_BELOW` says when that is safe.
    """
    tried = lines[lines[column].notna()]
    ordered = tried.assign(shown=meant(tried[column])).sort_values(["steps", "shown"], kind="stable")
    best = ordered["shown"].cummin().shift(fill_value=np.inf)
    return ordered[ordered["shown"] < best].drop(columns="shown").reset_index(drop=True)


def tornado(lines):
    """How far each rule alone can move a measure: least and largest value over all its numbers, the old one included.

    The rule that can move Bal most, by any play, comes first.
    """
    whose = [who for who in MEASURED if f"Bal, {who}" in lines]
    columns = [f"{name}, {who}" for name in UNFAIR for who in whose]
    old, rows = lines[lines["changes"] == 0], {}
    for rule, numbers in lines[lines["changes"] == 1].groupby("rules", sort=False):
        rows[rule] = pd.concat([old, numbers])[columns].astype(float).agg(["min", "max"])
    widths = {rule: -meant((ends.loc["max"] - ends.loc["min"]).iloc[: len(whose)].max()) for rule, ends in rows.items()}
    rules = sorted(rows, key=widths.__getitem__)
    heads = pd.MultiIndex.from_product([columns, ["least", "largest"]])
    return pd.DataFrame([rows[rule].to_numpy().T.ravel() for rule in rules], rules, heads)


def short(number):
    """At most two decimals, and nothing for what is not a number."""
    return "" if np.isnan(number) else f"{number:.2f}".rstrip("0").rstrip(".")


def largest_difference(outcomes, scoring):
    """Between what two roles expect, in points."""
    scores = outcomes.expected_scores(scoring)
    return float(np.nanmax(scores) - np.nanmin(scores))


def after_replies(rows, what):
    """The mean of `scores`, `survival` or `wins` of `reply_row` over the seatings and the later half of the rounds."""
    rounds = np.array([[part.split() for part in text.split(";")] for text in rows[what]], float)
    return rounds[:, (rounds.shape[1] + 1) // 2 :].mean(axis=(0, 1))


def points_under_play(rules, plays, replied):
    """For each rule of points and each play: the largest difference between two roles, and who expects most.

    `replied` has rows of `reply_row`, in all seatings, for those rules of points for which there are some.
    """
    rows = []
    for name, scoring in rules.items():
        scores = {play: outcomes.expected_scores(scoring) for play, outcomes in plays.items()}
        if name in replied:
            scores["replies to replies"] = after_replies(replied[name], "scores")
        row = {("", "points"): name}
        for play, each in scores.items():
            row[play, "difference"] = difference = meant(float(np.ptp(each)), residue=1e-6)
            row[play, "most"] = Role(int(np.argmax(each))).english if difference else ""
        rows.append(row)
    return grouped(rows).fillna({("replies to replies", "most"): ""})


def card_gradients(cards, fives):
    """What one more card of a kind does to `UNFAIR`: half the difference between one more and one less.

    Of four players by each play, and from rows of `five_card_row` of five by the report's rule.
    """
    values, rows = measured(shares_of(cards).mean(axis=2)), []
    places = {key: place for place, key in enumerate(zip(cards["card"], cards["more"], strict=True))}
    solved = {key: unfair(mean_of(solved_seatings(own), FIVE)) for key, own in fives.groupby(["card", "more"])}
    for name in UNFAIR:
        for kind in Card:
            more, less = ((kind.name.lower(), step) for step in (1, -1))
            slopes = (values[name][places[more]] - values[name][places[less]]) / 2
            row = {"what": MEASURE_NAMES[name], "one more card": str(kind)}
            row |= dict(zip(grid.PLAY_NAMES.values(), slopes, strict=True))
            rows.append(row | {"five players": (solved[more][name] - solved[less][name]) / 2})
    return pd.DataFrame(rows)


def winners_table(chosen, replied):
    """Lines of `searched` by a name, under each play and after replies to replies: Bal, Rat, chances to win.

    `replied` has the rows of `reply_row`, those of each line's number with the report's points among them.
    """
    rows = []
    for said, line in chosen.items():
        own = replied[(replied["number"] == line["number"]) & replied["seating"].isin(line["seatings"].split())]
        for play, name in grid.PLAY_NAMES.items():
            numbers = measured(np.array([text.split() for text in own[play]], float).mean(axis=0))
            wins = (100 * numbers[f"won_{key}"] for key in ("lord", "rebel", "renegade"))
            rows.append((said, name, numbers["Bal"], numbers["Rat"], *wins))
        survival, scores, wins = (after_replies(own, what) for what in ("survival", "scores", "wins"))
        rows.append((said, "replies to replies", 100 * balance(survival), rationality(scores), *100 * wins))
    return pd.DataFrame(rows, columns=["new rules", "play", "Bal, %", "Rat", *SIDES_WIN])


def simulated_z(line, games, seed):
    """How far simulated survival is from a line of `searched`, in standard errors; games in each seating."""
    rules, seatings = grid.rules_of(grid.settings()[line["number"]]), line["seatings"].split()
    played = [simulate(grid.FOUR, games, seed, rules, seating=seating) for seating in seatings]
    mean = np.mean([outcomes.survival for outcomes in played], axis=0)
    error = np.sqrt(np.square([outcomes.survival_error for outcomes in played]).sum(axis=0)) / len(played)
    return (mean - [line[f"alive_{key}, report"] for key in ROLE_KEYS]) / error
