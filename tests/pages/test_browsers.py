"""All offline pages by the same measures: names, keys, colours, widths, languages, frames; nothing to fetch."""

import re

import pytest

from chapters import pages as offline
from gamebalance.publish import manifest, pages
from tests.pages.made import MADE, PROJECT, errors, made, switch, unfold

every_page = pytest.mark.parametrize("name", MADE)
#: The most bytes.
SIZES = {"countn-explorer": 250_000, "fair": 180_000, "sanguosha-bench": 650_000, "werewolf": 160_000}
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
#: Where the answer stands, and a field in which something can be wrong.
ANSWER = {"countn-explorer": "#status", "fair": "#verdict", "sanguosha-bench": "#sentence", "werewolf": "#sentence"}
WRONG = {"countn-explorer": "position", "fair": "margin", "sanguosha-bench": "lord_win", "werewolf": "players"}
#: All that the keyboard should reach, one of each group of choices, and what it has reached, in order.
STOPS = """() => [...document.querySelectorAll("a[href], button, select, input, textarea, summary, [tabindex='0']")]
    .filter((one) => one.checkVisibility() && one.tabIndex >= 0 && !(one.type === "radio" && !one.checked))
    .map((one, k) => { one.dataset.stop = k; return k; })"""
STOP = """() => {
    const one = document.activeElement;
    const seen = getComputedStyle(one).outlineStyle !== "none" && one.matches(":focus-visible");
    return one === document.body ? null : [Number(one.dataset.stop), seen || one.type === "file"];
}"""
LOW = """[...document.querySelectorAll("button, select, input")].filter((one) => one.checkVisibility()
    && !["checkbox", "radio", "range", "file"].includes(one.type) && one.getBoundingClientRect().height < 24).length"""
#: Texts, also those of pictures, that are hard to read on what is behind them, by WCAG 2.2, 1.4.3.
FAINT = """() => {
    const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
    const light = (colour) => parts(colour).slice(0, 3).map((part) => part / 255)
        .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
        .reduce((sum, part, k) => sum + [0.2126, 0.7152, 0.0722][k] * part, 0);
    const behind = (one) => {
        const colour = getComputedStyle(one).backgroundColor;
        return parts(colour)[3] === 0 ? behind(one.parentElement) : colour;
    };
    return [...document.querySelectorAll("body *")].filter((one) => one.checkVisibility() && !one.closest("option")
        && (one.value || [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim())))
        .map((one) => [one, [getComputedStyle(one)[one.closest("svg") ? "fill" : "color"], behind(one)].map(light)])
        .map(([one, both]) => [one, both.sort((a, b) => b - a)])
        .filter(([, [high, low]]) => (high + 0.05) / (low + 0.05) < 4.5).map(([one]) => one.outerHTML);
}"""


@every_page
def test_a_page_is_whole_small_the_same_again_and_fetches_nothing(name):
    text, project = made(name), manifest.load(PROJECT)
    assert MADE[name]() == text and len(text.encode()) < SIZES[name] and "{{" not in text
    pages.check(name, text)
    own = text.replace(offline.script(offline.SHARED, "language"), "")
    assert not re.search(r"https?:|//cdn|@import|url\(|\bsrc=|\bimport\(|fetch\(|XMLHttpRequest|innerHTML", own)
    assert "default-src 'none'" in text and "<noscript>" in text
    linked = set(re.findall(r'href="report\.html#([\w-]+)"', text))
    assert linked and linked <= {notebook.name for notebook in project.notebooks}
    assert name in offline.every() and name in {item.id for item in project.items}


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

    def open_(name, hash_=None, width=1100, height=900):
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme="light", reduced_motion="reduce")
        page.goto(f"{(folder / name).as_uri()}.html?lang=en{SHOWN[name] if hash_ is None else hash_}")
        if name == "werewolf":
            page.wait_for_selector("#found[aria-busy=false]", state="attached")
        return page

    yield open_
    windows.give_back(page)
    assert all(request.startswith(folder.as_uri()) for request in windows.requests) and windows.complaints == []


@pytest.mark.browser
@every_page
def test_everything_has_a_name_and_is_reached_by_the_keyboard(opened, name):
    page, reached = opened(name), []
    wanted = page.evaluate(STOPS)
    assert len(wanted) > 15
    page.keyboard.press("Tab")
    while where := page.evaluate(STOP):
        assert where[1], where
        reached.append(where[0])
        page.keyboard.press("Tab")
    assert reached == wanted
    unfold(page)
    snapshot = page.locator("body").aria_snapshot()
    controls = re.findall(
        r"- '?(?:button|combobox|textbox|radio|checkbox|slider|region|table|link|img)\b(.*)", snapshot
    )
    assert [rest for rest in controls if not re.match(r' "[^"]{2,}"', rest)] == []
    assert [part for part in ("- main:", "- banner:", "- status") if part not in snapshot] == []
    levels = [int(level) for level in re.findall(r"\[level=(\d)\]", snapshot)]
    assert levels[0] == 1 and set(levels[1:]) <= {2, 3}


@pytest.mark.browser
@every_page
def test_light_and_dark_can_be_read(opened, name):
    page = opened(name)
    unfold(page)
    assert page.evaluate(FAINT) == []
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(FAINT) == []
    page.fill(f"#{WRONG[name]}", "x" * 60)
    page.press(f"#{WRONG[name]}", "Enter")
    page.wait_for_selector(".error:not(:empty)")
    assert len(errors(page)) == 1 and page.evaluate(FAINT) == []
    page.emulate_media(color_scheme="light")
    assert page.evaluate(FAINT) == [] and page.evaluate("document.documentElement.scrollWidth") <= 1100


@pytest.mark.browser
@every_page
def test_no_sideways_scrolling_and_no_control_too_small(opened, name):
    for hash_ in (None, *OTHERS[name]):
        page = opened(name, hash_)
        unfold(page)
        for width in (360, 620, 840, 1280):
            page.set_viewport_size({"width": width, "height": 900})
            page.wait_for_function("width => document.documentElement.scrollWidth <= width", arg=width)
            assert page.evaluate(LOW) == 0, (hash_, width)
    page = opened(name, width=390, height=844)  # the first screen of a phone
    for tag in ("en", "zh-Hans", "fr"):
        switch(page, tag)
        box = page.locator(ANSWER[name]).bounding_box()
        assert box["y"] + box["height"] < 844 and page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.browser
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
    another = {"countn-explorer": "#moves button", "sanguosha-bench": "#one a"}.get(name, "#examples button >> nth=1")
    inner.locator(another).first.click()
    if name != "countn-explorer":  # also while a change still waits
        inner.locator("#copy").click()
        inner.get_by_text("put it behind the address of this page").wait_for()
        link = inner.locator("#link").input_value()
        assert link.startswith("#") and (name != "werewolf" or "setup=15" in link)
    inner.locator(ANSWER[name]).filter(has_not_text=before).wait_for()
    assert name == "countn-explorer" or inner.locator("#link").is_visible()
    inner.locator(".languages button[lang=fr]").click()
    assert complaints == []
    outer.close()
