"""What the study says about Count-8, as statements that code decides, and the tables they rest on.

The study (凑8游戏——图论分析, *The game Count-8: an analysis by graph theory*) closes with rules of thumb: a 3 is lucky
against 7,7, a 5 is dangerous, and so on. `statements` takes these and its other claims about N = 8 one by one, with the
readings that their wording allows, whether each reading holds, and the counts. The other functions make the tables.
"""

from gamebalance.countn.folklore.facts import VERDICTS, Facts, Statement
from gamebalance.countn.folklore.graphs import (
    backward_graph,
    common_divisor,
    drawn_graph,
    longest_line_back,
    missing_ends,
    missing_ends_by_size,
    potential_states,
)
from gamebalance.countn.folklore.lines import PLAYED_LINE, replay, reply_risks, thrown_away, trap_chance
from gamebalance.countn.folklore.positions import (
    SEVENS,
    against,
    can_occur,
    care,
    care_summary,
    reachable_positions,
    showing,
    sign,
    value_chart,
)
from gamebalance.countn.folklore.statements import statement_table, statements, verdict_counts

__all__ = [
    "PLAYED_LINE",
    "SEVENS",
    "VERDICTS",
    "Facts",
    "Statement",
    "against",
    "backward_graph",
    "can_occur",
    "care",
    "care_summary",
    "common_divisor",
    "drawn_graph",
    "longest_line_back",
    "missing_ends",
    "missing_ends_by_size",
    "potential_states",
    "reachable_positions",
    "replay",
    "reply_risks",
    "showing",
    "sign",
    "statement_table",
    "statements",
    "thrown_away",
    "trap_chance",
    "value_chart",
    "verdict_counts",
]
