"""A page that judges counted wins while they are typed: one HTML text that needs no network.

Its numbers are those of `gamebalance.fairness`, computed again in ``distributions.js`` and ``statistics.js``;
``reading.js`` reads what is typed, pasted or linked, and ``script.js`` draws.
"""

from pathlib import Path

FOLDER = Path(__file__).parent


def page() -> str:
    """The page as one HTML text below 60 kB, the same in every call; its scripts without comments and indents."""
    text = (FOLDER / "template.html").read_text(encoding="utf-8")
    for name in ("style.css", "distributions.js", "statistics.js", "reading.js", "script.js"):
        text = text.replace(f"{{{{ {name.partition('.')[0]} }}}}", _bare(name))
    return text


def _bare(name: str) -> str:
    """A script or a style sheet without indents, and without the lines that only its readers need."""
    lines = map(str.strip, (FOLDER / name).read_text(encoding="utf-8").splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//"))
