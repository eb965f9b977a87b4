"""Simulations beside exact solutions, and rows of long runs beside the solver."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from chapters import five_to_ten_players as sizes
from chapters import playing_sanguosha_better as better
from chapters import where_play_settles as settled
from chapters import which_alliances_pay as alliances
from chapters.do_the_two_methods_agree import chi_square_tests, excluded_differences, pooled_counts
from chapters.four_players_exactly import (
    ALIVE,
    RULE_SETS,
    compare_endings,
    differing_choices,
    same_distribution,
)
from chapters.sanguosha_drawing import ROLES
from gamebalance.publish import heavy, manifest, paths
from gamebalance.sanguosha import AS_CODED, LINEUPS, Lineup, Outcomes, Role, simulate

FOUR, ALONE, BOTH = Lineup(1, 1, 1), (0, 0, 0, 1), (1, 1, 0, 0)
SHARES = {ALONE: 0.5, (0, 0, 1, 0): 0.1, (1, 0, 0, 0): 0.15, BOTH: 0.25}


def test_rare_endings_are_pooled():
    exact = Outcomes(FOUR, {ALONE: 0.9, (0, 0, 1, 0): 0.098, (0, 0, 1, 1): 0.0015, (1, 0, 0, 0): 0.0005})
    seen = Outcomes(FOUR, {ALONE: 0.89, (0, 0, 1, 0): 0.109, (0, 0, 1, 1): 0.001}, games=1000)
    expected, observed = pooled_counts(exact, seen)
    # 0.5 and 1.5 games make 2, still below five, so they join the 98
    assert expected.tolist() == pytest.approx([100, 900]) and observed.tolist() == [110, 890]
    with pytest.raises(ValueError, match="impossible"):
        pooled_counts(exact, Outcomes(FOUR, {BOTH: 1.0}, games=10))


def test_chi_square_by_scipy_and_total():
    exact = {"a": Outcomes(FOUR, SHARES), "b": Outcomes(FOUR, SHARES)}
    seen = SHARES | {ALONE: 0.48, BOTH: 0.27}
    simulated = {"a": Outcomes(FOUR, seen, games=1000), "b": Outcomes(FOUR, SHARES, games=1000)}
    table = chi_square_tests(exact, simulated)
    by_scipy = stats.chisquare([100, 150, 270, 480], [100, 150, 250, 500])
    assert table["chi-square"].tolist() == pytest.approx([by_scipy.statistic, 0, by_scipy.statistic])
    assert table["p-value"][0] == pytest.approx(by_scipy.pvalue)
    assert table["degrees of freedom"].tolist() == [3, 3, 6] and table["seating"].iloc[-1] == "all"
    assert table["p-value"].iloc[-1] == pytest.approx(stats.chi2.sf(by_scipy.statistic, 6))


def half_and_half(games=None, share=0.5):
    return Outcomes(FOUR, {ALONE: share, BOTH: 1 - share}, "0123", games)


def test_two_endings_by_hand():
    """400 of 1000 games where half of them were expected: the interval for all four endings goes down to its end."""
    exact = {"0123": half_and_half(), "0321": half_and_half()}
    played = {"0123": half_and_half(1000, 0.4), "0321": half_and_half(1000)}
    points, endings = excluded_differences(exact, played)
    assert endings == 4 and list(points) == ["0123", "0321"]
    theirs = stats.binomtest(400, 1000).proportion_ci(1 - 0.05 / 4, "exact")
    assert points["0123"] == pytest.approx(100 * (0.5 - theirs.low))
    even = stats.binomtest(500, 1000).proportion_ci(1 - 0.05 / 4, "exact")
    assert points["0321"] == pytest.approx(100 * (even.high - 0.5))


def test_an_ending_that_was_never_seen_is_not_excluded():
    """Its standard error would be 0; a thousand games leave room for a third of a percent."""
    points, _ = excluded_differences({"": half_and_half(share=1.0)}, {"": half_and_half(1000, 1.0)})
    assert 0.3 < points[""] < 0.5


# ---- Our numbers beside printed ones


MADE_UP = Outcomes(Lineup(1, 1, 1), SHARES, games=10_000)


def printed_counts(shares):
    return pd.DataFrame([(*alive, round(share * 1e6)) for alive, share in shares.items()], columns=[*ALIVE, "count"])


def test_endings_of_equal_and_of_other_distributions():
    """One that only the report has seen is listed; a shifted distribution is noticed."""
    frame = compare_endings(MADE_UP, printed_counts(SHARES))
    assert frame["ours"].tolist() == [500_000, 100_000, 150_000, 250_000]
    assert not frame["difference in s.e."].any()
    assert frame["s.e."].iloc[0] == pytest.approx(1e6 * np.sqrt(0.25 / 10_000))
    assert same_distribution(frame, 10_000) == 1 and same_distribution(frame, None) == 1

    shifted = SHARES | {(0, 0, 0, 1): 0.47, (1, 1, 0, 0): 0.28, (0, 0, 1, 1): 4e-4}
    frame = compare_endings(MADE_UP, printed_counts(shifted))
    row = frame[frame["printed"] == 400].iloc[0]
    error = np.sqrt(4e-4 * (1 - 4e-4) * (1 / 10_000 + 1 / 1e6))
    assert row["ours"] == 0 and row["difference in s.e."] == pytest.approx(-4e-4 / error)
    assert frame["difference in s.e."].abs().max() > 5
    assert same_distribution(frame, 10_000) < 1e-6


def test_situations_in_which_the_choice_differs():
    """By hand: all four of 0323 alive, the unarmed rebel opposite the lord, at any health.

    01223 without its loyalist: of two rebels and a renegade, the second rebel sits opposite the lord.
    """
    attacked = RULE_SETS["renegade attacked"]
    expected = [(2, health, False) for health in product(range(1, 5), repeat=4)]
    assert differing_choices("0323", AS_CODED, attacked) == expected
    expected = {(3, (*health[:1], 0, *health[1:]), False) for health in product(range(1, 5), repeat=4)}
    assert set(differing_choices("01223", AS_CODED, attacked)) == expected
    assert differing_choices("0123", AS_CODED, attacked) == []


# ---- Rows of the long runs


def test_a_row_of_four_players_is_exact_and_comes_out_again():
    outcomes = sizes.lineup_outcomes(sizes.row("1-1-1-1"))
    stored = sizes.known(heavy.results("sanguosha-line-ups", text=["shares", "moments"]))["1-1-1-1"]
    assert outcomes.games is None and outcomes.error_bound <= 1e-11 and not outcomes.survival_error.any()
    assert outcomes.survival == pytest.approx(stored.survival, abs=1e-9)


@pytest.mark.thorough
def test_a_simulated_row_keeps_all_errors(monkeypatch):
    """Five players are simulated here, in few and small tables: two loyalists more than the rows are for."""
    line = Lineup(3, 1, 0)
    for name, value in {"EXACT_PLAYERS": 4, "all_lineups": lambda: (Lineup(1, 1, 1), line), "GAMES": 3000}.items():
        monkeypatch.setattr(sizes, name, value)
    row = sizes.row(str(line))
    outcomes, played = sizes.lineup_outcomes(row), simulate(line, 3000, 1, endgame=True)
    assert (row["games"], row["seed"], outcomes.games) == (3000, 1, 3000)
    assert list(outcomes.probability) == list(played.probability)
    for name in ("survival", "survival_error"):
        ours, theirs = getattr(outcomes, name), getattr(played, name)
        assert np.allclose(ours, theirs, rtol=1e-9, atol=1e-11, equal_nan=True) and np.nanmax(ours) > 0


@pytest.fixture(scope="module")
def five():
    return sizes.solved_seatings(heavy.results("sanguosha-exact-five", ["seating"]))


def test_line_ups_with_all_seatings_solved_are_exact(five):
    """And a mean needs all of them."""
    rows = heavy.results("sanguosha-line-ups", text=["shares", "moments"])
    seatings = heavy.results("sanguosha-exact-six", ["seating"])
    every = sizes.known(rows, seatings)
    assert len(every) == 84 and [every[str(line)].games is None for line in LINEUPS[:5]] == [True] * 4 + [False]
    mean = sizes.mean_of(five, LINEUPS[1])
    assert mean.survival == pytest.approx(every["1-1-2-1"].survival, abs=1e-8)
    with pytest.raises(AssertionError, match="1-1-2-1"):
        sizes.mean_of(five[1:], LINEUPS[1])


def test_stored_rows_are_those_of_their_cases():
    """Each row of a stored table says in its columns what its function is called with."""
    modules = (better.__name__, alliances.__name__, settled.__name__)
    tables = [table for table in manifest.load(paths.project()).heavy if table.function.startswith(modules)]
    assert len(tables) == 12
    for table in tables:
        text = [name for name in ("seating", "roles") if name in table.over]
        stored = heavy.results(table.id, text=text).set_index(table.key, drop=False)
        assert list(stored.index) == list(table.rows())
        for key, arguments in table.rows().items():
            told = {name: stored.loc[key, name] for name in arguments if name in stored and name != "rounds"}
            assert told and told.items() <= arguments.items(), (table.id, key)


def test_allies_are_compared_with_nobody_allied():
    rows = [
        ("13", 8, 4, 1, 7, 0.02),
        ("13", 6, 6, 3, 5, 0.04),
        ("alone", 9, 3, 2, 4, 0.01),
        ("alone", 7, 5, 2, 2, 0.01),
    ]
    names = ["roles", *alliances.SCORES, "unfinished"]
    allied = pd.DataFrame(rows, columns=names).assign(**dict.fromkeys(alliances.GAINS, 0.123))
    (pair, nobody) = alliances.allied_table(allied).to_dict("records")
    together = [pair["together", name] for name in ("alone", "allied", "gain")]
    assert (pair["", "alliance"], together) == ("Loyalist + Renegade", [4 + 3, 5 + 6, 4])
    assert [pair["points", role.english] for role in Role] == [7, 5, 2, 6] and np.isnan(nobody["together", "gain"])
    assert (pair["at most", "could gain"], pair["at most", "unfinished, %"]) == (0.13, 4)


@pytest.mark.thorough
def test_a_stored_row_comes_out_again():
    row = better.threat_row(seating="0231", players="rebel", knows="own sight", spares_friends=True)
    stored = heavy.results("sanguosha-threat", text=["seating"])
    case = [row["seating"], row["players"], row["knows"], row["spares_friends"]]
    (told,) = stored[(stored[list(row)[:4]] == case).all(axis=1)].drop(columns="case").to_dict("records")
    assert list(told) == list(row) and list(told.values())[4:] == pytest.approx(list(row.values())[4:])


# ---- Roles as they are drawn


def test_roles_differ_without_colour():
    assert [style.role for style in ROLES] == list(Role)
    assert [style.key for style in ROLES] == ["lord", "loyalist", "rebel", "renegade"]
    for aspect in ("colour", "marker", "linestyle"):
        assert len({str(getattr(role, aspect)) for role in ROLES}) == 4


# Viénot, Brettel and Mollon (1999), for linear RGB: what a reader without long- or middle-wave cones sees.
BLINDNESS = {
    "none": np.eye(3),
    "protanopia": [[0.11238, 0.88762, 0], [0.11238, 0.88762, 0], [0.00401, -0.00401, 1]],
    "deuteranopia": [[0.29275, 0.70725, 0], [0.29275, 0.70725, 0], [-0.02234, 0.02234, 1]],
}


@pytest.mark.parametrize("kind", BLINDNESS)
def test_roles_differ_to_colour_blind_readers(kind):
    seen = [_lab(np.clip(BLINDNESS[kind] @ _linear(role.colour), 0, 1)) for role in ROLES]
    gaps = [np.linalg.norm(a - b) for i, a in enumerate(seen) for b in seen[:i]]
    assert min(gaps) > 12
    assert all(1.05 / (_linear(role.colour) @ [0.2126, 0.7152, 0.0722] + 0.05) > 3 for role in ROLES)


def _linear(colour: str) -> np.ndarray:
    value = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def _lab(rgb: np.ndarray) -> np.ndarray:
    matrix = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    x, y, z = np.cbrt(matrix @ rgb / [0.9505, 1, 1.089])
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])
