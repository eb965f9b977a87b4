"""The page that weighs a set-up of Werewolf, in a browser: its answers, fields, links and refusals."""

import json
import re
from dataclasses import replace

import pandas as pd
import pytest

from chapters.mafia_as_it_is_played import RECORDED_ODDS
from chapters.ten_at_the_table_counts import share
from gamebalance.mafia import Rules, Setup, length_distribution, solve
from tests.pages.made import ROOT, errors, go_to, made, switch, unfold

pytestmark = pytest.mark.browser
PAGE = "werewolf"
TABLE = "#setup=9: 2 mafiosi, doctor, hunter, 5 citizens&may=doctors,hunters"
NINE = Setup(2, 5, doctors=1, hunters=1)
#: What the page knows of the club's ten; and its own link to them, without the roles that may be used.
RECORD = json.loads(re.search(r'id="data">(.*?)</script>', made(PAGE)).group(1))["records"][0]
CLUB = RECORD["link"].rpartition("=")[0] + "="
USUAL = Rules()


def ready(page) -> None:
    """Wait until all is worked out."""
    page.wait_for_function("() => document.getElementById('found').getAttribute('aria-busy') === 'false'")


def told(page, selector: str, part: str = "") -> str:
    """What a part of the page says, once it holds some words."""
    script = "([selector, part]) => document.querySelector(selector).textContent.includes(part)"
    page.wait_for_function(script, arg=[selector, part])
    return page.inner_text(selector)


def sentence(page) -> str:
    ready(page)
    return told(page, "#sentence")


def answered(page) -> str:
    """The sentence, once there is an answer; the rest, which takes longer, is stopped."""
    told(page, "#sentence", "he town wins")
    page.evaluate("document.getElementById('cancel').click()")
    return told(page, "#sentence")


def ends(setup: Setup, rules: Rules = USUAL, odds=RECORDED_ODDS) -> list[float]:
    return [solve(setup, replace(rules, odds=each)) for each in odds]


def spelled(*chances) -> str:
    """A chance, or a range, as the page writes it."""
    return " to ".join(f"{100 * chance:.1f}%" for chance in chances)


def fields(page) -> dict[str, str | bool]:
    script = """all => Object.fromEntries(all.map((one) =>
        [one.id, ["checkbox", "radio"].includes(one.type) ? one.checked : one.value]))"""
    return page.locator(".votes input, .people input:not(#setup), .rules select, .rules input").evaluate_all(script)


def test_the_answer_is_the_librarys(open_page):
    page, won = open_page(TABLE + "&voting=random"), solve(NINE)
    said = f"With votes at random the town wins {spelled(won)} of games, the mafia {spelled(1 - won)}. "
    assert sentence(page).startswith(said)
    games = length_distribution(NINE).sum(axis=1)
    most, mean = int((games.cumsum() < 0.9 - 1e-12).sum()), (games * games.index).sum()
    said = f"A game takes {mean:.1f} nights on average; nine in ten are over by night {most}."
    assert told(page, "#length") == said and told(page, "#citizens") == "5" and told(page, "#idle") == ""
    for citizens in (6, 4):
        assert spelled(solve(replace(NINE, innocents=citizens))) in told(page, "#parity")


def test_the_headline_is_a_range_over_the_votes_of_recorded_tables(open_page):
    page, chances = open_page(TABLE), ends(NINE)
    assert page.is_checked("#voting-recorded") and chances[0] < 0.45 < 0.55 < chances[1]
    assert sentence(page).startswith(f"The town wins {spelled(*chances)} of games. ")
    assert "1.4 to 3 times" in told(page, "#voting-hint") and "4,905 recorded games" in told(page, "#voting-hint")
    more = spelled(*ends(replace(NINE, innocents=6)))
    assert f"One citizen more: the town wins {more}." in told(page, "#parity")
    parts = [page.locator(f"#bar-{part}").bounding_box()["width"] for part in ("town", "between", "mafia")]
    shares = [chances[0], chances[1] - chances[0], 1 - chances[1]]
    assert [part / sum(parts) for part in parts] == pytest.approx(shares, abs=0.01)


