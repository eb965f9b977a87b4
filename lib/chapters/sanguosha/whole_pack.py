"""Sanguosha with what the report leaves out: a pack that runs out, cards without effect, what follows a kill.

The tables of solver and fast simulator know no pack and no roles, so games are played turn by turn, 1,000 a second.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random

from gamebalance.base.checks import whole_number
from gamebalance.sanguosha.lineup import Lineup, Role, Seating
from gamebalance.sanguosha.outcomes import Outcomes
from gamebalance.sanguosha.rules import OPENING_DODGES, REPORT_DECK, Card
from gamebalance.sanguosha.scoring import Alive
from gamebalance.sanguosha.table import Table, open_table
from gamebalance.sanguosha.turn import Player

WHOLE = Counter(dict(zip(Card, REPORT_DECK, strict=True)))


@dataclass
class Pack:
    """Cards to draw, None for one without effect; the arguments are those of `play_whole`."""

    random: Random
    finite: bool
    blanks: int
    left: list[Card | None] = field(default_factory=list)

    def draw(self, count: int, players: Sequence[Player], drawn: Sequence[Card | None] = ()) -> list[Card | None]:
        """So many cards; an empty pack is made of all that are neither held nor drawn in this turn."""
        new: list[Card | None] = []
        for _ in range(count):
            if not self.left:
                out = Counter([*drawn, *new] * self.finite)
                held = {Card.DODGE: sum(each.dodges for each in players), Card.WEAPON: sum(p.weapon for p in players)}
                out.update(held if self.finite else {})
                self.left = [*(WHOLE - out).elements(), *[None] * (self.blanks - out[None])]
                self.random.shuffle(self.left)
            new.append(self.left.pop() if self.finite else self.random.choice(self.left))
        return new


def play_whole(
    lineup: Lineup | str, games: int, seed: int, finite: bool = False, blanks: int = 0, kills: bool = False
) -> Outcomes:
    """How so many games in each seating end; as no seating is drawn, the true standard errors are a little smaller.

    Parameters
    ----------
    finite : bool
        Cards come from one pack, shuffled anew when it is empty.
    blanks : int
        Cards without effect, beside the report's 71.
    kills : bool
        What note 2.3 leaves out: whoever kills a rebel draws three cards, puts on a weapon, eats peaches and keeps
        dodges (the rest finds no target: the chosen one is dead, the slash of the turn is played); a lord who kills a
        loyalist loses his weapon and his hand, with the peaches not yet eaten.
    """
    lineup, random = Lineup.parse(lineup), Random(whole_number("seed", seed, 0))
    if finite and kills:
        raise ValueError("kills = True: with one finite pack it is not played")
    if finite and OPENING_DODGES * lineup.players > WHOLE[Card.DODGE]:
        raise ValueError(f"lineup = {lineup}: a pack of {WHOLE.total()} cards has too few dodges for the first hands")
    each = lineup.seatings() * whole_number("games", games, 1)
    ended = Counter(
        _ending(seating, Pack(random, finite, whole_number("blanks", blanks, 0)), kills) for seating in each
    )
    return Outcomes(lineup, {alive: ended[alive] / len(each) for alive in sorted(ended)}, games=len(each))


def _ending(seating: Seating, pack: Pack, kills: bool) -> Alive:
    """Who is alive at the end of a game."""
    table = open_table(seating)
    while table.winner is None:
        found, drawn = table.candidates(), pack.draw(2, table.players)
        target, cards = pack.random.choice(found) if found else None, tuple(card for card in drawn if card is not None)
        after = table.after(target, cards).table
        if kills and target is not None and not after.players[target].alive:
            after = _rewarded(table, target, after, drawn, pack)
        table = after
    return table.alive


def _rewarded(before: Table, target: int, after: Table, drawn: list[Card | None], pack: Pack) -> Table:
    """The table after a kill that is rewarded or punished."""
    seat, players = before.seat, list(after.players)
    if before.roles[target] == Role.REBEL:
        kept = [card for card in pack.draw(3, players, drawn) if card in (Card.DODGE, Card.PEACH, Card.WEAPON)]
        hand = tuple(card for card in drawn + kept if card is not None)
        players[seat] = before.after(target, hand).table.players[seat]
    elif (before.roles[seat], before.roles[target]) == (Role.LORD, Role.LOYALIST):
        players[seat] = Player(before.players[seat].health, 0)
    return replace(after, players=tuple(players))
