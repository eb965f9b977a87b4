"""Mafia made fair: the set-ups nearest to an even game, the fairest of some roles, the fewest changes of a table.

All go through everything within stated bounds. So nothing within these bounds is fairer than what they find, and no
shorter way than theirs makes the table fair; how much was looked at stands beside it.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from gamebalance.base.checks import flag, in_time, number, one_of, shown, whole_number
from gamebalance.mafia.balance import Range, range_of
from gamebalance.mafia.idle import warn_of_idle
from gamebalance.mafia.rules import AS_CODED, HALF_RULES, PHASES, Rules, check_game, check_rules
from gamebalance.mafia.setups import MOST_PLAYERS, ROLES, SINGLE, Setup, bounds_of
from gamebalance.mafia.win import length_distribution, lengths_seconds, measures_of, solve, towns_seconds

if TYPE_CHECKING:
    import pandas as pd

#: How many of each role may be dealt out, by field of `Setup`; innocents and mafiosi are always at hand.
SHELF = {"detectives": 1, "doctors": 1, "witches": 1, "hunters": 1}
#: Combinations of numbers that are tried: a few seconds. More steps than these take hours to go through.
MOST_SETUPS, MOST_STEPS = 100_000, 5
#: Roles that `closest` has no column for where they are not allowed.
_LATER = ("dons", "sheriffs", "vigilantes", "bodyguards")


class Table(NamedTuple):
    """A table that people play at: who sits there, the rules as far as known, and what comes first."""

    setup: Setup
    rules: Rules
    phase: str


class Search(NamedTuple):
    """What was found, the best first, and at how many set-ups or tables it was looked to find it."""

    found: tuple
    looked_at: int


class FairSetup(NamedTuple):
    """A set-up and three measures of it, each of which is better the smaller it is: `distance`, `nights` and `risk`.

    `chance` is the town's, `distance` how far it is from the one wanted, `nights` the mean length of a game;
    `one_more` and `one_fewer` are the chance with one innocent more or fewer (None where there is no innocent);
    `on_front`, whether no other set-up found is as good by all three measures and better by one (the Pareto front).
    """

    setup: Setup
    chance: float
    distance: float
    nights: float
    one_more: float
    one_fewer: float | None
    on_front: bool = False

    @property
    def risk(self) -> float:
        """The odd-even risk: by how much the chance changes when one innocent more or fewer sits down, at most."""
        changes = [abs(other - self.chance) for other in (self.one_more, self.one_fewer) if other is not None]
        return round(max(changes), 12)


class Repair(NamedTuple):
    """Steps that make a table fair, in an order in which they can be taken; the table they lead to, and its chance."""

    steps: tuple[str, ...]
    table: Table
    chance: float


def closest(
    players: int,
    mafiosi: Range = (1, None),
    detectives: Range = (0, None),
    *,
    rules: Rules = AS_CODED,
    phase: str = "evening",
    top: int = 10,
    lengths: bool = True,
    **roles: Range,
) -> "pd.DataFrame":
    """The set-ups for so many players whose chances are nearest to even, with how long their games last.

    Parameters
    ----------
    mafiosi, detectives, **roles
        How many there are, or the smallest and largest number; None for as many as fit. Other fields of `Setup` are 0
        if they are not named; at most one of a role of `setups.SINGLE`. All others are innocents. Too many combinations
        are refused.
    lengths
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
    import pandas as pd

    players, top = whole_number("players", players, 2, MOST_PLAYERS), whole_number("top", top, 1)
    one_of("phase", phase, PHASES)
    check_rules(rules)
    asked: dict[str, Range] = dict.fromkeys((name for name in ROLES if name != "innocents"), 0)
    for name in roles:
        one_of("role", name, asked)
    asked |= {"mafiosi": mafiosi, "detectives": detectives} | roles
    ranges = {name: range_of(name, value, 1 if name in SINGLE else players) for name, value in asked.items()}
    given = ", ".join(f"{name} = {shown(value)}" for name, value in asked.items())
    setups = _setups_within(players, ranges, given)
    if not setups:
        raise ValueError(f"{given}: no set-up has at most players = {players} people")
    warn_of_idle(bounds_of(setups), rules)
    if flag("lengths", lengths):
        listed = min(top, len(setups)) / len(setups)
        in_time(f"top = {top}", listed * sum(lengths_seconds(setup, rules) for setup in setups))
    chances = _with_neighbours(setups, rules, phase)
    rows = []
    for setup in sorted(setups, key=lambda setup: _distance(setup, chances[setup][0], 0.5))[:top]:
        own, more, *_ = chances[setup]
        row = {**vars(setup), "win_probability": own, "distance": abs(own - 0.5)}
        if lengths:
            ended = length_distribution(setup, rules, phase).sum(axis=1)
            row["nights"] = float((ended * ended.index).sum())
            row |= {f"nights_{tenth}0": int((ended.cumsum() < tenth / 10 - 1e-12).sum()) for tenth in (1, 5, 9)}
        rows.append(row | {"one_more": more, "parity_warning": more < own - 1e-12})
    return pd.DataFrame(rows).drop(columns=[name for name in _LATER if ranges[name][1] == 0])


