"""A page that judges counted wins while they are typed: one HTML text that needs no network.

Its numbers are those of `gamebalance.fairness`, computed again in ``distributions.js`` and ``statistics.js``;
``reading.js`` reads what is typed, pasted or linked, and ``script.js`` draws.
"""

from pathlib import Path

from gamebalance.studies.offline import document

FOLDER = Path(__file__).parent
SCRIPTS = ("distributions", "statistics", "reading", "script")


def page() -> str:
    """The page as one HTML text below 60 kB, the same in every call; its scripts without comments and indents."""
    return document(FOLDER, SCRIPTS)
