"""A page that weighs a set-up of Werewolf (Mafia) while it is put together: one HTML text that needs no network.

Its numbers are those of `gamebalance.mafia`, computed again from the rules: people as numbers (``town.js``), ties and
marks by counting (``ties.js``), a night and a vote (``night.js``), what lasts of it (``memory.js``), and who wins
(``solver.js``). ``search.js`` compares set-ups, ``reading.js`` reads what is typed or linked, ``words.js`` says what
was found, and ``script.js`` draws.
"""

from pathlib import Path

from gamebalance.studies.offline import document

FOLDER = Path(__file__).parent
SCRIPTS = ("ties", "town", "night", "memory", "solver", "search", "reading", "words", "script")


def page() -> str:
    """The page as one HTML text below 80 kB, the same in every call; its scripts without comments and indents."""
    return document(FOLDER, SCRIPTS)
