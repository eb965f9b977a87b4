"""The same games under several rule sets, and games with what the Sanguosha report leaves out.

Game i of a seed draws the same words under every rule set, so that common chance cancels in differences; but an opening
of four cards, or more cards in a turn, draw more words, and all later ones are others. Errors come from batches.
"""

from collections import Counter
from functools import cache, cached_property
from itertools import product
from random import Random
from typing import NamedTuple

import numpy as np

from chapters.four_players_exactly import RULE_SETS, z_score
from gamebalance.base.workers import in_turn
from gamebalance.sanguosha.lineup import Lineup, Role
from gamebalance.sanguosha.outcomes import Outcomes
from gamebalance.sanguosha.rules import AS_CODED, REPORT_DECK, Card
from gamebalance.sanguosha.simulation import simulate
from gamebalance.sanguosha.table import Table, open_table
from gamebalance.sanguosha.targets import distances
from gamebalance.sanguosha.turn import Player, take_turn

#: What is measured under a rule set, in this order: survival (a share), Bal, expected scores in points, Rat.
ROLES = [role.english.lower() for role in Role]
MEASURES = (*(f"{role} alive" for role in ROLES), "Bal", *(f"{role} score" for role in ROLES), "Rat")
BAL, RAT = MEASURES.index("Bal"), MEASURES.index("Rat")

#: Factors that turn shares into percent, by measure.
PERCENT = np.array([100.0] * (BAL + 1) + [1.0] * (RAT - BAL))

#: Batches of `play_rule_sets` that a worker plays in one go: they are short.
HANDED_OVER = 20

#: The report's cards.
WHOLE = Counter(dict(zip(Card, REPORT_DECK, strict=True)))


def measures(outcomes):
    """Survival, Bal, expected scores and Rat under one rule set, shape (10,), in the order of `MEASURES`."""
    return np.array([*outcomes.survival, outcomes.balance, *outcomes.expected_scores(), outcomes.rationality()])


def measure_errors(outcomes):
    """Standard errors of `measures` by the delta method, shape (10,); zeros when exact."""
    errors = [*outcomes.survival_error, outcomes.balance_error, *outcomes.score_error, outcomes.rationality_error()]
    return np.array(errors)


