"""How each reading of the claims in ``claims.yaml`` is decided, by its place in the report."""

from collections.abc import Callable, Mapping
from itertools import product
from math import hypot

from chapters.sanguosha.claims.measures import Measures, Quantity, bal, gap, rat, ratio, survival
from chapters.sanguosha.claims.patterns import (
    Answer,
    Decision,
    above_mean,
    all_of,
    best_of,
    in_every_seating,
    larger,
    largest,
    lead,
    listed,
    monotone,
    positive,
    sized,
    smaller,
    smallest,
    split,
    trend,
)
from chapters.sanguosha.claims.printed_measures import PRINTED_UNIT
from gamebalance.base.estimates import Estimate, agree, less, mean_of, opposite
from gamebalance.sanguosha.lineup import Role

LORD, LOYALIST, REBEL, RENEGADE = Role
ByName = Mapping[str, Measures]

# ---- §6.3: four players, by the transfer algorithm.


def _transfer_is_exact(methods: ByName) -> Decision:
    transfer, exact = methods["transfer"], methods["exact"]
    printed, true = transfer.survival + transfer.scores, exact.survival + exact.scores
    # Half a unit of the last digit, and a little for binary fractions.
    right = [abs(one.value - other.value) <= 0.5001 * PRINTED_UNIT for one, other in zip(printed, true, strict=True)]
    worst = max(Role, key=lambda role: abs(printed[role].value - true[role].value))
    return all(right), (
        f"{sum(right)} of {len(right)} are right; {worst.english.lower()} survives with {true[worst].value:.2f}%, "
        f"printed {printed[worst].value:.2f}%"
    )


def _furthest_from_mean(lineups: ByName, role: Role, below: bool = False) -> Decision:
    """Whether the role's score with four players is further above (or below) the mean than any other score."""
    distances = {(name, other): above_mean(its.scores, other) for name, its in lineups.items() for other in Role}
    if below:
        distances = {key: opposite(distance) for key, distance in distances.items()}
    own = distances.pop(("1-1-1-1", role))
    name, rival = max(distances, key=lambda key: distances[key].value)
    return all_of(less(other, own) for other in distances.values()), (
        f"1-1-1-1: {own} points from the mean; next, {rival.english.lower()} in {name}: {distances[name, rival]}"
    )


# ---- §8.2: what the report reads off Tables 4 to 23.


def _lord_lead(measures: Measures) -> Estimate:
    return lead(measures.survival, LORD)


def _renegade_lead(measures: Measures) -> Estimate:
    """Survival of the renegade less that of loyalist or rebel, whichever is higher."""
    return lead(measures.survival, RENEGADE, (LOYALIST, REBEL))


def _rebels_lose_at_four(lineups: ByName) -> Decision:
    fewest, text = smallest(lineups, lambda its: its.winning[REBEL], "1-1-1-1", "%")
    own = lineups["1-1-1-1"].winning
    last = [less(own[REBEL], own[side], together=True) for side in (LORD, RENEGADE)]
    return all_of([fewest, *last]), f"{text}; lord's side {own[LORD]}%, renegade {own[RENEGADE]}%"


def _lord_far_ahead(lineups: ByName) -> Decision:
    large, small = split(lineups, 9, 10)
    first, _ = positive(large, _lord_lead)
    more, text = larger(large, small, _lord_lead)
    return all_of([first, more]), f"lead in points, {text}"


def _rat_below_most(lineups: ByName) -> Decision:
    large, small = split(lineups, 9, 10)
    rows = {name: [less(its.rat, other.rat) for other in small.values()] for name, its in large.items()}
    texts = [f"{name} ({large[name].rat}): in {row.count(True)} of {len(row)}" for name, row in rows.items()]
    return all_of(map(_most, rows.values())), "; ".join(texts)


def _most(answers: list[Answer]) -> Answer:
    """Whether more than half of the answers are True, if the undecided ones leave that beyond doubt."""
    sure, possible = answers.count(True), len(answers) - answers.count(False)
    return True if 2 * sure > len(answers) else False if 2 * possible <= len(answers) else None


