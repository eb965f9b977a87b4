"""The report: one file, nothing fetched, everything named, captioned and reachable."""

import itertools
import re
from urllib.parse import unquote

import nbformat
import pandas as pd
import pytest
from bs4 import BeautifulSoup

from gamebalance.publish import manifest, report, tables
from tests.refusals import refused

#: Waits as the page's policy allows, which forbids to make scripts of texts.
UNTIL_SCROLLED = """() => new Promise((done) => {
    const look = () => (document.activeElement.scrollTop > 5000 ? done() : requestAnimationFrame(look));
    look();
})"""


def read(project) -> BeautifulSoup:
    return BeautifulSoup((project.figures / "report.html").read_text(encoding="utf-8"), "html.parser")


@pytest.fixture(scope="module")
def page(ran_for_reading) -> BeautifulSoup:
    return read(ran_for_reading)


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
    assert table.figcaption.get_text().strip().startswith("Table 1.1. Games of the lord 主公")
    assert table.find_parent("article")["id"] == "how-many" and "20,000" in table.get_text()
    assert table.find("caption") is None and len(page.select("#tiny-table-1")) == 1
    assert [link["download"] for link in table.select(".files a")] == ["tiny-table-1.csv", "tiny-table-1.json"]


def test_ids_are_unique_and_links_lead_somewhere(page):
    ids = [element["id"] for element in page.find_all(id=True)]
    assert len(ids) == len(set(ids))
    for link in page.find_all("a", href=True):
        address = unquote(link["href"])
        if address.startswith("#"):
            assert address[1:] in ids, address
        else:
            assert address.startswith(("http", "data:")), address


def test_structure(page):
    assert page.html["lang"] == "en" and page.find("a", class_="skip")["href"] == "#main"
    levels = [int(heading.name[1]) for heading in page.find_all(re.compile("^h[1-6]$"))]
    assert levels.count(1) == 1 and all(after - before <= 1 for before, after in itertools.pairwise(levels))
    chinese = page.find(id="how-many").find_all(string=re.compile("^主公$"))
    assert len(chinese) == 4 and all(text.find_parent(lang="zh-Hans") for text in chinese)
    article = page.find(id="how-many")
    assert "games = 10" not in article.get_text() and "20\u202f000" in article.find(class_="meta").get_text()
    folded = article.find_all("details", class_="code")
    assert folded and not any(code.has_attr("open") for code in folded) and "done 20000" in article.get_text()
    # A cell tagged hide-input does not even show its first line.
    assert [bool(code.summary.code) for code in folded] == [True] * (len(folded) - 1) + [False]
    assert folded[-1].summary.get_text().strip() == "Code" and "print" in folded[-1].get_text()
    assert page.find(id="how-many").find("a", string="the other")["href"] == "#a-picture"


def test_the_script_of_mathjax_cannot_end_early(page):
    scripts = page.find_all("script")
    assert len(scripts) == 5 and len(scripts[1].get_text()) > 2_000_000
    assert "\\begin{aligned}" in page.find(id="how-many").get_text()


def test_the_same_again_until_a_sheet_says_something_else(ran, edit, monkeypatch):
    monkeypatch.setattr(report, "FEW", 0)  # so that two workers are two processes
    content = manifest.load(ran)
    before = (ran.figures / "report.html").read_bytes()
    assert not report.build(ran, content)
    for workers in (1, 2):
        assert report.build(ran, content, force=True, workers=workers)
        assert (ran.figures / "report.html").read_bytes() == before
    edit.manifest(ran, lambda entries: entries["notebooks"][0].update(seconds=7200))
    assert report.build(ran, manifest.load(ran)) and "2.0\u00a0h" in read(ran).find(id="how-many").get_text()


def test_no_workers_are_refused_before_anything_is_touched(ran):
    before = (ran.figures / "report.html").read_bytes()
    with refused("workers = 0"):
        report.build(ran, manifest.load(ran), force=True, workers=0)
    assert (ran.figures / "report.html").read_bytes() == before and not report.build(ran, manifest.load(ran))


