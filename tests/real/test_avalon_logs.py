"""Games of Avalon, read and counted."""

import json
import re
from copy import deepcopy

import pytest

from chapters.real import avalon_counts, avalon_held_out
from chapters.real.avalon_logs import Mission, Proposal, game, read
from tests.real.made_up_avalon import FAILED, FIVE, NAME, PASSED, REJECTED, avalon_game
from tests.refusals import refused

NO_MERLIN = ("LOYAL FOLLOWER", "LOYAL FOLLOWER", "LOYAL FOLLOWER", "OBERON", "EVIL MINION")
SEVEN = (*FIVE[:3], "LOYAL FOLLOWER", "MORDRED", "OBERON", "ASSASSIN")


def test_a_game():
    played = game(avalon_game(), NAME)
    assert (played.time, played.room) == ("2020-01-02T03:04:05.678Z", "ABC")
    assert played.roles == ("merlin", "percival", "loyal", "morgana", "minion")
    assert (played.players, played.evil, played.merlin, played.assassins) == (5, {3, 4}, 0, (4,))
    assert (played.winner, played.ending, played.shot) == ("good", "merlin missed", 1)
    assert played.missions[1] == Mission(
        3, 1, (Proposal(1, (1, 2, 3), (1, 3), False), Proposal(2, (2, 3, 4), (2, 3, 4), True)), (3,)
    )
    assert [(one.team, one.fails, one.succeeded) for one in played.missions] == [
        *(((0, 1), 0, True), ((2, 3, 4), 1, False), ((0, 2), 0, True), ((0, 1, 2), 0, True))
    ]


@pytest.mark.parametrize(
    ("record", "ending", "winner", "missions", "shot"),
    [
        (avalon_game(shot="a"), "merlin shot", "evil", 4, 0),
        (avalon_game(shot="e"), "merlin missed", "good", 4, 4),
        (avalon_game(FAILED), "three fails", "evil", 3, None),
        (avalon_game(REJECTED), "five rejections", "evil", 1, None),
        (avalon_game(roles=NO_MERLIN, shot=None), "three successes", "good", 4, None),
    ],
    ids=["shot", "missed", "failed", "rejected", "no merlin"],
)
def test_endings(record, ending, winner, missions, shot):
    played = game(record, NAME)
    assert (played.ending, played.winner, len(played.played), played.shot) == (ending, winner, missions, shot)


def test_the_fourth_mission_of_seven_bears_one_fail():
    teams = [("ab", ""), ("abe", "e"), ("abc", ""), ("abcf", "f")]
    played = game(avalon_game([([(team, "abcd")], fails) for team, fails in teams], SEVEN), NAME)
    assert played.missions[3].fails == 1 and played.missions[3].succeeded and played.ending == "merlin missed"


def test_reading_is_by_time_and_takes_nothing_else(tmp_path):
    files = {
        "logs/2020-01-02T03:04:05.678Z_ABC": avalon_game(),
        "2019-01-02T03:04:05.678Z_XYZ": avalon_game(FAILED),
        "logs/2019-01-02T03:04:05.678Z_ABC": avalon_game(),
        "logs/2018-01-02T03:04:05.678Z_ABC.json": [],
        "README.md": [],
    }
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(json.dumps(content))
    (tmp_path / "2017-01-02T03:04:05.678Z_ABC").mkdir()
    assert [(one.time[:4], one.room, one.winner) for one in read(tmp_path)] == [
        *(("2019", "ABC", "good"), ("2019", "XYZ", "evil"), ("2020", "ABC", "good"))
    ]
    (tmp_path / "logs/2021-01-02T03:04:05.678Z_ABC").write_text("{")
    with refused("2021-01-02T03:04:05.678Z_ABC: JSON is needed"):
        read(tmp_path)
    with refused("no record was found there; files [0-9]*Z_[A-Z][A-Z][A-Z] are needed"):
        read(tmp_path / "2017-01-02T03:04:05.678Z_ABC")


