"""Pages beside what they may take: reading 100 kB of one character or another 200 ms, opening the report 3 s and 12 MB,
a chapter of the site 1.5 s where the processor is slowed four times."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, sync_playwright

from bench.timing import Comparison
from chapters.judge_a_table_of_results import page as whole_page
from gamebalance.publish.paths import project
from gamebalance.publish.pdf import BROWSERS

ALLOWED = 0.2
MARKS = [*",;\t:|'\" \n/.-01a", "1,", "1 ", '""', "#\n"]
READERS = {
    "a table": 'results.read(tables.read(text, ""))',
    "lines": "reading.lines(text)",
    "a link": "reading.fromHash(`#row=1_2_a&row=${text}`)",
    "a number": "language.value(text)",
}
SLOWEST = """(marks) => Math.max(...marks.flatMap((mark) => ["", "x"].map((end) => {
    const text = mark.repeat(100_000 / mark.length) + end;
    const begin = performance.now();
    try { READ } catch (error) { if (!error.field) throw error; }
    return performance.now() - begin;
})))"""
#: Seconds since a page was asked for, when it has been painted after its load.
PAINTED = """new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
    .then(() => performance.now() / 1000)"""


def comparisons(_peers: Path, rounds: int) -> Iterator[Comparison]:
    """The slowest text of each reader."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        print("left out: pages (Chromium is not installed)")
        return
    with TemporaryDirectory() as folder, sync_playwright() as engine:
        file = Path(folder) / "page.html"
        file.write_text(whole_page(), encoding="utf-8")
        browser = engine.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(file.as_uri())
        for what, read in READERS.items():
            took = [page.evaluate(SLOWEST.replace("READ", read), MARKS) / 1000 for _ in range(rounds)]
            yield Comparison(f"the page reads 100 kB as {what}, 200 ms: allowed", "text", [ALLOWED] * rounds, took)
        yield from _opened(browser, rounds)


def _opened(browser: Browser, rounds: int) -> Iterator[Comparison]:
    """The report, and the longest chapter of the site if it has been made."""
    where = project()
    report, chapters = where.figures / "report.html", (where.build / "site/html/chapters").glob("*.html")
    print(f"figures/report.html: {report.stat().st_size / 1e6:.1f} MB, 12 allowed")
    took = [_opening(browser, report) for _ in range(rounds)]
    yield Comparison("the report opens, 3 s: allowed", "page", [3.0] * rounds, took)
    longest = max(chapters, key=lambda file: file.stat().st_size, default=None)
    if longest is None:
        print("left out: a chapter of the site (make site)")
        return
    took = [_opening(browser, longest, slowed=4) for _ in range(rounds)]
    yield Comparison("a chapter of the site slowed 4 times opens, 1.5 s: allowed", "page", [1.5] * rounds, took)


def _opening(browser: Browser, file: Path, slowed: float = 1) -> float:
    """Seconds until a page that nothing is known of stands in the window."""
    context = browser.new_context()
    page = context.new_page()
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slowed})
    page.goto(file.as_uri(), wait_until="load")
    seconds = float(page.evaluate(PAINTED))
    context.close()
    return seconds
