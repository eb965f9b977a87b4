"""The page on which the rules of four players are changed: numbers, words and links are those of the library."""

import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies

from chapters import the_smallest_fair_change_grid as grid
from chapters.the_smallest_fair_change_grid import ENDINGS, FOUR, PLAYS, SEATINGS, outcomes_of
from chapters.the_smallest_fair_change_page import SHOWN, data
from chapters.the_smallest_fair_change_page import page as whole_page
from gamebalance import sanguosha
from gamebalance.sanguosha import REPORT_SCORING, Outcomes, Role, Rules, Scoring, changed, mean_outcomes
from gamebalance.sanguosha.design import POINTS, values_of, with_points
from gamebalance.sanguosha.policies import ThreatPolicy
from gamebalance.sanguosha.scoring import SIDES
from gamebalance.sanguosha.what_if import changed_points
from tests.pages.made import go_to, unfold
from tests.sanguosha.made_up_designs import made_up

PAGE = "sanguosha-bench"
CHANGES, GRID = list(grid.changes()), grid.settings()
#: Two changes, one seating, other points.
LINK = "#change=each-renegade-has-3-hearts&change=there-are-15-slashes-instead-of-30&seating=0231&renegade_win=20"
UNTRIED = next(number for number, text in enumerate(made_up()["threat"]) if text == "")


def library(number: int, play: str, seating: int | None) -> Outcomes | None:
    """What the table says of a setting, or None if it says nothing."""
    row = made_up().iloc[number]
    if row[play] == "":
        return None
    found = outcomes_of(row, play) if play != "settled" else uncut(row)
    return mean_outcomes(FOUR, list(found.values())) if seating is None else found[SEATINGS[seating]]


def uncut(row) -> dict[str, Outcomes]:
    """By seating, where a part of the games may be cut."""
    ends = (dict(zip(ENDINGS, map(float, text.split()), strict=True)) for text in row["settled"].split(";"))
    return {seating: Outcomes(FOUR, each) for seating, each in zip(SEATINGS, ends, strict=True)}


def sides(outcomes: Outcomes) -> list[float]:
    return list(outcomes.winning.values())


def gap(outcomes: Outcomes) -> float:
    return max(sides(outcomes)) - min(sides(outcomes))


def headline(found: Outcomes, before: Outcomes | None = None) -> str:
    """Whole games of each side, together 100, as close to its wins as can be."""

    def of_hundred(outcomes):
        exact = [100 * share for share in sides(outcomes)]
        whole = [int(share + 1e-6) for share in exact]
        for _ in range(round(sum(exact)) - sum(whole)):
            whole[max(range(3), key=lambda k: exact[k] - whole[k])] += 1
        return [games if games or share == 0 else "fewer than 1" for games, share in zip(whole, exact, strict=True)]

    said = "of 100 games the lord's side wins {}, the rebel {} and the renegade {}".format(*of_hundred(found))
    if before is None:
        return f"By the report's rules, {said}."
    return f"With these rules, {said}; by the report's rules {{}}, {{}} and {{}}.".format(*of_hundred(before))


def link(setting) -> str:
    names = [re.sub("[^a-z0-9]+", "-", change.said.lower()).strip("-") for change in setting]
    return "#" + "&".join(f"change={name}" for name in names)


class Recorder:
    """Stands for the library where the page's lines of Python are run: keeps what they ask for."""

    Role, AS_CODED = sanguosha.Role, sanguosha.AS_CODED

    @staticmethod
    def what_if(*, seating=None, points=None, policies=None, rules=sanguosha.AS_CODED, **news):
        return changed(rules, **news), seating, changed_points(points), policies

    @staticmethod
    def settle(seating, rounds, tail=0, rules=sanguosha.AS_CODED, scoring=REPORT_SCORING):
        return SimpleNamespace(outcomes=(rules, seating, rounds, tail, scoring))

    @staticmethod
    def settle_seatings(lineup, *asked, **more):
        return {
            seating: Recorder.settle(seating, *asked, **more) for seating in sanguosha.Lineup.parse(lineup).seatings()
        }

    Lineup, REPORT_SCORING, changed = sanguosha.Lineup, REPORT_SCORING, staticmethod(changed)
    mean_outcomes = staticmethod(lambda lineup, parts: (str(lineup), parts))


