"""Chapter 5.7's games of eight: how people play Sanguosha in seven numbers, one game readable, very many compiled.

The habits stand twice, as `targets` and as `_choice`: which coins are tossed depends on what each has shown, so that a
table of answers would be longer than the rule. Tests hold one to the other.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import lru_cache

import numpy as np

from gamebalance.base.jit import njit
from gamebalance.base.lanes import lowest, ones
from gamebalance.base.rounding import meant
from gamebalance.base.splitmix import mix
from gamebalance.sanguosha import AS_CODED, Lineup, Role
from gamebalance.sanguosha.kernels import rule_tables
from gamebalance.sanguosha.kernels.rule_tables import FIRST, HEALTHIEST, SECOND
from gamebalance.sanguosha.outcomes import Outcomes
from gamebalance.sanguosha.rules import MAX_HEALTH, OPENING_DODGES
from gamebalance.sanguosha.stream import (
    Stream,
    alias_table,
    drawn_hand,
    next_word,
    open_stream,
)
from gamebalance.sanguosha.table import Move, Table, moves, open_table
from gamebalance.sanguosha.targets import are_revealed, distances, in_reach
from gamebalance.sanguosha.turn import CODE_OF, DEAD, MOST_TURNS, PLAYERS, Player, turn_codes

COMPILES = "the simulator of behaviours, 3 to 10 s"

#: One lord, two loyalists, four rebels and one renegade.
EIGHT = Lineup(2, 4, 1)
#: Who can win, in the order of every array of three here.
OUTCOMES = ("lord", "rebels", "renegade")
LORD_SIDE, REBELS, RENEGADE, ENDLESS = 0, 1, 2, -1
#: Places in the vector of limits: of the coins, and last how many players live when the renegade turns.
RUSH, KIN, SUSPICION, SPARES, COVER, TURN, DUEL = range(7)
#: Seats, and the lord's as a mask.
SEATS, LORD = 8, 1
OPENED = CODE_OF[Player(MAX_HEALTH, OPENING_DODGES)]
#: Health and weapon by code, and what stands around a seat behind who is in reach.
HEALTH = np.array([player.health for player in PLAYERS])
ARMED = np.array([int(player.weapon) for player in PLAYERS])
NEAR, NEXT = 2, 3

#: By seat, how a player has acted last as far as all could see: "against" the lord, or "for" him.
Marks = Mapping[int, str]
#: Whether a coin that falls with this chance has fallen.
Coin = Callable[[float], bool]

u32 = np.uint32


@dataclass(frozen=True)
class Behaviour:
    """Whom players attack: chances, at most 0.5 for `spares`, but for `turn` (2 to 8); by default the report's rule."""

    rush: float = 0.0
    kin: float = 0.0
    suspicion: float = 0.0
    spares: float = 0.0
    cover: float = 0.0
    turn: int = 2
    duel: float = 0.0

    @property
    def changed(self) -> dict[str, float]:
        """The parameters that are not the report's."""
        return {name: getattr(self, name) for name in PARAMETERS if getattr(self, name) != getattr(REPORT, name)}


PARAMETERS = tuple(field.name for field in fields(Behaviour))
#: The report's rule.
REPORT = Behaviour()


def limit(chance: float) -> int:
    """The words below this, of 2^32, are those for which a coin of this chance falls."""
    return round(chance * 2**32)


def play(behaviour: Behaviour, seed: int, number: int = 0) -> tuple[str, int]:
    """Who wins game `number` of a seed, and in how many turns."""
    stream, coins = Stream(seed, number), Stream(mix(seed) >> 1, number)
    marks: dict[int, str] = {}
    seating = stream.seating(EIGHT)
    table = open_table(seating, stream.opening(seating, AS_CODED))

    def coin(chance: float) -> bool:
        return limit(chance) > 0 and coins.word() < limit(chance)  # one that cannot fall is not tossed

    def choose(table: Table, cards) -> int | None:
        return stream.choose(targets(behaviour, table, marks, coin))

    turns = 0
    for move in moves(table, stream, AS_CODED, choose):
        marks = marked(marks, move)
        turns, table = turns + 1, move.table
    return table.winner, turns


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


