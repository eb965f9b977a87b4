"""Labels between equally strong people: recovered from made-up clubs, and the same however results are written."""

from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest
from scipy import special, stats
from statsmodels.discrete.discrete_model import Logit

from gamebalance.fairness import Games, judge, laplace, read_games, with_persons
from gamebalance.fairness.lineups import lineups, told
from gamebalance.fairness.persons import _frame
from gamebalance.fairness.strengths import Fits
from tests.fairness.clubs import club, free_for_all
from tests.fairness.test_lineups import games_of
from tests.refusals import refuses

#: Clubs of one kind, and what may happen in their numbers once in a thousand times on either side.
CLUBS, RARE = 200, 1e-3


@cache
def of_clubs():
    """For each of many fair clubs whose strong members like to be wolves: an interval, p-values with and without.

    Of the last it is only asked whether most are small: it is nan but for the first fifty clubs.
    """
    found = []
    for seed in range(CLUBS):
        games = read_games(club(seed, people=8, games=120)[0])
        seen = told(lineups(games, ("side",)))
        fits = Fits(seen.lineups, seen)
        row = _frame(seen, fits, 0.95).loc["wolves"]
        raw = judge(games, "side").p_value if seed < 50 else np.nan
        found.append((row["low"], row["high"], fits.p_value(None), raw))
    return np.array(found).T


def between(count, chance):
    """Whether so many of the clubs are no surprise if each has this chance."""
    low, high = stats.binom.ppf([RARE, 1 - RARE], CLUBS, chance)
    return low <= count <= high


def test_intervals_hold_the_truth_as_often_as_they_promise():
    low, high, _, _ = of_clubs()
    assert between(((low < 0.5) & (high > 0.5)).sum(), 0.95)
    assert (high - low).mean() < 0.3


def test_fair_games_of_strong_wolves_look_unfair_only_if_persons_are_forgotten():
    _, _, p_value, raw = of_clubs()
    assert (raw[:50] < 0.05).mean() > 0.5
    assert between((p_value < 0.05).sum(), 0.05) and between((p_value < 0.5).sum(), 0.5)


def test_equal_persons_are_seldom_said_to_differ_and_different_ones_often():
    def p_values(spread, clubs):
        for seed in range(clubs):
            seen = told(lineups(read_games(free_for_all(seed, spread=spread)), ("seat",)))
            yield Fits(seen.lineups, seen).spread_p_value

    equal = np.array([*p_values(0.0, 100)])
    assert (equal < 0.05).sum() <= stats.binom.ppf(1 - RARE, 100, 0.05)
    assert (equal < 0.5).sum() <= stats.binom.ppf(1 - RARE, 100, 0.5) and equal.max() <= 1
    assert (np.array([*p_values(1.2, 40)]) < 0.05).mean() > 0.6


def test_a_club_in_which_the_wolf_is_favoured_by_nothing_but_those_who_play_it():
    """Forty evenings of five games, with eight of ten people each."""
    games = read_games(club(2, people=10, games=200, wolves=2, players=8)[0])
    assert judge(games, "side").verdict == "unfair"
    model = with_persons(games, "side")
    wolves = model.frame.loc["wolves"]
    assert wolves["share"] > 0.6 and wolves["low"] < 0.5 < wolves["high"] and model.p_value > 0.05
    assert model.separable and model.spread > 0
    half = with_persons(games, "side", level=0.5).frame.loc["wolves"]
    odds = [special.logit(row[["low", "high"]].to_numpy(float)) for row in (wolves, half)]
    assert np.ptp(odds[0]) / np.ptp(odds[1]) == pytest.approx(special.ndtri(0.975) / special.ndtri(0.75))
    people = 100 * (wolves["share"] - wolves["chance"])
    assert f"{100 * wolves['chance']:.1f}% of the games" in model.sentence
    assert f"accounts for {people:+.1f} percentage points" in model.sentence and "Even sides" in str(model)


