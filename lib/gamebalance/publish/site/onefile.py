"""``figures/report.html``: the pages of the site as one file that needs nothing else, no network either.

Data, pictures and framed pages lie in it as ``data:`` addresses and ``srcdoc``. Links lead to places inside, to the
web, or name what the file does not hold. Its own policy lets a browser run its scripts and fetch nothing.
"""

import base64
import hashlib
import html
import mimetypes
import posixpath
import re
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

#: Browsers follow no longer address than this.
LONGEST = 2_000_000
#: Styles and scripts, in ``_static`` of the site.
STYLES = ["basic.css", "styles/pydata-sphinx-theme.css", "pygments.css"]
STYLES += ["tables.css", "pictures.css", "site.css", "report.css", "print.css"]
SCRIPTS = ["mathjax-tex-svg-full.js", "tables.js", "pictures.js", "site.js", "report.js"]
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
FRAME = re.compile(r'\ssrcdoc="([^"]*)"')
#: In the text of an address: what would end it, or a browser leaves out.
UNSAFE = {ord(sign): f"%{ord(sign):02X}" for sign in '%#"&<>\n\r\t'}


def build(project: Project, manifest: Manifest, force: bool = False, workers: int = 1) -> bool:
    """Write the report if anything it shows has changed, or in any case; say whether it was written."""
    target, stamp = project.figures / "report.html", provenance.stamp_file(project, "report")
    inputs, last = _inputs(project, manifest), read_json(stamp) or {}
    if target.is_file() and last == {"inputs": inputs, "report": sha256(target)} and not force:
        return False
    folder, _ = site.build(project, manifest, workers, whole=False)
    stamp.unlink(missing_ok=True)
    write(target, OneFile(Places(project, manifest), folder).document())
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
            has=lambda name: f"{name}.html" in self.pages,
        )
        return text.replace("{policy}", policy(text), 1)

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
            return f'<a{before} href="{uri(file)}" download="{file.name}"{kept}>{words}</a>'
        named = re.sub(r"^source/(.*)\.html$", r"\1", target)
        return words if named == html.unescape(re.sub("<[^>]*>", "", words)) else f"{words} (<code>{named}</code>)"

    def _source(self, page: str, tag: str, before: str, address: str) -> str:
        if address.startswith("data:"):
            return f'<{tag}{before} src="{address}"'
        file = self.folder / posixpath.normpath(posixpath.join(posixpath.dirname(page), unquote(address)))
        if tag == "iframe":
            content = html.escape(file.read_text(encoding="utf-8"))
            return f'<iframe sandbox="allow-scripts"{before} srcdoc="{content}"'
        return f'<img{before} src="{uri(file)}"'

    def _style(self, file: Path) -> str:
        def held(found: re.Match) -> str:
            inner = (file.parent / found[1]).resolve()
            return f'url("{uri(inner)}")' if inner.suffix == ".woff" and inner.is_file() else "none"

        return ADDRESS.sub(held, file.read_text(encoding="utf-8"))


def uri(file: Path) -> str:
    """A file as an address that holds it: texts as they are, so that every machine writes the same bytes.

    ValueError for a table or a record that is longer than an address may be.
    """
    kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    if file.suffix == ".svg":
        return f"data:image/svg+xml,{_drawing(file.read_text(encoding='utf-8'))}"
    if file.suffix not in (".csv", ".json"):
        return f"data:{kind};base64,{base64.b64encode(file.read_bytes()).decode()}"
    address = f"data:{kind};charset=utf-8,{file.read_bytes().decode().translate(UNSAFE)}"
    if len(address.encode()) > LONGEST:
        raise ValueError(f"{file.name}: the report offers no file of more than {LONGEST:,} bytes as an address")
    return address


def _drawing(svg: str) -> str:
    """An SVG as the text of an address: attributes in single quotes, so that few signs need three letters instead."""
    seen = re.sub(r"<\?xml.*?\?>|<!DOCTYPE.*?>|<!--.*?-->|<metadata>.*?</metadata>", "", svg, flags=re.S)
    shorter = re.sub(r">\s+<", "><", " ".join(seen.split()))

    def in_single_quotes(value: re.Match) -> str:
        return "='{}'".format(value[1].replace("'", "&apos;"))

    quoted = re.sub(r"<[^>]*>", lambda tag: re.sub(r'="([^"]*)"', in_single_quotes, tag[0]), shorter)
    # Attributes in HTML may hold these two, and every tag of the drawing has them.
    return quoted.translate({code: text for code, text in UNSAFE.items() if chr(code) not in "<>"})


def policy(document: str) -> str:
    """The Content-Security-Policy of a document: the hashes of its scripts, and of those of the pages framed in it."""
    pages = [document, *(html.unescape(content) for content in FRAME.findall(SCRIPT.sub("", document)))]
    texts = dict.fromkeys(script.encode() for page in pages for script in SCRIPT.findall(page))
    hashes = [f"'sha256-{base64.b64encode(hashlib.sha256(text).digest()).decode()}'" for text in texts]
    scripts = " ".join(hashes) or "'none'"
    return (
        f"default-src 'none'; script-src {scripts}; style-src 'unsafe-inline'; img-src data:; font-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
