"""The smallest fair change: `knobs`, `evaluation`, `sampling`, `race`, `showing`, `result`, `tune`, in this order."""
