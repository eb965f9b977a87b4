"""How each reading in ``claims.yaml`` is decided (True, False, or None: open; with a text), and tables of verdicts."""

from functools import cache
from itertools import product
from math import hypot
from pathlib import Path

import pandas as pd
import yaml

from chapters.claims import LORD, LOYALIST, PRINTED_UNIT, REBEL, RENEGADE, bal, gap, rat, ratio, survival
from gamebalance.base.estimates import Estimate, agree, less, mean_of, opposite, slope
from gamebalance.sanguosha.lineup import Role

# ---- One role against the others, from a value for each. The values come from the same games: errors are bounds.


def all_of(answers):
    """False if any answer is, else None if any is undecided, else True."""
    answers = list(answers)
    return False if False in answers else None if None in answers else True


def above_mean(values, role):
    """How far a role is above the mean of the four."""
    rest = [estimate for other, estimate in enumerate(values) if other != role]
    value = 0.75 * values[role].value - sum(estimate.value for estimate in rest) / 4
    return Estimate(value, 0.75 * values[role].error + sum(estimate.error for estimate in rest) / 4)


def best_of(values, rivals, pick=max):
    """The rival with the largest value (or, by `min`, the lowest)."""
    return pick(rivals, key=lambda role: values[role].value)


def lead(values, role, rivals=Role):
    """How far a role is above the best of its rivals, itself left out."""
    rival = values[best_of(values, [rival for rival in rivals if rival != role])]
    return Estimate(values[role].value - rival.value, values[role].error + rival.error)


# ---- Line-ups or seatings by name, and whether a quantity is smallest somewhere, rises, and the like.


def sized(measures, least, most):
    """The line-ups of `least` to `most` players."""
    return {name: its for name, its in measures.items() if least <= its.players <= most}


def split(measures, least, most):
    """The line-ups of `least` to `most` players, and all others."""
    inside = sized(measures, least, most)
    return inside, {name: its for name, its in measures.items() if name not in inside}


def listed(named, unit=""):
    """Names and their estimates in one line."""
    return ", ".join(f"{name}: {estimate}{unit}" for name, estimate in named)


def beyond(pick, few, many, of, unit=""):
    """Whether a quantity is smaller (`min`) or larger (`max`) in each of the `few` than in all of the `many`."""
    low, high = (few, many) if pick is min else (many, few)
    rival = pick(many, key=lambda name: of(many[name]).value)
    shown, word = listed(((name, of(its)) for name, its in few.items()), unit), {min: "smallest", max: "largest"}[pick]
    answer = all_of(less(of(one), of(other)) for one in low.values() for other in high.values())
    return answer, f"{shown}; {word} of the others, {rival}: {of(many[rival])}{unit}"


def extreme(pick, measures, of, name, unit=""):
    """Whether a quantity is the smallest (`min`) or the largest (`max`) in line-up `name`."""
    others = {other: its for other, its in measures.items() if other != name}
    return beyond(pick, {name: measures[name]}, others, of, unit)


def positive(measures, of):
    """Whether a lead, in points, is above zero in every line-up."""
    answers = [less(Estimate(0), of(its)) for its in measures.values()]
    least = min(measures, key=lambda name: of(measures[name]).value)
    text = f"so in {answers.count(True)} of {len(answers)}; smallest lead, {least}: {of(measures[least])} points"
    return all_of(answers), text


def pairs(measures, of, rising):
    """All pairs of line-ups, fewer and more players, before and after, and whether a quantity moves as claimed."""
    rows = []
    for (fewer, one), (more, other) in product(measures.items(), repeat=2):
        if one.players < other.players:
            before, after = of(one), of(other)
            rows.append((fewer, more, before, after, less(before, after) if rising else less(after, before)))
    return pd.DataFrame(rows, columns=["fewer", "more", "before", "after", "answer"]).astype({"answer": object})


def monotone(measures, of, rising, unit=""):
    """Whether the quantity rises (or falls) from every line-up to every one with more players."""
    every = pairs(measures, of, rising)
    against = every[[answer is False for answer in every["answer"]]]
    open_ones = sum(answer is None for answer in every["answer"])
    text = f"{len(against)} of {len(every)} pairs against it" + (f", {open_ones} undecided" if open_ones else "")
    if len(against):
        worst = max(against.itertuples(), key=lambda pair: abs(pair.after.value - pair.before.value))
        text += f"; the largest, {worst.fewer} to {worst.more}: {worst.before}{unit} to {worst.after}{unit}"
    return all_of(every["answer"]), text


