"""Every "at most", "at least", "within", "up to", "or more" of findings, captions and first page holds as printed."""

import re
from math import sqrt

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamebalance.base.rounding import at_least, at_most
from gamebalance.publish import findings, manifest, notebooks, paths
from gamebalance.publish.entries import PLACEHOLDER, QUOTED

PROJECT = paths.project()
COLLECTION = manifest.load(PROJECT)
RESULTS = {result.finding.id: result for result in findings.collect(PROJECT, COLLECTION)}


def table(name: str) -> pd.DataFrame:
    return pd.read_csv(PROJECT.results / f"{name}.csv")


def of_a_share(games: float) -> float:
    """The largest standard error that a share of so many games can have, in percentage points."""
    return 100 * sqrt(0.25 / games)


def given_to(notebook: str, name: str) -> float:
    return COLLECTION.notebook(notebook).parameters[name]


#: The bounds in captions that say what came out, each with whether it holds.
FOUND = {
    ("sanguosha-figure-seat-maps", "below a tenth"): lambda: (
        100 * table("sanguosha-figure-seat-maps")["error"].max() < 0.1
    ),
    ("sanguosha-seat-neighbours", "below 0.02"): lambda: (
        of_a_share(
            COLLECTION.heavy_table("sanguosha-seatings").parameters["games_of_many"]
            * table("sanguosha-seat-neighbours")["seatings"].min()
        )
        < 0.02
    ),
    ("eight-families", "at most 0.8"): lambda: of_a_share(given_to("the-renegade-of-real-life", "games")) <= 0.8,
    ("eight-plane", "at most 0.8"): lambda: of_a_share(given_to("the-renegade-of-real-life", "games")) <= 0.8,
    ("tables-assumptions", "below 0.2"): lambda: of_a_share(given_to("where-models-are-wrong", "games")) < 0.2,
}


@pytest.mark.parametrize(("item", "phrase"), FOUND)
def test_what_came_out_is_within_its_bound(item, phrase):
    captions = {each.id: " ".join(each.caption.split()) for each in COLLECTION.items}
    assert phrase in captions[item] and FOUND[item, phrase]()


def sides(text: str, pattern=PLACEHOLDER):
    return [match for match in pattern.finditer(text) if (match[match.lastindex] or "").endswith(("up", "down"))]


def shown(text: str) -> float:
    return float(re.search(r"-?\d[\d,]*(?:\.\d+)?(?:e-?\d+)?", text)[0].replace(",", ""))


def test_each_bound_of_a_finding_or_of_the_first_page_holds_as_printed():
    bounds = [
        (result.finding.id, *place.groups()) for result in RESULTS.values() for place in sides(result.finding.claim)
    ]
    for text in COLLECTION.front.texts():
        bounds += [(place[1], place[2] or "value", place[3]) for place in sides(text, QUOTED)]
    assert len(bounds) >= 10
    for name, number, form in bounds:
        value = RESULTS[name].value if number == "value" else RESULTS[name].more[number]
        printed = shown(RESULTS[name].quote(number, form))
        assert printed >= value if form.endswith("up") else printed <= value, name


#: Words beside a number that make it a bound, and the side to which it is rounded; `any` where that depends.
BOUNDS = {
    "up": r"\b(?:at most|up to|within|no more than|not more than) \{([^{}]*)\}"
    r"|\b(?:no|none|nobody|never|not)\b[^.;:{}]* more than \{([^{}]*)\}|\bbetween \{[^{}]*\}%? and \{([^{}]*)\}"
    r"|\{([^{}]*)\}%?(?: \w+){0,2} (?:at most(?! (?:\d|one|two))|at best|or less|or fewer)\b",
    "down": r"\b(?:at least|no less than|no fewer than|between) \{([^{}]*)\}|\{([^{}]*)\}%?(?: \w+){0,2} or more\b",
    "any": r"(?<!\bno )(?<!\bnot )\b(?:more than|less than|fewer than|below|above) \{([^{}]*)\}",
}


def wrong_bounds(text: str) -> list[str]:
    """The places of numbers that the words beside them make bounds, and that are not rounded to the safe side."""
    found = [(side, match) for side, words in BOUNDS.items() for match in re.finditer(words, text)]
    places = [(("up", "down") if side == "any" else side, next(filter(None, match.groups()))) for side, match in found]
    return [place for side, place in places if not place.endswith(side)]


def test_a_number_beside_words_of_a_bound_says_its_side():
    texts = [*COLLECTION.front.texts(), *(finding.claim for finding in COLLECTION.findings)]
    assert [text for text in texts if wrong_bounds(text)] == []


@given(st.floats(-1e6, 1e6), st.integers(0, 4))
def test_bounds_are_rounded_to_the_safe_side(value, decimals):
    above, below = at_most(value, decimals), at_least(value, decimals)
    slack = 1e-8 * abs(value)  # what is meant has nine digits
    assert value - slack <= above <= value + 10.0**-decimals + slack
    assert value - 10.0**-decimals - slack <= below <= value + slack
    assert float(f"{above:.{decimals}f}") == above and float(f"{below:.{decimals}f}") == below


#: In what a notebook says: a bound with decimals, its number not rounded to the safe side.
SAID = re.compile(
    r"\b(?:at most|at least|within|(?<!add )up to|no more than|never more than|(?:by|is|worth|sure of) more than|below)"
    r" \{(?!(?:rounding\.)?(?:at_most|at_least|bound)\()[^{}]*:[^{}]*\.[1-9][f%e][^{}]*\}(?! pp)"
    r"|\{(?!at_most|at_least)[^{}]*:[^{}]*\.\d[f%]\}%?(?: [a-z]+){0,2} (?:at most|or more|or less)\b"
)


@pytest.mark.parametrize("notebook", COLLECTION.notebooks, ids=lambda one: one.name)
def test_each_bound_in_a_statement_of_a_notebook_is_rounded_to_its_safe_side(notebook):
    code = [cell["source"] for cell in notebooks.cells(PROJECT.root / notebook.path) if cell["type"] == "code"]
    assert not [match.group() for text in code for match in SAID.finditer(re.sub(r'"\s*\n\s*f?"', "", text))]
