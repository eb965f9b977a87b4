"""Strategy profiles: what a reader writes, a mapping of mappings, and what the kernels use, one number a sequence."""

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np

from gamebalance.base.checks import check_seed, shown
from gamebalance.multiplayer.cfr.tree import GameTree, InformationSet
from gamebalance.multiplayer.protocols import check_probabilities

#: For each information set, the probability of each move there.
Profile = Mapping[Hashable, Mapping[Hashable, float]]

_NAMED = 3


def random_profile(game: Any, seed: int) -> dict[Hashable, dict[Hashable, float]]:
    """Each information set's mixture, drawn uniformly from all mixtures (a flat Dirichlet distribution)."""
    rng = np.random.default_rng(check_seed(seed))
    tree = GameTree.of(game)
    draws = rng.exponential(size=tree.sequences)
    return to_profile(tree, draws / np.repeat(np.add.reduceat(draws, tree.first[:-1]), np.diff(tree.first)))


def to_profile(tree: GameTree, strategy: np.ndarray) -> dict[Hashable, dict[Hashable, float]]:
    """A mapping of mappings from one probability per sequence."""
    chances = strategy.tolist()
    return {
        each.information: dict(zip(each.moves, chances[each.first : each.first + len(each.moves)], strict=True))
        for each in tree.information_sets
    }


def to_strategy(tree: GameTree, profile: Profile, but: int | None = None) -> np.ndarray:
    """One probability per sequence; moves that are not named have 0, as have all of the player `but`."""
    if not isinstance(profile, Mapping):
        raise ValueError(f"profile = {shown(profile)}: a mapping of information sets to probabilities is needed")
    _refuse("unknown", profile.keys() - {each.information for each in tree.information_sets})
    needed = [each for each in tree.information_sets if each.player != but]
    _refuse("missing", [each.information for each in needed if each.information not in profile])
    strategy = np.zeros(tree.sequences)
    for each in needed:
        strategy[each.first : each.first + len(each.moves)] = set_chances(each, profile[each.information])
    return strategy


def set_chances(each: InformationSet, chances: Mapping[Hashable, Any]) -> list[float]:
    """The probability of each move of an information set; moves that are not named have 0."""
    name = f"profile[{shown(each.information)}]"
    if not isinstance(chances, Mapping):
        raise ValueError(f"{name} = {shown(chances)}: a mapping of moves to probabilities is needed")
    illegal = [move for move in chances if move not in each.moves]
    if illegal:
        raise ValueError(f"{name}: {shown(illegal[0])} is no move there; the moves are {shown(each.moves)}")
    check_probabilities(name, chances.values())
    return [chances.get(move, 0.0) for move in each.moves]


def _refuse(what: str, sets) -> None:
    sets = sorted(map(shown, sets))
    if sets:
        more = f" and {len(sets) - _NAMED} more" if len(sets) > _NAMED else ""
        raise ValueError(f"profile: {len(sets)} information sets are {what}: {', '.join(sets[:_NAMED])}{more}")