def trend(measures, of, rising, unit=""):
    """Whether the least-squares line over the number of players rises (or falls)."""
    line = slope((its.players for its in measures.values()), map(of, measures.values()))
    return less(Estimate(0), line if rising else opposite(line)), f"{line}{unit} per player"


def in_every_seating(seatings, what, role, rivals, pick=max):
    """Whether a role's survival, scores or winning is above (by `min`: below) that of the rivals in every seating."""
    rivals = [rival for rival in rivals if rival != role]
    unit = "" if what == "scores" else "%"
    answers, exceptions = [], []
    for seating, its in seatings.items():
        values = getattr(its, what)
        answers.append(less(Estimate(0), lead(tuple(map(opposite, values)) if pick is min else values, role, rivals)))
        if answers[-1] is not True:
            rival = best_of(values, rivals, pick)
            exceptions.append(f"{seating} ({values[role]}{unit}, {rival.english.lower()} {values[rival]}{unit})")
    text = f"so in {answers.count(True)} of {len(answers)} seatings"
    return all_of(answers), text + (f"; not in {', '.join(exceptions)}" if exceptions else "")


# ---- §6.3: four players, by the transfer algorithm.


def transfer_is_exact(methods):
    transfer, exact = methods["transfer"], methods["exact"]
    pairs = list(zip(transfer.survival + transfer.scores, exact.survival + exact.scores, strict=True))
    apart = [abs(printed.value - true.value) for printed, true in pairs]
    right = [gap <= 0.5001 * PRINTED_UNIT for gap in apart]  # half the last digit, and a little for binary fractions
    worst = max(Role, key=lambda role: apart[role])
    words = "{} of {} are right; {} survives with {:.2f}%, printed {:.2f}%"
    values = (estimate.value for estimate in reversed(pairs[worst]))
    return all(right), words.format(sum(right), len(right), worst.english.lower(), *values)


def furthest_from_mean(lineups, role, sign=1):
    """Whether the role's score with four players is further above (-1: below) the mean than any other score."""
    distances = {(name, other): above_mean(its.scores, other) for name, its in lineups.items() for other in Role}
    if sign < 0:
        distances = {key: opposite(distance) for key, distance in distances.items()}
    own = distances.pop(("1-1-1-1", role))
    name, rival = max(distances, key=lambda key: distances[key].value)
    return all_of(less(other, own) for other in distances.values()), (
        f"1-1-1-1: {own} points from the mean; next, {rival.english.lower()} in {name}: {distances[name, rival]}"
    )


# ---- §8.2: what the report reads off Tables 4 to 23.


def renegade_lead(measures):
    """Survival of the renegade less that of loyalist or rebel, whichever is higher."""
    return lead(measures.survival, RENEGADE, (LOYALIST, REBEL))


def rebels_lose_at_four(lineups):
    fewest, text = extreme(min, lineups, lambda its: its.winning[REBEL], "1-1-1-1", "%")
    own = lineups["1-1-1-1"].winning
    last = [less(own[REBEL], own[side], together=True) for side in (LORD, RENEGADE)]
    return all_of([fewest, *last]), f"{text}; lord's side {own[LORD]}%, renegade {own[RENEGADE]}%"


def lord_far_ahead(lineups):
    large, small = split(lineups, 9, 10)
    first, _ = positive(large, lambda its: lead(its.survival, LORD))
    more, text = beyond(max, large, small, lambda its: lead(its.survival, LORD))
    return all_of([first, more]), f"lead in points, {text}"


def rat_below_most(lineups):
    """Whether Rat is below more than half of the others, if the undecided ones leave that beyond doubt."""
    large, small = split(lineups, 9, 10)
    rows = {name: [less(its.rat, other.rat) for other in small.values()] for name, its in large.items()}
    texts = [f"{name} ({large[name].rat}): in {row.count(True)} of {len(row)}" for name, row in rows.items()]
    half = len(small) / 2
    open_or_false = [None if len(row) - row.count(False) > half else False for row in rows.values()]
    answers = [row.count(True) > half or other for row, other in zip(rows.values(), open_or_false, strict=True)]
    return all_of(answers), "; ".join(texts)


# ---- §9: the transfer algorithm and the Monte Carlo method compared, by Table 5.