def run(lines: str) -> tuple[Rules, str | None, Scoring, dict | None]:
    *imports, call = lines.splitlines()
    first = imports.pop() if " = " in imports[-1] else None
    known = {"from gamebalance import sanguosha": {"sanguosha": Recorder}}
    known["from dataclasses import replace"] = {"replace": replace}
    known["from gamebalance.sanguosha.policies import ThreatPolicy"] = {"ThreatPolicy": ThreatPolicy}
    names = {key: value for line in imports for key, value in known[line].items()}
    if first:
        exec(first, names)
    return eval(call, names)


def cells(page, selector: str, first: int = 0) -> list[list[str]]:
    return [row.locator("td").all_inner_texts()[first:] for row in page.locator(selector).all()]


def test_every_two_changes_are_found_and_rows_may_come_in_any_order():
    """As a setting, or as one of the two if the other then changes nothing."""
    known = data(made_up())
    there = {tuple(setting) for setting in known["settings"]}
    place = {grid.rules_of(setting): number for number, setting in enumerate(GRID)}
    for first in range(len(CHANGES)):
        for second in range(first + 1, len(CHANGES)):
            if CHANGES[first].rule == CHANGES[second].rule or (first, second) in there:
                continue
            number = known["same"].pop(f"{first},{second}")
            assert number == place[grid.rules_of((CHANGES[first], CHANGES[second]))]
            assert known["settings"][number] in ([first], [second])
    assert known["same"] == {}
    assert whole_page(made_up().replace("", float("nan")).iloc[::-1]) == whole_page(made_up())


@pytest.mark.browser
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    number=strategies.integers(0, len(GRID) - 1),
    play=strategies.sampled_from(SHOWN),
    seating=strategies.none() | strategies.integers(0, len(SEATINGS) - 1),
    points=strategies.lists(strategies.floats(-1000, 1000), min_size=len(POINTS), max_size=len(POINTS)),
)
def test_sums_are_the_librarys(asked, number, play, seating, points):
    points = values_of(REPORT_SCORING).tolist() if play == "settled" else points
    asked_for = [number, play, seating, points]
    found = asked.evaluate(
        "([number, play, seating, points]) => grid.outcome(number, play, seating, points)", asked_for
    )
    outcomes = library(number, play, seating)
    if outcomes is None:
        assert found is None
        return
    scores = outcomes.expected_scores(with_points(REPORT_SCORING, np.array(points)))
    wins = [outcomes.winning[SIDES[role]] for role in Role]
    assert found["survival"] == pytest.approx(outcomes.survival, abs=2e-6)
    assert found["wins"] == pytest.approx(wins, abs=2e-6) and found["sides"] == pytest.approx(sides(outcomes), abs=2e-6)
    assert found["gap"] == pytest.approx(100 * gap(outcomes), abs=4e-4)
    assert found["score"] == pytest.approx(scores, abs=1e-2)  # a millionth of ten points of up to 1,000
    assert found["bal"] == pytest.approx(outcomes.balance, abs=1e-5)
    assert found["rat"] == pytest.approx(np.sum((scores - scores.mean()) ** 2), rel=1e-4, abs=1e-1)
    turns = made_up()["turns"][number] if play == "report" and seating is None else None
    assert found["turns"] == (None if turns is None else pytest.approx(turns, abs=1e-3))


@pytest.mark.browser
def test_the_lines_of_python_are_the_rules(asked):
    """Of every setting; and the seating, the points and the play."""
    points = values_of(REPORT_SCORING).tolist()
    every = asked.evaluate(f"grid.known.settings.map((setting) => words.python(setting, 'report', null, {points}))")
    for lines, setting in zip(every, GRID, strict=True):
        assert run(lines) == (grid.rules_of(setting), None, REPORT_SCORING, None)
    script = "(places) => places.map((one) => words.python(...one))"
    asked_for = [[[66, 5], "threat", 2, [*points[:3], -2.5, *points[4:]]], [[], "known", None, points]]
    one, other = map(run, asked.evaluate(script, asked_for))
    scoring = replace(REPORT_SCORING, loyalist_dead=-2.5)
    assert one == (grid.rules_of((CHANGES[66], CHANGES[5])), SEATINGS[2], scoring, PLAYS["threat"])
    assert other == (sanguosha.AS_CODED, None, REPORT_SCORING, PLAYS["known"])
    asked_for = [[[66, 5], "settled", 2, [*points[:3], -2.5, *points[4:]]], [[], "settled", None, points]]
    one, other = map(run, asked.evaluate(script, asked_for))
    assert one == (grid.rules_of((CHANGES[66], CHANGES[5])), SEATINGS[2], 70, 0.0005, scoring)
    every = [(sanguosha.AS_CODED, seating, 100, 0, REPORT_SCORING) for seating in SEATINGS]
    assert other == (str(FOUR), every)


