"""The chance to win: the study's recursion, the readable rules and the compiled solvers, which share no code."""

from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chapters import mafia_as_it_is_played as all_towns
from gamebalance import mafia
from gamebalance.mafia import win
from gamebalance.mafia.exact import solve_exactly
from gamebalance.mafia.kernels import layers, values
from gamebalance.mafia.kernels.compiled import Start
from gamebalance.mafia.people import Town
from gamebalance.mafia.rules import AIMS, DEAD_ROLES, HALF_RULES, PHASES, TELLS, TIES, VOTES, Rules
from gamebalance.mafia.setups import ROLES, SINGLE, Setup
from gamebalance.publish import heavy

#: Both ends of the half rule and of the calendar.
ALL_RULES = [Rules(half_rule, votes) for half_rule, votes in product(HALF_RULES, VOTES)]
SMALL = list(product(range(4), range(5), range(3)))


@cache
def evening(m, i, d):
    """The recursion of the study, as a reader would write it down."""
    if m == 0:
        return Fraction(1)
    if d == 0:
        return morning(m, i - 1, 0) if i else Fraction(0)
    total = Fraction(0)
    for victims, (i_left, d_left) in ((i, (i - 1, d)), (d, (i, d - 1))):
        if victims:
            caught = Fraction(m, m + i) * morning(m - 1, i_left, d_left)
            missed = Fraction(i, m + i) * morning(m, i_left, d_left)
            total += Fraction(victims, i + d) * (caught + missed)
    return total


@cache
def morning(m, i, d):
    if m == 0:
        return Fraction(1)
    if m >= i + d:
        return Fraction(0)
    total = m * evening(m - 1, i, d)
    total += i * evening(m, i - 1, d) if i else 0
    total += d * evening(m, i, d - 1) if d else 0
    return total / (m + i + d)


RECURSION = {"evening": evening, "morning": morning}


@pytest.mark.parametrize("phase", PHASES)
def test_the_default_is_the_recursion_of_the_study(phase):
    for m, i, d in product(range(6), range(9), range(5)):
        exact = mafia.win_probability(m, i, d, phase, exact=True)
        assert isinstance(exact, Fraction) and exact == RECURSION[phase](m, i, d)
        assert abs(mafia.win_probability(m, i, d, phase) - exact) < 1e-15


@pytest.mark.parametrize("rules", ALL_RULES, ids=str)
@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("seconds", [0, 1000], ids=["compiled", "interpreted"])
def test_layers_are_the_readable_rules(rules, phase, seconds, monkeypatch):
    monkeypatch.setattr(layers, "_start", Start(seconds))
    for m, i, d in SMALL:
        setup = Setup(m, i, d)
        assert abs(mafia.solve(setup, rules, phase) - solve_exactly(setup, rules, phase)) < 1e-15


