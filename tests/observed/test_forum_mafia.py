"""Games of forum Mafia, read and replayed night by night."""

import pytest

from make.forum_mafia import counts, game, replay
from tests.observed.made_up import forum_game
from tests.refusals import refused


def test_a_game():
    played = game(forum_game())
    assert (played.year, played.winner, len(played.roles)) == (2018, "Town", 15)
    assert (played.roles["cop"], played.roles["m3"], played.roles["t9"]) == ("cop", "mafioso", "no role")
    assert played.bullets == [None, "m2"] and played.voted_out == [None, "m1", "m3"]
    assert game(forum_game(id="MM/DD/2019 G#", winner="Team", mafia=["player"] * 3)) is None


def test_the_nights():
    """One shot is survived by whoever is saved, two are not; a saved vigilante's victim lives as well."""
    nights = replay(game(forum_game()))
    assert [(row["alive"], row["saved"], row["vote"][1]) for row in nights] == [(15, 1, 14), (14, 0, 12), (11, 0, 10)]
    saved = replay(game(forum_game(save=["cop", "m2"], lynched=["NONE", "m1", "m3"], winner="Mafia")))
    assert (saved[1]["saved"], saved[1]["vote"][1]) == (1, 13)


def test_counts():
    """The second game is of 2017, and only its winner and its first victims count; the third contradicts itself."""
    early = forum_game(id="01/04/2017 G1", kill=[["t9", "medic"]], save=["t9"], shot=["t9"], winner="Mafia")
    found = counts([game(record) for record in (forum_game(), early, forum_game(winner="Mafia"))])
    found = {name: frame.values.tolist() for name, frame in found.items()}
    assert found["outcomes"] == [[2017, "Mafia", 1], [2018, "Mafia", 1], [2018, "Town", 1]]
    assert found["first_victims"] == [["cop", 1, 2], ["medic", 0, 1], ["no role", 0, 2], ["no role", 1, 1]]
    assert found["votes"] == [[1, 14, 3, "nobody", 1], [2, 12, 2, "mafioso", 1], [3, 10, 1, "mafioso", 1]]
    assert found["nights"] == [
        [1, 15, 3, 2, 2, 1, 1, "nobody", 1],
        [2, 14, 3, 2, 1, 1, 0, "mafioso", 1],
        [3, 11, 1, 1, 1, 1, 0, "unable", 1],
    ]
    assert found["checks"] == [[1, 15, 3, 1, 1], [2, 14, 3, 0, 1], [3, 11, 1, 1, 1]]


def test_a_dead_vigilante_is_unable_and_a_night_without_shots_no_night():
    record = forum_game(kill=[["vigilante", "t1"], ["t2"]], save=["NONE"], shot=["NONE"], lynched=["m1", "m2", "m3"])
    found = counts([game(record)])
    assert found["nights"]["vigilante"].tolist() == ["nobody", "unable"]
    assert found["votes"][["day", "alive"]].values.tolist() == [[1, 13], [2, 11], [3, 10]]


def test_votes_end_before_the_nights_where_the_mafia_wins_by_night():
    found = counts([game(forum_game(lynched=["NONE", "m1"], winner="Mafia"))])
    assert (found["votes"]["votes"].sum(), found["nights"]["games"].sum()) == (2, 3)


CONTRADICTIONS = {
    "a dead victim": {"kill": [["t1", "cop"], ["t1", "t2"], ["medic"]]},
    "a dead man saved": {"save": ["cop", "t2", "t1"]},
    "a dead man shot by the vigilante": {"shot": ["NONE", "t1"]},
    "a dead man checked": {"check": ["m1", "t1"]},
    "a dead man voted out": {"lynched": ["t1", "m1", "m3"]},
    "voted out twice": {"lynched": ["m1", "m1", "m3"]},
    "a dead cop": {"save": ["NONE", "t2", "t5"]},
    "a dead medic": {"kill": [["medic", "t1"], ["t2"], ["t3"]], "save": ["NONE", "t2"]},
    "a dead vigilante": {"kill": [["vigilante", "t1"], ["t2"], ["t3"]]},
    "a dead mafia": {"shot": ["m3", "m2"], "lynched": ["m1", "NONE"], "kill": [["t1"], ["t2"], ["t3"]]},
    "a winner who is dead": {"winner": "Mafia"},
    "a loser who lives": {"lynched": ["NONE", "m1", "t4"]},
}


@pytest.mark.parametrize("case", CONTRADICTIONS)
def test_contradictions_are_not_replayed(case):
    assert replay(game(forum_game(**CONTRADICTIONS[case]))) is None


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"mafia": ["m1", "m2"]}, "mafia = ['m1', 'm2']: a list of 3 is needed"),
        ({"cop": "t1"}, "somebody has two roles"),
        ({"check": ["who"]}, "check: 'who' is named and does not play"),
        ({"kill": ["t1"]}, "kill[0] = 't1': a list is needed"),
        ({"lynched": [None]}, "lynched[0] = None: a text is needed"),
    ],
)
def test_what_is_broken_is_named(changes, message):
    with refused(message):
        game(forum_game(**changes))
