"""A language in which all but the chapters, figures and tables can be read."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

#: By the code of a language: its own name, and how HTML calls it.
KNOWN = {"en": ("English", "en"), "zh_CN": ("中文", "zh-Hans"), "fr": ("Français", "fr")}
#: By the code: what stands between words in a row, what between notes in brackets, and the brackets.
MARKS = {"en": (", ", "; ", "({})"), "zh_CN": ("，", "；", "（{}）"), "fr": (", ", "\u00a0; ", "({})")}
#: What parts the forms of a unit in a catalogue: the one for a single thing, the one for several.
FORMS = " | "


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
        """The text in this language, or the English one where there is none; of a unit the form for several."""
        return self._forms(message)[-1]

    def marked(self, message: str) -> str:
        """The same, with a mark in front of an English text that has none in this language yet."""
        missing = self.code != "en" and not self.texts.get(message)
        return f"[EN] {message}" if missing else self.text(message)

    def _forms(self, message: str) -> list[str]:
        return (self.texts.get(message) or message).split(FORMS)

    def unit(self, message: str, number: float) -> str:
        """A unit after a number; of two forms, as French has them, the first is for numbers below two."""
        return self._forms(message)[0 if abs(number) < 2 else -1]

    def label(self, label: str, begins: bool = False) -> str:
        """The label of an item, such as Table 2.4; with a capital where it begins a line."""
        kind, number = label.split()
        said = self.text(f"{kind} {{number}}").format(number=number)
        return said[0].upper() + said[1:] if begins else said

    def row(self, words: Iterable[str]) -> str:
        """Words one after the other, with the commas of the language."""
        return MARKS[self.code][0].join(words)

    def brackets(self, *notes: str) -> str:
        """Notes in brackets, set apart, without those that are empty."""
        _, apart, brackets = MARKS[self.code]
        return brackets.format(apart.join(filter(None, notes)))

    def number(self, written: str) -> str:
        """A number as this language writes it: decimals after a comma, thousands after a thin space, in French."""
        return written.translate({ord("."): ",", ord(","): "\u202f"}) if self.code == "fr" else written


ENGLISH = Language()
