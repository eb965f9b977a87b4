"""Werewolf without a word: rules on single games, play at random, and the most that two villagers can be sure of."""

from fractions import Fraction
from itertools import product

import pytest

from chapters.equilibrium_and_learning import correlated_maxmin
from gamebalance import mafia
from gamebalance.fairness.reports.exact import endings
from gamebalance.games import SilentWerewolf
from gamebalance.multiplayer import cfr
from tests.multiplayer.written_trees import play


def test_what_each_knows():
    """The werewolf sits at 2, the seer at 0, villagers at 3 and 1; the third is killed, the seer looks at the first."""
    game = SilentWerewolf(4, seer=True, phase="evening")
    dawn = play(game, (2, 0, 3, 1), 3, 2)
    assert game.mover(dawn) == 0 and game.moves(dawn) == [0, 1] and game.information(dawn) == (0, 2, (3,), (), ())
    assert game.information(game.play(dawn, 1)) == (1, 0, (3,), (), ((2, True),))
    tied = play(game, (2, 0, 3, 1), 3, 2, 1, 2, 0)
    assert game.information(tied) == (0, 2, (3, None), ((2, 0, 1, None),), ())


def random_villages(living, night, lot):
    """The village's chance if all that are chosen are chosen at random: player 0 of the living is the werewolf."""
    if living <= 2:
        return Fraction(0)
    if night:
        return random_villages(living - 1, False, lot)
    total = Fraction(0)
    ballots = list(product(*[[other for other in range(living) if other != own] for own in range(living)]))
    for ballot in ballots:
        most = max(map(ballot.count, ballot))
        leaders = [seat for seat in range(living) if ballot.count(seat) == most]
        if lot or len(leaders) == 1:
            total += Fraction(0 in leaders, len(leaders))
            total += Fraction(len(leaders) - (0 in leaders), len(leaders)) * random_villages(living - 1, True, lot)
        else:
            total += random_villages(living, True, lot)
    return total / len(ballots)


SMALL = [
    *product((3, 4), (False, True), ("nobody", "lot"), ("evening",)),
    (3, False, "nobody", "morning"),
    (3, False, "lot", "morning"),
    (4, False, "nobody", "morning"),
    (4, True, "lot", "morning"),
]


@pytest.mark.parametrize(("players", "seer", "ties", "phase"), SMALL)
def test_play_at_random(players, seer, ties, phase):
    """A silent seer is of no use to those who vote at random; with ties by lot it is Mafia, the vote being fair."""
    game = SilentWerewolf(players, seer, ties, phase)
    found = endings(game).tally("seat", "points").means
    village = random_villages(players, phase == "evening", ties == "lot")
    assert found == pytest.approx([1 - village, *[village] * (players - 1)], abs=1e-10)
    if ties == "lot":
        assert village == mafia.win_probability(1, players - 1, phase=phase, half_rule="always", exact=True)


@pytest.mark.parametrize("ties", ["nobody", "lot"])
def test_two_villagers_can_be_sure_of_half_the_games(ties):
    """One votes to the left and one to the right: in every second deal both mean the werewolf, whoever it votes for.

    No plan does better: what the first does at a seat is right in one of the two deals that put it there.
    """
    tree = cfr.GameTree(SilentWerewolf(3, ties=ties))
    seats = list(product(((1, 1), (2, -1)), range(3)))
    plan = {(player, seat, (None,), (), ()): {(seat + turn) % 3: 1.0} for (player, turn), seat in seats}
    assert cfr.best_response(tree, plan, 0).value == pytest.approx(1 / 2, abs=1e-12)
    found = correlated_maxmin(tree, (1, 2))
    assert found.value == pytest.approx(1 / 2, abs=1e-6) and found.upper == pytest.approx(1 / 2, abs=1e-6)
