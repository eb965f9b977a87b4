"""Who is who at the table? An exact posterior over seatings, from the targets that players choose.

A model of choice is any function ``(seat, roles, health, weapons) -> {target: probability}``, the target None for a
pass: what somebody believes about how people play. The observer sees health, weapons, targets and the roles of the
dead; the lord's seat is known to all.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

from gamebalance.base.checks import shown, whole_number
from gamebalance.base.kinds import Real
from gamebalance.multiplayer.beliefs import Posterior
from gamebalance.multiplayer.protocols import check_probabilities
from gamebalance.sanguosha.lineup import Lineup, Role
from gamebalance.sanguosha.policies import Cards
from gamebalance.sanguosha.rules import AS_CODED, Rules, check_rules
from gamebalance.sanguosha.stream import Stream
from gamebalance.sanguosha.table import Move, Table, moves, open_table
from gamebalance.sanguosha.targets import are_revealed, candidates, in_reach

ChoiceModel = Callable[[int, Sequence[Role], Sequence[int], Sequence[bool]], Mapping[int | None, Real]]


def report_choices(rules: Rules = AS_CODED) -> ChoiceModel:
    """The report's choice of target: one of `targets.candidates`, each equally likely."""
    check_rules(rules)
    return _report_choices(rules)


@lru_cache(maxsize=16)
def _report_choices(rules: Rules) -> ChoiceModel:
    """The same model for the same rules."""
    return lambda seat, roles, health, weapons: _evenly(candidates(seat, roles, health, weapons[seat], rules))


def bold_rebels(boldness: Real, rules: Rules = AS_CODED) -> ChoiceModel:
    """The report's choice, but a rebel who can reach the lord attacks him with probability `boldness`.

    That concerns the time while a loyalist lives; later the report's rebels attack the lord anyway. With the other
    probability the rebel chooses as in the report.
    """
    if isinstance(boldness, bool) or not isinstance(boldness, Real) or not 0 <= boldness <= 1:
        raise ValueError(f"boldness = {shown(boldness)}: a probability from 0 to 1 is needed")
    report = report_choices(rules)

    def choices(seat: int, roles: Sequence[Role], health: Sequence[int], weapons: Sequence[bool]) -> dict:
        usual = report(seat, roles, health, weapons)
        alive = [points > 0 for points in health]
        lord = roles.index(Role.LORD)
        if roles[seat] != Role.REBEL or are_revealed(roles, alive) or lord not in in_reach(seat, alive, weapons[seat]):
            return usual
        mixed = {lord: boldness} | {target: (1 - boldness) * chance for target, chance in usual.items()}
        # With nobody but the lord in reach, a rebel who does not dare passes: that is what `usual` says then.
        return {target: chance for target, chance in mixed.items() if chance}

    return choices


