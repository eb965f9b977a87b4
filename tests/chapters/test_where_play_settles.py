"""Where play settles: stored rows beside the solver, and the tables that are made of them."""

import numpy as np
import pandas as pd
import pytest

from chapters import where_play_settles as chapter
from chapters.the_smallest_fair_change_grid import ENDINGS, FOUR, endings_of, mean_of
from gamebalance.publish import heavy
from gamebalance.sanguosha import REPORT_SCORING, Outcomes, Role, Seating, solve_lineup
from gamebalance.sanguosha.design import with_points
from tests.sanguosha.made_up_designs import made_up


@pytest.fixture(scope="module", params=["sanguosha-settled", "sanguosha-settled-five"])
def rows(request):
    return heavy.results(request.param, text=["seating"])


def test_stored_rows_begin_as_the_solver_does():
    """Rounds gone back do not ask how many follow."""
    rows = heavy.results("sanguosha-settled", text=["seating"])
    for ties in chapter.tried(rows):
        stored = rows[(rows["seating"] == "0231") & (rows["ties"] == ties)].iloc[0]
        few = chapter.settled_row("0231", ties, 3)["sides"].split(";")
        stored = [line.split() for line in stored["sides"].split(";")[:3]]
        np.testing.assert_allclose(np.array(stored, float), np.array([line.split() for line in few], float), atol=1e-9)


def test_chances_are_whole_but_for_what_is_unfinished(rows):
    """And the sides' last chances are those of the endings."""
    ends, lineup = chapter.chances(rows), Seating(rows["seating"].iloc[0]).lineup
    won, points = chapter.worths_of(endings_of(lineup), lineup)
    for place, ties in enumerate(chapter.tried(rows)):
        own = rows[rows["ties"] == ties]
        np.testing.assert_allclose(ends[place, :, -1].sum(axis=1), 1 - own["unfinished"], atol=1e-8)
        last = np.array([text.split(";")[-1].split() for text in own["sides"]], float)
        np.testing.assert_allclose(ends[place, :, -1] @ won, last, atol=1e-8)
    mean = chapter.settled_outcomes(rows)
    assert mean.winning["lord"] == pytest.approx((ends[0, :, -1] @ won)[:, 0].mean())
    np.testing.assert_allclose(mean.expected_scores(), (ends[0, :, -1] @ points).mean(axis=0))


def test_ranges_hold_what_they_are_about(rows):
    table, lineup = chapter.settled_table(rows), Seating(rows["seating"].iloc[0]).lineup
    assert table[("", "seating")].tolist() == [*sorted(map(str, lineup.seatings())), "mean"]
    won, _ = chapter.worths_of(endings_of(lineup), lineup)
    for side, name in enumerate(chapter.WINNERS):
        for text, ends in zip(table[("wins, %", name)], chapter.of_seatings(rows).values(), strict=True):
            least, most = (*text.split("–"), text)[:2]
            values = 100 * ends @ won[:, side]
            assert float(least) == round(values.min(), 1) and float(most.split("–")[-1]) == round(values.max(), 1)
    assert chapter.span([1.04, 0.96]) == "1.0" and chapter.span([-0.001, 0.26], 2) == "0.00–0.26"


def test_a_stored_row_of_changed_rules_is_found_again():
    stored = heavy.results("sanguosha-settled-rules", text=["seating"])
    again = chapter.changed_row(1, "0213", 70, 0.0005)
    (one,) = stored[(stored["number"] == 1) & (stored["seating"] == "0213")].to_dict("records")
    assert one["setting"] == again["setting"] == "Everybody has 1 heart."
    before, now = (np.array([cut.split() for cut in row["endings"].split(";")], float) for row in (one, again))
    np.testing.assert_allclose(now, before, atol=1e-8)
    assert one["unfinished"] == pytest.approx(again["unfinished"]) and again["unfinished"] < 0.0005


