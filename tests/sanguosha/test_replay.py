"""The readable engine replays what the compiled simulator played: same games, same endings, same number of turns."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamebalance.sanguosha import AS_CODED, AS_WRITTEN, LINEUPS, Rules, Seating, play, simulate
from gamebalance.sanguosha.kernels import fit
from tests.sanguosha.test_game import LEGAL

#: The two readings, and each of their differences alone; another first hand; other decks.
RULES = {
    "coded": AS_CODED,
    "written": AS_WRITTEN,
    "snatch near only": replace(AS_CODED, snatch_any_distance=False),
    "stolen weapon in hand": replace(AS_CODED, stolen_weapon_equipped=False),
    "rebels attack renegades": replace(AS_CODED, rebels_attack_renegades=True),
    "four cards": replace(AS_CODED, opening="four cards"),
    "no peach, many weapons": Rules(deck=(3, 0, 9, 4, 2, 6)),
    "only slashes": replace(AS_WRITTEN, deck=(0, 0, 0, 0, 0, 1)),
}


@pytest.fixture(scope="module", autouse=True)
def fast():
    """The fast simulator plays, whatever the check before it would say, which is tested in test_fit."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fit, "misfit", lambda *_: fit.Misfit("", ""))
        yield


def replayed(lineup, games, seed, rules=AS_CODED, seating=None):
    played = [play(lineup, seed, number, rules, seating) for number in range(games)]
    return Counter(game.table.alive for game in played), sum(len(game.moves) for game in played)


def simulated(lineup, games, seed, rules=AS_CODED, seating=None):
    outcomes = simulate(lineup, games, seed, rules, seating=seating)
    return outcomes.counts, round(outcomes.turns * games)


@pytest.mark.parametrize("lineup", LINEUPS, ids=str)
def test_line_ups_of_the_report(lineup):
    """More games than lanes, so that lanes are used again."""
    assert replayed(lineup, 70, 11) == simulated(lineup, 70, 11)


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("lineup", ["1-1-1-1", "1-1-2-2", "1-0-5-2"])
def test_rules(lineup, name):
    assert replayed(lineup, 20, 12, RULES[name]) == simulated(lineup, 20, 12, RULES[name])


@settings(max_examples=40)
@given(LEGAL, st.integers(0, 2**63 - 1), st.sampled_from(list(RULES)))
def test_any_line_up(lineup, seed, name):
    assert replayed(lineup, 5, seed, RULES[name]) == simulated(lineup, 5, seed, RULES[name])


@pytest.mark.parametrize("seating", ["0123", "0321", "0332", "01223"])
def test_given_seating(seating):
    lineup = Seating(seating).lineup
    assert replayed(lineup, 30, 13, seating=seating) == simulated(lineup, 30, 13, seating=seating)


def test_one_by_one():
    """Each single game, not only their sum."""
    before = Counter()
    for games in range(1, 41):
        counts = Counter(simulate("1-1-2-1", games, 14).counts)
        assert list((counts - before).elements()) == [play("1-1-2-1", 14, games - 1).table.alive]
        before = counts


def test_standard_error_of_the_length():
    """The spread of the lengths of the very games that were simulated, over the root of their number."""
    lengths = [len(play("1-1-2-1", 4, number).moves) for number in range(150)]
    outcomes = simulate("1-1-2-1", 150, 4)
    assert outcomes.turns == pytest.approx(np.mean(lengths), rel=1e-12)
    assert outcomes.turns_error == pytest.approx(np.std(lengths) / 150**0.5, rel=1e-9)
