"""All claims of the study about N = 8 with their verdicts, and tables of them.

What is said stands in ``claims.yaml``, whether it holds is decided by `deciders`: each entry there names its function
here, and there is no function without an entry.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

from chapters.countn.folklore.deciders import DECIDERS, Facts

#: Verdicts: all readings of the wording hold; all hold, but something must be added; some hold; none; there is none.
VERDICTS = ("true", "true, with a nuance", "depends on the reading", "false", "cannot be decided")


@dataclass(frozen=True)
class Statement:
    """A claim of the study.

    `readings` are what its wording may mean and whether that is so, none if it does not say enough; `numbers` the
    counts that it rests on, by what they count; `nuance` what has to be added, if anything.
    """

    key: str
    claim: str
    readings: Mapping[str, bool]
    numbers: Mapping[str, str] = field(default_factory=dict)
    nuance: str = ""

    @property
    def verdict(self) -> str:
        """One of `VERDICTS`."""
        if not self.readings:
            return "cannot be decided"
        holds = list(self.readings.values())
        if all(holds):
            return "true, with a nuance" if self.nuance else "true"
        return "depends on the reading" if any(holds) else "false"


@cache
def entries() -> list[dict[str, Any]]:
    """The entries of ``claims.yaml``; ValueError unless they name all deciding functions and no others."""
    found = yaml.safe_load(Path(__file__).with_name("claims.yaml").read_text(encoding="utf-8"))
    if amiss := {entry["function"] for entry in found} ^ set(DECIDERS):
        raise ValueError(f"claims.yaml: {', '.join(sorted(amiss))}: claims and functions must be each other's")
    return found


def statements(facts: Facts | None = None) -> list[Statement]:
    """The study's claims about N = 8 in its order, each with a verdict."""
    facts = facts or Facts()
    return [_decided(entry, facts) for entry in entries()]


def _decided(entry: dict[str, Any], facts: Facts) -> Statement:
    """One claim: its texts, filled in with what its function finds."""
    given = entry.get("given", {})
    known = given | DECIDERS[entry["function"]](facts, **given)
    added = "nuance if" not in entry or known[entry["nuance if"]]
    return Statement(
        entry["key"],
        entry["claim"],
        {text.format(**known): known[name] for text, name in entry["readings"].items()},
        {text.format(**known): number.format(**known) for text, number in entry["numbers"].items()},
        entry.get("nuance", "").format(**known) if added else "",
    )


def statement_table(found: Iterable[Statement]) -> pd.DataFrame:
    """Statements numbered from 1; what was counted names the readings where they disagree."""
    rows = [(each.claim, each.verdict, _evidence(each), each.nuance) for each in found]
    columns = ["The Count-8 study says", "Verdict", "What was counted", "Nuance"]
    return pd.DataFrame(rows, columns=columns, index=pd.RangeIndex(1, len(rows) + 1, name="No."))


def verdict_counts(found: Iterable[Statement]) -> pd.Series:
    """How many statements have each verdict, all of `VERDICTS` in order."""
    verdicts = pd.Series([statement.verdict for statement in found], dtype=object)
    return verdicts.value_counts().reindex(VERDICTS, fill_value=0).rename("statements")


def _evidence(found: Statement) -> str:
    """The numbers and, where readings disagree, what each says."""
    numbers = [f"{name}: {number}" for name, number in found.numbers.items()]
    if len(set(found.readings.values())) < 2:
        return "; ".join(numbers)
    return "; ".join([*numbers, *(f"{name}: {'yes' if holds else 'no'}" for name, holds in found.readings.items())])
