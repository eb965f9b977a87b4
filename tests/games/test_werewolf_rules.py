"""The rules of Werewolf: set-ups, what everybody sees after each event, who speaks, who dies, who knows what."""

import pytest

from gamebalance.games.werewolf import rules
from gamebalance.games.werewolf.rules import (
    SEER,
    VILLAGER,
    WOLF,
    Night,
    Public,
    Setup,
    Speech,
    Statement,
    Votes,
)
from tests.refusals import refuses

FOUR = Setup(1, 2)
SEATS = (WOLF, SEER, VILLAGER, VILLAGER)


test_what_is_refused = refuses(
    (lambda: Setup(0), "^wolves = 0: a whole number from 1 to 9 is needed$"),
    (lambda: Setup(10), "^wolves = 10: "),
    (lambda: Setup(villagers=-1), "^villagers = -1: a whole number from 0 to 9 is needed$"),
    (lambda: Setup(villagers=10), "^villagers = 10: "),
    (lambda: Setup(tie="coin"), "^tie = 'coin': one of 'random', 'nobody' is needed$"),
    (lambda: Setup(reveal=None), "^reveal = None: True or False"),
    (lambda: Setup(1, 0), r"^players \(wolves \+ seer \+ villagers\) = 2: a whole number from 3 to 9 is needed$"),
    (lambda: Setup(2, 7), r"^players .* = 10: "),
    (lambda: Setup(2, 1), "^wolves = 2: fewer than half of 4 players are needed$"),
    (lambda: Setup(4, 2), "^wolves = 4: fewer than half of 7 players are needed$"),
)


def after(*events):
    public = rules.start(FOUR)
    for event in events:
        public = public.after(event)
    return public


def state(public):
    return public.living, public.speakers, public.is_night, public.winner


def test_a_day_as_everybody_sees_it():
    """Player 2 dies; 0 says nothing, 1 claims, 3 says nothing; 0 is hanged."""
    night, claim = Night(2, VILLAGER, None), Statement(0, True)
    votes = Votes(((0, 1), (1, 0), (3, 0)), 0, WOLF, "town")
    begun = after()
    assert begun == Public((), (True,) * 4, ((), (), (), ())) and begun.alive == (True,) * 4
    assert begun.claims == ((), (), (), ())
    assert state(begun) == ((0, 1, 2, 3), (), True, None)
    assert state(after(night)) == ((0, 1, 3), (0, 1, 3), False, None)
    assert state(after(night, Speech(0, None))) == ((0, 1, 3), (1, 3), False, None)
    spoken = after(night, Speech(0, None), Speech(1, claim))
    assert state(spoken) == ((0, 1, 3), (3,), False, None)
    assert spoken.claims == ((), (claim,), (), ()) and spoken.alive == (True, True, False, True)
    noon = spoken.after(Speech(3, None))
    assert state(noon) == ((0, 1, 3), (), False, None)
    over = noon.after(votes)
    assert state(over) == ((1, 3), (), True, "town") and over.alive == (False, True, False, True)
    assert over.events == (night, Speech(0, None), Speech(1, claim), Speech(3, None), votes)


def test_nobody_may_be_hanged():
    night = Night(2, None, None)
    public = after(night, Votes(((0, 1), (1, 3), (3, 0)), None, None, None))
    assert state(public) == ((0, 1, 3), (), True, None)
    assert public.after(Night(3, None, "wolves")).winner == "wolves"


@pytest.mark.parametrize(
    ("living", "winner"),
    [((0, 1, 2, 3), None), ((0, 1, 2), None), ((0, 1), "wolves"), ((0,), "wolves"), ((1, 2), "town"), ((), "town")],
)
def test_who_has_won(living, winner):
    assert rules.winner(SEATS, living) == winner


def test_two_wolves_among_four_are_half():
    assert rules.winner((WOLF, WOLF, SEER, VILLAGER), (0, 1, 2, 3)) == "wolves"
    assert rules.winner((WOLF, WOLF, SEER, VILLAGER, VILLAGER), (0, 1, 2, 3, 4)) is None


def test_a_night_shows_the_role_if_the_table_does():
    dawn, hidden = after(Night(3, VILLAGER, None)), Setup(1, 2, reveal=False)
    assert rules.night_event(FOUR, SEATS, after(), 1) == Night(1, SEER, None)
    assert rules.night_event(hidden, SEATS, after(), 1) == Night(1, None, None)
    assert rules.night_event(FOUR, SEATS, dawn, 2) == Night(2, VILLAGER, "wolves")


def test_a_vote_shows_the_role_of_who_is_hanged():
    dawn, hidden = after(Night(3, VILLAGER, None)), Setup(1, 2, reveal=False)
    votes = ((0, 1), (1, 0), (2, 0))
    assert rules.vote_event(FOUR, SEATS, dawn, votes, 0) == Votes(votes, 0, WOLF, "town")
    assert rules.vote_event(FOUR, SEATS, dawn, votes, 1) == Votes(votes, 1, SEER, "wolves")
    assert rules.vote_event(hidden, SEATS, dawn, votes, 0) == Votes(votes, 0, None, "town")
    assert rules.vote_event(FOUR, SEATS, dawn, votes, None) == Votes(votes, None, None, None)


def test_most_votes():
    votes = ((0, 3), (1, 0), (2, 0), (3, 2), (4, 3))
    assert rules.hangings(FOUR, votes) == (0, 3) and rules.hangings(Setup(1, 2, tie="nobody"), votes) == (None,)
    assert rules.hangings(Setup(1, 2, tie="nobody"), votes[1:]) == (0,) == rules.hangings(FOUR, votes[1:])


def test_who_knows_what():
    roles = (VILLAGER, WOLF, SEER, WOLF, VILLAGER)
    assert rules.view(2, roles, (3, 0)) == (SEER, (Statement(3, True), Statement(0, False)))
    assert rules.view(1, roles, (3, 0)) == rules.view(3, roles, ()) == (WOLF, (1, 3))
    assert rules.view(0, roles, (3, 0)) == (VILLAGER, ())
