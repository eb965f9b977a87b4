"""Mafia under random play, as a game of the protocol in which chance alone moves: the model that `win` solves.

The people at a table are mafiosi, innocents and, if there are any, detectives, doctors, a witch and hunters. Nights, in
which the mafia kills, alternate with days, on which the living vote one player out; whoever is chosen is chosen by lot.
The innocents and all who help them have won when no mafioso is left; the mafia has won when nobody else is left, or, as
`Rules.half_rule` says, when it is at least half of the living. `mafia.rules` states every rule, `mafia.phases` what a
night and a day do. The rules are those of the study *Probabilités de victoire au jeu mafia*.
"""

from gamebalance.mafia import phases
from gamebalance.mafia.exact import Position, following
from gamebalance.mafia.idle import warn_of_idle
from gamebalance.mafia.people import Town
from gamebalance.mafia.rules import AS_CODED, Rules, check_game
from gamebalance.mafia.setups import ROLES, SIDES, Setup
from gamebalance.multiplayer.protocols import CHANCE, OVER


class RandomPlayGame:
    """Mafia in which nobody chooses, for the people of a set-up; a `Game` of `multiplayer.protocols`.

    A state is a town and the phase that comes next; a move of chance is the state after that phase. Players are in the
    order of `mafia.rules.ROLES`, mafiosi first. Whoever is on the side that wins gets 1, dead or alive.

    >>> from gamebalance.fairness.reports.exact import endings
    >>> endings(RandomPlayGame(Setup(1, 2, 1))).tally("seat", "points").means.round(6).tolist()
    [0.296296, 0.703704, 0.703704, 0.703704]
    """

    def __init__(self, setup: Setup, rules: Rules = AS_CODED, phase: str = "evening"):
        check_game(setup, rules, phase)
        warn_of_idle(setup, rules)
        if not setup.players:
            raise ValueError("setup = nobody: at least one player is needed")
        self.setup, self.rules, self.phase, self.players = setup, rules, phase, setup.players
        self.roles = tuple(role for name, role in ROLES.items() for _ in range(getattr(setup, name)))
        self.sides = tuple(SIDES[role] for role in self.roles)

    def __repr__(self) -> str:
        return f"RandomPlayGame({self.setup!r}, {self.rules!r}, {self.phase!r})"

    def start(self) -> Position:
        return Position(Town.of(self.setup, self.rules), self.phase, 1)

    def mover(self, state: Position) -> int:
        return OVER if self.winner(state) else CHANCE

    def moves(self, state: Position) -> dict[Position, float]:
        """The states that can follow, with their chances."""
        return {after: float(chance) for after, chance in following(state, self.rules).items()}

    def play(self, state: Position, move: Position) -> Position:
        return move

    def payoffs(self, state: Position) -> tuple[float, ...]:
        """1 for each member of the side that has won, 0 for all others and before the end."""
        winner = self.winner(state)
        return tuple(float(side == winner) for side in self.sides)

    def winner(self, state: Position) -> str | None:
        """The side that has won, "mafia" or "town"; None while the game goes on."""
        won = phases.winner(state.town, state.phase, self.rules)
        return "town" if won == "innocents" else won
