"""The survey of every N, what is read from it, and the long run's table."""

import pandas as pd
import pytest

from chapters.countn import peace, regularities, survey
from gamebalance import countn
from gamebalance.base.rounding import meant
from gamebalance.countn import endings
from gamebalance.publish import heavy


def lines(values):
    """A survey with these shares: n -> (fewer hands win, draws, more hands win)."""
    rows = [
        {"n": n, "fewer_hands_wins": a, "three_hands_drawn": b, "more_hands_wins": c} for n, (a, b, c) in values.items()
    ]
    return pd.DataFrame(rows)


def test_three_hands_names_rule_and_exceptions():
    wins = {n: endings.one_hand(n, 1, 1)[0] > 0 for n in (58, 59, 60)}
    assert wins == {58: True, 59: False, 60: False}
    frame = regularities.three_hands(lines({58: (0.9, 0.06, 0.04), 59: (0.2, 0.7, 0.1), 60: (0.1, 0.2, 0.7)}))
    assert frame["mover_wins_1v1"].tolist() == [True, False, False]
    assert frame["mostly"].tolist() == ["fewer", "drawn", "more"]
    assert frame["rule"].tolist() == ["fewer", "drawn", "drawn"]
    assert frame["exception"].tolist() == [False, False, True]


def test_stretches_begin_and_end_at_fibonacci_numbers():
    shares = {n: (0.95, 0.03, 0.02) if endings.one_hand(n, 1, 1)[0] > 0 else (0.2, 0.7, 0.1) for n in range(2, 80)}
    shares[40] = (0.1, 0.2, 0.7)
    table = regularities.stretches(regularities.three_hands(lines(shares)))
    assert table["N"].tolist() == ["22 to 34", "35 to 55", "56 to 79"]
    assert table["mover wins 1 v 1 if N mod 4 is"].tolist() == ["0 or 3", "2 or 3", "1 or 2"]
    assert table["exceptions"].tolist() == ["none", "40", "none"]
    assert table["one hand wins, least %"].tolist() == pytest.approx([95] * 3)
    assert table["one hand wins, most %"].tolist() == pytest.approx([20] * 3)
    # A stretch that ends at a Fibonacci number only has that number's rule left out.
    assert regularities.one_one(34).mover_wins and 34 % 4 == 2


@pytest.fixture(scope="module")
def tables():
    """The survey, the cousin's and the peace, as notebook 03 has them."""
    cousin = pd.DataFrame([survey.row(n, "rollover", 0) for n in range(2, 17)])
    cousin["peace"] = ["yes" if n >= 13 else "no" for n in cousin["n"]]
    quiet = pd.DataFrame([vars(peace.keep_peace(n)) for n in range(2, 17)])
    return heavy.results("countn-survey"), cousin, quiet


def test_statements_have_a_status_and_name_the_n_they_were_found_for(tables):
    """Nothing but a proof reaches "every N" or "from N = 10 on"."""
    table = regularities.statements(*tables, 64)
    assert set(table["status"]) == {"proved", "computed", "observed", "cited"}
    observed = table[table["status"] == "observed"].iloc[0]
    assert observed["statement"].startswith("N = 27 to 256:") and "with 4 exceptions" in observed["on what it rests"]
    assert not table.isna().any(axis=None) and not table["statement"].duplicated().any()
    found = table[table["status"].isin(["computed", "observed"])]["statement"]
    assert found.str.contains(r"N = \d+").all()
    assert not found.str.contains(r"every N|from N = \d+ on|From N").any()
    ranges = found.str.extract(r"N = \d+ to (\d+)")[0].dropna().astype(int)
    assert sorted(set(ranges)) == [16, 256]
    smaller = regularities.statements(tables[0].query("n <= 100"), *tables[1:], 20)["statement"]
    assert "N = 10 to 100 are draws" in set(smaller) and not smaller.str.contains("256").any()


@pytest.mark.parametrize(
    ("table", "row", "column", "value", "named"),
    [
        (0, 7, "winner", "draw", "second"),  # N = 9
        (0, 6, "winner", "first", "N = 2, 4, 7"),
        (0, 50, "winner", "second", "N = 2, 4, 7"),
        (1, 5, "winner", "first", "Rollover: N = 5 to 16"),
        (1, 10, "peace", "yes", "Rollover: for N = 13"),
        (2, 3, "waiting", 1, "no player alone"),
    ],
)
def test_a_statement_that_the_tables_do_not_bear_out_is_refused(tables, table, row, column, value, named):
    changed = [frame.copy() for frame in tables]
    changed[table].loc[row, column] = value
    with pytest.raises(ValueError, match=f"statement = .*{named}.*the tables say otherwise"):
        regularities.statements(*changed, 64)


def test_winner_text_and_halves():
    frame = pd.DataFrame([survey.row(n, "one", 0) for n in range(2, 11)])
    assert survey.winner_text(frame).tolist()[-4:] == ["first in 23", "draw", "second in 48", "draw"]
    both = survey.two_halves(frame, 9)
    assert both[" "]["N"].tolist() == [2, 3, 4, 5] and both["  "]["N"].tolist() == [6, 7, 8, 9]
    assert both["  "]["% drawn"].tolist() == pytest.approx([0, 0, 100 * 468 / 1934, 100 * 574 / 3024])


def test_row_of_the_cousin():
    row = survey.row(5, "rollover", 5)
    assert row["one_hand_drawn"] == endings.free_fibonacci(5) / 16 and row["certificate"] == 55
    assert survey.row(8, "one", 8)["certificate"] == 291 and survey.row(8, "one", 7)["certificate"] is None
    with pytest.raises(ValueError, match=r"largest_certificate = 2\.5"):
        survey.row(8, "one", 2.5)


@pytest.mark.parametrize("n", [2, 7, 9, 17, 40, 63, 64, 81])
def test_the_long_run_is_what_this_code_computes(n):
    stored = heavy.results("countn-survey").set_index("n").loc[n]
    row = survey.row(n, "one", 40)
    for name in set(row) - {"n", "overflow", "winner", "certificate"}:
        if row[name] is None:
            assert pd.isna(stored[name])
        else:
            assert stored[name] == meant(row[name])
    assert stored["winner"] == row["winner"]
    if row["certificate"]:
        assert stored["certificate"] == row["certificate"]


def test_the_long_run_is_complete():
    frame = heavy.results("countn-survey")
    assert frame["n"].tolist() == list(range(2, countn.LARGEST_N + 1))
    draws = frame[frame["winner"] == "draw"]["n"].tolist()
    assert draws == [8, *range(10, countn.LARGEST_N + 1)]
    assert (frame["one_hand_drawn"] == 0).all()
    made = frame["certificate"].notna()
    assert frame[made]["n"].tolist() == [n for n in draws if n <= survey.LARGEST_CERTIFICATE]
    shares = frame[["fewer_hands_wins", "more_hands_wins", "three_hands_drawn"]].sum(axis=1)
    assert shares.to_numpy() == pytest.approx(1, abs=2e-9)  # three numbers of nine digits
