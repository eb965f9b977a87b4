"""Findings: a number with its error and source, written once, gathered last, quoted as it should be."""

import json

import numpy as np
import pandas as pd
import pytest

from gamebalance import publish
from gamebalance.publish import findings, manifest, runner
from gamebalance.publish.entries import Finding, Item, Notebook
from tests.refusals import refused

ITEM = Item(id="t", kind="table", label="Table 1", title="T", caption="C.")
#: What the tiny collection finds, in percent.
SHARE = 66.6666667


def result(value, error=0.0, kind="exact", unit="", decimals=2, claim="It is *so* 主公: {value}.") -> findings.Result:
    method = "simulated" if kind == "s.e." else "exact"
    finding = Finding(id="f", claim=claim, unit=unit, decimals=decimals, source="t", method=method, range="all")
    path = "notebooks/n.ipynb"
    notebook = Notebook(name="n", path=path, part="p", number="1.1", question="?", seconds=1, megabytes=1, items=[ITEM])
    return findings.checked(finding, notebook, value, error, kind)


def test_on_disk_and_on_screen(tiny, shown):
    publish.Book("how-many", games=np.int64(3), seed=1).finding("share-of-rebel", np.float64(200 / 3), 0.4, "s.e.")
    folder = tiny.build / "scratch" / "data" / "results"
    assert [file.name for file in folder.iterdir()] == ["finding-share-of-rebel.json"]
    record = json.loads((folder / "finding-share-of-rebel.json").read_text())
    numbers = {"finding": "share-of-rebel", "value": SHARE, "error": 0.4, "kind": "s.e."}
    about = {"notebook": "notebooks/tiny/01-how-many.ipynb", "parameters": {"games": 3, "seed": 1}}
    assert {**record, **numbers, **about} == record and record["packages"]["numpy"] == np.__version__
    assert record["run"].startswith("Small run: games 3 of")
    (note,), (bundle, about) = shown
    assert note["text/plain"].startswith("Small run: games 3 of 20,000; seed 1 instead of 5. Statements that need")
    assert about == {"finding": "share-of-rebel"} and bundle == {"text/plain": "Left out: a finding of the full run."}


@pytest.mark.parametrize(
    ("given", "parts"),
    [
        ({"kind": "s.e."}, ["kind = 's.e.'", "exact"]),
        ({"kind": "sd"}, ["kind = 'sd'", "'exact', 's.e.'"]),
        ({"method": "simulated"}, ["kind = 'exact'", "simulated"]),
        ({"method": "decided"}, ["at = None", "decided"]),
        ({"at": 3}, ["at = 3", "exact"]),
        ({"method": "decided", "at": 0}, ["at = 0", "above 0"]),
        ({"more": {"lord": 1}}, ["further numbers = ['lord']", "has none"]),
        ({"more": {"lord": float("nan")}}, ["lord = nan", "finite"]),
        ({"value": True}, ["value = True", "finite number"]),
        ({"value": pd.Series([1])}, ["value = ", "finite number"]),
        ({"error": -0.1}, ["error = -0.1", "0 or more"]),
        ({"printed": "26.74"}, ["printed = '26.74'", "finite"]),
    ],
)
def test_what_is_no_number_or_does_not_fit_the_method_or_the_claim(given, parts):
    numbers = {"method": "exact", "value": 1, "error": 0.1, "kind": "exact", **given}
    entry = Finding(id="f", claim="{value}", decimals=0, source="t", method=numbers.pop("method"), range="all")
    with refused(*parts):
        findings.checked(entry, result(1).notebook, **numbers)


def test_a_bound_is_rounded_to_its_safe_side():
    claim = "at most {value:up}, at least {lord:.1f down} and {lord:.0%}, {n:up} or fewer"
    entry = Finding(id="f", claim=claim, unit="points", decimals=1, source="t", method="exact", range="all")
    made = findings.checked(entry, result(1).notebook, 2.01, 0, "exact", None, {"lord": 0.78, "n": 7})
    assert made.sentence().replace("\u00a0", " ") == "at most 2.1 points, at least 0.7 and 78%, 7 or fewer"
    quoted = findings.quoted("{f:up}; {f:down}; {f.lord:.1f up}; {f.lord:.1f}", {"f": made}).replace("\u00a0", " ")
    assert quoted == "2.1 points; 2.0 points; 0.8; 0.8" and made.value_text == "2.1\u00a0points"


@pytest.mark.parametrize(
    ("error", "kind", "decimals", "expected"),
    [
        (0, "exact", 2, "exact"),
        (1e-12, "exact", 2, "error far below the digits shown"),
        (1e-12, "exact", 12, "error at most 1e-12"),
        (0.0999, "exact", 2, "error at most 0.1"),
        (120, "exact", 0, "error at most 120"),
        (0.0142, "s.e.", 2, "standard error 0.014"),
        (0.4, "s.e.", 1, "standard error 0.40"),
        (15_000, "s.e.", 0, "standard error 15,000"),
        (1.234e-9, "s.e.", 2, "standard error 1.2e-9"),
        (0, "s.e.", 2, "standard error 0"),
    ],
)
def test_errors_as_quoted(error, kind, decimals, expected):
    assert result(1.0, error, kind, decimals=decimals).error_text.replace("\u00a0", " ") == expected


def test_a_bound_as_quoted_is_a_bound():
    errors = 10.0 ** np.random.default_rng(5).uniform(-15, 3, 2000)
    texts = [result(1.0, error, decimals=15).error_text for error in errors]
    shown = np.array([float(text.removeprefix("error at most ")) for text in texts])
    assert (shown >= errors).all() and (shown <= errors * 1.1 * (1 + 1e-8)).all()


def _rows(project) -> list[dict]:
    return pd.read_csv(project.results / "findings.csv", keep_default_na=False).to_dict("records")


def test_a_record_that_does_not_fit_its_claim_is_left_out(ran, edit):
    edit.manifest(ran, lambda entries: entries["notebooks"][1]["findings"][0].update(claim="{value} of {most}."))
    assert findings.assemble(ran, manifest.load(ran)) and [row["finding"] for row in _rows(ran)][-1] == "games-played"


def test_no_notebook_reads_them(tiny, edit, monkeypatch):
    monkeypatch.setattr(runner, "perform", None)
    file = tiny.root / "notebooks/tiny/02-a-picture.ipynb"
    edit.notebook(file, [*edit.figure_cells, "# All numbers are in data/results/findings.csv."])
    findings.check_unread(tiny, manifest.load(tiny).notebooks)
    edit.notebook(file, [*edit.figure_cells, "open('findings.csv')"])
    for run in (lambda: runner.figures(tiny, print), lambda: runner.run_one(tiny, "a-picture", [], print)):
        with refused("02-a-picture.ipynb names findings.csv"):
            run()
    assert not tiny.build.exists()
