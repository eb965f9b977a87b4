"""The page on which Count-N is played: its data, its rules in JavaScript, games by mouse and keyboard."""

import itertools
import json
import re
from itertools import pairwise

import pytest

from chapters import count_n_explorer as explorer
from gamebalance import countn
from gamebalance.countn.rules import OVERFLOWS, WITHDRAWN
from gamebalance.countn.states import hands_text, position_text, read_position
from tests.pages.made import SIZES

PAGE = "countn-explorer"
WORDS = {"UNKNOWN": "draw", "WIN": "wins", "LOSE": "loses"}
#: Texts, because the browser's driver takes its time for each of a hundred thousand small values.
EVERY = """([game, texts]) => JSON.stringify(texts.split(";").map((text) => {
    const position = countN.parse(game, text);
    const {value, distance} = countN.outcome(game, position);
    const name = ({move}) => countN.pairText(move.hands);
    const over = countN.isOver(position);
    const moves = countN.moves(game, position).map((move) => [move.own, move.added, countN.pairText(move.hands)]);
    return [value, distance, moves,
        Object.fromEntries(countN.options(game, position).map((one) => [name(one), [one.value, one.distance]])),
        over ? [] : countN.best(game, position).map(name).sort(), over ? null : countN.choice(game, position).hands];
}))"""
ROWS = "#history tr"


def status(page) -> str:
    return page.inner_text("#status")


def said(page, part: str) -> str:
    """The status, once it holds some words."""
    page.wait_for_function("part => document.getElementById('status').textContent.includes(part)", arg=part)
    return status(page)


def type_in(page, position: str) -> None:
    page.fill("#position", position)
    page.keyboard.press("Enter")


def set_up(page, position: str, n: int = 8, first: str = "person", second: str = "person") -> None:
    page.select_option("#player-0", first)
    page.select_option("#player-1", second)
    page.select_option("#size", str(n))
    type_in(page, position)


def play(page, following: str) -> None:
    """Press the button of the move that leads to a position."""
    page.locator("#moves button").filter(has_text=f"→ {following}").click()


def test_presets_are_what_their_names_say():
    values = {}
    for preset in explorer.PRESETS:
        solution = countn.solve(preset.n, preset.overflow)
        line = [read_position(place, solution.game) for place in (preset.position, *preset.line)]
        assert all(there in solution.game.successors(*here) for here, there in pairwise(line))
        values[preset.name] = solution.value(*line[0])
    assert values["The start of Count-8"] == 0
    assert values["The first win missed in it"] > 0 and values["The second win missed in it"] > 0
    assert values["A 3 against two 7s, which wins"] > 0 > values["A 3 against two 7s, which loses"]
    assert countn.solve(7).start_value == "first" and countn.solve(9).start_value == "second"


@pytest.mark.browser
def test_every_position_is_the_same_in_both_languages(asked):
    """Value, distance, moves in order, best moves; a drawn position is left where the other goes wrong most easily."""
    for n, overflow in itertools.product(SIZES, OVERFLOWS):
        solution = countn.solve(n, overflow)
        places = [(one, other) for one in solution.game.pairs for other in solution.game.pairs if one != WITHDRAWN]
        texts = ";".join(position_text(*place) for place in places)
        found = json.loads(asked.evaluate(EVERY, [{"n": n, "overflow": overflow}, texts]))
        for place, (value, distance, moves, options, best, choice) in zip(places, found, strict=True):
            assert (value, distance) == (solution.value(*place), solution.distance(*place) if value else None)
            rules = solution.game.moves(*place)
            assert moves == [[move.own, move.added, hands_text(move.hands)] for move in rules]
            if n not in (4, 6, 8) or place[1] == WITHDRAWN:
                continue
            told = {hands_text(entry.move.hands): [entry.value, entry.distance] for entry in solution.options(*place)}
            good = [move.hands for move in solution.best_moves(*place)]
            assert options == told and best == sorted(map(hands_text, good))
            chosen = tuple(hand or None for hand in choice)
            traps = {hands: sum(one.value < 0 for one in solution.options(place[1], hands)) for hands in good}
            assert chosen in traps if value else traps[chosen] == max(traps.values())


@pytest.mark.browser
def test_the_game_of_the_study_move_by_move(page):
    """Played by two persons; and looked at, where perfect play waits after the last step."""
    set_up(page, explorer.STUDY_LINE[0])
    labels = [label for *_, label in explorer.PLAYED_LINE[1:]]
    for place, label in zip(explorer.STUDY_LINE[1:], labels, strict=True):
        play(page, place)
        assert f"to move, {place}: {WORDS[label]}" in status(page)
    assert page.locator(f"{ROWS} .position").all_inner_texts() == list(explorer.STUDY_LINE)
    page.select_option("#player-1", "perfect")
    page.select_option("#preset", label="The game played in the Count-8 study")
    page.click("#load")
    assert "9 plies ahead" in status(page)
    for place in explorer.STUDY_LINE[1:]:
        page.keyboard.press("f")
        assert f"to move, {place}:" in status(page)
    assert page.get_attribute("#forward", "aria-disabled") == "true"
    page.wait_for_timeout(300)
    assert "Second player to move, 6,6 v 1,1: loses" in status(page)
    page.keyboard.press("b")
    said(page, "First player to move, 1,1 v 6,7: wins")


