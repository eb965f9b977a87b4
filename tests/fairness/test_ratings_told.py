"""What ratings say: verdicts, what cannot be told or compared, pages, refusals."""

import re

import numpy as np
import pandas as pd
import pytest
from scipy import special

from gamebalance.fairness import Games, judge, rate, read_games
from gamebalance.fairness.ratings.lineups import Lineups
from tests.fairness.made_up import club
from tests.refusals import refuses

FRAME = club(15, games=20, wolves=2, players=5)[0]
CLUB = read_games(FRAME)
RATED = rate(CLUB, "side")
APART = read_games(FRAME.assign(role=np.where(FRAME["game"] % 2, "hen", "fox")))


def test_standings_are_of_those_who_played_most_the_strongest_first():
    persons, few = RATED.persons, RATED.standings(3)
    assert few.equals(persons[persons.index.isin(few.index)]) and few["strength"].is_monotonic_decreasing
    assert len(few) == 3 and few["games"].min() >= persons["games"].drop(few.index).max()
    assert RATED.standings(99).equals(persons)


def test_verdicts_between_equally_strong_people():
    strong_wolves = read_games(club(2, people=10, games=200, wolves=2, players=8)[0])
    rating = rate(strong_wolves, "side")
    verdict, sentence = rating.judge()
    assert verdict == "undecided" and judge(strong_wolves).verdict == "unfair"
    assert sentence.startswith(f"Cannot tell: b{rating.about('side')[1:]} About ")
    unfair = rate(read_games(club(7, people=12, games=900, effect=0.4)[0]), "side")
    assert unfair.judge()[0] == "unfair" and unfair.judge()[1].startswith("Unfair: between equally strong people ")
    even = rate(read_games(club(7, people=12, games=3000, spread=0.3)[0]), "side")
    row = even.sides.loc["wolves"]
    reach = abs(special.logit(row["chance"])) + special.ndtri(0.955) * row["error"] / (
        row["chance"] * (1 - row["chance"])
    )
    edge = special.expit(reach) - 0.5
    assert 0.015 < edge < 0.1 and even.p_value > 0.05
    assert [even.judge("side", margin)[0] for margin in (edge - 0.001, edge + 0.001)] == ["undecided", "fair"]
    assert even.judge("side", edge + 0.001, looked_after=100)[0] == "undecided"


@pytest.mark.parametrize("wins, verdict", [(56, "unfair"), (50, "fair")])
def test_so_many_games_more_would_tell(wins, verdict):
    """Persons are equal, and the same results come again and again."""
    frame, _ = club(11, people=30, games=200, spread=0.0, liking=0.0)
    howled = np.arange(200) % 100 < wins
    frame["won"] = (np.repeat(howled, 2) == (frame["side"] == "wolves")).astype(int)

    def judged(times, *before):
        """With shares of the games so often as a whole."""
        again = pd.concat([frame.assign(game=frame["game"] + 200 * turn) for turn in range(times)])
        return rate(read_games(again), "side").judge(looked_after=before)

    words = judged(1)[1]
    more = int(re.search("About ([0-9,]+) more games would probably", words)[1].replace(",", ""))
    times = 1 + more / 200
    assert times > 4
    assert judged(int(0.25 * times), 200)[0] == "undecided" and judged(int(np.ceil(times)), 200)[0] == verdict
    assert "more games" not in rate(read_games(frame), "side").judge(looks=1)[1]


def test_labels_that_say_each_other_are_judged_together():
    """White always has the first seat, and wins 57 of 100 games; the persons are equal."""
    random = np.random.default_rng(0)
    frame = pd.DataFrame(
        {"game": np.repeat(np.arange(3000), 2), "seat": [1, 2] * 3000, "side": ["white", "black"] * 3000}
    )
    frame["player"] = np.array([random.choice(20, 2, replace=False) for _ in range(3000)]).ravel()
    won = random.random(3000) < 0.57
    rating = rate(read_games(frame.assign(won=np.column_stack([won, ~won]).ravel().astype(int))))
    assert rating.sides["even"].tolist() == rating.seats["even"].tolist() == [0.5, 0.5]
    assert rating.p_values["side"] == rating.p_values["seat"] < 1e-9 and rating.judge("seat")[0] == "unfair"
    assert not rating.is_seen and "do not show that anybody is stronger" in rating.sentence


