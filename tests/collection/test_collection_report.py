"""The report: one file, nothing fetched, everything named, captioned and reachable."""

import itertools
import re
import shutil
from urllib.parse import unquote

import pytest
from bs4 import BeautifulSoup

from gamebalance.collection import manifest, report

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()


@pytest.fixture(scope="module")
def page(ran_for_reading) -> BeautifulSoup:
    return BeautifulSoup((ran_for_reading.figures / "report.html").read_text(encoding="utf-8"), "html.parser")


def test_nothing_is_fetched(page):
    for tag, attribute in (("script", "src"), ("link", "href"), ("img", "src"), ("iframe", "src"), ("source", "src")):
        addresses = [element.get(attribute) for element in page.find_all(tag) if element.get(attribute)]
        assert all(address.startswith("data:") for address in addresses)
    styles = "".join(style.get_text() for style in page.find_all("style"))
    assert not re.search(r"@import|url\((?!data:)", styles)


def test_every_figure_has_alt_text_and_every_table_scopes(page):
    assert all(image.get("alt", "").strip() for image in page.find_all("img"))
    assert page.find(id="tiny-figure-1").img["alt"] == 'A line that rises by "one".'
    for table in page.find_all("table"):
        assert all(header.get("scope") for header in table.find_all("th"))
        assert table.find_parent(class_="scroll")["role"] == "region"


def test_items_stand_where_they_were_made(page):
    table = page.find(id="tiny-table-1")
    assert table.figcaption.get_text().strip().startswith("Table 1. Games of the lord 主公")
    assert table.find_parent("article")["id"] == "how-many" and "20,000" in table.get_text()
    assert table.find("caption") is None and len(page.select("#tiny-table-1")) == 1
    assert [link["href"] for link in table.select(".files a")] == [
        "../data/results/tiny-table-1.csv",
        "../data/results/tiny-table-1.json",
    ]


def test_ids_are_unique_and_links_lead_somewhere(page, ran_for_reading):
    ids = [element["id"] for element in page.find_all(id=True)]
    assert len(ids) == len(set(ids))
    for link in page.find_all("a", href=True):
        address = unquote(link["href"])
        if address.startswith("#"):
            assert address[1:] in ids, address
        elif not address.startswith("http"):
            assert (ran_for_reading.figures / address).resolve().exists(), address


def test_structure(page):
    assert page.html["lang"] == "en" and page.find("a", class_="skip")["href"] == "#main"
    levels = [int(heading.name[1]) for heading in page.find_all(re.compile("^h[1-6]$"))]
    assert levels.count(1) == 1 and all(after - before <= 1 for before, after in itertools.pairwise(levels))
    chinese = page.find(id="how-many").find_all(string=re.compile("^主公$"))
    assert len(chinese) == 4 and all(text.find_parent(lang="zh-Hans") for text in chinese)
    article = page.find(id="how-many")
    assert "games = 10" not in article.get_text() and "20\u202f000" in article.find(class_="meta").get_text()
    assert article.find("details", class_="code") and "done 20000" in article.get_text()
    assert page.find(id="how-many").find("a", string="the other")["href"] == "#a-picture"


def test_the_script_of_mathjax_cannot_end_early(page):
    scripts = page.find_all("script")
    assert len(scripts) == 3 and len(scripts[1].get_text()) > 2_000_000
    assert "\\begin{aligned}" in page.find(id="how-many").get_text()


def test_the_same_again(ran):
    content = manifest.load(ran)
    before = (ran.figures / "report.html").read_bytes()
    assert not report.build(ran, content)
    assert report.build(ran, content, force=True)
    assert (ran.figures / "report.html").read_bytes() == before


def test_findings_come_first(ran):
    (ran.results / "findings.csv").write_text("claim,verdict\nIt is fair,no\n")
    content = manifest.load(ran)
    assert report.build(ran, content)
    page = BeautifulSoup((ran.figures / "report.html").read_text(), "html.parser")
    assert "It is fair" in page.find(id="findings").get_text() and page.select('nav a[href="#findings"]')


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
def test_in_a_browser(ran_for_reading, tmp_path):
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as engine:
        options = {"executable_path": CHROMIUM, "args": FLAGS}
        context = engine.chromium.launch_persistent_context(str(tmp_path / "profile"), **options)
        page = context.pages[0]
        requests, complaints = [], []
        page.on("request", lambda request: requests.append(request.url))
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        for width, scheme in ((1280, "light"), (390, "dark")):
            page.emulate_media(color_scheme=scheme)
            page.set_viewport_size({"width": width, "height": 900})
            page.goto((ran_for_reading.figures / "report.html").as_uri())
            page.wait_for_function("document.querySelectorAll('#how-many mjx-container[display] svg').length === 1")
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert page.evaluate("document.querySelectorAll('mjx-merror, [data-mjx-error]').length") == 0
            page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
            assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate("document.fonts.check('16px \"Collection CJK\"', '主公')")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip"
        context.close()
    assert [url for url in requests if not url.startswith(("file:", "data:"))] == []
    assert complaints == []
