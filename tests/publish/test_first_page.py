"""A stranger understands the first page: its words are plain, or introduced where they first stand."""

import re

import yaml

from gamebalance.publish import front, manifest, paths

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


def unknown(texts):
    """Words that are neither plain nor introduced by the words that the glossary's list names, in the same sentence."""
    known, found = set(), []
    for sentence in texts:
        known |= {
            word.lower()
            for word, by in INTRODUCED.items()
            if re.search(rf"\b{word}\b", sentence, re.IGNORECASE) and by in sentence
        }
        words = [word for word in WORD.findall(sentence) if not is_plain(word)]
        found += [word for word in words if not {word.lower(), re.sub(r"['’]s$|s$", "", word.lower())} & known]
    return found


def test_no_word_of_it_is_unknown_to_a_stranger():
    assert unknown(sentences()) == []


def test_a_word_that_is_neither_plain_nor_introduced_is_found():
    assert unknown(["The nucleolus is fair."]) == ["nucleolus"]
    assert unknown(["Sanguosha is a game."]) == ["Sanguosha"]
    assert unknown(["Sanguosha, a Chinese card game.", "Play Sanguosha."]) == []