@dataclass(frozen=True)
class Wins:
    """How often the lord's side, the rebels and the renegade have won, and the mean turns of a game."""

    counts: tuple[int, int, int]
    turns: float = float("nan")

    @classmethod
    def of(cls, outcomes: Outcomes) -> "Wins":
        """Those of the report's rule; exact endgames stand for games that are played, and the errors are too wide."""
        shares = np.array([outcomes.winning[side] for side in OUTCOMES])
        return cls(tuple(np.round(shares * outcomes.games).astype(int).tolist()), outcomes.turns)

    @property
    def games(self) -> int:
        """How many games were played."""
        return sum(self.counts)

    @property
    def shares(self) -> np.ndarray:
        """Shares of the games won by each side, shape (3,)."""
        return meant(np.array(self.counts) / self.games)

    @property
    def errors(self) -> np.ndarray:
        """Standard errors of `shares`, shape (3,)."""
        return meant(np.sqrt(self.covariance.diagonal()))

    @property
    def covariance(self) -> np.ndarray:
        """Covariance of `shares`, shape (3, 3)."""
        share = np.array(self.counts) / self.games
        return (np.diag(share) - np.outer(share, share)) / self.games


def simulate(behaviour: Behaviour, games: int, seed: int) -> Wins:
    """Play many games of eight by one behaviour; all behaviours use the same words of a seed."""
    won, turns = winners(behaviour, games, seed)
    return Wins(tuple(np.bincount(won, minlength=3).tolist()), turns / games)


def winners(behaviour: Behaviour, games: int, seed: int) -> tuple[np.ndarray, int]:
    """Who won each of these games, as places in `OUTCOMES`, and the turns of all of them."""
    values = {name: getattr(behaviour, name) for name in PARAMETERS}
    limits = np.array([value if name == "turn" else limit(value) for name, value in values.items()])
    won = np.zeros(games, np.int8)
    turns = _play_games(np.uint64(mix(seed)), np.uint64(mix(mix(seed) >> 1)), _tables(), limits, won)
    if turns == ENDLESS:
        raise ValueError(f"behaviour = {behaviour}: a game has not ended after {MOST_TURNS} turns")
    return won, turns


@lru_cache(maxsize=1)
def _tables() -> tuple:
    """Seats of the roles by seating, cards, the report's choice, turns, and what is around a seat."""
    around = np.zeros((SEATS, 1 << SEATS, 4), np.int64)
    for seat in range(SEATS):
        for living in range(1 << SEATS):
            alive = [bool(living >> other & 1) or other == seat for other in range(SEATS)]
            away = distances(seat, alive)
            near = [other for other, distance in away.items() if distance == 1]
            sets = in_reach(seat, alive, False), in_reach(seat, alive, True), near
            around[seat, living] = *(sum(1 << other for other in seats) for seats in sets), next(iter(away), seat)
    masks = [[sum(1 << seat for seat in range(SEATS) if roles[seat] == role) for role in Role] for roles in _seatings()]
    questions = rule_tables.permission_words(AS_CODED).astype(np.int64)
    return np.array(masks), alias_table(AS_CODED.hand_probability), questions, turn_codes(AS_CODED), around


def _seatings() -> list[tuple[Role, ...]]:
    return [seating.roles for seating in EIGHT.seatings()]


@njit
def _play_games(key, coin_key, tables, limits, winners):
    """Play one game for each place of `winners`; turns taken in all, or ENDLESS."""
    words, coins, codes = np.zeros(4, np.uint32), np.zeros(4, np.uint32), np.zeros(SEATS, np.int64)
    masks, taken = tables[0], 0
    for game in range(winners.size):
        open_stream(words, key, game)
        open_stream(coins, coin_key, game)
        roles = masks[np.int64(next_word(words)) * masks.shape[0] >> 32]
        winner, turns = _play(words, coins, codes, roles, tables, limits)
        if winner == ENDLESS:
            return ENDLESS
        winners[game] = winner
        taken += turns
    return taken


