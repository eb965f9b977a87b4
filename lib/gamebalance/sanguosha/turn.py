"""What a turn does to the player whose turn it is and to the chosen target: the one place where that rule stands.

`take_turn` is the rule, readable beside the report's §4.2.2. The exact solver and the compiled simulator never restate
it: both work from tables made by calling it on every pair of players and every pair of cards.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from gamebalance.sanguosha.rules import FIRST_TURNS, MAX_HEALTH, OPENINGS, REPORT_DECK, Card, Rules


class Player(NamedTuple):
    """What the state remembers of one player: health 0 to 4, dodges in hand 0 to health, weapon in front or not."""

    health: int
    dodges: int
    weapon: bool = False

    @property
    def alive(self) -> bool:
        return self.health > 0


DEAD_PLAYER = Player(0, 0, False)

#: The living states of a player, by code; health in the slowest place, then dodges, then weapon.
LIVING_PLAYERS = tuple(
    Player(health, dodges, weapon)
    for health in range(1, MAX_HEALTH + 1)
    for dodges in range(health + 1)
    for weapon in (False, True)
)

#: Number of living codes (28) and the code that follows them, for a dead player.
CODES = len(LIVING_PLAYERS)
DEAD = CODES

#: Player of each code 0 to 28, and back.
PLAYERS = (*LIVING_PLAYERS, DEAD_PLAYER)
CODE_OF = {player: code for code, player in enumerate(PLAYERS)}

#: Turns after which a game counts as one that never ends; under the report's rule even ten players need far fewer.
MOST_TURNS = 100_000


class EndlessGame(ValueError):
    """A game has gone on for more than `MOST_TURNS` turns."""


@dataclass(frozen=True)
class Turn:
    """A turn's result: both players afterwards (`target` None if there was none) and what happened, in order.

    Events are words: ``equip``, ``snatch weapon``, ``snatch dodge``, ``dismantle weapon``, ``dismantle dodge``,
    ``dodged``, ``hit``, ``peach``, ``discard dodge``.
    """

    actor: Player
    target: Player | None
    events: tuple[str, ...]


def take_turn(
    actor: Player,
    target: Player | None,
    cards: tuple[Card, ...],
    near: bool,
    rules: Rules,
    hearts: int = MAX_HEALTH,
) -> Turn:
    """Play the cards drawn against the chosen target, None when nobody may be attacked.

    `actor` before drawing; `near`: whether the target sits at distance 1; `hearts`: the most that a peach can heal to.

    Notes
    -----
    The order is that of the report's §4.2.2: equip, snatch, dismantle, at most one slash, peach, discard all but
    dodges and then dodges above health. A weapon is taken before a dodge; a hand holds nothing but dodges (note 4.3).
    """
    health, dodges, weapon = actor
    dodges += cards.count(Card.DODGE)
    events = []
    if Card.WEAPON in cards and not weapon:
        weapon = True
        events.append("equip")
    if target is not None:
        if near or rules.snatch_any_distance:
            for _ in range(cards.count(Card.SNATCH)):
                target, taken = _lose_card(target)
                if taken == "weapon" and rules.stolen_weapon_equipped:
                    weapon = True
                if taken == "dodge":
                    dodges += 1
                events += [f"snatch {taken}"] if taken else []
        for _ in range(cards.count(Card.DISMANTLE)):
            target, taken = _lose_card(target)
            events += [f"dismantle {taken}"] if taken else []
        if Card.SLASH in cards:
            target, answer = _answer_slash(target)
            events.append(answer)
    healed = min(cards.count(Card.PEACH), max(hearts - health, 0))
    health += healed
    events += ["peach"] * healed
    events += ["discard dodge"] * max(dodges - health, 0)
    return Turn(Player(health, min(dodges, health), weapon), target, tuple(events))


def _lose_card(player: Player) -> tuple[Player, str]:
    """The player without the card that snatch or dismantle takes, and which it was ("" if there is none)."""
    if player.weapon:
        return player._replace(weapon=False), "weapon"
    if player.dodges:
        return player._replace(dodges=player.dodges - 1), "dodge"
    return player, ""


def _answer_slash(player: Player) -> tuple[Player, str]:
    """The player after a slash: one dodge less, or one health less; whoever dies loses the weapon (report §2.3)."""
    if player.dodges:
        return player._replace(dodges=player.dodges - 1), "dodged"
    if player.health == 1:
        return DEAD_PLAYER, "hit"
    return player._replace(health=player.health - 1), "hit"


@lru_cache(maxsize=16)
def turn_codes(rules: Rules, hearts: int = MAX_HEALTH) -> np.ndarray:
    """What every turn does, in codes, if the player whose turn it is has so many hearts: int8, (2, hands, 28, 29, 2).

    Indexed by [target near, one of `Rules.hands`, actor code, target code]; the last axis holds the codes of actor and
    target afterwards. Target code 28 stands for "no target" and stays 28; a living target may become 28, dead.
    ValueError if the rules lead to what the state cannot hold, or let the player whose turn it is die.
    """
    # How many cards of a kind there are, and who begins, says nothing of a turn: other decks share a table.
    return _turn_codes(replace(rules, deck=REPORT_DECK, opening=OPENINGS[0], first=FIRST_TURNS[0]), hearts, take_turn)


@lru_cache(maxsize=16)
def _turn_codes(rules: Rules, hearts: int, take: Callable[..., Turn]) -> np.ndarray:
    """`turn_codes`; a turn is what `take` says."""
    table = np.empty((2, len(rules.hands), CODES, CODES + 1, 2), np.int8)
    for near in (False, True):
        for hand, cards in enumerate(rules.hands):
            for code, actor in enumerate(LIVING_PLAYERS):
                for other in range(CODES + 1):
                    target = LIVING_PLAYERS[other] if other < CODES else None
                    turn = take(actor, target, cards, near, rules, hearts)
                    left = DEAD_PLAYER if target is None else turn.target
                    if turn.actor not in CODE_OF or left not in CODE_OF or not turn.actor.alive:
                        raise ValueError(_impossible(actor, target, cards, turn))
                    table[int(near), hand, code, other] = CODE_OF[turn.actor], CODE_OF[left]
    table.setflags(write=False)
    return table


def _impossible(actor: Player, target: Player | None, cards: tuple[Card, ...], turn: Turn) -> str:
    played = f"{' and '.join(card.english for card in cards)} turn {tuple(actor)} into {tuple(turn.actor)}"
    against = "" if target is None else f", against {tuple(target)}, which becomes {turn.target and tuple(turn.target)}"
    return (
        f"rules: {played}{against} (health, dodges, weapon): the player whose turn it is must live on, "
        f"health be at most {MAX_HEALTH}, and dodges at most health"
    )
