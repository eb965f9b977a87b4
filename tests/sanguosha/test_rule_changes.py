"""Rule sets compared on the same games: what differs, by how much, and how surely."""

from dataclasses import fields, replace
from itertools import product

import numpy as np
import pytest
from chapters.sanguosha.rule_changes import (
    BAL,
    MEASURES,
    RAT,
    RULE_SETS,
    SINGLE_CHANGES,
    Effect,
    PairedGames,
)

from chapters.sanguosha import rule_changes as changes
from gamebalance import balance, rationality
from gamebalance.sanguosha import AS_CODED, AS_WRITTEN, Lineup, Outcomes, Role, Rules, simulate, solve

LOYALIST = int(Role.LOYALIST)
ATTACKED = RULE_SETS["renegade attacked"]


def differing_fields(rules, base):
    return {field.name for field in fields(Rules) if getattr(rules, field.name) != getattr(base, field.name)}


@pytest.fixture(scope="module")
def five():
    return changes.play_rule_sets("1-1-2-1", 20_000, 81, batches=20)


@pytest.fixture(scope="module")
def four():
    """One seating, exactly and in 40,000 paired games."""
    exact = {name: solve("0123", RULE_SETS[name]) for name in ("as coded", "weapon lost")}
    exact["renegade attacked"] = exact["as coded"]
    return exact, changes.play_rule_sets("1-1-1-1", 40_000, 82, 40, seating="0123")


def effect(value, error, unpaired=1.0, games=1000):
    """An effect with the same numbers in every measure."""
    return Effect(*(np.full(len(MEASURES), float(number)) for number in (value, error, unpaired)), games)


# ---- The rule sets.


def test_the_parts_make_up_the_written_rules():
    assert [differing_fields(rules, AS_CODED) for rules in SINGLE_CHANGES.values()] == [
        {"snatch_any_distance"},
        {"stolen_weapon_equipped"},
        {"rebels_attack_renegades"},
        {"opening"},
    ]
    merged = AS_CODED
    for name in changes.PARTS_AS_WRITTEN:
        (field,) = differing_fields(SINGLE_CHANGES[name], AS_CODED)
        merged = replace(merged, **{field: getattr(SINGLE_CHANGES[name], field)})
    assert merged == AS_WRITTEN == RULE_SETS["as written"]
    assert differing_fields(RULE_SETS["as written, four cards"], AS_WRITTEN) == {"opening"}
    assert next(iter(RULE_SETS)) == "as coded" and RULE_SETS["as coded"] == AS_CODED


# ---- Where two rule sets differ.


def test_situations_in_which_the_choice_differs():
    """By hand: all four of 0323 alive, the unarmed rebel opposite the lord, at any health.

    01223 without its loyalist: of two rebels and a renegade, the second rebel sits opposite the lord.
    """
    expected = [(2, health, False) for health in product(range(1, 5), repeat=4)]
    assert changes.differing_choices("0323", AS_CODED, ATTACKED) == expected

    expected = {(3, (*health[:1], 0, *health[1:]), False) for health in product(range(1, 5), repeat=4)}
    assert set(changes.differing_choices("01223", AS_CODED, ATTACKED)) == expected


def test_same_chain():
    for seating, name, same in (
        ("0123", "renegade attacked", True),
        ("0323", "renegade attacked", False),
        ("0123", "short snatch", False),
        ("0123", "weapon lost", False),
        ("0123", "four cards", False),
        ("0123", "as coded", True),
    ):
        assert (seating, name, changes.same_chain(seating, AS_CODED, RULE_SETS[name])) == (seating, name, same)
    assert not changes.same_chain("02", AS_CODED, replace(AS_CODED, deck=(1, 1, 1, 1, 1, 1)))


# ---- Exact solutions.


def test_a_chain_is_solved_once():
    done = []
    solved = changes.solve_rule_sets(["02", "023"], workers=2, progress=done.append)
    assert list(solved) == list(RULE_SETS)
    for seating in ("02", "023"):
        assert solved["renegade attacked"][seating] is solved["as coded"][seating]
        for name, rules in RULE_SETS.items():
            assert solved[name][seating].probability == solve(seating, rules).probability
    assert done == [1] * 2 * (len(RULE_SETS) - 1)


