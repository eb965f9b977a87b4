"""All claims in the report's order, the verdicts on them, and tables of both."""

from dataclasses import dataclass
from string import ascii_lowercase

import pandas as pd

from gamebalance.sanguosha.claims import section_6_3, section_8_2, section_9, section_10
from gamebalance.sanguosha.claims.readings import Results

#: Every claim with its readings, in the report's order.
CLAIMS = (*section_6_3.CLAIMS, *section_8_2.CLAIMS, *section_9.CLAIMS, *section_10.CLAIMS)


@dataclass(frozen=True)
class Verdict:
    """One reading of a claim and what the numbers say about it.

    Parameters
    ----------
    place : str
        Section of the report, such as ``"§8.2"``.
    number : str
        Number of the claim and letter of the reading, such as ``"5b"``.
    claim : str
        What the report says, in our words.
    reading : str
        The statement that is decided.
    verdict : str
        ``"true"``, ``"false"`` or ``"undecided"``.
    evidence : str
        The numbers that decide it, with standard errors; those without are exact or printed.
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
    for claim in CLAIMS:
        for letter, reading in zip(ascii_lowercase, claim.readings, strict=False):
            measures = getattr(results, reading.needs)
            if measures is not None:
                answer, evidence = reading.decide(measures)
                verdict = "undecided" if answer is None else "true" if answer else "false"
                number = f"{claim.number}{letter}"
                found.append(Verdict(f"§{claim.section}", number, claim.text, reading.text, verdict, evidence))
    return found


def verdict_table(ours: list[Verdict], shared: list[Verdict], printed: list[Verdict]) -> pd.DataFrame:
    """All readings with their verdicts by our numbers and by the printed ones.

    Parameters
    ----------
    ours, shared, printed : list of Verdict
        From `judge`: the consolation paid to each renegade, shared among them, and the report's own numbers.

    Returns
    -------
    DataFrame
        Columns place (``"§8.2 (5b)"``), claim, reading, numbers, verdict, and "by printed numbers" (None where the
        report has none). A verdict is "depends" where it is true when each renegade is paid and false when they
        share, or the other way round; the numbers then are those of both.
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
    """What becomes of each claim over its readings.

    Parameters
    ----------
    table : DataFrame
        From `verdict_table`.

    Returns
    -------
    DataFrame
        Columns place (``"§8.2 (5)"``), claim, verdict, "true in" and "false in" (letters of readings), "depends on".
        The verdict is "true" or "false" when all readings are, "depends" when readings differ or one of them depends,
        else "undecided". Only for "depends" does the last column say on what.
    """
    claim_places = table["place"].str[:-2] + ")"
    rows = []
    for claim in CLAIMS:
        readings = table[claim_places == claim.place]
        letters = {verdict: places.str[-2] for verdict, places in readings.groupby("verdict")["place"]}
        verdict = _summary(set(letters))
        rows.append(
            {
                "place": claim.place,
                "claim": claim.text,
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
