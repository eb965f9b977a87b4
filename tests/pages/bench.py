"""What the page on which the rules of four players are changed ought to say, by the library, and how it is asked."""

import re
from dataclasses import replace

from chapters import the_smallest_fair_change_grid as grid
from chapters.the_smallest_fair_change_grid import FOUR, SEATINGS, outcomes_of
from gamebalance import sanguosha
from gamebalance.sanguosha import Outcomes, Role, Rules, Scoring, changed, mean_outcomes
from gamebalance.sanguosha.policies import ThreatPolicy
from gamebalance.sanguosha.scoring import SIDES
from gamebalance.sanguosha.what_if import changed_points
from tests.sanguosha.made_up_designs import made_up

CHANGES, GRID = list(grid.changes()), grid.settings()


def library(number: int, play: str, seating: int | None) -> Outcomes | None:
    """What the table says of a setting, or None if it says nothing."""
    row = made_up().iloc[number]
    if row[play] == "":
        return None
    found = outcomes_of(row, play)
    return mean_outcomes(FOUR, list(found.values())) if seating is None else found[SEATINGS[seating]]


def wins(outcomes: Outcomes) -> list[float]:
    return [outcomes.winning[SIDES[role]] for role in Role]


def sides(outcomes: Outcomes) -> list[float]:
    return list(outcomes.winning.values())


def gap(outcomes: Outcomes) -> float:
    return max(sides(outcomes)) - min(sides(outcomes))


def of_hundred(outcomes: Outcomes) -> list[str]:
    """Whole games of each side, together 100, as close to its wins as can be."""
    exact = [100 * share for share in sides(outcomes)]
    whole = [int(share + 1e-6) for share in exact]
    for _ in range(100 - sum(whole)):
        whole[max(range(3), key=lambda k: exact[k] - whole[k])] += 1
    return [str(games) if games or share == 0 else "fewer than 1" for games, share in zip(whole, exact, strict=True)]


def headline(found: Outcomes, before: Outcomes | None = None) -> str:
    lord, rebel, renegade = of_hundred(found)
    said = f"of 100 games the lord's side wins {lord}, the rebel {rebel} and the renegade {renegade}"
    if before is None:
        return f"By the report's rules, {said}."
    lord, rebel, renegade = of_hundred(before)
    return f"With these rules, {said}; by the report's rules {lord}, {rebel} and {renegade}."


def apart(outcomes: Outcomes) -> str:
    return f"{100 * gap(outcomes):.1f}"


def told(page, selector: str) -> str:
    """What a part of the page says, with plain spaces."""
    return page.inner_text(selector)


def name(change: grid.Change) -> str:
    """What a link calls it."""
    return re.sub("[^a-z0-9]+", "-", change.said.lower()).strip("-")


def link(setting) -> str:
    return "#" + "&".join(f"change={name(change)}" for change in setting)


class Recorder:
    """Stands for the library where the page's lines of Python are run: keeps what they ask for."""

    Role, AS_CODED = sanguosha.Role, sanguosha.AS_CODED

    @staticmethod
    def what_if(*, seating=None, points=None, policies=None, rules=sanguosha.AS_CODED, **news):
        return changed(rules, **news), seating, changed_points(points), policies


def run(lines: str) -> tuple[Rules, str | None, Scoring, dict | None]:
    *imports, call = lines.splitlines()
    known = {"from gamebalance import sanguosha": {"sanguosha": Recorder}}
    known["from dataclasses import replace"] = {"replace": replace}
    known["from gamebalance.sanguosha.policies import ThreatPolicy"] = {"ThreatPolicy": ThreatPolicy}
    return eval(call, {key: value for line in imports for key, value in known[line].items()})
