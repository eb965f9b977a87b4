"""The controls of a model, and what it answers, as plain values: a study names them, the press makes widgets of them.

A control is a number between two others, or one of several values. A setting is a value for each control; written down,
it names what differs from the defaults, as in the part of a link behind "#": ``slash=20&rebel_hearts=3``.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isclose
from typing import Any
from urllib.parse import parse_qsl, urlencode

from gamebalance.base.checks import number, shown


@dataclass(frozen=True)
class Slider:
    """A number between two others, in steps; whole where these are. Neighbours of one `group` stand together."""

    label: str
    least: float
    most: float
    value: float
    step: float = 1
    group: str = ""
    hint: str = ""

    @property
    def whole(self) -> bool:
        """Whether all its values are whole numbers."""
        return all(float(part).is_integer() for part in (self.least, self.most, self.value, self.step))

    def checked(self, name: str, value: Any) -> float:
        """The value, if the slider can stand there; else ValueError."""
        value = number(name, value, self.least, self.most)
        steps = (value - self.least) / self.step
        if not isclose(steps, round(steps), abs_tol=1e-9):
            raise ValueError(f"{name} = {shown(value)}: {self.least} and then steps of {self.step} are needed")
        return int(value) if self.whole else float(value)

    def read(self, name: str, text: str) -> float:
        """The value that a text says; ValueError if it says none, or one that is not allowed."""
        for kind in (int, float):
            try:
                value = kind(text)
            except ValueError:
                continue
            return self.checked(name, value)
        return self.checked(name, text)


@dataclass(frozen=True)
class Choice:
    """One of several values, different when written as text; `names` are how they are shown, if not by that text."""

    label: str
    values: tuple[Any, ...]
    value: Any
    names: tuple[str, ...] = ()
    group: str = ""
    hint: str = ""

    @property
    def options(self) -> list[tuple[str, Any]]:
        """What is shown, and the value, of each."""
        return list(zip(self.names or map(str, self.values), self.values, strict=True))

    def checked(self, name: str, value: Any) -> Any:
        """The value, if it is one of these; else ValueError."""
        for allowed in self.values:
            if type(value) is type(allowed) and value == allowed:
                return value
        raise ValueError(f"{name} = {shown(value)}: one of {', '.join(map(repr, self.values))} is needed")

    def read(self, name: str, text: str) -> Any:
        """The value that a text says; ValueError if it says none."""
        for allowed in self.values:
            if text == str(allowed):
                return allowed
        return self.checked(name, text)


Controls = Mapping[str, Slider | Choice]


@dataclass(frozen=True)
class Answer:
    """What a model gives in one setting; `link` stands behind "#" in the address of a page that has it."""

    figure: Any
    data: Any
    sentence: str
    code: str
    table: Any = None
    link: str | None = None


#: What answers: it takes a value for each control, by name.
Model = Callable[..., Answer]


def checked(controls: Controls, setting: Mapping[str, Any]) -> dict[str, Any]:
    """A value for each control, the default where none is given, in the order of the controls.

    ValueError for a name that no control has, or a value that its control cannot take.
    """
    for name in setting:
        if name not in controls:
            raise ValueError(f"setting: there is no {shown(name)}; allowed are {', '.join(controls)}")
    return {name: control.checked(name, setting.get(name, control.value)) for name, control in controls.items()}


def written(controls: Controls, setting: Mapping[str, Any]) -> str:
    """What of a setting differs from the defaults, as ``name=value&name=value``; nothing if nothing does."""
    every = checked(controls, setting)
    return urlencode({name: value for name, value in every.items() if value != controls[name].value})


def read(controls: Controls, text: str) -> dict[str, Any]:
    """The setting that `written` has written down; ValueError if the text is none."""
    if not isinstance(text, str):
        raise ValueError(f"setting = {shown(text)}: a text such as 'name=value&name=value' is needed")
    try:
        pairs = parse_qsl(text, keep_blank_values=True, strict_parsing=bool(text))
    except ValueError:
        raise ValueError(f"setting = {shown(text)}: a text such as 'name=value&name=value' is needed") from None
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"setting = {shown(text)}: {name} is given twice")
        found[name] = controls[name].read(name, value) if name in controls else value
    return checked(controls, found)
