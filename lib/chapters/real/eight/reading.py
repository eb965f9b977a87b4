"""The rule of a `Behaviour`, readable, and one game played by it: what the compiled kernel is held to.

What a turn does is `sanguosha.turn`, who is in reach and the report's choice are `sanguosha.targets`. Cards and targets
are drawn from the words of the game with the same number in `sanguosha.simulate`, and coins from other words: at the
report's parameters the games are its games, card by card.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from chapters.real.eight.behaviour import EIGHT, Behaviour
from gamebalance.base.checks import MOST_GAMES, check_seed, whole_number
from gamebalance.base.splitmix import mix
from gamebalance.sanguosha import AS_CODED, Role
from gamebalance.sanguosha.stream import Stream
from gamebalance.sanguosha.table import Move, Table, moves, open_table
from gamebalance.sanguosha.targets import are_revealed, in_reach

#: By seat, how a player has acted last as far as all could see: "against" the lord, or "for" him.
Marks = Mapping[int, str]

#: Whether a coin that falls so with this chance has fallen so.
Coin = Callable[[float], bool]


class Played(NamedTuple):
    """A finished game: the side that won, the turns it took, and how often each seat was marked at its end."""

    winner: str
    turns: int
    marks: dict[int, str]


def coin_seed(seed: int) -> int:
    """The seed of the coins of a seed: other words than those of cards and targets."""
    return mix(check_seed(seed)) >> 1


def limit(chance: float) -> int:
    """The words below this, of 2^32, are those for which a coin of this chance falls."""
    return round(chance * 2**32)


def play(behaviour: Behaviour, seed: int, number: int = 0) -> Played:
    """Game `number` of a seed, at a table of eight, by the rules that the report's programs play.

    Parameters
    ----------
    behaviour : Behaviour
    seed : int
        0 to 2^63 - 1.
    number : int
        Which of the seed's games, 0 to 2^63 - 1.

    Examples
    --------
    >>> play(Behaviour(rush=1), seed=1).winner
    'rebels'
    """
    number = whole_number("number", number, 0, MOST_GAMES)
    stream, coins = Stream(seed, number), Stream(coin_seed(seed), number)
    marks: dict[int, str] = {}
    seating = stream.seating(EIGHT)
    opening = open_table(seating, stream.opening(seating, AS_CODED))

    def coin(chance: float) -> bool:
        return limit(chance) > 0 and coins.word() < limit(chance)  # one that cannot fall is not tossed

    def choose(table: Table, cards) -> int | None:
        return stream.choose(targets(behaviour, table, marks, coin))

    turns, table = 0, opening
    for move in moves(opening, stream, AS_CODED, choose):
        marks = marked(marks, move)
        turns, table = turns + 1, move.table
    return Played(table.winner, turns, marks)


def marked(marks: Marks, move: Move) -> dict[int, str]:
    """The marks after a move: what it showed of the player whose turn it was.

    A move shows something if its target lost anything. Who hurts the lord, or one who acted for him, acts against
    the lord; who hurts one who acted against him acts for him; who hurts anybody else shows nothing new.
    """
    seat, target = move.before.seat, move.target
    if target is None or move.table.players[target] == move.before.players[target]:
        return dict(marks)
    if move.before.roles[target] == Role.LORD or marks.get(target) == "for":
        return {**marks, seat: "against"}
    return {**marks, seat: "for"} if marks.get(target) == "against" else dict(marks)


def targets(behaviour: Behaviour, table: Table, marks: Marks, coin: Coin) -> list[int]:
    """The seats among which the player to move picks, each equally likely; none to pass."""
    seat, roles, usual = table.seat, table.roles, table.candidates(AS_CODED)
    alive = [player.alive for player in table.players]
    reach = in_reach(seat, alive, table.players[seat].weapon)
    revealed = are_revealed(roles, alive)
    match roles[seat]:
        case Role.LORD if revealed:
            duel = not table.alive[Role.REBEL] and reach and coin(behaviour.duel)
            return reach if duel else usual
        case Role.LORD | Role.LOYALIST:
            return _loyal(behaviour, usual, marks, coin)
        case Role.REBEL:
            return usual if revealed else _rebellious(behaviour, usual, table, reach, marks, coin)
    lord = [other for other in reach if roles[other] == Role.LORD]
    if lord and sum(alive) <= behaviour.turn:
        return lord
    if not revealed and table.alive[Role.REBEL] and coin(behaviour.cover):
        return _loyal(behaviour, [other for other in reach if other not in lord], marks, coin)
    return usual


def _loyal(behaviour: Behaviour, usual: list[int], marks: Marks, coin: Coin) -> list[int]:
    """Among these, whom one who is for the lord, or seems so, attacks."""
    if coin(behaviour.suspicion):
        foes = [other for other in usual if marks.get(other) == "against"]
        if foes:
            return foes
        usual = [other for other in usual if marks.get(other) != "for"]
    return [] if coin(behaviour.spares) else usual


def _rebellious(
    behaviour: Behaviour, usual: list[int], table: Table, reach: list[int], marks: Marks, coin: Coin
) -> list[int]:
    """Among the lord and these, whom a rebel attacks while a loyalist lives."""
    lord = [other for other in reach if table.roles[other] == Role.LORD]
    if lord and coin(behaviour.rush):
        return lord
    knows = coin(behaviour.kin)
    if knows:
        usual = [other for other in usual if table.roles[other] != Role.REBEL]
    if coin(behaviour.suspicion):
        foes = [other for other in usual if marks.get(other) == "for"]
        if foes:
            return foes
        if not knows:
            usual = [other for other in usual if marks.get(other) != "against"]
    return usual if knows else [] if coin(behaviour.spares) else usual
