"""The readable engine: one game, turn by turn, and a transcript that a person can follow."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from gamebalance.base.checks import MOST_GAMES, instance, shown, whole_number
from gamebalance.sanguosha.lineup import Lineup, Role, Seating
from gamebalance.sanguosha.policies import Cards, Policies, check_policies
from gamebalance.sanguosha.rules import AS_CODED, MAX_HEALTH, OPENING_DODGES, Card, Rules, check_rules
from gamebalance.sanguosha.scoring import SIDES, Alive, numbers_alive, winner
from gamebalance.sanguosha.stream import Stream
from gamebalance.sanguosha.targets import candidates, in_reach
from gamebalance.sanguosha.turn import MOST_TURNS, EndlessGame, Player, take_turn

#: How the winner is announced.
VICTORY = {
    "lord": "the lord's side wins: no rebel and no renegade is alive",
    "rebels": "the rebels win: the lord is dead",
    "renegade": "the renegade wins: nobody else is alive",
}


@dataclass(frozen=True)
class Table:
    """Everybody's role and state by seat, and the seat to move."""

    roles: tuple[Role, ...]
    players: tuple[Player, ...]
    seat: int = 0

    @property
    def alive(self) -> Alive:
        """Numbers of lords, loyalists, rebels and renegades alive."""
        return numbers_alive(self.roles, [seat for seat, player in enumerate(self.players) if player.alive])

    @property
    def winner(self) -> str | None:
        return winner(self.alive)

    @property
    def won(self) -> tuple[bool, ...]:
        """Who has won, by seat: whoever is of the winner's side, dead or alive, but of renegades the one alive."""
        winner, pairs = self.winner, zip(self.roles, self.players, strict=True)
        return tuple(SIDES[role] == winner and (role != Role.RENEGADE or player.alive) for role, player in pairs)

    def candidates(self, rules: Rules = AS_CODED) -> list[int]:
        """Seats that the player to move may choose as target."""
        health = [player.health for player in self.players]
        return candidates(self.seat, self.roles, health, self.players[self.seat].weapon, rules)

    def after(self, target: int | None, cards: tuple[Card, ...], rules: Rules = AS_CODED) -> "Move":
        """The move that plays `cards` against `target`."""
        alive = [player.alive for player in self.players]
        near = target in in_reach(self.seat, alive, False, (1,))
        opponent = None if target is None else self.players[target]
        hearts = rules.health[self.roles[self.seat]]
        turn = take_turn(self.players[self.seat], opponent, cards, near, rules, hearts)
        players = list(self.players)
        players[self.seat] = turn.actor
        if target is not None:
            players[target] = turn.target
        seat = self.seat
        for step in range(1, len(players) + 1):
            seat = (self.seat + step) % len(players)
            if players[seat].alive:
                break
        return Move(self, target, cards, turn.events, Table(self.roles, tuple(players), seat))


@dataclass(frozen=True)
class Move:
    """One turn: the table before, the target (None for a pass), the cards, what happened, the table afterwards."""

    before: Table
    target: int | None
    cards: tuple[Card, ...]
    events: tuple[str, ...]
    table: Table


@dataclass(frozen=True)
class Game:
    """A finished game."""

    seed: int
    number: int
    rules: Rules
    opening: Table
    moves: tuple[Move, ...]

    @property
    def table(self) -> Table:
        return self.moves[-1].table

    @property
    def seating(self) -> Seating:
        return Seating.of(self.opening.roles)


def open_table(seating: Seating | str, dodges: Sequence[int] | None = None, rules: Rules = AS_CODED) -> Table:
    """The table before the first turn: full health, two dodges each unless given, no weapons."""
    seating = Seating(seating)
    dodges = [OPENING_DODGES] * len(seating) if dodges is None else dodges
    dodges = [whole_number("dodges", held, 0, MAX_HEALTH) for held in dodges]
    if len(dodges) != len(seating):
        raise ValueError(f"dodges = {shown(dodges)}: one number for each of the {len(seating)} seats is needed")
    hearts = [rules.health[role] for role in seating.roles]
    players = [Player(most, min(held, most)) for most, held in zip(hearts, dodges, strict=True)]
    return Table(seating.roles, tuple(players), rules.first_seat(len(seating)))


