"""Who sits in town, and the rules that one can choose: what is allowed, what is refused, and in which words."""

from dataclasses import asdict
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamebalance.mafia.rules import (
    AIMS,
    AS_CODED,
    AS_WRITTEN,
    DEAD_ROLES,
    HALF_RULES,
    PHASES,
    TELLS,
    TIES,
    VOTES,
    Rules,
    check_game,
    check_rules,
)
from gamebalance.mafia.setups import ROLES, SINGLE, Setup
from tests.refusals import refuses

KILLS = "a number, or one to nine numbers by living mafiosi, are needed"


def test_the_choices_and_the_published_rules():
    assert list(HALF_RULES) == ["morning", "always", "never"] and list(VOTES) == ["every day", "odd number", "odd days"]
    assert list(TIES) == ["lot", "nobody", "all", "again, then nobody", "again, then all"]
    assert list(TELLS) == ["never", "at death", "at a find", "every morning"]
    assert list(AIMS) == ["together", "apart"] and DEAD_ROLES == ("shown", "hidden")
    assert list(PHASES) == ["evening", "morning"]
    published = {"half_rule": "morning", "votes": "every day", "memory": False, "potion": Fraction(1, 2)}
    as_always = {"ties": "lot", "odds": 1, "kills": (1,), "aim": "together", "agreement": 1, "tells": "never"}
    as_always |= {"dead_roles": "shown", "bullets": 1, "shot": Fraction(1, 2)}
    assert asdict(AS_CODED) == published | as_always
    assert asdict(AS_WRITTEN) == asdict(AS_CODED) | {"half_rule": "always"}


test_what_is_refused = refuses(
    (lambda: Setup(-1, 3), "^mafiosi = -1: a whole number from 0 to 100000 is needed$"),
    (lambda: Setup(1, 1, witches=2), "^witches = 2: a whole number from 0 to 1 is needed$"),
    (lambda: Setup.of_players(0), "^players = 0: a whole number from 1 to 100000 is needed$"),
    (lambda: Setup.of_players(3, 1, doctors=-1), "^doctors = -1: a whole number, 0 or more, is needed$"),
    (lambda: Setup.of_players(3, 0, 4), "^detectives = 4: together 4, at most players = 3 is allowed$"),
    (lambda: Rules("dawn"), "^half_rule = 'dawn': one of 'morning', 'always', 'never' is needed$"),
    (lambda: Rules(votes="never"), "^votes = 'never': one of 'every day', 'odd number', 'odd days' is needed$"),
    (lambda: Rules(memory=1), "^memory = 1: True or False is needed$"),
    (lambda: Rules(potion=-0.1), "^potion = -0.1: a number from 0 to 1 is needed$"),
    (lambda: Rules(shot=2), "^shot = 2: a number from 0 to 1 is needed$"),
    (lambda: Rules(agreement=2), "^agreement = 2: a number from 0 to 1 is needed$"),
    (lambda: Rules(agreement=0), "^agreement = 0.0: 0.000001 or more is needed$"),
    (lambda: Rules(odds=1_000_001), "^odds = 1000001: a number from 0 to 1000000 is needed$"),
    (lambda: Rules(odds=Fraction(1, 1_000_001)), f"^odds = {1 / 1_000_001}: 0.000001 or more is needed$"),
    (lambda: Rules(aim="apart", agreement=0.5), "^aim = 'apart', agreement = 0.5: 1 is needed, who aims apart need"),
    (lambda: Rules(bullets=10), "^bullets = 10: a whole number from 0 to 9 is needed$"),
    (lambda: Rules(kills=(1, 6)), "^kills = 6: a whole number from 1 to 5 is needed$"),
    (lambda: Rules(kills=()), rf"^kills = \(\): {KILLS}$"),
    (lambda: Rules(kills=(1,) * 10), f"^kills = .*: {KILLS}$"),
    (lambda: check_game((1, 4), AS_CODED, "evening"), r"^setup = \(1, 4\): a Setup is needed$"),
    (lambda: check_game(Setup(1, 4), "never", "evening"), "^rules = 'never': a Rules object is needed$"),
    (lambda: check_game(Setup(1, 4), AS_CODED, "noon"), "^phase = 'noon': one of 'evening', 'morning' is needed$"),
    (lambda: check_rules(Rules(memory=True), memory=False), "^rules.memory = True: only detectives without memory"),
)


def test_what_is_just_allowed():
    check_game(Setup(0, 0), Rules(memory=True), "morning")
    check_rules(AS_CODED, memory=False)
    for potion in (0, 1, 0.25, np.float32(0.25), Fraction(1, 3)):
        found = Rules(potion=potion).potion
        assert found == potion and type(found) is Fraction
    assert (Rules(odds=1_000_000).odds, Rules(odds=Fraction(1, 1_000_000)).odds) == (10**6, Fraction(1, 10**6))
    assert Rules(agreement=Fraction(1, 1_000_000)).agreement == Fraction(1, 10**6)
    assert Rules(aim="apart", agreement=1.0).agreement == 1 and Rules(agreement=0.5).agreement == Fraction(1, 2)
    assert type(Rules(bullets=np.int8(9)).bullets) is int and [Rules(bullets=n).bullets for n in (0, 9)] == [0, 9]
    assert Rules(memory=np.True_).memory is True and Rules(memory=np.False_).memory is False


