"""The page that weighs a set-up of Werewolf, in a browser: how the table votes, and what is said for all such votes."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from chapters.mafia_as_it_is_played import RECORDED_ODDS, TABLES
from chapters.ten_at_the_table_counts import share
from gamebalance.mafia import Rules, Setup, solve
from tests.pages.made import errors, made
from tests.pages.test_werewolf_browser import ready, sentence, told

pytestmark = pytest.mark.browser
PAGE = "werewolf"
ROOT = Path(__file__).parents[2]
SEATED = "#setup=9: 2 mafiosi, doctor, hunter, 5 citizens&may=doctors,hunters"
NINE = Setup(2, 5, doctors=1, hunters=1)
PARTLY = "#setup=12: 2 mafiosi, 2 detectives, 8 citizens&voting=own&games=40&won=8&may="


@pytest.fixture
def club() -> str:
    """The page's own link to the club's ten, without the roles that may be used."""
    record, _ = json.loads(re.search(r'id="data">(.*?)</script>', made("werewolf")).group(1))["records"]
    return record["link"].rpartition("=")[0] + "="


def ends(setup: Setup, rules: Rules, odds=RECORDED_ODDS, phase="evening") -> list[float]:
    return [solve(setup, replace(rules, odds=each), phase) for each in odds]


def spelled(chances) -> str:
    """A range as the page writes it."""
    return " to ".join(f"{100 * chance:.1f}%" for chance in chances)


def test_the_headline_is_a_range_over_the_votes_of_recorded_tables(open_page):
    page = open_page(SEATED)
    chances = ends(NINE, Rules())
    assert page.is_checked("#voting-recorded") and chances[0] < 0.45 < 0.55 < chances[1]
    assert sentence(page) == (
        f"The town wins {spelled(chances)} of games. Which side is ahead depends on how well your table votes."
    )
    assert "1.4 to 3 times" in told(page, "#voting-hint") and "4,905 recorded games" in told(page, "#voting-hint")
    assert f"One citizen more: the town wins {spelled(ends(replace(NINE, innocents=6), Rules()))}." in told(
        page, "#parity"
    )
    parts = [
        page.evaluate(f"document.getElementById('bar-{part}').getBoundingClientRect().width")
        for part in ("town", "between", "mafia")
    ]
    assert parts[0] / sum(parts) == pytest.approx(chances[0], abs=0.01)
    assert parts[1] / sum(parts) == pytest.approx(chances[1] - chances[0], abs=0.01)


def test_a_verdict_holds_over_the_range(solver):
    cases = {
        (0.495, 0.505): "That is even.",
        (0.48, 0.53): "That is nearly even.",
        (0.46, 0.48): "That is nearly even; the mafia is a little ahead.",
        (0.4, 0.48): "The mafia is ahead, by a little or by more.",
        (0.3, 0.44): "The mafia is ahead.",
        (0.2, 0.34): "The mafia is far ahead.",
        (0.56, 0.8): "The town is ahead.",
        (0.66, 0.8): "The town is far ahead.",
        (0.49, 0.56): "Which side is ahead depends on how well your table votes.",
        (0.33,): "The mafia is far ahead.",
    }
    said = solver.evaluate("cases => cases.map((one) => words.verdict(one, false))", list(map(list, cases)))
    assert said == list(cases.values())


def test_suggestions_hold_over_the_whole_range(open_page, club):
    """A vigilante instead of a mafioso, which helped at random, is not named: real towns would win 70 % with him."""
    page = open_page(club + "dons,sheriffs,doctors,vigilantes,hunters")
    ready(page)
    assert "None holds for all votes in your range" in told(page, "#repairs-text")
    assert page.locator("#repairs li").count() == 0
    rows = [re.findall(r"[\d.]+(?=%)", row) for row in page.locator("#fairest tr").all_inner_texts()]
    worst = [max(abs(float(each) - 50) for each in row) for row in rows]
    assert len(rows) == 10 and worst == sorted(worst) and {len(row) for row in rows} == {2}
    assert "None of them is within 5 percentage points of even" in told(page, "#fairest-hint")
    page = open_page("#setup=7: 3 mafiosi, 4 citizens&may=sheriffs&tells=at a find")
    ready(page)
    assert "These hold for all votes in your range" in told(page, "#repairs-text")
    now = max(abs(chance - 0.5) for chance in ends(Setup(3, 4), Rules(tells="at a find")))
    for text in page.locator("#repairs li").all_inner_texts():
        low, high = (float(each) for each in re.findall(r"[\d.]+(?=%)", text))
        assert max(abs(low - 50), abs(high - 50)) <= 100 * now - 0.9, text


def results(name: str) -> pd.DataFrame:
    return pd.read_csv(ROOT / "data" / "results" / f"{name}.csv")


def test_a_club_is_told_what_chapter_5_4_says(open_page, club):
    """At the odds that the chapter fits to a way to play, the town wins as often as it did in seasons 2 to 16."""
    ways = results("real-first-night").query("`dead roles` == 'hidden' and `first day` == 'vote'")
    assert len(ways) == 6
    ways = ways.iloc[::3]
    for tells, tie, odds in zip(ways["sheriff tells"], ways["second tie"], ways.odds, strict=True):
        link = club.replace("tells=every morning", f"tells={tells}").replace("then nobody", f"then {tie}")
        page = open_page(f"{link}&odds={odds}")
        assert sentence(page).startswith(
            "The town wins 45.2% of games, the mafia 54.8%. That is nearly even; the mafia"
        )
        assert "Of 4,905 recorded games of a club with these roles the town won 44.2%." in told(page, "#record")


def test_results_of_ones_own_are_fitted(open_page, club):
    page = open_page(club)
    page.check("#voting-own")
    page.fill("#games", "2,520")
    page.fill("#won", "１１４０")
    page.wait_for_function("() => document.getElementById('model').textContent.startsWith('Exact in a model in which')")
    seen = share(1140, 2520)
    assert sentence(page) == (
        f"The town wins {spelled([seen.low, seen.high])} of games (95% interval: it won 45.2% of your 2,520). "
        "The mafia is ahead, by a little or by more."
    )
    row = results("real-odds").set_index("what is assumed").loc["as assumed"]
    low, best, high = (f"{row[f'seasons 2 to 16 {name}']:.2f}" for name in ("from", "odds", "to"))
    assert f"odds of {best} (95% interval: {low} to {high})" in told(page, "#model")
    assert page.evaluate("location.hash").endswith("voting=own&games=2520&won=1140&may=")
    page.click("#keep")
    assert [page.is_checked("#voting-odds"), page.input_value("#odds"), page.input_value("#odds_to")] == [
        True,
        low,
        high,
    ]
    page.wait_for_function("() => document.getElementById('sentence').textContent.startsWith('The town wins 43.')")


def test_recorded_games_are_fitted_by_a_button_and_kept_by_a_suggestion(open_page, club):
    page = open_page(club + "sheriffs,doctors")
    ready(page)
    page.click("#fit")
    assert [page.input_value("#games"), page.input_value("#won")] == ["4905", "2168"]
    page.wait_for_function("() => document.getElementById('sentence').textContent.includes('44.2% of your 4,905')")
    ready(page)
    assert not page.is_visible("#fit")
    page.locator("#repairs button").first.click()
    page.wait_for_function("() => document.getElementById('voting-odds').checked")
    assert float(page.input_value("#odds")) < 1.65 < float(page.input_value("#odds_to")) < 1.8


def test_results_that_no_votes_explain_have_no_answer(open_page):
    page = open_page("#setup=7: 3 mafiosi, 4 citizens&half_rule=always&voting=own&games=100&won=99&may=")
    low, high = ends(Setup(3, 4), Rules("always"), (0.01, 100))
    page.wait_for_function("() => document.getElementById('sentence').textContent.startsWith('No answer')")
    assert f"wins {100 * low:.1f}% to {100 * high:.1f}% of games, however badly or well" in told(page, "#sentence")
    assert not page.is_visible("#found") and not page.is_visible("#bar")
    page.fill("#won", "101")
    page.wait_for_function("() => document.getElementById('voting-error').textContent")
    assert errors(page) == ["Games that the town won: 101 is more than the 100 games played."]


@pytest.mark.parametrize(
    ("setup", "won", "games"),
    [(Setup(2, 8, detectives=2), 8, 40), (Setup(2, 8, detectives=2), 1, 2), (Setup(3, 6), 6, 8)],
)
def test_results_that_votes_explain_in_part(open_page, setup, won, games):
    """With two detectives even the worst votes win 28.1% of games: the interval of 8 of 40 begins below that."""
    page = open_page(f"#setup={setup.written}&voting=own&games={games}&won={won}&may=")
    seen, reach = share(won, games), ends(setup, Rules(), (0.01, 100))
    inside = [max(seen.low, reach[0]), min(seen.high, reach[1])]
    assert sentence(page).startswith(
        f"The town wins {spelled(inside)} of games. Your results say {spelled([seen.low, seen.high])} (95% interval); "
        "part of that is out of reach of any votes. "
    )
    said = told(page, "#model")
    assert "Odds from 0.01 to 100 were tried; these fit a part of your results." in said and "interval" not in said
    odds = [float(each) for each in re.search(r"odds of ([\d.]+) to ([\d.]+) in votes", said).groups()]
    assert ends(setup, Rules(), odds) == pytest.approx(inside, abs=0.005)


def test_the_forums_table_has_its_record_and_an_idle_sheriff_is_named(open_page):
    page = open_page(f"#setup={TABLES['forum'].setup.written}&half_rule=always&kills=1,1,2&may=&odds=2")
    ready(page)
    assert told(page, "#record").startswith("Of 282 recorded games of a forum with these roles the town won 48.6%.")
    assert told(page, "#idle") == "The sheriff can do nothing under these rules: he tells nobody what he learns."
    page = open_page(SEATED)
    ready(page)
    assert told(page, "#idle") == "" and not page.is_visible("#record-box")


@pytest.mark.parametrize("tag", ["zh", "fr"])
def test_what_the_page_writes_it_reads_in_every_language(windows, tmp_path, tag):
    file = tmp_path / "werewolf.html"
    file.write_text(made("werewolf", translated=True), encoding="utf-8")
    page = windows.take()
    page.goto(f"{file.as_uri()}?lang={tag}#setup=2: mafioso, citizen")
    script = """texts => texts.map((text) => {
        const setup = reading.setup(text);
        return [reading.written(setup), reading.written(reading.setup(words.written(setup))), words.written(setup)];
    })"""
    everyone = "16: don, 2 mafiosi, sheriff, detective, doctor, bodyguard, vigilante, witch, hunter, 6 citizens"
    many = "20: 4 mafiosi, 3 detectives, 2 doctors, 2 hunters, 9 citizens"
    for given, (english, again, shown) in zip((everyone, many), page.evaluate(script, [everyone, many]), strict=True):
        assert given == english == again and shown != given
    windows.give_back(page)