def play(
    lineup: Lineup | str,
    seed: int,
    number: int = 0,
    rules: Rules = AS_CODED,
    seating: Seating | str | None = None,
    policies: Policies | None = None,
) -> Game:
    """Game `number` of ``simulate(lineup, games, seed, rules, seating=seating)``, turn by turn.

    Parameters
    ----------
    seed, number : int
        Which of the seed's games, 0 to 2^63 - 1.
    seating : Seating or str, optional
        The seating; a random one by default.
    policies : mapping from Role to Policy, optional
        How the roles choose their targets; by the report's rule if not named, which is what `simulate` plays.
    """
    lineup = Lineup.parse(lineup)
    stream = Stream(seed, whole_number("number", number, 0, MOST_GAMES))
    check_rules(rules)
    drawn = stream.seating(lineup)
    seating = drawn if seating is None else lineup.seating(seating)
    chosen = check_policies(policies, seating)
    opening = open_table(seating, stream.opening(seating, rules), rules)

    def choose(table: Table, cards: Cards) -> int | None:
        policy = chosen[table.roles[table.seat]]
        return stream.choose(policy.targets(table.seat, table.roles, table.players, cards, rules))

    return Game(int(seed), int(number), rules, opening, tuple(moves(opening, stream, rules, choose)))


def moves(table: Table, stream: Stream, rules: Rules, choose: Callable[[Table, Cards], int | None]) -> Iterator[Move]:
    """The turns from this table on; `choose` names the target for a table and the cards drawn, None to pass."""
    for _ in range(MOST_TURNS):
        if table.winner is not None:
            return
        cards = stream.cards(rules)
        move = table.after(choose(table, cards), cards, rules)
        yield move
        table = move.table
    raise EndlessGame(f"policies: the game has not ended after {MOST_TURNS} turns")


def transcript(game: Game) -> str:
    """The game as text: one paragraph for the table, one line a turn, one for the result."""
    instance("game", game, Game)
    roles, names = game.opening.roles, _names(game.opening.roles)
    lines = [f"Seed {game.seed}, game {game.number}: seating {game.seating}, {len(names)} players.", "", "Seats"]
    lines += [f"  {seat}  {name} {role.chinese}" for seat, (name, role) in enumerate(zip(names, roles, strict=True))]
    lines += ["", "Hearts are health, [n] dodges in hand, W a weapon. Turns:"]
    width = len(str(len(game.moves)))
    for number, move in enumerate(game.moves, 1):
        lines.append(f"{number:>{width}}. {_sentence(move, names)}")
        lines.append(" " * (width + 2) + _state(move.table, names))
    alive = ", ".join(name for name, player in zip(names, game.table.players, strict=True) if player.alive)
    lines += ["", f"After {len(game.moves)} turns {VICTORY[game.table.winner]}. Alive: {alive}."]
    return "\n".join(lines)


def _names(roles: Sequence[Role]) -> list[str]:
    """Role names, numbered where a role is held by several."""
    names = []
    for seat, role in enumerate(roles):
        number = f" {roles[: seat + 1].count(role)}" if roles.count(role) > 1 else ""
        names.append(f"{role.english}{number}")
    return names


def _sentence(move: Move, names: Sequence[str]) -> str:
    """What happened in a turn, in words."""
    actor = names[move.before.seat]
    drawn = " and ".join(card.english for card in move.cards)
    if move.target is None:
        return f"{actor} draws {drawn}; nobody to attack{_list_events(move)}."
    return f"{actor} draws {drawn}; target {names[move.target]}{_list_events(move)}."


def _list_events(move: Move) -> str:
    killed = move.target is not None and not move.table.players[move.target].alive
    words = {
        "equip": "puts on a weapon",
        "snatch weapon": "snatches the weapon",
        "snatch dodge": "snatches a dodge",
        "dismantle weapon": "destroys the weapon",
        "dismantle dodge": "destroys a dodge",
        "dodged": "slashes, and is dodged",
        "hit": "slashes, and kills" if killed else "slashes, and hits",
        "peach": "eats a peach",
        "discard dodge": "discards a dodge",
    }
    return "".join(f"; {words[event]}" for event in move.events)


def _state(table: Table, names: Sequence[str]) -> str:
    def show(player: Player) -> str:
        if not player.alive:
            return "dead"
        return "♥" * player.health + f" [{player.dodges}]" + (" W" if player.weapon else "")

    return " | ".join(f"{name} {show(player)}" for name, player in zip(names, table.players, strict=True))
