"""The page that weighs a set-up of Werewolf, in a browser: roles and rules beyond the study's, and written set-ups."""

import random
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamebalance.mafia import Rules, Setup, idle_roles, rules, setups
from gamebalance.mafia.exact import solve_exactly
from tests.pages.solver import people, plain, solved

pytestmark = pytest.mark.browser
PAGE = "werewolf"
#: Everybody at once would take a plain solver in fractions minutes; each of these meets the others somewhere.
LARGEST = {"mafiosi": 2, "detectives": 2, "doctors": 1, "hunters": 2, **dict.fromkeys(setups.SINGLE, 1)}


def random_case(chooser: random.Random) -> tuple:
    """Two to five people of any roles, and any rules."""
    while True:
        counts = {name: chooser.choice([0, 0, *range(most + 1)]) for name, most in LARGEST.items()}
        counts["dons"], counts["sheriffs"] = chooser.choice([(0, 0), (0, 1), (1, 1), (1, 1)])
        setup = Setup(innocents=chooser.randint(0, 3), **counts)
        if 2 <= setup.players <= 5 and setup.mafia:
            break
    apart = chooser.random() < 0.3
    chosen = Rules(
        half_rule=chooser.choice(list(rules.HALF_RULES)),
        votes=chooser.choice(list(rules.VOTES)),
        memory=chooser.random() < 0.5,
        potion=chooser.choice([Fraction(1, 2), Fraction(1, 4), Fraction(1), Fraction(0)]),
        ties=chooser.choice(list(rules.TIES)),
        odds=chooser.choice([Fraction(1), Fraction(3, 2), Fraction(1, 2)]),
        kills=chooser.choice([(1,), (1,), (2,), (1, 2), (3,)]),
        aim="apart" if apart else "together",
        agreement=Fraction(1) if apart else chooser.choice([Fraction(1), Fraction(3, 4)]),
        tells=chooser.choice(list(rules.TELLS)),
        dead_roles=chooser.choice(rules.DEAD_ROLES),
        bullets=chooser.randint(0, 2),
        shot=chooser.choice([Fraction(1, 2), Fraction(1, 4), Fraction(1)]),
    )
    return setup, chosen, chooser.choice(list(rules.PHASES))


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.thorough) for seed in (2, 3))])
def test_random_tables_have_the_chances_of_the_plain_solver(solver, seed):
    chooser = random.Random(seed)
    cases = [random_case(chooser) for _ in range(60)]
    for case, (chance, *_) in zip(cases, solved(solver, cases), strict=True):
        assert chance == pytest.approx(float(solve_exactly(*case)), abs=1e-12), case


SIX = Setup(1, 2, dons=1, sheriffs=1, doctors=1)
SEVEN = Setup(2, 2, sheriffs=1, vigilantes=1, bodyguards=1)


@pytest.mark.parametrize("ties", rules.TIES)
def test_ties_of_six(solver, ties):
    case = SIX, Rules("always", ties=ties), "morning"
    assert solved(solver, [case])[0][0] == pytest.approx(float(solve_exactly(*case)), abs=1e-12)


@pytest.mark.parametrize("dead_roles", ["shown", "hidden"])
@pytest.mark.parametrize("tells", ["at death", "at a find", "every morning"])
def test_a_sheriff_who_tells_among_six_and_seven(solver, tells, dead_roles):
    """Somebody who is aimed at and survives is not checked, which the bodyguard's fate tells: a trap for counting."""
    chosen = Rules(tells=tells, dead_roles=dead_roles, shot=Fraction(1, 3), odds=Fraction(2))
    cases = [(SIX, chosen, "evening"), (SEVEN, chosen, "evening")]
    for case, (chance, *_) in zip(cases, solved(solver, cases), strict=True):
        assert chance == pytest.approx(float(solve_exactly(*case)), abs=1e-12)


def test_rules_have_the_same_values_and_defaults(solver):
    choices = solver.evaluate("reading.CHOICES")
    expected = {"half_rule": rules.HALF_RULES, "votes": rules.VOTES, "ties": rules.TIES, "aim": rules.AIMS}
    expected |= {"tells": rules.TELLS, "dead_roles": rules.DEAD_ROLES, "memory": (False, True)}
    assert {name: set(values) for name, values in choices.items()} == {
        name: set(all_) for name, all_ in expected.items()
    }
    usual = solver.evaluate("reading.rules({})")
    plain = {name: getattr(Rules(), name) for name in usual}
    assert usual | {"kills": tuple(usual["kills"])} == plain


