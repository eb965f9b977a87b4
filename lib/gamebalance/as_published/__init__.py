"""The report's own procedures, emulated with every defect a switch: its tables to the last printed digit."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "replays": ["Replay", "replay"],
        "scores": ["LAST_ROLES", "SCORES_AS_PRINTED", "SCORES_REPAIRED", "ScoreSlips", "role_summary"],
        "transfer": ["AS_PRINTED", "REPAIRED", "TransferDefects", "TransferTable", "transfer_table", "transfer_tables"],
    },
)
