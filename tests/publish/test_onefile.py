"""The report: one file that needs nothing else, the pages of the site in reading order, and leads nowhere it is not."""

import base64
import re
import shutil
import sys
import zlib
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
from bs4 import BeautifulSoup

from gamebalance.publish import manifest, pdf
from gamebalance.publish.site import onefile
from tests.refusals import refused

ROOT = Path(__file__).resolve().parents[2]
#: Scripts, and code that is only shown.
SHOWN = re.compile(r"<script.*?</script>|<pre.*?</pre>", re.DOTALL)
#: Tries to run a script of its own.
FOREIGN = """() => {
    document.body.append(Object.assign(document.createElement("script"), { text: "window.foreign = 1" }));
    return window.foreign;
}"""


def read(project) -> BeautifulSoup:
    return BeautifulSoup((project.figures / "report.html").read_text(encoding="utf-8"), "html.parser")


# What it holds.


def test_nothing_of_the_committed_report_leads_out_of_it():
    text = SHOWN.sub("", (ROOT / "figures/report.html").read_text(encoding="utf-8"))
    tags = re.findall(r"<(?:a|img|iframe|link|script)\s[^>]*", text)
    addresses = [found for tag in tags for found in re.findall(r'\s(?:href|src)="([^"]{0,200})', tag)]
    assert len(addresses) > 500
    assert [each for each in addresses if not each.startswith(("#", "https://", "http://", "data:"))] == []
    inside, ids = {unquote(each[1:]) for each in addresses if each.startswith("#")}, re.findall(r'\sid="([^"]*)"', text)
    assert inside <= set(ids)
    styles = "".join(re.findall(r"<style>.*?</style>", text, re.DOTALL))
    assert "@media" in styles and not re.search(r"@import|url\((?![\"']?data:)", styles)


# How it is made.


def test_the_same_again_until_a_sheet_says_something_else(ran, edit):
    before = (ran.figures / "report.html").read_bytes()
    assert not onefile.build(ran, manifest.load(ran))
    assert onefile.build(ran, manifest.load(ran), force=True, workers=2)
    assert (ran.figures / "report.html").read_bytes() == before
    edit.manifest(ran, lambda entries: entries["notebooks"][0].update(seconds=7200))
    assert onefile.build(ran, manifest.load(ran)) and "2.0\u00a0h" in read(ran).find(id="how-many").get_text()


def test_however_a_machine_packs_it_the_report_is_the_same(ran):
    report, before = ran.figures / "report.html", (ran.figures / "report.html").read_text(encoding="utf-8")

    def otherwise(held):
        return held[1] + base64.b64encode(zlib.compress(zlib.decompress(base64.b64decode(held[2])), 1)).decode()

    report.write_text(onefile.PACKED.sub(otherwise, before), encoding="utf-8")
    other = report.read_bytes()
    assert other != before.encode() and onefile.build(ran, manifest.load(ran)) and report.read_bytes() == other
    for broken in (before.replace("A tiny", "A small"), onefile.PACKED.sub(r"\1AAAA", before), before[:999]):
        report.write_text(broken, encoding="utf-8")
        assert onefile.build(ran, manifest.load(ran)) and report.read_text(encoding="utf-8") == before


# In a browser.


@pytest.mark.browser
def test_in_a_browser(ran_for_reading, window):
    requests, complaints = [], []
    window.on("request", lambda request: requests.append(request.url))
    window.on("console", lambda message: complaints.append(message.text))
    window.on("pageerror", lambda error: complaints.append(str(error)))
    for width, scheme in ((1280, "light"), (390, "dark")):
        window.emulate_media(color_scheme=scheme)
        window.set_viewport_size({"width": width, "height": 900})
        window.goto((ran_for_reading.figures / "report.html").as_uri())
        window.evaluate("complete()")
        assert window.locator("#how-many mjx-container[display] svg").count()
        assert window.evaluate("[...document.querySelectorAll('main img')].every(image => image.naturalWidth)")
        assert window.evaluate("document.documentElement.dataset.theme") == scheme
        assert window.evaluate("document.querySelectorAll('mjx-merror, [data-mjx-error]').length") == 0
        window.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
        assert window.evaluate("document.documentElement.scrollWidth") <= width
    assert window.evaluate("document.fonts.check('16px \"Collection CJK\"', '主公')")
    window.keyboard.press("Tab")
    assert window.evaluate("document.activeElement.className") == "skip"
    assert [url for url in requests if not url.startswith(("file:", "data:"))] == []
    assert complaints == []