def same_order(methods):
    """Whether the Monte Carlo values put the roles in the order of the transfer algorithm's."""
    answers, swapped = [], []
    for what, one, other in product(("survival", "scores"), Role, Role):
        before, after = getattr(methods["transfer"], what), getattr(methods["monte carlo"], what)
        if before[one].value < before[other].value:
            answers.append(less(after[one], after[other], together=True))
            if answers[-1] is False:
                pair = (f"{role.english.lower()} {before[role].value:.2f}" for role in (other, one))
                swapped.append(f"{what}: {', '.join(pair)} against {after[other]}, {after[one]}")
    return all_of(answers), "; ".join(swapped) or f"all {len(answers)} pairs in the same order"


def within_noise(methods, left, right, *quantities):
    """Whether two methods agree for all roles, and where they differ most in standard errors."""
    answers, texts = [], []
    words = "{} of the {}: {:.2f} against {:.2f}{}, {:.1f} s.e. apart"
    for what in quantities:
        rows = list(zip(getattr(methods[left], what), getattr(methods[right], what), strict=True))
        answers += [agree(*row) for row in rows]
        z = [abs(one.value - other.value) / hypot(one.error, other.error) for one, other in rows]
        worst = max(Role, key=lambda role: z[role])
        values, unit = (estimate.value for estimate in rows[worst]), "%" * (what == "survival")
        texts.append(words.format(what, worst.english.lower(), *values, unit, z[worst]))
    return all(answers), "; ".join(texts)


def similar_accuracy(methods, what):
    """Whether both methods' distances from the exact values differ by no more than chance allows."""
    transfer, played, exact = (getattr(methods[name], what) for name in ("transfer", "monte carlo", "exact"))
    errors = [
        [Estimate(abs(one.value - true.value), one.error) for one, true in zip(own, exact, strict=True)]
        for own in (transfer, played)
    ]
    words = "largest error of {}: transfer {:.3f}{unit}, Monte Carlo {:.3f}{unit}"
    worst, unit = (max(each).value for each in errors), "%" if what == "survival" else " points"
    return all(map(agree, *errors)), words.format(what, *worst, unit=unit)


# ---- §10: the summary.


def loyalist_steadiest(lineups):
    ranges = {}
    for role in Role:
        low, *_, high = sorted(its.survival[role] for its in lineups.values())
        ranges[role] = Estimate(high.value - low.value, hypot(high.error, low.error))
    # Ranges of different roles come from the same games.
    answers = [less(ranges[LOYALIST], ranges[role], together=True) for role in Role if role != LOYALIST]
    return all_of(answers), "range in points, " + listed((role.english.lower(), ranges[role]) for role in Role)


def middle_below(lineups, of, pick=max, unit=""):
    """Whether a quantity is smaller in the worst (`min`: best) line-up of six to eight players than in all others."""
    middle, others = split(lineups, 6, 8)
    name = pick(middle, key=lambda name: of(middle[name]).value)
    answer, text = beyond(min, {name: middle[name]}, others, of, unit)
    return answer, "worst of them, " * (pick is max) + text


def middle_mean(lineups, of, unit="", **groups):
    """Whether the mean over six to eight players is below the mean of each group (fewest and most players)."""
    middle, others = split(lineups, 6, 8)
    mean = mean_of(map(of, middle.values()))
    means = {name.replace("_", " "): mean_of(map(of, sized(others, *size).values())) for name, size in groups.items()}
    answer = all_of(less(mean, other) for other in means.values())
    return answer, f"six to eight: {mean}{unit}; {listed(means.items(), unit)}"


def rebels_last(lineups):
    answers, texts = [], []
    for name, its in sized(lineups, 4, 5).items():
        for values, unit in ((its.survival, "%"), (its.scores, " points")):
            others = [role for role in Role if role != REBEL]
            answers += [less(values[REBEL], values[role], together=True) for role in others]
            rival = best_of(values, others, min)
            texts.append(f"{name}: {values[REBEL]}{unit}, next {rival.english.lower()} {values[rival]}")
    return all_of(answers), "; ".join(texts)


def scores_closer_than_survival(lineups):
    ratios = {name: (ratio(its), ratio(its, "survival")) for name, its in sized(lineups, 9, 10).items()}
    answer = all_of(less(*both, together=True) for both in ratios.values())
    return answer, "; ".join(f"{name}: {score} against {alive}" for name, (score, alive) in ratios.items())