@pytest.mark.parametrize(
    ("given", "kept", "shots"),
    [
        (5, (5,), [5, 5, 5]),
        (np.int64(2), (2,), [2, 2, 2]),
        ([1, 2], (1, 2), [1, 2, 2]),
        ((1, 1), (1,), [1, 1, 1]),
        ((2, 1, 1, 1), (2, 1), [2, 1, 1]),
        ((1, 2, 1), (1, 2, 1), [1, 2, 1]),
        ((1, 2, 2), (1, 2), [1, 2, 2]),
        ((1, 2, 3, 4, 5, 4, 3, 2, 1), (1, 2, 3, 4, 5, 4, 3, 2, 1), [1, 2, 3]),
    ],
)
def test_shots_of_a_night(given, kept, shots):
    """By the number of living mafiosi; the last number holds for all more, so that it is kept once."""
    rules = Rules(kills=given)
    assert rules.kills == kept and all(type(each) is int for each in rules.kills)
    assert [rules.shots(mafia) for mafia in (1, 2, 3)] == shots and rules.shots(100) == kept[-1]


def test_whether_a_night_and_a_vote_kill_one_each():
    others = [{"ties": ties} for ties in TIES if ties != "lot"]
    others += [{"odds": 2}, {"odds": 0.5}, {"kills": 2}, {"kills": (1, 2)}, {"agreement": 0.5}]
    assert AS_WRITTEN.one_by_one and Rules(aim="apart", tells="every morning", bullets=3, shot=1).one_by_one
    assert not any(Rules(**other).one_by_one for other in others)


@pytest.mark.parametrize("dead_roles", DEAD_ROLES)
@pytest.mark.parametrize("tells", TELLS)
def test_whether_a_sheriff_tells(tells, dead_roles):
    """Where the roles of the dead are hidden, nobody believes him who has not told in his life."""
    rules = Rules(tells=tells, dead_roles=dead_roles)
    assert rules.tells_at_death == (dead_roles == "shown" and tells in ("at death", "at a find", "every morning"))
    assert rules.may_tell == (tells in ("at a find", "every morning") or (tells, dead_roles) == ("at death", "shown"))


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("half_rule", HALF_RULES)
def test_when_half_is_enough(half_rule, phase):
    """2 of 4 are half, 2 of 5 are less, 2 of 3 are more; 2 of 2 are everyone."""
    tested = half_rule == "always" or (half_rule == "morning" and phase == "morning")
    rules = Rules(half_rule)
    found = [rules.mafia_has_won(2, others, phase) for others in (3, 2, 1, 0)]
    assert found == [False, tested, tested, True]


@pytest.mark.parametrize(
    ("votes", "held"),
    [("every day", [True] * 4), ("odd number", [False, True] * 2), ("odd days", [True, True, False, False])],
)
def test_on_which_days_there_is_a_vote(votes, held):
    found = [Rules(votes=votes).votes_on(day, living) for day in (1, 2) for living in (4, 5)]
    assert found == held


# ---- Set-ups as people write them, and back.


@pytest.mark.parametrize(
    ("text", "setup"),
    [
        ("10: don, 2 mafiosi, sheriff, 6 citizens", Setup(2, 6, dons=1, sheriffs=1)),
        ("don,2 mafiosi,sheriff,6 citizens", Setup(2, 6, dons=1, sheriffs=1)),
        ("15: 3 Mafia, Cop, Medic, Vigilante, 9 townies", Setup(3, 9, doctors=1, sheriffs=1, vigilantes=1)),
        ("7: 2 werewolves, seer", Setup(2, 4, sheriffs=1)),
        ("wolf, 2 detectives, witch, 3 hunters, bodyguard", Setup(1, 0, 2, 0, 1, 3, bodyguards=1)),
        ("3: godfather, doctor, villager", Setup(0, 1, doctors=1, dons=1)),
        ("2mafiosi,0 citizens", Setup(2, 0)),
    ],
)
def test_what_people_write(text, setup):
    assert Setup.read(text) == setup
    assert Setup.read(setup.written) == setup


@given(st.builds(dict, **{name: st.integers(0, 1 if name in SINGLE else 12) for name in ROLES}))
def test_what_is_written_is_read(counts):
    setup = Setup(**counts)
    assert Setup.read(setup.written) == setup
    assert setup.written.startswith(f"{setup.players}: ")
    assert setup.players == sum(counts.values()) == setup.mafia + setup.town
    assert setup.mafia == counts["mafiosi"] + counts["dons"]


test_what_is_no_setup = refuses(
    (lambda: Setup.read(""), "setup = '': a text such as"),
    (lambda: Setup.read(10), "setup = 10: a text such as"),
    (lambda: Setup.read("10: don, 2 mafiosi, sheriff, 5 citizens"), "9 people are named, 10 are needed"),
    (lambda: Setup.read("3: 4 mafiosi"), "4 people are named, 3 are needed"),
    (lambda: Setup.read("2 mafiosi, 3 jesters"), "'3 jesters' is no number and role; roles are don, mafioso, sheriff"),
    (lambda: Setup.read("2 mafiosi; 3 citizens"), "is no number and role"),
    (lambda: Setup.read("mafioso, 2 wolves, 3 citizens"), "mafiosi are named twice, once is allowed"),
    (lambda: Setup.read("mafioso, 2 sheriffs"), "sheriffs = 2: a whole number from 0 to 1 is needed"),
    (lambda: Setup(1, 1, dons=2), "dons = 2: a whole number from 0 to 1 is needed"),
)
