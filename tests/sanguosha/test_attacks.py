"""Policies on arrays, by hand: neighbours among the living, who follows, and the shares of each target."""

from functools import cache

import numpy as np
import pytest

from gamebalance.sanguosha import AS_CODED, AS_WRITTEN, Role, attacks, changed, targets
from gamebalance.sanguosha.attacks import Attack, _cells, _shares, attacks_of, neighbours, next_seat
from gamebalance.sanguosha.policies import FEATURES, KNOWLEDGE, REPORT_POLICY, ThreatPolicy
from gamebalance.sanguosha.turn import LIVING_PLAYERS
from tests.sanguosha.reference import shares_by_code

FOUR = tuple(Role)  # lord, loyalist, rebel, renegade
ARMED = np.array([player.weapon for player in LIVING_PLAYERS])


class Wary:
    """Attacks the weakest of the others if armed, else passes; two equally weak ones share it."""

    def sees(self, role):
        return ("health",) if isinstance(role, Role) else ()

    def targets(self, actor, roles, players, cards, rules):
        others = [seat for seat, player in enumerate(players) if player.alive and seat != actor]
        least = min(players[seat].health for seat in others)
        return [seat for seat in others if players[seat].health == least] if players[actor].weapon else []


def test_what_an_attack_looks_at():
    """Two living seats, of which one looks in three ways and one in two; and one whose look does not matter."""
    three, two = np.arange(28) % 3, np.arange(28) % 2
    attack = Attack(1, True, 4, np.array([[0, 0.5], [0, 1], [0, 0]]), (three, two))
    assert attack.takes_part(0).tolist() == (three != 2).tolist() and attack.takes_part(1).tolist() == two.tolist()
    assert attack.places(0).tolist() == (2 * three).tolist() and attack.places(1).tolist() == two.tolist()
    assert attack.places(0).dtype == attack.places(1).dtype == np.int64
    blind = Attack(1, True, 4, np.array([[0, 0.5]]), (0 * three, two))
    assert attack.looks_at([0]) and attack.looks_at([1]) and blind.looks_at([0, 1])
    assert not blind.looks_at([0]) and not attack.looks_at([])


@pytest.mark.parametrize(
    ("actor", "players", "seats", "beside"),
    [
        (0, 5, (0, 1, 2, 3, 4), {1, 4}),
        (0, 5, (0, 2, 3), {2, 3}),
        (3, 6, (0, 1, 3, 5), {1, 5}),
        (0, 3, (0, 2), {2}),
        (1, 4, (1,), set()),
    ],
)
def test_neighbours_are_the_nearest_of_the_living(actor, players, seats, beside):
    assert neighbours(actor, players, seats) == beside


def test_whose_turn_follows():
    assert [next_seat((0, 2, 3), seat) for seat in (0, 2, 3)] == [2, 3, 0]
    assert next_seat((0, 1, 2), 0, dead=1) == 2 and next_seat((0, 1, 2), 2, dead=0) == 1
    assert next_seat((1, 2, 4), 1, dead=4) == 2 and next_seat((0, 2, 3), 3, dead=0) == 2


def shares(actor, seats, policy=REPORT_POLICY):
    return {attack.target: attack for attack in attacks_of(policy, actor, FOUR, seats, AS_CODED)}


def test_a_choice_by_the_own_weapon():
    """Of four the lord reaches both neighbours; with a weapon the rebel across, too."""
    found = shares(0, (0, 1, 2, 3))
    assert {target: attack.near for target, attack in found.items()} == {1: True, 2: False, 3: True}
    for target, bare in {1: 1 / 2, 2: 0, 3: 1 / 2}.items():
        assert shares_by_code(found[target])[0, 0, 0].tolist() == np.where(ARMED, 1 / 3, bare).tolist()
        assert not found[target].looks_at([0, 1, 2])


def test_a_lord_who_passes():
    """Once no loyalist lives he attacks rebels only, and there is none."""
    found = shares(0, (0, 3))
    assert list(found) == [None] and not found[None].near
    assert found[None].shares.min() == found[None].shares.max() == 1


def test_a_rebel_who_cannot_reach_the_lord():
    """Between two renegades he passes under the coded rules, and attacks either under the written ones (§4.2.1)."""
    roles = (Role.LORD, Role.RENEGADE, Role.REBEL, Role.RENEGADE)
    for rules, bare in ((AS_CODED, {None: 1}), (AS_WRITTEN, {1: 1 / 2, 3: 1 / 2})):
        found = {attack.target: attack for attack in attacks_of(REPORT_POLICY, 2, roles, (0, 1, 2, 3), rules)}
        assert set(found) == {0, *bare}
        assert shares_by_code(found[0])[0, :, 0, 0].tolist() == ARMED.tolist() and not found[0].near
        for target, share in bare.items():
            assert shares_by_code(found[target])[0, :, 0, 0].tolist() == np.where(ARMED, 0, share).tolist()


