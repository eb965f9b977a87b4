"""The map of the sources, which readers see as *From the sources*: what they hold, and what became of it here."""

import csv
from collections import Counter
from collections.abc import Callable
from typing import Any

from gamebalance.publish import front
from gamebalance.publish.languages import ENGLISH, Language
from gamebalance.publish.manifest import Manifest
from gamebalance.publish.paths import Project
from gamebalance.publish.tables import inline

FILE = "data/published/systems.csv"
OUTCOMES = ("holds", "repaired", "wrong", "decided", "open", "left out")
TITLE = "From the sources"
INTRO = (
    "What the sources hold, in their order, where it stands here, and what became of it. A thing *holds* if it was "
    "reproduced or is used as it stands; it was *repaired* if it had a fault and the mended form stands here; it is "
    "*wrong* if it is false; it was *decided* here where its source leaves it unclear; it is *open* if it is still "
    "unanswered; or it was *left out*. The table is in English."
)
LINE = "[What became of {number} things in it]({link}): {tally}."
WORDS = (TITLE, INTRO, LINE, *OUTCOMES)


def rows(project: Project) -> list[dict[str, str]]:
    """The rows of the map; none where a project has no map."""
    file = project.root / FILE
    return list(csv.DictReader(file.read_text(encoding="utf-8").splitlines())) if file.is_file() else []


def shown(project: Project, manifest: Manifest, address: Callable[[str], str]) -> list[dict[str, Any]]:
    """The rows in HTML; `address` says where an item, a chapter or a function stands, an empty text if nowhere."""
    names, numbers = {source.key: source.name for source in manifest.sources}, front.numbers(manifest, ENGLISH)

    def link(place: str) -> str:
        code = f"<code>{place.replace('.', '.<wbr>')}</code>"
        words = numbers[place].replace(" ", "\u00a0") if place in numbers else code
        return f'<a href="{address(place)}">{words}</a>' if address(place) else words

    found = []
    for row in rows(project):
        places = ", ".join(map(link, filter(None, row["places"].split("; "))))
        found.append({name: inline(text) for name, text in row.items()} | {"places": places, "key": row["source"]})
        found[-1]["source"] = inline(names[row["source"]])
    return found


def line(project: Project, source: str, language: Language, page: str = "") -> str:
    """What became of a source, in a sentence of HTML that links to its rows on a page; empty where it has none."""
    counts = Counter(row["outcome"] for row in rows(project) if row["source"] == source)
    tally = language.row(f"{language.text(name)} {counts[name]}" for name in OUTCOMES if counts[name])
    text = language.text(LINE).format(number=counts.total(), link=f"{page}#from-{source}", tally=tally)
    return front.to_html(text, str) if tally else ""
