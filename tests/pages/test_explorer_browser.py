"""The page on which Count-N is played, in a browser: its rules in JavaScript, games by mouse and keyboard."""

import itertools
import json
import re

import pytest

from chapters import count_n_explorer as explorer
from gamebalance import countn
from gamebalance.countn.rules import OVERFLOWS, WITHDRAWN
from gamebalance.countn.solution import number
from gamebalance.countn.states import hands_text, position_text, read_position
from tests.pages.explorer import EVERY, play, said, set_up, status
from tests.pages.made import SIZES

pytestmark = pytest.mark.browser
PAGE = "countn-explorer"
WINNERS = {"first": "First player", "second": "Second player"}
WORDS = {"UNKNOWN": "draw", "WIN": "wins", "LOSE": "loses"}


def positions(game):
    return [(mover, opponent) for mover in game.pairs for opponent in game.pairs if mover != WITHDRAWN]


def test_every_position_is_the_same_in_both_languages(asked):
    """Moves with their order, value and distance of every position of every game."""
    compared = 0
    for n, overflow in itertools.product(SIZES, OVERFLOWS):
        solution = countn.solve(n, overflow)
        values, distances = solution.values.tolist(), solution.distances.tolist()
        rows = {pair: number(pair) for pair in solution.game.pairs}
        expected = []
        for mover, opponent in positions(solution.game):
            moves = [[move.own, move.added, hands_text(move.hands)] for move in solution.game.moves(mover, opponent)]
            distance = distances[rows[opponent]][rows[mover]]
            value = values[rows[opponent]][rows[mover]]
            expected.append([value, None if value == 0 else distance, moves, opponent == WITHDRAWN])
        texts = ";".join(position_text(*place) for place in positions(solution.game))
        assert json.loads(asked.evaluate(EVERY, [{"n": n, "overflow": overflow}, texts])) == expected
        compared += len(expected)
    assert compared == 2 * sum((n * (n + 1) // 2 - 1) * (n * (n + 1) // 2) for n in SIZES)


@pytest.mark.parametrize(("n", "overflow"), [(4, "one"), (6, "rollover"), (8, "one")])
def test_options_and_best_moves_are_the_same(asked, n, overflow):
    solution, expected = countn.solve(n, overflow), []
    for place in positions(solution.game):
        options = {hands_text(entry.move.hands): [entry.value, entry.distance] for entry in solution.options(*place)}
        expected.append([options, sorted(hands_text(move.hands) for move in solution.best_moves(*place))])
    script = """([game, texts]) => JSON.stringify(texts.split(";").map((text) => {
        const position = countN.parse(game, text);
        const name = ({move}) => countN.pairText(move.hands);
        const tell = (option) => [name(option), [option.value, option.distance]];
        const best = countN.isOver(position) ? [] : countN.best(game, position).map(name);
        return [Object.fromEntries(countN.options(game, position).map(tell)), best.sort()];
    }))"""
    texts = ";".join(position_text(*place) for place in positions(solution.game))
    assert json.loads(asked.evaluate(script, [{"n": n, "overflow": overflow}, texts])) == expected


def test_perfect_play_in_a_draw_leaves_the_most_traps(asked):
    solution = countn.solve(8)
    drawn = [place for place in positions(solution.game) if solution.value(*place) == 0 and place[1] != WITHDRAWN]
    script = "([game, texts]) => texts.map(text => countN.choice(game, countN.parse(game, text)).hands)"
    game = {"n": 8, "overflow": "one"}
    chosen = asked.evaluate(script, [game, [position_text(*place) for place in drawn]])
    assert len(drawn) > 200
    for (mover, opponent), hands in zip(drawn, chosen, strict=True):
        traps = {
            move.hands: sum(option.value < 0 for option in solution.options(opponent, move.hands))
            for move in solution.best_moves(mover, opponent)
        }
        assert traps[tuple(hand or None for hand in hands)] == max(traps.values())


def test_the_game_of_the_study_move_by_move(page):
    set_up(page, explorer.STUDY_LINE[0])
    for place, label in zip(explorer.STUDY_LINE[1:], (label for *_, label in explorer.PLAYED_LINE[1:]), strict=True):
        play(page, place)
        assert f"to move, {place}: {WORDS[label]}" in status(page)
    rows = page.locator("#history tr")
    assert rows.count() == 10
    assert rows.locator(".position").all_inner_texts() == list(explorer.STUDY_LINE)


def test_a_person_beats_perfect_play(page):
    """From the first win that was missed, along best moves, in as many plies as promised."""
    solution = countn.solve(8)
    here = read_position(explorer.STUDY_LINE[0], solution.game)
    distance = solution.distance(*here)
    set_up(page, explorer.STUDY_LINE[0], second="perfect")
    for ply in range(1, distance + 1, 2):
        move = solution.best_moves(*here)[0]
        play(page, position_text(here[1], move.hands))
        here = here[1], move.hands
        if ply < distance:
            reply = solution.best_moves(*here)[0]
            here = here[1], reply.hands
            said(page, f"First player to move, {position_text(*here)}: wins small in {distance - ply - 1} pl")
    assert "First player has withdrawn both hands and wins small" in said(page, "withdrawn both hands")
    assert page.locator("#history tr").count() == distance + 1
    assert page.locator("#moves button").count() == 0 and "the game is over" in page.inner_text("#no-moves")


@pytest.mark.parametrize(("n", "players"), [(9, "person"), (7, "perfect"), (3, "perfect")])
def test_perfect_play_by_both_takes_as_long_as_the_solver_says(page, n, players):
    """By two computers, and by stepping through the main line."""
    solution = countn.solve(n)
    set_up(page, "1,1 v 1,1", n, players, players)
    if players == "person":
        page.get_by_role("button", name="Main line").click()
        assert f"Main line ahead: {solution.start_distance} plies to the end" in status(page)
        for _ in range(solution.start_distance):
            page.keyboard.press("ArrowRight")
    end = said(page, "withdrawn both hands")
    assert f"{WINNERS[solution.start_value]} has withdrawn both hands and wins small" in end
    assert page.locator("#history tr").count() == solution.start_distance + 1
    places = page.locator("#history .position").all_inner_texts()
    here, line = countn.START, solution.main_line(*countn.START)
    for k, move in enumerate(line):
        assert places[k] == position_text(*here)
        here = here[1], move.hands


def test_undo_takes_the_answer_back_too_and_restart_the_rest(page):
    set_up(page, "1,1 v 1,1", second="perfect")
    for _ in range(3):
        page.locator("#moves button").first.click()
        said(page, "First player to move")
    for left in (4, 2, 0):
        page.get_by_role("button", name="Undo").click()
        assert page.locator("#history tr[aria-current] th").inner_text() == str(left)
    assert status(page) == "First player to move, 1,1 v 1,1: draw."
    assert page.get_by_role("button", name="Undo").get_attribute("aria-disabled") == "true"
    page.get_by_role("button", name="Forward").click()
    page.get_by_role("button", name="Restart").click()
    assert status(page) == "First player to move, 1,1 v 1,1: draw." and page.locator("#history tr").count() == 1


@pytest.mark.parametrize(("button", "rows"), [("Undo", 2), ("Restart", 1)])
def test_an_answer_comes_after_a_moment_and_can_be_called_off(open_page, button, rows):
    page = open_page(motion="no-preference", stopped=True)
    page.locator("#moves button").first.click()
    assert page.inner_text("#no-moves") == "Second player is about to move."
    page.get_by_role("button", name=button).click()
    page.clock.run_for(10_000)  # longer than the delay of any answer
    assert page.locator("#history tr").count() == rows
    assert page.locator("#history tr[aria-current] th").inner_text() == "0"
    page.get_by_role("button", name="Restart").click()
    page.locator("#moves button").first.click()
    page.clock.run_for(300)
    assert page.inner_text("#no-moves") == "Second player is about to move."
    page.clock.run_for(1_000)
    assert "Second player played" in status(page) and page.locator("#history tr").count() == 3


def test_by_keyboard_alone(page):
    """Set up Count-4, in which the first player wins, and win against perfect play."""
    page.keyboard.press("Tab")
    for _ in range(4):
        page.keyboard.press("ArrowUp")
    assert page.inner_text("h1") == "Count-4"
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    page.focus("#best")
    solution, here = countn.solve(4), countn.START
    for ply in range(solution.start_distance):
        move = solution.best_moves(*here)[0]
        if ply % 2 == 0:
            said(page, "First player to move")
            page.keyboard.press(str(1 + solution.game.moves(*here).index(move)))
        here = here[1], move.hands
    assert "First player has withdrawn both hands" in said(page, "withdrawn both hands")


def test_the_focus_goes_through_the_moves_and_stays_with_them(page):
    set_up(page, "2,3 v 2,3")
    focused = "[...document.querySelectorAll('#moves button')].indexOf(document.activeElement)"
    page.locator("#moves button").first.focus()
    assert page.locator("#moves button").count() == 4
    for key, expected in (("ArrowDown", 1), ("ArrowDown", 2), ("ArrowUp", 1), ("ArrowUp", 0), ("ArrowUp", 3)):
        page.keyboard.press(key)
        assert page.evaluate(focused) == expected
    assert page.locator(".card.used").count() == 2  # the hands that this move adds are marked
    page.keyboard.press("Enter")
    assert page.locator("#history tr").count() == 2 and page.evaluate(focused) == 0


def test_keys_can_be_switched_off_and_do_not_disturb_typing(page):
    page.focus("#position")
    page.keyboard.type("1,7 v 2,6")
    assert page.locator("#history tr").count() == 1 and page.input_value("#position") == "1,7 v 2,6"
    page.keyboard.press("Enter")
    assert "1,7 v 2,6" in status(page)
    page.locator("summary").click()
    page.uncheck("#shortcuts")
    page.keyboard.press("1")
    assert page.locator("#history tr").count() == 1
    page.check("#shortcuts")
    page.keyboard.press("1")
    said(page, "played")


def test_values_can_be_hidden(page):
    page.uncheck("#values")
    page.locator("#moves button").first.click()
    said(page, "First player to move")
    shown = page.inner_text("main")
    assert not re.search(r"\bwins\b|\bloses\b|\bdraw\b|\bbest\b", shown.partition("Begin elsewhere")[0])
    assert page.locator(".tag").count() == 0
    for n, told in ((9, "to the end"), (8, "comes back")):
        page.select_option("#size", str(n))
        page.keyboard.press("Escape")
        page.click("#main-line")
        assert "Main line ahead" in status(page) and told not in status(page)


def test_a_position_that_comes_back_is_pointed_out(page):
    """Two computers that play perfectly at N = 8 go round in a circle, say so and stop."""
    set_up(page, "1,1 v 1,1", 8, "perfect", "perfect")
    assert "which is a draw" in said(page, "stood after ply")
    ply = int(re.search(r"stood after ply (\d+)", status(page))[1])
    places = page.locator("#history .position").all_inner_texts()
    assert places[ply] == places[-1] and (len(places) - 1 - ply) % 2 == 0
    assert len(set(zip(places[:-1], [k % 2 for k in range(len(places) - 1)], strict=True))) == len(places) - 1
    page.wait_for_timeout(300)
    assert page.locator("#history tr").count() == len(places)


BAD = {
    "9,1 v 1,1": ["“9,1 v 1,1”", "Count-8", "1 to 7"],
    "0,1 v 1,1": ["“0,1 v 1,1”", "1 to 7"],
    "": ["“”", "1,7 v 2,6"],
    "-,- v 1,1": ["“-,- v 1,1”", "shows no hand"],
    "<b>" * 100: ["position “<b><b>", "…”"],
}


def test_a_bad_position_is_named_in_one_line(page):
    for typed, parts in BAD.items():
        page.fill("#position", typed)
        page.get_by_role("button", name="Set up").click()
        alert = page.get_by_role("alert").inner_text()
        assert all(part in alert for part in parts) and "\n" not in alert, alert
        assert page.get_attribute("#position", "aria-invalid") == "true"
        assert status(page) == "First player to move, 1,1 v 1,1: draw."  # as before
        page.fill("#position", "7,1v -,3")
        page.keyboard.press("Enter")
        assert page.get_by_role("alert").inner_text() == "" and "1,7 v 3,-" in status(page)
        page.fill("#position", "1,1 v 1,1")
        page.keyboard.press("Enter")


@pytest.mark.parametrize("typed", ["１，７　ｖ　２，６", "1,7 V 2,6", " 7,1v6,2"])
def test_a_position_as_people_write_it(page, typed):
    page.fill("#position", typed)
    page.keyboard.press("Enter")
    assert page.get_by_role("alert").inner_text() == "" and "1,7 v 2,6" in status(page)


def test_rollover_is_another_game(page):
    page.select_option("#player-1", "person")
    page.select_option("#overflow", "rollover")
    page.fill("#position", "7,7 v 5,6")
    page.keyboard.press("Enter")
    names = page.locator("#moves .sum").all_inner_texts()
    assert names == ["7 + 5 = 12, so 4", "7 + 6 = 13, so 5"] and "8 is taken off" in page.inner_text("header")


def test_perfect_play_does_not_move_where_one_only_looks(page):
    """After the last step of a line it is its turn, and it waits until a person has played or asks for it."""
    page.select_option("#preset", label="The game played in the Count-8 study")
    page.get_by_role("button", name="Load the position with a story").click()
    assert "9 plies ahead" in status(page)
    for place in explorer.STUDY_LINE[1:]:
        page.keyboard.press("f")
        assert f"to move, {place}:" in status(page)
    assert page.get_by_role("button", name="Forward").get_attribute("aria-disabled") == "true"
    page.wait_for_timeout(300)
    assert "Second player to move, 6,6 v 1,1: loses" in status(page)
    page.keyboard.press("b")
    said(page, "First player to move, 1,1 v 6,7: wins")
    page.select_option("#player-0", "perfect")
    said(page, "First player has withdrawn both hands")


def test_a_complaint_goes_when_the_game_begins_anew(page):
    for begin in (
        lambda: page.click("#load"),
        lambda: page.select_option("#size", "5"),
        lambda: page.keyboard.press("r"),
    ):
        page.fill("#position", "x")
        page.get_by_role("button", name="Set up").click()
        assert page.get_by_role("alert").inner_text() != ""
        begin()
        assert page.get_by_role("alert").inner_text() == ""
        assert page.get_attribute("#position", "aria-invalid") == "false"


def test_nobody_moves_for_perfect_play(page):
    page.select_option("#player-1", "person")
    page.select_option("#player-0", "perfect")
    said(page, "Second player to move")
    page.keyboard.press("u")
    assert status(page).startswith("First player to move, 1,1 v 1,1")
    assert page.locator("#moves button[aria-disabled=true]").count() == page.locator("#moves button").count() == 1
    assert page.inner_text("#no-moves") == "First player is perfect play: go on with Forward or Best move."
    page.keyboard.press("1")
    assert status(page).startswith("First player to move, 1,1 v 1,1")
    page.keyboard.press("b")
    said(page, "Second player to move, 1,1 v 1,2")
    assert page.locator("#moves button:not([aria-disabled])").count() == 2