@pytest.mark.parametrize("spread", [0.0, 1.0])
def test_effects_of_labels_and_persons_are_found_within_their_errors(spread):
    frame, strengths = club(7, people=12, games=3000, spread=spread, effect=0.4)
    model = with_persons(read_games(frame), "side")
    truth = special.expit(0.4)
    wolves = model.frame.loc["wolves"]
    assert abs(wolves["chance"] - truth) < 4 * wolves["error"] < 0.1 and model.p_value < 1e-4
    truth = model.persons.index.map(strengths)
    assert (abs(model.persons["effect"] - truth) <= 4 * model.persons["error"] + 0.01).all()
    assert model.persons["effect"].sum() == pytest.approx(0, abs=1e-6)
    if spread:
        assert model.spread == pytest.approx(np.std(truth), rel=0.2) and model.spread_p_value < 1e-9
        assert np.corrcoef(model.persons["effect"], truth)[0, 1] > 0.95
    else:
        assert model.spread < 0.1 and model.spread_p_value > 0.05


def test_much_of_each_person_gives_the_effect_beside_free_persons():
    """A logistic regression with a column for each person but one, as good as nothing assumed of their strengths."""
    frame, _ = club(8, people=6, games=1500, liking=2.0, effect=0.3)
    games = read_games(frame)
    names = sorted(frame["player"].unique())
    who = {
        side: pd.get_dummies(part.set_index("game")["player"])[names].astype(float)
        for side, part in frame.groupby("side")
    }
    columns = (who["wolves"] - who["village"]).assign(wolves=1.0).drop(columns=names[0])
    theirs = Logit(frame.loc[frame["side"] == "wolves"].set_index("game")["won"], columns).fit(disp=0)
    wolves = with_persons(games, "side").frame.loc["wolves"]
    effect, error = special.logit(wolves["chance"]), wolves["error"] / (wolves["chance"] * (1 - wolves["chance"]))
    assert abs(effect - theirs.params["wolves"]) < 0.05 * error
    assert error == pytest.approx(theirs.bse["wolves"], rel=0.02)


def test_seats_and_sides_together():
    frame, _ = club(9, people=10, games=400, wolves=2, players=5, effect=1.0)
    model = with_persons(read_games(frame), ("side", "seat"))
    assert model.frame.index.names == ["by", "label"] and list(model.p_values.index) == ["side", "seat"]
    assert model.p_values["side"] < 0.01 < 0.05 < model.p_values["seat"] and model.p_value < 0.05
    assert "wolves" in model.sentence and "Even sides" in model.sentence
    alone = with_persons(read_games(frame), "side")
    assert model.frame.loc[("side", "wolves"), "chance"] == pytest.approx(alone.frame.loc["wolves", "chance"], abs=0.02)


def test_what_stands_in_the_frame_beside_chances():
    frame, _ = club(16, people=10, games=300, wolves=2, players=5, effect=2.0)
    games = read_games(frame)
    model = with_persons(games, ("side", "seat"))
    for kind in ("side", "seat"):
        verdict, mine = judge(games, kind), model.frame.loc[kind]
        np.testing.assert_allclose(mine["plays"], verdict.plays)
        np.testing.assert_allclose(mine["seen"], verdict.shares - verdict.even, atol=1e-8)
        np.testing.assert_allclose(mine["difference"], mine["chance"] - mine["even"], atol=1e-8)
    by_seat = frame.groupby("seat")["side"].value_counts(normalize=True).unstack()
    sides = model.frame.loc["side", "chance"]  # seats make little difference here, and sides much
    np.testing.assert_allclose(model.frame.loc["seat", "even"], by_seat @ sides, atol=0.01)
    np.testing.assert_allclose(model.frame.loc["side", "even"], 0.5, atol=0.05)
    assert np.ptp(model.frame.loc["seat", "even"]) > 0.03


