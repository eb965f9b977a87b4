"""The twelve games: played one by one they agree with all of their states; the tables say what the reports found."""

import numpy as np
import pytest
from scipy import stats

from chapters.fair import known_values, twelve
from gamebalance import fairness, publish, sanguosha
from gamebalance.fairness.reports.exact import ExactPlay
from gamebalance.fairness.reports.simulated import SimulatedPlay
from gamebalance.fairness.reports.tables import Seats
from gamebalance.games import Kuhn, Nim, Pig, SilentWerewolf, tictactoe
from gamebalance.multiplayer.graph import GameGraph
from gamebalance.sanguosha import SeatedGame

#: How far a mean may be off. A sound program is further off at one seed of a thousand, in any of the 150 comparisons.
ERRORS = 4.5
GAMES = 400
#: The even share, in percent, where somebody wins every game, or nobody any.
EVEN = {"Kuhn": 100 / 3, "Nim": 100 / 3, "Pig": 50, "Werewolf": 50, "toe": 0}
EXACT = [name for name in twelve.GAMES if name != "Sanguosha"]


def play(game, games, own=None, seed=3):
    return SimulatedPlay(game, Seats.of(game), games, games, 1, 0, seed, own, ("random",))


@pytest.mark.parametrize("name", EXACT)
def test_games_played_at_random_agree_with_all_states(name):
    game = twelve.GAMES[name].full
    exact = ExactPlay(GameGraph(game, twelve.STATES), Seats.of(game), ways=("random",))
    known, seen = exact.endings("random"), play(game, GAMES).endings("random")
    for what in ("won", "points"):
        values, chance = np.asarray(known.values[what], float), np.asarray(known.probability, float)
        mean = (chance[:, None] * values).sum(axis=0)
        spread = np.sqrt((chance[:, None] * (values - mean) ** 2).sum(axis=0))
        found = seen.tally("seat", what).means
        assert np.all(np.abs(found - mean) <= ERRORS * spread / np.sqrt(GAMES) + 1e-9)
    moves = exact.course("random")
    assert abs(seen.length.value - moves.moves) <= ERRORS * moves.moves_spread / np.sqrt(GAMES) + 1e-9


def test_sanguosha_by_the_rule_of_the_report_agrees_with_its_exact_solution():
    """Counts of each winning side among 150 games; each is as rare as this at one seed of 100,000."""
    game = SeatedGame(twelve.SEATING)
    found = play(game, 150, {"fixed rule": twelve.ways_of_sanguosha(game)["fixed rule"]}).endings("fixed rule")
    wins, known = found.tally("side").means, sanguosha.solve(twelve.SEATING).endings.tally("side")
    assert found.tally("side").labels == known.labels == ["lord", "rebels", "renegade"]
    for share, chance in zip(wins, known.means, strict=True):
        count = round(150 * share)
        assert min(stats.binom.cdf(count, 150, chance), stats.binom.sf(count - 1, 150, chance)) > 5e-6


def test_there_are_twelve_and_each_has_two_sizes():
    assert len(twelve.GAMES) == 12
    assert all(type(full) is type(small) for full, small in twelve.GAMES.values())


@pytest.fixture(scope="module")
def few():
    whole = twelve.GAMES
    chosen = {
        "Kuhn": Kuhn(3),
        "Nim": Nim((1, 2, 3)),
        "Pig": Pig(2, 2, 2),
        "Werewolf": SilentWerewolf(3),
        "toe": tictactoe(3),
    }
    twelve.GAMES = {name: twelve.Pair(None, game) for name, game in chosen.items()}
    yield twelve.reports(False, 10, 10, 1)
    twelve.GAMES = whole


