"""What a turn does: cases from the report's §4.2.2, then every pair of players and every pair of cards."""

from collections import Counter
from itertools import product

import pytest

from gamebalance.sanguosha import AS_CODED, AS_WRITTEN, Card, changed
from gamebalance.sanguosha.kernels.transfer import effect_table
from gamebalance.sanguosha.rules import CARD_PAIRS, FIRST_TURNS
from gamebalance.sanguosha.turn import CODES, LIVING_PLAYERS, PLAYERS, Player, take_turn, turn_codes
from tests.sanguosha.reference import CPC, c_turn

DODGE, PEACH, WEAPON, SNATCH, DISMANTLE, SLASH = Card
BARE = Player(4, 0)
ARMED = Player(4, 2, True)
RULES = {"coded": AS_CODED, "written": AS_WRITTEN}


@pytest.mark.parametrize(
    ("actor", "target", "cards", "after", "left", "events"),
    [
        # Example 6.1: the renegade (3 health, 1 dodge) eats the peach, the loyalist (2, 2) dodges the slash.
        ((3, 1), (2, 2), (SLASH, PEACH), (4, 1), (2, 1), "dodged, peach"),
        # Snatch goes before dismantle, and the weapon before a dodge.
        ((4, 0), (4, 1, True), (DISMANTLE, SNATCH), (4, 0, True), (4, 0), "snatch weapon, dismantle dodge"),
        ((4, 0), (4, 2, True), (SNATCH, SNATCH), (4, 1, True), (4, 1), "snatch weapon, snatch dodge"),
        ((4, 0), (4, 2, True), (DISMANTLE, DISMANTLE), (4, 0), (4, 1), "dismantle weapon, dismantle dodge"),
        # Both go before the slash, which therefore hits.
        ((4, 0), (4, 1), (SLASH, SNATCH), (4, 1), (3, 0), "snatch dodge, hit"),
        ((4, 0), (4, 1), (SLASH, DISMANTLE), (4, 0), (3, 0), "dismantle dodge, hit"),
        ((4, 0), (4, 1, True), (SLASH, DISMANTLE), (4, 0), (4, 0), "dismantle weapon, dodged"),
        # At most one slash a turn; a dodge answers it, if there is one.
        ((4, 0), (4, 0), (SLASH, SLASH), (4, 0), (3, 0), "hit"),
        ((4, 0), (4, 3), (SLASH, SLASH), (4, 0), (4, 2), "dodged"),
        ((4, 0), (1, 1), (SLASH, SLASH), (4, 0), (1, 0), "dodged"),
        # The dead lose their weapon.
        ((4, 0), (1, 0, True), (SLASH, WEAPON), (4, 0, True), (0, 0), "equip, hit"),
        # Nothing to take.
        ((4, 0), (2, 0), (SNATCH, DISMANTLE), (4, 0), (2, 0), ""),
        # Peaches heal to 4 at most.
        ((1, 0), (4, 2), (PEACH, PEACH), (3, 0), (4, 2), "peach, peach"),
        ((3, 0), (4, 2), (PEACH, PEACH), (4, 0), (4, 2), "peach"),
        ((4, 4), (4, 2), (PEACH, PEACH), (4, 4), (4, 2), ""),
        # Dodges above health are discarded, after peaches have healed.
        ((4, 3), (4, 2), (DODGE, DODGE), (4, 4), (4, 2), "discard dodge"),
        ((2, 2), (4, 2), (DODGE, PEACH), (3, 3), (4, 2), "peach"),
        ((1, 1), (4, 2), (DODGE, DODGE), (1, 1), (4, 2), "discard dodge, discard dodge"),
        ((1, 1), (4, 2), (SNATCH, SLASH), (1, 1), (4, 0), "snatch dodge, dodged, discard dodge"),
        # Weapons: one at a time, before anything else.
        ((4, 0), (4, 2), (WEAPON, WEAPON), (4, 0, True), (4, 2), "equip"),
        ((4, 0, True), (4, 2), (WEAPON, DODGE), (4, 1, True), (4, 2), ""),
        ((4, 0, True), (4, 2, True), (SNATCH, WEAPON), (4, 0, True), (4, 2), "snatch weapon"),
    ],
)
def test_by_hand(actor, target, cards, after, left, events):
    for order in (cards, cards[::-1]):
        turn = take_turn(Player(*actor), Player(*target), order, True, AS_CODED)
        assert (turn.actor, turn.target, ", ".join(turn.events)) == (Player(*after), Player(*left), events)


def test_without_a_target_only_the_actors_own_cards_count():
    for pair in ((SLASH, SNATCH), (DISMANTLE, SLASH)):
        turn = take_turn(Player(2, 1), None, pair, False, AS_CODED)
        assert (turn.actor, turn.target, turn.events) == (Player(2, 1), None, ())
    assert take_turn(Player(2, 2), None, (PEACH, DODGE), False, AS_WRITTEN).actor == Player(3, 3)


def test_a_far_snatch_is_lost_under_the_written_rules_only():
    """§2.6.2 lets snatch reach distance 1, dismantle anybody; the programs do not ask."""
    snatched = take_turn(ARMED, ARMED, (SNATCH, DODGE), False, AS_CODED)
    assert (snatched.actor, snatched.target) == (Player(4, 3, True), Player(4, 2))
    lost = take_turn(ARMED, ARMED, (SNATCH, DODGE), False, AS_WRITTEN)
    assert (lost.actor, lost.target, lost.events) == (Player(4, 3, True), ARMED, ())
    assert take_turn(ARMED, ARMED, (DISMANTLE, DODGE), False, AS_WRITTEN).target == Player(4, 2)
    assert take_turn(ARMED, ARMED, (SNATCH, DODGE), True, AS_WRITTEN).target == Player(4, 2)


