"""The vocabulary of the title: is a game fair, how would we know, and how many games would show it.

In the order in which to read it: `spreads` (Bal and Rat), `wording`; `tables`, `checking`, `wide`, `rows_of_games`,
`reading` and `games` (games that were played), `endings` and `walks` (the same of a model), `measures` (what fair can
mean), `equality` (tests of equal chances), `planning` (how many games), `looks` and `verdicts` (fair, unfair, or how
many more); `bets` and `monitor` (a verdict after every game), `stopping` (when it comes), `rotation` (what rotating
seats saves), `plots`; `laplace`, `lineups` and `persons` (strong people who like a role); and the package `reports`
(what the rules of a game say). The parts load on first use.
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
        "persons": ["PersonModel", "with_persons"],
        "planning": ["games_needed", "power", "power_curve", "power_within"],
        "reading": ["read_games"],
        "reports.skill": ["metagame"],
        "reports.outlook": ["Outlook", "outlook"],
        "reports.report": ["Report", "report"],
        "reports.tables": ["without_knowledge", "without_moves"],
        "rotation": ["rotation_saving", "spread_of"],
        "spreads": ["Results", "balance", "rationality"],
        "stopping": ["StoppingTimes", "stopping_times"],
        "verdicts": ["Verdict", "judge"],
    },
)
