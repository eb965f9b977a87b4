"""Seats: maps, parts, rules and the fairest seatings, against numbers worked out by hand and plain enumeration."""

import itertools

import numpy as np
import pandas as pd
import pytest

from chapters.sanguosha import seat_rows, seating_rules, seats
from gamebalance.publish import manifest, paths
from gamebalance.sanguosha import LINEUPS, Lineup, Role, simulate, solve_seatings
from tests.refusals import refused

SURVIVAL = [f"survival_{name}" for name in ("lord", "loyalist", "rebel", "renegade")]
THREE = Lineup(0, 1, 1)


def _rows(chances, errors=0.0, bal=0.1, games=0):
    """Rows from chances to win by seating: lord's side, rebels, renegade."""
    frame = pd.DataFrame(list(chances.values()), columns=seats.WINS)
    frame[seats.WIN_ERRORS] = errors
    frame = frame.assign(bal=bal, bal_error=0.0, bal_noise=0.0, games=games)
    frame.insert(0, "seating", list(chances))
    frame.insert(0, "lineup", ["-".join(str(name.count(digit)) for digit in "0123") for name in chances])
    return frame


#: Two seatings of lord, rebel and renegade, for which everything can be worked out on paper.
HAND = _rows({"023": (0.5, 0.2, 0.3), "032": (0.1, 0.6, 0.3)})


@pytest.fixture(scope="module")
def four():
    solved = solve_seatings("1-1-1-1").values()
    return seats.measured(pd.DataFrame(map(seat_rows.columns, solved))).assign(lineup="1-1-1-1")


@pytest.fixture(scope="module")
def made_up():
    """Chances of all seatings of four to ten players, drawn once."""
    rng = np.random.default_rng(5)
    names = [name for lineup in LINEUPS for name in lineup.seatings()]
    return _rows(dict(zip(names, rng.dirichlet((3, 2, 1), len(names)), strict=True)), bal=rng.random(len(names)))


def test_parts_by_hand():
    """Means .3, .4, .3, of all 1/3; the lord's and the rebel's chance differ by .2 from theirs, the renegade's never.

    The rebel changes his seat between the two seatings, the lord does not: the rebel's is his own, the lord's others'.
    """
    found = seats.parts(HAND, THREE)
    role, seat, others = (2 * (1 / 30) ** 2 + (1 / 15) ** 2) / 3, 0.04 / 3, 0.04 / 3
    assert found.variance.value == pytest.approx(role + seat + others)
    shares = np.array([role, seat, others]) / (role + seat + others)
    assert [part.value for part in found[1:]] == pytest.approx(shares)
    assert all(part.error == 0 for part in found)


@pytest.mark.parametrize("lineup", [LINEUPS[1], LINEUPS[3], LINEUPS[4]])
@pytest.mark.parametrize("shared", [False, True])
def test_parts_by_enumeration(made_up, lineup, shared):
    """The law of total variance on a plain list of all players in all seatings."""
    people = []
    for row in made_up[made_up["lineup"] == str(lineup)].to_dict("records"):
        for seat, digit in enumerate(row["seating"]):
            chance = row[{"0": "win_lord", "1": "win_lord", "2": "win_rebels", "3": "win_renegade"}[digit]]
            people.append((digit, seat, chance / (lineup.renegades if shared and digit == "3" else 1)))
    people = pd.DataFrame(people, columns=["role", "seat", "chance"])
    by_role = people.groupby("role")["chance"].transform("mean")
    by_seat = people.groupby(["role", "seat"])["chance"].transform("mean")
    total = people["chance"].var(ddof=0)
    wanted = by_role.var(ddof=0), (by_seat - by_role).pow(2).mean(), (people["chance"] - by_seat).pow(2).mean()
    found = seats.parts(made_up, lineup, shared)
    assert found.variance.value == pytest.approx(total)
    assert [part.value for part in found[1:]] == pytest.approx(np.array(wanted) / total)


def _counted(rng, chances, games):
    """Rows as games would give them: counts by side, and standard errors from them."""
    noisy = rng.multinomial(games, list(chances.values())) / games
    rows = _rows(dict(zip(chances, noisy, strict=True)), games=games)
    rows[seats.WIN_ERRORS] = np.sqrt(noisy * (1 - noisy) / games)
    return rows