def games():
    """Three games of one group, and one of strangers later, without Merlin; the fifth has a person of either group."""
    later = NAME.replace("2020", "2021").replace("-01-", "-09-").replace("ABC", "XYZ")
    return [
        game(avalon_game(), NAME),
        game(avalon_game(shot="a", persons="edcba"), NAME),
        game(avalon_game(FAILED, persons="fghia"), NAME.replace("ABC", "ABD")),
        game(avalon_game(roles=NO_MERLIN, shot=None, persons="vwxyz"), later),
    ]


ROLES = "merlin+percival+morgana"
EARLY, LATE = ["to August 2021", 5, ROLES, 2], ["later", 5, "oberon", 2]


def test_counts_of_games():
    found = avalon_counts.counts(games())
    assert found["outcomes"].values.tolist() == [
        [*LATE, "good", "three successes", 1, 1],
        [*EARLY, "evil", "merlin shot", 0, 1],
        [*EARLY, "evil", "three fails", 0, 1],
        [*EARLY, "good", "merlin missed", 0, 1],
    ]
    assert found["shots"].values.tolist() == [[*EARLY, 4, "merlin", 1], [*EARLY, 4, "percival", 1]]
    teams = found["teams"][found["teams"]["period"] == "to August 2021"]
    assert teams.drop(columns=[*"period players special_roles evil_players".split()]).values.tolist() == [
        [1, 2, 0, "success", 0, 2],
        [1, 2, 2, "fail", 2, 1],
        [2, 3, 1, "fail", 1, 1],
        [2, 3, 2, "fail", 1, 2],
        [3, 2, 0, "success", 0, 2],
        [3, 2, 1, "fail", 1, 1],
        [4, 3, 0, "success", 0, 2],
    ]
    with_merlin = found["cards"][found["cards"]["merlin"] == 1]
    assert with_merlin.drop(columns=["players", "merlin"]).values.tolist() == [
        [1, 0, 0, 0, 0, 2],
        [1, 0, 0, 2, 2, 1],
        [2, 0, 1, 1, 1, 1],
        [2, 1, 0, 2, 1, 2],
        [3, 0, 2, 1, 1, 1],
        [3, 1, 1, 0, 0, 2],
        [4, 2, 1, 0, 0, 2],
    ]
    assert found["sittings"].values.tolist() == [[1, 2], [2, 1]]
    assert found["groups"].values.tolist() == [[1, 1], [3, 1]]
    assert found["persons"].values.tolist() == [[1, 9], [2, 4], [3, 1]]


def test_counts_of_votes_and_proposals():
    found = avalon_counts.counts(games()[:1])
    votes = found["votes"].assign(key=lambda frame: frame[["mission", "evil_in_team", "voter"]].apply(tuple, axis=1))
    assert votes["votes"].sum() == 5 * 5 and set(votes["batch"]) == {0}
    said = {
        key: rows[["voter_in_team", "approved", "votes"]].values.tolist()
        for key, rows in votes.groupby("key")
        if key[0] <= 2
    }
    assert said == {
        (1, 0, "evil"): [[0, 0, 2]],
        (1, 0, "good"): [[0, 1, 1], [1, 1, 1]],
        (1, 0, "merlin"): [[1, 1, 1]],
        (2, 1, "evil"): [[0, 0, 1], [1, 1, 3]],
        (2, 1, "good"): [[0, 0, 1], [1, 0, 1], [1, 1, 2]],
        (2, 1, "merlin"): [[0, 0, 2]],
    }
    assert found["proposals"].drop(columns=["players", "merlin"]).values.tolist() == [
        [1, 1, "merlin", 0, 1, 1],
        [2, 1, "percival", 1, 0, 1],
        [2, 2, "good", 2, 1, 1],
        [3, 1, "evil", 0, 1, 1],
        [4, 1, "evil", 0, 1, 1],
    ]


