"""``figures/report.html``: the pages of the site as one file that needs nothing else, no network either.

Data, drawings, framed pages and MathJax lie in it packed, and a script unpacks what comes near the view. Links lead
inside, to the web, or name what the file does not hold. Its own policy lets a browser run its scripts, fetch nothing.
"""

import base64
import hashlib
import html
import posixpath
import re
import zlib
from collections import Counter
from pathlib import Path
from urllib.parse import unquote

from gamebalance.publish import findings, fingerprint, provenance, site, systems, translations
from gamebalance.publish.files import read_json, sha256, write, write_json
from gamebalance.publish.languages import ENGLISH
from gamebalance.publish.manifest import GLOSSARY, Manifest
from gamebalance.publish.paths import Project
from gamebalance.publish.site.pages import render
from gamebalance.publish.site.places import Places

#: Styles and scripts, in ``_static`` of the site.
STYLES = ["basic.css", "styles/pydata-sphinx-theme.css", "pygments.css"]
STYLES += ["tables.css", "pictures.css", "site.css", "report.css", "print.css"]
SCRIPTS = ["near.js", "tables.js", "pictures.js", "site.js", "report.js"]
ARTICLE = re.compile(r'<article class="bd-article">(.*?)</article>', re.S)
#: What is for the site alone: links to a heading, and other files of an item.
APART = re.compile(r'<a class="headerlink".*?</a>|<li class="apart">.*?</li>', re.S)
TITLE = re.compile(r"<(/?)h([1-6])\b")
#: The id of a tag: code that is shown has quotes, but no bracket that opens a tag.
ID = re.compile(r'(<[a-zA-Z][^<>]*?\s)id="([^"]+)"')
LINK = re.compile(r'<a\b([^>]*?)\shref="([^"]*)"([^>]*)>(.*?)</a>', re.S)
SOURCE = re.compile(r'<(img|iframe)\b([^>]*?)\ssrc="([^"]*)"')
SECTION = re.compile(r'<section[^>]*\sid="([^"]+)"[^>]*>\s*<h2[^>]*>(.*?)</h2>', re.S)
ADDRESS = re.compile(r'url\((?!["\']?data:)["\']?([^)"\'?#]+)[^)"\']*["\']?\)')
SCRIPT = re.compile(r"<script\b[^>]*>(.*?)</script>", re.S | re.I)
#: A text that the file holds packed.
PACKED = re.compile(r'(<script type="text/plain"[^>]*>)([^<]*)(?=</script>)')
#: What no reader of a drawing sees.
UNSEEN = re.compile(r"<\?xml.*?\?>|<!DOCTYPE.*?>|<!--.*?-->|<metadata>.*?</metadata>", re.S)


def build(project: Project, manifest: Manifest, force: bool = False, workers: int = 1) -> bool:
    """Write the report if anything it shows has changed, or in any case; say whether it was written."""
    target, stamp = project.figures / "report.html", provenance.stamp_file(project, "report")
    inputs, last = _inputs(project, manifest), read_json(stamp) or {}
    if target.is_file() and last == {"inputs": inputs, "report": sha256(target)} and not force:
        return False
    folder, _ = site.build(project, manifest, workers, whole=False)
    stamp.unlink(missing_ok=True)
    document = OneFile(Places(project, manifest), folder).document()
    if not is_in(target, document):
        write(target, document)
    write_json(stamp, {"inputs": inputs, "report": sha256(target)})
    return True


def _inputs(project: Project, manifest: Manifest) -> str:
    """The hash of all that the report shows, and of what makes it."""
    shown = [project.manifest, project.root / systems.FILE, project.root / GLOSSARY]
    shown += [project.root / place for notebook in manifest.notebooks for place in (notebook.path, notebook.sheet)]
    shown += [project.root / output for item in manifest.items for output in item.outputs()]
    shown += (project.notebooks / "locale").rglob("*.po")
    press = Path(site.__file__).parents[1]
    shown += (file for file in press.rglob("*") if file.suffix != ".pyc")

    def place(file: Path) -> str:
        return file.relative_to(press if file.is_relative_to(press) else project.root).as_posix()

    return fingerprint.digest(
        {
            "files": sorted((place(file), sha256(file)) for file in shown if file.is_file()),
            "findings": [result.row() for result in findings.collect(project, manifest)],
        }
    )


