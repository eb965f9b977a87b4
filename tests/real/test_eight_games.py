"""Games of eight by a behaviour: the report's rule is one; the kernel plays the readable rule; marks and choices.

All comparisons are of whole games with the same words: nothing here is left to chance.
"""

import random

import numpy as np
import pytest

from chapters.real.eight import playing, reading
from chapters.real.eight.behaviour import FAMILIES, PARAMETERS, REPORT, Behaviour, grid
from gamebalance import sanguosha
from gamebalance.sanguosha import AS_CODED, Role
from gamebalance.sanguosha.table import Table
from gamebalance.sanguosha.turn import Player
from tests.refusals import refuses

LORD, LOYALIST, REBEL, RENEGADE = Role
FULL, WOUNDED, DEAD = Player(4, 2), Player(2, 0), Player(0, 0)
#: The lord, then by seat: rebel, loyalist, rebel, rebel, loyalist, renegade, rebel.
ROLES = tuple(Role(int(digit)) for digit in "02122132")


def seated(seat, roles=ROLES, **players):
    """A table with everybody at full health but for the players named ("s3")."""
    held = [players.get(f"s{place}", FULL) for place in range(len(roles))]
    return Table(tuple(roles), tuple(held), seat)


def always(chance):
    """A coin that falls if it can."""
    return chance > 0


def picks(behaviour, table, marks=None, coin=always):
    return reading.targets(behaviour, table, marks or {}, coin)


def test_the_report_is_a_behaviour_game_by_game():
    games, seed = 3000, 20260
    ours, theirs = playing.simulate(REPORT, games, seed), sanguosha.simulate("1-2-4-1", games, seed)
    assert ours.shares == pytest.approx([theirs.winning[side] for side in playing.OUTCOMES], abs=1e-9)
    assert ours.turns == pytest.approx(theirs.turns)
    for number in range(10):
        game = sanguosha.play("1-2-4-1", seed, number)
        found = reading.play(REPORT, seed, number)
        assert (found.winner, found.turns) == (game.table.winner, len(game.moves))


def test_the_kernel_plays_the_readable_rule():
    """150 behaviours, among them the ends of each parameter, four games each: winners and turns."""
    draw = random.Random(8)
    for _ in range(150):
        chances = {name: draw.choice([0, draw.random(), 1]) for name in PARAMETERS}
        chances |= {"spares": draw.choice([0, 0.4 * draw.random()]), "turn": draw.randint(2, 8)}
        behaviour = Behaviour(**chances)
        seed = draw.randrange(2**62)
        found = [reading.play(behaviour, seed, number) for number in range(4)]
        won = playing.winners(behaviour, 4, seed)
        assert [playing.OUTCOMES[place] for place in won] == [game.winner for game in found], behaviour
        mean = playing.simulate(behaviour, 4, seed).turns
        assert mean == sum(game.turns for game in found) / 4, behaviour


def test_counts_do_not_depend_on_how_the_games_are_divided(monkeypatch):
    behaviour = Behaviour(rush=0.3, suspicion=1, cover=0.5)
    whole = playing.simulate(behaviour, 1000, 5)
    monkeypatch.setattr(playing, "CHUNK", 97)
    assert playing.simulate(behaviour, 1000, 5) == whole
    assert np.bincount(playing.winners(behaviour, 1000, 5), minlength=3).tolist() == list(whole.counts)
    assert whole.games == 1000
    assert playing.simulate_all([behaviour, REPORT], 1000, 5)[0].tolist() == list(whole.counts)


@pytest.mark.parametrize("seat", range(8))
def test_at_the_report_whatever_was_seen_all_pick_as_in_the_report(seat):
    table = seated(seat, s3=WOUNDED)
    marks = {1: "against", 2: "for", 7: "against"}
    assert picks(REPORT, table, marks) == table.candidates(AS_CODED)


def test_a_rebel_who_rushes_attacks_the_lord():
    rush = Behaviour(rush=1)
    assert picks(rush, seated(1)) == [0] and picks(rush, seated(7)) == [0]
    assert picks(rush, seated(3)) == seated(3).candidates(AS_CODED)  # the lord is not in reach
    assert picks(rush, seated(1), coin=lambda chance: False) == seated(1).candidates(AS_CODED)


def test_a_rebel_who_knows_the_others_leaves_them_alone():
    kin = Behaviour(kin=1)
    assert picks(kin, seated(3)) == [2]  # not the rebel in seat 4
    assert picks(kin, seated(7)) == [6]
    assert picks(kin, seated(4, s5=DEAD, s6=DEAD)) == []  # seats 3 and 7, both rebels


def test_who_is_suspicious_looks_at_what_was_done():
    looks = Behaviour(suspicion=1)
    assert picks(looks, seated(0), {1: "against"}) == [1]
    assert picks(looks, seated(0), {1: "for"}) == [7]
    assert picks(looks, seated(0), {1: "for", 7: "for"}) == []
    assert picks(looks, seated(2), {1: "for", 3: "against"}) == [3]
    assert picks(looks, seated(3), {2: "for", 4: "against"}) == [2]
    assert picks(looks, seated(3), {4: "against"}) == [2]
    assert picks(looks, seated(6), {7: "against"}) == seated(6).candidates(AS_CODED)  # a renegade without cover


