"""Sanguosha with controls: one setting of the rules, of how each role plays and of the points, and what it does.

Four players are answered exactly: from the grid of changes where it holds the setting, else by the solver. Five are
where their table holds the setting; all others are simulated, with errors.
"""

import os
import re
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import urlencode

from chapters.sanguosha.designs import lineups
from chapters.sanguosha.designs.answers import code_of, numbers_of, said_of, table_of
from chapters.sanguosha.designs.grid import rules_of, sentence_of, settings
from chapters.sanguosha.designs.plays import differing, policies_of
from chapters.sanguosha.designs.rows import FOUR, PLAY_NAMES, PLAYS, outcomes_of
from gamebalance.base.controls import Answer, Choice, Controls, Slider, checked
from gamebalance.sanguosha.exact import solve_lineup
from gamebalance.sanguosha.kernels import fit
from gamebalance.sanguosha.lineup import LINEUPS, ROLE_KEYS, Lineup, Role
from gamebalance.sanguosha.outcomes import Outcomes, mean_outcomes
from gamebalance.sanguosha.rules import AS_CODED, FIRST_TURNS, MAX_HEALTH, MOST_DRAWS, REPORT_DECK, Card, Rules
from gamebalance.sanguosha.scoring import REPORT_SCORING
from gamebalance.sanguosha.simulation import SlowSimulation, simulate
from gamebalance.sanguosha.turn import turn_codes
from gamebalance.sanguosha.what_if import changed, changed_points

if TYPE_CHECKING:
    import pandas

#: What a play is, by role.
PLAY_HINT = "whom the {} attacks: by the Sanguosha report's rule, or by threat points, with the roles hidden or known"

#: The points that can be changed, how a reader sees them, and what they are.
POINT_NAMES = {
    "lord_win": ("Lord wins", "the lord's when he wins"),
    "lord_per_loyalist": ("Lord, per loyalist", "the lord's for each loyalist alive when he wins"),
    "loyalist_alive": ("Loyalist, alive", "a living loyalist's when the lord wins"),
    "loyalist_dead": ("Loyalist, dead", "a dead loyalist's when the lord wins"),
    "consolation": ("Renegade, consoled", "a renegade's when the lord wins with no loyalist alive"),
    "rebel_alive": ("Rebel, alive", "a living rebel's when the rebels win"),
    "rebel_dead": ("Rebel, dead", "a dead rebel's when the rebels win"),
    "renegade_with_rebels": (
        "Renegade, spared",
        "a living renegade's when the rebels win, less one for each living rebel",
    ),
    "renegade_win": ("Renegade wins", "the renegade's when he is the last player alive"),
    "lord_when_renegade_wins": ("Lord, runner-up", "the lord's when the renegade wins"),
}

#: The most points, and how many times as many cards of a kind there are.
MOST_POINTS, MOST_TIMES = 50, 3

#: The remainder at which an exact solution is broken off: errors stay far below what is shown.
TAIL = 1e-8

#: Games that are played where the fast simulator can follow the rules, and where it cannot; of which seed.
FAST_GAMES, SLOW_GAMES, SEED = 400_000, 100_000, 1


def controls() -> Controls:
    """All that can be set: players, turns, hearts, cards, how each role plays, points; the report's by default."""
    found: dict[str, Slider | Choice] = {
        "lineup": lineup_choice(LINEUPS, "Players and turns"),
        "first": Choice(
            "First turn", FIRST_TURNS, FIRST_TURNS[0], ("the lord", "the next player"), "Players and turns"
        ),
        "draws": Slider("Cards drawn", 1, MOST_DRAWS, AS_CODED.draws, group="Players and turns"),
    }
    for role in Role:
        found[f"{role.key}_hearts"] = Slider(str(role), 1, MAX_HEALTH, MAX_HEALTH, group="Hearts")
    for card in sorted(Card, reverse=True):
        count, least = REPORT_DECK[card], int(card == Card.SLASH)
        found[card.name.lower()] = Slider(str(card), least, MOST_TIMES * count, count, group="Cards in the deck")
    for role in Role:
        names, hint = (*PLAY_NAMES.values(),), PLAY_HINT.format(role.key)
        found[f"{role.key}_play"] = Choice(str(role), (*PLAYS,), "report", names, "How they play", hint)
    for name, (label, hint) in POINT_NAMES.items():
        found[name] = Slider(label, 0, MOST_POINTS, int(getattr(REPORT_SCORING, name)), group="Points", hint=hint)
    return found