BY_HAND = {
    # One night, one vote among three; else 1 against 1 and the night decides.
    "one vote": (Setup(1, 3), Rules(), "evening", Fraction(1, 3)),
    # The detectives choose between the mafioso and the innocent; if wrong, the morning is 1 against 1.
    "one interrogation": (Setup(1, 1, 1), Rules(), "evening", Fraction(1, 2)),
    "a dying detective acts": (Setup(1, 0, 1), Rules(), "evening", 1),
    "half ends the game at once": (Setup(1, 0, 1), Rules("always"), "evening", 0),
    "half in the morning": (Setup(1, 1), Rules(), "morning", 0),
    "half is played on": (Setup(1, 1), Rules("never"), "morning", Fraction(1, 2)),
    # The doctor guards one of the two living; then they vote.
    "a doctor": (Setup(1, 0, doctors=1), Rules("never"), "evening", Fraction(1, 4)),
    # Without votes, the doctor dies some night.
    "a doctor and no vote": (Setup(1, 0, doctors=1), Rules("never", "odd number"), "evening", 0),
    # Arrest 1/2; else all is lost unless the doctor guards the victim (1/3) and the vote spares the detective (2/3).
    "a doctor beside a detective": (Setup(1, 0, 1, 1), Rules(), "evening", Fraction(11, 18)),
    # She is the victim, so only the mafioso can be poisoned.
    "a witch who acts": (Setup(1, 0, witches=1), Rules(potion=1), "evening", 1),
    "a witch who never acts": (Setup(1, 0, witches=1), Rules("never", potion=0), "evening", 0),
    # Poison 1/2; else she saves herself with 1/2, and two vote.
    "a witch who tosses coins": (Setup(1, 0, witches=1), Rules("never"), "evening", Fraction(5, 8)),
    # If the doctor is the victim and not guarded, 1/2 * 2/3, she saves him and poisons the mafioso, whom alone she may;
    # else she poisons one of the two, guarded or not, and half of the living is left to the mafia if it is the doctor.
    "a witch beside a doctor": (Setup(1, 0, doctors=1, witches=1), Rules(potion=1), "evening", Fraction(2, 3)),
    "a hunter": (Setup(1, 0, hunters=1), Rules(), "evening", 1),
    # Mafioso out; innocent out and the hunter takes the mafioso along at night; hunter out, who takes one of two along.
    "a hunter by day": (Setup(1, 1, hunters=1), Rules(), "morning", Fraction(5, 6)),
    "a hunter at half": (Setup(1, 1, hunters=1), Rules("always"), "morning", Fraction(1, 2)),
    # By vote the hunter takes one along, and one is left; else he dies at night and takes the last one along.
    "a hunter among two mafiosi": (Setup(2, 0, hunters=1), Rules("never"), "morning", Fraction(2, 3)),
    # Guarded with 1/3, then the mafioso is voted out with 1/3; else two are left, and the mafia is half by dawn.
    "a doctor beside an innocent": (Setup(1, 1, doctors=1), Rules(), "evening", Fraction(1, 9)),
    # Memory cannot matter before the second night in which a cleared player may be asked again.
    "a memory of one night": (Setup(1, 2, 1), Rules(memory=True), "evening", Fraction(19, 27)),
    # Caught with 1/4; else by vote and in the second night, or not.
    "two nights": (Setup(1, 3, 1), Rules(), "evening", Fraction(37, 64)),
    # The cleared innocent is not the victim with 2/3; the last interrogation may then be certain.
    "the smallest use for memory": (Setup(1, 3, 1), Rules(memory=True), "evening", Fraction(5, 8)),
    "no mafioso": (Setup(0, 3), Rules("always"), "evening", 1),
    "nobody": (Setup(0, 0), Rules(), "morning", 1),
    "only the mafia": (Setup(2, 0), Rules("never"), "evening", 0),
    # 1/6 on day 1; no vote on day 2; 1/3 on day 3.
    "odd days": (Setup(1, 5), Rules(votes="odd days"), "morning", Fraction(4, 9)),
    # No vote among 6; 1/5 among 5; 1/3 among 3.
    "odd numbers": (Setup(1, 5), Rules(votes="odd number"), "morning", Fraction(7, 15)),
    "days are counted from the first": (Setup(1, 6), Rules(votes="odd days"), "evening", Fraction(4, 9)),
}


@pytest.mark.parametrize(("setup", "rules", "phase", "chance"), BY_HAND.values(), ids=BY_HAND)
def test_tiny_towns_by_hand(setup, rules, phase, chance):
    assert mafia.solve(setup, rules, phase, exact=True) == chance


