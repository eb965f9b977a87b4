"""All offline pages in a browser, by the same measures: names, keys, colours, widths, languages, frames."""

import re

import pytest

from tests.pages.made import COLOURS, MADE, errors, luminance, made, ratio

pytestmark = pytest.mark.browser
every_page = pytest.mark.parametrize("name", MADE)
#: What each page is opened with, so that there is much to see.
SHOWN = {
    "countn-explorer": "",
    "fair": "",
    "sanguosha-bench": "#change=each-renegade-has-3-hearts&change=there-are-15-slashes-instead-of-30&renegade_win=20",
    "werewolf": "#setup=9: 2 mafiosi, doctor, hunter, 5 citizens&voting=random&may=doctors,hunters",
}
#: Other links, with long names and numbers, or of which something is refused.
OTHERS = {
    "countn-explorer": [],
    "fair": ["#nonsense", "#by=side&row=30_55_wolves&row=25_58_village"],
    "sanguosha-bench": ["#seating=0123&play=known&lord_win=-999.5&rebel_alive=1000", "#x=" + "y" * 200],
    "werewolf": ["#setup=9: don, mafioso, sheriff, doctor, bodyguard, hunter, 3 citizens&may="],
}
#: Texts whose colours are looked at.
TEXTS = {
    "countn-explorer": "h1|header p|label|.number|.small|.who strong|.who span|.badge|#status|.sum|.leads|.tag.even|"
    ".tools button|td|thead th|.error|summary|kbd|select",
    "fair": "h1|header p|h2|label|.hint|#examples button|#by|.counts th|.counts input|.counts td button|#add|summary|"
    "#verdict|.button|#chapters a|#verdict strong|figcaption span|.numbers th|.numbers td|dt|dd|#curve-text|"
    "#pointer-text|#copied|#copy|#link|.error",
    "sanguosha-bench": "h1|header p|h2|h3|label|.hint|select|summary|#sentence|#gap|#turns|caption|.measure th|"
    ".measure td|.before|#plays th|#plays span|#one a|#one td|#one tr:nth-child(3) th|#points input|pre|dt|dd|button|"
    ".error",
    "werewolf": "h1|header p|h2|.row label|.kinds .check|#setup|.hint|#examples button|.check|select|summary|"
    "#sentence|a|#bar-town|#bar-mafia|#length|#parity|#repairs li|#repairs button|legend|td|tbody th|thead th|"
    "#fairest-hint|#citizens|.error",
}
#: Names that a reader of the screen is told, and the fewest controls there are.
NAMES = {
    "countn-explorer": (15, ['heading "Count-8" [level=1]', 'combobox "Count to"', "textbox \"Position, the side to "]),
    "fair": (
        25,
        ['textbox "Wins of 1": "204"', 'button "Remove 1"', 'combobox "What the rows are"', 'table "Shares of wins"',
         'slider "Number of games": "648"', 'img "Shares of wins. seat 1 31.5%, interval'],
    ),
    "sanguosha-bench": (25, ['table "Chance to survive"', 'textbox "Renegade, who has won": "20"', '"First change"']),
    "werewolf": (50, ['textbox "Players": "9"', 'checkbox "Don"', 'button "Use: ', '"In a tie leave"']),
}  # fmt: skip
#: What is reached by the tabulator, in order; a control without an id by the name of its element.
ROLES = "mafiosi dons sheriffs vigilantes bodyguards witches detectives doctors hunters"
KEYS = {
    "countn-explorer": "size overflow player-0 player-1 values button undo forward best main-line restart div preset "
    "load position set a a summary",
    "fair": f"file button button button by {'input input input button ' * 4}add draws summary margin level after "
    "looks copy pointer a a summary",
    "sanguosha-bench": "first second seating play summary lord_win lord_per_loyalist loyalist_alive loyalist_dead "
    "consolation rebel_alive rebel_dead renegade_with_rebels renegade_win lord_when_renegade_wins reset div "
    f"{'a ' * 12}copy python summary",
    "werewolf": f"voting-random {'button ' * 5}setup read players {ROLES} summary phase votes ties half_rule summary "
    "summary summary usual may-dons may-sheriffs may-detectives may-doctors may-bodyguards may-vigilantes "
    "may-witches may-hunters",
}
#: Where the answer stands, and what is wrong in a field.
ANSWER = {"countn-explorer": "#status", "fair": "#verdict", "sanguosha-bench": "#sentence", "werewolf": "#sentence"}
WRONG = {"countn-explorer": "position", "fair": "margin", "sanguosha-bench": "lord_win", "werewolf": "players"}
TABBED = """(() => {
    const one = document.activeElement;
    const seen = getComputedStyle(one).outlineStyle !== "none" && one.matches(":focus-visible");
    return [one.id || one.tagName.toLowerCase(), seen];
})()"""
LOW = """[...document.querySelectorAll("button, select, input")].filter((one) => one.checkVisibility()
    && !["checkbox", "radio", "range", "file"].includes(one.type) && one.getBoundingClientRect().height < 24).length"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made_in = tmp_path_factory.mktemp("pages")
    for name in MADE:
        (made_in / f"{name}.html").write_text(made(name, translated=True), encoding="utf-8")
    return made_in


@pytest.fixture
def opened(windows, folder):
    """Open a page, wait until all is worked out; nothing but pages may be asked for, nothing complained of."""
    page = windows.take()
    windows.requests.clear()
    windows.complaints.clear()

    def open_(name, hash_=None, width=1100, height=900, tag="en"):
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme="light", reduced_motion="reduce")
        page.goto(f"{(folder / name).as_uri()}.html?lang={tag}{SHOWN[name] if hash_ is None else hash_}")
        if name == "werewolf":
            page.wait_for_selector("#found[aria-busy=false]", state="attached")
        return page

    yield open_
    windows.give_back(page)
    assert all(request.startswith(folder.as_uri()) for request in windows.requests) and windows.complaints == []


def unfold(page) -> None:
    page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true")


@every_page
def test_everything_has_a_name(opened, name):
    page, (least, names) = opened(name), NAMES[name]
    unfold(page)
    snapshot = page.locator("body").aria_snapshot()
    controls = re.findall(
        r"- '?(?:button|combobox|textbox|radio|checkbox|slider|region|table|link|img)\b(.*)", snapshot
    )
    assert len(controls) > least and all(re.match(r' "[^"]{2,}"', rest) for rest in controls), snapshot
    assert [part for part in [*names, "- main:", "- banner:", "- status"] if part not in snapshot] == []
    levels = [int(level) for level in re.findall(r"\[level=(\d)\]", snapshot)]
    assert levels[0] == 1 and set(levels[1:]) <= {2, 3}


@every_page
def test_every_control_is_reached_by_the_keyboard_and_seen_to_be(opened, name):
    page, reached = opened(name), []
    wanted = KEYS[name].split()
    while len(reached) < 80:
        page.keyboard.press("Tab")
        where, seen = page.evaluate(TABBED)
        if where == "body":
            break
        assert seen, where
        reached.append(where)
    languages = ["button"] * 3
    assert reached[: 3 + len(wanted)] == languages + wanted


@every_page
def test_light_and_dark_can_be_read(opened, name):
    page = opened(name)
    unfold(page)
    field = page.locator(f"#{WRONG[name]}")
    usual = field.input_value()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert (luminance(page.evaluate("getComputedStyle(document.body).backgroundColor")) < 0.1) == (scheme == "dark")
        selectors = [one for one in TEXTS[name].split("|") if one != ".error"]
        for selector, colours in zip(selectors, page.evaluate(COLOURS, selectors), strict=True):
            assert ratio(*colours) >= 4.5, (scheme, selector, colours)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        field.fill("x")
        field.press("Enter")
        page.wait_for_selector(".error:not(:empty)")
        (colours,) = page.evaluate(COLOURS, [".error:not(:empty)"])
        assert ratio(*colours) >= 4.5 and len(errors(page)) == 1, (scheme, colours)
        field.fill(usual)


@every_page
def test_no_sideways_scrolling_and_no_control_too_small(opened, name):
    for hash_ in (None, *OTHERS[name]):
        page = opened(name, hash_)
        unfold(page)
        for width in (360, 620, 840, 1280):
            page.set_viewport_size({"width": width, "height": 900})
            page.wait_for_function("width => document.documentElement.scrollWidth <= width", arg=width)
            assert page.evaluate(LOW) == 0, (hash_, width)
        page.fill(f"#{WRONG[name]}", "x" * 60)
        assert page.evaluate("document.documentElement.scrollWidth") <= 1280


@pytest.mark.parametrize("tag", ["en", "zh", "fr"])
@every_page
def test_the_answer_stands_on_the_first_screen_of_a_phone(opened, name, tag):
    page = opened(name, width=390, height=844, tag=tag)
    box = page.locator(ANSWER[name]).bounding_box()
    assert box["y"] + box["height"] < 844 and page.evaluate("document.documentElement.scrollWidth") <= 390


@every_page
def test_shut_in_a_frame_it_works_as_well(browser, name):
    """As notebooks show it: without an address, a clipboard, a memory or anything outside."""
    outer, complaints = browser.new_page(), []
    outer.on("pageerror", lambda error: complaints.append(str(error)))
    script = """text => {
        const frame = document.createElement("iframe");
        Object.assign(frame, {sandbox: "allow-scripts", srcdoc: text, width: 1000, height: 900});
        document.body.append(frame);
    }"""
    outer.evaluate(script, made(name, translated=True))
    inner = outer.frame_locator("iframe")
    before = inner.locator(ANSWER[name]).inner_text()
    inner.locator(
        {"countn-explorer": "#moves button", "sanguosha-bench": "#one a"}.get(name, "#examples button >> nth=1")
    ).first.click()
    inner.locator(ANSWER[name]).filter(has_not_text=before).wait_for()
    if name == "werewolf":  # a change that still waits would hide what is said of the link
        inner.locator("#found[aria-busy=false]").wait_for()
    if name != "countn-explorer":
        inner.locator("#copy").click()
        inner.get_by_text("put it behind the address of this page").wait_for()
        assert inner.locator("#link").input_value().startswith("#")
    inner.locator(".languages button[lang=fr]").click()
    assert complaints == []
    outer.close()


@every_page
def test_few_global_names_and_no_motion(opened, name):
    """No function of a script can be called from outside, nothing moves where nobody wants that."""
    page = opened(name)
    page.evaluate("document.body.append(document.createElement('iframe'))")
    assert page.evaluate("Object.keys(window).filter((name) => !(name in frames[0]) && name !== '0')") == []
    assert page.evaluate("document.getAnimations().length") == 0
