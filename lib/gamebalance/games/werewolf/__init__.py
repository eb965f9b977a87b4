"""Werewolf 狼人杀: wolves, a seer, villagers; claims, true and false; votes; and what an observer can know.

Every strategy is a declared distribution of actions given what a player knows, so the probability of any public history
under any assignment of roles is exact. `Observer` turns it into beliefs.
"""

from gamebalance.games.werewolf.observer import Observer, PlanObserver
from gamebalance.games.werewolf.playing import Game, all_histories, exact_town_win_rate, play, town_win_rate
from gamebalance.games.werewolf.rules import ROLES, SEER, VILLAGER, WOLF, Public, Setup, start, view
from gamebalance.games.werewolf.strategies import VOTES, Strategies

__all__ = [
    "ROLES",
    "SEER",
    "VILLAGER",
    "VOTES",
    "WOLF",
    "Game",
    "Observer",
    "PlanObserver",
    "Public",
    "Setup",
    "Strategies",
    "all_histories",
    "exact_town_win_rate",
    "play",
    "start",
    "town_win_rate",
    "view",
]
