"""Games of Avalon, read and counted, and the posterior tried on strangers."""

from math import comb, log2

import pytest

from make import avalon
from make.avalon_logs import game
from tests.observed.made_up import FAILED, NAME, PASSED, avalon_game, put
from tests.refusals import refused

NO_MERLIN = ("LOYAL FOLLOWER", "LOYAL FOLLOWER", "LOYAL FOLLOWER", "OBERON", "EVIL MINION")


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


PROPOSAL = ("missions", 1, "proposals", 0)
OUTCOME_ROLES = ("outcome", "roles")


def with_missions(*missions):
    return (), avalon_game(missions)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ((*OUTCOME_ROLES, 0, "role"), "LOYAL FOLLOWER", "2 evil of 5 is needed"),
        ((*PROPOSAL, "state"), "APPROVED", "proposals[0].state = 'APPROVED': 'REJECTED' is needed"),
        ((*PROPOSAL, "proposer"), "e", "missions[1].proposals[0].proposer = 'e': 'b' is needed"),
        (("missions", 0, "state"), "FAIL", "missions[0].state = 'FAIL': 'SUCCESS' is needed"),
        (("missions", 0, "team"), ["a", "c"], "missions[0].team = ['a', 'c']: the team that was approved is needed"),
        (("outcome", "votes"), [], "outcome.votes: the cards of missions[0] are missing"),
        (("outcome", "message"), "Merlin assassinated", "what the record tells, 'merlin missed', is needed"),
        (("outcome", "state"), "EVIL_WIN", "outcome.state = 'EVIL_WIN': 'GOOD_WIN' is needed"),
        (
            *with_missions(([("ab", "abc")], "a"), *PASSED[1:], PASSED[3]),
            "outcome.votes[0]: a is good and played a fail",
        ),
        (*with_missions(*PASSED, ([("abc", "abcde")], "")), "missions[4].proposals[0]: no team is to be proposed"),
        (*with_missions(([("ab", "abc"), ("ab", "abc")], "")), "missions[0].proposals[1]: no team is to be proposed"),
        (*with_missions(([("ab", "a")] * 4, None)), "missions: the game stops after 0"),
    ],
)
def test_what_is_broken_is_named(path, value, message):
    with refused(message):
        game(put(avalon_game(), path, value), NAME)
