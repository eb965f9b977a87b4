"""The chance to win: three solvers that share no code, on every small town and every switch; one of them at size."""

from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gamebalance import mafia
from gamebalance.mafia import _layers, phases
from gamebalance.mafia.exact import fractions_by_layer, solve_exactly
from gamebalance.mafia.rules import HALF_RULES, PHASES, VOTES, Rules, Setup
from gamebalance.mafia.win import chances_of

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
def test_three_solvers_agree_on_towns_without_roles(rules, phase):
    for m, i, d in SMALL:
        by_phases = solve_exactly(Setup(m, i, d), rules, phase)
        assert by_phases == fractions_by_layer(m, i, d, rules, phase)
        assert abs(mafia.solve(Setup(m, i, d), rules, phase) - by_phases) < 1e-15


def test_by_hand():
    """Trees of a few branches, drawn on paper."""
    win = mafia.win_probability
    assert win(1, 4, exact=True) == Fraction(1, 4)  # evening 5, morning 4: 1/4; evening 3, morning 2: half
    assert win(1, 1, 1, exact=True) == Fraction(1, 2)  # arrested or not
    assert win(1, 2, 1, exact=True) == Fraction(19, 27)
    assert win(1, 2, 1, half_rule="always", exact=True) == Fraction(5, 9)
    assert win(1, 0, 1) == 1 and win(1, 0, 1, half_rule="always") == 0
    # 2 left in the morning: the mafia is half, unless one plays on and votes.
    assert win(1, 1, phase="morning") == 0 and win(1, 1, phase="morning", half_rule="never") == 0.5
    # 4 in the morning without a vote on even numbers: 3 after the night, then 1/3.
    assert win(1, 3, phase="morning", votes="odd number", exact=True) == Fraction(1, 3)
    # One idle day in the calendar: 6 vote (1/6), night, 4 idle, night, 3 vote (1/3).
    assert win(1, 5, phase="morning", votes="odd days", exact=True) == Fraction(1, 6) + Fraction(5, 6) * Fraction(1, 3)


def test_roles_by_hand():
    win = mafia.win_probability
    # One doctor, one mafioso, one innocent at night: guarded with 1/3; then 1/3 by vote, else again at night: x.
    # Not guarded: two are left, the mafia is half.
    # Guarded: vote of three: mafioso out 1/3, else two are left in the evening, which is lost at the next dawn unless
    # the doctor lives (he does with 1/2) and guards the victim, himself, with 1/2: then a morning of two, half.
    assert win(1, 1, doctors=1, exact=True) == Fraction(1, 9)
    # A hunter alone with two mafiosi by day, on to the last: shot by vote 1/3, takes one along, one is left: lost;
    # a mafioso out 2/3, the hunter dies at night and takes the last one along.
    assert win(2, 0, hunters=1, phase="morning", half_rule="never", exact=True) == Fraction(2, 3)
    # A witch with her poison and a mafioso, two innocents: no coin, no potion.
    assert win(1, 2, witches=1, potion=0, exact=True) == win(1, 3, exact=True)
    # She always heals and always poisons one of the others: in the first night nobody dies but the poisoned.
    first = Fraction(0)  # victim herself: poisons any of 3; victim an innocent: the mafioso or the other innocent
    first += Fraction(1, 3) * (Fraction(1, 3) + Fraction(2, 3) * win(1, 2, phase="morning", exact=True))
    first += Fraction(2, 3) * (Fraction(1, 2) + Fraction(1, 2) * win(1, 2, phase="morning", exact=True))
    assert win(1, 2, witches=1, potion=1, exact=True) == first
    # Memory cannot matter before the second night in which a cleared player may be asked again.
    assert win(1, 2, 1, memory=True, exact=True) == Fraction(19, 27)
    assert win(1, 4, 1, memory=True, exact=True) > win(1, 4, 1, exact=True)


@given(
    counts=st.tuples(*(st.integers(0, most) for most in (3, 3, 2, 2, 1, 2))),
    half_rule=st.sampled_from(list(HALF_RULES)),
    votes=st.sampled_from(list(VOTES)),
    memory=st.booleans(),
    potion=st.sampled_from([Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(1)]),
    phase=st.sampled_from(list(PHASES)),
)
@settings(max_examples=300)
def test_compiled_states_are_the_readable_rules(counts, half_rule, votes, memory, potion, phase):
    setup, rules = Setup(*counts), Rules(half_rule, votes, memory, potion)
    assume(2 <= setup.players <= 6)
    exact = solve_exactly(setup, rules, phase)
    assert abs(chances_of([setup], setup, rules, phase)[0] - exact) < 1e-14
    lengths = mafia.length_distribution(setup, rules, phase)
    assert abs(lengths.to_numpy().sum() - 1) < 1e-14 and abs(lengths["innocents"].sum() - exact) < 1e-14


