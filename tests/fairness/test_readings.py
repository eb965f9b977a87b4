"""Each file of the table is read as its owner reads it, and judged as the counts say."""

import io

import pytest

from gamebalance.fairness import judge, read_games
from tests.fairness.readings import CASES
from tests.refusals import refused


@pytest.mark.parametrize("name", CASES)
def test_a_file_is_read_as_its_owner_reads_it(name):
    case = CASES[name]
    if case.refused:
        with refused(*case.refused):
            games = read_games(io.BytesIO(case.content), **case.options)
            judge(games, case.by)
        return
    games = read_games(io.BytesIO(case.content), **case.options)
    tally = games.tally(case.by)
    wins = (tally.means * tally.plays).round(9)
    assert games.reading == case.reading
    assert {
        label: [won, played] for label, won, played in zip(tally.labels, wins, tally.plays, strict=True)
    } == case.labels
    if case.verdict == "refused":
        with refused("games: two or more are needed"):
            judge(games, case.by)
    else:
        assert judge(games, case.by).verdict == case.verdict
