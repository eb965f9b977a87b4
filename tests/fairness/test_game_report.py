"""A report's tables: their columns, sums and missing values, against what is known of made-up games."""

from functools import singledispatchmethod

import numpy as np
import pytest

from gamebalance import fairness
from gamebalance.fairness.reports.wording import MEASURES
from gamebalance.games import Tree, tictactoe
from gamebalance.multiplayer import with_memory
from tests.fairness.made_up import Coin, Dictator, Guess, Race, always
from tests.multiplayer.written_trees import Hands
from tests.refusals import refused

COUNTS = {"states": 0, "games": 60, "contests": 40, "playouts": 2, "looks": 4}
SAYS = {"zero": always(0), "one": always(1)}
COLUMNS = {
    "shares": ["all play", "by", "who", "wins, %", "±", "mean payoff", "± payoff", "low, %", "high, %"],
    "skill": [
        *("one plays", "the others", "points more", "± points", "wins, %", "±", "even, %", "skill depth, pp"),
        *("± depth", "bits a game", "± bits", "luck, %", "± luck", "games to show it"),
    ],
    "shape": ["all play", "measure", "unit", "value", "±"],
    "ends": ["all play", "end", "chance, %", "±"],
    "worth": [
        *("without", "all play", "who", "wins, %", "wins without, %", "worth, points", "±"),
        *("low, points", "high, points"),
    ],
    "needed": ["all play", "by", "games"],
}


class Roles(Coin):
    """The coin, thrown for a leader and two helpers."""

    roles = ("leader", "helper", "helper")

    def payoffs(self, state):
        return tuple(float((state[-1] > 0) == (seat > 0)) for seat in range(3)) if state else (0.0,) * 3


class OneHelper(Roles):
    """The same, where only one of the helpers wins: half of the games are the leader's."""

    def moves(self, state):
        return {0: 0.5, 1: 0.25, 2: 0.25} if len(state) == 3 else "ab"

    def payoffs(self, state):
        return tuple(float(state[-1] == seat) for seat in range(3)) if state else (0.0,) * 3


class Sides(Roles):
    """The same, where a side is called as a role is."""

    sides = ("leader", "others", "others")


@pytest.fixture(scope="module", params=["exact", "simulated"])
def found(request):
    counts = COUNTS if request.param == "simulated" else {}
    return fairness.report(Race(3, 0.5), policies=SAYS, without={"luck": Race(3)}, **counts)


def value(report, level, measure):
    frame = report.shape
    return frame[(frame["all play"] == level) & (frame["measure"] == measure)][["value", "±"]].to_numpy()[0].tolist()


def test_columns_and_units(found):
    for name, columns in COLUMNS.items():
        frame = getattr(found, name)
        assert list(frame.columns) == columns and len(frame), name
        frame = frame.drop(columns=frame.filter(regex="^(low|high), ").columns)  # of best play alone
        numbers = frame.select_dtypes("float").to_numpy()
        assert np.isfinite(numbers).all(), name
        errors = frame.filter(like="±").to_numpy()
        assert (errors >= 0).all() and (not found.exact or not errors.any())
    assert set(found.shape["measure"]) <= set(MEASURES) and list(found.needed["all play"]) == list(found.levels)
    units = found.shape.groupby("measure")["unit"].unique()
    assert all(list(units[name]) == [MEASURES[name].unit] for name in units.index)


def test_sums(found):
    for level in found.levels:
        ends = found.ends[found.ends["all play"] == level]
        assert ends["chance, %"].sum() == pytest.approx(100) and not ends["end"].duplicated().any()
        shares = found.shares[(found.shares["all play"] == level) & (found.shares["by"] == "seat")]
        drawn = value(found, level, "drawishness")[0]
        assert shares["wins, %"].sum() == pytest.approx(100 - drawn)
        assert value(found, level, "decisiveness")[0] == pytest.approx(100 - drawn)
        for who, won in shares[["who", "wins, %"]].itertuples(index=False):
            alone = ends[ends["end"] == f"seat {who} wins"]["chance, %"].sum()
            assert won == pytest.approx(alone)


def test_what_luck_is_worth(found):
    """Without luck nobody wins where all say one; with it all have half a third."""
    for _, level, _, won, less, worth, error, *_ in found.worth.itertuples(index=False):
        assert worth == pytest.approx(won - less) and ((error == 0) == found.exact or level in SAYS)
        if level == "one":
            assert less == 0 and (won == pytest.approx(100 / 6) or not found.exact)
    assert set(found.worth["without"]) == {"luck"} and sorted(set(found.worth["who"])) == [1, 2, 3]


def test_the_skill_table_is_that_of_the_contests(found):
    table = found.skill.set_index(["one plays", "the others"])
    assert len(table) == len(found.contests) == len(found.levels) * (len(found.levels) - 1) / 2
    row = table.loc[("one", "zero")]
    assert row["even, %"] == pytest.approx(100 / 3)
    assert row["skill depth, pp"] == pytest.approx(row["wins, %"] - row["even, %"], abs=1e-6)
    assert row["± depth"] == row["±"] and row["luck, %"] == pytest.approx(
        100 * (1 - row["bits a game"] / np.log2(3)), abs=1e-6
    )
    assert row["± luck"] == pytest.approx(100 * row["± bits"] / np.log2(3), abs=1e-6)
    if found.exact:
        needed = fairness.games_needed([2 / 3, 1 / 6, 1 / 6])
        assert row["wins, %"] == pytest.approx(200 / 3) and row["games to show it"] == needed


