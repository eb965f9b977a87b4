"""A language in which the first page, the findings, the glossary and the sources can be read."""

from collections.abc import Mapping
from dataclasses import dataclass, field

#: By the code of a language: its own name, and how HTML calls it.
KNOWN = {"en": ("English", "en"), "zh_CN": ("中文", "zh-Hans"), "fr": ("Français", "fr")}


@dataclass(frozen=True)
class Language:
    """A language with its texts."""

    code: str = "en"
    texts: Mapping[str, str] = field(default_factory=dict)  # by the English ones

    @property
    def name(self) -> str:
        return KNOWN[self.code][0]

    @property
    def tag(self) -> str:
        return KNOWN[self.code][1]

    def text(self, message: str) -> str:
        """The text in this language, or the English one where there is none."""
        return self.texts.get(message) or message

    def number(self, written: str) -> str:
        """A number as this language writes it: decimals after a comma, thousands after a thin space, in French."""
        return written.translate({ord("."): ",", ord(","): "\u202f"}) if self.code == "fr" else written


ENGLISH = Language()
