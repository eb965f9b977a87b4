"""Werewolf 狼人杀: wolves, a seer, villagers; claims, true and false; votes; and what an observer can know.

Every strategy is a declared distribution of actions given what a player knows, so the probability of any public history
under any assignment of roles is exact. `Observer` turns it into beliefs.
"""

from gamebalance.multiplayer.games.werewolf.essay import essay_beliefs
from gamebalance.multiplayer.games.werewolf.forecasts import SituationCounts, before_votes, essay_forecast
from gamebalance.multiplayer.games.werewolf.observer import Observer, PlanObserver
from gamebalance.multiplayer.games.werewolf.play import Game, play, town_win_rate
from gamebalance.multiplayer.games.werewolf.rules import ROLES, SEER, VILLAGER, WOLF, Public, Setup, start, view
from gamebalance.multiplayer.games.werewolf.strategies import VOTES, Strategies
from gamebalance.multiplayer.games.werewolf.tree import all_histories, exact_town_win_rate

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
    "SituationCounts",
    "Strategies",
    "all_histories",
    "before_votes",
    "essay_beliefs",
    "essay_forecast",
    "exact_town_win_rate",
    "play",
    "start",
    "town_win_rate",
    "view",
]
