"""The report's score accumulation (appendix B), emulated: the tables of survival and expected score in appendix C."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from gamebalance.base.checks import check_fields, instance, shown, whole_number
from gamebalance.sanguosha.lineup import LINEUPS, ROLE_KEYS, Lineup, Role
from gamebalance.sanguosha.outcomes import Outcomes
from gamebalance.sanguosha.scoring import REPORT_SCORING, Alive, winner

#: By line-up: the role at seat 3 in the last of the report's million games, which `replay` finds again.
LAST_ROLES = dict(zip(map(str, LINEUPS), (2, 2, 2, 2, 2, 3, 1, 1, 1), strict=True))


@dataclass(frozen=True)
class ScoreSlips:
    """What is wrong with the score accumulation, each slip a switch; all on is the program as printed.

    Parameters
    ----------
    role_as_divisor : bool
        The 15 points of the renegades when the lord wins alone are divided by ``id[3]``, the *role* at seat 3 in the
        last game played, where ``idm[3]``, the number of renegades, was meant.
    integer_points : bool
        35 points over the number of renegades is a division of whole numbers: 17 with two of them.
    shared_consolation : bool
        Without the first slip: the renegades share the 15 points, which is what dividing by their number means (True),
        or each gets them, which the rule of §6.3 allows too (False).
    """

    role_as_divisor: bool = True
    integer_points: bool = True
    shared_consolation: bool = True

    def __post_init__(self) -> None:
        check_fields(self)


#: The program as printed.
SCORES_AS_PRINTED = ScoreSlips()
#: With both slips repaired, each renegade getting the consolation.
SCORES_REPAIRED = ScoreSlips(False, False, False)


def role_summary(
    counts: Mapping[Alive, int] | Outcomes,
    lineup: Lineup | str | None = None,
    slips: ScoreSlips = SCORES_AS_PRINTED,
    divisor: int | None = None,
) -> pd.DataFrame:
    """Survival and expected scores as the report's Monte Carlo program works them out from its counts.

    Parameters
    ----------
    counts
        How many games ended with (lords, loyalists, rebels, renegades) alive (Tables 6, 8, …, 22).
    lineup
        By default that of the Outcomes, or the one of the report's nine of which as many of each role were seen alive.
    divisor
        The role, 1 to 3, at seat 3 in the last game; by default what it was in the report's run (`LAST_ROLES`).

    Returns
    -------
    DataFrame, shape (4, 2)
        By role: ``survival_percent`` and ``expected_score`` (in points), unrounded: Tables 7, 9, …, 23.

    Examples
    --------
    >>> role_summary({(1, 1, 0, 0): 1, (0, 0, 0, 1): 1}, "1-1-1-1")["expected_score"].tolist()
    [9.0, 5.0, 0.0, 17.5]
    """
    instance("slips", slips, ScoreSlips)
    if isinstance(counts, Outcomes):
        lineup = counts.lineup if lineup is None else lineup
        counts = counts.counts
    if not isinstance(counts, Mapping) or any(np.shape(alive) != (len(Role),) for alive in counts):
        raise ValueError(f"counts = {shown(counts)}: games by (lords, loyalists, rebels, renegades alive) are needed")
    counts = {alive: whole_number("counts", count) for alive, count in counts.items()}
    games = whole_number("the number of games in counts", sum(counts.values()), 1)
    most = tuple(max(alive[role] for alive in counts) for role in Role)
    line = next((one for one in LINEUPS if one.counts == most), None) if lineup is None else Lineup.parse(lineup)
    if line is None or 0 in line.counts or any(seen > members for seen, members in zip(most, line.counts, strict=True)):
        raise ValueError(f"lineup = {line}: one with all four roles and {most} or more of each is needed")
    shares = {alive: count / games for alive, count in counts.items()}
    survival = Outcomes(line, shares, games=games).survival
    by = _divisor(line, slips, divisor)
    scores = sum((count * _scores(alive, line, slips, by) for alive, count in counts.items()), np.zeros(4)) / games
    keys = pd.Index(ROLE_KEYS, name="role")
    return pd.DataFrame({"survival_percent": 100 * survival, "expected_score": scores}, index=keys)


def _scores(alive: Alive, line: Lineup, slips: ScoreSlips, divisor: int) -> np.ndarray:
    """Mean points of each role's members for one ending, shape (4,); the slips touch the renegades' only."""
    if not alive[Role.REBEL] + alive[Role.RENEGADE]:
        alive = (1, alive[Role.LOYALIST], 0, 0)  # the program then takes the lord's life for granted
    side = winner(alive)
    if side is None:
        raise ValueError(f"counts: nobody has won with {alive} alive")
    scores = REPORT_SCORING.scores(line, alive)
    if side == "renegade" and slips.integer_points:
        scores[Role.RENEGADE] = REPORT_SCORING.renegade_win // line.renegades
    if side == "lord" and not alive[Role.LOYALIST]:
        scores[Role.RENEGADE] = REPORT_SCORING.consolation / divisor
    return scores


def _divisor(line: Lineup, slips: ScoreSlips, divisor: int | None) -> int:
    """By what the 15 points are divided."""
    if not slips.role_as_divisor:
        return line.renegades if slips.shared_consolation else 1
    if divisor is None and str(line) not in LAST_ROLES:
        raise ValueError(f"divisor: the report has no games of line-up {line}; give the role at seat 3 in the last")
    return LAST_ROLES[str(line)] if divisor is None else whole_number("divisor", divisor, 1, 3)
