"""Every "at most", "at least", "within", "up to", "or more" of findings, captions and first page holds as printed."""

import re
from math import sqrt

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamebalance.base.rounding import at_least, at_most
from gamebalance.publish import findings, front, manifest, notebooks, paths
from gamebalance.publish.entries import PLACEHOLDER, QUOTED

PROJECT = paths.project()
COLLECTION = manifest.load(PROJECT)
RESULTS = {result.finding.id: result for result in findings.collect(PROJECT, COLLECTION)}
WORDS = r"\b(?:at most|at least|within|up to|no more than|not more than|less than|more than|fewer than|below|above)\b"
TYPED = r"(?:\d[\d.,]*|half|a tenth|one|two|three|four|five|six|seven|eight|nine|ten|twenty)\b"
BOUND = re.compile(rf"{WORDS} (?:\w+ ){{0,2}}?{TYPED}|\b{TYPED}%?(?: \w+){{0,2}} (?:or more|or less|at most)\b")


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
#: The others say what is shown, or what a word means: there is nothing in them that could come out otherwise.
CHOSEN = {
    "sanguosha-lineups": ["at least one"],
    "sanguosha-figure-lineups": ["at least one"],
    "sanguosha-figure-seat-maps": ["up to six"],
    "sanguosha-figure-seat-rules": ["below 1", "above 1"],
    "multiplayer-threat": ["below 0"],
    "multiplayer-knowledge": ["up to three"],
    "mafia-figure-win": ["up to 60"],
    "mafia-figure-balance": ["up to 100"],
    "mafia-end-rules-printed": ["four players or more"],
    "mafia-fairest-12": ["at most one"],
    "played-fairest": ["at most one", "at most half"],
    "countn-held-draws": ["at least one"],
    "games-needed": ["up to three"],
    "games-to-call-fair": ["at most 5"],
    "sanguosha-chi-square": ["fewer than five"],
    "forum-figure-odds": ["up to 12"],
    "avalon-figure-calibration": ["at least 20"],
    "avalon-audit": ["up to August 2021", "within 2.5", "at most 5.5"],
    "tables-verdicts": ["within 5"],
    "design-points": ["at most half", "within 0.01", "within half", "more than six"],
    "design-figure-points": ["up to 10"],
    "mafia-fair-table": ["at most one", "within 5"],
    "mafia-fair-front": ["within 10"],
    "mafia-figure-bench": ["up to four"],
    "multiplayer-figure-deep-pruning": ["more than 10"],
    "multiplayer-search-ties": ["more than one", "three or more"],
    "multiplayer-known-solutions": ["0 or less"],
    "multiplayer-holdem-figure-push": ["at least half", "20 means 20 or more"],
    "sanguosha-figure-claims": ["below four"],
    "sanguosha-rules-verdicts": ["within four"],
    "countn-showing": ["at least one"],
    "countn-missing-by-size": ["more than one"],
    "countn-care": ["two moves or more"],
    "first page": ["more than five", "more than five"],  # the same count as in play-or-rules
    # Claims: a score's largest value, margins, and what was tried.
    "multiplayer-lord-best-reply": ["at most 15"],
    "games-fair": ["within five"],
    "games-monitor-alarms": ["at most 5"],
    "play-or-rules": ["more than five"],
    "design-worst": ["at most two"],
    "multiplayer-holdem-limits": ["below 20"],
    "mafia-fair-reach": ["at most one"],
}


def typed(text: str) -> list[str]:
    """The bounds in a text whose number is typed."""
    return [match.group() for match in BOUND.finditer(" ".join(PLACEHOLDER.sub("#", text).split()))]


def test_each_bound_in_a_caption_or_claim_is_read():
    texts = {item.id: item.caption for item in COLLECTION.items} | {one.id: one.claim for one in COLLECTION.findings}
    texts["first page"] = " ".join(QUOTED.sub("#", text) for text in COLLECTION.front.texts())
    known = CHOSEN | {}
    for item, phrase in FOUND:
        known[item] = [*known.get(item, []), phrase]
    assert {name: sorted(found) for name, text in texts.items() if (found := typed(text))} == {
        name: sorted(phrases) for name, phrases in known.items()
    }