def test_the_first_page_answers(page):
    assert page.h1.get_text() == "Is the tiny game 三国杀 fair?"
    texts = [text.get_text().replace("\xa0", " ") for text in page.find(id="answer").find_all("p")]
    assert texts == ["No: a rebel wins 66.7% of 20,000 games, & 0.33 are lost.", "So it is."]
    table = page.find(id="answer").table
    assert [cell.get_text() for cell in table.find_all(["th", "td"])] == ["Who", "Wins", "A rebel & all", "66.7%"]
    assert (
        table.parent.find_previous_sibling("p").get_text().startswith("No: ") and table.parent.find_next_sibling("p").em
    )
    assert [image["alt"] for image in page.find(id="pictures").find_all("img")] == ['A line that rises by "one".']
    assert page.find(id="pictures").figcaption.get_text().replace("\xa0", " ").strip() == "It rises to 2.67. Figure 1.1"
    order = [part.get("id") for part in page.main.find_all("section")]
    assert order[:6] == ["answer", "pictures", None, "findings", "abstract", "items"]
    doors = page.find(class_="doors")
    assert [link["href"] for link in doors.find_all("a")] == ["#a-picture", "#tiny-table-1"]
    assert "the list (collection.yaml)." in doors.get_text() and doors.code.get_text() == "collection.yaml"
    rows = [row.get_text().replace("\xa0", " ").strip() for row in page.find(id="findings").find_all("li")]
    assert [row.splitlines()[0] for row in rows] == [
        "The line of Figure 1.1 ends at 2.67.",
        r"The rebel 反贼 wins most games, 66.7%, not $\frac12$ of them.",
    ]
    assert "(simulated, standard error 0.40 percentage points, for two roles; Table 1.1)" in rows[1]


def test_each_part_begins_with_its_findings_which_stand_in_their_chapters_too(page):
    section = page.find(id="part-tiny")
    assert page.select('nav a[href="#findings"]')
    own = section.find("ul", class_="findings")
    rows = [" ".join(row.get_text().split()) for row in own.find_all("li")]
    assert rows == [
        r"The rebel 反贼 wins most games, 66.7%, not $\frac12$ of them. "
        "(simulated, standard error 0.40 percentage points, for two roles; Table 1.1)",
        "No more than 20,000 games were played, & 0.3 lost. (computed, for this table; Table 1.1)",
        "The line of Figure 1.1 ends at 2.67. "
        "(computed exactly, error far below the digits shown, for one line; Figure 1.1)",
    ]
    assert [link["href"] for link in own.select("a")] == ["#tiny-table-1", "#tiny-table-1", "#tiny-figure-1"]
    assert own.find("em", string="most") and own.find(string="反贼").find_parent(lang="zh-Hans")
    assert page.find("a", string="All of them, as a table")["download"] == "findings.csv"
    line = page.find("article").find(id="finding-share-of-rebel")
    assert " ".join(line.get_text().split()) == f"Finding. {rows[0]}" and line.a["href"] == "#tiny-table-1"


def test_parts_stand_apart_once_there_are_two(ran, edit):
    """In the findings and in the list of items, which names only the parts that have some."""

    def divide(entries):
        stem = entries["parts"][0]["notebooks"].pop()
        entries["parts"].append({"key": "second", "title": "Second", "about": "Nobody.", "notebooks": [stem]})

    edit.manifest(ran, divide)
    (ran.notebooks / "tiny/02-a-picture.ipynb").rename(ran.notebooks / "second/02-a-picture.ipynb")
    assert report.build(ran, manifest.load(ran))
    page = read(ran)
    own = [page.find(id=f"part-{key}").find("ul", class_="findings") for key in ("tiny", "second")]
    assert [len(each.find_all("li")) for each in own] == [2, 1]
    lists = [[p.get_text() for p in kind.select("p.part")] for kind in page.find(id="items").find_all("details")]
    assert lists == [["2. Second"], ["1. Tiny 三国杀"]]


def test_no_findings_no_section(ran, edit):
    edit.manifest(ran, lambda entries: [entry.pop("findings") for entry in entries["notebooks"]])
    edit.manifest(ran, lambda entries: entries.pop("front"))
    for entry in manifest.load(ran).notebooks:
        executed = ran.root / entry.path
        notebook = nbformat.read(executed, as_version=4)
        notebook.cells = [cell for cell in notebook.cells if "book.finding" not in cell.source]
        nbformat.write(notebook, executed)
    assert report.build(ran, manifest.load(ran))
    page = read(ran)
    assert page.find(id="findings") is None and not page.select('nav a[href="#findings"]')


