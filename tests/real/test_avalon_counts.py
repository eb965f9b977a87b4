"""The frozen counts of Avalon agree with each other, with the source, and with what their README says of them."""

import json
from math import comb, log2
from pathlib import Path

import pandas as pd
import pytest

from gamebalance import publish
from gamebalance.commands.main import main
from tests.real.made_up_avalon import FAILED, NAME, avalon_game

ROOT = Path(__file__).resolve().parents[2]
EVIL_PLAYERS = {5: 2, 6: 2, 7: 3, 8: 3, 9: 3, 10: 4}  # as the rule book says
SIZES = {5: (2, 3, 2, 3, 3), 6: (2, 3, 4, 3, 4), 7: (2, 3, 3, 4, 4)} | dict.fromkeys((8, 9, 10), (3, 4, 4, 5, 5))
GAMES, SHOTS, TEAMS, PROPOSALS, VOTES, SEATS = 12_882, 8_103, 53_344, 90_825, 608_724, 85_004
AFTER_THREE = ["merlin shot", "merlin missed"]


@pytest.fixture(autouse=True)
def _real(monkeypatch):
    monkeypatch.setenv("GAMEBALANCE_ROOT", str(ROOT))


def table(name: str) -> pd.DataFrame:
    return publish.observed(f"avalon_{name}")


def early(name: str) -> pd.DataFrame:
    """The games that the source's README is about."""
    return table(name).query("period == 'to August 2021'")


@pytest.mark.parametrize(
    ("name", "of", "total"),
    [
        *(("outcomes", "games", GAMES), ("shots", "games", SHOTS), ("teams", "teams", TEAMS)),
        *(("cards", "teams", TEAMS), ("proposals", "proposals", PROPOSALS), ("votes", "votes", VOTES)),
        *(("sittings", "rooms", 2_351), ("groups", "groups", 869), ("persons", "persons", 11_113)),
    ],
)
def test_totals(name, of, total):
    assert table(name)[of].sum() == total


@pytest.mark.parametrize(
    ("name", "games", "of", "total"),
    [
        *(("sittings", "games_in_room", "rooms", GAMES), ("groups", "games", "groups", GAMES)),
        ("persons", "games", "persons", SEATS),
    ],
)
def test_games_of_rooms_groups_and_persons_add_up(name, games, of, total):
    found = table(name)
    assert (found[games] * found[of]).sum() == total