def test_groups_are_people_who_played_with_each_other():
    """Two groups become one by a game of somebody from either, whenever that is."""
    records = [("abcde", 0), ("fghij", 0), ("klmno", 1), ("ajpqr", 0), ("klmno", 1)]
    found = [game(avalon_game(persons=persons), NAME) for persons, _ in records]
    assert avalon_counts.groups(found) == [group for _, group in records]
    strangers = [game(avalon_game(persons=[f"{at}{who}" for who in "abcde"]), NAME) for at in range(12)]
    assert avalon_counts.batches(strangers) == [*range(10), 0, 1]


def test_what_is_public_holds_no_role():
    record = avalon_held_out.public(games()[0])
    assert (record.players, record.evil, record.has_merlin) == (5, 2, True)
    assert [mission.fails for mission in record.missions] == [0, 1, 0, 0]
    assert record.missions[1].proposals == (((1, 2, 3), (1, 3)), ((2, 3, 4), (2, 3, 4)))
    assert avalon_held_out.public(game(avalon_game(REJECTED), NAME)).missions[1].fails is None


def changed(record, path, value):
    """A copy of the record with something else in a place, or without it."""
    *way, last = path
    record = deepcopy(record)
    at = record
    for key in way:
        at = at[key]
    if value is KeyError:
        del at[last]
    else:
        at[last] = value
    return record


PROPOSAL = ("missions", 1, "proposals", 0)
OUTCOME_ROLES = ("outcome", "roles")
MALFORMED = {
    "no list": (("players",), "a", "players = 'a': a list is needed"),
    "few": (("players",), [{"name": "a", "uid": "a"}], "number of players = 1: a whole number from 5 to 10 is needed"),
    "name": (("players", 0, "name"), 1, "players[0].name = 1: a text is needed"),
    "uid": (("players", 0, "uid"), "", "players[0].uid = '': a text is needed"),
    "two names": (("players", 0, "name"), "b", "players: two have the same name"),
    "two uids": (("players", 0, "uid"), "b", "players: two have the same uid"),
    "roles": ((*OUTCOME_ROLES, 0), KeyError, "outcome.roles = "),
    "role": ((*OUTCOME_ROLES, 0, "role"), "LADY", "outcome.roles[0].role = 'LADY': one of 'LOYAL FOLLOWER', "),
    "two roles": ((*OUTCOME_ROLES, 0, "name"), "a", "outcome.roles: somebody has two roles"),
    "evil": ((*OUTCOME_ROLES, 0, "role"), "LOYAL FOLLOWER", "outcome.roles: 1 of 5 are evil; 2 are needed"),
    "double": ((*OUTCOME_ROLES, 0, "role"), "MORGANA", "outcome.roles: 2 people are morgana; one at most is possible"),
    "assassin": ((*OUTCOME_ROLES, 0, "assassin"), 1, "outcome.roles[0].assassin = 1: True or False is needed"),
    "stranger": ((*OUTCOME_ROLES, 0, "name"), "z", "outcome.roles[0].name has 'z', who does not play"),
    "missions": (("missions", 4), KeyError, "missions = "),
    "size": (("missions", 0, "teamSize"), 9, "missions[0].teamSize = 9: a whole number from 1 to 5 is needed"),
    "team": ((*PROPOSAL, "team"), ["a", "b"], "missions[1].proposals[0].team = ['a', 'b']: 3 different people are"),
    "twice": ((*PROPOSAL, "votes"), ["a", "a"], "missions[1].proposals[0].votes = ['a', 'a']: different people are"),
    "who votes": ((*PROPOSAL, "votes"), ["z"], "missions[1].proposals[0].votes has 'z', who does not play"),
    "majority": ((*PROPOSAL, "state"), "APPROVED", "proposals[0].state = 'APPROVED': one of 'REJECTED' is needed"),
    "proposer": ((*PROPOSAL, "proposer"), None, "missions[1].proposals[0].proposer has None, who does not play"),
    "turn": ((*PROPOSAL, "proposer"), "e", "proposal 2 is of player 5; it was the turn of 2"),
    "state": (("missions", 0, "state"), "FAIL", "missions[0].state = 'FAIL': one of 'SUCCESS' is needed"),
    "fails": (("missions", 1, "numFails"), 2, "missions[1].numFails = 2: the cards have 1"),
    "true": (("missions", 1, "numFails"), True, "missions[1].numFails = True: the cards have 1"),
    "required": (("missions", 0, "failsRequired"), 0, "missions[0].failsRequired = 0: a whole number from 1 to 2 is"),
    "other team": (("missions", 0, "team"), ["a", "c"], "missions[0]: the team that was approved, that went and"),
    "cards": (("outcome", "votes", 0), {"a": 1, "b": 0}, "outcome.votes of missions[0] = "),
    "few cards": (("outcome", "votes"), [], "outcome.votes = []: a list of 4 is needed"),
    "message": (("outcome", "message"), "Draw", "outcome.message = 'Draw': one of 'Three missions succeeded', "),
    "other end": (("outcome", "message"), "Merlin assassinated", "the record tells of the end 'merlin missed'"),
    "no shot": (("outcome", "assassinated"), None, "the record tells of the end 'contradictory'"),
    "who is shot": (("outcome", "assassinated"), "z", "outcome.assassinated has 'z', who does not play"),
    "winner": (("outcome", "state"), "EVIL_WIN", "outcome.state = 'EVIL_WIN': one of 'GOOD_WIN' is needed"),
}