@pytest.mark.browser
def test_what_is_chosen_is_shown(open_page):
    """All numbers of a setting as the library writes them, and those of the report's rules beside them."""
    page = open_page()
    number = next(k for k, setting in enumerate(GRID) if len(setting) == 2 and made_up()["known"][k] and k > 900)
    for field, change in zip(("first", "second"), GRID[number], strict=True):
        page.select_option(f"#{field}", str(CHANGES.index(change)))
    page.select_option("#seating", "3")
    page.select_option("#play", "known")
    page.click("summary >> nth=0")
    page.fill("#rebel_dead", "4.5")
    found, before = (library(k, "known", 3) for k in (number, 0))
    scoring = replace(REPORT_SCORING, rebel_dead=4.5)
    wanted = []
    for now, then, form in (
        (sides(found), sides(before), "{:.1%}"),
        (found.survival, before.survival, "{:.1%}"),
        (found.expected_scores(scoring), before.expected_scores(), "{:.2f}"),
    ):
        wanted += [[form.format(value) for value in pair] for pair in zip(now, then, strict=True)]
    assert cells(page, "#measures tbody tr", 1) == wanted
    assert page.inner_text("#sentence") == headline(found, before) and page.inner_text("#turns") == ""
    assert f"{100 * gap(found):.1f} instead of {100 * gap(before):.1f} percentage points." in page.inner_text("#gap")
    assert run(page.inner_text("#python")) == (grid.rules_of(GRID[number]), SEATINGS[3], scoring, PLAYS["known"])
    for row, play in zip(cells(page, "#plays tr")[:3], PLAYS, strict=True):
        one, old = library(number, play, 3), library(0, play, 3)
        pairs = [f"{now:.1%} ({then:.1%})" for now, then in zip(sides(one), sides(old), strict=True)]
        balance = f"{one.balance:.2%} ({old.balance:.2%})"
        assert row == [*pairs, balance, f"{one.rationality(scoring):.2f} ({old.rationality():.2f})"]


@pytest.mark.browser
def test_what_was_not_worked_out_is_said_so(open_page):
    page = open_page(link(GRID[UNTRIED]) + "&play=threat")
    assert page.inner_text("#sentence").endswith("choose the fixed rule to see who wins.")
    assert f"By the fixed rule it is {library(UNTRIED, 'report', None).balance:.2%}." in page.inner_text("#gap")
    assert not page.is_visible("#found") and "not worked out" in page.locator("#plays tr").nth(1).inner_text()
    page.select_option("#play", "settled")
    assert "single changes of hearts" in page.inner_text("#gap") and not page.is_visible("#found")
    page.select_option("#play", "report")
    assert page.is_visible("#found") and page.inner_text("#sentence").startswith("With these rules, of 100 games")


@pytest.mark.browser
def test_where_play_settles_points_decide_the_play(open_page):
    """With other points all would do something else, which was not worked out."""
    page = open_page(link(GRID[4]) + "&play=settled")
    assert page.inner_text("#sentence") == headline(library(4, "settled", None), library(0, "settled", None))
    assert "at most 0.1% of games are unfinished" in page.inner_text("#play-text")
    page.click("summary >> nth=0")
    assert page.inner_text("#two").split("\n")[-1].strip() == "not worked out"
    page.fill("#rebel_dead", "4.5")
    assert not page.is_visible("#found") and "with the points of the report" in page.inner_text("#gap")


