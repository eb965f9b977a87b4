"""The essay's update of beliefs about claims, as it is written there, defects and all (§4.2)."""

from gamebalance.multiplayer.games.werewolf.rules import SEER, VILLAGER, WOLF, Public, Speech

#: What the essay's player thinks of anybody who claims to be the seer for the first time.
FIRST_CLAIM = {SEER: 0.5, WOLF: 0.3, VILLAGER: 0.2}
STEP = 0.3


def essay_beliefs(public: Public) -> dict[int, dict[str, float]]:
    """Numbers that the essay's rule holds about each player who has claimed; nobody else has any.

    A first claim sets them. Each further claim of the same player adds 0.3 to "wolf" if anybody's "seer", his own
    included, is above 0.5, else to "seer". Nothing is normalised, and what was claimed is not looked at.
    """
    beliefs: dict[int, dict[str, float]] = {}
    for event in public.events:
        if not isinstance(event, Speech) or event.statement is None:
            continue
        if event.player not in beliefs:
            beliefs[event.player] = dict(FIRST_CLAIM)
        else:
            known_seer = any(belief[SEER] > 0.5 for belief in beliefs.values())
            beliefs[event.player][WOLF if known_seer else SEER] += STEP
    return beliefs
