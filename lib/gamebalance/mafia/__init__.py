"""Mafia (Werewolf) under random play: who wins, which set-ups are fair, and why.

In the order in which to read it: `setups` (who sits in town), `rules` (what can be chosen), `ties` (how many have
most votes), `people` (the living as groups, and how one of them is chosen), `phases` (a night and a day), `exact`
(who wins, in fractions), `win` (the same in floating point), `endings` (wins and survival of each role, also with
something changed), `balance` (tables of chances to win), `design` (fair set-ups, and the fewest changes to one),
`simulation` (games played by chance), `idle` (roles that can do nothing). `kernels` holds what is compiled,
once it is much.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "balance": ["balance_table", "win_table"],
        "design": ["cheapest_repair", "closest", "fair_setups"],
        "endings": ["endings", "what_if"],
        "idle": ["idle_roles"],
        "rules": ["AS_CODED", "AS_WRITTEN", "HALF_RULES", "PHASES", "Rules", "VOTES"],
        "setups": ["Setup"],
        "simulation": ["Sample", "simulate"],
        "win": ["length_distribution", "solve", "win_probability"],
    },
)
