"""``figures/report.pdf``: the report on paper, printed by Chromium; ``make pdf`` calls it."""

import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gamebalance.publish import files, records
from gamebalance.publish.paths import Project, project

#: Names of the browser, the first that is found.
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
#: CSS pixels between the margins of a page, which print.css has.
WIDTH = 672
#: Seconds until a step of the browser counts as failed.
PATIENCE = 300
FOOTER = (
    '<div style="width: 100%; margin: 0 16mm; font: 7.5pt sans-serif; color: #444; display: flex;'
    ' justify-content: space-between"><span class="title"></span><span><span class="pageNumber"></span>'
    ' / <span class="totalPages"></span></span></div>'
)
#: All is there, what is folded lies open but for code, and links that hold a file hold it no more.
PREPARE = """async () => {
  await complete();
  document.querySelectorAll(".item details.fold").forEach((part) => {
    part.removeAttribute("name");
    part.open = true;
  });
  document.querySelectorAll("a[download]").forEach((link) => link.removeAttribute("href"));
  await Promise.all([...document.images].map((image) => image.decode().catch(() => {})));
}"""
#: Tables and code that are wider than the page are set smaller; the answer is the smallest share of their size.
FIT = """(room) => [...document.querySelectorAll(".scroll > table, pre")].reduce((smallest, part) => {
  const share = Math.min(1, room / part.scrollWidth);
  if (share < 1) part.style.zoom = share;
  return Math.min(smallest, share);
}, 1)"""


def browser() -> str:
    """The path of Chromium; ValueError, in one line, where there is none."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        raise ValueError(f"make pdf prints with Chromium, and none of {', '.join(BROWSERS)} is installed")
    return found


def write(where: Project, echo: Callable[[str], Any] = lambda line: None) -> Path:
    """Print the report of a project and return the file.

    ValueError if there is no report, no Chromium or nothing to drive it with; nothing is written then.
    """
    report, target = where.figures / "report.html", where.figures / "report.pdf"
    if not report.is_file():
        raise ValueError("figures/report.html is missing: make figures")
    records.check_report(where)
    program = browser()
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise ValueError("make pdf drives Chromium with playwright, which is not installed: make env") from None
    with sync_playwright() as engine, tempfile.TemporaryDirectory() as profile:
        options: dict[str, Any] = {"executable_path": program, "args": ["--no-sandbox"], "headless": True}
        context = engine.chromium.launch_persistent_context(profile, **options)
        context.set_default_timeout(1000 * PATIENCE)
        files.write(target, lambda temporary: _print(context.pages[0], report, temporary))
        context.close()
    echo(f"figures/report.pdf written ({target.stat().st_size / 1e6:.1f} MB)")
    return target


def _print(page: Any, report: Path, target: Path) -> None:
    """Lay the report out for paper and print it."""
    page.set_viewport_size({"width": WIDTH, "height": 1000})
    page.emulate_media(media="print", color_scheme="light")
    page.goto(report.as_uri())
    page.evaluate(PREPARE)
    page.evaluate(FIT, WIDTH)
    page.pdf(
        path=target,
        prefer_css_page_size=True,
        print_background=True,
        display_header_footer=True,
        header_template="<span></span>",
        footer_template=FOOTER,
        outline=True,
        tagged=True,
    )


def main() -> int:
    """Print the report of the project that stands around, and say so."""
    try:
        write(project(), print)
    except (ValueError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
