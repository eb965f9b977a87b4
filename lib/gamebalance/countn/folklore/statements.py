"""All claims of the study about N = 8 with their verdicts, and tables of them."""

from collections.abc import Iterable

import pandas as pd

# The order of these two is that of the study: each module enters its claims into the list when it is imported.
from . import claims_game, claims_play  # noqa: F401  isort: skip
from .facts import CLAIMS, VERDICTS, Facts, Statement


def statements(facts: Facts | None = None) -> list[Statement]:
    """The study's claims about N = 8 in its order, each with a verdict."""
    facts = facts or Facts()
    return [claim(facts) for claim in CLAIMS]


def statement_table(found: Iterable[Statement]) -> pd.DataFrame:
    """Statements as a table.

    Returns
    -------
    DataFrame
        Rows: numbered from 1. Columns: `The study says`, `Verdict`, `What was counted` (readings that fail are named
        where others hold) and `Nuance`.
    """
    rows = [(each.claim, each.verdict, _evidence(each), each.nuance) for each in found]
    columns = ["The study says", "Verdict", "What was counted", "Nuance"]
    return pd.DataFrame(rows, columns=columns, index=pd.RangeIndex(1, len(rows) + 1, name="No."))


def verdict_counts(found: Iterable[Statement]) -> pd.Series:
    """How many statements have each verdict, all of `VERDICTS` in order."""
    verdicts = pd.Series([statement.verdict for statement in found], dtype=object)
    return verdicts.value_counts().reindex(VERDICTS, fill_value=0).rename("statements")


def _evidence(found: Statement) -> str:
    """The numbers and, where readings disagree, what each says."""
    numbers = "; ".join(f"{name}: {number}" for name, number in found.numbers.items())
    if len(set(found.readings.values())) < 2:
        return numbers
    return "; ".join([numbers, *(f"{name}: {'yes' if holds else 'no'}" for name, holds in found.readings.items())])
