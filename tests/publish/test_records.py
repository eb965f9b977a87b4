"""What is made of results is made of those alone that agree with their records; what does not is named."""

import json

import pytest

from gamebalance.commands.main import main
from gamebalance.publish import fingerprint, front, manifest, pdf, provenance, records

COMMANDS = ("report", "site", "readme")


def cut(file):
    content = file.read_bytes()
    file.write_bytes(content[: len(content) // 2])


def remove(file):
    file.unlink()


def without(field):
    """Take a field out of a record."""

    def change(file):
        record = json.loads(file.read_text())
        del record[field]
        file.write_text(json.dumps(record))

    return change


def of_another_run(file):
    file.write_text(file.read_text().replace("line that rises", "line that falls"))


@pytest.fixture
def refused(ran, capsys):
    """All commands that make something of results refuse to: the one line that they say, but for who says it."""

    def told():
        (ran.root / "README.md").write_text("\n".join((*front.FIRST_PAGE, *front.CHAPTERS)) + "\n")
        before = {file: file.read_bytes() for file in ran.root.rglob("*") if file.is_file()}
        lines = set()
        for command in COMMANDS:
            with pytest.raises(SystemExit) as ended:
                main(["collection", command])
            out, err = capsys.readouterr()
            assert (ended.value.code, out, err.count("\n")) == (2, "", 1), command
            lines.add(err.partition(" needs ")[2])
        assert {file: file.read_bytes() for file in ran.root.rglob("*") if file.is_file()} == before
        (line,) = lines
        return line

    return told


@pytest.mark.parametrize(
    ("name", "change", "fault"),
    [
        ("figures/tiny-figure-1.png", cut, "is not the file that data/results/tiny-figure-1.json is about"),
        ("figures/tiny-figure-1.png", remove, "is missing"),
        ("data/results/tiny-figure-1.json", cut, "is no record"),
        ("data/results/tiny-figure-1.json", remove, "is missing"),
        ("data/results/finding-top.json", cut, "is no record"),
        (
            "data/results/finding-top.json",
            without("value"),
            "does not fit its claim in notebooks/tiny/02-a-picture.yaml",
        ),
        (
            "notebooks/tiny/02-a-picture.ipynb",
            of_another_run,
            "shows something else for tiny-figure-1 than data/results/",
        ),
    ],
)
def test_what_does_not_agree_is_refused_by_name(name, change, fault, ran, refused):
    assert records.faults(ran, manifest.load(ran), manifest.load(ran).notebooks) == {}
    change(ran.root / name)
    line = refused()
    assert line.startswith(f"a full-size run of a-picture ({name} {fault}") and line.endswith("): make figures\n")
    content = manifest.load(ran)
    notebook = content.notebook("a-picture")
    why = provenance.why_stale(ran, notebook, fingerprint.of(ran, content, notebook))
    assert why in (f"{name} was changed", f"{name} is missing")


def test_another_number_than_the_notebook_shows_is_refused(ran, refused):
    file = ran.results / "finding-top.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"value": 4.5}))
    shown = "notebooks/tiny/02-a-picture.ipynb shows other numbers than data/results/finding-top.json holds"
    assert f"({shown})" in refused()


def test_a_report_that_was_cut_is_not_handed_on(ran, capsys):
    cut(ran.figures / "report.html")
    with pytest.raises(SystemExit):
        main(["collection", "site"])
    told = "gamebalance: figures/report.html was changed after it was written: make report\n"
    assert capsys.readouterr().err == told and not list(ran.build.glob("site*"))
    with pytest.raises(ValueError, match="was changed after it was written"):
        pdf.write(ran)
    with pytest.raises(SystemExit) as ended:
        main(["collection", "report"])
    assert ended.value.code == 0 and capsys.readouterr().out == "figures/report.html written\n"
    records.check_report(ran)
