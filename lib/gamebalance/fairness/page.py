"""Pages that stand alone, without scripts and without anything to be loaded: templates that extend `page.html`."""

from pathlib import Path
from typing import Any


def page(template: str, **values: Any) -> str:
    """A template in the folders of this package, filled in."""
    from jinja2 import Environment, FileSystemLoader

    loader = FileSystemLoader(Path(__file__).parent)
    templates = Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True)
    return templates.get_template(template).render(values)