@pytest.mark.browser
def test_a_figure_opens_large_and_closes_to_where_it_was(ran_for_reading, window):
    window.set_viewport_size({"width": 390, "height": 800})
    window.goto((ran_for_reading.figures / "report.html").as_uri())
    opener = window.get_by_role("button", name="Enlarge Figure 1.1")
    drawn = int(window.locator("#tiny-figure-1 img").get_attribute("width"))
    opener.focus()
    window.keyboard.press("Enter")
    dialog = window.get_by_role("dialog", name="Figure 1.1")
    picture = dialog.get_by_role("img", name='A line that rises by "one".')
    assert picture.evaluate("(image) => image.decode().then(() => image.clientWidth)") >= max(drawn, 380)
    before = picture.evaluate("(image) => image.clientWidth")
    dialog.get_by_role("button", name="Larger").click()
    assert picture.evaluate("(image) => image.clientWidth") == pytest.approx(1.25 * before, abs=1)
    window.keyboard.press("Escape")
    assert not dialog.is_visible() and opener.evaluate("(button) => button === document.activeElement")


@pytest.mark.browser
def test_far_from_the_collection_it_saves_data_and_runs_no_script_but_its_own(ran_for_reading, window, tmp_path):
    complaints = []
    window.on("console", lambda message: complaints.append(message.text))
    shutil.copy(ran_for_reading.figures / "report.html", tmp_path / "alone.html")
    window.goto((tmp_path / "alone.html").as_uri())
    window.evaluate("complete()")  # what is set late moves what a mouse is over
    window.locator("#tiny-table-1 details.menu > summary").click()
    window.locator("#tiny-table-1 details.menu[open]").wait_for()
    with window.expect_download() as saved:
        window.locator("#tiny-table-1 a[download]").first.click()
    file = ran_for_reading.results / "tiny-table-1.csv"
    assert saved.value.suggested_filename == file.name and saved.value.path().read_bytes() == file.read_bytes()
    window.locator("#tiny-figure-1 details.menu > summary").click()
    with window.expect_download() as saved:
        window.get_by_role("button", name="Picture (SVG) of Figure 1.1").click()
    assert saved.value.suggested_filename == "tiny-figure-1.svg"
    assert ElementTree.parse(saved.value.path()).getroot().tag == "{http://www.w3.org/2000/svg}svg"
    code = window.locator("details.hide")
    for name, count in (("Show all code", code.count()), ("Hide all code", 0)):
        window.get_by_role("button", name=name).click()
        assert window.locator("details.hide[open]").count() == count
    assert code.count() > 3
    assert window.evaluate(FOREIGN) is None
    assert len(complaints) == 1 and "Content Security Policy" in complaints[0]


# On paper.


def test_no_browser_no_report_and_no_driver_are_said_before_anything_is_written(ran, monkeypatch):
    report = ran.figures / "report.html"
    kept = report.read_bytes()
    report.unlink()
    with refused("figures/report.html is missing: make figures"):
        pdf.write(ran)
    report.write_bytes(kept)
    monkeypatch.setattr(pdf.shutil, "which", lambda name: None)
    with refused("prints with Chromium", "chromium, chromium-browser", "is installed"):
        pdf.write(ran)
    monkeypatch.setattr(pdf.shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setitem(sys.modules, "playwright.sync_api", None)
    with refused("playwright, which is not installed: make env"):
        pdf.write(ran)
    assert not (ran.figures / "report.pdf").exists()


@pytest.mark.browser
def test_it_is_printed_with_bookmarks_tags_and_a_title(ran, chromium, monkeypatch):
    monkeypatch.setattr(pdf, "browser", lambda: chromium[1])
    lines = []
    content = pdf.write(ran, lines.append).read_bytes()
    assert content.startswith(b"%PDF-") and len(lines) == 1 and lines[0].startswith("figures/report.pdf written (")
    text = content + b"".join(_streams(content))
    assert b"/Outlines" in text and b"/StructTreeRoot" in text and b"/Marked true" in text
    assert b"A tiny collection" in text or "A tiny collection".encode("utf-16-be") in text
    assert len(re.findall(rb"/Type\s*/Page\b", text)) >= 3
    # What a reader saves from the page is not carried along as the address of a link.
    assert b"data:text/csv" not in text and b"data:application/json" not in text


def _streams(content: bytes):
    """What is compressed in the file and can be read."""
    for packed in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", content, re.DOTALL):
        try:
            yield zlib.decompress(packed)
        except zlib.error:
            continue