def test_a_stolen_weapon_is_worn_under_the_coded_rules_only():
    """§4.2.2 equips first, so a weapon snatched later stays in the hand and is discarded."""
    assert take_turn(BARE, ARMED, (SNATCH, DODGE), True, AS_CODED).actor.weapon
    turn = take_turn(BARE, ARMED, (SNATCH, DODGE), True, AS_WRITTEN)
    assert not turn.actor.weapon and not turn.target.weapon
    assert turn.events == ("snatch weapon",)


def test_twenty_eight_living_codes_and_a_dead_one():
    """Note 4.2: never more dodges than health; the theorem's 30 conditions include two for the dead."""
    conditions = [
        (health, dodges, weapon)
        for health in range(5)
        for dodges in range(health + 1)
        for weapon in (False, True)
        if health or not weapon
    ]
    assert sorted(PLAYERS) == conditions and CODES == 28
    assert [player.alive for player in PLAYERS] == [True] * 28 + [False]


@pytest.mark.parametrize("name", RULES)
def test_every_turn_is_that_of_the_programs(name):
    """All 2 x 21 x 28 x 29 turns: the rule and its table, against Appendix B written out again."""
    table, compared = turn_codes(RULES[name]), 0
    for near, (pair, cards) in product((False, True), enumerate(CARD_PAIRS)):
        for (a, actor), (t, target) in product(enumerate(LIVING_PLAYERS), enumerate((*LIVING_PLAYERS, None))):
            expected = c_turn(actor, target, cards, near, name == "written")
            turn = take_turn(actor, target, cards, near, RULES[name])
            after = [PLAYERS[code] for code in table[int(near), pair, a, t]]
            assert (turn.actor, turn.target) == expected
            assert after == [turn.actor, turn.target or (0, 0, False)]
            compared += 1
    assert compared == table.size / 2 == 2 * 21 * 28 * 29


@pytest.mark.parametrize("name", RULES)
def test_invariants_of_every_turn(name):
    for near, cards in product((False, True), CARD_PAIRS):
        for actor, target in product(LIVING_PLAYERS, LIVING_PLAYERS):
            turn = take_turn(actor, target, cards, near, RULES[name])
            happened, after, left = Counter(turn.events), turn.actor, turn.target
            assert after.alive and after.health >= actor.health and after.weapon >= actor.weapon
            assert target.health - left.health == happened["hit"] <= 1
            # Cards move, they do not appear: hand and loss of both players account for every dodge and weapon.
            drawn, gone = cards.count(DODGE), happened["discard dodge"]
            assert after.dodges == actor.dodges + drawn + happened["snatch dodge"] - gone
            assert target.dodges - left.dodges == sum(
                happened[e] for e in ("snatch dodge", "dismantle dodge", "dodged")
            )
            if left.alive:
                assert target.weapon - left.weapon == happened["snatch weapon"] + happened["dismantle weapon"]
            else:
                assert left == (0, 0, False)
            for card in (SNATCH, DISMANTLE):
                taken = [event for event in turn.events if event.startswith(card.name.lower())]
                assert len(taken) <= cards.count(card)


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("near", [False, True])
@pytest.mark.parametrize("attacked", [False, True])
def test_effect_table_is_the_distribution_of_a_turn(name, near, attacked):
    """The exact solver's table against the programs' turn over all 36 ordered draws; rows of a source sum to 1."""
    source, sink, probability = effect_table(RULES[name], 4, near, attacked)
    found = {}
    for before, after, share in zip(source.tolist(), sink.tolist(), probability.tolist(), strict=True):
        found.setdefault(before, {})[after] = share
    place = {player: code for code, player in enumerate(PLAYERS)}
    assert len(found) == (784 if attacked else 28)
    for (a, actor), (t, target) in product(
        enumerate(LIVING_PLAYERS), enumerate(LIVING_PLAYERS if attacked else [None])
    ):
        expected = Counter()
        for cards in product(range(6), repeat=2):
            after, left = c_turn(actor, target, cards, near, name == "written")
            after = place[after]
            if attacked:
                after = 28 * after + place[left] if left[0] else 784 + after
            expected[after] += CPC[cards[0]] * CPC[cards[1]] / 71**2
        assert found[28 * a + t if attacked else a] == pytest.approx(expected, abs=1e-15)
        assert sum(expected.values()) == pytest.approx(1, abs=1e-15)


@pytest.mark.parametrize("hearts", [1, 2, 3, 4])
def test_no_peach_heals_above_the_hearts_of_the_game(hearts):
    """All turns of one card with which a player who has no more hearts than that begins."""
    table = turn_codes(changed(draws=1), hearts)
    for code, actor in enumerate(LIVING_PLAYERS):
        if actor.health <= hearts:
            after = {PLAYERS[left].health for left in table[:, PEACH, code, :, 0].flat}
            assert after == {min(actor.health + 1, hearts)}


def test_what_a_turn_does_is_the_same_with_every_deck():
    """How many cards there are says how often a turn happens; the table is made once."""
    table = turn_codes(AS_CODED)
    assert all(
        turn_codes(other) is table for other in (changed(deck={"slash": 7}), changed(opening=0, first=FIRST_TURNS[1]))
    )
    assert turn_codes(AS_CODED, 3) is not table and turn_codes(AS_WRITTEN) is not table
    assert turn_codes(changed(draws=1)).shape[1] == 6 != table.shape[1]
