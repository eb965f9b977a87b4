"""Results of games: counts, contests, errors; and rare wins."""

import io
import re

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st

from gamebalance.fairness import Games, judge, read_games
from tests.oracles.equal_chances import Deals
from tests.refusals import refuses

MAFIA = {"mafia": ("mafia", 2), "sheriff": ("town", 1), "villager": ("town", 3)}


def mafia(winners: list[str], absent: dict[int, str] | None = None, side: bool = False) -> pd.DataFrame:
    """Rows of games of Mafia with these winners, in which a role may be absent, with or without the column of sides."""
    rows = [
        {"game": game, "role": role, "won": int(of == winner)} | ({"side": of} if side else {})
        for game, winner in enumerate(winners)
        for role, (of, count) in MAFIA.items()
        for _ in range(count)
        if (absent or {}).get(game) != role
    ]
    return pd.DataFrame(rows)


def free_for_all(winners: list[int], players: int = 4) -> pd.DataFrame:
    """Rows of games that the player at one seat won, from 1."""
    return pd.DataFrame(
        {
            "game": np.repeat(np.arange(len(winners)), players),
            "seat": np.tile(np.arange(1, players + 1), len(winners)),
            "won": [int(seat == winner) for winner in winners for seat in range(1, players + 1)],
        }
    )


# Counts --------------------------------------------------------------------------------------------------------------

COUNTED = Games.from_counts({"a": (1, 2), "b": (1, 2)})
SEATED = read_games(free_for_all([1, 2]))
test_refused = refuses(
    *(
        ((lambda counts=counts: Games.from_counts(counts)), f"^counts.*{re.escape(part)}")
        for counts, part in (
            ([("a", 1, 2)], "wins and games of two or more"),
            ({f"r{place}": (0, 1) for place in range(1001)}, "to 1000, are needed"),
            ({"a": (1, 2), "b": 3}, "['b'] = 3: two numbers (wins, games)"),
            ({"a": (1, 2), "b": (0, 0)}, "games from 1"),
            ({"a": (1, 2), "b": (1, 2.5)}, "['b'] = (1, 2.5)"),
            ({"a": (1, 2), None: (1, 2)}, "[None]: a name is needed"),
        )
    ),
    (lambda: SEATED.tally("role"), "by = 'role'.*only seat"),
    (lambda: SEATED.tally("colour"), "by = 'colour'.*'side', 'role', 'seat', 'player'"),
    (lambda: SEATED.tally("seat", "points"), "of = 'points'"),
    (lambda: COUNTED.tally("seat", "points"), "of = 'points'.*only wins"),
)


WINNERS = st.lists(st.integers(1, 4), min_size=2, max_size=25)


@settings(max_examples=30)
@given(WINNERS, st.integers(0, 3))
def test_counts_are_the_rows_that_they_count(winners, draws):
    """Also where a seat has never won; a draw is a game in which nobody did."""
    rows = read_games(free_for_all([*winners, *[0] * draws]), draws=draws > 0)
    counts = {seat: (winners.count(seat), len(winners) + draws) for seat in range(1, 5)}
    counted = Games.from_counts(counts, draws)
    assert rows.count == counted.count and counted.kinds == ("side", "role", "seat", "player")
    one, other = judge(rows, "seat"), judge(counted, "seat")
    assert one.sentence == other.sentence
    pd.testing.assert_frame_equal(one.to_frame(), other.to_frame())
    assert (one.p_value, one.equivalence_p_value, one.method) == (
        other.p_value,
        other.equivalence_p_value,
        other.method,
    )
    np.testing.assert_allclose(rows.tally("seat").covariance, counted.tally().covariance, atol=1e-12)


def test_counts_of_different_games_are_taken_apart():
    tally = Games.from_counts({"a": (3, 10), "b": (4.5, 12)}).tally()
    assert tally.plays.tolist() == [10, 12] and tally.means == pytest.approx([0.3, 0.375])
    assert tally.covariance[0, 1] == 0 and Games.from_counts({"a": (3, 10), "b": (5, 12)}).count == 12


# Who could win -------------------------------------------------------------------------------------------------------


def test_roles_that_win_together_are_a_side():
    for winners in (["mafia", "town", "town"], ["town"] * 4, ["mafia"] * 4):
        told, known = read_games(mafia(winners)), read_games(mafia(winners, side=True))
        for games in (told, known):
            contest = games.contest()
            assert contest.sizes.tolist() == [2] * len(winners) and contest.even.tolist() == [0.5] * 3
            single = games.tally().single_winner
            assert single.groups.tolist() == [0, 1, 1]
            assert single.wins.tolist() == [winners.count("mafia"), winners.count("town")]
        assert judge(told).sentence == judge(known).sentence


