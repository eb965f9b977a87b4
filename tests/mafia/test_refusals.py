"""What is no such argument, or takes too much time or memory, is refused in one line; what takes long is announced."""

from gamebalance import mafia
from gamebalance.base import announce
from gamebalance.mafia import Rules, Setup, cheapest_repair, endings, fair_setups, simulate, what_if, win
from gamebalance.mafia.balance import fairest_mafiosi
from gamebalance.mafia.design import SHELF
from gamebalance.mafia.kernels import values
from gamebalance.mafia.kernels.slots import entries_of
from gamebalance.mafia.kernels.towns import cast, number_of
from gamebalance.mafia.people import Town
from tests.refusals import refuses

DAYS, GIB = ".* 2.0 days are allowed", ".* 2 GiB are allowed"
TELLING = Rules(memory=True, tells="every morning")
MANY = Setup(3, 8, 1, 2, hunters=2, dons=1, sheriffs=1)
FOURS = Setup(4, 4, 1, 4, hunters=4, sheriffs=1)
TABLE = Setup(2, 5)

test_what_takes_too_much_is_refused = refuses(
    (lambda: mafia.win_probability(1, 1500, exact=True), "players = 1501: at most 1000 are"),
    (lambda: mafia.win_probability(1, 20, doctors=1, exact=True), "players = 22: at most 20 w"),
    (lambda: mafia.win_probability(300, 600, 300, memory=True), f"300 mafiosi, .* with memory{GIB}"),
    (lambda: mafia.solve(Setup(4, 10, 2, 2, 1, 2, 1, 1, 1, 1), TELLING), "a town takes 74 bits, 62 are allowed"),
    (lambda: mafia.solve(MANY, TELLING), f"2 hunters, 1 don, 1 sheriff, with memory{GIB}"),
    (lambda: mafia.closest(2000), "4,002,000 combinations for 2000 players, 100,000 are allowed"),
    (lambda: mafia.win_table(60_000), f"max_players = 60000: 13.4 GiB{GIB}"),
    (lambda: mafia.win_probability(500, 499, 1, exact=True), f"exact = True, 500 maf{GIB}"),
    (lambda: mafia.solve(FOURS, TELLING, exact=True), f"exact = True, 4 mafiosi{GIB}"),
    (lambda: mafia.win_table(1000, exact=True), f"exact = True, max_players = 1000{DAYS}"),
    (lambda: mafia.win_table(1001, exact=True), "exact = True, max_players = 1001: at most 1000"),
    (lambda: mafia.balance_table(100_000, (0, None)), f"100000 detectives{GIB}"),
    (lambda: simulate(Setup(316, 99_684), 10**8, 1), f"games = 100000000, 100000 players{DAYS}"),
    (lambda: mafia.closest(800, detectives=(0, 5), top=10**9), f"top = 1000000000{DAYS}"),
    (lambda: fairest_mafiosi(100_000, 1), f"players = 100000{DAYS}"),
    (lambda: mafia.solve(Setup(5, 40), Rules(ties="all")), "ties = 'all', 45 players: at most 40 are allowed"),
    (lambda: endings(Setup(5, 24, 0, 1)), "players = 30: at most 20 with other roles or memory are solved as"),
)