def lineup_choice(lineups: Sequence[Lineup], group: str) -> Choice:
    """Which of these line-ups, four players by default."""
    names = tuple(f"{lineup.players}: {lineup}" for lineup in lineups)
    said = "how many players there are: how many lords, loyalists, rebels, renegades"
    return Choice("Line-up", tuple(map(str, lineups)), str(FOUR), names, group, said)


@dataclass(frozen=True)
class Setting:
    """What the controls say, in the words of the library.

    Parameters
    ----------
    lineup : Lineup
    changes : mapping
        What differs from the report's rules, as `sanguosha.what_if` takes it.
    plays : tuple of str, by role
        Of `PLAYS`.
    """

    lineup: Lineup
    changes: Mapping[str, Any]
    plays: tuple[str, ...]

    @property
    def rules(self) -> Rules:
        return changed(**{name: value for name, value in self.changes.items() if name != "points"})

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> "Setting":
        """The setting of these controls, by name; ValueError for a name or a value that is none."""
        values = checked(controls(), values)
        changes: dict[str, Any] = {
            "health": {role.key: values[f"{role.key}_hearts"] for role in Role},
            "deck": {card.name.lower(): values[card.name.lower()] for card in Card},
            "points": {name: values[name] for name in POINT_NAMES},
        }
        before = {
            "health": dict.fromkeys(changes["health"], MAX_HEALTH),
            "deck": {card.name.lower(): count for card, count in zip(Card, AS_CODED.deck, strict=True)},
            "points": {name: getattr(REPORT_SCORING, name) for name in POINT_NAMES},
        }
        news = {
            what: {name: value for name, value in named.items() if value != before[what][name]}
            for what, named in changes.items()
        }
        news |= {name: values[name] for name in ("draws", "first") if values[name] != getattr(AS_CODED, name)}
        plays = tuple(values[f"{role.key}_play"] for role in Role)
        return cls(Lineup.parse(values["lineup"]), {name: value for name, value in news.items() if value}, plays)


#: A table in memory, or its rows one by one.
Table: TypeAlias = "pandas.DataFrame | Iterable[Mapping[str, Any]]"


