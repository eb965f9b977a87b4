"""Wolf, seer, villager: rules on single games, and what the town can be sure of, by programs and by hand."""

import pytest

from chapters.equilibrium_and_learning import correlated_maxmin
from gamebalance.games import claim
from gamebalance.games.claim import SEER, TOWN, VILLAGER, WOLF, ClaimGame
from gamebalance.games.kuhn import Kuhn
from gamebalance.multiplayer import cfr
from tests.multiplayer.written_trees import Written, play

TREE = cfr.GameTree(ClaimGame())
#: No password; the wolf sits at 2, the seer at 0, the villager at 1.
DEAL = 0, (2, 0, 1)


def test_who_knows_and_wins_what():
    """The wolf accuses the villager, the seer tells the truth."""
    game, secret = ClaimGame(), ClaimGame(passwords=3)
    state = play(game, DEAL, 1)
    assert game.information(state) == ("seer", 0, 2, None, None) and game.moves(state) == (None, 1, 2)
    state = play(game, DEAL, 1, 2, None, 0, 2)
    assert game.information(state) == ("villager", 1, None, None, (2, None, 1)) and game.mover(state) == VILLAGER
    assert [game.payoffs(game.play(state, vote)) for vote in (2, 0)] == [(0, 1, 1), (1, 0, 0)]
    assert game.payoffs(play(game, DEAL, 1, 2, None, 1, 2, 0)) == (1, 0, 0)  # three on three: nobody
    assert secret.information(play(secret, (2, (2, 0, 1)))) == ("wolf", 2, None, None, None)
    assert secret.information(play(secret, (2, (2, 0, 1)), None)) == ("seer", 0, 2, 2, None)


def test_silence_is_an_equilibrium_and_so_is_talk():
    babble = cfr.solve(TREE, 300, "cfr+")
    assert babble.nash_conv < 1e-4 and babble.value == pytest.approx((0.5, 0.5, 0.5), abs=1e-4)
    talk = cfr.solve(TREE, 300, "cfr+", start=cfr.random_profile(TREE, 0))
    assert talk.nash_conv < 2e-2 and talk.value[SEER] == pytest.approx(0.75, abs=2e-2)


def test_an_honest_town_wins_three_quarters_whatever_the_wolf_does():
    plan = claim.town_plan(ClaimGame())
    assert cfr.best_response(TREE, plan, WOLF).value == pytest.approx(1 / 4, abs=1e-12)
    assert cfr.nash_conv(TREE, {**plan, **claim.mimic(plan)}).values[SEER] == pytest.approx(3 / 4, abs=1e-12)


@pytest.mark.parametrize("seed", range(9))
def test_a_mimicking_wolf_holds_every_town_to_three_quarters(seed):
    mixed, pure = cfr.random_profile(TREE, seed), claim.town_plan(ClaimGame())
    # The seer's votes are made right, which only helps the town.
    town = {each: pure[each] if each[0] == "seer" and each[-1] else chances for each, chances in mixed.items()}
    if seed % 3 == 1:
        town |= {each: {max(town[each], key=town[each].get): 1.0} for each in town if each[0] != "wolf"}
    believed = cfr.best_response(TREE, {**town, **claim.mimic(town)}, VILLAGER).strategy
    assert cfr.nash_conv(TREE, {**town, **believed, **claim.mimic(town)}).values[SEER] <= 3 / 4 + 1e-12


@pytest.mark.parametrize(("passwords", "share"), [(1, 1 / 4), (2, 1 / 4), (3, 1 / 6)])
def test_a_secret_password_wins_five_sixths(passwords, share):
    game = ClaimGame(passwords=passwords)
    assert cfr.best_response(game, claim.town_plan(game), WOLF).value == pytest.approx(share, abs=1e-12)


@pytest.mark.thorough
def test_no_secret_plan_wins_more_than_five_sixths():
    found = correlated_maxmin(TREE, TOWN)
    assert found.value == pytest.approx(5 / 6, abs=1e-6) and found.upper == pytest.approx(5 / 6, abs=1e-6)


#: Two players each show a side; they win if both show the same and the third shows the other.
HIDE = Written(3, (0, 0, {i: (1, 1, {j: (2, 2, {k: ((w := int(i == j != k)), w, -w) for k in (0, 1)})
               for j in (0, 1)}) for i in (0, 1)}))  # fmt: skip


def test_a_game_solved_by_hand():
    # One secret coin for both wins half of the games; a known plan would lose them all.
    both = correlated_maxmin(HIDE, (1, 0))
    assert both.value == pytest.approx(1 / 2) and both.upper == pytest.approx(1 / 2)
    assert both.adversary[-3:-1] == pytest.approx([0.5, 0.5])


@pytest.mark.parametrize(("player", "value"), [(0, -1 / 18), (1, 1 / 18)])
def test_a_team_of_one_gets_the_value_of_the_game(player, value):
    assert correlated_maxmin(Kuhn(2), [player]).value == pytest.approx(value, abs=1e-6)