@pytest.mark.browser
@pytest.mark.parametrize(("n", "players"), [(9, "person"), (7, "perfect")])
def test_perfect_play_by_both_takes_as_long_as_the_solver_says(page, n, players):
    """By two computers, and by stepping through the main line."""
    solution = countn.solve(n)
    set_up(page, "1,1 v 1,1", n, players, players)
    if players == "person":
        page.click("#main-line")
        assert f"Main line ahead: {solution.start_distance} plies to the end" in status(page)
        for _ in range(solution.start_distance):
            page.keyboard.press("ArrowRight")
    winner = {"first": "First player", "second": "Second player"}[solution.start_value]
    assert f"{winner} has withdrawn both hands and wins small" in said(page, "withdrawn both hands")
    places, here = page.locator("#history .position").all_inner_texts(), countn.START
    assert len(places) == solution.start_distance + 1
    for place, move in zip(places, solution.main_line(*countn.START), strict=False):
        assert place == position_text(*here)
        here = here[1], move.hands


@pytest.mark.browser
def test_undo_takes_the_answer_back_too_and_nobody_moves_for_perfect_play(page):
    set_up(page, "1,1 v 1,1", second="perfect")
    for _ in range(3):
        page.locator("#moves button").first.click()
        said(page, "First player to move")
    for left in (4, 2, 0):
        page.click("#undo")
        assert page.locator(f"{ROWS}[aria-current] th").inner_text() == str(left)
    assert status(page) == "First player to move, 1,1 v 1,1: draw."
    assert page.get_attribute("#undo", "aria-disabled") == "true"
    page.click("#restart")
    page.select_option("#player-1", "person")
    page.select_option("#player-0", "perfect")
    said(page, "Second player to move")
    page.keyboard.press("u")
    assert page.locator("#moves button[aria-disabled=true]").count() == page.locator("#moves button").count() == 1
    page.keyboard.press("1")
    assert status(page).startswith("First player to move, 1,1 v 1,1")


@pytest.mark.browser
@pytest.mark.parametrize(("button", "rows"), [("Undo", 2), ("Restart", 1)])
def test_an_answer_comes_after_a_moment_and_can_be_called_off(open_page, button, rows):
    page = open_page(motion="no-preference", stopped=True)
    page.locator("#moves button").first.click()
    assert page.inner_text("#no-moves") == "Second player is about to move."
    page.get_by_role("button", name=button).click()
    page.clock.run_for(10_000)  # longer than the delay of any answer
    assert page.locator(ROWS).count() == rows


@pytest.mark.browser
def test_values_can_be_hidden(page):
    page.uncheck("#values")
    page.locator("#moves button").first.click()
    said(page, "First player to move")
    shown = page.inner_text("main").partition("Begin elsewhere")[0]
    assert not re.search(r"\bwins\b|\bloses\b|\bdraw\b|\bbest\b", shown) and page.locator(".tag").count() == 0


@pytest.mark.browser
def test_a_position_that_comes_back_is_pointed_out(page):
    """Two computers that play perfectly at N = 8 go round in a circle, say so and stop."""
    set_up(page, "1,1 v 1,1", 8, "perfect", "perfect")
    assert "which is a draw" in said(page, "stood after ply")
    ply = int(re.search(r"stood after ply (\d+)", status(page))[1])
    places = page.locator("#history .position").all_inner_texts()
    assert places[ply] == places[-1] and (len(places) - 1 - ply) % 2 == 0
    page.wait_for_timeout(300)
    assert page.locator(ROWS).count() == len(places)


BAD = {"9,1 v 1,1": "1 to 7", "0,1 v 1,1": "1 to 7", "": "1,7 v 2,6", "-,- v 1,1": "shows no hand", "<b>" * 100: "…”"}


@pytest.mark.browser
def test_positions_as_people_write_them_and_bad_ones_named_in_one_line(page):
    alert = page.get_by_role("alert")
    for typed, part in BAD.items():
        before = status(page)
        type_in(page, typed)
        assert f"“{typed[:6]}" in alert.inner_text() and part in alert.inner_text() and "\n" not in alert.inner_text()
        assert page.get_attribute("#position", "aria-invalid") == "true" and status(page) == before
        type_in(page, "7,1v -,3")
        assert alert.inner_text() == "" and "1,7 v 3,-" in status(page)
    for typed in ("１，７　ｖ　２，６", "1,7 V 2,6", " 7,1v6,2"):
        type_in(page, typed)
        assert alert.inner_text() == "" and "1,7 v 2,6" in status(page)
