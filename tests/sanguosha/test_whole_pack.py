"""What the report leaves out: a finite pack, cards without effect, what follows a kill, peaches for others."""

from collections import Counter
from itertools import product
from random import Random

import pytest
from chapters.sanguosha.whole_pack import Pack, play_whole

from chapters.sanguosha import whole_pack
from gamebalance import sanguosha
from gamebalance.sanguosha.rules import AS_CODED, AS_WRITTEN, Card, hands_of
from gamebalance.sanguosha.table import Table
from gamebalance.sanguosha.turn import DEAD_PLAYER, LIVING_PLAYERS, Player, take_turn

LORD, LOYALIST, REBEL, RENEGADE = sanguosha.Role


def given(*drawn):
    """A pack that deals these cards, in this order."""
    pack = Pack(Random(0), finite=True, blanks=0)
    pack.left = list(reversed(drawn))
    return pack


def after_kill(roles, killer, drawn, more=()):
    """The killer after he has killed a player of one point of health and no card, seat 0 killing seat 1."""
    before = Table(roles, (killer, Player(1, 0), Player(4, 2)))
    after = before.after(1, drawn).table
    assert after.players[1] == DEAD_PLAYER
    return whole_pack._rewarded(before, 1, after, list(drawn), given(*more)).players[0]


def test_without_changes_it_is_the_game_of_the_report():
    exact = sanguosha.solve_lineup("1-1-1-1")
    played = play_whole("1-1-1-1", 150, seed=4)
    assert played.games == 900
    assert (abs(played.survival - exact.survival) < 4 * played.survival_error).all()


def test_a_killed_rebel_brings_three_cards():
    roles, slash = (RENEGADE, REBEL, LORD), (Card.SLASH, Card.DISMANTLE)
    more = Card.DODGE, Card.PEACH, Card.WEAPON
    assert after_kill(roles, Player(2, 2), slash, more) == Player(3, 3, True)
    assert after_kill(roles, Player(2, 2), slash, [Card.SLASH, Card.SNATCH, Card.DODGE]) == Player(2, 2)
    # A peach makes room for a dodge drawn before: both are played before cards are discarded.
    assert after_kill(roles, Player(2, 2), (Card.SLASH, Card.DODGE), [Card.PEACH, Card.SLASH, Card.SLASH]) == Player(
        3, 3
    )


def test_a_lord_who_kills_a_loyalist_loses_all_cards():
    roles = (LORD, LOYALIST, REBEL)
    assert after_kill(roles, Player(3, 3, True), (Card.SLASH, Card.PEACH)) == Player(3, 0)
    assert after_kill(roles, Player(3, 1), (Card.SLASH, Card.WEAPON)) == Player(3, 0)
    # Others may kill loyalists, and the lord renegades, as before.
    assert after_kill((REBEL, LOYALIST, LORD), Player(3, 3, True), (Card.SLASH, Card.PEACH)) == Player(4, 3, True)
    assert after_kill((LORD, RENEGADE, REBEL), Player(3, 3, True), (Card.SLASH, Card.PEACH)) == Player(4, 3, True)


def test_a_finite_pack_deals_every_card_once_and_leaves_out_what_is_held():
    players = [Player(4, 2), Player(4, 3, True), DEAD_PLAYER]
    pack = Pack(Random(1), finite=True, blanks=5)
    drawn = pack.draw(71 + 5 - 6, players)
    assert Counter(drawn) == whole_pack.WHOLE - Counter({Card.DODGE: 5, Card.WEAPON: 1}) + Counter({None: 5})
    again = pack.draw(1, players, [Card.SLASH, None])
    assert Counter(again + pack.left) == Counter(drawn) - Counter([Card.SLASH, None])


def test_eight_players_cannot_be_dealt_two_dodges_each():
    with pytest.raises(ValueError, match="too few dodges"):
        play_whole("1-2-4-1", 1, 0, finite=True)
    assert play_whole("1-2-3-1", 1, 0, finite=True).games == 60


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"finite": True, "kills": True}, "kills = True"),
        ({"blanks": -5}, "blanks = -5"),
        ({"blanks": 2.5}, "blanks = 2.5"),
        ({"seed": None}, "seed = None"),
    ],
)
def test_what_is_not_played_is_refused(asked, said):
    with pytest.raises(ValueError, match=said):
        play_whole("1-1-1-1", 1, **{"seed": 0} | asked)


def test_nobody_ever_holds_a_peach_in_another_player_s_turn():
    # So peaches for others (note 2.5) would change nothing: a peach that is not eaten at once leaves no trace.
    assert Player._fields == ("health", "dodges", "weapon")
    for rules, actor, other in product(
        (AS_CODED, AS_WRITTEN), LIVING_PLAYERS, (None, Player(1, 0), Player(4, 2, True))
    ):
        for hand in (hand for hand in hands_of(2) if Card.PEACH in hand):
            turn = take_turn(actor, other, hand, True, rules)
            eaten = turn.events.count("peach")
            rest = tuple(card for card in hand if card != Card.PEACH)
            without = take_turn(actor, other, rest, True, rules)
            assert eaten == min(4 - actor.health, hand.count(Card.PEACH))
            assert turn.target == without.target
            assert eaten or turn.actor == without.actor