def test_errors_of_persons_hold_those_of_labels():
    """By how much each person's effect moves when the effects of labels do, found by moving them."""
    games = read_games(club(17, people=6, games=80, liking=2.0)[0])
    seen = told(lineups(games, ("side",)))
    fits = Fits(seen.lineups, seen)
    found, (_, covariance) = fits.strengths, fits.labels
    moved = []
    for step in (1e-4, -1e-4):
        offset = found.model.offset + step * fits.choices.design[:, [0]].toarray()[:, 0]
        model = laplace.Model(fits.choices, found.model.low, 0, 6, offset=offset)
        moved.append(laplace.fit(model, found.spread).effects[2:])
    toward = (moved[0] - moved[1]) / 2e-4
    own = np.linalg.inv(found.information[2:, 2:] + np.eye(6) / found.spread**2)
    # Of two sides the effects are opposite: one moved alone moves their difference as both do by a half.
    variance = np.diag(own) + 4 * toward**2 * covariance[0, 0]
    np.testing.assert_allclose(with_persons(games, "side").persons["error"], np.sqrt(variance), rtol=1e-5)
    assert (4 * toward**2 * covariance[0, 0] > 0.05 * variance).any()


def test_a_first_seat_that_the_strong_like_and_that_helps():
    model = with_persons(read_games(free_for_all(10, people=8, games=600, players=4, effect=0.5)), "seat")
    truth = np.exp(0.5) / (3 + np.exp(0.5))
    seat = model.frame.loc[1]
    assert seat["low"] < truth < seat["high"] and seat["share"] > truth + 0.05 and model.p_value < 0.05
    assert model.frame["chance"].sum() == pytest.approx(1) and "seat 1 would win" in model.sentence


# --- the same however results are written ---


def numbers(model):
    """All numbers of a model, with names in order."""
    return model.frame.sort_index(), model.persons.sort_index(), model.spread, model.p_value, model.spread_p_value


def assert_same(one, other):
    for mine, theirs in zip(numbers(one)[:2], numbers(other)[:2], strict=True):
        pd.testing.assert_frame_equal(mine, theirs, rtol=1e-7, atol=1e-9)
    assert numbers(one)[2:] == pytest.approx(numbers(other)[2:], rel=1e-7)


def test_order_and_names_do_not_matter():
    frame, _ = club(11, games=100)
    model = with_persons(read_games(frame), "side")
    shuffled = frame.sample(frac=1, random_state=1)
    assert_same(model, with_persons(read_games(shuffled), "side"))
    names = {name: f"{place} {name}" for place, name in enumerate(sorted(frame["player"].unique(), reverse=True))}
    renamed = with_persons(read_games(frame.assign(player=frame["player"].map(names))), "side")
    old = {new: name for name, new in names.items()}
    renamed.persons.index = pd.Index(renamed.persons.index.map(old), name="player")
    assert_same(model, renamed)


def test_twice_the_games_halve_the_variances():
    frame, _ = club(12, people=6, games=800)
    twice = pd.concat([frame, frame.assign(game=frame["game"] + 10_000)])
    one, two = (with_persons(read_games(rows), "side") for rows in (frame, twice))
    np.testing.assert_allclose(two.frame["error"] ** 2 * 2, one.frame["error"] ** 2, rtol=0.01)
    np.testing.assert_allclose(two.frame["chance"], one.frame["chance"], atol=0.002)
    pd.testing.assert_series_equal(two.frame["information"], one.frame["information"])


def test_games_that_nobody_won_and_shared_games():
    frame, _ = club(13, games=150)
    half = frame["game"] < 30
    drawn = frame.assign(won=np.where(half, 0.0, frame["won"]))
    model, rest = (with_persons(read_games(rows, draws=True), "side") for rows in (drawn, frame[~half]))
    assert (model.games, model.decided, rest.decided) == (150, 120, 120)
    for column in ("chance", "error", "share", "low", "high", "even"):
        np.testing.assert_allclose(model.frame[column], rest.frame[column] * 120 / 150, rtol=1e-6)
    pd.testing.assert_frame_equal(model.persons.sort_index(), rest.persons.sort_index())
    shared = with_persons(read_games(frame.assign(won=np.where(half, 0.5, frame["won"])), draws=True), "side")
    assert shared.decided == 150 and shared.frame["chance"].sum() == pytest.approx(1)
    assert abs(shared.frame.loc["wolves", "chance"] - 0.5) < abs(rest.frame.loc["wolves", "chance"] - 0.5)