def test_noise_is_taken_off_the_parts_and_errors_are_right(made_up):
    """500 repetitions with few games: the mean is the truth, the standard deviation is the standard error."""
    rng, lineup = np.random.default_rng(8), LINEUPS[1]
    here = seat_rows.of_lineup(made_up, lineup)
    chances = dict(zip(here["seating"], here[seats.WINS].to_numpy(), strict=True))
    truth = seats.parts(here, lineup)
    found = [seats.parts(_counted(rng, chances, 60), lineup) for _ in range(500)]
    for part in ("variance", "role", "own_seat", "other_seats"):
        true, scale = getattr(truth, part).value, 1 if part == "variance" else truth.variance.value
        values = np.array(
            [getattr(one, part).value * (1 if part == "variance" else one.variance.value) for one in found]
        )
        far = abs(values.mean() - true * scale) / (values.std() / np.sqrt(len(values)))
        assert far < 4, part
        shares = np.array([getattr(one, part) for one in found])
        assert shares[:, 0].std() == pytest.approx(np.sqrt(np.square(shares[:, 1]).mean()), rel=0.15), part


def test_covariances_of_counts():
    chances = np.array([[0.5, 0.3, 0.2], [0.9, 0.1, 0.0]])
    wanted = [(np.diag(row) - np.outer(row, row)) / 100 for row in chances]
    assert seats.covariances(np.sqrt(chances * (1 - chances) / 100)) == pytest.approx(np.array(wanted), abs=1e-15)


def test_spread_by_hand():
    """Line-up 1-1-1-1 with .4, .4, .2 and .4 for two lords, a rebel, a renegade: mean .35, differences .05 and .15."""
    found = seats.measured(_rows({"0123": (0.4, 0.2, 0.4)})).iloc[0]
    assert found["spread"] == pytest.approx(np.sqrt((3 * 0.05**2 + 0.15**2) / 4)) and found["spread_error"] == 0


def test_noise_is_taken_off_the_spread():
    """20,000 repetitions with 400 games each: what noise adds would be seen, and the errors are right."""
    rng, chances = np.random.default_rng(2), (0.5, 0.3, 0.2)
    truth = seats.measured(_rows({"01223": chances}))["spread"].iloc[0]
    noisy = rng.multinomial(400, chances, 20_000) / 400
    rows = pd.DataFrame(noisy, columns=seats.WINS).assign(seating="01223", bal=0.1, bal_noise=0.0)
    rows[seats.WIN_ERRORS] = np.sqrt(noisy * (1 - noisy) / 400)
    found = seats.measured(rows)
    square = found["spread"].pow(2)
    assert abs(square.mean() - truth**2) < 4 * square.std() / np.sqrt(len(found)) < 2e-4
    assert found["spread"].std() == pytest.approx(found["spread_error"].mean(), rel=0.1)


def test_maps_are_means_over_the_seatings(four):
    """The renegade has seat 2 in 0312 and 0321, seat 3 in 0132 and 0231, seat 4 in 0123 and 0213."""
    won = four.set_index("seating")["win_renegade"]
    found = seats.seat_map(four, LINEUPS[0], Role.RENEGADE)
    pairs = {2: ("0312", "0321"), 3: ("0132", "0231"), 4: ("0123", "0213")}
    assert found["win"].to_dict() == pytest.approx({seat: won[list(pair)].mean() for seat, pair in pairs.items()})
    assert set(found["seatings"]) == {2}
    lord = seats.seat_map(four, LINEUPS[0], Role.LORD)
    assert list(lord.index) == [1] and lord["win"].tolist() == pytest.approx([four["win_lord"].mean()])


def test_seats_by_hand():
    rows = HAND.assign(**dict.fromkeys(seats.WIN_ERRORS, 0.03))
    found = seats.seat_map(rows, THREE, Role.REBEL)
    assert found["win"].tolist() == pytest.approx([0.2, 0.6]) and found["error"].tolist() == pytest.approx([0.03, 0.03])
    assert seats.seat_difference(rows, THREE, Role.REBEL, (3, 2)) == pytest.approx((0.4, 0.03 * np.sqrt(2)))


