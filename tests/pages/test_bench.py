"""The page on which the rules of four players are changed: its text and its data, and which tables it refuses."""

import base64

import numpy as np
import pytest

from chapters import the_smallest_fair_change_page as package
from chapters.the_smallest_fair_change_grid import (
    ENDINGS,
    FOUR,
    PLAYS,
    SEATINGS,
    changes,
    outcomes_of,
    rules_of,
    settings,
)
from gamebalance.sanguosha.scoring import Scoring
from tests.refusals import refused
from tests.sanguosha.made_up_designs import made_up


@pytest.fixture(scope="module")
def text() -> str:
    return package.page(made_up())


@pytest.fixture(scope="module")
def data() -> dict:
    return package.data(made_up())


@pytest.mark.parametrize("play", PLAYS)
def test_chances_come_back_to_seven_decimals(data, play):
    """Unpacked by hand, as the comment on `packed` says: in each seating all parts together, none less than 0."""
    bytes_ = np.frombuffer(base64.b64decode(data["shares"][play]), np.uint8).reshape(-1, 3).astype(int)
    numbers = iter((bytes_ @ [65536, 256, 1]).tolist())
    for row in made_up().to_dict("records"):
        mask = next(numbers)
        assert (mask == 0) == (row[play] == "")
        happens = [way for way in range(len(ENDINGS)) if mask >> way & 1]
        for outcomes in outcomes_of(row, play).values() if mask else ():
            counts = [next(numbers) for _ in happens[:-1]]
            counts.append(package.PARTS - sum(counts))
            assert min(counts) >= 0
            stored = dict(zip(happens, np.array(counts) / package.PARTS, strict=True))
            wanted = [outcomes.probability.get(ending, 0) for ending in ENDINGS]
            assert np.abs([stored.get(way, 0) - chance for way, chance in enumerate(wanted)]).max() < 5e-7
    assert next(numbers, None) is None


def test_points_are_paid_as_the_scoring_rule_pays_them(data):
    scoring = Scoring(11, 2.5, 8, 3, 1.25, False, 13, 4, 6, 21, -2)
    values = [getattr(scoring, name) for name in data["points"]]
    for ending, pays in zip(ENDINGS, data["pays"], strict=True):
        wanted = scoring.scores(FOUR, ending)
        assert np.allclose([np.dot(row[:-1], values) + row[-1] for row in pays], wanted, atol=1e-9)
    assert [tuple(alive) for alive, _ in data["endings"]] == list(ENDINGS) and data["seatings"] == list(SEATINGS)


def test_every_two_changes_are_found(data):
    """As a setting, or as one of the two if the other then changes nothing."""
    every = list(changes())
    there = {tuple(setting) for setting in data["settings"]}
    place = {rules_of(setting): number for number, setting in enumerate(settings())}
    same = 0
    for first in range(len(every)):
        for second in range(first + 1, len(every)):
            if every[first].rule == every[second].rule or (first, second) in there:
                continue
            same += 1
            number = data["same"][f"{first},{second}"]
            assert number == place[rules_of((every[first], every[second]))]
            assert data["settings"][number] in ([first], [second])
    assert same == len(data["same"]) > 0


def test_a_table_that_is_not_whole_is_refused():
    rows = made_up()
    with refused(r"rows has 2216 rows and none with number = 7: the rows of all 2217 settings are needed"):
        package.page(rows[rows.number != 7])
    with refused("rows has setting = 'Nobody has hearts.' for number = 1: 'Everybody has 1 heart.' is needed"):
        package.page(rows.assign(setting=rows.setting.mask(rows.number == 1, "Nobody has hearts.")))


def test_rows_in_any_order_and_missing_texts_as_pandas_reads_them(text):
    rows = made_up().replace("", float("nan")).iloc[::-1]
    assert package.page(rows) == text
