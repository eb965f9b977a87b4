"""The vocabulary of the title: is a game fair, how would we know, and how many games would show it.

To be read in this order: `spreads`, `wording`, `page`; `tables`, `checking`, `wide`, `rows_of_games`, `reading`,
`games`; `endings`, `walks`, `measures`; `equality`, `planning`, `looks`, `verdicts`; `bets`, `monitor`, `stopping`,
`rotation`, `plots`, `season`; and the packages `ratings`, `reports` and `tuning`. The parts load on first use.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submodules=["measures", "walks"],
    submod_attrs={
        "endings": ["Endings", "of"],
        "games": ["Games"],
        "measures": ["decisiveness", "drawishness", "envy", "is_kingmaker", "lead_changes", "spread", "worst_off"],
        "monitor": ["Monitor"],
        "planning": ["games_needed", "power", "power_curve", "power_within"],
        "ratings.rate": ["rate"],
        "ratings.rating": ["Rating"],
        "reading": ["read_games"],
        "reports.comparison": ["Comparison", "compare"],
        "reports.skill": ["metagame"],
        "reports.outlook": ["Outlook", "outlook"],
        "reports.report": ["Report", "report"],
        "reports.tables": ["without_knowledge", "without_moves"],
        "rotation": ["rotation_saving", "spread_of"],
        "season": ["Seatings", "seatings"],
        "spreads": ["Results", "balance", "rationality"],
        "stopping": ["StoppingTimes", "stopping_times"],
        "tuning.result": ["Tuning"],
        "tuning.tune": ["tune"],
        "verdicts": ["Verdict", "judge"],
    },
)