@pytest.mark.parametrize("case", MALFORMED)
def test_what_is_broken_is_named(case):
    path, value, message = MALFORMED[case]
    with refused(f"{NAME}: ", match=re.escape(message)):
        game(changed(avalon_game(), path, value), NAME)


CONTRADICTIONS = {
    "good fails": ([([("ab", "abc")], "a"), *PASSED[1:], PASSED[3]], "player 1 is good and played a fail"),
    "after the end": ([*PASSED, ([("abc", "abcde")], "")], "missions[4]: the game was over before"),
    "approved twice": ([([("ab", "abc"), ("ab", "abc")], "")], "proposals[0]: the team was approved, and another is"),
    "too many": ([([("ab", "a")] * 6, None)], "missions[0]: number of proposals = 6: a whole number from 0 to 5"),
    "stops": ([([("ab", "a")] * 4, None)], "missions[0].proposals: the game stops after 4"),
    "unapproved": ([([("ab", "a")], "")], "missions[0].state = 'SUCCESS': it does not fit the last proposal"),
    "a shot too many": (FAILED, "the record tells of the end 'contradictory'"),
}


@pytest.mark.parametrize("case", CONTRADICTIONS)
def test_contradictions_are_named(case):
    missions, message = CONTRADICTIONS[case]
    record = avalon_game(missions)
    if case == "a shot too many":
        record["outcome"]["assassinated"] = "a"
    with refused(f"{NAME}: ", match=re.escape(message)):
        game(record, NAME)


@pytest.mark.parametrize(
    "path",
    [
        *((key,) for key in ("players", "missions", "outcome")),
        *(("players", 0, key) for key in ("name", "uid")),
        *(("outcome", key) for key in ("message", "state", "votes", "roles", "assassinated")),
        *((*OUTCOME_ROLES, 0, key) for key in ("name", "role", "assassin")),
        *(("missions", 0, key) for key in "teamSize failsRequired team numFails state proposals".split()),
        *((*PROPOSAL, key) for key in ("proposer", "team", "votes", "state")),
    ],
    ids=lambda path: ".".join(map(str, path)),
)
def test_a_missing_field_is_named(path):
    with refused(NAME, match=f"lacks the field '{path[-1]}'"):
        game(changed(avalon_game(), path, KeyError), NAME)


def test_names_tell_time_and_room():
    with refused("name = 'x': a time and a room, as in '2020-01-02T03:04:05.678Z_ABC', are needed"):
        game(avalon_game(), "x")
