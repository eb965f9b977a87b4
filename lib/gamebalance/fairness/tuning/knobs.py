"""What of a game can be changed: its knobs, the settings of all of them, and how much each setting changes."""

import inspect
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set
from itertools import combinations, groupby, product
from math import inf
from typing import Any, NamedTuple

from gamebalance.base.checks import number, shown, whole_number
from gamebalance.base.kinds import Real

#: Grids of more settings than this are refused.
MOST_SETTINGS = 100_000

#: How much a setting changes; less is smaller. The knobs that move and their steps in all; or what these cost.
Size = tuple[float, ...]


class Knob(NamedTuple):
    """An argument of a game with the values it may have, and the place of today's among them."""

    name: str
    values: tuple
    today: int
    ordered: bool  # whether values stand in an order, so that a step leads from one to the next

    def steps(self, place: int) -> int:
        """How many steps it is from today's value to another one."""
        return abs(place - self.today) if self.ordered else int(place != self.today)


class Setting(NamedTuple):
    """A value for each knob."""

    size: Size
    places: tuple[int, ...]  # those of the values
    values: Mapping[str, Any]
    words: str  # what is changed


class Grid:
    """All settings of some knobs. `costs` are what a step of each costs; None where knobs that move count first."""

    def __init__(self, knobs: Sequence[Knob], costs: Mapping[str, float] | None = None, together: int | None = None):
        self.knobs, self.costs = tuple(knobs), costs
        self.together = len(self.knobs) if together is None else together
        count = [1]  # settings in which so many knobs move
        for knob in self.knobs:
            more = [each * (len(knob.values) - 1) for each in count]
            count = [one + other for one, other in zip([*count, 0], [0, *more], strict=True)]
        self.count = sum(count[: self.together + 1])
        if self.count > MOST_SETTINGS:
            raise ValueError(
                f"vary: {self.count:,} settings, and {MOST_SETTINGS:,} are allowed; fewer values or knobs are needed, "
                "or together=2 (--together 2), by which at most two knobs are moved at once"
            )

    @property
    def today(self) -> Setting:
        """The game as it is."""
        return self.setting([knob.today for knob in self.knobs])

    def levels(self) -> Iterator[tuple[Size, list[Setting]]]:
        """All settings, those that change as much together, the smallest change first."""
        every = []
        for moved in range(self.together + 1):
            for some in combinations(range(len(self.knobs)), moved):
                others = [[place for place in range(len(knob.values)) if place != knob.today] for knob in self.knobs]
                for chosen in product(*(others[knob] for knob in some)):
                    places = [knob.today for knob in self.knobs]
                    for knob, place in zip(some, chosen, strict=True):
                        places[knob] = place
                    every.append(self.setting(places))
        every.sort(key=lambda setting: (setting.size, setting.places))
        for size, group in groupby(every, key=lambda setting: setting.size):
            yield size, list(group)

    def setting(self, places: Sequence[int]) -> Setting:
        """The setting with the values at these places."""
        pairs = list(zip(self.knobs, places, strict=True))
        steps = {knob.name: knob.steps(place) for knob, place in pairs}
        if self.costs is None:
            size: Size = (sum(count > 0 for count in steps.values()), sum(steps.values()))
        else:
            size = (round(sum(self.costs.get(name, 1) * count for name, count in steps.items()), 9),)
        news = [
            f"{knob.name} {plain(knob.values[place])} instead of {plain(knob.values[knob.today])}"
            for knob, place in pairs
            if place != knob.today
        ]
        values = {knob.name: knob.values[place] for knob, place in pairs}
        return Setting(size, tuple(places), values, ", ".join(news) or "the game as it is")

    def sized(self, size: Size) -> str:
        """A size in words."""
        if self.costs is not None:
            return f"cost {size[0]:g}" if self.costs else f"{size[0]:g} step{'s' * (size[0] != 1)}"
        moved, steps = map(int, size)
        return f"{steps} step{'s' * (steps != 1)} of {moved} argument{'s' * (moved != 1)}" if moved else "no change"


