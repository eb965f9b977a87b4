"""The notebook to start with, and README's first page, say what the report's first page says."""

import re

import pytest
import yaml

from gamebalance.publish import front, manifest, notebooks, paths
from tests.refusals import refused


def test_every_link_of_the_notebook_leads_to_a_file_and_a_cell():
    folder = paths.project().notebooks
    texts = ["".join(cell["source"]) for cell in notebooks.read(paths.project().root / front.START)["cells"]]
    targets = [link[2].partition("#") for text in texts for link in front.LINK.finditer(text)]
    assert len(targets) > 60
    for file, _, fragment in targets:
        assert (folder / file).is_file(), file
        if fragment:
            cells = notebooks.read(folder / file)["cells"]
            assert fragment.removeprefix("cell-id=") in [cell["id"] for cell in cells]


@pytest.mark.thorough
def test_what_it_says_to_try_works():
    """The cell of the notebook to start with, in a kernel of its own namespace."""
    collection, space = manifest.load(paths.project()), {}
    *lines, last = collection.front.start.code.splitlines()
    exec("\n".join(lines), space)
    found = eval(last, space)
    assert found["usual"] != found["changed"] and sum(found["usual"].values()) == pytest.approx(1)


# --- numbers of chapters and items are made from where links lead ---

OTHER = "notebooks/tiny/01-how-many.ipynb"


def refreshed(tiny, text, path=OTHER):
    return front.refreshed(text, path, manifest.load(tiny))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("see [chapter ?.?](02-a-picture.ipynb).", "see [chapter 1.2](02-a-picture.ipynb)."),
        ("[Chapter 7.3](02-a-picture.ipynb)", "[Chapter 1.2](02-a-picture.ipynb)"),
        ("[Table 9.9](#tiny-table-1)", "[Table 1.1](#tiny-table-1)"),
        ("[Table A.1](02-a-picture.ipynb#tiny-figure-1)", "[Figure 1.1](02-a-picture.ipynb#tiny-figure-1)"),
        (
            "[the other](02-a-picture.ipynb), [a heading](#the-rule)",
            "[the other](02-a-picture.ipynb), [a heading](#the-rule)",
        ),
        ("[chapter 3](https://example.org/03.ipynb)", "[chapter 3](https://example.org/03.ipynb)"),
    ],
)
def test_numbers_follow_their_links(tiny, old, new):
    assert refreshed(tiny, old) == new and refreshed(tiny, new) == new


@pytest.mark.parametrize("text", ["[chapter 1.2](03-gone.ipynb)", "[words](03-gone.ipynb)", "[Table 1.1](#nope)"])
def test_a_link_that_leads_nowhere_is_refused(tiny, text):
    with refused(OTHER, text):
        refreshed(tiny, text)


def test_notebooks_are_brought_up_to_date_when_something_moves(tiny, edit):
    file = tiny.root / OTHER
    content = notebooks.read(file)
    content["cells"][0]["source"] = ["# How many games?\n", "See [chapter 1.2](02-a-picture.ipynb)."]
    file.write_text(notebooks.text(content))
    assert front.update(tiny, front.references(tiny, manifest.load(tiny))) == []
    edit.manifest(
        tiny, lambda entries: entries["parts"].insert(0, {**entries["parts"][0], "key": "none", "notebooks": []})
    )
    before = file.read_bytes()
    for write in (False, True):
        assert front.update(tiny, front.references(tiny, manifest.load(tiny)), write=write) == [OTHER]
        assert (file.read_bytes() == before) != write
    assert b"chapter 2.2" in file.read_bytes()
    assert front.update(tiny, front.references(tiny, manifest.load(tiny))) == []


# --- a stranger understands the first page: its words are plain, or introduced where they first stand ---

PROJECT = paths.project()
COLLECTION = manifest.load(PROJECT)
GLOSSARY = yaml.safe_load((PROJECT.root / manifest.GLOSSARY).read_text(encoding="utf-8"))
PLAIN, INTRODUCED = set(GLOSSARY["plain"].split()), GLOSSARY["introduced"]
WORD = re.compile(r"[A-Za-z]+(?:['’-][A-Za-z]+)*")
#: What an inflected word may end in, and what its plain form ends in instead.
ENDINGS = [("ies", "y"), ("es", ""), ("s", ""), ("ied", "y"), ("ed", ""), ("d", ""), ("ing", ""), ("ing", "e")]


def sentences():
    """All sentences of the first page in reading order, without where its links lead."""
    page = front.first_page(PROJECT, COLLECTION)
    table = "; ".join(cell for row in page.table for cell in row)
    texts = [page.question, *page.answer[: page.after], table, *page.answer[page.after :]]
    texts += [says for _, says in page.pictures]
    texts += [text for door in page.doors for text in door]
    for result in page.findings:
        texts += [result.sentence(), result.method_text]
    plain = [re.sub(r"`[^`]*`|\d[\d.,e-]*", "", front.LINK.sub(r"\1", text)).replace("*", "") for text in texts]
    return [sentence for text in plain for sentence in re.split(r"(?<=[.?!])\s+", text)]


def is_plain(word):
    lower = re.sub(r"['’]s?$", "", word.lower())
    forms = [lower, *(lower.removesuffix(end) + new for end, new in ENDINGS if lower.endswith(end))]
    return any(form in PLAIN for form in forms) or ("-" in lower and all(map(is_plain, lower.split("-"))))


def test_no_word_of_it_is_unknown_to_a_stranger():
    """But for words that are introduced by those that the glossary's list names, in the same sentence."""
    known, found = set(), []
    for sentence in sentences():
        for word, by in INTRODUCED.items():
            if by in sentence and re.search(rf"\b{word}\b", sentence, re.IGNORECASE):
                known.add(word.lower())
        words = [word for word in WORD.findall(sentence) if not is_plain(word)]
        found += [word for word in words if not {word.lower(), re.sub(r"['’]s$|s$", "", word.lower())} & known]
    assert found == []