@given(st.dictionaries(st.sampled_from(list(setups.WRITTEN)), st.integers(0, 9), min_size=1), st.booleans())
def test_what_the_library_writes_the_page_reads(solver, counts, total):
    """Set-ups that the page can go through; it writes them alike."""
    counts = {name: min(count, 1) if name in setups.SINGLE else count for name, count in counts.items()}
    setup = Setup(**({"mafiosi": 1, "innocents": 1} | counts))
    if not 2 <= setup.players <= 24 or not setup.mafia:
        return
    text = setup.written if total else setup.written.partition(": ")[2]
    found, written = solver.evaluate("text => [reading.setup(text), reading.written(reading.setup(text))]", text)
    assert found == people(setup) and written == setup.written


WORDS = [(role, word) for role, words in setups.SYNONYMS.items() for word in words.split()]


@pytest.mark.parametrize(("role", "word"), WORDS)
def test_every_word_means_the_same(solver, role, word):
    text = f"2: {word.title()}, {'hunter' if role in ('mafiosi', 'dons') else 'mafioso'}"
    found = solver.evaluate("text => reading.setup(text)", text)
    assert found == people(Setup.read(text)) and found[role] == 1


REFUSED = "|10: 2 mafiosi, 7 citizens, hunter, doctor|8: queen|mafioso, 2 mafia|7: 2 dons|1 2 mafiosi|6 mafiosi;3"


@pytest.mark.parametrize("written", REFUSED.split("|"))
def test_what_the_library_refuses_the_page_refuses(solver, written):
    with pytest.raises(ValueError, match=r"setup|dons"):
        Setup.read(written)
    script = "text => { try { reading.setup(text); } catch (error) { return error.field; } return 'read'; }"
    assert solver.evaluate(script, written) == "setup"


TYPED = {"1,000": 1000, "１２": 12, " 1 234 ": 1234, "2，520": 2520}
TYPED |= dict.fromkeys(["12,5", "1.5", "1,00", "", "-3"])


def test_whole_numbers_as_people_type_them(solver):
    """With thousands apart and full-width digits; what is no whole number is refused by the name of its field."""
    script = """texts => texts.map((text) => {
        try {
            return reading.voting({ voting: "own", games: text, won: "0" }).games;
        } catch (error) {
            return error.message;
        }
    })"""
    for (text, number), found in zip(TYPED.items(), solver.evaluate(script, list(TYPED)), strict=True):
        assert found == number or (number is None and found.startswith("Games played: ")), text


def test_other_numbers_as_people_type_them(solver):
    script = "texts => texts.map((text) => reading.rules({ agreement: text }).agreement)"
    assert solver.evaluate(script, ["0,75", "0.75", "０．７５", ".75", "1"]) == [0.75] * 4 + [1]
    assert solver.evaluate("reading.rules({ kills: '１，2、2' }).kills") == [1, 2]
    assert solver.evaluate("reading.setup('１０：Don， 2 mafiosi， sheriff， 6 citizens').innocents") == 6


REASONS = {
    "silent": "tells nobody",
    "doubted": "nobody believes",
    "unloaded": "no bullet",
    "peaceful": "never shoots",
    "idle": "never uses a potion",
    "alike": "all alike",
    "alone": "no sheriff",
    "known": "first dawn",
    "harmless": "harmless",
}


def test_roles_that_can_do_nothing_are_those_of_the_library(solver):
    """All sets of special roles, under rules that make each of them idle; and each reason is said by the page."""
    given = [Rules(), Rules(tells="at a find"), Rules(tells="every morning"), Rules(bullets=0), Rules(shot=0)]
    given += [
        Rules(tells="at death", dead_roles="hidden", potion=0),
        Rules(kills=2),
        Rules(kills=2, aim="apart", bullets=0),
    ]
    roles = [name for name in setups.ROLES if name not in ("mafiosi", "innocents")]
    cases = [
        (Setup(2, 3, **dict.fromkeys(chosen, 1)), each)
        for size in range(len(roles) + 1)
        for chosen in combinations(roles, size)
        for each in given
    ]
    script = "cases => cases.map(([setup, rules]) => search.idle(setup, rules))"
    met = set()
    for case, found in zip(cases, solver.evaluate(script, [[people(s), plain(r)] for s, r in cases]), strict=True):
        reasons = list(idle_roles(*case).values())
        assert len(found) == len(reasons), case
        assert all(any(REASONS[why] in reason for reason in reasons) for why in found), (case, found)
        met |= set(found)
    assert met == set(REASONS)
    said = solver.evaluate(
        "rules => words.idleTexts({ ...reading.setup('8: 2 wolves, seer'), bodyguards: 0 }, rules)", plain(Rules())
    )
    assert said == ["The sheriff can do nothing under these rules: he tells nobody what he learns."]