# ---- §9: the transfer algorithm and the Monte Carlo method compared, by Table 5.


def _same_order(methods: ByName) -> Decision:
    """Whether the Monte Carlo values put the roles in the order of the transfer algorithm's."""
    answers, swapped = [], []
    for what, one, other in product(("survival", "scores"), Role, Role):
        before, after = getattr(methods["transfer"], what), getattr(methods["monte carlo"], what)
        if before[one].value < before[other].value:
            answers.append(less(after[one], after[other], together=True))
            if answers[-1] is False:
                swapped.append(
                    f"{what}: {other.english.lower()} {before[other].value:.2f}, {one.english.lower()} "
                    f"{before[one].value:.2f} against {after[other]}, {after[one]}"
                )
    return all_of(answers), "; ".join(swapped) or f"all {len(answers)} pairs in the same order"


def _within_noise(methods: ByName, left: str, right: str, *quantities: str) -> Decision:
    """Whether two methods agree for all roles, and where they differ most in standard errors."""
    answers, texts = [], []
    for what in quantities:
        columns = [getattr(methods[name], what) for name in (left, right)]
        rows = list(zip(*columns, strict=True))
        answers += [agree(*row) for row in rows]
        z = [abs(one.value - other.value) / hypot(one.error, other.error) for one, other in rows]
        worst = max(Role, key=lambda role: z[role])
        texts.append(
            f"{what} of the {worst.english.lower()}: {columns[0][worst].value:.2f} against "
            f"{columns[1][worst].value:.2f}{'%' if what == 'survival' else ''}, {z[worst]:.1f} s.e. apart"
        )
    return all(answers), "; ".join(texts)


def _similar_accuracy(methods: ByName, what: str) -> Decision:
    """Whether both methods' distances from the exact values differ by no more than chance allows."""
    transfer, played, exact = (getattr(methods[name], what) for name in ("transfer", "monte carlo", "exact"))
    distances = [
        [Estimate(abs(its[role].value - exact[role].value), its[role].error) for role in Role]
        for its in (transfer, played)
    ]
    worst = [max(column).value for column in distances]
    unit = "%" if what == "survival" else " points"
    return all(map(agree, *distances)), (
        f"largest error of {what}: transfer {worst[0]:.3f}{unit}, Monte Carlo {worst[1]:.3f}{unit}"
    )


# ---- §10: the summary.

#: Groups of line-ups outside six to eight players, by name: fewest and most players.
FEWER_AND_MORE = {"fewer": (4, 5), "more": (9, 10)}
ALL_OTHERS = {"all others": (4, 10)}


def _loyalist_steadiest(lineups: ByName) -> Decision:
    ranges = {}
    for role in Role:
        low, *_, high = sorted(its.survival[role] for its in lineups.values())
        ranges[role] = Estimate(high.value - low.value, hypot(high.error, low.error))
    # Ranges of different roles come from the same games.
    answers = [less(ranges[LOYALIST], ranges[role], together=True) for role in Role if role != LOYALIST]
    return all_of(answers), "range in points, " + listed((role.english.lower(), ranges[role]) for role in Role)


def _renegade_first(measures: Measures) -> Estimate:
    return lead(measures.survival, RENEGADE)


def _middle_better(lineups: ByName, of: Quantity, unit: str = "") -> Decision:
    """Whether a quantity is smaller in each line-up of six to eight players than in every other."""
    middle, others = split(lineups, 6, 8)
    worst = max(middle, key=lambda name: of(middle[name]).value)
    # All that matters, and all that is shown, is the worst of them.
    answer, text = smaller({worst: middle[worst]}, others, of, unit)
    return answer, f"worst of them, {text}"


