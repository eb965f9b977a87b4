"""All recorded games side by side: each number of people is that of its own table, and each assumption is one."""

import numpy as np
import pytest

from chapters import where_models_are_wrong as chapter
from gamebalance import publish

NAMES = (
    *("sport_mafia_seasons", "sport_mafia_later_seasons", "sport_mafia_first_killed", "forum_mafia_outcomes"),
    *("forum_mafia_votes", "avalon_outcomes", "avalon_shots", "avalon_cards", "sanguosha_arena", "commander_seats"),
)
FRAMES = {name: publish.observed(name) for name in NAMES}
EIGHT = np.array([0.45, 0.37, 0.18])


@pytest.fixture(scope="module")
def seen():
    return {(one.game, one.what): one for one in chapter.seen(FRAMES, EIGHT)}


def test_people_as_their_records_say(seen):
    """Counted apart, from the rows of the files."""
    counted = {
        ("Mafia at a club", "town wins, seasons 2 to 16"): (1140, 2520),
        ("Mafia in a forum", "town wins"): (137, 282),
        ("Avalon", "good wins, 5 players, no special roles"): (213, 384),
        ("Free for all", "seat 1 wins"): (204, 648),
    }
    for key, (won, played) in counted.items():
        assert seen[key].games == played and seen[key].people.estimate == pytest.approx(won / played, abs=1e-8)


def test_assumptions(seen):
    """What is assumed is the same within a game, and people are those of the other table; parts by hand."""
    frame = chapter.assumptions(FRAMES, EIGHT, 200, 5)
    assert len(frame) == 16 and (frame.groupby("game")[["assumed, %", "people, %"]].nunique() == 1).all(axis=None)
    kept, dropped, people, part = (frame[name] for name in frame.columns[2:])
    assert part.to_numpy() == pytest.approx((100 * (dropped - kept) / (people - kept)).to_numpy())
    by = frame.set_index(["game", "assumption"])
    forum, model = by.loc["Mafia in a forum"], seen["Mafia in a forum", "town wins"].model
    assert forum.at["both", "people, %"] == pytest.approx(100 * seen["Mafia in a forum", "town wins"].people.estimate)
    assert 100 * model.low < forum.at["both", "assumed, %"] < forum.at["the sheriff unheard", "dropped, %"]
    assert forum.at["the sheriff unheard", "dropped, %"] == pytest.approx(100 * model.high)
    both = by.xs("both", level=1)["part, %"]
    assert both.filter(like="Avalon").tolist() == pytest.approx([100, 100], abs=3)  # less what five rejections end
    assert (both >= by["part, %"].groupby("game").max()[both.index]).all()