@njit(borrows=True)
def _play(words, coins, codes, roles, tables, limits):
    """One game: who has won it, and its turns. Sets of seats are masks, bit s for seat s; the lord has seat 0."""
    _, alias, questions, turns, around = tables
    rebels, renegade = roles[Role.REBEL], roles[Role.RENEGADE]
    codes[:] = OPENED
    alive, against, loyal, seat = (1 << SEATS) - 1, 0, 0, 0
    for length in range(1, MOST_TURNS + 1):
        code, me = codes[seat], 1 << seat
        reach = around[seat, alive, ARMED[code]]
        usual = _usual(me, reach, alive, roles, codes, questions)
        hand = np.int64(drawn_hand(next_word(words), alias))
        choice = _choice(me, reach, usual, alive, roles, against, loyal, coins, limits)
        target = _picked_seat(next_word(words), choice)
        other = codes[target] if choice else DEAD
        close = around[seat, alive, NEAR] >> target & 1 if choice else 0
        codes[seat], left = turns[close, hand, code, other, 0], np.int64(turns[close, hand, code, other, 1])
        if choice and left != other:
            codes[target], hurt = left, 1 << target
            if hurt & (LORD | loyal):
                against, loyal = against | me, loyal & ~me
            elif hurt & against:
                against, loyal = against & ~me, loyal | me
            if left == DEAD:
                alive ^= hurt
            if not alive & LORD:
                return (RENEGADE if alive == renegade else REBELS), length
            if not alive & (rebels | renegade):
                return LORD_SIDE, length
        seat = around[seat, alive, NEXT]
    return ENDLESS, 0


@njit(borrows=True)
def _usual(me, reach, alive, roles, codes, questions):
    """The seats that the report's rule picks among: `permission_words`, asked about those in reach."""
    others, situation = alive & ~me, 0
    for role in range(1, 4):
        situation |= role if roles[role] & me else 0
        situation |= 2 << role if roles[role] & others else 0
    choice = 0
    for question in (FIRST, SECOND):
        for role in range(4):
            choice |= roles[role] & reach if questions[question + role] >> situation & 1 else 0
        if choice:
            break
    if not questions[HEALTHIEST] >> situation & 1:
        return choice
    most, healthiest = 0, 0
    for seat in range(SEATS):
        if choice >> seat & 1 and HEALTH[codes[seat]] >= most:
            healthiest = (healthiest if HEALTH[codes[seat]] == most else 0) | 1 << seat
            most = HEALTH[codes[seat]]
    return healthiest


@njit(borrows=True)
def _picked_seat(word, choice):
    """The seat that a word picks among those of the mask, as `Stream.choose`; 0 where there is none."""
    rank = (np.int64(word) >> 4) * np.int64(ones(u32(choice))) >> 28
    while rank > 0:
        choice, rank = choice & (choice - 1), rank - 1
    return lowest(np.uint64(choice)) if choice else 0


@njit(borrows=True)
def _choice(me, reach, usual, alive, roles, against, loyal, coins, limits):
    """`targets`, of masks."""
    loyalists, rebels = alive & roles[Role.LOYALIST], alive & roles[Role.REBEL]
    if me == LORD and not loyalists:
        return reach if not rebels and reach and _coin(coins, limits[DUEL]) else usual
    if me & (LORD | loyalists):
        return _as_loyal(usual, against, loyal, coins, limits)
    if me & rebels:
        return _as_rebel(usual, reach, rebels, against, loyal, coins, limits) if loyalists else usual
    if reach & LORD and np.int64(ones(u32(alive))) <= limits[TURN]:
        return np.int64(LORD)
    if loyalists and rebels and _coin(coins, limits[COVER]):
        return _as_loyal(reach & ~LORD, against, loyal, coins, limits)
    return usual


@njit(borrows=True)
def _as_loyal(usual, against, loyal, coins, limits):
    if _coin(coins, limits[SUSPICION]):
        if usual & against:
            return usual & against
        usual &= ~loyal
    return 0 if _coin(coins, limits[SPARES]) else usual


@njit(borrows=True)
def _as_rebel(usual, reach, rebels, against, loyal, coins, limits):
    if reach & LORD and _coin(coins, limits[RUSH]):
        return LORD
    knows = _coin(coins, limits[KIN])
    if knows:
        usual &= ~rebels
    if _coin(coins, limits[SUSPICION]):
        if usual & loyal:
            return usual & loyal
        if not knows:
            usual &= ~against
    return usual if knows or not _coin(coins, limits[SPARES]) else 0


@njit(inline="always")
def _coin(coins, below):
    """Whether the next coin falls; one that cannot is not tossed."""
    return below > 0 and np.int64(next_word(coins)) < below