def test_rules_stand_beside_the_fixed_rule():
    """The last cut alone counts, and what is unfinished is left out; the most even first."""
    text = ";".join(["0 0 0 0 0 0 0 0 1"] * 9)
    known = {f"gain_{role.key}": 0.101 for role in Role} | {"unfinished": 0.2}
    rows = pd.DataFrame(
        {"seating": [*chapter.SEATINGS], "ties": "first seat", "endings": f"{text};0.4 0 0 0 0 0 0 0 0.4"} | known
    )
    changed = rows.assign(number=2, endings=f"{text};0.3 0.2 0 0 0 0 0 0 0.5")
    designs = chapter.with_settled(made_up().drop(columns=["settled", "unfinished", "gain"]), rows, changed)
    assert designs.loc[designs["settled"] != "", "number"].tolist() == [0, 2]
    table = chapter.rules_table(designs)
    assert table["", "changed rule"].tolist() == ["Everybody has 2 hearts.", "The game as it is."]
    settled, fixed = (table[head].to_numpy() for head in ("nobody gains by leaving", "fixed rule"))
    np.testing.assert_allclose(settled[:, :4], [[50, 20, 30, 30], [40, 0, 40, 40]], atol=1e-9)
    assert table["at most"].to_numpy().tolist() == [[0.11, 20.0], [0.11, 20.0]]
    wins = mean_of(made_up().iloc[2], "report").winning
    np.testing.assert_allclose(fixed[0, :3], [100 * share for share in wins.values()])
    assert chapter.widest(changed) == pytest.approx(50)
    few = changed.assign(endings="0 0 0 0 0 0 0 0 0.9;0.5 0 0 0 0 0 0 0 0.49;0.4 0 0 0 0 0 0 0 0.595")
    assert chapter.widest(few) == pytest.approx(100 * (0.5 / 0.99 - 0.4 / 0.995))


def test_stored_points_are_fair_for_the_play_before():
    """At first for the fixed rule; what is unfinished gives nobody anything."""
    for row in heavy.results("sanguosha-settled-points").itertuples():
        points, ends = (
            np.array([line.split() for line in text.split(";")], float) for text in (row.points, row.endings)
        )
        before = [
            solve_lineup(FOUR),
            *(Outcomes(FOUR, dict(zip(ENDINGS, map(float, each), strict=True))) for each in ends),
        ]
        for outcomes, values in zip(before, points, strict=False):
            assert np.ptp(outcomes.expected_scores(with_points(REPORT_SCORING, values))) < 1e-6
        table = chapter.points_table(row._asdict())
        assert table["", "step"].tolist() == [*range(len(points))]
        assert table["expected points", "apart"].iloc[-1] < 0.3 and table["at most", "gain"].max() < 0.8


def test_moves_are_told_by_role():
    rows = pd.DataFrame({"seating": ["0123", "0321"], "moves": ["0123 3 0 3;0123 3 -1 1;01 0 1 2", "0123 1 0 2"]})
    moved = chapter.moves(rows)
    assert moved["turns"].sum() == pytest.approx(8 / 6)
    first, second = chapter.kinds(moved, 2).to_dict("records")
    assert first == {
        "alive": "all four",
        "whose turn": "renegade",
        "turns a game": pytest.approx(1),
        "what it does": "attacks the lord in 83%, nobody in 17%",
    }
    assert second["alive"] == "lord, loyalist" and second["whose turn"] == Role.LORD.key


def test_worths_are_those_of_the_choices_that_are_made():
    """The best of the options, mean over the hands, is what the mover then expects; each turn is a move."""
    found = chapter.induction("023", chapter.PASSING)
    worths = chapter.worths(found, 12, (0, 1), 1).max(axis=1)
    chances = np.array([float(chance) for chance in found.rules.hand_probability])
    expects = found.states((0, 1), 1)[:, : len(found.endings)] @ found.aims[1]
    np.testing.assert_allclose(np.tensordot(chances, worths, 1).ravel(), expects, atol=1e-9)
    often = [float(each.split()[-1]) for each in chapter.moves_row("023", 1)["moves"].split(";")]
    assert sum(often) == pytest.approx(3)  # nobody can die in a round
