"""Which setting is the smallest fair one, from games: settings are dropped, the rest are judged on fresh games.

Two things can go wrong, each in at most half of the risk. *Nothing smaller is fair* is wrong only if one setting, the
smallest that is truly fair, was dropped: of its bets that is as unlikely as is asked for, however many others there
are. (That it was dropped for what must stay, beyond four standard errors, is seldom enough to be left out of this.)
*This one is fair* is wrong only if one that is not passed a final; finals are on games that nothing was chosen by, and
divide the risk.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from math import ceil, log
from typing import Any

import numpy as np
from scipy import special

from gamebalance.base.rounding import meant
from gamebalance.fairness.reports.tables import Seats
from gamebalance.fairness.tuning.evaluation import Look, Question, plain_label
from gamebalance.fairness.tuning.knobs import Setting, Size
from gamebalance.fairness.tuning.sampling import FRESH, Block, Evidence, needed

#: Games of a setting before it is looked at, and how many times as many each time after that.
FIRST, GROWTH = 200, 1.5
#: The part of all games by which settings are dropped, as long as none promises to be fair; of what is left of it a
#: setting may have so much; and the part of all that is left that a final may cost before more is known.
CHOICE, A_SETTING, A_FINAL = 0.6, 0.25, 0.5
#: The part of the risk of finals that the first one has, of the rest the second, and so on.
FINAL = 0.75
#: How often a final is to show what the games before it make likely.
POWER = 0.9
#: Standard errors by which what must stay is outside of its range, before a setting is dropped for it.
OUTSIDE = 4.0

#: Plays games: (setting, way, first, count) for each key.
Player = Callable[[Any], Mapping[Any, Block]]


@dataclass
class Entrant:
    """A setting in the race, with what its games under each way to play show."""

    setting: Setting
    before: dict[str, Evidence]
    final: dict[str, Evidence]
    bound: float  # logarithm of the capital that drops it
    verdict: str = "undecided"  # fair, unfair (dropped), not kept; undecided as long as it is in the race
    promising: dict[str, int] = field(default_factory=dict)  # games of a final

    @property
    def judged(self) -> bool:
        """Whether it was in a final."""
        return any(each.games for each in self.final.values())

    @property
    def games(self) -> int:
        """How many games were played before a final."""
        return sum(each.games for each in self.before.values())

    @property
    def capital(self) -> float:
        """Logarithm of the capital of the bets against it."""
        return float(special.logsumexp([each.capital for each in self.before.values()]) - log(len(self.before)))

    def looks(self) -> tuple[Look, ...]:
        """What is shown of it: the fresh games if there was a final."""
        looks = []
        for way, evidence in (self.final if self.judged else self.before).items():
            far, error, who = evidence.unevenness
            chances = tuple(zip(map(plain_label, evidence.labels), meant(evidence.shares).tolist(), strict=True))
            verdict = "fair" if self.verdict == "fair" else self._alone(evidence)
            looks.append(Look(way, verdict, far, error, plain_label(who), chances, meant(evidence.even), evidence.kept))
        return tuple(looks)

    def _alone(self, evidence: Evidence) -> str:
        return "unfair" if evidence.capital >= self.bound else "undecided"


class Race:
    """All settings in the order of their size, with at most so many `games`, until one is shown to be fair."""

    def __init__(self, question: Question, seats: Seats, games: int, risk: float, play: Player):
        self._question, self._seats, self._play = question, seats, play
        self.games, self.used, self.chosen_by = games, 0, 0
        self._choice, self._a_setting = CHOICE, A_SETTING
        self.risk, self.finals = risk / 2, 0
        self.entrants: list[Entrant] = []

    @property
    def left(self) -> int:
        """How many games are left."""
        return self.games - self.used

    def run(self, levels: Iterable[tuple[Size, list[Setting]]], everything: bool = False) -> None:
        """Go on until a size has a fair setting (or to the end if `everything`), or games have run out.

        What games are left then go to settings that are open, if they change less than the smallest fair one.
        """
        for _, settings in levels:
            entrants = [self._entrant(setting) for setting in settings]
            self.entrants += entrants
            if self._settle(entrants) and not everything:
                break
        self._choice, self._a_setting = 1.0, A_FINAL
        fair = [each.setting.size for each in self.entrants if each.verdict == "fair"]
        unsure = [each for each in self.entrants if each.verdict == "undecided" and not each.judged]
        for size, group in groupby(unsure, key=lambda each: each.setting.size):
            if (fair and size >= fair[0]) or self._settle(list(group)):
                break

    def _settle(self, entrants: list[Entrant]) -> bool:
        """Play settings of one size; whether one of them is fair, or there are no games for any."""
        while going := self._going(entrants):
            self._round(going)
        for entrant in entrants:
            entrant.promising = entrant.promising or self._promise(entrant, self.left)
        self._final([each for each in entrants if each.verdict == "undecided" and each.promising])
        return any(each.verdict == "fair" for each in entrants) or not any(each.games for each in entrants)

    def _entrant(self, setting: Setting) -> Entrant:
        def nothing() -> dict[str, Evidence]:
            return {way: Evidence(self._seats, self._question.by, self._question.margin) for way in self._question.ways}

        return Entrant(setting, nothing(), nothing(), log(1 / self.risk))

    def _going(self, entrants: list[Entrant]) -> list[Entrant]:
        """Those of which games are played before a final, as far as there are games."""
        room, going = min(self._choice * self.games - self.chosen_by, self.left), []
        for entrant in entrants:
            more = sum(_more(each.games) for each in entrant.before.values())
            enough = entrant.verdict != "undecided" or entrant.promising
            if not enough and more <= room and entrant.games + more <= self._a_setting * (room + entrant.games):
                going.append(entrant)
                room -= more
        return going

    def _round(self, entrants: list[Entrant]) -> None:
        """Some games more of each, and whether it is dropped, or promises to be fair."""
        asked = {}
        for place, entrant in enumerate(entrants):
            for way, evidence in entrant.before.items():
                asked[place, way] = entrant.setting, way, evidence.games, _more(evidence.games)
        for (place, way), block in self._play(asked).items():
            entrants[place].before[way].add(block)
        played = sum(count for *_, count in asked.values())
        self.used, self.chosen_by = self.used + played, self.chosen_by + played
        for entrant in entrants:
            if entrant.capital >= entrant.bound:
                entrant.verdict = "unfair"
            elif any(self._question.outside(each.kept, OUTSIDE) for each in entrant.before.values()):
                entrant.verdict = "not kept"
            else:
                entrant.promising = self._promise(entrant, A_FINAL * self.left)

    def _promise(self, entrant: Entrant, most: float) -> dict[str, int]:
        """Games under each way of a final that it is likely to pass; nothing if they are more than `most`."""
        goal, games = special.ndtri(POWER) - special.ndtri(self._of_final() / 2), {}
        for way, evidence in entrant.before.items():
            if not evidence.games:
                return {}
            slack, deviation = evidence.slack
            sure = slack - deviation / np.sqrt(evidence.games)
            if sure.min() <= 0:
                return {}
            games[way] = max(FIRST, ceil(float((goal * deviation / sure).max() ** 2)))
        return games if sum(games.values()) <= most else {}

    def _of_final(self) -> float:
        """The risk that the next final has."""
        return self.risk * FINAL * (1 - FINAL) ** self.finals

    def _final(self, entrants: list[Entrant]) -> None:
        """Fresh games of those that promise to be fair, the fewest games first, as far as there are games."""
        risk = self._of_final() / max(len(entrants), 1)
        self.finals += bool(entrants)
        entrants.sort(key=lambda each: sum(each.promising.values()))
        for entrant in entrants:
            if (many := sum(entrant.promising.values())) > self.left:
                continue
            asked = {way: (entrant.setting, way, FRESH, count) for way, count in entrant.promising.items()}
            for way, block in self._play(asked).items():
                entrant.final[way].add(block)
            self.used += many
            sure = -special.ndtri(risk / max(len(self._question.keep), 1))  # errors by which what must stay does so
            if any(self._question.outside(each.kept, sure) for each in entrant.final.values()):
                entrant.verdict = "not kept"
            elif all(
                each.p_value <= risk and not self._question.outside(each.kept, -sure) for each in entrant.final.values()
            ):
                entrant.verdict = "fair"

    def needed(self, entrants: Iterable[Entrant]) -> float:
        """About how many games more would decide these."""
        return sum(needed(list(each.before.values()), self.risk) for each in entrants if each.games)


def _more(games: int) -> int:
    """How many games follow so many."""
    return ceil((GROWTH - 1) * games) or FIRST