def test_seatings_in_both_groups_count_for_neither():
    """Two rebels in 0223 have seats 2 and 3: what they win there says nothing about the difference."""
    rows = _rows({"0223": (0, 0.9, 0.1), "0232": (0, 0.5, 0.5), "0322": (0, 0.2, 0.8)}, errors=0.1)
    found = seats.seat_difference(rows, Lineup(0, 2, 1), Role.REBEL, (2, 3))
    assert found == pytest.approx(((0.5 - 0.2) / 2, 0.1 * np.sqrt(2) / 2))


def test_maps_of_all_line_ups(made_up):
    found = seats.maps(made_up)
    assert len(found) == 3 * sum(lineup.players - 1 for lineup in LINEUPS)
    grid = seats.grid(found, Role.REBEL, "win")
    assert grid.shape == (9, 10) and np.isnan(grid).sum() == sum(10 - lineup.players for lineup in LINEUPS)
    here = seat_rows.of_lineup(made_up, LINEUPS[8])
    assert grid[8, 0] == pytest.approx(here["win_rebels"].mean())
    assert grid[8, 9] == pytest.approx(here.loc[here["seating"].str.endswith("2"), "win_rebels"].mean())
    assert seats.grid(found, Role.REBEL, "difference")[8, 9] == pytest.approx(grid[8, 9] - grid[8, 0])
    ends = seats.best_and_worst_seats(made_up)
    rebels = ends[ends["role"] == str(Role.REBEL)].reset_index(drop=True)
    assert rebels["best"].tolist() == (np.nanargmax(grid[:, 1:], axis=1) + 2).tolist()
    assert rebels["gain"].tolist() == pytest.approx((np.nanmax(grid[:, 1:], 1) - np.nanmin(grid[:, 1:], 1)).tolist())


def test_the_mean_of_bal_is_bal_of_the_mean_and_the_seats(four):
    """By hand: two seatings in which all four roles change places between 0 and 1 look even before, and are not."""
    rows = pd.DataFrame([[1, 1, 0, 0], [0, 0, 1, 1]], columns=SURVIVAL).assign(bal=1.0, bal_error=0.0, bal_noise=0.0)
    found = seats.unevenness(rows)
    assert (found.before.value, found.seated.value, found.seats) == (0, 1, 1)
    found, survival = seats.unevenness(four), four[SURVIVAL].to_numpy()
    lead = survival - survival.mean(axis=1, keepdims=True)
    assert found.seated.value - found.before.value == pytest.approx(lead.var(axis=0).sum())


def test_bal_before_the_seats_are_drawn_has_its_noise_taken_off():
    """Of 2000 repetitions with 50 games a seating; the standard error is a bound."""
    rng, chances = np.random.default_rng(3), np.array([[0.6, 0.2, 0.1, 0.3], [0.2, 0.4, 0.3, 0.5]])
    truth, found = np.square(chances.mean(axis=0) - chances.mean()).sum(), []
    for _ in range(2000):
        rows = pd.DataFrame(rng.binomial(50, chances) / 50, columns=SURVIVAL)
        rows = rows.assign(bal=0.1, bal_error=0.0, bal_noise=(chances * (1 - chances)).sum(axis=1) / 50 * 3 / 4)
        found.append(seats.unevenness(rows).before)
    values, errors = np.array(found).T
    assert abs(values.mean() - truth) < 4 * values.std() / np.sqrt(len(values))
    assert values.std() < 1.1 * errors.mean() < 3 * values.std()


def test_neighbours_by_hand():
    """Pairs {1, 2} with .5 and .7, {1, 3} with .1 and .1, {2, 3} with .4 and .6."""
    chances = {"0132": 0.5, "0231": 0.7, "0123": 0.1, "0321": 0.1, "0213": 0.4, "0312": 0.6}
    rows = _rows({name: (won, 0.0, 1 - won) for name, won in chances.items()})
    found = seats.by_neighbours(rows, LINEUPS[0])
    assert found["neighbours"].tolist() == ["12", "13", "23"] and found["seatings"].tolist() == [2, 2, 2]
    assert found["win_lord"].tolist() == pytest.approx([0.6, 0.1, 0.5])
    between = np.var([0.6, 0.1, 0.5])
    part = seats.explained_by_neighbours(rows, LINEUPS[0], "win_lord")
    assert part == pytest.approx((between / (between + 4 * 0.01 / 6), 0))