@pytest.mark.browser
def test_the_most_even_are_linked_with_four_lines_each(open_page):
    """The way to play that is chosen first."""
    page = open_page("#seating=0123&play=known&rebel_alive=14")
    for place, count in (("#one", 1), ("#two", 2)):
        tried = [k for k, setting in enumerate(GRID) if len(setting) == count and library(k, "known", 0)]
        best = sorted(tried, key=lambda k: gap(library(k, "known", 0)))[:5]
        shown = [" ".join(change.said for change in GRID[k]) for k in best]
        assert page.locator(f"{place} a").all_inner_texts() == shown
        number = best[0]
        anchor = page.locator(f"{place} a").first
        lines = cells(page, f"{place} tbody:nth-of-type(1) tr")
        assert lines[0] == []
        for row, play in zip(lines[1:], ["known", "report", "threat", "settled"], strict=True):
            found = library(number, play, 0)
            gaps = [*(f"{share:.1%}" for share in sides(found)), f"{100 * gap(found):.1f}"] if found else []
            assert row == (gaps or ["not worked out"])
        href = anchor.get_attribute("href")
        anchor.click()
        assert page.evaluate("location.hash") == href == link(GRID[number]) + "&seating=0123&play=known&rebel_alive=14"
        chosen = [page.locator(f"#{field} option:checked").inner_text() for field in ("first", "second")]
        assert " ".join(one for one in chosen if one != "Nothing") == shown[0]
        assert page.evaluate("document.activeElement.id") == "answer-head"


@pytest.mark.browser
def test_a_link_brings_everything_back(open_page):
    page = open_page(LINK + "&play=known")
    again = open_page(page.evaluate("location.hash"))
    values = {"first": "14", "second": "56", "seating": "3", "play": "known", "renegade_win": "20", "lord_win": "10"}
    for one in (page, again):
        assert {field: one.input_value(f"#{field}") for field in values} == values
        assert one.is_visible("#renegade_win") and one.locator(".error").all_inner_texts() == ["", ""]
    assert again.inner_text("main") == page.inner_text("main")
    go_to(page, "#change=1-card-is-drawn-in-a-turn", "() => document.getElementById('first').value === '59'")
    assert page.input_value("#play") == "report" and page.input_value("#renegade_win") == "35"
    page.click("#reset")
    assert page.inner_text("#sentence") == headline(library(0, "report", None))
    assert page.inner_text("#turns") == f"A game takes {made_up()['turns'][0]:.1f} turns on average."
    assert page.evaluate("location.hash") == "" and page.inner_text("#python").endswith("sanguosha.what_if()")


#: Links, and what of them cannot be read.
UNREAD = {
    "#change=nobody-has-hearts": "change=nobody-has-hearts",
    "#change=the-lord-has-1-heart&change=the-lord-has-2-hearts": "change=the-lord-has-2-hearts",
    "#seating=1023&play=well": "seating=1023, play=well",
    "#rebel_alive=many&renegade_win=1e9&luck=1": "rebel_alive=many, renegade_win=1e9, luck=1",
}


@pytest.mark.browser
def test_what_cannot_be_read_of_a_link_or_a_field_is_said(open_page):
    """The page is opened by the first link; the others are followed on it."""
    page = open_page(next(iter(UNREAD)))
    for hash_, left_out in UNREAD.items():
        go_to(page, hash_, "part => document.getElementById('link-error').textContent.endsWith(part)", f": {left_out}")
        assert "of 100 games" in page.inner_text("#sentence")
        page.select_option("#first", "9")
        assert page.inner_text("#link-error") == ""
    unfold(page)
    page.fill("#rebel_alive", "14")
    before = page.inner_text("#measures")
    said = "Rebel alive, rebel has won: a number from −1,000 to 1,000 is needed; 12, as in the report, is used instead."
    for wrong in ("", "1001", "1 5", "1 00", "1e2"):
        page.fill("#rebel_alive", wrong)
        assert page.inner_text("#points-error") == said and page.inner_text("#measures") != before, wrong
        assert page.get_attribute("#rebel_alive", "aria-invalid") == "true"
    page.fill("#rebel_alive", "14")
    assert page.inner_text("#points-error") == "" and page.inner_text("#measures") == before
