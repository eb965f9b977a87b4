"""Sanguosha with controls: one setting of the rules, of how each role plays and of the points, beside the report's."""

import os
import re
import warnings
from dataclasses import replace
from functools import lru_cache
from math import isnan
from urllib.parse import urlencode

import numpy as np
import pandas as pd

from chapters import the_smallest_fair_change_grid as grid
from chapters.play_it_differently import differing, policies_of
from chapters.sanguosha_drawing import ROLES
from chapters.the_smallest_fair_change_grid import FIVE, fives_of
from chapters.where_play_settles import settled_mean
from gamebalance.base.controls import Answer, Choice, Slider, checked
from gamebalance.base.estimates import Estimate
from gamebalance.base.rounding import at_most, meant
from gamebalance.publish.style import new_figure
from gamebalance.sanguosha.exact import solve_lineup
from gamebalance.sanguosha.kernels import fit
from gamebalance.sanguosha.lineup import LINEUPS, ROLE_KEYS, Lineup, Role
from gamebalance.sanguosha.policies import ThreatPolicy
from gamebalance.sanguosha.rules import AS_CODED, FIRST_TURNS, MAX_HEALTH, MOST_DRAWS, REPORT_DECK, Card
from gamebalance.sanguosha.scoring import REPORT_SCORING
from gamebalance.sanguosha.simulation import SlowSimulation, simulate
from gamebalance.sanguosha.turn import turn_codes
from gamebalance.sanguosha.what_if import changed, changed_points

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
#: Games that are played, and with other hearts, four draws or a longer reach; of which seed.
FAST_GAMES, SLOW_GAMES, SEED = 400_000, 100_000, 1
REPORT = ("report",) * len(Role)


def controls():
    """All that can be set: players, turns, hearts, cards, how each role plays, points; the report's by default."""
    general, start = "Players and turns", ("the lord", "the next player")
    every = {"lineup": lineup_choice(LINEUPS, general)}
    every["first"] = Choice("First turn", FIRST_TURNS, FIRST_TURNS[0], start, general)
    every["draws"] = Slider("Cards drawn", 1, MOST_DRAWS, AS_CODED.draws, group=general)
    for role in Role:
        every[f"{role.key}_hearts"] = Slider(str(role), 1, MAX_HEALTH, MAX_HEALTH, group="Hearts")
    for card in sorted(Card, reverse=True):
        count, least = REPORT_DECK[card], int(card == Card.SLASH)
        every[card.name.lower()] = Slider(str(card), least, MOST_TIMES * count, count, group="Cards in the deck")
    for role in Role:
        hint = f"whom the {role.key} attacks: by the Sanguosha report's rule, or by threat points, with the roles "
        looks = tuple(grid.PLAY_NAMES.values()), "How they play", f"{hint}hidden or known"
        every[f"{role.key}_play"] = Choice(str(role), tuple(grid.PLAYS), "report", *looks)
    for name, (label, hint) in POINT_NAMES.items():
        every[name] = Slider(label, 0, MOST_POINTS, int(getattr(REPORT_SCORING, name)), group="Points", hint=hint)
    return every


def lineup_choice(lineups, group):
    """Which of these line-ups, four players by default."""
    names = tuple(f"{lineup.players}: {lineup}" for lineup in lineups)
    hint = "how many players there are: how many lords, loyalists, rebels, renegades"
    return Choice("Line-up", tuple(map(str, lineups)), str(grid.FOUR), names, group, hint)


def setting_of(values):
    """The line-up, what differs from the report's rules, as `sanguosha.what_if` takes it, and how each role plays."""
    given = checked(controls(), values)
    named = {
        "health": {role.key: (given[f"{role.key}_hearts"], MAX_HEALTH) for role in Role},
        "deck": {card.name.lower(): (given[card.name.lower()], REPORT_DECK[card]) for card in Card},
        "points": {name: (given[name], getattr(REPORT_SCORING, name)) for name in POINT_NAMES},
    }
    news = {what: {name: new for name, (new, old) in pairs.items() if new != old} for what, pairs in named.items()}
    news |= {name: given[name] for name in ("draws", "first") if given[name] != getattr(AS_CODED, name)}
    changes = {name: value for name, value in news.items() if value}
    return Lineup.parse(given["lineup"]), changes, tuple(given[f"{role.key}_play"] for role in Role)


