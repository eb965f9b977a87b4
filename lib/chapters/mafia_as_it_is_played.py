"""Mafia as tables play it: what each role and rule is worth to the town, which set-ups are fair; all small towns."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pandas as pd

from chapters.pages import document
from chapters.ten_at_the_table_counts import by_side
from gamebalance.mafia import Rules, Setup, closest, simulate, solve
from gamebalance.mafia.design import Table
from gamebalance.mafia.exact import solve_exactly
from gamebalance.mafia.rules import PHASES
from gamebalance.mafia.setups import SYNONYMS, WRITTEN
from gamebalance.mafia.win import chances_of

#: The rules from which changes depart: half of the living is enough for the mafia, and the sheriff tells at a find.
USUAL = Rules("always", tells="at a find")
#: What a citizen of a town of mafiosi and citizens can be instead: field of `Setup`, and the rule that makes the role.
CARDS = {
    "sheriff, tells at his death": ("sheriffs", {"tells": "at death"}),
    "sheriff, tells at a find": ("sheriffs", {"tells": "at a find"}),
    "sheriff, tells every morning": ("sheriffs", {"tells": "every morning"}),
    "detective": ("detectives", {}),
    "detective with memory": ("detectives", {"memory": True}),
    "doctor": ("doctors", {}),
    "bodyguard": ("bodyguards", {}),
    "vigilante, one bullet": ("vigilantes", {"bullets": 1, "shot": 1}),
    "vigilante, a bullet each night": ("vigilantes", {"bullets": 9, "shot": 1}),
    "witch": ("witches", {}),
    "hunter": ("hunters", {}),
}
#: And beside a sheriff who tells at a find: a mafioso who is a don.
DON = "don beside a sheriff"
#: Roles that a fair set-up may have, at most one of each.
ALLOWED = {"dons": (0, 1), "sheriffs": (0, 1), "doctors": (0, 1), "vigilantes": (0, 1)}
#: The two tables whose games were recorded.
TABLES = {
    "sport": Table(Setup.read("10: don, 2 mafiosi, sheriff, 6 citizens"), USUAL, "morning"),
    "forum": Table(
        Setup.read("15: 3 mafiosi, cop, medic, vigilante, 9 citizens"), replace(USUAL, kills=(1, 1, 2)), "evening"
    ),
}
#: One rule changed each.
CHANGES = {
    "as played": {},
    "the sheriff tells nobody": {"tells": "never"},
    "he tells at his death only": {"tells": "at death"},
    "he tells every morning": {"tells": "every morning"},
    "he tells at a find, roles of the dead are hidden": {"dead_roles": "hidden"},
    "after a tie nobody leaves": {"ties": "nobody"},
    "after a tie all leave": {"ties": "all"},
    "after two ties all leave": {"ties": "again, then all"},
    "one shot a night": {"kills": 1},
    "two shots a night": {"kills": 2},
    "two shots, aimed apart": {"kills": 2, "aim": "apart"},
    "in one night of ten the mafia does not agree": {"agreement": 0.9},
    "half of the living is not enough for the mafia": {"half_rule": "never"},
}
OTHER_PHASE = "night first, where it was day; day first, where it was night"

#: Rules under which all small towns are solved twice: of each field that played tables need every choice, mixed.
CASES = {
    "tells at a find": Rules("always", tells="at a find", ties="again, then all", odds=Fraction(5, 2)),
    "tells at his death": Rules("always", tells="at death", kills=(1, 1, 2), ties="nobody"),
    "tells every morning": Rules("always", tells="every morning", dead_roles="hidden", bullets=2, shot=1),
    "tells nobody": Rules("morning", ties="all", agreement=Fraction(2, 3), odds=Fraction(1, 2), votes="odd days"),
    "two shots, aimed apart": Rules("never", kills=2, aim="apart", tells="at a find", dead_roles="hidden", bullets=0),
    "two shots, aimed together": Rules("always", kills=(1, 2), ties="again, then nobody", tells="at a find"),
}
#: Roles of which such a town has one or none.
SINGLE = ("dons", "sheriffs", "vigilantes", "bodyguards", "doctors")
#: Towns of up to so many people have any of these roles, larger ones at most three; fewer where nights are longest.
ALL_ROLES_TO, FEW_ROLES = 7, 3
FEWER = {"tells at his death": 6, "two shots, aimed together": 6}


def changed_rules():
    """The town's chances at both tables; when one rule is changed, the differences from them."""
    rows = {
        change: [solve(setup, replace(rules, **fields), phase) for setup, rules, phase in TABLES.values()]
        for change, fields in CHANGES.items()
    }
    others = {"morning": "evening", "evening": "morning"}
    rows[OTHER_PHASE] = [solve(setup, rules, others[phase]) for setup, rules, phase in TABLES.values()]
    frame = pd.DataFrame.from_dict(rows, orient="index", columns=list(TABLES))
    frame.iloc[1:] -= frame.iloc[0]
    return frame