def test_who_wins_is_what_the_reports_say(few):
    table = twelve.who_wins(few).set_index([("", "game")])
    for name, made in ((name, shown.report) for name, shown in few.items()):
        assert table.loc[name, ("", "states")] == f"{len(made.outlook.graph.states):,}"
        for title, level in (("all at random", "random"), ("all play well", "best")):
            row, kind = table.loc[name, title], made.outlook.seats.kind
            shares = made.shares[(made.shares["all play"] == level) & (made.shares["by"] == kind)].set_index("who")
            ends = shares[["low, %", "high, %"]].apply(lambda end, wins=shares["wins, %"]: end.fillna(wins))
            apart = ends - (shares["wins, %"].mean() if level == "random" else EVEN[name])
            assert row["s.e."] == 0 and ("to" in row.index) == (level == "best")
            if row["farthest"] == "none":
                assert apart.abs().max(axis=None) == pytest.approx(0, abs=2e-3) and row["off by, pp"] == 0
                continue
            who = row["farthest"] if kind == "side" else int(row["farthest"][5:])
            told = [row["off by, pp"], row["to"] if level == "best" else row["off by, pp"]]
            assert told == pytest.approx(apart.loc[who].tolist(), abs=2e-3)
            assert max(np.abs(told)) == pytest.approx(apart.abs().max(axis=None), abs=2e-3)
    assert table.loc["Pig", ("all play well", "off by, pp")] == pytest.approx(400 / 7 - 50)
    assert table.loc["toe", ("all play well", "farthest")] == "none"
    assert table["", "alike"].to_dict() == dict.fromkeys(few, "none") | {"Werewolf": "2, 3"}


def test_best_play_that_is_one_of_several_is_told_from_end_to_end():
    """Nim with heaps of 3, 4 and 5: who cannot win any more chooses who of the others does."""
    made = fairness.report(Nim((3, 4, 5)), ways=("random", "searching", "best"))
    shown = twelve.Shown(made, made.contests[0], "best")
    row = twelve.who_wins({"Nim": shown}).loc[0, "all play well"]
    shares = np.array([each.tally("seat").means for each in made.play.variants("best")])
    place = int(row["farthest"][5:]) - 1
    assert row["equilibria"] == len(shares) > 1 and np.ptp(shares[:, place]) > 0.1
    assert row["off by, pp"] == pytest.approx(100 * shares[:, place].min() - 100 / 3)
    assert row["to"] == pytest.approx(100 * shares[:, place].max() - 100 / 3)


def test_luck_and_shape_is_what_the_reports_say(few):
    table = twelve.luck_and_shape(few).set_index([("", "game")])
    for name, (made, _, _) in few.items():
        alone = made.skill[(made.skill["the others"] == "random") & (made.skill["one plays"] != "best")]
        best = alone.loc[alone["wins, %"].idxmax()]
        row = table.loc[name, "strongest alone among random"]
        for column in ("wins, %", "even, %", "luck, %"):
            assert row[column] == pytest.approx(best[column])
        shape = made.shape[made.shape["all play"] == "random"].set_index("measure")["value"]
        row = table.loc[name, "all at random"]
        names = {"decided, %": "decisiveness", "moves": "length", "drama, pp": "drama", "kingmaking, %": "kingmaking"}
        for column, measure in names.items():
            assert row[column] == pytest.approx(shape[measure])


def test_the_error_of_a_sample_is_at_least_that_of_one_game():
    own = {"first": lambda state, moves: moves[0]}
    made = fairness.report(Kuhn(3), policies=own, ways=(), states=0, games=30, contests=20, playouts=1, looks=0)
    off = twelve.farthest(made, "random")
    tally = made.play.endings("random").tally("seat")
    place = int(off.label[5:]) - 1
    assert off.least == off.most == pytest.approx(100 * (tally.means - tally.means.mean())[place]) and off.error >= 5
    kinds = np.asarray(made.play.endings("random").values["won"], float)
    weight = np.asarray(made.play.endings("random").probability)
    each = kinds[:, place] - kinds.mean(axis=1)
    by_hand = np.sqrt((weight * (each - (weight * each).sum()) ** 2).sum() / 29)
    assert off.error == pytest.approx(100 * max(by_hand, 1 / 20), rel=0.02)


@pytest.mark.parametrize("place", range(len(known_values.VALUES)))
def test_known_values_are_met_at_printed_precision(place):
    row = publish.published("known_game_values").iloc[[place]]
    (found,) = known_values.beside(row).itertuples()
    decimals = len(found.printed.partition(".")[2])
    assert found.apart <= (0.5 * 10.0**-decimals if decimals else 2e-5)


def test_every_known_value_is_in_the_table():
    printed = publish.published("known_game_values")
    assert list(zip(printed["game"], printed["quantity"], strict=True)) == list(known_values.VALUES)
