"""What the study says about Count-8, as statements that code decides, and the tables they rest on.

The study (凑8游戏——图论分析, *The game Count-8: an analysis by graph theory*) closes with rules of thumb: a 3 is lucky
against 7,7, a 5 is dangerous, and so on. `statements` takes these and its other claims about N = 8 one by one, with the
readings that their wording allows, whether each reading holds, and the counts. The other functions make the tables.
"""

from chapters.countn.folklore.claims import statement_table, statements, verdict_counts
from chapters.countn.folklore.ends import common_divisor, missing_ends, missing_ends_by_size
from chapters.countn.folklore.lines import PLAYED_LINE, replay, reply_risks, thrown_away
from chapters.countn.folklore.positions import against, can_occur, care_summary, showing, sign, value_chart

__all__ = [
    "PLAYED_LINE",
    "against",
    "can_occur",
    "care_summary",
    "common_divisor",
    "missing_ends",
    "missing_ends_by_size",
    "replay",
    "reply_risks",
    "showing",
    "sign",
    "statement_table",
    "statements",
    "thrown_away",
    "value_chart",
    "verdict_counts",
]
