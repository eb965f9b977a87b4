"""The site: every page in a real browser, and every link without one."""

import functools
import html
import http.server
import posixpath
import re
import subprocess
import sys
import threading
from importlib.resources import files
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from bs4 import BeautifulSoup

from gamebalance.publish import manifest, paths, site
from gamebalance.publish.site import library
from gamebalance.publish.site.places import Places
from tests.refusals import refused

pytestmark = pytest.mark.thorough

WIDTHS = (1280, 768, 360)
#: Leaves three of each kind among the parts of anything: what follows is like them, and axe looks at each, for minutes.
THIN = """() => {
  const still = Object.assign(document.createElement("style"), {textContent: "* { transition: none !important }"});
  document.head.append(still);
  for (const drawing of document.querySelectorAll("svg")) drawing.replaceChildren();
  for (const whole of document.querySelectorAll("body *:not(tr)")) {
    const seen = {};
    for (const part of [...whole.children]) {
      const kind = part.tagName + part.className;
      seen[kind] = (seen[kind] || 0) + 1;
      if (seen[kind] > 3 && part.tagName !== "SECTION") part.remove();
    }
  }
}"""
#: What has become wider than its box can be reached by keys: the theme sees to that soon after a change of width.
REACHABLE = """() => [...document.querySelectorAll('pre, .cell_output > .text_html')].every(
  (code) => code.tabIndex === 0 || code.scrollWidth <= code.clientWidth)"""
AXE = files("axe_playwright_python").joinpath("axe.min.js")
#: What axe finds serious on a page, without the rules named or with them alone.
SERIOUS = """([rules, enabled]) => axe.run(document, {
  preload: false, iframes: false, reporter: "no-passes",
  ...(enabled ? {runOnly: rules} : {rules: Object.fromEntries(rules.map((rule) => [rule, {enabled: false}]))}),
}).then(({violations}) => violations.filter(({impact}) => ["serious", "critical"].includes(impact)).map(
  ({id, nodes}) => `${id}: ${nodes[0].html.slice(0, 200)}`))"""
#: The rules that look at each text, for long: on every so many pages, whose colours those of the others share.
COLOURS, EACH = ["color-contrast", "link-in-text-block"], 8


@pytest.fixture(scope="module")
def project():
    return paths.project()


@pytest.fixture(scope="module")
def built(project) -> Path:
    command = [sys.executable, "-m", "gamebalance.commands.main", "collection", "site", "--workers", "1"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=project.root)
    assert (done.returncode, done.stderr) == (0, "") and done.stdout == "build/site/html/index.html written\n"
    return project.build / "site" / "html"


