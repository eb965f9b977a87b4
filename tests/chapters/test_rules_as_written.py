"""Rule sets compared on the same games, and games with what the report leaves out."""

from collections import Counter
from itertools import product
from random import Random

import numpy as np

from chapters import rules_as_written as chapter
from chapters.four_players_exactly import RULE_SETS
from chapters.rules_as_written import BAL, WHOLE, Pack, play_whole
from gamebalance import sanguosha
from gamebalance.sanguosha import AS_CODED, AS_WRITTEN, Role, solve
from gamebalance.sanguosha.rules import Card, hands_of
from gamebalance.sanguosha.turn import DEAD_PLAYER, LIVING_PLAYERS, Player, take_turn

LORD, LOYALIST, REBEL, RENEGADE = Role
ATTACKED = {"renegade attacked": 1.0, "as coded": -1.0}


def test_paired_differences_agree_with_the_exact_ones():
    """Four and a half standard errors in ten measures, with a fixed seed: errs once in thousands of seeds."""
    names = "as coded", "weapon lost", "renegade attacked"
    paired = chapter.play_rule_sets(
        "1-1-1-1", 40_000, 82, 40, seating="0123", rule_sets={name: RULE_SETS[name] for name in names}
    )
    weights = {"weapon lost": 1.0, "as coded": -1.0}
    truth = chapter.exact_contrast({name: solve("0123", RULE_SETS[name]) for name in names[:2]}, weights)
    played = paired.contrast(weights)
    assert (np.abs(played.value - truth.value) < 4.5 * played.error).all()
    assert (played.error < played.unpaired_error).all()
    assert not truth.error.any() and truth.games is None and np.isnan(truth.z()[BAL])
    nothing = paired.contrast(ATTACKED)  # in this seating it cannot matter
    assert not nothing.value.any() and not nothing.error.any() and np.isinf(nothing.variance_ratio[BAL])


# ---- What the report leaves out.


def after_kill(roles, killer, drawn, more=()):
    """The killer after he has killed a player of one point of health and no card, seat 0 killing seat 1."""
    pack = Pack(Random(0), finite=True, blanks=0)
    pack.left = list(reversed(more))
    players = [killer, Player(1, 0), Player(4, 2)]
    chapter._attack(roles, players, 0, 1, True, list(drawn), pack, kills=True)
    assert players[1] == DEAD_PLAYER
    return players[0]


def test_without_changes_it_is_the_game_of_the_report():
    exact, played = sanguosha.solve_lineup("1-1-1-1"), play_whole("1-1-1-1", 100, seed=4)
    assert played.games == 600
    assert (abs(played.survival - exact.survival) < 4 * played.survival_error).all()


def test_a_killed_rebel_brings_three_cards():
    roles, slash = (RENEGADE, REBEL, LORD), (Card.SLASH, Card.DISMANTLE)
    assert after_kill(roles, Player(2, 2), slash, [Card.DODGE, Card.PEACH, Card.WEAPON]) == Player(3, 3, True)
    assert after_kill(roles, Player(2, 2), slash, [Card.SLASH, Card.SNATCH, Card.DODGE]) == Player(2, 2)
    # A peach makes room for a dodge drawn before: both are played before cards are discarded.
    drawn, more = (Card.SLASH, Card.DODGE), [Card.PEACH, Card.SLASH, Card.SLASH]
    assert after_kill(roles, Player(2, 2), drawn, more) == Player(3, 3)


def test_a_lord_who_kills_a_loyalist_loses_all_cards():
    """Others may kill loyalists, and the lord renegades, as before."""
    for roles, after in {
        (LORD, LOYALIST, REBEL): Player(3, 0),
        (REBEL, LOYALIST, LORD): Player(4, 3, True),
        (LORD, RENEGADE, REBEL): Player(4, 3, True),
    }.items():
        assert after_kill(roles, Player(3, 3, True), (Card.SLASH, Card.PEACH)) == after


def test_a_finite_pack_deals_every_card_once_and_leaves_out_what_is_held():
    players = [Player(4, 2), Player(4, 3, True), DEAD_PLAYER]
    pack = Pack(Random(1), finite=True, blanks=5)
    drawn = pack.draw(71 + 5 - 6, players)
    assert Counter(drawn) == WHOLE - Counter({Card.DODGE: 5, Card.WEAPON: 1}) + Counter({None: 5})
    again = pack.draw(1, players, [Card.SLASH, None])
    assert Counter(again + pack.left) == Counter(drawn) - Counter([Card.SLASH, None])


def test_nobody_ever_holds_a_peach_in_another_player_s_turn():
    """So peaches for others (note 2.5) would change nothing: a peach that is not eaten at once leaves no trace."""
    others = (None, Player(1, 0), Player(4, 2, True))
    for rules, actor, other in product((AS_CODED, AS_WRITTEN), LIVING_PLAYERS, others):
        for hand in (hand for hand in hands_of(2) if Card.PEACH in hand):
            turn = take_turn(actor, other, hand, True, rules)
            without = take_turn(actor, other, tuple(card for card in hand if card != Card.PEACH), True, rules)
            eaten = turn.events.count("peach")
            assert eaten == min(4 - actor.health, hand.count(Card.PEACH))
            assert turn.target == without.target
            assert eaten or turn.actor == without.actor
