"""A page that weighs a set-up of Werewolf (Mafia) while it is put together: one HTML text that needs no network.

Its numbers are those of `gamebalance.mafia`, computed again from the rules: people as numbers (``town.js``), ties and
marks by counting (``ties.js``), a night and a vote (``night.js``), what lasts of it (``memory.js``), and who wins
(``solver.js``). ``search.js`` compares set-ups, ``reading.js`` reads what is typed or linked, ``words.js`` says what
was found, and ``script.js`` draws.
"""

from pathlib import Path

FOLDER = Path(__file__).parent
SCRIPTS = ("ties", "town", "night", "memory", "solver", "search", "reading", "words", "script")


def page() -> str:
    """The page as one HTML text below 80 kB, the same in every call; its scripts without comments and indents."""
    text = (FOLDER / "template.html").read_text(encoding="utf-8")
    for name in ("style.css", *(f"{script}.js" for script in SCRIPTS)):
        text = text.replace(f"{{{{ {name.partition('.')[0]} }}}}", _bare(name))
    return text


def _bare(name: str) -> str:
    """A script or a style sheet without indents, and without the lines that only its readers need."""
    lines = map(str.strip, (FOLDER / name).read_text(encoding="utf-8").splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//"))
