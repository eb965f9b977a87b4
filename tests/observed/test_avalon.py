"""Games of Avalon, read and counted, and the posterior tried on strangers."""

from copy import deepcopy
from math import comb, isclose, log, log2

import numpy as np
import pytest

from gamebalance.games.avalon.posterior import hypotheses
from make import avalon
from make.avalon_logs import game, read
from tests.observed.made_up import FAILED, FIVE, NAME, PASSED, REJECTED, avalon_game, write
from tests.refusals import refused

NO_MERLIN = ("LOYAL FOLLOWER", "LOYAL FOLLOWER", "LOYAL FOLLOWER", "OBERON", "EVIL MINION")
SEVEN = (*FIVE[:3], "LOYAL FOLLOWER", "MORDRED", "OBERON", "ASSASSIN")
#: Good passes three missions, and the fourth in spite of a fail.
BEARS = [([(team, "abcd")], fails) for team, fails in [("ab", ""), ("abe", "e"), ("abc", ""), ("abcf", "f")]]


def test_a_game():
    played = game(avalon_game(), NAME)
    assert (played.time, played.room) == ("2020-01-02T03:04:05.678Z", "ABC")
    assert played.roles == ("merlin", "percival", "loyal", "morgana", "minion")
    assert (played.evil, played.has_merlin, played.ending, played.shot) == ({3, 4}, True, "merlin missed", 1)
    assert played.public.missions[1].proposals == ((1, (1, 2, 3), (1, 3)), (2, (2, 3, 4), (2, 3, 4)))
    assert [(one.team, one.fails, one.failed) for one in played.public.missions] == [
        *(((0, 1), 0, False), ((2, 3, 4), 1, True), ((0, 2), 0, False), ((0, 1, 2), 0, False))
    ]


@pytest.mark.parametrize(
    ("record", "ending", "missions", "shot"),
    [
        (avalon_game(shot="a"), "merlin shot", 4, 0),
        (avalon_game(shot="e"), "merlin missed", 4, 4),
        (avalon_game(FAILED), "three fails", 3, None),
        (avalon_game(REJECTED), "five rejections", 1, None),
        (avalon_game(roles=NO_MERLIN, shot=None), "three successes", 4, None),
        (avalon_game(BEARS, SEVEN), "merlin missed", 4, 1),
    ],
)
def test_endings(record, ending, missions, shot):
    played = game(record, NAME)
    assert (played.ending, len(played.public.missions), played.shot) == (ending, missions, shot)


def test_reading_is_by_time_and_takes_nothing_else(tmp_path):
    later, other = NAME.replace("2020", "2021"), "2019-01-02T03:04:05.678Z_XYZ"
    made = {f"logs/{later}": avalon_game(), other: avalon_game(FAILED), f"logs/{NAME}.json": [], "README.md": []}
    write(tmp_path, made | {f"logs/{NAME}": avalon_game(shot="a")})
    (tmp_path / "2017-01-02T03:04:05.678Z_ABC").mkdir()
    assert [one.ending for one in read(tmp_path)] == ["three fails", "merlin shot", "merlin missed"]


def games():
    """Three games of one group, and one of strangers later, without Merlin; the fifth has a person of either group."""
    later = NAME.replace("2020", "2021").replace("-01-", "-09-").replace("ABC", "XYZ")
    return [
        game(avalon_game(), NAME),
        game(avalon_game(shot="a", persons="edcba"), NAME),
        game(avalon_game(FAILED, persons="fghia"), NAME.replace("ABC", "ABD")),
        game(avalon_game(roles=NO_MERLIN, shot=None, persons="vwxyz"), later),
    ]


EARLY, LATE = ["to August 2021", 5, "merlin+percival+morgana", 2], ["later", 5, "oberon", 2]