def test_games_votes_and_proposals_fit():
    outcomes, votes, proposals = table("outcomes"), table("votes"), table("proposals")
    assert (outcomes["evil_players"] == outcomes["players"].map(EVIL_PLAYERS)).all()
    assert (outcomes["games"] * outcomes["players"]).sum() == SEATS
    assert (proposals["players"] * proposals["proposals"]).sum() == VOTES
    by_players = proposals.groupby(["players", "merlin", "mission"])["proposals"].sum()
    for voter, has in (("merlin", 1), ("evil", None)):
        rows = votes[votes["voter"] == voter].groupby(["players", "merlin", "mission"])["votes"].sum()
        each = rows.index.get_level_values("players").map(EVIL_PLAYERS) if has is None else 1
        wanted = by_players if has is None else by_players[by_players.index.get_level_values("merlin") == has]
        assert (rows // each).equals(wanted.rename("votes")) and not (rows % each).any()
    assert set(votes["batch"]) == set(range(10))


def test_shots_are_at_merlin_after_three_successes():
    outcomes, shots = table("outcomes"), table("shots")
    keys = ["period", "players", "special_roles", "evil_players"]
    ends = outcomes[outcomes["how"].isin(AFTER_THREE)]
    assert ends.groupby(keys)["games"].sum().equals(shots.groupby(keys)["games"].sum())
    hits = outcomes[outcomes["how"] == "merlin shot"].groupby(keys)["games"].sum()
    assert hits.equals(shots[shots["shot"] == "merlin"].groupby(keys)["games"].sum())
    by_evil = shots[shots["shot"].isin(["minion", "morgana", "mordred", "oberon", "assassin"])]
    assert by_evil.groupby("shot")["games"].sum().to_dict() == {"minion": 16, "mordred": 6, "morgana": 43, "oberon": 27}
    assert shots["special_roles"].str.startswith("merlin").all() and set(shots["missions_played"]) == {3, 4, 5}


def test_teams_are_of_the_size_and_fail_as_the_rules_say():
    teams = table("teams")
    size = [SIZES[players][mission - 1] for players, mission in zip(teams["players"], teams["mission"], strict=True)]
    assert (teams["team_size"] == size).all() and (teams["fails"] <= teams["evil_in_team"]).all()
    needed = 1 + ((teams["mission"] == 4) & (teams["players"] >= 7))
    odd = teams[(teams["result"] == "fail") != (teams["fails"] >= needed)]
    assert odd["teams"].sum() <= 1  # of the one game with the numbers exchanged
    cards, keys = table("cards"), ["players", "mission", "evil_in_team", "fails"]
    assert cards.groupby(keys)["teams"].sum().equals(teams.groupby(keys)["teams"].sum())
    assert (cards["succeeded"] + cards["failed"] + 1 == cards["mission"]).all()
    assert (cards[["succeeded", "failed"]] <= 2).all(axis=None)
    assert table("proposals").query("accepted == 1")["proposals"].sum() == TEAMS


def test_what_the_source_prints():
    """Its README of September 2021 and the notebook beside it, and where they are wrong."""
    games = early("outcomes")
    merlin, evil = games["special_roles"].str.startswith("merlin"), games["winner"] == "evil"
    shot, three = games["how"] == "merlin shot", games["how"].isin(AFTER_THREE)

    def number(rows) -> int:
        return int(games.loc[rows, "games"].sum())

    assert (number(slice(None)), number(evil), number(shot)) == (12_227, 6_835, 2_801)  # 12,228 in its text
    assert (number(three), number(~evil) + number(shot)) == (7_657, 8_193)  # "8194 attempts"
    assert round(number(merlin) / 12_227, 2) == 0.92 and round(number(three) / number(merlin), 2) == 0.68
    assert round(number(merlin & evil) / number(merlin), 2) == 0.57
    assert round(number(shot) / number(merlin & evil), 2) == 0.44
    assert round(number(~merlin & evil) / number(~merlin), 3) == 0.484  # "about 50%"
    plain = games["special_roles"] == "none"
    assert round(number(plain & evil) / number(plain), 3) == 0.503
    shots = early("shots")
    hits = shots[shots["shot"] == "merlin"]
    by_players = hits.groupby("players")["games"].sum() / shots.groupby("players")["games"].sum()
    assert by_players.round(3).tolist() == [0.402, 0.355, 0.361, 0.355, 0.29, 0.384]  # "30-35%" at six to eight
    by_missions = hits.groupby("missions_played")["games"].sum().tolist()
    assert by_missions == [631, 1_156, 1_014]
    assert shots.groupby("missions_played")["games"].sum().tolist() == [1_997, 3_401, 2_259]


def test_percival_is_shot_more_often_than_a_plain_good_player():
    shots = early("shots")
    shots = shots[shots["special_roles"].str.contains("percival")]
    games = shots.groupby("players")["games"].sum()
    loyal = shots[shots["shot"] == "loyal"].groupby("players")["games"].sum()
    each = loyal / (games.index - games.index.map(EVIL_PLAYERS) - 2)
    percival = shots.loc[shots["shot"] == "percival", "games"].sum()
    assert (round(percival / games.sum(), 3), round(each.sum() / games.sum(), 3)) == (0.248, 0.197)


def test_the_posterior_is_of_each_seat():
    """As many seats and as much probability as there are evil people, whatever is looked at."""
    seats = table("posterior")
    keys = ["players", "merlin", "after_mission", "evidence"]
    sums = seats.groupby(keys)[["expected", "seats", "evil"]].sum().reset_index()
    share = sums["players"].map(EVIL_PLAYERS) / sums["players"]
    assert (sums["evil"] == sums["seats"] * share).all()
    assert (sums["expected"] - sums["evil"]).abs().max() < 0.0005 * 20
    mean = seats["expected"] / seats["seats"]
    assert ((mean >= seats["bin"] / 20 - 0.0005) & (mean <= (seats["bin"] + 1) / 20 + 0.0005)).all()
    surprise = table("surprise")
    games = surprise.groupby(keys)["games"].sum().reset_index()
    assert (games["games"] * games["players"]).tolist() == sums["seats"].tolist()
    prior = [log2(comb(players, EVIL_PLAYERS[players])) for players in surprise["players"]]
    assert (surprise["games"] * prior - surprise["prior_bits"]).abs().max() < 0.001
    assert set(surprise["batch"]) == {1, 3, 5, 7, 9}


def test_fails_and_voters_tell_most():
    """Fails and who approved leave the fewest bits after every mission; all votes add nothing to the fails."""
    surprise = (
        table("surprise").query("merlin == 1").groupby(["after_mission", "evidence"])[["bits", "prior_bits"]].sum()
    )
    bits = surprise["bits"].unstack()
    assert (bits.idxmin(axis=1) == "missions and voters").all()
    assert (bits["both"] > bits["missions"]).all() and (bits["voters"] < bits["votes"]).all()
    assert (bits["voters"] < surprise["prior_bits"].unstack()["voters"]).all()
    seats = table("posterior").query("evidence == 'missions and voters' and merlin == 1")
    bins = seats.groupby("bin")[["expected", "seats", "evil"]].sum()
    assert ((bins["expected"] - bins["evil"]) / bins["seats"]).abs().max() < 0.03


def test_shooters():
    shooter = table("shooter").groupby("evidence")[["games", "hits_people", "hits_posterior", "chance_hits"]].sum()
    assert (shooter[["games", "hits_people"]].nunique() == 1).all()
    assert shooter["games"].iloc[0] <= SHOTS and (shooter["hits_posterior"] > shooter["hits_people"]).all()
    assert (shooter["hits_people"] > shooter["chance_hits"]).all()


def test_the_command_writes_these_files(tmp_path, capsys):
    logs, out = tmp_path / "logs", tmp_path / "out"
    logs.mkdir()
    for name, record in ((NAME, avalon_game()), (NAME.replace("2020", "2019"), avalon_game(FAILED, persons="vwxyz"))):
        (logs / name).write_text(json.dumps(record))
    with pytest.raises(SystemExit) as stop:
        main(["observed", "count", "avalon", str(tmp_path), "--out", str(out)])
    assert stop.value.code == 0
    assert capsys.readouterr().out == f"games: 2; 12 files written to {out}\n"
    frozen = {file.name: file.read_text().splitlines()[0] for file in (ROOT / "data/observed").glob("avalon_*.csv")}
    assert {file.name: file.read_text().splitlines()[0] for file in out.iterdir()} == frozen
