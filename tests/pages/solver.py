"""What the tests of the page ask its solver, and what its rules are called there."""

from dataclasses import asdict, fields
from fractions import Fraction

from gamebalance.mafia import Rules, Setup

SOLVE = """cases => cases.map(([setup, rules, phase, shares]) => {
    const game = mafia.game(rules, [setup]);
    const work = game.solve(setup, phase, true);
    let step = work.next();
    while (!step.done) step = work.next();
    return [step.value.chance, step.value.nights, game.nightsUntil(setup, phase, shares)];
})"""
#: The rest of a generator of the page's, in one go.
FINISH = "const finish = (work) => { for (;;) { const step = work.next(); if (step.done) return step.value; } };"


def plain(rules: Rules) -> dict:
    """The rules as the page has them: those that `Rules` does not know are the usual ones."""
    usual = {"ties": "lot", "odds": 1, "kills": [1], "aim": "together", "agreement": 1, "tells": "never"}
    usual |= {"dead_roles": "shown", "bullets": 1, "shot": 0.5}
    given = {field.name: getattr(rules, field.name) for field in fields(rules)}
    return usual | {name: float(value) if isinstance(value, Fraction) else value for name, value in given.items()}


def people(setup: Setup) -> dict:
    return {"dons": 0, "sheriffs": 0, "vigilantes": 0, "bodyguards": 0} | asdict(setup)


def solved(page, cases, shares=(0.1, 0.5, 0.9)) -> list:
    """Chance of the town, mean number of nights and numbers of nights by which these shares of games are over."""
    told = [[people(setup), plain(rules), phase, list(shares)] for setup, rules, phase in cases]
    return page.evaluate(SOLVE, told)