def test_however_a_draw_is_shared_it_is_one_game():
    frame = free_for_all(19, games=90)
    thirds, halves = (frame.assign(won=np.where(frame["game"] < 15, part, frame["won"])) for part in (1 / 3, 1 / 2))
    one, other = (with_persons(read_games(rows, draws=True), "seat") for rows in (thirds, halves))
    pd.testing.assert_frame_equal(one.persons[["effect", "error"]], other.persons[["effect", "error"]])
    assert (one.p_value, one.spread) == pytest.approx((other.p_value, other.spread))


# --- verdicts ---


def chess(draw: float) -> pd.DataFrame:
    """Games of two, a third of them drawn."""
    random, rows = np.random.default_rng(3), []
    for game in range(120):
        won = [(1, 0), (0, 1), (draw, draw)][random.integers(3)]
        rows += [
            (game, seat, "ABCDE"[who], won[seat - 1]) for seat, who in zip((1, 2), random.permutation(5), strict=False)
        ]
    return pd.DataFrame(rows, columns=["game", "seat", "player", "won"])


def test_a_drawn_pair_is_no_side():
    nobody, half = chess(0), chess(0.5)
    decided = nobody.groupby("game")["won"].transform("sum") > 0
    model, rest = with_persons(read_games(nobody, True), "seat"), with_persons(read_games(nobody[decided]), "seat")
    assert (model.games, model.decided) == (120, decided.sum() / 2) and model.decided < 100
    np.testing.assert_allclose(model.frame["chance"] / model.most, rest.frame["chance"], rtol=1e-6)
    assert model.p_value == pytest.approx(rest.p_value)
    shared = with_persons(read_games(half), "seat")
    assert shared.decided == 120 and shared.frame["chance"].sum() == pytest.approx(1)
    by_role = half.assign(role=half["seat"].map({1: "white", 2: "black"})).drop(columns="seat")
    np.testing.assert_allclose(with_persons(read_games(by_role)).frame["chance"], shared.frame["chance"], rtol=1e-6)


def test_verdicts_between_equally_strong_people():
    strong_wolves = read_games(club(2, people=10, games=200, wolves=2, players=8)[0])
    model = with_persons(strong_wolves, "side")
    verdict, sentence = model.judge()
    assert verdict == "undecided" and judge(strong_wolves).verdict == "unfair"
    assert sentence == f"Cannot tell: b{model.sentence[1:]}" and sentence.startswith("Cannot tell: between equally")
    unfair = with_persons(read_games(club(7, people=12, games=900, effect=0.4)[0]), "side")
    assert unfair.judge()[0] == "unfair" and unfair.judge()[1].startswith("Unfair: between equally strong people ")
    even = with_persons(read_games(club(7, people=12, games=3000, spread=0.3)[0]), "side")
    wolves = even.frame.loc["wolves"]
    error = wolves["error"] / (wolves["chance"] * (1 - wolves["chance"]))
    reach = special.logit([wolves["chance"], 1 - wolves["chance"]]).max() + special.ndtri(0.955) * error
    edge = special.expit(reach) - 0.5
    assert 0.015 < edge < 0.1 and even.p_value > 0.05
    assert [even.judge(margin)[0] for margin in (edge - 0.001, edge + 0.001)] == ["undecided", "fair"]
    assert even.judge(edge + 0.001, looked_after=100)[0] == "undecided"


def test_verdicts_of_persons_have_the_limits_of_their_look():
    model = with_persons(CLUB, "side")
    for p_value, looked_after, verdict in ((0.049, (), "unfair"), (0.0491, (), "undecided"), (0.0006, 5, "undecided")):
        assert replace(model, p_value=p_value).judge(0.001, looked_after=looked_after)[0] == verdict
    assert replace(model, p_value=0.0003).judge(0.001, looked_after=5)[0] == "unfair"
    assert replace(model, p_value=0.05).judge(0.001, looks=1)[0] == "unfair"