@given(
    counts=st.tuples(*(st.integers(0, most) for most in (2, 3, 2, 2, 1, 2))),
    memory=st.booleans(),
    potion=st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(1)]),
)
@settings(max_examples=80)
def test_a_night_and_a_day_are_distributions(counts, memory, potion):
    setup, rules = Setup(*counts), Rules(memory=memory, potion=potion)
    town = phases.Town.of(setup)
    assume(0 < setup.mafiosi < setup.players)
    for after in (phases.night(town, rules), phases.day(town)):
        assert sum(after.values()) == 1 and min(after.values()) > 0
        assert all(later.count(role) <= town.count(role) for later in after for role in phases.ROLES.values())
    assert all(later.count() < town.count() for later in phases.day(town))
    quiet = sum(chance for later, chance in phases.night(town, rules).items() if later.count() == town.count())
    assert quiet == 0 or setup.doctors or (setup.witches and potion)


def test_more_detectives_never_hurt():
    """Observed, not proved: at equal numbers of players and mafiosi."""
    for players, m in product(range(3, 40), range(1, 12)):
        chances = [mafia.win_probability(m, players - m - d, d) for d in range(players - m + 1)]
        assert np.all(np.diff(chances) > -1e-15)


def test_memory_changes_nothing_without_detectives_and_helps_with_them():
    with_memory = mafia.win_probability(3, 16, 1, memory=True)
    assert with_memory > mafia.win_probability(3, 16, 1)
    assert mafia.win_probability(3, 16, memory=True) == mafia.win_probability(3, 16)
    # Two million simulated games of the notes: 53.1 % and 58.6 %, with standard errors of 0.035 points.
    assert abs(100 * with_memory - 53.1) < 0.15
    assert abs(100 * mafia.win_probability(3, 9, 2, memory=True) - 58.6) < 0.15


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


@pytest.mark.parametrize(("players", "mafiosi", "detectives"), [(300, 149, 4), (3000, 40, 2), (10_000, 60, 2)])
def test_floats_are_within_1e_14(players, mafiosi, detectives):
    exact, one = fixed_point(players, mafiosi, detectives)
    table = _layers.last_layer(players, mafiosi, detectives, mafia.PUBLISHED, "evening")
    for d, m in product(range(detectives + 1), range(mafiosi + 1)):
        assert abs(int(table[d, m] * one) - exact[d, m]) < one // 10**14
    m, d = mafiosi, detectives
    assert mafia.win_probability(m, players - m - d, d) == table[d, m]


def test_no_limit_of_recursion():
    """The published program stops at 334 players."""
    assert 0.4 < mafia.win_probability(100, 9898, 2) < 0.5
    assert mafia.win_probability(9, 320, 5, exact=True) == pytest.approx(mafia.win_probability(9, 320, 5), abs=1e-15)


def test_lengths_of_a_game_without_detectives():
    """Two go each round: the mafia wins when all rounds are over, which is when 2 or 3 would be left."""
    lengths = mafia.length_distribution(Setup(1, 4))
    assert lengths.loc[1].tolist() == [0.25, 0.0] and lengths.loc[2].tolist() == [0.0, 0.75]
    assert len(lengths) == 3
    begun = mafia.length_distribution(Setup(1, 3), phase="morning")
    assert begun.loc[0].tolist() == [0.25, 0.0] and begun.loc[1].tolist() == [0.0, 0.75]
    assert mafia.length_distribution(Setup(0, 3)).to_numpy().tolist() == [[1.0, 0.0]]


def test_a_long_game_is_followed_to_its_end():
    """A doctor guards, even numbers do not vote: more nights than players are possible."""
    setup, rules = Setup(1, 40, doctors=1), Rules("never", "odd number")
    lengths = mafia.length_distribution(setup, rules)
    assert abs(lengths.to_numpy().sum() - 1) < 1e-14
    assert abs(lengths["innocents"].sum() - mafia.solve(setup, rules)) < 1e-14


