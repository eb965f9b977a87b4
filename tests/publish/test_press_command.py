"""The command line: one line and exit code 2 for whatever was wrong."""

import pytest

from gamebalance.commands.main import main
from gamebalance.publish.front import CHAPTERS, FIRST_PAGE
from gamebalance.publish.notebooks import parse
from tests.refusals import refused


def _run(capsys, *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    captured = capsys.readouterr()
    return ended.value.code, captured.out, captured.err


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["nonsense"], ["nonsense"]),
        (["collection", "run"], ["NAME"]),
        (["collection", "run", "nope"], ["'nope'", "how-many, a-picture"]),
        (["collection", "run", "how-many", "gmaes=1"], ["'gmaes'", "games=10, seed=3"]),
        (["collection", "run", "how-many", "-p", "games=1.5"], ["games must be a whole number", "1.5"]),
        (["collection", "figures", "--only", "nope"], ["'nope'", "how-many, a-picture"]),
        (["collection", "figures", "--workers", "0"], ["workers must be 1 or more"]),
        (["collection", "report"], ["full-size run of how-many, a-picture", "make figures"]),
        (["collection", "site"], ["full-size run of how-many, a-picture", "make figures"]),
        (["collection", "readme"], ["README.md needs a full-size run of how-many, a-picture", "make figures"]),
    ],
)
def test_one_line_and_code_2(tiny, capsys, arguments, parts):
    code, out, err = _run(capsys, *arguments)
    assert code == 2 and out == ""
    assert err.startswith("gamebalance: ") and err.count("\n") == 1 and all(part in err for part in parts), err
    assert not tiny.build.exists()


def test_readme(ran, capsys):
    readme = ran.root / "README.md"
    readme.write_text("\n".join(["# Hello", *FIRST_PAGE, CHAPTERS[0], "old", CHAPTERS[1], "The end.\n"]))
    code, _, err = _run(capsys, "collection", "readme", "--check")
    assert code == 2 and "out of date" in err and "old" in readme.read_text()
    assert _run(capsys, "collection", "readme")[0] == 0
    text = readme.read_text()
    row = "- 1.2 [A picture?](notebooks/tiny/02-a-picture.ipynb)"
    assert row in text and text.startswith("# Hello") and text.endswith("The end.\n") and "old" not in text
    assert _run(capsys, "collection", "readme", "--check")[0] == 0


# --- name=value as a person types it, held against the types of the notebook's defaults ---

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
    with refused("twice"):
        parse(["games=1", "games=2"], DEFAULTS)