def plain(value: Any) -> str:
    """A value of a knob as people write it."""
    return value if isinstance(value, str) else shown(value)


def grid(
    make: Callable,
    vary: Mapping[str, Any],
    today: Mapping[str, Any] | None,
    costs: Mapping[str, float] | None,
    together: int | None,
) -> Grid:
    """The grid of the arguments of `make` that vary, refused if they do not fit."""
    if not isinstance(vary, Mapping) or not vary:
        raise ValueError(f"vary = {shown(vary)}: a dict from arguments of {name_of(make)} to their values is needed")
    known = arguments(make, vary)
    for what, given in (("today", today), ("cost", costs)):
        if given is not None and (not isinstance(given, Mapping) or set(given) - set(vary)):
            raise ValueError(f"{what} = {shown(given)}: a dict from some of {', '.join(map(repr, vary))} is needed")
    for name, cost in (costs or {}).items():
        number(f"cost[{name!r}]", cost, 0, inf, inside=True)
    if together is not None:
        together = whole_number("together", together, 1, len(vary))
    now = dict(today or {})
    return Grid([_knob(name, values, now.get(name, known[name])) for name, values in vary.items()], costs, together)


def name_of(make: Any) -> str:
    """What a game, or what makes it, is called."""
    make = getattr(make, "func", make)  # of a partial
    return getattr(make, "__name__", None) or type(make).__name__


def arguments(make: Callable, vary: Mapping[str, Any]) -> dict[str, Any]:
    """The default of each argument that varies; `inspect.Parameter.empty` where there is none."""
    if not callable(make):
        raise ValueError(f"make = {shown(make)}: a class of games is needed, or a function that makes one")
    try:
        given = inspect.signature(make).parameters
    except (TypeError, ValueError):  # of built-in functions nothing may be known
        return dict.fromkeys(vary, inspect.Parameter.empty)
    anything = any(each.kind == each.VAR_KEYWORD for each in given.values())
    named = [name for name, each in given.items() if each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)]
    for name in vary:
        if name not in named and not anything:
            has = f"its arguments are {', '.join(named)}" if named else "it has none"
            raise ValueError(f"vary: {shown(name)} is no argument of {name_of(make)}; {has}")
    return {name: given[name].default if name in named else inspect.Parameter.empty for name in vary}


def _knob(name: str, values: Any, now: Any) -> Knob:
    """A knob; today's value is the given one or the default, else the first that is listed.

    Where it is not listed, it comes first, or among numbers that rise or fall, where it belongs.
    """
    if not isinstance(values, Collection) or isinstance(values, str | bytes | Mapping) or not len(values):
        raise ValueError(f"vary: {shown(name)}: a list of values is needed, not {shown(values)}")
    if len(values) > MOST_SETTINGS:
        raise ValueError(f"vary: {shown(name)}: {len(values):,} values, and {MOST_SETTINGS:,} settings are allowed")
    ordered = not isinstance(values, Set)
    every = list(values) if ordered else sorted(values, key=repr)
    if len({*map(repr, every)}) < len(every):
        raise ValueError(f"vary: {shown(name)}: different values are needed, not {shown(values)}")
    if now is inspect.Parameter.empty:
        return Knob(name, tuple(every), 0, ordered)
    if now not in every:
        rising = _rising(every)
        every = [now, *every]
        if rising and _rising([now]):
            every.sort(reverse=rising < 0)
    return Knob(name, tuple(every), every.index(now), ordered)


def _rising(values: list) -> int:
    """1 of numbers that rise, -1 of those that fall, 0 of anything else."""
    if not all(isinstance(value, Real) and not isinstance(value, bool) for value in values):
        return 0
    return 1 if values == sorted(values) else -1 if values[::-1] == sorted(values) else 0
