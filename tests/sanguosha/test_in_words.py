"""A seating or a line-up is said in words before its code, wherever a reader meets one."""

import re

import pytest

from gamebalance.publish import front, manifest, notebooks, paths
from gamebalance.sanguosha import LINEUPS, Lineup, in_words

PROJECT = paths.project()
COLLECTION = manifest.load(PROJECT)
SEATING = re.compile(r"(?<![\d.,])0(?=[1-3]*[23])[1-3]{2,9}\b(?![.,]?\d|%)")
LINEUP = re.compile(r"\b1(?:[-\u2011]\d){3}\b(?![-\u2011])")
# How to read a code, said once for many.
READ = {
    SEATING: re.compile(r"0 (?:the )?lord\b.{,9}1 (?:the )?loyalist\b.{,9}2 (?:a )?rebel\b.{,9}3 (?:the )?renegade"),
    LINEUP: re.compile(r"\blords?\b.{1,8}loyalists\b.{1,8}rebels\b.{1,9}renegades"),
}


def bare(text: str) -> list[str]:
    """The codes in a text before which neither their words nor the way to read them stand."""
    text = re.sub(r"\s+", " ", text.replace("主公", "").replace("忠臣", "").replace("反贼", ""))
    plain, found = text.lower().replace(" and ", ", "), []
    for code, reading in READ.items():
        told = reading.search(plain)
        for place in code.finditer(plain, 0, told.start() if told else len(plain)):
            words = in_words(place.group().replace("\u2011", "-")).partition(" (")[0]
            if words not in plain[: place.start()]:
                found.append(place.group())
    return found


def test_words():
    assert in_words("0312") == "lord, renegade, loyalist, rebel (0312)"
    assert in_words(LINEUPS[-1]) == "one lord, three loyalists, four rebels, two renegades (1-3-4-2)"
    assert in_words(Lineup(0, 1, 0)) == "one lord, one rebel (1-0-1-0)"
    with pytest.raises(ValueError, match="seating = '0000'"):
        in_words("0000")


def test_bare_codes_are_found():
    assert bare("Seating 0312 of 1-1-1-1 wins 10.0312% of 1000 games.") == ["0312", "1-1-1-1"]
    assert bare("0312: lord, renegade, loyalist, rebel") == ["0312"]
    assert not bare("lord, renegade, loyalist and rebel (0312), and 0312 again")
    assert not bare("By seating (0 lord, 1 loyalist, 2 rebel, 3 renegade): 0312, 0321")
    assert not bare("One line-up (lords-loyalists-rebels-renegades): 1-1-1-1")


@pytest.mark.parametrize("notebook", COLLECTION.notebooks, ids=lambda notebook: notebook.name)
def test_findings_captions_and_what_is_shown(notebook):
    found = {each.id: bare(f"{each.claim} {each.range}") for each in notebook.findings}
    captions = {each.id: f"{each.title} {each.caption}" for each in notebook.items}
    for each in notebook.items:
        found[f"caption {each.id}"] = bare(captions[each.id])
        found[f"alt {each.id}"] = bare(each.alt or "")
    for place, cell in enumerate(notebooks.read(PROJECT.root / notebook.path)["cells"]):
        if cell["cell_type"] == "markdown":
            found[f"cell {place}"] = bare("".join(cell["source"]))
        for output in cell.get("outputs", []):
            data, about = output.get("data", {}), output.get("metadata", {}).get("gamebalance", {})
            shown = "".join(data.get("text/markdown") or data.get("text/plain", ""))
            code = shown.startswith("```")
            found[f"output of cell {place}"] = [] if code else bare(f"{captions.get(about.get('item'), '')} {shown}")
    assert not {name: codes for name, codes in found.items() if codes}


def test_the_first_page():
    page = (PROJECT.root / "README.md").read_text(encoding="utf-8")
    assert not bare(page.partition(front.FIRST_PAGE[1])[0])