def test_it_says_that_it_cannot_be_told():
    """Each has one role for good."""
    rows = [(game, role, f"{role} {place}", int((role == "wolf") == (game % 9 in (1, 6))))
            for game in range(27) for role, place in (("wolf", game % 2), ("village", game % 3))]  # fmt: skip
    rating = rate(read_games(pd.DataFrame(rows, columns=["game", "role", "player", "won"])))
    assert np.isnan(rating.roles["chance"]).all() and rating.roles["information"].max() == 0
    assert rating.judge(margin=0.4)[0] == "undecided"
    assert "It cannot be told how often village would win between equally strong people; 77.8%" in rating.sentence
    assert "These games cannot tell wolf from village: what differs may be the strength" in rating.sentence


def test_a_seat_that_everybody_keeps_is_not_called_unfair():
    rows = [(game, seat, f"{seat}{(game + seat) % 3}", 1 + (seat > 2)) for game in range(200) for seat in (1, 2, 3, 4)]
    rating = rate(read_games(pd.DataFrame(rows, columns=["game", "seat", "player", "rank"])))
    assert rating.judge()[0] == "undecided" and np.isnan(rating.p_value) and "more games" not in rating.judge()[1]


def test_sizes_of_sides_alone_tell_nothing_of_sides():
    """Nobody ever changes sides, and a large side wins."""
    sizes = np.random.default_rng(2).integers(1, 6, (300, 2))
    rows = [(game, side, f"{side} {(game + place) % 9}", int(size == max(sizes[game])))
            for game in range(300) if np.ptp(sizes[game])
            for side, size in zip("AB", sizes[game], strict=True) for place in range(size)]  # fmt: skip
    rating = rate(read_games(pd.DataFrame(rows, columns=["game", "side", "player", "won"])))
    assert rating.members < 1 and np.isnan(rating.sides["chance"]).all()


@pytest.mark.parametrize(
    "won, games, least, most", [(1, 1, 0.5, 2 / 3), (51, 100, 0.5, 0.52), (665, 1000, 0.65, 0.668)]
)
def test_two_persons_are_told_apart_no_further_than_their_games(won, games, least, most):
    """The standard deviation of one difference is hardly told by the games: its prior keeps it from running away."""
    rows = [(game, who, int((game < won) == (who == "a"))) for game in range(games) for who in "ab"]
    rating = rate(read_games(pd.DataFrame(rows, columns=["game", "player", "won"])))
    chance = rating.chances(pd.DataFrame({"player": ["a", "b"]}))[0]
    assert least < chance < most and rating.spread < 1.1 and rating.result_bits == 1
    assert rating.is_seen == (games == 1000) and (rating.games_until_told("a", "b") is None) == (games < 1000)


def test_who_never_met_is_not_compared():
    rows = [(game, name, int(name in "ac")) for game in range(60) for name in ("ab", "cd")[game % 2]]
    rating = rate(read_games(pd.DataFrame(rows, columns=["game", "player", "won"])))
    assert rating.better("a", "b") > 0.95 and np.isnan(rating.better("a", "d"))
    assert rating.games_until_told("a", "d") is None and rating.have_met("abz") and not rating.have_met("ad")
    assert "There are 2 groups of persons who never met" in rating.sentence
    joined = [*rows, (60, "a", 1), (60, "c", 0)]
    assert rate(read_games(pd.DataFrame(joined, columns=["game", "player", "won"]))).better("a", "d") > 0.8


def test_a_side_has_the_place_of_its_best_member():
    random = np.random.default_rng(8)
    frame = pd.DataFrame({"game": np.repeat(range(60), 6), "side": [*"AABBCC"] * 60})
    frame["player"] = np.array([random.choice(12, 6, replace=False) for _ in range(60)]).ravel()
    frame["score"] = random.integers(0, 20, 360)
    best = frame.groupby(["game", "side"])["score"].transform("max")
    first = rate(read_games(frame))
    for same in (frame.sort_values(["game", "side", "score"]), frame.assign(score=best)):
        found = rate(read_games(same)).persons.loc[first.persons.index]
        assert found["strength"].tolist() == pytest.approx(first.persons["strength"].tolist(), abs=1e-5)