class Bench:
    """What answers to the controls, from the rows of the grid, of ways to play by the report's rules, and of five."""

    def __init__(self, designs, plays, fives):
        filled = designs.fillna(dict.fromkeys(grid.PLAYS, "")).to_dict("records")
        self.rows = {grid.rules_of(grid.settings()[row["number"]]): row for row in filled}
        self.plays = {differing([row[key] for key in ROLE_KEYS]): row for row in plays.to_dict("records")}
        self.settings = {grid.rules_of(setting): setting for setting in grid.settings()}
        self.fives = fives_of(fives)

    def answer(self, **values):
        """Survival, chance to win, expected points of each role, Bal and Rat, beside the report's game."""
        lineup, changes, plays = setting_of(values)
        found, before = self.outcomes(lineup, changes, plays), self.outcomes(lineup, {}, REPORT)
        numbers = numbers_of(found, before)
        return Answer(
            draw_changed_game(numbers, found.games is not None),
            numbers,
            sentence(found, before, bool(changes) or plays != REPORT) + self.settled(lineup, changes),
            code_of(lineup, changes, plays, found.games),
            table_of(found, before),
            self.link(lineup, changes, plays),
        )

    def prepare(self):
        """Load or compile what later answers need, and ask for all that threat points choose, in very small games."""
        for play in grid.PLAYS:
            _played(grid.FOUR, changed(health=1), differing([play] * len(Role)))
        for draws in range(1, MOST_DRAWS + 1):
            turn_codes(changed(draws=draws))
        for health in (1, MAX_HEALTH):
            simulate(LINEUPS[1], 1, SEED, changed(health=health))

    def outcomes(self, lineup, changes, plays):
        """How games end in a setting, with its points."""
        rules = _rules(changes)
        found = self.known(lineup, rules, plays) or _played(lineup, rules, differing(plays))
        return replace(found, scoring=changed_points(changes.get("points")))

    def known(self, lineup, rules, plays):
        """What the tables say, where they hold this setting."""
        if lineup == FIVE and plays == REPORT:
            return self.fives.get(grid.sentence_of(self.settings[rules])) if rules in self.settings else None
        row, column = self.rows.get(rules, {}), _of_all(plays)
        if column not in row and rules == AS_CODED:
            row, column = self.plays.get(differing(plays), {}), "endings"
        return grid.mean_of(row, column) if lineup == grid.FOUR and row.get(column) else None

    def settled(self, lineup, changes):
        """Who wins where play settles, in words; nothing where that was not worked out."""
        row = self.rows.get(_rules(changes), {})
        if lineup != grid.FOUR or not row.get("settled") or "points" in changes:
            return ""
        lord, rebel, renegade = (100 * share for share in settled_mean(row["settled"]).winning.values())
        return (
            f" Where all see all roles and cards, and nobody gains more than {at_most(row['gain'], 2):.2f} points by "
            f"leaving, the lord's side wins {lord:.1f}% of the games, the rebel {rebel:.1f}% and the renegade "
            f"{renegade:.1f}%."
        )

    def link(self, lineup, changes, plays):
        """How the offline page over the grid names a setting; None where the grid does not hold it."""
        setting, play = self.settings.get(_rules(changes)), _of_all(plays)
        if lineup != grid.FOUR or setting is None or play is None:
            return None
        parts = [("change", re.sub("[^a-z0-9]+", "-", change.said.lower()).removesuffix("-")) for change in setting]
        parts += [("play", play)] * (play != "report")
        return urlencode([*parts, *changes.get("points", {}).items()])


def _rules(changes):
    return changed(**{name: value for name, value in changes.items() if name != "points"})


def _of_all(plays):
    """How all four play, if it is in one way."""
    return next((play for play in grid.PLAYS if differing(plays) == differing([play] * len(plays))), None)


