"""Fair points with controls: how fair they have to be, what counts as small, and what is kept."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import numpy as np

from chapters.sanguosha.designs.answers import code_of
from chapters.sanguosha.designs.bench import POINT_NAMES, lineup_choice
from chapters.sanguosha.designs.rows import FOUR, PLAY_NAMES, PLAYS
from chapters.sanguosha.designs.tables import largest_difference, short
from gamebalance.base.controls import Answer, Choice, Controls, Slider, checked
from gamebalance.base.rounding import meant
from gamebalance.sanguosha.design import DEMANDS, NORMS, POINTS, FairPoints, fair_points
from gamebalance.sanguosha.design.fair import KEPT, MOST_SOLVED, WHOLE_WITHIN
from gamebalance.sanguosha.lineup import LINEUPS, Lineup, Role
from gamebalance.sanguosha.outcomes import Outcomes
from gamebalance.sanguosha.scoring import REPORT_SCORING

if TYPE_CHECKING:
    import pandas

#: The line-ups whose games are solved exactly, so that their points can be made exactly fair.
SOLVED = LINEUPS[:4]

#: What each norm is called, with little room and in a sentence.
NORM_NAMES = {"l1": "sum of changes", "l2": "root of squares", "integer": "sum, whole points"}
NORM_WORDS = {
    "l1": "The sum of changes",
    "l2": "The root of the sum of squares",
    "integer": "The sum of changes in whole points",
}

#: What a demand is called where there is little room.
DEMAND_NAMES = {
    "signs": "No negative points",
    "alive above dead": "Alive above dead",
    "winner above loser": "Winner above loser",
    "order": "Order of the ten",
}

#: The farthest that two roles' expectations may be allowed to be apart, in points.
MOST_APART = 20

#: Changed points that are named, the largest first.
NAMED = 3

#: How games end, by line-up and play.
Games = Mapping[tuple[str, str], Outcomes]


def controls() -> Controls:
    """Whose points, how fair, what is small, what is kept; by default as `fair_points` has it, for four players."""
    apart = "by how many points what two roles expect may differ"
    small = "what is as small as it can be"
    mean = "whether the players expect as much as before on average"
    found: dict[str, Slider | Choice] = {
        "lineup": lineup_choice(SOLVED, "Which game"),
        "play": Choice("Targets by", tuple(PLAYS), "report", tuple(PLAY_NAMES.values()), "Which game"),
        "within": Slider("Points apart", 0, MOST_APART, 0, 0.5, "How fair, how small", apart),
        "norm": Choice("Smallest", NORMS, NORMS[0], tuple(NORM_NAMES.values()), "How fair, how small", small),
        "mean": Choice("Mean", ("kept", "free"), "kept", group="What is kept", hint=mean),
    }
    for name, hint in DEMANDS.items():
        start = "kept" if name in KEPT else "free"
        found[_field(name)] = Choice(DEMAND_NAMES[name], ("kept", "free"), start, group="What is kept", hint=hint)
    return found


def _field(demand: str) -> str:
    return demand.replace(" ", "_")


class PointsBench:
    """What answers to the controls.

    Parameters
    ----------
    games : mapping from (str, str) to Outcomes
        How games end, by line-up and one of `rows.PLAYS`: of four players by all of them, of others by the report's
        rule.
    """

    def __init__(self, games: Games) -> None:
        self._games = games

    def answer(self, **values: Any) -> Answer:
        """The smallest change of the points, and what the roles expect before and after it.

        Parameters
        ----------
        **values
            By the names of `controls`; the default where one is not given.

        Raises
        ------
        ValueError
            For a name or a value that the controls do not have, another play than the report's for more than four
            players, or if not everything that is asked for can be had.
        """
        from chapters.sanguosha.designs.drawing import draw_new_points

        values = checked(controls(), values)
        lineup, play = values["lineup"], values["play"]
        if (lineup, play) not in self._games:
            raise ValueError(f"play = {play!r}, lineup = {lineup!r}: more than four players play by 'report' only")
        asked = _asked(values)
        games = self._games[lineup, play]
        found = fair_points(games, **asked)
        numbers = numbers_of(found, games)
        said = f"{_sentence(found)} {self._otherwise(found, lineup, play)}".rstrip()
        shown = numbers.assign(**{when: numbers[when].map("{:.2f}".format) for when in ("report", "new")})
        return Answer(draw_new_points(numbers), numbers, said, _code(lineup, play, asked), shown, _link(found, values))

    def _otherwise(self, found: FairPoints, lineup: str, play: str) -> str:
        """How far apart the roles are with the same points when they play in another way."""
        apart = {
            PLAY_NAMES[other]: largest_difference(games, found.scoring)
            for (whose, other), games in self._games.items()
            if whose == lineup and other != play
        }
        if not apart:
            return ""
        words = " and ".join(f"{_short(points)} points ({name})" for name, points in apart.items())
        return f"If all four choose their targets differently, two roles are up to {words} apart."


def _asked(values: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of `fair_points` that differ from its defaults."""
    asked: dict[str, Any] = {}
    if values["norm"] != NORMS[0]:
        asked["norm"] = values["norm"]
    kept = tuple(name for name in DEMANDS if values[_field(name)] == "kept")
    if set(kept) != set(KEPT):
        asked["kept"] = kept
    if values["mean"] == "free":
        asked["level"] = None
    if values["within"] != (WHOLE_WITHIN if values["norm"] == "integer" else 0):
        asked["within"] = values["within"]
    return asked