def fair_setups(
    players: int,
    shelf: Mapping[str, int] = SHELF,
    *,
    target: float | str = 0.5,
    within: float = 0.05,
    rules: Rules = AS_CODED,
    phase: str = "evening",
) -> Search:
    """The set-ups for so many players that give the town a chance near the one wanted, with two more measures.

    All set-ups are looked at that have no more of each role than `shelf`, a mafia of one or more who are fewer than the
    others, and a don only beside a sheriff, since without one he is a mafioso like any other.

    Parameters
    ----------
    players
        3 or more.
    shelf
        How many of each role there may be, by field of `Setup`.
    target : float or "shares"
        The chance that the town shall have. All players are equally likely to win at 1/2, as those of a side win
        together; ``"shares"`` is the town's share of the players, which is fair where the winners divide one prize.
    within
        How far from it a chance may be.
    rules
        Their `odds` are how well the town votes.

    Returns
    -------
    Search
        Each `FairSetup` within the margin, nearest to the target first; of equally near ones, that with fewer mafiosi.

    Examples
    --------
    >>> nearest = fair_setups(7, {"detectives": 1}, within=0.1).found[0]
    >>> print(nearest.setup, round(nearest.chance, 3))
    2 mafiosi, 4 innocents, 1 detective 0.403
    """
    players = whole_number("players", players, 3, MOST_PLAYERS)
    target, within, shelf = _target(target), number("within", within, 0, 1), _shelf(shelf)
    check_rules(rules)
    one_of("phase", phase, PHASES)
    ranges = {"mafiosi": (0, (players - 1) // 2)} | {name: (0, count) for name, count in shelf.items()}
    every = _setups_within(players, ranges, f"shelf = {shown(shelf)}")
    setups = [setup for setup in every if 0 < setup.mafia < setup.town and setup.dons <= setup.sheriffs]
    warn_of_idle(bounds_of(setups), rules)
    chances = _with_neighbours(setups, rules, phase)
    distances = {setup: _distance(setup, own, target) for setup, (own, *_) in chances.items()}
    near = [setup for setup in sorted(setups, key=distances.__getitem__) if distances[setup] <= within]
    found = []
    for setup in near:
        own, more, fewer, nights = chances[setup]
        nights = round(nights, 9)  # as far as it is compared
        found.append(FairSetup(setup, own, distances[setup], nights, more, fewer))
    return Search(tuple(fair._replace(on_front=_on_front(fair, found)) for fair in found), len(setups))


def _setups_within(players: int, ranges: Mapping[str, tuple[int, int]], given: str) -> list[Setup]:
    """All set-ups within the ranges, fewest mafiosi first, unless there are too many combinations."""
    tried = math.prod(high - low + 1 for low, high in ranges.values())
    if tried > MOST_SETUPS:
        raise ValueError(f"{given}: {tried:,} combinations for {players} players, {MOST_SETUPS:,} are allowed")
    every = product(*(range(low, high + 1) for low, high in ranges.values()))
    return [
        Setup(innocents=players - sum(counts), **dict(zip(ranges, counts, strict=True)))
        for counts in every
        if sum(counts) <= players
    ]


def _with_neighbours(setups: list[Setup], rules: Rules, phase: str) -> dict[Setup, tuple]:
    """The chance of each set-up, with one innocent more, and with one fewer, if there is one; its mean nights."""
    triples = {}
    for setup in setups:
        more = replace(setup, innocents=setup.innocents + 1)
        fewer = replace(setup, innocents=setup.innocents - 1) if setup.innocents else None
        triples[setup] = setup, more, fewer
    asked = list(dict.fromkeys(other for triple in triples.values() for other in triple if other))
    chances, nights = measures_of(asked, bounds_of(asked), rules, phase).tolist()
    found, lasts = dict(zip(asked, chances, strict=True)), dict(zip(asked, nights, strict=True))
    return {each: (*(other and found[other] for other in triple), lasts[each]) for each, triple in triples.items()}


def _target(target: float | str) -> float | str:
    """What can be wanted; ValueError for anything else."""
    if isinstance(target, str) and target != "shares":
        raise ValueError(f"target = {shown(target)}: a number between 0 and 1, or 'shares', is needed")
    return target if target == "shares" else number("target", target, 0, 1, inside=True)


def _shelf(shelf: Mapping[str, int]) -> dict[str, int]:
    """How many of each role there may be; ValueError for what is no role."""
    if not isinstance(shelf, Mapping):
        raise ValueError(f"shelf = {shown(shelf)}: a mapping is needed, such as {{'detectives': 1}}")
    roles = [name for name in ROLES if name not in ("mafiosi", "innocents")]
    return {
        one_of("shelf", name, roles): whole_number(name, count, 0, 1 if name in SINGLE else MOST_PLAYERS)
        for name, count in shelf.items()
    }


def _distance(setup: Setup, chance: float, target: float | str) -> float:
    """How far a chance is from the one wanted, as far as it is compared."""
    return round(abs(chance - (setup.town / setup.players if isinstance(target, str) else target)), 12)


def _on_front(fair: FairSetup, others: list[FairSetup]) -> bool:
    """Whether none of the others is as good by all measures and better by one."""
    own, *measures = ((each.distance, each.nights, each.risk) for each in (fair, *others))
    return not any(other != own and all(a <= b for a, b in zip(other, own, strict=True)) for other in measures)


def cheapest_repair(
    setup: Setup,
    rules: Rules = AS_CODED,
    phase: str = "evening",
    *,
    shelf: Mapping[str, int] = SHELF,
    target: float | str = 0.5,
    within: float = 0.02,
    steps: int = 3,
) -> Search:
    """The fewest steps that bring the town's chance near the one wanted, by looking at all tables so many steps away.

    A step is one of these: an innocent sits down, or leaves; an innocent becomes a mafioso or has a role of `shelf`, or
    the other way round; a mafioso becomes a don, or the other way round; what comes first is changed; or the half rule.
    A mafioso or don always remains.

    Parameters
    ----------
    setup, rules, phase
        The table as it is.
    shelf, target, within
        As in `fair_setups`. Roles of the table that are not on the shelf can be taken away, but not dealt out again.
    steps
        How many are tried at most, 0 to 5: three take seconds at a table of ten.

    Returns
    -------
    Search
        Each table that needs fewest steps, as a `Repair`, nearest to the target first; of several ways to one table,
        one. Nothing is found if all tables so many steps away, each of which has been looked at, are outside of the
        margin; and the table itself, without a step, if it is within.

    Examples
    --------
    >>> repair = cheapest_repair(Setup(2, 4, 1), steps=1).found[0]
    >>> print(repair.steps, round(repair.chance, 3))
    ('an innocent becomes a witch',) 0.486
    """
    check_game(setup, rules, phase)
    if not setup.mafia:
        raise ValueError(f"setup = {setup}: a mafioso or don is needed")
    target, within, shelf = _target(target), number("within", within, 0, 1), _shelf(shelf)
    warn_of_idle(bounds_of([setup, Setup(**({"mafiosi": 0, "innocents": 0} | shelf))]), rules)
    most = {"mafiosi": MOST_PLAYERS, "innocents": MOST_PLAYERS, **shelf}
    ways: dict[Table, tuple[str, ...]] = {}
    layer: dict[Table, tuple[str, ...]] = {Table(setup, rules, phase): ()}
    for taken in range(whole_number("steps", steps, 0, MOST_STEPS) + 1):
        in_time(f"steps = {taken}", sum(towns_seconds(table.setup, table.rules) for table in layer))
        ways |= layer
        chances = _chances(layer)
        distance = {table: _distance(table.setup, chance, target) for table, chance in chances.items()}
        fair = sorted((table for table in layer if distance[table] <= within), key=distance.__getitem__)
        if fair:
            return Search(tuple(Repair(ways[table], table, chances[table]) for table in fair), len(ways))
        further: dict[Table, tuple[str, ...]] = {}
        for table, way in layer.items():
            for step, after in _after_a_step(table, most):
                if after not in ways:
                    further.setdefault(after, (*way, step))
        layer = further
    return Search((), len(ways))


def _chances(tables: Iterable[Table]) -> dict[Table, float]:
    """The town's chance at each table; those with the same rules are solved together, unless that takes too much."""
    alike: dict[tuple, list[Table]] = {}
    for table in tables:
        warn_of_idle(table.setup, table.rules)
        alike.setdefault((table.rules, table.phase), []).append(table)
    chances: dict[Table, float] = {}
    for (rules, phase), group in alike.items():
        setups = [table.setup for table in group]
        try:
            found = measures_of(setups, bounds_of(setups), rules, phase)[0].tolist()
        except ValueError:
            found = [float(solve(*table)) for table in group]
        chances |= dict(zip(group, found, strict=True))
    return chances


def _after_a_step(table: Table, most: Mapping[str, int]) -> Iterator[tuple[str, Table]]:
    """Every step from a table, in words, and the table it leads to; `most` of each kind of people are dealt out."""
    setup = table.setup
    for step, change in _STEPS.items():
        counts = {name: getattr(setup, name) + more for name, more in change.items()}
        if min(counts.values()) >= 0 and all(counts[name] <= most.get(name, 0) for name in change if change[name] > 0):
            changed = replace(setup, **counts)
            if changed.mafia:
                yield step, table._replace(setup=changed)
    for phase, step in (("evening", "night first"), ("morning", "day first")):
        if phase != table.phase:
            yield step, table._replace(phase=phase)
    for half_rule in HALF_RULES:
        if half_rule != table.rules.half_rule:
            yield f"half rule: {half_rule}", table._replace(rules=replace(table.rules, half_rule=half_rule))


#: The steps that change who sits there, in words: how many more of whom.
_STEPS = {"an innocent sits down": {"innocents": 1}, "an innocent leaves": {"innocents": -1}}
for _name, _role in ROLES.items():
    if _name != "innocents":
        _plain, _called = ("mafiosi", "a mafioso") if _name == "dons" else ("innocents", "an innocent")
        _STEPS[f"{_called} becomes a {_role}"] = {_plain: -1, _name: 1}
        _STEPS[f"a {_role} becomes {_called}"] = {_plain: 1, _name: -1}
