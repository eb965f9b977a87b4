"""The compiled simulator, one turn at a time: every pair of players with every pair of cards."""

from itertools import product

import numpy as np
import pytest

from gamebalance.sanguosha import AS_CODED, AS_WRITTEN
from gamebalance.sanguosha.rules import CARD_PAIRS
from gamebalance.sanguosha.turn import PLAYERS
from tests.sanguosha.lanes import take_turns, words_of_pairs
from tests.sanguosha.reference import c_turn, seat_after

RULES = {"coded": AS_CODED, "written": AS_WRITTEN}
CODES = np.array([(player.health, player.dodges, player.weapon) for player in PLAYERS])

#: Tables where nobody but `target` can be attacked (no loyalist lives), and how far away that is.
TABLES = {
    "rebel at the lord, near": ("02222", 1, 0),
    "rebel at the lord, across the seam": ("02222", 4, 0),
    "rebel at the lord, far": ("02222", 2, 0),
    "lord at a rebel, near": ("0332", 0, 3),
    "lord at a rebel, far": ("0323", 0, 2),
    "renegade at the lord, alone": ("03", 1, 0),
    "nobody for the lord": ("0333", 0, None),
    "ten players, far": ("0222222223", 7, 0),
}


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("setting", TABLES)
def test_every_turn(setting, name):
    """Exhaustive: 28 x 28 codes and 21 card pairs; the unarmed reach nobody far away, and their turn must show it."""
    (seating, actor, target), rules = TABLES[setting], RULES[name]
    rng = np.random.default_rng(1)
    cases = np.array(list(product(range(28), range(28), range(21))))
    role = np.tile(np.array([int(digit) for digit in seating]), (len(cases), 1))
    codes = rng.integers(28, size=role.shape)  # what the others hold must not matter, nor change
    codes[:, actor] = cases[:, 0]
    if target is not None:
        codes[:, target] = cases[:, 1]
    cards = np.zeros(len(cases), np.uint32)
    for pair, words in words_of_pairs(rules).items():
        cards[cases[:, 2] == pair] = rng.choice(words, (cases[:, 2] == pair).sum())
    seats, choices = np.full(len(cases), actor), rng.integers(2**32, size=len(cases), dtype=np.uint64)
    health, dodges, weapon, seat, over = take_turns(
        role, *np.moveaxis(CODES[codes], 2, 0), seats, cards, choices, rules
    )
    expected = CODES[codes]
    distance = None if target is None else min((actor - target) % len(seating), (target - actor) % len(seating))
    for case, (a, t, pair) in enumerate(cases.tolist()):
        out_of_reach = target is None or distance > (3 if PLAYERS[a].weapon else 1)
        victim = None if out_of_reach else PLAYERS[t]
        after, left = c_turn(PLAYERS[a], victim, CARD_PAIRS[pair], distance == 1, name == "written")
        expected[case, actor] = after
        if victim:
            expected[case, target] = left
    assert np.array_equal(np.stack([health, dodges, weapon], 2), expected)
    assert over.tolist() == (expected[:, 0, 0] == 0).tolist() if target == 0 else not over.any()
    following = np.array([seat_after(actor, row) for row in expected[:, :, 0].tolist()])
    assert np.array_equal(seat[over == 0], following[over == 0])
