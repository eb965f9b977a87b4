"""What is asked of a rule that somebody changes: what the tables refuse, and what the exact chain then looks at."""

import numpy as np
import pytest

from gamebalance.sanguosha import AS_CODED, Role, attacks, targets, turn
from gamebalance.sanguosha.policies import REPORT_POLICY
from gamebalance.sanguosha.turn import CODES, LIVING_PLAYERS, Player, Turn
from tests.sanguosha.reference import shares_by_code

FOUR = tuple(Role)
HEALTH = np.array([player.health for player in LIVING_PLAYERS])
ARMED = np.array([player.weapon for player in LIVING_PLAYERS])


def picking(monkeypatch, rule):
    """Put a rule of two arguments, the actor's seat and everybody's health, in the place of the report's."""
    monkeypatch.setattr(targets, "candidates", lambda seat, roles, health, weapon, rules: rule(seat, health, weapon))


@pytest.mark.parametrize("found", [[], [1], [3], [1, 3]])
def test_candidates_that_can_be_followed(monkeypatch, found):
    picking(monkeypatch, lambda *_: found)
    assert targets.picked(0, FOUR, (4, 1, 0, 4), False, AS_CODED) == found


@pytest.mark.parametrize("found", [[0], [2], [3, 1], [1, 1], [4], [0, 1], (1,)])
def test_candidates_that_are_refused(monkeypatch, found):
    picking(monkeypatch, lambda *_: found)
    with pytest.raises(ValueError) as refused:
        targets.picked(0, FOUR, (4, 1, 0, 4), False, AS_CODED)
    assert str(refused.value) == (
        f"rules: candidates for seat 0 among health [4, 1, 0, 4] = {found}: living seats other than the player's "
        "own are needed, each once, in seat order"
    )


def test_candidates_are_asked_with_all_that_is_known(monkeypatch):
    asked = []
    monkeypatch.setattr(targets, "candidates", lambda *known: asked.append(known) or [])
    targets.picked(2, FOUR, (4, 1, 1, 4), True, AS_CODED)
    assert asked == [(2, FOUR, (4, 1, 1, 4), True, AS_CODED)]


def turning(monkeypatch, change):
    """Change what a turn makes of actor and target."""
    rule = turn.take_turn

    def changed(actor, target, *rest):
        found = rule(actor, target, *rest)
        return Turn(*change(actor, target, found), found.events)

    monkeypatch.setattr(turn, "take_turn", changed)


@pytest.mark.parametrize(
    ("change", "made"),
    [
        (
            lambda actor, target, found: (Player(5, 0), found.target),
            "(5, 0, False), against (1, 0, False), which becomes (1, 0, False)",
        ),
        (lambda actor, target, found: (Player(0, 0) if target is None else found.actor, found.target), "(0, 0, False)"),
        (
            lambda actor, target, found: (found.actor, Player(1, 2, True) if target == (2, 1, True) else found.target),
            "(1, 1, False), against (2, 1, True), which becomes (1, 2, True)",
        ),
        (lambda actor, target, found: (found.actor, None), "(1, 1, False), against (1, 0, False), which becomes None"),
    ],
)
def test_turns_that_the_state_cannot_hold(monkeypatch, change, made):
    turning(monkeypatch, change)
    with pytest.raises(ValueError) as refused:
        turn.turn_codes.__wrapped__(AS_CODED)
    assert str(refused.value) == (
        f"rules: Dodge and Dodge turn (1, 0, False) into {made} (health, dodges, weapon): "
        "the player whose turn it is must live on, health be at most 4, and dodges at most health"
    )


def test_without_a_target_nobody_comes_to_be_one(monkeypatch):
    turning(monkeypatch, lambda actor, target, found: (found.actor, found.target or Player(3, 3)))
    codes = turn.turn_codes.__wrapped__(AS_CODED)
    assert (codes[:, :, :, CODES, 1] == CODES).all()
    assert (turn.CODES, turn.DEAD, turn.MOST_TURNS) == (28, 28, 100_000)
    with pytest.raises(ValueError, match="read-only"):
        codes[0, 0, 0, 0] = 1


def of_lord(seats=(0, 1, 2)):
    found = attacks.attacks_of(REPORT_POLICY, 0, FOUR, seats, AS_CODED)
    return {attack.target: attack for attack in found}


def test_a_changed_rule_may_look_at_the_own_health(monkeypatch):
    """A lord with one health passes; else he attacks seat 1, armed also seat 2."""
    picking(monkeypatch, lambda seat, health, weapon: [] if health[seat] == 1 else [1, 2] if weapon else [1])
    found = of_lord()
    assert set(found) == {None, 1, 2} and not any(attack.looks_at([0, 1]) for attack in found.values())
    found = {target: shares_by_code(attack)[0, 0] for target, attack in found.items()}
    assert np.array_equal(found[None], HEALTH == 1)
    assert np.array_equal(found[1], (HEALTH > 1) * np.where(ARMED, 0.5, 1))
    assert np.array_equal(found[2], (HEALTH > 1) * ARMED / 2)


@pytest.mark.parametrize("own", [1, 4])
@pytest.mark.parametrize("armed", [False, True])
def test_a_changed_rule_may_look_at_the_others_health(monkeypatch, own, armed):
    """With this health and weapon a lord attacks seat 2 if that has four health; in all other cases seat 1."""
    picking(
        monkeypatch, lambda seat, health, weapon: [2] if (health[seat], weapon, health[2]) == (own, armed, 4) else [1]
    )
    found = of_lord()
    rebel, lord = (HEALTH == 4)[:, None, None], (HEALTH == own) & (ARMED == armed)
    assert set(found) == {1, 2} and all(attack.looks_at([0, 1]) for attack in found.values())
    assert np.array_equal(shares_by_code(found[2]), np.broadcast_to(rebel & lord, (CODES,) * 3))
    assert np.array_equal(shares_by_code(found[1]), 1 - shares_by_code(found[2]))


@pytest.mark.parametrize(
    "never",
    [
        lambda seat, health: health[seat] == 0 and health[2] == 4,
        lambda seat, health: health[seat] == 5 and health[2] == 4,
        lambda seat, health: health[2] == 5,
        lambda seat, health: health[3] > 0 and health[2] == 4,
    ],
)
def test_no_health_is_asked_for_that_nobody_has(monkeypatch, never):
    """Seat 3 is dead, all others have one to four health: the choice depends on none of it."""
    picking(monkeypatch, lambda seat, health, weapon: [2] if never(seat, health) else [1])
    found = of_lord()
    assert list(found) == [1] and not found[1].looks_at([0, 1])


def test_one_health_is_asked_for_too(monkeypatch):
    picking(monkeypatch, lambda seat, health, weapon: [2] if health[2] == 1 else [1])
    assert np.array_equal(shares_by_code(of_lord()[2]).any(axis=(1, 2)), HEALTH == 1)


@pytest.mark.parametrize(("actor", "seats"), [(0, (0, 1, 2, 3)), (1, (0, 1, 3)), (2, (0, 2, 3)), (3, (0, 3))])
def test_nobody_but_a_renegade_looks_at_health(actor, seats):
    """Nor does he when he is alone with the lord; among more he attacks the healthiest (§4.2.1)."""
    assert not attacks._looks_at_health(actor, FOUR, seats, AS_CODED)
    assert attacks._looks_at_health(3, FOUR, (1, 2, 3), AS_CODED)
