"""Findings: a number with its error and source, written once, gathered last, quoted as it should be."""

import dataclasses
import json
from fractions import Fraction

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


def test_the_full_run_states_it(tiny, shown):
    publish.Book("how-many", games=20_000, seed=5).finding("share-of-rebel", np.float64(200 / 3), 0.4, "s.e.")
    ((bundle, _),) = shown
    text = r"Finding. The rebel 反贼 wins *most* games, 66.7%, not $\frac12$ of them."
    assert (
        bundle["text/plain"] == text + " (simulated, standard error 0.40 percentage points, for two roles; Table 1.1)"
    )
    html = bundle["text/html"]
    assert '<span lang="zh-Hans">反贼</span> wins <em>most</em>' in html and "\n" not in html


def test_the_words_are_those_of_the_method():
    assert result(1.0).method_text == "computed exactly, for all"
    assert result(1.0, 1e-9).method_text == "computed exactly, error far below the digits shown, for all"
    decided = Finding(id="f", claim="{value}", decimals=0, source="t", method="decided", range="84 line-ups")
    assert findings.checked(decided, result(1).notebook, 11, at=3, error=0, kind=None).method_text == (
        "judged, where differences of 3 standard errors and more count, for 84 line-ups"
    )


@pytest.mark.parametrize(
    ("method", "kind", "text"),
    [
        ("measured", None, "measured in one run, for all"),
        ("simulated", "interval", "simulated, for all"),
        ("observed", "interval", "observed in recorded games, for all"),
    ],
)
def test_what_has_no_error_says_none(method, kind, text):
    entry = Finding(id="f", claim="{value}", decimals=1, source="t", method=method, range="all")
    made = findings.checked(entry, result(1).notebook, 1.75, 0, kind)
    assert made.error is None and made.error_text == "" and made.method_text == text
    again = json.loads(json.dumps(made.record()))
    assert findings.checked(entry, result(1).notebook, again["value"], again["error"], again["kind"]) == made
    with refused("error = 0.1", "none for"):
        findings.checked(entry, result(1).notebook, 1.75, 0.1, made.kind)


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


def test_further_numbers_stand_in_the_sentence():
    entry = Finding(id="f", claim="{value} and {lord:.1f}, {n}", decimals=1, source="t", method="exact", range="all")
    made = findings.checked(entry, result(1).notebook, 2.0, 0, "exact", None, {"lord": 1 / 3, "n": 12345})
    assert made.sentence("**{}**") == "**2.0** and 0.3, 12,345" and made.record()["more"]["lord"] == 0.333333333
    assert findings.quoted("{f}; {f.lord:.2f}; {f.n}", {"f": made}) == "2.0; 0.33; 12,345"


def test_a_bound_is_rounded_to_its_safe_side():
    claim = "at most {value:up}, at least {lord:.1f down} and {lord:.0%}, {n:up} or fewer"
    entry = Finding(id="f", claim=claim, unit="points", decimals=1, source="t", method="exact", range="all")
    made = findings.checked(entry, result(1).notebook, 2.01, 0, "exact", None, {"lord": 0.78, "n": 7})
    assert made.sentence().replace("\u00a0", " ") == "at most 2.1 points, at least 0.7 and 78%, 7 or fewer"
    quoted = findings.quoted("{f:up}; {f:down}; {f.lord:.1f up}; {f.lord:.1f}", {"f": made}).replace("\u00a0", " ")
    assert quoted == "2.1 points; 2.0 points; 0.8; 0.8" and made.value_text == "2.1\u00a0points"


@pytest.mark.parametrize(
    ("value", "decimals", "unit", "expected"),
    [
        (45.746, 2, "points", "45.75\u00a0points"),
        (45, 2, "", "45.00"),
        (42.16, 1, "%", "42.2%"),
        (9999, 0, "games", "9999\u00a0games"),
        (1_000_000, 0, "games", "1,000,000\u00a0games"),
        (10**20 + 1, 0, "", "100,000,000,000,000,000,001"),
        (-0.001, 2, "", "0.00"),
        (-3.456, 1, "", "-3.5"),
        (np.float32(0.5), 2, "", "0.50"),
        (Fraction(1, 3), 3, "", "0.333"),
    ],
)
def test_values_as_quoted(value, decimals, unit, expected):
    assert result(value, decimals=decimals, unit=unit).value_text == expected


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


def test_the_table_of_findings(ran_for_reading):
    rows = _rows(ran_for_reading)
    assert tuple(rows[0]) == findings.COLUMNS
    assert [row["finding"] for row in rows] == ["share-of-rebel", "games-played", "top"]
    assert [row["value"] for row in rows] == [SHARE, 20_000, 2.66666667]
    errors = [(0.4, "s.e.", "%"), (0.0, "exact", "games"), (1e-12, "exact", "")]
    assert [(row["error"], row["kind"], row["unit"]) for row in rows] == errors
    assert [row["source"] for row in rows] == ["tiny-table-1", "tiny-table-1", "tiny-figure-1"]
    assert rows[2]["notebook"] == "notebooks/tiny/02-a-picture.ipynb"
    # A whole number is written as one.
    assert rows[1]["statement"] == "No more than 20,000 games were played, & 0.3 lost."
    assert (rows[0]["method"], rows[0]["range"]) == ("simulated", "two roles")
    assert ",20000,0.0,exact,,games,computed," in (ran_for_reading.results / "findings.csv").read_text(encoding="utf-8")


def test_words_and_order_come_from_the_manifest(ran, edit):
    edit.manifest(ran, lambda entries: entries["notebooks"][0]["findings"].reverse())
    edit.manifest(ran, lambda entries: entries["notebooks"][1]["findings"][0].update(claim="New words: {value}."))
    assert findings.assemble(ran, manifest.load(ran))
    rows = _rows(ran)
    assert [row["finding"] for row in rows] == ["games-played", "share-of-rebel", "top"]
    assert rows[2]["statement"] == "New words: 2.67."


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


def test_the_printed_value_stands_beside_ours():
    beside = dataclasses.replace(result(44.5, 0.1, "s.e.", decimals=1), printed=26.74)
    assert beside.printed_text.replace("\u00a0", " ") == f"printed 26.74{beside.finding.unit}".replace("\u00a0", " ")
    assert "printed 26.74" in beside.to_text() and "26.74" in beside.to_html()
    assert beside.record()["printed"] == 26.74
    assert "printed" not in result(44.5, 0.1, "s.e.", decimals=1).to_text()