def lord_overtaken(lineups):
    answers, texts = [], []
    for name, its in sized(lineups, 9, 10).items():
        rival = best_of(its.scores, (LOYALIST, REBEL, RENEGADE))
        answers.append(less(its.scores[LORD], its.scores[rival], together=True))
        texts.append(f"{name}: lord {its.scores[LORD]}, {rival.english.lower()} {its.scores[rival]}")
    return all_of(answers), "; ".join(texts)


def renegade_first(most, what="survival"):
    """Whether the renegade leads in all line-ups of up to so many players."""
    return lambda nine: positive(sized(nine, 4, most), lambda its: lead(getattr(its, what), RENEGADE))


#: How each reading is decided, by the numbers that it asks for (arguments of `judge`).
DECISIONS = {
    "lineups": {
        "§6.3 (2a)": lambda nine: extreme(max, nine, rat, "1-1-1-1"),
        "§6.3 (3a)": lambda nine: furthest_from_mean(nine, RENEGADE),
        "§6.3 (4a)": lambda nine: furthest_from_mean(nine, REBEL, -1),
        "§8.2 (1a)": lambda nine: extreme(min, nine, bal, "1-1-2-2", "%"),
        "§8.2 (1b)": lambda nine: extreme(min, nine, lambda its: its.win_spread, "1-1-2-2", "%"),
        "§8.2 (1c)": lambda nine: extreme(min, nine, lambda its: its.win_spread_each, "1-1-2-2", "%"),
        "§8.2 (2a)": lambda nine: extreme(max, nine, bal, "1-1-1-1", "%"),
        "§8.2 (2b)": rebels_lose_at_four,
        "§8.2 (3a)": lambda nine: beyond(max, sized(nine, 9, 10), sized(nine, 5, 8), bal, "%"),
        "§8.2 (3b)": lord_far_ahead,
        "§8.2 (4a)": lambda nine: beyond(min, *split(nine, 9, 10), rat),
        "§8.2 (4b)": rat_below_most,
        "§8.2 (4c)": lambda nine: beyond(min, *split(nine, 9, 10), ratio),
        "§8.2 (5a)": lambda nine: monotone(nine, survival(LORD), True, "%"),
        "§8.2 (5b)": lambda nine: trend(nine, survival(LORD), True, " points"),
        "§8.2 (5c)": lambda nine: positive(nine, renegade_lead),
        "§8.2 (6a)": lambda nine: monotone(nine, rat, False),
        "§8.2 (6b)": lambda nine: trend(nine, rat, False),
        "§8.2 (6c)": lambda nine: monotone(nine, ratio, False),
        "§10 (1a)": lambda nine: extreme(min, nine, survival(LORD), "1-1-2-2", "%"),
        "§10 (1b)": lambda nine: extreme(min, nine, bal, "1-1-2-2", "%"),
        "§10 (2a)": loyalist_steadiest,
        "§10 (2b)": lambda nine: monotone(nine, survival(LOYALIST), False, "%"),
        "§10 (2c)": lambda nine: trend(nine, survival(LOYALIST), False, " points"),
        "§10 (3a)": lambda nine: beyond(min, *split(nine, 9, 10), gap, " points"),
        "§10 (3b)": lambda nine: trend(nine, gap, False, " points"),
        "§10 (3c)": lambda nine: extreme(max, nine, survival(REBEL), "1-1-3-1", "%"),
        "§10 (4a)": lambda nine: monotone(nine, survival(RENEGADE), False, "%"),
        "§10 (4b)": lambda nine: monotone(sized(nine, 7, 10), survival(RENEGADE), False, "%"),
        "§10 (4c)": renegade_first(6),
        "§10 (4d)": renegade_first(7),
        "§10 (4e)": renegade_first(7, "scores"),
        "§10 (5a)": lambda nine: middle_below(nine, bal, unit="%"),
        "§10 (5b)": lambda nine: middle_mean(nine, bal, "%", fewer=(4, 5), more=(9, 10)),
        "§10 (5c)": lambda nine: middle_below(nine, rat),
        "§10 (5d)": lambda nine: middle_mean(nine, rat, fewer=(4, 5), more=(9, 10)),
        "§10 (5e)": lambda nine: middle_mean(nine, rat, all_others=(4, 10)),
        "§10 (5f)": lambda nine: middle_below(nine, rat, min),
        "§10 (6a)": rebels_last,
        "§10 (6b)": lambda nine: extreme(
            max, nine, lambda its: opposite(above_mean(its.survival, REBEL)), "1-1-1-1", " points"
        ),
        "§10 (7a)": scores_closer_than_survival,
        "§10 (7b)": lord_overtaken,
    },
    "seatings": {
        "§6.3 (3b)": lambda six: in_every_seating(six, "scores", RENEGADE, Role),
        "§6.3 (4b)": lambda six: in_every_seating(six, "scores", REBEL, Role, min),
        "§8.2 (2c)": lambda six: in_every_seating(six, "winning", REBEL, (LORD, RENEGADE), min),
        "§8.2 (5d)": lambda six: in_every_seating(six, "survival", RENEGADE, (LOYALIST, REBEL)),
    },
    "every": {
        "§8.2 (1d)": lambda every: extreme(min, sized(every, 6, 6), bal, "1-1-2-2", "%"),
        "§8.2 (1e)": lambda every: extreme(min, every, bal, "1-1-2-2", "%"),
        "§8.2 (5e)": lambda every: positive(every, renegade_lead),
    },
    "methods": {
        "§6.3 (1a)": transfer_is_exact,
        "§9 (1a)": same_order,
        "§9 (1b)": lambda methods: within_noise(methods, "transfer", "monte carlo", "survival", "scores"),
        "§9 (2a)": lambda methods: within_noise(methods, "monte carlo", "exact", "survival"),
        "§9 (2b)": lambda methods: within_noise(methods, "monte carlo", "exact", "scores"),
        "§9 (3a)": lambda methods: similar_accuracy(methods, "survival"),
        "§9 (3b)": lambda methods: similar_accuracy(methods, "scores"),
    },
}


