"""What the page that judges reads, 100 kB of one character or another, beside the 200 ms that it may take."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

from bench.timing import Comparison
from chapters.judge_a_table_of_results import page as whole_page
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


def comparisons(_peers: Path, rounds: int) -> Iterator[Comparison]:
    """The slowest text of each reader."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        print("left out: pages (Chromium is not installed)")
        return
    with TemporaryDirectory() as folder, sync_playwright() as engine:
        file = Path(folder) / "page.html"
        file.write_text(whole_page(), encoding="utf-8")
        page = engine.chromium.launch(executable_path=program, args=["--no-sandbox"]).new_page()
        page.goto(file.as_uri())
        for what, read in READERS.items():
            took = [page.evaluate(SLOWEST.replace("READ", read), MARKS) / 1000 for _ in range(rounds)]
            yield Comparison(f"the page reads 100 kB as {what}, 200 ms: allowed", "text", [ALLOWED] * rounds, took)
