"""Pages: HTML documents, framed, which may run a script and nothing more; and the fonts that they bring."""

import base64
import io
import re
import shutil

import pytest
from fontTools.ttLib import TTFont
from matplotlib.ft2font import FT2Font
from tiny_collection import FIGURE_NOTEBOOK, change_collection, write_notebook

from gamebalance import publish
from gamebalance.publish import fingerprint, pages, runner
from gamebalance.publish.paths import Project, project
from tests.refusals import refused

ROOT = project().root
ASSETS = ROOT / "lib" / "gamebalance" / "publish" / "assets"
ITEM = {"id": "tiny-page-1", "kind": "page", "title": 'A "page"', "caption": "It *counts*."}
#: Quotes, tags and entities that a careless frame would break; the script says whether it runs and what it may touch.
DOCUMENT = """<!doctype html>
<html lang="en"><head><title>1 < 2 &amp; "3"</title></head><body><h1 id="tiny-page-1">It's "&lt;b&gt;"</h1><script>
document.querySelector("h1").textContent = 1 < 2 && "it runs </p>";
try { parent.document.title = "taken over"; } catch { document.body.append("; shut in"); }
</script></body></html>
"""


def add_page(project):
    """Put a page into the second notebook of the tiny collection."""
    change_collection(project, lambda entries: entries["notebooks"][1]["items"].append(dict(ITEM)))
    cells = [*FIGURE_NOTEBOOK, f"book.page('tiny-page-1', {DOCUMENT!r})"]
    write_notebook(project.root / "notebooks/tiny/02-a-picture.ipynb", cells)
    return project


@pytest.fixture
def with_page(tiny):
    return add_page(tiny)


@pytest.mark.parametrize(
    ("content", "parts"),
    [
        ("<p>no document</p>", ["page tiny-page-1", "'<p>no document", "<!doctype html>"]),
        (7, ["page tiny-page-1", "7", "<!doctype html>"]),
        ("<!doctype html>" + "é" * 500_000, ["page tiny-page-1", "1,000,015 bytes", "1,000,000"]),
    ],
)
def test_what_is_no_page_is_refused_and_not_written(with_page, content, parts):
    with refused(*parts):
        publish.Book("a-picture", seed=2).page("tiny-page-1", content)
    assert not (with_page.build / "scratch").exists()


def test_files_beside_the_code_of_a_package_count(tmp_path, monkeypatch):
    """Else a new script or style of a page would not reach the report; so do those with the name of a module."""
    library = tmp_path / "gamebalance"
    for name in ("__init__.py", "notes.txt", "game/__init__.py", "game/page.css", "game/.hidden", "game/deep/x.txt"):
        (library / name).parent.mkdir(parents=True, exist_ok=True)
        (library / name).write_text("")
    (library / "plain.py").write_text("")
    monkeypatch.setattr(fingerprint, "FOLDER", tmp_path)
    assert fingerprint.beside({"gamebalance": library / "__init__.py", "gamebalance.plain": library / "plain.py"}) == {}
    found = fingerprint.beside({"gamebalance.game": library / "game/__init__.py"})
    assert found == {"gamebalance/game/page.css": library / "game/page.css"}
    (library / "plain.yaml").write_text("")
    found = fingerprint.beside({"gamebalance.plain": library / "plain.py"})
    assert found == {"gamebalance/plain.yaml": library / "plain.yaml"}


@pytest.fixture(scope="module")
def ran_with_page(ran_for_reading, tmp_path_factory):
    """After a full run, of which one notebook is run again; not to be changed."""
    root, lines = tmp_path_factory.mktemp("page") / "tiny", []
    project = add_page(Project(shutil.copytree(ran_for_reading.root, root)))
    assert runner.figures(project, lines.append), lines
    return project


@pytest.mark.browser
def test_a_frame_runs_its_script_and_touches_nothing_else(ran_with_page, window):
    requests = []
    window.on("request", lambda request: requests.append(request.url))
    window.set_viewport_size({"width": 390, "height": 900})
    window.goto((ran_with_page.figures / "report.html").as_uri())
    window.locator("#tiny-page-1 iframe").scroll_into_view_if_needed()
    frame = window.frame_locator("#tiny-page-1 iframe")
    assert frame.locator("h1").inner_text() == "it runs </p>"
    assert "shut in" in frame.locator("body").inner_text() and window.title() == "A tiny collection"
    assert window.evaluate("document.documentElement.scrollWidth") <= 390
    assert window.locator("iframe").bounding_box()["height"] == pytest.approx(pages.HEIGHT, abs=4)
    assert [url for url in requests if not re.match(r"file:|data:|about:srcdoc", url)] == []
    frame.locator("h1").evaluate("() => parent.postMessage({chapter: 'how-many'}, '*')")
    window.wait_for_url("**/report.html#how-many")
    window.locator("#tiny-page-1 details.menu > summary").click()
    with window.expect_download() as saved:
        window.get_by_role("button", name="This page alone (HTML) of Page 1.1").click()
    assert saved.value.suggested_filename == "tiny-page-1.html"
    assert saved.value.path().read_text(encoding="utf-8") == DOCUMENT


def test_chinese_brings_its_font():
    page = "<!doctype html><html><head></head><body>三国杀</body></html>"
    found = pages.with_font(page)
    assert found == pages.with_font(page)
    source = re.search(r"data:font/woff;base64,([^)]+)\)", found)[1]
    font = TTFont(io.BytesIO(base64.b64decode(source)))
    assert {chr(code) for code in font.getBestCmap()} >= set("三国杀") and len(font.getGlyphOrder()) < 10
    plain = page.replace("三国杀", "none")
    assert pages.with_font(plain) == plain


def test_the_font_has_every_chinese_character_of_the_project():
    """Otherwise: add it to tools/cjk-characters.txt and run tools/subset_font.py."""
    known = set(re.sub(r"\s", "", (ROOT / "tools" / "cjk-characters.txt").read_text(encoding="utf-8")))
    for font in ASSETS.glob("*.otf"):
        assert {chr(code) for code in FT2Font(font).get_charmap()} >= known
    files = [ROOT / "collection.yaml", ROOT / "README.md", *ROOT.glob("data/*/*"), *ROOT.glob("notebooks/*/*")]
    files += ROOT.glob("lib/**/*.py")
    used = set(re.findall(r"[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]", "".join(map(_read, files))))
    assert used - known == set()


def test_the_font_of_the_report_has_every_character_of_the_translations():
    """Otherwise: run tools/subset_font.py."""
    texts = [_read(file) for file in (ROOT / "notebooks" / "locale").rglob("collection.po")]
    used = set(re.findall(r"[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]", "".join(texts)))
    assert len(used) > 500 and used <= {*map(chr, TTFont(ASSETS / "NotoSansCJKsc-subset.woff").getBestCmap())}


def _read(file) -> str:
    # A class of characters in a regular expression is no text, and translations of a page are no text of a notebook.
    lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
    return "".join(line for line in lines if "\\uff" not in line and "id=&quot;texts&quot;" not in line)