@lru_cache(maxsize=256)
def _played(lineup, rules, plays):
    """How games end, solved or simulated; the same answer is not computed twice, whatever the points."""
    if lineup == grid.FOUR:
        for hearts in {*rules.health}:
            turn_codes(rules, hearts)  # once, before threads ask for it side by side
        return solve_lineup(grid.FOUR, rules, os.cpu_count() or 1, policies=policies_of(plays), tail=TAIL)
    for role, play in zip(Role, plays, strict=True):
        if play != "report":
            ways = "threat points are for four players, others play by 'report' only"
            raise ValueError(f"{role.key}_play = {play!r}, lineup = '{lineup}': {ways}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SlowSimulation)
        other = rules.health != AS_CODED.health or rules.draws == MOST_DRAWS or max(rules.reach) > max(AS_CODED.reach)
        return simulate(lineup, SLOW_GAMES if other or any(fit.misfit(lineup, rules)) else FAST_GAMES, SEED, rules)


#: What is asked of the outcomes, and what stands in its columns: of the changed game, and of the report's.
MEASURES, COLUMNS = ("survives, %", "wins, %", "points"), ("now", "s.e.", "report", "its s.e.")


def estimates(outcomes):
    """By measure: the number of each role, then Bal in percent, nothing, or Rat."""
    won, results = grid.won_by_member(outcomes), outcomes.results
    values = [
        [*100 * outcomes.survival, 100 * outcomes.balance],
        [*100 * results.mean(won), np.nan],
        [*outcomes.expected_scores(), outcomes.rationality()],
    ]
    errors = [
        [*100 * outcomes.survival_error, 100 * outcomes.balance_error],
        [*100 * results.standard_error(won), np.nan],
        [*outcomes.score_error, outcomes.rationality_error()],
    ]
    pairs = np.stack([values, errors], axis=-1).tolist()
    return {measure: [Estimate(*pair) for pair in column] for measure, column in zip(MEASURES, pairs, strict=True)}


def numbers_of(found, before):
    """A row for each role and one for Bal and Rat: each measure with its standard error, and beside it the report's."""
    now, then, columns = estimates(found), estimates(before), {("", "role"): [*map(str, Role), "Bal, Rat"]}
    for measure in MEASURES:
        numbers = np.hstack([now[measure], then[measure]]).T
        columns |= {(measure, name): list(column) for name, column in zip(COLUMNS, numbers, strict=True)}
    return meant(pd.DataFrame(columns))


def table_of(found, before):
    """`numbers_of` as a reader sees them: each number with its error behind it."""
    columns = {("", "role"): [*map(str, Role), "Bal, Rat"]}
    for measure in MEASURES:
        for name, each in (("now", estimates(found)), ("report", estimates(before))):
            columns[measure, name] = ["–" if isnan(number.value) else str(number) for number in each[measure]]
    return pd.DataFrame(columns)


def sentence(found, before, different):
    """The answer in words; `different` if anything was changed at all."""
    now, then = estimates(found), estimates(before)
    source = "exact" if found.games is None else f"from {found.games:,} games, ± one standard error"
    parts = [
        f"Bal, the spread of survival, is {now[MEASURES[0]][-1]}%",
        f"Rat, the spread of expected points, is {now[MEASURES[2]][-1]}",
    ]
    if not different:
        return f"The Sanguosha report's game: {'; '.join(parts)} ({source})."
    parts = [f"{parts[0]} instead of {then[MEASURES[0]][-1]}%", f"{parts[1]} instead of {then[MEASURES[2]][-1]}"]
    return f"{'; '.join([*parts, _most_moved(now, then)])} ({source})."


def _most_moved(now, then):
    """For which role most has changed: its survival, or its points if nobody's survival has."""
    words = ("survives in {}% of games instead of {}%", "expects {} points instead of {}")
    for measure, form in zip((MEASURES[0], MEASURES[2]), words, strict=True):
        role = max(Role, key=lambda role: abs(meant(now[measure][role].value - then[measure][role].value)))
        if str(now[measure][role]) != str(then[measure][role]):
            return f"the {role.key} {form.format(now[measure][role], then[measure][role])}"
    return "no role survives more or less often, or expects other points"


def code_of(lineup, changes, plays, games=None):
    """The line of Python that gives the same, after ``from gamebalance import sanguosha``."""
    parts = [f'"{lineup}"', *(f"{name}={value!r}" for name, value in changes.items())]
    policies = [
        f"sanguosha.Role.{role.name}: sanguosha.policies.ThreatPolicy({grid.WAYS[play].knows!r})"
        for role, play in zip(Role, plays, strict=True)
        if isinstance(grid.WAYS[play], ThreatPolicy)
    ]
    parts += [f"policies={{{', '.join(policies)}}}"] * bool(policies)
    parts += [] if games is None else [f"games={games}", f"seed={SEED}"]
    return f"sanguosha.what_if({', '.join(parts)})"


def draw_changed_game(numbers, simulated):
    """What each role survives, wins and expects beside the report's game; bars of two standard errors if simulated."""
    figure, panels = new_figure("full", 2.8, cols=len(MEASURES), sharey=True)
    for axes, measure in zip(panels, MEASURES, strict=True):
        *columns, spread = numbers[measure].to_numpy()
        for place, (role, (now, error, report, _)) in enumerate(zip(ROLES, columns, strict=True)):
            look = {"color": role.colour, "marker": role.marker, "linestyle": "none", "clip_on": False, "zorder": 3}
            axes.plot([report, now], [place, place], color="#9a9a9a", linewidth=1.2, zorder=2)
            axes.plot([report], [place], **look, markersize=11, markerfacecolor="none", markeredgewidth=1.1)
            bars = {"xerr": [2 * error], "capsize": 2.5} if simulated else {}
            axes.errorbar([now], [place], **bars, **look)
        share, (low, high) = measure.endswith("%"), axes.dataLim.intervalx
        axes.set_title(f"{measure.removesuffix(', %').capitalize()}{', % of games' if share else ' expected'}")
        axes.set_xlim((0, 100) if share else (min(0, 1.05 * low), max(20, 1.05 * high)))
        name, unit = ("Bal", "%") if share else ("Rat", "")
        words = f"{name} {Estimate(*spread[:2])}{unit}\nreport: {Estimate(*spread[2:])}{unit}"
        axes.set_xlabel("hollow marks:\nthe report's game" if isnan(spread[0]) else words)
        axes.grid(axis="y", visible=False)
    panels[0].set_yticks(range(len(ROLES)), [role.label for role in ROLES])
    panels[0].set_ylim(len(ROLES) - 0.5, -0.5)
    return figure
