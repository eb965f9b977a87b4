"""``name=value`` as a person types it, held against the types of the notebook's defaults."""

import pytest

from gamebalance.publish.notebooks import parse
from tests.refusals import refused

DEFAULTS = {"games": 10, "share": 0.5, "fast": False, "seating": "0123", "seats": [1, 2], "names": ["a"], "free": None}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("games=200000", 200_000),
        ("games=200_000", 200_000),
        ("games=-3", -3),
        ("share=1", 1.0),
        ("share=1e-3", 0.001),
        ("fast=true", True),
        ("seating=0321", "0321"),
        ("seating=a=b", "a=b"),
        ("seats=[3, 4]", [3, 4]),
        ("seats=[]", []),
        ("names=[01, b]", ["01", "b"]),
        ("free=[1]", [1]),
    ],
)
def test_values(text, expected):
    (value,) = parse([text], DEFAULTS).values()
    assert value == expected and type(value) is type(expected)


@pytest.mark.parametrize(
    "text",
    "games games=abc games=1.5 games=true games= share=x share=nan share=.nan fast=3 seats=3 seats=[a] =3 a=3".split(),
)
def test_refused_with_all_defaults_listed(text):
    with refused("games=10", 'names=["a"]'):
        parse([text], DEFAULTS)


def test_twice():
    with refused("twice"):
        parse(["games=1", "games=2"], DEFAULTS)