@pytest.mark.parametrize(
    "names, ordered",
    [
        (["S9", "S10", "S11"], True),
        (["2024-12-30", "2025-01-02", "2025-02-01"], True),
        ([9, 10, 11], True),
        (["30.12.2024", "2.1.2025", "1.2.2025"], True),
        (["12/30/2024", "1/2/2025", "2/1/2025"], True),
        (["1/2/2025", "2/1/2025", "3/1/2025"], False),
        (["S1E9", "S1E10", "S1E11"], True),
        (["S1E9", "S1E10", "S2E1"], False),
        ([*pd.to_datetime(["2024-12-30", "2025-01-02", "2025-02-01"])], True),
        (["summer 1", "autumn 1", "winter 1"], False),
    ],
)
def test_periods_come_in_order_where_their_names_say_it(names, ordered):
    frame, _ = club(3, games=90)
    frame["season"] = pd.Series([names[game // 30] for game in frame["game"]])
    lasts = [Lineups(read_games(rows), (), "season").periods for rows in (frame, frame[::-1])]
    assert lasts == [names, names if ordered else names[::-1]]
    rating = rate(read_games(frame.assign(game=frame["game"] + 10)), over="season")
    ends = f"from {names[0]} to {names[2]}".replace(" 00:00:00", "")
    assert not rating.drift_is_seen and f"It is not shown that anybody changes {ends}." in rating.sentence
    assert rating.reading.endswith("; column season no results or labels")


def test_what_cannot_be_compared_is_left_out_and_said():
    rating = rate(read_games(FRAME.assign(role="wolf", side=FRAME["side"])))
    assert rating.by == ("side", "seat") and "role is left out: it never differs within a game." in rating.sentence
    teams = FRAME.assign(side=FRAME["side"] + " " + FRAME["game"].mod(60).astype(str))
    teams = pd.concat(
        [teams.assign(game=FRAME["game"] + 20 * turn, side=teams["side"] + str(turn)) for turn in range(4)]
    )
    rating = rate(read_games(teams))
    assert rating.by == () and "Column side is left out: it has 160 labels." in rating.sentence
    assert "Column seat is left out: side says who wins together." in rating.sentence
    alone = FRAME.assign(role="wolf", won=FRAME["seat"].eq(1).astype(int)).drop(columns="side")
    assert rate(read_games(alone)).by == ("seat",)
    named = FRAME.assign(player=FRAME["player"].where(FRAME["game"] % 2 == 0, FRAME["player"].str.upper()))
    assert "PERSON 0 and person 0 count as different persons." in rate(read_games(named)).sentence


def test_the_page_of_a_season():
    frame, _ = club(4, people=6, games=80, wolves=2, players=5)
    rating = rate(read_games(frame.replace("person 3", "<b>Ann & Co</b>")), "side")
    page = rating.to_html()
    assert "&lt;b&gt;Ann &amp; Co&lt;/b&gt;" in page and "<b>Ann" not in page and "<script" not in page
    assert page.count("<svg") == 6 and rating.judge()[1] in page and "80 games of 6 persons" in page


test_refused = refuses(
    (lambda: rate(FRAME), "games = .*: a Games is needed"),
    (
        lambda: rate(Games.from_counts({"a": (30, 55), "b": (25, 55)})),
        "games: a column player is needed, .* only numbers",
    ),
    (lambda: rate(CLUB, "role"), "by = 'role': these results have no column of that name, only side, seat, player"),
    (lambda: rate(CLUB, ()), r"by = \(\): one of side, role, seat, or several different ones, are needed"),
    (lambda: rate(CLUB, "seat"), "by = 'seat': sides win these games, so that side is needed too"),
    (lambda: rate(CLUB, over="month"), "over = 'month': a number of games, or a column of these results, is needed"),
    (lambda: rate(CLUB, over="player"), "over = 'player': each game needs one, the same in all of its rows"),
    (lambda: rate(read_games(FRAME.assign(won=0), draws=True), "side"), "games: nobody has won any of them"),
    (lambda: rate(APART, "role"), "by = .'role',.: these never differ within a game, so that there is nothing to"),
    (lambda: rate(Games(FRAME.assign(player="Ann")), "side"), "games: 'Ann' is the only player, and two are needed"),
    (lambda: RATED.standings(0), "most = 0: "),
    (lambda: RATED.better("person 1", "Zoe"), "'Zoe' is not among the 8 players of these games"),
    (lambda: RATED.better("person 1", "person 1"), "other = 'person 1': another person than 'person 1' is needed"),
    (lambda: RATED.even_match(["person 1", "person 2"]), r"2 are named, and games of .5. are recorded"),
    (lambda: RATED.chances(FRAME[["player"]]), "table: a column side is needed; it has player"),
    (lambda: RATED.chances(FRAME.assign(side="cats")), "table: side 'cats': one of wolves, village is needed"),
    (lambda: RATED.chances(FRAME.assign(player="Zoe")), "table: 'Zoe' stands twice in a game"),
    (lambda: RATED.chances(FRAME[:0]), "table: rows with players are needed, and a game of each"),
    (lambda: rate(read_games(FRAME.assign(player=None)), "side"), "games: no player has a name, and two are needed"),
    (lambda: RATED.judge(looked_after=20), "looked_after = 20: whole numbers are needed"),
    (lambda: RATED.seats, "seats: only side were asked for or are there"),
)
