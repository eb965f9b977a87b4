"""Roles that can do nothing: named just where no chance changes without them, and in one warning for each question."""

import warnings
from dataclasses import replace
from itertools import combinations, product

import pytest

from gamebalance import mafia
from gamebalance.mafia import Rules, Setup, idle_roles, win
from gamebalance.mafia.design import cheapest_repair, fair_setups
from gamebalance.mafia.setups import ROLES

SPECIAL = [name for name in ROLES if name not in ("mafiosi", "innocents")]
RULES = [
    Rules("never"),
    Rules("never", tells="at death"),
    Rules("never", tells="at death", dead_roles="hidden"),
    Rules("never", tells="at a find"),
    Rules("never", tells="every morning", dead_roles="hidden"),
    Rules("never", kills=2, aim="apart", bullets=0),
    Rules("never", kills=(1, 2), shot=0, potion=0),
    Rules("never", ties="again, then all", odds=2, agreement=0.7, potion=0),
]
SILENT = "8: 2 werewolves, seer, 5 villagers"


def test_a_role_is_named_where_it_changes_nothing():
    """Up to two roles, and a third beside don and sheriff; one that is not named changes a chance under these rules."""
    unmoved, moved = set(), set()
    every = [roles for many in (1, 2, 3) for roles in combinations(SPECIAL, many)]
    cases = [roles for roles in every if len(roles) < 3 or {"dons", "sheriffs"} <= {*roles}]
    for roles, (place, rules), people in product(cases, enumerate(RULES), ((1, 5), (2, 3))):
        setup = Setup(*people, **dict.fromkeys(roles, 1))
        idle, chance = idle_roles(setup, rules), win.solve(setup, rules)
        for name in roles:
            plain = "mafiosi" if name == "dons" else "innocents"
            other = replace(setup, **{name: 0, plain: getattr(setup, plain) + 1})
            same = abs(win.solve(other, rules) - chance) < 1e-12
            assert same or ROLES[name] not in idle, (setup, rules, name)
            if ROLES[name] not in idle:
                (unmoved if same else moved).add((roles, name, place))
    assert len(moved) > 400 and unmoved <= moved


@pytest.mark.parametrize(
    "ask",
    [
        lambda: mafia.solve(Setup.read(SILENT)),
        lambda: mafia.solve(Setup.read(SILENT), exact=True),
        lambda: mafia.what_if(SILENT),
        lambda: mafia.what_if("8: 2 mafiosi", sheriffs=1),
        lambda: mafia.endings(Setup.read(SILENT)),
        lambda: mafia.simulate(Setup.read(SILENT), 100, 1),
        lambda: mafia.length_distribution(Setup.read(SILENT)),
        lambda: mafia.closest(8, sheriffs=(0, 1), lengths=False),
        lambda: fair_setups(9, {"sheriffs": 1}),
        lambda: cheapest_repair(Setup(2, 6), shelf={"sheriffs": 1}, steps=1),
        lambda: cheapest_repair(Setup.read(SILENT), steps=1),
    ],
)
def test_one_warning_for_each_question(ask):
    with pytest.warns(UserWarning, match="^the sheriff .* can do nothing under these rules: he tells nobody") as said:
        ask()
    assert len(said) == 1 and said[0].filename == __file__ and "\n" not in str(said[0].message)


def test_no_warning_where_the_role_counts_and_none_from_within():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert mafia.what_if(SILENT, tells="at a find").tally("side").means[1] > 8 / 35
        fair_setups(9, {"sheriffs": 1}, rules=Rules(tells="at death"))
        win.chances_of([Setup.read(SILENT)], Setup.read(SILENT), Rules(), "evening")
