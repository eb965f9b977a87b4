"""Patterns that readings share: a role leads, a quantity is smallest somewhere, rises with the number of players."""

from collections.abc import Callable, Iterable, Mapping
from itertools import product

import pandas as pd

from chapters.sanguosha.claims.measures import Measures, Quantity
from gamebalance.base.estimates import Estimate, less, opposite, slope
from gamebalance.sanguosha.lineup import Role

#: True, False, or None where the numbers do not decide.
Answer = bool | None

#: An answer, and the numbers behind it.
Decision = tuple[Answer, str]


def all_of(answers: Iterable[Answer]) -> Answer:
    """False if any answer is, else None if any is undecided, else True."""
    answers = list(answers)
    return False if False in answers else None if None in answers else True


# ---- One role against the others, from a value for each in the order of `Role`. The values come from the same games:
# errors are bounds, as in `gamebalance.base.estimates.less`.


def above_mean(values: tuple[Estimate, ...], role: Role) -> Estimate:
    """How far a role is above the mean of the four."""
    rest = [estimate for other, estimate in enumerate(values) if other != role]
    value = 0.75 * values[role].value - sum(estimate.value for estimate in rest) / 4
    return Estimate(value, 0.75 * values[role].error + sum(estimate.error for estimate in rest) / 4)


def best_of(values: tuple[Estimate, ...], rivals: Iterable[Role], lowest: bool = False) -> Role:
    """The rival with the largest value (or the lowest)."""
    return (min if lowest else max)(rivals, key=lambda role: values[role].value)


def lead(values: tuple[Estimate, ...], role: Role, rivals: Iterable[Role] = Role) -> Estimate:
    """How far a role is above the best of its rivals, itself left out."""
    rival = values[best_of(values, [rival for rival in rivals if rival != role])]
    return Estimate(values[role].value - rival.value, values[role].error + rival.error)


# ---- Line-ups or seatings by name, and whether a quantity is smallest somewhere, rises, and the like.


def sized(measures: Mapping[str, Measures], least: int, most: int) -> dict[str, Measures]:
    """The line-ups of `least` to `most` players."""
    return {name: its for name, its in measures.items() if least <= its.players <= most}


def split(measures: Mapping[str, Measures], least: int, most: int) -> tuple[dict[str, Measures], dict[str, Measures]]:
    """The line-ups of `least` to `most` players, and all others."""
    inside = sized(measures, least, most)
    return inside, {name: its for name, its in measures.items() if name not in inside}


def listed(named: Iterable[tuple[str, Estimate]], unit: str = "") -> str:
    """Names and their estimates in one line."""
    return ", ".join(f"{name}: {estimate}{unit}" for name, estimate in named)


def smaller(few: Mapping[str, Measures], many: Mapping[str, Measures], of: Quantity, unit: str = "") -> Decision:
    """Whether a quantity is smaller in each of the `few` line-ups than in every one of the `many`."""
    answer = all_of(less(of(one), of(other)) for one in few.values() for other in many.values())
    return answer, _beside("smallest", min, few, many, of, unit)


def larger(few: Mapping[str, Measures], many: Mapping[str, Measures], of: Quantity, unit: str = "") -> Decision:
    """Whether a quantity is larger in each of the `few` line-ups than in every one of the `many`."""
    answer = all_of(less(of(other), of(one)) for one in few.values() for other in many.values())
    return answer, _beside("largest", max, few, many, of, unit)


def _beside(word: str, extreme: Callable, few: Mapping, many: Mapping, of: Quantity, unit: str) -> str:
    """The quantity in all of the `few`, and in the one of the `many` that comes closest."""
    rival = extreme(many, key=lambda name: of(many[name]).value)
    shown = listed(((name, of(its)) for name, its in few.items()), unit)
    return f"{shown}; {word} of the others, {rival}: {of(many[rival])}{unit}"


def smallest(measures: Mapping[str, Measures], of: Quantity, name: str, unit: str = "") -> Decision:
    """Whether a quantity is smaller in line-up `name` than in all others."""
    return smaller(*_alone(measures, name), of, unit)


def largest(measures: Mapping[str, Measures], of: Quantity, name: str, unit: str = "") -> Decision:
    """Whether a quantity is larger in line-up `name` than in all others."""
    return larger(*_alone(measures, name), of, unit)


def _alone(measures: Mapping[str, Measures], name: str) -> tuple[dict[str, Measures], dict[str, Measures]]:
    return {name: measures[name]}, {other: its for other, its in measures.items() if other != name}


def positive(measures: Mapping[str, Measures], of: Quantity) -> Decision:
    """Whether a lead, in points, is above zero in every line-up."""
    answers = [less(Estimate(0), of(its)) for its in measures.values()]
    least = min(measures, key=lambda name: of(measures[name]).value)
    text = f"so in {answers.count(True)} of {len(answers)}; smallest lead, {least}: {of(measures[least])} points"
    return all_of(answers), text


def pairs(measures: Mapping[str, Measures], of: Quantity, rising: bool) -> pd.DataFrame:
    """All pairs of line-ups of different size, and whether a quantity moves as claimed, rising or else falling.

    Columns fewer, more (names), before, after (Estimate) and answer (True, False or None).
    """
    rows = []
    for (fewer, one), (more, other) in product(measures.items(), repeat=2):
        if one.players < other.players:
            before, after = of(one), of(other)
            rows.append((fewer, more, before, after, less(before, after) if rising else less(after, before)))
    return pd.DataFrame(rows, columns=["fewer", "more", "before", "after", "answer"]).astype({"answer": object})


def monotone(measures: Mapping[str, Measures], of: Quantity, rising: bool, unit: str = "") -> Decision:
    """Whether the quantity rises (or falls) from every line-up to every one with more players."""
    found = pairs(measures, of, rising)
    against = found[[answer is False for answer in found["answer"]]]
    undecided = sum(answer is None for answer in found["answer"])
    text = f"{len(against)} of {len(found)} pairs against it" + (f", {undecided} undecided" if undecided else "")
    if len(against):
        worst = max(against.itertuples(), key=lambda pair: abs(pair.after.value - pair.before.value))
        text += f"; the largest, {worst.fewer} to {worst.more}: {worst.before}{unit} to {worst.after}{unit}"
    return all_of(found["answer"]), text


def trend(measures: Mapping[str, Measures], of: Quantity, rising: bool, unit: str = "") -> Decision:
    """Whether the least-squares line over the number of players rises (or falls)."""
    found = slope((its.players for its in measures.values()), map(of, measures.values()))
    return less(Estimate(0), found if rising else opposite(found)), f"{found}{unit} per player"


def in_every_seating(
    seatings: Mapping[str, Measures], what: str, role: Role, rivals: Iterable[Role], lowest: bool = False
) -> Decision:
    """Whether a role's survival, scores or winning is above (or below) that of the rivals in every seating."""
    rivals = [rival for rival in rivals if rival != role]
    unit = "" if what == "scores" else "%"
    answers, exceptions = [], []
    for seating, its in seatings.items():
        values = getattr(its, what)
        signed = tuple(map(opposite, values)) if lowest else values
        answers.append(less(Estimate(0), lead(signed, role, rivals)))
        if answers[-1] is not True:
            rival = best_of(values, rivals, lowest)
            exceptions.append(f"{seating} ({values[role]}{unit}, {rival.english.lower()} {values[rival]}{unit})")
    text = f"so in {answers.count(True)} of {len(answers)} seatings"
    return all_of(answers), text + (f"; not in {', '.join(exceptions)}" if exceptions else "")
