"""Findings: a number with its error and source, written once, gathered last, quoted as it should be."""

import numpy as np
import pandas as pd
import pytest

from gamebalance.publish import findings
from gamebalance.publish.entries import Finding, Item, Notebook
from tests.refusals import refused

ITEM = Item(id="t", kind="table", label="Table 1", title="T", caption="C.")


def result(value, error=0.0, kind="exact", unit="", decimals=2, claim="It is *so* 主公: {value}.") -> findings.Result:
    method = "simulated" if kind == "s.e." else "exact"
    finding = Finding(id="f", claim=claim, unit=unit, decimals=decimals, source="t", method=method, range="all")
    path = "notebooks/n.ipynb"
    notebook = Notebook(name="n", path=path, part="p", number="1.1", question="?", seconds=1, megabytes=1, items=[ITEM])
    return findings.checked(finding, notebook, value, error, kind)


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


def test_a_bound_as_quoted_is_a_bound():
    errors = 10.0 ** np.random.default_rng(5).uniform(-15, 3, 2000)
    texts = [result(1.0, error, decimals=15).error_text for error in errors]
    shown = np.array([float(text.removeprefix("error at most ")) for text in texts])
    assert (shown >= errors).all() and (shown <= errors * 1.1 * (1 + 1e-8)).all()