def test_cells_hold_the_codes_that_look_alike():
    assert [(player, codes.tolist()) for player, codes in _cells(FEATURES)] == [
        (player, [code]) for code, player in enumerate(LIVING_PLAYERS)
    ]
    for player, codes in _cells(("weapon",)):
        assert codes.tolist() == np.flatnonzero(ARMED == player.weapon).tolist()


def test_a_choice_by_what_is_seen_of_the_others():
    """Axes are the living in descending order: the rebel's code, the loyalist's, and the lord's, who attacks."""
    found = shares(0, (0, 1, 2), Wary())
    assert set(found) == {None, 1, 2} and found[1].near and found[2].near and not found[None].near
    health = np.array([player.health for player in LIVING_PLAYERS])
    rebel, loyalist, lord = np.ix_(health, health, ARMED.astype(int))
    expected = {
        None: np.where(lord, 0, 1) + 0 * rebel + 0 * loyalist,
        1: lord * ((loyalist < rebel) + (loyalist == rebel) / 2),
        2: lord * ((rebel < loyalist) + (loyalist == rebel) / 2),
    }
    for target, attack in found.items():
        assert np.array_equal(shares_by_code(attack), expected[target])


def test_the_cells_tell_what_is_seen_only():
    """Two living, seen by health: 2 x 4 questions are asked, each of players who are really in the cell."""
    asked = []

    class Curious(Wary):
        def targets(self, actor, roles, players, cards, rules):
            asked.append((actor, roles, tuple(players), cards, rules))
            return super().targets(actor, roles, players, cards, rules)

    shares(2, (0, 2), Curious())
    assert len(asked) == 8
    for actor, roles, players, cards, rules in asked:
        assert (actor, roles, cards, rules) == (2, FOUR, None, AS_CODED)
        assert [player.alive for player in players] == [True, False, True, False]
        assert players[0] in LIVING_PLAYERS and players[2] in LIVING_PLAYERS
    assert {(players[0].health, players[2].weapon) for _, _, players, _, _ in asked} == {
        (health, weapon) for health in (1, 2, 3, 4) for weapon in (False, True)
    }


@pytest.mark.thorough
@pytest.mark.parametrize("policy", [REPORT_POLICY, *map(ThreatPolicy, KNOWLEDGE)])
@pytest.mark.parametrize("seats", [(0, 1, 2, 3), (0, 2, 3)])
def test_what_is_chosen_is_kept_apart_for_other_rules(policy, seats):
    """One after the other under rules with another reach, hearts, deck or whom rebels attack, and all of them twice."""
    several = [changed(reach=reach, health={"rebel": 2}, deck={"slash": 50}) for reach in ((1, 1), (1, 3), (2, 2))]
    asked = cache(lambda *asked: _shares(policy, *asked))  # the second time it is compared with the same answer
    for rules in [AS_CODED, AS_WRITTEN, *several] * 2:
        for actor in seats:
            wanted, cells = asked(actor, FOUR, seats, rules)
            found = attacks_of(policy, actor, FOUR, seats, rules)
            assert [attack.target for attack in found] == list(wanted)
            for attack in found:
                assert (attack.shares == wanted[attack.target]).all() and attack.hearts == rules.health[actor]
                assert all((one == other).all() for one, other in zip(attack.cells, cells, strict=True))
    near, far = ({attack.target for attack in attacks_of(policy, 0, FOUR, seats, r)} for r in (several[0], AS_CODED))
    assert (2 in near, 2 in far) == (len(seats) == 3, True)


def test_a_rule_of_choice_may_look_at_the_hearts_and_cards_of_a_game(monkeypatch):
    """As somebody writes it in the place of the report's, which looks at neither."""

    def rule(seat, roles, health, weapon, rules):
        return [1 if rules.health[0] == 4 else 3] if rules.draws == 2 else []

    monkeypatch.setattr(targets, "candidates", rule)
    monkeypatch.setattr(attacks, "_REPORT_RULE", rule)
    monkeypatch.setattr(attacks, "_kept", cache(_shares))  # not what the report's rule has chosen in other tests
    several = [AS_CODED, changed(health={"lord": 3}), changed(draws=3)]
    found = [[attack.target for attack in attacks_of(REPORT_POLICY, 0, FOUR, (0, 1, 3), rules)] for rules in several]
    assert found == [[1], [3], [None]]


def test_another_rule_of_choice_is_asked_anew(monkeypatch):
    """Nothing that the report's rule chose before is kept for it."""
    before = shares(2, (0, 1, 2, 3))
    monkeypatch.setattr(targets, "candidates", lambda seat, roles, health, weapon, rules: [0])
    assert set(before) != set(shares(2, (0, 1, 2, 3))) == {0}