def worth_of_cards(most):
    """What a citizen's role is worth to the town, by players (columns), beside as many mafiosi as are most even."""
    columns = {}
    for players in range(6, most + 1):
        mafiosi = int(
            closest(players, (1, players // 2), 0, sheriffs=1, rules=USUAL, top=1, lengths=False)["mafiosi"][0]
        )
        plain = Setup(mafiosi, players - mafiosi)
        chance = solve(plain, USUAL)
        column = {"mafiosi": mafiosi, "the town wins": chance}
        for card, (field, rules) in CARDS.items():
            setup = replace(plain, innocents=plain.innocents - 1, **{field: 1})
            column[card] = solve(setup, replace(USUAL, **rules)) - chance
        searched = replace(plain, innocents=plain.innocents - 1, sheriffs=1)
        column[DON] = solve(replace(searched, mafiosi=mafiosi - 1, dons=1), USUAL) - solve(searched, USUAL)
        columns[players] = column
    return pd.DataFrame(columns).rename_axis(columns="players")


def fairest(most, odds=1):
    """The fairest set-up with at most one of each role of `ALLOWED`, by players, and with one citizen more."""
    rules, rows = replace(USUAL, odds=odds), {}
    for players in range(6, most + 1):
        near = closest(players, (1, players // 2), 0, **ALLOWED, rules=rules, top=5, lengths=False)
        best = near[near["dons"] <= near["sheriffs"]].iloc[0]  # a don without a sheriff is any mafioso
        setup = Setup(**{name: int(best[name]) for name in vars(Setup(0, 0)) if name in best.index})
        row = {"set-up": setup.written.split(": ")[1], "chance": best["win_probability"]}
        rows[players] = row | {"one_more": best["one_more"]}
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("players")


def by_odds(table, odds):
    """The chance of the town at a table, for each of these odds of votes."""
    return [solve(table.setup, replace(table.rules, odds=each), table.phase) for each in odds]


def against_simulation(games, seed, workers=1):
    """Exact and simulated chances of the town at both tables, as played and under other rules."""
    rows = []
    for (name, (setup, usual, phase)), (change, fields) in product(TABLES.items(), CHANGES.items()):
        rules = replace(usual, **fields)
        sample = simulate(setup, games, seed + len(rows), rules, phase, workers)
        exact = solve(setup, rules, phase)
        apart = (sample.win_probability - exact) / sample.win_error
        rows.append((name, change, 100 * exact, 100 * sample.win_probability, 100 * sample.win_error, apart))
    return pd.DataFrame(rows, columns=["table", "rules", "exact, %", "simulated, %", "error", "errors apart"])


def towns(players, most_roles=5):
    """All set-ups of so many people with mafiosi and others: up to so many single roles, any number of mafiosi."""
    for roles in product((0, 1), repeat=len(SINGLE)):
        left = players - sum(roles)
        for mafiosi in range(left + 1 if sum(roles) <= most_roles else 0):
            setup = Setup(mafiosi, left - mafiosi, **dict(zip(SINGLE, roles, strict=True)))
            if setup.mafia and setup.town:
                yield setup


def all_towns_row(players, rules):
    """All towns of so many under one of the `CASES`, in fractions and compiled: the largest difference is `apart`."""
    roles = len(SINGLE) if players <= FEWER.get(rules, ALL_ROLES_TO) else FEW_ROLES
    setups, fractions, apart = list(towns(players, roles)), set(), 0.0
    bounds = Setup(players, players, **dict.fromkeys(SINGLE, 1))
    for phase in PHASES:
        for setup, chance in zip(setups, chances_of(setups, bounds, CASES[rules], phase), strict=True):
            fraction = solve_exactly(setup, CASES[rules], phase)
            fractions.add(fraction)
            apart = max(apart, abs(float(Fraction(float(chance)) - fraction)))
    numbers = {"roles": roles, "set_ups": len(setups), "chances": len(fractions), "apart": apart}
    return {"players": players, "rules": rules} | numbers


#: The odds of a vote at recorded tables, from the lowest to the highest that Table ``real-odds`` has for the rules that
#: it assumes in turn, rounded away from each other; and the one that it has if all who are tied leave, which is apart.
RECORDED_ODDS, TIED_ODDS = (1.4, 3.0), 1.1
#: The recorded tables as links to the offline page have them.
CLUB_RULES = "half_rule=always&ties=again, then nobody&tells=every morning&dead_roles=hidden&phase=morning"
FORUM_RULES = "half_rule=always&kills=1,1,2"
COUNTED = {name: f"{{count}} {several}" for name, (_, several) in WRITTEN.items()}
MAY = "may=dons,sheriffs,doctors,vigilantes,hunters"


def page(seasons, agreement, outcomes):
    """The offline page that weighs a table; a club's mafia agrees on a victim so often."""
    rules = {"sport": f"{CLUB_RULES}&agreement={agreement:.4f}", "forum": FORUM_RULES}
    records = [_record(name, rules[name], games) for name, games in (("sport", seasons), ("forum", outcomes))]
    words = {"written": WRITTEN, "counted": COUNTED, "synonyms": SYNONYMS}
    return document("werewolf", {"odds": RECORDED_ODDS, "tied": TIED_ODDS, "records": records, **words})


def texts():
    """What of the page's data is to be translated."""
    return [*(one for one, _ in WRITTEN.values()), *COUNTED.values(), *SYNONYMS.values()]


def _record(name, rules, games):
    """What the page knows of recorded games: the set-up, a link to the page with its rules, and who won."""
    sides, written = by_side(games), TABLES[name].setup.written
    link = f"#setup={written}&{rules}&{MAY}"
    return {"who": name, "setup": written, "link": link, "won": sides["town"], "games": sum(sides.values())}