def fixed_point(players, mafiosi, detectives, bits=160):
    """The recursion of the study in whole numbers of 2^-bits, each rounded down: error below 2 * players * 2^-bits."""
    one = 1 << bits
    empty = np.zeros((detectives + 1, mafiosi + 1), object)
    mornings, evenings = [empty, empty, empty], [empty, empty]
    for t in range(players + 1):
        dusk, dawn = empty.copy(), empty.copy()
        dusk[:, 0] = dawn[:, 0] = one
        for d in range(min(detectives, t) + 1):
            m = np.arange(1, min(mafiosi, (t - 1) // 2 if t > 2 else t - 1, t - d) + 1).astype(object)
            if len(m):
                i, end = t - m - d, len(m) + 1
                if d == 0:
                    dusk[0, 1:end] = mornings[-1][0, 1:end]
                else:
                    rows = [m * mornings[-2][k, : end - 1] + i * mornings[-1][k, 1:end] for k in (d, d - 1)]
                    dusk[d, 1:end] = (i * rows[0] + d * rows[1]) // ((t - m) * (t - d))
            m = np.arange(1, min(mafiosi, (t - 1) // 2, t - d) + 1).astype(object)
            if len(m):
                i, end = t - m - d, len(m) + 1
                left = m * evenings[-1][d, : end - 1] + i * evenings[-1][d, 1:end]
                dawn[d, 1:end] = (left + (d * evenings[-1][d - 1, 1:end] if d else 0)) // t
        mornings, evenings = [*mornings[1:], dawn], [*evenings[1:], dusk]
    return evenings[-1], one


@pytest.mark.parametrize(
    ("players", "mafiosi", "detectives"),
    [(300, 149, 4), (3000, 40, 2), pytest.param(10_000, 60, 2, marks=pytest.mark.thorough)],
)
def test_floats_are_within_1e_14(players, mafiosi, detectives):
    exact, one = fixed_point(players, mafiosi, detectives)
    table = layers.last_layer(players, mafiosi, detectives, mafia.AS_CODED, "evening")
    for d, m in product(range(detectives + 1), range(mafiosi + 1)):
        assert abs(int(table[d, m] * one) - exact[d, m]) < one // 10**14
    m, d = mafiosi, detectives
    assert mafia.win_probability(m, players - m - d, d) == table[d, m]


@pytest.mark.parametrize("rules", ALL_RULES, ids=str)
def test_interpreted_layers_are_the_compiled_ones_to_the_last_bit(rules, monkeypatch):
    found = []
    for seconds in (0, 1000):
        monkeypatch.setattr(layers, "_start", Start(seconds))
        found.append(mafia.balance_table(17, (0, 3), rules=rules))
        found.append(mafia.win_table(17, 2, rules=rules, phase="morning"))
    assert found[0].equals(found[2]) and found[1].equals(found[3])


def test_the_first_work_is_interpreted_and_the_rest_compiled(monkeypatch):
    """It depends on what is asked, in which order, and on nothing else; so what is large is never interpreted."""
    asked = []
    monkeypatch.setattr(values, "measures", lambda *game: asked.append(game[-1]) or np.zeros((2, 1)))
    ten, large = Setup(2, 8, doctors=1), Setup(4, 20, 2, 2, 1, 3, 1)
    for games in ([ten] * 3 + [large, ten], [large, ten]):
        monkeypatch.setattr(win, "_start", Start(3.0))
        for setup in games:
            mafia.solve(setup)
    assert asked == [True, True, True, False, False, False, False]


def test_lengths_of_a_game_without_detectives():
    """Two go each round: the mafia wins when all rounds are over, which is when 2 or 3 would be left."""
    lengths = mafia.length_distribution(Setup(1, 4))
    assert lengths.loc[1].tolist() == [0.25, 0.0] and lengths.loc[2].tolist() == [0.0, 0.75]
    assert len(lengths) == 3
    begun = mafia.length_distribution(Setup(1, 3), phase="morning")
    assert begun.loc[0].tolist() == [0.25, 0.0] and begun.loc[1].tolist() == [0.0, 0.75]
    assert mafia.length_distribution(Setup(0, 3)).to_numpy().tolist() == [[1.0, 0.0]]


def test_a_game_that_can_last_for_ever_is_followed_to_its_end():
    setup, rules = Setup(1, 0, doctors=1), Rules("never", "odd number")
    lengths = mafia.length_distribution(setup, rules)
    # Guarded with 1/2, no vote among two, again: the mafia wins in night k with probability 2^-k.
    assert lengths["mafia"].iloc[1:6].tolist() == [2.0**-k for k in range(1, 6)]
    assert mafia.solve(setup, rules) == 0 and abs(lengths.to_numpy().sum() - 1) < 1e-14


# ---- The compiled solver against the readable rules, for all roles and rules that tables use.

CHOICES = {
    "half_rule": list(HALF_RULES),
    "votes": list(VOTES),
    "memory": [False, True],
    "potion": [Fraction(0), Fraction(1, 3), Fraction(1)],
    "ties": list(TIES),
    "odds": [Fraction(1), Fraction(3), Fraction(1, 2)],
    "kills": [1, 2, (1, 2), (2, 1, 3)],
    "aim": list(AIMS),
    "agreement": [Fraction(1), Fraction(2, 3)],
    "tells": list(TELLS),
    "dead_roles": list(DEAD_ROLES),
    "bullets": [0, 1, 2],
    "shot": [Fraction(1, 3), Fraction(1)],
}


def made(chosen):
    """The rules of a choice; who aims apart need not agree."""
    return Rules(**chosen | ({"agreement": Fraction(1)} if chosen["aim"] == "apart" else {}))


def agree(setup, rules, phase):
    """The interpreted and the compiled kernels to the last bit, and both with the readable rules."""
    exact, town = solve_exactly(setup, rules, phase), [Town.of(setup, rules)]
    interpreted, compiled = (values.win_chances(town, setup, rules, phase, plain)[0] for plain in (True, False))
    assert interpreted == compiled and abs(compiled - exact) < 1e-12
    assert np.array_equal(*(values.lengths(setup, rules, phase, plain) for plain in (True, False)))
    lengths = mafia.length_distribution(setup, rules, phase)
    assert abs(lengths.to_numpy().sum() - 1) < 1e-12 and abs(lengths["innocents"].sum() - exact) < 1e-12


@pytest.mark.parametrize("tells", TELLS)
@pytest.mark.parametrize("ties", TIES)
def test_the_don_still_looks_for_a_sheriff_whom_detectives_have_cleared(tells, ties):
    """Once the compiled solver took him for dead: 0.9225 instead of 0.9264 where the sheriff tells at his death."""
    rules = Rules("never", memory=True, tells=tells, ties=ties)
    agree(Setup(0, 2, detectives=1, dons=1, sheriffs=1), rules, "evening")


@given(
    people=st.lists(st.sampled_from([*ROLES, "innocents"]), min_size=1, max_size=4),
    chosen=st.fixed_dictionaries({name: st.sampled_from(values) for name, values in CHOICES.items()}),
    phase=st.sampled_from(list(PHASES)),
)
@settings(max_examples=80)
def test_any_town_under_any_rules(people, chosen, phase):
    """A mafioso and up to four others, of any role; of the roles of which there is one, one."""
    counts = {name: min(people.count(name), 1 if name in SINGLE else 4) for name in ROLES}
    agree(Setup(**counts | {"mafiosi": counts["mafiosi"] + 1}), made(chosen), phase)


@pytest.mark.parametrize("case", all_towns.CASES)
def test_rows_of_the_long_run(case):
    stored = heavy.results("mafia-all-towns").set_index(["rules", "players"])
    assert len(stored) == 7 * len(all_towns.CASES)
    assert stored["apart"].max() < 1e-14 and (stored["set_ups"] > 1).all()
    for players in (2, 4):
        again = all_towns.all_towns_row(players, case)
        told = stored.loc[case, players]
        assert (again["set_ups"], again["chances"]) == (told["set_ups"], told["chances"]) and again["apart"] < 1e-14


LARGER = {
    "7: don, mafioso, sheriff, 4 citizens": Rules("always", tells="at a find"),
    "7: 2 mafiosi, sheriff, doctor, 3 citizens": Rules("always", tells="at death", ties="nobody"),
    "8: don, mafioso, sheriff, 5 citizens": Rules(
        "always", tells="at death", kills=(1, 2), ties="again, then all", odds=2
    ),
    "8: 2 mafiosi, cop, vigilante, 4 citizens": Rules("always", tells="every morning", dead_roles="hidden", shot=1),
    "8: don, mafioso, bodyguard, doctor, 4 citizens": Rules(agreement=Fraction(1, 2)),
}


@pytest.mark.parametrize(("written", "rules"), LARGER.items(), ids=LARGER)
def test_towns_of_seven_and_eight(written, rules):
    setup = Setup.read(written)
    for phase in PHASES:
        agree(setup, rules, phase)
