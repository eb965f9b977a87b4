"""A page that judges results of games while they are typed, or from a file: one HTML text that needs no network.

Its numbers are those of `gamebalance.fairness`, computed again in ``distributions.js``, ``contests.js``,
``statistics.js`` and ``watching.js``; so are its readings of files, in ``tables.js`` and ``results.js``. ``reading.js``
reads what is typed, pasted or linked, and ``script.js`` draws.
"""

import json
from pathlib import Path

from chapters.offline import document
from gamebalance.fairness.tables import words

FOLDER = Path(__file__).parent
SCRIPTS = ("distributions", "contests", "statistics", "watching", "tables", "results", "reading", "script")


def page() -> str:
    """The page as one HTML text below 180 kB, the same in every call; its scripts without comments and indents."""
    known = json.dumps(words(), separators=(",", ":"))  # escaped, since none of it is drawn
    return document(FOLDER, SCRIPTS).replace("{{ data }}", known)