def _lengthen(project, rows: int, write=tables.to_html) -> None:
    """Give Table 1.1 of its notebook so many rows, as a run would have shown them."""
    content = manifest.load(project)
    executed = project.root / content.notebook("how-many").path
    frame = pd.DataFrame({"role": ["主公"] * rows, **{f"column {i}": range(rows) for i in range(9)}})
    frame.loc[0, "role"] = "反贼"
    notebook = nbformat.read(executed, as_version=4)
    for output in (output for cell in notebook.cells for output in cell.get("outputs", [])):
        if output.get("metadata", {}).get("gamebalance") == {"item": "tiny-table-1"}:
            output.data["text/html"] = write(content.items[0], frame, tables.formatted(frame))
    nbformat.write(notebook, executed)
    assert report.build(project, content)


@pytest.mark.parametrize(("rows", "long"), [(20, False), (21, True)])
def test_a_long_table_comes_in_a_box(ran, rows, long):
    _lengthen(ran, rows)
    page = read(ran)
    item = page.find(id="tiny-table-1")
    box = item.find(class_="scroll")
    assert ("long" in box["class"]) == long == ("long" in item["class"])
    assert box["tabindex"] == "0" and box["aria-labelledby"] == "tiny-table-1-caption"
    assert len(box.select("tbody tr")) == rows and not item.select("[style], .gb-long")
    assert (f"{rows} rows" in item.find(class_="files").get_text()) == long


def test_tables_fold_behind_a_value(ran):
    _lengthen(ran, 5, tables.to_parts)
    item = read(ran).find(id="tiny-table-1")
    first, second = item.find_all("details")
    assert first["name"] == second["name"] and first.has_attr("open") and not second.has_attr("open")
    assert [part.summary.get_text() for part in (first, second)] == ["反贼", "主公"]
    assert [len(part.select(".scroll tbody tr")) for part in (first, second)] == [1, 4]
    assert item.find("caption") is None and len(item.find_all("figcaption")) == 1


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
        window.wait_for_selector("#how-many mjx-container[display] svg", state="attached")
        assert window.locator("#how-many mjx-container[display] svg").count() == 1
        assert window.evaluate("document.documentElement.scrollWidth") <= width
        assert window.evaluate("document.querySelectorAll('mjx-merror, [data-mjx-error]').length") == 0
        window.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
        assert window.evaluate("document.documentElement.scrollWidth") <= width
    assert window.evaluate("document.fonts.check('16px \"Collection CJK\"', '主公')")
    window.keyboard.press("Tab")
    assert window.evaluate("document.activeElement.className") == "skip"
    assert [url for url in requests if not url.startswith(("file:", "data:"))] == []
    assert complaints == []


@pytest.mark.browser
def test_a_long_table_in_a_browser(ran, window):
    """It scrolls by keyboard under a header that stays, moves nothing sideways, and is printed in full."""
    _lengthen(ran, 350)
    geometry = """box => { const head = box.querySelector("thead"); return {
        top: box.getBoundingClientRect().top, head: head.getBoundingClientRect().top, scrolled: box.scrollTop,
        height: box.clientHeight, content: box.scrollHeight, sticky: getComputedStyle(head).position }; }"""
    for width in (1280, 390):
        window.set_viewport_size({"width": width, "height": 900})
        window.goto((ran.figures / "report.html").as_uri())
        box = window.locator("#tiny-table-1 .scroll")
        assert box.get_attribute("tabindex") == "0"
        box.focus()
        window.keyboard.press("End")
        window.evaluate(UNTIL_SCROLLED)
        seen = box.evaluate(geometry)
        assert seen["height"] <= 0.8 * 900 < seen["content"] and abs(seen["head"] - seen["top"]) < 2
        assert window.evaluate("document.documentElement.scrollWidth") <= width
        source = window.locator("#findings li a").first.bounding_box()
        assert 0 < source["x"] < source["x"] + source["width"] <= width
    window.emulate_media(media="print")
    seen = box.evaluate(geometry)
    assert seen["height"] >= seen["content"] - 1 and seen["sticky"] == "static"


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
    window.locator("#tiny-figure-1 .card img").click()
    assert dialog.is_visible()
    dialog.get_by_role("button", name="Close").click()
    assert not dialog.is_visible() and window.evaluate("document.documentElement.scrollWidth") <= 390
