"""The audit of the report: the slips of its scores, and the shares of the defects of its transfer program."""

from functools import cache
from itertools import pairwise

import pytest

from chapters.sanguosha.audit import (
    DEFECTS,
    column_distance,
    defect_sets,
    shares_of_change,
    slips_of_scores,
)
from gamebalance.as_published import (
    AS_PRINTED,
    REPAIRED,
    Replay,
)
from gamebalance.publish import published
from gamebalance.sanguosha import Outcomes, Scoring
from tests.sanguosha.audit_inputs import BOTH_ALIVE, FILES, FOUR, NEVER, RENEGADE_ALONE, TABLES_OF, replays
from tests.sanguosha.known import DIVISORS


def renegades_points(counts, consolation, prize, renegades):
    """Mean points of a renegade, from the counts of a million games."""
    points = 0.0
    for (lords, loyalists, rebels, alive), count in counts.items():
        if lords:
            points += 0 if loyalists else consolation * count
        elif (loyalists, rebels, alive) == (0, 0, 1):
            points += prize * count
        else:
            points += (5 - rebels) * alive / renegades * count
    return points / 1e6


@cache
def slips():
    scores = published(FILES["7"]).query("role == 'renegade'")["expected_score"]
    return slips_of_scores(replays(), scores, published(FILES["4"])["rat"])


def test_where_the_divisors_come_from():
    assert list(slips()["", "line-up"]) == list(TABLES_OF)
    assert list(slips()["", "divisor"]) == list(DIVISORS.values())
    assert list(slips()["", "last seating"]) == [replay.last_seating for replay in replays().values()]


def test_scores_and_rat_with_each_slip():
    for (line, replay), (_, row) in zip(replays().items(), slips().iterrows(), strict=True):
        counts, number, divisor = replay.counts, replay.lineup.renegades, DIVISORS[line]
        by_hand = {
            "as published": renegades_points(counts, 15 / divisor, 35 // number, number),
            "only a role as divisor": renegades_points(counts, 15 / divisor, 35 / number, number),
            "only 35/2 = 17": renegades_points(counts, 15, 35 // number, number),
            "correct, 15 each": renegades_points(counts, 15, 35 / number, number),
            "correct, 15 shared": renegades_points(counts, 15 / number, 35 / number, number),
        }
        assert row["renegade's score"].drop("printed").to_dict() == pytest.approx(by_hand, rel=1e-12), line
        each, shared = (replay.outcomes.rationality(Scoring(share_consolation=share)) for share in (False, True))
        rat = row["Rat"]
        assert (rat["correct, 15 each"], rat["correct, 15 shared"]) == pytest.approx((each, shared), rel=1e-12), line
        for title in ("renegade's score", "Rat"):
            assert row[title, "printed"] == pytest.approx(row[title, "as published"], abs=0.005 + 1e-9), line


def test_slips_take_the_divisor_from_the_replay():
    replay = Replay(FOUR, 1_000_000, replays()["1-1-1-1"].counts, "0123", 0)
    frame = slips_of_scores({"1-1-1-1": replay}, [18.16], [173.77])
    assert frame["", "divisor"].item() == 3
    expected = renegades_points(replay.counts, 5, 35, 1)
    assert frame["renegade's score", "as published"].item() == pytest.approx(expected)


# --- shares of the defects ---


def test_sets_of_defects():
    sets = defect_sets()
    assert next(iter(sets)) == () and list(sets)[-1] == DEFECTS == ("cards_spent", "ghost_turn", "integer_mass")
    assert len(sets) == len({frozenset(names) for names in sets}) == len(set(sets.values())) == 8
    assert all(len(one) <= len(other) for one, other in pairwise(sets))
    for names, kind in sets.items():
        assert {name for name in DEFECTS if getattr(kind, name)} == set(names)
        assert kind.early_stop == (len(names) == 3)
    assert (sets[()], sets[DEFECTS]) == (REPAIRED, AS_PRINTED)


def test_shares_of_a_change_that_is_not_additive():
    """Worked out over the six orders, (1 + 1 + 3 + 7 + 3 + 3) / 6 and so on, whatever the value without defects."""
    cards, ghost, mass = DEFECTS
    change = {(): 0, (cards,): 1, (ghost,): 2, (mass,): 4, (cards, ghost): 5, (cards, mass): 11, (ghost, mass): 9}
    change[DEFECTS] = 12
    shares = shares_of_change({names: 100 + value for names, value in change.items()})
    assert shares["alone"].tolist() == pytest.approx([1, 2, 4])
    assert shares["last"].tolist() == pytest.approx([12 - 9, 12 - 11, 12 - 5])
    assert shares["mean"].tolist() == pytest.approx([3, 2.5, 6.5])
    assert shares["mean"].sum() == pytest.approx(12)


def test_distance_of_columns():
    even = Outcomes(FOUR, {RENEGADE_ALONE: 0.5, (1, 0, 0, 0): 0.5})
    moved = Outcomes(FOUR, {RENEGADE_ALONE: 0.5, BOTH_ALIVE: 0.3, (1, 0, 0, 0): 0.2})
    other = Outcomes(FOUR, {NEVER: 1.0})
    assert column_distance({"0123": even}, {"0123": even}) == 0
    assert column_distance({"0123": even}, {"0123": other}) == 100
    assert column_distance({"0123": even}, {"0123": moved}) == pytest.approx(30)
    one, two = {"0123": even, "0321": moved}, {"0321": other, "0123": moved}
    assert column_distance(one, two) == column_distance(two, one) == pytest.approx((30 + 100) / 2)