# --- what cannot be told, and what is refused ---


def test_it_says_that_it_cannot_be_told():
    same = games_of(
        *["wolf Ann, village Ben", "wolf Cid, village Ben", "wolf Ann, village Dan"] * 3, winners={1: 1, 5: 1}
    )
    model = with_persons(same)
    assert not model.separable and model.information == 0 and np.isnan(model.p_value)
    assert model.frame[["chance", "error", "low", "high", "difference"]].isna().all(axis=None)
    assert model.frame["share"].tolist() == pytest.approx([7 / 9, 2 / 9])
    assert model.sentence == (
        "It cannot be told how often wolf would win between equally strong people; 77.8% were seen. These games "
        "cannot tell wolf from village: what differs may be the strength of those who played."
    )
    assert model.judge(0.4) == ("undecided", f"Cannot tell: i{model.sentence[1:]}")


def test_it_says_what_cannot_be_told_from_another_kind():
    frame, _ = club(18)
    frame["seat"] = np.where(frame["side"] == "wolves", 1, 2)
    model = with_persons(read_games(frame), ("side", "seat"))
    assert model.inseparable == (
        "These games cannot tell wolves from village: what differs may be the seat.",
        "These games cannot tell seat 1 from seat 2: what differs may be the side.",
    )
    assert model.frame["difference"].isna().all() and model.p_values.isna().all() and model.p_value == model.p_value
    alone = with_persons(read_games(frame), "side").frame
    np.testing.assert_allclose(model.frame["chance"], [*alone["chance"]] * 2, rtol=1e-3)
    assert not any(text in model.sentence for text in ("nan", "Even"))


def test_little_that_is_left_is_said():
    fixed = ["wolf Ann, village Ben", "wolf Cid, village Dan", "wolf Ann, village Dan", "wolf Cid, village Ben"] * 8
    line_ups = [*fixed, "wolf Ben, village Ann", "wolf Ann, village Ben", "wolf Ben, village Ann"]
    model = with_persons(games_of(*line_ups, winners={place: 1 for place in range(0, 35, 3)}))
    assert model.separable and 0 < model.information < 0.2
    assert model.remarks[0].startswith(f"Who plays what is so fixed that only {100 * model.information:.1f}% of the")
    assert f"takes {1 / model.information:.0f} times as many games" in model.sentence
    wolf = model.frame.loc["wolf"]
    assert wolf["high"] - wolf["low"] > 0.5 > 2 * np.sqrt(wolf["share"] * (1 - wolf["share"]) / 35)


def test_a_role_that_never_wins_has_a_small_chance_and_a_remark():
    frame, _ = club(14, people=6, games=60, wolves=1, players=4)
    role = np.where(frame["seat"] == 1, "jester", frame["seat"].map(lambda seat: f"seat {seat}"))
    best = frame.assign(won=0, role=role, side=frame["player"])
    places = best[best["role"] != "jester"].groupby("game").sample(1, random_state=1).index
    best.loc[places, "won"] = 1
    model = with_persons(read_games(best))
    jester = model.frame.loc["jester"]
    assert jester["share"] == 0 and 0 < jester["low"] < jester["chance"] < 0.03 < jester["high"] < 0.25
    assert model.p_value < 1e-4 and model.remarks == (
        "Since jester has never won, each label is taken to have drawn one game more against an even one.",
    )
    best["won"] = (
        (best["role"] == "jester").groupby(best["game"]).transform("any") & (best["role"] == "jester")
    ).astype(int)
    always = with_persons(read_games(best))
    assert always.frame.loc["jester", "low"] > 0.8 and "has never won" in always.remarks[0]


