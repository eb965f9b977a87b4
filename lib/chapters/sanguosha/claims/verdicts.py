"""The report's claims as ``claims.yaml`` states them, the verdicts on their readings, and tables of both."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import pandas as pd

from chapters.sanguosha.claims.decisions import DECISIONS
from chapters.sanguosha.claims.measures import Measures
from gamebalance.base.checks import shown
from gamebalance.sanguosha.lineup import LINEUPS


class Claim(NamedTuple):
    """What the report says: section, number, our words, and the readings of it by letter.

    `depends_on` completes "it depends on", for claims with several readings.
    """

    section: str
    number: int
    claim: str
    readings: dict[str, str]
    depends_on: str = ""

    def place(self, letter: str = "") -> str:
        """Where the claim or one of its readings stands: ``"§8.2 (5)"``, ``"§8.2 (5b)"``."""
        return f"§{self.section} ({self.number}{letter})"


@cache
def all_claims() -> tuple[Claim, ...]:
    """Every claim, in the report's order; ValueError if ``claims.yaml`` and `DECISIONS` have different readings.

    Examples
    --------
    >>> all_claims()[1].place("a"), all_claims()[1].claim
    ('§6.3 (2a)', 'With four players the scoring is very unbalanced.')
    """
    import yaml  # only when the claims are asked for

    stated = yaml.safe_load(files("chapters.sanguosha.claims").joinpath("claims.yaml").read_text("utf-8"))
    claims = [Claim(section, number, **its) for section, part in stated.items() for number, its in part.items()]
    places = {claim.place(letter) for claim in claims for letter in claim.readings}
    if odd := places ^ DECISIONS.keys():
        raise ValueError(f"claims.yaml and decisions.py differ in {', '.join(sorted(odd))}")
    return tuple(claims)


@dataclass(frozen=True)
class Results:
    """Everything the claims are judged by; parts that are None leave their readings out.

    The report's nine line-ups, the six seatings of four players, `all_lineups`, and the methods of `printed_methods`.
    """

    lineups: Mapping[str, Measures]
    seatings: Mapping[str, Measures] | None = None
    every: Mapping[str, Measures] | None = None
    methods: Mapping[str, Measures] | None = None

    def __post_init__(self):
        if set(self.lineups) != set(map(str, LINEUPS)):
            raise ValueError(f"lineups = {shown(list(self.lineups))}: the report's nine line-ups are needed")


@dataclass(frozen=True)
class Verdict:
    """One reading of a claim, such as place ``"§8.2"``, number ``"5b"``, and what the numbers say about it.

    The verdict is ``"true"``, ``"false"`` or ``"undecided"``; `evidence` has the numbers that decide it, with standard
    errors; those without are exact or printed.
    """

    place: str
    number: str
    claim: str
    reading: str
    verdict: str
    evidence: str


def judge(results: Results) -> list[Verdict]:
    """Decide every reading for which `results` has the numbers, in the report's order."""
    found = []
    for claim in all_claims():
        for letter, reading in claim.readings.items():
            needs, decide = DECISIONS[claim.place(letter)]
            measures = getattr(results, needs)
            if measures is not None:
                answer, evidence = decide(measures)
                verdict = "undecided" if answer is None else "true" if answer else "false"
                number = f"{claim.number}{letter}"
                found.append(Verdict(f"§{claim.section}", number, claim.claim, reading, verdict, evidence))
    return found


def verdict_table(ours: list[Verdict], shared: list[Verdict], printed: list[Verdict]) -> pd.DataFrame:
    """All readings with their verdicts by our numbers and by the printed ones.

    In `ours` the consolation is paid to each renegade, in `shared` it is shared among them. A verdict is "depends"
    where it is true of one and false of the other; the numbers then are those of both.
    """
    by_share = {(one.place, one.number): one for one in shared}
    by_print = {(one.place, one.number): one.verdict for one in printed}
    rows = []
    for one in ours:
        key = one.place, one.number
        turns = {one.verdict, by_share[key].verdict} == {"true", "false"}
        rows.append(
            {
                "place": f"{one.place} ({one.number})",
                "claim": one.claim,
                "reading": one.reading,
                "numbers": one.evidence + (f"; if shared, {by_share[key].evidence}" if turns else ""),
                "verdict": "depends" if turns else one.verdict,
                "by printed numbers": by_print.get(key),
            }
        )
    return pd.DataFrame(rows)


def claim_table(table: pd.DataFrame) -> pd.DataFrame:
    """What becomes of each claim over its readings, from a `verdict_table`.

    The verdict is "true" or "false" when all readings are, "depends" when readings differ or one of them depends, else
    "undecided"; "true in" and "false in" have letters of readings, and "depends on" says on what, for "depends" only.
    """
    claim_places = table["place"].str[:-2] + ")"
    rows = []
    for claim in all_claims():
        readings = table[claim_places == claim.place()]
        letters = {verdict: places.str[-2] for verdict, places in readings.groupby("verdict")["place"]}
        verdict = _summary(set(letters))
        rows.append(
            {
                "place": claim.place(),
                "claim": claim.claim,
                "verdict": verdict,
                "true in": ", ".join(letters.get("true", ())),
                "false in": ", ".join(letters.get("false", ())),
                "depends on": claim.depends_on if verdict == "depends" else "",
            }
        )
    return pd.DataFrame(rows)


def _summary(verdicts: set[str]) -> str:
    """The verdict on a claim, from those on its readings."""
    if len(verdicts) == 1:
        return next(iter(verdicts))
    return "depends" if "depends" in verdicts or {"true", "false"} <= verdicts else "undecided"
