"""All recorded games side by side: each number of people is that of its own table, and each assumption is one."""

from math import isnan

import pandas as pd
import pytest

from chapters.real import all_tables
from chapters.real.eight import leaders
from chapters.real.eight.behaviour import REPORT
from chapters.real.eight.playing import simulate
from gamebalance import publish
from gamebalance.games import avalon
from gamebalance.games.avalon import BOARDS
from tests.refusals import refused

NAMES = (
    *("sport_mafia_seasons", "sport_mafia_later_seasons", "sport_mafia_first_killed", "forum_mafia_outcomes"),
    *("forum_mafia_votes", "avalon_outcomes", "avalon_shots", "avalon_cards", "sanguosha_arena", "commander_seats"),
)
GAMES, SEED = 2000, 5
EIGHT = simulate(REPORT, GAMES, SEED).shares


@pytest.fixture(scope="module")
def frames():
    return {name: publish.observed(name) for name in NAMES}


@pytest.fixture(scope="module")
def seen(frames):
    return {(one.game, one.what): one for one in all_tables.seen(frames, EIGHT)}


def test_twenty_numbers_with_intervals(seen):
    assert len(seen) == 20
    for one in seen.values():
        assert (
            0 <= one.people.low <= one.people.estimate <= one.people.high <= 1
            and 0 <= one.model.low <= one.model.high <= 1
        )
        assert (one.model.low < one.model.high) == ("town wins" in one.what)
        assert isnan(one.people.error) == (one.game == "Sanguosha") and one.games > 0


def test_people_as_their_records_say(seen):
    """Counted apart, from the rows of the files."""
    counted = {
        ("Mafia at a club", "town wins, seasons 2 to 16"): (1140, 2520),
        ("Mafia in a forum", "town wins"): (137, 282),
        ("Mafia in a forum", "votes hit on the first day"): (27, 119),
        ("Mafia in a forum", "votes hit later"): (256, 500),
        ("Avalon", "good wins, 5 players, no special roles"): (213, 384),
        ("Avalon", "good wins, 5 players, Merlin"): (196, 453),
        ("Avalon", "the shot hits Merlin"): (2972, 8103),
        ("Free for all", "seat 1 wins"): (204, 648),
    }
    for key, (won, played) in counted.items():
        assert seen[key].games == played and seen[key].people.estimate == pytest.approx(won / played, abs=1e-8)


def test_models_and_best_play(seen, frames):
    plain, merlin = (seen["Avalon", f"good wins, 5 players, {name}"] for name in ("no special roles", "Merlin"))
    assert (plain.best, merlin.best) == (0.3, pytest.approx(2 / 3))
    assert plain.model.low == pytest.approx(float(avalon.at_random(BOARDS[5])["three successes"]))
    assert merlin.model.low == pytest.approx(plain.model.low * 2 / 3)
    assert plain.apart == pytest.approx(plain.people.estimate - plain.model.low)
    sides = [one for one in seen.values() if one.game == "Sanguosha"]
    assert sum(one.model.low for one in sides) == pytest.approx(1) == pytest.approx(sum(one.people[0] for one in sides))
    low, high = leaders.bounds(leaders.read(frames["sanguosha_arena"]).upper)
    assert [one.people.low for one in sides] == pytest.approx(low) and [
        one.people.high for one in sides
    ] == pytest.approx(high)


def test_seats():
    frame = pd.DataFrame({"seat": [1, 2, 3], "share": [50.0, 33.3, 16.7], "games": 6})
    assert all_tables.seat_counts(frame) == {1: (3, 6), 2: (2, 6), 3: (1, 6)}
    for shares in ([50.0, 33.3, 20.0], [50.0, 33.3, 33.3]):
        with refused(f"seats.share = {shares}", "add up"):
            all_tables.seat_counts(frame.assign(share=shares))
    with refused("seats", "share"):
        all_tables.seat_counts(frame.drop(columns="share"))


def test_assumptions(frames, seen):
    """What is assumed is the same within a game, and people are those of the other table; parts by hand."""
    found = all_tables.assumptions(frames, EIGHT, GAMES, SEED)
    assert len(found) == 16
    for game in {one.game for one in found}:
        rows = [one for one in found if one.game == game]
        assert len({one.kept for one in rows}) == len({one.people for one in rows}) == 1
    forum = {one.assumption: one for one in found if one.game == "Mafia in a forum"}
    assert forum["votes at random"].people == seen["Mafia in a forum", "town wins"].people.estimate
    model = seen["Mafia in a forum", "town wins"].model
    assert model.low < forum["votes at random"].kept < forum["the sheriff unheard"].dropped == pytest.approx(model.high)
    club = next(one for one in found if one.game == "Mafia at a club")
    model = seen["Mafia at a club", "town wins, seasons 2 to 16"].model
    assert model.low < club.kept < 0.11 < model.high  # nobody hears the sheriff
    both = [one for one in found if one.assumption == "both"]
    assert all(
        one.dropped > max(other.dropped for other in found if other[:2] == one[:2] and other != one) for one in both
    )
    avalons = [one for one in both if one.game.startswith("Avalon")]
    assert [one.part for one in avalons] == pytest.approx([1, 1], abs=0.03)  # less what five rejections end


def test_a_part_by_hand():
    assert all_tables.Assumption("", "", "", 0.1, 0.3, 0.5).part == 0.5
    assert all_tables.Assumption("", "", "", 0.4, 0.5, 0.3).part == -1
