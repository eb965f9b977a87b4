"""The table of small files that Python, the command and the page read alike."""

import base64
from dataclasses import dataclass, field
from pathlib import Path

import yaml

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Case:
    """A file, what is asked, and what has to come out; see ``readings.yaml``."""

    content: bytes
    options: dict = field(default_factory=dict)
    by: str | None = None
    labels: dict = field(default_factory=dict)
    verdict: str = "undecided"
    reading: str = ""
    refused: tuple[str, ...] = ()


def _content(case: dict) -> bytes:
    times = case.pop("times", 1)
    if "file" in case:
        return (HERE / "results" / case.pop("file")).read_bytes()
    if "bytes" in case:
        return base64.b64decode(case.pop("bytes"))
    head, _, body = case.pop("text").partition("\n")
    return f"{head}\n{body * times}".encode() if body or head else b""


CASES: dict[str, Case] = {
    name: Case(_content(case), **case)
    for name, case in yaml.safe_load((HERE / "readings.yaml").read_text(encoding="utf-8")).items()
}