def test_noise_is_taken_off_what_neighbours_explain(made_up):
    rng, lineup = np.random.default_rng(4), LINEUPS[3]
    here = seat_rows.of_lineup(made_up, lineup)
    chances = dict(zip(here["seating"], here[seats.WINS].to_numpy(), strict=True))
    truth = seats.explained_by_neighbours(here, lineup, "win_rebels").value
    games = [seats.explained_by_neighbours(_counted(rng, chances, 60), lineup, "win_rebels") for _ in range(1000)]
    values, errors = np.array(games).T
    assert abs(values.mean() - truth) < 4 * values.std() / np.sqrt(len(values))
    assert values.std() == pytest.approx(errors.mean(), rel=0.15)


FOUR = {"0123", "0132", "0213", "0231", "0312", "0321"}
#: Of four players and of five, the seatings that obey, found with pencil and paper.
OBEY = {
    "A loyalist sits directly after the lord": ({"0123", "0132"}, {"01223", "01232", "01322"}),
    "A loyalist sits directly before the lord": ({"0231", "0321"}, {"02231", "02321", "03221"}),
    "A loyalist sits opposite the lord": (
        {"0213", "0312"},
        {"02123", "02132", "02213", "02312", "03122", "03212"},
    ),
    "No loyalist sits beside the lord": (
        {"0213", "0312"},
        {"02123", "02132", "02213", "02312", "03122", "03212"},
    ),
    "A rebel sits directly after the lord": (
        {"0213", "0231"},
        {"02123", "02132", "02213", "02231", "02312", "02321"},
    ),
    "A rebel sits directly before the lord": (
        {"0132", "0312"},
        {"01232", "01322", "02132", "02312", "03122", "03212"},
    ),
    "A rebel sits opposite the lord": ({"0123", "0321"}, set(LINEUPS[1].seatings()) - {"02132", "02312"}),
    "No rebel sits beside the lord": ({"0123", "0321"}, {"01223", "03221"}),
    "A renegade sits directly after the lord": ({"0312", "0321"}, {"03122", "03212", "03221"}),
    "A renegade sits directly before the lord": ({"0123", "0213"}, {"01223", "02123", "02213"}),
    "A renegade sits opposite the lord": (
        {"0132", "0231"},
        {"01232", "01322", "02132", "02231", "02312", "02321"},
    ),
    "No renegade sits beside the lord": (
        {"0132", "0231"},
        {"01232", "01322", "02132", "02231", "02312", "02321"},
    ),
    "A loyalist and a rebel sit beside the lord": ({"0132", "0231"}, {"01232", "01322", "02231", "02321"}),
    "A loyalist and a renegade sit beside the lord": ({"0123", "0321"}, {"01223", "03221"}),
    "A rebel and a renegade sit beside the lord": ({"0213", "0312"}, {"02123", "02213", "03122", "03212"}),
    "No two rebels sit side by side": (FOUR, {"01232", "02123", "02132", "02312", "02321", "03212"}),
    "The rebels sit in one row": (FOUR, {"01223", "01322", "02213", "02231", "03122", "03221"}),
    "The lord and the loyalists sit in one row": (
        {"0123", "0132", "0231", "0321"},
        {"01223", "01232", "01322", "02231", "02321", "03221"},
    ),
    "No two players of one side sit side by side": ({"0213", "0312"}, {"02123", "02132", "02312", "03212"}),
}


def test_every_rule_has_its_list():
    assert list(OBEY) == list(seating_rules.RULES)


@pytest.mark.parametrize("rule", OBEY)
def test_rules_against_lists(rule):
    for lineup, wanted in zip(LINEUPS, OBEY[rule], strict=False):
        assert {name for name in lineup.seatings() if seating_rules.RULES[rule](name)} == wanted


