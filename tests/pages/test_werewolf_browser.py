"""The page that weighs a set-up of Werewolf, in a browser: its words, links, refusals, keys, widths and colours."""

import re

import pytest

from gamebalance.mafia import Rules, Setup, length_distribution, solve
from tests.pages.made import errors

pytestmark = pytest.mark.browser
PAGE = "werewolf"
TABLE = "#setup=9: 2 mafiosi, doctor, hunter, 5 citizens&voting=random&may=doctors,hunters"
LARGE = "#setup=24: 4 mafiosi, don, sheriff, doctor, vigilante, witch, 15 citizens&tells=at a find&may="


def ready(page) -> None:
    """Wait until all is worked out."""
    page.wait_for_function("() => document.getElementById('found').getAttribute('aria-busy') === 'false'")


def told(page, selector: str) -> str:
    """What a part of the page says, with plain spaces."""
    return page.inner_text(selector)


def sentence(page) -> str:
    ready(page)
    return told(page, "#sentence")


def answered(page) -> str:
    """The sentence, once there is an answer; the rest, which takes longer, is stopped."""
    page.wait_for_function(
        "() => document.getElementById('sentence').textContent.match(/^(With votes at random t|T)he town wins/)"
    )
    page.evaluate("document.getElementById('cancel').click()")
    return told(page, "#sentence")


def chance(setup: Setup, **rules) -> str:
    return f"{100 * solve(setup, Rules(**rules)):.1f}%"


def fields(page) -> list[str]:
    numbers = [page.input_value(f"#{name}") for name in ("players", "mafiosi", "detectives", "doctors", "hunters")]
    single = [
        name for name in ("dons", "sheriffs", "vigilantes", "bodyguards", "witches") if page.is_checked(f"#{name}")
    ]
    return [*numbers, *single]


def test_the_answer_is_the_librarys(open_page):
    page = open_page(TABLE)
    setup = Setup(2, 5, doctors=1, hunters=1)
    won = solve(setup)
    sides = f"the town wins {100 * won:.1f}% of games, the mafia {100 - 100 * won:.1f}%. "
    assert sentence(page).startswith(f"With votes at random {sides}")
    assert sentence(page).endswith("Recorded tables vote better than that: see what they would make of it.")
    games = length_distribution(setup).sum(axis=1)
    most = int((games.cumsum() < 0.9 - 1e-12).sum())
    mean = (games * games.index).sum()
    assert told(page, "#length") == (
        f"A game takes {mean:.1f} nights on average; nine in ten are over by night {most}."
    )
    width = page.evaluate(
        "document.getElementById('bar-town').offsetWidth / document.getElementById('bar').offsetWidth"
    )
    assert width == pytest.approx(won, abs=0.01) and page.inner_text("#citizens") == "5"
    assert chance(Setup(2, 6, doctors=1, hunters=1)) in told(page, "#parity")
    assert chance(Setup(2, 4, doctors=1, hunters=1)) in told(page, "#parity")


def test_one_citizen_more_who_harms_the_town_is_warned_of(open_page):
    page = open_page("#setup=8: 2 mafiosi, 6 citizens&odds=1")
    ready(page)
    now, more = (chance(Setup(2, innocents)) for innocents in (6, 7))
    assert solve(Setup(2, 7)) < solve(Setup(2, 6))
    assert f"Beware: with one citizen more the town would win less often, {more} instead of {now}." in told(
        page, "#parity"
    )
    assert page.get_attribute("#parity", "class") == "warning"
    page.fill("#players", "9")
    ready(page)
    assert f"with one citizen fewer the town would win more often, {now} instead of {more}." in told(page, "#parity")


def test_typed_stepped_and_used(open_page):
    page = open_page(TABLE)
    page.fill("#setup", "8: 2 wolves, Seer, medic, 4 villagers")
    page.keyboard.press("Enter")
    ready(page)
    assert fields(page) == ["8", "2", "0", "1", "0", "sheriffs"] and errors(page) == []
    assert page.input_value("#setup") == "8: 2 mafiosi, sheriff, doctor, 4 citizens"
    page.locator(".count", has_text="Hunters").get_by_text("+").click()
    page.uncheck("#sheriffs")
    ready(page)
    assert page.input_value("#setup") == "8: 2 mafiosi, doctor, hunter, 4 citizens"
    assert chance(Setup(2, 4, doctors=1, hunters=1)) in sentence(page)
    rows = [row.inner_text() for row in page.locator("#fairest tr").all()]
    text, shown, *_ = re.split(r"\t", rows[0])
    page.locator("#fairest button").first.click()
    assert f"he town wins {shown} of games" in sentence(page)
    assert page.input_value("#setup") == f"8: {text}"
    assert page.locator("#fairest tr[aria-current]").inner_text().split("\t")[0] == text
    page.fill("#mafiosi", "4")
    ready(page)
    text, shown = re.match(r"(.*) – the town wins (.*)\s", page.locator("#repairs li").first.inner_text()).groups()
    page.get_by_role("button", name=f"Use: {text}").click()
    assert f"he town wins {shown.strip().removesuffix('Use').strip()} of games" in sentence(page)


