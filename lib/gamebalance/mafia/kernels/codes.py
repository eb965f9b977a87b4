"""Roles, marks and rules as numbers for compiled code: for the solver and the simulator the same."""

import numpy as np

from gamebalance.mafia.rules import PHASES, TELLS, TIES, Rules

#: The codes of roles, in the order of `setups.ROLES`.
MAFIOSO, INNOCENT, DETECTIVE, DOCTOR, WITCH, HUNTER, DON, SHERIFF, VIGILANTE, BODYGUARD, ROLES = range(11)
#: Lasting marks, as bits: whom the detectives remember, whose side the sheriff knows, whom the don has looked at.
CLEARED, CHECKED, SEEN = 1, 2, 4
HEALING, POISON = 1, 2
NOBODY = -1
EVENING, MORNING = range(len(PHASES))
#: Rules of ties and of telling, by place.
LOT, NONE, ALL, AGAIN_NONE, AGAIN_ALL = range(len(TIES))
UNTOLD, AT_DEATH, AT_A_FIND, EVERY_MORNING = range(len(TELLS))
#: From so many mafiosi on, `Rules.kills` is the same.
MOST_DIFFERENT = 9
_NUMBERS = ("tells_at_death", "may_tell", "memory", "bullets", "potion", "odds", "agreement", "shot")
#: `Rules`: `half` by phase, `votes` by the parities (even first) of the day and the living, `kills` by mafiosi alive.
_TABLES: list = [("half", "i8", 2), ("votes", "i8", (2, 2)), ("kills", "i8", MOST_DIFFERENT + 1)]
_TABLES += [(name, "i8") for name in ("apart", "ties", "tells")]
RULES = np.dtype([*_TABLES, *((name, "f8") for name in _NUMBERS)])


def coded(rules: Rules) -> np.void:
    """The rules as one record."""
    record = np.zeros(1, RULES)[0]
    for name in _NUMBERS:
        record[name] = getattr(rules, name)
    record["half"] = [rules.mafia_has_won(1, 1, phase) for phase in PHASES]
    record["votes"] = [[rules.votes_on(day, living) for living in (2, 1)] for day in (2, 1)]
    record["kills"][1:] = [rules.shots(mafia) for mafia in range(1, MOST_DIFFERENT + 1)]
    record["apart"], record["ties"] = rules.aim == "apart", list(TIES).index(rules.ties)
    record["tells"] = list(TELLS).index(rules.tells)
    return record