def test_exact_contrasts_have_no_error(four):
    exact, _ = four
    found = changes.exact_contrast(exact, changes.difference("weapon lost"))
    assert found.value[BAL] == pytest.approx(exact["weapon lost"].balance - exact["as coded"].balance, abs=1e-15)
    assert not found.error.any() and found.games is None
    assert np.isnan(found.z()[BAL])
    assert not changes.exact_contrast(exact, changes.difference("renegade attacked")).z().any()


# ---- Measures.


def test_measures_are_in_their_order():
    outcomes = simulate("1-1-2-1", 1000, 83)
    found = dict(zip(MEASURES, changes.measures(outcomes), strict=True))
    assert [found[f"{role.english.lower()} alive"] for role in Role] == list(outcomes.survival)
    assert [found[f"{role.english.lower()} score"] for role in Role] == list(outcomes.expected_scores())
    assert found["Bal"] == balance(outcomes.survival) and found["Rat"] == rationality(outcomes.expected_scores())
    errors = changes.measure_errors(outcomes)
    assert errors[BAL] == outcomes.balance_error and errors[RAT] == outcomes.rationality_error()
    assert list(errors[:4]) == list(outcomes.survival_error) and list(errors[5:9]) == list(outcomes.score_error)


# ---- Paired games.


def test_a_batch_is_a_simulation(five):
    for name in ("as coded", "as written, four cards"):
        for batch in (0, 19):
            alone = simulate("1-1-2-1", 1000, 81 + batch, RULE_SETS[name]).counts
            assert dict(zip(five.endings, five.counts[name][batch], strict=True)) == {
                alive: alone.get(alive, 0) for alive in five.endings
            }
    assert five.outcomes("as coded").games == 20_000
    assert five.lineup == Lineup(1, 2, 1)


def test_workers_do_not_matter():
    done = []
    one = changes.play_rule_sets("1-1-2-1", 600, 84, 3)
    two = changes.play_rule_sets("1-1-2-1", 600, 84, 3, workers=2, progress=done.append)
    assert one.endings == two.endings
    assert all((one.counts[name] == two.counts[name]).all() for name in RULE_SETS)
    assert done == [200] * 3 * len(RULE_SETS)


def test_a_rule_that_cannot_matter_changes_nothing(four):
    _, paired = four
    assert (paired.counts["renegade attacked"] == paired.counts["as coded"]).all()
    found = paired.contrast(changes.difference("renegade attacked"))
    assert not found.value.any() and not found.error.any() and not found.z().any()
    assert np.isinf(found.variance_ratio[BAL])


def test_revealed_rebels_cannot_change_how_many_loyalists_live(five):
    """They are revealed by the death of the last loyalist; the renegade is alive less often, far beyond chance."""
    found = five.contrast(changes.difference("renegade attacked"))
    assert found.value[LOYALIST] == found.error[LOYALIST] == 0
    assert found.z()[Role.RENEGADE] < -8
    assert found.variance_ratio[BAL] > 4


def test_paired_differences_agree_with_the_exact_ones(four):
    """Four and a half standard errors in ten measures, with a fixed seed: errs once in thousands of seeds."""
    exact, paired = four
    weights = changes.difference("weapon lost")
    truth, played = changes.exact_contrast(exact, weights), paired.contrast(weights)
    assert (np.abs(played.value - truth.value) < 4.5 * played.error).all()
    assert (played.error < played.unpaired_error).all()


# ---- Errors.


def test_jackknife_of_a_mean_is_its_standard_error():
    values = np.array([3.0, 5.0, 4.0, 8.0, 1.0])
    left_out = (values.sum() - values) / 4
    assert changes.jackknife_error(left_out[:, None]) == pytest.approx(values.std(ddof=1) / np.sqrt(5))


def test_errors_of_a_difference(five):
    """With pairing that of the means of batches, where it is linear; without, the variances are added."""
    found = five.contrast(changes.difference("as written"))
    lord = {
        name: [batch @ [alive[0] for alive in five.endings] / 1000 for batch in five.counts[name]] for name in RULE_SETS
    }
    gaps = np.subtract(lord["as written"], lord["as coded"])
    assert found.value[0] == pytest.approx(gaps.mean(), abs=1e-12)
    assert found.error[0] == pytest.approx(gaps.std(ddof=1) / np.sqrt(20), rel=1e-9)

    one, other = (five.outcomes(name) for name in ("as written", "as coded"))
    assert found.unpaired_error[BAL] == pytest.approx(np.hypot(one.balance_error, other.balance_error))