@pytest.mark.parametrize(
    ("rule", "seating", "obeys"),
    [
        ("The lord and the loyalists sit in one row", "0122231", True),
        ("The lord and the loyalists sit in one row", "0112223", True),
        ("The lord and the loyalists sit in one row", "0212231", False),
        ("The rebels sit in one row", "02113222", False),
        ("The rebels sit in one row", "01222213", True),
        ("No two rebels sit side by side", "02121232", True),
        ("No two players of one side sit side by side", "02123123", True),
        ("No two players of one side sit side by side", "02133122", False),
        ("A renegade sits opposite the lord", "0112322", True),
        ("A renegade sits opposite the lord", "0112232", False),
    ],
)
def test_rules_with_more_players(rule, seating, obeys):
    assert seating_rules.RULES[rule](seating) is obeys


def test_rules_table_and_ranking(made_up):
    """Every rule can be obeyed by every line-up; ratios and their errors, one by one."""
    rows = made_up.assign(bal_error=0.01)
    rows.loc[rows["seating"].isin(["0123", "0321"]), "bal"] = 0.01  # what several rules ask for
    table = seating_rules.rules_table(rows)
    assert len(table) == 19 * 9 and table["seatings"].min() >= 1
    entry = table[(table["rule"] == "No rebel sits beside the lord") & (table["lineup"] == "1-1-2-1")].iloc[0]
    here = seat_rows.of_lineup(rows, LINEUPS[1]).set_index("seating")["bal"]
    assert entry["seatings"] == 2 and entry["value"] == pytest.approx(here[["01223", "03221"]].mean())
    assert entry["error"] == pytest.approx(0.01 / np.sqrt(2)) and entry["ratio"] == entry["value"] / here.mean()
    weights = here.index.isin(["01223", "03221"]) / 2 / here.mean() - entry["value"] / 12 / here.mean() ** 2
    assert entry["ratio_error"] == pytest.approx(0.01 * np.sqrt(np.square(weights).sum()))
    ranked = seating_rules.ranking(table).set_index("rule")
    assert ranked["ratio"].is_monotonic_increasing
    ratios = table[table["rule"] == "The rebels sit in one row"]["ratio"]
    row = ranked.loc["The rebels sit in one row"]
    assert row[["ratio", "least", "most"]].tolist() == pytest.approx([ratios.mean(), ratios.min(), ratios.max()])
    assert row["better"] == (ratios < 1).sum()
    best = seating_rules.best_of_each(table)
    assert best["lineup"].tolist() == list(map(str, LINEUPS))
    assert best["ratio"].tolist() == table.groupby("lineup", sort=False)["ratio"].min().tolist()
    equal = table[(table["lineup"] == "1-1-1-1") & np.isclose(table["ratio"], best["ratio"].iloc[0])]["rule"]
    assert len(equal) > 2 and best["rule"].iloc[0] == next(rule for rule in ranked.index if rule in set(equal))


def test_two_rules_are_the_best_of_all_pairs():
    """Three rules by nine ratios: the best pair changes after five players."""
    ratios = {"few": [0.1, 0.2, *[1.5] * 7], "many": [1.9, 1.8, *[0.3] * 7], "both": [0.8] * 9}
    cases = [(rule, str(lineup)) for rule in ratios for lineup in LINEUPS]
    table = pd.DataFrame(cases, columns=["rule", "lineup"])
    table = table.assign(ratio=list(itertools.chain(*ratios.values())), ratio_error=0.03, seatings=1)
    found = seating_rules.best_two(table)
    assert (found.players, found.up_to, found.above) == (5, "few", "many")
    assert found.ratio == pytest.approx(((0.1 + 0.2 + 7 * 0.3) / 9, 0.01))


def test_the_chosen_are_played_again():
    """The least of the stored values is not the value that is shown; exact seatings keep theirs."""
    stored = pd.DataFrame(seat_rows.simulated(name, 200, 3) for name in LINEUPS[3].seatings()).assign(lineup="1-1-2-2")
    rows = seats.measured(stored)
    found = seats.fairest(rows, "bal", 300, 50).iloc[0]
    least, most = rows.loc[rows["bal"].idxmin(), "seating"], rows.loc[rows["bal"].idxmax(), "seating"]
    assert (found["fairest"], found["worst"], found["seatings"]) == (least, most, 30)
    again = seats.measured(pd.DataFrame([seat_rows.simulated(least, 300, 50), seat_rows.simulated(most, 300, 51)]))
    assert (found["least"], found["most"]) == tuple(again["bal"])
    assert found["bound"] == seats.least_possible(rows, "bal") < rows["bal"].min()
    kept = seats.fairest(rows.assign(games=0), "bal", 300, 50).iloc[0]
    assert (kept["least"], kept["most"]) == (rows["bal"].min(), rows["bal"].max())


