"""The audit of the report: a verdict on every printed number and label, and the defects that made the wrong ones."""

from chapters.sanguosha.audit.defects import (
    DEFECTS,
    NAMES,
    SLIP_SETS,
    column_distance,
    defect_sets,
    shares_of_change,
    slips_of_scores,
)
from chapters.sanguosha.audit.judging import (
    LIMIT,
    MISPRINT,
    OF_THE_RUN,
    REPRODUCES,
    ROUNDING,
    UNEXPLAINED,
    WRONG,
    effects,
    given,
    judge_numbers,
)
from chapters.sanguosha.audit.labels import judge_labels
from chapters.sanguosha.audit.numbers import (
    expected_errors,
    expected_numbers,
    printed_numbers,
    replayed_numbers,
    sampling_errors,
    transfer_numbers,
)

__all__ = [
    "DEFECTS",
    "LIMIT",
    "MISPRINT",
    "NAMES",
    "OF_THE_RUN",
    "REPRODUCES",
    "ROUNDING",
    "SLIP_SETS",
    "UNEXPLAINED",
    "WRONG",
    "column_distance",
    "defect_sets",
    "effects",
    "expected_errors",
    "expected_numbers",
    "given",
    "judge_labels",
    "judge_numbers",
    "printed_numbers",
    "replayed_numbers",
    "sampling_errors",
    "shares_of_change",
    "slips_of_scores",
    "transfer_numbers",
]