@cache
def all_claims():
    """Every claim in the report's order: place ("§8.2 (5)"), words, readings by letter, what it depends on."""
    stated = yaml.safe_load(Path(__file__).with_name("claims.yaml").read_text("utf-8"))
    return [
        {"place": f"§{section} ({number})", "depends_on": "", **claim}
        for section, part in stated.items()
        for number, claim in part.items()
    ]


def judge(**measures):
    """Verdicts in the report's order: a row for each reading whose part of `DECISIONS` is given, measures by name."""
    answers = {place: decide(its) for part, its in measures.items() for place, decide in DECISIONS[part].items()}
    rows = []
    for claim in all_claims():
        for letter, reading in claim["readings"].items():
            if (place := f"{claim['place'][:-1]}{letter})") in answers:
                answer, numbers = answers[place]
                verdict = {True: "true", False: "false", None: "undecided"}[answer]
                rows.append((place, claim["claim"], reading, numbers, verdict))
    return pd.DataFrame(rows, columns=["place", "claim", "reading", "numbers", "verdict"])


def verdict_table(ours, shared, printed):
    """All readings with their verdicts by our numbers, and by the printed ones.

    In `ours` the consolation is paid to each renegade, in `shared` it is shared among them. A verdict is "depends"
    where it is true of one and false of the other; the numbers then are those of both.
    """
    table, by_print = ours.copy(), dict(zip(printed["place"], printed["verdict"], strict=True))
    turns = [{one, other} == {"true", "false"} for one, other in zip(ours["verdict"], shared["verdict"], strict=True)]
    table.loc[turns, "numbers"] += "; if shared, " + shared.loc[turns, "numbers"]
    table.loc[turns, "verdict"] = "depends"
    return table.assign(**{"by printed numbers": [by_print.get(place) for place in table["place"]]})


def claim_table(table):
    """What becomes of each claim over its readings, from a `verdict_table`."""
    rows = []
    for claim in all_claims():
        readings = table[table["place"].str[:-2] + ")" == claim["place"]]
        letters = {verdict: ", ".join(places.str[-2]) for verdict, places in readings.groupby("verdict")["place"]}
        split_up = "depends" in letters or {"true", "false"} <= set(letters)
        verdict = "depends" if split_up else next(iter(letters)) if len(letters) == 1 else "undecided"
        cause = claim["depends_on"] if verdict == "depends" else ""
        rows.append((claim["place"], claim["claim"], verdict, letters.get("true", ""), letters.get("false", ""), cause))
    return pd.DataFrame(rows, columns=["place", "claim", "verdict", "true in", "false in", "depends on"])