class Effect(NamedTuple):
    """A contrast of rule sets; arrays in the order of `MEASURES`, and games under each rule set, None when exact."""

    value: np.ndarray
    error: np.ndarray
    unpaired_error: np.ndarray
    games: int | None = None

    @property
    def variance_ratio(self):
        """Variance without the pairing over variance with it; infinite where every batch ends the same way."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.square(self.unpaired_error / self.error)

    def z(self, paired=True):
        """The contrast in standard errors, 0 where it is 0; nan where it is exact and not 0."""
        return z_score(self.value, 0.0, self.error if paired else self.unpaired_error)


class PairedGames:
    """The same games of one line-up under several rule sets: numbers by rule set, shape (batches, endings)."""

    def __init__(self, lineup, endings, counts):
        self.lineup, self.endings, self.counts = lineup, endings, counts

    def outcomes(self, name):
        """All games of the rule set `name`."""
        return self._as_outcomes(self.counts[name].sum(axis=0))

    def contrast(self, weights):
        """A weighted sum of the measures of rule sets; its errors by the jackknife that leaves out a batch in turn."""
        pooled = {name: self.outcomes(name) for name in weights}
        value = sum(weight * measures(pooled[name]) for name, weight in weights.items())
        left_out = sum(weight * self._left_out[name] for name, weight in weights.items())
        variance = sum(np.square(weight * measure_errors(pooled[name])) for name, weight in weights.items())
        return Effect(value, jackknife_error(left_out), np.sqrt(variance), next(iter(pooled.values())).games)

    @cached_property
    def _left_out(self):
        """By rule set: the measures of all games but those of batch b, shape (batches, 10)."""
        return {
            name: np.array([measures(self._as_outcomes(counts.sum(axis=0) - batch)) for batch in counts])
            for name, counts in self.counts.items()
        }

    def _as_outcomes(self, counts):
        games = int(counts.sum())
        return Outcomes(self.lineup, dict(zip(self.endings, counts / games, strict=True)), games=games)


def jackknife_error(left_out):
    """Standard errors, shape (k,), from the estimates without each batch in turn, shape (batches, k)."""
    batches = len(left_out)
    return np.sqrt((batches - 1) / batches * np.square(left_out - left_out.mean(axis=0)).sum(axis=0))


def exact_contrast(solved, weights):
    """The contrast of exact solutions, by name of the rule set; its standard errors are zero."""
    nought = np.zeros(len(MEASURES))
    return Effect(sum((w * measures(solved[name]) for name, w in weights.items()), nought), nought, nought)


def play_rule_sets(lineup, games, seed, batches=100, workers=1, seating=None, progress=None, rule_sets=RULE_SETS):
    """Play the same games under each of the rule sets, in batches; batch b is a simulation with `seed` + b."""
    lineup, size = Lineup.parse(lineup), games // batches

    def play(run):
        name, first = run
        some = range(first, min(first + HANDED_OVER, batches))
        return [simulate(lineup, size, seed + batch, rule_sets[name], seating=seating).counts for batch in some]

    played = {name: [] for name in rule_sets}
    for (name, _), some in in_turn(product(rule_sets, range(0, batches, HANDED_OVER)), play, workers):
        played[name] += some
        if progress:
            progress(size * len(some))
    endings = tuple(sorted(set().union(*(batch for some in played.values() for batch in some))))
    counts = {
        name: np.array([[batch.get(alive, 0) for alive in endings] for batch in some]) for name, some in played.items()
    }
    return PairedGames(lineup, endings, counts)


class Pack:
    """Cards to draw, None for one without effect; the arguments are those of `play_whole`.

    Draws are those of ``random.shuffle`` and ``random.choice``, which would take twice as long.
    """

    def __init__(self, random, finite, blanks):
        self.bits, self.finite, self.left = random.getrandbits, finite, []
        self.whole = WHOLE + Counter({None: blanks})

    def draw(self, count, players, drawn=()):
        """So many cards; an empty pack is made of all that are neither held nor drawn in this turn."""
        new, bits = [], self.bits
        while len(new) < count:
            left = self.left or self._filled(players, [*drawn, *new])
            if self.finite:
                new.append(left.pop())
            elif (place := bits(self.width)) < len(left):
                new.append(left[place])
        return new

    def _filled(self, players, out):
        """The pack, shuffled; if it is finite, without the cards that are `out`, and those held."""
        dodges, weapons = (sum(player[place] for player in players) for place in (1, 2))
        held = [Card.DODGE] * dodges + [Card.WEAPON] * weapons
        self.left, bits = [*(self.whole - Counter((out + held) * self.finite)).elements()], self.bits
        for last in range(len(self.left) - 1, 0, -1):
            width = (last + 1).bit_length()
            while (place := bits(width)) > last:
                pass
            self.left[last], self.left[place] = self.left[place], self.left[last]
        self.width = len(self.left).bit_length()
        return self.left


def play_whole(lineup, games, seed, finite=False, blanks=0, kills=False):
    """How so many games in each seating end; as no seating is drawn, the true standard errors are a little smaller.

    `finite`: cards come from one pack, shuffled anew when it is empty. `blanks`: cards without effect, beside the
    report's 71. `kills`, what note 2.3 leaves out: whoever kills a rebel draws three cards, puts on a weapon, eats
    peaches and keeps dodges (the rest finds no target: the chosen one is dead, the slash of the turn is played); a lord
    who kills a loyalist loses his weapon and his hand, with the peaches not yet eaten.
    """
    lineup, random = Lineup.parse(lineup), Random(seed)
    each = lineup.seatings() * games
    ended = Counter(_ending(seating, Pack(random, finite, blanks), kills) for seating in each)
    return Outcomes(lineup, {alive: ended[alive] / len(each) for alive in sorted(ended)}, games=len(each))


def _ending(seating, pack, kills):
    """Who is alive at the end of a game."""
    opening = open_table(seating)
    roles, seat, players = opening.roles, opening.seat, list(opening.players)
    places, bits = _places(roles), pack.bits
    health = [player.health for player in players]
    while True:
        actor = players[seat]
        key = seat, actor.weapon, *health
        if key not in places:
            places[key] = _place(roles, *key)
        alive, over, attacked, near = places[key]
        if over:
            return alive
        drawn = pack.draw(2, players)
        if attacked:
            width = len(attacked).bit_length()
            while (place := bits(width)) >= len(attacked):
                pass
            target = attacked[place]
            _attack(roles, players, seat, target, target in near, drawn, pack, kills)
            health[target] = players[target].health
        else:
            players[seat], _ = _turn(actor, None, False, *drawn)
        health[seat] = players[seat].health
        seat = (seat + 1) % len(players)
        while not health[seat]:
            seat = (seat + 1) % len(players)


def _attack(roles, players, seat, target, near, drawn, pack, kills):
    """Play the cards drawn against a target; a kill may be rewarded or punished."""
    actor, other = players[seat], players[target]
    players[seat], players[target] = _turn(actor, other, near, *drawn)
    if kills and not players[target].health:
        if roles[target] == Role.REBEL:
            kept = [card for card in pack.draw(3, players, drawn) if card in (Card.DODGE, Card.PEACH, Card.WEAPON)]
            players[seat], _ = _turn(actor, other, near, *drawn, *kept)
        elif (roles[seat], roles[target]) == (Role.LORD, Role.LOYALIST):
            players[seat] = Player(actor.health, 0)


@cache
def _places(roles):
    """What `_place` says of these roles, by its other arguments."""
    return {}


def _place(roles, seat, weapon, *health):
    """Numbers alive by role, whether the game is over, whom the player to move may attack, and who sits next to him."""
    table = Table(roles, tuple(Player(points, 0, weapon) for points in health), seat)
    near = [other for other, far in distances(seat, [points > 0 for points in health]).items() if far == 1]
    return table.alive, table.winner is not None, table.candidates(), near


@cache
def _turn(actor, target, near, *cards):
    """Both players after a turn; None among the cards is one without effect."""
    turn = take_turn(actor, target, tuple(card for card in cards if card is not None), near, AS_CODED)
    return turn.actor, turn.target