@pytest.mark.parametrize(("item", "phrase"), FOUND)
def test_what_came_out_is_within_its_bound(item, phrase):
    captions = {each.id: " ".join(each.caption.split()) for each in COLLECTION.items}
    assert phrase in captions[item] and FOUND[item, phrase]()


def sides(text: str, pattern=PLACEHOLDER):
    return [match for match in pattern.finditer(text) if (match[match.lastindex] or "").endswith(("up", "down"))]


def shown(text: str) -> float:
    return float(re.search(r"-?\d[\d,]*(?:\.\d+)?(?:e-?\d+)?", text)[0].replace(",", ""))


def test_each_bound_of_a_finding_holds_as_printed():
    checked = 0
    for result in RESULTS.values():
        for place in sides(result.finding.claim):
            value = result.value if place[1] == "value" else result.more[place[1]]
            printed = shown(result.quote(place[1], place[2]))
            assert printed >= value if place[2].endswith("up") else printed <= value, result.finding.id
            checked += 1
    assert checked >= 10


def test_each_bound_of_the_first_page_holds_as_printed():
    for text in COLLECTION.front.texts():
        for place in sides(text, QUOTED):
            result = RESULTS[place[1]]
            printed = shown(result.quote(place[2] or "value", place[3]))
            value = result.more[place[2]] if place[2] else result.value
            assert printed >= value if place[3].endswith("up") else printed <= value
    assert front.first_page(PROJECT, COLLECTION).answer


#: Words beside a number that make it a bound, and the side to which it is rounded; `any` where that depends.
BOUNDS = {
    "up": r"\b(?:at most|up to|within|no more than|not more than) \{([^{}]*)\}"
    r"|\b(?:no|none|nobody|never|not)\b[^.;:{}]* more than \{([^{}]*)\}|\bbetween \{[^{}]*\}%? and \{([^{}]*)\}"
    r"|\{([^{}]*)\}%?(?: \w+){0,2} (?:at most(?! (?:\d|one|two))|at best|or less|or fewer)\b",
    "down": r"\b(?:at least|no less than|no fewer than|between) \{([^{}]*)\}|\{([^{}]*)\}%?(?: \w+){0,2} or more\b",
    "any": r"(?<!\bno )(?<!\bnot )\b(?:more than|less than|fewer than|below|above) \{([^{}]*)\}",
}
BARE = (
    "at most {value} of them; within {value}; up to {value}%; no more than {value}; {value} percentage points at most; "
    "{value} a game at best; at least {value}; {value} or more; more than {value}; below {value}; "
    "at most {value:down}; no role can be sure of more than {value:down}; at least {value:up}; "
    "between {value:down} and {other}"
).split("; ")


def wrong_bounds(text: str) -> list[str]:
    """The places of numbers that the words beside them make bounds, and that are not rounded to the safe side."""
    found = [(side, match) for side, words in BOUNDS.items() for match in re.finditer(words, text)]
    places = [(("up", "down") if side == "any" else side, next(filter(None, match.groups()))) for side, match in found]
    return [place for side, place in places if not place.endswith(side)]


def test_a_number_beside_words_of_a_bound_says_its_side():
    texts = [*COLLECTION.front.texts(), *(finding.claim for finding in COLLECTION.findings)]
    assert [text for text in texts if wrong_bounds(text)] == []
    assert [claim for claim in BARE if not wrong_bounds(claim)] == []
    fine = (
        "of at most one {value}, {value} more, {value:up} or less, no more than {value:up}, nobody more than {x:.1f up}"
    )
    assert wrong_bounds(f"{fine}, between {{x:down}} and {{y:up}}, more than {{x:down}}") == []


#: Words that reach further than any computation does.
UNBOUNDED = re.compile(
    r"\bfrom\b[^.;]*\bon\b|\b(?:every|all|any)\s+\$?N\b|\bfor (?:every|any)\b|\balways\b|\bnever\b|\bin general\b"
)


def test_a_claim_without_bounds_is_proved():
    wide = "from N = 3 on; every N; always; never; for every seating; for any N".split("; ")
    assert all(UNBOUNDED.search(f"It takes {words} {{value}} plies.") for words in wide)
    assert [each.id for each in COLLECTION.findings if UNBOUNDED.search(each.claim) and each.method != "proof"] == []


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
