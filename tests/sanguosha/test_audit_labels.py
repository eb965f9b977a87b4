"""The audit of the report: its headings, titles and constants, told from the numbers below them."""

from functools import cache

from chapters.sanguosha.audit import (
    judge_labels,
)
from gamebalance.publish import published
from tests.sanguosha.audit_inputs import emulated, printed
from tests.sanguosha.known import ROLES

#: The misprints of the report and what should stand there.
MISPRINTS = {
    ("Table 1", "heading of column 6"): "0321",
    ("Table 3", "heading of column 6"): "0321",
    ("Table 23", "title"): "10: 1 3 4 2",
    ("Appendix B", "number of peach cards"): "8",
    ("Appendix B", "number of weapon cards"): "7",
    ("Appendix B", "number of slash cards"): "30",
    ("Example 6.1", "health and dodges of the lord"): "2 2",
}


@cache
def labels():
    return published("sanguosha_labels_and_constants")


def recomputed(texts=None, numbers=None, values=None):
    """By place and quantity: what the label should be; the verdict must say whether it is."""
    frame = judge_labels(
        labels() if texts is None else texts,
        printed() if values is None else values,
        emulated() if numbers is None else numbers,
    )
    assert list(frame) == ["place", "quantity", "printed", "recomputed", "verdict"]
    same = {True: "reproduces", False: "misprint"}
    assert list(frame["verdict"]) == [same[a == b] for a, b in zip(frame["printed"], frame["recomputed"], strict=True)]
    return dict(zip(zip(frame["place"], frame["quantity"], strict=True), frame["recomputed"], strict=True))


def printed_labels():
    return {(row.place, row.quantity): row.printed for row in labels().itertuples()}


def different(found, before):
    """The labels that are found to be others now."""
    assert set(found) == set(before)
    return {key: found[key] for key in found if found[key] != before[key]}


def test_the_misprints_are_found_and_nothing_else():
    assert len(labels()) == len(printed_labels()) == 67
    assert different(recomputed(), printed_labels()) == MISPRINTS


def test_wrong_labels_that_are_put_in_are_found():
    """Each takes the text of the next one: what should stand there is told by the numbers, not by the text."""
    texts = labels().assign(printed=[*labels()["printed"][1:], labels()["printed"][0]])
    states = labels()["quantity"].str.startswith("health and dodges")  # the printed health is taken as given
    texts.loc[states, "printed"] = ["3 4", "1 2", "4 1", "0 1"]
    found, before = recomputed(texts), recomputed()
    assert different(found, before) == {
        ("Example 6.1", f"health and dodges of the {role}"): state
        for role, state in (("lord", "3 3"), ("renegade", "1 1"), ("loyalist", "4 1"))  # the rebel stays at "0 0"
    }


def exchanged(place, one, other):
    """The emulated numbers with those of two names exchanged in a place, or in two places."""
    numbers = emulated()
    moved = dict(numbers)
    for (where, quantity), number in numbers.items():
        if where == place and quantity.startswith(f"{one}: "):
            twin = place, quantity.replace(one, other, 1)
            moved[twin], moved[where, quantity] = number, numbers[twin]
    return moved


def test_headings_and_titles_follow_the_numbers():
    for place in ("Table 1", "Table 3"):
        found = different(recomputed(numbers=exchanged(place, "0132", "0231")), recomputed())
        assert found == {(place, "heading of column 2"): "0231", (place, "heading of column 4"): "0132"}
    numbers = dict(emulated())
    for name in (f"{role}: {what}" for role in ROLES for what in ("survival", "score")):
        numbers["Table 9", name], numbers["Table 19", name] = emulated()["Table 19", name], emulated()["Table 9", name]
    found = different(recomputed(numbers=numbers), recomputed())
    assert found == {("Table 9", "title"): "8: 1 2 3 2", ("Table 19", "title"): "5: 1 1 2 1"}
    # The second line-up of six, eight players has a prime in Table 4 and none in a title.
    found = different(recomputed(numbers=exchanged("Table 4", "1-1-1-1", "1-1-2-2")), recomputed())
    assert found == {("Table 4", "line-up of row 1"): "6': 1 1 2 2", ("Table 4", "line-up of row 4"): "4: 1 1 1 1"}


#: A number of each kind, and the label that it belongs to.
LABEL_OF = {
    ("Table 1", "0213: steps"): ("Table 1", "heading of column 3"),
    ("Table 1", "0321: alive 0 0 0 1"): ("Table 1", "heading of column 6"),
    ("Table 3", "0123: rebel: score"): ("Table 3", "heading of column 1"),
    ("Table 8", "alive 0 0 2 1"): ("Table 8", "title"),
    ("Table 22", "alive 1 3 0 0"): ("Table 22", "title"),
    ("Table 17", "loyalist: survival"): ("Table 17", "title"),
    ("Table 4", "1-2-3-1: Bal"): ("Table 4", "line-up of row 5"),
    ("Table 4", "1-3-4-2: Rat"): ("Table 4", "line-up of row 9"),
}


def test_one_digit_off_and_the_numbers_are_nobodys():
    """Half a digit is allowed, as for the numbers themselves; whether emulated or printed, a digit more is not."""
    before, values = recomputed(), printed().set_index(["place", "quantity"])
    for key, label in LABEL_OF.items():
        value, unit = values.loc[key, ["printed", "unit"]]
        for off, found in ((0.49, {}), (-0.49, {}), (0.51, {label: "nothing"}), (-0.51, {label: "nothing"})):
            numbers = {**emulated(), key: value + off * unit}
            assert (key, off, different(recomputed(numbers=numbers), before)) == (key, off, found)
        missing = {name: number for name, number in emulated().items() if name != key}
        assert different(recomputed(numbers=missing), before) == {label: "nothing"}
        changed = values.copy()
        changed.loc[key, "printed"] += unit
        assert different(recomputed(values=changed.reset_index()), before) == {label: "nothing"}


def test_numbers_that_fit_two_columns():
    numbers = dict(emulated())
    for (place, quantity), number in emulated().items():
        if place == "Table 1" and quantity.startswith("0123: "):
            numbers[place, quantity.replace("0123", "0312", 1)] = number
    found = different(recomputed(numbers=numbers), recomputed())
    assert found == {("Table 1", "heading of column 1"): "0123 or 0312", ("Table 1", "heading of column 5"): "nothing"}
