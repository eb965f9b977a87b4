"""The twelve games: played one by one they agree with all of their states; the tables say what the reports found."""

import numpy as np
import pytest
from scipy import stats

from chapters import twelve_games_side_by_side as chapter
from gamebalance import fairness, sanguosha
from gamebalance.fairness.reports.exact import ExactPlay
from gamebalance.fairness.reports.simulated import SimulatedPlay
from gamebalance.fairness.reports.tables import Seats
from gamebalance.games import Kuhn, Nim, Pig, SilentWerewolf, tictactoe
from gamebalance.multiplayer.graph import GameGraph
from gamebalance.sanguosha import SeatedGame

#: How far a mean may be off. A sound program is further off at one seed of a thousand, in any of the 150 comparisons.
ERRORS, GAMES = 4.5, 400
#: The even share, in percent, where somebody wins every game, or nobody any.
EVEN = {"Kuhn": 100 / 3, "Nim": 100 / 3, "Pig": 50, "Werewolf": 50, "toe": 0}


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


@pytest.fixture(scope="module")
def few():
    whole = chapter.GAMES
    games = {"Kuhn": Kuhn(3), "Nim": Nim((1, 2, 3)), "Pig": Pig(2, 2, 2), "Werewolf": SilentWerewolf(3)}
    chapter.GAMES = {name: (None, game) for name, game in (games | {"toe": tictactoe(3)}).items()}
    yield chapter.reports(False, 10, 10, 1)
    chapter.GAMES = whole


@pytest.mark.thorough
def test_who_wins_is_what_the_reports_say(few):
    table = chapter.who_wins(few).set_index([("", "game")])
    for name, made in ((name, shown.report) for name, shown in few.items()):
        assert table.loc[name, ("", "states")] == f"{len(made.outlook.graph.states):,}"
        for title, level in ((chapter.RANDOM, "random"), (chapter.WELL, "best")):
            row, kind = table.loc[name, title], made.outlook.seats.kind
            shares = made.shares[(made.shares["all play"] == level) & (made.shares["by"] == kind)].set_index("who")
            ends = shares[["low, %", "high, %"]].apply(lambda end, wins=shares["wins, %"]: end.fillna(wins))
            apart = ends - (shares["wins, %"].mean() if level == "random" else EVEN[name])
            if row["farthest"] == "none":
                assert apart.abs().max(axis=None) == pytest.approx(0, abs=2e-3) and row["off by, pp"] == 0
                continue
            who = row["farthest"] if kind == "side" else int(row["farthest"][5:])
            off = [row["off by, pp"], row["to"] if level == "best" else row["off by, pp"]]
            assert off == pytest.approx(apart.loc[who].tolist(), abs=2e-3)
            assert max(np.abs(off)) == pytest.approx(apart.abs().max(axis=None), abs=2e-3)
    assert table.loc["Pig", (chapter.WELL, "off by, pp")] == pytest.approx(400 / 7 - 50)
    assert table["", "alike"].to_dict() == dict.fromkeys(few, "none") | {"Werewolf": "2, 3"}


def test_best_play_that_is_one_of_several_is_told_from_end_to_end():
    """Nim with heaps of 3, 4 and 5: who cannot win any more chooses who of the others does."""
    made = fairness.report(Nim((3, 4, 5)), ways=("random", "searching", "best"))
    row = chapter.who_wins({"Nim": chapter.Shown(made, made.contests[0], "best")}).loc[0, chapter.WELL]
    shares = np.array([each.tally("seat").means for each in made.play.variants("best")])
    own = shares[:, int(row["farthest"][5:]) - 1]
    assert row["equilibria"] == len(shares) > 1 and np.ptp(own) > 0.1
    assert row["off by, pp"] == pytest.approx(100 * own.min() - 100 / 3)
    assert row["to"] == pytest.approx(100 * own.max() - 100 / 3)


def test_the_error_of_a_sample_is_at_least_that_of_one_game():
    own = {"first": lambda state, moves: moves[0]}
    made = fairness.report(Kuhn(3), policies=own, ways=(), states=0, games=30, contests=20, playouts=1, looks=0)
    off = chapter.farthest(made, "random")
    means = made.play.endings("random").tally("seat").means
    assert off.least == off.most == pytest.approx(100 * (means - means.mean())[int(off.label[5:]) - 1])
    assert off.error >= 5