def _middle_mean(lineups: ByName, of: Quantity, groups: Mapping[str, tuple[int, int]], unit: str = "") -> Decision:
    """Whether the mean over six to eight players is below the mean of each group of other line-ups."""
    middle, others = split(lineups, 6, 8)
    mean = mean_of(map(of, middle.values()))
    means = {name: mean_of(map(of, sized(others, *sizes).values())) for name, sizes in groups.items()}
    answer = all_of(less(mean, other) for other in means.values())
    return answer, f"six to eight: {mean}{unit}; {listed(means.items(), unit)}"


def _middle_has_smallest_rat(lineups: ByName) -> Decision:
    middle, others = split(lineups, 6, 8)
    best = min(middle, key=lambda name: middle[name].rat.value)
    return smaller({best: middle[best]}, others, rat)


def _rebels_last(lineups: ByName) -> Decision:
    answers, texts = [], []
    for name, its in sized(lineups, 4, 5).items():
        for values, unit in ((its.survival, "%"), (its.scores, " points")):
            others = [role for role in Role if role != REBEL]
            answers += [less(values[REBEL], values[role], together=True) for role in others]
            rival = best_of(values, others, lowest=True)
            texts.append(f"{name}: {values[REBEL]}{unit}, next {rival.english.lower()} {values[rival]}")
    return all_of(answers), "; ".join(texts)


def _scores_closer_than_survival(lineups: ByName) -> Decision:
    ratios = {name: (ratio(its), ratio(its, "survival")) for name, its in sized(lineups, 9, 10).items()}
    answer = all_of(less(*both, together=True) for both in ratios.values())
    return answer, "; ".join(f"{name}: {score} against {alive}" for name, (score, alive) in ratios.items())


def _lord_overtaken(lineups: ByName) -> Decision:
    answers, texts = [], []
    for name, its in sized(lineups, 9, 10).items():
        rival = best_of(its.scores, (LOYALIST, REBEL, RENEGADE))
        answers.append(less(its.scores[LORD], its.scores[rival], together=True))
        texts.append(f"{name}: lord {its.scores[LORD]}, {rival.english.lower()} {its.scores[rival]}")
    return all_of(answers), "; ".join(texts)


# ---- Every reading, by the numbers that it asks for: the fields of `verdicts.Results`.