def test_every_rule_can_be_switched_and_comes_back_with_the_link(open_page):
    page = open_page("#setup=6: don, sheriff, vigilante, witch, detective, citizen&odds=1&may=witches")
    page.evaluate("for (const group of document.querySelectorAll('details')) group.open = true")
    values = {
        "odds_to": "2",
        "odds": "1.5",
        "kills": "1, 2",
        "agreement": "0.75",
        "bullets": "2",
        "shot": "0.25",
        "potion": "1",
    }
    seen = {answered(page)}
    for select in page.locator("#rules select").all():
        last = select.locator("option").last.get_attribute("value")
        if select.get_attribute("id") != "aim":
            values[select.get_attribute("id")] = last
    for name, value in values.items():
        page.evaluate("document.getElementById('sentence').textContent = ''")  # so that the next answer is seen to come
        (page.select_option if page.locator(f"select#{name}").count() else page.fill)(f"#{name}", value)
        seen.add(answered(page))
    assert len(seen) > 10
    page.wait_for_function("() => location.hash.includes('memory')")
    hash_ = page.evaluate("location.hash")
    again = open_page(hash_)
    assert answered(again) == told(page, "#sentence") and fields(again) == fields(page)
    assert {name: again.input_value(f"#{name}") for name in values} == values
    assert again.is_checked("#may-witches") and not again.is_checked("#may-dons")
    page.click("#usual")
    page.wait_for_function("() => !location.hash.includes('memory')")
    assert page.input_value("#kills") == "1" and page.input_value("#ties") == "lot"


REFUSED = [
    ("players", "25", "Players: “25” is not a whole number from 2 to 24."),
    ("players", "3", "4 people have a role: there must be as many players or more, not 3."),
    ("mafiosi", "", "Mafiosi: a whole number from 0 to 24 is needed."),
    ("mafiosi", "0", "A mafioso or a don is needed."),
    ("doctors", "1.5", "Doctors: “1.5” is not a whole number from 0 to 24."),
    ("odds", "-1", "Odds, from: “-1” is not a number from 0.01 to 100."),
    ("odds_to", "1", "Odds, to (or nothing): a number from 2 to 100 is needed."),
    ("kills", "1, x", "Shots a night (or by living mafiosi: 1, 2): “x” is not a whole number from 1 to 5."),
    ("potion", "2", "The witch uses a potion with probability: “2” is not a number from 0 to 1."),
    ("bullets", "10", "Bullets of the vigilante: “10” is not a whole number from 0 to 9."),
]


def test_refusals_say_what_is_allowed(open_page):
    """In words of the page, with no name of a program; the field is named as it is beside it."""
    page = open_page(TABLE.replace("voting=random", "odds=2"))
    before = answered(page)
    page.evaluate("for (const group of document.querySelectorAll('details')) group.open = true")
    for field, value, message in REFUSED:
        old = page.input_value(f"#{field}")
        page.fill(f"#{field}", value)
        page.wait_for_function("() => document.getElementById('sentence').textContent.startsWith('No answer')")
        assert errors(page) == [message] and page.get_attribute(f"#{field}", "aria-invalid") == "true"
        assert not page.is_visible("#found") and not page.is_visible("#bar"), field
        page.fill(f"#{field}", old)
        assert answered(page) == before and errors(page) == [] and page.is_visible("#found"), field


def test_who_aims_apart_need_not_agree(open_page):
    page = open_page(TABLE + "&agreement=0.5")
    page.evaluate("for (const group of document.querySelectorAll('details')) group.open = true")
    page.select_option("#aim", "apart")
    page.wait_for_function("() => document.getElementById('rules-error').textContent")
    assert page.evaluate("document.getElementById('rules-error').previousElementSibling.lastChild.id") == "agreement"
    assert errors(page) == ["It agrees on a victim with probability: 1 is needed where each shot is aimed by itself."]


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
        page.evaluate("hash => { location.hash = hash; }", hash_)
        page.wait_for_function("part => document.getElementById('link-error').textContent.includes(part)", arg=reason)
        (error,) = errors(page)
        assert error.startswith("The link cannot be read, so this is an example ("), hash_
        assert answered(page) and page.input_value("#players") == "10", hash_
        page.fill("#setup", "9: 2 mafiosi, queen")
        page.click("#read")
        assert "“queen” is not a role, or a number and a role. Roles are: don, mafioso" in errors(page)[-1]
        assert told(page, "#sentence").startswith("No answer")


def test_long_work_can_be_stopped_and_gone_on_with(open_page):
    page = open_page(LARGE)
    page.wait_for_function("() => !document.getElementById('work').hidden")
    assert told(page, "#sentence") == "Working it out …" and page.inner_text("#length") == ""
    page.click("#cancel")
    assert page.is_visible("#again") and not page.is_visible("#work")
    doing = page.inner_text("#doing")
    page.wait_for_timeout(300)
    assert page.inner_text("#doing") == doing and told(page, "#sentence") == "Working it out …"
    page.click("#again")
    page.wait_for_function("() => !document.getElementById('work').hidden")
    page.fill("#setup", "5: mafioso, 4 citizens")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.getElementById('citizens').textContent === '4'")
    assert f"he town wins {chance(Setup(1, 4), odds=1.4)} to {chance(Setup(1, 4), odds=3)}" in sentence(page)


def test_a_role_is_chosen_by_keys(open_page):
    page = open_page(TABLE)
    ready(page)
    page.focus("#bodyguards")
    page.keyboard.press("Space")
    page.focus("#doctors")
    page.keyboard.press("ArrowUp")
    ready(page)
    assert page.input_value("#setup") == "9: 2 mafiosi, 2 doctors, bodyguard, hunter, 3 citizens"
