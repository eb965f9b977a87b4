"""The command line: one line and exit code 2 for whatever was wrong."""

import pytest

from gamebalance.commands.main import main
from gamebalance.publish.front import CHAPTERS, FIRST_PAGE


def _run(capsys, *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    captured = capsys.readouterr()
    return ended.value.code, captured.out, captured.err


def test_help_and_list(tiny, capsys):
    assert "collection" in _run(capsys, "--help")[1]
    code, out, _ = _run(capsys, "collection", "list")
    assert code == 0 and "how-many" in out and "Table 1.1" in out and "Tiny 三国杀" in out


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


def test_report_gathers_the_findings_first(ran, capsys):
    file = ran.results / "findings.csv"
    before = file.read_bytes()
    file.unlink()
    code, out, _ = _run(capsys, "collection", "report")
    assert code == 0 and out == "figures/report.html is up to date\n" and file.read_bytes() == before


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