test_what_is_no_such_argument_is_refused = refuses(
    (lambda: mafia.length_distribution(TABLE, phase=""), "phase = '': one of 'evening'"),
    (lambda: mafia.length_distribution(TABLE, None), "rules = None: a Rules object"),
    (lambda: mafia.win_table(1), "max_players = 1: .* from 2 to 100000"),
    (lambda: mafia.balance_table(3, min_players=5), "min_players = 5: .* from 2 to 3"),
    (lambda: mafia.win_table(10, 11), "detectives = 11: .* from 0 to 10"),
    (lambda: mafia.balance_table(10, (3, 1)), r"detectives = \(3, 1\): .* empty"),
    (lambda: mafia.balance_table(10, (1, 2, 3)), r"detectives = \(1, 2, 3\): .* smallest"),
    (lambda: mafia.balance_table(4, (5, None)), r"detectives = \(5, None\): .* max_players = 4"),
    (lambda: mafia.win_table(10, 1, rules=Rules(memory=True)), "rules.memory = True: .* without memory"),
    (lambda: mafia.closest(5, mafiosi=4, doctors=2), "mafiosi = 4.* players = 5"),
    (lambda: mafia.closest(5, top=0), "top = 0: .* 1 or more"),
    (lambda: mafia.closest(5, witches=2), "witches = 2: .* from 0 to 1"),
    (lambda: mafia.closest(5, jesters=1), "role = 'jesters': one of 'mafiosi', 'detectives'"),
    (lambda: mafia.closest(7, lengths=2), "lengths = 2"),
    (lambda: fair_setups(2), "players = 2: a whole number from 3 to 100000 is needed"),
    (lambda: fair_setups(7, {"seers": 1}), "shelf = 'seers': one of 'detectives', 'doctors'"),
    (lambda: fair_setups(7, {"witches": 2}), "witches = 2: a whole number from 0 to 1 is needed"),
    (lambda: fair_setups(7, ["doctors"]), r"shelf = \['doctors'\]: a mapping is needed"),
    (lambda: fair_setups(99, dict.fromkeys(SHELF, 1) | {"doctors": 99, "hunters": 99}), "combinations for 99 players"),
    (lambda: fair_setups(7, target="even"), "target = 'even': a number between 0 and 1, or 'shares', is needed"),
    (lambda: fair_setups(7, target=1), "target = 1: a number between 0 and 1 is needed"),
    (lambda: fair_setups(7, within=-0.1), "within = -0.1: a number from 0 to 1 is needed"),
    (lambda: cheapest_repair("7: 2 mafiosi"), "setup = '7: 2 mafiosi': a Setup is needed"),
    (lambda: cheapest_repair(Setup(0, 4)), "setup = 4 innocents: a mafioso or don is needed"),
    (lambda: cheapest_repair(Setup(1, 4), steps=6), "steps = 6: a whole number from 0 to 5 is needed"),
    (lambda: what_if(TABLE, detctives=1), "detctives = 1: one of mafiosi, innocents, "),
    (lambda: what_if(TABLE, detectives=9), "5 innocents do not make room for {'detectives': 9}"),
    (lambda: what_if(TABLE, "as coded"), "rules = 'as coded': a Rules object is needed"),
    (lambda: what_if("7 mice"), "setup = '7 mice': '7 mice' is no number and role"),
    (lambda: simulate(Setup(1, 100_000), 1, 1), "players = 100001: a whole number from 0 to"),
    (lambda: simulate(TABLE, 0, 1), "games = 0: a whole number from 1 to 10000000000"),
    (lambda: simulate(TABLE, 1, 2**63), "seed = 9223372036854775808"),
)


def test_the_towns_that_come_about_are_foretold_within_a_factor_of_five():
    """Counted in the solver, for tables with and without what a sheriff tells."""
    for written, rules in (
        ("10: don, 2 mafiosi, sheriff, 6 citizens", Rules("always")),
        ("10: don, 2 mafiosi, sheriff, 6 citizens", Rules("always", tells="at a find")),
        ("15: 3 mafiosi, cop, medic, vigilante, 9 citizens", Rules("always", tells="at death")),
        ("12: 2 mafiosi, 2 detectives, doctor, witch, 2 hunters, 4 citizens", Rules(memory=True)),
    ):
        setup = Setup.read(written)
        people = cast(setup, rules)
        start = [number_of(Town.of(setup, rules), people)]
        counted = entries_of(values.solve(start, people, rules, setup.players).book)
        assert counted / 5 < win.towns(setup, rules) == win.towns(setup, rules, setup.players) < 5 * counted
        assert 0 < win.towns(setup, rules, 3) < win.towns(setup, rules)


def test_a_long_solution_is_announced(monkeypatch):
    told = []
    monkeypatch.setattr(announce, "_listeners", [told.append])
    monkeypatch.setattr(announce, "_said", set())
    monkeypatch.setattr(win, "TOWN", 1.0)
    mafia.solve(Setup(2, 5, doctors=1))
    assert [line for line in told if "takes about" in line] == [
        "up to 2 mafiosi, 5 innocents, 1 doctor: this takes about 36 seconds on one core"
    ]
