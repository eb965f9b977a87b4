"""How people play Sanguosha, in seven numbers; at their defaults they are the rule of the report."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from itertools import product

from gamebalance.base.checks import all_different, number, shown, whole_number
from gamebalance.sanguosha import Lineup

#: One lord, two loyalists, four rebels and one renegade.
EIGHT = Lineup(2, 4, 1)
#: The most often that players who wait may wait; beyond it games become very long.
MOST_SPARED = 0.5


@dataclass(frozen=True)
class Behaviour:
    """Whom players attack; the defaults are the report's rule (its §4.2.1).

    Where nothing else is said, players do as that rule does: lord and loyalists attack anybody in reach (loyalists
    not the lord), rebels anybody but the lord, and the renegade the healthiest but the lord; once no loyalist lives
    all is known, and lord and rebels attack each other alone.

    Parameters
    ----------
    rush : float
        Chance, in each turn, that a rebel attacks the lord if he is in reach while a loyalist lives. Report: 0.
    kin : float
        Chance, in each turn, that a rebel leaves other rebels alone, as one who knows them; with nobody else in reach
        he passes. Report: 0.
    suspicion : float
        Chance, in each turn, that a player looks at what others have done (`reading.marked`). Lord and loyalists then
        attack who acted against the lord, if one is in reach, and else nobody who acted for him. Rebels the reverse.
    spares : float
        Chance, in each turn, that lord, loyalist or rebel passes rather than attack one who is not known as a foe.
        Report: 0; at most `MOST_SPARED`.
    cover : float
        Chance, in each turn, that the renegade plays as a loyalist does while a rebel and a loyalist live. Report: 0.
    turn : int
        The renegade attacks the lord, if in reach, as soon as no more than so many players live, 2 to 8. Report: 2.
    duel : float
        Chance, in each turn, that a lord alone with the renegade attacks him. Report: 0, he waits to be killed.

    Raises
    ------
    ValueError
        If a number is out of range.

    Examples
    --------
    >>> Behaviour(rush=0.25).changed
    {'rush': 0.25}
    """

    rush: float = 0.0
    kin: float = 0.0
    suspicion: float = 0.0
    spares: float = 0.0
    cover: float = 0.0
    turn: int = 2
    duel: float = 0.0

    def __post_init__(self):
        for name in CHANCES:
            most = MOST_SPARED if name == "spares" else 1
            object.__setattr__(self, name, float(number(name, getattr(self, name), 0, most)))
        object.__setattr__(self, "turn", whole_number("turn", self.turn, 2, EIGHT.players))

    @property
    def changed(self) -> dict[str, float]:
        """The parameters that are not the report's."""
        return {name: getattr(self, name) for name in PARAMETERS if getattr(self, name) != getattr(REPORT, name)}


#: The names of the parameters, and of those that are chances.
PARAMETERS = tuple(field.name for field in fields(Behaviour))
CHANCES = tuple(name for name in PARAMETERS if name != "turn")
#: The report's rule.
REPORT = Behaviour()

#: Families of two or three parameters, by what they are about.
FAMILIES = {
    "rebels strike": ("rush", "kin"),
    "acts betray": ("rush", "suspicion", "spares"),
    "the end": ("turn", "duel", "cover"),
    "strike and duel": ("rush", "duel"),
}


def grid(levels: Mapping[str, Iterable[float]]) -> list[Behaviour]:
    """All combinations of these levels of parameters, the last parameter changing fastest; the others as the report.

    Raises
    ------
    ValueError
        For a name that is no parameter, or levels that are none, equal, or out of range.

    Examples
    --------
    >>> [behaviour.changed for behaviour in grid({"rush": [0, 0.5], "turn": [3]})]
    [{'turn': 3}, {'rush': 0.5, 'turn': 3}]
    """
    checked = {}
    for name, values in levels.items():
        if name not in PARAMETERS:
            raise ValueError(f"levels: {shown(name)} is no parameter; allowed are {', '.join(PARAMETERS)}")
        checked[name] = list(values)
        if not checked[name] or not all_different(checked[name]):
            raise ValueError(f"levels[{name!r}] = {shown(checked[name])}: one or more different numbers are needed")
    return [Behaviour(**dict(zip(checked, chosen, strict=True))) for chosen in product(*checked.values())]
