"""Missions and shots at recorded tables of Avalon: chance by listing all teams, the chain in fractions, and games."""

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from math import comb
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from chapters.real import avalon_missions as missions
from chapters.real.counts import share
from gamebalance import publish
from gamebalance.games.avalon import BOARDS, AtRandom, at_random, games
from gamebalance.games.avalon.rules import is_evil
from tests.refusals import refuses

TEAMS = ["evil_in_team", "teams"]
CARDS = ["players", "succeeded", "failed", "evil_in_team", "fails", "teams"]
SCORES = list(product(range(3), repeat=2))


@pytest.fixture(autouse=True)
def _real(monkeypatch):
    monkeypatch.setenv("GAMEBALANCE_ROOT", str(Path(__file__).resolve().parents[2]))


def evil_in_random_teams(players: int, mission: int) -> list[int]:
    """How much evil is in each team of a mission from 0, if the first seats are evil."""
    board = BOARDS[players]
    return [sum(seat < board.evil for seat in team) for team in combinations(range(players), board.sizes[mission])]


@pytest.mark.parametrize("players", BOARDS)
def test_clean_teams_at_random_are_those_of_all_teams(players):
    rows = pd.DataFrame([(players, at, 0, 1) for at in range(1, 6)], columns=["players", "mission", *TEAMS])
    found = missions.clean_teams(rows)
    for mission in range(5):
        teams = evil_in_random_teams(players, mission)
        assert found.at[(players, mission + 1), "chance"] == pytest.approx(teams.count(0) / len(teams))


def test_clean_teams_by_hand():
    rows = pd.DataFrame(
        [(5, 1, 0, 6), (5, 1, 1, 3), (5, 1, 2, 1), (5, 2, 1, 30), (6, 2, 0, 4), (6, 2, 2, 6)],
        columns=["players", "mission", *TEAMS],
    )
    found = missions.clean_teams(rows, ["mission"], level=0.9)
    assert found.columns.tolist() == ["teams", "estimate", "error", "low", "high", "chance"]
    assert found["teams"].tolist() == [10, 40]
    assert found.loc[1].tolist()[1:5] == list(share(6, 10, level=0.9)[:4])
    assert found.loc[2].tolist()[1:5] == list(share(4, 40, level=0.9)[:4])
    assert found["chance"].tolist() == pytest.approx([3 / 10, (30 * 1 / 10 + 10 * 4 / 20) / 40])
    everything = missions.clean_teams(rows, [])
    assert everything["teams"].to_dict() == {"all": 50} and everything.at["all", "estimate"] == 0.2
    assert everything.at["all", "chance"] == pytest.approx((10 * 0.3 + 3 + 2) / 50)


def test_clean_teams_of_recorded_games_by_a_recount():
    rows = publish.observed("avalon_teams")
    counted = defaultdict(lambda: [0, 0])
    for roles, players, mission, evil, teams in rows[
        ["special_roles", "players", "mission", "evil_in_team", "teams"]
    ].itertuples(index=False):
        cell = counted["merlin" in roles.split("+"), players, mission]
        cell[0] += teams * (evil == 0)
        cell[1] += teams
    rows = rows.assign(merlin=rows["special_roles"].str.contains("merlin"))
    found = missions.clean_teams(rows, ["merlin", "players", "mission"])
    assert len(found) == len(counted) == 60
    for key, (clean, teams) in counted.items():
        assert found.at[key, "teams"] == teams and found.at[key, "estimate"] == pytest.approx(clean / teams)


def cards(rows, players: int = 5) -> pd.DataFrame:
    return pd.DataFrame([(players, *row) for row in rows], columns=CARDS)


@pytest.mark.parametrize("players", BOARDS)
def test_chance_alone_is_play_at_random_without_rejections(players):
    whatever = cards([(0, 0, 1, 1, 7), (2, 1, 0, 0, 3)], players)
    found = missions.three_successes(whatever, "chance", "chance")
    assert found == pytest.approx(float(at_random(BOARDS[players], approve=1, fail=1)["three successes"]), abs=1e-9)