def test_a_game_that_can_last_for_ever_is_followed_to_its_end():
    setup, rules = Setup(1, 0, doctors=1), Rules("never", "odd number")
    lengths = mafia.length_distribution(setup, rules)
    # Guarded with 1/2, no vote among two, again: the mafia wins in night k with probability 2^-k.
    assert lengths["mafia"].iloc[1:6].tolist() == [2.0**-k for k in range(1, 6)]
    assert mafia.solve(setup, rules) == 0 and abs(lengths.to_numpy().sum() - 1) < 1e-14


BAD = {
    "negative": (lambda: mafia.win_probability(-1, 3), "mafiosi = -1", "from 0 to 100000"),
    "fraction of an innocent": (lambda: mafia.win_probability(1, 2.5), "innocents = 2.5", "whole number"),
    "text": (lambda: mafia.win_probability(1, 2, "1"), "detectives = '1'", "whole number"),
    "true": (lambda: mafia.win_probability(True, 2), "mafiosi = True", "whole number"),
    "two witches": (lambda: mafia.win_probability(1, 2, witches=2), "witches = 2", "from 0 to 1"),
    "phase": (lambda: mafia.win_probability(1, 2, phase="noon"), "phase = 'noon'", "'evening', 'morning'"),
    "half rule": (lambda: mafia.win_probability(1, 2, half_rule="half"), "half_rule = 'half'", "'always', 'never'"),
    "votes": (lambda: mafia.win_probability(1, 2, votes="sometimes"), "votes = 'sometimes'", "'odd days'"),
    "memory": (lambda: mafia.win_probability(1, 2, memory="yes"), "memory = 'yes'", "True or False"),
    "potion": (lambda: mafia.win_probability(1, 2, witches=1, potion=1.5), "potion = 1.5", "from 0 to 1"),
    "no number": (lambda: Rules(potion=float("nan")), "potion = nan", "from 0 to 1"),
    "phase of lengths": (lambda: mafia.length_distribution(Setup(1, 2), phase=""), "phase = ''", "'evening'"),
    "too many roles": (lambda: Setup.of_players(3, 1, 3), "detectives = 3", "at most players = 3"),
    "memory as 1": (lambda: Rules(memory=1), "memory = 1", "True or False"),
    "potion as True": (lambda: Rules(potion=True), "potion = True", "from 0 to 1"),
    "a tuple": (lambda: mafia.solve((1, 4)), "setup = (1, 4)", "a Setup is needed"),
    "no rules": (lambda: mafia.length_distribution(Setup(1, 4), None), "rules = None", "a Rules object"),
    "huge": (lambda: mafia.win_probability(1, 10**20), "innocents = 1000", "from 0 to 100000"),
    "exact and large": (lambda: mafia.win_probability(1, 1500, exact=True), "players = 1501", "at most 1000 are"),
    "exact with roles": (
        lambda: mafia.win_probability(1, 20, doctors=1, exact=True),
        "players = 22",
        "at most 20 with other roles or memory",
    ),
    "hunters and large": (
        lambda: mafia.win_probability(40, 400, 40, hunters=30),
        "40 mafiosi, 400 innocents, 40 detectives, 30 hunters: ",
        "2 GiB are allowed",
    ),
    "no players": (lambda: Setup.of_players(0), "players = 0", "from 1 to 100000"),
    "too large": (
        lambda: mafia.win_probability(300, 600, 300, memory=True),
        "300 mafiosi, 600 innocents, 300 detectives, with memory",
        "2 GiB are allowed",
    ),
    "too large without memory": (lambda: mafia.win_probability(9000, 10, 9000), "9000 mafiosi, 9000 det", "2 GiB are"),
}


@pytest.mark.parametrize(("call", "named", "allowed"), BAD.values(), ids=BAD)
def test_bad_input_is_named_in_one_line(call, named, allowed):
    with pytest.raises(ValueError) as error:
        call()
    assert named in str(error.value) and allowed in str(error.value) and "\n" not in str(error.value)


def test_set_ups():
    setup = Setup.of_players(20)
    assert (setup.mafiosi, setup.innocents, setup.detectives, setup.players, setup.town) == (4, 15, 1, 20, 16)
    assert str(Setup(1, 1, 1, 1, 1, 1)) == "1 mafioso, 1 innocent, 1 detective, 1 doctor, 1 witch, 1 hunter"
    assert Setup.of_players(8).mafiosi == 2 and Rules(potion=np.float32(0.25)).potion == Fraction(1, 4)
    assert str(Setup(2, 0, 3)) == "2 mafiosi, 3 detectives" and str(Setup(0, 0)) == "nobody"
