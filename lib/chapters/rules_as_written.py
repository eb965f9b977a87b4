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
from gamebalance.base.workers import for_each
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
    played = for_each(
        product(rule_sets, range(batches)),
        lambda run: simulate(lineup, size, seed + run[1], rule_sets[run[0]], seating=seating).counts,
        workers,
        progress=progress and (lambda _: progress(size)),
    )
    endings = tuple(sorted(set().union(*played.values())))
    counts = {
        name: np.array([[played[name, batch].get(alive, 0) for alive in endings] for batch in range(batches)])
        for name in rule_sets
    }
    return PairedGames(lineup, endings, counts)


class Pack:
    """Cards to draw, None for one without effect; the arguments are those of `play_whole`."""

    def __init__(self, random, finite, blanks):
        self.random, self.finite, self.blanks, self.left = random, finite, blanks, []

    def draw(self, count, players, drawn=()):
        """So many cards; an empty pack is made of all that are neither held nor drawn in this turn."""
        new = []
        for _ in range(count):
            if not self.left:
                out = Counter([*drawn, *new] * self.finite)
                held = {Card.DODGE: sum(each.dodges for each in players), Card.WEAPON: sum(p.weapon for p in players)}
                out.update(held if self.finite else {})
                self.left = [*(WHOLE - out).elements(), *[None] * (self.blanks - out[None])]
                self.random.shuffle(self.left)
            new.append(self.left.pop() if self.finite else self.random.choice(self.left))
        return new


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
    while True:
        actor = players[seat]
        alive, over, attacked, near = _place(seat, roles, tuple(player.health for player in players), actor.weapon)
        if over:
            return alive
        drawn = pack.draw(2, players)
        if attacked:
            target = pack.random.choice(attacked)
            players = _attack(roles, players, seat, target, target in near, drawn, pack, kills)
        else:
            players[seat], _ = _turn(actor, None, tuple(drawn), False)
        seat = (seat + 1) % len(players)
        while not players[seat].alive:
            seat = (seat + 1) % len(players)


def _attack(roles, players, seat, target, near, drawn, pack, kills):
    """All players after the cards drawn were played against a target; a kill may be rewarded or punished."""
    after, actor, other = list(players), players[seat], players[target]
    after[seat], after[target] = _turn(actor, other, tuple(drawn), near)
    if kills and not after[target].alive:
        if roles[target] == Role.REBEL:
            kept = [card for card in pack.draw(3, after, drawn) if card in (Card.DODGE, Card.PEACH, Card.WEAPON)]
            after[seat], _ = _turn(actor, other, tuple(drawn + kept), near)
        elif (roles[seat], roles[target]) == (Role.LORD, Role.LOYALIST):
            after[seat] = Player(actor.health, 0)
    return after


@cache
def _place(seat, roles, health, weapon):
    """Numbers alive by role, whether the game is over, whom the player to move may attack, and who sits next to him."""
    table = Table(roles, tuple(Player(points, 0, weapon) for points in health), seat)
    near = [other for other, far in distances(seat, [points > 0 for points in health]).items() if far == 1]
    return table.alive, table.winner is not None, table.candidates(), near


@cache
def _turn(actor, target, cards, near):
    """Both players after a turn; None among the cards is one without effect."""
    turn = take_turn(actor, target, tuple(card for card in cards if card is not None), near, AS_CODED)
    return turn.actor, turn.target