def test_it_is_said_that_a_label_always_won_only_of_one_that_did():
    """A and B win against C and D, but not against each other."""
    line_ups = ["A Ann, B Ben", "B Ann, A Ben", "C Ann, D Ben", "D Ben, C Ann", "A Ben, C Ann"]
    remarks = with_persons(games_of(*line_ups)).remarks
    assert remarks[0] == (
        "Since a difference between labels, however large, could have made all these results, each label is taken to "
        "have drawn one game more against an even one."
    )
    always = with_persons(games_of("A Ann, B Ben", "A Ben, C Ann", "B Ben, C Ann", "C Ann, B Ben")).remarks
    assert always[-1].startswith("Since A has always won, each label")


def test_one_who_always_wins_differs_by_more_than_can_be_measured():
    line_ups = ["wolf Ann, village Ben", "village Ann, wolf Ben"] * 30
    model = with_persons(games_of(*line_ups))
    assert model.persons.loc["Ann", "effect"] > 2 and "more than these games can measure" in model.sentence
    assert model.frame.loc["wolf", "low"] < 0.5 < model.frame.loc["wolf", "high"]


FRAME = club(15, games=20, wolves=2, players=5)[0]
CLUB = read_games(FRAME)
WITHOUT = read_games(FRAME.drop(columns="player"))
SEVERAL = read_games(FRAME.drop(columns="side"))
NOBODY = read_games(FRAME.assign(won=0), draws=True)
MANY = read_games(
    pd.DataFrame(
        [(g, f"role {(g + p) % 101}", "ABC"[p], int(p == g % 3)) for g in range(606) for p in range(3)],
        columns=["game", "role", "player", "won"],
    ).assign(side=lambda rows: rows["player"])
)
ONE = read_games(FRAME.assign(role="wolf"))
ALONE = Games(FRAME.assign(player="Ann"))
CROWD = read_games(
    pd.DataFrame(
        [(g, s, f"{g} {s}", int(s == 1)) for g in range(501) for s in (1, 2)], columns=["game", "seat", "player", "won"]
    )
)
APART = read_games(FRAME.assign(role=np.where(FRAME["game"] % 2, "hen", "fox")))
COUNTED = Games.from_counts({"wolves": (30, 55), "village": (25, 55)})

test_refused = refuses(
    (lambda: with_persons(FRAME), "games = DataFrame: Games are needed"),
    (lambda: with_persons(COUNTED), "games: a column player is needed, .* they have only numbers"),
    (lambda: with_persons(WITHOUT, "side"), "games: a column player is needed, .* they have side, seat"),
    (lambda: with_persons(CLUB), "by = 'role': these results have no column of that name, only side, seat, player"),
    (lambda: with_persons(CLUB, "player"), "by = 'player': one of 'side', 'role', 'seat' is needed"),
    (lambda: with_persons(CLUB, ()), r"by = \(\): one of side, role, seat, or several different ones, are needed"),
    (lambda: with_persons(CLUB, 7), "by = 7: one of side, role, seat, or several"),
    (lambda: with_persons(CLUB, ("side", "side")), "by = .*: one of side, role, seat, or several different ones"),
    (
        lambda: with_persons(CLUB, "seat"),
        r"by = 'seat': sides win these games, so that side is needed too: by = \('side'",
    ),
    (lambda: with_persons(CLUB, "side", 1), "level = 1: a number between 0 and 1 is needed"),
    (lambda: with_persons(CLUB, "side").judge(0), "margin = 0: a number between 0 and 1"),
    (lambda: with_persons(CLUB, "side").judge(looked_after=20), "looked_after = 20: whole numbers are needed"),
    (lambda: with_persons(SEVERAL, "seat"), "games: some have several winners: a column side is needed"),
    (lambda: with_persons(NOBODY, "side"), "games: nobody has won any of them"),
    (lambda: with_persons(MANY), "by = .*'role'.*: 101 different labels, 100 are allowed"),
    (lambda: with_persons(ONE), "by = 'role': 'wolf' is the only one, and two are needed to compare"),
    (lambda: with_persons(APART), "by = 'role': these never differ within a game, so that there is nothing to compare"),
    (lambda: with_persons(ALONE, "side"), "games: 'Ann' is the only player, and two are needed to compare"),
    (lambda: with_persons(CROWD, "seat"), "games: 1,002 different players, 1,000 are allowed"),
)