def test_counts_of_games():
    found = {name: frame.values.tolist() for name, frame in avalon.counts(games()).items()}
    assert found["outcomes"] == [
        [*LATE, "good", "three successes", 1, 1],
        [*EARLY, "evil", "merlin shot", 0, 1],
        [*EARLY, "evil", "three fails", 0, 1],
        [*EARLY, "good", "merlin missed", 0, 1],
    ]
    assert found["shots"] == [[*EARLY, 4, "merlin", 1], [*EARLY, 4, "percival", 1]]
    assert [row[4:] for row in found["teams"] if row[:4] == EARLY] == [
        *([1, 2, 0, "success", 0, 2], [1, 2, 2, "fail", 2, 1], [2, 3, 1, "fail", 1, 1], [2, 3, 2, "fail", 1, 2]),
        *([3, 2, 0, "success", 0, 2], [3, 2, 1, "fail", 1, 1], [4, 3, 0, "success", 0, 2]),
    ]
    assert [row[2:] for row in found["cards"] if row[1]] == [
        *([1, 0, 0, 0, 0, 2], [1, 0, 0, 2, 2, 1], [2, 0, 1, 1, 1, 1], [2, 1, 0, 2, 1, 2]),
        *([3, 0, 2, 1, 1, 1], [3, 1, 1, 0, 0, 2], [4, 2, 1, 0, 0, 2]),
    ]
    assert (found["sittings"], found["groups"]) == ([[1, 2], [2, 1]], [[1, 1], [3, 1]])
    assert found["persons"] == [[1, 9], [2, 4], [3, 1]]


def test_counts_of_votes_and_proposals():
    found = {name: frame.values.tolist() for name, frame in avalon.counts(games()[:1]).items()}
    votes = [row[2:] for row in found["votes"] if row[2] <= 2]
    assert sum(row[-1] for row in found["votes"]) == 5 * 5
    assert votes == [
        *([1, 0, "evil", 0, 0, 0, 2], [1, 0, "good", 0, 1, 0, 1], [1, 0, "good", 1, 1, 0, 1]),
        *([1, 0, "merlin", 1, 1, 0, 1], [2, 1, "evil", 0, 0, 0, 1], [2, 1, "evil", 1, 1, 0, 3]),
        *([2, 1, "good", 0, 0, 0, 1], [2, 1, "good", 1, 0, 0, 1], [2, 1, "good", 1, 1, 0, 2]),
        [2, 1, "merlin", 0, 0, 0, 2],
    ]
    assert [row[2:] for row in found["proposals"]] == [
        *([1, 1, "merlin", 0, 1, 1], [2, 1, "percival", 1, 0, 1], [2, 2, "good", 2, 1, 1]),
        *([3, 1, "evil", 0, 1, 1], [4, 1, "evil", 0, 1, 1]),
    ]


def test_groups_are_people_who_played_with_each_other():
    """Two groups become one by a game of somebody from either, whenever that is."""
    records = [("abcde", 0), ("fghij", 0), ("klmno", 1), ("ajpqr", 0), ("klmno", 1)]
    found = [game(avalon_game(persons=persons), NAME) for persons, _ in records]
    assert avalon.groups(found) == [group for _, group in records]


def test_held_out_counts():
    """Batch 0 teaches, batch 1 is tried: by hand from the fails of the first mission."""
    strangers = [avalon_game(FAILED, persons="abcde"), avalon_game(shot="a", persons="fghij")]
    found = avalon.counts([game(record, NAME) for record in (*strangers, avalon_game(persons="fghij"))])
    surprise = found["surprise"].set_index(["after_mission", "evidence"])
    # A team of two without a fail. Of one evil member nothing was learned: a half. Two of two once played two fails.
    fails = {0: 1, 1: 1 / 2, 2: 0.5 / 2.5}
    total = 3 * fails[0] + 6 * fails[1] + fails[2]
    assert surprise.loc[(1, "missions"), "bits"] == pytest.approx(2 * -log2(1 / total), abs=1e-3)
    assert (surprise["prior_bits"] == round(2 * log2(comb(5, 2)), 3)).all() and (surprise["batch"] == 1).all()
    seats = found["posterior"].query("after_mission == 1 and evidence == 'missions'")
    # Two seats in the team, three outside; the evil ones, seats 3 and 4, are outside.
    inside = (3 * fails[1] + fails[2]) / total
    outside = (2 - 2 * inside) / 3
    assert seats[["bin", "seats", "evil"]].values.tolist() == [[int(20 * inside), 4, 0], [int(20 * outside), 6, 4]]
    assert seats["expected"].tolist() == pytest.approx([4 * inside, 6 * outside], abs=1e-3)
    shooter, by_votes = found["shooter"].to_dict("records")
    assert (shooter["evidence"], by_votes["evidence"], shooter["chance_hits"]) == ("voters", "votes", 0.667)
    assert [shooter[key] for key in ("players", "missions_played", "batch", "games", "hits_people")] == [5, 4, 1, 2, 1]