def test_no_seating_is_below_the_bound():
    """A normal quantile for one in a hundred, divided by the seatings: 3.29 standard errors with twenty."""
    rows = pd.DataFrame({"bal": np.linspace(0.5, 0.9, 20), "bal_error": 0.01})
    assert seats.least_possible(rows, "bal") == pytest.approx(0.5 - 3.2905 * 0.01, abs=1e-5)


def test_exact_rows_stand_in_front(made_up):
    solved = list(solve_seatings("1-1-1-1").values())
    played = made_up.drop(columns="lineup").assign(number=1, games=5)
    found = seat_rows.all_seatings(solved, played)
    assert found["seating"].tolist() == [name for lineup in LINEUPS for name in lineup.seatings()]
    assert (found["games"] == 0).tolist() == [len(name) == 4 for name in found["seating"]]
    assert found["win_lord"].iloc[0] == solved[0].winning["lord"]
    with refused("rows: 5 of 1983 seatings are missing, the first of them 0132"):
        seat_rows.all_seatings(solved[:1], played[6:])


def test_rows_of_the_listing(monkeypatch):
    """Each with its seed, and fewer games where there are many seatings; the sheet asks for all of them.

    With exact endgames; here the games are played to their end, since many tables would have to be computed.
    """
    asked = []

    def to_the_end(*arguments, endgame, **options):
        asked.append(endgame)
        return simulate(*arguments, **options)

    monkeypatch.setattr(seat_rows, "simulate", to_the_end)
    assert len(seat_rows.listing()) == len(set(seat_rows.listing())) == 1965
    table = manifest.load(paths.project()).heavy_table("sanguosha-seatings")
    assert (table.least, table.most) == (0, 1964)
    row = seat_rows.row(1964, 500, 300)
    outcomes = simulate("1-3-4-2", 300, 11_964, seating="0332222111")
    assert (row["number"], row["seating"], row["games"]) == (1964, "0332222111", 300)
    assert row["win_rebels"] == outcomes.winning["rebels"] and row["survival_rebel"] == outcomes.survival[2]
    assert row["win_lord_error"] == outcomes.results.standard_error(outcomes.win_table[:, [0]])[0] > 0
    assert row["score_loyalist_error"] == outcomes.score_error[1] and row["bal_error"] == outcomes.balance_error
    assert seat_rows.row(0, 500, 300)["games"] == 500 and asked == [True, True]
    with refused("number = 1965: a whole number from 0 to 1964 is needed"):
        seat_rows.row(1965, 500, 300)


def test_bal_noise_is_what_games_add():
    """Mean of Bal over many short runs, less its noise: Bal of a long run."""
    short = pd.DataFrame(seat_rows.simulated(LINEUPS[2].seatings()[0], 50, seed) for seed in range(1500))
    long = seat_rows.simulated(LINEUPS[2].seatings()[0], 200_000, 9999)
    corrected, noise = short["bal"] - short["bal_noise"], short["bal_noise"].mean()
    error = np.hypot(corrected.std() / np.sqrt(1500), long["bal_error"])
    assert abs(corrected.mean() - long["bal"]) < 4 * error < noise


def test_drawn_seats_give_the_mean_of_the_seatings(four):
    mean = seats.mean_row(four)
    drawn = seat_rows.columns(simulate("1-1-1-1", 100_000, 12))
    assert np.abs(seats.differences(mean, drawn)).max() < 4
    assert np.abs(seats.differences(four.iloc[0], drawn)).max() > 10


def test_attacks_of_the_first_round():
    """Of four, the lord's neighbours aim at seat 3 only, which aims at both of them, and so does the lord."""
    for name in LINEUPS[0].seatings():
        assert seats.aimed_at(name).tolist() == [0, 1, 2, 1]
    assert {tuple(seats.aimed_at(name)) for name in LINEUPS[4].seatings()} == {(0, 1, 1.5, 1, 1, 1.5, 1)}