class Bench:
    """What answers to the controls.

    Parameters
    ----------
    grid : DataFrame or iterable of mappings, optional
        Rows of the table that `rows.row` fills, as many as there are: what stands there need not be solved.
    plays : DataFrame or iterable of mappings, optional
        For the report's rules and each way to play, by the keys of the roles: `endings`, as `rows.row` writes them, and
        `error_bound`.
    fives : DataFrame, optional
        Rows of `lineups.five_row`, all seatings of each setting.
    """

    def __init__(self, grid: Table = (), plays: Table = (), fives: "pandas.DataFrame | None" = None) -> None:
        self._rows = {rules_of(settings()[int(row["number"])]): row for row in _records(grid)}
        self._plays = {differing([row[key] for key in ROLE_KEYS]): row for row in _records(plays)}
        solved = {} if fives is None else lineups.fives(fives)
        self._changes = {rules_of(setting): setting for setting in settings()}
        self._fives = {rules: solved.get(sentence_of(setting)) for rules, setting in self._changes.items()}

    def answer(self, **values: Any) -> Answer:
        """Survival, chance to win, expected points of each role, Bal and Rat, beside the report's game.

        Parameters
        ----------
        **values
            By the names of `controls`; the default where one is not given.

        Raises
        ------
        ValueError
            For a name or a value that the controls do not have, or threat points with more than four players.
        """
        from chapters.sanguosha.drawing import draw_changed_game

        setting = Setting.of(values)
        found, before = self.outcomes(setting), self.outcomes(Setting(setting.lineup, {}, ("report",) * len(Role)))
        numbers = numbers_of(found, before)
        return Answer(
            draw_changed_game(numbers, simulated=found.games is not None),
            numbers,
            said_of(found, before, bool(setting.changes) or {*setting.plays} != {"report"}),
            code_of(setting.lineup, setting.changes, setting.plays, found.games, SEED),
            table_of(found, before),
            self._link(setting),
        )

    def prepare(self) -> None:
        """Load or compile what later answers need, and ask for all that threat points choose, in very small games."""
        for play in PLAYS:
            _played(FOUR, changed(health=1), differing([play] * len(Role)))
        for draws in range(1, MOST_DRAWS + 1):
            turn_codes(changed(draws=draws))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SlowSimulation)
            for health in (1, MAX_HEALTH):
                simulate(LINEUPS[1], 1, SEED, changed(health=health))

    def outcomes(self, setting: Setting) -> Outcomes:
        """How games end in a setting, with its points."""
        found = self._known(setting)
        if found is None:
            found = _played(setting.lineup, setting.rules, differing(setting.plays))
        return replace(found, scoring=changed_points(setting.changes.get("points")))

    def _link(self, setting: Setting) -> str | None:
        """How the offline page over the grid names a setting; None where the grid does not hold it."""
        found, play = self._changes.get(setting.rules), _of_all(setting.plays)
        if setting.lineup != FOUR or found is None or play is None:
            return None
        parts = [("change", re.sub("[^a-z0-9]+", "-", change.said.lower()).removesuffix("-")) for change in found]
        parts += [("play", play)] * (play != "report")
        return urlencode([*parts, *setting.changes.get("points", {}).items()])

    def _known(self, setting: Setting) -> Outcomes | None:
        """What the tables say, where they hold this setting."""
        if setting.lineup == lineups.FIVE and {*setting.plays} == {"report"}:
            return self._fives.get(setting.rules)
        row, column = self._rows.get(setting.rules), _of_all(setting.plays)
        if (row is None or column is None) and setting.rules == AS_CODED:
            row, column = self._plays.get(differing(setting.plays)), "endings"
        if setting.lineup != FOUR or row is None or column is None:
            return None
        # What was not tried is an empty text, or what pandas makes of it.
        told = isinstance(row[column], str) and row[column]
        return mean_outcomes(FOUR, list(outcomes_of(row, column).values())) if told else None


def _records(table: Table) -> Iterable[Mapping[str, Any]]:
    """The rows of a table."""
    return table.to_dict("records") if hasattr(table, "to_dict") else table


def _of_all(plays: Sequence[str]) -> str | None:
    """How all four play, if it is in one way."""
    return next((play for play in PLAYS if differing(plays) == differing([play] * len(plays))), None)


@lru_cache(maxsize=256)
def _played(lineup: Lineup, rules: Rules, plays: tuple[str, ...]) -> Outcomes:
    """How games end, solved or simulated; the same answer is not computed twice, whatever the points."""
    if lineup == FOUR:
        for hearts in {*rules.health}:
            turn_codes(rules, hearts)  # once, before threads ask for it side by side
        return solve_lineup(FOUR, rules, os.cpu_count() or 1, policies=policies_of(plays), tail=TAIL)
    for role, play in zip(Role, plays, strict=True):
        if play != "report":
            ways = "threat points are for four players"
            raise ValueError(f"{role.key}_play = {play!r}, lineup = '{lineup}': {ways}, others play by 'report' only")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SlowSimulation)
        return simulate(lineup, SLOW_GAMES if any(fit.misfit(lineup, rules)) else FAST_GAMES, SEED, rules)