@pytest.mark.parametrize("players", BOARDS)
@pytest.mark.parametrize("teams", missions.FROM)
def test_cards_by_a_coin_are_play_at_random_by_that_coin(players, teams):
    """Records in which each evil member fails with a half, and the teams are the random ones."""
    rows = []
    for won, lost in SCORES:
        members = evil_in_random_teams(players, won + lost)
        for evil in set(members):
            times = 16 * members.count(evil) if teams == "records" else 16  # as "chance" does not look
            rows += [(won, lost, evil, fails, times * comb(evil, fails) // 2**evil) for fails in range(evil + 1)]
    found = missions.three_successes(cards(rows, players), teams, "records")
    assert found == pytest.approx(float(at_random(BOARDS[players], approve=1, fail=0.5)["three successes"]), abs=1e-9)


def plain_chain(rows, players: int, teams: str, fails: str) -> Fraction:
    """The chain by going through all five results, with fractions and a list of all teams."""

    def failing(won: int, lost: int) -> Fraction:
        mission = won + lost
        needed = 2 if mission == 3 and players >= 7 else 1
        here = [(evil, shown, times) for *score, evil, shown, times in rows if score == [won, lost]]
        went = [evil for evil, _, times in here for _ in range(times)]
        total = Fraction(0)
        members = went if teams == "records" and went else evil_in_random_teams(players, mission)
        for evil in members:
            cells = [(shown >= needed, times) for each, shown, times in here if each == evil]
            seen = sum(times for _, times in cells)
            if fails == "records" and seen:
                total += Fraction(sum(times for failed, times in cells if failed), seen)
            else:
                total += evil >= needed
        return total / len(members)

    chance = {score: failing(*score) for score in SCORES}
    whole = Fraction(0)
    for results in product((0, 1), repeat=5):  # 1 fails; what comes after the third is played for nothing
        part, won, lost = Fraction(1), 0, 0
        for result in results:
            if 3 not in (won, lost):
                part *= chance[won, lost] if result else 1 - chance[won, lost]
                won, lost = won + 1 - result, lost + result
            else:
                part /= 2
        whole += part * (won == 3)
    return whole


@pytest.mark.parametrize("players", [5, 7, 10])
@pytest.mark.parametrize("gaps", [False, True])
def test_the_chain_is_the_sum_over_all_results(players, gaps):
    """Some random records, with and without teams and scores that never were."""
    rng, board = np.random.default_rng(players), BOARDS[players]
    rows = []
    for won, lost in SCORES[:-1] if gaps else SCORES:
        for evil in range(min(board.evil, board.sizes[won + lost]) + 1):
            times = rng.integers(0 if gaps else 1, 4, evil + 1).tolist()
            rows += [(won, lost, evil, shown, count) for shown, count in enumerate(times) if not gaps or count != 1]
    for teams, fails in product(missions.FROM, repeat=2):
        found = missions.three_successes(cards(rows, players), teams, fails)
        assert found == pytest.approx(float(plain_chain(rows, players, teams, fails)), abs=1e-9), (teams, fails)


@dataclass(frozen=True)
class Sticky(AtRandom):
    """Who went last goes again if that succeeded: what comes hangs on more than the score."""

    def teams(self, view, public):
        every = super().teams(view, public)
        if not public.missions or public.missions[-1].failed:
            return every
        last = set(public.missions[-1].team)
        return sorted(every, key=lambda team: -len(last & set(team)))[:2]


@pytest.mark.parametrize("players", [5, 8])
def test_both_from_the_records_give_back_the_games(players):
    """Each game that comes to a score leaves it, so the chain loses nothing, whatever else the games hang on."""
    rows, won = [], 0
    for played in games(BOARDS[players], (), Sticky(approve=1, fail=0.4), 150, seed=5):
        results = [0, 0]
        for mission in played.public.missions:
            evil = sum(is_evil(played.roles[seat]) for seat in mission.team)
            rows.append((*results, evil, mission.fails, 1))
            results[int(mission.failed)] += 1
        won += played.ending == "three successes"
    found = missions.three_successes(cards(rows, players))
    assert 15 < won < 135 and found == pytest.approx(won / 150, abs=1e-9)
    assert abs(found - missions.three_successes(cards(rows, players), teams="chance")) > 0.02


def test_shots_by_hand():
    rows = pd.DataFrame(
        [
            (5, 2, 3, "merlin", 4),
            (5, 2, 3, "loyal", 5),
            (5, 2, 5, "oberon", 1),
            (10, 4, 5, "merlin", 2),
            (10, 4, 5, "percival", 8),
        ],
        columns=["players", "evil_players", "missions_played", "shot", "games"],
    )
    found = missions.shots(rows, ["missions_played"], level=0.9)
    assert found.columns.tolist() == ["shots", "estimate", "error", "low", "high", "chance"]
    assert found["shots"].tolist() == [9, 11] and found.index.tolist() == [3, 5]
    assert found.loc[3].tolist()[1:5] == list(share(4, 9, level=0.9)[:4])
    assert found["chance"].tolist() == pytest.approx([1 / 3, (1 / 3 + 10 / 6) / 11])
    everybody = missions.shots(rows, [])
    assert everybody.index.tolist() == ["all"] and everybody.at["all", "estimate"] == 0.3
    assert everybody.at["all", "chance"] == pytest.approx((10 / 3 + 10 / 6) / 20)


def test_recorded_shots_by_a_recount():
    rows, counted = publish.observed("avalon_shots"), defaultdict(lambda: [0, 0])
    for players, shot, times in rows[["players", "shot", "games"]].itertuples(index=False):
        counted[players][0] += times * (shot == "merlin")
        counted[players][1] += times
    found = missions.shots(rows, ["players"])
    for players, (hit, shots) in counted.items():
        assert found.at[players, "shots"] == shots and found.at[players, "estimate"] == pytest.approx(hit / shots)
        assert found.at[players, "chance"] == pytest.approx(1 / (players - BOARDS[players].evil))
    assert (rows["games"].sum(), sum(hit for hit, _ in counted.values())) == (8_103, 2_972)


GOOD = cards([(0, 0, 1, 1, 7), (2, 1, 0, 0, 3)])
WENT = pd.DataFrame({"players": [5], "mission": [1], "evil_in_team": [0], "teams": [4]})
SHOT = pd.DataFrame({"players": [5], "evil_players": [2], "missions_played": [3], "shot": ["merlin"], "games": [4]})

test_refused = refuses(
    (lambda: missions.three_successes(GOOD, "people"), "teams = 'people': one of 'chance', 'records' is needed"),
    (lambda: missions.three_successes(GOOD, fails="x"), "fails = 'x': one of 'chance', 'records' is needed"),
    (
        lambda: missions.three_successes(pd.concat([GOOD, GOOD.assign(players=6)])),
        r"cards.players = \[5, 6\]: one number of players is needed",
    ),
    (lambda: missions.three_successes(GOOD[:0]), r"cards.players = \[\]: one number of players is needed"),
    (lambda: missions.three_successes(GOOD.assign(teams=0)), r"cards.players = \[\]: one number of players is needed"),
    (lambda: missions.three_successes(GOOD.assign(failed=3)), r"cards.failed = 3: one of \[0, 1, 2\] is needed"),
    (lambda: missions.three_successes(GOOD.assign(evil_in_team=3)), "cards.evil_in_team = 3: no more evil than there"),
    (lambda: missions.three_successes(GOOD.assign(fails=2)), "cards.fails = 2: no more evil than there is can be"),
    (lambda: missions.three_successes(GOOD.drop(columns="fails")), "cards = DataFrame: .* a column fails is needed"),
    (lambda: missions.clean_teams(WENT.assign(players=11)), r"teams.players = 11: one of \[5, .*, 10\] is needed"),
    (lambda: missions.clean_teams(WENT.assign(mission=0)), r"teams.mission = 0: one of \[1, 2, 3, 4, 5\] is needed"),
    (lambda: missions.clean_teams(WENT, ["merlin"]), "teams = DataFrame: a table with a column merlin is needed"),
    (lambda: missions.clean_teams(WENT, 7), "by = 7: a list is needed"),
    (lambda: missions.clean_teams(WENT, level=0), "level = 0: a number between 0 and 1 is needed"),
    (lambda: missions.shots(SHOT, ["seat"]), "shot = DataFrame: a table with a column seat is needed"),
    (
        lambda: missions.shots(SHOT.drop(columns="evil_players"), []),
        "shot = DataFrame: .* column evil_players is needed",
    ),
    (lambda: missions.shots(SHOT.assign(missions_played=2), []), r"shot.missions_played = 2: one of \[3, 4, 5\]"),
)