@pytest.fixture(scope="module")
def served(built):
    """The address of the site on this machine."""

    class Server(http.server.ThreadingHTTPServer):
        def handle_error(self, *arguments):  # a browser that goes on does not wait for all it asked for
            pass

    class Handler(http.server.SimpleHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *arguments):
            pass

        def end_headers(self):  # what pages share is asked for once, and its code kept ready
            self.send_header("Cache-Control", "max-age=3600")
            super().end_headers()

        def translate_path(self, path):
            return str(AXE) if path == "/axe.js" else super().translate_path(path)

    with Server(("127.0.0.1", 0), functools.partial(Handler, directory=str(built))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def pages(folder: Path) -> list[str]:
    """All pages but those that stand in others, and the code that the library's pages link to."""
    names = (file.relative_to(folder).as_posix() for file in folder.rglob("*.html"))
    return sorted(name for name in names if not name.startswith(("figures/", "_modules/", "_static/")))


def test_no_link_leads_nowhere(built):
    links, places = set(), {}
    for file in built.rglob("*.html"):
        name = file.relative_to(built).as_posix()
        if not name.startswith(("figures/", "_static/")):
            text = file.read_text(encoding="utf-8")
            links |= {(name, html.unescape(address)) for address in re.findall(r'\s(?:href|src)="([^"<>]*)"', text)}
            places[name] = set(re.findall(r'\b(?:id|name)="([^"]*)"', text))
    assert len(links) > 5000
    wrong = []
    for page, address in sorted(links):
        parts = urlsplit(address)
        if parts.scheme or parts.netloc:
            continue
        target = (
            posixpath.normpath(posixpath.join(posixpath.dirname(page), unquote(parts.path))) if parts.path else page
        )
        fragment = unquote(parts.fragment)
        if not (built / target).is_file() or (fragment and fragment not in places.get(target, {fragment})):
            wrong.append((page, address))
    assert wrong == []
    assert (built / "figures" / "report.html").is_file()  # beside the offline pages, whose links lead to its chapters


def test_the_library_is_all_there(built):
    for name, package in library.packages().items():
        text = (built / "library" / f"{name}.html").read_text(encoding="utf-8")
        missing = [public for public in package.__all__ if f">{public}<" not in text and f".{public}" not in text]
        assert missing == [], name
        assert "Alias for field" not in text and "Built-in" not in text and "&lt;factory&gt;" not in text
        for constant in BeautifulSoup(text, "html.parser").select("dl.py.data"):
            assert (" = " in constant.dt.get_text() or constant.dd.dl) and constant.dd.p, constant.dt["id"]
    assert {place.name for place in (built / "_modules").iterdir()} == {"gamebalance", "index.html"}
    assert "&gt;&gt;&gt; " in (built / "library" / "gamebalance.fairness.html").read_text(encoding="utf-8")


def resize(page, width):
    page.set_viewport_size({"width": width, "height": 900})


def problems(page, coloured) -> list[str]:
    """What axe-core finds serious on a narrow page, and in both schemes if its colours are to be looked at."""
    page.evaluate(THIN)
    page.add_script_tag(url="/axe.js")
    found = page.evaluate(SERIOUS, [COLOURS, False])
    resize(page, WIDTHS[0])
    for scheme in ("dark", "light") if coloured else ():
        page.emulate_media(color_scheme=scheme)
        page.wait_for_function("(scheme) => document.documentElement.dataset.theme === scheme", arg=scheme)
        found += page.evaluate(SERIOUS, [COLOURS, True])
    return found


@pytest.mark.browser
def test_the_search_lists_first_what_says_it_in_its_title(browser, served):
    page = browser.new_page()
    for asked, title in [("how many games", "How many games would show"), ("renegade real", "Why does the renegade")]:
        page.goto(f"{served}search.html?q={asked.replace(' ', '+')}")
        page.locator(".search-summary", has_text="found").wait_for()
        titles = [link.inner_text() for link in page.locator("#search-results li > a").all()[:5]]
        assert any(found.startswith(title) for found in titles), titles
    page.close()


@pytest.mark.browser
def test_every_page_in_a_browser(browser, built, served):
    wrong, told = [], []
    page = browser.new_page(color_scheme="light", viewport={"width": WIDTHS[0], "height": 900})
    page.on("console", lambda message: told.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: told.append(str(error)))
    page.on("request", lambda request: request.url.startswith((served, "data:")) or told.append(request.url))
    for number, name in enumerate(pages(built)):
        page.goto(served + name)
        for width in WIDTHS:  # the first is what the page before it was left with
            if width != WIDTHS[0]:
                resize(page, width)
            seen, needed = page.evaluate("[innerWidth, document.documentElement.scrollWidth]")
            told += [f"{needed} px wide at {width}, seen at {seen}"] if seen != width or needed > width else []
        page.wait_for_function(REACHABLE, polling=50)
        wrong += [(name, what) for what in told + problems(page, number % EACH == 0)]
        told.clear()
    page.close()
    assert wrong == []


@pytest.mark.browser
def test_by_keyboard_alone(browser, served):
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(served + "chapters/four-players-exactly.html")
    page.keyboard.press("Tab")
    assert "skip" in page.evaluate("document.activeElement.textContent").lower()
    page.keyboard.press("Control+k")
    page.keyboard.type("doctor")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=doctor*")
    page.locator("#search-results li a").first.wait_for()
    # A folded menu opens by its key, and the cell that it names unfolds.
    page.goto(served + "chapters/four-players-exactly.html")
    menu = page.locator("#sanguosha-wins details.menu > summary")
    menu.focus()
    page.keyboard.press("Enter")
    page.locator("#sanguosha-wins .menu a[href^='#cell-of']").focus()
    page.keyboard.press("Enter")
    page.locator("#cell-of-sanguosha-wins details[open]").wait_for()
    page.close()


def test_a_link_to_nothing_is_refused(project):
    with refused("findings: the link to lib/none.py leads to no file of the project"):
        Places(project, manifest.load(project)).link("x", "lib/none.py", "findings")


def test_a_site_that_was_stopped_is_made_anew(monkeypatch, tmp_path):
    project = paths.Project(tmp_path)
    page = project.build / "site" / "html" / "page.html"

    def stopped(places, source, target, workers):
        page.parent.mkdir(parents=True)
        page.write_text("half")
        raise KeyboardInterrupt

    monkeypatch.setattr(site, "Places", lambda *_: None)
    monkeypatch.setattr(site.pages, "texts", lambda places: {})
    monkeypatch.setattr(site.pages, "copy_files", lambda *_: None)
    monkeypatch.setattr(site, "_sphinx", stopped)
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            site.build(project, None)
        assert page.exists()
    monkeypatch.setattr(site, "_sphinx", lambda *_: [])
    site.build(project, None)
    assert not page.exists()
    page.parent.mkdir()
    page.write_text("whole")
    site.build(project, None)
    assert page.exists()
