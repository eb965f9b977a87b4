"""The report's own procedures, emulated with every defect a switch: its tables to the last printed digit."""

from gamebalance.as_published.replays import Replay, replay
from gamebalance.as_published.scores import (
    LAST_ROLES,
    SCORES_AS_PRINTED,
    SCORES_REPAIRED,
    ScoreSlips,
    role_summary,
)
from gamebalance.as_published.transfer import (
    AS_PRINTED,
    REPAIRED,
    TransferDefects,
    TransferTable,
    transfer_table,
    transfer_tables,
)

__all__ = [
    "AS_PRINTED",
    "LAST_ROLES",
    "REPAIRED",
    "SCORES_AS_PRINTED",
    "SCORES_REPAIRED",
    "Replay",
    "ScoreSlips",
    "TransferDefects",
    "TransferTable",
    "replay",
    "role_summary",
    "transfer_table",
    "transfer_tables",
]