class OneFile:
    """The site in a folder as one document."""

    def __init__(self, places: Places, folder: Path):
        self.places, self.folder, manifest = places, folder, places.manifest
        self.languages = [other for other in translations.all_of(places.project) if other != ENGLISH]
        self.tags = {language.tag for language in self.languages}
        #: The items that are pages to use, by their files and by the pages of the site around them.
        self.tools = {f"{places.tool(page)}.html": Path(page.file).stem for page in manifest.pages}
        self.tools |= {f"figures/{name}.html": name for name in places.items}
        names = ["index"]
        for part in manifest.parts:
            names += [places.part(part), *map(places.chapter, manifest.of_part(part.key))]
        names += ["items", "glossary", "from-the-sources", "about"]
        names += [f"{language.tag}/{page}" for language in self.languages for page in ("index", "findings", "glossary")]
        #: What it holds packed, with the name of each.
        self.held = {(folder / "_static" / "mathjax-tex-svg-full.js").read_text(encoding="utf-8"): "mathjax"}
        self.framed: list[str] = []
        #: What stands on each page, by the path of its file, in the order of the document.
        self.pages = {
            f"{name}.html": APART.sub("", ARTICLE.findall(file.read_text(encoding="utf-8"))[0])
            for name in names
            if (file := folder / f"{name}.html").is_file()
        }
        times = Counter(name for text in self.pages.values() for name in {name for _, name in ID.findall(text)})
        times.update(map(self.name, self.pages))
        #: Ids that one page alone has: they stay as they are.
        self.own = {name for name, count in times.items() if count == 1}

    def document(self) -> str:
        """The whole of it, with its policy."""
        manifest, static = self.places.manifest, self.folder / "_static"
        parts = [
            (part, self.name(f"{self.places.part(part)}.html"), manifest.of_part(part.key)) for part in manifest.parts
        ]
        sections = {
            entry.name: [
                (self.name(page, name), title)
                for page in [f"{self.places.chapter(entry)}.html"]
                for name, title in SECTION.findall(self.pages[page])
            ]
            for entry in manifest.notebooks
        }
        scripts = [(static / name).read_text(encoding="utf-8").replace("</script", "<\\/script") for name in SCRIPTS]
        text = render(
            "report.html.j2",
            manifest=manifest,
            parts=[part for part in parts if part[2]],
            languages=self.languages,
            sections=sections,
            styles=[self._style(static / name) for name in STYLES],
            scripts=scripts,
            pages=[(self.name(page), self._language(page), self._body(page)) for page in self.pages],
            packed=[(name, _base64(zlib.compress(text.encode(), 9))) for text, name in self.held.items()],
            has=lambda name: f"{name}.html" in self.pages,
        )
        pages = [PACKED.sub("", text), *self.framed]
        mathjax = next(iter(self.held))
        return text.replace("{policy}", policy([mathjax, *(own for page in pages for own in SCRIPT.findall(page))]), 1)

    def _hold(self, text: str) -> str:
        return f'data-file="{self.held.setdefault(text, f"held-{len(self.held)}")}"'

    def name(self, page: str, fragment: str = "") -> str:
        """The id of a page or of a place on it: its own where no other page has the same."""
        own = page.removesuffix(".html").removesuffix("/index").removeprefix("chapters/")
        return f"{own}--{fragment}" if fragment and fragment not in self.own else fragment or own

    def _language(self, page: str) -> str:
        folder = page.partition("/")[0]
        return folder if folder in self.tags else "en"

    def _body(self, page: str) -> str:
        is_chapter = page.startswith("chapters/") and not page.startswith("chapters/part-")
        lower = 0 if page.endswith("index.html") else 2 if is_chapter else 1
        seen: set[str] = set()

        def named(found: re.Match) -> str:  # of a name that is given twice, the first place has it
            if found[2] in seen:
                return found[1]
            seen.add(found[2])
            return f'{found[1]}id="{self.name(page, found[2])}"'

        text = ID.sub(named, self.pages[page])
        text = TITLE.sub(lambda found: f"<{found[1]}h{min(6, int(found[2]) + lower)}", text)
        text = LINK.sub(lambda found: self._link(page, *found.groups()), text)
        # A picture that lies in the file is not waited for; one that is lazy would be missing on paper.
        text = re.sub(r'(<img\b[^<>]*) loading="lazy"', r'\1 decoding="async"', text)
        return SOURCE.sub(lambda found: self._source(page, *found.groups()), text)

    def _link(self, page: str, before: str, address: str, after: str, words: str) -> str:
        path, _, fragment = html.unescape(address).partition("#")
        if re.match(r"[a-z]+:", path):
            return f'<a{before} href="{address}"{after}>{words}</a>'
        target = posixpath.normpath(posixpath.join(posixpath.dirname(page), unquote(path))) if path else page
        inside = self.tools.get(target) or (self.name(target, fragment) if target in self.pages else None)
        if target == "findings.html":
            inside = self.name(f"{self.places.part(self.places.manifest.parts[0])}.html")
        if inside:
            return f'<a{before} href="#{html.escape(inside)}"{after.replace(" download", "")}>{words}</a>'
        file = self.folder / target
        if file.suffix in (".csv", ".json") and file.is_file():
            kept = after.replace(" download", "")
            return f'<a{before} {self._hold(file.read_bytes().decode())} data-name="{file.name}"{kept}>{words}</a>'
        named = re.sub(r"^source/(.*)\.html$", r"\1", target)
        return words if named == html.unescape(re.sub("<[^>]*>", "", words)) else f"{words} (<code>{named}</code>)"

    def _source(self, page: str, tag: str, before: str, address: str) -> str:
        if address.startswith("data:"):
            return f'<{tag}{before} src="{address}"'
        file = self.folder / posixpath.normpath(posixpath.join(posixpath.dirname(page), unquote(address)))
        if tag == "iframe":
            self.framed.append(file.read_text(encoding="utf-8"))
            return f'<iframe sandbox="allow-scripts"{before} {self._hold(self.framed[-1])}'
        if file.suffix == ".svg":
            return f"<img{before} {self._hold(UNSEEN.sub('', file.read_text(encoding='utf-8')))}"
        return f'<img{before} src="{uri(file)}"'

    def _style(self, file: Path) -> str:
        def held(found: re.Match) -> str:
            inner = (file.parent / found[1]).resolve()
            return f'url("{uri(inner)}")' if inner.suffix == ".woff" and inner.is_file() else "none"

        return ADDRESS.sub(held, file.read_text(encoding="utf-8"))


def uri(file: Path) -> str:
    """A picture or a font as an address that holds it."""
    return f"data:{'image/png' if file.suffix == '.png' else 'font/woff'};base64,{_base64(file.read_bytes())}"


def _base64(content: bytes) -> str:
    return base64.b64encode(content).decode()


def is_in(file: Path, document: str) -> bool:
    """Whether a file holds a document, whose texts another machine may have packed into other bytes."""

    def unpacked(text: str) -> str:
        return PACKED.sub(lambda held: held[1] + zlib.decompress(base64.b64decode(held[2])).decode(), text)

    try:
        return unpacked(file.read_text(encoding="utf-8")) == unpacked(document)
    except (OSError, ValueError, zlib.error):  # missing or broken
        return False


def policy(scripts: list[str]) -> str:
    """The Content-Security-Policy that lets these scripts run, by their hashes."""
    hashes = [f"'sha256-{_base64(hashlib.sha256(text.encode()).digest())}'" for text in dict.fromkeys(scripts)]
    return (
        f"default-src 'none'; script-src {' '.join(hashes)}; style-src 'unsafe-inline'; img-src data:; font-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