class SeatingObserver:
    """Beliefs about the seating, given what all can see, if everybody plays by `model`.

    `posterior` is over the distinct seatings such as "0123", all equally likely at first; in fractions, as long as the
    model's probabilities are. An object never changes: `see`, `target` and `death` answer new ones.
    """

    def __init__(self, lineup: Lineup | str, model: ChoiceModel):
        self.model = model
        self.posterior = Posterior(Lineup.parse(lineup).seatings())

    def _with(self, posterior: Posterior) -> "SeatingObserver":
        new = object.__new__(SeatingObserver)
        new.model, new.posterior = self.model, posterior
        return new

    def _check_seat(self, seat: int, *by_seat: Sequence) -> None:
        players = len(self.posterior.hypotheses[0])
        whole_number("seat", seat, 0, players - 1)
        for values in by_seat:
            if len(values) != players:
                raise ValueError(f"health or weapons = {shown(values)}: one for each of {players} players is needed")

    def target(
        self, seat: int, target: int | None, health: Sequence[int], weapons: Sequence[bool]
    ) -> "SeatingObserver":
        """After the player at `seat` chose `target`; health (0 is dead) and weapons by seat, before the turn.

        ValueError if no seating that is still possible would ever let him choose that target.
        """
        self._check_seat(seat, health, weapons)
        chosen = "passing" if target is None else f"target {target}"
        seen = tuple(health), tuple(weapons)
        chances = [
            _chances(self.model, seat, seating.roles, *seen).get(target, 0) for seating in self.posterior.hypotheses
        ]
        name = f"{chosen} of seat {seat} at health {tuple(health)}"
        return self._with(self.posterior.observe(chances, name))

    def death(self, seat: int, role: Role) -> "SeatingObserver":
        """After the player at `seat` died and showed his role; ValueError if that was impossible."""
        self._check_seat(seat)
        name = f"role {Role(role).english} of seat {seat}"
        return self._with(self.posterior.condition(lambda seating: seating.roles[seat] == role, name))

    def see(self, move: Move) -> "SeatingObserver":
        """After a whole turn: its target, and the role of whoever died of it."""
        before, after = move.before.players, move.table.players
        health, weapons = [player.health for player in before], [player.weapon for player in before]
        observer = self.target(move.before.seat, move.target, health, weapons)
        for seat, (old, new) in enumerate(zip(before, after, strict=True)):
            if old.alive and not new.alive:
                observer = observer.death(seat, move.table.roles[seat])
        return observer

    def roles(self, seat: int) -> dict[Role, Real]:
        """Probability of each role at `seat`."""
        self._check_seat(seat)
        return {Role(int(digit)): value for digit, value in self.posterior.marginal(seat).items()}

    def turn_information(self, seat: int, health: Sequence[int], weapons: Sequence[bool]) -> float:
        """Bits that the target of the player at `seat` is expected to tell, in this position."""
        self._check_seat(seat, health, weapons)
        seen = tuple(health), tuple(weapons)
        chances = [_chances(self.model, seat, seating.roles, *seen) for seating in self.posterior.hypotheses]
        targets = list(dict.fromkeys(target for each in chances for target in each))
        return self.posterior.information([[each.get(target, 0) for target in targets] for each in chances])


def play_by(
    model: ChoiceModel, lineup: Lineup | str, seed: int, number: int = 0, rules: Rules = AS_CODED
) -> Iterator[Move]:
    """Game `number` of a seed, turn by turn, when everybody chooses targets by `model`.

    With `report_choices` these are the moves of `sanguosha.play`: seatings, cards and targets come from the same words.
    """
    lineup = Lineup.parse(lineup)
    stream = Stream(seed, whole_number("number", number))
    check_rules(rules)
    seating = stream.seating(lineup)

    def choose(table: Table, _: Cards) -> int | None:
        health, _, weapons = zip(*table.players, strict=True)
        return _pick(stream.word() / 2**32, _chances(model, table.seat, table.roles, health, weapons))

    return moves(open_table(seating, stream.opening(seating, rules), rules), stream, rules, choose)


@lru_cache(maxsize=1 << 16)
def _chances(model: ChoiceModel, seat: int, roles: tuple, health: tuple, weapons: tuple) -> Mapping[int | None, Real]:
    """What a model says: games come to the same few tables again and again."""
    chances = model(seat, roles, health, weapons)
    check_probabilities(f"choices at seat {seat}", list(chances.values()))
    return chances


def _pick(place: float, chances: Mapping[int | None, Real]) -> int | None:
    """The target in whose part of [0, 1) `place` lies; the parts are in seat order, a pass last."""
    total = 0.0
    order = sorted(chances, key=lambda target: (target is None, target or 0))
    for target in order:
        total += float(chances[target])
        if place < total:
            return target
    return order[-1]


def _evenly(targets: Sequence[int]) -> dict[int | None, Fraction]:
    return {target: Fraction(1, len(targets)) for target in targets} if targets else {None: Fraction(1)}
