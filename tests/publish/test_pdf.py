"""The report on paper: whole, with bookmarks and numbered pages, and refused in one line where it cannot be printed."""

import re
import sys
import zlib

import pytest

from gamebalance.publish import pdf
from tests.refusals import refused


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


@pytest.mark.browser
def test_on_paper_nothing_is_clipped_folded_or_to_be_pressed(ran_for_reading, window):
    window.set_viewport_size({"width": pdf.WIDTH, "height": 1000})
    window.emulate_media(media="print")
    window.goto((ran_for_reading.figures / "report.html").as_uri())
    # A table of more columns than a page is wide, in a part that is folded.
    window.evaluate("""() => {
        const table = document.querySelector("#tiny-table-1 table"), row = table.tBodies[0].rows[0];
        for (let i = 0; i < 60; i += 1) row.insertCell().textContent = "123,456";
        const part = Object.assign(document.createElement("details"), { className: "fold" });
        table.parentElement.replaceWith(part);
        part.append(Object.assign(document.createElement("div"), { className: "scroll" }));
        part.firstChild.append(table);
    }""")
    window.evaluate(pdf.PREPARE)
    assert window.evaluate("document.documentElement.scrollWidth") > pdf.WIDTH
    assert 0 < window.evaluate(pdf.FIT, pdf.WIDTH) < 0.5
    assert window.evaluate("document.documentElement.scrollWidth") <= pdf.WIDTH + 1
    assert window.locator("#tiny-table-1 td", has_text="123,456").first.is_visible()
    assert window.locator("button:visible, .menu:visible, details.hide:visible, nav:visible").count() == 0
    assert window.locator("a[href^='data:']").count() == 0