def numbers_of(found: FairPoints, games: Outcomes) -> "pandas.DataFrame":
    """The ten points and what the four roles expect: `what`, `name`, `report`, and `new`."""
    import pandas

    points = [("points", POINT_NAMES[name][0], getattr(REPORT_SCORING, name), found.points[name]) for name in POINTS]
    before = games.expected_scores(REPORT_SCORING)
    expected = [("expected", str(role), before[role], found.expected[role]) for role in Role]
    return meant(pandas.DataFrame(points + expected, columns=["what", "name", "report", "new"]))


def _sentence(found: FairPoints) -> str:
    changed = sorted((name for name in POINTS if found.changes[name]), key=lambda name: -abs(found.changes[name]))
    if not changed:
        return f"Nothing has to change: two roles are at most {_short(found.spread)} points apart."
    named = [
        f"{_words(name)} become {_short(found.points[name])} instead of {_before(name)}" for name in changed[:NAMED]
    ]
    left = len(changed) - NAMED
    more = f", and {left} more of the ten numbers {'changes' if left == 1 else 'change'}" if left > 0 else ""
    least, most = _short(np.nanmin(found.expected)), _short(np.nanmax(found.expected))
    each = f"{least} points" if least == most else f"{least} to {most} points"
    size = f"{NORM_WORDS[found.norm]} is {_short(found.change)}, the least there is"
    return f"{size}: {'; '.join(named)}{more}. Each role then expects {each}."


def _words(name: str) -> str:
    return POINT_NAMES[name][1].replace("'s ", "'s points ", 1)


def _before(name: str) -> str:
    return _short(getattr(REPORT_SCORING, name))


def _short(number: float) -> str:
    """`tables.short`, without a minus zero."""
    return short(meant(float(number), residue=0.005))


def _code(lineup: str, play: str, asked: Mapping[str, Any]) -> str:
    solved = f'"{lineup}"'
    if play != "report" or Lineup.parse(lineup).players > MOST_SOLVED:
        solved = code_of(Lineup.parse(lineup), {}, [play] * len(Role))
    given = [solved, *(f"{name}={value!r}" for name, value in asked.items())]
    return f"sanguosha.design.fair_points({', '.join(given)})"


def _link(found: FairPoints, values: Mapping[str, Any]) -> str | None:
    """How the offline page over the grid names these points; None for more than four players."""
    if values["lineup"] != str(FOUR):
        return None
    play = [("play", values["play"])] * (values["play"] != "report")
    return urlencode([*play, *((name, meant(found.points[name])) for name in POINTS if found.changes[name])])