def test_the_best_shot():
    """Merlin is who votes as Merlin does; where nothing tells, each seat has its part."""
    played = game(avalon_game(shot="a"), NAME)
    merlin = hypotheses(played.public.board, True).merlin
    even = np.zeros(len(merlin))
    assert isclose(avalon.best_shot(played, even), 1 / 3)
    assert avalon.best_shot(played, even + (merlin == 0)) == 1
    assert avalon.best_shot(played, even + (merlin == 2)) == 0
    assert avalon.best_shot(played, even - (merlin == 2) * log(3)) == 0.5


def changed(record, path, value):
    """A copy of the record with something else in a place, or without it."""
    *way, last = path
    at = record = deepcopy(record)
    for key in way:
        at = at[key]
    if value is KeyError:
        del at[last]
    else:
        at[last] = value
    return record


PROPOSAL = ("missions", 1, "proposals", 0)
OUTCOME_ROLES = ("outcome", "roles")


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("players",), [{"name": "a", "uid": "a"}], "number of players = 1: a whole number from 5 to 10 is needed"),
        (("players", 0, "name"), 1, "players[0].name = 1: a text is needed"),
        (("players", 0, "name"), "b", "different names and uids is needed"),
        ((*OUTCOME_ROLES, 0, "name"), "a", "a role for each of the players is needed"),
        ((*OUTCOME_ROLES, 0, "role"), "LOYAL FOLLOWER", "2 evil of 5 is needed"),
        ((*OUTCOME_ROLES, 0, "assassin"), 1, "outcome.roles[0].assassin = 1: True or False is needed"),
        (("missions", 0, "teamSize"), 9, "missions[0].teamSize = 9: a whole number from 1 to 5 is needed"),
        ((*PROPOSAL, "votes"), ["a", "a"], "missions[1].proposals[0].votes = ['a', 'a']: different people is needed"),
        ((*PROPOSAL, "state"), "APPROVED", "proposals[0].state = 'APPROVED': 'REJECTED' is needed"),
        ((*PROPOSAL, "proposer"), "e", "missions[1].proposals[0].proposer = 'e': 'b' is needed"),
        (("missions", 0, "state"), "FAIL", "missions[0].state = 'FAIL': 'SUCCESS' is needed"),
        (("missions", 1, "numFails"), True, "missions[1].numFails = True: 1 is needed"),
        (("missions", 0, "team"), ["a", "c"], "missions[0].team = ['a', 'c']: the team that was approved is needed"),
        (("outcome", "votes", 0), {"a": 1, "b": 0}, "outcome.votes[0] = 1: True or False is needed"),
        (("outcome", "votes"), [], "outcome.votes: the cards of missions[0] are missing"),
        (("outcome", "message"), "Merlin assassinated", "what the record tells, 'merlin missed', is needed"),
        (("outcome", "state"), "EVIL_WIN", "outcome.state = 'EVIL_WIN': 'GOOD_WIN' is needed"),
        ((*PROPOSAL, "votes"), KeyError, "missions[1].proposals[0] lacks the field 'votes'"),
    ],
)
def test_what_is_broken_is_named(path, value, message):
    with refused(message):
        game(changed(avalon_game(), path, value), NAME)


@pytest.mark.parametrize(
    ("missions", "message"),
    [
        ([([("ab", "abc")], "a"), *PASSED[1:], PASSED[3]], "outcome.votes[0]: a is good and played a fail"),
        ([*PASSED, ([("abc", "abcde")], "")], "missions[4].proposals[0]: no team is to be proposed any more"),
        ([([("ab", "abc"), ("ab", "abc")], "")], "missions[0].proposals[1]: no team is to be proposed any more"),
        ([([("ab", "a")] * 6, None)], "missions[0].proposals[5]: no team is to be proposed any more"),
        ([([("ab", "a")] * 4, None)], "missions: the game stops after 0"),
        ([([("ab", "a")] * 4, None), *PASSED], "missions[1].proposals[0]: no team is to be proposed any more"),
        ([([("ab", "a")], "")], "missions[0].state = 'SUCCESS': 'PENDING' is needed"),
    ],
)
def test_contradictions_are_named(missions, message):
    with refused(message):
        game(avalon_game(missions), NAME)
    with refused("outcome.assassinated = 'a': None is needed"):
        game(changed(avalon_game(FAILED), ("outcome", "assassinated"), "a"), NAME)
    with refused("name = 'x': a time and a room, as in '2020-01-02T03:04:05.678Z_ABC', are needed"):
        game(avalon_game(), "x")