VERDICTS = {
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


def test_a_verdict_holds_over_the_range(open_page):
    script = "cases => cases.map((one) => words.verdict(one, false))"
    page = open_page("#setup=2: mafioso, citizen")
    assert page.evaluate(script, list(map(list, VERDICTS))) == list(VERDICTS.values())


def test_one_citizen_more_who_harms_the_town_is_warned_of(open_page):
    page = open_page("#setup=8: 2 mafiosi, 6 citizens&odds=1")
    now, more = (spelled(solve(Setup(2, innocents))) for innocents in (6, 7))
    ready(page)
    said = f"Beware: with one citizen more the town would win less often, {more} instead of {now}."
    assert said in told(page, "#parity") and page.get_attribute("#parity", "class") == "warning"


def test_typed_stepped_and_used(open_page):
    page = open_page(TABLE + "&voting=random")
    page.fill("#setup", "8: 2 wolves, Seer, medic, 4 villagers")
    page.keyboard.press("Enter")
    ready(page)
    assert page.input_value("#setup") == "8: 2 mafiosi, sheriff, doctor, 4 citizens" and errors(page) == []
    page.locator(".count", has_text="Hunters").get_by_text("+").click()
    page.uncheck("#sheriffs")
    page.check("#bodyguards")
    page.focus("#doctors")
    page.keyboard.press("ArrowUp")
    ready(page)
    assert page.input_value("#setup") == "8: 2 mafiosi, 2 doctors, bodyguard, hunter, 2 citizens"
    assert spelled(solve(Setup(2, 2, doctors=2, bodyguards=1, hunters=1))) in sentence(page)
    text, shown, *_ = page.locator("#fairest tr").first.inner_text().split("\t")
    page.locator("#fairest button").first.click()
    assert f"he town wins {shown} of games" in sentence(page) and page.input_value("#setup") == f"8: {text}"
    assert page.locator("#fairest tr[aria-current]").inner_text().split("\t")[0] == text
    page.fill("#mafiosi", "4")
    ready(page)
    text, shown = re.match(r"(.*) – the town wins ([\d.]+%)", page.locator("#repairs li").first.inner_text()).groups()
    page.get_by_role("button", name=f"Use: {text}").click()
    assert f"he town wins {shown} of games" in sentence(page)


def test_every_rule_can_be_switched_and_comes_back_with_the_link(open_page):
    page = open_page("#setup=6: don, sheriff, vigilante, witch, detective, citizen&odds=1&may=witches")
    unfold(page)
    values = {"odds_to": "2", "odds": "1.5", "kills": "1, 2", "agreement": "0.75", "bullets": "2", "shot": "0.25"}
    seen = {answered(page)}
    for select in page.locator("#rules select:not(#aim)").all():
        values[select.get_attribute("id")] = select.locator("option").last.get_attribute("value")
    for name, value in (values | {"potion": "1"}).items():
        page.evaluate("document.getElementById('sentence').textContent = ''")  # so that the next answer is seen to come
        (page.select_option if page.locator(f"select#{name}").count() else page.fill)(f"#{name}", value)
        seen.add(answered(page))
    assert len(seen) > 10
    page.wait_for_function("() => location.hash.includes('memory') && location.hash.includes('potion')")
    again = open_page(page.evaluate("location.hash"))
    assert answered(again) == told(page, "#sentence") and fields(again) == fields(page)
    assert again.is_checked("#may-witches") and not again.is_checked("#may-dons")


REFUSED = [
    ("players", "25", "Players: “25” is not a whole number from 2 to 24."),
    ("players", "3", "4 people have a role: there must be as many players or more, not 3."),
    ("mafiosi", "", "Mafiosi: a whole number from 0 to 24 is needed."),
    ("mafiosi", "0", "A mafioso or a don is needed."),
    ("doctors", "1.5", "Doctors: “1.5” is not a whole number from 0 to 24."),
    ("kills", "1, x", "Shots a night (or by living mafiosi: 1, 2): “x” is not a whole number from 1 to 5."),
    ("potion", "2", "The witch uses a potion with probability: “2” is not a number from 0 to 1."),
]


def test_refusals_say_what_is_allowed(open_page):
    """In words of the page, with no name of a program; the field is named as it is beside it."""
    page = open_page(TABLE + "&odds=2")
    before = answered(page)
    unfold(page)
    for field, value, message in REFUSED:
        old = page.input_value(f"#{field}")
        page.fill(f"#{field}", value)
        told(page, "#sentence", "No answer")
        assert errors(page) == [message] and page.get_attribute(f"#{field}", "aria-invalid") == "true"
        assert not page.is_visible("#found") and not page.is_visible("#bar"), field
        page.fill(f"#{field}", old)
        assert answered(page) == before and errors(page) == [] and page.is_visible("#found"), field


UNREADABLE = {
    "#setup=30: 4 mafiosi, 26 citizens": "This page can work with 2 to 24 players; here are 30",
    "#setup=9: 2 mafiosi, queen": "“queen” is not a role, or a number and a role",
    "#setup=9: 2 mafiosi&ties=often": "“often” is no choice of this page",
    "#setup=9: 2 mafiosi&lynching=1": "“lynching” is no rule of this page",
    "#setup=9: 2 mafiosi&voting=own&games=10&won=11": "Games that the town won: 11 is more than the 10 games played",
    "#may=dons": "it names no set-up",
}


def test_a_wrong_link_opens_an_example_and_says_so(open_page):
    """The first as the page is opened, the others while it is open and what was typed last is refused."""
    page = open_page(next(iter(UNREADABLE)))
    for hash_, reason in UNREADABLE.items():
        go_to(page, hash_)
        assert told(page, "#link-error", reason).startswith("The link cannot be read, so this is an example ("), hash_
        assert answered(page) and page.input_value("#players") == "10" and len(errors(page)) == 1, hash_
        page.fill("#setup", "9: 2 mafiosi, queen")
        page.click("#read")
        assert "“queen” is not a role, or a number and a role. Roles are: don, mafioso" in errors(page)[-1]
        assert told(page, "#sentence").startswith("No answer")


def test_long_work_can_be_stopped_and_gone_on_with(open_page):
    page = open_page("#setup=24: 4 mafiosi, don, sheriff, doctor, vigilante, witch, 15 citizens&tells=at a find&may=")
    page.wait_for_function("() => !document.getElementById('work').hidden")
    assert told(page, "#sentence") == "Working it out …" and page.inner_text("#length") == ""
    page.click("#cancel")
    assert page.is_visible("#again") and not page.is_visible("#work")
    page.click("#again")
    page.wait_for_function("() => !document.getElementById('work').hidden")
    page.fill("#setup", "5: mafioso, 4 citizens")
    page.keyboard.press("Enter")
    told(page, "#citizens", "4")
    assert f"he town wins {spelled(*ends(Setup(1, 4)))}" in sentence(page)


def test_results_of_ones_own_are_fitted_and_kept(open_page):
    page, seen = open_page(CLUB), share(1140, 2520)
    page.check("#voting-own")
    page.fill("#games", "2,520")
    page.fill("#won", "１１４０")
    told(page, "#model", "Your results fit odds of")
    assert sentence(page).startswith(
        f"The town wins {spelled(seen.low, seen.high)} of games (95% interval: it won 45.2% of your 2,520). "
    )
    row = pd.read_csv(ROOT / "data/results/real-odds.csv", index_col=0).loc["as assumed"]
    low, best, high = (f"{row[f'seasons 2 to 16 {name}']:.2f}" for name in ("from", "odds", "to"))
    assert f"odds of {best} (95% interval: {low} to {high})" in told(page, "#model")
    assert page.evaluate("location.hash").endswith("voting=own&games=2520&won=1140&may=")
    page.click("#keep")
    assert page.is_checked("#voting-odds") and fields(page) | {"odds": low, "odds_to": high} == fields(page)
    page.click("#fit")
    assert [page.input_value("#games"), page.input_value("#won")] == ["4905", "2168"]
    told(page, "#sentence", "44.2% of your 4,905")
    page.check("#may-doctors")
    page.wait_for_selector("#repairs button")
    page.locator("#repairs button").first.click()
    page.wait_for_function("() => document.getElementById('voting-odds').checked")


def test_results_that_votes_explain_in_part_or_not_at_all(open_page):
    """With two detectives even the worst votes win 28.1% of games: the interval of 8 of 40 begins below that."""
    setup = Setup(2, 8, detectives=2)
    page = open_page(f"#setup={setup.written}&voting=own&games=40&won=8&may=")
    seen, reach = share(8, 40), ends(setup, odds=(0.01, 100))
    inside = [max(seen.low, reach[0]), min(seen.high, reach[1])]
    assert sentence(page).startswith(
        f"The town wins {spelled(*inside)} of games. Your results say {spelled(seen.low, seen.high)} (95% interval); "
        "part of that is out of reach of any votes. "
    )
    odds = [float(each) for each in re.search(r"odds of ([\d.]+) to ([\d.]+) in votes", told(page, "#model")).groups()]
    assert ends(setup, odds=odds) == pytest.approx(inside, abs=0.005)
    page.fill("#setup", "7: 3 mafiosi, 4 citizens")
    page.click("#read")
    page.fill("#games", "100")
    page.fill("#won", "99")
    low, high = ends(Setup(3, 4), odds=(0.01, 100))
    said = told(page, "#sentence", "however badly or well")
    assert f"{100 * low:.1f}% to {100 * high:.1f}% of games, however" in said and not page.is_visible("#found")


def test_what_the_page_writes_it_reads_in_every_language(window, tmp_path):
    file = tmp_path / "werewolf.html"
    file.write_text(made(PAGE, translated=True), encoding="utf-8")
    window.goto(f"{file.as_uri()}#setup=2: mafioso, citizen")
    script = """texts => texts.map((text) => {
        const setup = reading.setup(text);
        return [reading.written(setup), reading.written(reading.setup(words.written(setup))), words.written(setup)];
    })"""
    everyone = "16: don, 2 mafiosi, sheriff, detective, doctor, bodyguard, vigilante, witch, hunter, 6 citizens"
    many = "20: 4 mafiosi, 3 detectives, 2 doctors, 2 hunters, 9 citizens"
    for tag in ("zh-Hans", "fr"):
        switch(window, tag)
        for text, (english, again, shown) in zip(
            (everyone, many), window.evaluate(script, [everyone, many]), strict=True
        ):
            assert text == english == again and shown != text