def test_roles_that_win_alone_are_players():
    """Two of the role a, one of b and one of c, of whom one wins: each of the four is as likely to."""
    rows = [
        {"game": g, "role": r, "won": int(p == w)} for g, w in enumerate((0, 2, 3, 1)) for p, r in enumerate("aabc")
    ]
    contest = read_games(pd.DataFrame(rows)).contest()
    assert contest.sizes.tolist() == [4] * 4 and contest.even.tolist() == [0.25] * 3
    assert contest.tally.means.tolist() == [0.25, 0.25, 0.25] and contest.tally.plays.tolist() == [8, 4, 4]


def test_between_sides_of_different_sizes_players_are_dealt_to_them():
    rows = [(g, s, p, int(s == "a")) for g in range(3) for s, p in [("a", 1), ("b", 2), ("b", 3)]]
    assert (
        read_games(pd.DataFrame(rows, columns=["game", "side", "seat", "won"])).contest("seat").sizes.tolist()
        == [3] * 3
    )


# Against deals and against other people's errors ---------------------------------------------------------------------

CONTESTANT = st.tuples(st.dictionaries(st.sampled_from("abcd"), st.integers(1, 3), min_size=1, max_size=2))
GAMES = st.lists(st.lists(CONTESTANT, min_size=2, max_size=4), min_size=2, max_size=4)


@settings(max_examples=40)
@given(GAMES, st.data())
def test_a_table_of_sides_is_the_contest_of_all_deals(sides, data):
    games = []
    for game in sides:
        winner = data.draw(st.integers(0, len(game) - 1))
        games.append([(members, int(place == winner)) for place, (members,) in enumerate(game)])
    games += games  # so that no role stands there once
    labels = sorted({label for game in games for members, _ in game for label in members})
    plain = Deals(games, labels)
    found = read_games(io.StringIO(plain.table())).contest()
    order = [found.labels.index(label) for label in labels]
    _, _, _, mean, covariance = plain.statistics()
    assert (found.even * found.tally.plays)[order] == pytest.approx(mean)
    assert found.fair_covariance[np.ix_(order, order)] == pytest.approx(covariance, abs=1e-9)
    assert (found.tally.means * found.tally.plays)[order] == pytest.approx(np.array(plain.observed(), float))


@pytest.mark.parametrize("value", ["won", "points"])
def test_errors_are_those_of_a_regression_clustered_by_game(value):
    random = np.random.default_rng(3)
    sizes = random.integers(2, 7, size=60)
    game = np.repeat(np.arange(60), sizes)
    first = np.cumsum(sizes) - sizes
    winner = first + random.integers(0, sizes)
    rows = pd.DataFrame({"game": game, "role": random.choice(list("aabbc"), len(game)), "won": 0})
    rows["points"] = random.normal(size=len(game)).round(3) + random.normal(size=60).round(3)[game]
    rows.loc[winner, "won"] = 1
    tally = read_games(rows).tally("role", value)
    dummies = pd.get_dummies(rows["role"])[tally.labels].astype(float)
    fit = sm.OLS(rows[value].astype(float), dummies).fit(
        cov_type="cluster", cov_kwds={"groups": rows["game"], "use_correction": False}
    )
    assert tally.means == pytest.approx(fit.params.to_numpy())
    assert tally.covariance == pytest.approx(fit.cov_params().to_numpy() * 60 / 59)
    assert tally.errors == pytest.approx(fit.bse.to_numpy() * np.sqrt(60 / 59))


# Invariances ---------------------------------------------------------------------------------------------------------


@settings(max_examples=30)
@given(st.lists(st.sampled_from(["mafia", "town"]), min_size=3, max_size=12), st.randoms(use_true_random=False))
def test_order_of_rows_and_names_of_games_and_labels_change_nothing(winners, random):
    rows = mafia(winners, {0: "sheriff", 2: "sheriff"} if len(winners) > 4 else None)
    base = judge(read_games(rows)).to_frame()
    named = {"mafia": "z", "sheriff": "a", "villager": "Mafia"}
    mixed = rows.iloc[random.sample(range(len(rows)), len(rows))].assign(
        game=lambda frame: frame["game"].map(lambda game: f"game {(7 * game) % 13}"),
        role=lambda frame: frame["role"].map(named),
    )
    other = judge(read_games(mixed))
    found = other.to_frame().loc[[named[role] for role in base.index]]
    np.testing.assert_allclose(found.to_numpy(), base.to_numpy(), rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize(
    "games", [Games.from_counts({"a": (0, 5), "b": (0, 6)}), Games.from_counts({"a": (0, 9), "b": (0, 9)}, draws=9)]
)
def test_nobody_won(games):
    found = judge(games)
    assert found.verdict == "undecided" and found.games_needed is None and found.p_value == 1
    assert "these games tell nothing, and more like them would not" in found.sentence
