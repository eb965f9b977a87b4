"""Who has won, and the points that everybody gets for it (report §2.4 and §6.3)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from gamebalance.base.checks import check_fields
from gamebalance.sanguosha.lineup import Lineup, Role

#: Numbers of lords, loyalists, rebels and renegades alive.
Alive = tuple[int, int, int, int]


def numbers_alive(roles: Sequence[Role], living: Iterable[int]) -> Alive:
    """Numbers of lords, loyalists, rebels and renegades in these seats."""
    held = [roles[seat] for seat in living]
    return held.count(Role.LORD), held.count(Role.LOYALIST), held.count(Role.REBEL), held.count(Role.RENEGADE)


#: Which roles have won when a side has: lord, loyalists, rebels, renegades.
WINNERS = {"lord": (1, 1, 0, 0), "rebels": (0, 0, 1, 0), "renegade": (0, 0, 0, 1)}

#: The side of each role, in the order of the roles.
SIDES = tuple(next(side for side, won in WINNERS.items() if won[role]) for role in range(len(Role)))


def winner(alive: Alive) -> str | None:
    """The side that has won with these numbers alive: "lord", "renegade", "rebels", or None while the game goes on.

    The lord's side wins when no rebel and no renegade lives; with the lord dead a single renegade who is the last
    player wins, and otherwise the rebels do (report §2.4).
    """
    lords, loyalists, rebels, renegades = alive
    if lords and rebels + renegades:
        return None
    if lords:
        return "lord"
    return "renegade" if (loyalists, rebels, renegades) == (0, 0, 1) else "rebels"


@dataclass(frozen=True)
class Scoring:
    """The points of each ending; the defaults are the report's rule (§6.3).

    Parameters
    ----------
    lord_win, lord_per_loyalist : float
        The lord's points when he wins, and for each loyalist alive.
    loyalist_alive, loyalist_dead : float
        A loyalist's points when the lord wins.
    consolation : float
        A renegade's points when the lord wins with no loyalist alive.
    share_consolation : bool
        With two or more renegades: each gets the consolation (False), or they share it (True). The rule does not say.
    rebel_alive, rebel_dead : float
        A rebel's points when the rebels win.
    renegade_with_rebels : float
        A living renegade's points when the rebels win, one less for each living rebel.
    renegade_win, lord_when_renegade_wins : float
        The last renegade's points, and the lord's, when the renegade wins.
    """

    lord_win: float = 10
    lord_per_loyalist: float = 5
    loyalist_alive: float = 10
    loyalist_dead: float = 7
    consolation: float = 15
    share_consolation: bool = False
    rebel_alive: float = 12
    rebel_dead: float = 9
    renegade_with_rebels: float = 5
    renegade_win: float = 35
    lord_when_renegade_wins: float = 3

    def __post_init__(self):
        check_fields(self)

    def scores(self, lineup: Lineup, alive: Alive) -> np.ndarray:
        """Mean score of each role's members when the game ends with `alive`, shape (4,); nan for a role nobody holds.

        ValueError if the game is not over with these numbers alive.
        """
        members, living = np.array(lineup.counts, dtype=float), np.array(alive)
        members[members == 0] = np.nan
        of_dead, of_living = self.of_members(lineup, alive)
        return (of_living * living + of_dead * (members - living)) / members

    def of_members(self, lineup: Lineup, alive: Alive) -> np.ndarray:
        """Points of a dead and of a living member of each role when the game ends with `alive`, shape (2, 4).

        ValueError if the game is not over with these numbers alive.
        """
        _, loyalists, rebels, _ = alive
        match winner(alive):
            case "lord":
                lord = self.lord_win + self.lord_per_loyalist * loyalists
                consoled = 0 if loyalists else self.consolation
                if self.share_consolation:
                    consoled /= max(lineup.renegades, 1)
                return np.array([[0, self.loyalist_dead, 0, consoled], [lord, self.loyalist_alive, 0, consoled]], float)
            case "renegade":
                return np.array([[self.lord_when_renegade_wins, 0, 0, 0], [0, 0, 0, self.renegade_win]], float)
            case "rebels":
                renegade = self.renegade_with_rebels - rebels
                return np.array([[0, 0, self.rebel_dead, 0], [0, 0, self.rebel_alive, renegade]], float)
        raise ValueError(f"alive = {alive!r}: the game is not over")


#: The report's rule, the renegades' consolation paid to each of them.
REPORT_SCORING = Scoring()
