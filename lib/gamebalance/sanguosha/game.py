"""The simplified Sanguosha with open roles, as a game that the methods of `multiplayer` can play.

A lord, loyalists, rebels and renegades sit in a circle, with 4 health and two dodges each; nobody keeps more dodges
than health. The lord begins, and the living take turns. In a turn chance draws two cards, and the player picks a target
in reach, or nobody. Neighbours are in reach, and with a weapon from an earlier turn whoever sits up to 3 away, the dead
not counted. Then, in this order: a weapon is put on; each snatch takes the target's weapon, or else a dodge; each
dismantle destroys one; one slash costs the target a dodge, or else a health, and with the last one the life; each peach
heals one. All other cards but dodges are laid aside. When all rebels and renegades are dead, lord and loyalists have
won; when the lord dies, a renegade who is left alone has, and otherwise the rebels. This is the report's §2 to §4.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from gamebalance.base.checks import flag, instance, one_of
from gamebalance.multiplayer.protocols import CHANCE, OVER
from gamebalance.sanguosha.chain import openings
from gamebalance.sanguosha.lineup import Seating
from gamebalance.sanguosha.policies import Policies, check_policies
from gamebalance.sanguosha.rules import AS_CODED, Rules, check_rules
from gamebalance.sanguosha.scoring import REPORT_SCORING, SIDES
from gamebalance.sanguosha.table import Table
from gamebalance.sanguosha.targets import in_reach
from gamebalance.sanguosha.turn import Player


class Standing(NamedTuple):
    """Health, dodges and weapon by seat, whose turn it is, and of this turn ``(cards,)`` or ``(target,)`` if known."""

    players: tuple[Player, ...] = ()
    seat: int = 0
    half: tuple = ()


class SeatedGame:
    """Sanguosha for one seating of 2 to 10 players, who are the seats; a `Game` of `multiplayer.protocols`.

    A move is the target's seat, or None for nobody; those of chance are the dodges dealt, seat by seat, and the two
    cards drawn. `sees_cards` says whether targets are picked with the cards in sight, or before they are drawn.
    `payoff` is "win", 1 for whoever has won (of several renegades only the last), or "points", those of the report.

    >>> SeatedGame("023").roles
    ('lord', 'rebel', 'renegade')
    """

    def __init__(self, seating: Seating | str, rules: Rules = AS_CODED, sees_cards: bool = True, payoff: str = "win"):
        self.seating, self.rules = Seating(seating), check_rules(rules)
        self.sees_cards, self.payoff = flag("sees_cards", sees_cards), one_of("payoff", payoff, ("win", "points"))
        self.players, held = len(self.seating), self.seating.roles
        self.roles, self.sides = tuple(role.key for role in held), tuple(SIDES[role] for role in held)
        self._dealt = [{one.dodges: float(share) for one, share in openings(role, rules).items()} for role in held]
        drawn = zip(rules.hands, rules.hand_probability, strict=True)
        self._drawn = {hand: float(share) for hand, share in drawn if share}

    def __repr__(self) -> str:
        return f"SeatedGame({str(self.seating)!r}, {self.rules!r}, {self.sees_cards}, {self.payoff!r})"

    def start(self) -> Standing:
        return Standing(seat=self.rules.first_seat(self.players))

    def mover(self, state: Standing) -> int:
        if len(state.players) < self.players:
            return CHANCE
        if not state.half and Table(self.seating.roles, *state[:2]).winner:
            return OVER
        return state.seat if bool(state.half) == self.sees_cards else CHANCE

    def moves(self, state: Standing) -> list[int | None] | dict:
        if len(state.players) < self.players:
            return self._dealt[len(state.players)]
        if bool(state.half) != self.sees_cards:
            return self._drawn
        alive, weapon = [each.alive for each in state.players], state.players[state.seat].weapon
        return [*in_reach(state.seat, alive, weapon, self.rules.reach), None]

    def play(self, state: Standing, move) -> Standing:
        if len(state.players) < self.players:
            hearts = self.rules.health[self.seating.roles[len(state.players)]]
            return state._replace(players=(*state.players, Player(hearts, move)))
        if not state.half:
            return state._replace(half=(move,))
        cards, target = (*state.half, move) if self.sees_cards else (move, *state.half)
        after = Table(self.seating.roles, *state[:2]).after(target, cards, self.rules).table
        return Standing(after.players, after.seat)

    def payoffs(self, state: Standing) -> tuple[float, ...]:
        if self.mover(state) != OVER:
            return (0.0,) * self.players
        table = Table(self.seating.roles, *state[:2])
        if self.payoff == "win":
            return tuple(map(float, table.won))
        points = REPORT_SCORING.of_members(self.seating.lineup, table.alive)
        return tuple(points[[int(player.alive) for player in state.players], self.seating.roles].tolist())


def report_policy(game: SeatedGame, policies: Policies | None = None) -> Callable[[Standing, Sequence], dict]:
    """The report's rule (§4.2.1), or for the roles named in `policies` another, as chances of moves in a state."""
    instance("game", game, SeatedGame)
    chosen, roles = check_policies(policies, game.seating), game.seating.roles

    def chances(state: Standing, moves: Sequence[int | None]) -> dict[int | None, float]:
        cards = state.half[0] if game.sees_cards else None
        picked: Sequence[int | None] = chosen[roles[state.seat]].targets(
            state.seat, roles, state.players, cards, game.rules
        ) or [None]
        return {move: (move in picked) / len(picked) for move in moves}

    return chances