def test_who_spares_passes_unless_a_foe_is_known():
    spares = Behaviour(suspicion=1, spares=0.5)
    assert picks(spares, seated(0)) == [] and picks(spares, seated(0), {7: "against"}) == [7]
    assert picks(spares, seated(3)) == [] and picks(spares, seated(3), {2: "for"}) == [2]
    assert picks(Behaviour(spares=0.5, kin=1), seated(3)) == [2]  # whom a rebel knows to be no rebel
    assert picks(Behaviour(spares=0.5), seated(6)) == seated(6).candidates(AS_CODED)


def test_a_renegade_covers_and_turns():
    table = seated(6, s5=WOUNDED)
    assert picks(REPORT, table) == [7]  # the healthier one
    assert picks(Behaviour(cover=1), table) == [5, 7]
    assert picks(Behaviour(cover=1, suspicion=1), table, {5: "against"}) == [5]
    three = (LORD, LOYALIST, RENEGADE)
    assert picks(Behaviour(cover=1), seated(2, three)) == [1]  # no rebel is left
    assert picks(Behaviour(turn=3), seated(2, three)) == [0]
    four = (LORD, LOYALIST, REBEL, RENEGADE)
    assert picks(Behaviour(turn=3), seated(3, four)) == [2] and picks(Behaviour(turn=4), seated(3, four)) == [0]
    assert picks(Behaviour(turn=8, cover=1), seated(6)) == [5, 7]  # the lord is out of reach


def test_a_lord_alone_with_the_renegade_fights_if_he_duels():
    two = (LORD, RENEGADE)
    assert picks(REPORT, seated(0, two)) == [] and picks(Behaviour(duel=1), seated(0, two)) == [1]
    three = (LORD, REBEL, RENEGADE)
    assert picks(Behaviour(duel=1), seated(0, three)) == [1]  # the rebel first, as in the report


def after(table, target, cards, marks):
    return reading.marked(marks, table.after(target, cards, AS_CODED))


def test_marks_are_given_for_what_a_turn_does():
    slash, peach = (sanguosha.Card.SLASH,) * 2, (sanguosha.Card.PEACH,) * 2
    assert after(seated(1), 0, slash, {}) == {1: "against"}
    assert after(seated(1), 0, peach, {}) == {}  # nothing was lost
    assert after(seated(1), 2, slash, {}) == {}  # of seat 2 nothing is known
    assert after(seated(2), 1, slash, {1: "against"}) == {1: "against", 2: "for"}
    assert after(seated(3), 2, slash, {2: "for"}) == {2: "for", 3: "against"}
    assert after(seated(1), 2, slash, {1: "for", 2: "against"}) == {1: "for", 2: "against"}
    assert after(seated(1), 0, slash, {1: "for"}) == {1: "against"}
    assert after(seated(1), None, slash, {1: "for"}) == {1: "for"}


def test_a_lord_who_fights_gains_what_the_renegade_loses():
    """By the same words: until the two are alone the games are the same ones, so the rebels win the same games."""
    waits, fights = (playing.winners(Behaviour(duel=duel), 4000, 3) for duel in (0, 1))
    assert ((waits == 1) == (fights == 1)).all()
    assert (fights == 2).sum() < 0.6 * (waits == 2).sum()


def test_families_and_grids():
    assert set().union(*FAMILIES.values()) == set(PARAMETERS)
    assert all(2 <= len(names) <= 3 for names in FAMILIES.values())
    found = grid({"rush": [0, 1], "turn": [2, 3, 4]})
    assert [(behaviour.rush, behaviour.turn) for behaviour in found] == [(r, t) for r in (0, 1) for t in (2, 3, 4)]
    assert found[0] == REPORT and REPORT.changed == {}


test_refused = refuses(
    (lambda: Behaviour(rush=1.5), r"^rush = 1\.5: a number from 0 to 1 is needed$"),
    (lambda: Behaviour(kin="x"), r"^kin = 'x': a number from 0 to 1 is needed$"),
    (lambda: Behaviour(spares=0.6), r"^spares = 0\.6: a number from 0 to 0\.5 is needed$"),
    (lambda: Behaviour(turn=9), r"^turn = 9: a whole number from 2 to 8 is needed$"),
    (lambda: Behaviour(turn=2.5), r"^turn = 2\.5: a whole number from 2 to 8 is needed$"),
    (lambda: grid({"luck": [0]}), r"^levels: 'luck' is no parameter; allowed are rush, kin, "),
    (lambda: grid({"rush": []}), r"^levels\['rush'\] = \[\]: one or more different numbers are needed$"),
    (lambda: grid({"rush": [0.1, 0.1]}), r"^levels\['rush'\] = \[0\.1, 0\.1\]: one or more different numbers"),
    (lambda: playing.simulate(REPORT, 0, 1), r"^games = 0: "),
    (lambda: playing.simulate(REPORT, 10, -1), r"^seed = -1: "),
    (lambda: playing.simulate("report", 10, 1), r"^behaviour = 'report': a Behaviour is needed$"),
    (lambda: playing.winners(REPORT, 2**40, 1), r"^games = 1099511627776: .* of memory are needed"),
    (lambda: reading.play(REPORT, 1, -1), r"^number = -1: "),
)


def test_the_wins_of_outcomes_are_those_of_the_same_games():
    found = playing.Wins.of(sanguosha.simulate("1-2-4-1", 2_000, 5))
    assert found.counts == playing.simulate(REPORT, 2_000, 5).counts and found.games == 2_000
