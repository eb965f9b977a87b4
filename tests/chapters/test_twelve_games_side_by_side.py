"""The twelve games: played one by one they agree with all of their states; the tables say what the reports found."""

import numpy as np
import pytest
from scipy import stats

from chapters import twelve_games_side_by_side as chapter
from gamebalance import sanguosha
from gamebalance.fairness.reports.exact import ExactPlay
from gamebalance.fairness.reports.simulated import SimulatedPlay
from gamebalance.fairness.reports.tables import Seats
from gamebalance.multiplayer.graph import GameGraph
from gamebalance.sanguosha import SeatedGame

#: How far a mean may be off. A sound program is further off at one seed of a thousand, in any of the 150 comparisons.
ERRORS, GAMES = 4.5, 400


def play(game, games, own=None):
    return SimulatedPlay(game, Seats.of(game), games, games, 1, 0, 3, own, ("random",))


@pytest.mark.parametrize("name", [name for name in chapter.GAMES if name != "Sanguosha"])
def test_games_played_at_random_agree_with_all_states(name):
    game = chapter.GAMES[name][0]
    exact = ExactPlay(GameGraph(game, chapter.STATES), Seats.of(game), ways=("random",))
    known, seen = exact.endings("random"), play(game, GAMES).endings("random")
    for what in ("won", "points"):
        values, chance = np.asarray(known.values[what], float), np.asarray(known.probability, float)
        mean = (chance[:, None] * values).sum(axis=0)
        spread = np.sqrt((chance[:, None] * (values - mean) ** 2).sum(axis=0))
        means = seen.tally("seat", what).means
        assert np.all(np.abs(means - mean) <= ERRORS * spread / np.sqrt(GAMES) + 1e-9)
    moves = exact.course("random")
    assert abs(seen.length.value - moves.moves) <= ERRORS * moves.moves_spread / np.sqrt(GAMES) + 1e-9


def test_sanguosha_by_the_rule_of_the_report_agrees_with_its_exact_solution():
    """Counts of each winning side among 150 games; each is as rare as this at one seed of 100,000."""
    game = SeatedGame(chapter.SEATING)
    sides = play(game, 150, {"fixed rule": chapter.ways_of_sanguosha(game)["fixed rule"]}).endings("fixed rule")
    known = sanguosha.solve(chapter.SEATING).endings.tally("side")
    for share, chance in zip(sides.tally("side").means, known.means, strict=True):
        count = round(150 * share)
        assert min(stats.binom.cdf(count, 150, chance), stats.binom.sf(count - 1, 150, chance)) > 5e-6