def test_needed_is_missing_where_nothing_differs():
    for counts in ({}, COUNTS):
        assert fairness.report(Coin(3), **counts).needed["games"].isna().all()
        assert fairness.report(Coin(3), **counts).skill["games to show it"].isna().all()
    unfair = Tree((0, [(1, 0), (1, 0), (1, 0), (0, 1)]))
    found = fairness.report(unfair, **COUNTS | {"games": 400}).needed.set_index("all play")["games"]
    exact = fairness.report(unfair).needed.set_index("all play")["games"]
    assert exact["random"] == fairness.games_needed([0.75, 0.25])
    assert found["random"] == pytest.approx(exact["random"], rel=0.5)


def test_needed_counts_the_games_that_nobody_wins():
    often = fairness.report(Tree((0, [(1, 0), (1, 0), (1, 0), (0, 1)]))).needed["games"][0]
    seldom = fairness.report(Tree((0, [(1, 0), (1, 0), (1, 0), (0, 1)] + [(0, 0)] * 12))).needed["games"][0]
    assert seldom == 4 * often


def test_roles_that_several_have():
    """A helper's chance is that of each helper, and a helper who wins alone has won alone."""
    found = fairness.report(OneHelper())
    shares = found.shares[(found.shares["all play"] == "random") & (found.shares["by"] == "role")]
    assert dict(zip(shares["who"], shares["wins, %"], strict=True)) == {"leader": 50, "helper": 25}
    assert value(found, "random", "decisiveness") == [100, 0] and found.outlook.seats.kind == "role"
    assert found.needed["games"][0] == fairness.games_needed([0.5, 0.25, 0.25])
    assert any(
        "50.0% for leader and 25.0% for helper each; by seat 50.0% for seat 1" in sentence
        for sentence in found.sentences
    )
    assert value(found, "random", "asymmetry of roles") == [12.5, 0] and "first move" not in set(found.shape["measure"])


def test_sides_and_roles_of_the_same_name():
    found = fairness.report(Sides())
    shares = found.shares[found.shares["all play"] == "random"].set_index(["by", "who"])["wins, %"]
    assert shares["side", "leader"] == pytest.approx(100 / 3) and shares["side", "others"] == pytest.approx(200 / 3)
    assert shares["role", "helper"] == pytest.approx(200 / 3) and value(found, "random", "decisiveness") == [100, 0]
    text = found.to_text()
    assert "side leader" in text and "role leader" in text and "side others" not in text
    assert set(found.ends["end"]) == {"leader wins", "others wins"}


def test_asymmetry_of_roles():
    """The root mean square distance of the chances; of a sample an error whose interval holds it in 95 of 100 cases."""
    exact = fairness.report(Dictator(3))
    assert value(exact, "random", "asymmetry of roles")[0] == pytest.approx(100 * np.std([0, 0.5, 0.5]))
    inside = []
    for game, true in ((Coin(3), 0.0), (Dictator(3), 100 * np.std([0, 0.5, 0.5]))):
        for seed in range(20):
            play = fairness.report(game, seed=seed, ways=(), **COUNTS | {"looks": 0})
            found, error = value(play, "random", "asymmetry of roles")
            inside.append(abs(found - true) <= 1.96 * error)
            assert error > 0
    assert sum(inside) >= 34  # of 40, at 95% each: fewer in 5 of 1,000 cases; the seeds are fixed


def test_measures_that_others_name():
    """Those of issue 98 of the Tabletop Games Framework, each with a definition and a source."""
    named = {"decisiveness", "chance of each end", "skill depth", "luck", "asymmetry of roles"}
    assert named <= set(MEASURES)
    for measure in MEASURES.values():
        assert len(measure.definition) > 10 and measure.source and measure.unit and measure.scale in (1, 100)


def test_sentences():
    found = fairness.report(Race(2, 0.5), policies=SAYS, ways=("random",))
    told = "\n".join(found.sentences)
    assert "If all play at random, the share of the games that is won is 37.5% for" in told
    assert (
        "If all play the way called one, the share of the games that is won is 25.0% for seat 1 and 25.0% for seat 2"
        in told
    )
    assert "no number of real games would show that chances to win differ" in told
    assert "wins 66.7% of the games that somebody wins, where 50.0% would be even: a skill depth of 16.7" in told
    simulated = fairness.report(Race(2, 0.5), **COUNTS)
    told = "\n".join(simulated.sentences)
    assert " ± " in told and "the games played here do not show whether" in told
    assert "Best play was not found: the game has too many states to be followed. More are" in told
    assert str(simulated).splitlines()[0] == "Race" and str(simulated).count("\n- ") == len(simulated.sentences)


def test_methods_that_cannot_be_called_are_refused():
    with refused("its method is information(state), and information(state, player) is needed"):
        fairness.report(type("Asked", (Hands,), {"information": lambda self, state: None})())
    with refused("its method is play(state, *, move), and play(state, move) is needed"):
        fairness.report(type("Named", (Coin,), {"play": lambda self, state, *, move: state})())


def test_methods_in_wrappers_are_called():
    class Wrapped(Coin):
        @singledispatchmethod
        def play(self, state, move):
            return super().play(state, move)

    assert fairness.report(Wrapped(2), ways="random").verdict == "fair"


def test_a_name_and_hidden_games():
    assert fairness.report(Guess(), name="Tell me").name == "Tell me" and fairness.report(Guess()).name == "Guess"
    assert fairness.report(with_memory(Guess()), ways="random").name == "Guess"
    found = fairness.report(Guess(), ways=("random", "greedy", "searching"))
    assert (
        found.exact and value(found, "random", "length") == [2, 0] and value(found, "random", "drawishness") == [0, 0]
    )


def test_without_must_be_the_same_players():
    with refused("without: 'X' has other players"):
        fairness.report(tictactoe(2), without={"X": tictactoe(3)}, ways=())