NINE: dict[str, Callable[[ByName], Decision]] = {
    "§6.3 (2a)": lambda nine: largest(nine, rat, "1-1-1-1"),
    "§6.3 (3a)": lambda nine: _furthest_from_mean(nine, RENEGADE),
    "§6.3 (4a)": lambda nine: _furthest_from_mean(nine, REBEL, below=True),
    "§8.2 (1a)": lambda nine: smallest(nine, bal, "1-1-2-2", "%"),
    "§8.2 (1b)": lambda nine: smallest(nine, lambda its: its.win_spread, "1-1-2-2", "%"),
    "§8.2 (1c)": lambda nine: smallest(nine, lambda its: its.win_spread_each, "1-1-2-2", "%"),
    "§8.2 (2a)": lambda nine: largest(nine, bal, "1-1-1-1", "%"),
    "§8.2 (2b)": _rebels_lose_at_four,
    "§8.2 (3a)": lambda nine: larger(sized(nine, 9, 10), sized(nine, 5, 8), bal, "%"),
    "§8.2 (3b)": _lord_far_ahead,
    "§8.2 (4a)": lambda nine: smaller(*split(nine, 9, 10), rat),
    "§8.2 (4b)": _rat_below_most,
    "§8.2 (4c)": lambda nine: smaller(*split(nine, 9, 10), ratio),
    "§8.2 (5a)": lambda nine: monotone(nine, survival(LORD), True, "%"),
    "§8.2 (5b)": lambda nine: trend(nine, survival(LORD), True, " points"),
    "§8.2 (5c)": lambda nine: positive(nine, _renegade_lead),
    "§8.2 (6a)": lambda nine: monotone(nine, rat, False),
    "§8.2 (6b)": lambda nine: trend(nine, rat, False),
    "§8.2 (6c)": lambda nine: monotone(nine, ratio, False),
    "§10 (1a)": lambda nine: smallest(nine, survival(LORD), "1-1-2-2", "%"),
    "§10 (1b)": lambda nine: smallest(nine, bal, "1-1-2-2", "%"),
    "§10 (2a)": _loyalist_steadiest,
    "§10 (2b)": lambda nine: monotone(nine, survival(LOYALIST), False, "%"),
    "§10 (2c)": lambda nine: trend(nine, survival(LOYALIST), False, " points"),
    "§10 (3a)": lambda nine: smaller(*split(nine, 9, 10), gap, " points"),
    "§10 (3b)": lambda nine: trend(nine, gap, False, " points"),
    "§10 (3c)": lambda nine: largest(nine, survival(REBEL), "1-1-3-1", "%"),
    "§10 (4a)": lambda nine: monotone(nine, survival(RENEGADE), False, "%"),
    "§10 (4b)": lambda nine: monotone(sized(nine, 7, 10), survival(RENEGADE), False, "%"),
    "§10 (4c)": lambda nine: positive(sized(nine, 4, 6), _renegade_first),
    "§10 (4d)": lambda nine: positive(sized(nine, 4, 7), _renegade_first),
    "§10 (4e)": lambda nine: positive(sized(nine, 4, 7), lambda its: lead(its.scores, RENEGADE)),
    "§10 (5a)": lambda nine: _middle_better(nine, bal, "%"),
    "§10 (5b)": lambda nine: _middle_mean(nine, bal, FEWER_AND_MORE, "%"),
    "§10 (5c)": lambda nine: _middle_better(nine, rat),
    "§10 (5d)": lambda nine: _middle_mean(nine, rat, FEWER_AND_MORE),
    "§10 (5e)": lambda nine: _middle_mean(nine, rat, ALL_OTHERS),
    "§10 (5f)": _middle_has_smallest_rat,
    "§10 (6a)": _rebels_last,
    "§10 (6b)": lambda nine: largest(nine, lambda its: opposite(above_mean(its.survival, REBEL)), "1-1-1-1", " points"),
    "§10 (7a)": _scores_closer_than_survival,
    "§10 (7b)": _lord_overtaken,
}
SIX_SEATINGS: dict[str, Callable[[ByName], Decision]] = {
    "§6.3 (3b)": lambda six: in_every_seating(six, "scores", RENEGADE, Role),
    "§6.3 (4b)": lambda six: in_every_seating(six, "scores", REBEL, Role, lowest=True),
    "§8.2 (2c)": lambda six: in_every_seating(six, "winning", REBEL, (LORD, RENEGADE), lowest=True),
    "§8.2 (5d)": lambda six: in_every_seating(six, "survival", RENEGADE, (LOYALIST, REBEL)),
}
EVERY_LINEUP: dict[str, Callable[[ByName], Decision]] = {
    "§8.2 (1d)": lambda every: smallest(sized(every, 6, 6), bal, "1-1-2-2", "%"),
    "§8.2 (1e)": lambda every: smallest(every, bal, "1-1-2-2", "%"),
    "§8.2 (5e)": lambda every: positive(every, _renegade_lead),
}
METHODS: dict[str, Callable[[ByName], Decision]] = {
    "§6.3 (1a)": _transfer_is_exact,
    "§9 (1a)": _same_order,
    "§9 (1b)": lambda methods: _within_noise(methods, "transfer", "monte carlo", "survival", "scores"),
    "§9 (2a)": lambda methods: _within_noise(methods, "monte carlo", "exact", "survival"),
    "§9 (2b)": lambda methods: _within_noise(methods, "monte carlo", "exact", "scores"),
    "§9 (3a)": lambda methods: _similar_accuracy(methods, "survival"),
    "§9 (3b)": lambda methods: _similar_accuracy(methods, "scores"),
}
#: Field of `verdicts.Results` and function of each reading.
DECISIONS = {
    place: (needs, decide)
    for needs, group in {"lineups": NINE, "seatings": SIX_SEATINGS, "every": EVERY_LINEUP, "methods": METHODS}.items()
    for place, decide in group.items()
}