# ---- Contrasts.


def test_interaction_is_what_the_sum_leaves():
    """Ten games a batch; the lord survives so many: 9 - 5 is one more than (6 - 5) + (7 - 5) + (5 - 5)."""
    endings = ((0, 0, 0, 1), (1, 0, 0, 0))
    alive = {"as coded": 5, **dict(zip(changes.PARTS_AS_WRITTEN, (6, 7, 5), strict=True)), "as written": 9}
    counts = {name: np.array([[10 - lord, lord]] * 2) for name, lord in alive.items()}
    found = PairedGames(Lineup(1, 1, 1), endings, counts).contrast(changes.interaction())
    assert found.value[0] == pytest.approx(0.1) and found.error[0] == pytest.approx(0, abs=1e-12)
    assert found.games == 20


# ---- Tables.


def test_effect_rows_are_in_percentage_points():
    frame = changes.effect_rows({"1-1-1-1": {"x": effect(0.01, 0.002), "y": effect(-0.03, 0.004)}})
    assert frame["", "line-up"].tolist() == ["1-1-1-1"] * 2 and frame["", "rules"].tolist() == ["x", "y"]
    assert frame["Bal", "change"].tolist() == [1, -3] and frame["Bal", "s.e."].tolist() == pytest.approx([0.2, 0.4])
    assert frame["Rat", "change"].tolist() == [0.01, -0.03] and frame["Rat", "s.e."].tolist() == [0.002, 0.004]
    assert all(frame[str(role), "change"].tolist() == [1, -3] for role in Role)


def test_told_apart_counts_line_ups():
    """z is 5, -3, 8 paired and 2.5, -3, 4 unpaired; the variances' ratios are 4, 1, 4."""
    z = {"p": effect(5, 1, 2), "q": effect(-3, 1, 1), "r": effect(8, 1, 2)}
    frame = changes.told_apart({line: {"x": each} for line, each in z.items()})
    for title in ("Bal", "Rat"):
        assert frame[title].iloc[0].to_dict() == {"gain in variance": 4, "largest z": 8, "told": 2, "told unpaired": 1}


def test_order_changes():
    before = {"a": (1.0, 0.3), "b": (2.0, 0.4), "c": (3.0, 0.0)}
    after = {"a": (1.0, 0.3), "b": (5.0, 0.4), "c": (4.0, 0.3)}
    frame = changes.order_changes(before, after)
    assert frame[["first", "second"]].to_numpy().tolist() == [["b", "c"]]
    assert frame["z before"].tolist() == pytest.approx([2.5]) and frame["z after"].tolist() == pytest.approx([-2.0])
    assert changes.order_changes(before, before).empty


# ---- Refusals.


def test_play_and_solve_refuse():
    for arguments, message in (
        ({"games": 1005}, "games = 1005: a multiple of batches = 100"),
        ({"batches": 1}, "batches = 1: a whole number from 2 to 100000"),
        ({"seed": 2**63 - 50}, "seed = 9223372036854775857: a whole number from 0"),
        ({"workers": 0}, "workers = 0: a whole number from 1 to 1024"),
        ({"seating": "0223"}, "seating = '0223' is not a seating of line-up 1-1-1-1"),
    ):
        with pytest.raises(ValueError) as error:
            changes.play_rule_sets(**{"lineup": "1-1-1-1", "games": 1000, "seed": 1, **arguments})
        assert str(error.value).startswith(message)
    with pytest.raises(ValueError, match="has 6 players: 2 to 5"):
        changes.differing_choices("012233", AS_CODED, ATTACKED)
    with pytest.raises(ValueError, match="has 5 players: 2 to 4"):
        changes.solve_rule_sets(["01223"])


def test_contrasts_refuse_rule_sets_that_were_not_played(five):
    exact = {"as coded": Outcomes(Lineup(1, 1, 1), {(1, 1, 0, 0): 1.0})}
    for weights in ({"house rules": 1.0}, {}):
        for refuse in (five.contrast, lambda weights: changes.exact_contrast(exact, weights)):
            with pytest.raises(ValueError, match=r"^weights = .*rule sets among as coded"):
                refuse(weights)
